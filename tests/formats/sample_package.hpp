// A small valid package with one of everything, as parts that a test can change before it is written.
#pragma once

#include <sinter/formats/manifest.hpp>
#include <sinter/formats/page.hpp>
#include <sinter/formats/records.hpp>
#include <sinter/formats/writer.hpp>

#include <cstddef>
#include <cstring>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace sinter::test {

struct SamplePart {
    std::uint32_t stride = 1;
    std::vector<std::byte> raw;
    bool required = true;
};

struct SamplePackage {
    manifest::ManifestT manifest;
    std::map<std::pair<SectionType, std::uint64_t>, SamplePart> parts;

    // Mesh 0 'Head': a skinned quad with normals, tangents, one UV set, colours, two blend shapes, 16-bit
    // grid. Mesh 1 'Prop': one triangle on a 32-bit grid, nothing else. Mesh 2 'Field': eight triangles with a
    // cluster DAG of two levels, three groups and two pages, skinned, with normals of 20 bits, tangents and one UV
    // set (sample_dag.cpp). Skeleton of three bones, one skin, one clip 'Nod' of five frames, five nodes, two
    // materials, one issue.
    SamplePackage();

    [[nodiscard]] std::vector<std::byte> bytes(const WriteOptions& options = {.codec = Codec::Raw}) const;

    template <typename Record>
    void set(SectionType type, std::uint64_t id, const std::vector<Record>& records) {
        const auto bytes = std::as_bytes(std::span(records));
        parts[{type, id}] = {.stride = sizeof(Record), .raw = {bytes.begin(), bytes.end()}};
    }
    template <typename Record>
    [[nodiscard]] std::vector<Record> get(SectionType type, std::uint64_t id) const {
        const SamplePart& part = parts.at({type, id});
        std::vector<Record> records(part.raw.size() / sizeof(Record));
        std::memcpy(records.data(), part.raw.data(), records.size() * sizeof(Record));
        return records;
    }
    // Changes one record of a section.
    template <typename Record, typename Change>
    void change(SectionType type, std::uint64_t id, std::size_t index, Change&& edit) {
        auto records = get<Record>(type, id);
        edit(records.at(index));
        set(type, id, records);
    }
    // Changes one record of an array of a page of mesh 2, which begins where a field of its header says.
    template <typename Record, typename Change>
    void change_in_page(std::uint32_t page, std::uint32_t PageHeader::* array, std::size_t index,
                        Change&& edit) {
        std::vector<std::byte>& bytes = parts.at({SectionType::PageData, page_section_id(2, page)}).raw;
        PageHeader header;
        std::memcpy(&header, bytes.data(), sizeof(header));
        std::byte* at = bytes.data() + header.*array + index * sizeof(Record);
        Record record{};
        std::memcpy(&record, at, sizeof(Record));
        edit(record);
        std::memcpy(at, &record, sizeof(Record));
    }
};

// Adds mesh 2. Called by the constructor.
void add_field(SamplePackage& package);

}  // namespace sinter::test
