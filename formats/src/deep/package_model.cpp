// From a package to the model of the deep checks.
#include "../bytes.hpp"
#include "../text.hpp"
#include "poses.hpp"

#include <sinter/formats/cluster_records.hpp>
#include <sinter/formats/codecs.hpp>
#include <sinter/formats/deep.hpp>
#include <sinter/formats/page.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace sinter {
namespace {

struct PointDelta {
    std::uint32_t vertex = 0;
    std::uint32_t frame = 0;
    std::array<float, 3> delta{};
    auto operator<=>(const PointDelta&) const = default;
};

class ModelReader {
public:
    ModelReader(const PackageView& package, const manifest::ManifestT& manifest, std::uint32_t index)
        : package_(package), manifest_(manifest), mesh_(*manifest.meshes[index]), index_(index) {}

    Result<DagModel> read() && {
        if (!mesh_.cluster_dag || !mesh_.grid || !mesh_.grid->center)
            return misfit("it has no cluster DAG or no grid");
        SINTER_TRY_ASSIGN(pages_, records<ClusterPageRecord>(SectionType::ClusterPages));
        SINTER_TRY_ASSIGN(groups_, records<ClusterGroupRecord>(SectionType::ClusterGroups));
        for (std::uint32_t p = 0; p < pages_.size(); ++p) SINTER_TRY(read_page(p));
        SINTER_TRY(read_groups());
        SINTER_TRY(read_tables());
        SINTER_TRY(read_points());
        SINTER_TRY(deep::add_poses(package_, manifest_, index_, model_));
        model_.source_triangles = mesh_.index_count / 3;
        model_.measured_error = mesh_.cluster_dag->measured_error;
        return std::move(model_);
    }

private:
    [[nodiscard]] Error misfit(std::string message) const {
        return {.kind = ErrorKind::Validation,
                .where = place("mesh", index_, mesh_.name),
                .message = std::move(message),
                .remedy = "run sinter validate without --deep for what is wrong"};
    }

    // All records of a section; none if there is no such section.
    template <typename Record>
    Result<std::vector<Record>> records(SectionType type) const {
        std::vector<Record> out;
        if (package_.find(type, index_) == nullptr) return out;
        SINTER_TRY_ASSIGN(const std::vector<std::byte> bytes, package_.decode(type, index_));
        if (bytes.size() % sizeof(Record) != 0) {
            return misfit(
                cat("section ", section_type_name(type).value_or("?"), " has no whole number of records"));
        }
        out.resize(bytes.size() / sizeof(Record));
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = record_at<Record>(bytes, i);
        return out;
    }

    Result<Unit> read_page(std::uint32_t p) {
        SINTER_TRY_ASSIGN(const std::vector<std::byte> bytes,
                          package_.decode(SectionType::PageData, page_section_id(index_, p)));
        SINTER_TRY_ASSIGN(const PageView page, view_page(bytes));
        const PageHeader& h = page.header();
        if (pages_[p].first_vertex != grid_.size() || pages_[p].vertex_count != h.vertex_count ||
            pages_[p].cluster_count != h.cluster_count) {
            return misfit(cat("page ", p, " is not what its record says"));
        }
        first_cluster_.push_back(static_cast<std::uint32_t>(model_.clusters.size()));
        const auto& c = *mesh_.grid->center;
        for (std::uint32_t v = 0; v < h.vertex_count; ++v) {
            grid_.push_back(page.grid_position(v));
            model_.positions.push_back(grid_decode({c.x(), c.y(), c.z()}, mesh_.grid->step, grid_.back()));
        }
        for (std::uint32_t i = 0; i < h.cluster_count; ++i) SINTER_TRY(add_cluster(page, page.cluster(i)));
        return Unit{};
    }

    Result<Unit> add_cluster(const PageView& page, const ClusterRecord& in) {
        std::vector<std::uint32_t> vertices;
        for (std::uint32_t i = 0; i < in.vertex_count; ++i) {
            const std::uint16_t reference = page.reference(in, i);
            const std::uint32_t at = page.table_page(in, reference_entry(reference));
            if (at >= pages_.size() || reference_vertex(reference) >= pages_[at].vertex_count) {
                return misfit(
                    cat("cluster ", model_.clusters.size(), " refers to a vertex that is not there"));
            }
            vertices.push_back(pages_[at].first_vertex + reference_vertex(reference));
        }
        DagCluster out;
        out.group = in.group;
        out.child_group = in.child_group;
        out.material = in.material;
        out.first_corner = static_cast<std::uint32_t>(model_.corners.size());
        out.triangle_count = in.triangle_count;
        out.vertex_count = in.vertex_count;
        out.cull_bounds = {in.cull_center, in.cull_radius};
        // The same cone in units of 1: the test compares products of these bytes, which are exact in float.
        for (std::size_t a = 0; a < 3; ++a) out.cone_axis[a] = static_cast<float>(in.cone.axis[a]);
        out.cone_cutoff = static_cast<float>(in.cone.cutoff);
        out.cone_scale = 127;
        for (std::uint32_t t = 0; t < in.triangle_count; ++t) {
            for (const std::uint8_t corner : page.triangle(in, t)) model_.corners.push_back(vertices[corner]);
        }
        model_.clusters.push_back(out);
        return Unit{};
    }

    Result<Unit> read_groups() {
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            const ClusterGroupRecord& in = groups_[g];
            if (in.page >= first_cluster_.size() || in.end > 2) {
                return misfit(cat("group ", g, " is in page ", in.page, " of ", first_cluster_.size(),
                                  ", or its end is none of the three"));
            }
            DagGroup out;
            out.level = in.level;
            out.first_cluster = first_cluster_[in.page] + in.first_cluster;
            out.cluster_count = in.cluster_count;
            out.end = static_cast<DagEnd>(in.end);
            out.geometric_error = in.geometric_error;
            out.posed_error = in.posed_error;
            out.lod_error = in.lod_error;
            out.lod_bounds = {in.lod_center, in.lod_radius};
            model_.groups.push_back(out);
        }
        return Unit{};
    }

    Result<Unit> read_tables() {
        SINTER_TRY_ASSIGN(const auto dependencies,
                          records<std::uint32_t>(SectionType::ClusterPageDependencies));
        for (const ClusterPageRecord& in : pages_) {
            DagPage out{in.first_vertex, in.vertex_count, in.first_group, in.group_count, in.byte_count, {}};
            if (std::uint64_t{in.first_dependency} + in.dependency_count > dependencies.size())
                return misfit("dependencies of a page are beyond the end");
            const auto begin = dependencies.begin() + in.first_dependency;
            out.dependencies.assign(begin, begin + in.dependency_count);
            model_.pages.push_back(std::move(out));
        }
        SINTER_TRY_ASSIGN(const auto prefixes, records<ClusterPrefixRecord>(SectionType::ClusterPrefixes));
        for (const ClusterPrefixRecord& p : prefixes) {
            model_.prefixes.push_back({p.lod_error, p.vertex_count, p.page_count, p.triangle_count});
        }
        SINTER_TRY_ASSIGN(const auto nodes, records<ClusterHierarchyNode>(SectionType::ClusterHierarchy));
        for (const ClusterHierarchyNode& in : nodes) {
            DagHierarchyNode out;
            for (std::size_t i = 0; i < kHierarchyWidth; ++i) {
                if (in.child[i] == kHierarchyNone) continue;
                out.children.push_back({{{in.center_x[i], in.center_y[i], in.center_z[i]}, in.radius[i]},
                                        in.lod_error[i],
                                        in.child[i] & ~kHierarchyGroup,
                                        (in.child[i] & kHierarchyGroup) != 0});
            }
            model_.hierarchy.push_back(std::move(out));
        }
        return Unit{};
    }

    // Position deltas that are not zero, by vertex, then by frame.
    Result<std::vector<PointDelta>> read_deltas() const {
        std::vector<PointDelta> out;
        SINTER_TRY_ASSIGN(const auto deltas, records<BlendShapeDelta>(SectionType::BlendShapeDeltas));
        std::uint32_t frame = 0;
        for (const auto& shape : mesh_.shapes) {
            for (const auto& f : shape->frames) {
                if (f->first_record > deltas.size() || f->record_count > deltas.size() - f->first_record)
                    return misfit("a blend shape's deltas are beyond the end");
                for (std::uint64_t i = f->first_record; i < f->first_record + f->record_count; ++i) {
                    const auto& d = deltas[i].position;
                    if (d == std::array<float, 3>{}) continue;
                    out.push_back(
                        {deltas[i].vertex, frame, {d[0] + 0.0F, d[1] + 0.0F, d[2] + 0.0F}});  // no -0
                }
                ++frame;
            }
        }
        std::ranges::sort(out);
        return out;
    }

    // A number a vertex, equal for equal deltas; 0 for none.
    Result<std::vector<std::uint32_t>> number_deltas() const {
        SINTER_TRY_ASSIGN(const std::vector<PointDelta> deltas, read_deltas());
        std::vector<std::uint32_t> out(grid_.size(), 0);
        std::map<std::vector<PointDelta>, std::uint32_t> numbers;
        for (std::size_t i = 0; i < deltas.size();) {
            const std::uint32_t vertex = deltas[i].vertex;
            std::vector<PointDelta> own;
            for (; i < deltas.size() && deltas[i].vertex == vertex; ++i)
                own.push_back({0, deltas[i].frame, deltas[i].delta});
            if (vertex >= out.size())
                return misfit(cat("a blend shape moves vertex ", vertex, ", which is not there"));
            out[vertex] = numbers.try_emplace(std::move(own), static_cast<std::uint32_t>(numbers.size() + 1))
                              .first->second;
        }
        return out;
    }

    Result<Unit> read_points() {
        std::size_t influence_size = 0;
        std::vector<std::byte> influences;
        if (mesh_.influences && package_.find(SectionType::MeshInfluences, index_) != nullptr) {
            SINTER_TRY_ASSIGN(influences, package_.decode(SectionType::MeshInfluences, index_));
            influence_size = influence_record_size(mesh_.influences->stride, mesh_.influences->weight_bits);
            if (influences.size() != influence_size * grid_.size())
                return misfit("influences are not one a vertex");
        }
        SINTER_TRY_ASSIGN(const std::vector<std::uint32_t> deltas, number_deltas());
        const std::size_t size = sizeof(grid_[0]) + sizeof(std::uint32_t) + influence_size;
        std::vector<std::byte> rows(size * grid_.size());
        for (std::size_t v = 0; v < grid_.size(); ++v) {
            std::byte* row = rows.data() + v * size;
            std::memcpy(row, grid_[v].data(), sizeof(grid_[v]));
            std::memcpy(row + sizeof(grid_[v]), &deltas[v], sizeof(std::uint32_t));
            if (influence_size == 0) continue;
            std::memcpy(row + sizeof(grid_[v]) + sizeof(std::uint32_t),
                        influences.data() + v * influence_size, influence_size);
        }
        model_.point_of_vertex = number_points(rows, size);
        return Unit{};
    }

    const PackageView& package_;
    const manifest::ManifestT& manifest_;
    const manifest::MeshT& mesh_;
    std::uint32_t index_;
    std::vector<ClusterPageRecord> pages_;
    std::vector<ClusterGroupRecord> groups_;
    std::vector<std::uint32_t> first_cluster_;  // of each page
    std::vector<std::array<std::int32_t, 3>> grid_;
    DagModel model_;
};

}  // namespace

Result<DagModel> read_dag_model(const PackageView& package, const manifest::ManifestT& manifest,
                                std::uint32_t mesh) {
    return ModelReader(package, manifest, mesh).read();
}

Result<std::vector<MeshDeepReport>> validate_dags(std::span<const std::byte> package,
                                                  const DeepOptions& options) {
    SINTER_TRY_ASSIGN(const PackageView view, PackageView::open(package));
    SINTER_TRY_ASSIGN(const auto manifest, view.read_manifest());
    std::vector<MeshDeepReport> out;
    for (std::uint32_t m = 0; m < manifest->meshes.size(); ++m) {
        const manifest::MeshT& mesh = *manifest->meshes[m];
        if (!mesh.cluster_dag) continue;
        SINTER_TRY_ASSIGN(const DagModel model, read_dag_model(view, *manifest, m));
        DeepOptions own = options;
        own.max_triangles = std::min(own.max_triangles, mesh.cluster_dag->max_triangles);
        own.max_vertices = std::min(own.max_vertices, mesh.cluster_dag->max_vertices);
        out.push_back({m, mesh.name, model.source_triangles, validate_dag(model, own)});
    }
    return out;
}

}  // namespace sinter
