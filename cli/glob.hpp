// Globs on paths with forward slashes: * any characters but a slash, ? one of them, [a-z] and [!a-z] sets
// (bytes), ** as a whole part any number of folders, none included, \ takes the next character as it is.
// A name that begins with a dot is matched like any other by glob_matches; expand_glob skips hidden names
// unless the pattern's part begins with a dot.
#pragma once

#include <sinter/formats/result.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view path);

// Whether a text has any of * ? [ and so is more than a path.
[[nodiscard]] bool has_glob(std::string_view pattern);

// The regular files below `root` (or links to such) that match, as root / relative, sorted by bytes of the
// path. ** does not follow links to folders. Folders that cannot be read are errors (Io).
[[nodiscard]] Result<std::vector<std::filesystem::path>> expand_glob(const std::filesystem::path& root,
                                                                     std::string_view pattern);

}  // namespace sinter
