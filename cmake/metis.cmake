# METIS 5.1.0 as a static library, `sinter_metis`, built only when something links it. Its generator of random numbers
# is replaced by one state per thread, and it sets no signal handlers (metis_random.c says why). GKlib's regex and getopt
# are left out: the C library has both, and the partitioner uses neither.
sinter_find_source(metis 5.1.0 include/metis.h
    URL https://karypis.github.io/glaros/files/sw/metis/metis-5.1.0.tar.gz
    URL_HASH SHA256=76faebe03f6c963127dbb73c13eab58c9a3faeae48779f049066a21c087c5db2)
file(GLOB sinter_metis_files ${metis_SOURCE_DIR}/GKlib/*.c ${metis_SOURCE_DIR}/libmetis/*.c)
list(FILTER sinter_metis_files EXCLUDE REGEX "/(gkregex|getopt)\\.c$")
add_library(sinter_metis STATIC EXCLUDE_FROM_ALL ${sinter_metis_files} ${CMAKE_CURRENT_LIST_DIR}/metis_random.c)
target_include_directories(sinter_metis SYSTEM PUBLIC ${metis_SOURCE_DIR}/include
    PRIVATE ${metis_SOURCE_DIR}/GKlib ${metis_SOURCE_DIR}/libmetis)
target_compile_definitions(sinter_metis PRIVATE
    LINUX NDEBUG NDEBUG2 _FILE_OFFSET_BITS=64 HAVE_GETLINE HAVE_EXECINFO_H
    rand=sinter_metis_rand srand=sinter_metis_srand signal=sinter_metis_signal)
# Old C: quiet, GNU dialect for its extensions, and no assumption about aliasing, as upstream builds it.
set_target_properties(sinter_metis PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
target_compile_options(sinter_metis PRIVATE -w -fno-strict-aliasing)
target_link_libraries(sinter_metis PRIVATE m)
