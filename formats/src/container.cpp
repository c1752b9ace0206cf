#include "container.hpp"

#include "bytes.hpp"
#include "section_codec.hpp"
#include "text.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

namespace sinter {
namespace {

constexpr std::uint64_t kHeaderSize = sizeof(PackageHeader);
constexpr std::uint64_t kEntrySize = sizeof(TocEntry);
constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

template <typename Bytes>
bool all_zero(const Bytes& bytes) {
    return std::ranges::all_of(bytes, [](auto b) { return b == decltype(b){}; });
}

class Parser {
public:
    Parser(std::span<const std::byte> bytes, const ReadLimits& limits, const ProblemSink& report)
        : bytes_(bytes), limits_(limits), report_(report) {}

    Container parse() {
        if (!read_header() || !check_versions() || !check_header_fields() || !read_toc())
            return std::move(out_);
        out_.readable = true;
        for (const TocEntry& entry : out_.sections) check_entry(entry);
        check_order();
        check_layout();
        return std::move(out_);
    }

private:
    void problem(FindingCode code, std::string where, std::string message,
                 ErrorKind kind = ErrorKind::Validation) {
        report_({.code = code, .kind = kind, .where = std::move(where), .message = std::move(message)});
    }
    void header_problem(FindingCode code, std::string message) {
        problem(code, "header", std::move(message));
    }

    bool read_header() {
        const std::size_t shown = std::min(bytes_.size(), kMagic.size());
        if (shown == 0 || std::memcmp(bytes_.data(), kMagic.data(), shown) != 0) {
            header_problem(FindingCode::BadMagic,
                           "not a .sinter package: its first 8 bytes are not 89 53 4E 54 52 0D 0A 1A");
            return false;
        }
        if (bytes_.size() < kHeaderSize) {
            header_problem(FindingCode::Truncated, cat(bytes_.size(), " bytes, a header has ", kHeaderSize));
            return false;
        }
        std::memcpy(&out_.header, bytes_.data(), kHeaderSize);
        const auto hashed = bytes_.first(offsetof(PackageHeader, header_hash));
        if (xxh3_128(hashed) != out_.header.header_hash) {
            header_problem(FindingCode::HeaderHash, "the header's hash does not match its bytes");
            return false;
        }
        return true;
    }

    bool check_versions() {
        const PackageHeader& h = out_.header;
        const std::string written = version_text(h.format.major, h.format.minor);
        const std::string ours = version_text(kFormatVersion.major, kFormatVersion.minor);
        if (h.minimum_reader > kFormatVersion) {
            problem(FindingCode::NewerFormat, "header",
                    cat("format ", written, " needs a reader of at least ",
                        version_text(h.minimum_reader.major, h.minimum_reader.minor), ", this one reads ",
                        ours),
                    ErrorKind::Unsupported);
            return false;
        }
        if (h.format.major != kFormatVersion.major || h.format < kFormatVersion ||
            h.minimum_reader > h.format) {
            problem(FindingCode::NewerFormat, "header", cat("format ", written, ", this reader reads ", ours),
                    ErrorKind::Unsupported);
            return false;
        }
        return true;
    }

    bool check_header_fields() {
        const PackageHeader& h = out_.header;
        const bool sizes_ok =
            h.header_size == kHeaderSize && h.toc_offset == kHeaderSize &&
            (h.toc_entry_size == kEntrySize || (out_.is_newer() && h.toc_entry_size > kEntrySize));
        if (!sizes_ok) {
            header_problem(FindingCode::HeaderField,
                           cat("header size ", h.header_size, ", table offset ", h.toc_offset,
                               ", entry size ", h.toc_entry_size, "; must be ", kHeaderSize, ", ",
                               kHeaderSize, ", ", kEntrySize));
            return false;
        }
        if (!out_.is_newer() && (h.reserved0 != 0 || !all_zero(h.reserved1))) {
            header_problem(FindingCode::HeaderField, "reserved bytes are not zero");
        }
        if (bytes_.size() < h.file_size) {
            header_problem(FindingCode::Truncated,
                           cat(bytes_.size(), " bytes, the header says ", h.file_size));
            return false;
        }
        if (bytes_.size() > h.file_size) {
            header_problem(FindingCode::FileSize,
                           cat(bytes_.size(), " bytes, the header says ", h.file_size));
        }
        return true;
    }

    bool read_toc() {
        const PackageHeader& h = out_.header;
        if (h.toc_count > limits_.max_sections) {
            problem(FindingCode::LimitExceeded, "header",
                    cat(h.toc_count, " sections, at most ", limits_.max_sections, " are allowed"),
                    ErrorKind::Limit);
            return false;
        }
        const std::uint64_t size = std::uint64_t{h.toc_count} * h.toc_entry_size;  // 32 bit each: no overflow
        if (size > h.file_size - std::min(h.file_size, kHeaderSize)) {
            header_problem(
                FindingCode::SectionRange,
                cat("a table of ", h.toc_count, " entries does not fit into ", h.file_size, " bytes"));
            return false;
        }
        const auto toc = bytes_.subspan(kHeaderSize, size);
        if (xxh3_128(toc) != h.toc_hash) {
            problem(FindingCode::TocHash, "table of contents", "its hash does not match its bytes");
            return false;
        }
        out_.sections.resize(h.toc_count);
        for (std::size_t i = 0; i < out_.sections.size(); ++i) {
            std::memcpy(&out_.sections[i], toc.data() + i * h.toc_entry_size, kEntrySize);
        }
        return true;
    }

    void check_entry(const TocEntry& e) {
        const bool required = (e.flags & kSectionRequired) != 0;
        if (required && !section_type_name(e.type)) {
            problem(FindingCode::UnknownRequiredSection, section_place(e),
                    cat("format ", version_text(out_.header.format.major, out_.header.format.minor),
                        " has it as a required part, this reader of format ",
                        version_text(kFormatVersion.major, kFormatVersion.minor), " does not know it"),
                    ErrorKind::Unsupported);
        }
        if (!is_supported(e.codec) && (required || section_type_name(e.type))) {
            problem(FindingCode::UnknownCodec, section_place(e),
                    cat("codec ", static_cast<unsigned>(e.codec), " is not known to this reader of format ",
                        version_text(kFormatVersion.major, kFormatVersion.minor)),
                    ErrorKind::Unsupported);
        }
        if (e.codec == Codec::Page && e.type != SectionType::PageData && section_type_name(e.type)) {
            problem(FindingCode::UnknownCodec, section_place(e), "codec page is for page_data alone");
        }
        check_fields(e);
        check_limits(e);
    }

    void check_fields(const TocEntry& e) {
        const auto wrong = [&](std::string message) {
            problem(FindingCode::TocField, section_place(e), std::move(message));
        };
        if (!out_.is_newer() && (e.reserved0 != 0 || !all_zero(e.reserved1)))
            wrong("reserved bytes are not zero");
        if (!out_.is_newer() && (e.flags & ~kKnownSectionFlags) != 0) wrong(cat("unknown flags ", e.flags));
        if (e.alignment != kSectionAlignment && e.alignment != kPageAlignment) {
            wrong(cat("alignment ", e.alignment, ", must be ", kSectionAlignment, " or ", kPageAlignment));
        }
        if (e.record_stride == 0 || e.record_count > kMax / std::max(e.record_stride, 1U) ||
            e.record_count * e.record_stride != e.raw_size) {
            wrong(cat(e.record_count, " records of ", e.record_stride, " bytes are not ", e.raw_size,
                      " bytes"));
        }
        if (e.codec == Codec::Raw && e.raw_size != e.stored_size) {
            wrong(cat("raw, but ", e.stored_size, " stored bytes for ", e.raw_size));
        }
    }

    void check_limits(const TocEntry& e) {
        total_raw_ = saturating_add(total_raw_, e.raw_size);
        std::uint64_t most = limits_.max_section_raw_bytes;
        if (e.type == SectionType::Manifest) most = std::min(most, limits_.max_manifest_bytes);
        if (e.raw_size > most) {
            problem(FindingCode::LimitExceeded, section_place(e),
                    cat(e.raw_size, " raw bytes, at most ", most, " are allowed"), ErrorKind::Limit);
        } else if (e.stored_size < min_stored_size(e.raw_size)) {
            problem(FindingCode::LimitExceeded, section_place(e),
                    cat(e.raw_size, " raw bytes out of ", e.stored_size, " stored ones: more than ",
                        kMaxRatio, " times as many, plus ", kRatioSlack),
                    ErrorKind::Limit);
        } else if (total_raw_ > limits_.max_total_raw_bytes && !total_reported_) {
            total_reported_ = true;
            problem(FindingCode::LimitExceeded, "table of contents",
                    cat("more than ", limits_.max_total_raw_bytes, " raw bytes in all"), ErrorKind::Limit);
        }
    }

    void check_order() {
        for (std::size_t i = 1; i < out_.sections.size(); ++i) {
            const TocEntry& before = out_.sections[i - 1];
            const TocEntry& entry = out_.sections[i];
            if (std::tie(before.type, before.id) >= std::tie(entry.type, entry.id)) {
                problem(FindingCode::TocOrder, section_place(entry),
                        cat("comes after ", section_place(before), "; entries rise by (type, id)"));
            }
        }
    }

    void check_layout() {
        out_.ranges_ok = true;
        std::uint64_t end = kHeaderSize + std::uint64_t{out_.header.toc_count} * out_.header.toc_entry_size;
        for (const TocEntry& e : out_.sections) {
            const std::uint64_t alignment =
                e.alignment == kPageAlignment ? kPageAlignment : kSectionAlignment;
            const std::uint64_t expected = align_up(end, alignment);
            if (e.offset != expected) {
                problem(FindingCode::SectionRange, section_place(e),
                        cat("begins at ", e.offset, ", must begin at ", expected,
                            " (sections follow each other)"));
                out_.ranges_ok = false;
            }
            end = saturating_add(e.offset, e.stored_size);
            if (end > out_.header.file_size) {
                problem(FindingCode::SectionRange, section_place(e),
                        cat("bytes ", e.offset, " + ", e.stored_size, " lie outside the file of ",
                            out_.header.file_size));
                out_.ranges_ok = false;
            }
        }
        if (end < out_.header.file_size) {
            problem(FindingCode::UnusedBytes, "file",
                    cat(out_.header.file_size - end, " bytes after the last section"));
        }
    }

    std::span<const std::byte> bytes_;
    const ReadLimits& limits_;
    const ProblemSink& report_;
    Container out_;
    std::uint64_t total_raw_ = 0;
    bool total_reported_ = false;
};

}  // namespace

Container parse_container(std::span<const std::byte> bytes, const ReadLimits& limits,
                          const ProblemSink& report) {
    return Parser(bytes, limits, report).parse();
}

std::string section_place(const TocEntry& entry) {
    const auto name = section_type_name(entry.type);
    return name ? cat("section ", *name, ' ', entry.id)
                : cat("section of type ", static_cast<std::uint32_t>(entry.type), ", id ", entry.id);
}

bool is_supported(Codec codec) { return codec == Codec::Raw || codec == Codec::Zstd || codec == Codec::Page; }

}  // namespace sinter
