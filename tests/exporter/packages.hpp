// Fixtures as packages in memory, exported and read back by Sinter's own import.
#pragma once

#include "cooker/cook.hpp"
#include "cooker/import/import.hpp"
#include "cooker/package/assemble.hpp"
#include "exporter/gltf.hpp"
#include "tests/paths.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>

namespace sinter::test {

// The view refers to the bytes: move-only, and moving a vector keeps them where they are.
struct Package {
    std::vector<std::byte> bytes;
    std::unique_ptr<PackageView> view;
    std::unique_ptr<manifest::ManifestT> manifest;
};

inline Package cook_file(const std::filesystem::path& path, const CookOptions& options = {}) {
    SourceFiles files(path);
    Issues issues;
    const auto asset = cook_asset(files, options, issues);
    INFO((asset ? std::string() : asset.error().line()));
    REQUIRE(asset.ok());
    auto bytes = assemble_package(*asset);
    REQUIRE(bytes.ok());
    Package out{*std::move(bytes), nullptr, nullptr};
    auto view = PackageView::open(out.bytes);
    REQUIRE(view.ok());
    out.view = std::make_unique<PackageView>(*std::move(view));
    auto manifest = out.view->read_manifest();
    REQUIRE(manifest.ok());
    out.manifest = *std::move(manifest);
    return out;
}

inline Package cook_fixture(const std::string& name) { return cook_file(repository("fixtures/" + name)); }

inline GltfFile exported(const Package& package, const GltfOptions& options = {}) {
    auto file = export_gltf(*package.view, *package.manifest, options);
    INFO((file ? std::string() : file.error().line()));
    REQUIRE(file.ok());
    return *std::move(file);
}

// A file on disk while it lives.
class FileOnDisk {
public:
    explicit FileOnDisk(std::span<const std::byte> bytes, const std::string& extension = ".glb")
        : path_(std::filesystem::temp_directory_path() /
                ("sinter-exporter-" + std::to_string(getpid()) + extension)) {
        std::ofstream(path_, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    ~FileOnDisk() { std::filesystem::remove(path_); }
    FileOnDisk(const FileOnDisk&) = delete;
    FileOnDisk& operator=(const FileOnDisk&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

inline Scene imported(const std::vector<std::byte>& glb) {
    const FileOnDisk file(glb);
    SourceFiles files(file.path());
    Issues issues;
    auto scene = import_scene(files, {}, issues);
    INFO((scene ? std::string() : scene.error().line()));
    REQUIRE(scene.ok());
    return *std::move(scene);
}

inline nlohmann::json json_of(const std::vector<std::byte>& glb) {
    std::uint32_t size = 0;
    REQUIRE(glb.size() > 20);
    std::memcpy(&size, glb.data() + 12, 4);
    REQUIRE(glb.size() >= 20 + size);
    return nlohmann::json::parse(std::string(reinterpret_cast<const char*>(glb.data()) + 20, size));
}

inline const Mesh& mesh_named(const Scene& scene, const std::string& name) {
    for (const Mesh& mesh : scene.meshes) {
        if (mesh.name == name) return mesh;
    }
    FAIL("no mesh " << name);
    return scene.meshes.front();
}

inline std::uint64_t triangle_count(const Mesh& mesh) {
    std::uint64_t count = 0;
    for (const Primitive& primitive : mesh.primitives) count += primitive.indices.size() / 3;
    return count;
}

}  // namespace sinter::test
