// What the checks of a cluster DAG share. Internal to formats.
#pragma once

#include "verify_bounds.hpp"
#include "verify_context.hpp"

#include <sinter/formats/cluster_records.hpp>
#include <sinter/formats/page.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace sinter {

// A cluster as its page has it, as far as later checks need it.
struct ClusterFact {
    Point cull_center{};
    float cull_radius = 0;
    std::uint32_t page = 0;
    std::uint32_t group = 0;
    std::int32_t child_group = -1;
    std::int32_t material = -1;
    std::uint32_t triangles = 0;
    std::uint32_t vertices = 0;
    std::uint32_t last_vertex = 0;  // the largest that it uses
};

// The tables of a mesh's DAG as they were loaded, and its clusters in the order of the pages.
struct DagFacts {
    const manifest::MeshT& mesh;
    const manifest::ClusterDagT& dag;
    std::uint32_t index = 0;  // of the mesh
    std::string where;
    std::vector<ClusterGroupRecord> groups;
    std::vector<ClusterHierarchyNode> hierarchy;
    std::vector<ClusterPageRecord> pages;
    std::vector<std::uint32_t> dependencies;
    std::vector<ClusterPrefixRecord> prefixes;
    std::vector<ClusterFact> clusters;

    [[nodiscard]] std::string in(std::string_view section) const { return cat(where, ", ", section); }
};

// Decodes each page and holds it against its record; fills facts.clusters and holds the mesh's bounds against the vertices.
// False where pages or their records are so wrong that the other checks would only repeat it.
[[nodiscard]] bool verify_pages(VerifyContext& context, DagFacts& facts);

// Groups cover the clusters of the pages in their order; false where they do not.
[[nodiscard]] bool verify_group_ranges(VerifyContext& context, const DagFacts& facts);
// Levels and links, ends, errors, bounds. Pre: verify_group_ranges. False where links lead nowhere.
[[nodiscard]] bool verify_groups(VerifyContext& context, const DagFacts& facts);
void verify_hierarchy(VerifyContext& context, const DagFacts& facts);
// Pre for both: verify_groups.
void verify_prefixes(VerifyContext& context, const DagFacts& facts);
void verify_dag_statistics(VerifyContext& context, const DagFacts& facts);

}  // namespace sinter
