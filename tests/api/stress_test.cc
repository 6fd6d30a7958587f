// SPDX-License-Identifier: Apache-2.0
// Many threads share plans, a model, a cache and the memory of tensors, while processes fork. TESELA_STRESS_SECONDS:
// how long (1). With the thread sanitizer it finds data races; without, wrong results and calls that never return.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tesela/tesela.hpp"

namespace {

using tesela::MutableView;
using tesela::Op;
using tesela::Plan;
using tesela::PlanCache;
using tesela::Shape;
using tesela::View;

constexpr int64_t kIn = 96, kOut = 200;

#if defined(__SANITIZE_THREAD__)
constexpr const char* kBuild = "With the thread sanitizer: ";
#else
constexpr const char* kBuild = "Release build: ";
#endif

// The sanitizers of g++ 12 do not hold their allocator's lock at a fork: a child that allocates waits for ever, if another
// thread held it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kChildAllocates = false;
#else
constexpr bool kChildAllocates = true;
#endif

double seconds() {
  const char* const asked = std::getenv("TESELA_STRESS_SECONDS");
  return asked == nullptr ? 1 : std::atof(asked);
}

Plan linear_plan(int64_t out, PlanCache* cache = nullptr) {
  Op op("Resize", 19);
  op.set("mode", "linear");
  const std::vector<int64_t> sizes = {out, out};
  const View x(nullptr, TESELA_FLOAT, {kIn, kIn});
  return cache != nullptr ? cache->plan(op, {x, {}, {}, sizes}) : op.plan({x, {}, {}, sizes});
}

std::vector<float> result_of(const Plan& plan, const std::vector<float>& x, int threads) {
  const Shape extents(plan.output_extents());
  std::vector<float> y(static_cast<size_t>(extents[0] * extents[1]));
  plan.run({x, {kIn, kIn}}, {y, extents}, {.threads = threads});
  return y;
}

/// What all threads share, and what they find wrong.
struct Shared {
  std::vector<float> x = std::vector<float>(kIn * kIn);
  Plan plan = linear_plan(kOut);
  std::vector<float> y;
  tesela::Model model{TESELA_SOURCE_DIR "/examples/contact_sheet.onnx"};
  PlanCache cache{3};
  std::atomic<int64_t> wrong = 0;
  std::atomic<int64_t> calls = 0;

  Shared() {
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 31 % 1009);
    y = result_of(plan, x, 1);
  }
  void expect(bool right) {
    ++calls;
    wrong += right ? 0 : 1;
  }
};

void share_a_plan(Shared& shared, int round) {
  shared.expect(result_of(shared.plan, shared.x, 1 + round % 3) == shared.y);
}

void fill_a_cache(Shared& shared, int round) {
  const Plan plan = linear_plan(kOut + round % 5, &shared.cache);
  shared.expect(plan.output_extents()[0] == kOut + round % 5);
  shared.expect(round % 5 != 0 || result_of(plan, shared.x, 1) == shared.y);
  if (round % 50 == 49) shared.cache.clear();
  PlanCache own(1);
  shared.expect(linear_plan(kOut, &own).output_extents()[0] == kOut);
}

void run_sessions(Shared& shared, int round) {
  tesela::Session session(shared.model);
  std::vector<uint8_t> photo(40 * 30 * 3, static_cast<uint8_t>(round));
  const auto sheets = session.run({{shared.model.input_names().at(0), View(photo, {40, 30, 3})}}, {}, {.threads = 2});
  shared.expect(sheets.size() == 1);
  shared.expect(!shared.model.check().text.view().empty());
}

void make_tensors(Shared& shared, int round) {
  tesela::Value value(TESELA_UINT8, {int64_t{3} << 20});  // large ones are kept and reused
  const auto bytes = value.elements<uint8_t>();
  std::fill(bytes.begin(), bytes.end(), static_cast<uint8_t>(round));
  shared.expect(std::all_of(bytes.begin(), bytes.end(), [&](uint8_t b) { return b == static_cast<uint8_t>(round); }));
  if (round % 20 == 19) tesela::trim_memory(round % 40 == 19 ? 0 : uint64_t{4} << 20);
}

void make_errors(Shared& shared, int round) {
  const std::string name = "unknown" + std::to_string(round);
  try {
    Op op("Resize", 19, {.node = name});
    op.set("mode", name);
    op.plan({View(nullptr, TESELA_FLOAT, {kIn}), {}, {}, std::vector<int64_t>{1}});
    shared.expect(false);
  } catch (const tesela::Error& error) {
    const std::string text = error.what();
    const auto at = text.find(name);
    shared.expect(at != std::string::npos && text.find(name + "0") == std::string::npos);
  }
}

void cancel_runs(Shared& shared, int round) {
  std::atomic<int32_t> stop = 0;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::microseconds(round % 200));
    stop = 1;
  });
  std::vector<float> y(shared.y.size());
  try {
    shared.plan.run({shared.x, {kIn, kIn}}, {y, {kOut, kOut}}, {.threads = 2, .cancel = &stop});
    shared.expect(y == shared.y);
  } catch (const tesela::Error& error) {
    shared.expect(error.code() == TESELA_ERROR_CANCELLED);
  }
  other.join();
}

void use_a_host(Shared& shared, int /*round*/) {
  const tesela::Executor host = {[](int64_t count, const std::function<void(int64_t)>& task) {
                                   std::thread half([&] {
                                     for (int64_t i = 0; i < count; i += 2) task(i);
                                   });
                                   for (int64_t i = 1; i < count; i += 2) task(i);
                                   half.join();
                                 },
                                 2};
  std::vector<float> y(shared.y.size());
  shared.plan.run({shared.x, {kIn, kIn}}, {y, {kOut, kOut}}, {.executor = &host});
  shared.expect(y == shared.y);
}

// The child uses what other threads were using. It has ten seconds: a lock that no thread releases would hold it for
// ever.
void fork_once(Shared& shared, int round) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (!kChildAllocates) ::_exit(0);  // only the handlers of the fork have run
    ::alarm(10);
    bool right = result_of(shared.plan, shared.x, 2) == shared.y;
    right = right && result_of(linear_plan(kOut, &shared.cache), shared.x, 1) == shared.y;
    const tesela::Value value(TESELA_UINT8, {int64_t{3} << 20});
    ::_exit(right && round >= 0 ? 0 : 1);
  }
  int status = 1;
  shared.expect(child > 0 && ::waitpid(child, &status, 0) == child && status == 0);
}

TEST(Stress, ThreadsShareEverything) {
  Shared shared;
  const std::vector<void (*)(Shared&, int)> work = {share_a_plan, share_a_plan, fill_a_cache, fill_a_cache,
                                                    run_sessions, make_tensors, make_errors,  cancel_runs,
                                                    use_a_host,   fork_once};
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds());
  std::vector<std::thread> threads;
  for (const auto& each : work)
    threads.emplace_back([&] {
      for (int round = 0; round == 0 || std::chrono::steady_clock::now() < end; ++round) each(shared, round);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(shared.wrong, 0);
  EXPECT_GE(shared.calls, static_cast<int64_t>(work.size()));
  if (const char* const folder = std::getenv("TESELA_FIGURES"))
    std::ofstream(std::string(folder) + "/G13.txt", std::ios::app)
        << kBuild << shared.calls << " calls by " << work.size() << " threads in " << seconds()
        << " s: plans, caches, sessions, tensors, errors, cancelled runs, a host's threads and forks.\n";
}

}  // namespace
