// Imports what a test built and must be readable.
#pragma once

#include "tests/support/gltf_builder.hpp"

#include <catch2/catch_test_macros.hpp>

namespace sinter::test {

inline Scene import_ok(const GltfBuilder& builder, Issues& issues) {
    auto scene = import_bytes(builder.glb(), issues);
    if (!scene) FAIL(scene.error().line());
    return std::move(*scene);
}

inline Scene import_ok(const GltfBuilder& builder) {
    Issues issues;
    return import_ok(builder, issues);
}

}  // namespace sinter::test
