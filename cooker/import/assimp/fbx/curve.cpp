#include "cooker/import/assimp/fbx/curve.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace sinter::fbx {
namespace {

// Bits of KeyAttrFlags (FBX SDK, FbxAnimCurveDef).
constexpr std::uint32_t kConstant = 0x2;
constexpr std::uint32_t kLinear = 0x4;
constexpr std::uint32_t kConstantNext = 0x100;  // with kConstant
constexpr std::uint32_t kAuto = 0x100;          // with cubic
constexpr std::uint32_t kTcb = 0x200;
constexpr std::uint32_t kUser = 0x400;
constexpr std::uint32_t kClamp = 0x1000;
constexpr std::uint32_t kClampProgressive = 0x4000;
constexpr std::uint32_t kWeightedRight = 0x01000000;
constexpr std::uint32_t kWeightedNextLeft = 0x02000000;
constexpr double kWeightUnit = 1.0 / 9999.0;

// Four 32-bit words a key: slopes are floats, the third holds two 16-bit weights.
std::vector<std::uint32_t> attribute_words(const Node* node, bool as_bits) {
    std::vector<std::uint32_t> out;
    if (as_bits) {
        for (const std::int64_t value : integers_of(node)) out.push_back(static_cast<std::uint32_t>(value));
    } else {
        for (const double value : reals_of(node))
            out.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(value)));
    }
    return out;
}

double slope_of(std::uint32_t word) {
    const auto value = std::bit_cast<float>(word);
    return std::isfinite(value) ? static_cast<double>(value) : 0.0;
}

// The parameter of a cubic Bezier in time whose x is `time`; x rises, so bisection always finds it.
double parameter_at(double x1, double x2, double x) {
    double low = 0;
    double high = 1;
    for (int i = 0; i < 52; ++i) {
        const double u = (low + high) / 2;
        const double v = 1 - u;
        const double here = 3 * v * v * u * x1 + 3 * v * u * u * x2 + u * u * u;
        (here < x ? low : high) = u;
    }
    return (low + high) / 2;
}

}  // namespace

struct Curve::Tangents {
    std::uint32_t flags = 0;
    std::array<std::uint32_t, 4> words{};
};

Curve Curve::read(const Node& curve, const Document& document) {
    const std::vector<std::int64_t> times = integers_of(curve.find("KeyTime"));
    const std::vector<double> values = reals_of(curve.find("KeyValueFloat"));
    const std::vector<std::int64_t> flags = integers_of(curve.find("KeyAttrFlags"));
    const std::vector<std::int64_t> repeats = integers_of(curve.find("KeyAttrRefCount"));
    const std::vector<std::uint32_t> words =
        attribute_words(curve.find("KeyAttrDataFloat"), document.ascii && document.version >= 7200);
    // Attributes are run-length coded over the keys.
    std::vector<std::pair<Key, Tangents>> read;
    read.reserve(std::min(times.size(), values.size()));
    std::size_t attribute = 0;
    std::int64_t left = repeats.empty() ? 0 : repeats[0];
    for (std::size_t i = 0; i < std::min(times.size(), values.size()); ++i) {
        while (left <= 0 && attribute + 1 < std::min(flags.size(), repeats.size()))
            left = repeats[++attribute];
        --left;
        Tangents tangents;
        if (attribute < flags.size()) tangents.flags = static_cast<std::uint32_t>(flags[attribute]);
        for (std::size_t w = 0; w < 4 && attribute * 4 + w < words.size(); ++w) {
            tangents.words[w] = words[attribute * 4 + w];
        }
        Key key;
        key.time = static_cast<double>(times[i]) / kTicksPerSecond;
        key.value = values[i];
        if (std::isfinite(key.value)) read.emplace_back(key, tangents);
    }
    std::vector<std::size_t> order(read.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return read[a].first.time != read[b].first.time ? read[a].first.time < read[b].first.time : a < b;
    });
    Curve out;
    std::vector<Tangents> tangents;
    for (const std::size_t i : order) {
        const auto& [key, attributes] = read[i];
        if (!out.keys_.empty() && out.keys_.back().time == key.time)
            continue;  // the first of equal keys stays
        out.keys_.push_back(key);
        tangents.push_back(attributes);
    }
    out.set_tangents(tangents);
    return out;
}

void Curve::set_tangents(const std::vector<Tangents>& tangents) {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        const auto& [flags, words] = tangents[i];
        Key& key = keys_[i];
        if ((flags & kConstant) != 0) {
            key.shape = (flags & kConstantNext) != 0 ? Shape::ConstantNext : Shape::Constant;
            continue;
        }
        if ((flags & kLinear) != 0 || flags == 0) continue;
        key.shape = Shape::Cubic;
        has_tcb_ = has_tcb_ || (flags & kTcb) != 0;
        const auto is_automatic = [](std::uint32_t f) {
            return (f & kUser) == 0 && (f & (kAuto | kTcb)) != 0;
        };
        key.right_slope = is_automatic(flags) ? automatic_slope(i, flags) : slope_of(words[0]);
        if (i + 1 < keys_.size()) {
            const std::uint32_t next = tangents[i + 1].flags;
            const bool next_cubic = (next & (kConstant | kLinear)) == 0;
            key.left_slope =
                next_cubic && is_automatic(next) ? automatic_slope(i + 1, next) : slope_of(words[1]);
        }
        if ((flags & kWeightedRight) != 0)
            key.right_weight = std::min((words[2] & 0xffffU) * kWeightUnit, 1.0);
        if ((flags & kWeightedNextLeft) != 0)
            key.left_weight = std::min((words[2] >> 16U) * kWeightUnit, 1.0);
    }
}

// Through the neighbours (Catmull and Rom, "A class of local interpolating splines", 1974), flat at the ends. The
// clamped kinds never leave the range of the values on both sides: the slope is cut where a Bezier handle of
// that slope would pass the neighbour's value.
double Curve::automatic_slope(std::size_t key, std::uint32_t flags) const {
    if (key == 0 || key + 1 >= keys_.size()) return 0;
    const Key& previous = keys_[key - 1];
    const Key& here = keys_[key];
    const Key& next = keys_[key + 1];
    const double slope = (next.value - previous.value) / (next.time - previous.time);
    if ((flags & kClamp) != 0 && (here.value == previous.value || here.value == next.value)) return 0;
    if ((flags & kClampProgressive) == 0) return slope;
    const double sign = slope < 0 ? -1.0 : 1.0;
    const double most_left = sign * (here.value - previous.value) / ((here.time - previous.time) / 3);
    const double most_right = sign * (next.value - here.value) / ((next.time - here.time) / 3);
    return sign * std::max(0.0, std::min({sign * slope, most_left, most_right}));
}

bool Curve::all_constant() const {
    return std::all_of(keys_.begin(), keys_.end() - (keys_.empty() ? 0 : 1), [](const Key& key) {
        return key.shape == Shape::Constant || key.shape == Shape::ConstantNext;
    });
}

double Curve::inside(std::size_t segment, double time) const {
    const Key& a = keys_[segment];
    const Key& b = keys_[segment + 1];
    const double span = b.time - a.time;
    const double x = (time - a.time) / span;
    if (a.shape == Shape::Constant) return a.value;
    if (a.shape == Shape::ConstantNext) return b.value;
    if (a.shape == Shape::Linear) return a.value + (b.value - a.value) * x;
    const bool even = a.right_weight == 1.0 / 3.0 && a.left_weight == 1.0 / 3.0;
    const double u = even ? x : parameter_at(a.right_weight, 1 - a.left_weight, x);
    const double v = 1 - u;
    const double p1 = a.value + a.right_slope * a.right_weight * span;
    const double p2 = b.value - a.left_slope * a.left_weight * span;
    return v * v * v * a.value + 3 * v * v * u * p1 + 3 * v * u * u * p2 + u * u * u * b.value;
}

double Curve::at(double time) const {
    if (keys_.empty()) return 0;
    if (time < keys_.front().time) return keys_.front().value;
    const auto after = std::ranges::upper_bound(keys_, time, {}, &Key::time);
    if (after == keys_.end()) return keys_.back().value;
    const auto segment = static_cast<std::size_t>(after - keys_.begin()) - 1;
    if (time == keys_[segment].time && keys_[segment].shape != Shape::ConstantNext)
        return keys_[segment].value;
    return inside(segment, time);
}

double Curve::before(double time) const {
    if (keys_.empty()) return 0;
    const auto from = std::ranges::lower_bound(keys_, time, {}, &Key::time);
    if (from == keys_.begin()) return keys_.front().value;
    if (from == keys_.end()) return keys_.back().value;
    return inside(static_cast<std::size_t>(from - keys_.begin()) - 1, time);
}

}  // namespace sinter::fbx
