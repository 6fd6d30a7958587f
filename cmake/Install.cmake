# SPDX-License-Identifier: Apache-2.0
# What an installed copy holds: libraries, headers, program, its manual and completions, plugins, CMake package, pkg-config
# file, licence. The CMake package has a set of targets for each component, so that a program needs only what its components
# need.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tesela)

# tesela_install(COMPONENT TARGET...): targets that find_package finds as this component.
function(tesela_install component)
  install(TARGETS ${ARGN} EXPORT tesela-${component}-targets
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT tesela-${component}-targets NAMESPACE tesela:: DESTINATION ${package_folder})
endfunction()

set(tesela_pc_private "")
if(TESELA_BUILD_SHARED)
  tesela_install(shared tesela)
endif()
if(TESELA_BUILD_STATIC)
  tesela_install(static tesela_static)
  # With `pkg-config --static` these are linked, too.
  set(tesela_pc_private "Requires.private: fmt >= 9.1, pugixml >= 1.13, tbb >= 2021.8, libpng >= 1.6.39, libjpeg, zlib
Libs.private: -lstdc++
Cflags.private: -DTESELA_STATIC")
endif()
tesela_install(cpp tesela_cpp)
if(TARGET tesela_onnxruntime)
  tesela_install(onnxruntime tesela_onnxruntime)
endif()
if(TARGET tesela_openvino)
  tesela_install(openvino tesela_openvino)
endif()
if(TARGET tesela_cli)
  install(TARGETS tesela_cli)
  if(NOT CMAKE_CROSSCOMPILING)
    include(cmake/Documents.cmake)
  endif()
endif()
install(FILES include/tesela/tesela.h include/tesela/tesela.hpp include/tesela/images.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tesela)
if(TARGET tesela_openvino)
  install(FILES include/tesela/openvino.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tesela)
endif()
install(FILES LICENSE NOTICE THIRD-PARTY-LICENSES.md TYPE DOC)

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
