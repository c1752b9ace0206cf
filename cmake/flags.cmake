# Compile flags. Everything that we compile, third-party sources included, is compiled without contraction of
# a * b + c, without fast-math and without -march, so that every machine computes the same bytes.
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()
add_compile_options(-ffp-contract=off)

# Sanitizers go through everything that we compile. Code that limits address space or times itself can ask
# for SINTER_SANITIZED.
set(SINTER_SANITIZE "" CACHE STRING "Value of -fsanitize=, for example address,undefined")
if(SINTER_SANITIZE)
    add_compile_options(-fsanitize=${SINTER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
    add_link_options(-fsanitize=${SINTER_SANITIZE})
    add_compile_definitions(_GLIBCXX_ASSERTIONS SINTER_SANITIZED=1)
endif()

# Flags of our own targets only.
add_library(sinter_flags INTERFACE)
target_compile_features(sinter_flags INTERFACE cxx_std_20)
target_compile_options(sinter_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
    -Wdouble-promotion -Wnon-virtual-dtor -Wold-style-cast)
# g++ 12 reports an impossible overlap in "literal" + std::string (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(sinter_flags INTERFACE -Wno-restrict)
endif()
# Warnings are errors with the compilers that Debian 12 and 13 have; another one may warn of things unseen here.
set(sinter_tested_compiler OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^(12|14)\\."
   OR CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^19\\.")
    set(sinter_tested_compiler ON)
endif()
option(SINTER_WERROR "Warnings are errors" ${sinter_tested_compiler})
if(SINTER_WERROR)
    target_compile_options(sinter_flags INTERFACE -Werror)
endif()

find_program(SINTER_CCACHE ccache)
if(SINTER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER ${SINTER_CCACHE})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${SINTER_CCACHE})
endif()
