#include "bench/cluster_sizes.hpp"

#include <sinter/formats/page.hpp>
#include <sinter/formats/page_codec.hpp>
#include <sinter/formats/reader.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace sinter::bench {
namespace {

// Streams of pages, as PagePart; tangents lie in the fourth component of a vertex.
constexpr std::array<std::string_view, kPagePartCount> kPageStreams{"page headers",
                                                                    "triangles",
                                                                    "references",
                                                                    "positions",
                                                                    "normals",
                                                                    "tangents",
                                                                    "clusters and page tables"};

void add_page(const PageView& page, const EncodedPage& encoded, std::vector<StreamSize>& streams) {
    const PageHeader& h = page.header();
    std::array<std::uint64_t, kPagePartCount> resident{};
    const auto set = [&](PagePart part, std::uint64_t bytes) {
        resident[static_cast<std::size_t>(part)] = bytes;
    };
    const std::uint64_t component = h.position_bits / 8;
    set(PagePart::Triangles, std::uint64_t{h.triangle_count} * 3);
    set(PagePart::References, std::uint64_t{h.reference_count} * 2);
    set(PagePart::Positions, h.vertex_count * component * 3);
    set(PagePart::Tangents, h.vertex_count * component);
    set(PagePart::Normals, h.normal_bits == 0 ? 0 : std::uint64_t{h.vertex_count} * sizeof(OctNormal));
    set(PagePart::Clusters,
        std::uint64_t{h.cluster_count} * sizeof(ClusterRecord) + std::uint64_t{h.table_entry_count} * 4);
    std::uint64_t parts = 0;
    for (const std::uint64_t bytes : resident) parts += bytes;
    set(PagePart::Header, h.byte_count - parts);
    for (std::size_t i = 0; i < kPagePartCount; ++i) {
        streams[i].resident += resident[i];
        streams[i].disk += encoded.part_bytes[i];
    }
}

bool is_of_asset(SectionType type) {
    return type == SectionType::Manifest || type == SectionType::SkinInverseBinds ||
           type == SectionType::ClipSamples;
}

StreamSize& stream_named(std::vector<StreamSize>& streams, std::string_view name) {
    const auto found = std::ranges::find(streams, name, &StreamSize::name);
    if (found != streams.end()) return *found;
    return streams.emplace_back(StreamSize{std::string(name), 0, 0});
}

}  // namespace

Result<std::vector<StreamSize>> stream_sizes_of(std::span<const std::byte> package, int zstd_level) {
    SINTER_TRY_ASSIGN(const PackageView view, PackageView::open(package));
    std::vector<StreamSize> streams;
    for (const std::string_view name : kPageStreams) streams.push_back({std::string(name), 0, 0});
    for (const TocEntry& entry : view.sections()) {
        if (is_of_asset(entry.type)) continue;
        if (entry.type != SectionType::PageData) {
            StreamSize& stream = stream_named(streams, section_type_name(entry.type).value_or("other"));
            stream.resident += entry.raw_size;
            stream.disk += entry.stored_size;
            continue;
        }
        SINTER_TRY_ASSIGN(const std::vector<std::byte> bytes, view.decode(entry));
        SINTER_TRY_ASSIGN(const PageView page, view_page(bytes));
        SINTER_TRY_ASSIGN(const EncodedPage encoded, encode_page(bytes, zstd_level));
        add_page(page, encoded, streams);
        // What is not the page's own: padding, or a page that is stored in another way.
        if (entry.stored_size != encoded.bytes.size())
            stream_named(streams, "other").disk += entry.stored_size - encoded.bytes.size();
    }
    return streams;
}

StreamSize print_streams(const std::vector<StreamSize>& streams, double triangles) {
    StreamSize sum{"all", 0, 0};
    const auto print = [&](const StreamSize& s) {
        std::printf("  %-28s %9.3f %9.3f\n", s.name.c_str(), static_cast<double>(s.resident) / triangles,
                    static_cast<double>(s.disk) / triangles);
    };
    std::printf("  %-28s %9s %9s\n", "bytes a triangle", "resident", "disk");
    for (const StreamSize& stream : streams) {
        sum.resident += stream.resident;
        sum.disk += stream.disk;
        print(stream);
    }
    print(sum);
    return sum;
}

}  // namespace sinter::bench
