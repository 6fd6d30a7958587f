// SPDX-License-Identifier: Apache-2.0
// The C interface: caches of plans.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tesela/tesela.hpp"

namespace tesela {
namespace {

Op linear(const std::string& node = {}) {
  Op op("Resize", 19, {.node = node});
  op.set("mode", "linear");
  return op;
}

// A call as a host makes it, with separate memory for everything.
class Call {
 public:
  Call(Shape extents, std::vector<int64_t> sizes) : extents_(std::move(extents)), sizes_(std::move(sizes)) {}
  Plan plan(PlanCache& cache, const Op& op, tesela_dtype dtype = TESELA_FLOAT,
            const std::optional<Limits>& limits = {}) const {
    return cache.plan(op, {View(nullptr, dtype, extents_), {}, {}, sizes_}, limits);
  }

 private:
  Shape extents_;
  std::vector<int64_t> sizes_;
};

TEST(PlanCache, EqualCallsShareOnePlan) {
  PlanCache cache;
  const Plan first = Call({1, 4}, {1, 8}).plan(cache, linear());
  const Plan second = Call({1, 4}, {1, 8}).plan(cache, linear("another node"));
  EXPECT_EQ(first.get(), second.get());
  EXPECT_EQ(cache.size(), 1u);
}

TEST(PlanCache, KeyCoversEverythingAPlanDependsOn) {
  PlanCache cache;
  std::vector<Plan> plans;
  const auto add = [&](Plan plan) { plans.push_back(std::move(plan)); };
  add(Call({1, 4}, {1, 8}).plan(cache, linear()));
  add(Call({4, 1}, {4, 8}).plan(cache, linear()));
  add(Call({1, 4}, {1, 9}).plan(cache, linear()));
  add(Call({1, 4}, {1, 8}).plan(cache, linear(), TESELA_UINT8));
  add(Call({1, 4}, {1, 8}).plan(cache, Op("Resize", 19)));
  add(Call({1, 4}, {1, 8}).plan(cache, Op("Resize", 13)));
  add(Call({1, 4}, {1, 8}).plan(cache, std::move(linear().set("tesela.order", "last_axis_first"))));
  add(Call({1, 4}, {1, 8}).plan(cache, linear(), TESELA_FLOAT, Limits{.max_rank = 5}));
  for (size_t i = 0; i < plans.size(); ++i)
    for (size_t j = 0; j < i; ++j) EXPECT_NE(plans[i].get(), plans[j].get()) << i << " and " << j;
  EXPECT_EQ(cache.size(), plans.size());
  EXPECT_EQ(plans[2].output_extents()[1], 9);
}

TEST(PlanCache, KeyIncludesShapeInputOfConstantOfShape) {
  PlanCache cache;
  Op op("ConstantOfShape");
  op.set_tensor("value", std::vector<float>{1});
  const Plan three = cache.plan(op, {std::vector<int64_t>{3}});
  const Plan four = cache.plan(op, {std::vector<int64_t>{4}});
  EXPECT_EQ(three.output_extents()[0], 3);
  EXPECT_EQ(four.output_extents()[0], 4);
  Op other("ConstantOfShape");
  other.set_tensor("value", std::vector<float>{2});
  EXPECT_NE(cache.plan(other, {std::vector<int64_t>{3}}).get(), three.get());
}

TEST(PlanCache, EvictsLeastRecentlyUsedPlan) {
  PlanCache cache(2);
  const Op op = linear();
  const auto plan_of = [&](int64_t extent) { return Call({1, 4}, {1, extent}).plan(cache, op); };
  const Plan five = plan_of(5);
  const Plan six = plan_of(6);
  EXPECT_EQ(plan_of(5).get(), five.get());
  const Plan seven = plan_of(7);  // evicts six
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_EQ(plan_of(5).get(), five.get());
  EXPECT_NE(plan_of(6).get(), six.get());
}

TEST(PlanCache, PlansOutliveTheCache) {
  std::vector<Plan> plans;
  {
    PlanCache cache(1);
    plans.push_back(Call({1, 2}, {1, 4}).plan(cache, linear()));
    plans.push_back(Call({1, 2}, {1, 6}).plan(cache, linear()));
    cache.clear();
    EXPECT_EQ(cache.size(), 0u);
    plans.push_back(Call({1, 2}, {1, 8}).plan(cache, linear()));
  }
  const std::vector<float> x = {1, 3};
  for (const Plan& plan : plans) EXPECT_EQ(plan.run({x, {1, 2}}).elements<float>()[0], 1);
}

TEST(PlanCache, FindDoesNotCreatePlans) {
  PlanCache cache;
  const Op op = linear();
  const std::vector<int64_t> sizes = {1, 8};
  const std::vector<View> inputs = {View(nullptr, TESELA_FLOAT, {1, 4}), {}, {}, sizes};
  EXPECT_FALSE(cache.find(op, inputs).has_value());
  EXPECT_EQ(cache.size(), 0u);
  const Plan plan = cache.plan(op, inputs);
  const std::optional<Plan> found = cache.find(op, inputs);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->get(), plan.get());
  EXPECT_EQ(tesela_plan_cache_find(nullptr, nullptr, 0, nullptr, nullptr), nullptr);
}

TEST(PlanCache, DoesNotCacheErrors) {
  PlanCache cache;
  for (int i = 0; i < 2; ++i) EXPECT_THROW(Call({1, 4}, {1, 8, 2}).plan(cache, linear()), Error);
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_THROW(PlanCache(0), Error);
}

TEST(PlanCache, DoesNotCacheStridedControlInputs) {
  PlanCache cache;
  const std::vector<int64_t> sizes = {1, 0, 8, 0};
  const View strided(sizes.data(), TESELA_INT64, {2}, {2 * sizeof(int64_t)});
  const Plan first = cache.plan(linear(), {View(nullptr, TESELA_FLOAT, {1, 4}), {}, {}, strided});
  EXPECT_EQ(first.output_extents()[1], 8);
  EXPECT_EQ(cache.size(), 0u);
}

TEST(PlanCache, IsThreadSafe) {
  PlanCache cache(3);
  const Op op = linear();
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (int& faults : wrong)
    threads.emplace_back([&] {
      for (int64_t i = 0; i < 500; ++i) {
        const int64_t extent = 2 + i % 7;
        faults += Call({1, 2}, {1, extent}).plan(cache, op).output_extents()[1] != extent;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
  EXPECT_LE(cache.size(), 3u);
}

}  // namespace
}  // namespace tesela
