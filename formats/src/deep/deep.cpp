#include "border.hpp"
#include "bounds.hpp"
#include "cuts.hpp"
#include "errors.hpp"
#include "references.hpp"
#include "structure.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

namespace sinter {

DeepReport validate_dag(const DagModel& model, const DeepOptions& options) {
    DeepReport report;
    const std::uint32_t machine = std::max(1U, std::thread::hardware_concurrency());
    deep::Context context{model, options, options.threads == 0 ? machine : options.threads, {}, {}};
    report.checks.push_back(deep::check_ranges(context));
    if (report.checks.back().failed != 0) {
        report.complete = false;
        return report;
    }
    deep::link_groups(context);
    deep::Borders borders;
    std::vector<std::uint32_t> owners;
    report.checks.push_back(deep::check_limits(context));
    report.checks.push_back(deep::check_coverage(context));
    report.checks.push_back(deep::check_border(context, borders));
    report.checks.push_back(deep::check_monotone_errors(context));
    report.checks.push_back(deep::check_lod_bounds(context));
    report.checks.push_back(deep::check_cut_decisions(context));
    report.checks.push_back(deep::check_cull_bounds(context));
    report.checks.push_back(deep::check_cones(context));
    report.checks.push_back(deep::check_references(context, owners));
    report.checks.push_back(deep::check_pages(context, owners));
    report.checks.push_back(deep::check_prefixes(context));
    report.checks.push_back(deep::check_hierarchy(context));
    for (DeepCheck& check : deep::check_stored_errors(context)) report.checks.push_back(std::move(check));
    report.checks.push_back(deep::check_cuts(context, borders));
    return report;
}

std::vector<std::uint32_t> number_points(std::span<const std::byte> rows, std::size_t row_size) {
    const std::size_t count = rows.size() / row_size;
    std::vector<std::uint32_t> order(count), point(count);
    for (std::uint32_t v = 0; v < count; ++v) order[v] = v;
    const auto compare = [&](std::uint32_t a, std::uint32_t b) {
        return std::memcmp(rows.data() + a * row_size, rows.data() + b * row_size, row_size);
    };
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        const int sign = compare(a, b);
        return sign != 0 ? sign < 0 : a < b;
    });
    // The first vertex of each run of equal rows stands for it, then runs are numbered in the order of those.
    for (std::size_t i = 0; i < count; ++i) {
        const bool same = i > 0 && compare(order[i], order[i - 1]) == 0;
        point[order[i]] = same ? point[order[i - 1]] : order[i];
    }
    std::vector<std::uint32_t> number(count);
    std::uint32_t next = 0;
    for (std::uint32_t v = 0; v < count; ++v) number[v] = point[v] == v ? next++ : number[point[v]];
    return number;
}

}  // namespace sinter
