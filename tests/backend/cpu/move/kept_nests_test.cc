// SPDX-License-Identifier: Apache-2.0
// The loop nests of a box are made once, and boxes share them only if they are the same.
#include "backend/cpu/move/kept_nests.h"

#include <gtest/gtest.h>

#include <thread>

#include "backend/boxes.h"
#include "backend/cpu/move/move.h"
#include "backend/cpu/sample_plan.h"
#include "backend/cpu/tuning.h"
#include "types/elements.h"

namespace tesela::testing {
namespace {

using cpu::moves::BoxKey;
using cpu::moves::BoxNests;
using cpu::moves::KeptNests;

// A box of the whole output, dense, with an input of the plan.
struct Tensors {
  explicit Tensors(const Plan& plan)
      : in(static_cast<size_t>(product(plan.in) * element_bits(plan.type) / 8)),
        out(static_cast<size_t>(product(plan.out) * element_bits(plan.type) / 8)) {
    run.input = {in.data(), plan.type, plan.in, {}, 0};
    run.input_lo = Extents(plan.in.size(), 0);
    run.output = {out.data(), plan.type, plan.out, {}, 0};
    run.output_lo = Extents(plan.out.size(), 0);
  }

  std::vector<std::byte> in, out;
  BoxRun run;
};

BoxRun box_of(const Plan& plan, const Tensors& tensors, const Extents& lo, const Extents& n) {
  return part_of(plan, tensors.run, {lo, n});
}

std::unique_ptr<const BoxNests> nests_of_bytes(const BoxKey& key, int64_t bytes) {
  auto nests = std::make_unique<BoxNests>();
  nests->key = key;
  nests->arena.take<std::byte>(bytes);
  return nests;
}

TEST(KeptNests, BoxesThatDifferInUnchangedAxesShareNests) {
  const Plan plan = sample_plan("nearest float 4x100x3 -> 4x170x3");
  const Tensors tensors(plan);
  const BoxKey key = cpu::moves::key_of(plan, box_of(plan, tensors, {0, 20, 0}, {1, 50, 3}), false);
  EXPECT_EQ(key, cpu::moves::key_of(plan, box_of(plan, tensors, {3, 20, 0}, {1, 50, 3}), false));
  EXPECT_NE(key, cpu::moves::key_of(plan, box_of(plan, tensors, {0, 21, 0}, {1, 50, 3}), false));
  EXPECT_NE(key, cpu::moves::key_of(plan, box_of(plan, tensors, {0, 20, 0}, {1, 51, 3}), false));
  EXPECT_NE(key, cpu::moves::key_of(plan, box_of(plan, tensors, {0, 20, 0}, {2, 50, 3}), false));
  EXPECT_NE(key, cpu::moves::key_of(plan, box_of(plan, tensors, {0, 20, 0}, {1, 50, 3}), true));
}

TEST(KeptNests, StridesAndTheInputsBeginningCount) {
  const Plan plan = sample_plan("tile float 5x8 -> 15x8");
  const Tensors tensors(plan);
  const BoxKey key = cpu::moves::key_of(plan, tensors.run, false);
  BoxRun other = tensors.run;
  other.output.strides_bytes = dense_strides(plan.type, plan.out);
  EXPECT_EQ(key, cpu::moves::key_of(plan, other, false));
  other.output.strides_bytes[0] += 4;
  EXPECT_NE(key, cpu::moves::key_of(plan, other, false));
  other = tensors.run;
  other.input_lo[0] = 1;
  EXPECT_NE(key, cpu::moves::key_of(plan, other, false));
  other = tensors.run;
  other.input.strides_bytes = {-32, 4};
  EXPECT_NE(key, cpu::moves::key_of(plan, other, false));
}

TEST(KeptNests, StreamedBoxesCountTheirPlaceInACacheLine) {
  const Plan plan = sample_plan("fill float -> 1000 value=5");
  const Tensors tensors(plan);
  BoxRun other = tensors.run;
  other.output.data += 4;
  EXPECT_NE(cpu::moves::key_of(plan, tensors.run, true), cpu::moves::key_of(plan, other, true));
  EXPECT_EQ(cpu::moves::key_of(plan, tensors.run, false), cpu::moves::key_of(plan, other, false));
  other.output.data += 60;
  EXPECT_EQ(cpu::moves::key_of(plan, tensors.run, true), cpu::moves::key_of(plan, other, true));
}

TEST(KeptNests, TheFirstRunOfABoxKeepsItsNests) {
  const Plan plan = sample_plan("nearest float 4x100x3 -> 4x170x3");
  const Tensors tensors(plan);
  cpu::MoveProgram program;
  cpu::bind_move(plan, program);
  EXPECT_NE(program.whole, nullptr);
  const BoxRun box = box_of(plan, tensors, {0, 20, 0}, {1, 50, 3});
  const BoxKey key = cpu::moves::key_of(plan, box, false);
  EXPECT_EQ(program.nests.find(key).nests, nullptr);
  cpu::move_box(plan, program, box, false);
  const BoxNests* const kept = program.nests.find(key).nests;
  ASSERT_NE(kept, nullptr);
  cpu::move_box(plan, program, box_of(plan, tensors, {2, 20, 0}, {1, 50, 3}), false);
  EXPECT_EQ(program.nests.find(key).nests, kept);
}

TEST(KeptNests, ThereIsNoRoomBeyondTheLimit) {
  KeptNests kept;
  const auto keep = [&kept](int64_t number, int64_t bytes) {
    const BoxKey key = {number};
    if (const KeptNests::Found found = kept.find(key); found.room != nullptr)
      kept.keep(*found.room, nests_of_bytes(key, bytes));
    return kept.find(key).nests != nullptr;
  };
  EXPECT_TRUE(keep(1, cpu::moves::kMaxKeptNests / 2));
  EXPECT_FALSE(keep(2, cpu::moves::kMaxKeptNests));
  EXPECT_FALSE(keep(3, 1));
  EXPECT_TRUE(keep(1, 1));
}

TEST(KeptNests, ManyBoxesAreKept) {
  KeptNests kept;
  int64_t count = 0;
  for (int64_t i = 0; i < 1000; ++i) {
    const BoxKey key = {i, 17};
    if (const KeptNests::Found found = kept.find(key); found.room != nullptr)
      kept.keep(*found.room, nests_of_bytes(key, 1));
    const BoxNests* const nests = kept.find(key).nests;
    if (nests != nullptr) {
      EXPECT_EQ(nests->key, key);
      ++count;
    }
  }
  EXPECT_GE(count, 200);
  EXPECT_LE(count, 256);
}

TEST(KeptNests, ThreadsThatMakeTheSameKeepOne) {
  const Plan plan = sample_plan("nearest uint8 100x300 -> 170x500");
  Tensors tensors(plan);
  cpu::MoveProgram program;
  cpu::bind_move(plan, program);
  std::vector<std::thread> threads;
  std::vector<Tensors> own(4, tensors);
  for (Tensors& each : own)
    threads.emplace_back([&plan, &program, &each] {
      each.run.input.data = each.in.data();
      each.run.output.data = each.out.data();
      for (int64_t lo = 0; lo < 170; lo += 10)
        cpu::move_box(plan, program, box_of(plan, each, {lo, 0}, {10, 500}), false);
    });
  for (std::thread& thread : threads) thread.join();
  for (int64_t lo = 0; lo < 170; lo += 10) {
    const BoxKey key = cpu::moves::key_of(plan, box_of(plan, tensors, {lo, 0}, {10, 500}), false);
    EXPECT_NE(program.nests.find(key).nests, nullptr);
  }
}

}  // namespace
}  // namespace tesela::testing
