#include "cooker/import/check.hpp"
#include "cooker/import/check_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinter::check {
namespace {

// Where things are: "mesh 3 'Head', primitive 0, vertex 17".
struct Site {
    const Scene& scene;
    std::size_t mesh;
    std::size_t primitive;
    [[nodiscard]] std::string text() const {
        return fmt::format("{}, primitive {}", place("mesh", mesh, scene.meshes[mesh].name), primitive);
    }
    [[nodiscard]] std::string at(std::string_view noun, std::size_t index) const {
        return fmt::format("{}, {} {}", text(), noun, index);
    }
};

Result<Unit> check_count(const Site& site, std::string_view what, std::size_t seen, std::size_t expected) {
    if (seen == 0 || seen == expected) return Unit{};
    return refusal(site.scene, IssueCode::IndexOutOfRange, site.text(),
                   fmt::format("{} {} for {} vertices", seen, what, expected), "export the file again");
}

Result<Unit> check_sizes(const Site& site, const Primitive& p) {
    const std::size_t count = p.vertex_count();
    SINTER_TRY(check_count(site, "normals", p.normals.size(), count));
    SINTER_TRY(check_count(site, "tangents", p.tangents.size(), count));
    SINTER_TRY(check_count(site, "source vertices", p.source_vertex.size(), count));
    SINTER_TRY(check_count(site, "colours", p.colors.size(), count));
    for (const auto& uvs : p.uv_sets) SINTER_TRY(check_count(site, "UVs", uvs.size(), count));
    for (const ShapeDeltas& frame : p.shape_frames) {
        SINTER_TRY(check_count(site, "position deltas", frame.positions.size(), count));
        SINTER_TRY(check_count(site, "normal deltas", frame.normals.size(), count));
        SINTER_TRY(check_count(site, "tangent deltas", frame.tangents.size(), count));
    }
    return Unit{};
}

Result<Unit> check_indices(const Site& site, const Primitive& p) {
    if (p.indices.size() % 3 != 0) {
        return refusal(site.scene, IssueCode::IndexOutOfRange, site.text(),
                       fmt::format("{} indices are no whole number of triangles", p.indices.size()),
                       "export the file again");
    }
    const auto bad =
        std::ranges::find_if(p.indices, [&](std::uint32_t index) { return index >= p.vertex_count(); });
    if (bad == p.indices.end()) return Unit{};
    return refusal(site.scene, IssueCode::IndexOutOfRange,
                   site.at("index", static_cast<std::size_t>(bad - p.indices.begin())),
                   fmt::format("vertex {} is out of range, there are {}", *bad, p.vertex_count()),
                   "export the file again");
}

bool usable(Float3 p) {
    return std::abs(p.x) <= kMaxCoordinate && std::abs(p.y) <= kMaxCoordinate &&
           std::abs(p.z) <= kMaxCoordinate;
}

// A surface with a point nowhere has no sane repair: every guess moves triangles.
Result<Unit> check_coordinates(const Site& site, std::string_view what, const std::vector<Float3>& values) {
    const auto bad = std::ranges::find_if_not(values, usable);
    if (bad == values.end()) return Unit{};
    const auto count = std::ranges::count_if(values, [](Float3 value) { return !usable(value); });
    return refusal(site.scene, IssueCode::NonFiniteAttribute,
                   site.at("vertex", static_cast<std::size_t>(bad - values.begin())),
                   fmt::format("{} ({}, {}, {}) is not finite or beyond {:g}, as {} of {} are", what, bad->x,
                               bad->y, bad->z, kMaxCoordinate, count, values.size()),
                   "correct the vertices in the source");
}

Result<Unit> check_deltas(const Site& site, const std::vector<BlendShape>& shapes, const Primitive& p) {
    std::size_t frame = 0;
    for (const BlendShape& shape : shapes) {
        for (std::size_t k = 0; k < shape.frame_weights.size(); ++k, ++frame) {
            const auto what = [&](std::string_view kind) {
                return fmt::format("shape '{}', frame {}: {} delta", shape.name, k, kind);
            };
            const ShapeDeltas& deltas = p.shape_frames[frame];
            SINTER_TRY(check_coordinates(site, what("position"), deltas.positions));
            SINTER_TRY(check_coordinates(site, what("normal"), deltas.normals));
            SINTER_TRY(check_coordinates(site, what("tangent"), deltas.tangents));
        }
    }
    return Unit{};
}

Result<Unit> check_shapes(Scene& scene, std::size_t index, Issues& issues) {
    Mesh& mesh = scene.meshes[index];
    const std::string where = place("mesh", index, mesh.name);
    std::size_t frames = 0;
    Tally defaults;
    for (std::size_t s = 0; s < mesh.shapes.size(); ++s) {
        BlendShape& shape = mesh.shapes[s];
        const auto shape_place = [&] { return fmt::format("{}, {}", where, place("shape", s, shape.name)); };
        frames += shape.frame_weights.size();
        const bool rising = std::ranges::adjacent_find(shape.frame_weights, [](float a, float b) {
                                return !(a < b);
                            }) == shape.frame_weights.end();
        const bool all_finite =
            std::ranges::all_of(shape.frame_weights, [](float w) { return std::isfinite(w); });
        if (shape.frame_weights.empty() || !rising || !all_finite) {
            return refusal(scene, IssueCode::NonFiniteAttribute, shape_place(),
                           "the full weights of the shape's frames do not rise",
                           "give every in-between its own weight");
        }
        if (!std::isfinite(shape.default_weight)) {
            shape.default_weight = 0;
            defaults.add(shape_place);
        }
    }
    defaults.tell(issues, IssueCode::NonFiniteAttribute,
                  "{n} default weights of shapes are not finite; set to 0");
    for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
        if (mesh.primitives[p].shape_frames.empty()) mesh.primitives[p].shape_frames.resize(frames);
        if (mesh.primitives[p].shape_frames.size() == frames) continue;
        return refusal(scene, IssueCode::IndexOutOfRange, Site{scene, index, p}.text(),
                       fmt::format("{} blend-shape frames, the mesh has {}",
                                   mesh.primitives[p].shape_frames.size(), frames),
                       "give every primitive the same shapes");
    }
    return Unit{};
}

bool is_direction(double x, double y, double z) {
    const double square = x * x + y * y + z * z;
    return std::isfinite(square) && square > 0;
}

bool is_direction(Float3 v) {
    return is_direction(static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z));
}

// Mesh preparation makes zero normals anew by angle, across seams, and counts them; here only NaN and infinity go.
void clear_non_finite_normals(Primitive& p) {
    for (Float3& normal : p.normals) {
        if (!is_finite(normal)) normal = {0, 0, 0};
    }
}

// One bad tangent is one too many to trust the others: MikkTSpace makes them all alike again (mesh/).
void repair_tangents(const Site& site, Primitive& p, Tally& dropped, Tally& signs) {
    for (std::size_t v = 0; v < p.tangents.size(); ++v) {
        Float4& t = p.tangents[v];
        if (!is_direction({t.x, t.y, t.z}) || !std::isfinite(t.w)) {
            dropped.add([&] { return site.at("vertex", v); });
            p.tangents.clear();
            return;
        }
        constexpr float kSignTolerance = 0.01F;  // -127/128 of a signed byte still means -1
        if (std::abs(std::abs(t.w) - 1) > kSignTolerance) signs.add([&] { return site.at("vertex", v); });
        t.w = t.w < 0 ? -1.0F : 1.0F;
    }
}

void repair_uvs_and_colors(const Site& site, Primitive& p, Tally& tally) {
    for (auto& uvs : p.uv_sets) {
        for (std::size_t v = 0; v < uvs.size(); ++v) {
            if (std::isfinite(uvs[v].x) && std::isfinite(uvs[v].y)) continue;
            uvs[v] = {0, 0};
            tally.add([&] { return site.at("vertex", v); });
        }
    }
    for (std::size_t v = 0; v < p.colors.size(); ++v) {
        const Float4& c = p.colors[v];
        if (std::isfinite(c.x) && std::isfinite(c.y) && std::isfinite(c.z) && std::isfinite(c.w)) continue;
        p.colors[v] = {1, 1, 1, 1};
        tally.add([&] { return site.at("vertex", v); });
    }
}

void repair_attributes(Scene& scene, std::size_t index, Issues& issues) {
    Tally dropped, signs, others;
    Mesh& mesh = scene.meshes[index];
    for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
        const Site site{scene, index, i};
        clear_non_finite_normals(mesh.primitives[i]);
        repair_tangents(site, mesh.primitives[i], dropped, signs);
        repair_uvs_and_colors(site, mesh.primitives[i], others);
    }
    dropped.tell(issues, IssueCode::InvalidTangents,
                 "{n} primitives have tangents that are not finite or of length 0; all tangents of these "
                 "primitives are left out and made anew where there are UVs");
    signs.tell(issues, IssueCode::InvalidTangents,
               "{n} tangents have a w that is neither 1 nor -1; its sign is taken");
    others.tell(issues, IssueCode::NonFiniteAttribute,
                "{n} UVs or colours are not finite; UVs set to 0, colours to white");
}

}  // namespace

Result<Unit> check_mesh(Scene& scene, std::size_t index, const MeshUse& use, Issues& issues) {
    SINTER_TRY(check_shapes(scene, index, issues));
    std::size_t triangles = 0;
    for (std::size_t i = 0; i < scene.meshes[index].primitives.size(); ++i) {
        const Primitive& p = scene.meshes[index].primitives[i];
        const Site site{scene, index, i};
        if (p.material < kNone ||
            (p.material >= 0 && static_cast<std::size_t>(p.material) >= scene.materials.size())) {
            return refusal(
                scene, IssueCode::IndexOutOfRange, site.text(),
                fmt::format("material {} is out of range, there are {}", p.material, scene.materials.size()),
                "export the file again");
        }
        SINTER_TRY(check_sizes(site, p));
        SINTER_TRY(check_indices(site, p));
        SINTER_TRY(check_coordinates(site, "position", p.positions));
        SINTER_TRY(check_deltas(site, scene.meshes[index].shapes, p));
        triangles += p.indices.size() / 3;
    }
    if (triangles == 0) {
        issues.add(IssueCode::EmptyMesh, place("mesh", index, scene.meshes[index].name),
                   "the mesh has no triangles; kept empty");
    }
    repair_attributes(scene, index, issues);
    return check_influences(scene, index, use, issues);
}

}  // namespace sinter::check
