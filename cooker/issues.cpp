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

void Issues::add(IssueCode code, std::string_view where, std::string message, std::uint64_t count) {
    const auto same = [&](const Issue& issue) { return issue.code == code && issue.message == message; };
    if (const auto found = std::ranges::find_if(list_, same); found != list_.end()) {
        found->count += count;
        return;
    }
    list_.push_back({code, severity_of(code), std::string(where), std::move(message), count});
}

std::vector<Issue> Issues::list() const {
    constexpr std::string_view kCount = "{n}";
    std::vector<Issue> filled = list_;
    for (Issue& issue : filled) {
        if (const std::size_t at = issue.message.find(kCount); at != std::string::npos) {
            issue.message.replace(at, kCount.size(), std::to_string(issue.count));
        }
    }
    return filled;
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
