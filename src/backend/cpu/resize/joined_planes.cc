// SPDX-License-Identifier: Apache-2.0
// Joins small planes into lines, and runs horizontal passes along them.
#include "backend/cpu/resize/joined_planes.h"

#include <algorithm>
#include <bit>

#include "backend/cpu/kernels.h"
#include "backend/cpu/resize/horizontal_kernels.h"
#include "backend/cpu/resize/joined_rules.h"
#include "backend/cpu/resize/program.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/tuning.h"
#include "types/elements.h"

namespace tesela::cpu {
namespace {

// Groups of a line: it has some whole vectors, or is so long that the last vector does not matter.
int64_t groups_of_line(int64_t numbers, int64_t lanes) {
  constexpr int64_t kShortLine = 4;  // vectors
  constexpr int64_t kLongLine = 16;
  int64_t groups = 1;
  const auto is_long = [&] {
    const int64_t line = groups * numbers;
    return line % lanes == 0 ? line >= kShortLine * lanes : line >= kLongLine * lanes;
  };
  while (!is_long()) groups *= 2;
  return groups;
}

// The table of a line of groups. groups: all of them.
template <class C>
void make_table(HorizontalLine line, const Rounding& rounding, int64_t groups, JoinedPass<C>& joined) {
  const int64_t lanes = horizontal_kernels<C>().lanes;
  const auto make = [&](int64_t copies) {
    joined.groups = line.copies = copies;
    make_horizontal_table(line, rounding, joined.table);
  };
  const auto make_again = [&](int64_t copies) {
    joined.table = {};
    make(copies);
  };
  // A vector of lines is transposed, so there should be many.
  const int64_t transposed = (lanes + joined.in - 1) / joined.in;
  line.few_rows = groups < lanes * transposed;
  make(groups_of_line(joined.out, lanes));
  // Where rows shrink so much that a vector's inputs are far apart, those of fewer outputs are in four vectors.
  if (joined.table.kind == HorizontalKind::kTransposed) make_again(std::max(4 * lanes / joined.in, transposed));
  if (joined.table.kind == HorizontalKind::kTransposed && joined.groups != transposed) make_again(transposed);
}

// Whether the taps of a pass are those of the pass before, as in most squares.
bool has_same_taps(const Layout& layout, const std::vector<Pass>& passes, size_t p) {
  const bool has_same_bits = layout.weight_bits.empty() || layout.weight_bits[p] == layout.weight_bits[p - 1];
  return has_same_bits && passes[p].map == passes[p - 1].map;
}

PlanePart make_part(const Plan& plan, const Box& box, size_t first) {
  PlanePart part;
  part.stride = parts_of(plan.type);
  part.loops.push_back({part.stride, 1});
  bool is_whole = true;  // the axes so far, which the next one continues in memory
  for (size_t d = plan.in.size(); d-- > first; part.stride *= plan.in[d]) {
    if (is_whole)
      part.loops.back().count *= box.n[d];
    else
      part.loops.push_back({box.n[d], part.stride});
    is_whole = box.n[d] == plan.in[d];
    part.begin += box.lo[d] * part.stride;
  }
  part.is_whole = part.loops.size() == 1 && is_whole;
  return part;
}

// Planes whose numbers stay in the caches, and which fill vectors. needed: the numbers of a plane's part.
template <class C>
int64_t planes_of_block(const JoinedPlanes<C>& joined, int64_t needed) {
  constexpr int64_t kAligned = 16;
  int64_t largest = needed;
  int64_t transposed = 1;
  for (const JoinedPass<C>& pass : joined.passes) {
    largest = std::max(largest, pass.plane_groups * pass.out);
    if (pass.table.kind == HorizontalKind::kTransposed)
      transposed = std::max(transposed, kHorizontalBatch * pass.groups / pass.plane_groups);
  }
  const auto planes = static_cast<uint64_t>(std::max({kJoinedNumbers / largest, transposed, int64_t{1}}));
  return static_cast<int64_t>(planes >= kAligned ? planes / kAligned * kAligned : std::bit_floor(planes));
}

// The part of a plane that is in the input box, counted in numbers from the plane's beginning.
struct Present {
  int64_t begin = 0;
  int64_t end = 0;
};

// Whether the view has planes of this shape, or parts of them, one after the other in memory.
template <class View>
bool has_planes(const View& view, const Extents& plane_of, size_t first, int64_t element_bytes) {
  if (view.strides_bytes.empty())
    return std::equal(view.extents.begin() + first, view.extents.end(), plane_of.begin() + first);
  int64_t dense = element_bytes;
  for (size_t d = view.extents.size(); d-- > 0;) {
    if (view.extents[d] != 1 && view.strides_bytes[d] != dense) return false;
    dense *= d < first ? view.extents[d] : plane_of[d];
  }
  return true;
}

template <class C>
int64_t lines_of(const JoinedPass<C>& pass, int64_t planes) {
  return (planes * pass.plane_groups + pass.groups - 1) / pass.groups;
}

// Numbers that the kernels of a pass read, and write, for so many planes.
template <class C>
int64_t numbers_read(const JoinedPass<C>& pass, int64_t planes) {
  return (lines_of(pass, planes) - 1) * pass.groups * pass.in + pass.table.reach;
}
template <class C>
int64_t numbers_written(const JoinedPass<C>& pass, int64_t planes) {
  return lines_of(pass, planes) * pass.groups * pass.out;
}

// Numbers before or after any pass.
template <class C>
int64_t line_numbers(const JoinedPlanes<C>& joined, int64_t planes) {
  int64_t most = 0;
  for (const JoinedPass<C>& pass : joined.passes) {
    const int64_t lines = lines_of(pass, planes) * pass.groups;
    most = std::max({most, numbers_read(pass, planes), lines * pass.in, numbers_written(pass, planes)});
  }
  return round_to_rows(most);
}

template <class C>
class JoinedRun {
 public:
  JoinedRun(const Plan& plan, const Layout& layout, const JoinedPlanes<C>& planes, const BoxRun& run, bool stream,
            std::span<std::byte> scratch)
      : layout_(layout), joined_(planes), run_(run), stream_(stream), scratch_(scratch) {
    const size_t first = pass_axes(std::get<ResizePlan>(plan.work)).first;
    planes_ = product_from(run.output.extents, 0, first);
    int64_t stride = parts_of(plan.type);
    present_.end = stride;
    for (size_t d = plan.in.size(); d-- > first; stride *= plan.in[d]) {
      present_.begin += run.input_lo[d] * stride;
      present_.end += (run.input_lo[d] + run.input.extents[d] - 1) * stride;
    }
    const int64_t numbers = line_numbers(planes, std::min(planes.planes, planes_));
    for (C*& line : lines_) line = scratch_.take<C>(numbers);
  }

  void run() {
    for (int64_t k = 0; k < planes_; k += joined_.planes) run_block(k, std::min(joined_.planes, planes_ - k));
    count_task(Kernel::joined_planes);
    for (const JoinedPass<C>& pass : joined_.passes) count_task(kernel_of(pass.table.kind));
    count_arithmetic(layout_.arithmetic);
  }

 private:
  // The planes [k, k + n).
  void run_block(int64_t k, int64_t n) {
    const C* from = read(k, n);
    for (size_t p = 0; p < joined_.passes.size(); ++p) {
      const JoinedPass<C>& pass = joined_.passes[p];
      const int64_t groups = n * pass.plane_groups;
      if (run_.watch != nullptr) run_.watch->spend(groups * std::max(pass.in, pass.out));
      C* const made = from == lines_[0] ? lines_[1] : lines_[0];
      if (p + 1 == joined_.passes.size()) {
        finish(p, from, made, run_.output.data + k * pass.plane_groups * pass.out * layout_.element_bytes, groups);
        return;
      }
      resample(pass, from, made, groups, false);
      clear(made, numbers_written(pass, n), numbers_read(joined_.passes[p + 1], n));
      from = made;
    }
  }

  // The last pass, to the output: whole lines in place, where they need no conversion.
  void finish(size_t p, const C* from, C* made, std::byte* out, int64_t groups) {
    const JoinedPass<C>& pass = joined_.passes[p];
    const int64_t in_place = layout_.are_numbers ? groups / pass.groups * pass.groups : 0;
    resample(pass, from, reinterpret_cast<C*>(out), in_place, true);
    if (in_place == groups) return;
    resample(pass, from + in_place * pass.in, made, groups - in_place, false);
    const bool has_fraction = layout_.arithmetic == Arithmetic::kPowerOfTwo;
    layout_.vertical->round(made, out + in_place * pass.out * layout_.element_bytes, (groups - in_place) * pass.out,
                            has_fraction ? layout_.rounding_of(p) : Rounding());
  }

  // Kernels read, but do not use, what follows the last plane.
  static void clear(C* line, int64_t begin, int64_t end) {
    if (begin < end) std::fill(line + begin, line + end, C{0});
  }

  // The planes' numbers, in place if the kernels may read them and what follows.
  const C* read(int64_t k, int64_t n) {
    const JoinedPass<C>& pass = joined_.passes[0];
    const int64_t plane = pass.plane_groups * pass.in;
    const int64_t reach = numbers_read(pass, n);
    if (const PlanePart& part = joined_.part; !part.is_whole) {
      const int64_t begin = k * part.stride + part.begin - present_.begin;
      read_part(part.loops.size(), run_.input.data + begin * layout_.element_bytes, n, part.stride, lines_[0]);
      clear(lines_[0], n * plane, reach);
      return lines_[0];
    }
    const int64_t begin = k * plane - present_.begin;  // from the first number that is present
    const int64_t present = (planes_ - k - 1) * plane + present_.end;
    if (layout_.are_numbers && begin + pass.table.begin >= 0 && reach <= present)
      return reinterpret_cast<const C*>(run_.input.data) + begin;
    const std::byte* const source = run_.input.data + k * plane * layout_.element_bytes;
    clear(lines_[0], 0, present_.begin);
    const int64_t padded = std::max(reach, n * plane) - present_.begin;
    const int64_t copied = std::min(present, n * plane) - present_.begin;
    layout_.vertical->widen({source, 0, 1, lines_[0] + present_.begin, 0, copied, padded});
    return lines_[0];
  }

  // The numbers of the loops before this one, the innermost first, for so many indices of what is outside of them; returns their end.
  C* read_part(size_t loop, const std::byte* from, int64_t count, int64_t stride, C* to) {
    const int64_t step = stride * layout_.element_bytes;
    if (loop == 1) {
      const int64_t n = joined_.part.loops[0].count;
      layout_.vertical->widen({from, step, count, to, n, n, n});
      return to + count * n;
    }
    const PlanePart::Loop& inner = joined_.part.loops[loop - 1];
    for (int64_t i = 0; i < count; ++i, from += step) to = read_part(loop - 1, from, inner.count, inner.stride, to);
    return to;
  }

  void resample(const JoinedPass<C>& pass, const C* from, C* to, int64_t groups, bool to_output) {
    const C* in[kHorizontalBatch];
    C* out[kHorizontalBatch];
    C* const scratch = scratch_of(pass);
    for (int64_t g = 0; g < groups;) {
      int64_t count = 0;
      for (; count < kHorizontalBatch && g < groups; ++count, g += pass.groups) {
        in[count] = from + g * pass.in;
        out[count] = to + g * pass.out;
      }
      run_horizontal(pass.table, {in, out, count, scratch, to_output}, stream_ && to_output);
    }
  }

  C* scratch_of(const JoinedPass<C>& pass) {
    if (const int64_t numbers = scratch_numbers(pass.table); numbers > 0 && transposed_ == nullptr) {
      int64_t most = 0;
      for (const JoinedPass<C>& each : joined_.passes) most = std::max(most, scratch_numbers(each.table));
      transposed_ = scratch_.take<C>(most);
    }
    return transposed_;
  }

  const Layout& layout_;
  const JoinedPlanes<C>& joined_;
  const BoxRun& run_;
  const bool stream_;
  Scratch scratch_;
  int64_t planes_ = 0;
  Present present_;
  C* lines_[2] = {};
  C* transposed_ = nullptr;
};

}  // namespace

template <class C>
std::unique_ptr<const JoinedPlanes<C>> make_joined_planes(const Plan& plan, const ResizePlan& work,
                                                          const Layout& layout, const JoinedPart& part) {
  auto result = std::make_unique<JoinedPlanes<C>>();
  const size_t first = pass_axes(work).first;
  const int64_t planes = product_from(plan.in, 0, first);
  result->part = make_part(plan, part.read, first);
  Extents extents = part.read.n;
  result->passes.reserve(work.passes.size());
  AxisTable taps;
  for (size_t p = 0; p < work.passes.size(); ++p) {
    const Pass& pass = work.passes[p];
    if (p == 0 || !has_same_taps(layout, work.passes, p)) taps = make_taps(layout, pass, p, {0, pass.map.out});
    const int64_t in = extents[pass.axis];
    const int64_t out = pass.map.out;
    const int64_t channels = parts_of(plan.type) * product_from(extents, pass.axis + 1, extents.size());
    JoinedPass<C>& joined = result->passes.emplace_back();
    joined.plane_groups = product_from(extents, first, pass.axis);
    joined.in = in * channels;
    joined.out = out * channels;
    make_table({taps, part.read.lo[pass.axis], in, channels}, layout.rounding_of(p), planes * joined.plane_groups,
               joined);
    extents[pass.axis] = out;
  }
  result->planes = planes_of_block(*result, part.needed);
  return result;
}

Extents joined_strips(const Plan& plan, const ResizePlan& work) {
  Extents strips = plan.out;
  std::fill_n(strips.begin(), pass_axes(work).first, 1);
  return strips;
}

template <class C>
int64_t scratch_numbers(const JoinedPlanes<C>& planes) {
  return 2 * line_numbers(planes, planes.planes);
}

template <class C>
bool run_joined_planes(const Plan& plan, const Layout& layout, const JoinedPlanes<C>& planes, const BoxRun& run,
                       bool stream, std::span<std::byte> scratch) {
  const size_t first = pass_axes(std::get<ResizePlan>(plan.work)).first;
  const int64_t bytes = element_bits(plan.type) / 8;
  const auto is_whole =
      std::equal(run.output.extents.begin() + first, run.output.extents.end(), plan.out.begin() + first);
  if (!is_whole || !has_planes(run.input, plan.in, first, bytes) || !has_planes(run.output, plan.out, first, bytes))
    return false;
  JoinedRun<C>(plan, layout, planes, run, stream, scratch).run();
  return true;
}

#define TESELA_INSTANTIATE(C)                                                                                       \
  template std::unique_ptr<const JoinedPlanes<C>> make_joined_planes(const Plan&, const ResizePlan&, const Layout&, \
                                                                     const JoinedPart&);                            \
  template int64_t scratch_numbers(const JoinedPlanes<C>&);                                                         \
  template bool run_joined_planes(const Plan&, const Layout&, const JoinedPlanes<C>&, const BoxRun&, bool,          \
                                  std::span<std::byte>);
TESELA_FOR_EACH_ARITHMETIC(TESELA_INSTANTIATE)
#undef TESELA_INSTANTIATE

}  // namespace tesela::cpu
