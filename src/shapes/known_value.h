// SPDX-License-Identifier: Apache-2.0
// The known properties of a graph value: type, shape and, for small tensors, each element.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schema/infer.h"

namespace tesela {

/// An element of a small tensor: a number, a symbol, or unknown.
struct Entry {
  bool known = false;
  int64_t integer = 0;  // for integers and booleans
  double real = 0;      // for floats; a value of their type
  Name symbol = {};

  bool has_information() const { return known || !symbol.empty(); }
};

using Entries = std::vector<Entry>;

/// The number of elements that are tracked: extents, scales and values computed from them have fewer.
inline constexpr size_t kMaxEntries = 128;

struct KnownValue : TensorInfo {
  std::optional<Entries> entries = {};  // if neither `constant` nor `shape_value` has them
};

/// Of which nothing is known, to refer to.
extern const KnownValue kUnknownValue;

/// True for the types whose elements are tracked: int32, int64, bool, float and double.
bool has_entries(DataType type);

/// The extents as elements of a shape.
Entries entries_of_dims(const Dims& dims);

/// The elements in row-major order; empty if their number is unknown or too large.
std::optional<Entries> entries_of(const KnownValue& value);

/// Makes `value` a tensor with these extents and elements; a constant if all are known.
void set_entries(KnownValue& value, DataType type, const Dims& dims, Entries entries);

/// Its approximate memory; constants may be shared, and are small if rules create them.
size_t bytes_of(const KnownValue& value);

/// The result of ConstantOfShape for a value with known type and shape: all elements are the element of `fill`,
/// or 0 if it is null.
void set_filled(KnownValue& value, const Tensor* fill);

/// The number of elements; empty if unknown.
std::optional<int64_t> count_of(const Dims& dims);

}  // namespace tesela
