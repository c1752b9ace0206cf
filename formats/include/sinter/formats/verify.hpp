// Verifies a package: lists everything that is wrong with it. Every byte of the file is covered by a hash or
// must be zero, so any single-byte change and any truncation gives at least one finding.
#pragma once

#include <sinter/formats/reader.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

// Numbers are never reused. 60xx container, 61xx sections and manifest structure, 62xx scene, 63xx mesh,
// 64xx skin and skeleton, 65xx blend shapes, 66xx clips, 67xx pages and cluster DAG.
enum class FindingCode : std::uint16_t {
    Truncated = 6001,  // shorter than a header, or than the header says
    BadMagic = 6002,
    HeaderHash = 6003,
    HeaderField = 6004,  // header size, entry size, table offset, reserved bytes
    NewerFormat = 6005,  // needs a newer reader
    FileSize = 6006,     // longer than the header says
    TocHash = 6007,
    TocOrder = 6008,      // entries not strictly rising by (type, id)
    TocField = 6009,      // reserved bytes, unknown flags, alignment, stride times count
    SectionRange = 6010,  // outside the file, overlapping, or with a gap before it
    UnusedBytes = 6011,   // bytes that belong to nothing
    Padding = 6012,       // not zero
    UnknownRequiredSection = 6013,
    UnknownCodec = 6014,
    LimitExceeded = 6015,  // raw size, ratio or total above the limits
    StoredHash = 6101,
    Decode = 6102,  // the codec cannot decode the stored bytes to raw_size bytes
    RawDigest = 6103,
    ManifestMissing = 6104,
    ManifestStructure = 6105,  // FlatBuffers verifier, file identifier, shared objects
    ContentRoot = 6106,
    SectionMissing = 6107,     // the manifest promises it
    SectionUnexpected = 6108,  // known type that the manifest does not mention
    SectionShape = 6109,       // record stride or count is not what the manifest says
    ManifestField = 6110,      // a required part is absent or an enum value unknown
    NonFinite = 6111,          // a float that is NaN or infinite, in the manifest or a section
    InvalidText = 6112,        // not UTF-8
    NegativeError = 6113,      // a measured error below 0
    NodeParent = 6201,         // not before its child
    NodeReference = 6202,      // mesh or skin out of range
    NodeTransform = 6203,      // rotation not unit, matrix with other than 12 values
    NodeShapeWeights = 6204,   // count is not the mesh's number of shapes
    MaterialReference = 6205,  // submesh or cluster refers to a material that is not there
    Provenance = 6206,         // digests that are not 32 bytes, options digest that does not match
    IndexRange = 6301,         // vertex index >= vertex count
    SubmeshRange = 6302,       // not contiguous, not triangles, or outside the indices
    TriangleCount = 6303,      // source - dropped != stored
    BoundsBox = 6304,          // box is not the exact box of the positions
    BoundsSphere = 6305,       // sphere does not contain a position
    Grid = 6306,               // step or bits
    ReservedBits = 6307,       // w of a position, code of a normal that its bits do not have, reserved bytes
    Tangent = 6308,            // not unit, w not +1 or -1
    VertexCounts = 6309,       // point count above vertex count, vertices without points
    AttributeBits = 6310,      // bits of normals or tangents that the format does not have, too many UV sets
    InfluenceWeightSum = 6401,
    InfluenceJoint = 6402,       // joint >= the skin's joints
    InfluenceOrder = 6403,       // weights not falling, or a weight of 0 with a joint
    InfluenceStatistics = 6404,  // stride, bits, class counts
    SkinReference = 6405,        // skeleton or bone out of range
    BoneParent = 6406,           // not before its child
    BoneNode = 6407,             // node out of range, or bones whose nodes repeat
    SkeletonStatistics = 6408,   // leaf bones, depth
    ShapeRange = 6501,           // frames not contiguous or outside the section
    ShapeVertex = 6502,          // vertex out of range or not rising
    ShapeFrames = 6503,          // no frames, weights not rising
    ShapeStatistics = 6504,      // affected vertices, longest delta
    ShapeDelta = 6505,           // normals or tangents in a frame that says it has none
    ClipTiming = 6601,           // rate, duration, frame count do not fit together
    ClipTrack = 6602,            // node, path or components out of range
    ClipRange = 6603,            // tracks not contiguous or outside the section
    ClipRotation = 6604,         // sample not a unit quaternion
    Page = 6701,                 // its bytes are no page (view_page)
    PageRecord = 6702,           // not what the page holds, or not following the record before
    PageReference = 6703,        // to a vertex that its page does not have
    PageDependency = 6704,       // pages that a page names are not those that it uses, rising
    ClusterLimits = 6705,        // more triangles or vertices than the mesh's largest
    ClusterGroup = 6706,     // clusters of a group are not those that name it, or do not follow each other
    GroupLink = 6707,        // level or child group out of range, simplified and not replaced, or the reverse
    GroupEnd = 6708,         // end, path, reason or locked points that do not fit together
    GroupError = 6709,       // negative, or below what it must bound
    GroupBounds = 6710,      // sphere does not contain its clusters and child groups
    HierarchyTree = 6711,    // not a tree that holds each group once
    HierarchyBounds = 6712,  // sphere or error smaller than one below
    Prefix = 6713,     // errors not falling to 0, vertices or pages that are not enough, triangles miscounted
    SkinBatch = 6714,  // vertices left out or twice, across pages or bands, of another class
    DagStatistics = 6715,  // level table or sums
    FullDetail = 6716,     // clusters of full detail have not the triangles of the submeshes
};

// "section_range": stable, for JSON.
[[nodiscard]] std::string_view finding_name(FindingCode code);

struct Finding {
    FindingCode code{};
    std::string where;    // "header", "section mesh_indices 3", "mesh 2 'Head'"
    std::string message;  // the value seen and the rule
};

struct FindingCount {
    FindingCode code{};
    std::uint64_t count = 0;  // all of them, listed or not
};

struct VerifyOptions {
    ReadLimits limits{};
    std::uint32_t max_listed_per_code = 16;
};

struct VerifyReport {
    std::vector<Finding> findings;  // by code, then in the order of the checks; max_listed_per_code of each
    std::vector<FindingCount> counts;  // one a code that occurred, in order of code
    [[nodiscard]] bool ok() const { return findings.empty(); }
    [[nodiscard]] std::uint64_t count_of(FindingCode code) const;
};

// Structure (header, table, hashes, padding, decoding, digests, content root), then the semantic pass over
// what could be decoded. A damaged header or table ends the check: nothing after it could be believed.
// The content root of a package of a later minor version is not recomputed: its manifest may have fields
// that this version does not know. Memory: the decoded manifest and one mesh's or clip's sections at a
// time, bounded by the limits. Deterministic.
[[nodiscard]] VerifyReport verify_package(std::span<const std::byte> bytes,
                                          const VerifyOptions& options = {});

}  // namespace sinter
