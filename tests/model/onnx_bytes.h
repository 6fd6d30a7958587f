// SPDX-License-Identifier: Apache-2.0
// Builds ONNX's protobuf messages field by field, including invalid ones.
#pragma once

#include <initializer_list>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tesela::testing {

/// A message under construction. Field numbers are ONNX's.
struct Pb {
  std::string bytes;

  Pb& number(uint32_t field, int64_t value) {
    protozero::pbf_writer(bytes).add_int64(field, value);
    return *this;
  }
  Pb& float32(uint32_t field, float value) {
    protozero::pbf_writer(bytes).add_float(field, value);
    return *this;
  }
  Pb& float64(uint32_t field, double value) {
    protozero::pbf_writer(bytes).add_double(field, value);
    return *this;
  }
  Pb& text(uint32_t field, std::string_view value) {
    protozero::pbf_writer(bytes).add_bytes(field, value.data(), value.size());
    return *this;
  }
  Pb& message(uint32_t field, const Pb& value) { return text(field, value.bytes); }
  Pb& numbers(uint32_t field, const std::vector<int64_t>& values) {
    protozero::pbf_writer(bytes).add_packed_int64(field, values.begin(), values.end());
    return *this;
  }
  Pb& floats(uint32_t field, const std::vector<float>& values) {
    protozero::pbf_writer(bytes).add_packed_float(field, values.begin(), values.end());
    return *this;
  }
  Pb& doubles(uint32_t field, const std::vector<double>& values) {
    protozero::pbf_writer(bytes).add_packed_double(field, values.begin(), values.end());
    return *this;
  }
};

/// A TensorProto of this type (its ONNX code) and shape, without data.
inline Pb tensor_pb(std::string_view name, int64_t type, const std::vector<int64_t>& dims) {
  Pb pb;
  for (const int64_t dim : dims) pb.number(1, dim);
  return pb.number(2, type).text(8, name);
}

inline Pb raw_tensor_pb(std::string_view name, int64_t type, const std::vector<int64_t>& dims, std::string_view raw) {
  return tensor_pb(name, type, dims).text(9, raw);
}

/// A TensorProto whose bytes are in another file.
inline Pb external_tensor_pb(std::string_view name, int64_t type, const std::vector<int64_t>& dims,
                             std::initializer_list<std::pair<std::string_view, std::string_view>> entries) {
  Pb pb = tensor_pb(name, type, dims);
  for (const auto& [key, value] : entries) pb.message(13, Pb().text(1, key).text(2, value));
  return pb.number(14, 1);
}

/// An AttributeProto with its name and its AttributeType.
inline Pb attribute_pb(std::string_view name, int64_t type) {
  return Pb().text(1, name).number(20, type);
}

/// A NodeProto.
inline Pb node_pb(std::string_view type, std::initializer_list<std::string_view> inputs,
                  std::initializer_list<std::string_view> outputs, const std::vector<Pb>& attributes = {},
                  std::string_view name = "n") {
  Pb pb;
  for (const std::string_view input : inputs) pb.text(1, input);
  for (const std::string_view output : outputs) pb.text(2, output);
  pb.text(3, name).text(4, type);
  for (const Pb& attribute : attributes) pb.message(5, attribute);
  return pb;
}

/// A ValueInfoProto of a tensor; extents below 0 are symbols "N".
inline Pb value_pb(std::string_view name, int64_t type, const std::vector<int64_t>& dims) {
  Pb shape;
  for (const int64_t dim : dims) shape.message(1, dim < 0 ? Pb().text(2, "N") : Pb().number(1, dim));
  return Pb().text(1, name).message(2, Pb().message(1, Pb().number(1, type).message(2, shape)));
}

/// A ModelProto of IR version 8.
inline Pb model_pb(const Pb& graph, int64_t opset = 18) {
  return Pb().number(1, 8).text(2, "test").message(7, graph).message(8, Pb().text(1, "").number(2, opset));
}

inline Pb model_of_initializer(const Pb& tensor) {
  return model_pb(Pb().text(2, "g").message(5, tensor));
}

}  // namespace tesela::testing
