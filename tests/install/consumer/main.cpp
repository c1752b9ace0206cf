// consumer PACKAGE: opens a package by sinter::formats, decodes every section, and prints its content root.
#include <sinter/formats/reader.hpp>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <vector>

namespace {

std::vector<char> read_file(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int fail(const sinter::Error& error) {
    std::fprintf(stderr, "%s\n", error.line().c_str());
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const std::vector<char> bytes = read_file(argv[1]);
    const auto package = sinter::PackageView::open(std::as_bytes(std::span(bytes)));
    if (!package) return fail(package.error());
    for (const sinter::TocEntry& entry : package->sections()) {
        const auto raw = package->decode(entry);
        if (!raw) return fail(raw.error());
    }
    const auto manifest = package->read_manifest();
    if (!manifest) return fail(manifest.error());
    std::printf("%s\n", sinter::to_hex(package->content_root()).c_str());
}
