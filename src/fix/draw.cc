// SPDX-License-Identifier: Apache-2.0
// Draws inputs.
#include "fix/draw.h"

#include <algorithm>
#include <cstring>

#include "schema/tensor_values.h"
#include "types/elements.h"

namespace tesela::fix {
namespace {

constexpr int64_t kMostExtent = 9;

Tensor as_type(DataType type, const std::vector<double>& values) {
  Result<Tensor> tensor = Tensor::allocate(type, {static_cast<int64_t>(values.size())});
  if (!tensor.ok()) throw std::bad_alloc();
  const auto size = static_cast<size_t>(element_bits(type) / 8);
  for (size_t k = 0; k < values.size(); ++k) {
    std::byte element[16] = {};
    element_from_double(type, values[k], element);
    std::memcpy(tensor->mutable_data() + k * size, element, size);
  }
  return std::move(*tensor);
}

void set_constant(TensorInfo& info, Tensor constant) {
  info.type = constant.type();
  info.dims.emplace();
  for (const int64_t extent : constant.extents()) info.dims->push_back({extent, ""});
  info.constant = std::move(constant);
}

}  // namespace

uint64_t Random::next() {
  uint64_t z = state_ += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

DrawnInputs::DrawnInputs(const Call& before, Inputs known, Random& random) : random_(random) {
  takes_sizes_ = random.between(0, 1) == 1;
  for (size_t k = 0; k < known.size(); ++k) {
    if (known[k] == nullptr) {
      pointers_.push_back(nullptr);
      continue;
    }
    TensorInfo& info = infos_.emplace_back(*known[k]);
    pointers_.push_back(&info);
    if (k < before.op.schema->inputs.size() && is_data_input(before.op, k))
      draw_data(before.op, info);
    else if (k < before.op.schema->inputs.size() && !info.constant)
      draw_parameter(before.op, before.op.schema->inputs[k].name, info);
  }
}

void DrawnInputs::draw_data(const OpDesc& op, TensorInfo& info) {
  if (info.type == DataType::kUndefined) {
    info.type = DataType::kFloat;
    any_ = true;
  }
  if (!info.dims) {
    // The rank is that of a list that is given for all axes.
    const bool listed = op.ints_value("axes").has_value();
    size_t rank = 4;
    for (const Attribute& attribute : op.attributes)
      if (const auto* scales = std::get_if<std::vector<float>>(&attribute.value)) rank = scales->size();
    info.dims = Dims(listed ? std::max<size_t>(rank, 4) : rank);
  }
  for (Dim& dim : *info.dims) {
    if (dim.known()) continue;
    dim = {random_.between(1, kMostExtent), ""};
    any_ = true;
  }
  rank_ = info.dims->size();
}

size_t DrawnInputs::listed_axes(const OpDesc& op) const {
  const auto axes = op.ints_value("axes");
  return axes && !axes->empty() ? axes->size() : rank_;
}

// What is known of the entries is kept.
std::vector<int64_t> DrawnInputs::entries(const TensorInfo& info, size_t count, int64_t least, int64_t most) {
  std::vector<int64_t> values(count);
  for (size_t k = 0; k < count; ++k) {
    const bool is_known = info.shape_value && k < info.shape_value->size() && (*info.shape_value)[k].known();
    values[k] = is_known ? (*info.shape_value)[k].value : random_.between(least, most);
  }
  return values;
}

void DrawnInputs::draw_parameter(const OpDesc& op, std::string_view name, TensorInfo& info) {
  any_ = true;
  const std::optional<bool> none = is_empty(info);
  const bool both = pointers_.size() == 4 || op.schema->inputs.size() == 4;
  const bool is_absent =
      none == true || (none != false && both && (name == "scales" ? takes_sizes_ : name == "sizes" && !takes_sizes_));
  const size_t count = is_absent ? 0 : listed_axes(op);
  if (name == "scales") {
    std::vector<float> scales(count);
    // Whole and other scales, of which Upsample has none below 1.
    const float least = op.schema->op == Operator::kUpsample ? 1.0f : 0.4f;
    for (float& scale : scales)
      scale = random_.between(0, 1) == 0 ? static_cast<float>(random_.between(1, 3))
                                         : least + static_cast<float>(random_.unit()) * 2;
    set_constant(info, floats(scales));
  } else if (name == "sizes" || name == "repeats") {
    set_constant(info, int64s(entries(info, count, 1, name == "sizes" ? kMostExtent : 3)));
  } else if (name == "roi") {
    std::vector<double> roi(2 * count);
    for (size_t k = 0; k < roi.size(); ++k) roi[k] = k < count ? random_.unit() / 2 : 0.5 + random_.unit() / 2;
    set_constant(info, as_type(info.type == DataType::kUndefined ? DataType::kFloat : info.type, roi));
  } else if (op.schema->op == Operator::kConstantOfShape) {
    const size_t known =
        info.dims && info.dims->size() == 1 && (*info.dims)[0].known() ? static_cast<size_t>((*info.dims)[0].value) : 2;
    set_constant(info, int64s(entries(info, known, 1, kMostExtent)));
  }
}

void draw_element(DataType type, uint64_t seed, int64_t position, std::byte* element) {
  Random random(seed ^ (static_cast<uint64_t>(position) * 0xd1342543de82ef95u));
  const uint64_t bits[2] = {random.next(), random.next()};
  const DataKind kind = traits(type).kind;
  if (kind == DataKind::kFloating) {
    element_from_double(type, static_cast<double>(bits[0] >> 11) * 0x1p-53, element);
  } else if (kind == DataKind::kComplex) {
    const DataType part = element_bits(type) == 64 ? DataType::kFloat : DataType::kDouble;
    for (size_t k = 0; k < 2; ++k)
      element_from_double(part, static_cast<double>(bits[k] >> 11) * 0x1p-53,
                          element + k * static_cast<size_t>(element_bits(part) / 8));
  } else if (kind == DataKind::kBoolean) {
    element[0] = static_cast<std::byte>(bits[0] & 1);
  } else if (kind == DataKind::kText) {
    static constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
    const StringRef text{kLetters.data() + bits[0] % 20, bits[1] % 6};
    std::memcpy(element, &text, sizeof text);
  } else {
    std::memcpy(element, bits, 8);
  }
}

}  // namespace tesela::fix
