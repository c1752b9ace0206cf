// What `sinter validate --deep` and `--gpu` found, as text and JSON.
#pragma once

#include "cli/json_writer.hpp"
#include "cli/validate_gpu.hpp"

#include <sinter/formats/deep.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sinter {

[[nodiscard]] bool all_ok(const std::vector<MeshDeepReport>& meshes);

// A table a mesh, with its findings; `quiet`: findings only.
[[nodiscard]] std::string deep_text(std::string_view path, const std::vector<MeshDeepReport>& meshes,
                                    bool quiet);

// "deep": [...], one entry a mesh that has a cluster DAG.
void write_deep_json(JsonWriter& json, const std::vector<MeshDeepReport>& meshes);

}  // namespace sinter
