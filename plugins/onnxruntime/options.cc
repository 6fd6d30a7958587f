// SPDX-License-Identifier: Apache-2.0
// Reads the provider's options of a session.
#include "options.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <utility>

namespace tesela::ort {
namespace {

template <class Value>
Value pick(const std::string& name, const std::string& value,
           std::initializer_list<std::pair<const char*, Value>> choices) {
  std::string allowed;
  for (const auto& [word, meaning] : choices) {
    if (value == word) return meaning;
    allowed += (allowed.empty() ? "" : ", ") + std::string(word);
  }
  fail(ORT_INVALID_ARGUMENT,
       std::string(kProviderName) + ": option '" + name + "' is '" + value + "'; expected one of " + allowed);
}

void set_option(Options& options, const std::string& name, const std::string& value) {
  if (name == "log")
    options.log = pick<Log>(name, value, {{"off", Log::kOff}, {"nodes", Log::kNodes}, {"plans", Log::kPlans}});
  else if (name == "profile")
    options.profile = value;
  else if (name == "names")
    options.names = value;
  else if (name == "extents")
    options.extents = pick_extents(value);
  else if (name == "placement")
    options.placement = pick<Placement>(name, value, {{"every", Placement::kEvery}, {"fastest", Placement::kFastest}});
  else if (name == "semantics")
    options.semantics =
        pick<Semantics>(name, value, {{"onnx", Semantics::kOnnx}, {"onnxruntime", Semantics::kOnnxRuntime}});
  else
    fail(ORT_INVALID_ARGUMENT, std::string(kProviderName) + ": unknown option '" + name +
                                   "'; expected one of extents, log, names, placement, profile, semantics");
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

const char* pick_extents(const std::string& name) {
  return pick<const char*>("extents", name, {{kHostExtents, kHostExtents}, {"standard", "standard"}});
}

Options read_options(const Runtime& runtime, const OrtSessionOptions* session_options) {
  OrtKeyValuePairs* raw = nullptr;
  check(runtime.api, runtime.api.GetSessionOptionsConfigEntries(session_options, &raw));
  const std::unique_ptr<OrtKeyValuePairs, decltype(runtime.api.ReleaseKeyValuePairs)> entries(
      raw, runtime.api.ReleaseKeyValuePairs);
  const char* const* keys = nullptr;
  const char* const* values = nullptr;
  size_t count = 0;
  runtime.api.GetKeyValuePairs(entries.get(), &keys, &values, &count);
  // ONNX Runtime stores a provider's options in the session's, prefixed with the provider's name in lower case.
  const std::string prefix = lower("ep." + std::string(kProviderName) + ".");
  Options options;
  for (size_t i = 0; i < count; ++i) {
    const std::string key = keys[i];
    if (lower(key).starts_with(prefix)) set_option(options, key.substr(prefix.size()), values[i]);
  }
  if (options.semantics == Semantics::kOnnxRuntime && std::string(options.extents) != kHostExtents)
    fail(ORT_INVALID_ARGUMENT,
         std::string(kProviderName) + ": option 'extents' is '" + options.extents +
             "' together with semantics=onnxruntime, which uses ONNX Runtime's extents; leave one out");
  return options;
}

}  // namespace tesela::ort
