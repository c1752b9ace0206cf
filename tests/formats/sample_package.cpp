#include "sample_package.hpp"

#include <sinter/formats/codecs.hpp>
#include <sinter/formats/hash.hpp>

#include <array>
#include <memory>
#include <stdexcept>

namespace sinter::test {
namespace {

namespace mf = manifest;

std::unique_ptr<mf::Float3> float3(float x, float y, float z) {
    return std::make_unique<mf::Float3>(x, y, z);
}

std::unique_ptr<mf::NodeT> node(const char* name, std::int32_t parent, std::int32_t mesh = -1,
                                std::int32_t skin = -1) {
    auto out = std::make_unique<mf::NodeT>();
    out->name = name;
    out->parent = parent;
    out->translation = float3(0.5F, 0, 0);
    out->rotation = std::make_unique<mf::Float4>(0.0F, 0.0F, 0.0F, 1.0F);
    out->scale = float3(1, 1, 1);
    out->mesh = mesh;
    out->skin = skin;
    out->in_scene = true;
    return out;
}

void add_provenance(mf::ManifestT& m) {
    m.provenance = std::make_unique<mf::ProvenanceT>();
    m.provenance->source = std::make_unique<mf::SourceT>();
    m.provenance->source->name = "head.glb";
    m.provenance->source->format = "glb";
    m.provenance->tool = "sinter";
    m.provenance->tool_version = "0.1.0";
    m.provenance->options_json = "{}";
    const Digest digest = sha256(std::as_bytes(std::span(m.provenance->options_json)));
    m.provenance->options_digest = {digest.begin(), digest.end()};
    auto input = std::make_unique<mf::InputT>();
    input->name = "head.glb";
    input->bytes = 1234;
    input->sha256.assign(32, 7);
    m.provenance->inputs.push_back(std::move(input));
    auto issue = std::make_unique<mf::IssueT>();
    issue->code = 1011;
    issue->severity = mf::Severity::Warning;
    issue->message = "skin.png is not there";
    issue->count = 1;
    m.issues.push_back(std::move(issue));
}

void add_materials(mf::ManifestT& m) {
    for (const char* name : {"Skin", "Metal"}) {
        auto material = std::make_unique<mf::MaterialT>();
        material->name = name;
        material->base_color = std::make_unique<mf::Float4>(1.0F, 0.5F, 0.25F, 1.0F);
        material->emissive = float3(0, 0, 0);
        material->roughness = 0.5F;
        auto texture = std::make_unique<mf::TextureT>();
        texture->slot = "base_color";
        texture->uri = "skin.png";
        material->textures.push_back(std::move(texture));
        m.materials.push_back(std::move(material));
    }
}

std::unique_ptr<mf::MeshT> mesh(const char* name, std::uint32_t bits, float step) {
    auto out = std::make_unique<mf::MeshT>();
    out->name = name;
    out->grid = std::make_unique<mf::GridT>();
    out->grid->bits = bits;
    out->grid->step = step;
    out->grid->center = float3(0, 0, 0);
    out->bounds = std::make_unique<mf::BoundsT>();
    out->bounds->center = float3(0, 0, 0);
    out->normal = std::make_unique<mf::NormalInfoT>();
    out->tangent = std::make_unique<mf::TangentInfoT>();
    out->skin = -1;
    return out;
}

void add_submesh(mf::MeshT& m, std::int32_t material, std::uint32_t first, std::uint32_t count) {
    auto submesh = std::make_unique<mf::SubmeshT>();
    submesh->material = material;
    submesh->first_index = first;
    submesh->index_count = count;
    m.submeshes.push_back(std::move(submesh));
}

std::unique_ptr<mf::ShapeFrameT> frame(float weight, std::uint64_t first, std::uint64_t count) {
    auto out = std::make_unique<mf::ShapeFrameT>();
    out->weight = weight;
    out->first_record = first;
    out->record_count = count;
    out->has_normals = true;
    return out;
}

void add_shapes(SamplePackage& package, mf::MeshT& head) {
    auto smile = std::make_unique<mf::ShapeT>();
    smile->name = "Smile";
    smile->frames.push_back(frame(0.5F, 0, 1));
    smile->frames.push_back(frame(1, 1, 2));
    smile->affected_vertices = 2;
    smile->max_delta = 0.5F;
    auto blink = std::make_unique<mf::ShapeT>();
    blink->name = "Blink";
    blink->default_weight = 0.25F;
    blink->frames.push_back(frame(1, 3, 1));
    blink->affected_vertices = 1;
    blink->max_delta = 0.125F;
    head.shapes.push_back(std::move(smile));
    head.shapes.push_back(std::move(blink));
    package.set<BlendShapeDelta>(SectionType::BlendShapeDeltas, 0,
                                 {{.vertex = 1, .position = {0.25F, 0, 0}},
                                  {.vertex = 1, .position = {0.5F, 0, 0}, .normal = {0, 0.125F, 0}},
                                  {.vertex = 3, .position = {0, 0.25F, 0}},
                                  {.vertex = 0, .position = {0, 0, 0.125F}}});
}

void add_influences(SamplePackage& package, mf::MeshT& head) {
    head.influences = std::make_unique<mf::InfluencesT>();
    head.influences->stride = 4;
    head.influences->weight_bits = 16;
    head.influences->max_source = 3;
    head.influences->max = 2;
    head.influences->class_1 = 2;
    head.influences->class_4 = 2;
    using Record = std::array<std::uint16_t, 8>;
    package.set<Record>(SectionType::MeshInfluences, 0,
                        {{2, 0, 0, 0, 65535, 0, 0, 0},
                         {1, 2, 0, 0, 40000, 25535, 0, 0},
                         {0, 1, 0, 0, 32768, 32767, 0, 0},
                         {1, 0, 0, 0, 65535, 0, 0, 0}});
}

void add_head(SamplePackage& package) {
    auto head = mesh("Head", 16, 1.0F / 32768);
    head->vertex_count = 4;
    head->point_count = 4;
    head->source_vertices = 4;
    head->index_count = 6;
    head->source_triangles = 4;
    head->degenerate_triangles = 1;
    head->duplicate_triangles = 1;
    head->bounds->min = float3(-0.5F, -0.5F, 0);
    head->bounds->max = float3(0.5F, 0.5F, 0);
    head->bounds->radius = 0.70710683F;
    head->skin = 0;
    head->normal->bits = 32;
    head->normal->max_error_deg = 0.001F;
    head->tangent->bits = 128;
    head->uv_sets = 1;
    head->uvs.push_back(std::make_unique<mf::UvInfoT>());
    head->uvs[0]->bits = 32;
    head->has_colors = true;
    add_submesh(*head, 0, 0, 3);
    add_submesh(*head, 1, 3, 3);
    constexpr std::int16_t kHalf = 16384;
    package.set<GridPosition16>(
        SectionType::MeshPositions, 0,
        {{-kHalf, -kHalf, 0}, {kHalf, -kHalf, 0}, {kHalf, kHalf, 0}, {-kHalf, kHalf, 0}});
    package.set<OctNormal>(SectionType::MeshNormals, 0, std::vector<OctNormal>(4, oct_encode({0, 0, 1})));
    package.set<TangentRecord>(SectionType::MeshTangents, 0, std::vector<TangentRecord>(4, {1, 0, 0, -1}));
    package.set<UvRecord>(SectionType::MeshUvs, uv_section_id(0, 0), {{0, 0}, {1, 0}, {1, 1}, {0, 1}});
    package.set<ColorRecord>(SectionType::MeshColors, 0, std::vector<ColorRecord>(4, {1, 1, 1, 1}));
    package.set<std::uint32_t>(SectionType::MeshIndices, 0, {0, 1, 2, 0, 2, 3});
    add_influences(package, *head);
    add_shapes(package, *head);
    package.manifest.meshes.push_back(std::move(head));
}

void add_prop(SamplePackage& package) {
    auto prop = mesh("Prop", 32, 0.5F);
    prop->grid->kind = mf::GridKind::World;
    prop->vertex_count = 3;
    prop->point_count = 3;
    prop->source_vertices = 3;
    prop->index_count = 3;
    prop->source_triangles = 1;
    prop->bounds->min = float3(0, 0, 0);
    prop->bounds->max = float3(50000, 50000, 0);
    prop->bounds->radius = 70711;
    add_submesh(*prop, -1, 0, 3);
    package.set<GridPosition32>(SectionType::MeshPositions, 1, {{0, 0, 0}, {100000, 0, 0}, {0, 100000, 0}});
    package.set<std::uint32_t>(SectionType::MeshIndices, 1, {0, 1, 2});
    package.manifest.meshes.push_back(std::move(prop));
}

void add_skeleton(SamplePackage& package) {
    auto skeleton = std::make_unique<mf::SkeletonT>();
    skeleton->name = "Rig";
    for (std::int32_t i = 0; i < 3; ++i) {
        auto bone = std::make_unique<mf::BoneT>();
        bone->name = i == 0 ? "Neck" : i == 1 ? "Jaw" : "Brow";
        bone->parent = i == 0 ? -1 : 0;
        bone->node = i;
        skeleton->bones.push_back(std::move(bone));
    }
    skeleton->leaf_bones = 2;
    skeleton->max_depth = 1;
    package.manifest.skeletons.push_back(std::move(skeleton));
    auto skin = std::make_unique<mf::SkinT>();
    skin->name = "HeadSkin";
    skin->bone_of_joint = {2, 0, 1};
    package.manifest.skins.push_back(std::move(skin));
    const InverseBindRecord identity{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    package.set<InverseBindRecord>(SectionType::SkinInverseBinds, 0, std::vector(3, identity));
}

std::unique_ptr<mf::TrackT> track(std::int32_t node, mf::TrackPath path, std::uint32_t components,
                                  std::uint64_t first) {
    auto out = std::make_unique<mf::TrackT>();
    out->node = node;
    out->path = path;
    out->components = components;
    out->first_value = first;
    return out;
}

void add_clip(SamplePackage& package) {
    auto clip = std::make_unique<mf::ClipT>();
    clip->name = "Nod";
    clip->duration_s = 0.125;
    clip->sample_rate_hz = 30;
    clip->frame_count = 5;
    clip->raw_bytes = std::uint64_t{40} * 3 * 5;
    clip->tracks.push_back(track(1, mf::TrackPath::Rotation, 4, 0));
    clip->tracks.push_back(track(2, mf::TrackPath::Translation, 3, 20));
    clip->tracks.back()->constant = true;
    clip->tracks.push_back(track(3, mf::TrackPath::Weights, 2, 23));
    std::vector<float> values;  // one push_back a value: g++ 14 warns of insert() of lists
    const auto add = [&](std::initializer_list<float> list) {
        for (const float value : list) values.push_back(value);
    };
    for (int i = 0; i < 5; ++i) add({0, 0, 0.6F, 0.8F});
    add({1, 2, 3});
    for (int i = 0; i < 5; ++i) add({0.25F * static_cast<float>(i), 0});
    package.set<float>(SectionType::ClipSamples, 0, values);
    package.manifest.clips.push_back(std::move(clip));
}

}  // namespace

SamplePackage::SamplePackage() {
    add_provenance(manifest);
    manifest.nodes.push_back(node("Neck", -1));
    manifest.nodes.push_back(node("Jaw", 0));
    manifest.nodes.push_back(node("Brow", 0));
    manifest.nodes.push_back(node("Head", -1, 0, 0));
    manifest.nodes.back()->shape_weights = {0, 0.5F};
    manifest.nodes.push_back(node("Prop", 3, 1));
    manifest.nodes.back()->matrix = {1, 0.5F, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    add_materials(manifest);
    add_head(*this);
    add_prop(*this);
    add_field(*this);
    add_skeleton(*this);
    add_clip(*this);
}

std::vector<std::byte> SamplePackage::bytes(const WriteOptions& options) const {
    PackageBuilder builder(options);
    for (const auto& [key, part] : parts) {
        builder.add(
            {.type = key.first, .id = key.second, .record_stride = part.stride, .required = part.required},
            part.raw);
    }
    auto bytes = std::move(builder).finish(manifest);
    if (!bytes) throw std::runtime_error(bytes.error().line());
    return *std::move(bytes);
}

}  // namespace sinter::test
