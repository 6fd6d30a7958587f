// SPDX-License-Identifier: Apache-2.0
// The C interface: explanations of plans.
#include <algorithm>

#include "api/boundary.h"
#include "api/op_handles.h"
#include "plan/explain.h"

using namespace tesela;
using namespace tesela::api;

namespace {

constexpr int32_t kLeastWidth = 20;
constexpr int32_t kMostWidth = 10000;

Result<ExplainRequest> read_request(const tesela_explain_options& options, tesela_text_format format) {
  ExplainRequest request;
  if (options.axis_count > 0) {
    if (options.axes == nullptr) return usage_error("tesela_plan_explain: axes is NULL");
    TESELA_RETURN_IF_ERROR(check_count("axes", options.axis_count, sizeof *options.axes));
    request.axes.assign(options.axes, options.axes + options.axis_count);
  }
  if (options.count != 0)
    request.outputs = IndexRange{options.first, options.count};
  else if (options.first != 0)
    return value_error("the outputs begin at {} and their count is 0; expected a count above 0", options.first);
  // A drawing of more than these is no longer readable.
  if (format == TESELA_TEXT_SVG) {
    request.most_outputs = 512;
    request.most_taps = 8192;
  }
  return request;
}

Result<ExplainStyle> read_style(const tesela_explain_options& options) {
  ExplainStyle style;
  if (options.title != nullptr) style.title = options.title;
  if (options.width == 0) return style;
  if (options.width < kLeastWidth || options.width > kMostWidth)
    return value_error("width {}; expected {} to {} columns", options.width, kLeastWidth, kMostWidth);
  style.width = options.width;
  return style;
}

}  // namespace

extern "C" {

tesela_status tesela_plan_explain(const tesela_plan* plan, const tesela_explain_options* options,
                                  tesela_text_format format, tesela_blob** text, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (plan == nullptr || text == nullptr) return usage_error("tesela_plan_explain: an argument is NULL");
    TESELA_RETURN_IF_ERROR(check_text_format("tesela_plan_explain", format, TESELA_TEXT_SVG));
    tesela_explain_options given = {};
    TESELA_RETURN_IF_ERROR(read_struct(options, "options", given));
    TESELA_ASSIGN_OR_RETURN(const ExplainRequest request, read_request(given, format));
    TESELA_ASSIGN_OR_RETURN(const ExplainStyle style, read_style(given));
    TESELA_ASSIGN_OR_RETURN(const Explanation explanation, explain(plan->plan, request));
    *text = make_blob(format == TESELA_TEXT_PLAIN  ? explanation_plain(explanation, style)
                      : format == TESELA_TEXT_JSON ? explanation_json(explanation, style)
                                                   : explanation_svg(explanation, style));
    return {};
  });
}

}  // extern "C"
