// SPDX-License-Identifier: Apache-2.0
// Makes tensors with a pattern.
#include "bench_tensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "elements.h"

namespace tesela::cli {
namespace {

constexpr int64_t kPatternElements = 4096;

// Repeats a few thousand numbers: no denormals, and integers with values of one byte.
void fill_with_pattern(const tesela_tensor& tensor) {
  Value pattern(tensor.dtype, {kPatternElements});
  const tesela_tensor part = pattern.c();
  std::vector<double> numbers(static_cast<size_t>(kPatternElements * (is_complex(tensor.dtype) ? 2 : 1)));
  for (size_t i = 0; i < numbers.size(); ++i) {
    const double unit = static_cast<double>(i * 2654435761u % 65536) / 65536;
    numbers[i] = is_floating(tensor.dtype) ? unit : std::floor(unit * 127);
  }
  from_doubles(numbers, pattern.view());
  const uint64_t bytes = bytes_of(tensor), step = bytes_of(part);
  for (uint64_t begin = 0; begin < bytes; begin += step)
    std::memcpy(static_cast<char*>(tensor.data) + begin, part.data, std::min(step, bytes - begin));
}

// gap: elements between two neighbours. order: the axes in memory, outermost first; empty: those of the shape.
Shape strides_of(const Shape& extents, int64_t element_bytes, int64_t gap, std::span<const int64_t> order) {
  Shape strides(extents.size());
  int64_t step = element_bytes * (gap + 1);
  for (size_t place = extents.size(); place-- > 0;) {
    const size_t axis = order.empty() ? place : static_cast<size_t>(order[place]);
    strides[axis] = step;
    step *= extents[axis];
  }
  return strides;
}

BenchTensor make_tensor(tesela_dtype dtype, const Shape& extents, int64_t gap, std::span<const int64_t> order) {
  Shape stored = extents;
  if (gap > 0 && !stored.empty()) stored.back() *= gap + 1;
  Value memory(dtype, stored);
  const bool is_dense = gap == 0 && order.empty();
  const Shape strides = is_dense ? Shape() : strides_of(extents, tesela_dtype_bits(dtype) / 8, gap, order);
  void* const data = memory.c().data;
  return {std::move(memory), MutableView(data, dtype, extents, strides)};
}

}  // namespace

std::optional<BenchTensor> make_input(const CaseWords& words) {
  if (words.type == "ConstantOfShape") return std::nullopt;
  BenchTensor input = make_tensor(words.dtype, Shape(words.source), 0, words.input_order);
  if (words.dtype != TESELA_STRING) fill_with_pattern(input.memory.c());
  return input;
}

BenchTensor make_output(const CaseWords& words, const Plan& plan) {
  BenchTensor output = make_tensor(plan.dtype(), Shape(plan.output_extents()), words.gap, words.output_order);
  const tesela_tensor all = output.memory.c();
  if (all.dtype != TESELA_STRING) std::memset(all.data, 1, bytes_of(all));
  return output;
}

uint64_t bytes_of(const tesela_tensor& tensor) {
  const auto elements = static_cast<uint64_t>(element_count(tensor));
  return (elements * static_cast<uint64_t>(tesela_dtype_bits(tensor.dtype)) + 7) / 8;
}

}  // namespace tesela::cli
