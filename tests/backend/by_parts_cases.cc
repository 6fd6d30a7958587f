// SPDX-License-Identifier: Apache-2.0
// Passes over random boxes of their input.
#include "backend/by_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "backend/accumulate.h"
#include "backend/boxes.h"
#include "backend/reference/reference.h"

namespace tesela::testing {
namespace {

// Consecutive pieces of an axis, some of a single element.
std::vector<IndexRange> cut_axis(Random& random, int64_t n) {
  std::vector<IndexRange> pieces;
  const int64_t longest = one_in(random, 3) ? n : pick(random, 1, std::max<int64_t>(n / 2, 1));
  for (int64_t lo = 0; lo < n;) {
    const int64_t piece = std::min(pick(random, 1, longest), n - lo);
    pieces.push_back({lo, piece});
    lo += piece;
  }
  return pieces;
}

std::vector<Box> cut_tensor(Random& random, const Extents& extents) {
  std::vector<Box> boxes = {{Extents(extents.size(), 0), extents}};
  for (size_t d = 0; d < extents.size(); ++d) {
    std::vector<Box> cut;
    const std::vector<IndexRange> pieces = cut_axis(random, extents[d]);
    for (const Box& box : boxes)
      for (const IndexRange& piece : pieces) {
        cut.push_back(box);
        cut.back().lo[d] = piece.lo;
        cut.back().n[d] = piece.n;
      }
    boxes = std::move(cut);
    if (boxes.size() > 40) break;
  }
  return boxes;
}

}  // namespace

Tensor run_pass(const Plan& plan, const Program& program, size_t p, const Tensor& input, Random& random) {
  const PassTensors tensors = tensors_of(plan, p);
  const size_t axis = std::get<ResizePlan>(plan.work).passes[p].axis;
  Tensor sums = *Tensor::allocate(tensors.sums, tensors.out);
  Tensor output = *Tensor::allocate(tensors.output, tensors.out);
  const bool in_place = tensors.sums == tensors.output && one_in(random, 2);
  const Extents zero(tensors.out.size(), 0);
  const Executor executor = one_in(random, 4) ? Executor::on_threads(2) : Executor();
  for (const Box& to : cut_tensor(random, tensors.out)) {
    PassRun run;
    run.pass = p;
    run.sums = part_of(sums.mutable_view(), zero, to);
    run.sums_lo = to.lo;
    EXPECT_TRUE(begin_sums(plan, p, run.sums).ok());
    std::vector<Box> boxes = cut_tensor(random, tensors.in);
    std::ranges::shuffle(boxes, random);
    std::ranges::stable_sort(boxes, {}, [axis](const Box& box) { return box.lo[axis]; });
    for (const Box& from : boxes) {
      run.input = part_of(input.view(), zero, from);
      run.input_lo = from.lo;
      const Status added = add_to_sums(plan, program, run, executor, {});
      EXPECT_TRUE(added.ok()) << added.message();
    }
    FinishRun finish;
    finish.pass = p;
    finish.sums = run.sums.as_const();
    finish.output = in_place ? run.sums : part_of(output.mutable_view(), zero, to);
    finish.lo = to.lo;
    const Status finished = finish_sums(plan, finish, executor, {});
    EXPECT_TRUE(finished.ok()) << finished.message();
  }
  return in_place ? sums : output;
}

namespace {

Tensor random_tensor(Random& random, const Plan& plan) {
  Tensor tensor = *Tensor::allocate(plan.type, plan.in);
  GuardedBytes bytes(tensor.bytes());
  fill_random(random, plan.type, bytes);
  std::memcpy(tensor.mutable_data(), bytes.data(), static_cast<size_t>(tensor.bytes()));
  return tensor;
}

}  // namespace

Tensor run_whole(const Plan& plan, const Tensor& input) {
  Tensor output = *Tensor::allocate(plan.type, plan.out);
  const Extents zero(plan.in.size(), 0);
  reference::run_box(plan, {input.view(), zero, output.mutable_view(), zero});
  return output;
}

void expect_equal_by_parts(const Plan& plan, Backend backend, Random& random) {
  const Result<size_t> count = pass_count(plan);
  ASSERT_TRUE(count.ok());
  if (*count == 0 || product(plan.out) == 0) return;
  const Tensor input = random_tensor(random, plan);
  const ProgramPtr program = bind(plan, backend);
  Tensor numbers = input;
  for (size_t p = 0; p < *count; ++p) numbers = run_pass(plan, *program, p, numbers, random);
  const Tensor whole = run_whole(plan, input);
  EXPECT_EQ(numbers.type(), plan.type);
  EXPECT_EQ(numbers.extents(), plan.out);
  EXPECT_TRUE(same(plan.type, whole.data(), numbers.data(), whole.bytes()));
}

}  // namespace tesela::testing
