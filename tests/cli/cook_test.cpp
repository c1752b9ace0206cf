#include "cli/json_reader.hpp"
#include "run_program.hpp"

#include <catch2/catch_test_macros.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

using namespace sinter;
using test::kCreature;
using test::kTiny;
using test::run_sinter;

namespace {

using Names = std::vector<std::string>;

bool is_package(const std::filesystem::path& path) {
    return run_sinter({"validate", path.string(), "-q"}).exit_code == 0;
}

}  // namespace

TEST_CASE("an asset is cooked into the current folder under its own name") {
    const test::TemporaryFolder folder;
    const test::RunResult result = run_sinter({"cook", kCreature}, {.folder = folder.path()});
    CHECK(result.exit_code == 0);
    CHECK(folder.files() == Names{"creature.sinter"});
    CHECK(is_package(folder / "creature.sinter"));
    CHECK(result.err == kCreature + ": import\n" + kCreature + ": mesh\n" + kCreature + ": skeleton\n" +
                            kCreature + ": animation\n" + kCreature + ": cluster\n" + kCreature +
                            ": package\n" + kCreature + ": write\n");
    // The creature's facts are in fixtures/fixtures.json, where its generator wrote them.
    CHECK(result.out.starts_with(kCreature + " -> creature.sinter\n  size            292.2 KiB -> "));
    CHECK(result.out.find("\n  triangles       6,420\n") != std::string::npos);
    CHECK(result.out.find("\n  bones           31\n  clips           5\n  blend shapes    5\n") !=
          std::string::npos);
    CHECK(result.out.find("\n  largest errors\n    position      ") != std::string::npos);
}

TEST_CASE("cook -q says nothing, and --format json puts the report alone on stdout") {
    const test::TemporaryFolder folder;
    const test::RunResult quiet = run_sinter({"cook", kTiny, "-q"}, {.folder = folder.path()});
    CHECK(quiet.exit_code == 0);
    CHECK(quiet.out.empty());
    CHECK(quiet.err.empty());
    const test::RunResult json =
        run_sinter({"cook", kTiny, "-q", "--format", "json"}, {.folder = folder.path()});
    CHECK(json.exit_code == 0);
    CHECK(json.err.empty());
    CHECK(parse_json(json.out, "stdout").ok());
}

TEST_CASE("cook -o, --out-dir and the manifest say where packages go") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    CHECK(run_sinter({"cook", kTiny, "-q", "-o", "other.name"}, here).exit_code == 0);
    CHECK(run_sinter({"cook", kTiny, kCreature, "-q", "--out-dir", "a/b"}, here).exit_code == 0);
    test::write_text(folder / "m/in/x.glb", test::read_text(kTiny));
    test::write_text(folder / "m/in/deep/y.glb", test::read_text(kTiny));
    test::write_text(folder / "m/assets.json", R"({"schema": "sinter-manifest/1", "out_dir": "out",
        "assets": [{"input": "in/x.glb", "output": "sub/z.sinter"}, {"input": "in/deep/*.glb"}]})");
    CHECK(run_sinter({"cook", "--manifest", "m/assets.json", "-q"}, here).exit_code == 0);
    CHECK(folder.files() == Names{"a/b/creature.sinter", "a/b/tiny.sinter", "m/assets.json",
                                  "m/in/deep/y.glb", "m/in/x.glb", "m/out/sub/z.sinter", "m/out/y.sinter",
                                  "other.name"});
    CHECK(test::read_text(folder / "other.name") == test::read_text(folder / "a/b/tiny.sinter"));
}

TEST_CASE("inputs that cannot be read are I/O errors with one line and no file") {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "folder.glb");
    const test::RunResult missing = run_sinter({"cook", "none.glb"}, {.folder = folder.path()});
    CHECK(missing.exit_code == 2);
    CHECK(missing.err == "error: none.glb: cannot be read: No such file or directory\n");
    const test::RunResult directory = run_sinter({"cook", "folder.glb"}, {.folder = folder.path()});
    CHECK(directory.exit_code == 2);
    CHECK(directory.err == "error: folder.glb: is a folder; name the files in it, or use --manifest\n");
    test::write_text(folder / "m.json",
                     R"({"schema": "sinter-manifest/1", "assets": [{"input": "no/*.glb"}]})");
    const test::RunResult pattern = run_sinter({"cook", "--manifest", "m.json"}, {.folder = folder.path()});
    CHECK(pattern.exit_code == 2);
    CHECK(pattern.err == "error: no/*.glb: no file matches this pattern of the manifest\n");
    CHECK(folder.files() == Names{"m.json"});
}

TEST_CASE("what is no regular file is refused at once, by every verb") {
    const test::TemporaryFolder folder;
    REQUIRE(::mkfifo((folder / "pipe.glb").c_str(), 0600) == 0);
    const test::RunSettings here{.folder = folder.path(), .timeout = std::chrono::seconds(10)};
    REQUIRE(run_sinter({"cook", kTiny, "-q"}, here).exit_code == 0);
    for (const std::vector<std::string>& words :
         {Names{"cook", "pipe.glb"}, Names{"validate", "pipe.glb"}, Names{"inspect", "pipe.glb"},
          Names{"diff", "tiny.sinter", "pipe.glb"}}) {
        const test::RunResult result = run_sinter(words, here);
        CHECK(result.exit_code == 2);
        CHECK(result.err.starts_with("error: pipe.glb: is not a regular file; "));
    }
    CHECK(run_sinter({"inspect", "/dev/zero"}, here).exit_code == 2);
    CHECK(run_sinter({"cook", "/dev/zero"}, here).exit_code == 2);
    const test::RunResult source = run_sinter({"validate", "tiny.sinter", "--source", "pipe.glb"}, here);
    CHECK(source.exit_code == 2);
    CHECK(source.err == "error: pipe.glb: is not a regular file; copy it into a plain file\n");
    // An asset that refers to a pipe.
    test::write_text(folder / "a.gltf", R"({"asset": {"version": "2.0"}, "buffers": [{"uri": "pipe.glb",
        "byteLength": 36}], "bufferViews": [{"buffer": 0, "byteLength": 36}], "accessors": [{"bufferView": 0,
        "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]}], "meshes":
        [{"primitives": [{"attributes": {"POSITION": 0}}]}], "nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}],
        "scene": 0})");
    const test::RunResult reference = run_sinter({"cook", "a.gltf", "-q"}, here);
    CHECK(reference.exit_code == 2);
    CHECK(reference.err ==
          "error: a.gltf: /buffers/0/uri: the buffer's file \"pipe.glb\" is not a regular file; "
          "copy it into a plain file\n");
}

TEST_CASE("a package as input is told to be one, and other assets are still cooked") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    REQUIRE(run_sinter({"cook", kTiny, "-q", "-o", "hero.sinter"}, here).exit_code == 0);
    const std::string before = test::read_text(folder / "hero.sinter");
    const test::RunResult result = run_sinter({"cook", "hero.sinter", kTiny, "-q"}, here);
    CHECK(result.exit_code == 5);
    CHECK(result.err == "error: hero.sinter: this is a package already; `sinter inspect` shows it\n");
    CHECK(folder.files() == Names{"hero.sinter", "tiny.sinter"});
    CHECK(test::read_text(folder / "hero.sinter") == before);
}

TEST_CASE("a report or depfile that cannot be written is told before anything is cooked") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    for (const std::string option : {"--report", "--depfile"}) {
        const test::RunResult result = run_sinter({"cook", kTiny, option, "no/file"}, here);
        CHECK(result.exit_code == 2);
        CHECK(result.err ==
              "error: no/file: cannot be written: No such file or directory; make its folder first\n");
        CHECK(folder.files().empty());
    }
    // The output folder is made when it is missing, also for a report in it.
    CHECK(run_sinter({"cook", kTiny, "-q", "--out-dir", "out/deep", "--report", "out/report.json"}, here)
              .exit_code == 0);
    CHECK(folder.files() == Names{"out/deep/tiny.sinter", "out/report.json"});
    const std::string absolute = (folder / "two/report.json").string();
    CHECK(run_sinter({"cook", kTiny, "-q", "--out-dir", "two", "--report", absolute}, here).exit_code == 0);
    CHECK(std::filesystem::exists(absolute));
}

TEST_CASE("an output link is followed, whether its target is there or not") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    std::filesystem::create_directory(folder / "store");
    std::filesystem::create_symlink("store/middle", folder / "link.sinter");
    std::filesystem::create_symlink("real.sinter", folder / "store/middle");
    for (int i = 0; i < 2; ++i) {  // first the target is missing, then it is there
        CHECK(run_sinter({"cook", kTiny, "-q", "-o", "link.sinter"}, here).exit_code == 0);
        CHECK(std::filesystem::is_symlink(folder / "link.sinter"));
        CHECK(std::filesystem::is_symlink(folder / "store/middle"));
        CHECK(
            std::filesystem::is_regular_file(std::filesystem::symlink_status(folder / "store/real.sinter")));
        CHECK(folder.files().size() == 3);
    }
    std::filesystem::create_symlink("round.sinter", folder / "round.sinter");
    CHECK(run_sinter({"cook", kTiny, "-q", "-o", "round.sinter"}, here).exit_code == 2);
}

TEST_CASE("validate --source says source_matches only when it compared") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    REQUIRE(run_sinter({"cook", kTiny, "-q", "-o", "a.sinter"}, here).exit_code == 0);
    const auto validate = [&](const std::string& source) {
        return run_sinter({"validate", "a.sinter", "--source", source, "--format", "json"}, here);
    };
    CHECK(validate(kTiny).out.find("\"source_matches\": true") != std::string::npos);
    CHECK(validate(kCreature).out.find("\"source_matches\": false") != std::string::npos);
    CHECK(validate(kCreature).exit_code == 8);
    CHECK(validate("nope.glb").out.find("source_matches") == std::string::npos);
    CHECK(validate("nope.glb").exit_code == 2);
}

TEST_CASE("option -q takes talk away and leaves data: validate prints only what is wrong, inspect all") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    REQUIRE(run_sinter({"cook", kTiny, "-q"}, here).exit_code == 0);
    test::write_text(folder / "bad.sinter", "no package");
    const test::RunResult good = run_sinter({"validate", "tiny.sinter", "-q", "--source", kTiny}, here);
    CHECK(good.exit_code == 0);
    CHECK(good.out.empty());
    CHECK(good.err.empty());
    CHECK(run_sinter({"validate", "tiny.sinter", "bad.sinter", "-q"}, here).out.starts_with("bad.sinter: "));
    CHECK(run_sinter({"inspect", "tiny.sinter", "-q"}, here).out ==
          run_sinter({"inspect", "tiny.sinter"}, here).out);
}

// Root may read and write everything, so these tests run the program as nobody.
TEST_CASE("a file that may not be read and a folder that may not be written are I/O errors") {
    const test::TemporaryFolder folder;
    test::write_text(folder / "secret.glb", test::read_text(kTiny));
    test::write_text(folder / "open.glb", test::read_text(kTiny));
    REQUIRE(::chmod((folder / "secret.glb").c_str(), 0) == 0);
    REQUIRE(::chmod(folder.path().c_str(), 0555) == 0);
    test::RunSettings here{.folder = folder.path()};
    if (::geteuid() == 0) here.wrapper = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
    const test::RunResult program = run_sinter({"version"}, here);
    if (program.exit_code != 0) {
        REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
        SKIP("the program cannot be started as another user: " << program.err);
    }
    const test::RunResult secret = run_sinter({"cook", "secret.glb", "-o", "/dev/null", "-q"}, here);
    const test::RunResult closed = run_sinter({"cook", "open.glb", "-q"}, here);
    REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
    CHECK(secret.exit_code == 2);
    CHECK(secret.err.starts_with("error: secret.glb: cannot be opened: Permission denied"));
    CHECK(closed.exit_code == 2);
    CHECK(closed.err == "error: open.sinter: cannot be written: Permission denied\n");
    CHECK(folder.files() == Names{"open.glb", "secret.glb"});
}

TEST_CASE("an unknown format is unsupported, bad content is invalid, and other assets are still cooked") {
    const test::TemporaryFolder folder;
    test::write_text(folder / "notes.txt", "not an asset");
    test::write_text(folder / "bad.gltf", "{\"asset\": {\"version\": \"2.0\"}, \"meshes\": 7}");
    const test::RunResult unknown = run_sinter({"cook", "notes.txt"}, {.folder = folder.path()});
    CHECK(unknown.exit_code == 5);
    const test::RunResult bad = run_sinter({"cook", "bad.gltf", "-q"}, {.folder = folder.path()});
    CHECK(bad.exit_code == 3);
    CHECK(bad.err.starts_with("error: bad.gltf: "));
    CHECK(std::count(bad.err.begin(), bad.err.end(), '\n') == 1);
    const test::RunResult all = run_sinter({"cook", "none.glb", "bad.gltf", kTiny, "notes.txt", "-j", "2"},
                                           {.folder = folder.path()});
    CHECK(all.exit_code == 5);  // the largest of 2, 3, 0, 5
    CHECK(all.out.find("\nbad.gltf") != std::string::npos);
    CHECK(all.out.find("failed (3)") != std::string::npos);
    CHECK(all.out.find("\n1 of 4 cooked") != std::string::npos);
    CHECK(folder.files() == Names{"bad.gltf", "notes.txt", "tiny.sinter"});
}

TEST_CASE("a failed cook leaves the package of before as it was") {
    const test::TemporaryFolder folder;
    test::write_text(folder / "bad.gltf", "{}");
    test::write_text(folder / "bad.sinter", "the good one");
    CHECK(run_sinter({"cook", "bad.gltf", "-q"}, {.folder = folder.path()}).exit_code == 3);
    CHECK(test::read_text(folder / "bad.sinter") == "the good one");
    CHECK(folder.files() == Names{"bad.gltf", "bad.sinter"});
}

TEST_CASE("cook -Werror turns a warning into a failure without a file") {
    const test::TemporaryFolder folder;
    // The second triangle names one vertex twice, so that it has no area.
    test::write_text(folder / "w.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 2\n");
    const test::RunResult warned = run_sinter({"cook", "w.obj"}, {.folder = folder.path()});
    CHECK(warned.exit_code == 0);
    CHECK(warned.out.find("\nwarning 1003: ") != std::string::npos);
    std::filesystem::remove(folder / "w.sinter");
    const test::RunResult failed = run_sinter({"cook", "w.obj", "-Werror", "-q"}, {.folder = folder.path()});
    CHECK(failed.exit_code == 3);
    CHECK(failed.err.starts_with("error: w.obj: "));
    CHECK(failed.err.find("[warning 1003, an error by -Werror") != std::string::npos);
    CHECK(folder.files() == Names{"w.obj"});
}

TEST_CASE("a link as output is followed, and a device is written, not replaced") {
    const test::TemporaryFolder folder;
    test::write_text(folder / "real/old.sinter", "old");
    std::filesystem::create_symlink("real/old.sinter", folder / "link.sinter");
    CHECK(run_sinter({"cook", kTiny, "-q", "-o", "link.sinter"}, {.folder = folder.path()}).exit_code == 0);
    CHECK(std::filesystem::is_symlink(folder / "link.sinter"));
    CHECK(is_package(folder / "real/old.sinter"));
    CHECK(run_sinter({"cook", kTiny, "-q", "-o", "/dev/null"}, {.folder = folder.path()}).exit_code == 0);
    CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("permissions of a package follow the umask") {
    const test::TemporaryFolder folder;
    for (const auto& [mask, mode] : {std::pair{"022", 0644U}, std::pair{"077", 0600U}}) {
        const test::RunSettings masked{
            .folder = folder.path(),
            .wrapper = {"sh", "-c", std::string("umask ") + mask + "; exec \"$0\" \"$@\""}};
        CHECK(run_sinter({"cook", kTiny, "-q"}, masked).exit_code == 0);
        struct stat info{};
        REQUIRE(::stat((folder / "tiny.sinter").c_str(), &info) == 0);
        CHECK((info.st_mode & 0777U) == mode);
    }
}

TEST_CASE("names that are not ASCII, not UTF-8, or full of control characters are cooked and shown safely") {
    const test::TemporaryFolder folder;
    for (const std::string name : {"h\xC3\xA9ros \xE2\x9D\xA4", "latin\xE9", "red\x1b[31m", "-dash", "a b"}) {
        test::write_text(folder / (name + ".glb"), test::read_text(kTiny));
        const test::RunResult result = run_sinter({"cook", "./" + name + ".glb"}, {.folder = folder.path()});
        CHECK(result.exit_code == 0);
        CHECK(std::filesystem::exists(folder / (name + ".sinter")));
        CHECK((result.out + result.err).find('\x1b') == std::string::npos);
    }
    CHECK(run_sinter({"cook", "-q", "--", "-dash.glb"}, {.folder = folder.path()}).exit_code == 0);
}
