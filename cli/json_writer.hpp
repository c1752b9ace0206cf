// Writes JSON text: keys in the order in which they are written, two-space indent, arrays of numbers on one
// line, shortest numbers that read back equal (a float as a float: 0.1, not 0.10000000149011612).
// Independent of the locale. Invalid UTF-8 becomes U+FFFD, so that the output is always valid JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

class JsonWriter {
public:
    // Containers. In an object each value needs a key first.
    void begin_object();
    void end_object();
    void begin_array();
    void end_array();
    // Like begin_array, but its items stand on one line; items must be scalars.
    void begin_inline_array();
    void key(std::string_view name);

    void string(std::string_view value);
    void boolean(bool value);
    void integer(std::int64_t value);
    void unsigned_integer(std::uint64_t value);
    void number(float value);   // not finite: null
    void number(double value);  // not finite: null
    void null();

    // key and value at once
    void member(std::string_view name, std::string_view value) {
        key(name);
        string(value);
    }
    void member(std::string_view name, const char* value) {
        key(name);
        string(value);
    }
    void member(std::string_view name, bool value) {
        key(name);
        boolean(value);
    }
    void member(std::string_view name, std::int32_t value) {
        key(name);
        integer(value);
    }
    void member(std::string_view name, std::int64_t value) {
        key(name);
        integer(value);
    }
    void member(std::string_view name, std::uint32_t value) {
        key(name);
        unsigned_integer(value);
    }
    void member(std::string_view name, std::uint64_t value) {
        key(name);
        unsigned_integer(value);
    }
    void member(std::string_view name, float value) {
        key(name);
        number(value);
    }
    void member(std::string_view name, double value) {
        key(name);
        number(value);
    }

    // The text so far, with a newline at its end once the outermost container is closed.
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    struct Level {
        bool array = false;
        bool one_line = false;
        bool empty = true;
    };
    void before_value();
    void begin(char bracket, bool array, bool one_line);
    void end(char bracket);
    void new_line();

    std::string text_;
    std::vector<Level> levels_;
    bool after_key_ = false;
};

}  // namespace sinter
