#include "package_fuzz.hpp"

#include "reseal.hpp"
#include "sample_package.hpp"

#include <sinter/formats/diff.hpp>
#include <sinter/formats/reader.hpp>
#include <sinter/formats/verify.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace sinter::test {
namespace {

// Far above what inputs of a few kilobytes should need, far below what would slow fuzzing down.
constexpr ReadLimits kLimits{.max_sections = 4096,
                             .max_section_raw_bytes = std::uint64_t{1} << 21U,
                             .max_total_raw_bytes = std::uint64_t{1} << 23U,
                             .max_manifest_bytes = std::uint64_t{1} << 20U};

void require(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "package_fuzz: %s\n", what);
    std::abort();
}

void check(std::span<const std::byte> bytes, const PackageView& other) {
    const bool sound = verify_package(bytes, {.limits = kLimits}).ok();
    const auto view = PackageView::open(bytes, kLimits);
    require(view.ok() || !sound, "verified, but the reader refuses it");
    if (!view) return;
    for (const TocEntry& entry : view->sections()) {
        const auto raw = view->decode(entry);
        require(raw.ok() || !sound || !section_type_name(entry.type),
                "verified, but a section does not decode");
        require(!raw.ok() || raw->size() == entry.raw_size, "decoded to another size");
    }
    require(view->read_manifest().ok() || !sound, "verified, but the manifest does not decode");
    for (const auto& result : {diff_packages(*view, other), diff_packages(other, *view)}) {
        require(result.ok() || !sound, "verified, but cannot be compared");
        require(!result.ok() || result->roots_equal || result->ignored > 0 || !result->differences.empty(),
                "different content without a difference");
    }
}

}  // namespace

void fuzz_package(std::span<const std::byte> bytes) {
    static const std::vector<std::byte> sample = SamplePackage().bytes();
    static const PackageView view = *PackageView::open(sample);
    check(bytes, view);
    std::vector<std::byte> sealed(bytes.begin(), bytes.end());
    reseal_all(sealed);
    check(sealed, view);
}

}  // namespace sinter::test
