#include "cli/glob.hpp"
#include "run_program.hpp"

#include <catch2/catch_test_macros.hpp>

#include <random>
#include <string>
#include <vector>

using namespace sinter;

namespace {

// A second matcher, exponential and plain: tries every way to read the pattern, character by character.
bool plain_match(std::string_view pattern, std::string_view path) {
    if (pattern.empty()) return path.empty();
    if (pattern.starts_with("**/")) {
        if (plain_match(pattern.substr(3), path)) return true;
        const std::size_t slash = path.find('/');
        return slash != std::string_view::npos && plain_match(pattern, path.substr(slash + 1));
    }
    if (pattern.front() == '*') {
        if (plain_match(pattern.substr(1), path)) return true;
        return !path.empty() && path.front() != '/' && plain_match(pattern, path.substr(1));
    }
    if (path.empty()) return false;
    const bool same = pattern.front() == '?' ? path.front() != '/' : pattern.front() == path.front();
    return same && plain_match(pattern.substr(1), path.substr(1));
}

std::vector<std::string> expand(const test::TemporaryFolder& folder, std::string_view pattern) {
    const auto found = expand_glob(folder.path(), pattern);
    REQUIRE(found.ok());
    std::vector<std::string> names;
    for (const auto& path : *found) names.push_back(path.lexically_relative(folder.path()).string());
    return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("globs match parts, sets and any depth") {
    CHECK(glob_matches("*.glb", "hero.glb"));
    CHECK_FALSE(glob_matches("*.glb", "a/hero.glb"));
    CHECK(glob_matches("**/*.glb", "hero.glb"));
    CHECK(glob_matches("**/*.glb", "a/b/hero.glb"));
    CHECK(glob_matches("a/**/c", "a/c"));
    CHECK(glob_matches("a/**/c", "a/b/b/c"));
    CHECK_FALSE(glob_matches("a/**/c", "b/c"));
    CHECK(glob_matches("a/**", "a/b/c"));
    CHECK(glob_matches("[a-c]?[!x].obj", "bzy.obj"));
    CHECK_FALSE(glob_matches("[a-c]?[!x].obj", "bzx.obj"));
    CHECK_FALSE(glob_matches("[a-c]?[!x].obj", "dzy.obj"));
    CHECK(glob_matches("[]x].obj", "].obj"));
    CHECK(glob_matches("a[1.obj", "a[1.obj"));  // a set that is not closed is a bracket
    CHECK(glob_matches("a\\*.obj", "a*.obj"));
    CHECK_FALSE(glob_matches("a\\*.obj", "ab.obj"));
    CHECK(glob_matches("h\xC3\xA9*", "h\xC3\xA9ros"));
    CHECK_FALSE(glob_matches("", "a"));
}

TEST_CASE("globs agree with a plain second matcher on random patterns") {
    std::mt19937 random(7);
    const std::vector<std::string> pieces{"a", "b", "*", "?", "/", "**/"};
    int matches = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string pattern;
        for (auto n = random() % 5 + 1; n > 0; --n) {
            const std::string& piece = pieces[random() % pieces.size()];
            const bool at_part = pattern.empty() || pattern.back() == '/';
            if (piece == "/" && at_part) continue;                                    // no empty parts
            if (piece == "**/" && !at_part) continue;                                 // ** is a whole part
            if (piece == "*" && !pattern.empty() && pattern.back() == '*') continue;  // would become **
            pattern += piece;
        }
        if (pattern.empty() || pattern.back() == '/') pattern += "a";
        std::string path;
        for (auto n = random() % 5 + 1; n > 0; --n) {
            const char next = "ab/"[random() % 3];
            if (next == '/' && (path.empty() || path.back() == '/')) continue;
            path += next;
        }
        if (path.empty() || path.back() == '/') path += "b";
        INFO(pattern << " on " << path);
        const bool expected = plain_match(pattern, path);
        matches += expected ? 1 : 0;
        REQUIRE(glob_matches(pattern, path) == expected);
    }
    CHECK(matches > 500);  // both answers occur
}

TEST_CASE("a pattern with many stars does not take exponential time") {
    std::string pattern;
    for (int i = 0; i < 200; ++i) pattern += "*a";
    CHECK_FALSE(glob_matches(pattern + "b", std::string(2000, 'a')));
}

TEST_CASE("expanding a glob gives sorted files and no folders, hidden names only when asked for") {
    const test::TemporaryFolder folder;
    for (const char* name :
         {"b.glb", "a.glb", "B.glb", "sub/c.glb", "sub/sub/d.glb", ".hidden/e.glb", ".f.glb", "a.txt"}) {
        test::write_text(folder / name, "x");
    }
    std::filesystem::create_directory(folder / "folder.glb");
    CHECK(expand(folder, "*.glb") == Names{"B.glb", "a.glb", "b.glb"});
    CHECK(expand(folder, "**/*.glb") == Names{"B.glb", "a.glb", "b.glb", "sub/c.glb", "sub/sub/d.glb"});
    CHECK(expand(folder, "sub/*.glb") == Names{"sub/c.glb"});
    CHECK(expand(folder, "s*/**/d.glb") == Names{"sub/sub/d.glb"});
    CHECK(expand(folder, ".f*") == Names{".f.glb"});
    CHECK(expand(folder, ".hidden/*") == Names{".hidden/e.glb"});
    CHECK(expand(folder, "none/*.glb").empty());
    CHECK(expand(folder, "sub/../*.txt") == Names{"sub/../a.txt"});
}

TEST_CASE("two stars do not follow links to folders, so that loops end") {
    const test::TemporaryFolder folder;
    test::write_text(folder / "a/x.glb", "x");
    std::filesystem::create_directory_symlink(folder.path(), folder / "a/loop");
    std::filesystem::create_symlink(folder / "a/x.glb", folder / "link.glb");
    CHECK(expand(folder, "**/*.glb") == Names{"a/x.glb", "link.glb"});
    CHECK(expand(folder, "a/loop/*.glb") == Names{"a/loop/link.glb"});
}
