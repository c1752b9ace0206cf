// Scene: what an importer hands over. One convention for every format: right-handed, +Y up, metres,
// seconds; triangles counter-clockwise seen from their front. Names are kept as they are in the file
// and are never used as keys: everything inside refers by index.
#pragma once

#include "cooker/math.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinter {

inline constexpr std::int32_t kNone = -1;

struct TextureRef {
    std::string slot;  // "base_color", "metallic_roughness", "normal", "occlusion", "emissive"
    std::string uri;   // as in the file, percent-decoded; "buffer_view:N" for an embedded picture
    std::uint32_t uv_set = 0;
};

enum class AlphaMode : std::uint8_t { Opaque, Mask, Blend };

struct Material {
    std::string name;
    Float4 base_color{1, 1, 1, 1};
    Float3 emissive;
    float metallic = 1;
    float roughness = 1;
    float alpha_cutoff = 0.5F;
    AlphaMode alpha_mode = AlphaMode::Opaque;
    bool double_sided = false;
    std::vector<TextureRef> textures;
};

// One (joint, weight) pair; `joint` indexes Skin::joints of the skin that the mesh is drawn with.
struct Influence {
    std::uint32_t joint = 0;
    float weight = 0;
    bool operator==(const Influence&) const = default;
};

// Dense deltas of one blend-shape frame over one primitive's vertices. Empty = the source has none.
struct ShapeDeltas {
    std::vector<Float3> positions;
    std::vector<Float3> normals;
    std::vector<Float3> tangents;
};

// Triangles of one material. All per-vertex arrays are empty or have vertex_count() entries.
struct Primitive {
    std::int32_t material = kNone;
    std::vector<std::uint32_t> indices;  // 3 a triangle; degenerate ones are still there
    std::vector<Float3> positions;
    std::vector<Float3> normals;
    std::vector<Float4> tangents;              // w = +1 or -1: bitangent = w * cross(normal, tangent)
    std::vector<std::vector<Float2>> uv_sets;  // glTF's convention: (0,0) is the top left
    std::vector<Float4> colors;
    std::vector<std::uint32_t> influence_offsets;  // vertex_count() + 1, or empty without a skin
    std::vector<Influence> influences;             // of vertex v: [offsets[v], offsets[v + 1]), file order
    // Index in the mesh's own vertex list of each vertex where the file has one list for all corners (control
    // points of FBX and COLLADA), so that repairs count what the file has; empty: each vertex is its own.
    std::vector<std::uint32_t> source_vertex;
    std::vector<ShapeDeltas> shape_frames;  // one for each frame of each of the mesh's shapes, in order
    [[nodiscard]] std::size_t vertex_count() const { return positions.size(); }
};

// A named blend shape. `frame_weights` are ascending, and the last one is the full weight (1);
// in-betweens come before it. Deltas are relative to the base mesh, not to the frame before.
struct BlendShape {
    std::string name;
    float default_weight = 0;
    std::vector<float> frame_weights{1.0F};
};

// One source mesh with all its primitives (glTF mesh, FBX or COLLADA geometry, OBJ object).
struct Mesh {
    std::string name;
    std::vector<Primitive> primitives;
    std::vector<BlendShape> shapes;
    std::uint64_t source_triangles = 0;  // after triangulation, degenerate ones included
    std::uint64_t source_vertices = 0;   // as the file counts them (control points where it has them)
};

struct Skin {
    std::string name;
    std::vector<std::int32_t> joints;    // node indices
    std::vector<Mat3x4> bone_from_mesh;  // inverse bind matrices, one a joint
};

// Parents may come after their children in the list; there are no cycles.
struct Node {
    std::string name;
    std::int32_t parent = kNone;
    Trs local;
    std::optional<Mat3x4> local_matrix;  // where the file's matrix has shear that a Trs cannot hold
    std::int32_t mesh = kNone;
    std::int32_t skin = kNone;
    std::vector<float> shape_weights;  // overrides of the mesh's default weights, or empty
    bool in_scene = true;              // reachable from the scene that is shown
};

enum class TrackPath : std::uint8_t { Translation, Rotation, Scale, Weights };
enum class Interpolation : std::uint8_t { Step, Linear, CubicSpline };

// Keys of one property of one node. Component count: 3, 4, 3, or the number of blend shapes.
// values holds times.size() * components floats; for CubicSpline three times as many, in the order
// in-tangent, value, out-tangent for each key (glTF 2.0, appendix C).
struct Channel {
    std::int32_t node = kNone;
    TrackPath path = TrackPath::Translation;
    Interpolation interpolation = Interpolation::Linear;
    std::uint32_t components = 3;
    std::vector<float> times;  // seconds, strictly rising once checked
    std::vector<float> values;
};

struct Clip {
    std::string name;
    std::vector<Channel> channels;
    double start_s = 0;         // first key over all channels
    double end_s = 0;           // last key over all channels
    double source_rate_hz = 0;  // the file's frame rate where it names one, else 0
};

struct SourceInfo {
    std::string name;       // file name without folders
    std::string format;     // "gltf", "glb", "fbx", "dae", "obj", "ply", "stl"
    std::string generator;  // what the file says wrote it, or empty
};

struct Scene {
    SourceInfo source;
    std::vector<Node> nodes;
    std::vector<Mesh> meshes;
    std::vector<Material> materials;
    std::vector<Skin> skins;
    std::vector<Clip> clips;
};

}  // namespace sinter
