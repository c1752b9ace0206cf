#include "cooker/import/assimp/obj_scan.hpp"

#include "cooker/import/assimp/words.hpp"
#include "cooker/issues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <set>

namespace sinter {
namespace {

constexpr std::string_view kObjBlank = " \t\r\v\f";
constexpr std::size_t kMaxQuoted = 40;  // characters of the file in a message

// Wavefront, "Object Files (.obj)", Advanced Visualizer manual, appendix B1: all that a line can begin with.
constexpr std::array<std::string_view, 41> kKeywords{
    "v",         "vt",     "vn",    "vp",     "f",      "fo",     "p",        "l",        "o",
    "g",         "s",      "mg",    "usemtl", "mtllib", "usemap", "maplib",   "deg",      "bmat",
    "step",      "cstype", "curv",  "curv2",  "surf",   "parm",   "trim",     "hole",     "scrv",
    "sp",        "end",    "con",   "bevel",  "lod",    "call",   "c_interp", "d_interp", "shadow_obj",
    "trace_obj", "ctech",  "stech", "csh",    "res"};

// One corner's "p/t/n": 0 where a part is left out.
using Corner = std::array<std::int64_t, 3>;
using Counts = std::array<std::uint64_t, 3>;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kObjBlank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kObjBlank) - first + 1);
}

bool is_number(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    // A number past the range of a double still is one.
    return error != std::errc::invalid_argument && end == word.data() + word.size();
}

// How many numbers of a "v", "vt" or "vn" line Assimp takes.
std::size_t kept_numbers(std::string_view key, std::size_t numbers) {
    if (key == "v") return numbers == 5 ? 3 : std::min<std::size_t>(numbers, 6);
    return key == "vt" ? std::clamp<std::size_t>(numbers, 2, 3) : std::min<std::size_t>(numbers, 3);
}

void append_plain_numbers(std::string_view key, std::string_view line, std::string& out) {
    std::vector<std::string_view> words;
    for (std::string_view word = next_word(line, kObjBlank); !word.empty() && word.front() != '#';
         word = next_word(line, kObjBlank)) {
        words.push_back(word);
    }
    out += key;
    words.resize(kept_numbers(key, words.size()), "0");
    for (std::string_view word : words) {
        out += ' ';
        if (word.starts_with('+')) word.remove_prefix(1);
        if (word.starts_with('.')) out += '0';
        out += word;
    }
}

bool parse_corner(std::string_view word, Corner& corner) {
    corner = {};
    for (std::size_t part = 0; part < 3; ++part) {
        const std::size_t slash = word.find('/');
        const std::string_view text = word.substr(0, slash);
        if (!text.empty()) {
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), corner[part]);
            if (error != std::errc{} || end != text.data() + text.size() || corner[part] == 0) return false;
        } else if (part == 0) {
            return false;
        }
        if (slash == std::string_view::npos) return true;
        word.remove_prefix(slash + 1);
    }
    return false;
}

// The text with each line as `change` appends it.
template <typename Change>
std::string with_lines(std::string_view text, Change change) {
    std::string out;
    out.reserve(text.size() + 1);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        change(text.substr(0, end), out);
        out += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

class ObjScanner {
public:
    ObjScanner(std::string_view text, std::string_view file_name) : text_(text), file_name_(file_name) {}

    Result<ObjFacts> scan() {
        facts_.sections.emplace_back();
        if (const std::size_t zero = text_.find('\0'); zero != std::string_view::npos) {
            return refuse_file(fmt::format("byte {}", zero), "a zero byte: an OBJ is text");
        }
        while (!text_.empty()) {
            ++line_;
            SINTER_TRY(scan_line(take_line()));
        }
        if (!has_keyword_)
            return refuse_file("line 1", "no line of the file begins with a keyword of an OBJ");
        SINTER_TRY(check_forward_references());
        facts_.materials = materials_.size();
        SINTER_TRY(check_comparisons());
        return std::move(facts_);
    }

private:
    // A backslash at the end of a line joins the next one to it.
    std::string_view take_line() {
        std::size_t end = text_.find('\n');
        joined_.clear();
        std::string_view line = text_.substr(0, end);
        const auto continues = [](std::string_view part) {
            const std::string_view content = trimmed(part);
            return !content.empty() && content.back() == '\\';
        };
        text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
        if (!continues(line)) return line;
        facts_.has_joined_lines = true;
        while (continues(line)) {
            joined_ += line.substr(0, line.find_last_of('\\'));
            joined_ += ' ';
            end = text_.find('\n');
            line = text_.substr(0, end);
            text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
            ++line_;
        }
        joined_ += line;
        return joined_;
    }

    Error refuse(std::string message) const {
        return {ErrorKind::InvalidInput, fmt::format("{}: line {}", file_name_, line_), std::move(message),
                "repair the line or export the file again",
                static_cast<std::uint16_t>(IssueCode::IndexOutOfRange)};
    }

    Error refuse_file(std::string place, std::string message) const {
        return {ErrorKind::InvalidInput, fmt::format("{}: {}", file_name_, place), std::move(message),
                "check that the file is what its name says, or export it again"};
    }

    Result<Unit> scan_line(std::string_view line) {
        const std::string_view key = next_word(line, kObjBlank);
        has_keyword_ = has_keyword_ || std::ranges::find(kKeywords, key) != kKeywords.end();
        if (key == "v" || key == "vt" || key == "vn") return scan_vertex(key, line);
        if (key == "f") return scan_face(line);
        if (key == "p" || key == "l") {
            ++facts_.points_and_lines;
        } else if (key == "o" || key == "g") {
            // As Assimp has it: an object's name ends at a blank, a group's does not.
            facts_.sections.push_back(
                {std::string(key == "o" ? next_word(line, kObjBlank) : trimmed(line)), 0, 0});
            facts_.object_lines += key == "o" ? 1U : 0U;
            const bool fresh = names_.emplace(facts_.sections.back().name).second;
            facts_.repeats_object = facts_.repeats_object || (key == "o" && !fresh);
        } else if (key == "usemtl") {
            const std::string_view name = trimmed(line);
            if (name == "DefaultMaterial") facts_.names_default_material = true;
            if (!materials_.contains(name)) materials_.emplace(name);
            ++facts_.material_lines;
        }
        return Unit{};
    }

    Result<Unit> scan_vertex(std::string_view key, std::string_view line) {
        std::size_t numbers = 0;
        std::string_view word = next_word(line, kObjBlank);
        for (; !word.empty() && word.front() != '#'; word = next_word(line, kObjBlank)) {
            facts_.has_unusual_numbers = facts_.has_unusual_numbers || word[0] == '.' || word[0] == '+';
            if (!is_number(word)) {
                return refuse(fmt::format("'{}' of a '{}' line is no number: numbers look like -0.5 or 1e-3",
                                          word.substr(0, kMaxQuoted), key));
            }
            ++numbers;
        }
        facts_.has_unusual_numbers =
            facts_.has_unusual_numbers || !word.empty() || kept_numbers(key, numbers) != numbers;
        const std::size_t least = key == "vt" ? 1 : 3;
        if (numbers < least) {
            return refuse(fmt::format("'{}' has {} numbers, at least {} are needed", key, numbers, least));
        }
        ++counts_[key == "v" ? 0 : key == "vt" ? 1 : 2];
        if (key == "v") {
            ++facts_.positions;
            ++facts_.sections.back().positions;
        }
        return Unit{};
    }

    Result<Unit> scan_face(std::string_view line) {
        std::uint64_t corners = 0;
        for (std::string_view word = next_word(line, kObjBlank); !word.empty() && word.front() != '#';
             word = next_word(line, kObjBlank)) {
            Corner corner;
            if (!parse_corner(word, corner)) {
                return refuse(fmt::format("'{}' is no corner of a face: 1-based or negative indices v, v/vt, "
                                          "v//vn or v/vt/vn are",
                                          word));
            }
            for (std::size_t part = 0; part < 3; ++part) SINTER_TRY(check_index(corner[part], part));
            ++corners;
        }
        if (corners < 3) {
            ++facts_.short_faces;
        } else {
            facts_.triangles += corners - 2;
            facts_.sections.back().triangles += corners - 2;
        }
        return Unit{};
    }

    // Negative indices count back from here; positive ones may lie ahead and are checked at the end.
    Result<Unit> check_index(std::int64_t index, std::size_t part) {
        constexpr std::array<std::string_view, 3> kNames{"position", "texture coordinate", "normal"};
        if (index < 0 && static_cast<std::uint64_t>(-(index + 1)) >= counts_[part]) {
            return refuse(fmt::format("{} index {} counts back past the first of {}", kNames[part], index,
                                      counts_[part]));
        }
        if (index > 0 && static_cast<std::uint64_t>(index) > largest_[part]) {
            largest_[part] = static_cast<std::uint64_t>(index);
            largest_line_[part] = line_;
        }
        return Unit{};
    }

    Result<Unit> check_forward_references() {
        constexpr std::array<std::string_view, 3> kNames{"position", "texture coordinate", "normal"};
        for (std::size_t part = 0; part < 3; ++part) {
            if (largest_[part] <= counts_[part]) continue;
            line_ = largest_line_[part];
            return refuse(fmt::format("{} index {} is out of range: the file has {}", kNames[part],
                                      largest_[part], counts_[part]));
        }
        return Unit{};
    }

    // Assimp looks for a material at each line that names one, and at each object after one.
    Result<Unit> check_comparisons() const {
        const std::uint64_t sections = facts_.sections.size();
        const bool by_material = facts_.materials > kMaxNameComparisons / (facts_.material_lines + sections);
        const bool by_object = !should_read_objects_as_groups(facts_) && facts_.object_lines != 0 &&
                               sections > kMaxNameComparisons / facts_.object_lines;
        if (!by_material && !by_object) return Unit{};
        return Error{
            ErrorKind::Limit, std::string(file_name_),
            fmt::format("{} objects and groups, {} 'usemtl' lines with {} names: the product of names and "
                        "of lines that name one may be {} at most",
                        sections - 1, facts_.material_lines, facts_.materials, kMaxNameComparisons),
            "join objects and materials, or cut the file into several"};
    }

    std::string_view text_;
    std::string_view file_name_;
    std::string joined_;
    std::uint64_t line_ = 0;
    bool has_keyword_ = false;
    std::set<std::string, std::less<>> names_, materials_;
    Counts counts_{};
    Counts largest_{};
    std::array<std::uint64_t, 3> largest_line_{};
    ObjFacts facts_;
};

}  // namespace

bool should_read_objects_as_groups(const ObjFacts& facts) {
    constexpr std::uint64_t kFewObjects = 1000;  // their names cost nothing
    return (facts.object_lines > kFewObjects || facts.repeats_object) && !facts.has_joined_lines;
}

std::string objects_as_groups(std::string_view text) {
    return with_lines(text, [](std::string_view line, std::string& out) {
        if (line.size() > 1 && line[0] == 'o' && kObjBlank.find(line[1]) != std::string_view::npos) {
            line.remove_prefix(1);
            out += "g ";
            out += next_word(line, kObjBlank);
        } else {
            out += line;
        }
    });
}

std::string with_plain_numbers(std::string_view text) {
    return with_lines(text, [](std::string_view line, std::string& out) {
        std::string_view rest = line;
        const std::string_view key = next_word(rest, kObjBlank);
        if (key == "v" || key == "vt" || key == "vn") {
            append_plain_numbers(key, rest, out);
        } else {
            out += line;
        }
    });
}

std::optional<std::string> with_plain_line_ends(std::string_view text) {
    const auto changes = [&](std::size_t i) {
        if (text[i] == '\r') return i + 1 == text.size() || text[i + 1] != '\n';
        return text[i] == '\f' || text[i] == '\v';
    };
    std::size_t at = text.find_first_of("\r\f\v");
    while (at != std::string_view::npos && !changes(at)) at = text.find_first_of("\r\f\v", at + 1);
    if (at == std::string_view::npos) return std::nullopt;
    std::string out(text);
    for (; at < text.size(); ++at) {
        if (changes(at)) out[at] = text[at] == '\r' ? '\n' : ' ';
    }
    return out;
}

Result<ObjFacts> scan_obj(std::string_view text, std::string_view file_name) {
    return ObjScanner(text, file_name).scan();
}

}  // namespace sinter
