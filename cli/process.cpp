#include "cli/process.hpp"

#include "cli/worker.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace sinter {
namespace {

Error system_error_of(std::string_view what, int code) {
    return {ErrorKind::Internal, {}, fmt::format("{}: {}", what, std::strerror(code)), {}};
}

struct Pipe {
    Descriptor read_end;
    Descriptor write_end;
};

Result<Pipe> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return system_error_of("pipe", errno);
    if (::fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) return system_error_of("pipe", errno);
    return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

sigset_t watched_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&set, signal);
    return set;
}

// What posix_spawn is told, freed at the end.
struct SpawnSettings {
    posix_spawn_file_actions_t files{};
    posix_spawnattr_t attributes{};

    SpawnSettings() {
        posix_spawn_file_actions_init(&files);
        posix_spawnattr_init(&attributes);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;
    ~SpawnSettings() {
        posix_spawn_file_actions_destroy(&files);
        posix_spawnattr_destroy(&attributes);
    }

    // The child starts with no signal blocked or ignored, in a group of its own: Ctrl-C reaches the supervisor
    // only, which then ends its workers in order.
    void set_signals() {
        sigset_t none;
        sigemptyset(&none);
        sigset_t all_default = watched_signals();
        sigaddset(&all_default, SIGPIPE);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all_default);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes,
                                 POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    }

    void set_files(int noise, int events) {
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&files, noise, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&files, noise, STDERR_FILENO);
        posix_spawn_file_actions_adddup2(&files, events, kEventsFd);
    }
};

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
}

void Descriptor::close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
}

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& arguments) {
    SINTER_TRY_ASSIGN(Pipe events, make_pipe());
    SINTER_TRY_ASSIGN(Pipe noise, make_pipe());
    SpawnSettings settings;
    settings.set_signals();
    settings.set_files(noise.write_end.get(), events.write_end.get());
    std::string program = "sinter";
    std::vector<std::string> words = arguments;
    std::vector<char*> pointers{program.data()};
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ChildProcess child;
    const int code = posix_spawn(&child.pid_, "/proc/self/exe", &settings.files, &settings.attributes,
                                 pointers.data(), environ);
    if (code != 0) {
        child.pid_ = -1;
        return system_error_of("the worker process cannot be started", code);
    }
    child.events_ = std::move(events.read_end);
    child.noise_ = std::move(noise.read_end);
    return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      ended_(other.ended_),
      status_(other.status_),
      peak_rss_bytes_(other.peak_rss_bytes_),
      events_(std::move(other.events_)),
      noise_(std::move(other.noise_)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(ended_, other.ended_);
    std::swap(status_, other.status_);
    std::swap(peak_rss_bytes_, other.peak_rss_bytes_);
    std::swap(events_, other.events_);
    std::swap(noise_, other.noise_);
    return *this;
}

ChildProcess::~ChildProcess() {
    if (pid_ < 0 || ended_) return;
    kill_group();
    static_cast<void>(wait(0));
}

void ChildProcess::kill_group() const {
    // Both: right after the start the child may not lead its group yet.
    ::kill(-pid_, SIGKILL);
    if (!ended_) ::kill(pid_, SIGKILL);
}

bool ChildProcess::wait(int flags) {
    rusage usage{};
    pid_t got = 0;
    do {
        got = ::wait4(pid_, &status_, flags, &usage);
    } while (got < 0 && errno == EINTR);
    if (got == 0) return false;
    ended_ = true;
    peak_rss_bytes_ = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    return true;
}

bool ChildProcess::has_ended() {
    if (!ended_ && wait(WNOHANG)) ::kill(-pid_, SIGKILL);  // whatever it may have started
    return ended_;
}

bool ChildProcess::read_some(Descriptor& from, std::string& text) {
    std::array<char, 65536> buffer{};
    while (from.is_open()) {
        const ssize_t got = ::read(from.get(), buffer.data(), buffer.size());
        if (got > 0) {
            text.append(buffer.data(), static_cast<std::size_t>(got));
        } else if (got < 0 && errno == EAGAIN) {
            return true;
        } else if (got == 0 || errno != EINTR) {
            from.close();
        }
    }
    return false;
}

Result<SignalQueue> SignalQueue::open() {
    SignalQueue queue;
    const sigset_t set = watched_signals();
    if (::sigprocmask(SIG_BLOCK, &set, nullptr) != 0) return system_error_of("sigprocmask", errno);
    queue.fd_ = Descriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!queue.fd_.is_open()) return system_error_of("signalfd", errno);
    return queue;
}

SignalQueue::~SignalQueue() {
    if (!fd_.is_open()) return;
    const sigset_t set = watched_signals();
    ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

int SignalQueue::take() {
    int ending = 0;
    signalfd_siginfo info{};
    while (::read(fd_.get(), &info, sizeof(info)) == static_cast<ssize_t>(sizeof(info))) {
        const int signal = static_cast<int>(info.ssi_signo);
        if (signal != SIGCHLD && ending == 0) ending = signal;
    }
    return ending;
}

}  // namespace sinter
