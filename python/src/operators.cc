// SPDX-License-Identifier: Apache-2.0
// Operators by name: their attributes, versions and inference.
#include "operators.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "errors.h"
#include "tensors.h"

namespace tesela_python {
namespace {

using Strings = std::vector<std::string>;

/// (domain, operator) of "Resize" and "openvino.Tile".
std::pair<std::string, std::string> split(const std::string& type) {
  const size_t dot = type.find('.');
  return dot == std::string::npos ? std::pair(std::string(), type)
                                  : std::pair(type.substr(0, dot), type.substr(dot + 1));
}

std::vector<const char*> pointers_to(const Strings& names) {
  std::vector<const char*> pointers;
  for (const std::string& name : names) pointers.push_back(name.c_str());
  return pointers;
}

void set_list(tesela_op* op, const char* name, nb::handle values) {
  tesela_error error = {};
  std::vector<float> floats;
  for (nb::handle value : values)
    if (PyFloat_Check(value.ptr())) {
      for (nb::handle entry : values) floats.push_back(nb::cast<float>(entry));
      check(tesela_op_set_floats(op, name, floats.data(), floats.size(), &error), error);
      return;
    }
  const Extents ints = read_extents(values);
  check(tesela_op_set_ints(op, name, ints.data(), ints.size(), &error), error);
}

void set_attribute(tesela_op* op, const char* name, nb::handle value) {
  tesela_error error = {};
  PyObject* object = value.ptr();
  if (PyUnicode_Check(object))
    check(tesela_op_set_string(op, name, nb::cast<std::string>(value).c_str(), &error), error);
  else if (PyFloat_Check(object))
    check(tesela_op_set_float(op, name, static_cast<float>(PyFloat_AsDouble(object)), &error), error);
  else if (PyLong_Check(object))
    check(tesela_op_set_int(op, name, nb::cast<int64_t>(value), &error), error);
  else if (PyTuple_Check(object))
    check(tesela_op_set_tensor(op, name, Tensor(nb::borrow<nb::tuple>(value)).get(), &error), error);
  else
    set_list(op, name, value);
}

/// What is known about an input: (type, extents, value, entries), where None is nothing. Extents and entries of lists are
/// numbers, or strings that stand for them.
class Known {
 public:
  explicit Known(nb::tuple described) {
    info_.struct_size = sizeof info_;
    info_.dtype = nb::cast<tesela_dtype>(described[0]);
    info_.rank = -1;
    if (!described[1].is_none()) {
      dims_ = read_dims(described[1]);
      info_.rank = static_cast<int32_t>(dims_.size());
      info_.dims = dims_.data();
    }
    if (!described[2].is_none()) {
      value_ = std::make_unique<Tensor>(nb::cast<nb::tuple>(described[2]));
      info_.constant = value_->get();
    }
    if (!described[3].is_none()) {
      entries_ = read_dims(described[3]);
      info_.shape_value = entries_.data();
      info_.shape_value_count = entries_.size();
    }
  }
  const tesela_tensor_info* get() const { return &info_; }

 private:
  std::vector<tesela_dim> read_dims(nb::handle dims) {
    std::vector<tesela_dim> read;
    for (nb::handle dim : dims) {
      if (PyUnicode_Check(dim.ptr()))
        read.push_back({-1, names_.emplace_back(nb::cast<std::string>(dim)).c_str()});
      else
        read.push_back({nb::cast<int64_t>(dim), nullptr});
    }
    return read;
  }

  std::deque<std::string> names_;
  std::vector<tesela_dim> dims_, entries_;
  std::unique_ptr<Tensor> value_;
  tesela_tensor_info info_ = {};
};

/// The output's extents: numbers, names of the inputs', or -1; None where not even the rank is known.
nb::object infer_extents(const std::string& type, int64_t opset, const std::string& node, nb::dict attributes,
                         nb::list inputs) {
  const Op op = make_op(type, opset, node, attributes);
  std::deque<Known> known;
  std::vector<const tesela_tensor_info*> pointers;
  for (nb::handle input : inputs)
    pointers.push_back(input.is_none() ? nullptr : known.emplace_back(nb::cast<nb::tuple>(input)).get());
  tesela_error error = {};
  tesela_inferred* inferred = nullptr;
  check(tesela_op_infer(op.get(), pointers.size(), pointers.data(), &inferred, &error), error);
  const std::unique_ptr<tesela_inferred, decltype(&tesela_inferred_destroy)> owner(inferred, tesela_inferred_destroy);
  tesela_tensor_info info = {};
  info.struct_size = sizeof info;
  tesela_inferred_info(inferred, &info);
  if (info.rank < 0) return nb::none();
  nb::list extents;
  for (int32_t axis = 0; axis < info.rank; ++axis) {
    const tesela_dim& dim = info.dims[axis];
    if (dim.value < 0 && dim.symbol != nullptr && *dim.symbol != '\0')
      extents.append(dim.symbol);
    else
      extents.append(dim.value);
  }
  return extents;
}

int64_t operator_version(const std::string& type, size_t inputs, const Strings& attributes) {
  const auto [domain, name] = split(type);
  std::vector<const char*> given = pointers_to(attributes);
  given.push_back(nullptr);  // an empty list is no null pointer
  tesela_error error = {};
  int64_t version = 0;
  check(
      tesela_operator_version(domain.c_str(), name.c_str(), inputs, attributes.size(), given.data(), &version, &error),
      error);
  return version;
}

Strings operator_attributes(const std::string& type) {
  const auto [domain, name] = split(type);
  Strings names;
  while (const char* each = tesela_operator_attribute_name(domain.c_str(), name.c_str(), names.size()))
    names.emplace_back(each);
  return names;
}

const char* name_of(tesela_attribute_kind kind) {
  switch (kind) {
    case TESELA_ATTRIBUTE_FLOAT: return "float";
    case TESELA_ATTRIBUTE_INT: return "int";
    case TESELA_ATTRIBUTE_STRING: return "string";
    case TESELA_ATTRIBUTE_TENSOR: return "tensor";
    case TESELA_ATTRIBUTE_FLOATS: return "floats";
    case TESELA_ATTRIBUTE_INTS: return "ints";
    case TESELA_ATTRIBUTE_NONE: break;
  }
  return "";
}

nb::dict attribute_kinds(const std::string& type, int64_t opset) {
  const Op op = make_op(type, opset, "", {});
  nb::dict kinds;
  for (size_t i = 0; i < tesela_op_attribute_count(op.get()); ++i) {
    const char* const name = tesela_op_attribute_name(op.get(), i);
    kinds[name] = name_of(tesela_op_attribute_kind(op.get(), name));
  }
  return kinds;
}

Strings field_names() {
  Strings names;
  while (const char* each = tesela_field_name(names.size())) names.emplace_back(each);
  return names;
}

std::optional<std::string> nearest_name(const std::string& name, const Strings& known) {
  const char* const nearest = tesela_nearest_name(name.c_str(), known.size(), pointers_to(known).data());
  return nearest == nullptr ? std::nullopt : std::optional<std::string>(nearest);
}

}  // namespace

Op make_op(const std::string& type, int64_t opset, const std::string& node, nb::dict attributes) {
  const auto [domain, name] = split(type);
  tesela_error error = {};
  tesela_op* op = nullptr;
  check(tesela_op_create(domain.c_str(), name.c_str(), opset, node.c_str(), &op, &error), error);
  Op made(op);
  for (auto [attribute, value] : attributes) set_attribute(op, nb::cast<std::string>(attribute).c_str(), value);
  return made;
}

void bind_operators(nb::module_& module) {
  module.def(
      "since_version",
      [](const std::string& type, int64_t opset) {
        return tesela_op_since_version(make_op(type, opset, "", {}).get());
      },
      nb::arg("type"), nb::arg("opset"), "The version of an operator that an opset has.");
  module.def("operator_version", operator_version, nb::arg("type"), nb::arg("inputs"), nb::arg("attributes"),
             "The newest version whose nodes may have so many inputs and these attributes.");
  module.def("operator_attributes", operator_attributes, nb::arg("type"),
             "The attributes that any version of an operator has.");
  module.def("attribute_kinds", attribute_kinds, nb::arg("type"), nb::arg("opset"),
             "The attributes of the version that an opset has, and their kinds: \"string\", ...");
  module.def("field_names", field_names, "The fields of plans, \"tesela.order\" say.");
  module.def("nearest_name", nearest_name, nb::arg("name"), nb::arg("known"),
             "Which of the known names an unknown one is meant for, or None.");
  module.def("infer", infer_extents, nb::arg("type"), nb::arg("opset"), nb::arg("node"), nb::arg("attributes"),
             nb::arg("inputs"), "The extents of the output, from what is known about the inputs.");
}

}  // namespace tesela_python
