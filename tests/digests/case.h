// SPDX-License-Identifier: Apache-2.0
// One call of an operator, drawn from a number: the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "digests/random.h"
#include "types/data_type.h"

namespace tesela::digests {

/// A dense tensor of parameters. The bytes of strings are tesela_string.
struct Values {
  DataType type = DataType::kUndefined;
  std::vector<int64_t> extents;
  std::vector<std::byte> bytes;
};

struct Attribute {
  std::string name;
  std::variant<int64_t, float, std::string, std::vector<int64_t>, std::vector<float>, Values> value;
};

/// How a tensor lies in memory. Packed types are always dense.
enum class Layout : uint8_t { kDense, kPadded, kReversed, kTransposed, kUnaligned, kRepeated };

struct Case {
  uint64_t number = 0;
  std::string domain;
  std::string type;
  int64_t opset = 0;
  std::vector<Attribute> attributes;
  DataType dtype = DataType::kUndefined;        // of the output
  std::vector<int64_t> extents;                 // of the tensor to resize or tile
  std::vector<std::optional<Values>> controls;  // the other inputs; nullopt is omitted
  Layout input_layout = Layout::kDense;
  Layout output_layout = Layout::kDense;  // never kRepeated
  int64_t bit_offset = 0;                 // of packed tensors, in elements
  uint64_t seed = 0;                      // of the elements, and of how runs divide the output

  bool has_input() const { return type != "ConstantOfShape"; }
};

Case make_case(uint64_t number);

/// Elements, one after another; packed types have one element in the low bits of each byte. With NaN payloads,
/// infinities, negative zeros, denormals.
std::vector<std::byte> make_elements(DataType type, int64_t count, Random& random);

/// A list of parameters.
template <class T>
Values values_of(DataType type, const std::vector<T>& list);

/// The case in words.
std::string text_of(const Case& drawn);

}  // namespace tesela::digests
