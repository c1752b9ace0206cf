// Meshes cooked up to their pages, and a second look at the layout that shares no code with the one that makes it.
#pragma once

#include "cooker/cluster/layout.hpp"
#include "cooker/scene.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sinter::test {

struct LaidOut {
    PreparedMesh mesh;
    ClusterDag dag;
    PagedMesh paged;
    bool built = false;  // by the builder: what replaces a group uses vertices of it
};

// Errors fail the test.
[[nodiscard]] LaidOut laid_out(const Mesh& mesh, const EncodedInfluences& influences = {},
                               const ClusterOptions& options = {});

struct LayoutCheck {
    std::vector<std::string> faults;            // the first 20
    std::uint64_t references = 0, foreign = 0;  // of them to vertices of other groups
    std::uint64_t exact_cuts = 0;               // uniform cuts whose vertices were counted
    std::uint32_t most_pages = 0;               // that one cluster's references go to
};

// Coverage and order of groups, clusters and triangles, limits, tables and dependencies, owners by a walk over the DAG, batches,
// and the prefixes at their own errors and at `cuts` errors between them.
[[nodiscard]] LayoutCheck check_layout(const LaidOut& laid, std::uint32_t cuts);

}  // namespace sinter::test
