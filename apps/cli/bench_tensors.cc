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

// Row-major strides of these extents in bytes, multiplied by `times`.
Shape strides_of(std::span<const int64_t> extents, int64_t element_bytes, int64_t times) {
  Shape strides(extents.size());
  int64_t step = element_bytes * times;
  for (size_t axis = extents.size(); axis-- > 0; step *= extents[axis]) strides[axis] = step;
  return strides;
}

}  // namespace

std::optional<Value> make_input(const CaseWords& words) {
  if (words.type == "ConstantOfShape") return std::nullopt;
  Value value(words.dtype, Shape(words.source));
  if (words.dtype != TESELA_STRING) fill_with_pattern(value.c());
  return value;
}

BenchOutput make_output(const CaseWords& words, const Plan& plan) {
  const Shape extents(plan.output_extents());
  Shape stored = extents;
  if (words.gap > 0 && !stored.empty()) stored.back() *= words.gap + 1;
  Value memory(plan.dtype(), stored);
  const tesela_tensor all = memory.c();
  if (all.dtype != TESELA_STRING) std::memset(all.data, 1, bytes_of(all));
  const Shape strides = words.gap > 0 ? strides_of(extents, tesela_dtype_bits(all.dtype) / 8, words.gap + 1) : Shape();
  return {std::move(memory), MutableView(all.data, all.dtype, extents, strides)};
}

uint64_t bytes_of(const tesela_tensor& tensor) {
  const auto elements = static_cast<uint64_t>(element_count(tensor));
  return (elements * static_cast<uint64_t>(tesela_dtype_bits(tensor.dtype)) + 7) / 8;
}

}  // namespace tesela::cli
