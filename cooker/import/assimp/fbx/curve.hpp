// One animation curve of FBX: keys with constant, linear or cubic segments between them.
#pragma once

#include "cooker/import/assimp/fbx/node.hpp"

namespace sinter::fbx {

inline constexpr double kTicksPerSecond = 46186158000.0;

class Curve {
public:
    // Keys in the order of their times (files that break it are sorted); a key that is not finite is left out.
    // `ascii` says how the file writes tangents: as bit patterns in text of version 7200 and later.
    [[nodiscard]] static Curve read(const Node& curve, const Document& document);

    [[nodiscard]] bool empty() const { return keys_.empty(); }
    [[nodiscard]] std::size_t key_count() const { return keys_.size(); }
    [[nodiscard]] double time_of(std::size_t key) const { return keys_[key].time; }  // seconds
    [[nodiscard]] bool all_constant() const;
    [[nodiscard]] bool has_tcb() const {
        return has_tcb_;
    }  // tension-continuity-bias tangents, read as automatic

    // Holds the first value before the first key and the last one after the last. At a key behind a constant
    // segment `at` gives the key's value, `before` the value that was held.
    [[nodiscard]] double at(double time) const;
    [[nodiscard]] double before(double time) const;

private:
    enum class Shape { Constant, ConstantNext, Linear, Cubic };
    struct Key {
        double time = 0;
        double value = 0;
        Shape shape = Shape::Linear;  // of the segment after this key
        double right_slope = 0;       // value a second at this key
        double left_slope = 0;        // at the next key
        double right_weight = 1.0 / 3.0;
        double left_weight = 1.0 / 3.0;
    };
    struct Tangents;

    void set_tangents(const std::vector<Tangents>& tangents);
    [[nodiscard]] double automatic_slope(std::size_t key, std::uint32_t flags) const;
    [[nodiscard]] double inside(std::size_t segment, double time) const;

    std::vector<Key> keys_;
    bool has_tcb_ = false;
};

}  // namespace sinter::fbx
