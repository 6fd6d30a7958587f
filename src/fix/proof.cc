// SPDX-License-Identifier: Apache-2.0
// Plans and runs pairs of calls.
#include "fix/proof.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>

#include "backend/float_environment.h"
#include "backend/program.h"
#include "fix/draw.h"
#include "plan/resolve.h"
#include "types/elements.h"
#include "types/packed.h"

namespace tesela::fix {
namespace {

constexpr int64_t kMostOutputs = 4096;              // elements of a box
constexpr int64_t kUsualInputs = int64_t{1} << 15;  // elements that a box needs
constexpr int64_t kMostInputs = int64_t{1} << 18;   // elements that one output may need

struct Pair {
  const Plan& before;
  const Plan& after;
};

// The region that both plans need for a box.
Box region_of(const Pair& plans, const Box& output) {
  Box region = input_region(plans.before, output);
  const Box other = input_region(plans.after, output);
  for (size_t d = 0; d < region.n.size(); ++d) {
    if (region.n[d] == 0 || other.n[d] == 0) {
      if (region.n[d] == 0) region.lo[d] = other.lo[d], region.n[d] = other.n[d];
      continue;
    }
    const int64_t end = std::max(region.lo[d] + region.n[d], other.lo[d] + other.n[d]);
    region.lo[d] = std::min(region.lo[d], other.lo[d]);
    region.n[d] = end - region.lo[d];
  }
  return region;
}

// Whether a product of extents is above a limit, also where it overflows.
bool exceeds(const Extents& extents, int64_t most) {
  const Result<int64_t> count = element_count(extents);
  return !count.ok() || *count > most;
}

void halve_largest(Box& box, const Extents& out, int which) {
  const auto largest = static_cast<size_t>(std::ranges::max_element(box.n) - box.n.begin());
  box.n[largest] = (box.n[largest] + 1) / 2;
  // 0: at the beginning, 1: at the end, 2: between.
  const int64_t room = out[largest] - box.n[largest];
  box.lo[largest] = which == 0 ? 0 : which == 1 ? room : room / 2;
}

// A box of the output that can be run. Errors: limit.
Result<Box> runnable_box(const Pair& plans, int which) {
  const Extents& out = plans.before.out;
  Box box{Extents(out.size(), 0), out};
  while (exceeds(box.n, kMostOutputs)) halve_largest(box, out, which);
  if (!plans.before.has_input()) return box;
  while (product(box.n) > 1 && exceeds(region_of(plans, box).n, kUsualInputs)) halve_largest(box, out, which);
  if (exceeds(region_of(plans, box).n, kMostInputs))
    return limit_error("one output takes more than {} inputs", kMostInputs);
  return box;
}

Tensor zeroed(DataType type, const Extents& extents) {
  Result<Tensor> tensor = Tensor::allocate(type, extents);
  if (!tensor.ok()) throw std::bad_alloc();
  std::memset(tensor->mutable_data(), 0, static_cast<size_t>(tensor->bytes()));
  return std::move(*tensor);
}

void put(Tensor& tensor, int64_t index, const std::byte* element) {
  const int bits = element_bits(tensor.type());
  if (bits < 8)
    set_packed(tensor.mutable_data(), index * bits, bits, static_cast<uint8_t>(element[0]));
  else
    std::memcpy(tensor.mutable_data() + index * (bits / 8), element, static_cast<size_t>(bits / 8));
}

void get(const Tensor& tensor, int64_t index, std::byte* element) {
  const int bits = element_bits(tensor.type());
  if (bits < 8)
    element[0] = std::byte{get_packed(tensor.data(), index * bits, bits)};
  else
    std::memcpy(element, tensor.data() + index * (bits / 8), static_cast<size_t>(bits / 8));
}

// A box of the input: each element follows from its position in the whole.
Tensor random_box(DataType type, const Box& box, uint64_t seed) {
  Tensor tensor = zeroed(type, box.n);
  const int64_t count = tensor.count();
  Extents at = box.lo;
  for (int64_t index = 0; index < count; ++index) {
    uint64_t position = 0;
    for (const int64_t i : at) position = position * 0x100000001b3u + static_cast<uint64_t>(i);
    std::byte element[16] = {};
    draw_element(type, seed, static_cast<int64_t>(position), element);
    put(tensor, index, element);
    for (size_t d = at.size(); d-- > 0;) {
      if (++at[d] < box.lo[d] + box.n[d]) break;
      at[d] = box.lo[d];
    }
  }
  return tensor;
}

Tensor run(const Plan& plan, const Tensor& input, const Box& region, const Box& box) {
  Tensor output = zeroed(plan.type, box.n);
  if (output.count() == 0) return output;
  const TensorView view = plan.has_input() ? input.view() : TensorView();
  const FloatEnvironment environment;
  bind(plan, Backend::reference)->run_box(plan, {view, region.lo, output.mutable_view(), box.lo, nullptr}, {});
  return output;
}

bool is_same(DataType type, const std::byte* a, const std::byte* b) {
  if (type != DataType::kString) return std::memcmp(a, b, 16) == 0;
  StringRef x, y;
  std::memcpy(&x, a, sizeof x);
  std::memcpy(&y, b, sizeof y);
  return x.view() == y.view();
}

void compare_outputs(const Tensor& a, const Tensor& b, Comparison& found) {
  const DataType type = a.type();
  const int64_t count = a.count();
  found.outputs += count;
  for (int64_t i = 0; i < count; ++i) {
    std::byte x[16] = {}, y[16] = {};
    get(a, i, x);
    get(b, i, y);
    if (is_same(type, x, y)) continue;
    ++found.different;
    if (type == DataType::kString) continue;
    double u[2] = {}, v[2] = {};
    element_to_doubles(type, x, u);
    element_to_doubles(type, y, v);
    for (int part = 0; part < parts_of(type); ++part)
      if (const double d = std::abs(u[part] - v[part]); d > found.difference) found.difference = d;
  }
}

// What a box costs, in taps: the elements of its input, and the outputs of each pass with their taps.
int64_t taps_of(const Plan& plan, const Box& region, const Box& output) {
  int64_t taps = product(region.n) + product(output.n);
  const ResizePlan* work = plan.interpolation();
  if (work == nullptr) return taps;
  Extents n = region.n;
  for (const Pass& pass : work->passes) {
    n[pass.axis] = output.n[pass.axis];
    taps += product(n) * std::min(pass.window, kMostInputs);
  }
  return taps;
}

Status compare_plans(const Pair& plans, uint64_t seed, ProofEffort& effort, Comparison& found) {
  ++found.calls;
  if (!(plans.before.out == plans.after.out)) {
    found.has_other_extents = true;
    return {};
  }
  const bool is_small = !exceeds(plans.before.out, kMostOutputs);
  for (int which = 0; which < (is_small ? 1 : 3); ++which) {
    TESELA_ASSIGN_OR_RETURN(const Box box, runnable_box(plans, which));
    const Box region = plans.before.has_input() ? region_of(plans, box) : Box();
    effort.left -= taps_of(plans.before, region, box) + taps_of(plans.after, region, box);
    if (effort.left < 0) return limit_error("proving all changes would take too long");
    const Tensor input = plans.before.has_input() ? random_box(plans.before.type, region, seed) : Tensor();
    compare_outputs(run(plans.before, input, region, box), run(plans.after, input, region, box), found);
  }
  return {};
}

Result<Plan> plan_of(const Call& call, Inputs old, const Limits& limits) {
  const CallInfos infos(call, old);
  return make_plan(call.op, infos.view(), limits);
}

}  // namespace

Result<Comparison> compare(const Call& before, const Call& after, Inputs known, const Limits& limits,
                           ProofEffort& effort) {
  constexpr int kMostTries = 24;
  constexpr int64_t kCalls = 4;
  Random random(7);
  Comparison found;
  Status last;
  for (int k = 0; k < kMostTries && found.calls < kCalls; ++k) {
    const DrawnInputs drawn(before, known, random);
    found.is_drawn = drawn.any();
    effort.left -= 256;  // of planning
    if (effort.left < 0) return limit_error("proving all changes would take too long");
    Result<Plan> ours = plan_of(before, drawn.view(), limits);
    if (!ours.ok() && ours.status().code() == TESELA_ERROR_NO_MEMORY) throw std::bad_alloc();
    if (!ours.ok() && !drawn.any()) return ours.status();
    last = ours.status();
    if (!ours.ok()) continue;
    TESELA_ASSIGN_OR_RETURN(const Plan theirs, plan_of(after, drawn.view(), limits));
    TESELA_RETURN_IF_ERROR(compare_plans({*ours, theirs}, random.next(), effort, found));
    if (!drawn.any()) break;
  }
  if (found.calls == 0) return last;
  return found;
}

}  // namespace tesela::fix
