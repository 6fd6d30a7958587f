// SPDX-License-Identifier: Apache-2.0
// Digests of the cases of tests/digests/manifest.txt, computed here.
#include "digests/digest.h"

#include "digests/call.h"
#include "digests/memory.h"
#include "page.h"

namespace tesela::digests {
namespace {

// As tests/digests/run.cc does for a whole output on one thread.
tesela_status run_plan(const Case& drawn, const tesela_plan& plan, Outcome& outcome, tesela_error* error) {
  Random random(drawn.seed);
  outcome.extents.assign(plan.plan.out.begin(), plan.plan.out.end());
  const std::vector<int64_t> in(plan.plan.in.begin(), plan.plan.in.end());
  Memory x(drawn.dtype, in, drawn.input_layout, 0, drawn.bit_offset, random.bits());
  Memory y(drawn.dtype, outcome.extents, drawn.output_layout, 0, drawn.bit_offset, random.bits());
  int64_t count = 1;
  for (const int64_t n : in) count *= n;
  if (drawn.has_input()) x.fill(make_elements(drawn.dtype, count, random));
  const tesela_tensor from = x.view();
  const tesela_tensor to = y.view();
  const tesela_status status = tesela_plan_run(&plan, &from, &to, nullptr, error);
  outcome.bytes = y.elements();
  return status;
}

uint64_t digest_of_case(uint64_t number) {
  const Case drawn = make_case(number);
  Outcome outcome;
  tesela_error error = {};
  OpPtr op;
  PlanPtr plan;
  outcome.status = make_op(drawn, op, &error);
  if (outcome.status == TESELA_OK) outcome.status = make_plan(drawn, op.get(), plan, &error);
  if (outcome.status == TESELA_OK) {
    const auto* resize = std::get_if<ResizePlan>(&plan->plan.work);
    outcome.computed = resize != nullptr && resize->compute != ComputeType::kNone;
    outcome.status = run_plan(drawn, *plan, outcome, &error);
  }
  return digest_of(drawn, outcome);
}

}  // namespace
}  // namespace tesela::digests

extern "C" uint64_t page_digest(int32_t group) {
  constexpr int32_t kGroupSize = 100;  // as in tests/digests/manifest.h
  tesela::digests::Digest digest;
  for (int32_t i = 0; i < kGroupSize; ++i)
    digest.add(tesela::digests::digest_of_case(static_cast<uint64_t>(group) * kGroupSize + static_cast<uint64_t>(i)));
  return digest.value();
}
