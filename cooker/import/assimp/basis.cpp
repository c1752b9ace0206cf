#include "cooker/import/assimp/basis.hpp"

#include "cooker/import/assimp/affine.hpp"

#include <utility>

namespace sinter {
namespace {

class Change {
public:
    explicit Change(const Basis& basis) : unit_(basis.unit_m) {
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) {
                axes_.at(row, column) =
                    basis.axes[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
            }
        }
        mirrored_ = determinant(axes_) < 0;
    }

    [[nodiscard]] bool mirrored() const { return mirrored_; }
    [[nodiscard]] Float3 direction(Float3 v) const { return to_float(transform_vector(axes_, to_double(v))); }
    [[nodiscard]] Float3 point(Float3 v) const {
        return to_float(transform_vector(axes_, to_double(v)) * unit_);
    }

    // A mirror turns the sense of rotation around, besides moving the axis.
    [[nodiscard]] Quat rotation(Quat q) const {
        const Float3 axis = direction({q.x, q.y, q.z});
        const float sign = mirrored_ ? -1.0F : 1.0F;
        return {axis.x * sign, axis.y * sign, axis.z * sign, q.w};
    }

    // Scale factors follow their axes; the sign of the axis does not matter to them.
    [[nodiscard]] Float3 scale(Float3 s) const {
        const float in[3] = {s.x, s.y, s.z};
        float out[3] = {};
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) {
                if (axes_.at(row, column) != 0) out[row] = in[column];
            }
        }
        return {out[0], out[1], out[2]};
    }

    // C * m * C^-1 with C = unit * axes; the unit stays in the translation only.
    [[nodiscard]] Mat3x4 matrix(const Mat3x4& m) const {
        Affine file;
        Affine back;
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) {
                file.at(row, column) = static_cast<double>(m.at(row, column));
                back.at(row, column) = axes_.at(column, row);
            }
            file.at(row, 3) = static_cast<double>(m.at(row, 3)) * unit_;
        }
        return to_float(axes_ * file * back);
    }

private:
    Affine axes_;
    double unit_ = 1;
    bool mirrored_ = false;
};

void change_primitive(Primitive& primitive, const Change& change) {
    for (Float3& p : primitive.positions) p = change.point(p);
    for (Float3& n : primitive.normals) n = change.direction(n);
    for (Float4& t : primitive.tangents) {
        const Float3 direction = change.direction({t.x, t.y, t.z});
        t = {direction.x, direction.y, direction.z, change.mirrored() ? -t.w : t.w};
    }
    for (ShapeDeltas& frame : primitive.shape_frames) {
        for (Float3& p : frame.positions) p = change.point(p);
        for (Float3& n : frame.normals) n = change.direction(n);
        for (Float3& t : frame.tangents) t = change.direction(t);
    }
    if (!change.mirrored()) return;
    for (std::size_t i = 0; i + 2 < primitive.indices.size(); i += 3) {
        std::swap(primitive.indices[i + 1], primitive.indices[i + 2]);
    }
}

void change_channel(Channel& channel, const Change& change) {
    std::vector<float>& v = channel.values;
    if (channel.path == TrackPath::Rotation) {
        for (std::size_t i = 0; i + 3 < v.size(); i += 4) {
            const Quat q = change.rotation({v[i], v[i + 1], v[i + 2], v[i + 3]});
            v[i] = q.x;
            v[i + 1] = q.y;
            v[i + 2] = q.z;
        }
    } else if (channel.path != TrackPath::Weights) {
        for (std::size_t i = 0; i + 2 < v.size(); i += 3) {
            const Float3 old{v[i], v[i + 1], v[i + 2]};
            const Float3 now = channel.path == TrackPath::Scale ? change.scale(old) : change.point(old);
            v[i] = now.x;
            v[i + 1] = now.y;
            v[i + 2] = now.z;
        }
    }
}

}  // namespace

Basis basis_of(UpAxis up, double unit_m) {
    Basis basis;
    basis.unit_m = unit_m;
    if (up == UpAxis::Z) basis.axes = {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};
    return basis;
}

void change_basis(Scene& scene, const Basis& basis) {
    if (basis.unit_m == 1.0 && basis.axes == Basis{}.axes) return;
    const Change change(basis);
    for (Mesh& mesh : scene.meshes) {
        for (Primitive& primitive : mesh.primitives) change_primitive(primitive, change);
    }
    for (Node& node : scene.nodes) {
        node.local.translation = change.point(node.local.translation);
        node.local.rotation = change.rotation(node.local.rotation);
        node.local.scale = change.scale(node.local.scale);
        if (node.local_matrix) node.local_matrix = change.matrix(*node.local_matrix);
    }
    for (Skin& skin : scene.skins) {
        for (Mat3x4& m : skin.bone_from_mesh) m = change.matrix(m);
    }
    for (Clip& clip : scene.clips) {
        for (Channel& channel : clip.channels) change_channel(channel, change);
    }
}

}  // namespace sinter
