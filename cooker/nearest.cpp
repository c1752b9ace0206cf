#include "cooker/nearest.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace sinter {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::array<std::vector<std::size_t>, 3> rows;  // of the previous two characters of a and of this one
    for (auto& row : rows) row.resize(b.size() + 1);
    std::iota(rows[1].begin(), rows[1].end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto& [before_last, last, row] = rows;
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
        std::rotate(rows.begin(), rows.begin() + 1, rows.end());
    }
    return rows[1][b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
    std::string_view best;
    std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2) + 1;
    for (const std::string_view candidate : candidates) {
        const std::size_t dot = candidate.rfind('.');
        const bool is_last_part = dot != std::string_view::npos && candidate.substr(dot + 1) == word;
        const std::size_t distance = is_last_part ? 1 : edit_distance(word, candidate);
        if (distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

}  // namespace sinter
