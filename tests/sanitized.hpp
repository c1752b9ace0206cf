// Whether the tests run under a sanitizer.
#pragma once

namespace sinter::test {

#ifdef SINTER_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace sinter::test
