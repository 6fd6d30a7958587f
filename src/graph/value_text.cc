// SPDX-License-Identifier: Apache-2.0
// Formats values and messages.
#include "graph/value_text.h"

#include <algorithm>

#include "types/text.h"

namespace tesela {
namespace {

// In "heightxwidth", symbols of several letters could not be told apart.
std::string shape_words(const std::optional<Dims>& dims) {
  const auto is_word = [](const Dim& dim) { return !dim.known() && dim.symbol.size() > 1; };
  if (!dims || std::none_of(dims->begin(), dims->end(), is_word)) return dims_text(dims);
  std::string text;
  for (const Dim& dim : *dims) {
    if (!text.empty()) text += " x ";
    text += dim.known() ? std::to_string(dim.value) : dim.symbol.empty() ? "?" : dim.symbol;
  }
  return text;
}

}  // namespace

std::string_view type_text(DataType type) {
  return type == DataType::kUndefined ? "?" : name(type);
}

std::string counted(size_t count, std::string_view noun) {
  if (count == 0) return fmt::format("no {}s", noun);
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string info_text(const TensorInfo& info) {
  return fmt::format("{} {}", type_text(info.type), shortened(printable(shape_words(info.dims)), 100));
}

std::string_view status_text(tesela_status code) {
  switch (code) {
    case TESELA_OK: return "ok";
#define TESELA_STATUS_TEXT(lower, upper, number, exit_code, python) \
  case TESELA_##upper: return #lower;
      TESELA_STATUS_TABLE(TESELA_STATUS_TEXT)
#undef TESELA_STATUS_TEXT
  }
  return "?";
}

std::string message_text(std::string_view text) {
  return shortened(text, 300);
}

}  // namespace tesela
