// SPDX-License-Identifier: Apache-2.0
// Binds a resize plan: layout, kernels and tables.
#include <algorithm>
#include <bit>
#include <span>

#include "backend/cpu/resize/joined_rules.h"
#include "backend/cpu/resize/program.h"
#include "backend/cpu/resize/strips.h"
#include "backend/cpu/tuning.h"
#include "types/elements.h"

namespace tesela::cpu {
namespace {

// Whether elements have the compute type.
bool are_numbers(DataType type, const Layout& layout) {
  const DataKind kind = traits(type).kind;
  const bool is_float = kind == DataKind::kFloating || kind == DataKind::kComplex;
  return is_float && layout.element_bytes == (layout.compute == ComputeType::kFloat ? 4 : 8);
}

// Kernels for outputs that are sums of two by two pixels, of rows first, or of two pixels first.
PairKernels find_pair_kernels(const Plan& plan, const ResizePlan& work, const Layout& layout) {
  const std::span<const Pass> passes = work.passes;
  if (layout.arithmetic != Arithmetic::kFloat || !layout.has_horizontal || passes.size() < 2) return {};
  PairKernels kernels = pair_kernels(plan.type);
  const bool are_short = passes[0].window <= 2 && passes[1].window <= 2;
  if (passes.size() > 2 || !layout.is_horizontal(passes[1]) || !are_short) kernels.both = nullptr;
  // Byte lookups gather pairs of bytes faster.
  if (layout.channels == 1 && layout.element_bytes == 1 && lookup_of_groups() != nullptr) kernels.both = nullptr;
  if (!layout.is_horizontal(passes[0]) || passes[0].window > 2) kernels.row = nullptr;
  return kernels;
}

// Whether pixels of so many channels that each pass would sum whole rows are rather summed two by two. last: the last axis of passes.
bool pairs_pay(const ResizePlan& work, const Layout& layout, size_t last, int64_t channels) {
  if (channels > (layout.are_numbers ? kMostPairChannels : kMostConvertedPairChannels)) return false;
  const auto grows_little = [](const Pass& pass) { return pass.map.out <= kMostPairGrowth * pass.map.in; };
  return work.passes.size() == 2 && work.passes[1].axis == last && grows_little(work.passes[1]);
}

Layout find_layout(const Plan& plan, const ResizePlan& work) {
  Layout layout;
  const int parts = parts_of(plan.type);
  layout.compute = work.compute;
  layout.element_bytes = element_bits(plan.type) / 8 / parts;
  layout.are_numbers = are_numbers(plan.type, layout);
  layout.arithmetic = work.compute == ComputeType::kFloat ? Arithmetic::kFloat : Arithmetic::kDouble;
  layout.vertical = &vertical_kernels(plan.type, work.compute);
  layout.overlapping = overlapping_kernels(plan.type, work.compute);
  size_t last = 0;
  for (const Pass& pass : work.passes) last = std::max(last, pass.axis);
  int64_t inner = parts;
  for (size_t d = last + 1; d < plan.in.size(); ++d) inner *= plan.in[d];
  layout.has_horizontal = inner < kMinRowNumbers;
  layout.row_axis = layout.has_horizontal ? last : last + 1;
  layout.channels = layout.has_horizontal ? inner : 1;
  choose_arithmetic(plan, work, layout);
  if (!layout.has_horizontal && pairs_pay(work, layout, last, inner)) {
    Layout paired = layout;
    paired.has_horizontal = true;
    paired.row_axis = last;
    paired.channels = inner;
    paired.pairs = find_pair_kernels(plan, work, paired);
    if (paired.pairs.both != nullptr) return paired;
  }
  layout.pairs = find_pair_kernels(plan, work, layout);
  return layout;
}

// The table of pass p. A pass of strips makes its tables in runs.
template <class C>
void make_table(const ResizePlan& work, const Layout& layout, size_t p, ResizeTables<C>& tables) {
  const Pass& pass = work.passes[p];
  if (has_strips(layout, pass)) {
    tables.strips = std::make_unique<ColumnStrips<C>>(pass.map.out);
    return;
  }
  const IndexRange whole = {0, pass.map.out};
  AxisTable taps = make_taps(layout, pass, p, whole);
  const IndexRange needed = input_range(pass.map, whole);
  if (!layout.is_horizontal(pass))
    tables.vertical[p] = std::make_unique<VerticalTable<C>>(make_vertical_table<C>(taps));
  else
    tables.horizontal = std::make_unique<HorizontalColumns<C>>(make_columns<C>(
        layout, p, std::move(taps), {0, needed.lo + needed.n}, layout.channels, p + 1 == work.passes.size()));
}

template <class C>
void make_tables(const Plan& plan, const ResizePlan& work, const Layout& layout, ResizeTables<C>& tables) {
  if (tables.joined != nullptr && tables.joined->passes.back().plane_numbers() <= kUncutPlane) return;
  for (size_t p = 0; p < work.passes.size(); ++p)
    if (is_kept(layout, work.passes[p], product(plan.out))) make_table(work, layout, p, tables);
}

}  // namespace

bool is_kept(const Layout& layout, const Pass& pass, int64_t outputs) {
  const int64_t most = std::clamp(4 * std::max(outputs, pass.map.in), kMaxStripTaps, kMaxSharedStripTaps);
  if (has_strips(layout, pass)) return pass.window <= most / layout.channels / pass.map.out;
  return pass.window <= kMaxKeptTaps / pass.map.out;
}

template <class C>
HorizontalColumns<C> make_columns(const Layout& layout, size_t p, AxisTable table, IndexRange in, int64_t channels,
                                  bool may_gather) {
  HorizontalColumns<C> columns;
  columns.in_lo = in.lo;
  if (layout.pairs.both != nullptr || layout.pairs.row != nullptr)
    columns.pairs = PixelPairs(table, in.lo, in.n, channels, layout.pairs.both != nullptr || !layout.are_numbers);
  if (may_gather) columns.gather = ColumnGather(table, in.lo, in.n, channels * layout.element_bytes);
  if (columns.gather) in = {0, columns.gather.extent()};
  HorizontalLine line = {table, in.lo, in.n, channels};
  line.of_bytes = layout.of_bytes && p == 0 && !columns.gather;
  make_horizontal_table(line, layout.rounding_of(p), columns.table);
  return columns;
}

#define TESELA_INSTANTIATE(C) \
  template HorizontalColumns<C> make_columns(const Layout&, size_t, AxisTable, IndexRange, int64_t, bool);
TESELA_FOR_EACH_ARITHMETIC(TESELA_INSTANTIATE)
#undef TESELA_INSTANTIATE

void bind_resize(const Plan& plan, const ResizePlan& work, ResizeProgram& program) {
  program.layout = find_layout(plan, work);
  program.mean_row = find_halves(plan, work, program.layout);
  program.visit([&]<class C>(C) {
    auto& tables = std::get<ResizeTables<C>>(program.tables);
    tables.vertical.resize(work.passes.size());
    if (program.mean_row != nullptr) return;
    if (const std::optional<JoinedPart> part = joined_part(plan, work, program.layout))
      tables.joined = make_joined_planes<C>(plan, work, program.layout, *part);
    make_tables(plan, work, program.layout, tables);
  });
}

namespace {

// Numbers in the longer of a box's input and output rows.
int64_t row_numbers(const Plan& plan, const Layout& layout, const Box& needed, const Box& output) {
  int64_t in = parts_of(plan.type);
  int64_t out = parts_of(plan.type);
  for (size_t d = layout.row_axis; d < plan.in.size(); ++d) {
    in *= layout.has_horizontal ? plan.in[d] : needed.n[d];
    out *= output.n[d];
  }
  return std::max(in, out);
}

}  // namespace

int64_t resize_scratch_bytes(const Plan& plan, const ResizePlan& work, const ResizeProgram& program,
                             const Box& output) {
  const Layout& layout = program.layout;
  int64_t joined = 0;
  program.visit([&]<class C>(C) {
    const auto& tables = std::get<ResizeTables<C>>(program.tables);
    if (tables.joined != nullptr) joined = scratch_numbers(*tables.joined);
  });
  const Box needed = input_region(plan, output);
  const int64_t row = row_numbers(plan, layout, needed, output) + 64;
  // Batches of rows, output rows and their transposition, then the rows that each pass keeps.
  int64_t numbers = row * (layout.has_horizontal ? 4 * kHorizontalBatch : 2);
  int64_t later = 1;
  int64_t tables = 0;
  for (size_t p = work.passes.size(); p-- > 0;) {
    const Pass& pass = work.passes[p];
    const int64_t n = layout.is_horizontal(pass) ? std::min(output.n[pass.axis], kStrip) : output.n[pass.axis];
    tables += is_kept(layout, pass, product(plan.out)) ? 0 : axis_table_bytes(pass.window, n);
    if (layout.is_horizontal(pass)) continue;
    const auto most = static_cast<uint64_t>(pass.window + kHorizontalBatch);
    if (p > 0) numbers += static_cast<int64_t>(std::bit_ceil(most)) * later * row;
    later *= needed.n[pass.axis];
  }
  return std::max(numbers, joined) * static_cast<int64_t>(layout.number_bytes()) + tables;
}

}  // namespace tesela::cpu
