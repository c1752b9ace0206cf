# Reading headers is most of the work of compiling our files. With SINTER_UNITY up to six neighbours of a folder are
# compiled as one unit: half the time from nothing, and more to compile again after a change. Presets: on where we build
# to use and in CI, off where we build to develop (dev, tidy, tsan, fuzz), so that each file still includes what it needs.
option(SINTER_UNITY "Compile several files of a folder as one unit" OFF)

# sinter_unity(TARGET): call it when the target has all its sources. Files of different folders stay apart: they are
# free to have helpers of one name.
function(sinter_unity target)
    if(NOT SINTER_UNITY)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source)
        cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE id)
        string(REGEX REPLACE "/[^/]*$" "" id ${id})
        string(MAKE_C_IDENTIFIER ${id} id)
        math(EXPR ${id}_count "0${${id}_count} + 1")
        math(EXPR batch "(${${id}_count} - 1) / 6")
        set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${id}_${batch})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
