// SPDX-License-Identifier: Apache-2.0
// Fills, copies of chunks, and streamed stores.
#include "backend/cpu/move/loops/store_rows.h"
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/move/loops/store_rows.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include <algorithm>
#include <cstring>

#include "backend/cpu/move/loops/repeat_element.h"
#include "backend/cpu/tuning.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu::moves {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int64_t kCacheLine = 64;

inline size_t size(int64_t bytes) {
  return static_cast<size_t>(bytes);
}

// Bytes from `to` to the next cache line, at most `bytes`.
inline int64_t bytes_to_line(const std::byte* to, int64_t bytes) {
  return std::min(bytes, static_cast<int64_t>(-reinterpret_cast<uintptr_t>(to) & (kCacheLine - 1)));
}

// One element repeated for a cache line at any phase.
struct Pattern {
  Pattern(const std::byte* element, int64_t width) {
    const Block first = RepeatElement(element, width);
    for (Block& block : blocks) block = first;
  }
  // A cache line of the pattern, starting at any phase.
  const std::byte* from(int64_t phase) const { return reinterpret_cast<const std::byte*>(blocks) + (phase & 15); }
  Block blocks[6];
};

#if HWY_TARGET == HWY_SCALAR

void FillRow(std::byte* to, int64_t bytes, const Pattern& pattern, bool) {
  for (int64_t at = 0; at < bytes; at += kCacheLine)
    std::memcpy(to + at, pattern.from(0), size(std::min(kCacheLine, bytes - at)));
}

void StreamCopy(std::byte* to, const std::byte* from, int64_t bytes) {
  std::memcpy(to, from, size(bytes));
}

void ChunkRow(std::byte* to, const std::byte* from, const Row& row) {
  for (int64_t k = 0; k < row.count; ++k) std::memcpy(to + k * row.width, from + row.offset[k], size(row.width));
}

bool FillRowsTogether(const Rows&, const Row&) {
  return false;
}

#else

const hn::ScalableTag<uint8_t> kBytes;
using Vector = hn::Vec<hn::ScalableTag<uint8_t> >;
constexpr int64_t kVector = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<uint8_t>()));

HWY_INLINE uint8_t* as_u8(std::byte* p) {
  return reinterpret_cast<uint8_t*>(p);
}
HWY_INLINE const uint8_t* as_u8(const std::byte* p) {
  return reinterpret_cast<const uint8_t*>(p);
}

// ---- One value ------------------------------------------------------------------------------------------------------

HWY_INLINE Vector Load(const Pattern& pattern, int64_t phase) {
  return hn::LoadU(kBytes, as_u8(pattern.from(phase)));
}

HWY_INLINE void StreamLine(Vector value, uint8_t* to) {
  for (int64_t at = 0; at < kCacheLine; at += kVector) hn::Stream(value, kBytes, to + at);
}

void FillStream(std::byte* to, int64_t bytes, const Pattern& pattern) {
  const int64_t head = bytes_to_line(to, bytes);
  std::memcpy(to, pattern.from(0), size(head));
  const Vector value = Load(pattern, head);
  int64_t at = head;
  for (; at + kCacheLine <= bytes; at += kCacheLine) StreamLine(value, as_u8(to) + at);
  std::memcpy(to + at, pattern.from(at), size(bytes - at));
}

void FillRow(std::byte* to, int64_t bytes, const Pattern& pattern, bool stream) {
  if (bytes < kVector) {
    std::memcpy(to, pattern.from(0), size(bytes));
    return;
  }
  if (stream) return FillStream(to, bytes, pattern);
  hn::StoreU(Load(pattern, 0), kBytes, as_u8(to));
  int64_t at = kVector - static_cast<int64_t>(reinterpret_cast<uintptr_t>(to) & size(kVector - 1));
  const Vector aligned = Load(pattern, at);
  for (; at + 4 * kVector <= bytes; at += 4 * kVector) {
    hn::Store(aligned, kBytes, as_u8(to) + at);
    hn::Store(aligned, kBytes, as_u8(to) + at + kVector);
    hn::Store(aligned, kBytes, as_u8(to) + at + 2 * kVector);
    hn::Store(aligned, kBytes, as_u8(to) + at + 3 * kVector);
  }
  for (; at + kVector <= bytes; at += kVector) hn::Store(aligned, kBytes, as_u8(to) + at);
  hn::StoreU(Load(pattern, bytes - kVector), kBytes, as_u8(to) + bytes - kVector);
}

template <class T>
HWY_INLINE Vector Broadcast(const std::byte* from) {
  if constexpr (sizeof(T) == 16) {
    return hn::LoadDup128(kBytes, as_u8(from));
  } else {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return hn::BitCast(kBytes, hn::Set(hn::Repartition<T, hn::ScalableTag<uint8_t> >(), value));
  }
}

template <class T>
void FillRowsOf(const Rows& rows, int64_t bytes) {
  for (int64_t i = 0; i < rows.n; ++i) {
    const Vector value = Broadcast<T>(rows.src + rows.offset(i));
    uint8_t* const to = as_u8(rows.dst + i * rows.to);
    if (rows.stream) {
      for (int64_t at = 0; at < bytes; at += kCacheLine) StreamLine(value, to + at);
      continue;
    }
    for (int64_t at = 0; at + kVector <= bytes; at += kVector) hn::StoreU(value, kBytes, to + at);
    hn::StoreU(value, kBytes, to + bytes - kVector);  // begins at an element, since vectors hold whole elements
  }
}

// Fills rows of a few vectors each; false if they are shorter or longer.
bool FillRowsTogether(const Rows& rows, const Row& row) {
  if (row.bytes < kCacheLine || row.bytes >= kMinStreamedRowBytes || rows.n == 1) return false;
  switch (row.width) {
    case 1: FillRowsOf<uint8_t>(rows, row.bytes); break;
    case 2: FillRowsOf<uint16_t>(rows, row.bytes); break;
    case 4: FillRowsOf<uint32_t>(rows, row.bytes); break;
    case 8: FillRowsOf<uint64_t>(rows, row.bytes); break;
    default: FillRowsOf<Block>(rows, row.bytes); break;
  }
  return true;
}

// ---- Copies ---------------------------------------------------------------------------------------------------------

void StreamCopy(std::byte* to, const std::byte* from, int64_t bytes) {
  int64_t at = bytes_to_line(to, bytes);
  std::memcpy(to, from, size(at));
  for (; at + kCacheLine <= bytes; at += kCacheLine)
    for (int64_t part = at; part < at + kCacheLine; part += kVector)
      hn::Stream(hn::LoadU(kBytes, as_u8(from) + part), kBytes, as_u8(to) + part);
  std::memcpy(to + at, from + at, size(bytes - at));
}

// Copies at least one vector; the last one overlaps the one before it.
template <class D>
HWY_INLINE void CopyChunk(D d, uint8_t* to, const uint8_t* from, int64_t bytes) {
  constexpr auto kStep = static_cast<int64_t>(hn::MaxLanes(D()));
  for (int64_t at = 0; at + kStep <= bytes; at += kStep) hn::StoreU(hn::LoadU(d, from + at), d, to + at);
  hn::StoreU(hn::LoadU(d, from + bytes - kStep), d, to + bytes - kStep);
}

template <class D>
HWY_INLINE void CopyChunks(D d, std::byte* to, const std::byte* from, const Row& row) {
  for (int64_t k = 0; k < row.count; ++k)
    CopyChunk(d, as_u8(to + k * row.width), as_u8(from + row.offset[k]), row.width);
}

void ChunkRow(std::byte* to, const std::byte* from, const Row& row) {
  if (row.width < 32)
    CopyChunks(hn::CappedTag<uint8_t, 16>(), to, from, row);
  else if (row.width < kVector)
    CopyChunks(hn::CappedTag<uint8_t, 32>(), to, from, row);
  else
    CopyChunks(kBytes, to, from, row);
}

#endif

void FillRows(const Rows& rows, const Row& row) {
  if (FillRowsTogether(rows, row)) return;
  for (int64_t i = 0; i < rows.n; ++i)
    FillRow(rows.dst + i * rows.to, row.bytes, Pattern(rows.src + rows.offset(i), row.width), rows.stream);
}

void ChunkRows(const Rows& rows, const Row& row) {
  for (int64_t i = 0; i < rows.n; ++i) ChunkRow(rows.dst + i * rows.to, rows.src + rows.offset(i), row);
}

const StoreRows& GetStoreRows() {
  static constexpr StoreRows rows = {FillRows, ChunkRows, StreamCopy};
  return rows;
}

}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu::moves
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu::moves {

HWY_EXPORT(GetStoreRows);

const StoreRows& store_rows() {
  return HWY_DYNAMIC_DISPATCH(GetStoreRows)();
}

void fill_bytes(std::byte* to, int64_t bytes, const std::byte* element, int64_t width, bool stream) {
  count_task(Kernel::move_fill);
  if (bytes <= kMaxFewBytes) return FillFew(to, static_cast<size_t>(bytes), RepeatElement(element, width));
  store_rows().fill({{}, element, to, stream, false}, {.bytes = bytes, .width = width});
}

void fill_by_string_stores(std::byte* to, int64_t bytes, const std::byte* element, int64_t width) {
#if defined(__x86_64__)
  count_task(Kernel::move_fill_by_string);
  // Whole elements up to a multiple of 8 bytes, where a string may begin.
  const Block block = RepeatElement(element, width);
  const int64_t head = std::min(bytes, static_cast<int64_t>(-reinterpret_cast<uintptr_t>(to) & 7));
  std::memcpy(to, &block, static_cast<size_t>(head));
  uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const std::byte*>(&block) + head, sizeof value);
  std::byte* at = to + head;
  uint64_t count = static_cast<uint64_t>(bytes - head) / 8;
  asm volatile("rep stosq" : "+D"(at), "+c"(count) : "a"(value) : "memory");
  std::memcpy(at, &value, static_cast<size_t>(to + bytes - at));
#else
  fill_bytes(to, bytes, element, width, false);
#endif
}

}  // namespace tesela::cpu::moves
#endif
