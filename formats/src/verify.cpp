#include <sinter/formats/verify.hpp>

#include "manifest_access.hpp"
#include "manifest_walk.hpp"
#include "section_codec.hpp"
#include "verify_context.hpp"

#include <sinter/formats/content_root.hpp>
#include <sinter/formats/utf8.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

namespace sinter {

void FindingList::add(FindingCode code, std::string where, std::string message) {
    OfCode& of_code = of_code_[code];
    ++of_code.count;
    if (of_code.listed.size() < max_listed_) {
        of_code.listed.push_back({.code = code, .where = std::move(where), .message = std::move(message)});
    }
}

void FindingList::count(FindingCode code, std::uint64_t more) { of_code_[code].count += more; }

VerifyReport FindingList::report() && {
    VerifyReport out;
    for (auto& [code, of_code] : of_code_) {
        std::ranges::move(of_code.listed, std::back_inserter(out.findings));
        out.counts.push_back({.code = code, .count = of_code.count});
    }
    return out;
}

std::uint64_t VerifyReport::count_of(FindingCode code) const {
    const auto found = std::ranges::find(counts, code, &FindingCount::code);
    return found == counts.end() ? 0 : found->count;
}

std::optional<std::size_t> SectionSource::find(SectionType type, std::uint64_t id) const {
    const auto key = [](const TocEntry& e) { return std::tuple(e.type, e.id); };
    const auto found = std::ranges::lower_bound(container_.sections, std::tuple(type, id), {}, key);
    if (found == container_.sections.end() || key(*found) != std::tuple(type, id)) return std::nullopt;
    return static_cast<std::size_t>(found - container_.sections.begin());
}

std::optional<std::vector<std::byte>> SectionSource::decode(std::size_t index) {
    const TocEntry& entry = container_.sections[index];
    decoded_[index] = true;
    mentioned_[index] = true;
    const auto stored = bytes_.subspan(entry.offset, entry.stored_size);
    if (xxh3_128(stored) != entry.stored_hash) {
        list_.add(FindingCode::StoredHash, section_place(entry), "the stored bytes do not match their hash");
        return std::nullopt;
    }
    const std::uint64_t most = entry.type == SectionType::Manifest
                                   ? std::min(limits_.max_manifest_bytes, limits_.max_section_raw_bytes)
                                   : limits_.max_section_raw_bytes;
    if (!is_supported(entry.codec) || entry.raw_size > most ||
        entry.stored_size < min_stored_size(entry.raw_size)) {
        return std::nullopt;  // the container check has reported it where it matters
    }
    auto raw = decode_stored(entry.codec, stored, entry.raw_size);
    if (!raw) {
        list_.add(FindingCode::Decode, section_place(entry), raw.error().message);
        return std::nullopt;
    }
    if (sha256(*raw) != entry.raw_digest) {
        list_.add(FindingCode::RawDigest, section_place(entry),
                  "the decoded bytes do not match their digest");
        return std::nullopt;
    }
    return *std::move(raw);
}

std::optional<std::vector<std::byte>> SectionSource::load(SectionType type, std::uint64_t id,
                                                          std::uint32_t stride, std::uint64_t count) {
    const auto index = find(type, id);
    if (count == 0) return std::nullopt;  // check_rest() finds the section, if it is there
    if (!index) {
        list_.add(FindingCode::SectionMissing, section_place({.type = type, .id = id}),
                  cat("the manifest promises ", count, " records"));
        return std::nullopt;
    }
    auto raw = decode(*index);
    const TocEntry& entry = container_.sections[*index];
    if (entry.record_stride != stride || entry.record_count != count) {
        list_.add(FindingCode::SectionShape, section_place(entry),
                  cat(entry.record_count, " records of ", entry.record_stride, " bytes, the manifest says ",
                      count, " of ", stride));
        return std::nullopt;
    }
    // Count and stride come from the entry, whose product with them is checked against raw_size only there.
    if (raw && raw->size() / stride != count) return std::nullopt;
    return raw;
}

std::optional<std::vector<std::byte>> SectionSource::load_manifest() {
    const auto index = find(SectionType::Manifest, 0);
    if (!index) {
        list_.add(FindingCode::ManifestMissing, "file", "there is no manifest section with id 0");
        return std::nullopt;
    }
    return decode(*index);
}

void SectionSource::mention(SectionType type, std::uint64_t id) {
    if (const auto index = find(type, id)) mentioned_[*index] = true;
}

void SectionSource::mention_range(SectionType type, std::uint64_t first_id, std::uint64_t last_id) {
    for (std::size_t i = 0; i < container_.sections.size(); ++i) {
        const TocEntry& entry = container_.sections[i];
        if (entry.type == type && entry.id >= first_id && entry.id <= last_id) mentioned_[i] = true;
    }
}

void SectionSource::check_rest(bool manifest_known) {
    for (std::size_t i = 0; i < decoded_.size(); ++i) {
        if (decoded_[i]) continue;
        const TocEntry& entry = container_.sections[i];
        if (manifest_known && !mentioned_[i] && section_type_name(entry.type)) {
            list_.add(FindingCode::SectionUnexpected, section_place(entry),
                      "the manifest does not mention it");
        }
        static_cast<void>(decode(i));
    }
}

namespace {

// Texts and floats of every manifest field, provenance and issues too.
class ValueCheck {
public:
    explicit ValueCheck(FindingList& list) : list_(list) {}

    template <manifest::TableType T>
    void table(const std::string& path, const T& t) {
        manifest::visit_fields(
            t, [&](std::string_view name, const auto& value) { this->field(path, name, value); });
    }

private:
    template <manifest::Scalar T>
    void field(const std::string& path, std::string_view name, T value) {
        if constexpr (std::is_floating_point_v<T>) check_float(path, name, static_cast<double>(value));
    }
    template <manifest::Scalar T>
    void field(const std::string& path, std::string_view name, const flatbuffers::Vector<T>* values) {
        if constexpr (std::is_floating_point_v<T>) {
            for (flatbuffers::uoffset_t i = 0; values != nullptr && i < values->size(); ++i) {
                check_float(path, name, static_cast<double>(values->Get(i)));
            }
        }
    }
    template <typename Struct>
        requires std::same_as<Struct, manifest::Float3> || std::same_as<Struct, manifest::Float4>
    void field(const std::string& path, std::string_view name, const Struct* value) {
        if (value == nullptr) return;
        for (const float c : manifest::components(*value)) check_float(path, name, static_cast<double>(c));
    }
    void field(const std::string& path, std::string_view name, const flatbuffers::String* value) {
        if (!is_utf8(manifest::text_of(value))) {
            list_.add(FindingCode::InvalidText, cat("manifest ", path, '/', name), "not UTF-8");
        }
    }
    template <manifest::TableType T>
    void field(const std::string& path, std::string_view name, const T* value) {
        if (value != nullptr) table(cat(path, '/', name), *value);
    }
    template <manifest::TableType T>
    void field(const std::string& path, std::string_view name,
               const flatbuffers::Vector<flatbuffers::Offset<T>>* v) {
        for (flatbuffers::uoffset_t i = 0; v != nullptr && i < v->size(); ++i) {
            table(cat(path, '/', name, '/', i), *v->Get(i));
        }
    }
    void check_float(const std::string& path, std::string_view name, double value) {
        if (!std::isfinite(value)) {
            list_.add(FindingCode::NonFinite, cat("manifest ", path, '/', name),
                      cat(value, ", must be finite"));
        } else if (value < 0 && (name.starts_with("max_error") || name.ends_with("_error") ||
                                 name.ends_with("_error_deg") || name.ends_with("_error_s") ||
                                 name == "max_dropped_weight")) {
            list_.add(FindingCode::NegativeError, cat("manifest ", path, '/', name),
                      cat(value, ", must not be below 0"));
        }
    }

    FindingList& list_;
};

void check_padding(std::span<const std::byte> bytes, const Container& container, FindingList& list) {
    std::uint64_t end =
        sizeof(PackageHeader) + std::uint64_t{container.header.toc_count} * container.header.toc_entry_size;
    for (const TocEntry& entry : container.sections) {
        const auto gap = bytes.subspan(end, entry.offset - end);
        const auto dirty = std::ranges::find_if(gap, [](std::byte b) { return b != std::byte{0}; });
        if (dirty != gap.end()) {
            list.add(FindingCode::Padding, cat("before ", section_place(entry)),
                     cat("byte ", end + static_cast<std::uint64_t>(dirty - gap.begin()),
                         " of the file is not zero"));
        }
        end = entry.offset + entry.stored_size;
    }
}

void check_semantics(const manifest::ManifestT& manifest, SectionSource& sections, FindingList& list) {
    VerifyContext context{
        .manifest = manifest, .sections = sections, .list = list, .joint_limits = joint_limits_of(manifest)};
    verify_scene(context);
    verify_skeletons(context);
    for (std::uint32_t i = 0; i < manifest.meshes.size(); ++i) {
        const MeshFacts facts = verify_mesh(context, i);
        const std::vector<std::uint8_t> classes = verify_influences(context, i);
        verify_skin_batches(context, i, facts, classes);
        verify_shapes(context, i);
    }
    for (std::uint32_t i = 0; i < manifest.clips.size(); ++i) verify_clip(context, i);
}

}  // namespace

VerifyReport verify_package(std::span<const std::byte> bytes, const VerifyOptions& options) {
    FindingList list(options.max_listed_per_code);
    const Container container = parse_container(bytes, options.limits, [&](ContainerProblem problem) {
        list.add(problem.code, std::move(problem.where), std::move(problem.message));
    });
    if (!container.readable || !container.ranges_ok) return std::move(list).report();
    check_padding(bytes, container, list);

    SectionSource sections(bytes, container, options.limits, list);
    const auto manifest_bytes = sections.load_manifest();
    bool manifest_known = false;
    if (manifest_bytes) {
        const AlignedManifest manifest(*manifest_bytes);
        if (const auto sound = manifest.check(); !sound) {
            list.add(FindingCode::ManifestStructure, "manifest", sound.error().message);
        } else {
            manifest_known = true;
            if (!container.is_newer() &&
                content_root(container.sections, *manifest_bytes) != container.header.content_root) {
                list.add(FindingCode::ContentRoot, "header", "the content root is not that of the content");
            }
            ValueCheck(list).table("", manifest.root());
            const std::unique_ptr<manifest::ManifestT> unpacked(manifest.root().UnPack());
            check_semantics(*unpacked, sections, list);
        }
    }
    sections.check_rest(manifest_known);
    return std::move(list).report();
}

}  // namespace sinter
