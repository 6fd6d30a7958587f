// SPDX-License-Identifier: Apache-2.0
// Functions that make the attribute specifications of schema rows.
#pragma once

#include "schema/modes.h"
#include "schema/schema.h"

namespace tesela {

/// A required string attribute with the values of an enumeration.
template <class Enum>
AttributeSpec choice(std::string_view name, const Names<Enum>& allowed) {
  AttributeSpec spec{name, AttributeKind::kString, true};
  spec.allowed.assign(allowed.begin(), allowed.end());
  return spec;
}

/// The same with a default.
template <class Enum>
AttributeSpec choice_or(std::string_view name, NameOf<Enum> default_value, const Names<Enum>& allowed) {
  AttributeSpec spec = choice<Enum>(name, allowed);
  spec.required = false;
  spec.has_default = true;
  spec.default_string = default_value;
  return spec;
}

inline AttributeSpec int_attribute(std::string_view name, int64_t default_value) {
  AttributeSpec spec{name, AttributeKind::kInt};
  spec.has_default = true;
  spec.default_int = default_value;
  return spec;
}

inline AttributeSpec float_attribute(std::string_view name, float default_value) {
  AttributeSpec spec{name, AttributeKind::kFloat};
  spec.has_default = true;
  spec.default_float = default_value;
  return spec;
}

}  // namespace tesela
