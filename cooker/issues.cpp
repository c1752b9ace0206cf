#include "cooker/issues.hpp"

#include <algorithm>

namespace sinter {

Severity severity_of(IssueCode code) {
    switch (code) {
        case IssueCode::DuplicateNames:
        case IssueCode::MissingNames:
        case IssueCode::MissingTexture:
        case IssueCode::UnknownOptionalExtension:
        case IssueCode::EmptyBlendShape:
        case IssueCode::EmptyClip:
        case IssueCode::ShearedNode: return Severity::Info;
        default: return Severity::Warning;
    }
}

void Issues::add(IssueCode code, std::string_view subject, std::string message, std::uint64_t count) {
    const auto same = [&](const Issue& issue) { return issue.code == code && issue.where == subject; };
    if (const auto found = std::ranges::find_if(list_, same); found != list_.end()) {
        found->count += count;
        return;
    }
    list_.push_back({code, severity_of(code), std::string(subject), std::move(message), count});
}

std::uint64_t Issues::count_of(IssueCode code) const {
    std::uint64_t sum = 0;
    for (const Issue& issue : list_) {
        if (issue.code == code) sum += issue.count;
    }
    return sum;
}

bool Issues::has_warnings() const {
    return std::ranges::any_of(list_, [](const Issue& issue) { return issue.severity == Severity::Warning; });
}

}  // namespace sinter
