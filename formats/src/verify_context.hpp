// What the parts of the verifier share. Internal to formats.
#pragma once

#include "bytes.hpp"
#include "container.hpp"
#include "text.hpp"

#include <sinter/formats/verify.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sinter {

// Collects findings: all are counted, the first few of each code listed.
class FindingList {
public:
    explicit FindingList(std::uint32_t max_listed_per_code) : max_listed_(max_listed_per_code) {}
    void add(FindingCode code, std::string where, std::string message);
    // More of the same that need no listing.
    void count(FindingCode code, std::uint64_t more);
    [[nodiscard]] VerifyReport report() &&;

private:
    struct OfCode {
        std::vector<Finding> listed;
        std::uint64_t count = 0;
    };
    std::uint32_t max_listed_;
    std::map<FindingCode, OfCode> of_code_;
};

// A problem that many records of one section may have: the first one is shown, all are counted.
class RecordProblem {
public:
    RecordProblem(FindingList& list, FindingCode code, std::string where)
        : list_(list), code_(code), where_(std::move(where)) {}
    ~RecordProblem() {
        if (count_ > 1) list_.count(code_, count_ - 1);
    }
    RecordProblem(const RecordProblem&) = delete;
    RecordProblem& operator=(const RecordProblem&) = delete;

    // `message` is called for the first record only.
    template <typename Message>
    void at(std::size_t record, Message&& message) {
        if (count_++ == 0) list_.add(code_, cat(where_, ", record ", record), message());
    }

private:
    FindingList& list_;
    FindingCode code_;
    std::string where_;
    std::uint64_t count_ = 0;
};

// Decodes sections, each one checked (hash, decoding, digest) when it is asked for.
class SectionSource {
public:
    SectionSource(std::span<const std::byte> bytes, const Container& container, const ReadLimits& limits,
                  FindingList& list)
        : bytes_(bytes),
          container_(container),
          limits_(limits),
          list_(list),
          decoded_(container.sections.size()),
          mentioned_(container.sections.size()) {}

    // The decoded section if it is there, sound, and has `count` records of `stride` bytes; findings
    // otherwise. With count 0 the section must not exist. Marks the section as expected.
    [[nodiscard]] std::optional<std::vector<std::byte>> load(SectionType type, std::uint64_t id,
                                                             std::uint32_t stride, std::uint64_t count);
    // The same without a shape to compare with.
    [[nodiscard]] std::optional<std::vector<std::byte>> load_manifest();

    // The manifest has such a section, but its shape cannot be told: only its integrity will be checked.
    void mention(SectionType type, std::uint64_t id);

    // The same for all sections of the type whose ids are in the range, its end included.
    void mention_range(SectionType type, std::uint64_t first_id, std::uint64_t last_id);

    // Checks what nobody decoded; known types that the manifest does not mention are findings unless
    // `manifest_known` is false.
    void check_rest(bool manifest_known);

private:
    [[nodiscard]] std::optional<std::vector<std::byte>> decode(std::size_t index);
    [[nodiscard]] std::optional<std::size_t> find(SectionType type, std::uint64_t id) const;

    std::span<const std::byte> bytes_;
    const Container& container_;
    const ReadLimits& limits_;
    FindingList& list_;
    std::vector<bool> decoded_;
    std::vector<bool> mentioned_;
};

// Everything that the semantic checks look at.
struct VerifyContext {
    const manifest::ManifestT& manifest;
    SectionSource& sections;
    FindingList& list;
    std::vector<std::uint64_t> joint_limits;  // one a mesh, joint_limits_of()
};

// For each mesh the number of joints of its smallest skin, among those that it is drawn with: its influences
// must be valid for each. 65536 without a skin.
[[nodiscard]] std::vector<std::uint64_t> joint_limits_of(const manifest::ManifestT& manifest);

// What later checks of a mesh need of its pages.
struct MeshFacts {
    bool pages_known = false;                 // it has pages, and they are sound
    std::vector<std::uint32_t> batch_breaks;  // vertices where a page or an error band begins, rising
};

void verify_scene(VerifyContext& context);      // nodes, materials, provenance
void verify_skeletons(VerifyContext& context);  // skeletons and skins
[[nodiscard]] MeshFacts verify_mesh(VerifyContext& context, std::uint32_t index);  // geometry, then:
// Returns the class of each vertex, 0, 1, 4 or 8; nothing where they are not known.
[[nodiscard]] std::vector<std::uint8_t> verify_influences(VerifyContext& context, std::uint32_t index);
void verify_skin_batches(VerifyContext& context, std::uint32_t index, const MeshFacts& facts,
                         std::span<const std::uint8_t> classes);
void verify_shapes(VerifyContext& context, std::uint32_t index);
void verify_clip(VerifyContext& context, std::uint32_t index);

// Parts of verify_mesh. Pre: the mesh has a DAG, and grid and bounds with all of their parts.
[[nodiscard]] MeshFacts verify_cluster_dag(VerifyContext& context, std::uint32_t index);
// Its sections belong to the mesh, whatever is in them.
void mention_cluster_dag(VerifyContext& context, std::uint32_t index);

}  // namespace sinter
