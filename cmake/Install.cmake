# What an installed copy holds: library, headers, program, CMake package, pkg-config file, licence.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tesela)

install(TARGETS tesela EXPORT tesela-targets)
install(DIRECTORY include/tesela TYPE INCLUDE FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES LICENSE TYPE DOC)
if(TARGET tesela_cli)
  install(TARGETS tesela_cli)
endif()

install(EXPORT tesela-targets NAMESPACE tesela:: DESTINATION ${package_folder})
configure_package_config_file(cmake/tesela-config.cmake.in tesela-config.cmake INSTALL_DESTINATION ${package_folder})
# Before 1.0 a minor version may break the interface.
write_basic_package_version_file(tesela-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tesela-config.cmake ${PROJECT_BINARY_DIR}/tesela-config-version.cmake
  DESTINATION ${package_folder})

# The prefix is found from where the file lies, so that an installed copy can be moved.
cmake_path(SET pc_folder NORMALIZE ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_prefix ${pc_folder} ${CMAKE_INSTALL_PREFIX})
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY "\${prefix}" OUTPUT_VARIABLE pc_libdir)
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY "\${prefix}" OUTPUT_VARIABLE pc_includedir)
configure_file(cmake/tesela.pc.in tesela.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tesela.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
