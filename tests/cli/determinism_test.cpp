// Same inputs and options: same bytes, whatever the run looks like.
#include "cli/atomic_file.hpp"
#include "cooker/cook.hpp"
#include "cooker/package/assemble.hpp"
#include "run_program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <locale>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <vector>

using namespace sinter;
using test::run_sinter;

namespace {

const std::vector<std::string> kAssets{"blob.ply",     "cloth.glb",   "column.dae", "column.fbx",
                                       "creature.glb", "foliage.glb", "prop.obj",   "tiny.glb"};

// Package of an asset: the whole name stays, for column.dae and column.fbx are two assets.
std::string package_of(const std::string& asset) { return asset + ".sinter"; }

// A manifest of all assets, which lie in `folder`.
std::string manifest_of(const std::string& folder) {
    std::string text = R"({"schema": "sinter-manifest/1", "out_dir": "out", "assets": [)";
    for (const std::string& asset : kAssets) {
        if (asset != kAssets.front()) text += ",";
        text += fmt::format(R"({{"input": "{}/{}", "output": "{}"}})", folder, asset, package_of(asset));
    }
    return text + "]}";
}

std::map<std::string, std::string> packages_in(const std::filesystem::path& out) {
    std::map<std::string, std::string> packages;
    for (const std::string& asset : kAssets)
        packages[package_of(asset)] = test::read_text(out / package_of(asset));
    return packages;
}

// Name -> bytes of the packages that a run with more words and other settings makes.
std::map<std::string, std::string> packages_of(const std::vector<std::string>& more,
                                               const test::RunSettings& settings = {}) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "m.json", manifest_of(test::repository("fixtures")));
    std::vector<std::string> words{"cook", "-q", "--manifest", (folder / "m.json").string()};
    words.insert(words.end(), more.begin(), more.end());
    const test::RunResult result = run_sinter(words, settings);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(folder.files().size() == kAssets.size() + 1);
    return packages_in(folder / "out");
}

const std::map<std::string, std::string>& expected() {
    static const std::map<std::string, std::string> packages = packages_of({"-j", "1"});
    return packages;
}

// Locales with another decimal point, another thousands separator and another lower case of I, made from their
// sources into a folder of the test's own; false where localedef or the sources are missing.
bool make_locales(const std::filesystem::path& folder) {
    for (const std::string name : {"tr_TR", "de_DE"}) {
        const std::string command = "localedef -i " + name + " -f UTF-8 '" +
                                    (folder / (name + ".UTF-8")).string() + "' > '" +
                                    (folder / "log").string() + "' 2>&1";
        static_cast<void>(std::system(command.c_str()));
        if (!std::filesystem::exists(folder / (name + ".UTF-8") / "LC_NUMERIC")) return false;
    }
    return true;
}

std::map<std::string, std::string> environment_of_locale(const std::filesystem::path& folder,
                                                         const std::string& name) {
    return {{"LOCPATH", folder.string()}, {"LC_ALL", name}, {"LANG", name}};
}

// Cooks in this process, whose locale the caller has changed.
std::string cook_here(const std::string& asset) {
    SourceFiles files(test::repository("fixtures/") + asset);
    Issues issues;
    const auto cooked = cook_asset(files, {}, issues);
    REQUIRE(cooked.ok());
    const auto bytes = assemble_package(*cooked);
    REQUIRE(bytes.ok());
    return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

// Restores the C locale and the environment at the end of a test.
struct LocaleGuard {
    ~LocaleGuard() {
        std::locale::global(std::locale::classic());
        std::setlocale(LC_ALL, "C");
        ::unsetenv("LOCPATH");
    }
};

}  // namespace

TEST_CASE("packages are the same for -j 1, 2 and 8") {
    CHECK(packages_of({"-j", "2"}) == expected());
    CHECK(packages_of({"-j", "8"}) == expected());
}

TEST_CASE("packages are the same in ten fresh processes") {
    const test::TemporaryFolder folder;
    for (int i = 0; i < 10; ++i) {
        const std::string out = (folder / "x.sinter").string();
        REQUIRE(run_sinter({"cook", test::kCreature, "-q", "-o", out}).exit_code == 0);
        CHECK(test::read_text(out) == expected().at(package_of("creature.glb")));
    }
}

TEST_CASE(
    "packages are the same from another folder, by a relative path, under another umask and time zone") {
    const test::TemporaryFolder folder;
    for (const std::string& asset : kAssets) {
        std::filesystem::create_directories(folder / "in");
        std::filesystem::copy_file(test::repository("fixtures/") + asset, folder / ("in/" + asset));
    }
    std::filesystem::copy_file(test::repository("fixtures/prop.mtl"), folder / "in/prop.mtl");
    test::write_text(folder / "m.json", manifest_of("in"));
    const test::RunResult result =
        run_sinter({"cook", "-q", "--manifest", "m.json"},
                   {.folder = folder.path(),
                    .environment = {{"TZ", "Asia/Kathmandu"}, {"HOME", "/nonexistent"}},
                    .wrapper = {"sh", "-c", "umask 077; exec \"$0\" \"$@\""}});
    REQUIRE(result.exit_code == 0);
    CHECK(packages_in(folder / "out") == expected());
}

TEST_CASE("packages, messages and numbers are the same in Turkish and German locales") {
    const test::TemporaryFolder folder;
    if (!make_locales(folder.path())) SKIP("localedef or the sources of its locales are not installed");
    const std::vector<std::string> print{"cook", "--print-config", "--set", "mesh.position_tolerance=0.5"};
    const std::string config = run_sinter(print).out;
    for (const std::string name : {"tr_TR.UTF-8", "de_DE.UTF-8"}) {
        test::RunSettings settings;
        settings.environment = environment_of_locale(folder.path(), name);
        // The locale is really there: a program that asks for it gets a comma.
        test::RunSettings asking = settings;
        asking.wrapper = {"sh", "-c", "exec locale -k decimal_point"};
        CHECK(run_sinter({}, asking).out == "decimal_point=\",\"\n");
        CHECK(packages_of({}, settings) == expected());
        CHECK(run_sinter(print, settings).out == config);
        CHECK(run_sinter({"cook", "--set", "mesh.position_tolerance=0,5"}, settings).exit_code == 1);
    }
}

TEST_CASE("the stages give the same bytes inside a program that has set such a locale") {
    const test::TemporaryFolder folder;
    if (!make_locales(folder.path())) SKIP("localedef or the sources of its locales are not installed");
    static_cast<void>(expected());
    const LocaleGuard guard;
    ::setenv("LOCPATH", folder.path().c_str(), 1);
    for (const std::string name : {"tr_TR.UTF-8", "de_DE.UTF-8"}) {
        std::locale::global(std::locale(name));
        REQUIRE(std::setlocale(LC_ALL, name.c_str()) != nullptr);
        char text[16];
        std::snprintf(text, sizeof(text), "%.1f", 0.5);
        REQUIRE(std::string(text) == "0,5");  // so that code that prints or reads by the locale is caught
        std::ostringstream stream;
        stream << 12345;
        REQUIRE(stream.str() == "12.345");
        for (const std::string& asset : kAssets) {
            INFO(asset << " in " << name);
            CHECK(cook_here(asset) == expected().at(package_of(asset)));
        }
    }
}
