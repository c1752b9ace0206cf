// EXT_meshopt_compression and KHR_draco_mesh_compression: encoded here, decoded by the importer.
#include "tests/import/gltf/gltf_reference.hpp"
#include "tests/import/gltf/import_ok.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <draco/compression/expert_encode.h>
#include <draco/mesh/mesh.h>
#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace sinter::test {
namespace {

using Catch::Matchers::WithinAbs;

// A view whose bytes lie compressed in buffer 0; the view itself is in buffer 1, which has no data.
std::size_t compressed_view(GltfBuilder& builder, const std::vector<unsigned char>& encoded,
                            std::size_t count, std::size_t stride, const char* mode, const char* filter) {
    const std::size_t raw = builder.view(std::as_bytes(std::span(encoded)));
    Json view = builder.root["bufferViews"][raw];
    Json extension = {{"buffer", 0},
                      {"byteOffset", view["byteOffset"]},
                      {"byteLength", encoded.size()},
                      {"byteStride", stride},
                      {"count", count},
                      {"mode", mode}};
    if (filter != nullptr) extension["filter"] = filter;
    builder.root["bufferViews"][raw] = {{"buffer", 1}, {"byteOffset", 0}, {"byteLength", count * stride}};
    if (std::string_view(mode) == "ATTRIBUTES") builder.root["bufferViews"][raw]["byteStride"] = stride;
    builder.root["bufferViews"][raw]["extensions"]["EXT_meshopt_compression"] = std::move(extension);
    return raw;
}

void add_buffers(GltfBuilder& builder) {
    builder.root["buffers"] = Json::array(
        {{{"byteLength", builder.bin.size()}},
         {{"byteLength", 1 << 20}, {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}}});
    builder.root["extensionsUsed"] = {"EXT_meshopt_compression", "KHR_mesh_quantization"};
    builder.root["extensionsRequired"] = {"EXT_meshopt_compression", "KHR_mesh_quantization"};
}

std::vector<unsigned char> encoded_vertices(const void* data, std::size_t count, std::size_t stride) {
    std::vector<unsigned char> out(meshopt_encodeVertexBufferBound(count, stride));
    out.resize(meshopt_encodeVertexBuffer(out.data(), out.size(), data, count, stride));
    return out;
}

std::vector<float> random_units(std::size_t count, std::size_t components) {
    std::mt19937 random(77);
    std::vector<float> out;
    for (std::size_t i = 0; i < count; ++i) {
        std::array<double, 4> v{};
        double sum = 0;
        for (std::size_t c = 0; c < components; ++c) {
            v[c] = static_cast<double>(random()) / 2147483648.0 - 1.0;
            sum += v[c] * v[c];
        }
        for (std::size_t c = 0; c < 4; ++c) out.push_back(static_cast<float>(v[c] / std::sqrt(sum)));
    }
    return out;
}

constexpr std::size_t kCount = 300;  // more than one block of the vertex codec

}  // namespace

TEST_CASE("Meshopt vertices without a filter, and all three kinds of index streams, are exact",
          "[gltf][meshopt]") {
    std::mt19937 random(3);
    std::vector<float> positions(kCount * 3);
    for (float& p : positions) p = static_cast<float>(random()) * 1e-7F;
    std::vector<std::uint32_t> indices;
    for (std::size_t i = 0; i + 2 < kCount; ++i) {
        for (std::size_t k = 0; k < 3; ++k) indices.push_back(static_cast<std::uint32_t>(i + k));
    }
    const bool triangles = GENERATE(true, false);
    const std::size_t index_size = GENERATE(std::size_t{2}, std::size_t{4});
    std::vector<unsigned char> encoded(1 << 16);
    encoded.resize(
        triangles
            ? meshopt_encodeIndexBuffer(encoded.data(), encoded.size(), indices.data(), indices.size())
            : meshopt_encodeIndexSequence(encoded.data(), encoded.size(), indices.data(), indices.size()));
    GltfBuilder builder;
    Json& primitive = builder.triangle();
    const std::size_t vertices = compressed_view(builder, encoded_vertices(positions.data(), kCount, 12),
                                                 kCount, 12, "ATTRIBUTES", nullptr);
    builder.attributes()["POSITION"] =
        builder.add("accessors",
                    {{"bufferView", vertices}, {"componentType", 5126}, {"count", kCount}, {"type", "VEC3"}});
    const std::size_t view = compressed_view(builder, encoded, indices.size(), index_size,
                                             triangles ? "TRIANGLES" : "INDICES", "NONE");
    primitive["indices"] = builder.add("accessors", {{"bufferView", view},
                                                     {"componentType", index_size == 2 ? 5123 : 5125},
                                                     {"count", indices.size()},
                                                     {"type", "SCALAR"}});
    add_buffers(builder);
    const Primitive got = import_ok(builder).meshes[0].primitives[0];
    REQUIRE(got.positions.size() == kCount);
    for (std::size_t v = 0; v < kCount; ++v) {
        REQUIRE(got.positions[v] == Float3{positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]});
    }
    REQUIRE(got.indices.size() == indices.size());
    // the triangle codec may turn a triangle's corners, keeping the winding
    for (std::size_t i = 0; i < indices.size(); i += 3) {
        std::array<std::uint32_t, 3> a = {got.indices[i], got.indices[i + 1], got.indices[i + 2]};
        std::rotate(a.begin(), std::ranges::min_element(a), a.end());
        REQUIRE(a == std::array<std::uint32_t, 3>{indices[i], indices[i + 1], indices[i + 2]});
    }
}

TEST_CASE("The octahedral filter gives the encoded normals and tangents back", "[gltf][meshopt]") {
    const bool wide = GENERATE(false, true);
    const std::size_t stride = wide ? 8 : 4;
    const int bits = wide ? 16 : 8;
    const std::vector<float> units = random_units(kCount, 3);
    std::vector<unsigned char> filtered(kCount * stride);
    meshopt_encodeFilterOct(filtered.data(), kCount, stride, bits, units.data());
    GltfBuilder builder;
    builder.triangle();
    const std::vector<float> positions(kCount * 3, 0.5F);
    builder.attributes()["POSITION"] = builder.accessor(positions, "VEC3");
    const std::size_t view = compressed_view(builder, encoded_vertices(filtered.data(), kCount, stride),
                                             kCount, stride, "ATTRIBUTES", "OCTAHEDRAL");
    builder.attributes()["NORMAL"] = builder.add("accessors", {{"bufferView", view},
                                                               {"componentType", wide ? 5122 : 5120},
                                                               {"normalized", true},
                                                               {"count", kCount},
                                                               {"type", "VEC3"}});
    add_buffers(builder);
    const Primitive got = import_ok(builder).meshes[0].primitives[0];
    const double greatest = wide ? 32767 : 127;
    for (std::size_t v = 0; v < kCount; ++v) {
        // The extension's text, appendix B: unfold (x, y, 1 - |x| - |y|), normalise, round.
        const auto code = [&](std::size_t c) {
            if (!wide) return static_cast<double>(static_cast<std::int8_t>(filtered[v * 4 + c]));
            std::int16_t value = 0;
            std::memcpy(&value, filtered.data() + v * 8 + c * 2, 2);
            return static_cast<double>(value);
        };
        double x = code(0) / code(2), y = code(1) / code(2);
        const double z = 1 - std::abs(x) - std::abs(y);
        const double t = std::max(-z, 0.0);
        x += x >= 0 ? -t : t;
        y += y >= 0 ? -t : t;
        const double length = std::sqrt(x * x + y * y + z * z);
        const double wanted[3] = {x / length, y / length, z / length};
        const float values[3] = {got.normals[v].x, got.normals[v].y, got.normals[v].z};
        for (std::size_t c = 0; c < 3; ++c) {
            // half a step of rounding, and the float that the step is divided in
            REQUIRE_THAT(static_cast<double>(values[c]), WithinAbs(wanted[c], 0.5 / greatest + 1e-7));
            // and near what was encoded: half a step in x and y is one in z, unfolding stretches that by
            // sqrt(3) at most, and half a step of rounding comes on top
            const double source = static_cast<double>(units[v * 4 + c]);
            REQUIRE_THAT(static_cast<double>(values[c]), WithinAbs(source, 2.3 / greatest));
        }
    }
}

TEST_CASE("The quaternion filter gives the encoded rotations back", "[gltf][meshopt]") {
    const std::vector<float> units = random_units(kCount, 4);
    std::vector<unsigned char> filtered(kCount * 8);
    meshopt_encodeFilterQuat(filtered.data(), kCount, 8, 12, units.data());
    GltfBuilder builder;
    builder.triangle();
    std::vector<float> times(kCount);
    for (std::size_t i = 0; i < kCount; ++i) times[i] = static_cast<float>(i);
    const std::size_t input = builder.accessor(times, "SCALAR");
    const std::size_t view = compressed_view(builder, encoded_vertices(filtered.data(), kCount, 8), kCount, 8,
                                             "ATTRIBUTES", "QUATERNION");
    const std::size_t output = builder.add("accessors", {{"bufferView", view},
                                                         {"componentType", 5122},
                                                         {"normalized", true},
                                                         {"count", kCount},
                                                         {"type", "VEC4"}});
    builder.animation("rotation", "LINEAR", input, output);
    add_buffers(builder);
    const Channel channel = import_ok(builder).clips.at(0).channels.at(0);
    for (std::size_t k = 0; k < kCount; ++k) {
        std::array<std::int16_t, 4> raw{};
        std::memcpy(raw.data(), filtered.data() + k * 8, 8);
        // The extension's text: three components in units of 1/sqrt(2), the largest restored, its index in w.
        const double scale = 1 / (std::sqrt(2.0) * (raw[3] | 3));
        const double x = raw[0] * scale, y = raw[1] * scale, z = raw[2] * scale;
        const std::size_t largest = static_cast<std::size_t>(raw[3] & 3);
        std::array<double, 4> wanted{};
        wanted[(largest + 1) % 4] = x;
        wanted[(largest + 2) % 4] = y;
        wanted[(largest + 3) % 4] = z;
        wanted[largest] = std::sqrt(std::max(0.0, 1 - x * x - y * y - z * z));
        double same = 0, length = 0;
        for (std::size_t c = 0; c < 4; ++c) {
            const double value = static_cast<double>(channel.values[k * 4 + c]);
            REQUIRE_THAT(value, WithinAbs(wanted[c], 0.5 / 32767 + 1e-7));
            same += value * static_cast<double>(units[k * 4 + c]);
            length += value * value;
        }
        // 12 bits of 1/sqrt(2): half a step is 0.00017 a component, so the cosine misses 1 by under 1e-6
        REQUIRE(std::abs(same) / std::sqrt(length) > 1 - 1e-6);
    }
}

TEST_CASE("The exponential filter gives the encoded numbers back", "[gltf][meshopt]") {
    std::mt19937 random(9);
    std::vector<float> positions(kCount * 3);
    for (float& p : positions) p = (static_cast<float>(random()) / 2147483648.0F - 1.0F) * 1000.0F;
    constexpr int kBits = 15;
    std::vector<unsigned char> filtered(kCount * 12);
    meshopt_encodeFilterExp(filtered.data(), kCount, 12, kBits, positions.data(), meshopt_EncodeExpSeparate);
    GltfBuilder builder;
    builder.triangle();
    const std::size_t view = compressed_view(builder, encoded_vertices(filtered.data(), kCount, 12), kCount,
                                             12, "ATTRIBUTES", "EXPONENTIAL");
    builder.attributes()["POSITION"] = builder.add(
        "accessors", {{"bufferView", view}, {"componentType", 5126}, {"count", kCount}, {"type", "VEC3"}});
    add_buffers(builder);
    const Primitive got = import_ok(builder).meshes[0].primitives[0];
    for (std::size_t i = 0; i < kCount * 3; ++i) {
        std::int32_t raw = 0;
        std::memcpy(&raw, filtered.data() + i * 4, 4);
        const std::int32_t exponent = raw >> 24;
        const std::int32_t mantissa = static_cast<std::int32_t>(static_cast<std::uint32_t>(raw) << 8) >> 8;
        const Float3& p = got.positions[i / 3];
        const float value = i % 3 == 0 ? p.x : i % 3 == 1 ? p.y : p.z;
        REQUIRE(static_cast<double>(value) == std::ldexp(static_cast<double>(mantissa), exponent));
        // 15 bits with sign: half a step is 2^-14 of the value at most
        const double source = static_cast<double>(positions[i]);
        REQUIRE_THAT(static_cast<double>(value), WithinAbs(source, std::abs(source) / 16384 + 1e-30));
    }
}

TEST_CASE("Broken meshopt streams and layouts are refused at the extension's place", "[gltf][meshopt]") {
    const std::vector<float> positions(kCount * 3, 1.5F);
    GltfBuilder builder;
    builder.triangle();
    const std::size_t view = compressed_view(builder, encoded_vertices(positions.data(), kCount, 12), kCount,
                                             12, "ATTRIBUTES", nullptr);
    builder.attributes()["POSITION"] = builder.add(
        "accessors", {{"bufferView", view}, {"componentType", 5126}, {"count", kCount}, {"type", "VEC3"}});
    add_buffers(builder);
    REQUIRE(import_bytes(builder.glb()).ok());
    const std::string at =
        "test.glb: /bufferViews/" + std::to_string(view) + "/extensions/EXT_meshopt_compression";
    const auto error_with = [&](const char* key, const Json& value) {
        GltfBuilder broken = builder;
        broken.root["bufferViews"][view]["extensions"]["EXT_meshopt_compression"][key] = value;
        auto scene = import_bytes(broken.glb());
        REQUIRE_FALSE(scene.ok());
        return scene.error();
    };
    CHECK(error_with("mode", "POINTS").where == at + "/mode");
    CHECK(error_with("mode", "TRIANGLES").where == at + "/byteStride");
    CHECK(error_with("filter", "COLOR").kind == ErrorKind::Unsupported);
    CHECK(error_with("filter", "QUATERNION").where == at + "/byteStride");
    CHECK(error_with("byteStride", 13).where == at + "/byteStride");
    CHECK(error_with("byteStride", 260).where == at + "/byteStride");
    CHECK(error_with("byteStride", 0).where == at + "/byteStride");
    CHECK(error_with("count", kCount * 2).where == at);
    CHECK(error_with("count", 4294967295U).kind == ErrorKind::Limit);
    CHECK(error_with("count", 9007199254740992U).kind == ErrorKind::Limit);
    CHECK(error_with("byteLength", 8).where == at);
    CHECK(error_with("byteLength", 1 << 20).where == at);
    CHECK(error_with("buffer", 1).where == "test.glb: /buffers/1");
    // fewer elements than the accessor needs
    CHECK(error_with("count", 8).where == at);
}

namespace {

struct DracoFixture {
    GltfBuilder builder;
    std::vector<std::array<float, 3>> positions;
    std::vector<std::uint16_t> joints;
    std::vector<std::array<std::uint32_t, 3>> faces;
};

int add_attribute(draco::Mesh& mesh, draco::GeometryAttribute::Type type, std::uint8_t components,
                  draco::DataType data, std::size_t element_bytes, const std::byte* values,
                  std::uint32_t count) {
    draco::GeometryAttribute attribute;
    attribute.Init(type, nullptr, components, data, false, static_cast<std::int64_t>(element_bytes), 0);
    const int id = mesh.AddAttribute(attribute, true, count);
    for (std::uint32_t v = 0; v < count; ++v) {
        mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(v), values + v * element_bytes);
    }
    return id;
}

// A grid of `side` x `side` vertices, without quantisation, so that every value must come back exactly.
DracoFixture draco_grid(std::uint32_t side, int method) {
    DracoFixture out;
    draco::Mesh mesh;
    for (std::uint32_t v = 0; v < side * side; ++v) {
        out.positions.push_back({static_cast<float>(v % side) * 0.1F, static_cast<float>(v / side) * 0.3F,
                                 static_cast<float>(v % 7) * 0.01F});
        for (std::uint32_t k = 0; k < 4; ++k)
            out.joints.push_back(static_cast<std::uint16_t>((v * 5 + k) % 600));
    }
    for (std::uint32_t y = 0; y + 1 < side; ++y) {
        for (std::uint32_t x = 0; x + 1 < side; ++x) {
            const std::uint32_t v = y * side + x;
            out.faces.push_back({v, v + 1, v + side});
            out.faces.push_back({v + 1, v + side + 1, v + side});
        }
    }
    mesh.set_num_points(side * side);
    for (const auto& f : out.faces) {
        mesh.AddFace({draco::PointIndex(f[0]), draco::PointIndex(f[1]), draco::PointIndex(f[2])});
    }
    const int position = add_attribute(mesh, draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32, 12,
                                       reinterpret_cast<const std::byte*>(out.positions.data()), side * side);
    const int joint = add_attribute(mesh, draco::GeometryAttribute::GENERIC, 4, draco::DT_UINT16, 8,
                                    reinterpret_cast<const std::byte*>(out.joints.data()), side * side);
    draco::ExpertEncoder encoder(mesh);
    encoder.SetEncodingMethod(method);
    draco::EncoderBuffer buffer;
    REQUIRE(encoder.EncodeToBuffer(&buffer).ok());
    GltfBuilder& builder = out.builder;
    builder.triangle();
    const std::size_t view = builder.view(std::as_bytes(std::span(buffer.data(), buffer.size())));
    const std::size_t n = out.positions.size();
    Json& primitive = builder.root["meshes"][0]["primitives"][0];
    const std::size_t weights = builder.accessor(std::vector<float>(n * 4, 0.25F), "VEC4");
    primitive["attributes"] = {
        {"POSITION", builder.add("accessors", {{"componentType", 5126}, {"count", n}, {"type", "VEC3"}})},
        {"JOINTS_0", builder.add("accessors", {{"componentType", 5123}, {"count", n}, {"type", "VEC4"}})},
        {"WEIGHTS_0", weights}};  // not compressed: from an ordinary accessor
    primitive["indices"] = builder.add(
        "accessors", {{"componentType", 5125}, {"count", out.faces.size() * 3}, {"type", "SCALAR"}});
    primitive["extensions"]["KHR_draco_mesh_compression"] = {
        {"bufferView", view},
        {"attributes",
         {{"POSITION", mesh.attribute(position)->unique_id()},
          {"JOINTS_0", mesh.attribute(joint)->unique_id()}}}};
    builder.root["extensionsRequired"] = {"KHR_draco_mesh_compression"};
    return out;
}

using Corner = std::array<float, 4>;  // position and first joint
std::vector<std::array<Corner, 3>> sorted_triangles(std::vector<std::array<Corner, 3>> triangles) {
    for (auto& t : triangles) std::rotate(t.begin(), std::ranges::min_element(t), t.end());
    std::ranges::sort(triangles);
    return triangles;
}

}  // namespace

TEST_CASE("Draco meshes come back exactly, with more than 65536 vertices and joints too", "[gltf][draco]") {
    const int method = GENERATE(0, 1);  // MESH_SEQUENTIAL_ENCODING, MESH_EDGEBREAKER_ENCODING
    const DracoFixture fixture = draco_grid(GENERATE(3U, 260U), method);
    const Primitive got = import_ok(fixture.builder).meshes[0].primitives[0];
    std::vector<std::array<Corner, 3>> wanted, decoded;
    for (const auto& f : fixture.faces) {
        std::array<Corner, 3> t{};
        for (std::size_t k = 0; k < 3; ++k) {
            const auto& p = fixture.positions[f[k]];
            t[k] = {p[0], p[1], p[2], static_cast<float>(fixture.joints[f[k] * 4])};
        }
        wanted.push_back(t);
    }
    for (std::size_t i = 0; i + 2 < got.indices.size(); i += 3) {
        std::array<Corner, 3> t{};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t v = got.indices[i + k];
            t[k] = {got.positions[v].x, got.positions[v].y, got.positions[v].z,
                    static_cast<float>(got.influences.at(got.influence_offsets[v]).joint)};
        }
        decoded.push_back(t);
    }
    CHECK(got.influences.size() == fixture.positions.size() * 4);
    CHECK(sorted_triangles(wanted) == sorted_triangles(decoded));
}

TEST_CASE("Broken Draco data and wrong counts are refused", "[gltf][draco]") {
    const DracoFixture fixture = draco_grid(3, 1);
    const std::string at = "test.glb: /meshes/0/primitives/0/";
    const auto error_after = [&](auto change) {
        GltfBuilder broken = fixture.builder;
        change(broken, broken.root["meshes"][0]["primitives"][0]);
        auto scene = import_bytes(broken.glb());
        REQUIRE_FALSE(scene.ok());
        return scene.error().where;
    };
    const std::string extension = at + "extensions/KHR_draco_mesh_compression";
    CHECK(error_after([](GltfBuilder& b, Json& p) {
              b.root["accessors"][p["attributes"]["POSITION"].get<std::size_t>()]["count"] = 10;
          }) == at + "attributes/POSITION");
    CHECK(error_after([](GltfBuilder&, Json& p) {
              p["extensions"]["KHR_draco_mesh_compression"]["attributes"]["POSITION"] = 17;
          }) == extension + "/attributes/POSITION");
    CHECK(error_after([](GltfBuilder&, Json& p) {
              p["extensions"]["KHR_draco_mesh_compression"].erase("attributes");
          }) == extension);
    CHECK(error_after([](GltfBuilder& b, Json& p) {
              const auto view =
                  p["extensions"]["KHR_draco_mesh_compression"]["bufferView"].get<std::size_t>();
              b.root["bufferViews"][view]["byteLength"] = 9;
          }) == extension);
    // every byte of the stream changed: an error or a mesh, nothing else
    const Json& view =
        fixture.builder.root["bufferViews"][fixture.builder
                                                .root["meshes"][0]["primitives"][0]["extensions"]
                                                     ["KHR_draco_mesh_compression"]["bufferView"]
                                                .get<std::size_t>()];
    const auto first = view["byteOffset"].get<std::size_t>();
    std::size_t refused = 0;
    for (std::size_t i = 0; i < view["byteLength"].get<std::size_t>(); ++i) {
        for (const unsigned flip : {0x01U, 0x80U, 0xFFU}) {
            GltfBuilder broken = fixture.builder;
            broken.bin[first + i] ^= static_cast<std::byte>(flip);
            refused += import_bytes(broken.glb()).ok() ? 0U : 1U;
        }
    }
    CHECK(refused > 0);
}

}  // namespace sinter::test
