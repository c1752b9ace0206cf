#include "cooker/package/assemble.hpp"
#include "cooker/package/library_versions.hpp"

#include "cooker/options.hpp"

#include <sinter/formats/codecs.hpp>
#include <sinter/formats/diff.hpp>
#include <sinter/formats/reader.hpp>
#include <sinter/formats/verify.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>

namespace sinter {
namespace {

// A bumpy grid of n x n vertices on [-1, 1]^2, by the contracts of cooked_asset.hpp.
PreparedMesh bumpy_grid(std::uint32_t n) {
    PreparedMesh mesh;
    mesh.name = "Cloth";
    mesh.grid = {.kind = GridKind::Sphere, .bits = 16, .center = {0, 0, 0}, .step = 2.0F / 32767};
    std::mt19937 random(1);
    std::uniform_int_distribution<std::int32_t> bump(-3000, 3000);
    for (std::uint32_t y = 0; y < n; ++y) {
        for (std::uint32_t x = 0; x < n; ++x) {
            const auto code = [&](std::uint32_t i) {
                return static_cast<std::int32_t>(i * 32766 / (n - 1)) - 16383;
            };
            mesh.grid_positions.push_back({code(x), code(y), bump(random)});
        }
    }
    std::normal_distribution<float> normal(0, 1);
    for (const auto& q : mesh.grid_positions) {
        const auto p = grid_decode({0, 0, 0}, mesh.grid.step, q);
        mesh.positions.push_back({p[0], p[1], p[2]});
        const Float3 v{normal(random), normal(random), normal(random)};
        mesh.normals.push_back(v * (1 / length(v)));
        mesh.tangents.push_back({1, 0, 0, (q[0] & 1) != 0 ? 1.0F : -1.0F});
        mesh.colors.push_back({0.25F, 0.5F, 0.75F, 1});
        mesh.point_of_vertex.push_back(static_cast<std::uint32_t>(mesh.point_of_vertex.size()));
    }
    mesh.point_count = n * n;
    for (std::uint32_t set = 0; set < 2; ++set) {
        auto& uvs = mesh.uv_sets.emplace_back();
        for (std::uint32_t v = 0; v < n * n; ++v)
            uvs.push_back({static_cast<float>(v), static_cast<float>(set)});
    }
    for (std::uint32_t y = 0; y + 1 < n; ++y) {
        for (std::uint32_t x = 0; x + 1 < n; ++x) {
            const std::uint32_t v = y * n + x;
            mesh.indices.insert(mesh.indices.end(), {v, v + 1, v + n, v + n, v + 1, v + n + 1});
        }
    }
    mesh.submeshes = {
        {.material = 0, .first_index = 0, .index_count = static_cast<std::uint32_t>(mesh.indices.size())}};
    mesh.source_triangles = mesh.indices.size() / 3 + 2;
    mesh.degenerate_triangles = 2;
    mesh.source_vertices = n * n;
    mesh.bounds = {.min = mesh.positions[0], .max = mesh.positions[0], .center = {0, 0, 0}, .radius = 2};
    for (const Float3 p : mesh.positions) {
        mesh.bounds.min = {std::min(mesh.bounds.min.x, p.x), std::min(mesh.bounds.min.y, p.y),
                           std::min(mesh.bounds.min.z, p.z)};
        mesh.bounds.max = {std::max(mesh.bounds.max.x, p.x), std::max(mesh.bounds.max.y, p.y),
                           std::max(mesh.bounds.max.z, p.z)};
    }
    return mesh;
}

void add_influences(PreparedMesh& mesh, std::uint32_t weight_bits) {
    EncodedInfluences& in = mesh.influences;
    in.stride = 4;
    in.weight_bits = weight_bits;
    const auto full = static_cast<std::uint16_t>((1U << weight_bits) - 1);
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
        const auto small = static_cast<std::uint16_t>(v % 100);
        if (small == 0) {
            in.joints.insert(in.joints.end(), {1, 0, 0, 0});
            in.weights.insert(in.weights.end(), {full, 0, 0, 0});
        } else {
            in.joints.insert(in.joints.end(), {0, 1, 0, 0});
            in.weights.insert(in.weights.end(), {static_cast<std::uint16_t>(full - small), small, 0, 0});
        }
        ++in.class_counts[small == 0 ? 1 : 2];
    }
    in.max_source = 2;
    in.max = 2;
}

void add_shape(PreparedMesh& mesh) {
    PreparedShape shape{.name = "Puff", .default_weight = 0.5F, .frames = {}};
    shape.frames.push_back({.weight = 0.5F,
                            .vertices = {2, 5},
                            .positions = {{0, 0, 0.5F}, {0, 0.25F, 0}},
                            .normals = {},
                            .tangents = {}});
    shape.frames.push_back({.weight = 1,
                            .vertices = {0, 2, 5},
                            .positions = {{0, 0, 0}, {0, 0, 0.75F}, {0, 0.5F, 0}},
                            .normals = {{0, 0.125F, 0}, {0, 0, 0}, {0.5F, 0, 0}},
                            .tangents = {}});
    mesh.shapes.push_back(shape);
}

CookedAsset sample_asset(std::uint32_t n = 12, std::uint32_t weight_bits = 16) {
    CookedAsset asset;
    asset.source = {.name = "cloth.glb", .format = "glb", .generator = "test"};
    asset.materials.resize(1);
    asset.materials[0].name = "Linen";
    asset.materials[0].textures = {{.slot = "base_color", .uri = "linen.png", .uv_set = 1}};
    asset.nodes.resize(4);
    for (std::size_t i = 0; i < asset.nodes.size(); ++i) asset.nodes[i].name = "Node" + std::to_string(i);
    asset.nodes[1].parent = 0;
    asset.nodes[2].mesh = 0;
    asset.nodes[3].mesh = 0;
    asset.nodes[3].skin = 0;
    asset.meshes.push_back(bumpy_grid(n));
    asset.clustered.resize(1);  // plain arrays
    add_influences(asset.meshes[0], weight_bits);
    add_shape(asset.meshes[0]);
    asset.skeletons = {
        {.name = "Rig",
         .bones = {{.name = "Hip", .parent = kNone, .node = 0}, {.name = "Knee", .parent = 0, .node = 1}},
         .leaf_bones = 1,
         .max_depth = 1}};
    asset.skins = {
        {.name = "Skin", .skeleton = 0, .bone_of_joint = {1, 0}, .bone_from_mesh = {Mat3x4{}, Mat3x4{}}}};
    SampledClip clip;
    clip.name = "Sway";
    clip.duration_s = 0.1;
    clip.sample_rate_hz = 30;
    clip.frame_count = 4;
    clip.tracks.push_back({.node = 1,
                           .path = TrackPath::Rotation,
                           .step = false,
                           .constant = true,
                           .components = 4,
                           .samples = {0, 0, 0, 1}});
    clip.tracks.push_back({.node = 2,
                           .path = TrackPath::Weights,
                           .step = true,
                           .constant = false,
                           .components = 1,
                           .samples = {0, 0.25F, 0.5F, 1}});
    asset.clips.push_back(clip);
    asset.issues.push_back({.code = IssueCode::MissingTexture,
                            .severity = Severity::Warning,
                            .where = "material 0",
                            .message = "linen.png",
                            .count = 1});
    asset.inputs.push_back(
        {.path = "/somewhere/secret/cloth.glb", .name = "cloth.glb", .bytes = 77, .sha256 = {1, 2, 3}});
    return asset;
}

template <typename Record>
std::vector<Record> records(const PackageView& view, SectionType type, std::uint64_t id) {
    const auto raw = view.decode(type, id);
    REQUIRE(raw.ok());
    std::vector<Record> out(raw->size() / sizeof(Record));
    std::memcpy(out.data(), raw->data(), raw->size());
    return out;
}

}  // namespace

TEST_CASE("a cooked asset becomes a package that the verifier finds nothing wrong with") {
    for (const std::uint32_t weight_bits : {8U, 16U}) {
        const auto bytes = assemble_package(sample_asset(12, weight_bits));
        REQUIRE(bytes.ok());
        const VerifyReport report = verify_package(*bytes);
        for (const Finding& f : report.findings) UNSCOPED_INFO(f.where << ": " << f.message);
        CHECK(report.ok());
    }
}

TEST_CASE("every array of the asset is in the package, bit by bit where nothing may be lost") {
    const CookedAsset asset = sample_asset();
    const PreparedMesh& mesh = asset.meshes[0];
    const auto bytes = assemble_package(asset);
    REQUIRE(bytes.ok());
    const auto view = PackageView::open(*bytes);
    REQUIRE(view.ok());
    const auto manifest = view->read_manifest();
    REQUIRE(manifest.ok());
    const auto positions = records<GridPosition16>(*view, SectionType::MeshPositions, 0);
    REQUIRE(positions.size() == mesh.vertex_count());
    const auto& grid = *(*manifest)->meshes[0]->grid;
    for (std::size_t v = 0; v < positions.size(); ++v) {
        const auto p = grid_decode({grid.center->x(), grid.center->y(), grid.center->z()}, grid.step,
                                   {positions[v].x, positions[v].y, positions[v].z});
        REQUIRE(Float3{p[0], p[1], p[2]} == mesh.positions[v]);
    }
    CHECK(records<std::uint32_t>(*view, SectionType::MeshIndices, 0) == mesh.indices);
    CHECK(records<Float4>(*view, SectionType::MeshTangents, 0) == mesh.tangents);
    CHECK(records<Float4>(*view, SectionType::MeshColors, 0) == mesh.colors);
    CHECK(records<Float2>(*view, SectionType::MeshUvs, uv_section_id(0, 0)) == mesh.uv_sets[0]);
    CHECK(records<Float2>(*view, SectionType::MeshUvs, uv_section_id(0, 1)) == mesh.uv_sets[1]);
    CHECK(records<Mat3x4>(*view, SectionType::SkinInverseBinds, 0) == asset.skins[0].bone_from_mesh);
    CHECK(records<float>(*view, SectionType::ClipSamples, 0) ==
          std::vector<float>{0, 0, 0, 1, 0, 0.25F, 0.5F, 1});
    const auto influences = records<std::array<std::uint16_t, 8>>(*view, SectionType::MeshInfluences, 0);
    REQUIRE(influences.size() == mesh.vertex_count());
    for (std::size_t v = 0; v < influences.size(); ++v) {
        REQUIRE(std::equal(influences[v].begin(), influences[v].begin() + 4,
                           mesh.influences.joints.begin() + static_cast<std::ptrdiff_t>(v * 4)));
        REQUIRE(std::equal(influences[v].begin() + 4, influences[v].end(),
                           mesh.influences.weights.begin() + static_cast<std::ptrdiff_t>(v * 4)));
    }
    const auto deltas = records<BlendShapeDelta>(*view, SectionType::BlendShapeDeltas, 0);
    REQUIRE(deltas.size() == 5);
    CHECK(deltas[3].vertex == 2);
    CHECK(deltas[3].position == std::array<float, 3>{0, 0, 0.75F});
    CHECK(deltas[4].normal == std::array<float, 3>{0.5F, 0, 0});
}

TEST_CASE("8-bit weights are stored in one byte each") {
    const CookedAsset asset = sample_asset(4, 8);
    const auto bytes = assemble_package(asset);
    REQUIRE(bytes.ok());
    const auto view = PackageView::open(*bytes);
    REQUIRE(view.ok());
    const TocEntry* entry = view->find(SectionType::MeshInfluences, 0);
    REQUIRE(entry != nullptr);
    CHECK(entry->record_stride == 12);
    const auto raw = view->decode(*entry);
    REQUIRE(raw.ok());
    // Vertex 3: joints 0 and 1, weights 252 and 3.
    const std::array<std::uint8_t, 12> expected{0, 0, 1, 0, 0, 0, 0, 0, 252, 3, 0, 0};
    CHECK(std::memcmp(raw->data() + 3 * 12, expected.data(), 12) == 0);
}

TEST_CASE("the stored normal error is the largest angle between a normal and its decoded code") {
    const CookedAsset asset = sample_asset(40);
    const auto bytes = assemble_package(asset);
    REQUIRE(bytes.ok());
    const auto view = PackageView::open(*bytes);
    const auto manifest = view->read_manifest();
    REQUIRE(manifest.ok());
    const auto codes = records<OctNormal>(*view, SectionType::MeshNormals, 0);
    double largest = 0;
    for (std::size_t v = 0; v < codes.size(); ++v) {
        const auto d = oct_decode(codes[v]);
        const Float3 n = asset.meshes[0].normals[v];
        const double chord = std::sqrt(std::pow(static_cast<double>(d[0]) - static_cast<double>(n.x), 2) +
                                       std::pow(static_cast<double>(d[1]) - static_cast<double>(n.y), 2) +
                                       std::pow(static_cast<double>(d[2]) - static_cast<double>(n.z), 2));
        largest = std::max(largest, 2 * std::asin(chord / 2) * 57.29577951308232);
    }
    const auto stored = static_cast<double>((*manifest)->meshes[0]->normal->max_error_deg);
    // The normals are unit to float rounding only, which a chord takes for an angle: 1e-7 rad.
    CHECK(std::abs(stored - largest) < 1e-5);
    CHECK(stored > 0.001);  // 1600 random normals come near the bound
    CHECK(stored <= static_cast<double>(kMaxOctErrorDeg));
}

TEST_CASE("the manifest holds the facts of the asset") {
    const auto bytes = assemble_package(sample_asset());
    REQUIRE(bytes.ok());
    const auto manifest = PackageView::open(*bytes)->read_manifest();
    REQUIRE(manifest.ok());
    const manifest::ManifestT& m = **manifest;
    const auto& mesh = *m.meshes[0];
    CHECK(mesh.skin == 0);  // of the second node that draws it
    CHECK(mesh.vertex_count == 144);
    CHECK(mesh.index_count == 726);
    CHECK(mesh.uv_sets == 2);
    CHECK(mesh.influences->class_1 == 2);
    CHECK(mesh.influences->class_4 == 142);
    CHECK(mesh.shapes[0]->affected_vertices == 3);
    CHECK(mesh.shapes[0]->max_delta == 0.75F);
    CHECK(mesh.shapes[0]->frames[1]->first_record == 2);
    CHECK(mesh.shapes[0]->frames[1]->has_normals);
    CHECK(m.clips[0]->raw_bytes == 40 * 2 * 4);
    CHECK(m.clips[0]->tracks[1]->first_value == 4);
    CHECK(m.materials[0]->textures[0]->uv_set == 1);
    CHECK(m.issues[0]->code == 1011);
    CHECK(m.provenance->options_json == options_json(CookOptions{}));
    CHECK(m.provenance->inputs[0]->name == "cloth.glb");
    const auto& libraries = m.provenance->libraries;
    CHECK(std::ranges::is_sorted(libraries, {}, [](const auto& l) { return l->name; }));
    for (const std::string_view name : {"assimp", "draco", "flatbuffers", "meshoptimizer", "zstd"}) {
        CHECK(std::ranges::any_of(libraries,
                                  [&](const auto& l) { return l->name == name && !l->version.empty(); }));
    }
}

TEST_CASE("folders do not get into the package, and the same asset gives the same bytes") {
    CookedAsset asset = sample_asset();
    asset.options.package.compression = SectionCompression::Raw;
    const auto first = assemble_package(asset);
    asset.inputs[0].path = "/another/place.glb";
    const auto second = assemble_package(asset);
    REQUIRE((first.ok() && second.ok()));
    CHECK(*first == *second);
    const std::string_view text(reinterpret_cast<const char*>(first->data()), first->size());
    CHECK(text.find("secret") == std::string_view::npos);
    CHECK(text.find("somewhere") == std::string_view::npos);
}

TEST_CASE("compression options change bytes, not the content root") {
    CookedAsset asset = sample_asset(40);
    const auto packed = assemble_package(asset);
    asset.options.package.zstd_level = 1;
    const auto faster = assemble_package(asset);
    asset.options.package.compression = SectionCompression::Raw;
    const auto raw = assemble_package(asset);
    REQUIRE((packed.ok() && faster.ok() && raw.ok()));
    CHECK(packed->size() < raw->size());
    const auto root = [](const auto& bytes) { return PackageView::open(*bytes)->content_root(); };
    CHECK(root(packed) == root(raw));
    CHECK(root(packed) == root(faster));
}

TEST_CASE("names that are not UTF-8 are taken as Latin-1") {
    CookedAsset asset = sample_asset();
    asset.meshes[0].name = "T\xFCr";
    asset.nodes[0].name = "T\xC3\xBCr";
    const auto bytes = assemble_package(asset);
    REQUIRE(bytes.ok());
    CHECK(verify_package(*bytes).ok());
    const auto manifest = PackageView::open(*bytes)->read_manifest();
    CHECK((*manifest)->meshes[0]->name == "T\xC3\xBCr");
    CHECK((*manifest)->nodes[0]->name == "T\xC3\xBCr");
}

TEST_CASE("an asset without meshes, and a mesh without triangles, make valid packages") {
    CookedAsset nothing;
    const auto empty = assemble_package(nothing);
    REQUIRE(empty.ok());
    CHECK(verify_package(*empty).ok());
    nothing.meshes.resize(1);
    nothing.clustered.resize(1);
    nothing.meshes[0].uv_sets.resize(2);
    const auto no_triangles = assemble_package(nothing);
    REQUIRE(no_triangles.ok());
    const VerifyReport report = verify_package(*no_triangles);
    for (const Finding& f : report.findings) UNSCOPED_INFO(f.where << ": " << f.message);
    CHECK(report.ok());
}

TEST_CASE("broken promises of earlier stages are errors, not packages") {
    CookedAsset short_array = sample_asset();
    short_array.meshes[0].normals.pop_back();
    CHECK_FALSE(assemble_package(short_array).ok());
    CookedAsset out_of_grid = sample_asset();
    out_of_grid.meshes[0].grid_positions[3][1] = 40000;
    const auto refused = assemble_package(out_of_grid);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::Internal);
    CHECK(refused.error().where == "mesh 0 'Cloth'");
    CookedAsset sets = sample_asset(4);
    sets.meshes[0].uv_sets.resize(257, sets.meshes[0].uv_sets[0]);
    CHECK(assemble_package(sets).error().kind == ErrorKind::Limit);
}

}  // namespace sinter
