// SPDX-License-Identifier: Apache-2.0
// The versions of the libraries that this one uses.
#include "doctor/versions.h"

#include "backend/cpu/targets.h"

// jpeglib.h needs declarations that it does not include.
#include <cstddef>
#include <cstdio>

#include <fmt/core.h>
#include <hwy/highway.h>
#include <jpeglib.h>
#include <png.h>
#include <zlib.h>
#include <protozero/version.hpp>
#include <pugixml.hpp>

#if !defined(TESELA_PLAIN_THREADS)
#include <tbb/version.h>
#endif

#define TESELA_TEXT_OF_MACRO(x) #x
#define TESELA_TEXT_OF(x)       TESELA_TEXT_OF_MACRO(x)

namespace tesela {
namespace {

// A version as one number, with `step` values for each part: 90100 and 100 give "9.1.0".
std::string dotted(unsigned number, unsigned step) {
  return fmt::format("{}.{}.{}", number / step / step, number / step % step, number % step);
}

}  // namespace

Json library_versions() {
  Json versions = {
    {"fmt", dotted(FMT_VERSION, 100)},
    {"Highway", fmt::format("{}.{}.{}", HWY_MAJOR, HWY_MINOR, HWY_PATCH)},
    {"protozero", PROTOZERO_VERSION_STRING},
    {"pugixml", dotted(PUGIXML_VERSION >= 1000 ? PUGIXML_VERSION * 10 : PUGIXML_VERSION * 100, 100)},
    {"libpng", dotted(png_access_version_number(), 100)},
#if defined(LIBJPEG_TURBO_VERSION)
    {"libjpeg-turbo", TESELA_TEXT_OF(LIBJPEG_TURBO_VERSION)},
#else
    {"libjpeg", TESELA_TEXT_OF(JPEG_LIB_VERSION)},
#endif
    {"zlib", zlibVersion()},
  };
#if !defined(TESELA_PLAIN_THREADS)
  versions["oneTBB"] = TBB_runtime_version();
#endif
  return versions;
}

}  // namespace tesela
