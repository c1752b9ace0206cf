// Writes a tree of FBX nodes as a binary file, for the tests.
#pragma once

#include "cooker/import/assimp/fbx/node.hpp"

#include <zlib.h>

#include <cstring>
#include <string>
#include <variant>

namespace sinter::test {

class FbxBinary {
public:
    FbxBinary(std::uint32_t version, bool packed) : version_(version), packed_(packed) {}

    std::string write(const fbx::Node& root) {
        out_ = std::string("Kaydara FBX Binary  \0\x1a\0", 23);
        put(version_);
        for (const fbx::Node& child : root.children) node(child);
        out_.append(wide() ? 25 : 13, '\0');
        return out_;
    }

private:
    [[nodiscard]] bool wide() const { return version_ >= 7500; }

    template <typename T>
    void put(T value) {
        out_.append(reinterpret_cast<const char*>(&value), sizeof(T));
    }
    void put_size(std::size_t at, std::size_t value) {
        if (wide()) {
            const std::uint64_t v = value;
            std::memcpy(out_.data() + at, &v, sizeof v);
        } else {
            const auto v = static_cast<std::uint32_t>(value);
            std::memcpy(out_.data() + at, &v, sizeof v);
        }
    }

    void node(const fbx::Node& source) {
        const std::size_t start = out_.size();
        const std::size_t word = wide() ? 8 : 4;
        out_.append(3 * word, '\0');
        out_ += static_cast<char>(source.name.size());
        out_ += source.name;
        const std::size_t list = out_.size();
        for (const fbx::Value& v : source.values) std::visit([&](const auto& x) { value(x); }, v);
        put_size(start + word, source.values.size());
        put_size(start + 2 * word, out_.size() - list);
        for (const fbx::Node& child : source.children) node(child);
        if (!source.children.empty()) out_.append(wide() ? 25 : 13, '\0');
        put_size(start, out_.size());
    }

    void value(std::int64_t v) {
        out_ += 'L';
        put(v);
    }
    void value(double v) {
        out_ += 'D';
        put(v);
    }
    void value(const std::string& v) {
        // Names carry their class behind two bytes instead of before two colons.
        const std::size_t colons = v.find("::");
        const std::string text = colons == std::string::npos
                                     ? v
                                     : v.substr(colons + 2) + std::string("\0\x01", 2) + v.substr(0, colons);
        out_ += 'S';
        put(static_cast<std::uint32_t>(text.size()));
        out_ += text;
    }
    void value(const std::vector<std::int64_t>& v) { array('l', v.data(), v.size()); }
    void value(const std::vector<double>& v) { array('d', v.data(), v.size()); }

    template <typename T>
    void array(char type, const T* data, std::size_t count) {
        out_ += type;
        put(static_cast<std::uint32_t>(count));
        put(packed_ ? 1U : 0U);
        const std::size_t size = count * sizeof(T);
        if (!packed_) {
            put(static_cast<std::uint32_t>(size));
            out_.append(reinterpret_cast<const char*>(data), size);
            return;
        }
        std::string packed(compressBound(static_cast<uLong>(size)), '\0');
        auto length = static_cast<uLongf>(packed.size());
        compress(reinterpret_cast<Bytef*>(packed.data()), &length, reinterpret_cast<const Bytef*>(data),
                 static_cast<uLong>(size));
        put(static_cast<std::uint32_t>(length));
        out_.append(packed, 0, length);
    }

    std::uint32_t version_;
    bool packed_;
    std::string out_;
};

}  // namespace sinter::test
