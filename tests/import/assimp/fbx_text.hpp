// Small FBX texts for the tests.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::test {

// Collects objects and connections and writes a text FBX 7.4.
class FbxText {
public:
    // GlobalSettings; centimetres and +Y up unless set.
    int up = 1, up_sign = 1, front = 2, front_sign = 1, coord = 0, coord_sign = 1, time_mode = 11;
    double unit = 1;

    void object(std::string_view kind, std::int64_t id, std::string_view name, std::string_view subtype,
                std::string_view body) {
        objects_ +=
            fmt::format("\t{}: {}, \"{}::{}\", \"{}\" {{\n{}\n\t}}\n", kind, id, kind, name, subtype, body);
    }
    void model(std::int64_t id, std::string_view name, std::string_view subtype,
               std::string_view properties = {}) {
        object("Model", id, name, subtype,
               fmt::format("Version: 232\nProperties70:  {{\n{}\n}}\nShading: Y", properties));
    }
    void connect(std::int64_t child, std::int64_t parent, std::string_view property = {}) {
        if (property.empty()) {
            connections_ += fmt::format("\tC: \"OO\",{},{}\n", child, parent);
        } else {
            connections_ += fmt::format("\tC: \"OP\",{},{}, \"{}\"\n", child, parent, property);
        }
    }
    // A curve on one component of a property of an object, through a curve node, below a layer.
    void curve(std::int64_t id, std::int64_t layer, std::int64_t target, std::string_view property,
               std::string_view component, std::string_view keys) {
        object("AnimationCurveNode", id, "N", "", "Properties70:  {\n}");
        object("AnimationCurve", id + 1, "", "", keys);
        connect(id, layer);
        connect(id, target, property);
        connect(id + 1, id, component);
    }
    [[nodiscard]] std::string text() const {
        const auto integer = [](std::string_view name, int value) {
            return fmt::format("\t\tP: \"{}\", \"int\", \"Integer\", \"\",{}\n", name, value);
        };
        return "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7400\n\tCreator: \"Sinter's "
               "tests\"\n}\n"
               "GlobalSettings:  {\n\tProperties70:  {\n" +
               integer("UpAxis", up) + integer("UpAxisSign", up_sign) + integer("FrontAxis", front) +
               integer("FrontAxisSign", front_sign) + integer("CoordAxis", coord) +
               integer("CoordAxisSign", coord_sign) + integer("TimeMode", time_mode) +
               fmt::format("\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",{}\n\t}}\n}}\n", unit) +
               "Objects:  {\n" + objects_ + "}\nConnections:  {\n" + connections_ + "}\n";
    }

private:
    std::string objects_, connections_;
};

inline std::string vector3(std::string_view name, double x, double y, double z) {
    return fmt::format("P: \"{}\", \"Vector3D\", \"Vector\", \"\",{},{},{}\n", name, x, y, z);
}

template <typename T>
std::string array(std::string_view name, const std::vector<T>& values) {
    return fmt::format("{}: *{} {{\n\ta: {}\n}}\n", name, values.size(), fmt::join(values, ","));
}

inline std::string reals(std::string_view name, const std::vector<double>& values) {
    return array(name, values);
}
inline std::string integers(std::string_view name, const std::vector<std::int64_t>& values) {
    return array(name, values);
}

// Keys with the same attributes for all of them; words are slopes and weights as bits.
inline std::string keys(const std::vector<double>& seconds, const std::vector<double>& values,
                        std::int64_t flags, const std::vector<std::int64_t>& words = {0, 0, 0, 0}) {
    std::vector<std::int64_t> ticks;
    for (const double s : seconds) ticks.push_back(static_cast<std::int64_t>(s * 46186158000.0));
    return array("KeyTime", ticks) + array("KeyValueFloat", values) +
           array("KeyAttrFlags", std::vector{flags}) + array("KeyAttrDataFloat", words) +
           array("KeyAttrRefCount", std::vector{static_cast<std::int64_t>(seconds.size())});
}

// A unit square in the xy plane, one quad, counter-clockwise seen from +Z.
inline std::string square() {
    return reals("Vertices", {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}) +
           integers("PolygonVertexIndex", {0, 1, 2, -4});
}

}  // namespace sinter::test
