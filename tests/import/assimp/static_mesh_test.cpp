#include "import_text.hpp"

#include <cstdint>

using namespace sinter;
using namespace sinter::test;

namespace {

constexpr std::string_view kQuad = "v 0 0 0\nv 2 0 0\nv 2 3 0\nv 0 3 0\nvt 0 0\nvt 1 0\nvt 1 0.75\nvt 0 0.75\n";

// Area of all triangles of a primitive: order and diagonals do not matter to it.
double area_of(const Primitive& primitive) {
    double sum = 0;
    for (std::size_t i = 0; i + 2 < primitive.indices.size(); i += 3) {
        const Float3 a = primitive.positions[primitive.indices[i]];
        const Float3 b = primitive.positions[primitive.indices[i + 1]];
        const Float3 c = primitive.positions[primitive.indices[i + 2]];
        sum += static_cast<double>(length(cross(b - a, c - a))) / 2;
    }
    return sum;
}

}  // namespace

TEST_CASE("an OBJ quad becomes two triangles that cover it, V counted from the top") {
    const Scene scene = scene_of(std::string(kQuad) + "o Sheet\nf 1/1 2/2 3/3 4/4\n", "obj");
    REQUIRE(scene.meshes.size() == 1);
    CHECK(scene.meshes[0].name == "Sheet");
    CHECK(scene.meshes[0].source_triangles == 2);
    CHECK(scene.meshes[0].source_vertices == 4);
    REQUIRE(scene.meshes[0].primitives.size() == 1);
    const Primitive& primitive = scene.meshes[0].primitives[0];
    CHECK(area_of(primitive) == 6.0);
    CHECK(primitive.material == kNone);
    REQUIRE(primitive.uv_sets.size() == 1);
    for (std::size_t v = 0; v < primitive.vertex_count(); ++v) {
        CHECK(primitive.uv_sets[0][v].x == primitive.positions[v].x / 2);
        CHECK(primitive.uv_sets[0][v].y == 1 - primitive.positions[v].y / 4);
    }
    REQUIRE(scene.nodes.size() == 1);
    CHECK(scene.nodes[0].name == "Sheet");
    CHECK(scene.nodes[0].mesh == 0);
}
