#include <sinter/formats/reader.hpp>

#include "container.hpp"
#include "section_codec.hpp"
#include "text.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace sinter {
namespace {

std::string remedy_for(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::Unsupported: return "use a newer sinter";
    case ErrorKind::Limit: return "raise the reader's limits if the package can be trusted";
    default: return "copy or cook the package again";
    }
}

Error damaged(const TocEntry& entry, FindingCode code, std::string message) {
    return {.kind = ErrorKind::Validation,
            .where = section_place(entry),
            .message = std::move(message),
            .remedy = remedy_for(ErrorKind::Validation),
            .code = static_cast<std::uint16_t>(code)};
}

}  // namespace

Result<PackageView> PackageView::open(std::span<const std::byte> bytes, const ReadLimits& limits) {
    std::optional<ContainerProblem> first;
    Container container = parse_container(bytes, limits, [&](ContainerProblem problem) {
        if (!first) first = std::move(problem);
    });
    if (first) {
        return Error{.kind = first->kind,
                     .where = first->where,
                     .message = first->message,
                     .remedy = remedy_for(first->kind),
                     .code = static_cast<std::uint16_t>(first->code)};
    }
    PackageView view;
    view.bytes_ = bytes;
    view.header_ = container.header;
    view.sections_ = std::move(container.sections);
    return view;
}

const TocEntry* PackageView::find(SectionType type, std::uint64_t id) const {
    const auto found = std::ranges::lower_bound(sections_, std::tuple(type, id), {},
                                                [](const TocEntry& e) { return std::tuple(e.type, e.id); });
    return found != sections_.end() && found->type == type && found->id == id ? &*found : nullptr;
}

std::span<const std::byte> PackageView::stored(const TocEntry& entry) const {
    return bytes_.subspan(entry.offset, entry.stored_size);
}

bool PackageView::is_intact(const TocEntry& entry) const {
    return xxh3_128(stored(entry)) == entry.stored_hash;
}

Result<std::vector<std::byte>> PackageView::decode(const TocEntry& entry) const {
    const auto bytes = stored(entry);
    if (!is_intact(entry)) {
        return damaged(entry, FindingCode::StoredHash, "the stored bytes do not match their hash");
    }
    auto raw = decode_stored(entry.codec, bytes, entry.raw_size);
    if (!raw) {
        raw.error().where = section_place(entry);
        return raw;
    }
    if (sha256(*raw) != entry.raw_digest) {
        return damaged(entry, FindingCode::RawDigest, "the decoded bytes do not match their digest");
    }
    return raw;
}

Result<std::vector<std::byte>> PackageView::decode(SectionType type, std::uint64_t id) const {
    if (const TocEntry* entry = find(type, id)) return decode(*entry);
    return damaged({.type = type, .id = id}, FindingCode::SectionMissing, "is not in the package");
}

Result<std::unique_ptr<manifest::ManifestT>> PackageView::read_manifest() const {
    SINTER_TRY_ASSIGN(const auto bytes, decode(SectionType::Manifest, 0));
    return decode_manifest(bytes);
}

}  // namespace sinter
