// SPDX-License-Identifier: Apache-2.0
// std::from_chars, where the standard library has it for doubles; that of WebAssembly has no locales.
#include "types/read_double.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <version>

namespace tesela {

#if defined(__cpp_lib_to_chars)

const char* read_double(const char* begin, const char* end, double& value) {
  const auto [rest, error] = std::from_chars(begin, end, value);
  return error == std::errc() ? rest : nullptr;
}

#else

const char* read_double(const char* begin, const char* end, double& value) {
  const std::string text(begin, end);
  // strtod also takes blanks, a plus sign and hexadecimal digits.
  if (text.empty() || text.find_first_of("+ \t\r\n\v\f") == 0 || text.find_first_of("xX") < text.find(','))
    return nullptr;
  char* rest = nullptr;
  value = std::strtod(text.c_str(), &rest);
  if (rest == text.c_str() || std::isinf(value)) return nullptr;
  return begin + (rest - text.c_str());
}

#endif

}  // namespace tesela
