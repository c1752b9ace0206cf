// COLLADA text before Assimp reads it: what Assimp loses is taken from the XML, and the text is written again in a
// form that Assimp 5.2 accepts and whose names lead back to the XML.
#pragma once

#include "cooker/import/assimp/affine.hpp"

#include <sinter/formats/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

inline constexpr int kMaxXmlDepth = 512;

struct ColladaNode {
    std::string name;                       // its name, else its id, else its sid
    std::vector<std::int32_t> controllers;  // instantiated here, in order
};

struct ColladaGeometry {
    std::string name;
    std::uint64_t positions = 0;  // what the "POSITION" source holds
    std::vector<std::uint32_t>
        corners;  // the position of each corner, of skinned ones (collada_geometry.hpp)
};

// A skin. joint_nodes[i] is the node that joint i is, or -1 where no instance says.
struct ColladaSkin {
    std::string name;
    std::int32_t geometry = -1;
    std::vector<std::string> joint_names;
    bool joints_are_ids = false;  // else sids
    std::vector<std::int32_t> joint_nodes;
    std::vector<Affine> bone_from_mesh;  // INV_BIND_MATRIX * bind_shape_matrix
};

struct ColladaClip {
    std::string name;
    double start_s = 0;
    std::optional<double> end_s;
};

struct ColladaText {
    std::string text;  // for Assimp: no blanks around texts, ids as below
    double unit_m = 1;
    std::string up_axis = "Y_UP";
    std::string generator;
    std::vector<ColladaNode> nodes;           // node i has the id "sinter_node_i"
    std::vector<ColladaGeometry> geometries;  // "sinter_geometry_i"
    std::vector<ColladaSkin> skins;           // by the index of the controller; morphs have no joints
    std::vector<ColladaClip> clips;           // as declared
    std::uint64_t curved_samplers = 0;        // with BEZIER, HERMITE, ... that Assimp reads as straight
};

// In the new text, joint j of a skin is called "sinter_joint_j", which no node is, so that equal sids and names
// cannot lead to the wrong one; a geometry that nothing shows is shown by a node "sinter_unused_i" at the end of
// the visual scene.
// Errors: InvalidInput (where: file and byte or element): XML that does not parse or is nested deeper than
// kMaxXmlDepth, joints that no node has, matrices and weights that do not fit their counts.
[[nodiscard]] Result<ColladaText> prepare_collada(std::span<const std::byte> bytes,
                                                  std::string_view file_name);

// The number behind one of the prefixes above, or -1.
[[nodiscard]] std::int32_t number_after(std::string_view prefix, std::string_view id);

inline constexpr std::string_view kNodePrefix = "sinter_node_";
inline constexpr std::string_view kGeometryPrefix = "sinter_geometry_";
inline constexpr std::string_view kControllerPrefix = "sinter_controller_";
inline constexpr std::string_view kJointPrefix = "sinter_joint_";
inline constexpr std::string_view kUnusedPrefix = "sinter_unused_";

}  // namespace sinter
