// SPDX-License-Identifier: Apache-2.0
// Matches NAME=FILE with a model's names.
#include "named_files.h"

#include <algorithm>

#include "arguments.h"
#include "failure.h"
#include "numbers.h"

namespace tesela::cli {
namespace {

std::string names_text(const std::string& kind, const std::vector<std::string>& names) {
  if (names.empty()) return "the model has no " + kind + "s";
  return "the model's " + kind + (names.size() == 1 ? " is " : "s are ") + joined(names);
}

}  // namespace

NamedText split_at_equals(const std::string& argument) {
  const size_t equals = argument.find('=');
  if (equals == std::string::npos) return {std::nullopt, argument};
  return {argument.substr(0, equals), argument.substr(equals + 1)};
}

std::vector<NameAndText> match_names(const std::string& option, const std::string& kind,
                                     const std::vector<std::string>& arguments, const std::vector<std::string>& names) {
  std::vector<NameAndText> matched;
  for (const std::string& argument : arguments) {
    NamedText part = split_at_equals(argument);
    if (!part.name && names.size() != 1)
      usage(option + " " + in_quotes(argument) + ": write NAME=FILE; " + names_text(kind, names));
    const std::string name = part.name.value_or(names.empty() ? "" : names[0]);
    if (std::find(names.begin(), names.end(), name) == names.end())
      usage(option + ": there is no " + kind + " " + in_quotes(name) + "; " + names_text(kind, names));
    const bool twice = std::any_of(matched.begin(), matched.end(), [&](const auto& m) { return m.name == name; });
    if (twice) usage(option + ": the " + kind + " " + in_quotes(name) + " is given twice");
    matched.push_back({name, part.text});
  }
  return matched;
}

}  // namespace tesela::cli
