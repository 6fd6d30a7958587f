// Moves: fills, tiles, nearest and copies.
#include "backend/cpu/move/move.h"

#include <algorithm>
#include <cstdlib>

#include "backend/boxes.h"
#include "backend/cpu/move/boxes.h"
#include "backend/cpu/move/copies.h"
#include "backend/cpu/move/nearest_index.h"
#include "backend/cpu/move/packed.h"
#include "backend/cpu/tuning.h"
#include "backend/reference/reference.h"
#include "types/elements.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tesela::cpu {
namespace {

using namespace moves;

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

// The first pass whose table is made for each box, and is too long for one.
const Pass* find_long_pass(const Plan& plan, const MoveProgram& program, const Extents& outputs) {
  const auto* resize = std::get_if<ResizePlan>(&plan.work);
  for (size_t p = 0; resize != nullptr && p < resize->passes.size(); ++p)
    if (!program.is_bound(p) && outputs[resize->passes[p].axis] > kLongestTable) return &resize->passes[p];
  return nullptr;
}

void move_bytes(bool stream, const Plan& plan, const MoveProgram& program, const BoxRun& run, int64_t width,
                const Element& outside) {
  if (const Pass* pass = find_long_pass(plan, program, run.output.extents)) {
    const size_t d = pass->axis;
    const int64_t n = run.output.extents[d];
    for (int64_t lo = 0; lo < n; lo += kLongestTable) {
      Box box = {run.output_lo, run.output.extents};
      box.lo[d] += lo;
      box.n[d] = std::min(kLongestTable, n - lo);
      BoxRun part = run;
      part.output = part_of(run.output, run.output_lo, box);
      part.output_lo = box.lo;
      move_bytes(stream, plan, program, part, width, outside);
    }
    return;
  }
  Scratch scratch;
  Task task = {stream, scratch};
  const Sources sources = make_sources(plan, program, scratch, run, width);
  BoxMover(task, sources, width, outside).run(plan.has_input() ? run.input.data : outside.data(), run.output.data);
}

}  // namespace

MoveProgram bind_move(const Plan& plan) {
  MoveProgram program;
  const auto* resize = std::get_if<ResizePlan>(&plan.work);
  if (resize == nullptr) return program;
  program.tables.resize(resize->passes.size());
  for (size_t p = 0; p < resize->passes.size(); ++p) {
    const AxisRule& rule = resize->passes[p].rule;
    if (rule.out > kLongestBoundTable) continue;
    program.tables[p].resize(static_cast<size_t>(rule.out));
    find_indices(rule, {0, rule.out}, program.tables[p].data());
  }
  return program;
}

void move_box(const Plan& plan, const MoveProgram& program, const BoxRun& run, bool stream) {
  if (product(run.output.extents) == 0) return;
  const int64_t bits = element_bits(plan.type);
  if (bits >= 8 && !is_plain(run.output, bits / 8)) return reference::move_box(plan, run);
  const Element outside = outside_element(plan);
  if (bits < 8)
    move_packed(stream, plan, program, run, outside);
  else if (!plan.has_input() && run.output.strides_bytes.empty())
    fill_bytes(stream, run.output.data, product(run.output.extents) * bits / 8, outside, bits / 8);
  else
    move_bytes(stream, plan, program, run, bits / 8, outside);
  if (stream) fence();
}

}  // namespace tesela::cpu
