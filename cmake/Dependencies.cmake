# SPDX-License-Identifier: Apache-2.0
# The libraries that Tesela is built with, each in the oldest version that is tested: Debian 12's.

set(tesela_static_dependencies "")

# A target that the parent project has serves instead. LINKED: programs that link the static library need it, too.
macro(tesela_find target package version)
  if(NOT TARGET ${target})
    find_package(${package} ${version} REQUIRED)
  endif()
  if("${ARGN}" STREQUAL "LINKED")
    string(APPEND tesela_static_dependencies "find_dependency(${package} ${version})\n")
  endif()
endmacro()

tesela_find(TBB::tbb TBB 2021.8 LINKED)
tesela_find(fmt::fmt fmt 9.1 LINKED)
tesela_find(pugixml::pugixml pugixml 1.13 LINKED)
tesela_find(PNG::PNG PNG 1.6.39 LINKED)
tesela_find(JPEG::JPEG JPEG 62 LINKED)  # the interface of libjpeg 6b, which libjpeg-turbo has
tesela_find(ZLIB::ZLIB ZLIB 1.2.13 LINKED)
if(TESELA_BUILD_CLI)
  tesela_find(CLI11::CLI11 CLI11 2.1.2)
endif()
if(TESELA_BUILD_CLI OR TESELA_BUILD_TESTS)
  tesela_find(nlohmann_json::nlohmann_json nlohmann_json 3.11.2)
endif()
if(TESELA_BUILD_TESTS)
  tesela_find(GTest::gtest GTest 1.12)
endif()

# Highway's headers; src/backend/cpu/simd/detect_targets.cc is its library. pkg-config knows them on every system.
find_package(PkgConfig REQUIRED)
pkg_check_modules(TESELA_HWY REQUIRED IMPORTED_TARGET libhwy>=1.0.3)

# protozero is headers only, and distributions package no CMake file with it.
set(tesela_protozero_least 1.7.1)
find_path(TESELA_PROTOZERO_INCLUDE protozero/version.hpp DOC "The folder of protozero/version.hpp")
if(NOT TESELA_PROTOZERO_INCLUDE)
  message(FATAL_ERROR "protozero was not found: install it (Debian: libprotozero-dev), or pass "
    "-DTESELA_PROTOZERO_INCLUDE=FOLDER, the folder of protozero/version.hpp")
endif()
file(STRINGS "${TESELA_PROTOZERO_INCLUDE}/protozero/version.hpp" tesela_protozero_line
  REGEX "define PROTOZERO_VERSION_STRING")
string(REGEX MATCH "[0-9]+[.][0-9.]+" tesela_protozero_version "${tesela_protozero_line}")
if(tesela_protozero_version VERSION_LESS tesela_protozero_least)
  message(FATAL_ERROR "protozero in '${TESELA_PROTOZERO_INCLUDE}' has version '${tesela_protozero_version}'; "
    "expected ${tesela_protozero_least} or newer")
endif()
