// SPDX-License-Identifier: Apache-2.0
// Digests of the outputs of many cases. --write makes a manifest of them; --check compares one way to run with a
// manifest.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <clocale>
#include <cstdio>
#include <exception>
#include <iterator>
#include <locale>
#include <stdexcept>
#include <string>

#include "digests/environment.h"
#include "digests/instruction_set.h"
#include "digests/manifest.h"

namespace tesela::digests {
namespace {

constexpr const char* kUsage =
    "tesela_digests --write FILE --groups N    the manifest of the reference backend on one thread\n"
    "tesela_digests --check FILE [way]         compares with a manifest\n"
    "tesela_digests --group N --each [way]     the digest and the text of each case of a group\n"
    "way: --backend cpu|reference, --threads N, --target NAME, --cut whole|strips|boxes, --alignment BYTES,\n"
    "  --environment default|up|down|zero|flush, --comma-locale (LC_ALL must name a locale with a decimal comma)\n"
    "--first N --count N: only these groups. --targets: lists the targets of this machine.\n";

struct Options {
  std::string write;
  std::string check;
  std::string target;
  int64_t groups = 0;
  int64_t first = 0;
  int64_t count = -1;
  int64_t group = -1;
  bool each = false;
  bool targets = false;
  bool comma_locale = false;
  Way way;
};

[[noreturn]] void refuse(const std::string& message) {
  throw std::runtime_error(message);
}

template <class Integer>
bool read_number(const std::string& text, Integer& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number >= 0;
}

bool read_cut(const std::string& text, Cut& cut) {
  cut = text == "strips" ? Cut::kStrips : text == "boxes" ? Cut::kBoxes : Cut::kWhole;
  return text == "whole" || cut != Cut::kWhole;
}

// Options with a value. Each returns whether the value is allowed.
struct Setter {
  const char* name;
  bool (*set)(Options& options, const std::string& value);
};
constexpr Setter kSetters[] = {
    {"--write", [](Options& o, const std::string& v) { return o.write = v, true; }},
    {"--check", [](Options& o, const std::string& v) { return o.check = v, true; }},
    {"--target", [](Options& o, const std::string& v) { return o.target = v, true; }},
    {"--environment", [](Options& o, const std::string& v) { return o.way.environment = v, is_environment(v); }},
    {"--groups", [](Options& o, const std::string& v) { return read_number(v, o.groups); }},
    {"--first", [](Options& o, const std::string& v) { return read_number(v, o.first); }},
    {"--count", [](Options& o, const std::string& v) { return read_number(v, o.count); }},
    {"--group", [](Options& o, const std::string& v) { return read_number(v, o.group); }},
    {"--threads", [](Options& o, const std::string& v) { return read_number(v, o.way.threads) && o.way.threads > 0; }},
    {"--alignment",
     [](Options& o, const std::string& v) { return read_number(v, o.way.alignment) && o.way.alignment < 64; }},
    {"--cut", [](Options& o, const std::string& v) { return read_cut(v, o.way.cut); }},
    {"--backend",
     [](Options& o, const std::string& v) {
       o.way.reference = v == "reference";
       return o.way.reference || v == "cpu";
     }},
};

bool set_option(Options& options, const std::string& name, const std::string& value) {
  const auto* const setter =
      std::find_if(std::begin(kSetters), std::end(kSetters), [&](const Setter& s) { return s.name == name; });
  return setter != std::end(kSetters) && setter->set(options, value);
}

bool set_flag(Options& options, const std::string& name) {
  bool* const flag = name == "--each"           ? &options.each
                     : name == "--targets"      ? &options.targets
                     : name == "--comma-locale" ? &options.comma_locale
                                                : nullptr;
  if (flag != nullptr) *flag = true;
  return flag != nullptr;
}

Options parse(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    if (set_flag(options, words[i])) continue;
    const std::string value = i + 1 < count ? words[i + 1] : "";
    if (!set_option(options, words[i], value)) refuse(fmt::format("{} {}: not allowed\n{}", words[i], value, kUsage));
    ++i;
  }
  return options;
}

void set_comma_locale() {
  if (std::setlocale(LC_ALL, "") == nullptr) refuse("the locale of LC_ALL does not exist");
  std::locale::global(std::locale(""));
  if (*std::localeconv()->decimal_point != ',') refuse("the locale of LC_ALL has no decimal comma");
}

int run(const Options& options) {
  if (options.targets) {
    for (const std::string& name : instruction_sets()) std::puts(name.c_str());
    return 0;
  }
  if (options.comma_locale) set_comma_locale();
  const std::string target = options.target.empty() ? instruction_sets().front() : options.target;
  if (!use_instruction_set(target)) refuse("this machine or library has no target " + target);
  if (!is_seen(options.way.environment)) refuse("arithmetic does not show the environment " + options.way.environment);
  if (!options.write.empty()) return write_manifest(options.write, options.groups);
  if (options.each && options.group >= 0) return print_group(options.group, options.way);
  if (options.check.empty()) refuse(kUsage);
  return check_manifest(options.check, {options.first, options.count}, options.way, target);
}

}  // namespace
}  // namespace tesela::digests

int main(int count, char** words) {
  try {
    return tesela::digests::run(tesela::digests::parse(count, words));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tesela_digests: %s\n", error.what());
    return 2;
  }
}
