// SPDX-License-Identifier: Apache-2.0
// Boxes, sizes, and plans without tables: fills and tiles.
#include "plan/plan.h"

#include <algorithm>

namespace tesela {

Status check_size(DataType type, const Extents& extents, const Limits& limits) {
  if (static_cast<int64_t>(extents.size()) > limits.max_rank)
    return limit_error("the output has rank {}; the limit is {}", extents.size(), limits.max_rank);
  TESELA_ASSIGN_OR_RETURN(const int64_t bytes, byte_count(type, extents));
  if (bytes > limits.max_output_bytes)
    return limit_error("the output {} {} takes {} bytes; the limit is {}", name(type), shape_text(extents), bytes,
                       limits.max_output_bytes);
  return {};
}

namespace {

Status check_strings(const Tensor& refs, const Limits& limits) {
  auto total = static_cast<uint64_t>(refs.bytes());
  const auto most = static_cast<uint64_t>(limits.max_output_bytes);
  for (const StringRef& text : refs.as<StringRef>()) {
    // The tensor's creator set these sizes, so their sum may overflow.
    if (text.size > most || total + text.size > most)
      return limit_error("the output of shape {} and its strings take more bytes than the limit of {}",
                         shape_text(refs.extents()), most);
    total += text.size;
  }
  return {};
}

// Copies the references, as 128-bit elements, so that their bytes can be counted.
Result<Tensor> dense_references(const TensorView& strings) {
  TensorView moved = strings;
  moved.type = DataType::kComplex128;
  TESELA_ASSIGN_OR_RETURN(const Tensor dense, Tensor::copy_of(moved));
  return Tensor::borrow(DataType::kString, strings.extents, dense.data(), dense.storage());
}

}  // namespace

Result<int64_t> held_bytes(const TensorView& view) {
  TESELA_ASSIGN_OR_RETURN(const int64_t bytes, byte_count(view.type, view.extents));
  if (view.type != DataType::kString) return bytes;
  TESELA_ASSIGN_OR_RETURN(const Tensor refs, dense_references(view));
  auto total = static_cast<uint64_t>(bytes);
  for (const StringRef& text : refs.as<StringRef>())
    if (__builtin_add_overflow(total, text.size, &total)) return INT64_MAX;
  return static_cast<int64_t>(std::min<uint64_t>(total, INT64_MAX));
}

Result<Tensor> copy_within(const TensorView& view, const Limits& limits) {
  TESELA_RETURN_IF_ERROR(check_size(view.type, view.extents, limits));
  if (view.type != DataType::kString) return Tensor::copy_of(view);
  TESELA_ASSIGN_OR_RETURN(const Tensor refs, dense_references(view));
  TESELA_RETURN_IF_ERROR(check_strings(refs, limits));
  return Tensor::copy_of(refs.view());
}

Status check_box(const Extents& lo, const Extents& n, const Extents& extents, std::string_view what) {
  if (lo.size() != extents.size() || n.size() != extents.size())
    return rank_error("the {} box has rank {}; expected {}", what, n.size(), extents.size());
  for (size_t d = 0; d < extents.size(); ++d)
    if (lo[d] < 0 || n[d] < 0 || lo[d] > extents[d] || n[d] > extents[d] - lo[d])
      return shape_error("the {} box begins at {} with extent {} on axis {}; expected a box within extent {}", what,
                         lo[d], n[d], d, extents[d]);
  return {};
}

Result<Plan> make_fill_plan(const FillParams& params, const Limits& limits) {
  TESELA_RETURN_IF_ERROR(check_size(params.type, params.out, limits));
  return Plan{params.type, {}, params.out, FillPlan{params.value}};
}

Result<Plan> make_tile_plan(const TileParams& params, const Limits& limits) {
  TESELA_RETURN_IF_ERROR(check_size(params.type, params.out, limits));
  return Plan{params.type, params.in, params.out, TilePlan{}};
}

namespace {

Box tile_region(const Plan& plan, const Box& output) {
  Box box = output;
  for (size_t d = 0; d < plan.in.size(); ++d) {
    const int64_t n = plan.in[d];
    const int64_t lo = output.lo[d] % n;
    // A range across the end of a copy needs both ends of the input, so its bounding box is the whole axis.
    const bool within = output.n[d] <= n - lo;
    box.lo[d] = within ? lo : 0;
    box.n[d] = within ? output.n[d] : n;
  }
  return box;
}

Box resize_region(const ResizePlan& work, const Box& output) {
  Box box = output;
  for (const Pass& pass : work.passes) {
    const IndexRange range = input_range(pass.map, {output.lo[pass.axis], output.n[pass.axis]});
    box.lo[pass.axis] = range.lo;
    box.n[pass.axis] = range.n;
  }
  return box;
}

Box emulated_region(const EmulatedPlan& work, const Box& output) {
  Box box = output;
  for (auto step = work.steps.rbegin(); step != work.steps.rend(); ++step)
    for (const EmulatedAxis& axis : step->axes) {
      const auto [lo, hi] = inputs_of(axis, box.lo[axis.axis], box.n[axis.axis]);
      box.lo[axis.axis] = lo;
      box.n[axis.axis] = hi - lo + 1;
    }
  return box;
}

}  // namespace

Box input_region(const Plan& plan, const Box& output) {
  const Box nothing = {Extents(plan.in.size(), 0), Extents(plan.in.size(), 0)};
  if (!plan.has_input() || std::find(output.n.begin(), output.n.end(), 0) != output.n.end()) return nothing;
  if (std::holds_alternative<TilePlan>(plan.work)) return tile_region(plan, output);
  if (const auto* emulated = std::get_if<EmulatedPlan>(&plan.work)) return emulated_region(*emulated, output);
  return resize_region(std::get<ResizePlan>(plan.work), output);
}

}  // namespace tesela
