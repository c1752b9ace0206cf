// `sinter validate --gpu`: what the runtime found, in the form of the deep checks.
#pragma once

#include "cli/json_writer.hpp"

#include <sinter/formats/deep.hpp>
#include <sinter/formats/result.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sinter {

struct GpuValidation {
    std::string device;
    std::vector<DeepCheck> checks;
    [[nodiscard]] bool ok() const;
};

// Pre: verify_package() found nothing wrong with the file. `device`: as --device says. Errors: Io, and those of the device;
// Unsupported where this program has no runtime.
[[nodiscard]] Result<GpuValidation> validate_on_gpu(const std::string& path, const std::string& device);

// A table, with the findings; `quiet`: findings only.
[[nodiscard]] std::string gpu_text(std::string_view path, const GpuValidation& validation, bool quiet);

// "gpu": {...}
void write_gpu_json(JsonWriter& json, const GpuValidation& validation);

}  // namespace sinter
