// SPDX-License-Identifier: Apache-2.0
// Cases of moves.
#include "backend/cpu/move/move_cases.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "backend/cpu/guarded_bytes.h"
#include "backend/program.h"
#include "backend/reference/reference.h"

namespace tesela::testing {
namespace {

// Bytes before and after the first element of a box.
struct Reach {
  int64_t before = 0;
  int64_t after = 0;
};

Reach reach(DataType type, const Extents& extents, const Extents& strides, int64_t bit) {
  if (product(extents) == 0) return {};
  if (is_packed(type)) return {0, (product(extents) * element_bits(type) + bit + 7) / 8};
  const Extents dense = dense_strides(type, extents);
  Reach reach = {0, element_bits(type) / 8};
  for (size_t d = 0; d < extents.size(); ++d) {
    const int64_t span = (strides.empty() ? dense : strides)[d] * (extents[d] - 1);
    (span < 0 ? reach.before : reach.after) += std::abs(span);
  }
  return reach;
}

std::string text(const Case& c) {
  const char* kinds[] = {"fill", "tile", "nearest"};
  return fmt::format("{} {} {} -> {}, box {} + {}, input box {} + {}, strides {} -> {}, bits {} {}, shifts {} {}, {}{}",
                     kinds[c.plan.work.index()], name(c.plan.type), shape_text(c.plan.in), shape_text(c.plan.out),
                     list_text(c.output.lo), list_text(c.output.n), list_text(c.input.lo), list_text(c.input.n),
                     list_text(c.input_strides), list_text(c.output_strides), c.input_bit, c.output_bit, c.input_shift,
                     c.output_shift, c.at_end ? "at the end" : "at the begin",
                     c.stream ? ", streamed" : fmt::format(", a run of {} bytes", c.run_bytes));
}

void fill_randomly(Random& random, GuardedBytes& bytes) {
  for (int64_t i = 0; i < bytes.size(); ++i) bytes.data()[i] = static_cast<std::byte>(random());
}

uint64_t tasks(cpu::Kernel kernel) {
  return cpu::kernel_tasks[static_cast<size_t>(kernel)];
}

// ---- Plans ---------------------------------------------------------------------------------------------------------

// One type of each width, then the packed ones.
constexpr DataType kTypes[] = {DataType::kUint8,  DataType::kFloat16,    DataType::kFloat, DataType::kInt64,
                               DataType::kString, DataType::kComplex128, DataType::kInt4,  DataType::kUint2};
AxisRequest to_size(size_t axis, int64_t in, int64_t out) {
  return {.axis = axis, .in = in, .out = out, .exact = true, .scale_num = out, .scale_den = in};
}

Extents random_extents(Random& random, int64_t rank, int64_t most) {
  Extents extents;
  for (int64_t d = 0; d < rank; ++d) extents.push_back(one_in(random, 4) ? pick(random, 1, 4) : pick(random, 1, most));
  return extents;
}

Plan random_plan(Random& random) {
  const DataType type = kTypes[pick(random, 0, std::ssize(kTypes) - 1)];
  const int64_t rank = pick(random, 0, 5);
  const int64_t most = std::array<int64_t, 6>{1, 300, 40, 16, 9, 5}[static_cast<size_t>(rank)];
  const Extents in = random_extents(random, rank, most);
  switch (pick(random, 0, 4)) {
    case 0: return fill_plan(type, in, random);
    case 1:
    case 2: return tile_plan(type, in, random_extents(random, rank, 5));
    default: break;
  }
  ResizeParams params = {type, in, random_sampling(random, type != DataType::kString), {}};
  for (size_t d = 0; d < in.size(); ++d) {
    if (one_in(random, 3)) continue;
    params.axes.push_back(random_request(random, d, in[d]));
    if (params.sampling.coordinates == CoordinateMode::kTfCropAndResize) set_random_roi(random, params.axes.back());
  }
  return *make_resize_plan(params, Limits::none());
}

// Strides of a box: axes in any order, with gaps. Strides of inputs may also be negative or 0.
Extents random_strides(Random& random, DataType type, const Extents& extents, bool is_input) {
  if (is_packed(type) || one_in(random, 2)) return {};
  std::vector<size_t> order(extents.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (one_in(random, 2)) std::shuffle(order.begin(), order.end(), random);
  Extents strides(extents.size(), 0);
  int64_t stride = element_bits(type) / 8;
  for (size_t k = order.size(); k-- > 0;) {
    if (one_in(random, 4)) stride += pick(random, 1, 40);
    strides[order[k]] = one_in(random, 6) ? -stride : stride;
    if (is_input && one_in(random, 8)) strides[order[k]] = 0;
    stride *= extents[order[k]];
  }
  return strides;
}

Box random_box(Random& random, const Extents& extents) {
  Box box = {Extents(extents.size(), 0), extents};
  for (size_t d = 0; d < extents.size(); ++d) {
    if (one_in(random, 2)) continue;
    box.lo[d] = pick(random, 0, extents[d]);
    box.n[d] = pick(random, 0, extents[d] - box.lo[d]);
  }
  return box;
}

}  // namespace

Case whole(Plan plan) {
  Case c;
  c.output = {Extents(plan.out.size(), 0), plan.out};
  c.input = {Extents(plan.in.size(), 0), plan.in};
  c.plan = std::move(plan);
  return c;
}

// Runs the case twice, over outputs filled with two different canaries.
void expect_equal_to_reference(const Case& c) {
  Random random(1);
  const Reach in = reach(c.plan.type, c.input.n, c.input_strides, c.input_bit);
  const Reach out = reach(c.plan.type, c.output.n, c.output_strides, c.output_bit);
  GuardedBytes input(in.before + in.after, c.input_shift, c.at_end);
  GuardedBytes output(out.before + out.after, c.output_shift, c.at_end);
  std::vector<std::byte> expected(static_cast<size_t>(output.size()));
  fill_randomly(random, input);
  BoxRun run;
  run.input = {input.data() + in.before, c.plan.type, c.input.n, c.input_strides, c.input_bit};
  run.input_lo = c.input.lo;
  run.output_lo = c.output.lo;
  for (const auto canary : {std::byte{0x5a}, std::byte{0xa5}}) {
    std::fill(expected.begin(), expected.end(), canary);
    run.output = {expected.data() + out.before, c.plan.type, c.output.n, c.output_strides, c.output_bit};
    reference::move_box(c.plan, run);
    std::fill_n(output.data(), output.size(), canary);
    run.output.data = output.data() + out.before;
    cpu::bind(c.plan)->run_box(c.plan, run, {.run_output_bytes = c.stream ? INT64_MAX / 2 : c.run_bytes});
    const auto wrong = std::mismatch(expected.begin(), expected.end(), output.data());
    ASSERT_EQ(wrong.first, expected.end()) << text(c) << ": differs from byte " << wrong.first - expected.begin();
  }
}

void expect_kernel(const Case& c, cpu::Kernel kernel) {
  const uint64_t before = tasks(kernel);
  expect_equal_to_reference(c);
  EXPECT_GT(tasks(kernel), before) << text(c) << " did not run " << cpu::kKernelRows[static_cast<size_t>(kernel)].name;
}

Plan fill_plan(DataType type, Extents out, Random& random) {
  FillParams params = {type, std::move(out), {}};
  for (std::byte& byte : params.value) byte = static_cast<std::byte>(random());
  return *make_fill_plan(params, Limits::none());
}

Plan tile_plan(DataType type, const Extents& in, const Extents& repeats) {
  Extents out = in;
  for (size_t d = 0; d < in.size(); ++d) out[d] *= repeats[d];
  return *make_tile_plan({type, in, out}, Limits::none());
}

Plan nearest_plan(DataType type, Extents in, const Extents& out, SamplingParams sampling) {
  ResizeParams params = {type, std::move(in), sampling, {}};
  for (size_t d = 0; d < out.size(); ++d) params.axes.push_back(to_size(d, params.in[d], out[d]));
  return *make_resize_plan(params, Limits::none());
}

SamplingParams random_sampling(Random& random, bool crops) {
  SamplingParams sampling;
  sampling.coordinates = pick_any<CoordinateMode>(random);
  if (!crops && sampling.coordinates == CoordinateMode::kTfCropAndResize)
    sampling.coordinates = CoordinateMode::kHalfPixel;
  sampling.nearest = pick_any<NearestMode>(random);
  sampling.extrapolation_value = 7;
  return sampling;
}

AxisRequest random_request(Random& random, size_t axis, int64_t in) {
  constexpr double kScales[] = {2, 3, 0.5, 1.5, 0.75, 0.1f, 0.3f, 1.1f, 4, 2.000001, 0.25};
  if (one_in(random, 2)) return to_size(axis, in, pick(random, 1, 3 * in + 2));
  AxisRequest request = {.axis = axis, .in = in};
  request.scale = kScales[pick(random, 0, std::ssize(kScales) - 1)];
  request.out = static_cast<int64_t>(std::floor(static_cast<double>(in) * request.scale));
  return request;
}

void set_random_roi(Random& random, AxisRequest& request) {
  request.roi_start = static_cast<double>(pick(random, -2, 10)) / 8;
  request.roi_end = static_cast<double>(pick(random, -2, 10)) / 8;
}

Case random_case(Random& random) {
  Case c;
  c.plan = random_plan(random);
  c.output = random_box(random, c.plan.out);
  c.input = input_region(c.plan, c.output);
  if (one_in(random, 3)) c.input = {Extents(c.plan.in.size(), 0), c.plan.in};
  c.input_strides = random_strides(random, c.plan.type, c.input.n, true);
  c.output_strides = random_strides(random, c.plan.type, c.output.n, false);
  if (is_packed(c.plan.type)) {
    c.input_bit = pick(random, 0, 3) * element_bits(c.plan.type);
    c.output_bit = pick(random, 0, 3) * element_bits(c.plan.type);
  }
  c.input_shift = one_in(random, 2) ? 0 : pick(random, 0, 63);
  c.output_shift = one_in(random, 2) ? 0 : pick(random, 0, 63);
  c.at_end = one_in(random, 2);
  c.stream = one_in(random, 3);
  if (one_in(random, 3)) c.run_bytes = int64_t{8} << 20;
  return c;
}

}  // namespace tesela::testing
