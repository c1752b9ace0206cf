// Proves the cluster DAG of a mesh, from what a package holds and without the code that built it: borders, coverage, errors,
// bounds, limits, references, prefixes, the hierarchy, stored errors against its own samples, and sampled cuts. Each check
// says how much it looked at. docs/validate-deep.md tells what each proves and what it does not.
//
// Checks work on a decoded model, so that they know nothing of page layouts and codecs.
#pragma once

#include <sinter/formats/reader.hpp>
#include <sinter/formats/result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

struct DagSphere {
    std::array<float, 3> center{};
    float radius = 0;
};

enum class DagEnd : std::uint8_t { Simplified, Root, Stuck };

struct DagCluster {
    std::uint32_t group = 0;        // in which it may be replaced
    std::int32_t child_group = -1;  // which it replaces; -1: full detail
    std::int32_t material = -1;
    std::uint32_t first_corner = 0;  // into DagModel::corners
    std::uint32_t triangle_count = 0;
    std::uint32_t vertex_count = 0;  // as stored
    DagSphere cull_bounds;
    // A unit view direction d with dot(d, cone_axis) >= cone_cutoff sees no front face. Cutoff 1 and axis 0: nothing is
    // hidden. Both may be multiples: cone_scale is what stands for 1, 127 for the signed bytes of a package.
    std::array<float, 3> cone_axis{};
    float cone_cutoff = 1;
    float cone_scale = 1;
};

struct DagGroup {
    std::uint32_t level = 0;  // of its clusters; 0 = full detail
    std::uint32_t first_cluster = 0;
    std::uint32_t cluster_count = 0;
    DagEnd end = DagEnd::Root;
    float geometric_error = 0;  // metres
    float posed_error = 0;
    float lod_error = std::numeric_limits<float>::infinity();  // the largest float counts as infinite
    DagSphere lod_bounds;
};

// Vertices, groups and clusters of page i follow those of page i - 1.
struct DagPage {
    std::uint32_t first_vertex = 0;
    std::uint32_t vertex_count = 0;
    std::uint32_t first_group = 0;
    std::uint32_t group_count = 0;
    std::uint32_t byte_count = 0;
    std::vector<std::uint32_t>
        dependencies;  // earlier pages whose vertices its clusters use; may name its own
};

// A uniform cut at `lod_error` uses the first `vertex_count` vertices, all of them and no others.
struct DagPrefix {
    float lod_error = 0;
    std::uint32_t vertex_count = 0;
    std::uint32_t page_count = 0;      // its clusters are in these; not looked at without pages
    std::uint32_t triangle_count = 0;  // of the cut
};

struct DagHierarchyChild {
    DagSphere bounds;
    float lod_error = 0;
    std::uint32_t index = 0;  // a group, or a node
    bool is_group = false;
};
struct DagHierarchyNode {
    std::vector<DagHierarchyChild> children;
};

// A triangle of the source: three points and a material.
struct DagSourceTriangle {
    std::array<std::uint32_t, 3> points{};
    std::int32_t material = -1;
};

struct DagModel {
    std::vector<std::array<float, 3>>
        positions;  // decoded, rest pose; one a vertex, in the order of the vertex table
    std::vector<std::uint32_t>
        point_of_vertex;                 // equal: same grid position, influences and blend-shape deltas
    std::vector<std::uint32_t> corners;  // vertices, three a triangle
    std::vector<DagCluster> clusters;    // by group
    std::vector<DagGroup> groups;
    std::uint64_t source_triangles = 0;  // of the mesh at full detail
    bool measured_error = true;          // false: errors are estimates, figures are given but nothing fails
    // What may be empty: then its checks say that they looked at nothing.
    std::vector<DagSourceTriangle> source;  // the mesh at full detail, if it is stored apart from the DAG
    std::vector<DagPage> pages;
    std::vector<DagPrefix> prefixes;
    std::vector<DagHierarchyNode> hierarchy;  // node 0 is the root
    // Positions of all vertices in other poses, in the unit of the rest pose, each anywhere: the stored ones, which posed_error
    // is for, and others of the same clips, of which is only reported how far they are beyond it.
    std::vector<std::vector<std::array<float, 3>>> poses;
    std::vector<std::vector<std::array<float, 3>>> held_out_poses;
    // Lengths in the space of the poses over lengths of the mesh, as stored and over random pairs of vertices at rest; 0
    // if unknown.
    float pose_scale = 0;
    float expected_pose_scale = 0;
};

struct DeepOptions {
    std::uint32_t threads = 0;          // 0: as many as the machine has; no result depends on it
    std::uint32_t max_triangles = 128;  // a cluster's
    std::uint32_t max_vertices = 128;
    std::uint32_t uniform_cuts = 50;
    std::uint32_t perspective_cuts = 50;
    std::uint32_t samples_per_cluster = 64;  // surface points, each way
    std::uint32_t max_findings = 8;          // listed a check
};

struct DeepFinding {
    std::string where;    // "group 12", "cut 3"
    std::string message;  // the value seen and the rule
};

struct DeepFigure {
    std::string_view name;
    double value = 0;
};

struct DeepCheck {
    std::string_view name;     // stable, for JSON: "border"
    std::string_view subject;  // what `checked` counts: "groups"
    std::uint64_t checked = 0;
    std::uint64_t failed = 0;
    std::vector<DeepFinding> findings;                                 // the first DeepOptions::max_findings
    std::vector<DeepFigure> figures;                                   // what else it measured
    [[nodiscard]] double figure(std::string_view figure_name) const {  // 0 if it has none of that name
        for (const DeepFigure& f : figures) {
            if (f.name == figure_name) return f.value;
        }
        return 0;
    }
};

struct DeepReport {
    std::vector<DeepCheck>
        checks;            // always the same ones in the same order, unless a model is too broken to go on
    bool complete = true;  // false: limits or structure are broken, the other checks were left out
    [[nodiscard]] bool ok() const {
        for (const DeepCheck& check : checks) {
            if (check.failed != 0) return false;
        }
        return complete;
    }
    [[nodiscard]] const DeepCheck* find(std::string_view name) const {
        for (const DeepCheck& check : checks) {
            if (check.name == name) return &check;
        }
        return nullptr;
    }
};

// Trusts nothing in the model: indices are checked before use. The same report for any number of threads. Time and memory
// grow with the triangles of all levels, by a logarithm more for the searches.
[[nodiscard]] DeepReport validate_dag(const DagModel& model, const DeepOptions& options = {});

// The model of a mesh that has a cluster DAG. Groups of a package are those of its pages: a terminal group may be there in
// slices. Points are found from what vertices hold: grid position, influences and position deltas of blend shapes. Posed
// positions are computed from nodes, clips, skins, influences and blend shapes, with code of its own.
// Pre: `manifest` is that of `package`, its mesh number `mesh` has a DAG.
// Errors: those of PackageView::decode; Validation where sections, pages and manifest do not fit together.
[[nodiscard]] Result<DagModel> read_dag_model(const PackageView& package, const manifest::ManifestT& manifest,
                                              std::uint32_t mesh);

struct MeshDeepReport {
    std::uint32_t mesh = 0;
    std::string name;
    std::uint64_t triangles = 0;  // at full detail
    DeepReport report;
};

// All meshes of a package that have a DAG, one after the other; limits of clusters are those that the manifest states.
// Errors: those of reading, where names the mesh.
[[nodiscard]] Result<std::vector<MeshDeepReport>> validate_dags(std::span<const std::byte> package,
                                                                const DeepOptions& options = {});

// Numbers equal rows of `row_size` bytes, by first occurrence: the points of vertices whose rows hold grid position,
// influences and deltas. Pre: rows.size() is a multiple of row_size, which is not 0.
[[nodiscard]] std::vector<std::uint32_t> number_points(std::span<const std::byte> rows, std::size_t row_size);

}  // namespace sinter
