// Imports texts and files for the tests of this folder.
#pragma once

#include "cooker/import/assimp/assimp.hpp"

#include <catch2/catch_test_macros.hpp>

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace sinter::test {

// A folder that is gone when the test ends.
class TemporaryFolder {
public:
    explicit TemporaryFolder(std::string_view name)
        : path_(std::filesystem::temp_directory_path() /
                (std::string(name) + "_" + std::to_string(counter()++))) {
        std::filesystem::create_directories(path_);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] std::filesystem::path write(std::string_view file, std::string_view text) const {
        const std::filesystem::path path = path_ / file;
        std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
        return path;
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    static std::uint64_t& counter() {
        static std::uint64_t next = static_cast<std::uint64_t>(::getpid()) << 20;
        return next;
    }
    std::filesystem::path path_;
};

inline std::vector<std::byte> bytes_of(std::string_view text) {
    std::vector<std::byte> bytes(text.size());
    if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}

inline Result<Scene> import_text(std::string_view text, std::string_view format, Issues& issues,
                                 const ImportOptions& options = {}) {
    SourceFiles files(std::filesystem::temp_directory_path() / "sinter_no_such_folder" /
                      ("asset." + std::string(format)));
    return import_assimp(files, bytes_of(text), format, options, issues);
}

// The scene of a text that must be read.
inline Scene scene_of(std::string_view text, std::string_view format, Issues& issues,
                      const ImportOptions& options = {}) {
    Result<Scene> scene = import_text(text, format, issues, options);
    if (!scene) FAIL(scene.error().line());
    return *std::move(scene);
}

inline Scene scene_of(std::string_view text, std::string_view format) {
    Issues issues;
    return scene_of(text, format, issues);
}

// The error of a text that must be refused.
inline Error error_of(std::string_view text, std::string_view format) {
    Issues issues;
    const Result<Scene> scene = import_text(text, format, issues);
    REQUIRE_FALSE(scene.ok());
    return scene.error();
}

}  // namespace sinter::test
