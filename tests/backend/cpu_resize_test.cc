// Resizes by the CPU backend (src/backend/cpu/resize) equal the reference in every bit, on every instruction set.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <random>

#include "backend/cpu/cpu.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/targets.h"
#include "backend/reference/reference.h"
#include "hwy/highway.h"
#include "types/elements.h"

namespace tesela {
namespace {

// A buffer whose last byte is the last before a page that may not be touched.
class GuardedBuffer {
 public:
  explicit GuardedBuffer(size_t bytes) : bytes_(bytes) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    mapped_ = (bytes + page - 1) / page * page + page;
    base_ = static_cast<std::byte*>(mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base_ + mapped_ - page, page, PROT_NONE);
    data_ = base_ + mapped_ - page - bytes;
  }
  ~GuardedBuffer() { munmap(base_, mapped_); }
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;
  std::byte* data() { return data_; }
  size_t size() const { return bytes_; }

 private:
  size_t bytes_;
  size_t mapped_;
  std::byte* base_;
  std::byte* data_;
};

std::vector<int64_t> supported_targets() {
  hwy::SetSupportedTargetsForTest(0);
  std::vector<int64_t> targets;
  for (int64_t rest = hwy::SupportedTargets() & (HWY_TARGETS); rest != 0; rest &= rest - 1)
    targets.push_back(rest & -rest);
  return targets;
}

// Makes one instruction set the only one, until the end of the scope. The Ice Lake extensions come with what they extend.
class OnlyTarget {
 public:
  explicit OnlyTarget(int64_t target) {
    hwy::SetSupportedTargetsForTest(target == HWY_AVX3_DL ? HWY_AVX3_DL | HWY_AVX3 : target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  ~OnlyTarget() {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

constexpr DataType kComputedTypes[] = {
    DataType::kFloat,  DataType::kUint8,  DataType::kInt8,      DataType::kUint16,     DataType::kInt16,
    DataType::kInt32,  DataType::kInt64,  DataType::kBool,      DataType::kFloat16,    DataType::kDouble,
    DataType::kUint32, DataType::kUint64, DataType::kComplex64, DataType::kComplex128, DataType::kBfloat16};

using Random = std::mt19937_64;

int64_t pick(Random& random, int64_t lo, int64_t hi) {
  return std::uniform_int_distribution<int64_t>(lo, hi)(random);
}

// Ordinary numbers mostly; now and then what floats have besides: NaN, infinities, -0.0, denormals.
void fill_random(Random& random, DataType type, GuardedBuffer& buffer) {
  const auto part = static_cast<size_t>(element_bits(type) / 8 / parts_of(type));
  const double special[] = {0.0, -0.0, 1e-42, -1e-310, 1e30, INFINITY, -INFINITY, NAN};
  const bool with_specials = pick(random, 0, 2) == 0;
  for (size_t at = 0; at < buffer.size(); at += part) {
    double value = std::uniform_real_distribution<double>(-300, 300)(random);
    if (with_specials && pick(random, 0, 15) == 0) value = special[pick(random, 0, 7)];
    std::byte element[16];
    element_from_double(type, value, element);
    if (traits(type).kind == DataKind::kSigned || traits(type).kind == DataKind::kUnsigned) {
      const auto bits = random();
      std::memcpy(element, &bits, part);
    }
    std::memcpy(buffer.data() + at, element, part);
  }
}

ResizeParams random_params(Random& random) {
  ResizeParams params;
  params.type = kComputedTypes[pick(random, 0, std::ssize(kComputedTypes) - 1)];
  params.sampling.filter = pick(random, 0, 1) ? Filter::kLinear : Filter::kCubic;
  params.sampling.coordinates = static_cast<CoordinateMode>(pick(random, 0, 6));
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

bool same(DataType type, const std::byte* a, const std::byte* b, size_t bytes) {
  if (std::memcmp(a, b, bytes) == 0) return true;
  const auto step = static_cast<size_t>(element_bits(type) / 8);
  for (size_t at = 0; at < bytes; at += step) {
    if (std::memcmp(a + at, b + at, step) == 0) continue;
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

// Runs the whole plan both ways. canary: what the output holds before, so that an unwritten byte shows.
void expect_equal(const Plan& plan, Random& random, int canary, bool stream) {
  const auto bytes = [&](const Extents& extents) {
    return static_cast<size_t>(product(extents) * element_bits(plan.type) / 8);
  };
  if (product(plan.out) == 0) return;
  GuardedBuffer input(bytes(plan.in));
  GuardedBuffer expected(bytes(plan.out));
  GuardedBuffer actual(bytes(plan.out));
  fill_random(random, plan.type, input);
  std::memset(expected.data(), ~canary, expected.size());
  std::memset(actual.data(), canary, actual.size());
  BoxRun run;
  run.input = {input.data(), plan.type, plan.in, {}, 0};
  run.input_lo = Extents(plan.in.size(), 0);
  run.output = {expected.data(), plan.type, plan.out, {}, 0};
  run.output_lo = Extents(plan.out.size(), 0);
  reference::run_box(plan, run);
  run.output.data = actual.data();
  cpu::run_box(plan, *cpu::make_program(plan), run, stream);
  EXPECT_TRUE(same(plan.type, expected.data(), actual.data(), actual.size()));
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

// "linear-antialias float 33x900 -> 33x97": the words of a kernel's sample.
ResizeParams parse_sample(const std::string& sample) {
  char mode[32];
  char type[32];
  char in[64];
  char out[64];
  EXPECT_EQ(std::sscanf(sample.c_str(), "%31s %31s %63s -> %63s", mode, type, in, out), 4) << sample;
  const auto extents = [](std::string text) {
    Extents values;
    for (size_t at = 0; at < text.size();) {
      size_t used = 0;
      values.push_back(std::stoll(text.substr(at), &used));
      at += used + 1;
    }
    return values;
  };
  ResizeParams params;
  params.type = *find_data_type(type);
  params.in = extents(in);
  params.sampling.filter = std::string(mode).starts_with("cubic") ? Filter::kCubic : Filter::kLinear;
  params.sampling.antialias = std::string(mode).find("antialias") != std::string::npos;
  params.fast = std::string(mode).ends_with("fast");
  const Extents sizes = extents(out);
  for (size_t d = 0; d < sizes.size(); ++d)
    params.axes.push_back({d, params.in[d], sizes[d], true, sizes[d], params.in[d]});
  return params;
}

TEST(CpuInterpolation, EqualsTheReferenceOnRandomPlansOfEveryInstructionSet) {
  const char* asked = std::getenv("TESELA_CASES");
  const uint64_t cases = asked ? std::strtoull(asked, nullptr, 10) : 400;
  for (const int64_t target : supported_targets()) {
    const OnlyTarget only(target);
    for (uint64_t seed = 0; seed < cases; ++seed) {
      Random random(seed);
      const ResizeParams params = random_params(random);
      const Result<Plan> plan = make_resize_plan(params, Limits::none());
      ASSERT_TRUE(plan.ok()) << plan.status().message();
      SCOPED_TRACE(fmt::format("{} seed {}: {}", hwy::TargetName(target), seed, description(params)));
      expect_equal(*plan, random, 0x5a, seed % 2 == 0);
      if (testing::Test::HasFailure()) return;
    }
  }
}

// Inputs that are fetched ahead because they are larger than a cache.
TEST(CpuInterpolation, EqualsTheReferenceOnLargeInputs) {
  for (const int64_t target : supported_targets()) {
    const OnlyTarget only(target);
    for (const char* sample : {"linear-antialias float 600x530 -> 100x90", "linear float 700x450 -> 60x40",
                               "linear uint8 1100x1000 -> 120x100", "cubic-antialias float 300x1024 -> 150x512"}) {
      SCOPED_TRACE(fmt::format("{}: {}", hwy::TargetName(target), sample));
      Random random(7);
      expect_equal(*make_resize_plan(parse_sample(sample), Limits::none()), random, 0x3c, true);
    }
  }
}

// One axis of every length up to several vectors, at whatever offset a row leaves it.
TEST(CpuInterpolation, EqualsTheReferenceAtEveryShortLength) {
  for (const int64_t target : supported_targets()) {
    const OnlyTarget only(target);
    for (int64_t n = 1; n <= 70; ++n)
      for (const Filter filter : {Filter::kLinear, Filter::kCubic}) {
        Random random(static_cast<uint64_t>(n));
        ResizeParams params;
        params.type = kComputedTypes[static_cast<size_t>(n) % std::size(kComputedTypes)];
        params.sampling.filter = filter;
        params.in = {3, n};
        for (size_t d = 0; d < 2; ++d) {
          const int64_t out = d == 0 ? 5 : n + n / 3 + 1;
          params.axes.push_back({d, params.in[d], out, true, out, params.in[d]});
        }
        SCOPED_TRACE(fmt::format("{}: {}", hwy::TargetName(target), description(params)));
        expect_equal(*make_resize_plan(params, Limits::none()), random, n % 2 ? 0xff : 0x00, n % 3 == 0);
        if (testing::Test::HasFailure()) return;
      }
  }
}

TEST(CpuInterpolation, EveryKernelRunsOnItsSampleOnEveryInstructionSet) {
  for (const int64_t target : supported_targets()) {
    const OnlyTarget only(target);
    for (size_t row = 0; row < std::size(cpu::kKernelRows); ++row) {
      const std::string kernel = cpu::kKernelRows[row].name;
      if (kernel.starts_with("move_") || kernel == "sum_fixed_point") continue;
      // One lane has no vector to look anything up in, nor rows to put side by side or to share a load.
      if (target == HWY_SCALAR &&
          (kernel == "horizontal_lookup" || kernel == "horizontal_transposed" || kernel == "vertical_overlapping"))
        continue;
      if (target != HWY_AVX3_DL && kernel == "column_lookup") continue;
      SCOPED_TRACE(fmt::format("{}: {}", hwy::TargetName(target), kernel));
      const Result<Plan> plan = make_resize_plan(parse_sample(cpu::kKernelRows[row].sample), Limits::none());
      ASSERT_TRUE(plan.ok());
      const uint64_t before = cpu::kernel_tasks[row];
      Random random(row);
      expect_equal(*plan, random, 0xa5, false);
      EXPECT_GT(cpu::kernel_tasks[row], before);
    }
  }
}

uint64_t tasks(cpu::Kernel kernel) {
  return cpu::kernel_tasks[static_cast<size_t>(kernel)];
}

// A plan of 8-bit elements whose axes grow by powers of two, or shrink so under antialias.
ResizeParams random_dyadic_params(Random& random) {
  ResizeParams params;
  params.type = pick(random, 0, 1) ? DataType::kUint8 : DataType::kInt8;
  params.sampling.filter = Filter::kLinear;
  params.sampling.antialias = pick(random, 0, 1);
  params.sampling.coordinates = pick(random, 0, 2) ? CoordinateMode::kHalfPixel : CoordinateMode::kAsymmetric;
  const size_t rank = static_cast<size_t>(pick(random, 1, 4));
  int64_t room = 4000;
  int64_t bits = 0;
  for (size_t d = 0; d < rank; ++d) {
    int64_t in = pick(random, 1, std::clamp<int64_t>(room, 1, d + 1 == rank ? 300 : 20));
    int64_t out = in;
    if (bits < 6 && pick(random, 0, 3) > 0) {
      const bool shrinks = params.sampling.antialias && params.sampling.coordinates == CoordinateMode::kHalfPixel &&
                           bits < 4 && pick(random, 0, 1);
      const int64_t factor = !shrinks && bits < 4 && pick(random, 0, 2) == 0 ? 4 : 2;
      out = shrinks ? in : in * factor;
      in = shrinks ? in * factor : in;
      bits += shrinks || factor == 4 ? 3 : 2;
    }
    if (d + 1 == rank && std::min(in, out) < 32) out *= 32, in *= 32;
    params.in.push_back(in);
    room /= std::max(in, out);
    if (out == in) continue;
    const bool exact = pick(random, 0, 1);
    params.axes.push_back({d, in, out, exact, out, in, static_cast<double>(out) / static_cast<double>(in)});
  }
  return params;
}

TEST(CpuInterpolation, DyadicSumsEqualTheReference) {
  const char* asked = std::getenv("TESELA_CASES");
  const uint64_t cases = asked ? std::strtoull(asked, nullptr, 10) : 300;
  for (const int64_t target : supported_targets()) {
    const OnlyTarget only(target);
    const uint64_t before = tasks(cpu::Kernel::sum_power_of_two);
    for (uint64_t seed = 0; seed < cases; ++seed) {
      Random random(seed);
      const ResizeParams params = random_dyadic_params(random);
      const Result<Plan> plan = make_resize_plan(params, Limits::none());
      ASSERT_TRUE(plan.ok()) << plan.status().message();
      SCOPED_TRACE(fmt::format("{} seed {}: {}", hwy::TargetName(target), seed, description(params)));
      expect_equal(*plan, random, 0x5a, seed % 2 == 0);
      if (testing::Test::HasFailure()) return;
    }
    // Plans without a pass, or over the sixteen bits, do not count.
    EXPECT_GT(tasks(cpu::Kernel::sum_power_of_two) - before, cases / 2) << hwy::TargetName(target);
  }
}

TEST(CpuInterpolation, DyadicSumsEqualTheReferenceAtEveryShortLength) {
  for (const int64_t target : supported_targets()) {
    const OnlyTarget only(target);
    for (int64_t n = 30; n <= 140; ++n)
      for (const DataType type : {DataType::kUint8, DataType::kInt8}) {
        Random random(static_cast<uint64_t>(n));
        ResizeParams params;
        params.type = type;
        params.sampling.filter = Filter::kLinear;
        params.in = {5, n};
        for (size_t d = 0; d < 2; ++d)
          params.axes.push_back({d, params.in[d], 2 * params.in[d], true, 2 * params.in[d], params.in[d]});
        SCOPED_TRACE(fmt::format("{}: {}", hwy::TargetName(target), description(params)));
        const uint64_t before = tasks(cpu::Kernel::sum_power_of_two);
        expect_equal(*make_resize_plan(params, Limits::none()), random, n % 2 ? 0xff : 0x00, n % 3 == 0);
        EXPECT_EQ(tasks(cpu::Kernel::sum_power_of_two), before + (n >= 32));  // shorter rows fill no vector
        if (testing::Test::HasFailure()) return;
      }
  }
}

struct FastCase {
  Plan plan;
  std::vector<uint8_t> input;
  std::vector<uint8_t> exact;
};

std::vector<uint8_t> run_with(const FastCase& test, bool reference, bool stream) {
  std::vector<uint8_t> output(static_cast<size_t>(product(test.plan.out)), 0x5a);
  const BoxRun run = {{reinterpret_cast<const std::byte*>(test.input.data()), test.plan.type, test.plan.in, {}, 0},
                      Extents(test.plan.in.size(), 0),
                      {reinterpret_cast<std::byte*>(output.data()), test.plan.type, test.plan.out, {}, 0},
                      Extents(test.plan.out.size(), 0)};
  if (reference)
    reference::run_box(test.plan, run);
  else
    cpu::run_box(test.plan, *cpu::make_program(test.plan), run, stream);
  return output;
}

// precision = fast: the same bits on every instruction set, never more than one unit from the exact result, and one unit
// in under one of a hundred.
TEST(CpuInterpolation, FastSumsAreTheSameEverywhereAndCloseToTheReference) {
  const char* asked = std::getenv("TESELA_CASES");
  const uint64_t cases = asked ? std::strtoull(asked, nullptr, 10) / 4 : 300;
  const std::vector<int64_t> targets = supported_targets();
  uint64_t elements = 0;
  uint64_t apart = 0;
  uint64_t fixed = 0;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Random random(seed);
    ResizeParams params = random_params(random);
    params.fast = true;
    params.type = pick(random, 0, 1) ? DataType::kUint8 : DataType::kInt8;
    const Result<Plan> plan = make_resize_plan(params, Limits::none());
    ASSERT_TRUE(plan.ok()) << plan.status().message();
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, description(params)));
    FastCase test = {*plan, std::vector<uint8_t>(static_cast<size_t>(product(plan->in))), {}};
    for (uint8_t& each : test.input) each = static_cast<uint8_t>(random());
    test.exact = run_with(test, true, false);
    std::vector<uint8_t> first;
    for (const int64_t target : targets) {
      const OnlyTarget only(target);
      const uint64_t before = tasks(cpu::Kernel::sum_fixed_point);
      const std::vector<uint8_t> output = run_with(test, false, seed % 2 == 0);
      if (target == targets.front()) {
        first = output;
        if (tasks(cpu::Kernel::sum_fixed_point) == before) continue;
        ++fixed;
        elements += output.size();
      }
      EXPECT_EQ(output, first) << hwy::TargetName(target);
    }
    for (size_t i = 0; i < first.size(); ++i) {
      const int difference = params.type == DataType::kUint8
                                 ? first[i] - test.exact[i]
                                 : static_cast<int8_t>(first[i]) - static_cast<int8_t>(test.exact[i]);
      ASSERT_LE(std::abs(difference), 1) << i;
      apart += difference != 0;
    }
  }
  EXPECT_GT(fixed, cases / 16);  // most random plans are too small, or make ties
  EXPECT_LT(apart * 100, elements);
}

// Each kind of plan by itself, over enough elements to count.
TEST(CpuInterpolation, FastSumsDifferInUnderOneOfAHundred) {
  for (const char* sample :
       {"linear-fast uint8 2x150x200 -> 2x337x451", "cubic-fast uint8 2x150x200 -> 2x337x451",
        "cubic-fast uint8 2x400x500 -> 2x220x300", "linear-antialias-fast uint8 2x400x500 -> 2x224x280",
        "linear-antialias-fast int8 2x400x500 -> 2x133x280", "cubic-antialias-fast uint8 2x400x500 -> 2x224x260",
        "linear-fast int8 15x40x60 -> 25x77x111"}) {
    SCOPED_TRACE(sample);
    FastCase test = {*make_resize_plan(parse_sample(sample), Limits::none()), {}, {}};
    Random random(3);
    test.input.resize(static_cast<size_t>(product(test.plan.in)));
    for (uint8_t& each : test.input) each = static_cast<uint8_t>(random());
    test.exact = run_with(test, true, false);
    const uint64_t before = tasks(cpu::Kernel::sum_fixed_point);
    const std::vector<uint8_t> output = run_with(test, false, false);
    EXPECT_GT(tasks(cpu::Kernel::sum_fixed_point), before);
    size_t apart = 0;
    for (size_t i = 0; i < output.size(); ++i) {
      const auto difference = static_cast<int8_t>(static_cast<uint8_t>(output[i] - test.exact[i]));
      ASSERT_LE(std::abs(int{difference}), 1) << i;
      apart += difference != 0;
    }
    EXPECT_LT(apart * 100, output.size()) << apart << " of " << output.size();
  }
}

// Under oddly aligned and gapped tensors the result is the same, and the gaps stay as they were.
TEST(CpuInterpolation, GappedAndMisalignedTensorsAreRight) {
  ResizeParams params;
  params.type = DataType::kFloat;
  params.in = {4, 6, 20};
  params.sampling.filter = Filter::kCubic;
  for (size_t d = 0; d < 3; ++d)
    params.axes.push_back({d, params.in[d], params.in[d] + 3, true, params.in[d] + 3, params.in[d]});
  const Plan plan = *make_resize_plan(params, Limits::none());
  const auto program = cpu::make_program(plan);
  Random random(1);
  GuardedBuffer dense(4 * 6 * 20 * 4);
  fill_random(random, DataType::kFloat, dense);
  std::vector<std::byte> spread(4 * 6 * 20 * 12 + 1);
  const Extents strides = {6 * 20 * 12, 20 * 12, 12};
  const MutableTensorView gapped = {spread.data() + 1, DataType::kFloat, plan.in, strides, 0};
  copy_elements({dense.data(), DataType::kFloat, plan.in, {}, 0}, gapped);

  const auto count = static_cast<size_t>(product(plan.out));
  std::vector<std::byte> expected(count * 4);
  std::vector<std::byte> actual(count * 8 + 1, std::byte{0x77});
  const Extents zero = {0, 0, 0};
  Extents out_strides = dense_strides(DataType::kDouble, plan.out);  // eight bytes for each four
  const BoxRun plain = {{dense.data(), DataType::kFloat, plan.in, {}, 0},
                        zero,
                        {expected.data(), DataType::kFloat, plan.out, {}, 0},
                        zero};
  const BoxRun odd = {gapped.as_const(), zero, {actual.data() + 1, DataType::kFloat, plan.out, out_strides, 0}, zero};
  reference::run_box(plan, plain);
  cpu::run_box(plan, *program, odd, false);
  for (size_t i = 0; i < count; ++i) {
    EXPECT_TRUE(same(plan.type, &expected[i * 4], &actual[1 + i * 8], 4)) << i;
    EXPECT_EQ(actual[1 + i * 8 + 4], std::byte{0x77}) << i;
  }
}

}  // namespace
}  // namespace tesela
