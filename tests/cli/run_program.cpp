#include "run_program.hpp"

#include <catch2/catch_test_macros.hpp>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace sinter::test {
namespace {

std::filesystem::path next_file(const std::string& kind) {
    static std::atomic<int> number{0};
    return std::filesystem::temp_directory_path() /
           ("sinter-test-" + std::to_string(getpid()) + "-" + std::to_string(number++) + "." + kind);
}

std::vector<std::string> environment_of(const RunSettings& settings) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const std::string name = text.substr(0, text.find('='));
        if (!settings.environment.contains(name) && name != "NO_COLOR") all.push_back(text);
    }
    for (const auto& [name, value] : settings.environment)
        all.push_back(std::string(name).append("=").append(value));
    return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

pid_t spawn(const std::vector<std::string>& arguments, const RunSettings& settings,
            const std::filesystem::path& out, const std::filesystem::path& err) {
    std::vector<std::string> words = settings.wrapper;
    words.push_back(program());
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> environment = environment_of(settings);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, settings.stdin_file.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&files, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!settings.folder.empty()) posix_spawn_file_actions_addchdir_np(&files, settings.folder.c_str());
    pid_t pid = -1;
    const int code = posix_spawnp(&pid, words.front().c_str(), &files, nullptr, pointers_to(words).data(),
                                  pointers_to(environment).data());
    posix_spawn_file_actions_destroy(&files);
    REQUIRE(code == 0);
    return pid;
}

// Text of /proc/PID/NAME with zero bytes as blanks.
std::string process_text(const std::string& pid, const std::string& name) {
    std::ifstream file("/proc/" + pid + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> process_numbers() {
    std::vector<std::string> numbers;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string name = entry.path().filename().string();
        if (std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; })) numbers.push_back(name);
    }
    return numbers;
}

}  // namespace

std::string program() { return SINTER_PROGRAM; }

RunResult run_sinter(const std::vector<std::string>& arguments, const RunSettings& settings) {
    Started started(arguments, settings);
    return started.finish();
}

Started::Started(const std::vector<std::string>& arguments, const RunSettings& settings)
    : settings_(settings), out_(next_file("out")), err_(next_file("err")) {
    pid_ = spawn(arguments, settings, out_, err_);
}

Started::~Started() {
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    std::filesystem::remove(out_);
    std::filesystem::remove(err_);
}

bool Started::wait_for(const std::string& text) const {
    for (int i = 0; i < 2000; ++i) {
        if (read_text(err_).find(text) != std::string::npos) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

void Started::send(int signal) const { ::kill(pid_, signal); }

RunResult Started::finish() {
    const auto deadline = std::chrono::steady_clock::now() + settings_.timeout;
    int status = 0;
    while (::waitpid(pid_, &status, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() > deadline) {
            ::kill(pid_, SIGKILL);
            ::waitpid(pid_, &status, 0);
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    pid_ = -1;
    RunResult result;
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + result.signal;
    result.out = read_text(out_);
    result.err = read_text(err_);
    return result;
}

std::vector<pid_t> Started::children() const {
    std::vector<pid_t> found;
    for (const std::string& number : process_numbers()) {
        const std::string stat = process_text(number, "stat");  // "pid (name) state parent ..."
        const std::size_t end = stat.rfind(')');
        if (end == std::string::npos) continue;
        std::istringstream rest(stat.substr(end + 1));
        std::string state;
        pid_t parent = 0;
        rest >> state >> parent;
        if (parent == pid_ && state != "Z") found.push_back(static_cast<pid_t>(std::stoi(number)));
    }
    return found;
}

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "sinter-cli-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryFolder::files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
        if (!entry.is_directory()) names.push_back(entry.path().lexically_relative(path_).string());
    }
    std::ranges::sort(names);
    return names;
}

std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file << text;
    REQUIRE(file.flush().good());
}

std::string grid_obj(int side) {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    for (int y = 0; y <= side; ++y) {
        for (int x = 0; x <= side; ++x) text << "v " << x << ' ' << (x * x + 3 * y) % 7 << ' ' << y << '\n';
    }
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const int corner = y * (side + 1) + x + 1;
            text << "f " << corner << ' ' << corner + side + 1 << ' ' << corner + side + 2 << ' '
                 << corner + 1 << '\n';
        }
    }
    return text.str();
}

std::vector<pid_t> processes_with_argument(const std::string& word) {
    std::vector<pid_t> found;
    for (const std::string& number : process_numbers()) {
        const std::string arguments = '\0' + process_text(number, "cmdline");
        if (arguments.find('\0' + word + '\0') != std::string::npos) {
            found.push_back(static_cast<pid_t>(std::stoi(number)));
        }
    }
    return found;
}

}  // namespace sinter::test
