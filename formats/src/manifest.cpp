#include <sinter/formats/manifest.hpp>

#include "manifest_access.hpp"
#include "manifest_walk.hpp"
#include "text.hpp"

#include <sinter/formats/verify.hpp>

#include <bit>
#include <concepts>
#include <cstring>
#include <type_traits>

namespace sinter {
namespace {

using manifest::Float3;
using manifest::Float4;
using manifest::Scalar;
using manifest::TableType;

// Adds up the least bytes that the visited objects take when none is shared; stops at the limit. What
// unpacking allocates is at most a small multiple of this sum.
class SizeCounter {
public:
    explicit SizeCounter(std::uint64_t limit) : limit_(limit) {}
    [[nodiscard]] bool exceeded() const { return used_ > limit_; }

    template <TableType T>
    void table(const T& t) {
        used_ += sizeof(flatbuffers::soffset_t);
        if (exceeded()) return;
        manifest::visit_fields(t, [this](std::string_view, const auto& value) { this->field(value); });
    }

private:
    template <Scalar T>
    void field(T) {}
    void field(const Float3* value) { used_ += value != nullptr ? sizeof(Float3) : 0; }
    void field(const Float4* value) { used_ += value != nullptr ? sizeof(Float4) : 0; }
    void field(const flatbuffers::String* value) {
        if (value != nullptr) used_ += sizeof(flatbuffers::uoffset_t) + value->size() + 1;
    }
    template <Scalar T>
    void field(const flatbuffers::Vector<T>* value) {
        if (value != nullptr)
            used_ += sizeof(flatbuffers::uoffset_t) + std::uint64_t{value->size()} * sizeof(T);
    }
    template <TableType T>
    void field(const T* value) {
        if (value != nullptr && !exceeded()) table(*value);
    }
    template <TableType T>
    void field(const flatbuffers::Vector<flatbuffers::Offset<T>>* value) {
        if (value == nullptr) return;
        used_ += sizeof(flatbuffers::uoffset_t);
        for (flatbuffers::uoffset_t i = 0; i < value->size() && !exceeded(); ++i) {
            used_ += sizeof(flatbuffers::uoffset_t);
            table(*value->Get(i));
        }
    }

    std::uint64_t limit_;
    std::uint64_t used_ = 0;
};

// Writes (field number, value) for each field that is not its default, then 0xFFFF.
class CanonicalDump {
public:
    template <TableType T>
    void table(const T& t) {
        std::uint16_t number = 0;
        manifest::visit_fields(t, [&](std::string_view, const auto& value) { this->field(number++, value); });
        put(kEnd);
    }

    void manifest(const manifest::Manifest& m) {
        std::uint16_t number = 0;
        manifest::visit_fields(m, [&](std::string_view name, const auto& value) {
            if (name != "provenance" && name != "issues") this->field(number, value);
            ++number;
        });
        put(kEnd);
    }

    [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

private:
    static constexpr std::uint16_t kEnd = 0xFFFF;

    template <Scalar T>
    void put(T value) {
        if constexpr (std::is_same_v<T, bool>) {
            bytes_.push_back(value ? std::byte{1} : std::byte{0});
        } else {
            std::array<std::byte, sizeof(T)> image{};
            std::memcpy(image.data(), &value, sizeof(T));
            bytes_.insert(bytes_.end(), image.begin(), image.end());
        }
    }
    void put_bytes(const void* data, std::size_t size) {
        const auto* first = static_cast<const std::byte*>(data);
        bytes_.insert(bytes_.end(), first, first + size);
    }

    template <Scalar T>
    void field(std::uint16_t number, T value) {
        if (manifest::is_default(value)) return;
        put(number);
        put(value);
    }
    template <typename Struct>
        requires std::same_as<Struct, Float3> || std::same_as<Struct, Float4>
    void field(std::uint16_t number, const Struct* value) {
        if (value == nullptr) return;
        put(number);
        for (const float c : manifest::components(*value)) put(c);
    }
    void field(std::uint16_t number, const flatbuffers::String* value) {
        if (value == nullptr || value->size() == 0) return;
        put(number);
        put(value->size());
        put_bytes(value->Data(), value->size());
    }
    template <Scalar T>
    void field(std::uint16_t number, const flatbuffers::Vector<T>* value) {
        if (value == nullptr || value->size() == 0) return;
        put(number);
        put(value->size());
        put_bytes(value->Data(), std::size_t{value->size()} * sizeof(T));
    }
    template <TableType T>
    void field(std::uint16_t number, const T* value) {
        if (value == nullptr) return;
        put(number);
        table(*value);
    }
    template <TableType T>
    void field(std::uint16_t number, const flatbuffers::Vector<flatbuffers::Offset<T>>* value) {
        if (value == nullptr || value->size() == 0) return;
        put(number);
        put(value->size());
        for (flatbuffers::uoffset_t i = 0; i < value->size(); ++i) table(*value->Get(i));
    }

    std::vector<std::byte> bytes_;
};

Error structure_error(std::string message) {
    return {.kind = ErrorKind::Validation,
            .where = "manifest",
            .message = std::move(message),
            .remedy = "cook the package again",
            .code = static_cast<std::uint16_t>(FindingCode::ManifestStructure)};
}

}  // namespace

AlignedManifest::AlignedManifest(std::span<const std::byte> bytes) : bytes_(bytes) {
    constexpr std::size_t kAlignment = 8;
    if (std::bit_cast<std::uintptr_t>(bytes.data()) % kAlignment != 0) {
        copy_.assign(bytes.begin(), bytes.end());
        bytes_ = copy_;
    }
}

const manifest::Manifest& AlignedManifest::root() const { return *manifest::GetManifest(bytes_.data()); }

Result<Unit> AlignedManifest::check() const {
    // Smaller than FlatBuffers' own limit of 2^31 - 1, which it asserts.
    constexpr std::size_t kMaxBytes = (std::size_t{1} << 31U) - 64;
    if (bytes_.size() > kMaxBytes)
        return structure_error(cat(bytes_.size(), " bytes, at most ", kMaxBytes, " are allowed"));
    // A table takes at least 4 bytes; without sharing there cannot be more of them.
    const auto max_tables = static_cast<flatbuffers::uoffset_t>(bytes_.size() / 4 + 1);
    constexpr flatbuffers::uoffset_t kMaxDepth = 16;
    // Verifiers before 22 read the identifier without looking at the size.
    constexpr std::size_t kIdentifierEnd = 8;
    flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(bytes_.data()), bytes_.size(),
                                   kMaxDepth, max_tables);
    if (bytes_.size() < kIdentifierEnd || !manifest::VerifyManifestBuffer(verifier)) {
        return structure_error("not a well-formed FlatBuffers buffer of schemas/package.fbs");
    }
    SizeCounter counter(bytes_.size());
    counter.table(root());
    if (counter.exceeded()) return structure_error("an object is referred to more than once");
    return Unit{};
}

std::vector<std::byte> AlignedManifest::canonical() const {
    CanonicalDump dump;
    dump.manifest(root());
    return dump.take();
}

std::vector<std::byte> encode_manifest(const manifest::ManifestT& manifest) {
    flatbuffers::FlatBufferBuilder builder;
    manifest::FinishManifestBuffer(builder, manifest::Manifest::Pack(builder, &manifest));
    const auto bytes = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
    return {bytes.begin(), bytes.end()};
}

Result<std::unique_ptr<manifest::ManifestT>> decode_manifest(std::span<const std::byte> bytes) {
    const AlignedManifest manifest(bytes);
    SINTER_TRY(manifest.check());
    return std::unique_ptr<manifest::ManifestT>(manifest.root().UnPack());
}

std::vector<std::byte> canonical_manifest(std::span<const std::byte> bytes) {
    return AlignedManifest(bytes).canonical();
}

}  // namespace sinter
