// Meshes in pages, and the tables of their cluster DAGs.
#include "diff_arrays.hpp"

#include <sinter/formats/mesh_arrays.hpp>

#include <algorithm>
#include <bit>
#include <tuple>

namespace sinter {
namespace {

// Records of 32-bit words, some of which are floats in metres.
struct WordLayout {
    std::uint32_t words = 1;
    std::uint32_t first_float = 0;
    std::uint32_t float_count = 0;
};

WordLayout layout_of(SectionType type) {
    switch (type) {
    case SectionType::ClusterGroups: return {.words = sizeof(ClusterGroupRecord) / 4, .float_count = 8};
    case SectionType::ClusterHierarchy:
        return {.words = sizeof(ClusterHierarchyNode) / 4,
                .float_count = offsetof(ClusterHierarchyNode, child) / 4};
    case SectionType::ClusterPages:
        return {.words = sizeof(ClusterPageRecord) / 4,
                .first_float = offsetof(ClusterPageRecord, max_lod_error) / 4,
                .float_count = 1};
    case SectionType::ClusterPrefixes: return {.words = sizeof(ClusterPrefixRecord) / 4, .float_count = 1};
    case SectionType::SkinBatches: return {.words = sizeof(SkinBatchRecord) / 4};
    default: return {};
    }
}
constexpr WordLayout kClusterLayout{.words = sizeof(ClusterRecord) / 4, .first_float = 0, .float_count = 4};

// Differences of records, lengths apart from all else.
struct WordDifferences {
    std::uint64_t records = 0;  // that differ in anything but lengths
    ArrayStatistics lengths;

    void add(Bytes a, Bytes b, std::size_t record, const WordLayout& layout) {
        bool same = true;
        double largest = 0;
        for (std::size_t w = 0; w < layout.words; ++w) {
            const auto word_a = record_at<std::uint32_t>(a, record * layout.words + w);
            const auto word_b = record_at<std::uint32_t>(b, record * layout.words + w);
            if (word_a == word_b) continue;
            if (w < layout.first_float || w >= layout.first_float + layout.float_count) {
                same = false;
                continue;
            }
            const double d = std::abs(static_cast<double>(std::bit_cast<float>(word_a)) -
                                      static_cast<double>(std::bit_cast<float>(word_b)));
            largest = std::isnan(d) ? std::numeric_limits<double>::infinity() : std::max(largest, d);
        }
        records += same ? 0U : 1U;
        lengths.note(record, largest);
    }
};

Result<MeshArrays> arrays_of(const DiffSide& side, std::uint32_t mesh, std::string_view name) {
    auto arrays = read_mesh_arrays(side.view, side.manifest, mesh);
    if (!arrays) return on_side(name, std::move(arrays).error());
    return arrays;
}

// Entries of two arrays of one length, measured and shown.
template <typename Value, typename Measure, typename Show>
void diff_entries(const MeshPair& pair, std::string_view name, NumberKind kind, const std::vector<Value>& a,
                  const std::vector<Value>& b, Measure measure, Show show) {
    const std::string path = cat(pair.path, "/vertices/", name);
    pair.list.see_array(path);
    if (a.empty() != b.empty()) {
        pair.list.add({.path = path,
                       .a = a.empty() ? DiffValue() : DiffValue(true),
                       .b = b.empty() ? DiffValue() : DiffValue(true)});
        return;
    }
    if (a.size() != b.size()) return;  // the manifest's counts say so
    ArrayStatistics s;
    for (std::size_t i = 0; i < a.size(); ++i) s.note(i, measure(a[i], b[i]));
    if (s.differing == 0) return;
    pair.list.add_numbers({.path = path,
                           .a = entry_text("vertex", s.worst, show(a[s.worst])),
                           .b = entry_text("vertex", s.worst, show(b[s.worst])),
                           .rms = s.rms(),
                           .count = s.differing},
                          kind, s.largest);
}

// B with its vertices in the order of A.
MeshArrays reordered(const MeshPair& pair, const MeshArrays& a, const MeshArrays& b,
                     const VertexMatch& match) {
    MeshArrays out;
    if (a.normals.empty() == b.normals.empty())
        out.normals = match.in_order_of_a<OctNormal>(a.normals, b.normals, a.normals.empty() ? 0 : 1);
    if (a.tangents.empty() == b.tangents.empty())
        out.tangents = match.in_order_of_a<TangentRecord>(a.tangents, b.tangents, a.tangents.empty() ? 0 : 1);
    pair.list.add({.path = pair.path + "/vertices#order",
                   .a = cat(match.count_a, " vertices, ", match.only_a, " at places of this side only"),
                   .b = cat(match.count_b, " vertices, ", match.only_b, " at places of this side only; ",
                            match.moved, " of the others have another number"),
                   .count = match.moved + std::max(match.only_a, match.only_b)});
    return out;
}

void diff_vertex_arrays(const MeshPair& pair, const MeshArrays& a, const MeshArrays& b, bool with_positions) {
    using Float3 = std::array<float, 3>;
    using Float4 = std::array<float, 4>;
    const auto same = [](const Float3& v) { return v; };
    if (with_positions)
        diff_entries(pair, "position", NumberKind::Position,
                     positions_of(*pair.side_a.manifest.meshes[pair.index_a], a),
                     positions_of(*pair.side_b.manifest.meshes[pair.index_b], b), distance<3>, same);
    diff_entries(
        pair, "normal", NumberKind::Angle, a.normals, b.normals,
        [](OctNormal l, OctNormal r) { return direction_difference_deg(oct_decode(l), oct_decode(r)); },
        oct_decode);
    diff_entries(
        pair, "tangent", NumberKind::Angle, a.tangents, b.tangents,
        [](const TangentRecord& l, const TangentRecord& r) {
            return l.w == r.w ? direction_difference_deg({l.x, l.y, l.z}, {r.x, r.y, r.z}) : 180.0;
        },
        [](const TangentRecord& t) { return Float4{t.x, t.y, t.z, t.w}; });
}

// Numbers of materials of side B as side A has them.
class MaterialsInA {
public:
    MaterialsInA(const DiffSide& a, const DiffSide& b)
        : keys_b_(b.keys.materials), in_a_(indices_of(a.keys.materials)) {}
    [[nodiscard]] std::int32_t of(std::int32_t material) const {
        if (material < 0 || static_cast<std::size_t>(material) >= keys_b_.size()) return material;
        const auto found = in_a_.find(keys_b_[static_cast<std::size_t>(material)]);
        constexpr std::int32_t kNotInA = -2;
        return found == in_a_.end() ? kNotInA : static_cast<std::int32_t>(found->second);
    }

private:
    const std::vector<std::string>& keys_b_;
    std::map<std::string, std::size_t> in_a_;
};

// What the clusters of pages are, all levels.
struct PageDifferences {
    std::vector<std::uint32_t> pages;  // that differ
    bool within_tolerance = true;      // in vertices and spheres alone
    ArrayStatistics spheres;

    void add_spheres(const ArrayStatistics& s, std::uint32_t page) {
        spheres.total += s.total;
        spheres.differing += s.differing;
        spheres.sum_of_squares += s.sum_of_squares;
        if (s.largest > spheres.largest) {
            spheres.largest = s.largest;
            spheres.worst = page;
        }
    }
};

Result<std::vector<std::byte>> page_bytes(const DiffSide& side, std::uint32_t mesh, std::uint32_t page,
                                          std::string_view name) {
    auto bytes = side.view.decode(SectionType::PageData, page_section_id(mesh, page));
    if (!bytes) return on_side(name, std::move(bytes).error());
    return bytes;
}

// Pre: both sides have the page, and its structure was checked when the vertices were read.
Result<Unit> diff_page(const MeshPair& pair, std::uint32_t page, const MaterialsInA& materials,
                       PageDifferences& out) {
    SINTER_TRY_ASSIGN(const std::vector<std::byte> a, page_bytes(pair.side_a, pair.index_a, page, "A"));
    SINTER_TRY_ASSIGN(std::vector<std::byte> b, page_bytes(pair.side_b, pair.index_b, page, "B"));
    const auto h = record_at<PageHeader>(a, 0);
    if (std::memcmp(a.data(), b.data(), sizeof(PageHeader)) != 0) {
        out.pages.push_back(page);
        out.within_tolerance = false;
        return Unit{};
    }
    WordDifferences clusters;
    const std::size_t size = std::size_t{h.cluster_count} * sizeof(ClusterRecord);
    for (std::size_t c = 0; c < h.cluster_count; ++c) {
        std::byte* at = b.data() + h.clusters_offset + c * sizeof(ClusterRecord);
        auto record = record_at<ClusterRecord>(Bytes(at, sizeof(ClusterRecord)), 0);
        record.material = materials.of(record.material);
        std::memcpy(at, &record, sizeof(record));
        clusters.add(Bytes(a).subspan(h.clusters_offset, size), Bytes(b).subspan(h.clusters_offset, size), c,
                     kClusterLayout);
    }
    if (a == b) return Unit{};  // but for the numbers of the materials
    out.pages.push_back(page);
    const bool same_rest =
        std::ranges::equal(Bytes(a).subspan(h.tables_offset), Bytes(b).subspan(h.tables_offset));
    out.within_tolerance = out.within_tolerance && clusters.records == 0 && same_rest;
    out.add_spheres(clusters.lengths, page);
    return Unit{};
}

std::string page_list(std::span<const std::uint32_t> pages) {
    constexpr std::size_t kShown = 8;
    std::string out;
    for (const std::uint32_t page : pages.first(std::min(pages.size(), kShown)))
        out += cat(out.empty() ? "" : ", ", page);
    return pages.size() > kShown ? out + ", .." : out;
}

std::uint32_t page_count_of(const DiffSide& side, std::uint32_t mesh) {
    return side.manifest.meshes[mesh]->cluster_dag->page_count;
}

Result<Unit> diff_page_contents(const MeshPair& pair, std::span<const std::uint32_t> differing) {
    const std::uint32_t count_a = page_count_of(pair.side_a, pair.index_a);
    const std::uint32_t count_b = page_count_of(pair.side_b, pair.index_b);
    const MaterialsInA materials(pair.side_a, pair.side_b);
    PageDifferences found;
    for (const std::uint32_t page : differing) {
        if (page < count_a && page < count_b) {
            SINTER_TRY(diff_page(pair, page, materials, found));
        } else {
            found.pages.push_back(page);
            found.within_tolerance = false;
        }
    }
    // Pages of equal clusters whose vertices or spheres differ: these are held against the tolerances on their own.
    if (!found.pages.empty()) {
        pair.list.add({.path = pair.path + "/pages",
                       .a = cat(count_a, " pages"),
                       .b = cat(count_b, " pages; different: ", page_list(found.pages)),
                       .count = found.pages.size(),
                       .within_tolerance = found.within_tolerance});
    }
    if (found.spheres.differing > 0) {
        pair.list.add_numbers({.path = pair.path + "/clusters/spheres",
                               .a = cat("most in page ", found.spheres.worst),
                               .b = {},
                               .rms = found.spheres.rms(),
                               .count = found.spheres.differing},
                              NumberKind::Position, found.spheres.largest);
    }
    return Unit{};
}

// Three positions, the lowest first, winding kept; then the material as side A numbers it.
using TriangleKey = std::tuple<std::array<std::array<float, 3>, 3>, std::int32_t>;

template <typename MaterialOf>
std::vector<TriangleKey> triangle_keys(const DiffSide& side, std::uint32_t mesh, const MeshArrays& arrays,
                                       MaterialOf material_of) {
    const auto positions = positions_of(*side.manifest.meshes[mesh], arrays);
    std::vector<TriangleKey> out;
    out.reserve(arrays.materials.size());
    for (std::size_t t = 0; t < arrays.materials.size(); ++t) {
        std::array<std::array<float, 3>, 3> corners{};
        for (std::size_t i = 0; i < 3; ++i) corners[i] = positions[arrays.indices[3 * t + i]];
        std::ranges::rotate(corners, std::ranges::min_element(corners));
        out.emplace_back(corners, material_of(arrays.materials[t]));
    }
    std::ranges::sort(out);
    return out;
}

// Triangles by positions and materials, whatever the order and the vertices: how many each side has alone.
struct LoneTriangles {
    std::size_t count_a = 0;
    std::size_t count_b = 0;
    std::size_t only_a = 0;
    std::size_t only_b = 0;
    [[nodiscard]] bool none() const { return only_a == 0 && only_b == 0; }
};

LoneTriangles lone_triangles(const MeshPair& pair, const MeshArrays& a, const MeshArrays& b) {
    const MaterialsInA materials(pair.side_a, pair.side_b);
    const auto keys_a = triangle_keys(pair.side_a, pair.index_a, a, [](std::int32_t m) { return m; });
    const auto keys_b =
        triangle_keys(pair.side_b, pair.index_b, b, [&](std::int32_t m) { return materials.of(m); });
    std::vector<TriangleKey> only_a;
    std::vector<TriangleKey> only_b;
    std::ranges::set_difference(keys_a, keys_b, std::back_inserter(only_a));
    std::ranges::set_difference(keys_b, keys_a, std::back_inserter(only_b));
    return {keys_a.size(), keys_b.size(), only_a.size(), only_b.size()};
}

void add_triangles(const MeshPair& pair, const LoneTriangles& lone, std::uint64_t differing) {
    pair.list.add({.path = pair.path + "/triangles",
                   .a = cat(lone.count_a, " triangles, ", lone.only_a, " of them only here"),
                   .b = cat(lone.count_b, " triangles, ", lone.only_b, " of them only here"),
                   .count = differing});
}

void diff_full_detail(const MeshPair& pair, const MeshArrays& a, const MeshArrays& b) {
    std::uint64_t differing = std::max(a.materials.size(), b.materials.size());
    for (std::size_t t = 0; t < std::min(a.materials.size(), b.materials.size()); ++t) {
        const auto first = static_cast<std::ptrdiff_t>(3 * t);
        if (std::equal(a.indices.begin() + first, a.indices.begin() + first + 3, b.indices.begin() + first))
            --differing;
    }
    if (differing > 0) add_triangles(pair, lone_triangles(pair, a, b), differing);
}

}  // namespace

void diff_cluster_table(const ArrayPair& pair, SectionType type) {
    const WordLayout layout = layout_of(type);
    const std::size_t stride = std::size_t{4} * layout.words;
    const std::size_t count = pair.a.size() / stride;
    if (pair.a.size() != pair.b.size() || pair.a.size() % stride != 0) {
        pair.report_counts(count, pair.b.size() / stride);
        return;
    }
    WordDifferences found;
    for (std::size_t i = 0; i < count; ++i) found.add(pair.a, pair.b, i, layout);
    if (found.records > 0) {
        pair.list.add({.path = pair.path,
                       .a = to_hex(pair.entry_a.raw_digest),
                       .b = to_hex(pair.entry_b.raw_digest),
                       .count = found.records});
    }
    if (found.lengths.differing > 0) {
        pair.report(pair.path + "/lengths", NumberKind::Position, found.lengths,
                    cat("record ", found.lengths.worst), cat("record ", found.lengths.worst));
    }
}

Result<Unit> diff_pages(const MeshPair& pair, std::span<const std::uint32_t> differing, VertexMatch& match) {
    for (const std::string_view name : {"/vertices/position", "/vertices/normal", "/vertices/tangent",
                                        "/vertices#order", "/triangles", "/pages", "/clusters/spheres"}) {
        pair.list.see_array(cat(pair.path, name));
    }
    const manifest::MeshT& mesh_a = *pair.side_a.manifest.meshes[pair.index_a];
    const manifest::MeshT& mesh_b = *pair.side_b.manifest.meshes[pair.index_b];
    if (differing.empty() && same_grid(mesh_a, mesh_b)) return Unit{};
    SINTER_TRY_ASSIGN(const MeshArrays a, arrays_of(pair.side_a, pair.index_a, "A"));
    SINTER_TRY_ASSIGN(const MeshArrays b, arrays_of(pair.side_b, pair.index_b, "B"));
    if (!differing.empty()) match = match_vertices(pair, a, b);
    if (match.reordered) {
        diff_vertex_arrays(pair, a, reordered(pair, a, b, match), false);
        const LoneTriangles lone = lone_triangles(pair, a, b);
        if (!lone.none()) add_triangles(pair, lone, std::max(lone.only_a, lone.only_b));
    } else {
        diff_vertex_arrays(pair, a, b, true);
        if (differing.empty()) return Unit{};
        diff_full_detail(pair, a, b);
    }
    return diff_page_contents(pair, differing);
}

Result<Unit> diff_forms(const MeshPair& pair) {
    SINTER_TRY_ASSIGN(const MeshArrays a, arrays_of(pair.side_a, pair.index_a, "A"));
    SINTER_TRY_ASSIGN(const MeshArrays b, arrays_of(pair.side_b, pair.index_b, "B"));
    pair.list.see_array(pair.path + "/triangles");
    const LoneTriangles lone = lone_triangles(pair, a, b);
    if (!lone.none()) add_triangles(pair, lone, std::max(lone.only_a, lone.only_b));
    return Unit{};
}

}  // namespace sinter
