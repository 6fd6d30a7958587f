// SPDX-License-Identifier: Apache-2.0
// Writers of tensor files: what they write is read back equal, and written again it has the same bytes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "fuzz/budget.h"
#include "fuzz/tensor_layout.h"
#include "tensor_io/tensor_file.h"
#include "types/packed.h"

namespace tesela::testing {
namespace {

constexpr FileFormat kFormats[] = {FileFormat::kNpy, FileFormat::kNpz, FileFormat::kPb, FileFormat::kPng,
                                   FileFormat::kJpeg};

[[noreturn]] void report(const TensorView& x, FileFormat format, const std::string& what) {
  std::fprintf(stderr, "%s [%s] strides %s bit %d as format %d: %s\n", std::string(name(x.type)).c_str(),
               shape_text(x.extents).c_str(), list_text(x.strides_bytes).c_str(), static_cast<int>(x.bit_offset),
               static_cast<int>(format), what.c_str());
  std::abort();
}

Extents draw_extents(Input& input, bool is_image) {
  if (is_image) return {input.pick(0, 40), input.pick(0, 40), input.pick(0, 5)};
  Extents extents;
  for (int64_t rank = input.pick(0, 6); rank > 0; --rank) extents.push_back(input.pick(0, rank > 3 ? 3 : 12));
  if (input.chance(5)) extents = {input.pick(0, 20000)};
  return extents;
}

bool equal_strings(const Tensor& a, const Tensor& b) {
  const auto left = a.as<StringRef>();
  const auto right = b.as<StringRef>();
  for (size_t k = 0; k < left.size(); ++k)
    if (left[k].view() != right[k].view()) return false;
  return true;
}

bool equal_elements(const Tensor& a, const Tensor& b) {
  if (a.type() != b.type() || a.count() != b.count()) return false;
  if (a.type() == DataType::kString) return equal_strings(a, b);
  const int bits = element_bits(a.type());
  if (!is_packed(a.type()))
    return a.bytes() == 0 || std::memcmp(a.data(), b.data(), static_cast<size_t>(a.bytes())) == 0;
  for (int64_t k = 0; k < a.count(); ++k)
    if (get_packed(a.data(), k * bits, bits) != get_packed(b.data(), k * bits, bits)) return false;
  return true;
}

void check_format(const TensorView& x, const TensorFileOptions& options) {
  const auto written = encode_tensor(x, options);
  if (!written.ok()) {
    if (written.status().code() == TESELA_ERROR_INTERNAL) report(x, options.format, written.status().message());
    return;
  }
  TensorFileOptions reading = options;
  reading.type = options.format == FileFormat::kNpy ? x.type : DataType::kUndefined;
  const auto read = read_tensor(*written, reading);
  if (!read.ok()) report(x, options.format, "reading: " + read.status().message());
  const Result<Tensor> dense = Tensor::copy_of(x);
  const bool is_image = options.format == FileFormat::kPng || options.format == FileFormat::kJpeg;
  if (!is_image && read->tensor.extents() != x.extents) report(x, options.format, "other extents");
  if (is_image && read->tensor.count() != product(x.extents)) report(x, options.format, "another size");
  if (options.format == FileFormat::kJpeg) return;
  if (!equal_elements(*dense, read->tensor)) report(x, options.format, "other elements");
  if (options.format == FileFormat::kPb && read->name != options.name) report(x, options.format, "another name");
  const auto again = encode_tensor(read->tensor.view(), options);
  if (!again.ok() || *again != *written) report(x, options.format, "other bytes the second time");
}

void check(Input& input) {
  TensorFileOptions options;
  options.format = input.one_of(kFormats);
  const bool is_image = options.format == FileFormat::kPng || options.format == FileFormat::kJpeg;
  DataType type = input.one_of(kDataTypes).type;
  if (is_image && !input.chance(10)) type = input.chance(50) ? DataType::kUint8 : DataType::kUint16;
  const Extents extents = draw_extents(input, is_image);
  options.jpeg_quality = static_cast<int>(input.pick(1, 100));
  if (input.chance(30)) options.name = "x/\xe5\xb9\xb3 \"name\"";
  TensorLayout layout = draw_layout(input, type, extents, true);
  if (type == DataType::kString) layout.shift = layout.shift / 8 * 8;
  static GuardedArena arena;
  const MutableTensorView view = layout.place(arena, type, extents);
  std::byte* const begin = view.data - layout.before;
  const int64_t step = std::max(element_bits(type) / 8, 1);
  fill_elements(type, input.number<uint16_t>(), begin, layout.bytes / step * step);
  // Only aligned strings are strings.
  if (type == DataType::kString && !layout.strides.empty()) return;
  check_format(view.as_const(), options);
}

}  // namespace
}  // namespace tesela::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tesela::testing::Input input(data, size);
  const tesela::testing::Budget budget;
  tesela::testing::check(input);
  return 0;
}
