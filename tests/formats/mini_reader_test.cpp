// docs/package-format.md is good enough to write a reader from: mini_reader.py is one, in another language.
#include "sample_package.hpp"
#include "tests/paths.hpp"

#include <sinter/formats/hash.hpp>
#include <sinter/formats/reader.hpp>

#include <catch2/catch_test_macros.hpp>

#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace sinter {
namespace {

struct CommandResult {
    int status = -1;
    std::string output;
};

CommandResult run(const std::string& command) {
    CommandResult result;
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return result;
    std::array<char, 4096> buffer{};
    while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
        result.output.append(buffer.data(), size);
    result.status = pclose(pipe);
    return result;
}

}  // namespace

TEST_CASE("a reader written from the documentation alone reads a package and finds its content root") {
    if (run("python3 --version 2>&1").status != 0) SKIP("python3 is not installed");
    const auto bytes = test::SamplePackage().bytes();
    const auto file = std::filesystem::temp_directory_path() /
                      ("sinter_mini_reader_" + std::to_string(getpid()) + ".sinter");
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    const CommandResult result = run("python3 '" + test::repository("tests/formats/mini_reader.py") + "' '" +
                                     file.string() + "' 2>&1");
    std::filesystem::remove(file);
    const auto view = PackageView::open(bytes);
    REQUIRE(view.ok());
    CHECK(result.status == 0);
    CHECK(result.output ==
          "{\"content_root\": \"" + to_hex(view->content_root()) +
              "\", \"meshes\": ["
              "{\"name\": \"Head\", \"triangles\": 2, \"vertices\": 4, \"box\": [[-0.5, "
              "-0.5, 0.0], [0.5, 0.5, 0.0]], "
              "\"shapes\": [\"Smile\", \"Blink\"]}, "
              "{\"name\": \"Prop\", \"triangles\": 1, \"vertices\": 3, \"box\": [[0.0, 0.0, "
              "0.0], [50000.0, 50000.0, 0.0]], "
              "\"shapes\": []}, "
              "{\"name\": \"Field\", \"triangles\": 8, \"vertices\": 10, \"box\": [[0.0, 0.0, "
              "0.0], [4.0, 1.0, 0.25]], "
              "\"shapes\": []}], \"bones\": [3], \"clips\": [[\"Nod\", 5, 0.125]]}\n");
}

}  // namespace sinter
