#include <sinter/formats/libraries.hpp>

#include "text.hpp"

#include <flatbuffers/base.h>
#include <openssl/crypto.h>
#include <xxhash.h>
#include <zstd.h>

namespace sinter {

std::vector<LibraryVersion> format_libraries() {
    const unsigned xxhash = XXH_versionNumber();
    return {
        {.name = "flatbuffers",
         .version = cat(FLATBUFFERS_VERSION_MAJOR, '.', FLATBUFFERS_VERSION_MINOR, '.',
                        FLATBUFFERS_VERSION_REVISION)},
        {.name = "openssl", .version = OpenSSL_version(OPENSSL_VERSION_STRING)},
        {.name = "xxhash", .version = cat(xxhash / 10000, '.', xxhash / 100 % 100, '.', xxhash % 100)},
        {.name = "zstd", .version = ZSTD_versionString()},
    };
}

}  // namespace sinter
