#include "cooker/import/assimp/library.hpp"

#include <assimp/BaseImporter.h>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/scene.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>

namespace sinter {
namespace {

// The asset is called this inside Assimp, in the root folder; siblings are looked up beside it.
constexpr std::string_view kAssetStem = "sinter_asset.";

class MemoryStream final : public Assimp::IOStream {
public:
    explicit MemoryStream(std::span<const std::byte> bytes) : bytes_(bytes) {}
    explicit MemoryStream(std::vector<std::byte> owned) : owned_(std::move(owned)), bytes_(owned_) {}

    size_t Read(void* buffer, size_t size, size_t count) override {
        if (size == 0) return 0;
        const size_t items = std::min(count, (bytes_.size() - position_) / size);
        if (items != 0) std::memcpy(buffer, bytes_.data() + position_, items * size);
        position_ += items * size;
        return items;
    }
    size_t Write(const void*, size_t, size_t) override { return 0; }
    aiReturn Seek(size_t offset, aiOrigin origin) override {
        const size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? position_ : bytes_.size();
        if (offset > bytes_.size() - base) return aiReturn_FAILURE;
        position_ = base + offset;
        return aiReturn_SUCCESS;
    }
    [[nodiscard]] size_t Tell() const override { return position_; }
    [[nodiscard]] size_t FileSize() const override { return bytes_.size(); }
    void Flush() override {}

private:
    std::vector<std::byte> owned_;
    std::span<const std::byte> bytes_;
    size_t position_ = 0;
};

class SourceFileSystem final : public Assimp::IOSystem {
public:
    SourceFileSystem(SourceFiles& files, std::span<const std::byte> bytes, std::string name,
                     std::vector<MissingFile>& missing)
        : files_(files), bytes_(bytes), name_(std::move(name)), missing_(missing) {}

    bool Exists(const char* path) const override { return is_asset(path) || files_.sibling_exists(path); }
    [[nodiscard]] char getOsSeparator() const override { return '/'; }
    Assimp::IOStream* Open(const char* path, const char* mode) override {
        if (std::strchr(mode, 'w') != nullptr || std::strchr(mode, 'a') != nullptr) return nullptr;
        if (is_asset(path)) return new MemoryStream(bytes_);
        const std::string_view name = without_dot(path);
        // Assimp looks for an .mtl of the asset's name where the one that is named is not there.
        if (name.find(kAssetStem) != std::string_view::npos) return nullptr;
        Result<std::vector<std::byte>> read = files_.read_sibling(name);
        if (read) return new MemoryStream(*std::move(read));
        if (std::ranges::find(missing_, name, &MissingFile::name) == missing_.end()) {
            const bool outside = read.error().kind == ErrorKind::Unsupported;
            missing_.push_back({std::string(name), outside
                                                       ? "is not relative to the asset's folder, only such "
                                                         "files are read"
                                                       : read.error().message});
        }
        return nullptr;
    }
    void Close(Assimp::IOStream* stream) override { delete stream; }

private:
    [[nodiscard]] bool is_asset(std::string_view path) const {
        return path.starts_with('/') && path.substr(1) == name_;
    }
    static std::string_view without_dot(std::string_view path) {
        while (path.starts_with("./")) path.remove_prefix(2);
        return path;
    }

    SourceFiles& files_;
    std::span<const std::byte> bytes_;
    std::string name_;
    std::vector<MissingFile>& missing_;
};

// Lends a file system to an importer. Given nullptr, the importer lets go of it without deleting it.
class LentFileSystem {
public:
    LentFileSystem(Assimp::Importer& importer, SourceFileSystem& system) : importer_(importer) {
        importer_.SetIOHandler(&system);
    }
    LentFileSystem(const LentFileSystem&) = delete;
    LentFileSystem& operator=(const LentFileSystem&) = delete;
    ~LentFileSystem() { importer_.SetIOHandler(nullptr); }

private:
    Assimp::Importer& importer_;
};

// Leaves one reader, so that content of another format cannot reach a reader that nobody asked for.
bool keep_only(Assimp::Importer& importer, std::string_view format) {
    std::string extension(1, '.');
    extension += format;
    Assimp::BaseImporter* kept = importer.GetImporter(extension.c_str());
    if (kept == nullptr) return false;
    for (size_t i = importer.GetImporterCount(); i-- > 0;) {
        Assimp::BaseImporter* other = importer.GetImporter(i);
        if (other == kept) continue;
        importer.UnregisterLoader(other);
        delete other;
    }
    return true;
}

Error refused(const SourceFiles& files, std::string text) {
    const std::string asset = files.asset().filename().string();
    if (text.empty()) text = "the file is not what its name says";
    text = with_asset_name(std::move(text), asset);
    return {ErrorKind::InvalidInput, asset, "cannot be read: " + text, "repair the file or export it again"};
}

}  // namespace

std::string with_asset_name(std::string text, std::string_view asset) {
    for (std::size_t at = 0; (at = text.find(kAssetStem, at)) != std::string::npos; at += asset.size()) {
        std::size_t end = at + kAssetStem.size();
        while (end < text.size() && text[end] >= 'a' && text[end] <= 'z') ++end;
        if (at != 0 && text[at - 1] == '/') --at;
        text.replace(at, end - at, asset);
    }
    return text;
}

Result<LibraryScene> read_with_library(SourceFiles& files, std::span<const std::byte> bytes,
                                       std::string_view format) {
    const std::string name = std::string(kAssetStem) + std::string(format);
    try {
        LibraryScene out;
        std::vector<MissingFile> missing;
        out.owner = std::make_shared<Assimp::Importer>();
        if (!keep_only(*out.owner, format)) {
            return Error{ErrorKind::Unsupported, files.asset().filename().string(),
                         "this build of Assimp cannot read '." + std::string(format) + "'",
                         "install a build of Assimp with that reader"};
        }
        // Units and axes are ours to change: once, over meshes, nodes, bind matrices and keys alike.
        out.owner->SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
        SourceFileSystem system(files, bytes, name, missing);
        const LentFileSystem lent(*out.owner, system);
        out.scene = out.owner->ReadFile("/" + name, 0);
        std::string text = out.owner->GetErrorString();
        if (out.scene == nullptr || out.scene->mRootNode == nullptr) return refused(files, std::move(text));
        out.missing_files = std::move(missing);
        return out;
    } catch (const std::bad_alloc&) {
        return Error{ErrorKind::Limit, files.asset().filename().string(),
                     "reading it needs more memory than there is", "raise --max-memory or repair the file"};
    } catch (const std::exception& exception) {
        return refused(files, exception.what());
    } catch (...) {
        return refused(files, "Assimp gave up without a reason");
    }
}

}  // namespace sinter
