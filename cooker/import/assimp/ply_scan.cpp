#include "cooker/import/assimp/ply_scan.hpp"

#include "cooker/issues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace sinter {
namespace {

struct Type {
    std::string_view name, other_name;
    std::size_t bytes;
    bool real = false;
    bool is_signed = false;
};

constexpr std::array<Type, 8> kTypes{{{"char", "int8", 1, false, true},
                                      {"uchar", "uint8", 1, false, false},
                                      {"short", "int16", 2, false, true},
                                      {"ushort", "uint16", 2, false, false},
                                      {"int", "int32", 4, false, true},
                                      {"uint", "uint32", 4, false, false},
                                      {"float", "float32", 4, true, true},
                                      {"double", "float64", 8, true, true}}};

struct Property {
    std::string name;
    const Type* type = nullptr;
    const Type* count_type = nullptr;  // of a list
};

struct Element {
    std::string name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
};

const Type* type_named(std::string_view name) {
    const auto found =
        std::ranges::find_if(kTypes, [&](const Type& t) { return t.name == name || t.other_name == name; });
    return found == kTypes.end() ? nullptr : &*found;
}

std::vector<std::string_view> words_of(std::string_view line) {
    constexpr std::string_view kBlank = " \t\r";
    std::vector<std::string_view> words;
    for (std::size_t at = line.find_first_not_of(kBlank); at != std::string_view::npos;
         at = line.find_first_not_of(kBlank, at)) {
        const std::size_t end = std::min(line.find_first_of(kBlank, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

template <typename T>
std::optional<T> number_of(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return value;
}

class PlyScanner {
public:
    PlyScanner(std::string_view bytes, std::string_view file_name) : rest_(bytes), file_name_(file_name) {}

    Result<PlyFacts> scan() {
        SINTER_TRY(read_header());
        SINTER_TRY(check_vertices());
        for (const Element& element : elements_) {
            if (element.name == "vertex") facts_.vertices += element.count;
            if (element.name == "face") facts_.faces += element.count;
        }
        for (const Element& element : elements_) SINTER_TRY(walk(element));
        return facts_;
    }

private:
    enum class Format { None, Text, Little, Big };

    Error refuse(std::string place, std::string message) const {
        return {ErrorKind::InvalidInput, fmt::format("{}: {}", file_name_, place), std::move(message),
                "repair the file or export it again", static_cast<std::uint16_t>(IssueCode::IndexOutOfRange)};
    }

    bool take_line(std::string_view& line) {
        if (rest_.empty()) return false;
        const std::size_t end = rest_.find('\n');
        line = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        return true;
    }

    Result<Unit> read_header() {
        std::string_view line;
        for (int number = 1; take_line(line); ++number) {
            const std::vector<std::string_view> words = words_of(line);
            if (number == 1 && (words.size() != 1 || words[0] != "ply"))
                return refuse("line 1", "is not 'ply'");
            if (number == 1) continue;
            if (words.size() == 1 && words[0] == "end_header") {
                if (format_ == Format::None) return refuse("header", "names no format");
                return Unit{};
            }
            if (!read_header_line(words)) {
                return refuse(fmt::format("line {}", number),
                              fmt::format("'{}' is no line of a PLY header", line.substr(0, 40)));
            }
        }
        return refuse("header", "has no end_header");
    }

    // Assimp takes a coordinate that is not there for 0.
    Result<Unit> check_vertices() const {
        const auto found = std::ranges::find(elements_, std::string_view("vertex"), &Element::name);
        if (found == elements_.end()) return refuse("header", "has no element 'vertex'");
        for (const std::string_view axis : {"x", "y", "z"}) {
            const bool there = std::ranges::any_of(found->properties, [&](const Property& property) {
                return property.name == axis && property.count_type == nullptr;
            });
            if (!there) return refuse("element 'vertex'", fmt::format("has no property '{}'", axis));
        }
        return Unit{};
    }

    bool read_header_line(const std::vector<std::string_view>& words) {
        if (words.empty()) return false;
        if (words[0] == "comment" || words[0] == "obj_info") return true;
        if (words[0] == "format" && words.size() == 3 && words[2] == "1.0") {
            if (words[1] == "ascii") format_ = Format::Text;
            if (words[1] == "binary_little_endian") format_ = Format::Little;
            if (words[1] == "binary_big_endian") format_ = Format::Big;
            return format_ != Format::None;
        }
        if (words[0] == "element" && words.size() == 3) {
            const auto count = number_of<std::uint32_t>(words[2]);
            if (count) elements_.push_back({std::string(words[1]), *count, {}});
            return count.has_value();
        }
        if (words[0] != "property" || elements_.empty()) return false;
        Property property;
        if (words.size() == 5 && words[1] == "list") {
            property = {std::string(words[4]), type_named(words[3]), type_named(words[2])};
            if (property.count_type == nullptr || property.count_type->real) return false;
        } else if (words.size() == 3) {
            property = {std::string(words[2]), type_named(words[1]), nullptr};
        }
        if (property.type == nullptr) return false;
        elements_.back().properties.push_back(std::move(property));
        return true;
    }

    Result<Unit> walk(const Element& element) {
        for (std::uint64_t i = 0; i < element.count; ++i) {
            const auto place = [&] { return fmt::format("{} {}", element.name, i); };
            if (element.properties.empty() && format_ != Format::Text) return Unit{};
            std::vector<std::string_view> words;
            if (format_ == Format::Text) {
                std::string_view line;
                if (!take_line(line))
                    return refuse(place(), fmt::format("is missing: {} are announced", element.count));
                words = words_of(line);
            }
            std::size_t word = 0;
            for (const Property& property : element.properties) {
                std::uint64_t values = 1;
                if (property.count_type != nullptr) {
                    const auto count = take_value(*property.count_type, words, word);
                    if (!count || *count < 0)
                        return refuse(place(), fmt::format("has no length of '{}'", property.name));
                    values = static_cast<std::uint64_t>(*count);
                }
                const bool is_index = element.name == "face" && property.name.starts_with("vertex_ind");
                for (std::uint64_t v = 0; v < values; ++v) {
                    const auto value = take_value(*property.type, words, word);
                    if (!value)
                        return refuse(place(),
                                      fmt::format("its '{}' ends early or is no number", property.name));
                    if (is_index && !(*value >= 0 && *value < static_cast<double>(facts_.vertices))) {
                        return refuse(place(), fmt::format("vertex index {} is out of range: there are {}",
                                                           *value, facts_.vertices));
                    }
                }
            }
        }
        return Unit{};
    }

    // The next value of a line or of the binary body; nothing where there is none.
    std::optional<double> take_value(const Type& type, const std::vector<std::string_view>& words,
                                     std::size_t& word) {
        if (format_ == Format::Text) {
            if (word == words.size()) return std::nullopt;
            if (type.real) return number_of<double>(words[word++]);
            const auto value = number_of<std::int64_t>(words[word++]);
            return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
        }
        if (rest_.size() < type.bytes) return std::nullopt;
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < type.bytes; ++i) {
            const std::size_t at = format_ == Format::Little ? i : type.bytes - 1 - i;
            bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(rest_[at])) << (8 * i);
        }
        rest_.remove_prefix(type.bytes);
        if (type.real && type.bytes == 4) {
            return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
        }
        if (type.real) return std::bit_cast<double>(bits);
        const std::uint64_t sign = std::uint64_t{1} << (8 * type.bytes - 1);
        if (type.is_signed && (bits & sign) != 0) return -static_cast<double>(2 * sign - bits);
        return static_cast<double>(bits);
    }

    std::string_view rest_;
    std::string_view file_name_;
    Format format_ = Format::None;
    std::vector<Element> elements_;
    PlyFacts facts_;
};

}  // namespace

Result<PlyFacts> scan_ply(std::string_view bytes, std::string_view file_name) {
    return PlyScanner(bytes, file_name).scan();
}

}  // namespace sinter
