#include "random_pages.hpp"

#include <stdexcept>

namespace sinter {
namespace {

std::uint32_t below(std::mt19937& random, std::uint32_t limit) {
    return static_cast<std::uint32_t>(random() % limit);  // bias does no harm
}

std::int16_t code16(std::mt19937& random) {
    switch (below(random, 6)) {
    case 0: return 32767;
    case 1: return -32767;
    case 2: return 0;
    default: return static_cast<std::int16_t>(static_cast<std::int32_t>(below(random, 65535)) - 32767);
    }
}

OctNormal normal_of(std::mt19937& random, std::uint16_t bits) {
    if (bits == 32) return {code16(random), code16(random)};
    const auto low = [&] {
        return static_cast<std::int16_t>(static_cast<std::int32_t>(below(random, 1023)) - 511);
    };
    const std::int16_t u = low();
    return oct20_expand(OctNormal20{u, low()});
}

void add_vertices(std::mt19937& random, RandomContent& out) {
    for (std::uint32_t i = 0; i < out.options.vertices; ++i) {
        TangentCode tangent{};
        if (out.options.tangents) tangent.bits = static_cast<std::uint16_t>(below(random, 65536));
        if (out.options.position_bits == 32) {
            const auto wide = [&] { return static_cast<std::int32_t>(static_cast<std::uint32_t>(random())); };
            const std::int32_t x = wide();
            const std::int32_t y = wide();
            out.vertices32.push_back({x, y, wide(), tangent, 0});
        } else {
            const std::int16_t x = code16(random);
            const std::int16_t y = code16(random);
            out.vertices16.push_back({x, y, code16(random), tangent});
        }
        if (out.options.normal_bits != 0) out.normals.push_back(normal_of(random, out.options.normal_bits));
    }
}

void add_cluster(std::mt19937& random, RandomContent& out) {
    std::vector<std::uint32_t> table;
    const std::uint32_t size = 1 + below(random, kMaxPageTable);
    while (table.size() < size) table.push_back(below(random, out.options.page + 1));
    std::vector<std::uint16_t> references;
    const std::uint32_t vertices = 3 + below(random, 126);
    while (references.size() < vertices) {
        const std::uint32_t entry = below(random, size);
        const bool own = table[entry] == out.options.page;
        const std::uint32_t limit = own ? out.options.vertices : kMaxPageVertices;
        if (limit == 0) table[entry] = 0;  // this page has none; page 0 is another one then
        if (limit != 0) references.push_back(make_reference(entry, below(random, limit)));
    }
    std::vector<std::uint8_t> triangles;
    const std::uint32_t count = 1 + below(random, 128);
    const std::uint32_t spread = below(random, 2) == 0 ? vertices : std::min(vertices, 6U);  // or a knot
    while (triangles.size() < std::size_t{3} * count) {
        const std::array<std::uint32_t, 3> t{below(random, spread), below(random, spread),
                                             below(random, spread)};
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        for (const std::uint32_t v : t) triangles.push_back(static_cast<std::uint8_t>(v));
    }
    out.tables.push_back(std::move(table));
    out.references.push_back(std::move(references));
    out.triangles.push_back(std::move(triangles));
}

}  // namespace

PageContent RandomContent::view() const {
    PageContent content;
    content.page = options.page;
    content.has_tangents = options.tangents;
    content.normal_bits = options.normal_bits;
    content.vertices16 = vertices16;
    content.vertices32 = vertices32;
    content.normals = normals;
    content.clusters = clusters;
    return content;
}

RandomContent random_content(std::mt19937& random, const RandomPageOptions& options) {
    RandomContent out;
    out.options = options;
    add_vertices(random, out);
    for (std::uint32_t i = 0; i < options.clusters; ++i) add_cluster(random, out);
    for (std::uint32_t i = 0; i < options.clusters; ++i) {
        PageCluster c;
        for (float& x : c.cull_center) x = (static_cast<float>(below(random, 2001)) - 1000) * 1e30F;
        c.cull_radius = static_cast<float>(below(random, 1000)) * 1e-40F;
        for (std::int8_t& a : c.cone.axis) a = static_cast<std::int8_t>(below(random, 256));
        c.cone.cutoff = static_cast<std::int8_t>(below(random, 256));
        c.group = static_cast<std::uint32_t>(random());
        c.child_group = static_cast<std::int32_t>(below(random, 0x7FFFFFFF)) - 1;
        c.material = static_cast<std::int32_t>(below(random, 5)) - 1;
        c.flags = static_cast<std::uint8_t>(below(random, 2));
        c.table = out.tables[below(random, 3) == 0 ? 0 : i];
        if (c.table.data() != out.tables[i].data() && c.table.size() < out.tables[i].size())
            c.table = out.tables[i];
        if (c.table.data() !=
            out.tables[i].data()) {  // references were made for the other table: its pages' own
            bool fits = true;
            for (const std::uint16_t r : out.references[i])
                fits &= c.table[reference_entry(r)] != options.page || reference_vertex(r) < options.vertices;
            if (!fits) c.table = out.tables[i];
        }
        c.references = out.references[i];
        c.triangles = out.triangles[i];
        out.clusters.push_back(c);
    }
    return out;
}

std::vector<std::byte> random_page(std::mt19937& random, const RandomPageOptions& options) {
    const RandomContent content = random_content(random, options);
    auto page = pack_page(content.view());
    if (!page) throw std::runtime_error(page.error().message);
    return *std::move(page);
}

bool is_in_range(const PageView& view) {
    const PageHeader& h = view.header();
    bool good = true;
    for (std::uint32_t k = 0; k < h.cluster_count; ++k) {
        const ClusterRecord c = view.cluster(k);
        for (std::uint32_t i = 0; i < c.vertex_count; ++i) {
            const std::uint16_t r = view.reference(c, i);
            good &= reference_entry(r) < c.table_size;
            const std::uint32_t page = view.table_page(c, reference_entry(r));
            good &= page <= h.page && (page != h.page || reference_vertex(r) < h.vertex_count);
            if (page == h.page) good &= view.grid_position(reference_vertex(r))[0] >= -0x7FFFFFFF - 1;
        }
        for (std::uint32_t i = 0; i < c.triangle_count; ++i) {
            for (const std::uint8_t v : view.triangle(c, i)) good &= v < c.vertex_count;
        }
    }
    return good;
}

}  // namespace sinter
