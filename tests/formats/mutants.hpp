// Packages with one thing wrong, written with right hashes, digests and content root, so that only the check that it is made
// for can see it.
#pragma once

#include "sample_package.hpp"

#include <sinter/formats/verify.hpp>

#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace sinter::test {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Mutant {
    std::string name;
    FindingCode code{};
    std::function<void(SamplePackage&)> change;
};

[[nodiscard]] std::set<FindingCode> codes_of(const VerifyReport& report);

// Each mutant of the sample has findings of its code and of no other.
void check_mutants(const std::vector<Mutant>& mutants);

}  // namespace sinter::test
