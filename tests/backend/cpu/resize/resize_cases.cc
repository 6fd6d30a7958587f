// SPDX-License-Identifier: Apache-2.0
// Cases of resizes.
#include "backend/cpu/resize/resize_cases.h"

#include <gtest/gtest.h>

#include <cstring>

#include "backend/program.h"
#include "backend/reference/reference.h"
#include "types/elements.h"

namespace tesela::testing {

AxisRequest cropped(size_t axis, int64_t in, int64_t out, double start, double end) {
  AxisRequest request = {.axis = axis, .in = in, .out = out};
  request.scale = static_cast<double>(out) / static_cast<double>(in);
  request.roi_start = start;
  request.roi_end = end;
  return request;
}

void fill_random(Random& random, DataType type, GuardedBytes& buffer) {
  const int64_t part = element_bits(type) / 8 / parts_of(type);
  const double special[] = {0.0, -0.0, 1e-42, -1e-310, 1e30, INFINITY, -INFINITY, NAN};
  const bool with_specials = pick(random, 0, 2) == 0;
  for (int64_t at = 0; at < buffer.size(); at += part) {
    double value = std::uniform_real_distribution<double>(-300, 300)(random);
    if (with_specials && pick(random, 0, 15) == 0) value = special[pick(random, 0, 7)];
    std::byte element[16];
    element_from_double(type, value, element);
    if (traits(type).kind == DataKind::kSigned || traits(type).kind == DataKind::kUnsigned) {
      const auto bits = random();
      std::memcpy(element, &bits, static_cast<size_t>(part));
    }
    std::memcpy(buffer.data() + at, element, static_cast<size_t>(part));
  }
}

ResizeParams random_params(Random& random) {
  ResizeParams params;
  params.type = kComputedTypes[static_cast<size_t>(pick(random, 0, std::ssize(kComputedTypes) - 1))];
  params.sampling.filter = pick(random, 0, 1) ? Filter::kLinear : Filter::kCubic;
  params.sampling.coordinates = pick_any<CoordinateMode>(random);
  params.sampling.antialias = pick(random, 0, 1);
  params.sampling.exclude_outside = pick(random, 0, 3) == 0;
  params.sampling.extrapolation_value = 7.5f;
  const size_t rank = static_cast<size_t>(pick(random, 1, 4));
  int64_t room = 3000;
  for (size_t d = 0; d < rank; ++d) {
    const int64_t longest = std::max<int64_t>(room, 1);
    const bool is_long = pick(random, 0, 2) == 0;
    params.in.push_back(pick(random, 1, std::min<int64_t>(longest, is_long ? 400 : 12)));
    room /= params.in[d];
  }
  room = 6000;
  for (size_t d = 0; d < rank; ++d) {
    if (pick(random, 0, 2) == 0) continue;
    const int64_t factor = pick(random, 1, 4);
    int64_t out = pick(random, 1, 3) == 1 ? params.in[d] * factor : pick(random, 1, 3 * params.in[d] + 1);
    if (pick(random, 0, 3) == 0) out = std::max<int64_t>(params.in[d] / factor, 1);
    out = std::min(out, std::max<int64_t>(room, 1));
    room /= out;
    AxisRequest axis{d, params.in[d], out};
    axis.exact = pick(random, 0, 1);
    axis.scale_num = out;
    axis.scale_den = axis.in;
    axis.scale = static_cast<double>(static_cast<float>(out) / static_cast<float>(axis.in));
    axis.roi_start = std::uniform_real_distribution<double>(-0.2, 0.5)(random);
    axis.roi_end = std::uniform_real_distribution<double>(0.4, 1.2)(random);
    params.axes.push_back(axis);
  }
  return params;
}

bool same(DataType type, const std::byte* a, const std::byte* b, int64_t bytes) {
  if (std::memcmp(a, b, static_cast<size_t>(bytes)) == 0) return true;
  const int64_t step = element_bits(type) / 8;
  for (int64_t at = 0; at < bytes; at += step) {
    if (std::memcmp(a + at, b + at, static_cast<size_t>(step)) == 0) continue;
    double left[2] = {};
    double right[2] = {};
    element_to_doubles(type, a + at, left);
    element_to_doubles(type, b + at, right);
    for (int part = 0; part < parts_of(type); ++part) {
      if (std::isnan(left[part]) && std::isnan(right[part])) continue;
      if (left[part] != right[part] || std::signbit(left[part]) != std::signbit(right[part])) return false;
    }
  }
  return true;
}

bool equals_the_reference(const Plan& plan, Random& random, int canary, bool stream) {
  const auto bytes = [&](const Extents& extents) { return product(extents) * element_bits(plan.type) / 8; };
  if (product(plan.out) == 0) return true;
  GuardedBytes input(bytes(plan.in));
  GuardedBytes expected(bytes(plan.out));
  GuardedBytes actual(bytes(plan.out));
  fill_random(random, plan.type, input);
  std::memset(expected.data(), ~canary, static_cast<size_t>(expected.size()));
  std::memset(actual.data(), canary, static_cast<size_t>(actual.size()));
  BoxRun run;
  run.input = {input.data(), plan.type, plan.in, {}, 0};
  run.input_lo = Extents(plan.in.size(), 0);
  run.output = {expected.data(), plan.type, plan.out, {}, 0};
  run.output_lo = Extents(plan.out.size(), 0);
  reference::run_box(plan, run);
  run.output.data = actual.data();
  // The stores of runs larger than the caches bypass them.
  cpu::bind(plan)->run_box(plan, run, {.run_output_bytes = stream ? INT64_MAX / 2 : 0});
  return same(plan.type, expected.data(), actual.data(), actual.size());
}

bool box_equals_the_reference(const Plan& plan, const GuardedBytes& input, const Box& box) {
  const int64_t bytes = product(box.n) * element_bits(plan.type) / 8;
  GuardedBytes expected(bytes);
  GuardedBytes actual(bytes);
  const Box needed = input_region(plan, box);
  BoxRun run;
  run.input = part_of(TensorView{input.data(), plan.type, plan.in, {}, 0}, Extents(plan.in.size(), 0), needed);
  run.input_lo = needed.lo;
  run.output = {expected.data(), plan.type, box.n, {}, 0};
  run.output_lo = box.lo;
  reference::run_box(plan, run);
  run.output.data = actual.data();
  cpu::bind(plan)->run_box(plan, run, {});
  return same(plan.type, expected.data(), actual.data(), bytes);
}

std::string description(const ResizeParams& params) {
  std::string text = fmt::format("{} {} filter {} coordinates {} antialias {} exclude_outside {}", name(params.type),
                                 shape_text(params.in), static_cast<int>(params.sampling.filter),
                                 static_cast<int>(params.sampling.coordinates), params.sampling.antialias,
                                 params.sampling.exclude_outside);
  for (const AxisRequest& axis : params.axes)
    text += fmt::format(" axis {}: {} -> {} {}", axis.axis, axis.in, axis.out, axis.exact ? "exact" : "scale");
  return text;
}

}  // namespace tesela::testing
