// Decoded attributes and keys against the independent reading of gltf_reference.hpp.
#include "cooker/animation/evaluate.hpp"
#include "cooker/import/check.hpp"
#include "tests/import/gltf/gltf_reference.hpp"
#include "tests/import/gltf/import_ok.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace sinter::test {
namespace {

// The issue's bound. What remains between float and double here is rounding: values are at most 1 where
// they are normalised or animated, and 2^-24 relative is 6e-8.
constexpr double kBound = 1e-6;

template <typename T>
std::vector<T> random_values(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<T> out(count);
    for (std::size_t i = 0; i < count; ++i) {
        if constexpr (std::is_floating_point_v<T>) {
            out[i] = static_cast<float>(random()) / 2147483648.0F - 1.0F;
        } else {
            out[i] = static_cast<T>(random());
        }
    }
    // the ends of the range, where the formulas for signed integers clamp
    if constexpr (std::is_integral_v<T>) {
        out[0] = std::numeric_limits<T>::min();
        out[1] = std::numeric_limits<T>::max();
        if (count > 2 && std::is_signed_v<T>) out[2] = static_cast<T>(std::numeric_limits<T>::min() + 1);
    }
    return out;
}

void require_near(const std::vector<double>& wanted, const std::vector<double>& got) {
    REQUIRE(wanted.size() == got.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        INFO("component " << i);
        REQUIRE_THAT(got[i],
                     Catch::Matchers::WithinAbs(wanted[i], kBound * std::max(1.0, std::abs(wanted[i]))));
    }
}

std::vector<double> flat(const std::vector<Float3>& values) {
    std::vector<double> out;
    for (const Float3& v : values) {
        for (const float c : {v.x, v.y, v.z}) out.push_back(static_cast<double>(c));
    }
    return out;
}
std::vector<double> flat(const std::vector<Float4>& values) {
    std::vector<double> out;
    for (const Float4& v : values) {
        for (const float c : {v.x, v.y, v.z, v.w}) out.push_back(static_cast<double>(c));
    }
    return out;
}
std::vector<double> flat(const std::vector<Float2>& values) {
    std::vector<double> out;
    for (const Float2& v : values) {
        for (const float c : {v.x, v.y}) out.push_back(static_cast<double>(c));
    }
    return out;
}

Primitive import_primitive(const GltfBuilder& builder) {
    return import_ok(builder).meshes.at(0).primitives.at(0);
}

constexpr std::size_t kVertices = 12;

}  // namespace

TEMPLATE_TEST_CASE("Positions of every component type equal the independent reading", "[gltf]", std::int8_t,
                   std::uint8_t, std::int16_t, std::uint16_t, float) {
    const bool normalized = GENERATE(false, true);
    const std::size_t extra_stride = GENERATE(std::size_t{0}, std::size_t{4}, std::size_t{12});
    const int sparse = GENERATE(0, 1, 2);  // none, over a base, without a base
    if (std::is_floating_point_v<TestType> && normalized) return;
    GltfBuilder builder;
    builder.triangle();
    const std::size_t stride = extra_stride == 0 ? 0 : (3 * sizeof(TestType) + 3) / 4 * 4 + extra_stride;
    const std::size_t accessor =
        builder.accessor(random_values<TestType>(kVertices * 3, 11), "VEC3", normalized, stride);
    const auto changed = random_values<TestType>(9, 12);
    const int index_type = GENERATE(0, 1, 2);
    if (sparse == 0 && index_type != 0) return;
    if (sparse != 0) {
        const bool keep = sparse == 1;
        if (index_type == 0)
            builder.make_sparse(accessor, std::vector<std::uint8_t>{0, 5, 11}, changed, keep);
        if (index_type == 1)
            builder.make_sparse(accessor, std::vector<std::uint16_t>{1, 2, 7}, changed, keep);
        if (index_type == 2)
            builder.make_sparse(accessor, std::vector<std::uint32_t>{3, 4, 10}, changed, keep);
    }
    builder.attributes()["POSITION"] = accessor;
    const Primitive primitive = import_primitive(builder);
    require_near(GltfReference(builder.root, builder.bin).values(accessor), flat(primitive.positions));
}

TEMPLATE_TEST_CASE("Normals, tangents, texture coordinates and morph targets may be quantised", "[gltf]",
                   std::int8_t, std::int16_t, float) {
    GltfBuilder builder;
    Json& primitive_json = builder.triangle();
    const bool normalized = !std::is_floating_point_v<TestType>;
    const std::size_t vec3_stride = (3 * sizeof(TestType) + 3) / 4 * 4;
    const std::size_t normals =
        builder.accessor(random_values<TestType>(9, 21), "VEC3", normalized, vec3_stride);
    const std::size_t tangents = builder.accessor(random_values<TestType>(12, 22), "VEC4", normalized);
    const std::size_t uvs = builder.accessor(random_values<TestType>(6, 23), "VEC2", normalized);
    const std::size_t second_uvs = builder.accessor(random_values<TestType>(6, 24), "VEC2", normalized);
    const std::size_t delta =
        builder.accessor(random_values<TestType>(9, 25), "VEC3", normalized, vec3_stride);
    const std::size_t tangent_delta =
        builder.accessor(random_values<TestType>(9, 26), "VEC3", normalized, vec3_stride);
    primitive_json["targets"] = Json::array(
        {{{"POSITION", delta}, {"NORMAL", normals}, {"TANGENT", tangent_delta}}, {{"NORMAL", delta}}});
    builder.attributes()["NORMAL"] = normals;
    builder.attributes()["TANGENT"] = tangents;
    builder.attributes()["TEXCOORD_0"] = uvs;
    builder.attributes()["TEXCOORD_1"] = second_uvs;
    const Primitive primitive = import_primitive(builder);
    const GltfReference reference(builder.root, builder.bin);
    require_near(reference.values(normals), flat(primitive.normals));
    require_near(reference.values(tangents), flat(primitive.tangents));
    REQUIRE(primitive.uv_sets.size() == 2);
    require_near(reference.values(uvs), flat(primitive.uv_sets[0]));
    require_near(reference.values(second_uvs), flat(primitive.uv_sets[1]));
    REQUIRE(primitive.shape_frames.size() == 2);
    require_near(reference.values(delta), flat(primitive.shape_frames[0].positions));
    require_near(reference.values(normals), flat(primitive.shape_frames[0].normals));
    require_near(reference.values(tangent_delta), flat(primitive.shape_frames[0].tangents));
    CHECK(primitive.shape_frames[1].positions.empty());
    require_near(reference.values(delta), flat(primitive.shape_frames[1].normals));
}

TEMPLATE_TEST_CASE("Vertex colours of three and four components, and weights, equal the independent reading",
                   "[gltf]", std::uint8_t, std::uint16_t, float) {
    const bool normalized = !std::is_floating_point_v<TestType>;
    const std::string type = GENERATE("VEC3", "VEC4");
    GltfBuilder builder;
    builder.triangle();
    const std::size_t n = component_count(type);
    const std::size_t stride = (n * sizeof(TestType) + 3) / 4 * 4;
    const std::size_t colors = builder.accessor(random_values<TestType>(3 * n, 31), type, normalized, stride);
    builder.attributes()["COLOR_0"] = colors;
    const std::size_t joints =
        builder.accessor(std::vector<std::uint8_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, "VEC4");
    const std::size_t weights = builder.accessor(random_values<TestType>(12, 32), "VEC4", normalized);
    builder.attributes()["JOINTS_0"] = joints;
    builder.attributes()["WEIGHTS_0"] = weights;
    const Primitive primitive = import_primitive(builder);
    const GltfReference reference(builder.root, builder.bin);
    std::vector<double> wanted;
    const std::vector<double> stored = reference.values(colors);
    for (std::size_t v = 0; v < 3; ++v) {
        for (std::size_t c = 0; c < 4; ++c) wanted.push_back(c < n ? stored[v * n + c] : 1.0);
    }
    require_near(wanted, flat(primitive.colors));
    const std::vector<double> wanted_weights = reference.values(weights);
    std::vector<std::vector<double>> got(3, std::vector<double>(4, 0.0));
    REQUIRE(primitive.influence_offsets.size() == 4);
    for (std::size_t v = 0; v < 3; ++v) {
        for (std::size_t k = primitive.influence_offsets[v]; k < primitive.influence_offsets[v + 1]; ++k) {
            got[v].at(primitive.influences[k].joint - v * 4) =
                static_cast<double>(primitive.influences[k].weight);
        }
        require_near({wanted_weights.begin() + static_cast<std::ptrdiff_t>(v * 4),
                      wanted_weights.begin() + static_cast<std::ptrdiff_t>(v * 4 + 4)},
                     got[v]);
    }
}

TEMPLATE_TEST_CASE("Indices of every unsigned type are read, strided by their view or not", "[gltf]",
                   std::uint8_t, std::uint16_t, std::uint32_t) {
    GltfBuilder builder;
    Json& primitive_json = builder.triangle();
    const std::size_t stride = GENERATE(std::size_t{0}, std::size_t{8});
    primitive_json["indices"] =
        builder.accessor(std::vector<TestType>{2, 1, 0, 0, 1, 2}, "SCALAR", false, stride);
    CHECK(import_primitive(builder).indices == std::vector<std::uint32_t>{2, 1, 0, 0, 1, 2});
}

TEST_CASE("Joints of every set and type are kept in file order and slots with weight 0 are no influences",
          "[gltf]") {
    GltfBuilder builder;
    builder.triangle();
    Json& attributes = builder.attributes();
    attributes["JOINTS_0"] =
        builder.accessor(std::vector<std::uint16_t>{300, 1, 0, 0, 4, 5, 6, 7, 1, 0, 0, 0}, "VEC4");
    attributes["WEIGHTS_0"] =
        builder.accessor(std::vector<float>{0.5F, 0.25F, 0, 0, 0.1F, 0.1F, 0.1F, 0.1F, 1, 0, 0, 0}, "VEC4");
    attributes["JOINTS_1"] =
        builder.accessor(std::vector<std::uint8_t>{9, 0, 0, 0, 8, 9, 10, 11, 0, 0, 0, 0}, "VEC4");
    attributes["WEIGHTS_1"] =
        builder.accessor(std::vector<float>{0.25F, 0, 0, 0, 0.2F, 0.2F, 0.1F, 0.1F, 0, 0, 0, 0}, "VEC4");
    const Primitive primitive = import_primitive(builder);
    CHECK(primitive.influence_offsets == std::vector<std::uint32_t>{0, 3, 11, 12});
    CHECK(primitive.influences.at(0) == Influence{300, 0.5F});
    CHECK(primitive.influences.at(2) == Influence{9, 0.25F});
    CHECK(primitive.influences.at(7) == Influence{8, 0.2F});
    CHECK(primitive.influences.at(11) == Influence{1, 1.0F});
}

namespace {

template <typename T>
std::vector<T> key_values(std::size_t count, std::uint32_t seed) {
    std::vector<T> values = random_values<T>(count, seed);
    if constexpr (std::is_floating_point_v<T>) return values;
    // No all-zero rotation: the first component is at least a quarter of the range.
    for (std::size_t i = 0; i < count; i += 4)
        values[i] = static_cast<T>(std::numeric_limits<T>::max() / 2 + values[i] / 4);
    return values;
}

void check_curve(const GltfBuilder& builder, std::size_t input, std::size_t output, std::size_t components,
                 const std::string& mode, const std::string& path) {
    const Scene scene = import_ok(builder);
    const Channel& channel = scene.clips.at(0).channels.at(0);
    REQUIRE(channel.components == components);
    const GltfReference reference(builder.root, builder.bin);
    const std::vector<double> times = reference.values(input);
    const std::vector<double> values = reference.values(output);
    CHECK(scene.clips[0].start_s == times.front());
    CHECK(scene.clips[0].end_s == times.back());
    std::vector<double> got(components);
    for (int step = -4; step <= 100; ++step) {
        const double t = times.front() + (times.back() - times.front()) * step / 96.0;
        evaluate_channel(channel, t, got);
        INFO(mode << " " << path << " at " << t);
        require_near(reference_curve(times, values, components, mode, path == "rotation", t), got);
    }
    for (const double t : times) {
        evaluate_channel(channel, t, got);
        require_near(reference_curve(times, values, components, mode, path == "rotation", t), got);
    }
}

}  // namespace

TEMPLATE_TEST_CASE("Keys of every component type and interpolation equal the independent evaluator",
                   "[gltf][B14]", std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, float) {
    const std::string mode = GENERATE("STEP", "LINEAR", "CUBICSPLINE");
    const std::string path = GENERATE("translation", "rotation", "scale", "weights");
    const bool sparse = GENERATE(false, true);
    constexpr std::size_t kKeys = 5, kShapes = 2;
    const bool normalized = !std::is_floating_point_v<TestType>;
    GltfBuilder builder;
    Json& primitive = builder.triangle();
    const std::size_t delta = builder.accessor(std::vector<float>{1, 0, 0, 1, 0, 0, 1, 0, 0}, "VEC3");
    primitive["targets"] = Json::array({{{"POSITION", delta}}, {{"POSITION", delta}}});
    const std::size_t input = builder.accessor(std::vector<float>{0.5F, 0.75F, 1.5F, 1.6F, 2.25F}, "SCALAR");
    const std::size_t components = path == "rotation" ? 4 : path == "weights" ? kShapes : 3;
    const std::size_t parts = mode == "CUBICSPLINE" ? 3 : 1;
    const std::string type = path == "rotation" ? "VEC4" : path == "weights" ? "SCALAR" : "VEC3";
    const std::size_t stride = type == "VEC3" ? (3 * sizeof(TestType) + 3) / 4 * 4 : 0;
    const std::size_t output =
        builder.accessor(key_values<TestType>(kKeys * parts * components, 41), type, normalized, stride);
    if (sparse) {
        builder.make_sparse(output, std::vector<std::uint8_t>{1, 4},
                            key_values<TestType>(2 * component_count(type), 42), true);
    }
    builder.animation(path, mode, input, output);
    check_curve(builder, input, output, components, mode, path);
}

// A key of another length than 1 shows it: were its value normalised and its tangents not, the curve would bend.
TEMPLATE_TEST_CASE("Quantised CUBICSPLINE rotations keep their curve through the checks", "[gltf]",
                   std::int8_t, std::int16_t) {
    constexpr double kGreatest = std::numeric_limits<TestType>::max();
    const std::vector<std::array<double, 4>> stored = {
        // in-tangent, value, out-tangent of three keys; the second value has length 0.8, well off 1
        {0, 0, 0, 0},        {0, 0, 0, 1},       {0.5, -0.25, 0.125, 0},
        {0.25, 0.5, 0, 0.1}, {0.48, 0, 0, 0.64}, {-0.5, 0.75, 0.25, -0.125},
        {0, 0, 0.5, 0},      {0, 0.6, 0, 0.8},   {0, 0, 0, 0}};
    std::vector<TestType> quantised;
    for (const auto& row : stored) {
        for (const double c : row) quantised.push_back(static_cast<TestType>(std::lround(c * kGreatest)));
    }
    GltfBuilder builder;
    builder.triangle();
    const std::size_t input = builder.accessor(std::vector<float>{0, 0.5F, 2}, "SCALAR");
    const std::size_t output = builder.accessor(quantised, "VEC4", true);
    builder.animation("rotation", "CUBICSPLINE", input, output);
    Issues issues;
    auto checked = check_scene(import_ok(builder), issues);
    REQUIRE(checked.ok());
    CHECK(issues.count_of(IssueCode::UnnormalizedRotations) == 1);
    const GltfReference reference(builder.root, builder.bin);
    const std::vector<double> times = reference.values(input), values = reference.values(output);
    std::vector<double> got(4);
    for (int step = 0; step <= 64; ++step) {
        const double t = 2.0 * step / 64;
        INFO("at " << t);
        evaluate_channel(checked->clips.at(0).channels.at(0), t, got);
        require_near(reference_curve(times, values, 4, "CUBICSPLINE", true, t), got);
    }
}

TEST_CASE("Inverse bind matrices are read column by column and are identity where the skin has none",
          "[gltf][B03]") {
    GltfBuilder builder;
    builder.triangle();
    builder.add("skins", {{"joints", {0}}});
    auto without = import_bytes(builder.glb());
    REQUIRE(without.ok());
    CHECK(without->skins.at(0).bone_from_mesh.at(0) == Mat3x4{});
    std::vector<float> columns(16);
    for (std::size_t i = 0; i < 12; ++i) columns[i / 3 * 4 + i % 3] = static_cast<float>(i + 1);
    columns[15] = 1;
    builder.root["skins"][0]["inverseBindMatrices"] = builder.accessor(columns, "MAT4");
    auto with = import_bytes(builder.glb());
    REQUIRE(with.ok());
    CHECK(with->skins.at(0).bone_from_mesh.at(0) == Mat3x4{{1, 4, 7, 10, 2, 5, 8, 11, 3, 6, 9, 12}});
}

}  // namespace sinter::test
