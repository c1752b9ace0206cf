// A package file, mapped into memory for reading: opening a large one costs nothing until it is read.
#pragma once

#include <sinter/formats/reader.hpp>
#include <sinter/formats/result.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace sinter {

class MappedFile {
public:
    // Errors: Io (missing, a folder, a pipe or a device, unreadable), where = `path`.
    [[nodiscard]] static Result<MappedFile> open(const std::string& path);

    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

private:
    MappedFile() = default;
    std::span<const std::byte> bytes_;
};

// A sound package and its manifest. Move-only; the view refers to the mapping.
struct OpenPackage {
    MappedFile file;
    PackageView view;
    std::unique_ptr<manifest::ManifestT> manifest;
};

// Errors: those of MappedFile::open, PackageView::open and read_manifest, where beginning with `path`.
[[nodiscard]] Result<OpenPackage> open_package(const std::string& path);

// The same, and verify_package() finds nothing wrong with it: for verbs that use what is inside. Errors: Validation, too.
[[nodiscard]] Result<OpenPackage> open_sound_package(const std::string& path);

// An error with the file's path before the place in it.
[[nodiscard]] Error at_path(Error error, const std::string& path);

}  // namespace sinter
