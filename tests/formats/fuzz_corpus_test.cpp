// The fuzz target's body over its committed corpus, so that a regression shows without a fuzzer.
#include "sample_package.hpp"
#include "tests/fuzz/package_fuzz.hpp"
#include "tests/paths.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace sinter {
namespace {

const std::filesystem::path kCorpus = std::filesystem::path(test::repository("tests/fuzz/corpus/package"));

std::vector<std::byte> read(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> chars{std::istreambuf_iterator<char>(in), {}};
    const auto bytes = std::as_bytes(std::span(chars));
    return {bytes.begin(), bytes.end()};
}

void write(const std::string& name, const std::vector<std::byte>& bytes) {
    std::ofstream(kCorpus / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

TEST_CASE("every input of the fuzzing corpus passes") {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kCorpus)) {
        test::fuzz_package(read(entry.path()));
        ++count;
    }
    CHECK(count >= 5);
}

// Run by name when the format changes: its packages are the seeds that fuzzing starts from.
TEST_CASE("write the seeds of the fuzzing corpus", "[.write-corpus]") {
    std::filesystem::create_directories(kCorpus);
    test::SamplePackage sample;
    write("seed_raw", sample.bytes({.codec = Codec::Raw}));
    write("seed_zstd", sample.bytes({.codec = Codec::Zstd}));
    auto cut = sample.bytes();
    cut.resize(cut.size() / 2);
    write("seed_truncated", cut);
    sample.parts[{static_cast<SectionType>(0x7001), 1}] = {
        .stride = 4, .raw = std::vector<std::byte>(40), .required = false};
    write("seed_unknown_section", sample.bytes({.codec = Codec::Zstd}));
    test::SamplePackage empty;
    empty.parts.clear();
    empty.manifest = {};
    write("seed_empty", empty.bytes());
}

}  // namespace sinter
