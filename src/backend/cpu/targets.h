// Selects the instruction sets that Highway files are compiled for. Include before any Highway header. A file that
// defines TESELA_WITHOUT_AVX3_DL gains nothing from the Ice Lake extensions and is compiled without them.
#pragma once

#define HWY_WANT_AVX3_DL  1  // the Ice Lake extensions of AVX-512
#define HWY_BROKEN_EMU128 1  // the baseline has one lane with every compiler, not four emulated ones
#ifdef TESELA_WITHOUT_AVX3_DL
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS HWY_SSSE3  // SSE4 is as widely available and can do more
#endif
