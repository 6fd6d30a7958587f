// SPDX-License-Identifier: Apache-2.0
// Adds attributes to keys of plans.
#include "api/plan_key.h"

namespace tesela::api {
namespace {

struct AddValue {
  PlanKey& key;

  void operator()(std::monostate) {}
  void operator()(float value) { key.add(&value, sizeof value); }
  void operator()(int64_t value) { key.add(&value, sizeof value); }
  void operator()(const std::string& value) { key.add(std::string_view(value)); }
  void operator()(const std::vector<float>& values) { key.add(values.data(), values.size() * sizeof(float)); }
  void operator()(const std::vector<int64_t>& values) { key.add(values.data(), values.size() * sizeof(int64_t)); }
  void operator()(const std::vector<std::string>& values) {
    key.add(values.size());
    for (const std::string& value : values) key.add(std::string_view(value));
  }
  void operator()(const Tensor& tensor) {
    key.add(static_cast<uint64_t>(tensor.type()));
    key.add(tensor.extents().data(), tensor.extents().size() * sizeof(int64_t));
    key.add(tensor.data(), static_cast<size_t>(tensor.bytes()));
  }
};

}  // namespace

void PlanKey::add(std::string_view name, const AttributeValue& value) {
  add(name);
  add(value.index());
  std::visit(AddValue{*this}, value);
}

}  // namespace tesela::api
