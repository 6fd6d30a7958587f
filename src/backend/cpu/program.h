// What is worked out once for a plan of linear or cubic resizing: how rows lie, and the tables of small axes.
#pragma once

#include <memory>
#include <vector>

#include "backend/cpu/lines.h"
#include "backend/cpu/picks.h"
#include "backend/cpu/rows.h"
#include "plan/plan.h"

namespace tesela::cpu {

/// A row is the contiguous part of the tensor that kernels work on: [row_axis, rank). Where the last pass' axis is
/// followed by few elements it is itself part of the row, and its pass is the line pass.
struct Layout {
  size_t row_axis = 0;
  bool has_line = false;
  int64_t channels = 1;          // numbers after the line's axis
  ComputeType compute = ComputeType::kNone;
  bool is_compute_type = false;  // elements need no conversion
  RowKernels kernels = {};
};

/// Taps of a row pass. first: input index. weights: [n, pitch]. shared: how many outputs from this one on have the same
/// inputs, none with a weight of zero; 0 where this one has such a weight.
template <class C>
struct PassTable {
  std::vector<int64_t> first;
  std::vector<int32_t> count;
  std::vector<uint8_t> shared;
  std::vector<C> weights;
  int64_t pitch = 0;
  int64_t most_taps = 1;

  int64_t last(size_t entry) const { return first[entry] + count[entry] - 1; }
};

template <class C>
PassTable<C> make_pass_table(const AxisRule& rule, IndexRange range, ComputeType compute);

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

  template <class C>
  const ProgramTables<C>& tables() const {
    if constexpr (sizeof(C) == 4)
      return of_float;
    else
      return of_double;
  }
};

}  // namespace tesela::cpu
