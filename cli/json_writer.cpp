#include "cli/json_writer.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <iterator>

namespace sinter {
namespace {

// Length of the well-formed UTF-8 sequence at the front (Unicode 15, table 3-7), or 0.
std::size_t utf8_length(std::string_view text) {
    const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto tail = [&](std::size_t i) { return (at(i) & 0xC0U) == 0x80U; };
    const unsigned lead = at(0);
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const bool bad = (lead == 0xE0 && at(1) < 0xA0) || (lead == 0xED && at(1) > 0x9F);
        return tail(1) && tail(2) && !bad ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const bool bad = (lead == 0xF0 && at(1) < 0x90) || (lead == 0xF4 && at(1) > 0x8F);
        return tail(1) && tail(2) && tail(3) && !bad ? 4 : 0;
    }
    return 0;
}

void append_escaped(std::string& out, std::string_view text) {
    while (!text.empty()) {
        const std::size_t size = utf8_length(text);
        const char c = text.front();
        if (size == 0) out += "\xEF\xBF\xBD";
        else if (c == '"' || c == '\\') (out += '\\') += c;
        else if (c == '\n') out += "\\n";
        else if (c == '\t') out += "\\t";
        else if (size == 1 && (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)) {
            fmt::format_to(std::back_inserter(out), "\\u{:04x}",
                           static_cast<unsigned>(static_cast<unsigned char>(c)));
        } else out += text.substr(0, size);
        text.remove_prefix(size == 0 ? 1 : size);
    }
}

}  // namespace

void JsonWriter::new_line() {
    text_ += '\n';
    text_.append(2 * levels_.size(), ' ');
}

void JsonWriter::before_value() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (levels_.empty()) return;
    Level& level = levels_.back();
    assert(level.array);
    if (!level.empty) text_ += level.one_line ? ", " : ",";
    if (!level.one_line) new_line();
    level.empty = false;
}

void JsonWriter::begin(char bracket, bool array, bool one_line) {
    before_value();
    text_ += bracket;
    levels_.push_back({array, one_line, true});
}

void JsonWriter::end(char bracket) {
    assert(!levels_.empty());
    const Level level = levels_.back();
    levels_.pop_back();
    if (!level.empty && !level.one_line) new_line();
    text_ += bracket;
    if (levels_.empty()) text_ += '\n';
}

void JsonWriter::begin_object() { begin('{', false, false); }
void JsonWriter::end_object() { end('}'); }
void JsonWriter::begin_array() { begin('[', true, false); }
void JsonWriter::begin_inline_array() { begin('[', true, true); }
void JsonWriter::end_array() { end(']'); }

void JsonWriter::key(std::string_view name) {
    assert(!levels_.empty() && !levels_.back().array && !after_key_);
    Level& level = levels_.back();
    if (!level.empty) text_ += ',';
    new_line();
    level.empty = false;
    text_ += '"';
    append_escaped(text_, name);
    text_ += "\": ";
    after_key_ = true;
}

void JsonWriter::string(std::string_view value) {
    before_value();
    text_ += '"';
    append_escaped(text_, value);
    text_ += '"';
}

void JsonWriter::boolean(bool value) {
    before_value();
    text_ += value ? "true" : "false";
}

void JsonWriter::null() {
    before_value();
    text_ += "null";
}

void JsonWriter::integer(std::int64_t value) {
    before_value();
    fmt::format_to(std::back_inserter(text_), "{}", value);
}

void JsonWriter::unsigned_integer(std::uint64_t value) {
    before_value();
    fmt::format_to(std::back_inserter(text_), "{}", value);
}

void JsonWriter::number(float value) {
    if (!std::isfinite(value)) return null();
    before_value();
    fmt::format_to(std::back_inserter(text_), "{}", value);
}

void JsonWriter::number(double value) {
    if (!std::isfinite(value)) return null();
    before_value();
    fmt::format_to(std::back_inserter(text_), "{}", value);
}

}  // namespace sinter
