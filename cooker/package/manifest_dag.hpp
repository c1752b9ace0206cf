// What the manifest says of a mesh's cluster DAG. Internal to this folder.
#pragma once

#include "cooker/cooked_asset.hpp"

#include <sinter/formats/manifest.hpp>

#include <memory>

namespace sinter {

// Null where the mesh has none.
[[nodiscard]] std::unique_ptr<manifest::ClusterDagT> manifest_dag_of(const ClusteredMesh& clustered,
                                                                     const ClusterOptions& options);

}  // namespace sinter
