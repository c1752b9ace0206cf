#include "cooker/import/assimp/fbx/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinter::fbx {
namespace {

Error refuse(std::string_view file_name, const Object& object, std::string message, IssueCode code) {
    return {ErrorKind::InvalidInput, fmt::format("{}: {}", file_name, describe(object)), std::move(message),
            "export the file again", static_cast<std::uint16_t>(code)};
}

struct PointWeight {
    std::uint32_t point = 0;
    std::size_t order = 0;  // in the file
    Influence influence;
};

Result<Unit> read_weights(const Object& cluster, std::uint32_t joint, std::uint64_t points,
                          std::string_view file_name, std::vector<PointWeight>& out) {
    const std::vector<std::int64_t> indices = integers_of(cluster.node->find("Indexes"));
    const std::vector<double> weights = reals_of(cluster.node->find("Weights"));
    if (indices.size() != weights.size()) {
        return refuse(file_name, cluster,
                      fmt::format("{} points have {} weights", indices.size(), weights.size()),
                      IssueCode::IndexOutOfRange);
    }
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (indices[i] < 0 || static_cast<std::uint64_t>(indices[i]) >= points) {
            return refuse(file_name, cluster,
                          fmt::format("moves point {}, the mesh has {}", indices[i], points),
                          IssueCode::IndexOutOfRange);
        }
        out.push_back(
            {static_cast<std::uint32_t>(indices[i]), out.size(), {joint, static_cast<float>(weights[i])}});
    }
    return Unit{};
}

// Spreads influences of control points over the vertices that were made from them, in the order of the clusters.
void add_influences(PolygonMesh& mesh, std::vector<PointWeight> weights) {
    std::ranges::sort(weights, {}, [](const PointWeight& w) { return std::pair(w.point, w.order); });
    std::vector<std::size_t> first(static_cast<std::size_t>(mesh.mesh.source_vertices) + 1, 0);
    for (const PointWeight& w : weights) ++first[w.point + 1];
    for (std::size_t p = 1; p < first.size(); ++p) first[p] += first[p - 1];
    for (Primitive& primitive : mesh.mesh.primitives) {
        primitive.influence_offsets = {0};
        for (const std::uint32_t point : primitive.source_vertex) {
            for (std::size_t w = first[point]; w < first[point + 1]; ++w) {
                primitive.influences.push_back(weights[w].influence);
            }
            primitive.influence_offsets.push_back(static_cast<std::uint32_t>(primitive.influences.size()));
        }
    }
}

// A target with its full weight, before the frames are sorted.
struct Target {
    std::size_t object = 0;
    double percent = 100;
    std::size_t order = 0;  // in the file
};

std::vector<Target> targets_of_channel(const Objects& objects, std::size_t channel) {
    const std::vector<std::size_t> shapes = objects.sources_of(channel, "Geometry", "Shape");
    const std::vector<double> full = reals_of(objects.list()[channel].node->find("FullWeights"));
    std::vector<Target> out;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const bool known = i < full.size() && std::isfinite(full[i]);
        out.push_back({shapes[i], known ? full[i] : 100.0, i});
    }
    std::ranges::sort(out, {}, [](const Target& target) { return std::pair(target.percent, target.order); });
    return out;
}

// Channels of a geometry, with targets or without.
std::vector<std::size_t> all_channels(const Objects& objects, std::size_t geometry) {
    std::vector<std::size_t> out;
    for (const std::size_t deformer : objects.sources_of(geometry, "Deformer", "BlendShape")) {
        const std::vector<std::size_t> channels =
            objects.sources_of(deformer, "Deformer", "BlendShapeChannel");
        out.insert(out.end(), channels.begin(), channels.end());
    }
    return out;
}

// Deltas of one target by control point; empty where the file has none.
struct PointDeltas {
    std::vector<Double3> positions;
    std::vector<Double3> normals;
};

void add_deltas(const std::vector<double>& values, const std::vector<std::int64_t>& indices,
                std::vector<Double3>& out) {
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const auto at = static_cast<std::size_t>(indices[i]);
        out[at] = {values[i * 3], values[i * 3 + 1], values[i * 3 + 2]};
    }
}

Result<PointDeltas> read_target(const Object& shape, std::uint64_t points, std::string_view file_name) {
    const std::vector<std::int64_t> indices = integers_of(shape.node->find("Indexes"));
    const std::vector<double> positions = reals_of(shape.node->find("Vertices"));
    const std::vector<double> normals = reals_of(shape.node->find("Normals"));
    if (positions.size() != indices.size() * 3) {
        return refuse(file_name, shape,
                      fmt::format("{} points have {} coordinates", indices.size(), positions.size()),
                      IssueCode::IndexOutOfRange);
    }
    for (const std::int64_t index : indices) {
        if (index >= 0 && static_cast<std::uint64_t>(index) < points) continue;
        return refuse(file_name, shape, fmt::format("moves point {}, the mesh has {}", index, points),
                      IssueCode::IndexOutOfRange);
    }
    PointDeltas out;
    out.positions.resize(static_cast<std::size_t>(points));
    add_deltas(positions, indices, out.positions);
    // Blender writes zeros for normals that it does not know: none at all says the same and costs nothing.
    const bool any = std::ranges::any_of(normals, [](double value) { return value != 0; });
    if (any && normals.size() == positions.size()) {
        out.normals.resize(static_cast<std::size_t>(points));
        add_deltas(normals, indices, out.normals);
    }
    return out;
}

}  // namespace

Result<std::vector<Cluster>> read_skin(const Objects& objects, std::size_t geometry, PolygonMesh& mesh,
                                       std::string_view file_name, Issues& issues) {
    std::vector<Cluster> clusters;
    std::vector<PointWeight> weights;
    bool skinned = false;
    for (const std::size_t skin : objects.sources_of(geometry, "Deformer", "Skin")) {
        for (const std::size_t cluster : objects.sources_of(skin, "Deformer", "Cluster")) {
            const Object& object = objects.list()[cluster];
            const std::vector<std::size_t> models = objects.sources_of(cluster, "Model");
            if (models.empty()) {
                issues.add(IssueCode::IgnoredContent, describe(object),
                           "no bone drives this cluster: it is left out");
                continue;
            }
            skinned = true;
            SINTER_TRY(read_weights(object, static_cast<std::uint32_t>(clusters.size()),
                                    mesh.mesh.source_vertices, file_name, weights));
            clusters.push_back({cluster, models.front(), matrix_of(object.node->find("Transform")),
                                matrix_of(object.node->find("TransformLink"))});
        }
    }
    if (skinned) add_influences(mesh, std::move(weights));
    return clusters;
}

std::vector<std::size_t> shape_channels(const Objects& objects, std::size_t geometry) {
    std::vector<std::size_t> out = all_channels(objects, geometry);
    std::erase_if(out, [&](std::size_t channel) { return targets_of_channel(objects, channel).empty(); });
    return out;
}

double full_percent(const Objects& objects, std::size_t channel) {
    const std::vector<Target> targets = targets_of_channel(objects, channel);
    return targets.empty() || !(targets.back().percent > 0) ? 100.0 : targets.back().percent;
}

Result<Unit> read_shapes(const Objects& objects, std::size_t geometry, const DoubleTrs& geometric,
                         PolygonMesh& mesh, std::string_view file_name, Issues& issues) {
    const Affine mesh_from_geometry = affine_of(geometric);
    for (const std::size_t channel : all_channels(objects, geometry)) {
        const std::vector<Target> targets = targets_of_channel(objects, channel);
        const Object& object = objects.list()[channel];
        if (targets.empty()) {
            issues.add(IssueCode::EmptyBlendShape, describe(object),
                       "the channel has no target shape: it is left out");
            continue;
        }
        const double full = full_percent(objects, channel);
        BlendShape shape;
        shape.name = object.name;
        shape.default_weight = static_cast<float>(objects.number(channel, "DeformPercent", 0) / full);
        shape.frame_weights.clear();
        for (const Target& target : targets) {
            shape.frame_weights.push_back(static_cast<float>(target.percent / full));
            SINTER_TRY_ASSIGN(const PointDeltas deltas, read_target(objects.list()[target.object],
                                                                    mesh.mesh.source_vertices, file_name));
            for (Primitive& primitive : mesh.mesh.primitives) {
                ShapeDeltas& frame = primitive.shape_frames.emplace_back();
                for (const std::uint32_t point : primitive.source_vertex) {
                    frame.positions.push_back(
                        to_float(transform_vector(mesh_from_geometry, deltas.positions[point])));
                    if (!deltas.normals.empty()) {
                        frame.normals.push_back(
                            to_float(transform_vector(mesh_from_geometry, deltas.normals[point])));
                    }
                }
            }
        }
        mesh.mesh.shapes.push_back(std::move(shape));
    }
    return Unit{};
}

}  // namespace sinter::fbx
