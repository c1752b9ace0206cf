// Encoded weights on real files.
#include "cooker/skin/influences.hpp"
#include "cooker/skin/posed_error.hpp"

#include "tests/support/corpus_scene.hpp"

#include <algorithm>
#include <cmath>

using namespace sinter;

namespace {

std::size_t wrong_sums(const EncodedInfluences& e) {
    const std::uint32_t full = (1U << e.weight_bits) - 1;
    std::size_t wrong = 0;
    for (std::size_t v = 0; e.stride > 0 && v < e.weights.size() / e.stride; ++v) {
        std::uint32_t sum = 0;
        for (std::size_t s = v * e.stride; s < (v + 1) * e.stride; ++s) sum += e.weights[s];
        wrong += sum == full ? 0 : 1;
    }
    return wrong;
}

// Height of all skinned vertices together in the rest pose, in mesh space.
double height(const Scene& scene, std::size_t axis) {
    float low = 1e30F, high = -1e30F;
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& p : mesh.primitives) {
            if (p.influence_offsets.empty()) continue;
            for (const Float3 v : p.positions) {
                const float value = axis == 1 ? v.y : v.z;
                low = std::min(low, value);
                high = std::max(high, value);
            }
        }
    }
    return static_cast<double>(high - low);
}

}  // namespace

TEST_CASE("B09: with 8-bit weights sums are exact and posed errors at most 0.1 % of the height") {
    test::skip_without_corpus();
    for (const std::string file : {"skinned/CesiumMan.glb", "skinned/Knight.glb"}) {
        Issues issues;
        const Scene scene = test::corpus_scene(file, issues);
        // CesiumMan's mesh space is Z-up under a matrix; neither file scales between mesh and scene.
        const double tall = height(scene, file == "skinned/CesiumMan.glb" ? 2 : 1);
        CHECK(tall > 1);
        std::size_t skinned = 0;
        for (std::uint32_t m = 0; m < scene.meshes.size(); ++m) {
            const EncodedInfluences bytes = encode_influences(scene.meshes[m], {8, 8}, issues);
            if (bytes.stride == 0) continue;
            ++skinned;
            const EncodedInfluences words = encode_influences(scene.meshes[m], {8, 16}, issues);
            const double coarse = static_cast<double>(posed_error(scene, m, bytes));
            const double fine = static_cast<double>(posed_error(scene, m, words));
            INFO(file << " mesh " << m << " 8 bits " << coarse << " 16 bits " << fine << " height " << tall);
            CHECK(wrong_sums(bytes) == 0);
            CHECK(wrong_sums(words) == 0);
            CHECK(coarse <= 0.001 * tall);
            // 16 bits are 257 times finer: an eighth of that is left for luck.
            CHECK((coarse == 0 || fine < coarse / 32));
        }
        CHECK(skinned > 0);
    }
}

TEST_CASE("B08: eight influences are kept exactly, ten are cut to the eight largest with the weight lost") {
    test::skip_without_corpus();
    Issues issues;
    const Scene centipede = test::corpus_scene("skinned/synth_centipede_8inf.glb", issues);
    const EncodedInfluences eight = encode_influences(centipede.meshes[0], {}, issues);
    CHECK(eight.stride == 8);
    CHECK(eight.weights.size() == 17325 * 8);
    CHECK(eight.max_source == 8);
    CHECK(eight.class_counts == std::array<std::uint64_t, 4>{0, 0, 0, 17325});
    CHECK(issues.count_of(IssueCode::TooManyInfluences) == 0);
    const Scene quad = test::corpus_scene("skinned/quad_skin_10inf.glb", issues);
    const EncodedInfluences ten = encode_influences(quad.meshes[0], {}, issues);
    CHECK(ten.max_source == 10);
    CHECK(ten.max == 8);
    CHECK(issues.count_of(IssueCode::TooManyInfluences) == ten.dropped_vertices);
    // Only vertex 0 has more than eight: the file's WEIGHTS_2 ends with 0.0486 and 0.0049 there.
    CHECK(ten.dropped_vertices == 1);
    CHECK(std::abs(ten.max_dropped_weight - 0.0535F) < 1e-4F);
    CHECK(wrong_sums(ten) == 0);
}

TEST_CASE("B05: every vertex of the lips follows exactly one of the two bones") {
    test::skip_without_corpus();
    Issues issues;
    const Scene scene = test::corpus_scene("skinned/synth_lips_skin.glb", issues);
    const EncodedInfluences e = encode_influences(scene.meshes[0], {}, issues);
    CHECK(e.stride == 1);
    CHECK(e.joints.size() == 594);
    CHECK(wrong_sums(e) == 0);
    CHECK(std::ranges::count(e.joints, 0) == 297);
}
