// SPDX-License-Identifier: Apache-2.0
// Constants that affect only the CPU backend's speed, never its results. "Measured": the time with another value over
// the time with this one; float, one thread of an AMD EPYC with AVX-512, 1 MiB of L2 cache and 32 MiB of L3 cache.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tesela::cpu {

// ---- Caches ---------------------------------------------------------------------------------------------------------

/// Bytes of the last-level cache that a run can expect to have: a larger one belongs to a socket whose other cores use it.
inline constexpr int64_t kMaxOwnCache = int64_t{32} << 20;

// ---- Layout and tables of a resize ----------------------------------------------------------------------------------

/// Numbers; an inner extent below it is channels of a horizontal pass. Measured: 16 takes 2.4 for 1080x1920x16 to a
/// half, 3.7 for 600x600x16 to 224x224 with antialias, 2.3 for 64x32x32 to 128x64x32, 2.3 of uint8 for 300x300x48 to
/// 451x377x48, and 0.9 for 600x600x48 to 224x224 with antialias; 32 takes 2.3 for 64x32x32 and 1.3 for 200x300x48 to
/// 333x451x48.
inline constexpr int64_t kMinRowNumbers = 64;
/// Outputs; the horizontal pass of a longer axis has tables of strips of this many outputs, which stay in the L2 cache.
/// Tables of strips are kept from the first run that needs them, others are made with the program.
inline constexpr int64_t kStrip = int64_t{1} << 14;
/// Taps of an axis; larger tables are computed for each box. A tap takes 8 bytes, and 16 more while the table of a whole
/// axis is made: at most 16 MiB for strips, 12 for others. Strips have up to four taps for each output of the tensor or input
/// of the axis, as cubic has, at most 64 MiB, since rows and later runs share them.
inline constexpr int64_t kMaxStripTaps = int64_t{1} << 21;
inline constexpr int64_t kMaxSharedStripTaps = int64_t{1} << 23;
inline constexpr int64_t kMaxKeptTaps = int64_t{1} << 19;

// ---- Vertical passes ------------------------------------------------------------------------------------------------

/// Bytes; rows of larger inputs are prefetched, since they exceed the L2 cache. Measured: no prefetch takes 1.01 to
/// 1.03 for 1080x1920 to 224x224 and 540x960 doubled.
inline constexpr int64_t kPrefetchedInput = int64_t{1} << 20;
/// The most rows to prefetch for the next outputs.
inline constexpr int64_t kMaxPrefetchedRows = 32;
/// How many bytes ahead of its sum a row is prefetched. Measured for antialias of 1080x1920 to 224x224: 2048 takes 1.35, 4096
/// 1.2, 65536 1.06; 16384 takes 1.08 on two threads, whose caches hold the input.
inline constexpr int64_t kPrefetchDistance = int64_t{1} << 13;
/// Bytes of a row of outputs; longer ones are summed for two outputs at a time, although two more take one row more. Measured: four
/// take 0.89 for 1x256x128x128 of uint8, but 1.08 for rows of 960 floats.
inline constexpr int64_t kMostSteppingBytes = 2048;
/// Numbers of a row; shorter ones are summed output by output. Measured: 16 takes 1.16 and 1.10 for rows of 40 and 20
/// numbers, antialias, 300 to 100.
inline constexpr int64_t kMinOverlappingNumbers = 64;
/// Bytes of a row for each tap of a window; longer rows in runs are resampled in the loop that sums them. Measured on a Xeon for float,
/// linear and cubic, of outputs in the L2 cache and beyond: 0.7 and 0.74 to 0.87 for rows of 960 numbers and more, 0.94 and 0.83 for linear
/// of 192, 1.12 and 0.84 for cubic of 192, 1.26 and 0.9 for linear of 128.
inline constexpr int64_t kMinResampledBytes = 384;
inline constexpr int64_t kMinResampledBytesBeyondL2 = 192;
/// Numbers of a row of float16 outputs, the same. Measured: 1.04 to 1.15 for 256 and 320 numbers, 0.8 to 1.02 for 400, 0.75 to 0.95 for
/// more.
inline constexpr int64_t kMinResampledHalves = 400;
/// Channels from which, and growth up to which, sums of two by two pixels are faster than two passes, and sums of two pixels than
/// a conversion and a pass. Measured, 140x200 pixels: 0.66 to 0.87 for 12 to 60 channels, but 1.3 to 1.9 for 5 to 8, and 1.07 for
/// 32 channels of uint8 at 2.9 times the width.
inline constexpr int64_t kMinPairChannels = 12;
inline constexpr int64_t kMostPairGrowth = 2;
/// Channels up to which they are faster, of numbers and of elements that are converted, for each output again. Measured, 56x56 to
/// 41x80 pixels: 0.76 for 1024 channels of float and 1.16 for 3000, 0.79 for 128 of uint8 and 1.29 for 512.
inline constexpr int64_t kMostPairChannels = 1024;
inline constexpr int64_t kMostConvertedPairChannels = 256;
/// If at most this many outputs use the same row, overlapping windows from memory are summed row by row. Measured: 0
/// takes 1.28 for antialias of 1080x1920 to 224x224.
inline constexpr int64_t kMaxActiveByRow = 2;
/// Fewer rows are read from memory at the same time, which is faster. Measured: 0 takes 1.1 for antialias of 2160x3840 to a
/// half, 16 takes 1.1 for 1080x1920 to a third.
inline constexpr int64_t kMinRowsByRow = 12;

// ---- The horizontal pass --------------------------------------------------------------------------------------------

/// Bytes of rows to keep for a vertical pass: in the L1 cache, or somewhat larger if blocks share much.
/// Measured: 16 KiB of runs take 1.00 to 1.01 for doubled images, 256 KiB of others 1.22 for 512x512 to 700x700.
inline constexpr int64_t kRingOfRuns = int64_t{32} << 10;
inline constexpr int64_t kRing = int64_t{64} << 10;
/// Vectors of an output's channels are used if less than one lane in so many is unused.
inline constexpr int64_t kMaxPadding = 4;
/// Taps; wider windows are faster as sums of transposed rows than as lookups. Measured: 6 takes 1.73 for cubic
/// antialias of 2160x3840 to a half.
inline constexpr int32_t kMaxShiftedTaps = 16;
/// Taps; wider windows in four vectors of 32-bit numbers are transposed if there are rows enough, with vectors of 512 bits, the same
/// if four vectors contain the inputs of all taps, and of fewer bits. Measured on a Xeon: 6 takes 1.4 for linear antialias 500x1000 to
/// 500x300, of eight taps, and 1.1 to 1.4 for 1080x1920 to 300x540 and small planes; 10 takes 1.06 to 1.14 for 500x1000 to 500x240;
/// of held ones 8 takes 1.4 for cubic antialias to 500x400, of ten taps, and 1.08 to 1.18 to 500x340, of twelve. With AVX2 6 takes 1.15
/// for cubic to 500x300, 1 takes 1.19 for 64 of linear 30x30 to 12x10.
inline constexpr int32_t kMaxFourTaps = 8;
inline constexpr int32_t kMaxFourHeldTaps = 12;
inline constexpr int32_t kMaxFourTapsBelow512 = 2;
/// Bytes of the transposed columns, or of the sums, that are in use at a time: both stay in the L1 cache.
inline constexpr int64_t kTransposedChunk = int64_t{1} << 14;
/// At least this many blocks that differ only in their base get their own loop.
inline constexpr int64_t kMinAlike = 4;
/// For groups of at least this many runs a lookup is faster than copies.
inline constexpr size_t kMinLookedUp = 6;

// ---- Small planes ---------------------------------------------------------------------------------------------------

/// Numbers of a row; planes with longer rows are not joined: where rows grow, of the output's, otherwise of the input's.
/// Measured: joining 64 planes of 64x64 to 128x128 takes 1.05 (float16 1.4), one of 256 of 32x32 to 64x64 0.89; 64 planes
/// of 200x200 to a half 0.68; on a Xeon 64 planes of 50x50 to 80x80 0.87 (uint8 0.78, float16 0.94). Neither are planes whose rows are
/// longer than medium ones and shrink by more than kMaxJoinedShrink, which reads few columns: 32 planes of 40x200 to 20x30 take
/// 1.2 to 3.5, of 40x100 to 20x25 0.5 (uint8) to 1.3 (float).
inline constexpr int64_t kMaxJoinedGrownRow = 80;
inline constexpr int64_t kMaxJoinedRow = 256;
/// The same where fixed point begins along rows of bytes, which has kernels of its own; with windows of more than two inputs, rows that
/// shrink by kMaxJoinedShrink are not joined. Plans of one pass with two inputs have the limits above. Measured on a Xeon for
/// one plane and 32: joining takes 0.4 for 16x16 to a half, 0.55 for 30x30 to 20x20, 0.7 for 60x60 to 40x40, but 1.15 for 80x90 to 40x60
/// and 30x30 to 60x60, 2 for 40x200 to 20x30; of one pass 0.2 to 0.5 for 60 to 20 and 0.65 for 250 to 120, with antialias 1.6.
inline constexpr int64_t kMaxJoinedRowOfBytes = 64;
inline constexpr int64_t kMaxJoinedGrownRowOfBytes = 40;
/// Bytes of the numbers of the longer of a row of the input and of the output; of plans of one pass, rows up to this length are joined,
/// too, unless they shrink by more than the factor. Measured on a Xeon for 480 rows of uint8 and float16, linear and cubic: joining
/// takes 0.65 to 0.9 for 320 to 1000 numbers, 0.6 for 400 to 100, but 1.06 to 1.16 for 640 to 1100, 1.5 for 4000 to 2800, and 1.5
/// to 3 for 1000 to 200, of which few are read.
inline constexpr int64_t kMaxJoinedRowOfOnePass = 4096;
inline constexpr int64_t kMaxJoinedShrink = 4;
/// Bytes of a plane of numbers, and of its rows; of elements that are converted first, larger planes with longer rows are not joined for
/// several passes. Measured on a Xeon with 48 KiB of L1 cache for uint8 and float16, mean of linear, antialias and cubic: joining
/// takes 1.4 for 256x256, 1.15 for 160x160 and 150x100, 1.05 for 250x80, but 0.8 for 96x96, 0.9 for 300x60 and 0.85 for 20x200. Tall
/// planes with short rows may be so much larger, and volumes as large as others, whose pipelines have three stages: joining takes
/// 0.7 for 600x40 to 300x30, but 1.1 to 1.7 for 411x32 to 822x64, and for volumes 0.3 to 1.15, less for cubic.
inline constexpr int64_t kMaxJoinedConvertedPlane = int64_t{32} << 10;
inline constexpr int64_t kMaxJoinedConvertedRow = 256;
inline constexpr int64_t kMaxJoinedTallPlane = int64_t{128} << 10;
/// Numbers of a plane, and of its taps: tables of larger ones leave the L2 cache.
inline constexpr int64_t kMaxJoinedPlane = int64_t{1} << 16;
inline constexpr int64_t kMaxJoinedTaps = int64_t{1} << 18;
/// Of an axis of a crop only the part that outputs need is copied to joined planes, if this is so small a share, or if it makes runs
/// of so many numbers. Measured on a Xeon: copying the part takes 0.5 for 30 of 112 rows of 28, but 2 to 3 for 4 of 6 columns. Numbers
/// that the first pass finds in place are copied of smaller shares only: in place 0.73 for 38 of 112 rows of 28.
inline constexpr int64_t kMinCropped = 4;
inline constexpr int64_t kMinCroppedRun = 64;
/// Rows of at most so many numbers are joined in larger planes, too, also if these are few volumes, which occupy fewer threads.
/// Measured on a Xeon: joining takes 0.2 to 0.35 for volumes of 80x80x17 to 120x60x20, 0.5 for 8000x20 to 4000x15 of float; for
/// 64x64x24 to 128x128x48 1.5, of uint8 and float16 2.5.
inline constexpr int64_t kShortJoinedRow = 32;
inline constexpr int64_t kMaxJoinedShortRows = int64_t{1} << 18;
/// Fewer planes are joined only up to these sizes, unless their rows are short: with rows of at most so many numbers, and with longer
/// ones. Measured on a Xeon for one plane and three: joining takes 0.5 for 48x48 to a half, 0.6 for 60x20 to 80x40, 0.7 for
/// 600x40 to 300x30, 0.8 for 64x64 to 80x80, but 1.1 for 100x100 to a half and 1.3 for 200x200 to a half and 60x200 to 90x150.
inline constexpr int64_t kMinJoinedPlanes = 4;
inline constexpr int64_t kMediumJoinedRow = 64;
inline constexpr int64_t kMaxFewJoinedMediumRows = int64_t{1} << 15;
inline constexpr int64_t kMaxFewJoinedPlane = int64_t{1} << 13;
/// Numbers; other tables are not kept for planes of at most so many, which only a caller can divide into boxes worth them.
inline constexpr int64_t kUncutPlane = int64_t{1} << 14;
/// Numbers of the planes that are computed together: their lines stay in the L1 cache.
inline constexpr int64_t kJoinedNumbers = 4096;

// ---- Scratch --------------------------------------------------------------------------------------------------------

/// Bytes that a thread keeps from task to task, and the size of the blocks that it allocates.
inline constexpr size_t kMaxKeptScratch = size_t{2} << 20;
inline constexpr size_t kMinScratchBlock = size_t{64} << 10;
/// Bytes of dense copies of a task's tensors, which the thread keeps; tasks with larger ones are divided. Measured: 256 KiB take
/// 1.15 for the view V1.f32.
inline constexpr int64_t kMaxCopiedBytes = int64_t{3} << 19;

// ---- Moves ----------------------------------------------------------------------------------------------------------

namespace moves {

/// Outputs; the inputs of longer axes are computed for each box, not bound.
inline constexpr int64_t kMaxBoundExtent = int64_t{1} << 20;
/// Outputs; the loop nests of larger plans are made by the first run, since its tasks are boxes.
inline constexpr int64_t kMaxBoundOutputs = int64_t{1} << 20;
/// Bytes of the loop nests that a plan keeps.
inline constexpr int64_t kMaxKeptNests = int64_t{32} << 20;

/// Bytes; shorter runs are elements of a row, not chunks. Runs of an odd number of bytes, which would be single bytes, are
/// chunks from the second on where the axis around them shrinks. Measured: as bytes, 25 take 2.9 for 121x281x25 to
/// 198x62x25; as chunks, 24 take 1.2 there, and 19 2.2 for 121x281x19 to 242x562x19.
inline constexpr int64_t kMinChunkBytes = 32;
inline constexpr int64_t kMinOddChunkBytes = 17;
/// Bytes; runs of at least this many are separate rows.
inline constexpr int64_t kMinRunBytes = 1024;
/// Bytes; shorter repeats of an element are elements of a row.
inline constexpr int64_t kMinFillBytes = 64;
/// Bytes; shorter rows include the next axis, up to kGrownRow, or up to kMaxRowBytes for rows below kTinyRow.
inline constexpr int64_t kShortRow = 512;
inline constexpr int64_t kTinyRow = 64;
inline constexpr int64_t kGrownRow = 4096;
/// Bytes; longer rows of elements are split.
inline constexpr int64_t kMaxRowBytes = 16384;
inline constexpr int64_t kMaxRowElements = 8192;

/// Bytes of a block that is computed once, then copied to other places: half of the L1 cache.
inline constexpr int64_t kMoveStrip = 16384;
/// Bytes of recent output that are expected to be still in the L2 cache.
inline constexpr int64_t kMoveKept = 131072;
/// Bytes of input that stay in the L2 cache.
inline constexpr int64_t kNearestInput = 512 << 10;
/// Indices of a repeated axis, and of the next one: tasks are parts of the latter if it is long enough to be divided among threads.
/// Measured: 0 takes 1.3 for 1x1x1024x1024 to 1x3x2048x2048 of uint8, 1.2 for 1x1x500x500 to 1x4x1000x1000.
inline constexpr int64_t kMaxRepeatsOfTask = 64;
inline constexpr int64_t kMinDividedRows = 64;
/// Bytes; shorter rows are computed in scratch before they are streamed, and filled several at a time.
inline constexpr int64_t kMinStreamedRowBytes = 2048;

}  // namespace moves

}  // namespace tesela::cpu
