#include "cooker/import/assimp/keys.hpp"

#include <algorithm>
#include <cmath>

namespace sinter {
namespace {

std::vector<float> value_at(const Channel& channel, float time) {
    const std::size_t n = channel.components;
    const auto key = [&](std::size_t i) {
        return channel.values.begin() + static_cast<std::ptrdiff_t>(i * n);
    };
    const auto after = std::ranges::upper_bound(channel.times, time);
    if (after == channel.times.begin()) return {key(0), key(1)};
    const auto i = static_cast<std::size_t>(after - channel.times.begin()) - 1;
    if (after == channel.times.end()) return {key(i), key(i + 1)};
    const float x = (time - channel.times[i]) / (channel.times[i + 1] - channel.times[i]);
    std::vector<float> out(n);
    float norm = 0;
    for (std::size_t c = 0; c < n; ++c) {
        out[c] = channel.values[i * n + c] * (1 - x) + channel.values[(i + 1) * n + c] * x;
        norm += out[c] * out[c];
    }
    if (channel.path == TrackPath::Rotation && norm > 0) {
        for (float& v : out) v /= std::sqrt(norm);
    }
    return out;
}

}  // namespace

void keep_hemisphere(Channel& channel) {
    std::vector<float>& v = channel.values;
    if (channel.path != TrackPath::Rotation) return;
    for (std::size_t i = 4; i + 3 < v.size(); i += 4) {
        float cosine = 0;
        for (std::size_t c = 0; c < 4; ++c) cosine += v[i + c] * v[i + c - 4];
        if (cosine >= 0) continue;
        for (std::size_t c = 0; c < 4; ++c) v[i + c] = -v[i + c];
    }
}

void cut_channel(Channel& channel, double start_s, double end_s) {
    if (channel.times.empty()) return;
    const auto start = static_cast<float>(start_s);
    const auto end = static_cast<float>(end_s);
    Channel out = channel;
    out.times.clear();
    out.values.clear();
    const auto add = [&](float time) {
        const std::vector<float> value = value_at(channel, time);
        out.times.push_back(time);
        out.values.insert(out.values.end(), value.begin(), value.end());
    };
    add(std::clamp(start, channel.times.front(), channel.times.back()));
    for (const float time : channel.times) {
        if (time > out.times.back() && time < end) add(time);
    }
    if (const float last = std::min(end, channel.times.back()); last > out.times.back()) add(last);
    channel = std::move(out);
}

void set_range(Clip& clip) {
    clip.start_s = 0;
    clip.end_s = 0;
    bool first = true;
    for (const Channel& channel : clip.channels) {
        if (channel.times.empty()) continue;
        const auto start = static_cast<double>(channel.times.front());
        const auto end = static_cast<double>(channel.times.back());
        clip.start_s = first ? start : std::min(clip.start_s, start);
        clip.end_s = first ? end : std::max(clip.end_s, end);
        first = false;
    }
}

}  // namespace sinter
