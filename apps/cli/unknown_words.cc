// SPDX-License-Identifier: Apache-2.0
// Reports unknown words of a command line.
#include "unknown_words.h"

#include <string_view>

#include "arguments.h"
#include "numbers.h"
#include "tesela/tesela.hpp"

namespace tesela::cli {
namespace {

std::vector<std::string> verb_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* verb : program.get_subcommands([](const CLI::App* app) { return !app->get_group().empty(); }))
    names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  const std::string near = nearest_name(word, names);
  return near.empty() ? "" : " (did you mean '" + near + "'?)";
}

// verb: the verb that the word is for; the program itself for words before a verb.
std::string text_of(const std::string& word, const CLI::App& program, const CLI::App& verb) {
  const bool has_verb = &verb != &program;
  if (word.size() > 1 && word.front() == '-') {
    const std::string name = word.substr(0, word.find('='));
    const std::string of = has_verb ? " of " + verb.get_name() : "";
    const std::string help = has_verb ? "tesela " + verb.get_name() + " --help" : "tesela --help";
    return "unknown option " + in_quotes(name) + of + did_you_mean(name, option_names(verb)) + "; see " + help;
  }
  if (has_verb)
    return verb.get_name() + ": unexpected argument " + in_quotes(word) + "; see tesela " + verb.get_name() + " --help";
  const std::vector<std::string> verbs = verb_names(program);
  return "unknown verb " + in_quotes(word) + did_you_mean(word, verbs) + "; the verbs are " + joined(verbs);
}

}  // namespace

std::string unknown_word_text(const CLI::App& program) {
  std::vector<const CLI::App*> readers = {&program};
  for (const CLI::App* verb : program.get_subcommands()) readers.push_back(verb);
  for (const CLI::App* reader : readers) {
    const std::vector<std::string> words = reader->remaining();
    // The value of a misspelt option is unknown, too, so options come first.
    for (const std::string_view start : {"-", ""})
      for (const std::string& word : words)
        if (word.starts_with(start) && word != "--") return text_of(word, program, *reader);
  }
  return "";
}

}  // namespace tesela::cli
