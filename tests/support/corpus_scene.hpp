// Corpus files as checked scenes, and the facts that index.json has about them. The corpus lies outside the
// repository: without it a test says so and is skipped.
#pragma once

#include "cooker/import/import.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace sinter::test {

inline void skip_without_corpus() {
    if (!std::filesystem::exists(std::filesystem::path(SINTER_CORPUS_DIR) / "index.json")) {
        SKIP("the corpus is not at " SINTER_CORPUS_DIR);
    }
}

inline Result<Scene> import_corpus(const std::string& file, Issues& issues) {
    SourceFiles files(std::filesystem::path(SINTER_CORPUS_DIR) / file);
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
    std::ifstream stream(std::filesystem::path(SINTER_CORPUS_DIR) / "index.json");
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
