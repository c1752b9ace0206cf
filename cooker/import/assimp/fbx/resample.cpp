#include "cooker/import/assimp/fbx/resample.hpp"

#include "cooker/import/assimp/keys.hpp"

#include <algorithm>
#include <cmath>

namespace sinter::fbx {
namespace {

double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

// Half the angle between two rotations is the arc whose chord this is; small angles are what matters.
double rotation_distance(const std::vector<double>& a, const std::vector<double>& b) {
    double plus = 0;
    double minus = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        plus += (a[i] + b[i]) * (a[i] + b[i]);
        minus += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return 2 * std::sqrt(std::min(plus, minus));
}

std::vector<double> between(const Sampled& sampled, const std::vector<double>& a,
                            const std::vector<double>& b, double x) {
    std::vector<double> out(a.size());
    double sign = 1;
    if (sampled.path == TrackPath::Rotation) {
        double cosine = 0;
        for (std::size_t i = 0; i < 4; ++i) cosine += a[i] * b[i];
        if (cosine < 0) sign = -1;
    }
    double norm = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        out[i] = a[i] * (1 - x) + sign * b[i] * x;
        norm += out[i] * out[i];
    }
    if (sampled.path == TrackPath::Rotation && norm > 0) {
        for (double& v : out) v /= std::sqrt(norm);
    }
    return out;
}

// Turns one sampled channel into keys.
class KeyMaker {
public:
    KeyMaker(const Sampled& sampled, double rate_hz) : sampled_(sampled), rate_hz_(rate_hz) {
        while (rate_hz_ < kLeastRateHz) rate_hz_ *= 2;
    }

    Channel make() {
        channel_.node = sampled_.node;
        channel_.path = sampled_.path;
        channel_.components = static_cast<std::uint32_t>(sampled_.components);
        const std::vector<double> times = key_times();
        const bool steps =
            std::ranges::all_of(sampled_.curves, [](const Curve* c) { return c->all_constant(); });
        channel_.interpolation = steps && times.size() > 1 ? Interpolation::Step : Interpolation::Linear;
        tolerance_ = tolerance_of(times);
        add(times.front(), sampled_.value(times.front(), false));
        for (std::size_t i = 1; i < times.size(); ++i) {
            const std::vector<double> arriving = sampled_.value(times[i], true);
            const std::vector<double> value = sampled_.value(times[i], false);
            if (!steps) {
                refine(times[i - 1], sampled_.value(times[i - 1], false), times[i], arriving);
                if (arriving != value) add_before(times[i], arriving);
            }
            add(times[i], value);
        }
        keep_hemisphere(channel_);
        return std::move(channel_);
    }

private:
    [[nodiscard]] std::vector<double> key_times() const {
        std::vector<double> times;
        for (const Curve* curve : sampled_.curves) {
            for (std::size_t k = 0; k < curve->key_count(); ++k) times.push_back(curve->time_of(k));
        }
        std::sort(times.begin(), times.end());
        // Times that are equal as floats would be equal keys.
        const auto same = [](double a, double b) { return static_cast<float>(a) == static_cast<float>(b); };
        times.erase(std::unique(times.begin(), times.end(), same), times.end());
        return times;
    }

    [[nodiscard]] double tolerance_of(const std::vector<double>& times) const {
        if (sampled_.path == TrackPath::Rotation) return kRotationTolerance;
        double largest = 0;
        const std::vector<double> first = sampled_.value(times.front(), false);
        for (const double time : times)
            largest = std::max(largest, distance(first, sampled_.value(time, false)));
        return std::max(largest * kLinearTolerance, 1e-12);
    }

    [[nodiscard]] double error(const std::vector<double>& a, const std::vector<double>& b) const {
        return sampled_.path == TrackPath::Rotation ? rotation_distance(a, b) : distance(a, b);
    }

    // Adds keys on frames strictly between two times where a straight line misses the curve.
    void refine(double t0, const std::vector<double>& v0, double t1, const std::vector<double>& v1) {
        double worst = 0;
        for (const double x : {0.25, 0.5, 0.75}) {
            const double time = t0 + (t1 - t0) * x;
            worst = std::max(worst, error(between(sampled_, v0, v1, x), sampled_.value(time, true)));
        }
        if (!(worst > tolerance_)) return;
        const double frame = std::round((t0 + t1) / 2 * rate_hz_);
        const double middle = frame / rate_hz_;
        const double margin = 1e-3 / rate_hz_;
        if (!(middle > t0 + margin && middle < t1 - margin)) return;
        const std::vector<double> value = sampled_.value(middle, false);
        refine(t0, v0, middle, value);
        add(middle, value);
        refine(middle, value, t1, v1);
    }

    void add(double time, const std::vector<double>& value) {
        const auto rounded = static_cast<float>(time);
        if (!channel_.times.empty() && !(rounded > channel_.times.back())) return;
        channel_.times.push_back(rounded);
        for (const double v : value) channel_.values.push_back(static_cast<float>(v));
    }

    // The value that a constant segment holds until just before the key that ends it.
    void add_before(double time, const std::vector<double>& value) {
        add(static_cast<double>(std::nextafter(static_cast<float>(time), -INFINITY)), value);
    }

    const Sampled& sampled_;
    double rate_hz_ = 30;
    double tolerance_ = 0;
    Channel channel_;
};

}  // namespace

Channel make_keys(const Sampled& sampled, double rate_hz) { return KeyMaker(sampled, rate_hz).make(); }

}  // namespace sinter::fbx
