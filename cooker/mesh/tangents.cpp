#include "cooker/mesh/tangents.hpp"

#include "cooker/mesh/angle.hpp"
#include "cooker/mesh/disjoint_sets.hpp"
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
    face.degenerate = input.grid[a] == input.grid[b] || input.grid[b] == input.grid[c] || input.grid[c] == input.grid[a];
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
std::vector<std::uint32_t> corner_vertices(const TangentInput& input, std::span<const std::uint32_t> vertex_ids,
                                           std::span<const Face> faces) {
    std::vector<std::uint32_t> ids(input.indices.size());
    for (std::size_t c = 0; c < ids.size(); ++c) ids[c] = faces[c / 3].degenerate ? 0 : vertex_ids[input.indices[c]];
    return ids;
}

// Triangles without a UV area take the orientation of a neighbour, breadth first in triangle order.
void spread_orientation(std::span<Face> faces, std::span<const std::uint32_t> mates) {
    std::vector<std::uint32_t> queue;
    const auto spread_from = [&](std::uint32_t t) {
        for (std::uint32_t h = 3 * t; h < 3 * t + 3; ++h) {
            if (mates[h] == kNoHalfEdge) continue;
            Face& neighbour = faces[mates[h] / 3];
            if (neighbour.orientation != Orientation::Unknown) continue;
            neighbour.orientation = faces[t].orientation;
            queue.push_back(mates[h] / 3);
        }
    };
    const auto count = static_cast<std::uint32_t>(faces.size());
    for (std::uint32_t t = 0; t < count; ++t) {
        if (faces[t].along_u != Double3{}) spread_from(t);
    }
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const std::uint32_t t = queue[i];
        spread_from(t);
    }
    for (Face& face : faces) {
        if (face.orientation == Orientation::Unknown) face.orientation = Orientation::Preserving;
    }
}

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
void fill_degenerate(const TangentInput& input, std::span<const Face> faces, std::span<const std::uint32_t> vertex_ids,
                     std::size_t vertex_id_count, std::span<Float4> tangents) {
    std::vector<std::uint32_t> first_corner(vertex_id_count, kNoHalfEdge);
    for (std::uint32_t c = 0; c < tangents.size(); ++c) {
        std::uint32_t& first = first_corner[vertex_ids[input.indices[c]]];
        if (!faces[c / 3].degenerate && first == kNoHalfEdge) first = c;
    }
    for (std::uint32_t c = 0; c < tangents.size(); ++c) {
        if (!faces[c / 3].degenerate) continue;
        const std::uint32_t first = first_corner[vertex_ids[input.indices[c]]];
        tangents[c] = first != kNoHalfEdge
                          ? tangents[first]
                          : tangent_of({}, to_double(input.normals[input.indices[c]]), Orientation::Preserving);
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
    spread_orientation(faces, mates);

    DisjointSets sets(ids.size());
    for (std::uint32_t h = 0; h < mates.size(); ++h) {
        const std::uint32_t mate = mates[h];
        if (mate == kNoHalfEdge || mate < h || faces[h / 3].orientation != faces[mate / 3].orientation) continue;
        sets.unite(h, next_corner(mate));
        sets.unite(next_corner(h), mate);
    }
    std::vector<std::uint32_t> group_of_corner;
    std::vector<Double3> sums(sets.number_sets(group_of_corner));
    for (std::uint32_t c = 0; c < ids.size(); ++c) {
        const Face& face = faces[c / 3];
        if (face.along_u == Double3{}) continue;
        Double3& sum = sums[group_of_corner[c]];
        sum = sum + contribution(input, face, c);
    }
    std::vector<Float4> tangents(ids.size());
    for (std::size_t c = 0; c < tangents.size(); ++c) {
        const Double3 normal = to_double(input.normals[input.indices[c]]);
        tangents[c] = tangent_of(sums[group_of_corner[c]], normal, faces[c / 3].orientation);
    }
    if (any_degenerate) {
        fill_degenerate(input, faces, vertex_ids.unique_of_vertex, vertex_ids.unique_count(), tangents);
    }
    return tangents;
}

}  // namespace sinter
