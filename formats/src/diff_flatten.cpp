#include "diff_parts.hpp"
#include "manifest_walk.hpp"
#include "text.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <set>

namespace sinter {
namespace {

using manifest::text_of;

std::string escaped(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (c == '~') {
            out += "~0";
        } else if (c == '/') {
            out += "~1";
        } else {
            out += c;
        }
    }
    return out;
}

template <typename T>
std::vector<std::string> keys_of_list(const flatbuffers::Vector<flatbuffers::Offset<T>>* list) {
    std::vector<std::string_view> names;
    for (flatbuffers::uoffset_t i = 0; list != nullptr && i < list->size(); ++i)
        names.push_back(text_of(list->Get(i)->name()));
    return unique_keys(names);
}

std::string key_at(const std::vector<std::string>& keys, std::int64_t index) {
    if (index < 0) return "none";
    return static_cast<std::size_t>(index) < keys.size() ? keys[static_cast<std::size_t>(index)]
                                                         : cat("out of range: ", index);
}

NumberKind kind_of(std::string_view field) {
    struct Rule {
        std::string_view field;
        NumberKind kind;
    };
    static constexpr std::array kRules{Rule{"translation", NumberKind::Position},
                                       Rule{"min", NumberKind::Position},
                                       Rule{"max", NumberKind::Position},
                                       Rule{"center", NumberKind::Position},
                                       Rule{"radius", NumberKind::Position},
                                       Rule{"max_delta", NumberKind::Position},
                                       Rule{"min_error", NumberKind::Position},
                                       Rule{"max_error", NumberKind::Position},
                                       Rule{"max_posed_error", NumberKind::Position},
                                       Rule{"max_translation_error", NumberKind::Position},
                                       Rule{"rotation", NumberKind::Angle},
                                       Rule{"max_error_deg", NumberKind::Angle},
                                       Rule{"max_rotation_error_deg", NumberKind::Angle},
                                       Rule{"base_color", NumberKind::Color},
                                       Rule{"emissive", NumberKind::Color},
                                       Rule{"metallic", NumberKind::Color},
                                       Rule{"roughness", NumberKind::Color},
                                       Rule{"alpha_cutoff", NumberKind::Color},
                                       Rule{"shape_weights", NumberKind::Weight},
                                       Rule{"default_weight", NumberKind::Weight},
                                       Rule{"weight", NumberKind::Weight},
                                       Rule{"max_dropped_weight", NumberKind::Weight},
                                       Rule{"max_weight_error", NumberKind::Weight},
                                       Rule{"scale", NumberKind::Scale},
                                       Rule{"matrix", NumberKind::Scale},
                                       Rule{"max_scale_error", NumberKind::Scale},
                                       Rule{"start_s", NumberKind::Time},
                                       Rule{"duration_s", NumberKind::Time},
                                       Rule{"max_step_error_s", NumberKind::Time}};
    const auto found = std::ranges::find(kRules, field, &Rule::field);
    return found == kRules.end() ? NumberKind::Exact : found->kind;
}

template <typename Numbers>
std::string tuple_text(const Numbers& numbers) {
    std::string out = "(";
    for (const auto value : numbers) out += (out.size() > 1 ? ", " : "") + cat(value);
    return out + ")";
}

class Flattener {
public:
    Flattener(const ManifestKeys& keys, FlatManifest& out) : keys_(keys), out_(out) {}

    void manifest(const manifest::Manifest& m) {
        list("nodes", m.nodes(), keys_.nodes);
        list("materials", m.materials(), keys_.materials);
        list("meshes", m.meshes(), keys_.meshes);
        list("skins", m.skins(), keys_.skins);
        list("skeletons", m.skeletons(), keys_.skeletons);
        list("clips", m.clips(), keys_.clips);
        std::ranges::sort(out_.objects);
    }

private:
    template <typename T>
    void list(const std::string& path, const flatbuffers::Vector<flatbuffers::Offset<T>>* items,
              const std::vector<std::string>& keys) {
        out_.lists.emplace_back(path, keys);
        for (flatbuffers::uoffset_t i = 0; items != nullptr && i < items->size(); ++i) {
            object(cat(path, '/', keys[i]), *items->Get(i), i);
        }
    }
    // Objects of a list without names stand under their index.
    template <typename T>
    void indexed_list(const std::string& path, const flatbuffers::Vector<flatbuffers::Offset<T>>* items) {
        for (flatbuffers::uoffset_t i = 0; items != nullptr && i < items->size(); ++i) {
            object(cat(path, '/', i), *items->Get(i), i);
        }
    }
    template <typename T>
    void object(const std::string& path, const T& t, std::size_t index) {
        out_.objects.push_back(path);
        table(path, t, index);
    }
    template <typename T>
    void table(const std::string& path, const T& t, std::size_t index) {
        index_of(t, index);
        visit_fields(t, [&](std::string_view name, const auto& value) {
            this->field(cat(path, '/', name), name, t, value);
        });
    }

    // Remembers whose bones, shapes or tracks are being visited.
    template <typename T>
    void index_of(const T&, std::size_t) {}
    void index_of(const manifest::Skeleton&, std::size_t index) { bones_ = &keys_.bones[index]; }
    void index_of(const manifest::Mesh&, std::size_t index) { shapes_ = &keys_.shapes[index]; }
    void index_of(const manifest::Clip&, std::size_t index) { tracks_ = &keys_.tracks[index]; }
    void index_of(const manifest::Skin& skin, std::size_t) {
        static const std::vector<std::string> kNoBones;
        bones_ = skin.skeleton() < keys_.bones.size() ? &keys_.bones[skin.skeleton()] : &kNoBones;
    }

    void put(const std::string& path, DiffValue shown) {
        out_.values[path] = {.shown = std::move(shown), .numbers = {}};
    }

    // The keys that a field refers to, or null.
    template <typename T>
    const std::vector<std::string>* target(const T&, std::string_view name) const {
        if constexpr (std::is_same_v<T, manifest::Node>) {
            if (name == "parent") return &keys_.nodes;
            if (name == "mesh") return &keys_.meshes;
            if (name == "skin") return &keys_.skins;
        } else if constexpr (std::is_same_v<T, manifest::Submesh>) {
            if (name == "material") return &keys_.materials;
        } else if constexpr (std::is_same_v<T, manifest::Mesh>) {
            if (name == "skin") return &keys_.skins;
        } else if constexpr (std::is_same_v<T, manifest::Skin>) {
            if (name == "skeleton") return &keys_.skeletons;
        } else if constexpr (std::is_same_v<T, manifest::Bone>) {
            if (name == "parent") return bones_;
            if (name == "node") return &keys_.nodes;
        } else if constexpr (std::is_same_v<T, manifest::Track>) {
            if (name == "node") return &keys_.nodes;
        }
        return nullptr;
    }

    template <typename Owner, manifest::Scalar T>
    void field(const std::string& path, std::string_view name, const Owner& owner, T value) {
        if (name == "first_record" || name == "first_value" || name == "first_index") return;
        if constexpr (std::is_same_v<Owner, manifest::Grid>) {
            if (name == "step") return;
        }
        if constexpr (std::is_same_v<T, bool>) {
            put(path, value);
        } else if constexpr (std::is_floating_point_v<T>) {
            out_.values[path] = {.shown = static_cast<double>(value),
                                 .numbers = {static_cast<double>(value)},
                                 .kind = kind_of(name)};
        } else if (const auto* keys = target(owner, name)) {
            put(path, key_at(*keys, static_cast<std::int64_t>(value)));
        } else {
            put(path, static_cast<std::int64_t>(value));
        }
    }
    template <typename Owner, typename Struct>
        requires std::same_as<Struct, manifest::Float3> || std::same_as<Struct, manifest::Float4>
    void field(const std::string& path, std::string_view name, const Owner&, const Struct* value) {
        if (std::is_same_v<Owner, manifest::Grid> || value == nullptr) return;
        const auto parts = manifest::components(*value);
        out_.values[path] = {
            .shown = tuple_text(parts), .numbers = {parts.begin(), parts.end()}, .kind = kind_of(name)};
    }
    template <typename Owner>
    void field(const std::string& path, std::string_view, const Owner&, const flatbuffers::String* value) {
        put(path, std::string(text_of(value)));
    }
    template <typename Owner>
    void field(const std::string& path, std::string_view name, const Owner&,
               const flatbuffers::Vector<float>* values) {
        if (values == nullptr || values->size() == 0) return;
        out_.values[path] = {
            .shown = tuple_text(*values), .numbers = {values->begin(), values->end()}, .kind = kind_of(name)};
    }
    template <typename Owner>
    void field(const std::string& path, std::string_view, const Owner&,
               const flatbuffers::Vector<std::uint32_t>* bones) {
        for (flatbuffers::uoffset_t i = 0; bones != nullptr && i < bones->size(); ++i) {
            put(cat(path, '/', i), key_at(*bones_, bones->Get(i)));
        }
    }
    template <typename Owner, manifest::TableType T>
    void field(const std::string& path, std::string_view, const Owner&, const T* value) {
        if (value != nullptr) object(path, *value, 0);
    }
    template <typename Owner, manifest::TableType T>
    void field(const std::string& path, std::string_view, const Owner&,
               const flatbuffers::Vector<flatbuffers::Offset<T>>* items) {
        if constexpr (std::is_same_v<T, manifest::Bone>) {
            list(path, items, *bones_);
        } else if constexpr (std::is_same_v<T, manifest::Shape>) {
            list(path, items, *shapes_);
        } else if constexpr (std::is_same_v<T, manifest::Track>) {
            list(path, items, *tracks_);
        } else {
            indexed_list(path, items);
        }
    }

    const ManifestKeys& keys_;
    FlatManifest& out_;
    const std::vector<std::string>* bones_ = nullptr;
    const std::vector<std::string>* shapes_ = nullptr;
    const std::vector<std::string>* tracks_ = nullptr;
};

std::vector<std::string> track_keys(const manifest::Clip& clip, const std::vector<std::string>& nodes) {
    static constexpr std::array<std::string_view, 4> kPaths{"translation", "rotation", "scale", "weights"};
    std::vector<std::string> names;
    for (flatbuffers::uoffset_t i = 0; clip.tracks() != nullptr && i < clip.tracks()->size(); ++i) {
        const manifest::Track& track = *clip.tracks()->Get(i);
        const auto path = static_cast<std::size_t>(track.path());
        names.push_back(
            cat(key_at(nodes, track.node()), '.', path < kPaths.size() ? kPaths[path] : "unknown"));
    }
    // Node keys are escaped already; only repeated tracks, which a valid package has none of, need an index.
    std::map<std::string, std::size_t> used;
    for (std::string& name : names) {
        if (const std::size_t before = used[name]++; before > 0) name += cat('#', before);
    }
    return names;
}

}  // namespace

std::vector<std::string> unique_keys(const std::vector<std::string_view>& names) {
    std::map<std::string_view, std::size_t> used;
    std::vector<std::string> keys;
    for (const std::string_view name : names) {
        const std::size_t before = used[name]++;
        keys.push_back(name.empty() || before > 0 ? cat(escaped(name), '#', before) : escaped(name));
    }
    // A name that looks like another's key ("Head#1") would make two objects one.
    std::set<std::string> taken;
    for (std::string& key : keys) {
        while (!taken.insert(key).second) key += '#';
    }
    return keys;
}

ManifestKeys keys_of(const manifest::Manifest& m) {
    ManifestKeys keys;
    keys.nodes = keys_of_list(m.nodes());
    keys.materials = keys_of_list(m.materials());
    keys.meshes = keys_of_list(m.meshes());
    keys.skins = keys_of_list(m.skins());
    keys.skeletons = keys_of_list(m.skeletons());
    keys.clips = keys_of_list(m.clips());
    for (std::size_t i = 0; i < keys.skeletons.size(); ++i) {
        keys.bones.push_back(
            keys_of_list(m.skeletons()->Get(static_cast<flatbuffers::uoffset_t>(i))->bones()));
    }
    for (std::size_t i = 0; i < keys.meshes.size(); ++i) {
        keys.shapes.push_back(
            keys_of_list(m.meshes()->Get(static_cast<flatbuffers::uoffset_t>(i))->shapes()));
    }
    for (std::size_t i = 0; i < keys.clips.size(); ++i) {
        keys.tracks.push_back(
            track_keys(*m.clips()->Get(static_cast<flatbuffers::uoffset_t>(i)), keys.nodes));
    }
    return keys;
}

FlatManifest flatten(const manifest::Manifest& manifest, const ManifestKeys& keys) {
    FlatManifest out;
    Flattener(keys, out).manifest(manifest);
    return out;
}

}  // namespace sinter
