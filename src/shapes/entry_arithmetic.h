// Arithmetic on single elements of which some are unknown, in the types that tensors have.
#pragma once

#include "shapes/known_value.h"

namespace tesela {

using UnaryEntry = Entry (*)(DataType type, const Entry& a);
using BinaryEntry = Entry (*)(DataType type, const Entry& a, const Entry& b);

// `type` is that of the operands. A result that does not fit its type, or that runtimes do not agree on, is
// unknown. A symbol survives what leaves its number as it is.
Entry add_entries(DataType type, const Entry& a, const Entry& b);
Entry subtract_entries(DataType type, const Entry& a, const Entry& b);
Entry multiply_entries(DataType type, const Entry& a, const Entry& b);
Entry divide_entries(DataType type, const Entry& a, const Entry& b);
Entry larger_entry(DataType type, const Entry& a, const Entry& b);
Entry smaller_entry(DataType type, const Entry& a, const Entry& b);

// Booleans.
Entry equal_entries(DataType type, const Entry& a, const Entry& b);
Entry greater_entries(DataType type, const Entry& a, const Entry& b);
Entry less_entries(DataType type, const Entry& a, const Entry& b);

/// Of operators whose numbers are not followed.
Entry unknown_entry(DataType type, const Entry& a, const Entry& b);

Entry floor_entry(DataType type, const Entry& a);
Entry ceil_entry(DataType type, const Entry& a);
Entry round_entry(DataType type, const Entry& a);  // halves to even
Entry negate_entry(DataType type, const Entry& a);

Entry cast_entry(const Entry& a, DataType from, DataType to);

}  // namespace tesela
