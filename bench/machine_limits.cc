// SPDX-License-Identifier: Apache-2.0
// The limits of the machine: the rates of reading and writing bytes, of summing products, and of the conversions between elements
// and numbers. Times are measured here, from the begin of the first thread to the end of the last, because waking threads is
// not part of a limit.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine_limits.cc"
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "machine_limits.h"

#define TESELA_WITHOUT_AVX3_DL
#include "backend/cpu/targets.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "backend/cpu/simd/load_store-inl.h"

#ifndef TESELA_LIMITS_WORK
#define TESELA_LIMITS_WORK
namespace machine_limits {
struct Work {
  const uint8_t* source;
  size_t read;  // bytes
  uint8_t* target;
  size_t written;  // bytes
  uint8_t value;   // of each written byte
};
}  // namespace machine_limits
#endif

HWY_BEFORE_NAMESPACE();
namespace machine_limits {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Bytes = hn::ScalableTag<uint8_t>;

// A step reads and writes its share of both, like a kernel that passes over them once.
constexpr size_t kSteps = 4096;
constexpr size_t kLine = 64;

enum Store { kPlain, kStream, kMemset };

template <Store kStore>
void write_bytes(const Work& work, size_t from, size_t to) {
  uint8_t* target = work.target;
  if constexpr (kStore == kMemset) {
    std::memset(target + from, work.value, to - from);
    return;
  }
  const Bytes d;
  const auto value = hn::Set(d, work.value);
  const size_t kLanes = hn::Lanes(d);
  for (size_t i = from; i + kLine <= to; i += kLine)
    for (size_t lane = 0; lane < kLine; lane += kLanes)
      if constexpr (kStore == kStream)
        hn::Stream(value, d, target + i + lane);
      else
        hn::Store(value, d, target + i + lane);
}

void read_bytes(const uint8_t* source, size_t from, size_t to, uint8_t* sink) {
  const Bytes d;
  const size_t kLanes = hn::Lanes(d);
  auto a = hn::Zero(d), b = a, e = a, f = a;
  size_t i = from;
  for (; i + 4 * kLanes <= to; i += 4 * kLanes) {
    a = hn::Or(a, hn::LoadU(d, source + i));
    b = hn::Or(b, hn::LoadU(d, source + i + kLanes));
    e = hn::Or(e, hn::LoadU(d, source + i + 2 * kLanes));
    f = hn::Or(f, hn::LoadU(d, source + i + 3 * kLanes));
  }
  hn::StoreU(hn::Or(hn::Or(a, b), hn::Or(e, f)), d, sink);
}

template <Store kStore>
void move_bytes(const Work& work) {
  const size_t read = work.read, written = work.written;
  HWY_ALIGN uint8_t sink[256];
  const size_t steps = std::clamp<size_t>(std::max(read, written) / kSteps, 1, kSteps);
  const auto part = [steps](size_t bytes, size_t step) { return bytes / kLine * step / steps * kLine; };
  for (size_t step = 0; step < steps; ++step) {
    read_bytes(work.source, part(read, step), part(read, step + 1), sink);
    write_bytes<kStore>(work, part(written, step), part(written, step + 1));
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

void Move(const Work& work, int store) {
  if (store == kPlain) return move_bytes<kPlain>(work);
  if (store == kStream) return move_bytes<kStream>(work);
  move_bytes<kMemset>(work);
}

// Multiplications, each followed by an addition, in independent chains: enough to keep the units busy, few enough for
// the registers.
template <class T>
double chains(int64_t rounds) {
  const hn::ScalableTag<T> d;
  constexpr int kChains = 12;
  using V = hn::Vec<decltype(d)>;
  V sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = hn::Set(d, static_cast<T>(i));
  // The compiler must not know the value, or it could shorten the chains.
  volatile T kept = static_cast<T>(1);
  const V factor = hn::Set(d, kept), step = hn::Set(d, kept);
  for (int64_t round = 0; round < rounds; ++round)
    for (V& sum : sums) sum = hn::Add(hn::Mul(sum, factor), step);
  for (const V& sum : sums) kept = hn::GetLane(sum);
  return static_cast<double>(rounds) * kChains * static_cast<double>(hn::Lanes(d));
}

double Multiply(int kind, int64_t rounds) {
  if (kind == 0) return chains<float>(rounds);
  if (kind == 1) return chains<double>(rounds);
  return chains<int16_t>(rounds);
}

// Makes the compiler compute v here, and forget what it knows of it; takes no instruction.
template <class V>
HWY_INLINE void Keep(V& v) {
#if HWY_TARGET == HWY_SCALAR
  asm volatile("" : "+m"(v));
#elif HWY_ARCH_X86
  asm volatile("" : "+v"(v.raw));
#elif HWY_ARCH_ARM
  asm volatile("" : "+w"(v.raw));
#else
  asm volatile("" : "+m"(v));
#endif
}

constexpr int64_t kConverted = 4096;  // elements, which stay in the L1 cache with what they become

// Loads of elements as numbers, or stores of sums as elements: as the kernels do it, since the contract leaves no choice but in the
// instructions.
template <class T, class C, bool kToElements>
double conversions(int64_t rounds) {
  using D = hn::ScalableTag<C>;
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  constexpr size_t kVectors = 4;
  const tesela::cpu::HWY_NAMESPACE::Rounder<T, D> rounder(d, tesela::cpu::Rounding{4});
  alignas(64) T elements[kConverted] = {};
  hn::Vec<D> numbers[kVectors];
  for (auto& number : numbers) number = hn::Set(d, static_cast<C>(1));
  for (int64_t round = 0; round < rounds; ++round)
    for (int64_t i = 0; i < kConverted; i += lanes * static_cast<int64_t>(kVectors)) {
      if constexpr (!kToElements)
        for (size_t u = 0; u < kVectors; ++u)
          numbers[u] = tesela::cpu::HWY_NAMESPACE::LoadAs(d, elements + i + static_cast<int64_t>(u) * lanes);
      for (auto& number : numbers) Keep(number);
      if constexpr (kToElements) tesela::cpu::HWY_NAMESPACE::StoreSums<kVectors>(d, numbers, rounder, elements + i);
    }
  return static_cast<double>(rounds * kConverted);
}

template <class T, class C>
double conversions_of(bool to_elements, int64_t rounds) {
  return to_elements ? conversions<T, C, true>(rounds) : conversions<T, C, false>(rounds);
}

// Zero if they are not measured.
double Convert(int type, int kind, bool to_elements, int64_t rounds) {
  if (kind == 2) return type == 0 ? conversions_of<uint8_t, uint16_t>(to_elements, rounds) : 0;
  if (kind == 1) return type == 4 ? conversions_of<int32_t, double>(to_elements, rounds) : 0;
  switch (type) {
    case 0: return conversions_of<uint8_t, float>(to_elements, rounds);
    case 1: return conversions_of<int16_t, float>(to_elements, rounds);
    case 2: return conversions_of<tesela::Float16, float>(to_elements, rounds);
    case 3: return conversions_of<tesela::Bfloat16, float>(to_elements, rounds);
    default: return 0;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace machine_limits
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace machine_limits {
namespace {

HWY_EXPORT(Move);
HWY_EXPORT(Multiply);
HWY_EXPORT(Convert);

using Clock = std::chrono::steady_clock;

// Starts each thread on its own processor: two on the same one would disturb each other.
void move_to(const cpu_set_t& allowed, int thread) {
  int skipped = thread % CPU_COUNT(&allowed);
  for (size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || skipped-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

// A barrier for threads, without sleeping.
class Meeting {
 public:
  explicit Meeting(int threads) : threads_(threads) {}
  void arrive(int round) {
    arrived_.fetch_add(1);
    while (arrived_.load(std::memory_order_acquire) < (round + 1) * threads_) {
    }
  }

 private:
  int threads_;
  std::atomic<int> arrived_{0};
};

// Nanoseconds of work(thread), started on all threads at once: the best of `rounds`.
template <class Work>
double timed(int threads, int rounds, const Work& work) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (threads > 1) sched_getaffinity(0, sizeof allowed, &allowed);
  Meeting meeting(threads);
  struct Span {
    Clock::time_point begin, end;
  };
  std::vector<std::vector<Span>> spans(static_cast<size_t>(threads), std::vector<Span>(static_cast<size_t>(rounds)));
  const auto run = [&](int thread) {
    if (threads > 1) {
      move_to(allowed, thread);
      meeting.arrive(0);
      sched_setaffinity(0, sizeof allowed, &allowed);  // the scheduler may move it from now on
    }
    for (int round = 0; round < rounds; ++round) {
      Span& span = spans[static_cast<size_t>(thread)][static_cast<size_t>(round)];
      meeting.arrive(threads > 1 ? round + 1 : round);
      span.begin = Clock::now();
      work(thread);
      span.end = Clock::now();
    }
  };
  std::vector<std::thread> others;
  for (int thread = 1; thread < threads; ++thread) others.emplace_back(run, thread);
  run(0);
  for (std::thread& other : others) other.join();

  double best = std::numeric_limits<double>::infinity();
  for (size_t round = 0; round < static_cast<size_t>(rounds); ++round) {
    Span all = spans[0][round];
    for (const auto& thread : spans) {
      all.begin = std::min(all.begin, thread[round].begin);
      all.end = std::max(all.end, thread[round].end);
    }
    best = std::min(best, std::chrono::duration<double, std::nano>(all.end - all.begin).count());
  }
  return best;
}

// What work() counts, on all threads together, per nanosecond.
template <class Work>
double rate(int threads, const Work& work) {
  std::vector<double> counts(static_cast<size_t>(threads));
  const double nanoseconds = timed(threads, 1, [&](int thread) { counts[static_cast<size_t>(thread)] = work(); });
  return std::accumulate(counts.begin(), counts.end(), 0.0) / nanoseconds;
}

// Independent additions, as many as a processor starts at once. Its caches and vector units play no part.
void add_integers(int64_t additions) {
  constexpr int kChains = 6, kUnrolled = 8;
  int64_t sums[kChains] = {};
  for (int64_t i = 0; i < additions; i += kChains * kUnrolled)
    for (int k = 0; k < kUnrolled; ++k)
      for (int64_t& sum : sums) {
        ++sum;
        asm volatile("" : "+r"(sum));  // the compiler must not join additions
      }
}

}  // namespace
}  // namespace machine_limits

extern "C" {

double tesela_limits_move(const void* source, size_t read, void* target, size_t written, int value, int store,
                          int threads, int rounds) {
  using namespace machine_limits;
  const auto share = [threads](size_t bytes, int thread) {
    return bytes / 64 * static_cast<size_t>(thread) / static_cast<size_t>(threads) * 64;
  };
  return timed(threads, rounds, [&](int thread) {
    const size_t from = share(read, thread), to = share(written, thread);
    const Work part = {static_cast<const uint8_t*>(source) + from, share(read, thread + 1) - from,
                       static_cast<uint8_t*>(target) + to, share(written, thread + 1) - to,
                       static_cast<uint8_t>(value)};
    HWY_DYNAMIC_DISPATCH(Move)(part, store);
  });
}

double tesela_limits_multiply(int kind, int threads) {
  using namespace machine_limits;
  return rate(threads, [kind] { return HWY_DYNAMIC_DISPATCH(Multiply)(kind, 200'000); });
}

double tesela_limits_convert(int type, int kind, int to_elements, int threads) {
  using namespace machine_limits;
  const double converted =
      rate(threads, [=] { return HWY_DYNAMIC_DISPATCH(Convert)(type, kind, to_elements != 0, 1000); });
  return converted == 0 ? std::numeric_limits<double>::infinity() : converted;
}

double tesela_limits_instructions(int threads) {
  constexpr int64_t kAdditions = 96'000;
  return kAdditions / machine_limits::timed(threads, 1, [](int) { machine_limits::add_integers(kAdditions); });
}

}  // extern "C"
#endif  // HWY_ONCE
