// SPDX-License-Identifier: Apache-2.0
// Runs a case through the C interface.
#include "digests/run.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "digests/call.h"
#include "digests/environment.h"
#include "digests/memory.h"

namespace tesela::digests {
namespace {

using Extents = std::vector<int64_t>;

// Threads of a host: each runs every n-th task, so that all of them run some, and in no ascending order.
struct Host {
  int threads;
  const std::string& environment;
  Use& use;

  static void parallel_for(void* context, int64_t count, void (*task)(void*, int64_t), void* argument) {
    auto& host = *static_cast<Host*>(context);
    const auto used = static_cast<int>(std::min<int64_t>(host.threads, count));
    if (used > 1) ++host.use.divided;
    host.use.most_threads = std::max(host.use.most_threads, used);
    std::atomic<bool> kept = true;
    const auto work = [&](int64_t first) {
      const CallerEnvironment environment(host.environment);
      for (int64_t i = count - 1 - first; i >= 0; i -= host.threads) task(argument, i);
      if (!environment.is_kept()) kept = false;
    };
    std::vector<std::thread> others;
    for (int t = 1; t < used; ++t) others.emplace_back(work, t);
    work(0);
    for (std::thread& other : others) other.join();
    host.use.kept_environment &= kept;
  }
};

struct Box {
  Extents lo;
  Extents n;
};

// The beginnings of parts of one axis, and its end.
Extents cuts_of(int64_t extent, Cut cut, Random& random) {
  Extents cuts = {0};
  if (cut == Cut::kStrips) {
    const int64_t rows = std::max(random.any<int64_t>({1, 1, 7, 64}), extent / 40);
    for (int64_t at = rows; at < extent; at += rows) cuts.push_back(at);
  } else {
    for (int64_t i = random.pick(0, 2); i > 0 && extent > 1; --i) cuts.push_back(random.pick(1, extent - 1));
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  }
  cuts.push_back(extent);
  return cuts;
}

// Boxes that cover the output, in any order.
std::vector<Box> boxes_of(const Extents& extents, Cut cut, Random& random) {
  std::vector<Box> boxes = {{Extents(extents.size(), 0), extents}};
  const auto first = std::find_if(extents.begin(), extents.end(), [](int64_t n) { return n > 1; });
  for (size_t d = 0; d < extents.size(); ++d) {
    if (cut == Cut::kStrips && extents.begin() + static_cast<int64_t>(d) != first) continue;
    if (boxes.size() > 40) break;
    const Extents cuts = cuts_of(extents[d], cut, random);
    std::vector<Box> parts;
    for (const Box& box : boxes)
      for (size_t i = 0; i + 1 < cuts.size(); ++i) {
        parts.push_back(box);
        parts.back().lo[d] = cuts[i];
        parts.back().n[d] = cuts[i + 1] - cuts[i];
      }
    boxes = std::move(parts);
  }
  random.shuffle(boxes);
  return boxes;
}

class Run {
 public:
  Run(const Case& drawn, const tesela_plan& plan, const Way& way, Use& use)
      : drawn_(drawn), plan_(plan), way_(way), use_(use), host_{way.threads, way.environment, use} {
    options_.struct_size = sizeof(options_);
    options_.backend = way.reference ? TESELA_BACKEND_REFERENCE : TESELA_BACKEND_AUTO;
    options_.threads = way.threads;
    executor_ = {sizeof(executor_), &Host::parallel_for, &host_, way.threads};
    // Every second case runs on the library's own threads.
    if (way.threads > 1 && drawn.number % 2 == 0) options_.executor = &executor_;
  }

  tesela_status run(Outcome& outcome, tesela_error* error) {
    Random random(drawn_.seed);
    const Extents extents(plan_.plan.out.begin(), plan_.plan.out.end());
    const Extents in(plan_.plan.in.begin(), plan_.plan.in.end());
    // OpenVINO's Tile may promote the rank.
    Memory x(drawn_.dtype, in, drawn_.input_layout, way_.alignment, drawn_.bit_offset, random.bits());
    Memory y(drawn_.dtype, extents, drawn_.output_layout, way_.alignment, drawn_.bit_offset, random.bits());
    int64_t count = 1;
    for (const int64_t n : in) count *= n;
    if (drawn_.has_input()) x.fill(make_elements(drawn_.dtype, count, random));
    use_.unaligned += !x.is_aligned();
    use_.unaligned += !y.is_aligned();
    const tesela_status status = way_.cut == Cut::kWhole ? run_whole(x, y, error) : run_boxes(x, y, random, error);
    outcome.extents = extents;
    outcome.bytes = y.elements();
    return status;
  }

 private:
  tesela_status run_whole(Memory& x, Memory& y, tesela_error* error) {
    const tesela_tensor from = x.view();
    const tesela_tensor to = y.view();
    const CallerEnvironment environment(way_.environment);
    const tesela_status status = tesela_plan_run(&plan_, &from, &to, &options_, error);
    use_.kept_environment &= environment.is_kept();
    return status;
  }

  tesela_status run_boxes(Memory& x, Memory& y, Random& random, tesela_error* error) {
    const std::vector<Box> boxes = boxes_of({plan_.plan.out.begin(), plan_.plan.out.end()}, way_.cut, random);
    for (const Box& box : boxes)
      if (const tesela_status status = run_box(x, y, box, random, error)) return status;
    return TESELA_OK;
  }

  // Within the whole tensors, or on copies of the boxes.
  tesela_status run_box(Memory& x, Memory& y, const Box& box, Random& random, tesela_error* error) {
    Box needed = {Extents(plan_.plan.in.size(), 0), Extents(plan_.plan.in.size(), 0)};
    if (const tesela_status status =
            tesela_plan_input_region(&plan_, box.lo.data(), box.n.data(), needed.lo.data(), needed.n.data(), error))
      return status;
    const bool copies = is_packed(drawn_.dtype) || random.one_in(2);
    Memory part_x(drawn_.dtype, needed.n, Layout::kDense, way_.alignment, drawn_.bit_offset, 0);
    Memory part_y(drawn_.dtype, box.n, Layout::kDense, way_.alignment, drawn_.bit_offset, 0);
    if (copies) part_x.read_box(x, needed.lo);
    Extents x_strides;
    Extents y_strides;
    const tesela_tensor from = copies ? part_x.view() : x.view_of(needed.lo, needed.n, x_strides);
    const tesela_tensor to = copies ? part_y.view() : y.view_of(box.lo, box.n, y_strides);
    ++use_.boxes;
    tesela_status status = TESELA_OK;
    {
      const CallerEnvironment environment(way_.environment);
      status = tesela_plan_run_region(&plan_, &from, needed.lo.data(), &to, box.lo.data(), &options_, error);
      use_.kept_environment &= environment.is_kept();
    }
    if (copies) part_y.write_box(y, box.lo);
    return status;
  }

  const Case& drawn_;
  const tesela_plan& plan_;
  const Way& way_;
  Use& use_;
  Host host_;
  tesela_executor executor_ = {};
  tesela_run_options options_ = {};
};

}  // namespace

Outcome run_case(const Case& drawn, const Way& way, Use& use) {
  Outcome outcome;
  tesela_error error = {};
  OpPtr op;
  PlanPtr plan;
  {
    const CallerEnvironment environment(way.environment);
    outcome.status = make_op(drawn, op, &error);
    if (outcome.status == TESELA_OK) outcome.status = make_plan(drawn, op.get(), plan, &error);
    use.kept_environment &= environment.is_kept();
  }
  if (outcome.status == TESELA_OK) {
    outcome.computed = plan->plan.interpolation() != nullptr;
    outcome.status = Run(drawn, *plan, way, use).run(outcome, &error);
  }
  if (outcome.status != TESELA_OK) outcome.message = error.message;
  return outcome;
}

}  // namespace tesela::digests
