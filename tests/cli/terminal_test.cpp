#include "cli/terminal.hpp"
#include "run_program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include <string>

using namespace sinter;

TEST_CASE("control characters, bytes that are no UTF-8 and direction marks are shown, other text stays") {
    CHECK(printable("plain \u00e9 \u65e5\u672c \U0001F600 'x'") ==
          "plain \u00e9 \u65e5\u672c \U0001F600 'x'");
    CHECK(printable("a\x1b[31mb\x7f\n") == "a\\x1b[31mb\\x7f\\x0a");
    CHECK(printable("a\xff\xc3") == "a\\xff\\xc3");
    CHECK(printable("\xc0\xaf \xed\xa0\x80") == "\\xc0\\xaf \\xed\\xa0\\x80");  // overlong, surrogate
    CHECK(printable("gpj.\u202e\u2066\u2069\u200e\u200f\u202a") ==
          "gpj.\\u{202e}\\u{2066}\\u{2069}\\u{200e}\\u{200f}\\u{202a}");
    CHECK(printable("\xc2\x9b"
                    "31m") == "\\u{9b}31m");
    CHECK(printable(printable("\xff\x1b")) == printable("\xff\x1b"));
}

TEST_CASE("a quoted value of more than 200 characters loses its middle, a shorter one nothing") {
    const std::string e_acute = "\u00e9";
    const auto repeated = [](const std::string& text, int count) {
        std::string out;
        for (int i = 0; i < count; ++i) out += text;
        return out;
    };
    for (const std::string quote : {"'", "\""}) {
        const auto line = [&](const std::string& quoted) {
            return fmt::format("the asset's {0}{1}{0} is wrong", quote, quoted);
        };
        const std::string fits = line(repeated(e_acute, 200));
        CHECK(printable_line(fits) == fits);
        const std::string end = repeated(e_acute, 98);
        CHECK(printable_line(line(repeated(e_acute, 201))) == line(fmt::format("{0}...{0}", end)));
    }
    const std::string inner = "it's 'it's' a 'b' 'open";
    CHECK(printable_line(inner) == inner);
}

TEST_CASE("an error line shows a hostile option in full view and short") {
    const test::RunResult result =
        test::run_sinter({"cook", "a.glb", "--set", "skin." + std::string(5000, 'x') + "\xff=1"});
    CHECK(result.exit_code == 1);
    CHECK(result.err.size() < 400);
    CHECK(result.err.starts_with("error: --set: unknown key 'skin.xxx"));
    CHECK(result.err.find("xxx...xxx") != std::string::npos);
    CHECK(result.err.find("\\xff'") != std::string::npos);
}
