#include "diff_arrays.hpp"

#include "container.hpp"

#include <algorithm>
#include <utility>

namespace sinter {

void ArrayPair::report(const std::string& at, NumberKind kind, const ArrayStatistics& s, std::string text_a,
                       std::string text_b) const {
    list.add_numbers(
        {.path = at, .a = std::move(text_a), .b = std::move(text_b), .rms = s.rms(), .count = s.differing},
        kind, s.largest);
}

void ArrayPair::report_counts(std::size_t count_a, std::size_t count_b) const {
    list.add({.path = path,
              .a = static_cast<std::int64_t>(count_a),
              .b = static_cast<std::int64_t>(count_b),
              .difference = std::abs(static_cast<double>(count_a) - static_cast<double>(count_b))});
}

Error on_side(std::string_view side, Error error) {
    error.where = error.where.empty() ? std::string(side) : cat(side, ": ", error.where);
    return error;
}

std::map<std::string, std::size_t> indices_of(const std::vector<std::string>& keys) {
    std::map<std::string, std::size_t> out;
    for (std::size_t i = 0; i < keys.size(); ++i) out[keys[i]] = i;
    return out;
}

namespace {

// An object that both packages have, and its section in each of them.
struct SectionPair {
    std::string path;  // of the object
    std::size_t index_a = 0;
    std::size_t index_b = 0;
    std::uint64_t part = 0;  // UV set or page
    const TocEntry* entry_a = nullptr;
    const TocEntry* entry_b = nullptr;
};

class ArrayDiff {
public:
    ArrayDiff(const DiffSide& a, const DiffSide& b, DifferenceList& list) : a_(a), b_(b), list_(list) {}

    Result<Unit> run() {
        pair_side(a_, b_, true);
        pair_side(b_, a_, false);
        std::vector<std::pair<SectionType, const SectionPair*>> others;
        for (const auto& [key, pair] : pairs_) {
            if (keys_for(a_.keys, key.first) == &a_.keys.meshes && note_pages(key.first, pair)) continue;
            others.emplace_back(key.first, &pair);
        }
        for (auto& [path, paged] : paged_) {
            const MeshPair mesh{a_, b_, list_, path, paged.index_a, paged.index_b};
            std::ranges::sort(paged.differing);
            SINTER_TRY(paged.on_both ? diff_pages(mesh, paged.differing, paged.match) : diff_forms(mesh));
        }
        for (const auto& [type, pair] : others) SINTER_TRY(compare(type, *pair));
        return Unit{};
    }

private:
    struct PagedMesh {
        std::uint32_t index_a = 0;
        std::uint32_t index_b = 0;
        bool on_both = false;
        std::vector<std::uint32_t> differing;
        VertexMatch match;
    };

    // True if this section of a mesh is compared as a part of its pages.
    bool note_pages(SectionType type, const SectionPair& pair) {
        const bool in_a = a_.manifest.meshes[pair.index_a]->cluster_dag != nullptr;
        const bool in_b = b_.manifest.meshes[pair.index_b]->cluster_dag != nullptr;
        if (!in_a && !in_b) return false;
        PagedMesh& paged = paged_[pair.path];
        paged.index_a = static_cast<std::uint32_t>(pair.index_a);
        paged.index_b = static_cast<std::uint32_t>(pair.index_b);
        paged.on_both = in_a && in_b;
        if (!paged.on_both) return true;
        if (type != SectionType::PageData) return false;
        if (pair.entry_a == nullptr || pair.entry_b == nullptr ||
            pair.entry_a->raw_digest != pair.entry_b->raw_digest) {
            paged.differing.push_back(static_cast<std::uint32_t>(pair.part));
        }
        return true;
    }

    static const std::vector<std::string>* keys_for(const ManifestKeys& keys, SectionType type) {
        switch (type) {
        case SectionType::MeshPositions:
        case SectionType::MeshNormals:
        case SectionType::MeshTangents:
        case SectionType::MeshUvs:
        case SectionType::MeshColors:
        case SectionType::MeshIndices:
        case SectionType::MeshInfluences:
        case SectionType::BlendShapeDeltas:
        case SectionType::ClusterGroups:
        case SectionType::ClusterHierarchy:
        case SectionType::ClusterPages:
        case SectionType::ClusterPageDependencies:
        case SectionType::ClusterPrefixes:
        case SectionType::SkinBatches:
        case SectionType::PageData: return &keys.meshes;
        case SectionType::SkinInverseBinds: return &keys.skins;
        case SectionType::ClipSamples: return &keys.clips;
        case SectionType::Manifest: break;
        }
        return nullptr;
    }

    static unsigned part_bits_of(SectionType type) {
        if (type == SectionType::MeshUvs) return 8;
        return type == SectionType::PageData ? 32 : 0;
    }

    static std::string_view list_name(SectionType type) {
        if (type == SectionType::SkinInverseBinds) return "skins";
        return type == SectionType::ClipSamples ? "clips" : "meshes";
    }

    // Puts each section of one side to its object; those of objects that the other side does not have are
    // explained by that.
    void pair_side(const DiffSide& mine, const DiffSide& other, bool is_a) {
        const std::map<std::string_view, std::map<std::string, std::size_t>> indices{
            {"meshes", indices_of(other.keys.meshes)},
            {"skins", indices_of(other.keys.skins)},
            {"clips", indices_of(other.keys.clips)}};
        for (const TocEntry& entry : mine.view.sections()) {
            if (entry.type == SectionType::Manifest) continue;
            // The low bits of the id that say which part of the object it is.
            const unsigned part_bits = part_bits_of(entry.type);
            const std::uint64_t index = entry.id >> part_bits;
            const auto* keys = keys_for(mine.keys, entry.type);
            if (keys == nullptr || index >= keys->size()) {
                unowned(entry, other.view, is_a);
                continue;
            }
            const std::string& key = (*keys)[index];
            const auto& other_index_of = indices.at(list_name(entry.type));
            const auto found = other_index_of.find(key);
            if (found == other_index_of.end()) continue;
            const std::size_t other_index = found->second;
            const std::uint64_t part = entry.id - (index << part_bits);
            SectionPair& pair = pairs_[{entry.type, cat(key, '/', part)}];
            pair.path = cat(list_name(entry.type), '/', key);
            pair.part = part;
            (is_a ? pair.entry_a : pair.entry_b) = &entry;
            pair.index_a = is_a ? index : other_index;
            pair.index_b = is_a ? other_index : index;
        }
    }

    void unowned(const TocEntry& entry, const PackageView& other, bool is_a) {
        const TocEntry* match = other.find(entry.type, entry.id);
        if (match != nullptr && (!is_a || match->raw_digest == entry.raw_digest)) return;
        const auto name = section_type_name(entry.type);
        Difference difference{
            .path = cat("sections/", name ? std::string(*name) : cat(static_cast<std::uint32_t>(entry.type)),
                        '/', entry.id)};
        (is_a ? difference.a : difference.b) = to_hex(entry.raw_digest);
        if (match != nullptr) difference.b = to_hex(match->raw_digest);
        list_.add(std::move(difference));
    }

    Result<Unit> compare(SectionType type, const SectionPair& pair) {
        if (pair.entry_a == nullptr || pair.entry_b == nullptr) {
            const bool in_a = pair.entry_a != nullptr;
            list_.add({.path = path_of(type, pair),
                       .a = in_a ? DiffValue(true) : DiffValue(),
                       .b = in_a ? DiffValue() : DiffValue(true)});
            return Unit{};
        }
        list_.see_array(path_of(type, pair));
        const bool same_bytes = pair.entry_a->raw_digest == pair.entry_b->raw_digest;
        if (same_bytes &&
            !(type == SectionType::MeshPositions &&
              !same_grid(*a_.manifest.meshes[pair.index_a], *b_.manifest.meshes[pair.index_b])) &&
            !layout_may_differ(type) && !is_reordered(pair)) {
            return Unit{};
        }
        auto bytes_a = a_.view.decode(*pair.entry_a);
        if (!bytes_a) return on_side("A", std::move(bytes_a).error());
        auto bytes_b = b_.view.decode(*pair.entry_b);
        if (!bytes_b) return on_side("B", std::move(bytes_b).error());
        SINTER_TRY_ASSIGN(const bool comparable, put_in_order(type, pair, *bytes_a, *bytes_b));
        if (!comparable) return Unit{};
        compare_arrays(type, pair.part,
                       {.side_a = a_,
                        .side_b = b_,
                        .list = list_,
                        .path = path_of(type, pair),
                        .index_a = pair.index_a,
                        .index_b = pair.index_b,
                        .entry_a = *pair.entry_a,
                        .entry_b = *pair.entry_b,
                        .a = *bytes_a,
                        .b = *bytes_b});
        return Unit{};
    }

    // Deltas of vertices as side A numbers them, rising within each frame.
    static void renumber_deltas(const manifest::MeshT& mesh, const VertexMatch& match,
                                std::vector<std::byte>& bytes) {
        std::vector<std::uint32_t> a_of_b(match.count_b);
        for (std::uint32_t v = 0; v < match.b_of_a.size(); ++v) {
            if (match.b_of_a[v] != kNoVertex) a_of_b[match.b_of_a[v]] = v;
        }
        std::vector<BlendShapeDelta> deltas(bytes.size() / sizeof(BlendShapeDelta));
        if (deltas.empty()) return;
        std::memcpy(deltas.data(), bytes.data(), deltas.size() * sizeof(BlendShapeDelta));
        for (BlendShapeDelta& delta : deltas)
            delta.vertex = delta.vertex < a_of_b.size() ? a_of_b[delta.vertex] : delta.vertex;
        for (const auto& shape : mesh.shapes) {
            for (const auto& frame : shape->frames) {
                if (frame->first_record > deltas.size() ||
                    frame->record_count > deltas.size() - frame->first_record)
                    continue;
                std::ranges::sort(std::span(deltas).subspan(frame->first_record, frame->record_count), {},
                                  &BlendShapeDelta::vertex);
            }
        }
        std::memcpy(bytes.data(), deltas.data(), deltas.size() * sizeof(BlendShapeDelta));
    }

    [[nodiscard]] bool is_reordered(const SectionPair& pair) const {
        const auto paged = paged_.find(pair.path);
        return paged != paged_.end() && paged->second.match.reordered;
    }

    // Where vertices are in another order, brings B's into that of A. False if these arrays cannot be compared that way,
    // which is then a difference of its own.
    Result<bool> put_in_order(SectionType type, const SectionPair& pair, const std::vector<std::byte>& a,
                              std::vector<std::byte>& b) {
        if (!is_reordered(pair)) return true;
        const VertexMatch& match = paged_.at(pair.path).match;
        const bool one_a_vertex = type == SectionType::MeshUvs || type == SectionType::MeshColors ||
                                  type == SectionType::MeshInfluences;
        if (!one_a_vertex && type != SectionType::BlendShapeDeltas) return true;
        const std::uint32_t stride = pair.entry_a->record_stride;
        const bool whole = one_a_vertex && stride == pair.entry_b->record_stride &&
                           a.size() == match.count_a * stride && b.size() == match.count_b * stride;
        // Codes of UVs mean something else on another rectangle, as those that B does not have are taken from A.
        const bool alone = match.only_a == 0 || type != SectionType::MeshUvs;
        if (whole && alone) {
            b = match.in_order_of_a<std::byte>(a, b, stride);
            return true;
        }
        if (!one_a_vertex && match.only_b == 0) {
            renumber_deltas(*b_.manifest.meshes[pair.index_b], match, b);
            return true;
        }
        list_.add({.path = path_of(type, pair),
                   .a = std::string("not compared: vertices are in another order"),
                   .b = to_hex(pair.entry_b->raw_digest)});
        return false;
    }

    // The manifest says which records belong to which shape or track: equal bytes may mean different things.
    static bool layout_may_differ(SectionType type) {
        return type == SectionType::BlendShapeDeltas || type == SectionType::ClipSamples ||
               type == SectionType::MeshInfluences || type == SectionType::MeshUvs;
    }

    static std::string path_of(SectionType type, const SectionPair& pair) {
        switch (type) {
        case SectionType::MeshPositions: return pair.path + "/vertices/position";
        case SectionType::MeshNormals: return pair.path + "/vertices/normal";
        case SectionType::MeshTangents: return pair.path + "/vertices/tangent";
        case SectionType::MeshUvs: return cat(pair.path, "/vertices/uv/", pair.part);
        case SectionType::MeshColors: return pair.path + "/vertices/color";
        case SectionType::MeshInfluences: return pair.path + "/vertices/influences";
        case SectionType::MeshIndices: return pair.path + "/triangles";
        case SectionType::BlendShapeDeltas: return pair.path + "/shapes";
        case SectionType::SkinInverseBinds: return pair.path + "/inverse_binds";
        case SectionType::ClipSamples: return pair.path + "/tracks";
        case SectionType::ClusterGroups: return pair.path + "/clusters/groups";
        case SectionType::ClusterHierarchy: return pair.path + "/clusters/hierarchy";
        case SectionType::ClusterPages: return pair.path + "/clusters/pages";
        case SectionType::ClusterPageDependencies: return pair.path + "/clusters/dependencies";
        case SectionType::ClusterPrefixes: return pair.path + "/clusters/prefixes";
        case SectionType::SkinBatches: return pair.path + "/clusters/skin_batches";
        case SectionType::PageData: return cat(pair.path, "/pages/", pair.part);
        case SectionType::Manifest: break;
        }
        return pair.path;
    }

    static void compare_arrays(SectionType type, std::uint64_t part, const ArrayPair& pair) {
        switch (type) {
        case SectionType::MeshPositions: diff_positions(pair); break;
        case SectionType::MeshNormals: diff_normals(pair); break;
        case SectionType::MeshTangents: diff_tangents(pair); break;
        case SectionType::MeshUvs: diff_uvs(pair, part); break;
        case SectionType::MeshColors: diff_colors(pair); break;
        case SectionType::MeshInfluences: diff_influences(pair); break;
        case SectionType::MeshIndices: diff_triangles(pair); break;
        case SectionType::BlendShapeDeltas: diff_shapes(pair); break;
        case SectionType::SkinInverseBinds: diff_inverse_binds(pair); break;
        case SectionType::ClipSamples: diff_clip(pair); break;
        case SectionType::ClusterGroups:
        case SectionType::ClusterHierarchy:
        case SectionType::ClusterPages:
        case SectionType::ClusterPageDependencies:
        case SectionType::ClusterPrefixes:
        case SectionType::SkinBatches: diff_cluster_table(pair, type); break;
        case SectionType::PageData:
        case SectionType::Manifest: break;
        }
    }

    const DiffSide& a_;
    const DiffSide& b_;
    DifferenceList& list_;
    std::map<std::pair<SectionType, std::string>, SectionPair> pairs_;
    std::map<std::string, PagedMesh> paged_;  // by path
};

}  // namespace

Result<Unit> diff_arrays(const DiffSide& a, const DiffSide& b, DifferenceList& list) {
    return ArrayDiff(a, b, list).run();
}

}  // namespace sinter
