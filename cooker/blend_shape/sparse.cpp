#include "cooker/blend_shape/sparse.hpp"

#include <fmt/format.h>

namespace sinter {
namespace {

using Attribute = std::vector<Float3> ShapeDeltas::*;

// One attribute of one frame over all primitives.
class FrameDeltas {
public:
    FrameDeltas(const Mesh& mesh, std::size_t frame, Attribute attribute)
        : of_primitive_(mesh.primitives.size()) {
        for (std::size_t p = 0; p < of_primitive_.size(); ++p) {
            const auto& frames = mesh.primitives[p].shape_frames;
            if (frame < frames.size()) of_primitive_[p] = frames[frame].*attribute;
            present_ = present_ || !of_primitive_[p].empty();
        }
    }

    [[nodiscard]] bool present() const { return present_; }

    [[nodiscard]] Float3 at(SourceVertex v) const {
        const std::span<const Float3> own = of_primitive_[v.primitive];
        if (own.empty()) return {};
        const Float3 delta = own[v.vertex];
        return {delta.x + 0.0F, delta.y + 0.0F, delta.z + 0.0F};
    }

private:
    std::vector<std::span<const Float3>> of_primitive_;
    bool present_ = false;
};

SparseShapeFrame sparse_frame(const Mesh& mesh, std::size_t frame, float weight,
                              std::span<const SourceVertex> vertices) {
    const FrameDeltas positions(mesh, frame, &ShapeDeltas::positions);
    const FrameDeltas normals(mesh, frame, &ShapeDeltas::normals);
    const FrameDeltas tangents(mesh, frame, &ShapeDeltas::tangents);
    SparseShapeFrame sparse;
    sparse.weight = weight;
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
        const Float3 position = positions.at(vertices[v]);
        const Float3 normal = normals.at(vertices[v]);
        const Float3 tangent = tangents.at(vertices[v]);
        if (position == Float3{} && normal == Float3{} && tangent == Float3{}) continue;
        sparse.vertices.push_back(v);
        sparse.positions.push_back(position);
        if (normals.present()) sparse.normals.push_back(normal);
        if (tangents.present()) sparse.tangents.push_back(tangent);
    }
    return sparse;
}

}  // namespace

std::vector<PreparedShape> sparse_shapes(const Mesh& mesh, std::span<const SourceVertex> vertices,
                                         std::string_view subject, Issues& issues) {
    std::vector<PreparedShape> shapes;
    shapes.reserve(mesh.shapes.size());
    std::size_t frame = 0;
    for (std::size_t s = 0; s < mesh.shapes.size(); ++s) {
        const BlendShape& source = mesh.shapes[s];
        PreparedShape shape{source.name, source.default_weight, {}};
        bool moves = false;
        for (const float weight : source.frame_weights) {
            shape.frames.push_back(sparse_frame(mesh, frame++, weight, vertices));
            moves = moves || !shape.frames.back().vertices.empty();
        }
        if (!moves) {
            issues.add(IssueCode::EmptyBlendShape, subject,
                       fmt::format("blend shape {} '{}' moves no vertex; it is kept, empty", s, source.name));
        }
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

}  // namespace sinter
