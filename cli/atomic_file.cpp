#include "cli/atomic_file.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

namespace sinter {
namespace {

Error io_error(const std::filesystem::path& path, int code) {
    std::string remedy;
    if (code == ENOSPC || code == EDQUOT) remedy = "free some space";
    if (code == ENOENT) remedy = "make its folder first";
    return {ErrorKind::Io, path.string(), fmt::format("cannot be written: {}", std::strerror(code)), remedy};
}

// Makes ".NAME.PID-N.tmp" beside the target with the permissions that the umask leaves. The name is cut so that
// it never is longer than a file system allows (255 bytes).
int make_temporary(const std::filesystem::path& target, std::filesystem::path& temporary) {
    constexpr std::size_t kMaxStem = 200;
    constexpr int kTries = 1000;  // names that earlier runs with the same process number left behind
    const std::string stem = target.filename().string().substr(0, kMaxStem);
    for (int i = 0; i < kTries; ++i) {
        temporary = target.parent_path() / fmt::format(".{}.{}-{}.tmp", stem, getpid(), i);
        const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0) {
            ::close(file);
            return 0;
        }
        if (errno != EEXIST) return errno;
    }
    return EEXIST;
}

int write_all(int file, std::span<const std::byte> bytes) {
    constexpr std::size_t kMaxChunk = std::size_t{1} << 30;  // Linux writes at most 2 GiB at once
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), std::min(bytes.size(), kMaxChunk));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return 0;
}

// The rename is durable once the folder is; file systems that cannot sync a folder say EINVAL.
int sync_folder(const std::filesystem::path& folder) {
    const int file = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return 0;  // a folder may be writable and not readable
    const int code = ::fsync(file) == 0 || errno == EINVAL ? 0 : errno;
    ::close(file);
    return code;
}

// Ctrl-C waits while this lives, so that it cannot leave a temporary behind. For small files.
class SignalPause {
public:
    SignalPause() {
        sigset_t set;
        sigemptyset(&set);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
        ::sigprocmask(SIG_BLOCK, &set, &before_);
    }
    ~SignalPause() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
    SignalPause(const SignalPause&) = delete;
    SignalPause& operator=(const SignalPause&) = delete;

private:
    sigset_t before_{};
};

}  // namespace

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& target) {
    AtomicFile file;
    file.shown_ = target;
    file.target_ = target;
    std::error_code problem;
    // By hand, because a link to a file that is not there yet is followed too.
    for (int links = 0; std::filesystem::is_symlink(file.target_, problem); ++links) {
        constexpr int kMaxLinks = 40;  // as Linux has it
        if (links == kMaxLinks) return io_error(target, ELOOP);
        const std::filesystem::path next = std::filesystem::read_symlink(file.target_, problem);
        if (problem) return io_error(target, problem.value());
        file.target_ = file.target_.parent_path() / next;
    }
    const std::filesystem::file_status status = std::filesystem::status(file.target_, problem);
    if (std::filesystem::is_directory(status)) return io_error(target, EISDIR);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        file.temporary_ = file.target_;
        return file;
    }
    const int code = make_temporary(file.target_, file.temporary_);
    if (code != 0) {
        file.temporary_.clear();
        return io_error(target, code);
    }
    return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)),
      shown_(std::move(other.shown_)),
      temporary_(std::exchange(other.temporary_, {})) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
    std::swap(target_, other.target_);
    std::swap(shown_, other.shown_);
    std::swap(temporary_, other.temporary_);
    return *this;
}

AtomicFile::~AtomicFile() {
    if (!temporary_.empty() && temporary_ != target_) ::unlink(temporary_.c_str());
}

Result<Unit> AtomicFile::commit() {
    if (temporary_ == target_) return Unit{};
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) return io_error(shown_, errno);
    temporary_.clear();
    const int code = sync_folder(target_.parent_path());
    return code == 0 ? Result<Unit>(Unit{}) : io_error(shown_, code);
}

Result<Unit> write_file(const std::filesystem::path& path, std::span<const std::byte> bytes,
                        const std::filesystem::path& shown) {
    const int file = ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (file < 0) return io_error(shown, errno);
    int code = write_all(file, bytes);
    // Devices and pipes cannot be synced (EINVAL, EROFS), and need not be.
    if (code == 0 && ::fsync(file) != 0 && errno != EINVAL && errno != EROFS) code = errno;
    if (::close(file) != 0 && code == 0) code = errno;
    return code == 0 ? Result<Unit>(Unit{}) : io_error(shown, code);
}

Result<Unit> check_writable(const std::filesystem::path& target) {
    const SignalPause pause;
    SINTER_TRY(AtomicFile::create(target));
    return Unit{};
}

Result<Unit> write_whole_file(const std::filesystem::path& target, std::string_view text) {
    const SignalPause pause;
    SINTER_TRY_ASSIGN(AtomicFile file, AtomicFile::create(target));
    SINTER_TRY(write_file(file.temporary(), std::as_bytes(std::span(text)), target));
    return file.commit();
}

}  // namespace sinter
