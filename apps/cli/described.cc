// SPDX-License-Identifier: Apache-2.0
// Reads the verbs and options from CLI11.
#include "described.h"

#include <algorithm>

namespace tesela::cli {
namespace {

// Help without the line breaks that keep it beside the names of options.
std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// "0|1" lists what is allowed.
std::vector<std::string> choices_of(const std::string& value) {
  std::vector<std::string> choices;
  if (value.find('|') == std::string::npos) return choices;
  for (size_t at = 0; at <= value.size();) {
    const size_t end = std::min(value.find('|', at), value.size());
    choices.push_back(value.substr(at, end - at));
    at = end + 1;
  }
  return choices;
}

DescribedOption described(const CLI::Option& option) {
  DescribedOption found;
  for (const std::string& name : option.get_snames()) found.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) found.names.push_back("--" + name);
  found.positional = option.get_positional();
  if (found.positional) found.names = {option.get_name(true)};
  if (!found.positional && option.get_items_expected_max() > 0) found.value = option.get_type_name();
  found.choices = choices_of(found.value);
  found.help = in_one_line(option.get_description());
  found.group = option.get_group();
  found.required = option.get_required();
  found.repeats = option.get_items_expected_max() > 1;
  return found;
}

DescribedVerb described_verb(const CLI::App& app) {
  DescribedVerb found = {app.get_name(), in_one_line(app.get_description()), app.get_footer(), {}};
  for (const bool are_arguments : {true, false})
    for (const CLI::Option* option : app.get_options())
      if (!option->get_group().empty() && option->get_positional() == are_arguments)
        found.options.push_back(described(*option));
  return found;
}

}  // namespace

DescribedProgram described(const CLI::App& program) {
  DescribedProgram found = {described_verb(program), {}};
  for (const CLI::App* verb : program.get_subcommands([](const CLI::App* app) { return !app->get_group().empty(); }))
    found.verbs.push_back(described_verb(*verb));
  return found;
}

}  // namespace tesela::cli
