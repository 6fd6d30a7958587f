// SPDX-License-Identifier: Apache-2.0
// Arithmetic on single elements, some of them unknown, in the element types of tensors.
#pragma once

#include "shapes/known_value.h"

namespace tesela {

using UnaryEntry = Entry (*)(DataType type, const Entry& a);
using BinaryEntry = Entry (*)(DataType type, const Entry& a, const Entry& b);

// `type`: of the operands. A result that does not fit its type, or on which runtimes differ, is unknown. A
// symbol is kept by operations that do not change its value.
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

/// For operators whose values are not computed.
Entry unknown_entry(DataType type, const Entry& a, const Entry& b);

Entry floor_entry(DataType type, const Entry& a);
Entry ceil_entry(DataType type, const Entry& a);
Entry round_entry(DataType type, const Entry& a);  // halves to even
Entry negate_entry(DataType type, const Entry& a);

Entry cast_entry(const Entry& a, DataType from, DataType to);

}  // namespace tesela
