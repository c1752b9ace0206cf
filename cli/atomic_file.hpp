// Output files appear whole or not at all: a temporary file in the same folder, fsync, rename, fsync of the
// folder. An existing file stays as it is until the new one is complete.
#pragma once

#include <sinter/formats/result.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace sinter {

class AtomicFile {
public:
    // Makes the temporary, so that a folder that cannot be written shows before the work is done. A link is
    // followed: the file that it names will be replaced. Something that is no regular file (a device, a pipe)
    // is not replaced but written. Errors: Io, where = `target`.
    [[nodiscard]] static Result<AtomicFile> create(const std::filesystem::path& target);

    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&& other) noexcept;
    ~AtomicFile();  // removes the temporary unless commit() succeeded

    // Where to write: by write_file(), here or in another process.
    [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }

    // Puts the written file in its place. Errors: Io.
    [[nodiscard]] Result<Unit> commit();

private:
    AtomicFile() = default;
    std::filesystem::path target_;
    std::filesystem::path shown_;      // the target as the user named it, for messages
    std::filesystem::path temporary_;  // empty once it is gone; equal to target_ for a device
};

// Fills an existing file and syncs it. Errors: Io (disk full, quota), where = `shown`.
[[nodiscard]] Result<Unit> write_file(const std::filesystem::path& path, std::span<const std::byte> bytes,
                                      const std::filesystem::path& shown);

// Whether write_whole_file() could begin: makes the temporary and removes it. Errors: Io.
[[nodiscard]] Result<Unit> check_writable(const std::filesystem::path& target);

// A whole small file at once; signals that would end the program wait until it is done.
[[nodiscard]] Result<Unit> write_whole_file(const std::filesystem::path& target, std::string_view text);

}  // namespace sinter
