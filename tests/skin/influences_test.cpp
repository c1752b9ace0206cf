#include "cooker/skin/influences.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

using namespace sinter;

namespace {

using Vertices = std::vector<std::vector<Influence>>;

Primitive primitive_of(const Vertices& vertices) {
    Primitive p;
    p.positions.resize(vertices.size());
    p.influence_offsets.push_back(0);
    for (const auto& influences : vertices) {
        p.influences.insert(p.influences.end(), influences.begin(), influences.end());
        p.influence_offsets.push_back(static_cast<std::uint32_t>(p.influences.size()));
    }
    return p;
}

EncodedInfluences encode(const Vertices& vertices, SkinOptions options = {}) {
    Mesh mesh;
    mesh.primitives.push_back(primitive_of(vertices));
    Issues issues;
    return encode_influences(mesh, options, issues);
}

Vertices random_vertices(std::mt19937& random, std::size_t count, std::size_t most) {
    std::exponential_distribution<double> weight(1);
    Vertices out(count);
    for (auto& influences : out) {
        std::vector<std::uint32_t> joints(100);
        std::iota(joints.begin(), joints.end(), 0U);
        std::ranges::shuffle(joints, random);
        std::vector<double> weights(1 + random() % most);
        double sum = 0;
        for (double& w : weights) sum += w = weight(random) + 1e-6;
        for (std::size_t i = 0; i < weights.size(); ++i)
            influences.push_back({joints[i], static_cast<float>(weights[i] / sum)});
    }
    return out;
}

}  // namespace

TEST_CASE("sums are exactly full scale and every weight is within one step of its source") {
    std::mt19937 random(4);
    for (const std::uint32_t bits : {8U, 16U}) {
        const std::uint32_t full = (1U << bits) - 1;
        const Vertices source = random_vertices(random, 2000, 8);
        const EncodedInfluences out = encode(source, {8, bits});
        CHECK(out.stride == 8);
        CHECK(out.weight_bits == bits);
        CHECK(out.dropped_vertices == 0);
        CHECK(out.max_source == 8);
        for (std::size_t v = 0; v < source.size(); ++v) {
            std::uint32_t sum = 0;
            std::map<std::uint32_t, std::uint32_t> encoded;
            for (std::size_t s = v * 8; s < v * 8 + 8; ++s) {
                sum += out.weights[s];
                if (s % 8 != 0) CHECK(out.weights[s] <= out.weights[s - 1]);
                if (s % 8 != 0 && out.weights[s] != 0 && out.weights[s] == out.weights[s - 1])
                    CHECK(out.joints[s] > out.joints[s - 1]);
                if (out.weights[s] == 0) CHECK(out.joints[s] == 0);
                else CHECK(encoded.emplace(out.joints[s], out.weights[s]).second);
            }
            CHECK(sum == full);
            for (const Influence& i : source[v]) {
                // Largest remainder: floor or one more, so less than one step off (float weights sum to 1
                // within 1e-6).
                const double exact = static_cast<double>(i.weight) * full;
                CHECK(std::abs(static_cast<double>(encoded[i.joint]) - exact) < 1 + 1e-6 * full);
            }
        }
    }
}

TEST_CASE("the largest-remainder method gives the apportionment worked by hand") {
    // 255 shares: 84.15, 84.15, 86.70 -> floors sum to 254, the largest remainder (0.70) gets the last.
    CHECK(quantize_weights(std::vector<double>{0.33, 0.33, 0.34}, 255) ==
          std::vector<std::uint32_t>{84, 84, 87});
    // Equal remainders of 1/3: the earlier slots get the missing ones. 85 x 3 = 255 leaves none over.
    CHECK(quantize_weights(std::vector<double>{1, 1, 1}, 256) == std::vector<std::uint32_t>{86, 85, 85});
    CHECK(quantize_weights(std::vector<double>{0.5, 0.5}, 255) == std::vector<std::uint32_t>{128, 127});
    CHECK(quantize_weights(std::vector<double>{1}, 65535) == std::vector<std::uint32_t>{65535});
    CHECK(quantize_weights(std::vector<double>{1e-9, 1}, 255) == std::vector<std::uint32_t>{0, 255});
    CHECK(quantize_weights(std::vector<double>{3, 1}, 4) ==
          std::vector<std::uint32_t>{3, 1});  // divided by the sum
}

TEST_CASE("it is the apportionment nearest to the source among those with an exact sum") {
    // Brute force over all triples with sum 15: no other has a smaller sum of absolute differences.
    std::mt19937 random(6);
    std::uniform_real_distribution<double> weight(0.01, 1);
    for (int round = 0; round < 200; ++round) {
        std::vector<double> w{weight(random), weight(random), weight(random)};
        const double sum = w[0] + w[1] + w[2];
        const auto cost = [&](double a, double b, double c) {
            return std::abs(a - w[0] / sum * 15) + std::abs(b - w[1] / sum * 15) +
                   std::abs(c - w[2] / sum * 15);
        };
        double best = 1e9;
        for (int a = 0; a <= 15; ++a) {
            for (int b = 0; a + b <= 15; ++b) best = std::min(best, cost(a, b, 15 - a - b));
        }
        const auto got = quantize_weights(w, 15);
        CHECK(cost(got[0], got[1], got[2]) <= best + 1e-9);
    }
}

TEST_CASE("of more influences than allowed the largest stay, whatever their order in the file") {
    Mesh mesh;
    mesh.name = "hand";
    std::vector<Influence> ten;
    for (std::uint32_t j = 0; j < 10; ++j)
        ten.push_back({j, static_cast<float>(j + 1) / 55});  // 1/55 ... 10/55
    mesh.primitives = {primitive_of({{{3, 1}}}), primitive_of({{{3, 1}}, ten})};
    Issues issues;
    const EncodedInfluences out = encode_influences(mesh, {}, issues);
    CHECK(out.stride == 8);
    CHECK(out.max_source == 10);
    CHECK(out.max == 8);
    CHECK(out.dropped_vertices == 1);
    CHECK(out.max_dropped_weight == Catch::Approx(3.0 / 55).epsilon(1e-6));
    CHECK(out.class_counts == std::array<std::uint64_t, 4>{0, 2, 0, 1});
    for (std::size_t s = 0; s < 8; ++s) {
        CHECK(out.joints[16 + s] == 9 - s);
        // 10 - s of the 52 that are left, within a step.
        CHECK(std::abs(out.weights[16 + s] - (10.0 - static_cast<double>(s)) / 52 * 65535) < 1);
    }
    REQUIRE(issues.list().size() == 1);
    CHECK(issues.list()[0].code == IssueCode::TooManyInfluences);
    CHECK(issues.list()[0].count == 1);
    CHECK(issues.list()[0].where == "mesh 'hand', primitive 1, vertex 1");
    CHECK(issues.list()[0].message.find("0.05455") != std::string::npos);  // 3/55
}

TEST_CASE("corners of one control point lose their influences once") {
    Mesh mesh;
    mesh.primitives = {
        primitive_of({{{0, 0.5F}, {1, 0.5F}}, {{0, 0.5F}, {1, 0.5F}}, {{0, 0.25F}, {1, 0.75F}}})};
    mesh.primitives[0].source_vertex = {4, 4, 2};
    mesh.primitives.push_back(mesh.primitives[0]);
    Issues issues;
    const EncodedInfluences out = encode_influences(mesh, {1, 16}, issues);
    CHECK(out.dropped_vertices == 2);
    CHECK(out.max_dropped_weight == 0.5F);
    CHECK(issues.count_of(IssueCode::TooManyInfluences) == 2);
}

TEST_CASE("of equal weights at the limit the lower joint stays") {
    const EncodedInfluences out = encode({{{7, 0.25F}, {2, 0.25F}, {5, 0.25F}, {9, 0.25F}}}, {2, 16});
    CHECK(out.stride == 4);
    CHECK(out.joints == std::vector<std::uint16_t>{2, 5, 0, 0});
    CHECK(out.weights == std::vector<std::uint16_t>{32768, 32767, 0, 0});
}

TEST_CASE("the stride is the smallest class that fits, and weights that vanish do not count") {
    CHECK(encode({{{4, 1}}, {{6, 1}}}).stride == 1);
    CHECK(encode({{{4, 1}}, {{6, 0.5F}, {1, 0.5F}}}).stride == 4);
    CHECK(encode({{{4, 0.2F}, {6, 0.2F}, {1, 0.2F}, {2, 0.2F}, {3, 0.2F}}}).stride == 8);
    const EncodedInfluences out = encode({{{4, 0.9999F}, {6, 0.0001F}}}, {8, 8});  // 0.0001 of 255 is 0
    CHECK(out.stride == 1);
    CHECK(out.joints == std::vector<std::uint16_t>{4});
    CHECK(out.max_source == 2);
    CHECK(out.max == 1);
    CHECK(out.dropped_vertices == 0);
}

TEST_CASE("a mesh without influences has none, and a primitive without them leaves zeros") {
    Mesh mesh;
    mesh.primitives.push_back(Primitive{});
    mesh.primitives[0].positions.resize(3);
    Issues issues;
    const EncodedInfluences none = encode_influences(mesh, {}, issues);
    CHECK(none.stride == 0);
    CHECK(none.weights.empty());
    CHECK(none.class_counts == std::array<std::uint64_t, 4>{3, 0, 0, 0});
    mesh.primitives.push_back(primitive_of({{{1, 1}}}));
    CHECK(encode_influences(mesh, {}, issues).weights == std::vector<std::uint16_t>{0, 0, 0, 65535});
}

TEST_CASE("the order of influences in the file does not matter") {
    std::mt19937 random(8);
    Vertices source = random_vertices(random, 500, 14);
    const EncodedInfluences a = encode(source);
    for (auto& influences : source) std::ranges::shuffle(influences, random);
    const EncodedInfluences b = encode(source);
    CHECK(a.joints == b.joints);
    CHECK(a.weights == b.weights);
    CHECK(a.dropped_vertices == b.dropped_vertices);
}
