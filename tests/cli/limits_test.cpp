// What an asset may cost, and what is left when it costs too much: no process, no zombie, no temporary.
#include "run_program.hpp"

#include <catch2/catch_test_macros.hpp>

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

using namespace sinter;
using test::run_sinter;

namespace {

using Names = std::vector<std::string>;

const std::string kTiny = SINTER_SOURCE_DIR "/fixtures/tiny.glb";

// An asset whose import never ends: a pipe that nobody writes to. Its name is unlike any other process's.
std::string make_endless(const test::TemporaryFolder& folder) {
    const std::string name = folder.path().filename().string() + ".obj";
    REQUIRE(::mkfifo((folder / name).c_str(), 0600) == 0);
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

pid_t worker_of(const test::Started& supervisor) {
    const std::vector<pid_t> children = supervisor.children();
    REQUIRE(children.size() == 1);
    return children.front();
}

}  // namespace

TEST_CASE("an asset that takes too long ends with exit code 6, and the next one is cooked") {
    const test::TemporaryFolder folder;
    const std::string endless = make_endless(folder);
    const test::RunResult result =
        run_sinter({"cook", endless, kTiny, "--max-time", "0.3", "-q", "-j", "1"}, {.folder = folder.path()});
    CHECK(result.exit_code == 6);
    CHECK(result.err ==
          "error: " + endless + ": took longer than 0.3 s, in stage 'import'; raise --max-time\n");
    CHECK(folder.files() == Names{endless, "tiny.sinter"});
    CHECK(processes_end(endless));
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
    for (const auto& [signal, name] : {std::pair{SIGSEGV, "SIGSEGV"}, std::pair{SIGABRT, "SIGABRT"}}) {
        const test::TemporaryFolder folder;
        const std::string endless = make_endless(folder);
        test::write_text(folder / (folder.path().filename().string() + ".sinter"), "the good one");
        test::Started cook({"cook", endless, kTiny, "-j", "1"}, {.folder = folder.path()});
        REQUIRE(cook.wait_for(endless + ": import"));
        ::kill(worker_of(cook), signal);
        const test::RunResult result = cook.finish();
        CHECK(result.exit_code == 3);
        CHECK(
            result.err.find("error: " + endless + ": the importer crashed on it (" + name +
                            ") in stage 'import'; the file is damaged or uses what the importer cannot read; "
                            "export it again\n") != std::string::npos);
        CHECK(test::read_text(folder / (folder.path().filename().string() + ".sinter")) == "the good one");
        CHECK(std::filesystem::exists(folder / "tiny.sinter"));
        CHECK(folder.files().size() == 3);
    }
}

TEST_CASE("a worker that the system killed counts as a limit") {
    const test::TemporaryFolder folder;
    const std::string endless = make_endless(folder);
    test::Started cook({"cook", endless}, {.folder = folder.path()});
    REQUIRE(cook.wait_for(endless + ": import"));
    ::kill(worker_of(cook), SIGKILL);
    const test::RunResult result = cook.finish();
    CHECK(result.exit_code == 6);
    CHECK(result.err.find("the worker ran out of memory or was killed (SIGKILL) in stage 'import'") !=
          std::string::npos);
}

TEST_CASE("SIGINT and SIGTERM end all workers and remove all temporaries") {
    for (const auto& [signal, code] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
        const test::TemporaryFolder folder;
        const std::string endless = make_endless(folder);
        test::Started cook({"cook", kTiny, endless, "-j", "2"}, {.folder = folder.path()});
        REQUIRE(cook.wait_for(endless + ": import"));
        REQUIRE(cook.wait_for("tiny.glb: write"));
        while (!std::filesystem::exists(folder / "tiny.sinter")) std::this_thread::yield();
        CHECK(folder.files().size() == 3);  // the pipe, the package, the temporary of the other
        cook.send(signal);
        const test::RunResult result = cook.finish();
        CHECK(result.signal == 0);
        CHECK(result.exit_code == code);
        CHECK(result.err.ends_with("interrupted: 1 of 2 assets were cooked\n"));
        CHECK(folder.files() == Names{endless, "tiny.sinter"});
        CHECK(processes_end(endless));
    }
}

TEST_CASE("a supervisor that is killed takes its workers and their temporaries with it") {
    const test::TemporaryFolder folder;
    const std::string endless = make_endless(folder);
    test::Started cook({"cook", endless}, {.folder = folder.path()});
    REQUIRE(cook.wait_for(endless + ": import"));
    CHECK(folder.files().size() == 2);
    cook.send(SIGKILL);
    CHECK(cook.finish().signal == SIGKILL);
    CHECK(processes_end(endless));
    CHECK(folder.files() == Names{endless});
}

TEST_CASE("no more workers run at once than -j says") {
    const test::TemporaryFolder folder;
    const std::string endless = make_endless(folder);
    std::vector<std::string> words{"cook", "-j", "2", "--max-time", "20"};
    for (const char* folder_name : {"a", "b", "c", "d"}) {
        std::filesystem::create_directory(folder / folder_name);
        const std::string name = std::string(folder_name) + "/" + folder_name + endless;
        REQUIRE(::mkfifo((folder / name).c_str(), 0600) == 0);
        words.push_back(name);
    }
    test::Started cook(words, {.folder = folder.path()});
    REQUIRE(cook.wait_for("a" + endless + ": import"));
    REQUIRE(cook.wait_for("b" + endless + ": import"));
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
