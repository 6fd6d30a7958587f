// SPDX-License-Identifier: Apache-2.0
// The C interface: plans of a model's nodes.
#include "api/boundary.h"
#include "api/model_parts.h"
#include "api/op_handles.h"
#include "api/read_inputs.h"
#include "backend/program.h"
#include "graph/plan_node.h"

using namespace tesela;
using namespace tesela::api;

namespace {

// Errors: usage, those of the infos, value (a name twice).
Result<GivenValues> read_given(size_t count, const char* const* names, const tesela_tensor_info* const* infos) {
  if (count > 0 && (names == nullptr || infos == nullptr)) return usage_error("tesela_model_plan: an argument is NULL");
  constexpr size_t kMax = 1000;
  if (count > kMax) return count_error("{} values are given; expected at most {}", count, kMax);
  GivenValues given;
  for (size_t i = 0; i < count; ++i) {
    if (names[i] == nullptr || infos[i] == nullptr) return usage_error("tesela_model_plan: entry {} is NULL", i);
    ValueDeclaration& value = given.emplace_back();
    value.name = names[i];
    Result<TensorInfo> info = read_info(*infos[i]);
    if (!info.ok()) return info.status().with_prefix(fmt::format("value {}: ", in_quotes(value.name)));
    value.info = std::move(*info);
    for (size_t k = 0; k < i; ++k)
      if (given[k].name == value.name) return value_error("value {} is given twice", in_quotes(value.name));
  }
  return given;
}

}  // namespace

extern "C" {

tesela_status tesela_model_plan(const tesela_model* model, const char* node, size_t count, const char* const* names,
                                const tesela_tensor_info* const* infos, tesela_plan** plan, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (model == nullptr || plan == nullptr) return usage_error("tesela_model_plan: an argument is NULL");
    TESELA_ASSIGN_OR_RETURN(const GivenValues given, read_given(count, names, infos));
    const std::string_view wanted = node == nullptr ? std::string_view() : node;
    TESELA_ASSIGN_OR_RETURN(Plan made, plan_node(model_of(*model), wanted, given, limits_of(*model)));
    ProgramPtr program = bind(made);
    *plan = new tesela_plan{std::move(made), std::move(program)};
    return {};
  });
}

}  // extern "C"
