// SPDX-License-Identifier: Apache-2.0
// Draws calls of operators from the library's own tables: rows, ports, attributes, allowed strings and plan fields.
#include "fuzz/operator_call.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "plan/fields.h"
#include "types/elements.h"
#include "types/packed.h"
#include "types/shape.h"

namespace tesela::testing {
namespace {

// What the numbers of an input or attribute are.
enum class Meaning : uint8_t { kData, kScales, kSizes, kRegion, kRepeats, kExtents, kAxes, kCopies, kAxis };

constexpr struct {
  std::string_view name;
  Meaning meaning;
} kMeanings[] = {
    {"X", Meaning::kData},        {"data", Meaning::kData},
    {"image", Meaning::kData},    {"input", Meaning::kData},
    {"scales", Meaning::kScales}, {"scales_or_sizes", Meaning::kScales},
    {"sizes", Meaning::kSizes},   {"target_spatial_shape", Meaning::kSizes},
    {"roi", Meaning::kRegion},    {"repeats", Meaning::kRepeats},
    {"axes", Meaning::kAxes},     {"tiles", Meaning::kCopies},
    {"axis", Meaning::kAxis},
};

Meaning meaning_of(const OpSchema& row, std::string_view port) {
  if (row.op == Operator::kConstantOfShape) return Meaning::kExtents;
  const auto* const found =
      std::find_if(std::begin(kMeanings), std::end(kMeanings), [&](const auto& each) { return each.name == port; });
  if (found == std::end(kMeanings)) std::abort();  // a port that this file does not know
  return found->meaning;
}

constexpr float kDenormal = 1e-42f;
constexpr float kUglyScales[] = {0.0f, -0.0f, NAN,      INFINITY,    kDenormal, 1.0f + 0x1p-23f, 1.0f - 0x1p-24f,
                                 -1.f, 1e30f, 1.0f / 3, 16777217.0f, -INFINITY, 1e-30f,          0x1p-126f};
constexpr float kPlainScales[] = {2,    0.5f, 1,    3,    1.5f, 0.75f, 0.1f, 0.3f,  1.1f,    4,
                                  0.25, 0.7f, 2.5f, 1.3f, 0.2f, 1.9f,  5,    0.99f, 7.f / 3, 1.0f / 3};
constexpr float kCoefficients[] = {-0.75f, -0.5f, -1, 0, 0.5f, 4, -3, 1e-20f, 1e15f};
constexpr float kFills[] = {0, -0.0f, 0.5f, 1.5f, -1, 300, 70000, 1e30f, -1e-40f, INFINITY, NAN};
constexpr double kRegionEnds[] = {0, 1, 0.25, 0.5, 0.75, -0.5, 1.5, 0.1, 0.9, 100, -100, 0.3333333, 1e-9};
constexpr int64_t kUglyIntegers[] = {-1, INT64_MIN, INT64_MAX, int64_t{1} << 31, int64_t{1} << 32, 1'000'000, 65537, 0};

class Drawing {
 public:
  Drawing(Input& input, const OpSchema& row) : input_(input), row_(row) {}

  DrawnCall draw() {
    call_.row = &row_;
    // Mutations of the bytes that follow change little else, because each call begins with its outline.
    is_ugly_ = input_.chance(20);
    is_long_ = input_.chance(8);
    draw_data();
    draw_axes();
    uses_scales_ = input_.chance(50);
    for (const AttributeSpec& spec : row_.attributes) draw_attribute(spec);
    draw_fields();
    for (const Port& port : row_.inputs) draw_input(port);
    if (is_ugly_ && input_.chance(10)) call_.inputs.emplace_back(numbers(DataType::kFloat, {1}));
    if (is_ugly_ && input_.chance(10) && !call_.inputs.empty()) call_.inputs.pop_back();
    return std::move(call_);
  }

 private:
  bool ugly(int percent) { return is_ugly_ && input_.chance(percent); }

  void draw_data() {
    constexpr int64_t kLongest[] = {1, 40, 14, 8, 6, 4, 3};
    const auto rank = row_.op == Operator::kUpsample && row_.since_version == 1 && !ugly(10) ? 4 : input_.pick(0, 6);
    const int64_t longest = kLongest[rank];
    for (int64_t d = 0; d < rank; ++d) {
      const uint8_t byte = input_.byte();
      extents_.push_back(byte == 255 ? 0 : 1 + byte % longest);
    }
    if (is_long_ && rank > 0) {
      for (int64_t& extent : extents_) extent = 1 + extent % 2;
      extents_[static_cast<size_t>(input_.pick(0, rank - 1))] = input_.pick(1, 3000);
    }
  }

  void draw_axes() {
    axes_.resize(extents_.size());
    std::iota(axes_.begin(), axes_.end(), int64_t{0});
    takes_axes_ = find_attribute(row_, "axes") != nullptr ||
                  std::any_of(row_.inputs.begin(), row_.inputs.end(), [](const Port& p) { return p.name == "axes"; });
    gives_axes_ = takes_axes_ && (row_.since_version == 1 || input_.chance(45));
    if (!gives_axes_) return;
    for (size_t k = axes_.size(); k > 1; --k)
      std::swap(axes_[k - 1], axes_[static_cast<size_t>(input_.pick(0, static_cast<int64_t>(k) - 1))]);
    axes_.resize(static_cast<size_t>(input_.pick(0, std::ssize(axes_))));
  }

  // ---- Attributes ---------------------------------------------------------------------------------------------------

  void draw_attribute(const AttributeSpec& spec) {
    if (spec.name == "axes" ? !gives_axes_ : !spec.required && !input_.chance(spec.name == "mode" ? 85 : 50)) return;
    if (ugly(5)) return;
    if (ugly(5)) {
      add(std::string(spec.name), strange_value());
      return;
    }
    switch (spec.kind) {
      case AttributeKind::kString: return draw_string(spec);
      case AttributeKind::kInt: return draw_flag(spec);
      case AttributeKind::kFloat: return add(std::string(spec.name), float_for(spec.name));
      case AttributeKind::kInts: return draw_integers(spec);
      case AttributeKind::kFloats: return draw_floats(spec);
      case AttributeKind::kTensor: return add(std::string(spec.name), value_of_fill());
      default: return;
    }
  }

  void add(std::string name, DrawnValue value) { call_.attributes.push_back({std::move(name), std::move(value)}); }

  DrawnValue strange_value() {
    switch (input_.pick(0, 4)) {
      case 0: return input_.one_of(kUglyIntegers);
      case 1: return input_.one_of(kUglyScales);
      case 2: return std::string(input_.chance(50) ? "" : "zz");
      case 3: return std::vector<int64_t>(static_cast<size_t>(input_.pick(0, 9)), input_.one_of(kUglyIntegers));
      default: return std::vector<float>(static_cast<size_t>(input_.pick(0, 9)), input_.one_of(kUglyScales));
    }
  }

  void draw_string(const AttributeSpec& spec) {
    std::string value;
    if (!spec.withdrawn.empty() && input_.chance(5))
      value = std::string(input_.one_of(spec.withdrawn).value);
    else if (!spec.allowed.empty() && !ugly(5))
      value = std::string(input_.one_of(spec.allowed));
    if (spec.name == "mode") is_nearest_ = value == "nearest";
    if (spec.name == "shape_calculation_mode") uses_scales_ = value == "scales";
    if (spec.name == "keep_aspect_ratio_policy" && uses_scales_ && !ugly(20)) return;
    add(std::string(spec.name), std::move(value));
  }

  void draw_flag(const AttributeSpec& spec) {
    int64_t value = input_.pick(0, 1);
    if (spec.name == "antialias" && is_nearest_ && !ugly(50)) value = 0;
    add(std::string(spec.name), ugly(10) ? input_.one_of(kUglyIntegers) : value);
  }

  float float_for(std::string_view name) {
    if (name.ends_with("_scale")) return scale(2);
    if (ugly(20)) return input_.one_of(kUglyScales);
    return name == "extrapolation_value" ? input_.one_of(kFills) : input_.one_of(kCoefficients);
  }

  void draw_integers(const AttributeSpec& spec) {
    std::vector<int64_t> values;
    if (spec.name == "axes")
      values = axes_with_signs(row_.domain.empty());
    else
      values.assign(static_cast<size_t>(input_.pick(0, std::ssize(extents_))), input_.chance(20) ? 1 : 0);
    add(std::string(spec.name), std::move(values));
  }

  void draw_floats(const AttributeSpec& spec) {
    std::vector<float> values;
    for (size_t d = 0; d < extents_.size(); ++d) values.push_back(scale(extents_[d]));
    add(std::string(spec.name), std::move(values));
  }

  DrawnTensor value_of_fill() {
    const int64_t count = ugly(20) ? input_.pick(0, 2) : 1;
    return numbers(type_of(row_.outputs.front().types), std::vector<double>(static_cast<size_t>(count), ordinary()));
  }

  void draw_fields() {
    if (row_.op != Operator::kResize && !ugly(10)) return;
    if (!input_.chance(20)) return;
    static const std::vector<std::string_view> names = field_names();
    for (int64_t k = input_.pick(1, 3); k > 0; --k) {
      const std::string name(input_.one_of(names));
      const auto values = field_values(name);
      call_.fields.push_back({name, values.empty() ? std::string("0.5,2") : std::string(input_.one_of(values))});
    }
  }

  // ---- Inputs -------------------------------------------------------------------------------------------------------

  void draw_input(const Port& port) {
    const Meaning meaning = meaning_of(row_, port.name);
    std::optional<DrawnTensor> tensor;
    if (ugly(4)) {
      call_.inputs.push_back(std::move(tensor));
      return;
    }
    switch (meaning) {
      case Meaning::kData: tensor = DrawnTensor{type_of(port.types), extents_, {}}; break;
      case Meaning::kScales: tensor = scales(port); break;
      case Meaning::kSizes: tensor = sizes(port); break;
      case Meaning::kRegion: tensor = region(port); break;
      case Meaning::kRepeats: tensor = repeats(port); break;
      case Meaning::kExtents: tensor = integers(port, extents_); break;
      case Meaning::kAxes:
        if (gives_axes_) tensor = integers(port, axes_with_signs(false));
        break;
      case Meaning::kCopies: tensor = numbers(type_of(port.types), {static_cast<double>(input_.pick(0, 5))}); break;
      case Meaning::kAxis: tensor = numbers(type_of(port.types), {axis_number()}); break;
    }
    if (tensor && meaning != Meaning::kData && ugly(5)) tensor->extents.push_back(1);
    call_.inputs.push_back(std::move(tensor));
  }

  // One of the set; strings only now and then, since they can only be moved.
  DataType type_of(TypeSet types) {
    if (ugly(10)) return static_cast<DataType>(input_.pick(1, std::ssize(kDataTypes)));
    std::vector<DataType> list;
    for (const DataTypeTraits& each : all_data_types())
      if (types.contains(each.type) && (each.type != DataType::kString || input_.chance(10))) list.push_back(each.type);
    return list.empty() ? DataType::kString : input_.one_of(list);
  }

  std::optional<DrawnTensor> scales(const Port& port) {
    if (port.name == "scales_or_sizes" && !uses_scales_) return sizes(port);
    const bool is_only = row_.op != Operator::kInterpolate && !offers_sizes();
    if (!uses_scales_ && !is_only && row_.op != Operator::kInterpolate && !ugly(5))
      return port.may_be_empty ? std::optional(numbers(DataType::kFloat, {})) : std::nullopt;
    std::vector<double> values;
    for (const int64_t axis : axes_) values.push_back(scale(extents_[static_cast<size_t>(axis)]));
    if (ugly(5)) values.resize(static_cast<size_t>(input_.pick(0, 9)), 1);
    return numbers(port.types.contains(DataType::kInt64) ? DataType::kFloat : type_of(port.types), values);
  }

  bool offers_sizes() const {
    return std::any_of(row_.inputs.begin(), row_.inputs.end(), [](const Port& p) { return p.name == "sizes"; });
  }

  std::optional<DrawnTensor> sizes(const Port& port) {
    if (uses_scales_ && row_.op != Operator::kInterpolate && !ugly(5)) return std::nullopt;
    std::vector<int64_t> values;
    for (const int64_t axis : axes_) values.push_back(size(extents_[static_cast<size_t>(axis)]));
    return integers(port, std::move(values));
  }

  std::optional<DrawnTensor> region(const Port& port) {
    if (!input_.chance(60)) return port.may_be_empty ? std::optional(numbers(DataType::kFloat, {})) : std::nullopt;
    std::vector<double> values;
    for (size_t k = 0; k < axes_.size(); ++k) values.push_back(input_.one_of(kRegionEnds));
    for (size_t k = 0; k < axes_.size(); ++k) values.push_back(input_.chance(30) ? 1 : input_.one_of(kRegionEnds));
    if (!values.empty() && ugly(10)) values[0] = input_.one_of(kUglyScales);
    return numbers(type_of(port.types), values);
  }

  DrawnTensor repeats(const Port& port) {
    std::vector<int64_t> values;
    for (size_t d = 0; d < extents_.size(); ++d) {
      const int64_t most = std::min<int64_t>(room_ / std::max<int64_t>(extents_[d], 1), is_long_ ? 300 : 5);
      values.push_back(take(extents_[d], input_.pick(0, std::max<int64_t>(most, 1))));
    }
    // OpenVINO's Tile takes lists of any length.
    if (!row_.domain.empty()) values.resize(static_cast<size_t>(input_.pick(0, 6)), 1);
    return integers(port, std::move(values));
  }

  DrawnTensor integers(const Port& port, std::vector<int64_t> values) {
    if (!values.empty() && ugly(10))
      values[static_cast<size_t>(input_.pick(0, std::ssize(values) - 1))] = input_.one_of(kUglyIntegers);
    if (ugly(5)) values.resize(static_cast<size_t>(input_.pick(0, 9)), 1);
    const DataType type =
        port.types.contains(DataType::kInt64) && !input_.chance(20) ? DataType::kInt64 : type_of(port.types);
    if (type != DataType::kInt64) return numbers(type, std::vector<double>(values.begin(), values.end()));
    DrawnTensor tensor = {type, {std::ssize(values)}, std::vector<std::byte>(values.size() * sizeof(int64_t))};
    if (!values.empty()) std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
    return tensor;
  }

  // ---- Numbers ------------------------------------------------------------------------------------------------------

  // Keeps outputs small: an axis may grow by what is left.
  int64_t take(int64_t extent, int64_t factor) {
    room_ = std::max<int64_t>(room_ / std::max<int64_t>(extent * factor, 1), 1);
    return factor;
  }

  float scale(int64_t extent) {
    if (input_.chance(2) || ugly(15)) return input_.one_of(kUglyScales);
    float value = input_.chance(20) ? static_cast<float>(input_.pick(1, 400)) / 100 : input_.one_of(kPlainScales);
    if (is_long_ && input_.chance(30))
      value = extent >= 100 ? static_cast<float>(input_.pick(1, 50)) / static_cast<float>(extent)
                            : static_cast<float>(input_.pick(1, 3001));
    if (row_.op == Operator::kUpsample && value < 1 && !ugly(20)) value = 1 / value;
    if (value * static_cast<float>(extent) < 1 && !input_.chance(5)) value = 1;
    const float most = static_cast<float>(room_) / static_cast<float>(std::max<int64_t>(extent, 1));
    if (value > most) value = std::max(most, 1.0f);
    take(extent, std::max<int64_t>(static_cast<int64_t>(value), 1));
    return value;
  }

  int64_t size(int64_t extent) {
    const int64_t most = std::min<int64_t>(room_, is_long_ ? 3001 : 3 * extent + 3);
    const int64_t near[] = {
        extent, 2 * extent, 3 * extent, extent + 1, std::max<int64_t>(extent - 1, 1), std::max<int64_t>(extent / 2, 1),
        1};
    int64_t value = input_.chance(50) ? input_.one_of(near) : input_.pick(1, std::max<int64_t>(most, 1));
    if (input_.chance(1) || extent == 0) value = 0;
    value = std::min(value, std::max<int64_t>(room_, 1));
    take(1, value);
    return value;
  }

  std::vector<int64_t> axes_with_signs(bool may_be_negative) {
    std::vector<int64_t> axes = axes_;
    for (int64_t& axis : axes)
      if (may_be_negative && input_.chance(40)) axis -= std::ssize(extents_);
    if (!axes.empty() && ugly(5)) axes.front() = input_.pick(-8, 8);
    return axes;
  }

  double axis_number() {
    const int64_t rank = std::ssize(extents_);
    return rank == 0 ? 0 : static_cast<double>(input_.pick(-rank, rank - 1));
  }

  double ordinary() {
    return input_.chance(10) ? input_.one_of(kUglyScales) : static_cast<double>(input_.pick(-9, 99));
  }

  DrawnTensor numbers(DataType type, const std::vector<double>& values) {
    const auto count = std::ssize(values);
    DrawnTensor tensor = {type, {count}, {}};
    tensor.bytes.resize(static_cast<size_t>((count * element_bits(type) + 7) / 8));
    for (int64_t k = 0; k < count && type != DataType::kString; ++k) {
      std::byte element[16] = {};
      element_from_double(type, values[static_cast<size_t>(k)], element);
      const int bits = element_bits(type);
      if (is_packed(type))
        set_packed(tensor.bytes.data(), k * bits, bits, static_cast<uint8_t>(element[0]));
      else
        std::memcpy(&tensor.bytes[static_cast<size_t>(k * bits / 8)], element, static_cast<size_t>(bits / 8));
    }
    return tensor;
  }

  Input& input_;
  const OpSchema& row_;
  DrawnCall call_;
  bool is_ugly_ = false;
  bool is_long_ = false;
  bool takes_axes_ = false;
  bool gives_axes_ = false;
  bool uses_scales_ = false;
  bool is_nearest_ = true;
  int64_t room_ = 6000;  // elements of the output
  std::vector<int64_t> extents_;
  std::vector<int64_t> axes_;
};

tesela_status set(tesela_op* op, const std::string& name, const DrawnValue& value, tesela_error* error) {
  return std::visit(
      [&](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, int64_t>) {
          return tesela_op_set_int(op, name.c_str(), v, error);
        } else if constexpr (std::is_same_v<T, float>) {
          return tesela_op_set_float(op, name.c_str(), v, error);
        } else if constexpr (std::is_same_v<T, std::string>) {
          return tesela_op_set_string(op, name.c_str(), v.c_str(), error);
        } else if constexpr (std::is_same_v<T, std::vector<int64_t>>) {
          return tesela_op_set_ints(op, name.c_str(), v.data(), v.size(), error);
        } else if constexpr (std::is_same_v<T, std::vector<float>>) {
          return tesela_op_set_floats(op, name.c_str(), v.data(), v.size(), error);
        } else {
          const tesela_tensor tensor = v.view();
          return tesela_op_set_tensor(op, name.c_str(), &tensor, error);
        }
      },
      value);
}

std::string text_of(const DrawnTensor& tensor) {
  std::string text = std::string(name(tensor.type)) + " [" + shape_text(tensor.extents) + "]";
  if (tensor.bytes.empty() || is_packed(tensor.type) || tensor.type == DataType::kString) return text;
  const auto bytes = static_cast<size_t>(element_bits(tensor.type) / 8);
  for (size_t at = 0; at < tensor.bytes.size(); at += bytes) {
    double values[2] = {};
    element_to_doubles(tensor.type, &tensor.bytes[at], values);
    text += fmt::format(" {}", values[0]);
  }
  return text;
}

std::string text_of(const DrawnValue& value) {
  if (const auto* tensor = std::get_if<DrawnTensor>(&value)) return text_of(*tensor);
  if (const auto* text = std::get_if<std::string>(&value)) return "'" + *text + "'";
  if (const auto* number = std::get_if<int64_t>(&value)) return std::to_string(*number);
  if (const auto* number = std::get_if<float>(&value)) return fmt::format("{}", *number);
  if (const auto* list = std::get_if<std::vector<int64_t>>(&value)) return list_text(*list);
  std::string text;
  for (const float number : std::get<std::vector<float>>(value)) text += fmt::format("{} ", number);
  return text;
}

}  // namespace

tesela_tensor DrawnTensor::view() const {
  return {const_cast<std::byte*>(bytes.data()),  // the C interface has one type for inputs and outputs
          static_cast<tesela_dtype>(type),      static_cast<int32_t>(extents.size()), extents.data(), nullptr, 0};
}

DrawnCall draw_call(Input& input, const std::string_view* domain) {
  // Operators that compute have more to go wrong than those that only move elements.
  const bool computes = input.chance(70);
  std::vector<const OpSchema*> rows;
  for (const OpSchema& row : all_schemas()) {
    const bool may_compute = row.op != Operator::kTile && row.op != Operator::kConstantOfShape;
    if (may_compute == computes && row.deprecated.empty() && (domain == nullptr || row.domain == *domain))
      rows.push_back(&row);
  }
  return Drawing(input, *input.one_of(rows)).draw();
}

tesela_op* make_op(const DrawnCall& call, tesela_error* error) {
  tesela_op* op = nullptr;
  const std::string domain(call.row->domain);
  const std::string type(call.row->type);
  if (tesela_op_create(domain.c_str(), type.c_str(), call.row->since_version, nullptr, &op, error) != TESELA_OK)
    return nullptr;
  const auto set_all = [&](const std::vector<DrawnAttribute>& list, const std::string& prefix) {
    return std::all_of(list.begin(), list.end(), [&](const DrawnAttribute& each) {
      return set(op, prefix + each.name, each.value, error) == TESELA_OK;
    });
  };
  if (set_all(call.attributes, "") && set_all(call.fields, "tesela.")) return op;
  tesela_op_destroy(op);
  return nullptr;
}

InputViews::InputViews(const DrawnCall& call) : tensors(call.inputs.size()), pointers(call.inputs.size()) {
  for (size_t k = 0; k < call.inputs.size(); ++k) {
    if (!call.inputs[k]) continue;
    tensors[k] = call.inputs[k]->view();
    pointers[k] = &tensors[k];
  }
}

std::string describe(const DrawnCall& call) {
  std::string text = fmt::format("{}{}-{}\n", call.row->domain, call.row->type, call.row->since_version);
  for (const DrawnAttribute& each : call.attributes) text += "  " + each.name + " = " + text_of(each.value) + "\n";
  for (const DrawnAttribute& each : call.fields) text += "  tesela." + each.name + " = " + text_of(each.value) + "\n";
  for (const auto& each : call.inputs) text += "  input: " + (each ? text_of(*each) : "omitted") + "\n";
  return text;
}

}  // namespace tesela::testing
