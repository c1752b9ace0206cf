#include "cli/glob.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace sinter {
namespace {

// Matches one character against the set at pattern[0] == '['; `used` = length of the set, or 0 when it is not
// closed and so means the character '['.
bool set_matches(std::string_view pattern, char character, std::size_t& used) {
    std::size_t at = 1;
    const bool inverted = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
    if (inverted) ++at;
    bool found = false;
    const std::size_t first = at;
    for (; at < pattern.size() && (pattern[at] != ']' || at == first); ++at) {
        const auto low = static_cast<unsigned char>(pattern[at]);
        auto high = low;
        if (at + 2 < pattern.size() && pattern[at + 1] == '-' && pattern[at + 2] != ']') {
            high = static_cast<unsigned char>(pattern[at + 2]);
            at += 2;
        }
        const auto byte = static_cast<unsigned char>(character);
        found = found || (low <= byte && byte <= high);
    }
    used = at < pattern.size() ? at + 1 : 0;
    return found != inverted;
}

// Length of the pattern's first element if it matches the character (never a '*'), else 0.
std::size_t element_matches(std::string_view pattern, char character) {
    if (pattern.front() == '?') return 1;
    if (pattern.front() == '[') {
        std::size_t used = 0;
        const bool matches = set_matches(pattern, character, used);
        if (used > 0) return matches ? used : 0;
    }
    if (pattern.front() == '\\' && pattern.size() > 1) return pattern[1] == character ? 2 : 0;
    return pattern.front() == character ? 1 : 0;
}

// One part of a path. Backtracks to the last star only, so the time is at most the product of the lengths.
bool part_matches(std::string_view pattern, std::string_view name) {
    std::size_t p = 0;
    std::size_t n = 0;
    std::size_t star = std::string_view::npos;
    std::size_t star_name = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            star_name = n;
            continue;
        }
        const std::size_t used = p < pattern.size() ? element_matches(pattern.substr(p), name[n]) : 0;
        if (used > 0) {
            p += used;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++star_name;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

std::vector<std::string_view> parts_of(std::string_view path) {
    std::vector<std::string_view> parts;
    while (!path.empty()) {
        const std::size_t slash = std::min(path.find('/'), path.size());
        const std::string_view part = path.substr(0, slash);
        if (!part.empty() && part != ".") parts.push_back(part);
        path.remove_prefix(std::min(slash + 1, path.size()));
    }
    return parts;
}

using Parts = std::vector<std::string_view>;

// reached[k]: the first k parts of the pattern match the parts of the path so far. A ** is passed for free.
std::vector<bool> start_states(const Parts& pattern) {
    std::vector<bool> reached(pattern.size() + 1, false);
    reached[0] = true;
    for (std::size_t k = 0; k < pattern.size() && pattern[k] == "**"; ++k) reached[k + 1] = true;
    return reached;
}

std::vector<bool> next_states(const Parts& pattern, const std::vector<bool>& reached, std::string_view name) {
    std::vector<bool> next(pattern.size() + 1, false);
    for (std::size_t k = 0; k < pattern.size(); ++k) {
        if (!reached[k]) continue;
        if (pattern[k] == "**") next[k] = true;
        else if (part_matches(pattern[k], name)) next[k + 1] = true;
    }
    for (std::size_t k = 0; k < pattern.size(); ++k) {
        if (next[k] && pattern[k] == "**") next[k + 1] = true;
    }
    return next;
}

bool may_see_hidden(const Parts& pattern, const std::vector<bool>& reached) {
    for (std::size_t k = 0; k < pattern.size(); ++k) {
        if (reached[k] && pattern[k].starts_with('.')) return true;
    }
    return false;
}

bool star_is_live(const Parts& pattern, const std::vector<bool>& reached) {
    for (std::size_t k = 0; k < pattern.size(); ++k) {
        if (reached[k] && pattern[k] == "**") return true;
    }
    return false;
}

struct Walk {
    const Parts& pattern;
    std::vector<std::filesystem::path>& found;
    std::string problem;
};

void walk_folder(Walk& walk, const std::filesystem::path& folder, const std::vector<bool>& reached,
                 int depth) {
    constexpr int kMaxDepth = 100;  // of folders; deeper trees are loops of mounts
    std::error_code problem;
    std::filesystem::directory_iterator entries(folder, problem);
    for (; !problem && entries != std::filesystem::directory_iterator(); entries.increment(problem)) {
        const std::string name = entries->path().filename().string();
        if (name.starts_with('.') && !may_see_hidden(walk.pattern, reached)) continue;
        const std::vector<bool> next = next_states(walk.pattern, reached, name);
        std::error_code ignored;
        if (next.back() && entries->is_regular_file(ignored)) walk.found.push_back(folder / name);
        const bool goes_on = std::find(next.begin(), next.end() - 1, true) != next.end() - 1;
        if (!goes_on || depth == kMaxDepth || !entries->is_directory(ignored)) continue;
        if (star_is_live(walk.pattern, next) && entries->is_symlink(ignored)) continue;
        walk_folder(walk, folder / name, next, depth + 1);
    }
    if (problem && walk.problem.empty()) {
        walk.problem = fmt::format("cannot read the folder '{}': {}", folder.string(), problem.message());
    }
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view path) {
    const Parts parts = parts_of(pattern);
    std::vector<bool> reached = start_states(parts);
    for (const std::string_view name : parts_of(path)) reached = next_states(parts, reached, name);
    return reached.back();
}

bool has_glob(std::string_view pattern) { return pattern.find_first_of("*?[") != std::string_view::npos; }

Result<std::vector<std::filesystem::path>> expand_glob(const std::filesystem::path& root,
                                                       std::string_view pattern) {
    // Leading parts without a glob are walked as a plain path, so that ".." and absolute patterns work.
    std::filesystem::path start = root;
    Parts parts = parts_of(pattern);
    if (pattern.starts_with('/')) start = "/";
    std::size_t plain = 0;
    while (plain + 1 < parts.size() && !has_glob(parts[plain])) start /= parts[plain++];
    parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(plain));
    std::vector<std::filesystem::path> found;
    Walk walk{parts, found, {}};
    if (std::error_code ignored; std::filesystem::is_directory(start.empty() ? "." : start, ignored)) {
        const bool here = start.empty();
        walk_folder(walk, here ? "." : start, start_states(parts), 0);
        if (here) {
            for (std::filesystem::path& path : found) path = path.lexically_relative(".");
        }
    }
    if (!walk.problem.empty()) return Error{ErrorKind::Io, {}, walk.problem, {}};
    std::ranges::sort(found, {}, [](const std::filesystem::path& path) { return path.native(); });
    return found;
}

}  // namespace sinter
