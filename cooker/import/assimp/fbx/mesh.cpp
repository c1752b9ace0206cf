#include "cooker/import/assimp/fbx/mesh.hpp"

#include "cooker/import/assimp/fbx/layer.hpp"
#include "cooker/import/assimp/polygon.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sinter::fbx {
namespace {

// The layers that are used, and what they were called in the file.
struct Layers {
    std::optional<Layer> normals, tangents, binormals, colors;
    std::vector<Layer> uvs;
};

Layers layers_of(const Node& geometry) {
    Layers out;
    const auto keep_first = [](std::optional<Layer>& slot, Layer layer) {
        if (!slot && layer.usable()) slot = std::move(layer);
    };
    for (const Node& child : geometry.children) {
        if (child.name == "LayerElementNormal")
            keep_first(out.normals, {child, "Normals", "NormalsIndex", 3});
        if (child.name == "LayerElementTangent")
            keep_first(out.tangents, {child, "Tangents", "TangentsIndex", 3});
        if (child.name == "LayerElementBinormal") {
            keep_first(out.binormals, {child, "Binormals", "BinormalsIndex", 3});
        }
        if (child.name == "LayerElementColor") keep_first(out.colors, {child, "Colors", "ColorIndex", 4});
        if (child.name == "LayerElementUV") {
            Layer layer(child, "UV", "UVIndex", 2);
            if (layer.usable()) out.uvs.push_back(std::move(layer));
        }
    }
    return out;
}

Float3 unit_or_zero(Double3 v) {
    const double norm = length(v);
    return norm > 0 ? to_float(v * (1.0 / norm)) : to_float(v);
}

class MeshReader {
public:
    MeshReader(const Objects& objects, std::size_t geometry, const DoubleTrs& geometric,
               std::string_view file_name, Issues& issues)
        : object_(objects.list()[geometry]),
          geometric_(affine_of(geometric)),
          file_name_(file_name),
          issues_(issues),
          layers_(layers_of(*object_.node)),
          points_(reals_of(object_.node->find("Vertices"))),
          corners_(integers_of(object_.node->find("PolygonVertexIndex"))) {
        // Normals go through the inverse transpose, whose direction is the cofactor matrix (times the sign).
        const Double3 s = geometric.scale;
        const Double3 cofactors{s.y * s.z, s.x * s.z, s.x * s.y};
        mirrored_ = s.x * s.y * s.z < 0;
        const DoubleTrs turned{{}, geometric.rotation, mirrored_ ? cofactors * -1.0 : cofactors};
        normals_by_ = affine_of(turned);
    }

    Result<PolygonMesh> read() {
        out_.mesh.name = object_.name;
        out_.mesh.source_vertices = points_.size() / 3;
        if (points_.size() % 3 != 0)
            return refuse(fmt::format("{} coordinates are no whole points", points_.size()));
        SINTER_TRY(find_slots());
        std::size_t first = 0;
        for (std::size_t polygon = 0; first < corners_.size(); ++polygon) {
            std::size_t end = first;
            while (end < corners_.size() && corners_[end] >= 0) ++end;
            if (end == corners_.size()) return refuse(fmt::format("polygon {} has no end", polygon));
            SINTER_TRY(add_polygon(polygon, first, end + 1));
            first = end + 1;
        }
        return std::move(out_);
    }

private:
    Error refuse(std::string message) const {
        return {ErrorKind::InvalidInput, fmt::format("{}: {}", file_name_, describe(object_)),
                std::move(message), "export the file again",
                static_cast<std::uint16_t>(IssueCode::IndexOutOfRange)};
    }

    // Material slots, one a polygon; a primitive for each slot in use, ascending.
    Result<Unit> find_slots() {
        const auto polygons = static_cast<std::size_t>(
            std::ranges::count_if(corners_, [](std::int64_t corner) { return corner < 0; }));
        slot_of_polygon_.assign(polygons, 0);
        if (const Node* element = object_.node->find("LayerElementMaterial")) {
            const std::vector<std::int64_t> slots = integers_of(element->find("Materials"));
            const Node* mapping = element->find("MappingInformationType");
            const bool by_polygon = mapping != nullptr && text_at(*mapping, 0) == "ByPolygon";
            if (by_polygon && slots.size() < polygons) {
                return refuse(fmt::format("{} polygons have {} material indices", polygons, slots.size()));
            }
            for (std::size_t i = 0; i < polygons && !slots.empty(); ++i) {
                slot_of_polygon_[i] =
                    static_cast<std::size_t>(std::max<std::int64_t>(slots[by_polygon ? i : 0], 0));
            }
        }
        for (const std::size_t slot : slot_of_polygon_) primitive_of_slot_.emplace(slot, 0);
        for (auto& [slot, primitive] : primitive_of_slot_) {
            primitive = out_.slots.size();
            out_.slots.push_back(slot);
        }
        out_.mesh.primitives.resize(out_.slots.size());
        for (Primitive& primitive : out_.mesh.primitives) primitive.uv_sets.resize(layers_.uvs.size());
        return Unit{};
    }

    Result<Unit> add_polygon(std::size_t polygon, std::size_t first, std::size_t end) {
        if (end - first < 3) {
            issues_.add(IssueCode::PointsOrLines, describe(object_),
                        "polygons with one or two corners are left out: only triangles are cooked");
            return Unit{};
        }
        const std::size_t which = primitive_of_slot_.at(slot_of_polygon_[polygon]);
        Primitive& primitive = out_.mesh.primitives[which];
        const auto base = static_cast<std::uint32_t>(primitive.positions.size());
        std::vector<Double3> ring;
        for (std::size_t corner = first; corner < end; ++corner) {
            const std::int64_t raw = corners_[corner];
            const auto point = static_cast<std::uint64_t>(raw < 0 ? -(raw + 1) : raw);
            if (point >= points_.size() / 3) {
                return refuse(fmt::format("polygon {} uses point {}, there are {}", polygon, point,
                                          points_.size() / 3));
            }
            primitive.source_vertex.push_back(static_cast<std::uint32_t>(point));
            ring.push_back(transform_point(geometric_, point_at(point)));
            primitive.positions.push_back(to_float(ring.back()));
            SINTER_TRY(add_attributes(primitive, {static_cast<std::size_t>(point), corner, polygon}));
        }
        triangles_.clear();
        triangulate(ring, triangles_);
        out_.mesh.source_triangles += triangles_.size();
        for (const auto& [a, b, c] : triangles_) {
            primitive.indices.push_back(base + a);
            primitive.indices.push_back(base + (mirrored_ ? c : b));
            primitive.indices.push_back(base + (mirrored_ ? b : c));
        }
        return Unit{};
    }

    [[nodiscard]] Double3 point_at(std::uint64_t point) const {
        const std::size_t at = static_cast<std::size_t>(point) * 3;
        return {points_[at], points_[at + 1], points_[at + 2]};
    }

    Result<Unit> add_attributes(Primitive& primitive, const CornerPlace& place) {
        std::array<double, 4> v{};
        const auto read_layer = [&](const Layer& layer, std::string_view what) -> Result<Unit> {
            if (layer.at(place, v)) return Unit{};
            return refuse(fmt::format("{} of corner {} lie past the end of their layer", what, place.corner));
        };
        Double3 normal;
        if (layers_.normals) {
            SINTER_TRY(read_layer(*layers_.normals, "normals"));
            normal = transform_vector(normals_by_, {v[0], v[1], v[2]});
            primitive.normals.push_back(unit_or_zero(normal));
        }
        if (layers_.normals && layers_.tangents) {
            SINTER_TRY(read_layer(*layers_.tangents, "tangents"));
            const Double3 tangent = transform_vector(geometric_, {v[0], v[1], v[2]});
            double side = 1;
            if (layers_.binormals) {
                SINTER_TRY(read_layer(*layers_.binormals, "binormals"));
                const Double3 binormal = transform_vector(geometric_, {v[0], v[1], v[2]});
                side = dot(cross(normal, tangent), binormal) < 0 ? -1 : 1;
            }
            const Float3 unit = unit_or_zero(tangent);
            primitive.tangents.push_back({unit.x, unit.y, unit.z, static_cast<float>(side)});
        }
        for (std::size_t set = 0; set < layers_.uvs.size(); ++set) {
            SINTER_TRY(read_layer(layers_.uvs[set], "UVs"));
            // FBX counts V from the bottom.
            primitive.uv_sets[set].push_back({static_cast<float>(v[0]), static_cast<float>(1 - v[1])});
        }
        if (layers_.colors) {
            SINTER_TRY(read_layer(*layers_.colors, "colours"));
            primitive.colors.push_back({static_cast<float>(v[0]), static_cast<float>(v[1]),
                                        static_cast<float>(v[2]), static_cast<float>(v[3])});
        }
        return Unit{};
    }

    const Object& object_;
    Affine geometric_;
    Affine normals_by_;
    bool mirrored_ = false;
    std::string_view file_name_;
    Issues& issues_;
    Layers layers_;
    std::vector<double> points_;
    std::vector<std::int64_t> corners_;
    std::vector<std::size_t> slot_of_polygon_;
    std::map<std::size_t, std::size_t> primitive_of_slot_;
    std::vector<std::array<std::uint32_t, 3>> triangles_;
    PolygonMesh out_;
};

}  // namespace

Result<PolygonMesh> read_mesh(const Objects& objects, std::size_t geometry, const DoubleTrs& geometric,
                              std::string_view file_name, Issues& issues) {
    return MeshReader(objects, geometry, geometric, file_name, issues).read();
}

}  // namespace sinter::fbx
