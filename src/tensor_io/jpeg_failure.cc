// SPDX-License-Identifier: Apache-2.0
// Errors of libjpeg as ours.
#include "tensor_io/jpeg_failure.h"

#include <jerror.h>

namespace tesela {
namespace {

JpegFault fault_of(int code) {
  switch (code) {
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER: return JpegFault::kTruncated;
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_IMAGE_TOO_BIG:
    case JERR_FRACT_SAMPLE_NOTIMPL: return JpegFault::kUnsupported;
    case JERR_NO_BACKING_STORE: return JpegFault::kMemoryLimit;
    case JERR_OUT_OF_MEMORY: return JpegFault::kNoMemory;
    default: return JpegFault::kBroken;
  }
}

// libjpeg continues after damage with invented pixels. We report an error.
void on_message(j_common_ptr codec, int level) {
  const int code = codec->err->msg_code;
  const bool harmless = code == JWRN_EXTRANEOUS_DATA || code == JWRN_ADOBE_XFORM;
  if (level < 0 && !harmless) jump_on_error(codec);
}

}  // namespace

void jump_on_error(j_common_ptr codec) {
  auto* failure = reinterpret_cast<JpegFailure*>(codec->err);
  failure->base.format_message(codec, failure->message);
  failure->fault = fault_of(failure->base.msg_code);
  std::longjmp(failure->jump, 1);
}

void jump_on_error(j_common_ptr codec, int code) {
  codec->err->msg_code = code;
  jump_on_error(codec);
}

void set_failure(JpegFailure& failure) {
  jpeg_std_error(&failure.base);
  failure.base.error_exit = jump_on_error;
  failure.base.emit_message = on_message;
}

}  // namespace tesela
