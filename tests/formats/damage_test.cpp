#include "reseal.hpp"
#include "sample_package.hpp"

#include <sinter/formats/reader.hpp>
#include <sinter/formats/verify.hpp>

#include <catch2/catch_test_macros.hpp>

namespace sinter {
namespace {

// Small enough to try everything, with padding, raw and compressed sections in it.
std::vector<std::byte> raw_package() { return test::SamplePackage().bytes({.codec = Codec::Raw}); }
std::vector<std::byte> packed_package() { return test::SamplePackage().bytes({.codec = Codec::Zstd}); }

void expect_every_truncation_found(const std::vector<std::byte>& bytes) {
    std::size_t missed = 0;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const auto cut = std::span(bytes).first(size);
        if (verify_package(cut).ok() || PackageView::open(cut).ok()) ++missed;
    }
    CHECK(missed == 0);
}

void expect_every_change_found(std::vector<std::byte> bytes, std::size_t begin, std::size_t end,
                               unsigned first_mask, unsigned mask_step) {
    std::size_t missed = 0;
    for (std::size_t at = begin; at < end; ++at) {
        for (unsigned mask = first_mask; mask < 256; mask += mask_step) {
            bytes[at] ^= static_cast<std::byte>(mask);
            if (verify_package(bytes).ok()) ++missed;
            bytes[at] ^= static_cast<std::byte>(mask);
        }
    }
    CHECK(missed == 0);
    REQUIRE(verify_package(bytes).ok());
}

}  // namespace

TEST_CASE("every truncation of a package is found, by the reader too") {
    expect_every_truncation_found(raw_package());
    expect_every_truncation_found(packed_package());
}

TEST_CASE("the packages that are damaged here have pages, raw and encoded") {
    const auto codec_of = [](const std::vector<std::byte>& bytes) {
        return test::entry_of(bytes, test::find_entry(bytes, SectionType::PageData, page_section_id(2, 1)))
            .codec;
    };
    CHECK(codec_of(raw_package()) == Codec::Raw);
    CHECK(codec_of(packed_package()) == Codec::Page);
}

TEST_CASE("every value of every byte of header and table is checked") {
    const auto bytes = raw_package();
    const std::size_t table_end = 128 + std::size_t{test::header_of(bytes).toc_count} * 128;
    expect_every_change_found(bytes, 0, table_end, 1, 1);
}

TEST_CASE("every single-bit change of a package is found, padding included") {
    for (unsigned bit = 1; bit < 256; bit *= 2) {
        expect_every_change_found(raw_package(), 0, raw_package().size(), bit, 256);
        expect_every_change_found(packed_package(), 0, packed_package().size(), bit, 256);
    }
}

TEST_CASE("changes of several bits of any byte are found") {
    const auto bytes = packed_package();
    // Two neighbouring bits, every second bit both ways, all bits.
    for (const unsigned mask : {0x03U, 0x55U, 0xAAU, 0xFFU})
        expect_every_change_found(bytes, 0, bytes.size(), mask, 256);
}

TEST_CASE("bytes between sections must be zero") {
    auto bytes = raw_package();
    const auto view = PackageView::open(bytes);
    REQUIRE(view.ok());
    const auto sections = view->sections();
    std::size_t before = 0;
    while (before + 2 < sections.size() &&
           sections[before].offset + sections[before].stored_size == sections[before + 1].offset) {
        ++before;
    }
    const std::size_t padding = sections[before].offset + sections[before].stored_size;
    REQUIRE(padding < sections[before + 1].offset);
    bytes[padding] = std::byte{1};
    const VerifyReport report = verify_package(bytes);
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].code == FindingCode::Padding);
}

TEST_CASE("damage names the section it is in") {
    auto bytes = raw_package();
    const TocEntry entry = test::entry_of(bytes, test::find_entry(bytes, SectionType::MeshColors, 0));
    bytes[entry.offset + 5] ^= std::byte{4};
    const VerifyReport report = verify_package(bytes);
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].code == FindingCode::StoredHash);
    CHECK(report.findings[0].where == "section mesh_colors 0");
    const auto view = PackageView::open(bytes);
    REQUIRE(view.ok());  // the reader looks at sections when they are decoded
    const auto raw = view->decode(SectionType::MeshColors, 0);
    REQUIRE_FALSE(raw.ok());
    CHECK(raw.error().kind == ErrorKind::Validation);
}

}  // namespace sinter
