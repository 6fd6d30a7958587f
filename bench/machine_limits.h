// What machine_limits.cc measures; nanoseconds throughout.
#pragma once

#include <cstddef>

extern "C" {

/// Nanoseconds of reading `read` bytes and writing `written` ones, each once: the best of some rounds.
/// target: 64-byte aligned. value: of each byte; some machines write zeros faster. store: 0 through the
/// caches, 1 past them, 2 by memset.
double tesela_limits_move(const void* source, size_t read, void* target, size_t written, int value, int store,
                          int threads, int rounds);

/// Products with their sums in a nanosecond. kind: 0 float, 1 double, 2 int16.
double tesela_limits_multiply(int kind, int threads);

}  // extern "C"
