#include "tests/paths.hpp"

namespace sinter::test {

std::string repository(std::string_view path) { return SINTER_SOURCE_DIR "/" + std::string(path); }

std::filesystem::path corpus_folder() { return SINTER_CORPUS_DIR; }

}  // namespace sinter::test
