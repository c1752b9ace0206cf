// The files that a cook read, in the syntax that make and ninja (deps = gcc) share.
#pragma once

#include <sinter/formats/result.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

struct DepfileRule {
    std::filesystem::path output;
    std::vector<std::filesystem::path> inputs;
};

// One path as both programs read it: a space becomes "\ ", # "\#", $ "$$", a colon "\:", and backslashes before
// one of those (or at the end) are doubled. Bytes beyond ASCII stay. Errors (Usage): a line break in the path, which no depfile can
// hold.
[[nodiscard]] Result<std::string> escape_depfile_path(std::string_view path);

// One rule an output, inputs sorted, without doubles.
[[nodiscard]] Result<std::string> depfile_text(const std::vector<DepfileRule>& rules);

}  // namespace sinter
