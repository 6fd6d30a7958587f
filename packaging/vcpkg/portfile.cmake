# SPDX-License-Identifier: Apache-2.0
vcpkg_download_distfile(archive
  URLS "https://tesela.example/releases/tesela-${VERSION}.tar.gz"
  FILENAME "tesela-${VERSION}.tar.gz"
  SHA512 0 # of the release
)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${archive}")

string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "dynamic" build_shared)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "static" build_static)
vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES tools TESELA_BUILD_CLI)
vcpkg_find_acquire_program(PKGCONFIG)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${options} "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}"
    -DTESELA_BUILD_SHARED=${build_shared} -DTESELA_BUILD_STATIC=${build_static}
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/tesela)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES tesela AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/NOTICE")
