#include "verify_context.hpp"

#include <sinter/formats/hash.hpp>

#include <algorithm>
#include <cmath>

namespace sinter {
namespace {

// Quaternions are made unit by the cooker in float; this is far above its rounding and far below what shows.
constexpr double kUnitTolerance = 1e-3;

bool refers_to(std::int32_t index, std::size_t count) {
    return index == -1 || (index >= 0 && static_cast<std::size_t>(index) < count);
}

double squared_length(const manifest::Float4& q) {
    double sum = 0;
    for (const float c : {q.x(), q.y(), q.z(), q.w()}) sum += static_cast<double>(c) * static_cast<double>(c);
    return sum;
}

void check_transform(VerifyContext& context, const std::string& where, const manifest::NodeT& node) {
    if (!node.translation || !node.rotation || !node.scale) {
        context.list.add(FindingCode::ManifestField, where, "translation, rotation or scale is absent");
    } else if (const double squared = squared_length(*node.rotation);
               std::abs(squared - 1) > kUnitTolerance) {
        context.list.add(FindingCode::NodeTransform, where,
                         cat("rotation of squared length ", squared, ", must be 1"));
    }
    constexpr std::size_t kMatrixValues = 12;
    if (!node.matrix.empty() && node.matrix.size() != kMatrixValues) {
        context.list.add(FindingCode::NodeTransform, where,
                         cat("matrix of ", node.matrix.size(), " values, must have 12"));
    }
}

void check_node(VerifyContext& context, std::size_t index) {
    const manifest::ManifestT& manifest = context.manifest;
    const manifest::NodeT& node = *manifest.nodes[index];
    const std::string where = place("node", index, node.name);
    if (node.parent < -1 || node.parent >= static_cast<std::int64_t>(index)) {
        context.list.add(FindingCode::NodeParent, where,
                         cat("parent ", node.parent, ", must be -1 or before the node"));
    }
    if (!refers_to(node.mesh, manifest.meshes.size()) || !refers_to(node.skin, manifest.skins.size()) ||
        (node.skin != -1 && node.mesh == -1)) {
        context.list.add(FindingCode::NodeReference, where,
                         cat("mesh ", node.mesh, " of ", manifest.meshes.size(), ", skin ", node.skin, " of ",
                             manifest.skins.size()));
    } else if (!node.shape_weights.empty()) {
        const std::size_t shapes =
            node.mesh == -1 ? 0 : manifest.meshes[static_cast<std::size_t>(node.mesh)]->shapes.size();
        if (node.shape_weights.size() != shapes) {
            context.list.add(FindingCode::NodeShapeWeights, where,
                             cat(node.shape_weights.size(), " weights for ", shapes, " blend shapes"));
        }
    }
    check_transform(context, where, node);
}

void check_provenance(VerifyContext& context) {
    const auto wrong = [&](std::string message) {
        context.list.add(FindingCode::Provenance, "provenance", std::move(message));
    };
    const auto& provenance = context.manifest.provenance;
    if (!provenance || !provenance->source) {
        context.list.add(FindingCode::ManifestField, "provenance", "it or its source is absent");
        return;
    }
    const Digest digest = sha256(std::as_bytes(std::span(provenance->options_json)));
    if (!std::ranges::equal(digest, provenance->options_digest))
        wrong("options_digest is not that of options_json");
    for (const auto& input : provenance->inputs) {
        if (input->sha256.size() != digest.size()) {
            wrong(cat("input ", quoted(input->name), " has a digest of ", input->sha256.size(),
                      " bytes, must be 32"));
        }
    }
}

}  // namespace

void verify_scene(VerifyContext& context) {
    check_provenance(context);
    for (std::size_t i = 0; i < context.manifest.issues.size(); ++i) {
        const auto severity = static_cast<unsigned>(context.manifest.issues[i]->severity);
        if (severity > static_cast<unsigned>(manifest::Severity::MAX)) {
            context.list.add(FindingCode::ManifestField, cat("issue ", i),
                             cat("severity ", severity, " is unknown"));
        }
    }
    for (std::size_t i = 0; i < context.manifest.nodes.size(); ++i) check_node(context, i);
    for (std::size_t i = 0; i < context.manifest.materials.size(); ++i) {
        const manifest::MaterialT& material = *context.manifest.materials[i];
        const std::string where = place("material", i, material.name);
        if (!material.base_color || !material.emissive) {
            context.list.add(FindingCode::ManifestField, where, "base_color or emissive is absent");
        }
        if (material.alpha_mode > manifest::AlphaMode::MAX) {
            context.list.add(FindingCode::ManifestField, where,
                             cat("alpha mode ", static_cast<unsigned>(material.alpha_mode), " is unknown"));
        }
    }
}

}  // namespace sinter
