# `cmake --install` gives the program, sinter::formats with its headers, the schemas and the documents. An engine then
# says find_package(sinter) and links sinter::formats; tests/install is such a project.
include(CMakePackageConfigHelpers)
set(sinter_config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/sinter)

# meshoptimizer comes along as a static library of its own: a system's copy may be another version.
set_target_properties(sinter_formats PROPERTIES EXPORT_NAME formats)
set_target_properties(sinter_meshoptimizer PROPERTIES EXPORT_NAME meshoptimizer)
target_compile_features(sinter_formats PUBLIC cxx_std_20)
install(TARGETS sinter_formats sinter_meshoptimizer EXPORT sinterTargets ARCHIVE)
install(EXPORT sinterTargets NAMESPACE sinter:: DESTINATION ${sinter_config_folder})

install(DIRECTORY formats/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
get_directory_property(sinter_manifest_header DIRECTORY formats DEFINITION sinter_manifest_header)
install(FILES ${sinter_manifest_header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sinter/formats)

configure_package_config_file(cmake/sinterConfig.cmake.in ${PROJECT_BINARY_DIR}/sinterConfig.cmake
    INSTALL_DESTINATION ${sinter_config_folder} NO_SET_AND_CHECK_MACRO)
# 0.x may change anything: a project asks for the version that it was written for.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinterConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinterConfig.cmake ${PROJECT_BINARY_DIR}/sinterConfigVersion.cmake
    DESTINATION ${sinter_config_folder})

install(DIRECTORY schemas/ DESTINATION ${CMAKE_INSTALL_DATADIR}/sinter/schemas
    FILES_MATCHING PATTERN "*.json" PATTERN "*.fbs")
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
