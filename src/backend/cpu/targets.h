// SPDX-License-Identifier: Apache-2.0
// Selects the instruction sets that Highway files are compiled for. Include before any Highway header. A file that
// defines TESELA_WITHOUT_AVX3_DL gains nothing from the Ice Lake extensions and is compiled without them; but without
// optimization it has them, because Highway's dispatch then is an inline function whose text depends on the instruction
// sets of a file, and the linker takes one of them for all files.
#pragma once

#define HWY_WANT_AVX3_DL  1  // the Ice Lake extensions of AVX-512
#define HWY_BROKEN_EMU128 1  // the baseline has one lane with every compiler, not four emulated ones
// SSE4 is as widely available as SSSE3 and SSE2 and can do more. Vectors of SVE have no size that arrays of them could
// have. What newer releases of Highway add to AVX3_DL and NEON is of no use to these kernels.
#define TESELA_UNUSED_TARGETS                                                                             \
  (HWY_SSE2 | HWY_SSSE3 | HWY_AVX3_ZEN4 | HWY_AVX3_SPR | HWY_AVX10_2 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | \
   HWY_SVE2_128 | HWY_NEON_BF16)
#if defined(TESELA_WITHOUT_AVX3_DL) && defined(__OPTIMIZE__)
#define HWY_DISABLED_TARGETS (TESELA_UNUSED_TARGETS | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS TESELA_UNUSED_TARGETS
#endif

// Targets that older releases of Highway do not have.
#include "hwy/detect_targets.h"

#ifndef HWY_SSE2
#define HWY_SSE2 0
#endif
#ifndef HWY_AVX3_ZEN4
#define HWY_AVX3_ZEN4 0
#endif
#ifndef HWY_AVX3_SPR
#define HWY_AVX3_SPR 0
#endif
#ifndef HWY_AVX10_2
#define HWY_AVX10_2 0
#endif
#ifndef HWY_NEON_BF16
#define HWY_NEON_BF16 0
#endif
