// Inside of check.cpp: one function a kind of thing, each refusing or repairing in place. The order matters:
// nodes first (indices in range), then skins, meshes, clips; names last.
#pragma once

#include "cooker/issues.hpp"
#include "cooker/scene.hpp"

#include <sinter/formats/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::check {

// Positions and deltas beyond this are refused as if they were not finite: squared lengths of them and sums
// of a few such squares stay far from the end of float.
inline constexpr float kMaxCoordinate = 1e15F;

// "mesh 3 'Head'", or "mesh 3" without a name.
[[nodiscard]] std::string place(std::string_view noun, std::size_t index, std::string_view name);

// An InvalidInput error with a check's number; `where` is a place in the scene, the file name is put before
// it.
[[nodiscard]] Error refusal(const Scene& scene, IssueCode code, std::string_view where, std::string message,
                            std::string remedy);

// Counts repairs of one kind and remembers the first place; tell() makes one Issue of them, if any.
struct Tally {
    std::uint64_t count = 0;
    std::string first;
    template <typename Place>
    void add(Place&& place_of, std::uint64_t more = 1) {
        if (count == 0) first = place_of();
        count += more;
    }
    void tell(Issues& issues, IssueCode code, std::string message) const {
        if (count > 0) issues.add(code, first, std::move(message), count);
    }
};

// How a mesh is drawn, over all nodes.
struct MeshUse {
    bool drawn = false;
    bool skinned = false;          // by at least one node with a skin
    std::size_t joint_limit = 0;   // joints must be below this: the fewest joints of its skins
    std::uint32_t root_joint = 0;  // of its first skin: what vertices without weights are bound to
};

// x y z w to unit length, as they are where only rounding is off; false (and unchanged) when the length is 0.
[[nodiscard]] bool normalize_rotation(float* xyzw, double& length);

Result<Unit> check_nodes(Scene& scene, Issues& issues);
Result<Unit> check_skins(Scene& scene, Issues& issues);
std::vector<MeshUse> mesh_uses(const Scene& scene);
Result<Unit> check_mesh(Scene& scene, std::size_t index, const MeshUse& use, Issues& issues);
Result<Unit> check_influences(Scene& scene, std::size_t index, const MeshUse& use, Issues& issues);
Result<Unit> check_clip(Scene& scene, std::size_t index, Issues& issues);
void check_materials(Scene& scene, Issues& issues);
void check_names(const Scene& scene, Issues& issues);

}  // namespace sinter::check
