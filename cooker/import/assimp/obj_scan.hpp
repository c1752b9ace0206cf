// A first look at an OBJ's text: what Assimp does not tell or does not survive.
#pragma once

#include <sinter/formats/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

// What lies between one "o" or "g" line and the next.
struct ObjSection {
    std::string name;
    std::uint64_t positions = 0;  // "v" lines
    std::uint64_t triangles = 0;  // corners - 2, summed over the faces with three corners or more
};

struct ObjFacts {
    std::vector<ObjSection> sections;
    std::uint64_t positions = 0;
    std::uint64_t triangles = 0;
    std::uint64_t object_lines = 0;       // "o" lines
    std::uint64_t material_lines = 0;     // "usemtl" lines
    std::uint64_t materials = 0;          // different names in them
    bool repeats_object = false;          // an "o" line has the name of a section before it
    bool has_unusual_numbers = false;     // with_plain_numbers changes something that Assimp loses
    bool has_joined_lines = false;        // a backslash at the end of a line
    std::uint64_t short_faces = 0;        // faces with one or two corners
    std::uint64_t points_and_lines = 0;   // "p" and "l" lines
    bool names_default_material = false;  // "usemtl DefaultMaterial" is really there
};

constexpr std::uint64_t kMaxNameComparisons = 1'000'000'000;  // about 2 s

// Whether Assimp should see groups in place of objects: where there are many, as it looks a group up in a map but an
// object in a list of all, or where a name comes again, as it then gives the faces to the object before.
[[nodiscard]] bool should_read_objects_as_groups(const ObjFacts& facts);

// The text with "g name" for each "o name ...". Faces below a name that comes again are a mesh of their own.
[[nodiscard]] std::string objects_as_groups(std::string_view text);

// The text with "v", "vt" and "vn" lines as Assimp counts their numbers: it loses a vertex, and shifts all indices
// after it, where a number begins with a point, a comment follows or there are more numbers than it knows. No sign
// '+', a digit before each point, no comment, 3, 4 or 6 numbers of a "v", 2 or 3 of a "vt", 3 of a "vn".
[[nodiscard]] std::string with_plain_numbers(std::string_view text);

// The text as this scan and Assimp take it for the same lines: lone carriage returns are line ends, form feeds and
// vertical tabs are blanks. Nothing where the text is so already.
[[nodiscard]] std::optional<std::string> with_plain_line_ends(std::string_view text);

// Checks every number of a "v", "vt" or "vn" line to be there and to be one, and every index of a face to name
// something that the file has defined above or below it, counting from 1 or backwards from the line (negative);
// 0 is no index. A text has no zero byte and at least one line that begins with a keyword of the format.
// Errors: InvalidInput, where = file_name and line or byte; Limit where Assimp, which goes through all objects and
// materials for each line that names one, would compare more than kMaxNameComparisons names.
[[nodiscard]] Result<ObjFacts> scan_obj(std::string_view text, std::string_view file_name);

}  // namespace sinter
