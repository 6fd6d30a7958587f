// SPDX-License-Identifier: Apache-2.0
// Runs fuzz targets without libFuzzer: over the inputs of corpus/, over one file, and over random inputs.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

// Each target's entry, which its source file calls LLVMFuzzerTestOneInput.
#define TESELA_FUZZ_TARGET(name) extern "C" int name(const uint8_t* data, size_t size);
#include "fuzz_targets.def"
#undef TESELA_FUZZ_TARGET

namespace {

using Bytes = std::vector<uint8_t>;

constexpr struct {
  std::string_view name;
  int (*run)(const uint8_t*, size_t);
} kTargets[] = {
#define TESELA_FUZZ_TARGET(name) {#name, name},
#include "fuzz_targets.def"
#undef TESELA_FUZZ_TARGET
};

// The input under way. If it ends the process it is written to a file.
Bytes current;

extern "C" void keep_current(int signal) {
  constexpr char kName[] = "crash-input";
  if (std::FILE* const file = std::fopen(kName, "wb")) {
    std::fwrite(current.data(), 1, current.size(), file);
    std::fclose(file);
  }
  std::fprintf(stderr, "signal %d; the input is in the file %s\n", signal, kName);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

Bytes from_base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  Bytes bytes;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) break;  // padding
    bits = bits << 6 | static_cast<uint32_t>(digit);
    if ((count += 6) < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<uint8_t>(bits >> count));
  }
  return bytes;
}

// A list of kept inputs, or a single input as it is.
std::vector<Bytes> read_inputs(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!path.ends_with(".txt")) return {Bytes{std::istreambuf_iterator<char>(file), {}}};
  std::vector<Bytes> inputs;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line.front() != '#') inputs.push_back(from_base64(line));
  return inputs;
}

int run_files(int (*run)(const uint8_t*, size_t), const std::string& path) {
  const std::vector<Bytes> inputs = read_inputs(path);
  for (const Bytes& input : inputs) {
    current = input;
    run(current.data(), current.size());
  }
  std::printf("%zu inputs\n", inputs.size());
  return inputs.empty() ? 1 : 0;
}

int run_random(int (*run)(const uint8_t*, size_t), uint64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (uint64_t k = 0; k < count; ++k) {
    current.resize(16 + random() % 240);
    for (size_t at = 0; at < current.size(); at += 8) {
      const uint64_t number = random();
      std::memcpy(&current[at], &number, std::min<size_t>(8, current.size() - at));
    }
    run(current.data(), current.size());
  }
  std::printf("%llu inputs\n", static_cast<unsigned long long>(count));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  const auto* const target = words.empty() ? std::end(kTargets)
                                           : std::find_if(std::begin(kTargets), std::end(kTargets),
                                                          [&](const auto& each) { return each.name == words[0]; });
  if (target == std::end(kTargets) || words.size() < 2) {
    std::fputs("usage: tesela_fuzz_replay TARGET FILE, or TARGET --random COUNT SEED\n", stderr);
    return 2;
  }
#if !defined(__SANITIZE_ADDRESS__)  // which has its own report of these signals
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, keep_current);
#endif
  std::signal(SIGABRT, keep_current);
  if (words.size() == 4 && words[1] == "--random")
    return run_random(target->run, std::strtoull(argv[3], nullptr, 10), std::strtoull(argv[4], nullptr, 10));
  return run_files(target->run, std::string(words[1]));
}
