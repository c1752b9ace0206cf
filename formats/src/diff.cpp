#include <sinter/formats/diff.hpp>

#include "container.hpp"
#include "diff_arrays.hpp"
#include "diff_parts.hpp"
#include "text.hpp"

#include <sinter/formats/content_root.hpp>
#include <sinter/formats/verify.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace sinter {

bool DiffResult::equal() const {
    return roots_equal || std::ranges::all_of(differences, &Difference::within_tolerance);
}

double tolerance_of(const DiffTolerances& tolerances, NumberKind kind) {
    switch (kind) {
    case NumberKind::Position: return tolerances.position;
    case NumberKind::Angle: return tolerances.normal_deg;
    case NumberKind::Uv: return tolerances.uv;
    case NumberKind::Color: return tolerances.color;
    case NumberKind::Weight: return tolerances.weight;
    case NumberKind::Scale: return tolerances.scale;
    case NumberKind::Time: return tolerances.time_s;
    case NumberKind::Exact: break;
    }
    return 0;
}

namespace {

// `text` against `pattern`, in which '*' stands for any text. Linear but for backing up to the last '*'.
bool matches_glob(std::string_view text, std::string_view pattern) {
    std::size_t t = 0;
    std::size_t p = 0;
    std::size_t star = std::string_view::npos;
    std::size_t resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

std::string_view next_part(std::string_view& path) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    return part;
}

}  // namespace

bool matches_ignore(std::string_view path, std::string_view pattern) {
    while (!pattern.empty()) {
        if (path.empty() || !matches_glob(next_part(path), next_part(pattern))) return false;
    }
    return true;
}

bool may_match_below(std::string_view path, std::string_view pattern) {
    while (!path.empty() && !pattern.empty()) {
        if (!matches_glob(next_part(path), next_part(pattern))) return false;
    }
    return true;
}

DifferenceList::DifferenceList(const DiffOptions& options, DiffResult& result)
    : options_(options), result_(result) {
    result_.unmatched_ignore = options.ignore;
}

void DifferenceList::see(std::string_view path) {
    std::erase_if(result_.unmatched_ignore,
                  [&](const std::string& pattern) { return matches_ignore(path, pattern); });
}

void DifferenceList::see_array(std::string_view path) {
    std::erase_if(result_.unmatched_ignore,
                  [&](const std::string& pattern) { return may_match_below(path, pattern); });
}

void DifferenceList::add(Difference difference) {
    see(difference.path);
    const auto ignores = [&](const std::string& pattern) {
        return !pattern.empty() && matches_ignore(difference.path, pattern);
    };
    if (std::ranges::any_of(options_.ignore, ignores)) {
        ++result_.ignored;
    } else {
        result_.differences.push_back(std::move(difference));
    }
}

void DifferenceList::add_numbers(Difference difference, NumberKind kind, double largest) {
    difference.difference = largest;
    difference.within_tolerance =
        kind != NumberKind::Exact && largest <= tolerance_of(options_.tolerances, kind);
    add(std::move(difference));
}

namespace {

std::vector<SectionDifference> diff_sections(const PackageView& a, const PackageView& b) {
    std::vector<SectionDifference> out;
    const auto key = [](const TocEntry& e) { return std::tuple(e.type, e.id); };
    const auto add = [&](const TocEntry& entry, std::optional<Digest> in_a, std::optional<Digest> in_b) {
        const auto name = section_type_name(entry.type);
        out.push_back({.type = name ? std::string(*name) : cat(static_cast<std::uint32_t>(entry.type)),
                       .id = entry.id,
                       .a = in_a,
                       .b = in_b});
    };
    auto i = a.sections().begin();
    auto j = b.sections().begin();
    while (i != a.sections().end() || j != b.sections().end()) {
        if (j == b.sections().end() || (i != a.sections().end() && key(*i) < key(*j))) {
            add(*i, i->raw_digest, std::nullopt);
            ++i;
        } else if (i == a.sections().end() || key(*j) < key(*i)) {
            add(*j, std::nullopt, j->raw_digest);
            ++j;
        } else {
            if (i->raw_digest != j->raw_digest) add(*i, i->raw_digest, j->raw_digest);
            ++i;
            ++j;
        }
    }
    return out;
}

// Angle between two rotations in degrees, the sign of a quaternion not counting.
double rotation_difference_deg(const std::vector<double>& a, const std::vector<double>& b) {
    double apart = 0;
    double together = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        apart += (a[i] - b[i]) * (a[i] - b[i]);
        together += (a[i] + b[i]) * (a[i] + b[i]);
    }
    constexpr double kDegreesPerRadian = 57.29577951308232;
    const double smaller = std::sqrt(std::min(apart, together));
    const double larger = std::sqrt(std::max(apart, together));
    return 4 * std::atan2(smaller, larger) * kDegreesPerRadian;
}

double number_difference(const FlatValue& a, const FlatValue& b) {
    constexpr std::size_t kQuaternion = 4;
    if (a.kind == NumberKind::Angle && a.numbers.size() == kQuaternion)
        return rotation_difference_deg(a.numbers, b.numbers);
    double largest = 0;
    for (std::size_t i = 0; i < a.numbers.size(); ++i)
        largest = std::max(largest, std::abs(a.numbers[i] - b.numbers[i]));
    return largest;
}

void diff_value(const std::string& path, const FlatValue& a, const FlatValue& b, DifferenceList& list) {
    Difference difference{.path = path, .a = a.shown, .b = b.shown};
    if (!a.numbers.empty() && a.numbers.size() == b.numbers.size()) {
        if (a.numbers != b.numbers) list.add_numbers(std::move(difference), a.kind, number_difference(a, b));
        return;
    }
    if (a.shown != b.shown) {
        const auto* left = std::get_if<std::int64_t>(&a.shown);
        const auto* right = std::get_if<std::int64_t>(&b.shown);
        if (left != nullptr && right != nullptr) {
            difference.difference = std::abs(static_cast<double>(*left) - static_cast<double>(*right));
        }
        list.add(std::move(difference));
    }
}

// Objects that only one side has. What lies below them is not compared.
class OneSided {
public:
    OneSided(const FlatManifest& a, const FlatManifest& b, DifferenceList& list) {
        std::vector<std::string> alone;
        std::ranges::set_symmetric_difference(a.objects, b.objects, std::back_inserter(alone));
        std::ranges::sort(alone, {}, &std::string::size);  // owners before what they own
        for (const std::string& path : alone) {
            if (covers(path)) continue;
            const bool in_a = std::ranges::binary_search(a.objects, path);
            list.add({.path = path,
                      .a = in_a ? DiffValue(true) : DiffValue(),
                      .b = in_a ? DiffValue() : DiffValue(true)});
            paths_.insert(path);
        }
    }
    [[nodiscard]] bool covers(std::string_view path) const {
        for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
             slash = path.find('/', slash + 1)) {
            if (paths_.contains(path.substr(0, slash))) return true;
        }
        return paths_.contains(path);
    }

private:
    std::set<std::string, std::less<>> paths_;
};

void diff_orders(const FlatManifest& a, const FlatManifest& b, DifferenceList& list) {
    const std::map<std::string, std::vector<std::string>> in_b(b.lists.begin(), b.lists.end());
    for (const auto& [path, keys_a] : a.lists) {
        const auto found = in_b.find(path);
        if (found == in_b.end()) continue;
        const auto common_with = [](const std::vector<std::string>& keys,
                                    const std::vector<std::string>& others) {
            const std::set<std::string> other(others.begin(), others.end());
            std::vector<std::string> common;
            std::ranges::copy_if(keys, std::back_inserter(common),
                                 [&](const auto& k) { return other.contains(k); });
            return common;
        };
        const auto left = common_with(keys_a, found->second);
        const auto right = common_with(found->second, keys_a);
        const auto [i, j] = std::ranges::mismatch(left, right);
        if (i != left.end()) list.add({.path = path + "#order", .a = *i, .b = *j});
    }
}

void diff_manifests(const FlatManifest& a, const FlatManifest& b, DifferenceList& list) {
    const OneSided alone(a, b, list);
    diff_orders(a, b, list);
    const FlatValue absent;
    for (const auto& [path, value] : a.values) {
        if (alone.covers(path)) continue;
        const auto found = b.values.find(path);
        diff_value(path, value, found == b.values.end() ? absent : found->second, list);
    }
    for (const auto& [path, value] : b.values) {
        if (!a.values.contains(path) && !alone.covers(path)) diff_value(path, absent, value, list);
    }
}

// One side's manifest, decoded.
struct Loaded {
    std::vector<std::byte> bytes;
    std::unique_ptr<manifest::ManifestT> unpacked;
    ManifestKeys keys;
    FlatManifest flat;
};

// Decodes the manifest and proves that the root that the header states is that of the table and the manifest.
// That of a later minor version may have fields that this version does not know: it is believed.
Result<Loaded> load(const PackageView& view) {
    Loaded out;
    SINTER_TRY_ASSIGN(out.bytes, view.decode(SectionType::Manifest, 0));
    SINTER_TRY_ASSIGN(out.unpacked, decode_manifest(out.bytes));
    const bool is_newer = view.header().format > kFormatVersion;
    if (!is_newer && content_root(view.sections(), out.bytes) != view.content_root()) {
        return Error{.kind = ErrorKind::Validation,
                     .where = "header",
                     .message = "its content root is not that of its table and manifest",
                     .remedy = "copy or cook the package again",
                     .code = static_cast<std::uint16_t>(FindingCode::ContentRoot)};
    }
    return out;
}

void flatten(Loaded& loaded) {
    const AlignedManifest manifest(loaded.bytes);
    loaded.keys = keys_of(manifest.root());
    loaded.flat = flatten(manifest.root(), loaded.keys);
}

void see_paths(const FlatManifest& manifest, DifferenceList& list) {
    for (const auto& [path, value] : manifest.values) list.see(path);
    for (const std::string& path : manifest.objects) list.see(path);
    for (const auto& [path, keys] : manifest.lists) list.see(path + "#order");
}

}  // namespace

Result<DiffResult> diff_packages(const PackageView& a, const PackageView& b, const DiffOptions& options) {
    DiffResult result{.root_a = a.content_root(), .root_b = b.content_root()};
    result.roots_equal = result.root_a == result.root_b;
    auto loaded_a = load(a);
    if (!loaded_a) return on_side("A", std::move(loaded_a).error());
    auto loaded_b = load(b);
    if (!loaded_b) return on_side("B", std::move(loaded_b).error());
    if (result.roots_equal) return result;

    result.sections = diff_sections(a, b);
    flatten(*loaded_a);
    flatten(*loaded_b);
    DifferenceList list(options, result);
    if (!options.ignore.empty()) {
        see_paths(loaded_a->flat, list);
        see_paths(loaded_b->flat, list);
    }
    diff_manifests(loaded_a->flat, loaded_b->flat, list);
    SINTER_TRY(diff_arrays({.view = a, .manifest = *loaded_a->unpacked, .keys = loaded_a->keys},
                           {.view = b, .manifest = *loaded_b->unpacked, .keys = loaded_b->keys}, list));
    if (result.differences.empty() && result.ignored == 0) {
        // Something that no comparison above looks at: it must not pass as equal.
        list.add({.path = "content_root", .a = to_hex(result.root_a), .b = to_hex(result.root_b)});
    }
    std::ranges::sort(result.differences, {}, &Difference::path);  // paths are unique
    return result;
}

}  // namespace sinter
