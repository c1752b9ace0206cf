// What an asset may cost, and what is left when it costs too much: no process, no zombie, no temporary.
#include "run_program.hpp"

#include <catch2/catch_test_macros.hpp>

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

using namespace sinter;
using test::kTiny;
using test::run_sinter;

namespace {

using Names = std::vector<std::string>;

// An asset whose import takes most of a second: time to stop or kill its worker in the middle of it. Its name is
// unlike any other process's. It is made once, and linked for each test.
std::string make_large(const test::TemporaryFolder& folder) {
    static const test::TemporaryFolder shared;
    if (shared.files().empty()) test::write_text(shared / "large.obj", test::grid_obj(700));
    const std::string name = folder.path().filename().string() + ".obj";
    std::filesystem::create_hard_link(shared / "large.obj", folder / name);
    return name;
}

// Whether every process that cooks this input is gone, within five seconds.
bool processes_end(const std::string& input) {
    for (int i = 0; i < 1000; ++i) {
        if (test::processes_with_argument(input).empty()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

// The worker that cooks this input, once it imports.
pid_t importing_worker(const test::Started& supervisor, const std::string& input) {
    REQUIRE(supervisor.wait_for(input + ": import"));
    for (const pid_t child : supervisor.children()) {
        const std::vector<pid_t> cooking = test::processes_with_argument(input);
        if (std::ranges::find(cooking, child) != cooking.end()) return child;
    }
    FAIL("no worker cooks " << input);
    return -1;
}

// Stops the worker, so that its import lasts for ever.
void stop_import(const test::Started& supervisor, const std::string& input) {
    REQUIRE(::kill(importing_worker(supervisor, input), SIGSTOP) == 0);
}

}  // namespace

TEST_CASE("an asset that takes too long ends with exit code 6, and the next one is cooked") {
    const test::TemporaryFolder folder;
    const std::string large = make_large(folder);
    test::Started cook({"cook", large, kTiny, "--max-time", "2", "-j", "1"}, {.folder = folder.path()});
    stop_import(cook, large);
    const test::RunResult result = cook.finish();
    CHECK(result.exit_code == 6);
    CHECK(result.err.find("error: " + large +
                          ": took longer than 2 s, in stage 'import'; raise --max-time\n") !=
          std::string::npos);
    CHECK(folder.files() == Names{large, "tiny.sinter"});
    CHECK(processes_end(large));
}

TEST_CASE("an asset that needs too much memory ends with exit code 6") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    SKIP("memory is not limited under a sanitizer");
#endif
    const test::TemporaryFolder folder;
    test::write_text(folder / "big.obj", test::grid_obj(400));  // 320,000 triangles need some 150 MiB
    const test::RunResult result =
        run_sinter({"cook", "big.obj", "--max-memory", "32M", "-q"}, {.folder = folder.path()});
    CHECK(result.exit_code == 6);
    CHECK(result.err == "error: big.obj: needs more memory than 32 MiB; raise --max-memory\n");
    CHECK(folder.files() == Names{"big.obj"});
}

TEST_CASE("a crash during the import is an error of the asset, named with its signal") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    SKIP("a sanitizer takes the signal and exits by itself");
#endif
    for (const auto& [signal, name] : {std::pair{SIGSEGV, "SIGSEGV"}, std::pair{SIGABRT, "SIGABRT"}}) {
        const test::TemporaryFolder folder;
        const std::string large = make_large(folder);
        test::write_text(folder / (folder.path().filename().string() + ".sinter"), "the good one");
        test::Started cook({"cook", large, kTiny, "-j", "1"}, {.folder = folder.path()});
        ::kill(importing_worker(cook, large), signal);
        const test::RunResult result = cook.finish();
        CHECK(result.exit_code == 3);
        CHECK(
            result.err.find("error: " + large + ": the importer crashed on it (" + name +
                            ") in stage 'import'; the file is damaged or uses what the importer cannot read; "
                            "export it again\n") != std::string::npos);
        CHECK(test::read_text(folder / (folder.path().filename().string() + ".sinter")) == "the good one");
        CHECK(std::filesystem::exists(folder / "tiny.sinter"));
        CHECK(folder.files().size() == 3);
    }
}

TEST_CASE("a worker that the system killed counts as a limit") {
    const test::TemporaryFolder folder;
    const std::string large = make_large(folder);
    test::Started cook({"cook", large}, {.folder = folder.path()});
    ::kill(importing_worker(cook, large), SIGKILL);
    const test::RunResult result = cook.finish();
    CHECK(result.exit_code == 6);
    CHECK(result.err.find("the worker ran out of memory or was killed (SIGKILL) in stage 'import'") !=
          std::string::npos);
}

TEST_CASE("SIGINT and SIGTERM end all workers and remove all temporaries") {
    for (const auto& [signal, code] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
        const test::TemporaryFolder folder;
        const std::string large = make_large(folder);
        test::Started cook({"cook", kTiny, large, "-j", "2"}, {.folder = folder.path()});
        stop_import(cook, large);
        REQUIRE(cook.wait_for("tiny.glb: write"));
        while (!std::filesystem::exists(folder / "tiny.sinter")) std::this_thread::yield();
        CHECK(folder.files().size() == 3);  // the asset, the package, the temporary of the other
        cook.send(signal);
        const test::RunResult result = cook.finish();
        CHECK(result.signal == 0);
        CHECK(result.exit_code == code);
        CHECK(result.err.ends_with("interrupted: 1 of 2 assets cooked\n"));
        CHECK(folder.files() == Names{large, "tiny.sinter"});
        CHECK(processes_end(large));
    }
}

TEST_CASE("a supervisor that is killed takes its workers and their temporaries with it") {
    const test::TemporaryFolder folder;
    const std::string large = make_large(folder);
    test::Started cook({"cook", large}, {.folder = folder.path()});
    REQUIRE(cook.wait_for(large + ": import"));
    CHECK(folder.files().size() == 2);
    cook.send(SIGKILL);
    CHECK(cook.finish().signal == SIGKILL);
    CHECK(processes_end(large));
    CHECK(folder.files() == Names{large});
}

TEST_CASE("no more workers run at once than -j says") {
    const test::TemporaryFolder folder;
    const std::string large = make_large(folder);
    std::vector<std::string> words{"cook", "-j", "2", "--max-time", "20"};
    for (const char* folder_name : {"a", "b", "c", "d"}) {
        std::filesystem::create_directory(folder / folder_name);
        const std::string name = std::string(folder_name) + "/" + folder_name + large;
        std::filesystem::create_hard_link(folder / large, folder / name);
        words.push_back(name);
    }
    test::Started cook(words, {.folder = folder.path()});
    stop_import(cook, "a/a" + large);
    stop_import(cook, "b/b" + large);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    CHECK(cook.children().size() == 2);
    cook.send(SIGINT);
    CHECK(cook.finish().exit_code == 130);
}

TEST_CASE("a full disk is an I/O error, and the package of before stays") {
    const test::TemporaryFolder folder;
    const test::RunResult device =
        run_sinter({"cook", kTiny, "-q", "-o", "/dev/full"}, {.folder = folder.path()});
    CHECK(device.exit_code == 2);
    CHECK(device.err == "error: /dev/full: cannot be written: No space left on device; free some space\n");

    // A file system of 64 KiB in a mount namespace of the command's own; the grid needs more.
    test::write_text(folder / "grid.obj", test::grid_obj(120));
    std::filesystem::create_directory(folder / "disk");
    const std::string script =
        "mount -t tmpfs -o size=64k none disk || exit 99; printf old > disk/grid.sinter; "
        "\"$0\" \"$@\"; code=$?; ls -A disk; cat disk/grid.sinter; exit $code";
    const test::RunResult full =
        run_sinter({"cook", "grid.obj", "-q", "-o", "disk/grid.sinter"},
                   {.folder = folder.path(), .wrapper = {"unshare", "-m", "sh", "-c", script}});
    if (full.exit_code == 99 || full.err.starts_with("unshare"))
        SKIP("no tmpfs can be mounted here: " << full.err);
    CHECK(full.exit_code == 2);
    CHECK(full.err ==
          "error: disk/grid.sinter: cannot be written: No space left on device; free some space\n");
    CHECK(full.out == "grid.sinter\nold");
}

TEST_CASE("a file size limit is an I/O error without a file") {
    const test::TemporaryFolder folder;
    test::write_text(folder / "grid.obj", test::grid_obj(120));
    const test::RunResult result = run_sinter(
        {"cook", "grid.obj", "-q"}, {.folder = folder.path(), .wrapper = {"prlimit", "--fsize=20000"}});
    CHECK(result.exit_code == 2);
    CHECK(result.err == "error: grid.sinter: cannot be written: File too large\n");
    CHECK(folder.files() == Names{"grid.obj"});
}
