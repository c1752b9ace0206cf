// Text in a package is UTF-8.
#pragma once

#include <string_view>

namespace sinter {

// True for well-formed UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text);

}  // namespace sinter
