// SPDX-License-Identifier: Apache-2.0
// The measurements of machine_limits.cc; all times are in nanoseconds.
#pragma once

#include <cstddef>

extern "C" {

/// Nanoseconds to read `read` bytes and write `written` ones, each once: the best of `rounds`. target: 64-byte aligned.
/// value: of each byte; some machines write zeros faster. store: 0 through the caches, 1 bypassing them, 2 with memset.
double tesela_limits_move(const void* source, size_t read, void* target, size_t written, int value, int store,
                          int threads, int rounds);

/// Products with their additions per nanosecond. kind: 0 float, 1 double, 2 int16.
double tesela_limits_multiply(int kind, int threads);

/// Elements per nanosecond that are converted to numbers of a kind, or that sums of this kind are rounded to; both are in the L1
/// cache. type: 0 uint8, 1 int16, 2 float16, 3 bfloat16, 4 int32. Returns infinity for types whose numbers of this kind are they
/// themselves, and for those whose conversion is not measured.
double tesela_limits_convert(int type, int kind, int to_elements, int threads);

/// Instructions per nanosecond of each thread, in a loop of additions that takes some ten microseconds. Another thread on the same
/// core, perhaps another machine's, about halves it.
double tesela_limits_instructions(int threads);

}  // extern "C"
