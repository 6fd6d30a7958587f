// SPDX-License-Identifier: Apache-2.0
// Parses shapes.
#include "model/ir_shape.h"

#include <charconv>

#include "model/xml_file.h"

namespace tesela {
namespace {

Result<int64_t> parse_extent(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) return shape_error("extent {} does not fit 63 bits", in_quotes(text));
  if (error != std::errc() || end != text.data() + text.size())
    return parse_error("{} is not an extent; expected a number, '?', '-1' or an interval like '1..10'",
                       in_quotes(text));
  if (value < -1) return shape_error("extent {} is below -1", value);
  return value;
}

Status parse_interval(std::string_view text, size_t dots, size_t axis, IrShape& shape) {
  ExtentBounds bounds{axis, 0, INT64_MAX};
  const std::string_view least = text.substr(0, dots);
  const std::string_view most = text.substr(dots + 2);
  if (!least.empty()) {
    TESELA_ASSIGN_OR_RETURN(bounds.least, parse_extent(least));
  }
  if (!most.empty()) {
    TESELA_ASSIGN_OR_RETURN(bounds.most, parse_extent(most));
  }
  if (bounds.least < 0 || bounds.least > bounds.most)
    return shape_error("the interval {} is empty; expected its least extent, two dots, and its greatest",
                       in_quotes(text));
  shape.dims->push_back(bounds.least == bounds.most ? Dim{bounds.least, ""} : Dim{});
  if (bounds.least != bounds.most) shape.bounds.push_back(bounds);
  return {};
}

Status parse_dim(std::string_view text, IrShape& shape) {
  const size_t axis = shape.dims->size();
  if (text == "?") {
    shape.dims->push_back({});
    return {};
  }
  if (const size_t dots = text.find(".."); dots != std::string_view::npos)
    return parse_interval(text, dots, axis, shape);
  TESELA_ASSIGN_OR_RETURN(const int64_t value, parse_extent(text));
  shape.dims->push_back({value, ""});
  return {};
}

}  // namespace

Result<IrShape> parse_ir_shape(std::string_view text, int64_t max_rank) {
  IrShape shape;
  text = trimmed(text);
  if (text == "...") return shape;
  shape.dims.emplace();
  if (text.empty()) return shape;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    if (static_cast<int64_t>(shape.dims->size()) >= max_rank)
      return limit_error("the shape has more than {} axes, which is the limit", max_rank);
    TESELA_RETURN_IF_ERROR(parse_dim(trimmed(text.substr(begin, comma - begin)), shape));
    begin = comma + 1;
  }
  return shape;
}

}  // namespace tesela
