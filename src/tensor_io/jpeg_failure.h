// SPDX-License-Identifier: Apache-2.0
// Errors of libjpeg: long jumps, which frames that own nothing may be crossed by.
#pragma once

#include <cstdio>  // needed by jpeglib.h

#include <jpeglib.h>

#include <csetjmp>

#include "types/status.h"

namespace tesela {

enum class JpegFault { kBroken, kTruncated, kUnsupported, kScans, kMemoryLimit, kNoMemory };

/// libjpeg's error manager, with our fields.
struct JpegFailure {
  jpeg_error_mgr base;  // first: libjpeg has a pointer to it
  std::jmp_buf jump;
  JpegFault fault = JpegFault::kBroken;
  char message[JMSG_LENGTH_MAX] = {};

  Status status() const {
    switch (fault) {
      case JpegFault::kTruncated: return truncated_error("the JPEG file ends early");
      case JpegFault::kUnsupported: return unsupported_error("JPEG: {}", std::string_view(message));
      case JpegFault::kScans: return limit_error("the JPEG file has too many scans");
      case JpegFault::kMemoryLimit: return limit_error("the JPEG file needs more memory than the limit allows");
      case JpegFault::kNoMemory: return no_memory_error("no memory for a JPEG file");
      case JpegFault::kBroken: break;
    }
    return parse_error("JPEG: {}", std::string_view(message));
  }
};

/// Jumps, with libjpeg's message.
[[noreturn]] void jump_on_error(j_common_ptr codec);
/// The same with an error of libjpeg's table.
[[noreturn]] void jump_on_error(j_common_ptr codec, int code);

/// Makes it the error manager that jumps.
void set_failure(JpegFailure& failure);

}  // namespace tesela
