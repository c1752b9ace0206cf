#include "cooker/mesh/prepare.hpp"

#include "meshes.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace sinter;
using namespace sinter::test;

TEST_CASE("a soup of a closed cube welds to eight vertices and points") {
    Issues issues;
    const auto prepared = prepare_mesh(mesh_of(soup_of(shared_cube())), {}, {}, issues);
    REQUIRE(prepared.ok());
    CHECK(prepared->vertex_count() == 8);
    CHECK(prepared->point_count == 8);
    CHECK(prepared->indices.size() == 36);
    CHECK(prepared->made_normals);
    CHECK(issues.list().empty());
}
