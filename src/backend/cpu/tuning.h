// Constants of the CPU backend that decide how fast it is, never what it computes.
#pragma once

#include <cstdint>

namespace tesela::cpu {

// ---- Layout and tables of a resize ----------------------------------------------------------------------------------

/// Numbers; an inner extent below it is channels of a horizontal pass.
inline constexpr int64_t kFewestRowNumbers = 16;
/// Outputs; tables of longer axes are made for each box.
inline constexpr int64_t kLongestKeptAxis = int64_t{1} << 14;
/// Taps of a whole axis.
inline constexpr int64_t kLargestKeptTable = int64_t{1} << 18;

// ---- Vertical passes ------------------------------------------------------------------------------------------------

/// Bytes of input from which on rows are prefetched: beyond the L2 cache.
inline constexpr int64_t kPrefetchedInput = int64_t{1} << 20;
/// Rows that are prefetched for the next outputs.
inline constexpr int64_t kMostPrefetchedRows = 32;
/// Bytes that a row is prefetched ahead of its sum.
inline constexpr int64_t kPrefetchDistance = 2048;
/// Numbers of a row; shorter ones are summed output by output.
inline constexpr int64_t kFewestOverlappingNumbers = 64;
/// Outputs that take the same row, up to which overlapping windows from memory are summed row by row.
inline constexpr int64_t kMostActiveByRow = 2;

// ---- The horizontal pass --------------------------------------------------------------------------------------------

/// Bytes of rows that it keeps for a vertical pass: in the L1 cache, or near it where blocks have much to share.
inline constexpr int64_t kRingOfRuns = int64_t{32} << 10;
inline constexpr int64_t kRing = int64_t{64} << 10;
/// Wider windows are cheaper as sums over transposed rows than as lookups.
inline constexpr int32_t kMostShiftedTaps = 16;
/// Blocks that differ by their base alone, from which on they are made in a loop of their own.
inline constexpr int64_t kFewestAlike = 4;
/// Runs of a group from which on a lookup is faster than copies.
inline constexpr size_t kFewestLookedUp = 6;

}  // namespace tesela::cpu
