// SPDX-License-Identifier: Apache-2.0
// The tensors that the passes of a plan read and write.
#include "plan/passes.h"

#include <algorithm>

#include "types/elements.h"

namespace tesela {
namespace {

DataType type_of_sums(DataType type, ComputeType compute) {
  const bool is_complex = parts_of(type) == 2;
  if (compute == ComputeType::kFloat) return is_complex ? DataType::kComplex64 : DataType::kFloat;
  return is_complex ? DataType::kComplex128 : DataType::kDouble;
}

}  // namespace

Result<size_t> pass_count(const Plan& plan) {
  if (const auto* emulated = std::get_if<EmulatedPlan>(&plan.work))
    return unsupported_error("the plan follows the rules of {}, whose sums cannot be carried from box to box",
                             name_of(emulated->rules));
  const ResizePlan* work = plan.interpolation();
  return work == nullptr ? size_t{0} : work->passes.size();
}

PassTensors tensors_of(const Plan& plan, size_t p) {
  const auto& work = std::get<ResizePlan>(plan.work);
  PassTensors tensors;
  tensors.in = plan.in;
  for (size_t k = 0; k < p; ++k) tensors.in[work.passes[k].axis] = work.passes[k].map.out;
  tensors.out = tensors.in;
  tensors.out[work.passes[p].axis] = work.passes[p].map.out;
  tensors.sums = type_of_sums(plan.type, work.compute);
  tensors.input = p == 0 ? plan.type : tensors.sums;
  tensors.output = p + 1 == work.passes.size() ? plan.type : tensors.sums;
  return tensors;
}

Box pass_input_region(const Plan& plan, size_t p, const Box& output) {
  if (std::find(output.n.begin(), output.n.end(), 0) != output.n.end())
    return {Extents(output.n.size(), 0), Extents(output.n.size(), 0)};
  const Pass& pass = std::get<ResizePlan>(plan.work).passes[p];
  const IndexRange range = input_range(pass.map, {output.lo[pass.axis], output.n[pass.axis]});
  Box box = output;
  box.lo[pass.axis] = range.lo;
  box.n[pass.axis] = range.n;
  return box;
}

}  // namespace tesela
