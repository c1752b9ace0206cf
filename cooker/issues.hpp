// Issues: what an importer or a stage noticed or repaired, numbered, deduplicated and counted.
// Numbers are never reused: 1xxx input, 2xxx skeleton and skin, 3xxx cluster, 4xxx blend shape and
// VAT, 5xxx animation, 6xxx package, 7xxx gpu. docs/issues.md lists them all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

enum class IssueCode : std::uint16_t {
    NonFiniteAttribute = 1001,
    IndexOutOfRange = 1002,
    DegenerateTriangles = 1003,
    DuplicateTriangles = 1004,
    EmptyMesh = 1005,
    PointsOrLines = 1006,
    DuplicateNames = 1007,
    MissingNames = 1008,
    UninstancedMesh = 1009,
    NodeCycle = 1010,
    MissingTexture = 1011,
    NoTriangles = 1012,
    ShearedNode = 1013,
    UnknownOptionalExtension = 1014,
    InvalidNormals = 1015,
    InvalidTangents = 1016,
    IgnoredContent = 1017,
    RepairedSource = 1018,
    JointOutOfRange = 2001,
    NegativeWeights = 2002,
    NonFiniteWeights = 2003,
    WeightSum = 2004,
    DuplicateInfluences = 2005,
    TooManyInfluences = 2006,
    UnweightedVertices = 2007,
    SingularBindMatrix = 2008,
    StuckGroup = 3001,
    EmptyBlendShape = 4001,
    UnsortedKeys = 5001,
    DuplicateKeys = 5002,
    ZeroLengthRotation = 5003,
    NonFiniteKeys = 5004,
    EmptyClip = 5005,
    UnboundChannel = 5006,
    ReducedSampleRate = 5007,
    DuplicateChannels = 5008,
    UnnormalizedRotations = 5009,
};

enum class Severity : std::uint8_t { Info, Warning };

struct Issue {
    IssueCode code{};
    Severity severity = Severity::Warning;
    std::string where;    // first place: "mesh 3 'Head', vertex 17"
    std::string message;  // what, the value seen, the rule, what was done, what to do
    std::uint64_t count = 0;
};

// Collects issues in the order in which they are first met. Equal codes with equal messages are one issue: their
// counts add up, the first place stays. "{n}" in a message stands for the count, so that the same repair in many
// meshes is told once, with its total.
class Issues {
public:
    void add(IssueCode code, std::string_view where, std::string message, std::uint64_t count = 1);
    [[nodiscard]] std::vector<Issue> list() const;  // counts filled in
    [[nodiscard]] std::uint64_t count_of(IssueCode code) const;
    [[nodiscard]] bool has_warnings() const;

private:
    std::vector<Issue> list_;
};

// Each code has one severity.
[[nodiscard]] Severity severity_of(IssueCode code);

}  // namespace sinter
