// URIs as glTF uses them: relative references with percent encoding, and data URIs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::gltf {

[[nodiscard]] bool is_data_uri(std::string_view uri);

// Bytes for %XX (RFC 3986, section 2.1); a % that no two hexadecimal digits follow stays as it is,
// because exporters write file names with a bare % too.
[[nodiscard]] std::string percent_decoded(std::string_view uri);

// The bytes of "data:[type][;param];base64,..." (RFC 2397; RFC 4648, section 4: padding may be missing,
// white space is no part of it), or nothing where it is not valid base64.
[[nodiscard]] std::optional<std::vector<std::byte>> data_uri_bytes(std::string_view uri);

}  // namespace sinter::gltf
