// SourceFiles: the only way by which a cook reads its inputs. Every file that was opened is kept with
// its digest, for provenance (name and digest) and for --depfile (path).
#pragma once

#include <sinter/formats/result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

struct InputFile {
    std::filesystem::path path;  // as opened
    std::string name;            // "hero.glb" for the asset, the file's own URI for what it refers to
    std::uint64_t bytes = 0;
    std::array<std::uint8_t, 32> sha256{};
};

// The message of an Error is a predicate of the file ("cannot be opened: ..."), so that a caller can say which
// file it is: `the buffer's file "x.bin" cannot be opened: ...`.
class SourceFiles {
public:
    explicit SourceFiles(std::filesystem::path asset) : opened_(asset), asset_(std::move(asset)) {}

    // The asset counts as a file of another name in its folder: for a renamed copy, as formats without names of
    // their own name a mesh after the file. `name` is a file name without folders.
    SourceFiles(const std::filesystem::path& asset, const std::filesystem::path& name)
        : opened_(asset), asset_(asset.parent_path() / name.filename()) {}

    // The asset itself. Errors: Io (missing, unreadable, a folder, a pipe or a device), where = its file name.
    [[nodiscard]] Result<std::vector<std::byte>> read_asset();

    // A file that the asset refers to; `relative` is UTF-8, already percent-decoded, relative to the
    // asset's folder. ".." is followed: projects keep shared buffers and pictures beside their asset folders.
    // Absolute paths and schemes ("http:", "file:") are refused (Unsupported), so that an asset means the same
    // wherever its project lies. Other errors: Io as above; where = `relative`.
    [[nodiscard]] Result<std::vector<std::byte>> read_sibling(std::string_view relative);

    // True if a sibling exists; it is not recorded as read.
    [[nodiscard]] bool sibling_exists(std::string_view relative) const;

    [[nodiscard]] const std::filesystem::path& asset() const { return asset_; }
    [[nodiscard]] const std::vector<InputFile>& read_files() const { return files_; }

private:
    [[nodiscard]] Result<std::vector<std::byte>> read(const std::filesystem::path& path, std::string name);

    std::filesystem::path opened_;
    std::filesystem::path asset_;
    std::vector<InputFile> files_;
};

}  // namespace sinter
