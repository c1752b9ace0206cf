// Every field of every manifest table in the order of schemas/package.fbs, for code that must treat all of
// them alike: the canonical dump, the finite check, the diff. tests/formats/manifest_test.cpp compares
// this list with what flatc knows.
#pragma once

#include <sinter/formats/package_generated.h>

namespace sinter::manifest {

template <typename F>
void visit_fields(const Source& t, F&& f) {
    f("name", t.name());
    f("format", t.format());
    f("generator", t.generator());
}

template <typename F>
void visit_fields(const Library& t, F&& f) {
    f("name", t.name());
    f("version", t.version());
}

template <typename F>
void visit_fields(const Input& t, F&& f) {
    f("name", t.name());
    f("bytes", t.bytes());
    f("sha256", t.sha256());
}

template <typename F>
void visit_fields(const Provenance& t, F&& f) {
    f("source", t.source());
    f("tool", t.tool());
    f("tool_version", t.tool_version());
    f("libraries", t.libraries());
    f("options_json", t.options_json());
    f("options_digest", t.options_digest());
    f("inputs", t.inputs());
}

template <typename F>
void visit_fields(const Issue& t, F&& f) {
    f("code", t.code());
    f("severity", t.severity());
    f("where", t.where());
    f("message", t.message());
    f("count", t.count());
}

template <typename F>
void visit_fields(const Texture& t, F&& f) {
    f("slot", t.slot());
    f("uri", t.uri());
    f("uv_set", t.uv_set());
}

template <typename F>
void visit_fields(const Material& t, F&& f) {
    f("name", t.name());
    f("base_color", t.base_color());
    f("emissive", t.emissive());
    f("metallic", t.metallic());
    f("roughness", t.roughness());
    f("alpha_cutoff", t.alpha_cutoff());
    f("alpha_mode", t.alpha_mode());
    f("double_sided", t.double_sided());
    f("textures", t.textures());
}

template <typename F>
void visit_fields(const Node& t, F&& f) {
    f("name", t.name());
    f("parent", t.parent());
    f("translation", t.translation());
    f("rotation", t.rotation());
    f("scale", t.scale());
    f("matrix", t.matrix());
    f("mesh", t.mesh());
    f("skin", t.skin());
    f("shape_weights", t.shape_weights());
    f("in_scene", t.in_scene());
}

template <typename F>
void visit_fields(const Grid& t, F&& f) {
    f("kind", t.kind());
    f("bits", t.bits());
    f("center", t.center());
    f("step", t.step());
    f("max_error", t.max_error());
}

template <typename F>
void visit_fields(const Bounds& t, F&& f) {
    f("min", t.min());
    f("max", t.max());
    f("center", t.center());
    f("radius", t.radius());
}

template <typename F>
void visit_fields(const Submesh& t, F&& f) {
    f("material", t.material());
    f("first_index", t.first_index());
    f("index_count", t.index_count());
}

template <typename F>
void visit_fields(const NormalInfo& t, F&& f) {
    f("bits", t.bits());
    f("max_error_deg", t.max_error_deg());
    f("made", t.made());
}

template <typename F>
void visit_fields(const TangentInfo& t, F&& f) {
    f("bits", t.bits());
    f("made", t.made());
    f("max_error_deg", t.max_error_deg());
}

template <typename F>
void visit_fields(const Influences& t, F&& f) {
    f("stride", t.stride());
    f("weight_bits", t.weight_bits());
    f("max_source", t.max_source());
    f("max", t.max());
    f("dropped_vertices", t.dropped_vertices());
    f("max_dropped_weight", t.max_dropped_weight());
    f("class_0", t.class_0());
    f("class_1", t.class_1());
    f("class_4", t.class_4());
    f("class_8", t.class_8());
    f("max_posed_error", t.max_posed_error());
}

template <typename F>
void visit_fields(const ShapeFrame& t, F&& f) {
    f("weight", t.weight());
    f("first_record", t.first_record());
    f("record_count", t.record_count());
    f("has_normals", t.has_normals());
    f("has_tangents", t.has_tangents());
}

template <typename F>
void visit_fields(const Shape& t, F&& f) {
    f("name", t.name());
    f("default_weight", t.default_weight());
    f("frames", t.frames());
    f("affected_vertices", t.affected_vertices());
    f("max_delta", t.max_delta());
    f("max_error", t.max_error());
}

template <typename F>
void visit_fields(const ClusterLevel& t, F&& f) {
    f("clusters", t.clusters());
    f("groups", t.groups());
    f("triangles", t.triangles());
    f("stuck_groups", t.stuck_groups());
    f("min_error", t.min_error());
    f("max_error", t.max_error());
}

template <typename F>
void visit_fields(const MeasuredPose& t, F&& f) {
    f("node", t.node());
    f("clip", t.clip());
    f("frame", t.frame());
    f("shape", t.shape());
    f("shape_frame", t.shape_frame());
}

template <typename F>
void visit_fields(const ClusterDag& t, F&& f) {
    f("levels", t.levels());
    f("group_count", t.group_count());
    f("cluster_count", t.cluster_count());
    f("page_count", t.page_count());
    f("hierarchy_node_count", t.hierarchy_node_count());
    f("dependency_count", t.dependency_count());
    f("prefix_count", t.prefix_count());
    f("skin_batch_count", t.skin_batch_count());
    f("max_triangles", t.max_triangles());
    f("max_vertices", t.max_vertices());
    f("stored_triangles", t.stored_triangles());
    f("reference_count", t.reference_count());
    f("root_triangles", t.root_triangles());
    f("root_clusters", t.root_clusters());
    f("clones", t.clones());
    f("resident_bytes", t.resident_bytes());
    f("measured_error", t.measured_error());
    f("poses", t.poses());
    f("measured_poses", t.measured_poses());
    f("pose_scale", t.pose_scale());
}

template <typename F>
void visit_fields(const UvInfo& t, F&& f) {
    f("bits", t.bits());
    f("min_u", t.min_u());
    f("min_v", t.min_v());
    f("step_u", t.step_u());
    f("step_v", t.step_v());
    f("max_error", t.max_error());
}

template <typename F>
void visit_fields(const Mesh& t, F&& f) {
    f("name", t.name());
    f("vertex_count", t.vertex_count());
    f("index_count", t.index_count());
    f("grid", t.grid());
    f("bounds", t.bounds());
    f("submeshes", t.submeshes());
    f("skin", t.skin());
    f("normal", t.normal());
    f("tangent", t.tangent());
    f("uv_sets", t.uv_sets());
    f("has_colors", t.has_colors());
    f("influences", t.influences());
    f("shapes", t.shapes());
    f("point_count", t.point_count());
    f("source_triangles", t.source_triangles());
    f("degenerate_triangles", t.degenerate_triangles());
    f("duplicate_triangles", t.duplicate_triangles());
    f("source_vertices", t.source_vertices());
    f("cluster_dag", t.cluster_dag());
    f("uvs", t.uvs());
}

template <typename F>
void visit_fields(const Skin& t, F&& f) {
    f("name", t.name());
    f("skeleton", t.skeleton());
    f("bone_of_joint", t.bone_of_joint());
}

template <typename F>
void visit_fields(const Bone& t, F&& f) {
    f("name", t.name());
    f("parent", t.parent());
    f("node", t.node());
    f("helper", t.helper());
}

template <typename F>
void visit_fields(const Skeleton& t, F&& f) {
    f("name", t.name());
    f("bones", t.bones());
    f("leaf_bones", t.leaf_bones());
    f("max_depth", t.max_depth());
}

template <typename F>
void visit_fields(const Track& t, F&& f) {
    f("node", t.node());
    f("path", t.path());
    f("step", t.step());
    f("constant", t.constant());
    f("components", t.components());
    f("first_value", t.first_value());
}

template <typename F>
void visit_fields(const Clip& t, F&& f) {
    f("name", t.name());
    f("start_s", t.start_s());
    f("duration_s", t.duration_s());
    f("sample_rate_hz", t.sample_rate_hz());
    f("frame_count", t.frame_count());
    f("tracks", t.tracks());
    f("raw_bytes", t.raw_bytes());
    f("max_translation_error", t.max_translation_error());
    f("max_rotation_error_deg", t.max_rotation_error_deg());
    f("max_scale_error", t.max_scale_error());
    f("max_weight_error", t.max_weight_error());
    f("max_step_error_s", t.max_step_error_s());
}

template <typename F>
void visit_fields(const Manifest& t, F&& f) {
    f("provenance", t.provenance());
    f("issues", t.issues());
    f("nodes", t.nodes());
    f("materials", t.materials());
    f("meshes", t.meshes());
    f("skins", t.skins());
    f("skeletons", t.skeletons());
    f("clips", t.clips());
}

}  // namespace sinter::manifest
