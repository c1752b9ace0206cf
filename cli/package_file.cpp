#include "cli/package_file.hpp"

#include <sinter/formats/verify.hpp>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sinter {
namespace {

Error io_error(const std::string& path, int code) {
    return {ErrorKind::Io, path, std::string("cannot read the file: ") + std::strerror(code), {}};
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
    const int file =
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe must not wait for its writer
    if (file < 0) return io_error(path, errno);
    struct stat info{};
    const bool known = ::fstat(file, &info) == 0;
    MappedFile mapped;
    int code = known ? 0 : errno;
    if (known && S_ISDIR(info.st_mode)) code = EISDIR;
    if (code == 0 && !S_ISREG(info.st_mode)) {
        ::close(file);
        return Error{ErrorKind::Io, path, "is not a regular file", "a package is read from a file"};
    }
    if (code == 0 && info.st_size > 0) {
        const auto size = static_cast<std::size_t>(info.st_size);
        void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (address == MAP_FAILED) code = errno;
        else mapped.bytes_ = {static_cast<const std::byte*>(address), size};
    }
    ::close(file);
    if (code != 0) return io_error(path, code);
    return mapped;
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

Result<OpenPackage> open_package(const std::string& path) {
    SINTER_TRY_ASSIGN(MappedFile file, MappedFile::open(path));
    Result<PackageView> view = PackageView::open(file.bytes());
    if (!view) return at_path(std::move(view).error(), path);
    auto manifest = view->read_manifest();
    if (!manifest) return at_path(std::move(manifest).error(), path);
    return OpenPackage{std::move(file), *std::move(view), *std::move(manifest)};
}

Result<OpenPackage> open_sound_package(const std::string& path) {
    SINTER_TRY_ASSIGN(OpenPackage package, open_package(path));
    const VerifyReport report = verify_package(package.file.bytes());
    if (report.ok()) return package;
    const Finding& first = report.findings.front();
    return at_path({ErrorKind::Validation, first.where, first.message,
                    "`sinter validate` lists everything that is wrong"},
                   path);
}

Error at_path(Error error, const std::string& path) {
    error.where = error.where.empty() ? path : path + ": " + error.where;
    return error;
}

}  // namespace sinter
