// Loops of moves that need no instruction set: elements fetched or stored one by one.
#include "backend/cpu/move/element_loops.h"

#include <cstring>
#include <type_traits>

namespace tesela::cpu::moves {
namespace {

// Calls f with a constant, so that copies of an element become one load and one store.
template <class F>
void with_width(int64_t width, F&& f) {
  switch (width) {
    case 1: return f(std::integral_constant<size_t, 1>());
    case 2: return f(std::integral_constant<size_t, 2>());
    case 4: return f(std::integral_constant<size_t, 4>());
    case 8: return f(std::integral_constant<size_t, 8>());
    default: return f(std::integral_constant<size_t, 16>());
  }
}

}  // namespace

void gather_rows(const Rows& rows, const Line& line) {
  with_width(line.width, [&](auto width) {
    for (int64_t i = 0; i < rows.n;) {
      const std::byte* const from = rows.src + rows.offset(i);
      std::byte* const row = rows.dst + i * rows.to;
      const int32_t* const offset = line.offset;
      const auto move = [&](int64_t k) { std::memcpy(row + k * int64_t{width()}, from + offset[k], width()); };
      int64_t k = 0;
      for (; k + 4 <= line.count; k += 4) {
        move(k);
        move(k + 1);
        move(k + 2);
        move(k + 3);
      }
      for (; k < line.count; ++k) move(k);
      const int64_t end = i + rows.alike(i);
      while (++i < end) std::memcpy(rows.dst + i * rows.to, row, static_cast<size_t>(line.bytes));
    }
  });
}

void strided_rows(const Rows& rows, const Line& line) {
  with_width(line.width, [&](auto width) {
    for (int64_t i = 0; i < rows.n; ++i) {
      const std::byte* from = rows.src + rows.offset(i);
      std::byte* to = rows.dst + i * rows.to;
      for (int64_t k = 0; k < line.count; ++k, to += line.to)
        std::memcpy(to, from + (line.table ? line.table[k] : k) * line.from, width());
    }
  });
}

}  // namespace tesela::cpu::moves
