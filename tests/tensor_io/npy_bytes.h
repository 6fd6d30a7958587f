// SPDX-License-Identifier: Apache-2.0
// Builds .npy files, including invalid ones.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace tesela::testing {

inline std::string npy(std::string_view dictionary, std::string_view data, int version = 1) {
  std::string out = "\x93NUMPY";
  out += {static_cast<char>(version), 0};
  const size_t length = dictionary.size();
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) out += static_cast<char>(length >> (8 * i) & 0xff);
  return out.append(dictionary).append(data);
}

inline std::string simple(std::string_view descr, std::string_view shape, std::string_view data, bool fortran = false) {
  return npy(
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}\n", descr, fortran ? "True" : "False", shape),
      data);
}

}  // namespace tesela::testing
