// One worker process and the pipes to it.
#pragma once

#include <sinter/formats/result.hpp>

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sinter {

// A file descriptor that closes itself.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor() { close(); }
    void close();
    [[nodiscard]] int get() const { return fd_; }
    [[nodiscard]] bool is_open() const { return fd_ >= 0; }

private:
    int fd_ = -1;
};

// A child in a process group of its own. Its destructor kills the group and waits, so that no process and no
// zombie outlives it.
class ChildProcess {
public:
    // Starts this program again (/proc/self/exe, by posix_spawn) with `arguments`; stdin is /dev/null, stdout and
    // stderr go to noise(), descriptor kEventsFd to events(). Both are non-blocking. Errors: Internal.
    [[nodiscard]] static Result<ChildProcess> start(const std::vector<std::string>& arguments);

    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;
    ~ChildProcess();

    // SIGKILL for the whole group.
    void kill_group() const;

    // Whether it has ended; does not block. After true, status() and peak_rss_bytes() are known.
    [[nodiscard]] bool has_ended();
    [[nodiscard]] int status() const { return status_; }
    [[nodiscard]] std::uint64_t peak_rss_bytes() const { return peak_rss_bytes_; }

    [[nodiscard]] int events() const { return events_.get(); }
    [[nodiscard]] int noise() const { return noise_.get(); }
    // Appends what is there to read to `text`; false once the stream has ended (the descriptor is closed then).
    bool read_events(std::string& text) { return read_some(events_, text); }
    bool read_noise(std::string& text) { return read_some(noise_, text); }

private:
    ChildProcess() = default;
    static bool read_some(Descriptor& from, std::string& text);
    bool wait(int flags);

    pid_t pid_ = -1;
    bool ended_ = false;
    int status_ = 0;
    std::uint64_t peak_rss_bytes_ = 0;
    Descriptor events_;
    Descriptor noise_;
};

// Blocks SIGINT, SIGTERM, SIGHUP and SIGCHLD while it lives and makes them readable instead. Signals that the
// caller ignores (nohup) stay ignored.
class SignalQueue {
public:
    [[nodiscard]] static Result<SignalQueue> open();
    SignalQueue(SignalQueue&&) noexcept = default;
    SignalQueue& operator=(SignalQueue&&) = delete;
    ~SignalQueue();

    [[nodiscard]] int fd() const { return fd_.get(); }
    // Reads everything that is there; returns the first signal that ends the run, or 0.
    [[nodiscard]] int take();

private:
    SignalQueue() = default;
    Descriptor fd_;
};

}  // namespace sinter
