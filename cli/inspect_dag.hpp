// The cluster DAG of a mesh, as `sinter inspect` shows it.
#pragma once

#include "cli/json_writer.hpp"
#include "cli/package_file.hpp"

#include <cstdint>
#include <string>

namespace sinter {

// The larger of triangle and vertex fill, over all clusters; 0 without clusters.
[[nodiscard]] double cluster_fill(const manifest::ClusterDagT& dag);

// Bytes of the package's sections that belong to this mesh, as stored.
[[nodiscard]] std::uint64_t mesh_stored_bytes(const PackageView& view, std::uint32_t mesh);

// "cluster_dag": {...}; nothing for a mesh without one.
void write_dag_json(JsonWriter& json, const OpenPackage& package, std::uint32_t mesh);

// Lines with the table of levels; empty for a mesh without a DAG. `stable`: without what the codecs decide.
[[nodiscard]] std::string dag_text(const OpenPackage& package, std::uint32_t mesh, bool stable);

}  // namespace sinter
