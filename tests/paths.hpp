// Where the tests find files. The folders are compiled into one file (paths.cpp), so that the objects of all others
// are the same for every clone of the repository, and ccache knows them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sinter::test {

// "fixtures/tiny.glb" below the repository's folder, as an absolute path.
[[nodiscard]] std::string repository(std::string_view path);

// The folder of the corpus of real assets, which is no part of the repository and may not exist.
[[nodiscard]] std::filesystem::path corpus_folder();

}  // namespace sinter::test
