#include "cli/depfile.hpp"

#include <algorithm>

namespace sinter {

Result<std::string> escape_depfile_path(std::string_view path) {
    std::string text;
    std::size_t backslashes = 0;  // directly before the character
    for (const char character : path) {
        if (character == '\n' || character == '\r') {
            return Error{ErrorKind::Usage, "--depfile",
                         "a path with a line break cannot be written to a depfile", "rename the file"};
        }
        const bool special = character == ' ' || character == '\t' || character == '#' || character == ':';
        if (special) text.append(backslashes + 1, '\\');
        if (character == '$') text += '$';
        text += character;
        backslashes = character == '\\' ? backslashes + 1 : 0;
    }
    return text;
}

Result<std::string> depfile_text(const std::vector<DepfileRule>& rules) {
    std::string text;
    for (const DepfileRule& rule : rules) {
        SINTER_TRY_ASSIGN(const std::string output, escape_depfile_path(rule.output.native()));
        text += output + ":";
        std::vector<std::string> inputs;
        for (const std::filesystem::path& input : rule.inputs) inputs.push_back(input.native());
        std::ranges::sort(inputs);
        inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
        for (const std::string& input : inputs) {
            SINTER_TRY_ASSIGN(const std::string escaped, escape_depfile_path(input));
            text += " \\\n  " + escaped;
        }
        text += "\n";
    }
    return text;
}

}  // namespace sinter
