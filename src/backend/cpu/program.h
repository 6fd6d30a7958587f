// What is worked out once for a plan of linear or cubic resizing: how rows lie, and the tables of small axes.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "backend/cpu/lines.h"
#include "backend/cpu/picks.h"
#include "backend/cpu/rows.h"
#include "backend/cpu/shorts.h"
#include "plan/axis_table.h"
#include "plan/plan.h"

namespace tesela::cpu {

/// What a plan computes with here. Shorts give what floats give (kDyadic) or are asked for (kFixed); see shorts.h.
enum class Numbers : uint8_t { kFloat, kDouble, kDyadic, kFixed };

/// A row is the contiguous part of the tensor that kernels work on: [row_axis, rank). Where the last pass' axis is
/// followed by few elements it is itself part of the row, and its pass is the line pass.
struct Layout {
  size_t row_axis = 0;
  bool has_line = false;
  int64_t channels = 1;          // numbers after the line's axis
  ComputeType compute = ComputeType::kNone;
  Numbers numbers = Numbers::kFloat;
  std::vector<int32_t> dyadic_bits;  // kDyadic: by pass, those of its weights behind the point
  int32_t shift = 0;                 // and all of them
  bool is_compute_type = false;      // elements need no conversion
  RowKernels kernels = {};
};

/// Taps of a row pass. first: input index. weights: [n, pitch]. shared: how many outputs from this one on have the same
/// inputs, none with a weight of zero; 0 where this one has such a weight, or one in `wide`. wide: in fixed point, the
/// same weights again where some do not fit C, else empty.
template <class C>
struct PassTable {
  std::vector<int64_t> first;
  std::vector<int32_t> count;
  std::vector<uint8_t> shared;
  std::vector<C> weights;
  std::vector<WideNumber<C>> wide;
  int64_t pitch = 0;
  int64_t most_taps = 1;

  int64_t last(size_t entry) const { return first[entry] + count[entry] - 1; }
  /// Some weight of this entry is in `wide` alone.
  bool is_wide(size_t entry) const {
    if (wide.empty()) return false;
    const size_t at = entry * static_cast<size_t>(pitch);
    return !std::equal(wide.begin() + static_cast<std::ptrdiff_t>(at),
                       wide.begin() + static_cast<std::ptrdiff_t>(at + static_cast<size_t>(count[entry])),
                       weights.begin() + static_cast<std::ptrdiff_t>(at));
  }
};

template <class C>
PassTable<C> make_pass_table(const AxisTable& table);

/// Tables of whole axes that are small enough to keep; an axis without one has it made for each box.
template <class C>
struct ProgramTables {
  std::vector<std::unique_ptr<const PassTable<C>>> passes;  // by pass; null for the line's and for large axes
  std::unique_ptr<const LineTable<C>> line;                 // from input 0 on, or of picked rows
  Picks picks;                                              // of the line, where it is the last pass
};

struct Program {
  Layout layout;
  ProgramTables<float> of_float;
  ProgramTables<double> of_double;
  ProgramTables<uint16_t> of_dyadic;
  ProgramTables<int16_t> of_fixed;

  template <class C>
  const ProgramTables<C>& tables() const {
    if constexpr (std::is_same_v<C, float>)
      return of_float;
    else if constexpr (std::is_same_v<C, double>)
      return of_double;
    else if constexpr (std::is_same_v<C, uint16_t>)
      return of_dyadic;
    else
      return of_fixed;
  }
};

/// Whether the tables of the whole axis are small enough to keep.
bool is_kept(const Pass& pass);

/// The taps of pass p, its weights in the numbers of the layout.
AxisTable make_taps(const Layout& layout, const Pass& pass, size_t p, IndexRange range);

/// Makes a layout of floats one of shorts, where these do as well or were asked for.
void choose_numbers(const Plan& plan, const ResizePlan& work, Layout& layout);

}  // namespace tesela::cpu
