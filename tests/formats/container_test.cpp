#include "reseal.hpp"
#include "sample_package.hpp"

#include <sinter/formats/reader.hpp>
#include <sinter/formats/verify.hpp>

#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <ranges>
#include <set>

namespace sinter {
namespace {

using test::SamplePackage;

std::set<FindingCode> codes_of(std::span<const std::byte> bytes, const ReadLimits& limits = {}) {
    std::set<FindingCode> codes;
    for (const Finding& finding : verify_package(bytes, {.limits = limits}).findings)
        codes.insert(finding.code);
    return codes;
}

// Changes a field of one entry, repairs the hashes of table and header, and expects the code from both the
// reader and the verifier.
template <typename Change>
void expect_entry_refused(FindingCode code, ErrorKind kind, Change&& change) {
    auto bytes = SamplePackage().bytes();
    const std::size_t index = test::find_entry(bytes, SectionType::MeshIndices, 0);
    TocEntry entry = test::entry_of(bytes, index);
    change(entry);
    test::set_entry(bytes, index, entry);
    test::reseal_table(bytes);
    const auto view = PackageView::open(bytes);
    REQUIRE_FALSE(view.ok());
    CHECK(view.error().kind == kind);
    CHECK(view.error().code == static_cast<std::uint16_t>(code));
    CHECK(codes_of(bytes).contains(code));
}

template <typename Change>
Result<PackageView> open_with_header(Change&& change) {
    static std::vector<std::byte> bytes;  // outlives the view
    bytes = SamplePackage().bytes();
    PackageHeader header = test::header_of(bytes);
    change(header);
    test::set_header(bytes, header);
    test::reseal_table(bytes);
    return PackageView::open(bytes);
}

}  // namespace

TEST_CASE("a package comes back as it was written, raw and compressed") {
    const SamplePackage sample;
    for (const WriteOptions options :
         {WriteOptions{.codec = Codec::Raw}, WriteOptions{.zstd_level = 1}, WriteOptions{.zstd_level = 19}}) {
        const auto bytes = sample.bytes(options);
        const auto view = PackageView::open(bytes);
        REQUIRE(view.ok());
        REQUIRE(view->sections().size() == sample.parts.size() + 1);
        for (const auto& [key, part] : sample.parts) {
            const TocEntry* entry = view->find(key.first, key.second);
            REQUIRE(entry != nullptr);
            CHECK(entry->record_stride == part.stride);
            CHECK(entry->record_count == part.raw.size() / part.stride);
            const auto raw = view->decode(*entry);
            REQUIRE(raw.ok());
            CHECK(*raw == part.raw);
        }
        const auto manifest = view->read_manifest();
        REQUIRE(manifest.ok());
        CHECK(encode_manifest(**manifest) == encode_manifest(sample.manifest));
        CHECK(verify_package(bytes).ok());
    }
}

TEST_CASE("the same parts give the same bytes, in whatever order they are added") {
    const SamplePackage sample;
    PackageBuilder builder({});
    for (const auto& [key, part] : std::views::reverse(sample.parts)) {
        builder.add({.type = key.first, .id = key.second, .record_stride = part.stride}, part.raw);
    }
    const auto bytes = std::move(builder).finish(sample.manifest);
    REQUIRE(bytes.ok());
    CHECK(*bytes == sample.bytes({}));
}

TEST_CASE("large raw sections are page-aligned, compressed and small ones are not") {
    SamplePackage sample;
    sample.parts[{static_cast<SectionType>(0x7001), 3}] = {
        .stride = 4, .raw = std::vector<std::byte>(65536), .required = false};
    const auto raw = sample.bytes();
    const auto raw_view = PackageView::open(raw);
    REQUIRE(raw_view.ok());
    const TocEntry* entry = raw_view->find(static_cast<SectionType>(0x7001), 3);
    REQUIRE(entry != nullptr);
    CHECK(entry->alignment == kPageAlignment);
    CHECK(entry->offset % kPageAlignment == 0);
    CHECK(verify_package(raw).ok());
    const auto packed = sample.bytes({.codec = Codec::Zstd});
    const auto packed_view = PackageView::open(packed);
    REQUIRE(packed_view.ok());
    CHECK(packed_view->find(static_cast<SectionType>(0x7001), 3)->alignment == kSectionAlignment);
}

TEST_CASE("the builder refuses sections that are there twice or have half a record") {
    const SamplePackage sample;
    const auto refuses = [&](PackageBuilder builder) {
        return !std::move(builder).finish(sample.manifest).ok();
    };
    PackageBuilder twice({});
    twice.add({.type = SectionType::MeshIndices, .id = 9, .record_stride = 4}, std::vector<std::byte>(4));
    twice.add({.type = SectionType::MeshIndices, .id = 9, .record_stride = 4}, std::vector<std::byte>(4));
    const bool twice_refused = refuses(std::move(twice));
    CHECK(twice_refused);
    PackageBuilder half({});
    half.add({.type = SectionType::MeshIndices, .id = 9, .record_stride = 4}, std::vector<std::byte>(6));
    const bool half_refused = refuses(std::move(half));
    CHECK(half_refused);
}

TEST_CASE("data that compresses far beyond the ratio is padded and still opens") {
    SamplePackage sample;
    const std::vector<std::byte> zeros(std::size_t{5} << 20U);
    sample.parts[{static_cast<SectionType>(0x7001), 0}] = {.stride = 1, .raw = zeros, .required = false};
    auto bytes = sample.bytes({.codec = Codec::Zstd});
    const auto view = PackageView::open(bytes);
    REQUIRE(view.ok());
    const TocEntry* entry = view->find(static_cast<SectionType>(0x7001), 0);
    REQUIRE(entry->codec == Codec::Zstd);
    CHECK(entry->stored_size == (std::size_t{4} << 20U) / 1024);  // (raw - 1 MiB) / 1024
    const auto raw = view->decode(*entry);
    REQUIRE(raw.ok());
    CHECK(*raw == zeros);
    CHECK(verify_package(bytes).ok());

    bytes[entry->offset + entry->stored_size - 1] = std::byte{1};  // inside the padding frame
    test::reseal_all(bytes);
    CHECK(codes_of(bytes) == std::set{FindingCode::Decode});
}

TEST_CASE("unknown sections are skipped when optional and refused when required") {
    SamplePackage sample;
    auto& part = sample.parts[{static_cast<SectionType>(0x7001), 0}];
    part = {.stride = 1, .raw = std::vector<std::byte>(10), .required = false};
    const auto optional = sample.bytes();
    REQUIRE(PackageView::open(optional).ok());
    CHECK(verify_package(optional).ok());

    part.required = true;
    const auto required = sample.bytes();
    const auto view = PackageView::open(required);
    REQUIRE_FALSE(view.ok());
    CHECK(view.error().kind == ErrorKind::Unsupported);
    CHECK(view.error().message.find("format 0.3") != std::string::npos);
    CHECK(view.error().where == "section of type 28673, id 0");
    CHECK(codes_of(required) == std::set{FindingCode::UnknownRequiredSection});
}

TEST_CASE("an optional section of an unknown type may have an unknown codec, a known one may not") {
    SamplePackage sample;
    sample.parts[{static_cast<SectionType>(0x7001), 0}] = {
        .stride = 1, .raw = std::vector<std::byte>(10), .required = false};
    auto bytes = sample.bytes();
    const std::size_t index = test::find_entry(bytes, static_cast<SectionType>(0x7001), 0);
    TocEntry entry = test::entry_of(bytes, index);
    entry.codec = Codec::GDeflate;
    test::set_entry(bytes, index, entry);
    test::reseal_table(bytes);
    const auto view = PackageView::open(bytes);
    REQUIRE(view.ok());
    const auto raw = view->decode(static_cast<SectionType>(0x7001), 0);
    REQUIRE_FALSE(raw.ok());
    CHECK(raw.error().kind == ErrorKind::Unsupported);
    CHECK(verify_package(bytes).ok());
    expect_entry_refused(FindingCode::UnknownCodec, ErrorKind::Unsupported,
                         [](TocEntry& e) { e.codec = Codec::Meshopt; });
}

TEST_CASE("versions: a newer minimum reader is refused with both versions named, a newer minor that allows "
          "us is read") {
    const auto newer = open_with_header([](PackageHeader& h) {
        h.format = {0, 5};
        h.minimum_reader = {0, 4};
    });
    REQUIRE_FALSE(newer.ok());
    CHECK(newer.error().kind == ErrorKind::Unsupported);
    CHECK(newer.error().message == "format 0.5 needs a reader of at least 0.4, this one reads 0.3");

    const auto major = open_with_header([](PackageHeader& h) {
        h.format = {1, 0};
        h.minimum_reader = {1, 0};
    });
    REQUIRE_FALSE(major.ok());
    CHECK(major.error().kind == ErrorKind::Unsupported);

    CHECK(open_with_header([](PackageHeader& h) { h.format = {0, 4}; }).ok());
    CHECK_FALSE(open_with_header([](PackageHeader& h) { h.format = {0, 2}; }).ok());
    // Reserved bytes may mean something in a later version, but not in this one.
    CHECK(open_with_header([](PackageHeader& h) {
              h.format = {0, 4};
              h.reserved1[3] = 1;
          }).ok());
    CHECK_FALSE(open_with_header([](PackageHeader& h) { h.reserved1[3] = 1; }).ok());
}

TEST_CASE("a later version may have longer table entries") {
    const auto bytes = SamplePackage().bytes();
    PackageHeader header = test::header_of(bytes);
    // Rewritten with entries of 192 bytes; everything behind the table moves.
    const std::size_t shift = std::size_t{header.toc_count} * 64;
    std::vector<std::byte> grown(bytes.begin(), bytes.begin() + 128);
    for (std::size_t i = 0; i < header.toc_count; ++i) {
        TocEntry entry = test::entry_of(bytes, i);
        entry.offset += shift;
        const auto image = std::as_bytes(std::span(&entry, 1));
        grown.insert(grown.end(), image.begin(), image.end());
        grown.resize(grown.size() + 64, std::byte{0xEE});
    }
    grown.insert(grown.end(), bytes.begin() + 128 + static_cast<std::ptrdiff_t>(header.toc_count) * 128,
                 bytes.end());
    header.format = {0, 4};
    header.toc_entry_size = 192;
    header.file_size = grown.size();
    test::set_header(grown, header);
    test::reseal_table(grown);
    CHECK(verify_package(grown).ok());
    header.format = kFormatVersion;
    test::set_header(grown, header);
    test::reseal_table(grown);
    CHECK(codes_of(grown) == std::set{FindingCode::HeaderField});
}

TEST_CASE("limits on raw size, total, count and manifest are kept before anything is allocated") {
    const auto bytes = SamplePackage().bytes();
    const auto expect_limit = [&](const ReadLimits& limits) {
        const auto view = PackageView::open(bytes, limits);
        REQUIRE_FALSE(view.ok());
        CHECK(view.error().kind == ErrorKind::Limit);
        CHECK(codes_of(bytes, limits).contains(FindingCode::LimitExceeded));
    };
    expect_limit({.max_sections = 3});
    expect_limit({.max_section_raw_bytes = 100});
    expect_limit({.max_total_raw_bytes = 500});
    expect_limit({.max_manifest_bytes = 64});
    // A declared size of exabytes in a small file.
    expect_entry_refused(FindingCode::LimitExceeded, ErrorKind::Limit, [](TocEntry& e) {
        e.codec = Codec::Zstd;
        e.raw_size = std::uint64_t{1} << 60U;
        e.record_stride = 4;
        e.record_count = e.raw_size / 4;
    });
    // More than the ratio allows, though below the other limits.
    expect_entry_refused(FindingCode::LimitExceeded, ErrorKind::Limit, [](TocEntry& e) {
        e.codec = Codec::Zstd;
        e.raw_size = e.stored_size * kMaxRatio + kRatioSlack + 4;
        e.record_count = e.raw_size / 4;
    });
}

TEST_CASE("sizes and offsets that overflow are refused") {
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
    expect_entry_refused(FindingCode::SectionRange, ErrorKind::Validation,
                         [](TocEntry& e) { e.offset = kMax; });
    expect_entry_refused(FindingCode::SectionRange, ErrorKind::Validation,
                         [](TocEntry& e) { e.offset = kMax - 63; });
    expect_entry_refused(FindingCode::SectionRange, ErrorKind::Validation,
                         [](TocEntry& e) { e.offset += kMax - 127; });
    expect_entry_refused(FindingCode::TocField, ErrorKind::Validation,
                         [](TocEntry& e) { e.stored_size = kMax; });
    expect_entry_refused(FindingCode::TocField, ErrorKind::Validation, [](TocEntry& e) {
        e.record_stride = 1U << 31U;
        e.record_count = std::uint64_t{1} << 33U;  // the product is 2^64
    });
    expect_entry_refused(FindingCode::TocField, ErrorKind::Validation,
                         [](TocEntry& e) { e.record_stride = 0; });
    expect_entry_refused(FindingCode::TocField, ErrorKind::Validation, [](TocEntry& e) { e.alignment = 0; });
    expect_entry_refused(FindingCode::TocField, ErrorKind::Validation,
                         [](TocEntry& e) { e.alignment = 1U << 31U; });
    expect_entry_refused(FindingCode::TocField, ErrorKind::Validation, [](TocEntry& e) { e.flags = 0x8001; });
    expect_entry_refused(FindingCode::TocField, ErrorKind::Validation, [](TocEntry& e) { e.reserved0 = 1; });
    expect_entry_refused(FindingCode::TocField, ErrorKind::Validation,
                         [](TocEntry& e) { e.reserved1[15] = 1; });
    for (const std::uint32_t count : {1U << 20U, 1U << 31U, 0xFFFFFFFFU}) {
        auto bytes = SamplePackage().bytes();
        PackageHeader header = test::header_of(bytes);
        header.toc_count = count;
        header.header_hash = xxh3_128(std::as_bytes(std::span(&header, 1)).first(112));
        test::set_header(bytes, header);
        CHECK_FALSE(PackageView::open(bytes).ok());
    }
}

TEST_CASE("overlapping, gapped and unsorted sections are refused") {
    expect_entry_refused(FindingCode::SectionRange, ErrorKind::Validation,
                         [](TocEntry& e) { e.offset -= 64; });
    expect_entry_refused(FindingCode::SectionRange, ErrorKind::Validation,
                         [](TocEntry& e) { e.offset += 64; });
    expect_entry_refused(FindingCode::TocOrder, ErrorKind::Validation, [](TocEntry& e) { e.id = 1; });

    auto bytes = SamplePackage().bytes();
    const auto first = test::entry_of(bytes, 1);
    test::set_entry(bytes, 1, test::entry_of(bytes, 2));
    test::set_entry(bytes, 2, first);
    test::reseal_table(bytes);
    CHECK(codes_of(bytes).contains(FindingCode::TocOrder));

    auto longer = SamplePackage().bytes();
    longer.resize(longer.size() + 64);
    CHECK(codes_of(longer) == std::set{FindingCode::FileSize});
    PackageHeader header = test::header_of(longer);
    header.file_size = longer.size();
    test::set_header(longer, header);
    test::reseal_table(longer);
    CHECK(codes_of(longer) == std::set{FindingCode::UnusedBytes});
}

TEST_CASE("zstd frames that are not what the format says are refused") {
    const SamplePackage sample;
    const auto original = sample.bytes({.codec = Codec::Zstd});
    const std::size_t index = test::find_entry(original, SectionType::Manifest, 0);
    const TocEntry entry = test::entry_of(original, index);
    REQUIRE(entry.codec == Codec::Zstd);
    const auto with = [&](auto&& change) {
        auto bytes = original;
        TocEntry changed = entry;
        change(bytes, changed);
        test::set_entry(bytes, index, changed);
        test::reseal_all(bytes);
        return codes_of(bytes);
    };
    // Another size than the frame announces.
    CHECK(with([](auto&, TocEntry& e) {
              e.raw_size += 1;
              e.record_count += 1;
          }).contains(FindingCode::Decode));
    // A magic number of an old zstd version.
    CHECK(with([](auto& bytes, TocEntry& e) {
              bytes[e.offset] = std::byte{0x27};
          }).contains(FindingCode::Decode));
}

TEST_CASE("a view finds sections by type and id and says what is missing") {
    const auto bytes = SamplePackage().bytes();
    const auto view = PackageView::open(bytes);
    REQUIRE(view.ok());
    CHECK(view->find(SectionType::MeshUvs, uv_section_id(0, 0)) != nullptr);
    CHECK(view->find(SectionType::MeshUvs, uv_section_id(0, 1)) == nullptr);
    const auto missing = view->decode(SectionType::MeshUvs, 1);
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.error().where == "section mesh_uvs 1");
}

TEST_CASE("section names go both ways") {
    for (const auto name :
         {"manifest", "mesh_positions", "mesh_normals", "mesh_tangents", "mesh_uvs", "mesh_colors",
          "mesh_indices", "mesh_influences", "blend_shape_deltas", "skin_inverse_binds", "clip_samples"}) {
        const auto type = section_type_from_name(name);
        REQUIRE(type.has_value());
        CHECK(section_type_name(*type) == name);
    }
    CHECK_FALSE(section_type_from_name("page_clusters").has_value());
}

}  // namespace sinter
