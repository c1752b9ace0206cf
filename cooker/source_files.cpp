#include "cooker/source_files.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace sinter {
namespace {

constexpr std::size_t kReadChunkBytes = std::size_t{1} << 20;

std::string reason(int error_number) { return std::generic_category().message(error_number); }

Result<std::array<std::uint8_t, 32>> sha256_of(const std::vector<std::byte>& bytes) {
    std::array<std::uint8_t, 32> digest{};
    unsigned int length = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1 ||
        length != digest.size()) {
        return Error{ErrorKind::Internal, {}, "SHA-256 could not be computed", {}};
    }
    return digest;
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// Opened without waiting, then looked at: reading a pipe or a device could last for ever.
Result<File> open_regular(const std::filesystem::path& path, const std::string& name) {
    const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    File file(number >= 0 ? ::fdopen(number, "rb") : nullptr, &std::fclose);
    if (!file) {
        const int cause = errno;
        if (number >= 0) ::close(number);
        return Error{ErrorKind::Io, name, "cannot be opened: " + reason(cause),
                     "check that the file is there and may be read"};
    }
    struct stat info{};
    if (::fstat(number, &info) != 0 || !S_ISREG(info.st_mode)) {
        return Error{ErrorKind::Io, name, "is not a regular file", "copy it into a plain file"};
    }
    return file;
}

// Reads to the end of the file instead of trusting its size: it may grow meanwhile.
Result<std::vector<std::byte>> read_all(const std::filesystem::path& path, const std::string& name) {
    SINTER_TRY_ASSIGN(const File file, open_regular(path, name));
    std::vector<std::byte> bytes;
    std::error_code no_size;
    const std::uintmax_t expected = std::filesystem::file_size(path, no_size);
    if (!no_size) bytes.reserve(static_cast<std::size_t>(expected) + kReadChunkBytes);
    std::size_t got = kReadChunkBytes;
    while (got == kReadChunkBytes) {
        const std::size_t before = bytes.size();
        bytes.resize(before + kReadChunkBytes);
        got = std::fread(bytes.data() + before, 1, kReadChunkBytes, file.get());
        bytes.resize(before + got);
    }
    if (std::ferror(file.get()) != 0) {
        return Error{ErrorKind::Io, name, "cannot be read: " + reason(errno),
                     "check that it is a readable file"};
    }
    return bytes;
}

// RFC 3986, section 3.1: ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ) ":". ASCII only, whatever the locale.
bool has_scheme(std::string_view uri) {
    const auto is_alpha = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (uri.empty() || !is_alpha(uri.front())) return false;
    for (const char c : uri) {
        if (c == ':') return true;
        if (!is_alpha(c) && !(c >= '0' && c <= '9') && c != '+' && c != '-' && c != '.') return false;
    }
    return false;
}

Result<Unit> check_relative(std::string_view relative) {
    const auto refuse = [&](ErrorKind kind, std::string message, std::string remedy) {
        return Error{kind, std::string(relative), std::move(message), std::move(remedy)};
    };
    if (relative.empty()) {
        return refuse(ErrorKind::InvalidInput, "is an empty path", "name a file");
    }
    if (relative.find('\0') != std::string_view::npos) {
        return refuse(ErrorKind::InvalidInput, "holds a zero byte", "rename the file");
    }
    const bool scheme = has_scheme(relative);
    if (scheme || relative.front() == '/' || relative.front() == '\\') {
        return refuse(ErrorKind::Unsupported,
                      fmt::format("{}; only files relative to the asset's folder are read",
                                  scheme ? "names a scheme or a drive" : "is an absolute path"),
                      "refer to the file by a relative path");
    }
    return Unit{};
}

}  // namespace

Result<std::vector<std::byte>> SourceFiles::read(const std::filesystem::path& path, std::string name) {
    SINTER_TRY_ASSIGN(std::vector<std::byte> bytes, read_all(path, name));
    const auto same_path = [&](const InputFile& file) { return file.path == path; };
    if (std::ranges::none_of(files_, same_path)) {
        SINTER_TRY_ASSIGN(auto digest, sha256_of(bytes));
        files_.push_back({path, std::move(name), bytes.size(), digest});
    }
    return bytes;
}

Result<std::vector<std::byte>> SourceFiles::read_asset() {
    std::error_code ignored;
    if (std::filesystem::is_directory(opened_, ignored)) {
        return Error{ErrorKind::Io, asset_.filename().string(), "is a folder, not an asset", "name one file"};
    }
    return read(opened_, asset_.filename().string());
}

Result<std::vector<std::byte>> SourceFiles::read_sibling(std::string_view relative) {
    SINTER_TRY(check_relative(relative));
    const std::filesystem::path path = asset_.parent_path() / std::filesystem::path(relative);
    return read(path, std::string(relative));
}

bool SourceFiles::sibling_exists(std::string_view relative) const {
    if (!check_relative(relative)) return false;
    std::error_code ignored;
    return std::filesystem::is_regular_file(asset_.parent_path() / std::filesystem::path(relative), ignored);
}

}  // namespace sinter
