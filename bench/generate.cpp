#include "bench/generate.hpp"

#include "fixtures/generator/gltf_writer.hpp"

#include <unistd.h>

#include <array>
#include <fstream>
#include <stdexcept>
#include <vector>

namespace sinter::bench {
namespace {

using namespace sinter::fixtures;

constexpr int kJoints = 32;

struct Torus {
    std::vector<Vec3> points, normals;
    std::vector<Vec2> uvs;
    std::vector<std::uint32_t> triangles;
    std::vector<std::array<std::uint32_t, 4>> joints, weights;
};

Vec3 on_ring(double turn) { return {sine(2 * kPi * turn), 0, cosine(2 * kPi * turn)}; }

void add_vertex(Torus& t, double u, double v) {
    const Vec3 out = on_ring(u);
    const Vec3 normal = out * cosine(2 * kPi * v) + Vec3{0, sine(2 * kPi * v), 0};
    const double radius = 0.35 + 0.01 * sine(2 * kPi * 23 * u) * sine(2 * kPi * 11 * v);
    t.points.push_back(out + normal * radius);
    t.normals.push_back(normal);
    t.uvs.push_back({u, v});
    const double place = u * kJoints;
    const auto first = static_cast<std::uint32_t>(place) % kJoints;
    const auto second = static_cast<std::uint32_t>(65535 * (place - std::floor(place)));
    t.joints.push_back({first, second == 0 ? 0 : (first + 1) % kJoints, 0, 0});
    t.weights.push_back({65535 - second, second, 0, 0});
}

Torus make_torus(std::uint32_t around, std::uint32_t across) {
    Torus t;
    for (std::uint32_t a = 0; a <= around; ++a) {
        // The last row and column repeat the first exactly, so that welding by place closes the seams.
        for (std::uint32_t b = 0; b <= across; ++b) {
            add_vertex(t, 1.0 * (a % around) / around, 1.0 * (b % across) / across);
            t.uvs.back() = {1.0 * a / around, 1.0 * b / across};
        }
    }
    for (std::uint32_t a = 0; a < around; ++a) {
        for (std::uint32_t b = 0; b < across; ++b) {
            const std::uint32_t v = a * (across + 1) + b, next = v + across + 1;
            t.triangles.insert(t.triangles.end(), {v, next, next + 1, v, next + 1, v + 1});
        }
    }
    return t;
}

void add_rig(GltfWriter& w, Json& attributes, const Torus& t) {
    attributes["JOINTS_0"] = w.u8x4(t.joints, false);
    attributes["WEIGHTS_0"] = w.u16x4(t.weights, true);
    std::vector<double> binds, times;
    Json joints = Json::array(), channels = Json::array(), samplers = Json::array();
    for (int k = 0; k < 61; ++k) times.push_back(k / 30.0);
    const int input = w.times(times);
    for (int j = 0; j < kJoints; ++j) {
        const Vec3 place = on_ring(1.0 * j / kJoints);
        w.document["nodes"].push_back(
            {{"name", "joint_" + std::to_string(j)}, {"translation", {place.x, place.y, place.z}}});
        w.document["scenes"][0]["nodes"].push_back(j + 1);
        joints.push_back(j + 1);
        binds.insert(binds.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -place.x, -place.y, -place.z, 1});
        std::vector<Quaternion> keys;
        for (const double time : times) keys.push_back(axis_angle({0, 1, 0}, 0.3 * sine(kPi * time + j)));
        samplers.push_back({{"input", input}, {"output", w.quaternions(keys)}});
        channels.push_back({{"sampler", j}, {"target", {{"node", j + 1}, {"path", "rotation"}}}});
    }
    w.document["nodes"][0]["skin"] = 0;
    w.document["skins"] =
        Json::array({{{"joints", joints}, {"inverseBindMatrices", w.floats(binds, "MAT4", 16)}}});
    w.document["animations"] =
        Json::array({{{"name", "sway"}, {"channels", channels}, {"samplers", samplers}}});
}

}  // namespace

GeneratedAsset generate_torus(std::uint64_t triangles, bool skinned) {
    const auto across = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(triangles) / 4));
    const Torus t = make_torus(2 * across, across);
    GltfWriter w("sinter benchmarks");
    w.document["scene"] = 0;
    w.document["scenes"] = Json::array({{{"nodes", Json::array({0})}}});
    w.document["nodes"] = Json::array({{{"name", "torus"}, {"mesh", 0}}});
    Json attributes = {
        {"POSITION", w.vec3(t.points, true)}, {"NORMAL", w.vec3(t.normals)}, {"TEXCOORD_0", w.vec2(t.uvs)}};
    if (skinned) add_rig(w, attributes, t);
    const Json primitive = {{"attributes", attributes}, {"indices", w.indices(t.triangles)}};
    w.document["meshes"] = Json::array({{{"name", "torus"}, {"primitives", Json::array({primitive})}}});
    return {w.glb(), t.triangles.size() / 3, t.points.size()};
}

GeneratedFile::GeneratedFile(std::uint64_t triangles, bool skinned) {
    const GeneratedAsset asset = generate_torus(triangles, skinned);
    path_ = std::filesystem::temp_directory_path() /
            ("sinter_bench_" + std::to_string(getpid()) + "_" + std::to_string(triangles) +
             (skinned ? "_skinned.glb" : ".glb"));
    std::ofstream out(path_, std::ios::binary);
    out.write(asset.glb.data(), static_cast<std::streamsize>(asset.glb.size()));
    if (!out.flush()) throw std::runtime_error("cannot write " + path_.string());
    triangles_ = asset.triangles;
    bytes_ = asset.glb.size();
}

GeneratedFile::~GeneratedFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

}  // namespace sinter::bench
