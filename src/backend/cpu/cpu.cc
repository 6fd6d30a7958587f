// SPDX-License-Identifier: Apache-2.0
// The CPU backend: the data that is computed once for a plan, and which boxes its kernels support.
#include "backend/cpu/cpu.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "backend/axis_order.h"
#include "backend/boxes.h"
#include "backend/cpu/caches.h"
#include "backend/cpu/move/move.h"
#include "backend/cpu/program.h"
#include "backend/cpu/resize/accumulate.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/tuning.h"
#include "types/elements.h"

namespace tesela::cpu {
namespace {

// Whether the axes from `axis` on are contiguous.
bool is_dense(DataType type, const Extents& extents, const Extents& strides, size_t axis) {
  int64_t dense = element_bits(type) / 8;
  for (size_t d = extents.size(); d-- > axis;) {
    if (extents[d] != 1 && strides[d] != dense) return false;
    dense *= extents[d];
  }
  return true;
}

// Whether rows are contiguous, and elements aligned to their size.
template <class View>
bool has_dense_rows(const Layout& layout, DataType type, const View& view) {
  const auto& strides = view.strides_bytes;
  const int64_t align = element_bits(type) / 8 / parts_of(type);
  if (reinterpret_cast<uintptr_t>(view.data) % static_cast<uintptr_t>(align) != 0) return false;
  if (strides.empty()) return true;
  for (size_t d = 0; d < layout.row_axis; ++d)
    if (strides[d] % align != 0) return false;
  return is_dense(type, view.extents, strides, layout.row_axis);
}

template <class View>
int64_t dense_bytes(const View& view) {
  return product(view.extents) * element_bits(view.type) / 8;
}

// Space for a dense copy of the view.
template <class View>
MutableTensorView dense_space(const View& view, Scratch& scratch) {
  return {scratch.take<std::byte>(dense_bytes(view)), view.type, view.extents, {}, 0};
}

void bind(const Plan& plan, Program& program) {
  const ResizePlan* work = plan.interpolation();
  if (product(plan.out) == 0) return;
  if (work == nullptr)
    bind_move(plan, program.move);
  else
    bind_resize(plan, *work, program.resize);
}

// Resizes a box of which the tensors that are not dense are copied.
void resize_copied(const Plan& plan, const Program& program, const BoxRun& run, bool stream,
                   std::span<std::byte> scratch) {
  const Layout& layout = program.resize.layout;
  BoxRun dense = run;
  Scratch copies;
  if (!has_dense_rows(layout, plan.type, run.input)) {
    const MutableTensorView input = dense_space(run.input, copies);
    copy_view(run.input, input);
    dense.input = input.as_const();
  }
  if (has_dense_rows(layout, plan.type, run.output)) return resize_box(plan, program.resize, dense, stream, scratch);
  dense.output = dense_space(run.output, copies);
  resize_box(plan, program.resize, dense, false, scratch);
  copy_view(dense.output.as_const(), run.output);
}

}  // namespace

std::shared_ptr<const Program> make_program(const Plan& plan) {
  auto program = std::make_shared<Program>();
  bind(plan, *program);
  return program;
}

bool is_move(const Plan& plan) {
  return plan.interpolation() == nullptr;
}

void run_box(const Plan& plan, const Program& program, const BoxRun& run, bool stream, std::span<std::byte> scratch) {
  const ResizePlan* work = plan.interpolation();
  if (work == nullptr) return move_box(plan, program.move, run, stream);
  const Layout& layout = program.resize.layout;
  int64_t copied = 0;
  if (!has_dense_rows(layout, plan.type, run.input)) copied += dense_bytes(run.input);
  if (!has_dense_rows(layout, plan.type, run.output)) copied += dense_bytes(run.output);
  if (copied == 0) return resize_box(plan, program.resize, run, stream, scratch);
  // Strided or unaligned rows are copied, a part at a time, so that the thread can keep the memory of the copies.
  const Box whole = {run.output_lo, run.output.extents};
  const int64_t elements = product(whole.n) / (copied / kMaxCopiedBytes + 1);
  const BoxCutter cutter(whole, std::max<int64_t>(elements, 1), plan.type, resize_strips(plan, *work, layout));
  for (int64_t i = 0; i < cutter.count(); ++i)
    resize_copied(plan, program, part_of(plan, run, cutter.box(i)), stream, scratch);
}

int64_t scratch_bytes(const Plan& plan, const Program& program, const Box& output) {
  const ResizePlan* work = plan.interpolation();
  return work == nullptr ? 0 : resize_scratch_bytes(plan, *work, program.resize, output);
}

namespace {

class BoundProgram final : public tesela::Program {
 public:
  explicit BoundProgram(const Plan& plan) { bind(plan, program_); }
  BoundProgram(const BoundProgram&) = delete;
  BoundProgram& operator=(const BoundProgram&) = delete;
  ~BoundProgram() override {
    for (const auto& reordered : reordered_) delete reordered.load();
  }

  void run_box(const Plan& plan, const BoxRun& run, const BoxContext& context) const override {
    // Reading the caches' sizes takes longer than a small run.
    const bool stream = context.run_output_bytes > 0 &&
                        bypasses_caches(context.run_output_bytes, context.run_input_bytes, is_move(plan));
    cpu::run_box(plan, program_, run, stream, context.scratch);
  }
  int64_t scratch_bytes(const Plan& plan, const Box& output) const override {
    return cpu::scratch_bytes(plan, program_, output);
  }
  void add_taps(const TapSums& sums) const override { cpu::add_taps(sums); }
  Extents strips(const Plan& plan) const override {
    const ResizePlan* work = plan.interpolation();
    return work == nullptr ? Extents() : resize_strips(plan, *work, program_.resize.layout);
  }
  const Reordered* find_reordered(const Plan& plan, const BoxRun& run) const override {
    if (is_move(plan)) return nullptr;
    const Extents order = find_order(plan, run);
    return order.empty() ? nullptr : find_reordered(plan, order);
  }

 private:
  // Made by the first run that needs it. Threads do not wait for each other, because a child of fork would wait for ever:
  // the first to finish keeps its own.
  const Reordered* find_reordered(const Plan& plan, const Extents& order) const {
    for (std::atomic<const Reordered*>& place : reordered_) {
      const Reordered* kept = place.load(std::memory_order_acquire);
      if (kept == nullptr) {
        Plan other = in_order(plan, order);
        ProgramPtr program = cpu::bind(other);
        auto made = std::make_unique<const Reordered>(Reordered{order, std::move(other), std::move(program)});
        if (place.compare_exchange_strong(kept, made.get())) return made.release();
      }
      if (kept->order == order) return kept;
    }
    return nullptr;
  }

  cpu::Program program_;
  mutable std::array<std::atomic<const Reordered*>, 4> reordered_ = {};  // for more orders, tensors are copied
};

}  // namespace

ProgramPtr bind(const Plan& plan) {
  if (std::holds_alternative<EmulatedPlan>(plan.work)) return reference::bind(plan);
  const auto* resize = std::get_if<ResizePlan>(&plan.work);
  if (resize != nullptr && !has_arithmetic(plan, *resize)) return reference::bind(plan);
  return std::make_shared<BoundProgram>(plan);
}

}  // namespace tesela::cpu
