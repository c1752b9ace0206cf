#include "cooker/import/assimp/fbx/animation.hpp"

#include "cooker/import/assimp/fbx/curve.hpp"
#include "cooker/import/assimp/fbx/resample.hpp"
#include "cooker/import/assimp/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace sinter::fbx {
namespace {

// Three curves of one property; a component without keys keeps its constant.
struct Property {
    std::array<Curve, 3> curves;
    std::array<double, 3> constants{};
    bool animated = false;

    [[nodiscard]] Double3 value(double time, bool from_left) const {
        std::array<double, 3> v = constants;
        for (std::size_t i = 0; i < 3; ++i) {
            if (!curves[i].empty()) v[i] = from_left ? curves[i].before(time) : curves[i].at(time);
        }
        return {v[0], v[1], v[2]};
    }
};

struct ModelCurves {
    Property translation, rotation, scale;
};

std::vector<double> components_of(Double3 v) { return {v.x, v.y, v.z}; }

// A node that inherits no scale of its parent is given the inverse: exact where that scale is uniform.
Double3 without_parent_scale(Double3 scale, Double3 parent) {
    const auto divide = [](double a, double b) { return b != 0 ? a / b : a; };
    return {divide(scale.x, parent.x), divide(scale.y, parent.y), divide(scale.z, parent.z)};
}

class StackReader {
public:
    StackReader(const Objects& objects, const Document& document, const std::vector<AnimatedModel>& models,
                double rate_hz, Issues& issues)
        : objects_(objects), document_(document), models_(models), rate_hz_(rate_hz), issues_(issues) {
        for (std::size_t i = 0; i < models.size(); ++i) {
            model_of_object_[models[i].object] = i;
            for (const std::size_t channel : models[i].shape_channels) animated_channels_[channel];
        }
    }

    // Nothing where the stack moves nothing.
    std::optional<Clip> read(std::size_t stack) {
        const Object& object = objects_.list()[stack];
        const std::vector<std::size_t> layers = objects_.sources_of(stack, "AnimationLayer");
        if (layers.empty()) return std::nullopt;
        if (layers.size() > 1) {
            issues_.add(IssueCode::IgnoredContent, describe(object),
                        fmt::format("only the first of {} animation layers is read: bake them into one",
                                    layers.size()));
        }
        read_layer(layers.front());
        Clip clip;
        clip.name = object.name;
        clip.source_rate_hz = rate_hz_;
        for (std::size_t model = 0; model < models_.size(); ++model) add_channels(model, clip);
        if (tcb_ != 0) {
            issues_.add(IssueCode::IgnoredContent, describe(object),
                        "tension-continuity-bias tangents are read as automatic ones: bake the curves", tcb_);
        }
        if (clip.channels.empty()) {
            if (other_curves_ != 0) {
                issues_.add(IssueCode::UnboundChannel, describe(object),
                            "its curves drive no transform and no blend shape: it makes no clip",
                            other_curves_);
            }
            return std::nullopt;
        }
        set_range(clip);
        return clip;
    }

private:
    void read_layer(std::size_t layer) {
        for (const std::size_t node : objects_.sources_of(layer, "AnimationCurveNode")) {
            for (const Link& target : objects_.targets_of(node)) {
                if (!target.property.empty()) read_curve_node(node, target);
            }
        }
    }

    void read_curve_node(std::size_t node, const Link& target) {
        if (target.property == "DeformPercent") {
            const auto found = animated_channels_.find(target.object);
            if (found != animated_channels_.end()) found->second = read_curve(node, "d|DeformPercent");
            return;
        }
        const auto model = model_of_object_.find(target.object);
        if (model == model_of_object_.end()) return count_other(node);
        ModelCurves& curves = curves_of(model->second);
        Property* property = nullptr;
        if (target.property == "Lcl Translation") property = &curves.translation;
        if (target.property == "Lcl Rotation") property = &curves.rotation;
        if (target.property == "Lcl Scaling") property = &curves.scale;
        if (property == nullptr) return count_other(node);
        constexpr std::array<std::string_view, 3> kComponents{"d|X", "d|Y", "d|Z"};
        for (std::size_t i = 0; i < 3; ++i) {
            property->constants[i] = objects_.number(node, kComponents[i], property->constants[i]);
            property->curves[i] = read_curve(node, kComponents[i]);
            property->animated = property->animated || !property->curves[i].empty();
        }
    }

    void count_other(std::size_t node) {
        other_curves_ += objects_.sources_of(node, "AnimationCurve").size();
    }

    Curve read_curve(std::size_t node, std::string_view component) {
        for (const Link& link : objects_.sources_of(node)) {
            const Object& object = objects_.list()[link.object];
            if (object.kind != "AnimationCurve" || link.property != component) continue;
            Curve curve = Curve::read(*object.node, document_);
            tcb_ += curve.has_tcb() ? 1U : 0U;
            return curve;
        }
        return {};
    }

    ModelCurves& curves_of(std::size_t model) {
        const auto [entry, fresh] = curves_.try_emplace(model);
        if (fresh) {
            const Pose& pose = models_[model].pose;
            const auto constants = [](Double3 v) { return std::array<double, 3>{v.x, v.y, v.z}; };
            entry->second.translation.constants = constants(pose.translation);
            entry->second.rotation.constants = constants(pose.rotation_deg);
            entry->second.scale.constants = constants(pose.scale);
        }
        return entry->second;
    }

    static void depend_on(Sampled& sampled, const Property& property) {
        for (const Curve& curve : property.curves) {
            if (!curve.empty()) sampled.curves.push_back(&curve);
        }
    }

    void add_channels(std::size_t model, Clip& clip) {
        const AnimatedModel& animated = models_[model];
        const bool scaled_by_parent = animated.pose.drops_parent_scale && animated.parent >= 0 &&
                                      curves_.contains(static_cast<std::size_t>(animated.parent)) &&
                                      curves_.at(static_cast<std::size_t>(animated.parent)).scale.animated;
        if (curves_.contains(model) || scaled_by_parent) {
            // The parent's entry must not move while references are held: std::map keeps its nodes.
            const ModelCurves& curves = curves_of(model);
            const bool pivots = animated.pose.has_pivots();
            if (curves.translation.animated ||
                (pivots && (curves.rotation.animated || curves.scale.animated))) {
                add_translation(animated, curves, clip);
            }
            if (curves.rotation.animated) add_rotation(animated, curves, clip);
            if (curves.scale.animated || scaled_by_parent) add_scale(animated, curves, clip);
        }
        add_weights(animated, clip);
    }

    static DoubleTrs local_at(const Pose& pose, const ModelCurves& curves, double time, bool from_left) {
        return local_of(pose, curves.translation.value(time, from_left),
                        curves.rotation.value(time, from_left), curves.scale.value(time, from_left));
    }

    void add_translation(const AnimatedModel& model, const ModelCurves& curves, Clip& clip) const {
        Sampled sampled{model.node, TrackPath::Translation, 3, {}, {}};
        depend_on(sampled, curves.translation);
        if (model.pose.has_pivots()) {
            depend_on(sampled, curves.rotation);
            depend_on(sampled, curves.scale);
        }
        sampled.value = [&](double time, bool from_left) {
            return components_of(local_at(model.pose, curves, time, from_left).translation);
        };
        clip.channels.push_back(make_keys(sampled, rate_hz_));
    }

    void add_rotation(const AnimatedModel& model, const ModelCurves& curves, Clip& clip) const {
        Sampled sampled{model.node, TrackPath::Rotation, 4, {}, {}};
        depend_on(sampled, curves.rotation);
        sampled.value = [&](double time, bool from_left) {
            const DoubleQuat q = local_at(model.pose, curves, time, from_left).rotation;
            return std::vector<double>{q.x, q.y, q.z, q.w};
        };
        clip.channels.push_back(make_keys(sampled, rate_hz_));
    }

    void add_scale(const AnimatedModel& model, const ModelCurves& curves, Clip& clip) {
        Sampled sampled{model.node, TrackPath::Scale, 3, {}, {}};
        depend_on(sampled, curves.scale);
        const ModelCurves* parent = nullptr;
        if (model.pose.drops_parent_scale && model.parent >= 0) {
            parent = &curves_of(static_cast<std::size_t>(model.parent));
            depend_on(sampled, parent->scale);
        }
        sampled.value = [&](double time, bool from_left) {
            const Double3 scale = curves.scale.value(time, from_left);
            if (parent == nullptr) return components_of(scale);
            return components_of(without_parent_scale(scale, parent->scale.value(time, from_left)));
        };
        clip.channels.push_back(make_keys(sampled, rate_hz_));
    }

    void add_weights(const AnimatedModel& model, Clip& clip) const {
        Sampled sampled{model.node, TrackPath::Weights, model.shape_channels.size(), {}, {}};
        for (const std::size_t channel : model.shape_channels) {
            const Curve& curve = animated_channels_.at(channel);
            if (!curve.empty()) sampled.curves.push_back(&curve);
        }
        if (sampled.curves.empty()) return;
        sampled.value = [&](double time, bool from_left) {
            std::vector<double> weights;
            for (std::size_t i = 0; i < model.shape_channels.size(); ++i) {
                const Curve& curve = animated_channels_.at(model.shape_channels[i]);
                const double percent = from_left ? curve.before(time) : curve.at(time);
                weights.push_back(curve.empty() ? static_cast<double>(model.default_weights[i])
                                                : percent / model.full_percents[i]);
            }
            return weights;
        };
        clip.channels.push_back(make_keys(sampled, rate_hz_));
    }

    const Objects& objects_;
    const Document& document_;
    const std::vector<AnimatedModel>& models_;
    double rate_hz_;
    Issues& issues_;
    std::map<std::size_t, std::size_t> model_of_object_;
    std::map<std::size_t, ModelCurves> curves_;       // by model
    std::map<std::size_t, Curve> animated_channels_;  // by the object of the blend-shape channel
    std::uint64_t other_curves_ = 0;
    std::uint64_t tcb_ = 0;
};

}  // namespace

DoubleTrs rest_local(const std::vector<AnimatedModel>& models, std::size_t model) {
    const auto& [node, object, pose, parent, channels, percents, weights] = models[model];
    Double3 scale = pose.scale;
    if (pose.drops_parent_scale && parent >= 0) {
        scale = without_parent_scale(scale, models[static_cast<std::size_t>(parent)].pose.scale);
    }
    DoubleTrs local = local_of(pose, pose.translation, pose.rotation_deg, pose.scale);
    local.scale = scale;
    return local;
}

std::vector<Clip> read_clips(const Objects& objects, const Document& document,
                             const std::vector<AnimatedModel>& models, double frame_rate_hz, Issues& issues) {
    std::vector<Clip> clips;
    for (const std::size_t stack : objects.of_kind("AnimationStack")) {
        StackReader reader(objects, document, models, frame_rate_hz, issues);
        if (std::optional<Clip> clip = reader.read(stack)) clips.push_back(std::move(*clip));
    }
    return clips;
}

double frame_rate_of(const Node* global_properties) {
    // FbxTime::EMode of the FBX SDK, by number.
    constexpr std::array<double, 18> kRates{30,
                                            120,
                                            100,
                                            60,
                                            50,
                                            48,
                                            30,
                                            30,
                                            30000.0 / 1001,
                                            30000.0 / 1001,
                                            25,
                                            24,
                                            1000,
                                            24000.0 / 1001,
                                            0,
                                            96,
                                            72,
                                            60000.0 / 1001};
    constexpr std::int64_t kCustom = 14;
    const auto value = [&](std::string_view name) -> const Node* {
        const Node* p = find_property(global_properties, name);
        return p == nullptr || p->values.size() <= kPropertyValue ? nullptr : p;
    };
    const Node* mode = value("TimeMode");
    const std::int64_t number = mode == nullptr ? 0 : integer_at(*mode, kPropertyValue);
    if (number == kCustom) {
        const Node* custom = value("CustomFrameRate");
        const double rate = custom == nullptr ? 0 : real_at(*custom, kPropertyValue);
        return rate >= 1 && rate <= 1000 ? rate : 30;
    }
    return number > 0 && number < static_cast<std::int64_t>(kRates.size())
               ? kRates[static_cast<std::size_t>(number)]
               : 30;
}

}  // namespace sinter::fbx
