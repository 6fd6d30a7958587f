// What is known of one value of a graph: its type, its shape and, of small tensors, each element.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schema/infer.h"

namespace tesela {

/// An element of a small tensor: a number, a symbol that stands for one, or unknown.
struct Entry {
  bool known = false;
  int64_t integer = 0;  // of integers and booleans
  double real = 0;      // of floats; a value of their type
  std::string symbol = {};

  bool tells() const { return known || !symbol.empty(); }
};

using Entries = std::vector<Entry>;

/// What is followed of a tensor's elements: extents, scales and what is computed of them are shorter.
inline constexpr size_t kMostEntries = 128;

struct KnownValue : TensorInfo {
  std::optional<Entries> entries = {};  // where neither `constant` nor `shape_value` holds them
};

/// True for the types whose elements are followed: int32, int64, bool, float and double.
bool has_entries(DataType type);

/// The elements in row-major order; empty where their number is not known or too large.
std::optional<Entries> entries_of(const KnownValue& value);

/// Makes `value` a tensor of these extents and elements; a constant where all are known.
void set_entries(KnownValue& value, DataType type, const Dims& dims, Entries entries);

/// The memory that it takes, about; constants may be shared, and are small where rules make them.
size_t bytes_of(const KnownValue& value);

/// What ConstantOfShape makes of a value whose type and shape are known: the one element of `fill` (0 where
/// it is null) everywhere.
void set_filled(KnownValue& value, const Tensor* fill);

/// The number of elements; empty where it is not known.
std::optional<int64_t> count_of(const Dims& dims);

}  // namespace tesela
