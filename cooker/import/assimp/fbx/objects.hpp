// The objects of an FBX file, how they are connected, and their properties.
#pragma once

#include "cooker/import/assimp/affine.hpp"
#include "cooker/import/assimp/fbx/node.hpp"

#include <optional>

namespace sinter::fbx {

struct Object {
    std::int64_t id = 0;
    std::string kind;     // "Model", "Geometry", "Deformer", ...
    std::string name;     // without its class
    std::string subtype;  // "Mesh", "LimbNode", "Cluster", ...
    const Node* node = nullptr;
};

// One end of a connection, seen from the other: an index into Objects::list, and the property that it drives
// ("" where objects are connected as such).
struct Link {
    std::size_t object = 0;
    std::string property;
};

inline constexpr std::size_t kRootObject = 0;  // list()[0] stands for the scene, id 0

class Objects {
public:
    // Errors (InvalidInput): two objects with one id (connections could not tell them apart).
    // `document` must outlive the objects.
    [[nodiscard]] static Result<Objects> build(const Document& document, std::string_view file_name);

    [[nodiscard]] const std::vector<Object>& list() const { return list_; }
    // What is connected into an object (its children) and what it is connected to, in file order. Connections
    // from or to ids that no object has are left out.
    [[nodiscard]] const std::vector<Link>& sources_of(std::size_t object) const { return sources_[object]; }
    [[nodiscard]] const std::vector<Link>& targets_of(std::size_t object) const { return targets_[object]; }
    // The same, of one kind only (and subtype, where one is given).
    [[nodiscard]] std::vector<std::size_t> sources_of(std::size_t object, std::string_view kind,
                                                      std::string_view subtype = {}) const;
    [[nodiscard]] std::vector<std::size_t> of_kind(std::string_view kind) const;
    [[nodiscard]] std::optional<std::size_t> find(std::int64_t id) const;

    // The "P" node of a property: the object's own, else the one of its kind's template, else nullptr.
    [[nodiscard]] const Node* property(std::size_t object, std::string_view name) const;
    [[nodiscard]] const Node* own_property(std::size_t object, std::string_view name) const;
    [[nodiscard]] double number(std::size_t object, std::string_view name, double otherwise) const;
    [[nodiscard]] Double3 vector(std::size_t object, std::string_view name, Double3 otherwise) const;

private:
    [[nodiscard]] bool matches(std::size_t object, std::string_view kind, std::string_view subtype) const;

    std::vector<Object> list_;
    std::vector<std::pair<std::int64_t, std::size_t>> by_id_;  // sorted
    std::vector<std::vector<Link>> sources_;
    std::vector<std::vector<Link>> targets_;
    std::vector<std::pair<std::string, const Node*>> templates_;  // kind, Properties70
};

// "Geometry 1234 'Name'", for messages.
[[nodiscard]] std::string describe(const Object& object);

// Values of a "P" node start here, after name, type, label and flags.
inline constexpr std::size_t kPropertyValue = 4;

// The "P" node of that name in a node's Properties70, or nullptr.
[[nodiscard]] const Node* find_property(const Node* properties, std::string_view name);

// A node's 16 numbers as a matrix, or nothing: FBX stores matrices for row vectors, the translation last.
[[nodiscard]] std::optional<Affine> matrix_of(const Node* node);

}  // namespace sinter::fbx
