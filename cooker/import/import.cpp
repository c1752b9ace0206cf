#include "cooker/import/import.hpp"

#include "cooker/import/assimp/assimp.hpp"
#include "cooker/import/check.hpp"
#include "cooker/import/gltf/gltf.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace sinter {
namespace {

constexpr std::string_view kFormats = "glTF (.gltf, .glb), FBX, COLLADA (.dae), OBJ, PLY, STL";

bool starts_with(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

// The first bytes as text, without a UTF-8 byte-order mark and leading white space.
std::string_view head_of(std::span<const std::byte> bytes) {
    constexpr std::size_t kHeadBytes = 4096;
    std::string_view head(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kHeadBytes));
    if (starts_with(head, "\xEF\xBB\xBF")) head.remove_prefix(3);
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view{} : head.substr(first);
}

// A binary STL has no magic: its size says how many triangles it holds.
bool has_binary_stl_size(std::span<const std::byte> bytes) {
    constexpr std::size_t kHeader = 84, kTriangle = 50;
    if (bytes.size() < kHeader) return false;
    std::uint32_t count = 0;
    std::memcpy(&count, bytes.data() + 80, sizeof count);
    return kHeader + kTriangle * static_cast<std::uint64_t>(count) == bytes.size();
}

std::string_view format_by_content(std::span<const std::byte> bytes) {
    const std::string_view head = head_of(bytes);
    if (starts_with(head, "glTF")) return "glb";
    if (starts_with(head, "Kaydara FBX Binary") || starts_with(head, "; FBX")) return "fbx";
    if (starts_with(head, "ply")) return "ply";
    if (starts_with(head, "xof ")) return "x";
    if (head.find("<COLLADA") != std::string_view::npos) return "dae";
    if (starts_with(head, "{") && head.find("\"asset\"") != std::string_view::npos) return "gltf";
    return {};
}

std::string lower_extension(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    if (!extension.empty()) extension.erase(0, 1);
    for (char& c : extension) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return extension;
}

std::string detect_format(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    if (const std::string_view by_content = format_by_content(bytes); !by_content.empty()) {
        return std::string(by_content);
    }
    std::string extension = lower_extension(path);
    if (extension.empty() && has_binary_stl_size(bytes)) return "stl";
    return extension;
}

}  // namespace

Result<Scene> import_scene(SourceFiles& files, const ImportOptions& options, Issues& issues) {
    SINTER_TRY_ASSIGN(std::vector<std::byte> bytes, files.read_asset());
    const std::string name = files.asset().filename().string();
    if (bytes.empty()) {
        return Error{ErrorKind::InvalidInput, name, "the file is empty", "export the asset again"};
    }
    const std::string format = detect_format(files.asset(), bytes);
    constexpr std::array<std::string_view, 5> kByAssimp{"fbx", "dae", "obj", "ply", "stl"};
    const auto imported = [&]() -> Result<Scene> {
        if (format == "gltf" || format == "glb") return import_gltf(files, std::move(bytes), issues);
        if (std::ranges::find(kByAssimp, format) != kByAssimp.end()) {
            return import_assimp(files, std::move(bytes), format, options, issues);
        }
        return Error{ErrorKind::Unsupported, name,
                     format.empty() ? "the format is not known"
                                    : "the format '." + format + "' is not supported",
                     "convert it to one of: " + std::string(kFormats)};
    };
    SINTER_TRY_ASSIGN(Scene scene, imported());
    return check_scene(std::move(scene), issues);
}

}  // namespace sinter
