// SPDX-License-Identifier: Apache-2.0
// The nearest inputs computed without divisions equal those of the plan's tables.
#include <gtest/gtest.h>

#include "backend/cpu/move/layout/nearest_index.h"
#include "backend/cpu/move/move_cases.h"
#include "plan/axis_table.h"

namespace tesela::testing {
namespace {

void expect_indices(const AxisRequest& request, const SamplingParams& sampling) {
  const auto map = make_axis_map(request, sampling);
  ASSERT_TRUE(map.ok());
  const IndexRange ranges[] = {{0, request.out}, {request.out / 3, request.out - request.out / 3}};
  for (const IndexRange range : ranges) {
    std::vector<int64_t> indices(static_cast<size_t>(range.n));
    cpu::moves::find_indices(*map, range, indices.data());
    ASSERT_EQ(indices, make_index_table(*map, range))
        << request.in << " -> " << request.out << ", scale " << request.scale << ", mode "
        << static_cast<int>(sampling.coordinates) << ", nearest " << static_cast<int>(sampling.nearest);
  }
}

TEST(MoveIndices, EqualTheTablesOfThePlan) {
  Random random(5);
  for (int k = 0; k < 20000; ++k) {
    const SamplingParams sampling = random_sampling(random, true);
    const int64_t in = one_in(random, 20) ? pick(random, 1, 100000) : pick(random, 1, 70);
    AxisRequest request = random_request(random, 0, in);
    if (one_in(random, 3) && !request.exact) {
      // Any float, including scales close to those that give positions of exact halves.
      request.scale = static_cast<float>(
          std::ldexp(static_cast<double>(random() >> 40), -23 - static_cast<int>(pick(random, 0, 2))));
      if (one_in(random, 2))
        request.scale = std::nextafter(static_cast<double>(pick(random, 1, 5)) / 4, one_in(random, 2) ? 0.0 : 9.0);
      if (request.scale <= 0) continue;
      request.out = static_cast<int64_t>(std::floor(static_cast<double>(in) * request.scale));
    }
    set_random_roi(random, request);
    ASSERT_NO_FATAL_FAILURE(expect_indices(request, sampling));
  }
}

}  // namespace
}  // namespace tesela::testing
