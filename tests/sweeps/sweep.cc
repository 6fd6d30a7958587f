// SPDX-License-Identifier: Apache-2.0
// Damages valid files in every way of a kind and reads them: every prefix, every flip of one bit, and every byte
// replaced by 00, 7f, 80 and ff. Stops at a file that is refused whole, a crash, a hang, an input that takes too much
// processor time and, without sanitizers, one that takes too much memory. Prints the counts as JSON.
//
//   tesela_sweep [--whole] FILE...
//
// --whole: reads the files as they are, and lists every one that is refused.
#include <fmt/format.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "sweeps/peak_memory.h"
#include "sweeps/readers.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace tesela::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif
constexpr double kMaxSeconds = kIsSanitized ? 0.5 : 0.05;
constexpr int64_t kMaxKibibytes = 64 << 10;  // peak memory of the process beyond that at the start
constexpr int kHangSeconds = 10;

enum class Kind : uint8_t { kPrefixes, kFlips, kBytes };
constexpr std::array kKinds = {Kind::kPrefixes, Kind::kFlips, Kind::kBytes};
constexpr std::array<std::string_view, 3> kKindNames = {"prefixes", "flips", "bytes"};
constexpr std::array<uint8_t, 4> kBytes = {0x00, 0x7f, 0x80, 0xff};

struct Count {
  int64_t accepted = 0;
  int64_t refused = 0;
};

// The input being read, for the report of a crash.
struct Current {
  const char* path = "";
  std::string_view kind = "whole";
  size_t number = 0;
  volatile int64_t inputs = 0;  // read so far
} current;

// Uses nothing that a crashed process may not use.
void print_current() {
  std::array<char, 512> text;
  const int length = std::snprintf(text.data(), text.size(), "tesela_sweep: %s, %.*s, number %zu\n", current.path,
                                   static_cast<int>(current.kind.size()), current.kind.data(), current.number);
  if (length > 0 && ::write(STDERR_FILENO, text.data(), std::min(text.size(), static_cast<size_t>(length))) < 0) return;
}

[[noreturn]] void fail(std::string_view why) {
  fmt::print(stderr, "tesela_sweep: {}\n", why);
  print_current();
  std::_Exit(EXIT_FAILURE);
}

#if defined(__SANITIZE_ADDRESS__)
void watch_crashes() {
  __sanitizer_set_death_callback(print_current);
}
#else
void on_crash(int signal) {
  print_current();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void watch_crashes() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::signal(signal, on_crash);
}
#endif

void on_tick(int /*signal*/) {
  static int64_t last = -1;
  if (current.inputs == last) fail(fmt::format("an input takes more than {} s", kHangSeconds));
  last = current.inputs;
}

void watch_hangs() {
  ::signal(SIGPROF, on_tick);
  const itimerval period = {{kHangSeconds, 0}, {kHangSeconds, 0}};
  ::setitimer(ITIMER_PROF, &period, nullptr);
}

double processor_seconds() {
  timespec time = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

Reader start(const char* path) {
  current.path = path;
  current.kind = "whole";
  Reader reader = reader_for(path);
  if (!reader) fail("expected a file named .onnx, .xml, .bin, .npy, .npz, .pb, .png or .jpg");
  return reader;
}

int count_refused(int count, char** paths) {
  int refused = 0;
  for (int i = 0; i < count; ++i) {
    const std::string file = read_whole(paths[i]);
    const Status status = start(paths[i])(std::as_bytes(std::span(file)));
    if (status.ok()) continue;
    fmt::print(stderr, "{}: {}\n", paths[i], status.message());
    ++refused;
  }
  return refused;
}

class Sweep {
 public:
  void run(const char* path) {
    const Reader reader = start(path);
    const std::string file = read_whole(path);
    if (const Status status = reader(std::as_bytes(std::span(file))); !status.ok())
      fail(fmt::format("a valid file is refused: {}", status.message()));
    for (const Kind kind : kKinds) {
      current.kind = kKindNames[static_cast<size_t>(kind)];
      for (current.number = 0; current.number < inputs_of(kind, file.size()); ++current.number)
        read(reader, kind, damaged(kind, file, current.number));
    }
    if (!kIsSanitized && peak_kibibytes() > start_kibibytes_ + kMaxKibibytes)
      fail(fmt::format("an input made of this file takes {} KiB", peak_kibibytes() - start_kibibytes_));
    ++files_;
    bytes_ += file.size();
  }

  void print() const {
    fmt::print("{{\"files\": {}, \"file_bytes\": {}", files_, bytes_);
    for (const Kind kind : kKinds) {
      const Count& count = counts_[static_cast<size_t>(kind)];
      fmt::print(", \"{}\": {{\"accepted\": {}, \"refused\": {}}}", kKindNames[static_cast<size_t>(kind)],
                 count.accepted, count.refused);
    }
    fmt::print(", \"slowest_seconds\": {:.6f}, \"slowest\": \"{}\", \"peak_kibibytes\": {}, \"seconds\": {:.3f}}}\n",
               slowest_seconds_, slowest_, peak_kibibytes() - start_kibibytes_, processor_seconds());
  }

 private:
  static size_t inputs_of(Kind kind, size_t size) {
    if (kind == Kind::kPrefixes) return size;
    return size * (kind == Kind::kFlips ? 8 : kBytes.size());
  }

  /// In memory of its exact size, so that a sanitizer sees a read beyond the end.
  static std::vector<std::byte> damaged(Kind kind, std::string_view file, size_t number) {
    const auto bytes = std::as_bytes(std::span(file));
    if (kind == Kind::kPrefixes) return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(number)};
    std::vector<std::byte> copy(bytes.begin(), bytes.end());
    if (kind == Kind::kFlips) copy[number / 8] ^= std::byte{1} << (number % 8);
    if (kind == Kind::kBytes) copy[number / kBytes.size()] = std::byte{kBytes[number % kBytes.size()]};
    return copy;
  }

  void read(const Reader& reader, Kind kind, const std::vector<std::byte>& input) {
    const double begin = processor_seconds();
    const bool accepted = reader(input).ok();
    double seconds = processor_seconds() - begin;
    // Other processes disturb the measurement; a second one is only then as long if the input is the cause.
    for (int again = 0; seconds > kMaxSeconds && again < 3; ++again) {
      const double second_begin = processor_seconds();
      if (reader(input).ok() != accepted) fail("a second reading has another result");
      seconds = std::min(seconds, processor_seconds() - second_begin);
    }
    if (seconds > kMaxSeconds) fail(fmt::format("the input takes {:.3f} s of processor time", seconds));
    if (seconds > slowest_seconds_) {
      slowest_seconds_ = seconds;
      slowest_ = fmt::format("{}, {}, number {}", current.path, current.kind, current.number);
    }
    Count& count = counts_[static_cast<size_t>(kind)];
    ++(accepted ? count.accepted : count.refused);
    current.inputs = current.inputs + 1;
  }

  std::array<Count, kKinds.size()> counts_;
  int64_t files_ = 0;
  size_t bytes_ = 0;
  double slowest_seconds_ = 0;
  std::string slowest_;
  int64_t start_kibibytes_ = peak_kibibytes();
};

}  // namespace
}  // namespace tesela::testing

int main(int count, char** words) {
  using namespace tesela::testing;
  watch_crashes();
  watch_hangs();
  if (count > 1 && std::string_view(words[1]) == "--whole")
    return count_refused(count - 2, words + 2) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  Sweep sweep;
  for (int i = 1; i < count; ++i) sweep.run(words[i]);
  sweep.print();
  return EXIT_SUCCESS;
}
