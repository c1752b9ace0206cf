// Corpus files as checked scenes, and the facts that index.json has about them. The corpus lies outside the
// repository: without it a test says so and is skipped.
#pragma once

#include "cooker/import/import.hpp"
#include "tests/paths.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace sinter::test {

inline void skip_without_corpus() {
    if (!std::filesystem::exists(corpus_folder() / "index.json")) {
        SKIP("the corpus is not at " << corpus_folder());
    }
}

inline Result<Scene> import_corpus(const std::string& file, Issues& issues) {
    SourceFiles files(corpus_folder() / file);
    return import_scene(files, {}, issues);
}

inline Scene corpus_scene(const std::string& file, Issues& issues) {
    Result<Scene> scene = import_corpus(file, issues);
    INFO(file << (scene.ok() ? std::string() : ": " + scene.error().line()));
    REQUIRE(scene.ok());
    return std::move(scene).value();
}

// The record of every file of the corpus.
inline nlohmann::json corpus_index() {
    std::ifstream stream(corpus_folder() / "index.json");
    return nlohmann::json::parse(stream).at("files");
}

inline nlohmann::json corpus_facts(const std::string& file) {
    for (const auto& record : corpus_index()) {
        if (record.at("file") == file) return record.at("expected");
    }
    FAIL("not in index.json: " << file);
    return {};
}

}  // namespace sinter::test
