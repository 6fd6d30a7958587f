// SPDX-License-Identifier: Apache-2.0
// Draws the operator, types, extents and layouts of a case.
#include "digests/case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "digests/resize_case.h"
#include "types/shape.h"

namespace tesela::digests {
namespace {

constexpr DataType kMoved[] = {DataType::kString,         DataType::kFloat8e4m3fn,   DataType::kFloat8e5m2,
                               DataType::kFloat8e4m3fnuz, DataType::kFloat8e5m2fnuz, DataType::kFloat8e8m0,
                               DataType::kFloat4e2m1,     DataType::kInt4,           DataType::kUint4,
                               DataType::kInt2,           DataType::kUint2};

DataType any_type(Random& random) {
  return all_data_types()[static_cast<size_t>(random.pick(0, std::ssize(kDataTypes) - 1))].type;
}

// Repeats of rank entries with at most `room` outputs, and sometimes one that is 0.
std::vector<int64_t> draw_repeats(const std::vector<int64_t>& extents, size_t count, int64_t room, Random& random) {
  for (const int64_t extent : extents) room /= std::max<int64_t>(extent, 1);
  std::vector<int64_t> repeats;
  for (size_t d = 0; d < count; ++d) {
    const int64_t most = random.one_in(4) ? room : std::min<int64_t>(room, 3);
    repeats.push_back(random.one_in(60) ? 0 : random.pick(1, std::max<int64_t>(most, 1)));
    room /= std::max<int64_t>(repeats.back(), 1);
  }
  return repeats;
}

void draw_tile(Case& drawn, Random& random) {
  const bool openvino = random.one_in(3);
  drawn.type = "Tile";
  drawn.domain = openvino ? "openvino" : "";
  drawn.opset = openvino ? 1 : random.any<int64_t>({1, 6, 13, 13, 13});
  drawn.dtype = openvino && random.one_in(2) ? kMoved[random.pick(3, std::ssize(kMoved) - 1)] : any_computed(random);
  if (!openvino && random.one_in(8)) drawn.dtype = DataType::kString;
  const Size size = draw_size(random);
  drawn.extents = draw_extents(size, random);
  if (drawn.opset == 1 && !openvino) {  // one axis
    if (random.pick(0, 9) > 0) drawn.dtype = random.any({DataType::kFloat, DataType::kDouble, DataType::kFloat16});
    const int64_t last = std::max<int64_t>(std::ssize(drawn.extents) - 1, 0);
    drawn.controls = {values_of(DataType::kInt64, draw_repeats(drawn.extents, 1, room_of(size), random)),
                      values_of(DataType::kInt64, std::vector<int64_t>{random.pick(0, last)})};
    return;
  }
  // OpenVINO's repeats may have more or fewer entries than the rank.
  size_t count = drawn.extents.size();
  if (openvino && random.one_in(4)) count = static_cast<size_t>(random.pick(0, 5));
  drawn.controls = {values_of(DataType::kInt64, draw_repeats(drawn.extents, count, room_of(size), random))};
}

void draw_fill(Case& drawn, Random& random) {
  drawn.type = "ConstantOfShape";
  drawn.opset = random.any<int64_t>({9, 20, 21, 23, 24, 25, 25, 25});
  drawn.controls = {values_of(DataType::kInt64, draw_extents(draw_size(random), random))};
  drawn.dtype = DataType::kFloat;
  if (random.one_in(8)) return;
  drawn.dtype = drawn.opset == 25 ? any_type(random) : any_computed(random);
  drawn.attributes.push_back({"value", Values{drawn.dtype, {1}, make_elements(drawn.dtype, 1, random)}});
}

Layout draw_layout(bool output, Random& random) {
  if (random.pick(0, 9) < 6) return Layout::kDense;
  const Layout layout =
      random.any({Layout::kPadded, Layout::kReversed, Layout::kTransposed, Layout::kUnaligned, Layout::kRepeated});
  return output && layout == Layout::kRepeated ? Layout::kPadded : layout;
}

}  // namespace

Size draw_size(Random& random) {
  const int64_t kind = random.pick(0, 299);
  return kind == 0 ? Size::kLarge : kind < 6 ? Size::kTall : kind < 60 ? Size::kLong : Size::kSmall;
}

int64_t room_of(Size size) {
  return size == Size::kLarge ? 160'000 : size == Size::kSmall ? 1'800 : 6'000;
}

std::vector<int64_t> draw_extents(Size size, Random& random) {
  constexpr int64_t kLargest[] = {1, 40, 14, 8, 6, 4, 3};
  if (size == Size::kTall) {
    const int64_t rows = random.pick(30, 100);
    return {rows, random.pick(64, 160)};
  }
  const auto rank =
      static_cast<size_t>(random.any<int64_t>({0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6}));
  std::vector<int64_t> extents(rank);
  for (int64_t& extent : extents) {
    extent = random.pick(1, kLargest[rank]);
    if (random.one_in(8)) extent = 1;
    if (random.one_in(150)) extent = 0;
  }
  if (size == Size::kSmall || rank == 0) return extents;
  // One long axis, mostly the last, between short ones.
  const auto last = static_cast<int64_t>(rank) - 1;
  for (int64_t& extent : extents) extent = std::min<int64_t>(extent, size == Size::kLarge ? 8 : 3);
  extents[static_cast<size_t>(random.one_in(4) ? random.pick(0, last) : last)] = random.pick(64, 1000);
  return extents;
}

DataType any_computed(Random& random) {
  if (random.one_in(3)) return random.any({DataType::kFloat, DataType::kUint8});
  while (true) {
    const DataType type = any_type(random);
    if (traits(type).compute != ComputeType::kNone) return type;
  }
}

Case make_case(uint64_t number) {
  Random random(number * 0xd1342543de82ef95u + 1);
  Case drawn;
  drawn.number = number;
  const int64_t kind = random.pick(0, 99);
  if (kind < 74)
    draw_resize(drawn, random);
  else if (kind < 92)
    draw_tile(drawn, random);
  else
    draw_fill(drawn, random);
  drawn.input_layout = draw_layout(false, random);
  drawn.output_layout = draw_layout(true, random);
  drawn.bit_offset = random.one_in(2) ? random.pick(0, 3) : 0;
  drawn.seed = random.bits();
  return drawn;
}

namespace {

std::string value_text(const Values& values) {
  std::string text = fmt::format("{} {} ", name(values.type), shape_text(values.extents));
  for (const std::byte byte : values.bytes) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

std::string attribute_text(const Attribute& attribute) {
  const auto text = [](const auto& value) -> std::string {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Values>)
      return value_text(value);
    else
      return fmt::format("{}", value);
  };
  return attribute.name + "=" + std::visit(text, attribute.value);
}

}  // namespace

std::string text_of(const Case& drawn) {
  constexpr const char* kLayouts[] = {"dense", "padded", "reversed", "transposed", "unaligned", "repeated"};
  std::string text = fmt::format("case {}: {}{}{} of opset {}, {} {}, {} to {}", drawn.number, drawn.domain,
                                 drawn.domain.empty() ? "" : ".", drawn.type, drawn.opset, name(drawn.dtype),
                                 shape_text(drawn.extents), kLayouts[static_cast<size_t>(drawn.input_layout)],
                                 kLayouts[static_cast<size_t>(drawn.output_layout)]);
  for (const Attribute& attribute : drawn.attributes) text += ", " + attribute_text(attribute);
  for (const auto& control : drawn.controls) text += ", input " + (control ? value_text(*control) : "omitted");
  return text;
}

}  // namespace tesela::digests
