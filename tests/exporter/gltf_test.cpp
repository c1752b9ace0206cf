// Full detail: what was exported is what the package holds, by Sinter's own import.
#include "packages.hpp"

#include <sinter/formats/codecs.hpp>
#include <sinter/formats/mesh_arrays.hpp>

#include <algorithm>
#include <array>
#include <cmath>

using namespace sinter;

namespace {

using Corner = std::vector<float>;  // position, normal, tangent, UVs, colour, then (joint, weight) pairs
struct Triangle {
    std::int32_t material = -1;
    std::array<Corner, 3> corners;
    auto operator<=>(const Triangle&) const = default;
};

// The corner with the smallest values first; the winding stays.
void rotate_to_front(Triangle& triangle) {
    std::ranges::rotate(triangle.corners, std::ranges::min_element(triangle.corners));
}

// What a package says about each vertex of a mesh, read section by section.
std::vector<Corner> corners_of(const test::Package& package, std::uint32_t m, const MeshArrays& arrays) {
    const manifest::MeshT& mesh = *package.manifest->meshes[m];
    const auto positions = positions_of(mesh, arrays);
    std::vector<Corner> out(positions.size());
    const auto add_section = [&](SectionType type, std::uint64_t id, std::size_t width) {
        const auto bytes = package.view->decode(type, id);
        REQUIRE(bytes.ok());
        for (std::size_t v = 0; v < out.size(); ++v) {
            std::vector<float> values(width);
            std::memcpy(values.data(), bytes->data() + 4 * width * v, 4 * width);
            out[v].insert(out[v].end(), values.begin(), values.end());
        }
    };
    for (std::size_t v = 0; v < out.size(); ++v) {
        const auto add = [&](const auto& values) {
            out[v].insert(out[v].end(), std::begin(values), std::end(values));
        };
        add(positions[v]);
        if (!arrays.normals.empty()) add(oct_decode(arrays.normals[v]));
        if (!arrays.tangents.empty()) {
            const TangentRecord& t = arrays.tangents[v];
            add(std::array{t.x, t.y, t.z, t.w});
        }
    }
    for (std::uint32_t set = 0; set < mesh.uv_sets; ++set) {
        const manifest::UvInfoT& info = *mesh.uvs[set];
        if (info.bits == 32) {
            add_section(SectionType::MeshUvs, uv_section_id(m, set), 2);
            continue;
        }
        const auto codes = package.view->decode(SectionType::MeshUvs, uv_section_id(m, set));
        REQUIRE(codes.ok());
        for (std::size_t v = 0; v < out.size(); ++v) {
            std::array<std::uint16_t, 2> code{};
            std::memcpy(code.data(), codes->data() + 4 * v, 4);
            out[v].push_back(info.min_u + info.step_u * static_cast<float>(code[0]));
            out[v].push_back(info.min_v + info.step_v * static_cast<float>(code[1]));
        }
    }
    if (mesh.has_colors) add_section(SectionType::MeshColors, m, 4);
    if (!mesh.influences) return out;
    const auto bytes = package.view->decode(SectionType::MeshInfluences, m);
    REQUIRE(bytes.ok());
    const std::uint32_t stride = mesh.influences->stride;
    const std::uint32_t width = mesh.influences->weight_bits / 8;
    for (std::size_t v = 0; v < out.size(); ++v) {
        const std::byte* const record = bytes->data() + v * stride * (2 + width);
        for (std::uint32_t slot = 0; slot < stride; ++slot) {
            std::uint16_t joint = 0;
            std::uint16_t weight = 0;
            std::memcpy(&joint, record + std::size_t{2} * slot, 2);
            std::memcpy(&weight, record + std::size_t{2} * stride + std::size_t{width} * slot, width);
            if (weight == 0) continue;
            out[v].push_back(static_cast<float>(joint));
            out[v].push_back(static_cast<float>(weight) / (width == 1 ? 255.0F : 65535.0F));
        }
    }
    return out;
}

std::vector<Triangle> triangles_in(const test::Package& package, std::uint32_t m) {
    const auto arrays = read_mesh_arrays(*package.view, *package.manifest, m);
    REQUIRE(arrays.ok());
    const std::vector<Corner> corners = corners_of(package, m, *arrays);
    std::vector<Triangle> out;
    for (std::size_t t = 0; t < arrays->materials.size(); ++t) {
        Triangle triangle{arrays->materials[t], {}};
        for (std::size_t c = 0; c < 3; ++c) triangle.corners[c] = corners[arrays->indices[3 * t + c]];
        rotate_to_front(triangle);
        out.push_back(std::move(triangle));
    }
    std::ranges::sort(out);
    return out;
}

Corner corner_of(const Primitive& p, std::uint32_t v) {
    Corner out{p.positions[v].x, p.positions[v].y, p.positions[v].z};
    if (!p.normals.empty()) out.insert(out.end(), {p.normals[v].x, p.normals[v].y, p.normals[v].z});
    if (!p.tangents.empty())
        out.insert(out.end(), {p.tangents[v].x, p.tangents[v].y, p.tangents[v].z, p.tangents[v].w});
    for (const auto& uvs : p.uv_sets) out.insert(out.end(), {uvs[v].x, uvs[v].y});
    if (!p.colors.empty())
        out.insert(out.end(), {p.colors[v].x, p.colors[v].y, p.colors[v].z, p.colors[v].w});
    if (p.influence_offsets.empty()) return out;
    for (std::uint32_t i = p.influence_offsets[v]; i < p.influence_offsets[v + 1]; ++i) {
        if (p.influences[i].weight == 0) continue;
        out.insert(out.end(), {static_cast<float>(p.influences[i].joint), p.influences[i].weight});
    }
    return out;
}

std::vector<Triangle> triangles_in(const Mesh& mesh) {
    std::vector<Triangle> out;
    for (const Primitive& p : mesh.primitives) {
        for (std::size_t i = 0; i + 3 <= p.indices.size(); i += 3) {
            Triangle triangle{p.material, {}};
            for (std::size_t c = 0; c < 3; ++c) triangle.corners[c] = corner_of(p, p.indices[i + c]);
            rotate_to_front(triangle);
            out.push_back(std::move(triangle));
        }
    }
    std::ranges::sort(out);
    return out;
}

template <typename A, typename B>
bool near(A a, B b, double tolerance) {
    return std::abs(static_cast<double>(a) - static_cast<double>(b)) <= tolerance;
}

void check_bounds(const manifest::MeshT& a, const manifest::MeshT& b) {
    // Both are boxes of decoded positions; the second grid moves each by at most its own error.
    const double tolerance = static_cast<double>(b.grid->max_error) + 1e-6;
    CHECK(near(a.bounds->min->x(), b.bounds->min->x(), tolerance));
    CHECK(near(a.bounds->min->y(), b.bounds->min->y(), tolerance));
    CHECK(near(a.bounds->max->y(), b.bounds->max->y(), tolerance));
    CHECK(near(a.bounds->max->z(), b.bounds->max->z(), tolerance));
}

void check_meshes(const manifest::ManifestT& a, const manifest::ManifestT& b) {
    REQUIRE(a.meshes.size() == b.meshes.size());
    for (std::size_t i = 0; i < a.meshes.size(); ++i) {
        const manifest::MeshT& m = *a.meshes[i];
        const manifest::MeshT& n = *b.meshes[i];
        CHECK(m.name == n.name);
        CHECK(m.index_count == 3 * n.source_triangles);
        CHECK(m.index_count == n.index_count);
        CHECK(m.uv_sets == n.uv_sets);
        CHECK(m.skin == n.skin);
        check_bounds(m, n);
        REQUIRE(m.shapes.size() == n.shapes.size());
        for (std::size_t s = 0; s < m.shapes.size(); ++s) {
            CHECK(m.shapes[s]->name == n.shapes[s]->name);
            CHECK(m.shapes[s]->default_weight == n.shapes[s]->default_weight);
            CHECK(m.shapes[s]->max_delta == n.shapes[s]->max_delta);
            CHECK(m.shapes[s]->frames.back()->has_normals == n.shapes[s]->frames.back()->has_normals);
        }
    }
}

void check_materials(const manifest::ManifestT& a, const manifest::ManifestT& b) {
    REQUIRE(a.materials.size() == b.materials.size());
    for (std::size_t i = 0; i < a.materials.size(); ++i) {
        const manifest::MaterialT& m = *a.materials[i];
        const manifest::MaterialT& n = *b.materials[i];
        CHECK(m.name == n.name);
        CHECK(m.base_color->x() == n.base_color->x());
        CHECK(m.base_color->w() == n.base_color->w());
        CHECK(m.emissive->z() == n.emissive->z());
        CHECK(m.metallic == n.metallic);
        CHECK(m.roughness == n.roughness);
        CHECK(m.alpha_mode == n.alpha_mode);
        CHECK(m.double_sided == n.double_sided);
        REQUIRE(m.textures.size() == n.textures.size());
        for (std::size_t t = 0; t < m.textures.size(); ++t) {
            CHECK(m.textures[t]->slot == n.textures[t]->slot);
            CHECK(m.textures[t]->uri == n.textures[t]->uri);
            CHECK(m.textures[t]->uv_set == n.textures[t]->uv_set);
        }
    }
}

void check_nodes(const manifest::ManifestT& a, const manifest::ManifestT& b) {
    REQUIRE(a.nodes.size() == b.nodes.size());
    for (std::size_t i = 0; i < a.nodes.size(); ++i) {
        const manifest::NodeT& m = *a.nodes[i];
        const manifest::NodeT& n = *b.nodes[i];
        CHECK(m.name == n.name);
        CHECK(m.parent == n.parent);
        CHECK(m.mesh == n.mesh);
        CHECK(m.skin == n.skin);
        CHECK(m.in_scene == n.in_scene);
        CHECK(m.translation->x() == n.translation->x());
        CHECK(m.rotation->w() == n.rotation->w());
        CHECK(m.scale->y() == n.scale->y());
        CHECK(m.matrix == n.matrix);
        CHECK(m.shape_weights == n.shape_weights);
    }
}

void check_motion(const manifest::ManifestT& a, const manifest::ManifestT& b) {
    REQUIRE(a.skeletons.size() == b.skeletons.size());
    for (std::size_t i = 0; i < a.skeletons.size(); ++i) {
        REQUIRE(a.skeletons[i]->bones.size() == b.skeletons[i]->bones.size());
        for (std::size_t k = 0; k < a.skeletons[i]->bones.size(); ++k) {
            CHECK(a.skeletons[i]->bones[k]->name == b.skeletons[i]->bones[k]->name);
            CHECK(a.skeletons[i]->bones[k]->parent == b.skeletons[i]->bones[k]->parent);
            CHECK(a.skeletons[i]->bones[k]->helper == b.skeletons[i]->bones[k]->helper);
        }
    }
    REQUIRE(a.skins.size() == b.skins.size());
    for (std::size_t i = 0; i < a.skins.size(); ++i)
        CHECK(a.skins[i]->bone_of_joint == b.skins[i]->bone_of_joint);
    REQUIRE(a.clips.size() == b.clips.size());
    for (std::size_t i = 0; i < a.clips.size(); ++i) {
        CHECK(a.clips[i]->name == b.clips[i]->name);
        // Keys are floats: half a unit in the last place of a time below 128 s is under 4e-6 s.
        CHECK(near(a.clips[i]->start_s, b.clips[i]->start_s, 4e-6));
        CHECK(near(a.clips[i]->duration_s, b.clips[i]->duration_s, 8e-6));
        CHECK(a.clips[i]->tracks.size() == b.clips[i]->tracks.size());
    }
}

std::vector<float> floats_of(const test::Package& package, SectionType type, std::uint64_t id) {
    const auto bytes = package.view->decode(type, id);
    REQUIRE(bytes.ok());
    std::vector<float> out(bytes->size() / 4);
    std::memcpy(out.data(), bytes->data(), 4 * out.size());
    return out;
}

}  // namespace

TEST_CASE("an exported package cooks to the same nodes, meshes, shapes, skins, clips and materials") {
    for (const std::string name :
         {"creature.glb", "prop.glb", "cloth.glb", "special/hierarchy.glb", "special/two_skins.glb",
          "special/sheared.gltf", "special/lips_morph.glb", "special/two_scenes.gltf"}) {
        INFO(name);
        const test::Package package = test::cook_fixture(name);
        const GltfFile file = test::exported(package);
        CHECK(file.copies.size() == 1);
        const test::FileOnDisk glb(file.glb);
        const test::Package again = test::cook_file(glb.path());
        check_nodes(*package.manifest, *again.manifest);
        check_meshes(*package.manifest, *again.manifest);
        check_materials(*package.manifest, *again.manifest);
        check_motion(*package.manifest, *again.manifest);
        for (std::size_t i = 0; i < package.manifest->skins.size(); ++i) {
            CHECK(floats_of(package, SectionType::SkinInverseBinds, i) ==
                  floats_of(again, SectionType::SkinInverseBinds, i));
        }
    }
}

TEST_CASE(
    "exported triangles are the package's, bit for bit: positions, normals, tangents, UVs, influences") {
    for (const std::string name : {"creature.glb", "prop.glb", "cloth.glb", "special/eight_influences.glb",
                                   "special/quantised.glb", "tiny.glb"}) {
        INFO(name);
        const test::Package package = test::cook_fixture(name);
        const Scene scene = test::imported(test::exported(package).glb);
        REQUIRE(scene.meshes.size() == package.manifest->meshes.size());
        for (std::uint32_t m = 0; m < scene.meshes.size(); ++m) {
            const std::vector<Triangle> expected = triangles_in(package, m);
            const std::vector<Triangle> found = triangles_in(scene.meshes[m]);
            REQUIRE(found.size() == expected.size());
            CHECK(found == expected);
        }
    }
}

TEST_CASE("exported shapes move the vertices that the package says, by what it says") {
    const test::Package package = test::cook_fixture("creature.glb");
    const Scene scene = test::imported(test::exported(package).glb);
    const manifest::MeshT& mesh = *package.manifest->meshes[0];
    const auto arrays = read_mesh_arrays(*package.view, *package.manifest, 0);
    REQUIRE(arrays.ok());
    const auto positions = positions_of(mesh, *arrays);
    const auto bytes = package.view->decode(SectionType::BlendShapeDeltas, 0);
    REQUIRE(bytes.ok());
    REQUIRE(!mesh.shapes.empty());
    for (std::size_t s = 0; s < mesh.shapes.size(); ++s) {
        using Move = std::array<float, 9>;  // from, by, normal by
        std::vector<Move> expected;
        const manifest::ShapeFrameT& frame = *mesh.shapes[s]->frames.back();
        for (std::uint64_t r = frame.first_record; r < frame.first_record + frame.record_count; ++r) {
            BlendShapeDelta d;
            std::memcpy(&d, bytes->data() + r * sizeof(d), sizeof(d));
            const auto& p = positions[d.vertex];
            expected.push_back({p[0], p[1], p[2], d.position[0], d.position[1], d.position[2], d.normal[0],
                                d.normal[1], d.normal[2]});
        }
        std::vector<Move> found;
        for (const Primitive& primitive : scene.meshes[0].primitives) {
            const ShapeDeltas& deltas = primitive.shape_frames[s];
            for (std::size_t v = 0; v < primitive.vertex_count(); ++v) {
                const Float3 p = primitive.positions[v];
                const Float3 d = deltas.positions[v];
                const Float3 n = deltas.normals.empty() ? Float3{} : deltas.normals[v];
                if (d == Float3{} && n == Float3{}) continue;
                found.push_back({p.x, p.y, p.z, d.x, d.y, d.z, n.x, n.y, n.z});
            }
        }
        std::ranges::sort(expected);
        std::ranges::sort(found);
        // A vertex that two materials share is in both primitives.
        const auto twice = std::ranges::unique(found);
        found.erase(twice.begin(), twice.end());
        const auto clones = std::ranges::unique(expected);
        expected.erase(clones.begin(), clones.end());
        CHECK(found == expected);
    }
}

TEST_CASE("exported keys are the stored samples, constant tracks at both ends") {
    const test::Package package = test::cook_fixture("creature.glb");
    const Scene scene = test::imported(test::exported(package).glb);
    REQUIRE(scene.clips.size() == package.manifest->clips.size());
    for (std::size_t i = 0; i < scene.clips.size(); ++i) {
        const manifest::ClipT& clip = *package.manifest->clips[i];
        const std::vector<float> samples = floats_of(package, SectionType::ClipSamples, i);
        REQUIRE(scene.clips[i].channels.size() == clip.tracks.size());
        for (std::size_t t = 0; t < clip.tracks.size(); ++t) {
            const manifest::TrackT& track = *clip.tracks[t];
            const Channel& channel = scene.clips[i].channels[t];
            CHECK(channel.node == track.node);
            CHECK(channel.interpolation == (track.step ? Interpolation::Step : Interpolation::Linear));
            REQUIRE(channel.components == track.components);
            const std::size_t stored = track.constant ? 1 : clip.frame_count;
            CHECK(channel.times.size() ==
                  (track.constant ? std::min(2U, clip.frame_count) : clip.frame_count));
            CHECK(channel.times.front() == static_cast<float>(clip.start_s));
            CHECK(channel.times.back() == static_cast<float>(clip.start_s + clip.duration_s));
            for (std::size_t k = 0; k < channel.values.size(); ++k) {
                const std::size_t from = k % (stored * track.components);
                REQUIRE(channel.values[k] == samples[track.first_value + from]);
            }
        }
    }
}

TEST_CASE("the same package gives the same bytes") {
    const test::Package package = test::cook_fixture("creature.glb");
    const GltfOptions options{.levels = {2, 1}, .lod_errors = {0.01F}, .all_levels = false};
    const std::vector<std::byte> first = test::exported(package, options).glb;
    CHECK(first == test::exported(test::cook_fixture("creature.glb"), options).glb);
    const GltfOptions other{.levels = {1, 2, 2, 0}, .lod_errors = {0.01F, 0.01F}, .all_levels = false};
    CHECK(first == test::exported(package, other).glb);
}

TEST_CASE("what glTF cannot hold is noted: times before 0, meshes without triangles, embedded pictures") {
    test::Package package = test::cook_fixture("creature.glb");
    package.manifest->clips[0]->start_s = -0.5;
    package.manifest->materials[0]->textures.push_back(std::make_unique<manifest::TextureT>());
    package.manifest->materials[0]->textures.back()->slot = "normal";
    package.manifest->materials[0]->textures.back()->uri = "buffer_view:3";
    const GltfFile file = test::exported(package);
    REQUIRE(file.notes.size() == 2);
    CHECK(file.notes[0].starts_with("1 reference to pictures embedded"));
    CHECK(file.notes[1].starts_with("clips that start before 0 s"));
    const auto json = test::json_of(file.glb);
    for (const auto& image : json["images"])
        CHECK_FALSE(image["uri"].get<std::string>().starts_with("buffer_view"));
    const Scene scene = test::imported(file.glb);
    CHECK(scene.clips[0].start_s == 0);
    CHECK(near(scene.clips[0].end_s, package.manifest->clips[0]->duration_s, 4e-6));

    // The second object's one triangle has two corners in one place.
    const std::string two =
        "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nv 5 0 0\nv 6 0 0\nv 5 0 0\nf 4 5 6\n";
    const test::FileOnDisk obj(std::as_bytes(std::span(two)), ".obj");
    const test::Package half = test::cook_file(obj.path());
    REQUIRE(half.manifest->meshes.size() == 2);
    REQUIRE(half.manifest->meshes[1]->index_count == 0);
    const GltfFile without = test::exported(half);
    REQUIRE(without.notes.size() == 1);
    CHECK(without.notes[0].starts_with("meshes without triangles left out: 1"));
    CHECK(test::json_of(without.glb)["meshes"].size() == 1);
    CHECK(test::imported(without.glb).nodes.size() == half.manifest->nodes.size());
}

TEST_CASE("in-betweens of a shape are noted, and its full weight is exported") {
    test::Package package = test::cook_fixture("creature.glb");
    auto& frames = package.manifest->meshes[0]->shapes[0]->frames;
    frames.insert(frames.begin(), std::make_unique<manifest::ShapeFrameT>());
    frames.front()->weight = 0.5F;
    const GltfFile file = test::exported(package);
    REQUIRE(file.notes.size() == 1);
    CHECK(file.notes[0].starts_with("in-betweens of 1 "));
    CHECK(file.glb == test::exported(test::cook_fixture("creature.glb")).glb);
}

TEST_CASE("names of pictures are escaped once, so that they come back as they are") {
    test::Package package = test::cook_fixture("prop.glb");
    const std::string name = "Holz #1 100%25 ?\xC3\xA4.png";
    package.manifest->materials[0]->textures.front()->uri = name;
    const Scene scene = test::imported(test::exported(package).glb);
    REQUIRE(!scene.materials[0].textures.empty());
    CHECK(scene.materials[0].textures.front().uri == name);
}

TEST_CASE("a package that does not fit its manifest gives an error, not a file") {
    const auto error_of = [](auto change) {
        const test::Package package = test::cook_fixture("creature.glb");
        change(*package.manifest);
        const auto file = export_gltf(*package.view, *package.manifest, {});
        REQUIRE_FALSE(file.ok());
        return file.error().kind;
    };
    using M = manifest::ManifestT;
    CHECK(error_of([](M& m) { m.meshes[0]->uv_sets += 1; }) == ErrorKind::Validation);
    CHECK(error_of([](M& m) { m.meshes[0]->influences->stride = 9; }) == ErrorKind::Validation);
    CHECK(error_of([](M& m) { m.meshes[0]->vertex_count += 1; }) == ErrorKind::Validation);
    CHECK(error_of([](M& m) { m.nodes[0]->parent = 0; }) == ErrorKind::Validation);
    CHECK(error_of([](M& m) { m.skins[0]->skeleton = 7; }) == ErrorKind::Validation);
    CHECK(error_of([](M& m) { m.skins[0]->bone_of_joint.push_back(0); }) == ErrorKind::Validation);
    CHECK(error_of([](M& m) { m.clips[0]->tracks.back()->first_value = ~std::uint64_t{0}; }) ==
          ErrorKind::Validation);
}
