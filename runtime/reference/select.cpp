#include "runtime/reference/select.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace sinter {
namespace {

// The squares of the smallest and the largest stretch of a linear map: bounds of the eigenvalues of its Gram matrix.
// Exact for rotations with an even scale; else on the safe side (Gershgorin's circles).
std::array<double, 2> stretch_bounds(const Affine3& map) {
    const std::array<Vec3d, 3> columns{Vec3d{map.at(0, 0), map.at(1, 0), map.at(2, 0)},
                                       Vec3d{map.at(0, 1), map.at(1, 1), map.at(2, 1)},
                                       Vec3d{map.at(0, 2), map.at(1, 2), map.at(2, 2)}};
    double least = dot(columns[0], columns[0]);
    double most = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        double off_diagonal = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            if (j != i) off_diagonal += std::abs(dot(columns[i], columns[j]));
        }
        least = std::min(least, dot(columns[i], columns[i]) - off_diagonal);
        most = std::max(most, dot(columns[i], columns[i]) + off_diagonal);
    }
    return {std::max(least, most * 1e-6), most};
}

// mesh_from_world of a point: Cramer's rule.
Vec3d inverse_point(const Affine3& map, Vec3d world) {
    const Vec3d p = world - Vec3d{map.at(0, 3), map.at(1, 3), map.at(2, 3)};
    const std::array<Vec3d, 3> columns{Vec3d{map.at(0, 0), map.at(1, 0), map.at(2, 0)},
                                       Vec3d{map.at(0, 1), map.at(1, 1), map.at(2, 1)},
                                       Vec3d{map.at(0, 2), map.at(1, 2), map.at(2, 2)}};
    const double determinant = dot(columns[0], cross(columns[1], columns[2]));
    return {dot(p, cross(columns[1], columns[2])) / determinant,
            dot(p, cross(columns[2], columns[0])) / determinant,
            dot(p, cross(columns[0], columns[1])) / determinant};
}

// --- the twin: shaders/select.glsl and select_clusters.comp, function by function ---

using gpu::vec3;
using gpu::vec4;

vec3 operator+(vec3 a, vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
vec3 operator-(vec3 a, vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
vec3 operator*(vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
vec3 least(vec3 a, vec3 b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
vec3 most(vec3 a, vec3 b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }
vec3 vec3_of(const std::array<float, 3>& v) { return {v[0], v[1], v[2]}; }
vec3 xyz(vec4 v) { return {v.x, v.y, v.z}; }

float squared_length(vec3 v) { return v.x * v.x + v.y * v.y + v.z * v.z; }
float squared_box_distance(vec3 p, vec3 low, vec3 high) {
    return squared_length(most(most(low - p, p - high), vec3{}));
}

bool is_too_coarse(const gpu::InstanceCut& cut, const gpu::PoseGrid& box, vec3 center, float radius,
                   float error, std::uint32_t level) {
    if (cut.kind == gpu::kCutFull || error >= kNoReplacementError) return true;
    if (cut.kind == gpu::kCutLevel) return level >= cut.level;
    const float reach = error * cut.scale;
    if (cut.kind == gpu::kCutBox) return squared_box_distance(cut.eye, box.low, box.high) < reach * reach;
    const float sum = radius + reach;
    return squared_length(center - cut.eye) < sum * sum;
}

bool is_too_coarse(const gpu::InstanceCut& cut, const gpu::PoseGrid& box, const ClusterGroupRecord& group) {
    return is_too_coarse(cut, box, vec3_of(group.lod_center), group.lod_radius, group.lod_error, group.level);
}

struct TwinBounds {
    vec3 center, reach;
    bool sphere = false;
};

// The choice for one view.
class Twin {
public:
    Twin(const PackageScene& scene, const SceneMotion& motion, const SelectInput& input)
        : scene_(scene), motion_(motion), in_(input), s_(input.selection) {}

    [[nodiscard]] std::vector<gpu::VisibleCluster> select() const {
        std::vector<gpu::VisibleCluster> out;
        std::vector<bool> too_coarse;
        for (std::uint32_t i = 0; i < in_.instances.size(); ++i) {
            const SceneMesh& mesh = scene_.meshes[in_.instances[i].mesh];
            const gpu::PoseGrid box = box_of(i);
            too_coarse.assign(mesh.groups.count, false);
            for (std::uint32_t g = 0; g < mesh.groups.count; ++g)
                too_coarse[g] = is_too_coarse(in_.cuts[i], box, scene_.groups[mesh.groups.first + g]);
            for (std::uint32_t c = mesh.clusters.first; c < mesh.clusters.end(); ++c) {
                const ClusterRecord& cluster = scene_.clusters[c];
                if (!too_coarse[cluster.group]) continue;
                if (cluster.child_group >= 0 && too_coarse[static_cast<std::uint32_t>(cluster.child_group)])
                    continue;
                if (is_culled(i, c)) continue;
                const std::uint32_t page = scene_.page_of_cluster[c];
                out.push_back({i, page, c - scene_.pages[page].first_cluster});
            }
        }
        return out;
    }

private:
    [[nodiscard]] gpu::PoseGrid box_of(std::uint32_t instance) const {
        const std::uint32_t skin = in_.instances[instance].skin;
        return skin == gpu::kNone ? gpu::PoseGrid{} : in_.grids[skin];
    }

    [[nodiscard]] bool is_culled(std::uint32_t instance, std::uint32_t c) const {
        const bool moves = in_.instances[instance].skin != gpu::kNone;
        const TwinBounds bounds =
            moves ? moving_bounds(in_.instances[instance].skin, c) : still_bounds(instance, c);
        return ((s_.cull & gpu::kCullFrustum) != 0 && is_outside(bounds)) ||
               ((s_.cull & gpu::kCullCone) != 0 && is_turned_away(instance, c)) ||
               ((s_.cull & gpu::kCullOcclusion) != 0 && is_occluded(bounds));
    }

    [[nodiscard]] TwinBounds still_bounds(std::uint32_t instance, std::uint32_t c) const {
        vec3 center = vec3_of(scene_.clusters[c].cull_center);
        if (in_.instances[instance].node != gpu::kNone) {
            const gpu::Transform& t = in_.world[in_.instances[instance].node];
            std::array<float, 3> moved{};
            for (std::size_t r = 0; r < 3; ++r)
                moved[r] =
                    t.rows[r].x * center.x + t.rows[r].y * center.y + t.rows[r].z * center.z + t.rows[r].w;
            center = vec3_of(moved);
        }
        const float radius = scene_.clusters[c].cull_radius * in_.cuts[instance].stretch;
        return {center, {radius, radius, radius}, true};
    }

    [[nodiscard]] TwinBounds moving_bounds(std::uint32_t skin_index, std::uint32_t c) const {
        const gpu::SkinnedInstance& skin = motion_.skins[skin_index];
        vec3 low{3.0e38F, 3.0e38F, 3.0e38F};
        vec3 high{-3.0e38F, -3.0e38F, -3.0e38F};
        for (std::uint32_t b = motion_.first_bones[c]; b < motion_.first_bones[c + 1]; ++b) {
            const gpu::ClusterBone& bone = motion_.bones[b];
            vec3 box_low = bone.low;
            vec3 box_high = bone.high;
            if (bone.joint != gpu::kNone) {
                const gpu::Transform& t = in_.palette[skin.first_joint + bone.joint];
                const vec3 center = (bone.low + bone.high) * 0.5F;
                const vec3 half = (bone.high - bone.low) * 0.5F;
                std::array<float, 3> below{};
                std::array<float, 3> above{};
                for (std::size_t r = 0; r < 3; ++r) {
                    const vec4 row = t.rows[r];
                    const float middle = row.x * center.x + row.y * center.y + row.z * center.z + row.w;
                    const float reach =
                        std::abs(row.x) * half.x + std::abs(row.y) * half.y + std::abs(row.z) * half.z;
                    below[r] = middle - reach;
                    above[r] = middle + reach;
                }
                box_low = vec3_of(below);
                box_high = vec3_of(above);
            }
            low = least(low, box_low);
            high = most(high, box_high);
        }
        const float room = 2.0F * in_.grids[skin_index].step;
        return {(low + high) * 0.5F, (high - low) * 0.5F + vec3{room, room, room}, false};
    }

    [[nodiscard]] static float reach_along(const TwinBounds& bounds, vec3 d, float size) {
        if (bounds.sphere) return bounds.reach.x * size;
        return std::abs(d.x) * bounds.reach.x + std::abs(d.y) * bounds.reach.y +
               std::abs(d.z) * bounds.reach.z;
    }
    [[nodiscard]] static float plane_value(vec4 plane, vec3 p) {
        return plane.x * p.x + plane.y * p.y + plane.z * p.z + plane.w;
    }

    [[nodiscard]] bool is_outside(const TwinBounds& bounds) const {
        return std::ranges::any_of(s_.planes, [&](vec4 plane) {
            return plane_value(plane, bounds.center) < -reach_along(bounds, xyz(plane), 1.0F);
        });
    }

    [[nodiscard]] static std::uint32_t exact_floor(float a, float b, std::uint32_t highest) {
        if (!(a > 0)) return 0;
        if (a >= static_cast<float>(highest) * b) return highest;
        std::uint32_t k = std::min(static_cast<std::uint32_t>(a / b), highest);
        for (;;) {
            if (static_cast<float>(k) * b > a && k > 0) --k;
            else if (static_cast<float>(k + 1) * b <= a && k < highest) ++k;
            else return k;
        }
    }
    [[nodiscard]] static std::array<std::uint32_t, 2> pixel_range(float middle, float reach, float near,
                                                                  float far, std::uint32_t size) {
        const float low = middle - reach;
        const float high = middle + reach;
        const float low_depth = low < 0 ? near : far;
        const float high_depth = high < 0 ? far : near;
        const float half = 0.5F * static_cast<float>(size);
        return {exact_floor((low + low_depth) * half, low_depth, size - 1),
                exact_floor((high + high_depth) * half, high_depth, size - 1)};
    }

    [[nodiscard]] bool is_occluded(const TwinBounds& bounds) const {
        const vec4* rows = s_.clip_from_world;
        const float w = plane_value(rows[3], bounds.center);
        const float w_reach = reach_along(bounds, xyz(rows[3]), s_.clip_lengths.z);
        const float near = w - w_reach;
        const float far = w + w_reach;
        if (near <= s_.near_plane) return false;
        const auto x = pixel_range(plane_value(rows[0], bounds.center),
                                   reach_along(bounds, xyz(rows[0]), s_.clip_lengths.x), near, far, s_.width);
        const auto y =
            pixel_range(plane_value(rows[1], bounds.center),
                        reach_along(bounds, xyz(rows[1]), s_.clip_lengths.y), near, far, s_.height);
        std::uint32_t level = 0;
        while ((x[1] >> level) - (x[0] >> level) > 1 || (y[1] >> level) - (y[0] >> level) > 1) ++level;
        std::uint32_t row = s_.width;
        for (std::uint32_t i = 0; i < level; ++i) row = (row + 1) / 2;
        float farthest = 1;
        for (std::uint32_t py = y[0] >> level; py <= y[1] >> level; ++py) {
            for (std::uint32_t px = x[0] >> level; px <= x[1] >> level; ++px)
                farthest =
                    std::min(farthest, in_.pyramid[s_.pyramid_first[level] + std::size_t{py} * row + px]);
        }
        return s_.near_plane * 1.00001F < farthest * near;
    }

    [[nodiscard]] static bool faces_away(ConeRecord cone, vec3 apart, float radius) {
        const vec3 axis{static_cast<float>(cone.axis[0]), static_cast<float>(cone.axis[1]),
                        static_cast<float>(cone.axis[2])};
        const auto cutoff = static_cast<float>(cone.cutoff);
        const float along = apart.x * axis.x + apart.y * axis.y + apart.z * axis.z;
        const float margin = along - 127.0F * radius;
        const float limit = cutoff * cutoff * squared_length(apart);
        if (cutoff >= 0) return margin >= 0 && margin * margin >= limit;
        return margin >= 0 || margin * margin <= limit;
    }

    [[nodiscard]] bool is_turned_away(std::uint32_t instance, std::uint32_t c) const {
        const ClusterRecord& cluster = scene_.clusters[c];
        const auto material = static_cast<std::size_t>(std::int64_t{cluster.material} + 1);
        if (cluster.cone.cutoff == 127 || scene_.materials[material].double_sided != 0) return false;
        const vec3 center = vec3_of(cluster.cull_center);
        const vec3 eye = in_.cuts[instance].eye;
        const std::uint32_t skin = in_.instances[instance].skin;
        if (skin == gpu::kNone) return faces_away(cluster.cone, center - eye, cluster.cull_radius);
        const std::uint32_t bone = motion_.first_bones[c];
        if (motion_.first_bones[c + 1] != bone + 1 || motion_.bones[bone].joint == gpu::kNone) return false;
        const gpu::Transform& t = in_.palette[motion_.skins[skin].first_joint + motion_.bones[bone].joint];
        const vec3 x = xyz(t.rows[0]);
        const vec3 y = xyz(t.rows[1]);
        const vec3 z = xyz(t.rows[2]);
        const auto cross_of = [](vec3 a, vec3 b) {
            return vec3{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
        };
        const vec3 yz = cross_of(y, z);
        const vec3 zx = cross_of(z, x);
        const vec3 xy = cross_of(x, y);
        const float determinant = x.x * yz.x + x.y * yz.y + x.z * yz.z;
        if (!(determinant > 0)) return false;
        const vec3 e = eye - vec3{t.rows[0].w, t.rows[1].w, t.rows[2].w};
        const vec3 eye_in_mesh = yz * e.x + zx * e.y + xy * e.z;
        return faces_away(cluster.cone, center * determinant - eye_in_mesh,
                          cluster.cull_radius * determinant);
    }

    const PackageScene& scene_;
    const SceneMotion& motion_;
    const SelectInput& in_;
    const gpu::Selection& s_;
};

}  // namespace

gpu::InstanceCut still_cut(const Camera& camera, const Affine3& world_from_mesh) {
    gpu::InstanceCut out{};
    out.eye = vec3_of(inverse_point(world_from_mesh, camera.eye));
    // A hair more, so that rounding makes no sphere smaller.
    out.stretch = static_cast<float>(std::sqrt(stretch_bounds(world_from_mesh)[1]) * (1 + 1e-6));
    return out;
}

gpu::InstanceCut moving_cut(const Camera& camera) {
    gpu::InstanceCut out{};
    out.eye = vec3_of(camera.eye);
    out.stretch = 1;
    return out;
}

void set_pixels(gpu::InstanceCut& cut, const Camera& camera, const Affine3& world_from_mesh, double pixels) {
    const auto [least_square, most_square] = stretch_bounds(world_from_mesh);
    cut.kind = gpu::kCutPixels;
    cut.scale =
        static_cast<float>(camera.pixels_per_radian() / pixels * std::sqrt(most_square / least_square));
}

void set_pixels_of_box(gpu::InstanceCut& cut, const Camera& camera, double world_scale, double pixels) {
    cut.kind = gpu::kCutBox;
    cut.scale = static_cast<float>(camera.pixels_per_radian() / pixels * world_scale);
}

std::vector<gpu::VisibleCluster> select_clusters(const PackageScene& scene, const SceneMotion& motion,
                                                 const SelectInput& input) {
    assert(input.cuts.size() == input.instances.size());
    return Twin(scene, motion, input).select();
}

std::uint32_t vertex_prefix(const SceneMotion& motion, const gpu::SkinnedInstance& skin,
                            const gpu::InstanceCut& cut, const gpu::PoseGrid& box) {
    std::uint32_t p = 0;
    while (p + 1 < skin.prefix_count &&
           is_too_coarse(cut, box, {}, 0, motion.prefixes[skin.first_prefix + p].lod_error, 0xFFFFFFFFU))
        ++p;
    return motion.prefixes[skin.first_prefix + p].vertex_count;
}

}  // namespace sinter
