// SPDX-License-Identifier: Apache-2.0
// Interpolation: one pass after another over the input box, in the compute type, rounded once at the end, or in fixed
// point after each pass that the plan rounds.
#include <cstring>
#include <vector>

#include "backend/reference/block.h"
#include "backend/reference/reference.h"
#include "backend/reference/strided.h"
#include "plan/axis_table.h"
#include "types/elements.h"

namespace tesela::reference {
namespace {

int64_t inner_count(const Extents& extents, size_t axis, int64_t parts) {
  for (size_t d = axis + 1; d < extents.size(); ++d) parts *= extents[d];
  return parts;
}

// One output row of a pass: w0 * x0, then + w1 * x1 and so on in ascending order. Taps of weight zero are absent.
template <class C>
void blend(const AxisTable& table, int64_t i, const C* column, int64_t in_lo, int64_t inner, C* out) {
  const double* weights = table.row(i);
  const int64_t first = table.first[static_cast<size_t>(i)] - in_lo;
  for (int64_t k = 0; k < table.count[static_cast<size_t>(i)]; ++k) {
    const C weight = static_cast<C>(weights[k]);
    if (weight == 0) continue;
    const C* x = column + (first + k) * inner;
    for (int64_t j = 0; j < inner; ++j) {
      const C term = weight * x[j];
      out[j] = k == 0 ? term : out[j] + term;
    }
  }
}

template <class C>
Block<C> run_pass(const Block<C>& in, size_t axis, int64_t in_lo, const AxisTable& table, Watch* watch) {
  Block<C> out{in.extents, in.parts, {}};
  const auto n = static_cast<int64_t>(table.first.size());
  out.extents[axis] = n;
  out.values.resize(static_cast<size_t>(product(out.extents) * out.parts));
  const int64_t inner = inner_count(in.extents, axis, in.parts);
  const int64_t outer = product(in.extents) * in.parts / (in.extents[axis] * inner);
  for (int64_t o = 0; o < outer; ++o) {
    const C* column = in.values.data() + o * in.extents[axis] * inner;
    for (int64_t i = 0; i < n; ++i) {
      blend(table, i, column, in_lo, inner, out.values.data() + (o * n + i) * inner);
      spend(watch, table.count[static_cast<size_t>(i)] * inner);
    }
  }
  return out;
}

template <class C>
void interpolate(const Plan& plan, const ResizePlan& work, const BoxRun& run) {
  Block<C> block = load_block<C>(run.input, run.watch);
  for (const Pass& pass : work.passes) {
    const IndexRange range = {run.output_lo[pass.axis], run.output.extents[pass.axis]};
    const AxisTable table = make_axis_table(pass.map, range, work.compute);
    block = run_pass(block, pass.axis, run.input_lo[pass.axis], table, run.watch);
    if (pass.rounds_sums) round_sums(block, plan.type);
  }
  store_block(block, run.output, run.watch);
  if (work.extrapolates) store_outside(plan, run);
}

}  // namespace

void store_outside(const Plan& plan, const BoxRun& run) {
  const auto& work = std::get<ResizePlan>(plan.work);
  const Extents& n = run.output.extents;
  std::vector<std::vector<bool>> outside(n.size());
  for (size_t d = 0; d < n.size(); ++d) outside[d].resize(static_cast<size_t>(n[d]));
  for (const Pass& pass : work.passes)
    for (int64_t i = 0; i < n[pass.axis]; ++i)
      outside[pass.axis][static_cast<size_t>(i)] = is_extrapolated(pass.map, run.output_lo[pass.axis] + i);
  std::byte value[16];
  element_from_double(plan.type, static_cast<double>(work.extrapolation_value), value);
  const auto bytes = static_cast<size_t>(element_bits(plan.type) / 8);
  const auto store = [&](int64_t offset, const Extents& index) {
    for (size_t d = 0; d < n.size(); ++d) {
      if (!outside[d][static_cast<size_t>(index[d])]) continue;
      std::memcpy(run.output.data + offset, value, bytes);
      break;
    }
  };
  for_each_element(plan.type, n, run.output.strides_bytes, run.watch, store);
}

void interpolate_box(const Plan& plan, const BoxRun& run) {
  const auto& work = std::get<ResizePlan>(plan.work);
  if (work.compute == ComputeType::kFloat)
    interpolate<float>(plan, work, run);
  else
    interpolate<double>(plan, work, run);
}

}  // namespace tesela::reference
