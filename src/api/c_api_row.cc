// SPDX-License-Identifier: Apache-2.0
// The inputs and attributes of an operator's version by name, and plans with named inputs.
#include <cstring>
#include <vector>

#include "api/boundary.h"
#include "api/op_handles.h"
#include "api/read_inputs.h"

using namespace tesela;
using namespace tesela::api;

namespace {

// Replaces a required input that is not given, if its version allows it to be empty.
const tesela_tensor* empty_float_tensor() {
  static constexpr int64_t kNone[] = {0};
  static const tesela_tensor tensor = {nullptr, TESELA_FLOAT, 1, kNone, nullptr, 0};
  return &tensor;
}

// The first version that has the input; 0 if none has.
int64_t version_with(const OpSchema& schema, std::string_view input) {
  for (const OpSchema& row : all_schemas())
    if (row.domain == schema.domain && row.type == schema.type)
      for (const Port& port : row.inputs)
        if (port.name == input) return row.since_version;
  return 0;
}

Result<size_t> input_index(const OpDesc& op, const char* name) {
  if (name == nullptr) return size_t{0};
  const std::vector<Port>& inputs = op.schema->inputs;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].name == name) return i;
  if (const int64_t since = version_with(*op.schema, name); since > 0)
    return count_error("{}there is no input {}; {} has it since version {}", op.where(), in_quotes(name),
                       op.schema->type, since);
  std::string names;
  for (const Port& port : inputs) names += (names.empty() ? "" : ", ") + std::string(port.name);
  return count_error("{}there is no input {}; expected {}", op.where(), in_quotes(name), names);
}

// The tensors in the order of the version's inputs, up to the last one given.
Result<std::vector<const tesela_tensor*>> in_order(const OpDesc& op, size_t count, const char* const* names,
                                                   const tesela_tensor* const* inputs) {
  const OpSchema& schema = *op.schema;
  std::vector<const tesela_tensor*> ordered;
  for (size_t k = 0; k < count; ++k) {
    if (inputs[k] == nullptr) continue;
    TESELA_ASSIGN_OR_RETURN(const size_t index, input_index(op, names[k]));
    if (index >= ordered.size()) ordered.resize(index + 1);
    if (ordered[index] != nullptr)
      return count_error("{}input {} is given twice", op.where(), in_quotes(schema.inputs[index].name));
    ordered[index] = inputs[k];
  }
  for (size_t i = 0; i < schema.inputs.size(); ++i) {
    if (i < ordered.size() && ordered[i] != nullptr) continue;
    if (!schema.inputs[i].may_be_empty) continue;
    if (i >= ordered.size()) ordered.resize(i + 1);
    ordered[i] = empty_float_tensor();
  }
  return ordered;
}

}  // namespace

extern "C" {

size_t tesela_op_input_count(const tesela_op* op) {
  return op == nullptr ? 0 : op->desc.schema->inputs.size();
}

const char* tesela_op_input_name(const tesela_op* op, size_t index) {
  if (op == nullptr) return nullptr;
  const std::vector<Port>& inputs = op->desc.schema->inputs;
  return index < inputs.size() ? inputs[index].name.data() : nullptr;  // a literal, so it ends with a NUL
}

size_t tesela_op_attribute_count(const tesela_op* op) {
  return op == nullptr ? 0 : op->desc.schema->attributes.size();
}

const char* tesela_op_attribute_name(const tesela_op* op, size_t index) {
  if (op == nullptr) return nullptr;
  const std::vector<AttributeSpec>& attributes = op->desc.schema->attributes;
  return index < attributes.size() ? attributes[index].name.data() : nullptr;  // a literal, so it ends with a NUL
}

tesela_attribute_kind tesela_op_attribute_kind(const tesela_op* op, const char* name) {
  const AttributeSpec* spec = op == nullptr || name == nullptr ? nullptr : find_attribute(*op->desc.schema, name);
  return spec == nullptr ? TESELA_ATTRIBUTE_NONE : static_cast<tesela_attribute_kind>(spec->kind);
}

tesela_status tesela_plan_create_named(const tesela_op* op, size_t count, const char* const* names,
                                       const tesela_tensor* const* inputs, const tesela_limits* limits,
                                       tesela_plan** plan, tesela_error* error) {
  std::vector<const tesela_tensor*> ordered;
  const tesela_status status = guard(error, [&]() -> Status {
    if (op == nullptr || (count > 0 && (names == nullptr || inputs == nullptr)))
      return usage_error("tesela_plan_create_named: an argument is NULL");
    TESELA_RETURN_IF_ERROR(check_inputs(op, count, inputs));
    TESELA_ASSIGN_OR_RETURN(ordered, in_order(op->desc, count, names, inputs));
    return {};
  });
  if (status != TESELA_OK) return status;
  return tesela_plan_create(op, ordered.size(), ordered.data(), limits, plan, error);
}

}  // extern "C"
