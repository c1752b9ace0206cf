// Writes small glTF files in memory, valid or broken on purpose: the JSON is open to every change.
#pragma once

#include "cooker/import/gltf/gltf.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sinter::test {

using Json = nlohmann::json;
using Bytes = std::vector<std::byte>;

template <typename T>
constexpr int component_number() {
    if constexpr (std::is_same_v<T, std::int8_t>) return 5120;
    if constexpr (std::is_same_v<T, std::uint8_t>) return 5121;
    if constexpr (std::is_same_v<T, std::int16_t>) return 5122;
    if constexpr (std::is_same_v<T, std::uint16_t>) return 5123;
    if constexpr (std::is_same_v<T, std::uint32_t>) return 5125;
    return 5126;
}

inline std::size_t component_count(std::string_view type) {
    if (type == "SCALAR") return 1;
    if (type == "MAT4") return 16;
    return static_cast<std::size_t>(type.back() - '0');
}

template <typename T>
Bytes bytes_of(const std::vector<T>& values) {
    Bytes out(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(out.data(), values.data(), out.size());
    return out;
}

inline void append_u32(Bytes& out, std::size_t value) {
    for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xFF));
}

inline Bytes bytes_of_text(std::string_view text) {
    Bytes out(text.size());
    if (!text.empty()) std::memcpy(out.data(), text.data(), text.size());
    return out;
}

inline std::string base64(std::span<const std::byte> bytes) {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t block = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            block = (block << 8) | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            out += k <= bytes.size() - i ? alphabet[(block >> (18 - 6 * k)) & 63] : '=';
        }
    }
    return out;
}

class GltfBuilder {
public:
    Json root = {{"asset", {{"version", "2.0"}}}};
    Bytes bin;

    // Adds to a top-level array and returns the new element's index.
    std::size_t add(const char* array, Json element) {
        root[array].push_back(std::move(element));
        return root[array].size() - 1;
    }

    std::size_t view(std::span<const std::byte> bytes, std::size_t stride = 0) {
        while (bin.size() % 4 != 0) bin.push_back(std::byte{0});
        Json view = {{"buffer", 0}, {"byteOffset", bin.size()}, {"byteLength", bytes.size()}};
        if (stride != 0) view["byteStride"] = stride;
        bin.insert(bin.end(), bytes.begin(), bytes.end());
        return add("bufferViews", std::move(view));
    }

    // Tightly packed, or `stride` bytes apart with 0xAB between, so that a wrong stride is seen.
    template <typename T>
    std::size_t accessor(const std::vector<T>& values, std::string_view type, bool normalized = false,
                         std::size_t stride = 0) {
        const std::size_t components = component_count(type);
        const std::size_t count = values.size() / components;
        const std::size_t element = components * sizeof(T);
        const Bytes packed = bytes_of(values);
        Bytes spread(stride == 0 ? packed.size() : count * stride, std::byte{0xAB});
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(spread.data() + i * (stride == 0 ? element : stride), packed.data() + i * element,
                        element);
        }
        Json accessor = {{"bufferView", view(spread, stride)},
                         {"componentType", component_number<T>()},
                         {"count", count},
                         {"type", type}};
        if (normalized) accessor["normalized"] = true;
        return add("accessors", std::move(accessor));
    }

    // Replaces elements of an accessor; with `keep_base` false the accessor loses its buffer view.
    template <typename T, typename Index>
    void make_sparse(std::size_t accessor, const std::vector<Index>& indices, const std::vector<T>& values,
                     bool keep_base) {
        Json& at = root["accessors"][accessor];
        const std::size_t index_view = view(bytes_of(indices));
        const std::size_t value_view = view(bytes_of(values));
        at["sparse"] = {
            {"count", indices.size()},
            {"indices", {{"bufferView", index_view}, {"componentType", component_number<Index>()}}},
            {"values", {{"bufferView", value_view}}}};
        if (!keep_base) at.erase("bufferView");
    }

    // One triangle (0,0,0) (1,0,0) (0,1,0) as mesh 0 of node 0; returns its primitive.
    Json& triangle() {
        const std::size_t positions = accessor(std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
        add("meshes", {{"primitives", Json::array({{{"attributes", {{"POSITION", positions}}}}})}});
        add("nodes", {{"mesh", 0}});
        return root["meshes"][0]["primitives"][0];
    }

    [[nodiscard]] Json& attributes() { return root["meshes"][0]["primitives"][0]["attributes"]; }

    // One clip that moves node 0.
    Json& animation(std::string_view path, std::string_view interpolation, std::size_t input,
                    std::size_t output) {
        add("animations",
            {{"name", "clip"},
             {"samplers",
              Json::array({{{"input", input}, {"output", output}, {"interpolation", interpolation}}})},
             {"channels", Json::array({{{"sampler", 0}, {"target", {{"node", 0}, {"path", path}}}}})}});
        return root["animations"][0];
    }

    [[nodiscard]] Bytes glb() const {
        Json json = root;
        if (!bin.empty() && !json.contains("buffers"))
            json["buffers"] = Json::array({{{"byteLength", bin.size()}}});
        return glb_of(json.dump(), bin);
    }

    [[nodiscard]] std::string gltf() const {
        Json json = root;
        if (!bin.empty() && !json.contains("buffers")) {
            json["buffers"] = Json::array({{{"byteLength", bin.size()},
                                            {"uri", "data:application/octet-stream;base64," + base64(bin)}}});
        }
        return json.dump();
    }

    [[nodiscard]] static Bytes glb_of(std::string json, Bytes bin) {
        while (json.size() % 4 != 0) json += ' ';
        while (bin.size() % 4 != 0) bin.push_back(std::byte{0});
        Bytes out = bytes_of_text("glTF");
        append_u32(out, 2);
        append_u32(out, 12 + 8 + json.size() + (bin.empty() ? 0 : 8 + bin.size()));
        append_u32(out, json.size());
        const Bytes json_type = bytes_of_text("JSON"), json_bytes = bytes_of_text(json);
        out.insert(out.end(), json_type.begin(), json_type.end());
        out.insert(out.end(), json_bytes.begin(), json_bytes.end());
        if (bin.empty()) return out;
        append_u32(out, bin.size());
        const Bytes bin_type = bytes_of_text(std::string_view("BIN\0", 4));
        out.insert(out.end(), bin_type.begin(), bin_type.end());
        out.insert(out.end(), bin.begin(), bin.end());
        return out;
    }
};

inline Result<Scene> import_bytes(Bytes bytes, Issues& issues, const std::string& path = "test.glb") {
    SourceFiles files{path};
    return import_gltf(files, std::move(bytes), issues);
}

inline Result<Scene> import_bytes(Bytes bytes) {
    Issues issues;
    return import_bytes(std::move(bytes), issues);
}

}  // namespace sinter::test
