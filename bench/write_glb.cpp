// sinter_bench_glb TRIANGLES OUT.glb [skinned]: a generated asset as a file, to time the program itself.
#include "bench/generate.hpp"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>

int main(int argc, char** argv) {
    std::uint64_t triangles = 0;
    if (argc < 3 || std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), triangles).ec != std::errc{} ||
        triangles < 16) {
        std::fprintf(stderr, "usage: %s TRIANGLES OUT.glb [skinned]   (at least 16 triangles)\n", argv[0]);
        return 1;
    }
    const bool skinned = argc > 3 && std::strcmp(argv[3], "skinned") == 0;
    const sinter::bench::GeneratedAsset asset = sinter::bench::generate_torus(triangles, skinned);
    std::ofstream out(argv[2], std::ios::binary);
    out.write(asset.glb.data(), static_cast<std::streamsize>(asset.glb.size()));
    if (!out.flush()) {
        std::fprintf(stderr, "cannot write %s\n", argv[2]);
        return 2;
    }
    std::printf("%s: %llu triangles, %llu vertices, %zu bytes\n", argv[2],
                static_cast<unsigned long long>(asset.triangles),
                static_cast<unsigned long long>(asset.vertices), asset.glb.size());
    return 0;
}
