// Text and contact sheets: where things are. How the font looks was looked at.
#include "runtime/picture/sheet.hpp"
#include "runtime/picture/text.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace sinter::test {
namespace {

using Color = std::array<std::uint8_t, 3>;
constexpr Color kPaper{255, 255, 255}, kInk{1, 2, 3};

Picture filled(std::uint32_t width, std::uint32_t height, Color color, std::uint8_t alpha = 255) {
    Picture out{width, height, {}};
    for (std::size_t i = 0; i < std::size_t{width} * height; ++i)
        out.rgba.insert(out.rgba.end(), {color[0], color[1], color[2], alpha});
    return out;
}

Color at(const Picture& picture, std::uint32_t x, std::uint32_t y) {
    const std::uint8_t* p = &picture.rgba[(std::size_t{y} * picture.width + x) * 4];
    return {p[0], p[1], p[2]};
}

// '#' where ink is.
std::string drawn(std::string_view text, std::uint32_t width, std::uint32_t height, std::uint32_t scale = 1) {
    Picture picture = filled(width, height, kPaper);
    draw_text(picture, 0, 0, text, scale, kInk);
    std::string out;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) out += at(picture, x, y) == kInk ? '#' : '.';
        out += '\n';
    }
    return out;
}

std::string all_characters() {
    std::string out;
    for (char c = ' '; c <= '~'; ++c) out += c;
    return out;
}

TEST_CASE("text is drawn from its upper left corner, character after character") {
    CHECK(drawn("Lg", 13, 10) == "#............\n"
                                 "#............\n"
                                 "#......####..\n"
                                 "#.....#...#..\n"
                                 "#.....#...#..\n"
                                 "#.....#...#..\n"
                                 "#####..####..\n"
                                 "..........#..\n"
                                 ".......###...\n"
                                 ".............\n");
}

TEST_CASE("no two characters look alike, and all stay in their box") {
    std::set<std::string> shapes;
    for (const char c : all_characters()) {
        const std::string shape = drawn(std::string(1, c), kTextAdvance + 2, kTextHeight + 2);
        CHECK(shapes.insert(shape).second);
        const std::string inside = drawn(std::string(1, c), kTextAdvance - 1, kTextHeight);
        CHECK(std::ranges::count(shape, '#') == std::ranges::count(inside, '#'));
        CHECK((std::ranges::count(shape, '#') == 0) == (c == ' '));
    }
    CHECK(shapes.size() == 95);
}

TEST_CASE("twice as large text is the same text with pixels of two by two") {
    const std::string text = all_characters();
    const std::uint32_t width = text_width(text, 1);
    const std::string small = drawn(text, width, kTextHeight),
                      large = drawn(text, width * 2, kTextHeight * 2, 2);
    CHECK(text_width(text, 2) == width * 2);
    std::size_t different = 0;
    for (std::size_t y = 0; y < kTextHeight * 2; ++y)
        for (std::size_t x = 0; x < width * 2; ++x)
            different += large[y * (width * 2 + 1) + x] != small[y / 2 * (width + 1) + x / 2] ? 1U : 0U;
    CHECK(different == 0);
}

TEST_CASE("what the font lacks is drawn as a question mark, and text ends at the picture's edge") {
    CHECK(drawn("a\xC3\xA4\n\xE2\x82\xAC", 40, 9) == drawn("a???", 40, 9));
    CHECK(text_width("a\xC3\xA4", 1) == 11);
    CHECK(text_width("", 3) == 0);
    Picture picture = filled(10, 4, kPaper);
    draw_text(picture, 7, 2, "MMM", 3, kInk);
    draw_text(picture, 10, 4, "M", 1, kInk);
    CHECK(at(picture, 7, 2) == kInk);
    CHECK(at(picture, 6, 2) == kPaper);
    CHECK(picture.rgba.size() == 160);
}

std::vector<SheetCell> make_cells(std::uint32_t count, std::uint32_t width, std::uint32_t height) {
    std::vector<SheetCell> out;
    for (std::uint32_t i = 0; i < count; ++i)
        out.push_back({filled(width, height, {static_cast<std::uint8_t>(10 + i), 100, 200}, 128),
                       "cell " + std::to_string(i)});
    return out;
}

TEST_CASE("a sheet shows every picture whole, in order, with its caption below it and nothing else") {
    SheetOptions options;
    options.margin = 5;
    options.text_scale = 1;
    options.background = kPaper;
    options.text = kInk;
    for (const std::uint32_t count : {1U, 2U, 5U, 12U}) {
        for (const std::uint32_t columns : {0U, 1U, 3U, 50U}) {
            options.columns = columns;
            const auto cells = make_cells(count, 60, 40);
            const Picture sheet = make_sheet(cells, options);
            REQUIRE(sheet.rgba.size() == std::size_t{sheet.width} * sheet.height * 4);
            const std::uint32_t across = sheet_columns(count, 60, 40, options);
            CHECK(across == (columns == 0 ? across : std::min(columns, count)));
            CHECK(sheet.width == 5 + across * (60 + 5));
            const std::uint32_t step = (sheet.height - 5) / ((count + across - 1) / across);
            CHECK(step >= 40 + kTextHeight + 5);
            CHECK((sheet.height - 5) % step == 0);
            // Every pixel is background, ink below its picture, or a picture's.
            std::vector<std::size_t> shown(count), ink(count);
            for (std::uint32_t y = 0; y < sheet.height; ++y) {
                for (std::uint32_t x = 0; x < sheet.width; ++x) {
                    REQUIRE(sheet.rgba[(std::size_t{y} * sheet.width + x) * 4 + 3] == 255);
                    const Color c = at(sheet, x, y);
                    if (c == kPaper) continue;
                    const std::uint32_t cell = (y - 5) / step * across + (x - 5) / 65;
                    REQUIRE((x >= 5 && y >= 5 && cell < count));
                    REQUIRE((x - 5) % 65 < 60);
                    const std::uint32_t row = (y - 5) % step;
                    if (c == kInk) {
                        REQUIRE((row > 40 && row < step - 5));
                        ++ink[cell];
                    } else {
                        REQUIRE(row < 40);
                        REQUIRE(c == at(cells[cell].picture, 0, 0));
                        ++shown[cell];
                    }
                }
            }
            for (std::uint32_t i = 0; i < count; ++i) {
                CHECK(shown[i] == 60 * 40);
                const std::string caption = drawn(cells[i].caption, 60, 9);
                CHECK(ink[i] == static_cast<std::size_t>(std::ranges::count(caption, '#')));
            }
        }
    }
}

TEST_CASE("no other number of columns brings a sheet nearer to 16:9") {
    const auto off = [](const Picture& sheet) {
        return std::abs(std::log(static_cast<double>(sheet.width) / sheet.height / (16.0 / 9)));
    };
    for (const auto& [width, height] : {std::pair(48U, 27U), {40U, 40U}, {20U, 50U}}) {
        for (std::uint32_t count = 1; count <= 12; ++count) {
            const auto cells = make_cells(count, width, height);
            SheetOptions options;
            const double chosen = off(make_sheet(cells, options));
            for (options.columns = 1; options.columns <= count; ++options.columns)
                CHECK(chosen <= off(make_sheet(cells, options)) + 1e-12);  // a logarithm's rounding
        }
    }
}

TEST_CASE("a caption that is too long ends in dots") {
    SheetOptions options;
    options.text_scale = 1;
    auto cells = make_cells(2, 47, 20);  // eight characters are 47 pixels wide
    cells[0].caption = "12345678";
    cells[1].caption = "123456789";
    const Picture sheet = make_sheet(cells, options);
    cells[1].caption = "12345...";
    CHECK(sheet.rgba == make_sheet(cells, options).rgba);
    cells[0].caption = "12345...";
    CHECK(sheet.rgba != make_sheet(cells, options).rgba);
}

}  // namespace
}  // namespace sinter::test
