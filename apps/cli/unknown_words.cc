// Names near a word, and the message about it.
#include "unknown_words.h"

#include <algorithm>

#include "arguments.h"
#include "numbers.h"

namespace tesela::cli {
namespace {

// How many letters must be put in, taken out, changed or swapped with their neighbour to make b of a.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::vector<std::string> verb_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* verb : program.get_subcommands([](const CLI::App*) { return true; }))
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

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names) {
  const std::string near = nearest_name(word, names);
  return near.empty() ? "" : " (did you mean '" + near + "'?)";
}

// verb: what reads the word; the program itself before a verb.
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

std::string nearest_name(std::string_view word, const std::vector<std::string>& names) {
  constexpr size_t kLongest = 64;  // no name is longer; the work grows with both lengths
  if (word.size() > kLongest) return "";
  const std::string wanted = lower(word);
  const size_t letters = wanted.size() - std::min(wanted.find_first_not_of('-'), wanted.size());
  size_t least = std::max<size_t>(1, (letters + 1) / 3) + 1;  // beyond it nothing is near
  std::string nearest;
  for (const std::string& name : names) {
    const size_t distance = edit_distance(wanted, lower(name));
    if (distance >= least || distance >= name.size()) continue;
    least = distance;
    nearest = name;
  }
  if (!nearest.empty() || letters < 2) return nearest;
  for (const std::string& name : names)
    if (name.starts_with(wanted) && (nearest.empty() || name.size() < nearest.size())) nearest = name;
  return nearest;
}

std::string unknown_word_text(const CLI::App& program) {
  std::vector<const CLI::App*> readers = {&program};
  for (const CLI::App* verb : program.get_subcommands()) readers.push_back(verb);
  for (const CLI::App* reader : readers) {
    std::vector<std::string> words = reader->remaining();
    // An option that is misspelt leaves its value behind, too.
    std::stable_partition(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("-"); });
    const auto word = std::find_if(words.begin(), words.end(), [](const std::string& word) { return word != "--"; });
    if (word != words.end()) return text_of(*word, program, *reader);
  }
  return "";
}

}  // namespace tesela::cli
