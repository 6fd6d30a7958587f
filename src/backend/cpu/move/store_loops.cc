// Stores of one value, of chunks, and past the caches.
#include "backend/cpu/move/store_loops.h"
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/move/store_loops.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include <algorithm>
#include <cstring>

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

#if HWY_TARGET == HWY_SCALAR

// A cache line of the pattern from any phase.
struct Pattern {
  explicit Pattern(const std::byte* pattern) {
    for (int at = 0; at < 96; at += 16) std::memcpy(bytes + at, pattern, 16);
  }
  const std::byte* from(int64_t phase) const { return bytes + (phase & 15); }
  std::byte bytes[96];
};

void Fill(std::byte* to, int64_t bytes, const std::byte* pattern, bool) {
  const Pattern line(pattern);
  int64_t at = 0;
  for (; at + kCacheLine <= bytes; at += kCacheLine) std::memcpy(to + at, line.from(0), kCacheLine);
  std::memcpy(to + at, line.from(0), size(bytes - at));
}

void FillRows(const Rows& rows, int64_t bytes, int64_t width) {
  for (int64_t i = 0; i < rows.n; ++i) {
    std::byte pattern[16];
    for (int64_t at = 0; at < 16; at += width) std::memcpy(pattern + at, rows.src + rows.offset(i), size(width));
    Fill(rows.dst + i * rows.to, bytes, pattern, false);
  }
}

void StreamCopy(std::byte* to, const std::byte* from, int64_t bytes) {
  std::memcpy(to, from, size(bytes));
}

void ChunkRows(const Rows& rows, const Line& line) {
  for (int64_t i = 0; i < rows.n; ++i)
    for (int64_t k = 0; k < line.count; ++k)
      std::memcpy(rows.dst + i * rows.to + k * line.width, rows.src + rows.offset(i) + line.offset[k],
                  size(line.width));
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

// A vector of the pattern from any phase.
struct Pattern {
  explicit Pattern(const std::byte* pattern) {
    for (int at = 0; at < 96; at += 16) std::memcpy(bytes + at, pattern, 16);
  }
  const std::byte* from(int64_t phase) const { return bytes + (phase & 15); }
  HWY_INLINE Vector vector(int64_t phase) const { return hn::LoadU(kBytes, as_u8(from(phase))); }
  std::byte bytes[96];
};

HWY_INLINE void StreamLine(Vector value, uint8_t* to) {
  for (int64_t at = 0; at < kCacheLine; at += kVector) hn::Stream(value, kBytes, to + at);
}

void FillStream(std::byte* to, int64_t bytes, const Pattern& pattern) {
  const int64_t head = bytes_to_line(to, bytes);
  std::memcpy(to, pattern.from(0), size(head));
  const Vector value = pattern.vector(head);
  int64_t at = head;
  for (; at + kCacheLine <= bytes; at += kCacheLine) StreamLine(value, as_u8(to) + at);
  std::memcpy(to + at, pattern.from(at), size(bytes - at));
}

void Fill(std::byte* to, int64_t bytes, const std::byte* value, bool stream) {
  const Pattern pattern(value);
  if (bytes < kVector) {
    std::memcpy(to, pattern.from(0), size(bytes));
    return;
  }
  if (stream) return FillStream(to, bytes, pattern);
  hn::StoreU(pattern.vector(0), kBytes, as_u8(to));
  int64_t at = kVector - static_cast<int64_t>(reinterpret_cast<uintptr_t>(to) & size(kVector - 1));
  const Vector aligned = pattern.vector(at);
  for (; at + 4 * kVector <= bytes; at += 4 * kVector) {
    hn::Store(aligned, kBytes, as_u8(to) + at);
    hn::Store(aligned, kBytes, as_u8(to) + at + kVector);
    hn::Store(aligned, kBytes, as_u8(to) + at + 2 * kVector);
    hn::Store(aligned, kBytes, as_u8(to) + at + 3 * kVector);
  }
  for (; at + kVector <= bytes; at += kVector) hn::Store(aligned, kBytes, as_u8(to) + at);
  hn::StoreU(pattern.vector(bytes - kVector), kBytes, as_u8(to) + bytes - kVector);
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
    hn::StoreU(value, kBytes, to + bytes - kVector);  // begins at an element: vectors hold whole ones
  }
}

struct Pair {
  uint64_t half[2];
};

void FillRows(const Rows& rows, int64_t bytes, int64_t width) {
  switch (width) {
    case 1: return FillRowsOf<uint8_t>(rows, bytes);
    case 2: return FillRowsOf<uint16_t>(rows, bytes);
    case 4: return FillRowsOf<uint32_t>(rows, bytes);
    case 8: return FillRowsOf<uint64_t>(rows, bytes);
    default: return FillRowsOf<Pair>(rows, bytes);
  }
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

// Copies at least one vector, the end overlapping what is before it.
template <class D>
HWY_INLINE void CopyChunk(D d, uint8_t* to, const uint8_t* from, int64_t bytes) {
  constexpr auto kStep = static_cast<int64_t>(hn::MaxLanes(D()));
  for (int64_t at = 0; at + kStep <= bytes; at += kStep) hn::StoreU(hn::LoadU(d, from + at), d, to + at);
  hn::StoreU(hn::LoadU(d, from + bytes - kStep), d, to + bytes - kStep);
}

template <class D>
void ChunkRowsBy(D d, const Rows& rows, const Line& line) {
  for (int64_t i = 0; i < rows.n; ++i) {
    const uint8_t* const from = as_u8(rows.src + rows.offset(i));
    uint8_t* to = as_u8(rows.dst + i * rows.to);
    for (int64_t k = 0; k < line.count; ++k, to += line.width) CopyChunk(d, to, from + line.offset[k], line.width);
  }
}

void ChunkRows(const Rows& rows, const Line& line) {
  if (line.width < kVector)
    ChunkRowsBy(hn::CappedTag<uint8_t, 32>(), rows, line);
  else
    ChunkRowsBy(kBytes, rows, line);
}

#endif

const StoreLoops& GetStoreLoops() {
  static constexpr StoreLoops loops = {Fill, FillRows, StreamCopy, ChunkRows};
  return loops;
}

}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu::moves
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu::moves {

HWY_EXPORT(GetStoreLoops);

const StoreLoops& store_loops() {
  return HWY_DYNAMIC_DISPATCH(GetStoreLoops)();
}

}  // namespace tesela::cpu::moves
#endif
