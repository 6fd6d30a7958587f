// The moves of the CPU backend against the reference: every byte, those between the outputs included.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "backend/cpu/targets.h"
#include "hwy/targets.h"

#include "backend/cpu/cpu.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/move/nearest_index.h"
#include "backend/reference/reference.h"
#include "plan/axis_table.h"

namespace tesela {
namespace {

// ---- Memory that faults beside what may be touched -----------------------------------------------------------------

class GuardedBytes {
 public:
  /// `bytes` bytes that end at a page that faults, but for `shift` bytes; or begin `shift` bytes after one.
  GuardedBytes(int64_t bytes, int64_t shift, bool at_end) : bytes_(bytes) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t inside = (static_cast<size_t>(bytes + shift) + page - 1) / page * page;
    mapped_ = inside + 2 * page;
    map_ = static_cast<std::byte*>(mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (map_ == MAP_FAILED) throw std::bad_alloc();
    if (inside > 0 && mprotect(map_ + page, inside, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    data_ = at_end ? map_ + page + inside - bytes - shift : map_ + page + shift;
  }
  ~GuardedBytes() { munmap(map_, mapped_); }
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;

  std::byte* data() { return data_; }
  int64_t size() const { return bytes_; }

 private:
  int64_t bytes_;
  size_t mapped_ = 0;
  std::byte* map_ = nullptr;
  std::byte* data_ = nullptr;
};

// ---- Instruction sets ----------------------------------------------------------------------------------------------

class Moves : public ::testing::Test {
 protected:
  ~Moves() override {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }

  static void for_each_target(const std::function<void(bool has_vectors)>& f) {
    hwy::SetSupportedTargetsForTest(0);
    const int64_t all = (hwy::SupportedTargets() | HWY_SCALAR) & ~HWY_SSSE3 & ~HWY_EMU128;
    for (int64_t left = all; left != 0; left &= left - 1) {
      const int64_t target = left & -left;
      SCOPED_TRACE(hwy::TargetName(target));
      hwy::SetSupportedTargetsForTest(target);
      hwy::GetChosenTarget().Update(target);
      f(target != HWY_SCALAR);
    }
  }
};

// ---- Cases ---------------------------------------------------------------------------------------------------------

using Random = std::mt19937_64;

int64_t pick(Random& random, int64_t lo, int64_t hi) {
  return std::uniform_int_distribution<int64_t>(lo, hi)(random);
}

bool one_in(Random& random, int64_t n) {
  return pick(random, 1, n) == 1;
}

/// A plan, a box of it, and how its tensors lie in memory.
struct Case {
  Plan plan;
  Box output;
  Box input;
  Extents input_strides;  // empty: dense
  Extents output_strides;
  int64_t input_bit = 0;
  int64_t output_bit = 0;
  int64_t input_shift = 0;
  int64_t output_shift = 0;
  bool at_end = true;
  bool stream = false;
};

Case whole(Plan plan) {
  Case c;
  c.output = {Extents(plan.out.size(), 0), plan.out};
  c.input = {Extents(plan.in.size(), 0), plan.in};
  c.plan = std::move(plan);
  return c;
}

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
                     c.output_shift, c.at_end ? "at the end" : "at the begin", c.stream ? ", streamed" : "");
}

void fill_randomly(Random& random, GuardedBytes& bytes) {
  for (int64_t i = 0; i < bytes.size(); ++i) bytes.data()[i] = static_cast<std::byte>(random());
}

// Runs the case over outputs that hold one canary and then another.
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
    cpu::run_box(c.plan, *cpu::make_program(c.plan), run, c.stream);
    const auto wrong = std::mismatch(expected.begin(), expected.end(), output.data());
    ASSERT_EQ(wrong.first, expected.end()) << text(c) << ": differs from byte " << wrong.first - expected.begin();
  }
}

uint64_t tasks(cpu::Kernel kernel) {
  return cpu::kernel_tasks[static_cast<size_t>(kernel)];
}

void expect_kernel(const Case& c, cpu::Kernel kernel) {
  const uint64_t before = tasks(kernel);
  expect_equal_to_reference(c);
  EXPECT_GT(tasks(kernel), before) << text(c) << " did not run " << cpu::kKernelRows[static_cast<size_t>(kernel)].name;
}

// ---- Plans ---------------------------------------------------------------------------------------------------------

// One type of each width, then the packed ones.
constexpr DataType kTypes[] = {DataType::kUint8,  DataType::kFloat16,    DataType::kFloat, DataType::kInt64,
                               DataType::kString, DataType::kComplex128, DataType::kInt4,  DataType::kUint2};
constexpr DataType kWidths[] = {DataType::kUint8, DataType::kFloat16, DataType::kFloat, DataType::kInt64,
                                DataType::kComplex128};

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

AxisRequest to_size(size_t axis, int64_t in, int64_t out) {
  return {.axis = axis, .in = in, .out = out, .exact = true, .scale_num = out, .scale_den = in};
}

Plan nearest_plan(DataType type, Extents in, const Extents& out, SamplingParams sampling = {}) {
  ResizeParams params = {type, std::move(in), sampling, {}};
  for (size_t d = 0; d < out.size(); ++d) params.axes.push_back(to_size(d, params.in[d], out[d]));
  return *make_resize_plan(params, Limits::none());
}

SamplingParams random_sampling(Random& random, bool crops) {
  SamplingParams sampling;
  sampling.coordinates = static_cast<CoordinateMode>(pick(random, 0, 6));
  if (!crops && sampling.coordinates == CoordinateMode::kTfCropAndResize)
    sampling.coordinates = CoordinateMode::kHalfPixel;
  sampling.nearest = static_cast<NearestMode>(pick(random, 0, 4));
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

// Strides of a box whose axes lie in any order, gaps between them. Inputs may also run backwards or not at all.
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
  return c;
}

// ---- Tests ---------------------------------------------------------------------------------------------------------

TEST_F(Moves, RandomBoxesOfRandomPlansEqualTheReference) {
  for_each_target([](bool) {
    for (uint64_t seed = 0; seed < 4000; ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(random_case(random)));
    }
  });
}

// Plans of one line, of every width, at every length up to several vectors.
using LinePlan = std::function<Plan(DataType, int64_t)>;

void expect_lines(const LinePlan& plan, int64_t longest, int64_t step = 1) {
  for (const DataType type : kWidths)
    for (int64_t n = 0; n <= longest; n += step) {
      Case c = whole(plan(type, n));
      c.at_end = n % 2 == 0;
      c.stream = n % 3 == 0;
      c.input_shift = n % 5 == 0 ? 1 : 0;
      c.output_shift = n % 7 == 0 ? 3 : 0;
      ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(c));
    }
}

TEST_F(Moves, FillsOfEveryLength) {
  Random random(1);
  for_each_target(
      [&](bool) { expect_lines([&](DataType type, int64_t n) { return fill_plan(type, {n}, random); }, 4 * 64 + 1); });
}

TEST_F(Moves, CopiesOfEveryLength) {
  for_each_target([](bool) {
    expect_lines([](DataType type, int64_t n) { return tile_plan(type, {n}, {1}); }, 4 * 64 + 1);
    expect_lines([](DataType type, int64_t n) { return tile_plan(type, {n}, {3}); }, 2 * 64 + 1);
  });
}

TEST_F(Moves, NearestOfEveryLength) {
  for_each_target([](bool) {
    for (const auto& [up, down] : {std::pair{2, 1}, {3, 1}, {1, 2}, {1, 3}, {1, 4}, {3, 2}, {2, 3}})
      expect_lines(
          [up = up, down = down](DataType type, int64_t n) {
            return nearest_plan(type, {2, n * down + 1}, {2, n * up + 1});
          },
          2 * 64 + 1, 3);
  });
}

TEST_F(Moves, SpreadsOfEveryLength) {
  for_each_target([](bool) {
    expect_lines([](DataType type, int64_t n) { return tile_plan(type, {5, 1}, {1, n}); }, 2 * 64 + 1);
    expect_lines([](DataType type, int64_t n) { return tile_plan(type, {n, 1}, {1, 3}); }, 64, 3);
  });
}

TEST_F(Moves, EveryAlignmentOfInputAndOutput) {
  for_each_target([](bool) {
    for (const DataType type : kWidths)
      for (int64_t shift = 0; shift < 64; ++shift)
        for (const auto& plan :
             {nearest_plan(type, {3, 100}, {6, 200}), nearest_plan(type, {4, 7, 3}, {8, 14, 3}),
              tile_plan(type, {40, 1}, {1, 70}), tile_plan(type, {300}, {10}), tile_plan(type, {4, 7}, {3, 90})}) {
          Case c = whole(plan);
          c.output_shift = shift;
          c.input_shift = shift * 7 % 64;
          c.stream = shift % 2 == 0;
          ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(c));
        }
  });
}

// Larger than the blocks, strips and scratch that moves are cut by.
TEST_F(Moves, LargeMovesEqualTheReference) {
  Random random(3);
  const Plan plans[] = {
      fill_plan(DataType::kComplex128, {30000}, random),
      tile_plan(DataType::kFloat, {1, 1, 100, 128}, {1, 3, 2, 2}),
      tile_plan(DataType::kFloat, {64}, {3000}),
      tile_plan(DataType::kFloat, {3000, 1}, {1, 64}),
      tile_plan(DataType::kFloat, {2, 1, 512, 1}, {1, 3, 1, 64}),
      tile_plan(DataType::kUint8, {1, 7, 13, 3}, {8, 5, 9, 11}),
      tile_plan(DataType::kUint8, {7, 5000}, {8, 5}),
      tile_plan(DataType::kFloat, {20000}, {5}),
      tile_plan(DataType::kInt64, {64, 1024}, {1, 5}),
      tile_plan(DataType::kUint8, {10000, 1}, {1, 64}),
      tile_plan(DataType::kUint8, {10000, 1}, {1, 5}),
      tile_plan(DataType::kUint8, {3000, 3}, {2, 11}),
      tile_plan(DataType::kInt4, {3, 501}, {3, 7}),
      tile_plan(DataType::kInt4, {3, 512}, {3, 7}),
      tile_plan(DataType::kUint2, {20001}, {3}),
      nearest_plan(DataType::kFloat, {8, 64, 64}, {8, 128, 128}),
      nearest_plan(DataType::kUint8, {3, 200, 301}, {3, 100, 150}),
      nearest_plan(DataType::kUint8, {40001}, {60000}),
      nearest_plan(DataType::kFloat, {9, 40001}, {9, 20000}),
      nearest_plan(DataType::kFloat, {1000, 3, 5}, {1000, 6, 10}),
      nearest_plan(DataType::kInt4, {5, 301}, {10, 602}),
      nearest_plan(DataType::kInt4, {5, 20001}, {7, 30001}),
      nearest_plan(DataType::kUint2, {50, 64}, {101, 64}),
  };
  for_each_target([&](bool) {
    for (const Plan& plan : plans)
      for (const bool stream : {false, true}) {
        Case c = whole(plan);
        c.stream = stream;
        ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(c));
        c.output_shift = 16;
        ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(c));
      }
  });
}

TEST_F(Moves, OutputsThatShareBytesAreWrittenInTheOrderOfTheReference) {
  Case c = whole(tile_plan(DataType::kFloat, {4, 3}, {2, 2}));
  c.output_strides = {4, 4};
  expect_equal_to_reference(c);
  c.output_strides = {0, 4};
  expect_equal_to_reference(c);
}

TEST_F(Moves, EachRowOfTheListIsReached) {
  using cpu::Kernel;
  Random random(2);
  for_each_target([&](bool has_vectors) {
    const DataType f32 = DataType::kFloat;
    expect_kernel(whole(fill_plan(DataType::kInt64, {1000}, random)), Kernel::move_fill);
    expect_kernel(whole(tile_plan(f32, {3, 5, 300}, {1, 2, 1})), Kernel::move_copy);
    expect_kernel(whole(tile_plan(f32, {64}, {1000})), Kernel::move_repeat);
    expect_kernel(whole(tile_plan(f32, {1000, 1}, {1, 64})), Kernel::move_splat);
    expect_kernel(whole(nearest_plan(f32, {20, 30, 16}, {40, 60, 16})), Kernel::move_chunks);
    expect_kernel(whole(nearest_plan(DataType::kUint8, {3, 40, 37}, {3, 80, 74})),
                  has_vectors ? Kernel::move_lookup : Kernel::move_gather);
    expect_kernel(whole(nearest_plan(f32, {5, 900}, {5, 97})), Kernel::move_gather);
    expect_kernel(whole(nearest_plan(DataType::kInt4, {5, 37}, {5, 74})), Kernel::move_packed);
    Case c = whole(nearest_plan(f32, {5, 900}, {5, 97}));
    c.output_strides = {97 * 12, 12};
    expect_kernel(c, Kernel::move_strided);
  });
}

// The bytes are those of the reference at whatever kernel; this is about the right one.
TEST_F(Moves, LookupsServeTheUsualFactorsOfEveryWidth) {
  for_each_target([](bool has_vectors) {
    if (!has_vectors) return;
    for (const DataType type : kWidths)
      for (const auto& [up, down] : {std::pair{2, 1}, {3, 1}, {4, 1}, {1, 2}, {1, 3}, {1, 4}, {3, 2}}) {
        if (type == DataType::kComplex128 && down > 4) continue;
        expect_kernel(whole(nearest_plan(type, {3, 60 * down}, {3, 60 * up})), cpu::Kernel::move_lookup);
      }
    expect_kernel(whole(nearest_plan(DataType::kUint8, {40, 30, 3}, {80, 60, 3})), cpu::Kernel::move_lookup);
    expect_kernel(whole(tile_plan(DataType::kUint8, {5000, 1}, {1, 5})), cpu::Kernel::move_lookup);
  });
}

// ---- Indices -------------------------------------------------------------------------------------------------------

void expect_indices(const AxisRequest& request, const SamplingParams& sampling) {
  const auto rule = make_axis_rule(request, sampling);
  ASSERT_TRUE(rule.ok());
  const IndexRange ranges[] = {{0, request.out}, {request.out / 3, request.out - request.out / 3}};
  for (const IndexRange range : ranges) {
    std::vector<int64_t> indices(static_cast<size_t>(range.n));
    cpu::moves::find_indices(*rule, range, indices.data());
    ASSERT_EQ(indices, make_index_table(*rule, range))
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
      // Any float, and scales a hair beside those that put positions onto halves.
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
}  // namespace tesela
