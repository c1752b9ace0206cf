// Levels of detail beside full detail: covers, closed, where they should stand, moved by their own joints.
#include "packages.hpp"

#include <sinter/formats/mesh_arrays.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace sinter;

namespace {

using Point = std::array<float, 3>;

// Directed edges by position whose reverse does not occur equally often.
std::size_t open_edges(const Mesh& mesh) {
    std::map<std::pair<Point, Point>, int> balance;
    for (const Primitive& p : mesh.primitives) {
        for (std::size_t i = 0; i < p.indices.size(); ++i) {
            const std::size_t next = i % 3 == 2 ? i - 2 : i + 1;
            const Float3 a = p.positions[p.indices[i]];
            const Float3 b = p.positions[p.indices[next]];
            const Point from{a.x, a.y, a.z};
            const Point to{b.x, b.y, b.z};
            if (from < to) ++balance[{from, to}];
            else --balance[{to, from}];
        }
    }
    return static_cast<std::size_t>(
        std::ranges::count_if(balance, [](const auto& edge) { return edge.second != 0; }));
}

// Triangles of each group, and their sum over the groups of lower levels that nothing replaces: what a cover at `level`
// has besides that level's own triangles in the table that inspect shows.
std::uint64_t cover_triangles(const test::Package& package, std::uint32_t mesh, std::uint32_t level) {
    const auto tables = read_cluster_tables(*package.view, *package.manifest, mesh);
    REQUIRE(tables.ok());
    const auto& levels = package.manifest->meshes[mesh]->cluster_dag->levels;
    std::uint64_t sum = level < levels.size() ? levels[level]->triangles : 0;
    for (std::uint32_t p = 0; p < tables->pages.size(); ++p) {
        const auto bytes = package.view->decode(SectionType::PageData, page_section_id(mesh, p));
        REQUIRE(bytes.ok());
        const auto page = view_page(*bytes);
        REQUIRE(page.ok());
        for (std::uint32_t c = 0; c < page->header().cluster_count; ++c) {
            const ClusterRecord cluster = page->cluster(c);
            const ClusterGroupRecord& group = tables->groups[cluster.group];
            if (group.end != 0 && group.level < level) sum += cluster.triangle_count;
        }
    }
    return sum;
}

std::string level_name(const std::string& mesh, std::size_t level) {
    return level == 0 ? mesh : mesh + ".level" + std::to_string(level);
}

Mat3x4 global_of(const Scene& scene, std::int32_t node) {
    Mat3x4 out;
    for (; node != kNone; node = scene.nodes[static_cast<std::size_t>(node)].parent)
        out = matrix_of(scene.nodes[static_cast<std::size_t>(node)].local) * out;
    return out;
}

}  // namespace

TEST_CASE("an exported level has the triangles of its row in the table and of ended groups below it") {
    for (const std::string name : {"creature.glb", "prop.glb", "foliage.glb", "blob.obj"}) {
        INFO(name);
        const test::Package package = test::cook_fixture(name);
        const GltfFile file = test::exported(package, {.levels = {}, .lod_errors = {}, .all_levels = true});
        const Scene scene = test::imported(file.glb);
        std::vector<std::uint64_t> totals(file.copies.size());
        for (std::uint32_t m = 0; m < package.manifest->meshes.size(); ++m) {
            const manifest::MeshT& mesh = *package.manifest->meshes[m];
            REQUIRE(mesh.cluster_dag);
            for (std::uint32_t level = 0; level < file.copies.size(); ++level) {
                const std::uint64_t found =
                    test::triangle_count(test::mesh_named(scene, level_name(mesh.name, level)));
                CHECK(found == cover_triangles(package, m, level));
                totals[level] += found;
                if (level + 1 >= mesh.cluster_dag->levels.size())
                    CHECK(found == mesh.cluster_dag->root_triangles);
            }
        }
        for (std::size_t level = 0; level < totals.size(); ++level)
            CHECK(file.copies[level].triangles == totals[level]);
        CHECK(file.copies.back().name == "level " + std::to_string(file.copies.size() - 1));
    }
}

TEST_CASE("a closed mesh is closed at every exported level and error") {
    const test::Package package = test::cook_fixture("blob.obj");
    const manifest::MeshT& mesh = *package.manifest->meshes[0];
    const GltfOptions options{.levels = {}, .lod_errors = {1e-4F, 0.003F, 0.02F, 10.0F}, .all_levels = true};
    const Scene scene = test::imported(test::exported(package, options).glb);
    REQUIRE(scene.meshes.size() == mesh.cluster_dag->levels.size() + options.lod_errors.size());
    REQUIRE(scene.meshes.size() > 6);
    for (const Mesh& level : scene.meshes) {
        INFO(level.name);
        CHECK(test::triangle_count(level) > 0);
        CHECK(open_edges(level) == 0);
    }
}

TEST_CASE("an exported error has the triangles that the prefix table promises") {
    const test::Package package = test::cook_fixture("creature.glb");
    const auto tables = read_cluster_tables(*package.view, *package.manifest, 0);
    REQUIRE(tables.ok());
    REQUIRE(tables->prefixes.size() > 3);
    GltfOptions options;
    for (const ClusterPrefixRecord& prefix : tables->prefixes) options.lod_errors.push_back(prefix.lod_error);
    const GltfFile file = test::exported(package, options);
    REQUIRE(file.copies.size() == 1 + tables->prefixes.size());
    // Copies rise by error, prefixes fall.
    for (std::size_t i = 0; i < tables->prefixes.size(); ++i) {
        const ClusterPrefixRecord& prefix = tables->prefixes[tables->prefixes.size() - 1 - i];
        INFO(file.copies[1 + i].name);
        CHECK(file.copies[1 + i].triangles == prefix.triangle_count);
    }
    CHECK(file.copies[1].name == "error 0");
    CHECK(file.copies[1].triangles == file.copies[0].triangles);
}

TEST_CASE("copies stand beside each other in the one scene") {
    const test::Package package = test::cook_fixture("prop.glb");
    const GltfFile file = test::exported(package, {.levels = {1, 2}, .lod_errors = {}, .all_levels = false});
    CHECK(test::json_of(file.glb)["scenes"].size() == 1);
    const Scene scene = test::imported(file.glb);
    std::map<std::string, std::pair<float, float>> extents;  // by copy: x from, to
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        const Node& node = scene.nodes[n];
        if (node.mesh == kNone) continue;
        CHECK(node.in_scene);
        const Mesh& mesh = scene.meshes[static_cast<std::size_t>(node.mesh)];
        const std::size_t dot = mesh.name.rfind(".level");
        const std::string copy = dot == std::string::npos ? "" : mesh.name.substr(dot);
        CHECK(node.name.ends_with(copy));
        auto [found, added] =
            extents.insert({copy, {std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()}});
        const Mat3x4 m = global_of(scene, static_cast<std::int32_t>(n));
        for (const Primitive& p : mesh.primitives) {
            for (const Float3 v : p.positions) {
                const float x = m.at(0, 0) * v.x + m.at(0, 1) * v.y + m.at(0, 2) * v.z + m.at(0, 3);
                found->second.first = std::min(found->second.first, x);
                found->second.second = std::max(found->second.second, x);
            }
        }
    }
    REQUIRE(extents.size() == 3);
    CHECK(extents[""].second < extents[".level1"].first);
    CHECK(extents[".level1"].second < extents[".level2"].first);
}

TEST_CASE("copies of a skinned mesh have joints of their own, moved beside, by the same keys") {
    const test::Package package = test::cook_fixture("creature.glb");
    const GltfFile file = test::exported(package, {.levels = {3}, .lod_errors = {}, .all_levels = false});
    const Scene scene = test::imported(file.glb);
    REQUIRE(scene.skins.size() == 2);
    REQUIRE(scene.skins[0].joints.size() == scene.skins[1].joints.size());
    CHECK(scene.skins[0].bone_from_mesh == scene.skins[1].bone_from_mesh);
    const float width =
        package.manifest->meshes[0]->bounds->max->x() - package.manifest->meshes[0]->bounds->min->x();
    for (std::size_t j = 0; j < scene.skins[0].joints.size(); ++j) {
        const Mat3x4 a = global_of(scene, scene.skins[0].joints[j]);
        const Mat3x4 b = global_of(scene, scene.skins[1].joints[j]);
        CHECK(b.at(0, 3) - a.at(0, 3) > width);
        CHECK(std::abs(b.at(1, 3) - a.at(1, 3)) < 1e-5F);  // rounding of the products
        CHECK(b.at(0, 0) == a.at(0, 0));
    }
    std::set<std::int32_t> drawn;
    for (const Node& node : scene.nodes) {
        if (node.mesh == kNone) continue;
        CHECK(node.skin == node.mesh);  // of one mesh and one skin there are two copies each
        drawn.insert(node.mesh);
    }
    CHECK(drawn.size() == 2);
    const nlohmann::json json = test::json_of(file.glb);
    for (const auto& clip : json["animations"]) CHECK(clip["channels"].size() == 2 * clip["samplers"].size());
    CHECK(scene.clips[0].channels.size() == 2 * package.manifest->clips[0]->tracks.size());
}

TEST_CASE("levels that are not there are usage errors; a mesh without levels stands beside in full") {
    const test::Package package = test::cook_fixture("blob.obj");
    const auto levels = static_cast<std::uint32_t>(package.manifest->meshes[0]->cluster_dag->levels.size());
    const auto kind_of = [](const test::Package& p, const GltfOptions& options) {
        const auto file = export_gltf(*p.view, *p.manifest, options);
        REQUIRE_FALSE(file.ok());
        return file.error().kind;
    };
    CHECK(kind_of(package, {.levels = {levels}, .lod_errors = {}, .all_levels = false}) == ErrorKind::Usage);
    CHECK(kind_of(package, {.levels = {}, .lod_errors = {-1.0F}, .all_levels = false}) == ErrorKind::Usage);
    CHECK(kind_of(package, {.levels = {}, .lod_errors = {std::nanf("")}, .all_levels = false}) ==
          ErrorKind::Usage);

    CookOptions plain;
    plain.cluster.enabled = false;
    const test::Package without = test::cook_file(test::repository("fixtures/blob.obj"), plain);
    CHECK(kind_of(without, {.levels = {}, .lod_errors = {}, .all_levels = true}) == ErrorKind::Usage);
    CHECK(test::exported(without).copies[0].triangles == without.manifest->meshes[0]->index_count / 3);
    CHECK(test::imported(test::exported(without).glb).meshes.size() == 1);
}
