// What `sinter inspect` shows: the same facts as JSON (schemas/inspect.schema.json) and as text.
#pragma once

#include "cli/package_file.hpp"

#include <string>

namespace sinter {

struct InspectOptions {
    bool sections = false;  // text: list every section; both: read each one and mark damaged ones
    bool stable =
        false;  // text: only what the content decides; two packages with equal content roots print the same
};

[[nodiscard]] std::string inspect_json(const OpenPackage& package, const InspectOptions& options);
[[nodiscard]] std::string inspect_text(const OpenPackage& package, const InspectOptions& options);

// "mesh_indices", or the number of a type that this version does not know.
[[nodiscard]] std::string name_of_section(SectionType type);

// Bytes of an optional part of the manifest that may be absent: a default one stands in.
template <typename T>
[[nodiscard]] const T& value_or_default(const std::unique_ptr<T>& part) {
    static const T absent;
    return part ? *part : absent;
}

}  // namespace sinter
