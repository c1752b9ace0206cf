// Skeletons: the bones behind all skins of a scene, parent before child.
//
// Bones are the distinct joints over all skins, and the nodes between them: a node that is no joint but has
// a joint above and a joint below it (a helper). Skins whose bones are connected, by sharing one or by one
// lying above another, share one skeleton; a skeleton may have several roots. Names are kept as they are and
// may repeat: everything refers by index.
#pragma once

#include "cooker/cooked_asset.hpp"
#include "cooker/issues.hpp"
#include "cooker/scene.hpp"

#include <sinter/formats/result.hpp>

#include <cstdint>
#include <vector>

namespace sinter {

struct Skeletons {
    std::vector<Skeleton> skeletons;  // in the order of the first skin of each
    std::vector<CookedSkin>
        skins;  // one a scene skin, same order; bone_of_joint keeps the file's joint order
};

// Pre: a checked scene (nodes parents first, joints in range; check.hpp). Bones of a skeleton stand in the
// order of their nodes, which is parent before child. leaf_bones counts the bones without a child bone;
// max_depth counts bone parents, 0 for a root. A skeleton is named after its first skin that has a name, else
// after its first bone. Errors: none for a checked scene. Deterministic: a function of nodes and skins alone.
[[nodiscard]] Result<Skeletons> build_skeletons(const Scene& scene, Issues& issues);

// How many bones of a skeleton are no helpers: the distinct joints of its skins.
[[nodiscard]] std::uint32_t joint_bone_count(const Skeleton& skeleton);

}  // namespace sinter
