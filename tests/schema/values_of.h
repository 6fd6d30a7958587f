// SPDX-License-Identifier: Apache-2.0
// Every value of an enumeration of modes, so that tests over all of them include new ones.
#pragma once

#include "schema/modes.h"

namespace tesela {

/// For enumerations whose values have one name each.
template <class Enum>
constexpr auto values_of() {
  std::array<Enum, kNames<Enum>.size()> values = {};
  for (size_t k = 0; k < values.size(); ++k) values[k] = kNames<Enum>[k].value;
  return values;
}

}  // namespace tesela
