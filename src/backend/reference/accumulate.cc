// SPDX-License-Identifier: Apache-2.0
// Partial sums: taps of a box of inputs are added to them, number by number; complete ones are rounded.
#include "backend/accumulate.h"

#include "backend/reference/block.h"
#include "backend/reference/reference.h"

namespace tesela::reference {
namespace {

// The number's bytes may be unaligned.
template <class T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Adds the taps of output i to one number. x: the first input of its column.
template <class C, class T>
void add_taps_of(const TapSums& run, int64_t i, const std::byte* x, std::byte* sum) {
  const TapRow taps = taps_inside(run, i);
  const int64_t stride = run.input.strides_bytes[run.axis];
  C value = read<C>(sum);
  for (int64_t k = 0; k < taps.count; ++k) {
    const C weight = static_cast<C>(taps.weights[k]);
    if (weight == 0) continue;
    const C term = weight * load_as<C>(read<T>(x + (taps.first + k) * stride));
    value = value + term;
  }
  spend(run.watch, taps.count);
  std::memcpy(sum, &value, sizeof value);
}

template <class C, class T>
void add_taps_from(const TapSums& run) {
  Extents strides = run.input.strides_bytes;
  strides[run.axis] = 0;
  const auto add = [&](int64_t offset, const Extents& index) {
    const std::byte* x = run.input.data;
    for (size_t d = 0; d < index.size(); ++d) x += index[d] * strides[d];
    for (int64_t part = 0; part < parts_of(run.sums.type); ++part)
      add_taps_of<C, T>(run, index[run.axis], x + part * static_cast<int64_t>(sizeof(T)),
                        run.sums.data + offset + part * static_cast<int64_t>(sizeof(C)));
  };
  for_each_element(run.sums.type, run.sums.extents, run.sums.strides_bytes, run.watch, add);
}

template <class C>
void finish(const Plan& plan, const ResizePlan& work, const FinishRun& run) {
  Block<C> block = load_block<C>(run.sums, run.watch);
  if (work.passes[run.pass].rounds_sums) round_sums(block, plan.type);
  store_block(block, run.output, run.watch);
}

}  // namespace

void add_taps(const TapSums& run) {
  visit_computed(run.input.type, [&](auto stored) {
    using T = typename decltype(stored)::Type;
    if (run.compute == ComputeType::kFloat)
      add_taps_from<float, T>(run);
    else
      add_taps_from<double, T>(run);
  });
}

void finish_sums(const Plan& plan, const FinishRun& run) {
  const auto& work = std::get<ResizePlan>(plan.work);
  if (work.compute == ComputeType::kFloat)
    finish<float>(plan, work, run);
  else
    finish<double>(plan, work, run);
  if (!work.extrapolates || run.pass + 1 != work.passes.size()) return;
  BoxRun box;
  box.output = run.output;
  box.output_lo = run.lo;
  box.watch = run.watch;
  store_outside(plan, box);
}

}  // namespace tesela::reference
