// SPDX-License-Identifier: Apache-2.0
// The data that is computed once for a plan of linear or cubic resizing: layout of rows, arithmetic, kernels, and the
// tables of axes that are not too long.
#pragma once

#include <atomic>
#include <memory>
#include <tuple>
#include <vector>

#include "backend/cpu/resize/column_gather.h"
#include "backend/cpu/resize/halves.h"
#include "backend/cpu/resize/horizontal_table.h"
#include "backend/cpu/resize/joined_planes.h"
#include "backend/cpu/resize/overlapping.h"
#include "backend/cpu/resize/pixel_pairs.h"
#include "backend/cpu/resize/vertical_kernels.h"
#include "backend/cpu/resize/vertical_table.h"
#include "backend/cpu/tuning.h"
#include "backend/program.h"
#include "plan/plan.h"
#include "types/keep_first.h"

namespace tesela::cpu {

/// A row is the contiguous part of the tensor that kernels work on: axes [row_axis, rank). If few elements follow the
/// last pass's axis, that axis is part of the row, and its pass is the horizontal one.
struct Layout {
  size_t row_axis = 0;
  bool has_horizontal = false;
  int64_t channels = 1;       // numbers after the axis of the horizontal pass
  int64_t element_bytes = 0;  // of a stored number
  ComputeType compute = ComputeType::kNone;
  Arithmetic arithmetic = Arithmetic::kFloat;
  std::vector<int32_t> weight_bits;  // per pass, for integer arithmetics: fraction bits of its weights
  std::vector<Rounding> rounding;    // per pass, for integer arithmetics: of its sums
  bool are_numbers = false;          // elements need no conversion
  bool of_bytes = false;             // fixed point of uint8
  const VerticalKernels* vertical = nullptr;
  OverlappingKernels overlapping = {};
  PairKernels pairs;  // those that the plan may use

  bool is_horizontal(const Pass& pass) const { return has_horizontal && pass.axis == row_axis; }
  size_t number_bytes() const {
    return arithmetic == Arithmetic::kDouble ? 8 : arithmetic == Arithmetic::kPowerOfTwo ? 2 : 4;
  }
  Rounding rounding_of(size_t p) const { return rounding.empty() ? Rounding() : rounding[p]; }
};

/// The columns of a horizontal pass, gathered or not, and its table.
template <class C>
struct HorizontalColumns {
  ColumnGather gather;
  PixelPairs pairs;          // for kernels of pairs
  HorizontalTable<C> table;  // of gathered rows, if any
  int64_t in_lo = 0;         // the axis's input from which its inputs are counted
};

/// The columns of a long axis, strip by strip, each made by the first run that needs it.
template <class C>
class ColumnStrips {
 public:
  explicit ColumnStrips(int64_t out) : strips_(static_cast<size_t>((out + kStrip - 1) / kStrip)) {}
  ColumnStrips(const ColumnStrips&) = delete;
  ColumnStrips& operator=(const ColumnStrips&) = delete;
  ~ColumnStrips() {
    for (const auto& strip : strips_) delete strip.load();
  }

  /// The columns from output lo on, a multiple of kStrip.
  template <class Make>
  const HorizontalColumns<C>* find(int64_t lo, const Make& make) const {
    std::atomic<const HorizontalColumns<C>*>& strip = strips_[static_cast<size_t>(lo / kStrip)];
    if (const HorizontalColumns<C>* kept = strip.load(std::memory_order_acquire)) return kept;
    return keep_first(strip, std::make_unique<const HorizontalColumns<C>>(make()));
  }

 private:
  mutable std::vector<std::atomic<const HorizontalColumns<C>*>> strips_;
};

/// Tables of axes; those of axes that are too long are computed for each box.
template <class C>
struct ResizeTables {
  SmallVector<std::unique_ptr<const VerticalTable<C>>, 3> vertical;  // per pass; null for the horizontal one
  std::unique_ptr<const HorizontalColumns<C>> horizontal;            // of the whole axis
  std::unique_ptr<const ColumnStrips<C>> strips;
  std::unique_ptr<const JoinedPlanes<C>> joined;  // of small planes, which have no others
};

struct ResizeProgram {
  Layout layout;
  MeanRowFn mean_row = nullptr;  // of a half
  std::tuple<ResizeTables<float>, ResizeTables<double>, ResizeTables<uint16_t>, ResizeTables<int32_t>> tables;

  /// Calls f(C()) with the type of numbers.
  template <class F>
  void visit(F&& f) const {
    switch (layout.arithmetic) {
      case Arithmetic::kFloat: return f(float());
      case Arithmetic::kDouble: return f(double());
      case Arithmetic::kPowerOfTwo: return f(uint16_t());
      case Arithmetic::kFixedPoint: return f(int32_t());
    }
  }
  bool has_joined_planes() const {
    bool has = false;
    visit([&]<class C>(C) { has = std::get<ResizeTables<C>>(tables).joined != nullptr; });
    return has;
  }
};

void bind_resize(const Plan& plan, const ResizePlan& work, ResizeProgram& program);

/// Whether the program keeps the tables of the pass. outputs: of the plan.
bool is_kept(const Layout& layout, const Pass& pass, int64_t outputs);

/// The taps of pass p, with weights in the layout's arithmetic.
AxisTable make_taps(const Layout& layout, const Pass& pass, size_t p, IndexRange range);

/// Columns for the taps of the horizontal pass p. in: the axis's readable inputs in a row. may_gather: it is the last
/// pass.
template <class C>
HorizontalColumns<C> make_columns(const Layout& layout, size_t p, AxisTable table, IndexRange in, int64_t channels,
                                  bool may_gather);

/// Counts a task of the kernels of integer arithmetic, if it is one.
void count_arithmetic(Arithmetic arithmetic);

/// Chooses integer arithmetic if the plan is in fixed point, or if 16-bit sums give the same results as float.
void choose_arithmetic(const Plan& plan, const ResizePlan& work, Layout& layout);

/// Whether this backend supports the plan's arithmetic: all but fixed point with sums that do not fit 32 bits.
bool has_arithmetic(const Plan& plan, const ResizePlan& work);

/// Computes a box. scratch: used before other memory.
void resize_box(const Plan& plan, const ResizeProgram& program, const BoxRun& run, bool stream,
                std::span<std::byte> scratch);

/// Bytes of scratch memory for a box.
int64_t resize_scratch_bytes(const Plan& plan, const ResizePlan& work, const ResizeProgram& program, const Box& output);

}  // namespace tesela::cpu
