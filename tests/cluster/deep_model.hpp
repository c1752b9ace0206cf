// The model of the deep checks from the builder's DAG, without a package between: vertices by owner, prefixes and a tree are
// made here in the plainest way.
#pragma once

#include "cooker/cluster/dag.hpp"

#include <sinter/formats/deep.hpp>

namespace sinter::test {

[[nodiscard]] DagModel deep_model(const PreparedMesh& mesh, const ClusterDag& dag);

}  // namespace sinter::test
