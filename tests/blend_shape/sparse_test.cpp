#include "cooker/blend_shape/sparse.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace sinter;

namespace {

// Two primitives of three vertices; shape "a" with an in-between, shape "b" with one frame.
Mesh two_primitives() {
    Mesh mesh;
    mesh.shapes.push_back({"a", 0.5F, {0.25F, 1.0F}});
    mesh.shapes.push_back({"b", 0, {1.0F}});
    mesh.primitives.resize(2);
    for (Primitive& p : mesh.primitives) {
        p.positions.resize(3);
        p.shape_frames.resize(3);
        for (ShapeDeltas& frame : p.shape_frames) frame.positions.resize(3);
    }
    return mesh;
}

}  // namespace

TEST_CASE("a frame lists the vertices that it moves, ascending, with the source's deltas") {
    Mesh mesh = two_primitives();
    mesh.primitives[0].shape_frames[0].positions[2] = {1e-38F, 0, 0};
    mesh.primitives[1].shape_frames[0].positions[0] = {0, 2, 0};
    mesh.primitives[1].shape_frames[0].positions[1] = {-0.0F, -0.0F, -0.0F};
    mesh.primitives[1].shape_frames[1].positions[2] = {-0.0F, 3, -0.0F};
    mesh.primitives[0].shape_frames[2].positions[0] = {4, 5, 6};
    const std::vector<SourceVertex> vertices{{1, 2}, {1, 0}, {0, 2}, {0, 0}, {1, 1}};
    Issues issues;
    const auto shapes = sparse_shapes(mesh, vertices, "mesh 'm'", issues);
    REQUIRE(shapes.size() == 2);
    CHECK(shapes[0].name == "a");
    CHECK(shapes[0].default_weight == 0.5F);
    REQUIRE(shapes[0].frames.size() == 2);
    CHECK(shapes[0].frames[0].weight == 0.25F);
    CHECK(shapes[0].frames[0].vertices == std::vector<std::uint32_t>{1, 2});
    CHECK(shapes[0].frames[0].positions == std::vector<Float3>{{0, 2, 0}, {1e-38F, 0, 0}});
    CHECK(shapes[0].frames[0].normals.empty());
    CHECK(shapes[0].frames[1].vertices == std::vector<std::uint32_t>{0});
    CHECK(!std::signbit(shapes[0].frames[1].positions[0].x));
    REQUIRE(shapes[1].frames.size() == 1);
    CHECK(shapes[1].frames[0].vertices == std::vector<std::uint32_t>{3});
    CHECK(issues.list().empty());
}

TEST_CASE("normal and tangent deltas alone make a vertex listed; a primitive without them has zero") {
    Mesh mesh = two_primitives();
    mesh.primitives[0].shape_frames[0].normals = {{0, 0, 0}, {0, 0, -2}, {0, 0, 0}};
    mesh.primitives[1].shape_frames[0].positions[0] = {1, 0, 0};
    mesh.primitives[1].shape_frames[2].tangents = {{0, 0, 0}, {0, 0, 0}, {7, 0, 0}};
    const std::vector<SourceVertex> vertices{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}};
    Issues issues;
    const auto shapes = sparse_shapes(mesh, vertices, "mesh 'm'", issues);
    const SparseShapeFrame& frame = shapes[0].frames[0];
    CHECK(frame.vertices == std::vector<std::uint32_t>{1, 3});
    CHECK(frame.positions == std::vector<Float3>{{0, 0, 0}, {1, 0, 0}});
    CHECK(frame.normals == std::vector<Float3>{{0, 0, -2}, {0, 0, 0}});
    CHECK(frame.tangents.empty());
    CHECK(shapes[1].frames[0].vertices == std::vector<std::uint32_t>{5});
    CHECK(shapes[1].frames[0].tangents == std::vector<Float3>{{7, 0, 0}});
}

TEST_CASE("a shape that moves nothing is kept, empty, and told") {
    Mesh mesh = two_primitives();
    mesh.primitives[1].shape_frames.clear();
    mesh.primitives[0].shape_frames[2].positions[0] = {1, 0, 0};
    const std::vector<SourceVertex> vertices{{0, 0}, {1, 0}};
    Issues issues;
    const auto shapes = sparse_shapes(mesh, vertices, "mesh 'm'", issues);
    REQUIRE(shapes.size() == 2);
    CHECK(shapes[0].frames.size() == 2);
    CHECK(shapes[0].frames[1].vertices.empty());
    CHECK(shapes[1].frames[0].vertices.size() == 1);
    CHECK(issues.count_of(IssueCode::EmptyBlendShape) == 1);
}
