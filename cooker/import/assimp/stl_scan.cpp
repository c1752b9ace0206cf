#include "cooker/import/assimp/stl_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace sinter {
namespace {

constexpr std::size_t kCountAt = 80;
constexpr std::size_t kHeaderBytes = 84;
constexpr std::size_t kTriangleBytes = 50;
constexpr std::size_t kTextProbeBytes = 512;  // a binary header and its count are shorter

bool looks_like_text(std::string_view bytes) {
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || !bytes.substr(first).starts_with("solid")) return false;
    return bytes.substr(0, kTextProbeBytes).find('\0') == std::string_view::npos;
}

std::uint64_t count_of(std::string_view bytes) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        count |= std::uint64_t{static_cast<unsigned char>(bytes[kCountAt + i])} << (8 * i);
    }
    return count;
}

}  // namespace

Result<StlFacts> scan_stl(std::string_view bytes, std::string_view file_name, Issues& issues) {
    const auto refuse = [&](std::string place, std::string message) {
        return Error{ErrorKind::InvalidInput, fmt::format("{}: {}", file_name, place), std::move(message),
                     "repair the file or export it again"};
    };
    const std::uint64_t announced = bytes.size() < kHeaderBytes ? 0 : count_of(bytes);
    const std::uint64_t expected = kHeaderBytes + kTriangleBytes * announced;
    if (bytes.size() != expected && looks_like_text(bytes)) {
        if (bytes.find("facet") != std::string_view::npos) return StlFacts{bytes.size(), true};
        if (bytes.find("endsolid") != std::string_view::npos) return StlFacts{bytes.size(), false};
        return refuse(fmt::format("byte {}", bytes.size()), "the text ends before a facet or an endsolid");
    }
    if (bytes.size() < kHeaderBytes) {
        return refuse(
            fmt::format("byte {}", bytes.size()),
            fmt::format("is no text that begins with 'solid', and a binary STL has at least {} bytes",
                        kHeaderBytes));
    }
    const std::uint64_t room = (bytes.size() - kHeaderBytes) / kTriangleBytes;
    // Some writers leave the count at 0: nothing says then where the triangles end.
    if (announced > room || (announced == 0 && room != 0)) {
        return refuse(fmt::format("byte {}", kCountAt),
                      fmt::format("{} triangles are announced, the file has room for {}", announced, room));
    }
    if (bytes.size() > expected) {
        issues.add(IssueCode::RepairedSource, fmt::format("byte {}", expected),
                   fmt::format("{} bytes behind the last triangle are left out", bytes.size() - expected));
    }
    return StlFacts{static_cast<std::size_t>(expected), announced != 0};
}

}  // namespace sinter
