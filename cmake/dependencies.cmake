# Every third-party library. Packages are found as the system has them; the two that we compile ourselves, so that
# every machine computes the same bytes, come from (1) FETCHCONTENT_SOURCE_DIR_<NAME>, (2) .sinter/deps, filled by
# scripts/setup.sh, (3) upstream at a pinned hash by CMake FetchContent.
include(FetchContent)
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto)
find_package(FlatBuffers NAMES FlatBuffers flatbuffers CONFIG REQUIRED)

# sinter_find_source(NAME VERSION WITNESS how to fetch...): sets <NAME>_SOURCE_DIR to a folder that has WITNESS.
# SOURCE_SUBDIR names a folder without CMakeLists.txt: we want the files, not upstream's build.
function(sinter_find_source name version witness)
    string(TOUPPER ${name} upper)
    set(folder "${FETCHCONTENT_SOURCE_DIR_${upper}}")
    if(NOT folder AND EXISTS ${PROJECT_SOURCE_DIR}/.sinter/deps/${name}-${version}/${witness})
        set(folder ${PROJECT_SOURCE_DIR}/.sinter/deps/${name}-${version})
    endif()
    if(NOT folder)
        FetchContent_Declare(${name} SOURCE_SUBDIR no-cmake-build ${ARGN})
        FetchContent_MakeAvailable(${name})
        set(folder ${${name}_SOURCE_DIR})
    endif()
    if(NOT EXISTS ${folder}/${witness})
        message(FATAL_ERROR "${folder} is no source folder of ${name} ${version}: it has no ${witness}")
    endif()
    set(${name}_SOURCE_DIR ${folder} PARENT_SCOPE)
endfunction()

sinter_find_source(meshoptimizer 0.22 src/meshoptimizer.h
    GIT_REPOSITORY https://github.com/zeux/meshoptimizer.git
    GIT_TAG 4affad044571506a5724c9a6f15424f43e86f731) # v0.22
file(GLOB sinter_meshoptimizer_files ${meshoptimizer_SOURCE_DIR}/src/*.cpp)
add_library(sinter_meshoptimizer STATIC ${sinter_meshoptimizer_files})
target_compile_features(sinter_meshoptimizer PRIVATE cxx_std_17)
target_include_directories(sinter_meshoptimizer SYSTEM INTERFACE $<BUILD_INTERFACE:${meshoptimizer_SOURCE_DIR}/src>)

if(SINTER_BUILD_COOKER)
    find_package(fmt REQUIRED)
    find_package(CLI11 REQUIRED)
    find_package(nlohmann_json REQUIRED)
    find_package(assimp REQUIRED)
    find_path(DRACO_INCLUDE_DIR draco/compression/decode.h REQUIRED)
    find_library(DRACO_LIBRARY draco REQUIRED)
    add_library(sinter_draco INTERFACE)
    target_include_directories(sinter_draco SYSTEM INTERFACE ${DRACO_INCLUDE_DIR})
    target_link_libraries(sinter_draco INTERFACE ${DRACO_LIBRARY})
    include(${CMAKE_CURRENT_LIST_DIR}/metis.cmake)
endif()
if(SINTER_BUILD_TESTS)
    find_package(Catch2 3.4 CONFIG QUIET)
    if(NOT Catch2_FOUND)
        FetchContent_Declare(Catch2 SYSTEM
            GIT_REPOSITORY https://github.com/catchorg/Catch2.git
            GIT_TAG fa43b77429ba76c462b1898d6cd2f2d7a9416b14) # v3.7.1
        FetchContent_MakeAvailable(Catch2)
        list(APPEND CMAKE_MODULE_PATH ${catch2_SOURCE_DIR}/extras)
    endif()
endif()
if(SINTER_BUILD_BENCH)
    find_package(benchmark REQUIRED)
endif()
