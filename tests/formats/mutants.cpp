#include "mutants.hpp"

#include <catch2/catch_test_macros.hpp>

namespace sinter::test {

std::set<FindingCode> codes_of(const VerifyReport& report) {
    std::set<FindingCode> codes;
    for (const Finding& finding : report.findings) codes.insert(finding.code);
    return codes;
}

void check_mutants(const std::vector<Mutant>& mutants) {
    for (const Mutant& mutant : mutants) {
        SamplePackage sample;
        mutant.change(sample);
        const VerifyReport report = verify_package(sample.bytes());
        std::string found;
        for (const Finding& f : report.findings)
            found += std::string(finding_name(f.code)) + " at " + f.where + ": " + f.message + "\n";
        INFO(mutant.name << "\n" << found);
        CHECK(codes_of(report) == std::set{mutant.code});
    }
}

}  // namespace sinter::test
