// The deep checks on DAGs of generated meshes, which must pass, and on such DAGs with one thing broken, where exactly the
// check of that thing must fail.
#include "cooker/cluster/dag.hpp"
#include "cooker/mesh/prepare.hpp"
#include "tests/cluster/deep_model.hpp"
#include "tests/cluster/meshes.hpp"

#include <sinter/formats/deep.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace sinter {
namespace {

DagModel model_of(const Mesh& mesh, const ClusterOptions& options = {}) {
    Issues issues;
    auto prepared = prepare_mesh(mesh, {}, {}, issues);
    REQUIRE(prepared);
    auto dag = build_cluster_dag(*prepared, options, 2, issues);
    REQUIRE(dag);
    return test::deep_model(*prepared, *dag);
}

}  // namespace

TEST_CASE("The DAG of every kind of mesh passes the deep checks") {
    for (const test::NamedMesh& named : test::all_meshes(6000)) {
        DYNAMIC_SECTION(named.name) {
            const DeepReport report = validate_dag(model_of(named.mesh));
            for (const DeepCheck& check : report.checks) {
                // Vertices of flat-shaded meshes need clones here and there, which this model does not make.
                if (check.name == "references" && named.name.ends_with("flat")) continue;
                for (const DeepFinding& f : check.findings) {
                    FAIL_CHECK(std::string(check.name) + ": " + f.where + ": " + f.message);
                }
            }
            CHECK(report.complete);
            CHECK(report.find("border")->checked > 0);
        }
    }
}

namespace {

using Names = std::set<std::string>;

Names failed_checks(const DagModel& model) {
    Names out;
    const DeepReport report = validate_dag(model);
    for (const DeepCheck& check : report.checks) {
        if (check.failed == 0) continue;
        CHECK(!check.findings.empty());
        out.insert(std::string(check.name));
    }
    return out;
}

// A good model with stored errors of four times what they should be, so that none is exceeded whatever the samples are.
// Powers of two change no comparison.
DagModel good_model() {
    DagModel model = model_of(test::noise_sphere(8000));
    for (DagGroup& g : model.groups) {
        g.geometric_error *= 4;
        g.lod_error *= 4;
    }
    for (DagPrefix& p : model.prefixes) p.lod_error *= 4;
    for (DagHierarchyNode& node : model.hierarchy) {
        for (DagHierarchyChild& c : node.children) c.lod_error *= 4;
    }
    model.measured_error = true;
    return model;
}

// A group that has child groups and is replaced itself.
std::size_t inner_group(const DagModel& model) {
    for (std::size_t g = 0; g < model.groups.size(); ++g) {
        if (model.groups[g].level > 0 && model.groups[g].end == DagEnd::Simplified) return g;
    }
    FAIL("no such group");
    return 0;
}

const DagGroup& child_of(const DagModel& model, std::size_t g) {
    return model.groups[static_cast<std::size_t>(model.clusters[model.groups[g].first_cluster].child_group)];
}

// A copy of a vertex at the end of the table; with a point of its own or not.
std::uint32_t add_vertex(DagModel& model, std::uint32_t vertex, bool own_point) {
    model.prefixes.clear();  // the last vertex is in none
    const auto added = static_cast<std::uint32_t>(model.positions.size());
    model.positions.push_back(model.positions[vertex]);
    model.point_of_vertex.push_back(own_point ? added : model.point_of_vertex[vertex]);
    return added;
}

void replace_in_cluster(DagModel& model, std::size_t cluster, std::uint32_t from, std::uint32_t to) {
    const DagCluster& c = model.clusters[cluster];
    for (std::uint32_t i = 0; i < c.triangle_count * 3; ++i) {
        std::uint32_t& corner = model.corners[c.first_corner + i];
        if (corner == from) corner = to;
    }
}

bool uses(const DagModel& model, std::size_t cluster, std::uint32_t vertex) {
    const DagCluster& c = model.clusters[cluster];
    const auto begin = model.corners.begin() + c.first_corner;
    return std::find(begin, begin + c.triangle_count * 3, vertex) != begin + c.triangle_count * 3;
}

// A vertex that two clusters of two groups of one level use, and those clusters.
struct Shared {
    std::uint32_t vertex = 0;
    std::size_t a = 0, b = 0;
};
Shared shared_vertex(const DagModel& model, std::uint32_t level) {
    for (std::size_t a = 0; a < model.clusters.size(); ++a) {
        if (model.groups[model.clusters[a].group].level != level) continue;
        for (std::size_t b = a + 1; b < model.clusters.size(); ++b) {
            if (model.clusters[b].group == model.clusters[a].group) continue;
            if (model.groups[model.clusters[b].group].level != level) continue;
            for (std::uint32_t i = 0; i < model.clusters[a].triangle_count * 3; ++i) {
                const std::uint32_t v = model.corners[model.clusters[a].first_corner + i];
                if (uses(model, b, v)) return {v, a, b};
            }
        }
    }
    FAIL("no such vertex");
    return {};
}

}  // namespace

TEST_CASE("A good model passes the deep checks, by any number of threads the same way") {
    const DagModel model = good_model();
    CHECK(failed_checks(model).empty());
    DeepOptions options;
    std::vector<std::string> texts;
    for (const std::uint32_t threads : {1U, 2U, 7U}) {
        options.threads = threads;
        std::string text;
        for (const DeepCheck& c : validate_dag(model, options).checks) {
            text += std::string(c.name) + ' ' + std::to_string(c.checked) + ' ' + std::to_string(c.failed);
            for (const DeepFigure& f : c.figures)
                text += ' ' + std::string(f.name) + ' ' + std::to_string(f.value);
        }
        texts.push_back(text);
    }
    CHECK(texts[0] == texts[1]);
    CHECK(texts[0] == texts[2]);
}

TEST_CASE("A model without triangles passes the deep checks") { CHECK(failed_checks(DagModel{}).empty()); }

TEST_CASE("What is out of range ends the deep checks") {
    DagModel model = good_model();
    SECTION("a vertex") { model.corners[100] = static_cast<std::uint32_t>(model.positions.size()); }
    SECTION("a point") { model.point_of_vertex[3] = static_cast<std::uint32_t>(model.positions.size()); }
    SECTION("the corners of a cluster") { model.clusters.back().triangle_count += 1; }
    SECTION("a group") { model.clusters[2].group = 1000; }
    SECTION("a child group") { model.clusters[2].child_group = 1000; }
    SECTION("a child group of the same level") { model.clusters[0].child_group = 0; }
    SECTION("clusters of a group") { model.groups[0].cluster_count -= 1; }
    SECTION("a position") { model.positions[5][1] = std::numeric_limits<float>::quiet_NaN(); }
    SECTION("a radius") { model.groups[0].lod_bounds.radius = -1; }
    SECTION("an error") { model.groups[0].geometric_error = std::numeric_limits<float>::quiet_NaN(); }
    CHECK(failed_checks(model) == Names{"ranges"});
    CHECK(!validate_dag(model).complete);
    CHECK(!validate_dag(model).ok());
}

TEST_CASE("Broken limits and coverage are found") {
    DagModel model = good_model();
    SECTION("a stored vertex count") {
        model.clusters[3].vertex_count -= 1;
        CHECK(failed_checks(model) == Names{"limits"});
    }
    SECTION("too many triangles") {
        DeepOptions options;
        options.max_triangles = model.clusters[0].triangle_count - 1;
        CHECK(validate_dag(model, options).find("limits")->failed > 0);
    }
    SECTION("a triangle too many") {
        model.source_triangles += 1;
        CHECK(failed_checks(model) == Names{"coverage"});
    }
    SECTION("another triangle") {
        std::swap(model.source[7].points[0], model.source[7].points[1]);
        CHECK(failed_checks(model) == Names{"coverage"});
    }
    SECTION("a material that was not there") {
        for (DagCluster& c : model.clusters) c.material = c.child_group >= 0 ? 1 : 0;
        for (DagSourceTriangle& t : model.source) t.material = 0;
        CHECK(failed_checks(model) == Names{"coverage"});
    }
}

TEST_CASE("A moved border is found, and the sampled cuts find it too") {
    DagModel model = good_model();
    const Shared shared = shared_vertex(model, 1);
    const std::uint32_t apart = add_vertex(model, shared.vertex, true);
    // At the same place, so that nothing but the borders sees it.
    replace_in_cluster(model, shared.a, shared.vertex, apart);
    CHECK(failed_checks(model) == Names{"border", "cuts"});
}

TEST_CASE("A hole that the source has not is found in a mesh with an open border") {
    DagModel model = model_of(test::height_field(8000));
    model.prefixes.clear();
    model.measured_error = false;
    // The last triangle of a cluster that replaces others.
    std::size_t at = 0;
    while (model.clusters[at].child_group < 0) ++at;
    DagCluster& cluster = model.clusters[at];
    cluster.triangle_count -= 1;
    const auto begin = model.corners.begin() + cluster.first_corner;
    cluster.vertex_count =
        static_cast<std::uint32_t>(std::set(begin, begin + cluster.triangle_count * 3).size());
    CHECK(failed_checks(model) == Names{"border", "cuts"});
}

TEST_CASE("Errors that do not rise are found") {
    DagModel model = good_model();
    const std::size_t g = inner_group(model);
    model.prefixes.clear();
    SECTION("lod_error less than 1.001 times the child's") {
        model.groups[g].lod_error = child_of(model, g).lod_error * 1.0005F;
        model.groups[g].geometric_error = child_of(model, g).geometric_error;
    }
    SECTION("a geometric error above lod_error") {
        model.groups[0].geometric_error = model.groups[0].lod_error * 1.5F;
    }
    SECTION("an end that is not infinite") { model.groups.back().lod_error = 1e9F; }
    CHECK(failed_checks(model).contains("monotone_errors"));
    CHECK(!failed_checks(model).contains("cuts"));
}

TEST_CASE("Spheres that are too small are found") {
    DagModel model = good_model();
    SECTION("lod_bounds of an end") {  // no cut decision looks at them
        model.groups.back().lod_bounds.radius *= 0.9F;
        CHECK(failed_checks(model) == Names{"lod_bounds"});
    }
    SECTION("lod_bounds in between, where cuts would tear") {
        model.groups[inner_group(model)].lod_bounds.radius *= 0.9F;
        const Names failed = failed_checks(model);
        CHECK(failed.contains("lod_bounds"));
        CHECK(failed.contains("cut_decisions"));
    }
    SECTION("cull_bounds") {
        model.clusters[5].cull_bounds.radius *= 0.99F;
        model.clusters[5].cone_axis = {};
        model.clusters[5].cone_cutoff = 1;
        CHECK(failed_checks(model) == Names{"cull_bounds"});
    }
}

TEST_CASE("A cone that hides a front face is found") {
    DagModel model = good_model();
    std::size_t at = 0;
    while (!(model.clusters[at].cone_cutoff < 1)) ++at;
    model.clusters[at].cone_cutoff -= 0.001F;
    CHECK(failed_checks(model) == Names{"cones"});
}

TEST_CASE("A vertex of a group that is no ancestor is found") {
    DagModel model = good_model();
    const Shared shared = shared_vertex(model, 1);
    const std::uint32_t twin = add_vertex(model, shared.vertex, false);
    replace_in_cluster(model, shared.a, shared.vertex, twin);
    replace_in_cluster(model, shared.b, shared.vertex, twin);
    CHECK(failed_checks(model) == Names{"references"});
}

TEST_CASE("Wrong prefixes are found") {
    DagModel model = good_model();
    DagPrefix& prefix = model.prefixes[model.prefixes.size() / 2];
    SECTION("too long") { prefix.vertex_count += 1; }
    SECTION("too short") { prefix.vertex_count -= 1; }
    SECTION("triangles") { prefix.triangle_count += 1; }
    SECTION("an end above 0") { model.prefixes.pop_back(); }
    CHECK(failed_checks(model) == Names{"prefixes"});
}

TEST_CASE("A tree that loses a group, or looks past one, is found") {
    DagModel model = good_model();
    DagHierarchyNode& last = model.hierarchy.back();
    REQUIRE(last.children[0].is_group);
    SECTION("a missing group") { last.children.pop_back(); }
    SECTION("a group twice") { last.children.push_back(last.children[0]); }
    SECTION("a loop") { last.children.push_back({last.children[0].bounds, 0, 0, false}); }
    SECTION("a group that is not there") { last.children[0].index = 100000; }
    SECTION("a small sphere") { last.children[0].bounds.radius *= 0.9F; }
    SECTION("a small error") { last.children[0].lod_error = 0; }
    SECTION("a small sphere above") { model.hierarchy[0].children[0].bounds.radius *= 0.5F; }
    CHECK(failed_checks(model) == Names{"hierarchy"});
}

TEST_CASE("A stored error below the samples is found, in the rest pose and in others") {
    DagModel model = good_model();
    model.prefixes.clear();
    SECTION("rest pose") {
        // All of them, so that errors still rise.
        for (DagGroup& g : model.groups) g.geometric_error /= 16;
        CHECK(failed_checks(model) == Names{"stored_errors"});
        model.measured_error = false;
        CHECK(failed_checks(model).empty());
    }
    SECTION("posed") {
        model.poses.push_back(model.positions);
        CHECK(failed_checks(model) == Names{"posed_errors"});  // posed errors are 0
        for (DagGroup& g : model.groups) g.posed_error = g.geometric_error;
        CHECK(failed_checks(model).empty());
        for (auto& p : model.poses[0]) {
            for (float& x : p) x *= 8;
        }
        CHECK(failed_checks(model) == Names{"posed_errors"});
    }
}

TEST_CASE("Points are numbered by first occurrence of equal rows") {
    const std::vector<std::byte> rows = {std::byte{5}, std::byte{1}, std::byte{2}, std::byte{2},
                                         std::byte{5}, std::byte{1}, std::byte{0}, std::byte{9}};
    CHECK(number_points(rows, 2) == std::vector<std::uint32_t>{0, 1, 0, 2});
    CHECK(number_points({}, 2).empty());
}

}  // namespace sinter
