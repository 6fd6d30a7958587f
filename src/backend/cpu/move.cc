// Moves: fills, tiles, nearest and copies.
#include <algorithm>
#include <cstdlib>

#include "backend/boxes.h"
#include "backend/cpu/cpu.h"
#include "backend/cpu/moves.h"
#include "backend/reference/reference.h"
#include "types/elements.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tesela::cpu {
namespace {

using namespace moves;

constexpr int64_t kLongestTable = 8192;  // outputs of one axis

// Streamed stores are in memory before other threads hear that the task is done.
void fence() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

// Outputs that share bytes, or lie inside each other's gaps, are left to the order of the reference.
bool is_plain(const MutableTensorView& view, int64_t width) {
  if (view.strides_bytes.empty()) return true;
  Extents by_stride;
  for (size_t d = 0; d < view.extents.size(); ++d)
    if (view.extents[d] > 1) by_stride.push_back(static_cast<int64_t>(d));
  const auto stride = [&view](int64_t d) { return std::abs(view.strides_bytes[static_cast<size_t>(d)]); };
  std::sort(by_stride.begin(), by_stride.end(), [&](int64_t a, int64_t b) { return stride(a) < stride(b); });
  int64_t span = width;
  for (const int64_t d : by_stride) {
    if (stride(d) < span) return false;
    span += stride(d) * (view.extents[static_cast<size_t>(d)] - 1);
  }
  return true;
}

// The element for outputs that take no input.
Element outside_element(const Plan& plan) {
  Element element = {};
  if (const auto* fill = std::get_if<FillPlan>(&plan.work)) return fill->value;
  const auto* resize = std::get_if<ResizePlan>(&plan.work);
  if (resize && resize->extrapolates)
    element_from_double(plan.type, static_cast<double>(resize->extrapolation_value), element.data());
  return element;
}

// Boxes whose tables would be long are moved in parts.
void move_bytes(bool stream, KernelSet& kernels, const Plan& plan, const BoxRun& run, int64_t width,
                const Element& outside) {
  if (const auto* resize = std::get_if<ResizePlan>(&plan.work))
    for (const Pass& pass : resize->passes)
      if (const int64_t n = run.output.extents[pass.axis]; n > kLongestTable) {
        for (int64_t lo = 0; lo < n; lo += kLongestTable) {
          Box box = {run.output_lo, run.output.extents};
          box.lo[pass.axis] += lo;
          box.n[pass.axis] = std::min(kLongestTable, n - lo);
          BoxRun part = run;
          part.output = part_of(run.output, run.output_lo, box);
          part.output_lo = box.lo;
          move_bytes(stream, kernels, plan, part, width, outside);
        }
        return;
      }
  Arena arena;
  Task task = {stream, kernels, arena};
  const Sources sources = make_sources(arena, plan, run, width);
  BoxMover(task, sources, width, outside).run(plan.has_input() ? run.input.data : outside.data(), run.output.data);
}

}  // namespace

void move_box(const Plan& plan, const BoxRun& run, bool stream) {
  if (product(run.output.extents) == 0) return;
  const int64_t bits = element_bits(plan.type);
  if (bits >= 8 && !is_plain(run.output, bits / 8)) return reference::move_box(plan, run);
  KernelSet kernels;
  const Element outside = outside_element(plan);
  if (bits < 8)
    move_packed(stream, kernels, plan, run, outside);
  else if (!plan.has_input() && run.output.strides_bytes.empty())
    fill_bytes(stream, kernels, run.output.data, product(run.output.extents) * bits / 8, outside, bits / 8);
  else
    move_bytes(stream, kernels, plan, run, bits / 8, outside);
  if (stream) fence();
}

}  // namespace tesela::cpu
