// A second, simple reading of accessors and curves in double precision, written from the standard's
// text alone and sharing no code with the importer: what the importer's values are compared with.
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace sinter::test {

class GltfReference {
public:
    GltfReference(const nlohmann::json& root, const std::vector<std::byte>& bin) : root_(root), bin_(bin) {}

    // Every component of every element, sparse parts put in (glTF 2.0, section 3.6.2).
    [[nodiscard]] std::vector<double> values(std::size_t accessor) const {
        const auto& a = root_.at("accessors").at(accessor);
        const std::size_t n = components(a.at("type"));
        std::vector<double> out(a.at("count").get<std::size_t>() * n, 0.0);
        const int type = a.at("componentType");
        const bool normalized = a.value("normalized", false);
        if (a.contains("bufferView")) {
            const auto& view = root_.at("bufferViews").at(a.at("bufferView").get<std::size_t>());
            const std::size_t stride = view.value("byteStride", n * size_of(type));
            const std::size_t start =
                view.value("byteOffset", std::size_t{0}) + a.value("byteOffset", std::size_t{0});
            for (std::size_t i = 0; i < out.size(); ++i) {
                out[i] = component(start + i / n * stride + i % n * size_of(type), type, normalized);
            }
        }
        if (a.contains("sparse")) put_sparse(a, n, out);
        return out;
    }

private:
    static std::size_t components(const std::string& type) {
        if (type == "SCALAR") return 1;
        if (type == "MAT4") return 16;
        return static_cast<std::size_t>(type.at(3) - '0');
    }
    static std::size_t size_of(int type) { return type <= 5121 ? 1 : type <= 5123 ? 2 : 4; }

    // Table "Conversion of normalized integers" of section 3.11: c / 127 with -1 as the least, c / 255, ...
    [[nodiscard]] double component(std::size_t at, int type, bool normalized) const {
        std::uint32_t raw = 0;
        for (std::size_t k = 0; k < size_of(type); ++k) {
            raw |= std::to_integer<std::uint32_t>(bin_.at(at + k)) << (8 * k);
        }
        double value = raw;
        double greatest = 1;
        switch (type) {
        case 5120:
            value = raw < 128 ? raw : static_cast<double>(raw) - 256;
            greatest = 127;
            break;
        case 5121: greatest = 255; break;
        case 5122:
            value = raw < 32768 ? raw : static_cast<double>(raw) - 65536;
            greatest = 32767;
            break;
        case 5123: greatest = 65535; break;
        case 5126: {
            float f = 0;
            std::memcpy(&f, &raw, 4);
            return static_cast<double>(f);
        }
        default: break;
        }
        return normalized ? std::max(value / greatest, -1.0) : value;
    }

    void put_sparse(const nlohmann::json& a, std::size_t n, std::vector<double>& out) const {
        const auto& sparse = a.at("sparse");
        const auto start_of = [&](const nlohmann::json& part) {
            const auto& view = root_.at("bufferViews").at(part.at("bufferView").get<std::size_t>());
            return view.value("byteOffset", std::size_t{0}) + part.value("byteOffset", std::size_t{0});
        };
        const int index_type = sparse.at("indices").at("componentType");
        const int type = a.at("componentType");
        for (std::size_t k = 0; k < sparse.at("count").get<std::size_t>(); ++k) {
            const auto index = static_cast<std::size_t>(
                component(start_of(sparse.at("indices")) + k * size_of(index_type), index_type, false));
            for (std::size_t c = 0; c < n; ++c) {
                out.at(index * n + c) = component(start_of(sparse.at("values")) + (k * n + c) * size_of(type),
                                                  type, a.value("normalized", false));
            }
        }
    }

    const nlohmann::json& root_;
    const std::vector<std::byte>& bin_;
};

inline void normalize(std::vector<double>& q) {
    double sum = 0;
    for (const double c : q) sum += c * c;
    for (double& c : q) c /= std::sqrt(sum);
}

inline std::vector<double> slerp(std::vector<double> a, std::vector<double> b, double s) {
    double cosine = 0;
    for (std::size_t c = 0; c < 4; ++c) cosine += a[c] * b[c];
    const double sign = cosine < 0 ? -1 : 1;
    const double angle = std::acos(std::min(std::abs(cosine), 1.0));
    std::vector<double> out(4);
    for (std::size_t c = 0; c < 4; ++c) {
        out[c] = angle < 1e-9 ? a[c]
                              : (std::sin((1 - s) * angle) * a[c] + sign * std::sin(s * angle) * b[c]) /
                                    std::sin(angle);
    }
    return out;
}

// glTF 2.0, appendix C. `values` as in the file: per key one value, or in-tangent, value, out-tangent.
inline std::vector<double> reference_curve(const std::vector<double>& times,
                                           const std::vector<double>& values, std::size_t n,
                                           const std::string& mode, bool rotation, double t) {
    const std::size_t per_key = mode == "CUBICSPLINE" ? 3 : 1;
    const auto read = [&](std::size_t key, std::size_t part) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>((key * per_key + part) * n);
        return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(n));
    };
    const auto key_value = [&](std::size_t key) {
        std::vector<double> v = read(key, per_key == 3 ? 1 : 0);
        if (rotation) normalize(v);
        return v;
    };
    if (t <= times.front()) return key_value(0);
    if (t >= times.back()) return key_value(times.size() - 1);
    std::size_t k = 0;
    while (times[k + 1] <= t) ++k;
    const double span = times[k + 1] - times[k];
    const double s = (t - times[k]) / span;
    if (mode == "STEP") return key_value(k);
    if (mode == "LINEAR" && rotation) return slerp(key_value(k), key_value(k + 1), s);
    std::vector<double> out(n);
    for (std::size_t c = 0; c < n; ++c) {
        if (mode == "LINEAR") {
            out[c] = (1 - s) * read(k, 0)[c] + s * read(k + 1, 0)[c];
        } else {
            out[c] = (2 * s * s * s - 3 * s * s + 1) * read(k, 1)[c] +
                     span * (s * s * s - 2 * s * s + s) * read(k, 2)[c] +
                     (-2 * s * s * s + 3 * s * s) * read(k + 1, 1)[c] +
                     span * (s * s * s - s * s) * read(k + 1, 0)[c];
        }
    }
    if (rotation) normalize(out);
    return out;
}

}  // namespace sinter::test
