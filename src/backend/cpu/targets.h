// Which instruction sets the Highway files are compiled for. Included before any header of Highway. A file that defines
// TESELA_WITHOUT_AVX3_DL has nothing to gain from the Ice Lake extensions, and does on such machines what it does on others.
#pragma once

#define HWY_WANT_AVX3_DL  1  // the Ice Lake extensions of AVX-512
#define HWY_BROKEN_EMU128 1  // the baseline is one lane everywhere, not four emulated ones with some compilers
#ifdef TESELA_WITHOUT_AVX3_DL
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS HWY_SSSE3  // SSE4 is as old and does more
#endif
