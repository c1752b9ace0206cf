// Runs the sinter program as a user does: a process with arguments, an environment and a folder, whose
// exit code, stdout and stderr are looked at.
#pragma once

#include "tests/paths.hpp"

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sinter::test {

// Fixtures that many tests cook: a cube, and a skinned creature with clips and blend shapes.
inline const std::string kTiny = repository("fixtures/tiny.glb");
inline const std::string kCreature = repository("fixtures/creature.glb");

// The path of the program under test.
[[nodiscard]] std::string program();

struct RunSettings {
    std::filesystem::path folder{};                    // working folder; empty: the test's own
    std::map<std::string, std::string> environment{};  // added to the test's
    std::string stdin_file = "/dev/null";
    std::vector<std::string> wrapper{};  // words before the program ("prlimit", "--fsize=1024")
    std::chrono::seconds timeout{60};
};

struct RunResult {
    int exit_code = -1;  // 128 + signal after a signal
    int signal = 0;
    std::string out;
    std::string err;
};

[[nodiscard]] RunResult run_sinter(const std::vector<std::string>& arguments,
                                   const RunSettings& settings = {});

// A program that runs while the test goes on.
class Started {
public:
    Started(const std::vector<std::string>& arguments, const RunSettings& settings);
    ~Started();  // kills it
    Started(const Started&) = delete;
    Started& operator=(const Started&) = delete;

    [[nodiscard]] pid_t pid() const { return pid_; }
    // Waits until stderr holds the text; false when it has not after ten seconds.
    [[nodiscard]] bool wait_for(const std::string& text) const;
    void send(int signal) const;
    [[nodiscard]] RunResult finish();
    // Processes whose parent it is.
    [[nodiscard]] std::vector<pid_t> children() const;

private:
    pid_t pid_ = -1;
    RunSettings settings_;
    std::filesystem::path out_;
    std::filesystem::path err_;
};

// A folder of the test's own, removed with everything in it.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::filesystem::path operator/(const std::filesystem::path& name) const {
        return path_ / name;
    }
    // Names of all files below, sorted, hidden ones included.
    [[nodiscard]] std::vector<std::string> files() const;

private:
    std::filesystem::path path_;
};

[[nodiscard]] std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, const std::string& text);

// A wavy grid of `side` x `side` quads as OBJ: a valid asset of any size, made by arithmetic only.
[[nodiscard]] std::string grid_obj(int side);

// Processes with this word among their arguments.
[[nodiscard]] std::vector<pid_t> processes_with_argument(const std::string& word);

}  // namespace sinter::test
