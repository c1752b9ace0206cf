#include "cooker/mesh/tangents.hpp"

#include "cooker/mesh/angle.hpp"
#include "cooker/mesh/half_edges.hpp"
#include "cooker/mesh/weld.hpp"

#include <cstdint>

namespace sinter {
namespace {

enum class Orientation : std::uint8_t { Unknown, Preserving, Mirrored };

struct Face {
    Double3 along_u;  // unit dP/du; zero where the UVs or the triangle have no area
    Orientation orientation = Orientation::Unknown;
    bool degenerate = false;  // two corners at one position
};

Face face_of(const TangentInput& input, std::size_t triangle) {
    const std::uint32_t a = input.indices[3 * triangle];
    const std::uint32_t b = input.indices[3 * triangle + 1];
    const std::uint32_t c = input.indices[3 * triangle + 2];
    Face face;
    face.degenerate =
        input.grid[a] == input.grid[b] || input.grid[b] == input.grid[c] || input.grid[c] == input.grid[a];
    if (face.degenerate) return face;
    const double u1 = to_double(input.uvs[b].x) - to_double(input.uvs[a].x);
    const double v1 = to_double(input.uvs[b].y) - to_double(input.uvs[a].y);
    const double u2 = to_double(input.uvs[c].x) - to_double(input.uvs[a].x);
    const double v2 = to_double(input.uvs[c].y) - to_double(input.uvs[a].y);
    const double area = u1 * v2 - u2 * v1;
    if (area == 0) return face;
    const Double3 edge1 = to_double(input.positions[b]) - to_double(input.positions[a]);
    const Double3 edge2 = to_double(input.positions[c]) - to_double(input.positions[a]);
    const Double3 along_u = normalized_or_zero(edge1 * v2 - edge2 * v1);
    const Double3 along_v = edge2 * u1 - edge1 * u2;
    if (along_u == Double3{} || along_v == Double3{}) return face;
    // v runs down the picture, so what preserves orientation on the surface has a negative area here.
    face.orientation = area < 0 ? Orientation::Preserving : Orientation::Mirrored;
    face.along_u = area > 0 ? along_u : along_u * -1;
    return face;
}

// Number of the vertex of each corner: equal for the same position, normal and UV. Degenerate triangles get
// three equal numbers, so that none of their edges has a mate.
std::vector<std::uint32_t> corner_vertices(const TangentInput& input,
                                           std::span<const std::uint32_t> vertex_ids,
                                           std::span<const Face> faces) {
    std::vector<std::uint32_t> ids(input.indices.size());
    for (std::size_t c = 0; c < ids.size(); ++c)
        ids[c] = faces[c / 3].degenerate ? 0 : vertex_ids[input.indices[c]];
    return ids;
}

// Which corners share a tangent. `orientation` of triangles without a UV area is set on the way: to that of the
// first group that reaches them.
class Groups {
public:
    Groups(std::span<Face> faces, std::span<const std::uint32_t> mates)
        : faces_(faces), mates_(mates), group_of_corner_(mates.size(), kNoGroup) {
        for (std::uint32_t c = 0; c < mates.size(); ++c) {
            if (faces[c / 3].along_u == Double3{} || group_of_corner_[c] != kNoGroup) continue;
            group_of_corner_[c] = count_;
            walk(c, [&](std::uint32_t at) {
                return mates_[at] == kNoHalfEdge ? kNoHalfEdge : next_corner(mates_[at]);
            });
            walk(c, [&](std::uint32_t at) { return mates_[previous_corner(at)]; });
            ++count_;
        }
    }

    static constexpr std::uint32_t kNoGroup = 0xffffffffU;
    [[nodiscard]] std::uint32_t of(std::uint32_t corner) const { return group_of_corner_[corner]; }
    [[nodiscard]] std::size_t count() const { return count_; }

private:
    // Takes corners around the vertex into the group, until the surface ends, turns over, or was taken.
    template <typename Step>
    void walk(std::uint32_t corner, const Step& step) {
        const Orientation orientation = faces_[corner / 3].orientation;
        for (std::uint32_t at = step(corner); at != kNoHalfEdge; at = step(at)) {
            if (group_of_corner_[at] != kNoGroup) return;
            Face& face = faces_[at / 3];
            if (face.orientation == Orientation::Unknown) face.orientation = orientation;
            if (face.orientation != orientation) return;
            group_of_corner_[at] = count_;
        }
    }

    std::span<Face> faces_;
    std::span<const std::uint32_t> mates_;
    std::vector<std::uint32_t> group_of_corner_;
    std::uint32_t count_ = 0;
};

Double3 project(Double3 v, Double3 normal) { return normalized_or_zero(v - normal * dot(normal, v)); }

// What a corner adds to the tangent of its group.
Double3 contribution(const TangentInput& input, const Face& face, std::uint32_t corner) {
    const std::uint32_t vertex = input.indices[corner];
    const Double3 normal = to_double(input.normals[vertex]);
    const Double3 here = to_double(input.positions[vertex]);
    const Double3 next = to_double(input.positions[input.indices[next_corner(corner)]]) - here;
    const Double3 previous = to_double(input.positions[input.indices[previous_corner(corner)]]) - here;
    const double angle = angle_between(project(next, normal), project(previous, normal));
    return project(face.along_u, normal) * angle;
}

Float4 tangent_of(Double3 sum, Double3 normal, Orientation orientation) {
    const Double3 tangent = normalized_or_zero(sum);
    const bool found = tangent != Double3{};
    const Float3 direction = to_float(found ? tangent : any_perpendicular(normal));
    return {direction.x + 0.0F, direction.y + 0.0F, direction.z + 0.0F,
            found && orientation == Orientation::Mirrored ? -1.0F : 1.0F};
}

// Corners of degenerate triangles: the tangent of the first other corner at their vertex.
void fill_degenerate(const TangentInput& input, std::span<const Face> faces,
                     std::span<const std::uint32_t> vertex_ids, std::size_t vertex_id_count,
                     std::span<Float4> tangents) {
    std::vector<std::uint32_t> first_corner(vertex_id_count, kNoHalfEdge);
    for (std::uint32_t c = 0; c < tangents.size(); ++c) {
        std::uint32_t& first = first_corner[vertex_ids[input.indices[c]]];
        if (!faces[c / 3].degenerate && first == kNoHalfEdge) first = c;
    }
    for (std::uint32_t c = 0; c < tangents.size(); ++c) {
        if (!faces[c / 3].degenerate) continue;
        const std::uint32_t first = first_corner[vertex_ids[input.indices[c]]];
        tangents[c] = first != kNoHalfEdge ? tangents[first]
                                           : tangent_of({}, to_double(input.normals[input.indices[c]]),
                                                        Orientation::Preserving);
    }
}

}  // namespace

std::vector<Float4> make_corner_tangents(const TangentInput& input) {
    std::vector<Face> faces(input.indices.size() / 3);
    bool any_degenerate = false;
    for (std::size_t t = 0; t < faces.size(); ++t) {
        faces[t] = face_of(input, t);
        any_degenerate |= faces[t].degenerate;
    }
    const KeyStream key[] = {key_stream(input.grid), key_stream(input.normals), key_stream(input.uvs)};
    const WeldMap vertex_ids = weld(key, input.positions.size());
    const std::vector<std::uint32_t> ids = corner_vertices(input, vertex_ids.unique_of_vertex, faces);
    const std::vector<std::uint32_t> mates = mate_half_edges(ids, vertex_ids.unique_count());
    const Groups groups(faces, mates);
    std::vector<Double3> sums(groups.count());
    for (std::uint32_t c = 0; c < ids.size(); ++c) {
        const Face& face = faces[c / 3];
        if (face.along_u == Double3{}) continue;
        Double3& sum = sums[groups.of(c)];
        sum = sum + contribution(input, face, c);
    }
    std::vector<Float4> tangents(ids.size());
    for (std::uint32_t c = 0; c < tangents.size(); ++c) {
        const Double3 normal = to_double(input.normals[input.indices[c]]);
        const Double3 sum = groups.of(c) == Groups::kNoGroup ? Double3{} : sums[groups.of(c)];
        tangents[c] = tangent_of(sum, normal, faces[c / 3].orientation);
    }
    if (any_degenerate) {
        fill_degenerate(input, faces, vertex_ids.unique_of_vertex, vertex_ids.unique_count(), tangents);
    }
    return tangents;
}

}  // namespace sinter
