// SPDX-License-Identifier: Apache-2.0
// Completions of command lines, in the languages of three shells.
#include <algorithm>

#include "described.h"

namespace tesela::cli {
namespace {

constexpr const char* kMadeBy = "# Completion of the command tesela. Made by the program: tesela document ";

// Within single quotes. close: what ends them, gives a quote and begins them again.
std::string quoted_for_shell(const std::string& text, const std::string& close) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? close : std::string(1, c);
  return quoted + "'";
}

std::string with_backslashes(const std::string& text, const std::string& special) {
  std::string escaped;
  for (const char c : text) escaped += (special.find(c) != std::string::npos ? "\\" : "") + std::string(1, c);
  return escaped;
}

template <class Take>
std::string joined_words(const std::vector<DescribedOption>& options, Take take) {
  std::string words;
  for (const DescribedOption& option : options)
    if (!option.positional && take(option))
      for (const std::string& name : option.names) words += (words.empty() ? "" : " ") + name;
  return words;
}

bool names_a_file(const DescribedOption& option) {
  return option.value.find("FILE") != std::string::npos;
}

std::string joined_choices(const DescribedOption& option) {
  std::string words;
  for (const std::string& choice : option.choices) words += (words.empty() ? "" : " ") + choice;
  return words;
}

// What zsh knows of an option: '*--name[help]:VALUE:action'.
std::string zsh_option(const DescribedOption& option) {
  std::string tail = "[" + with_backslashes(option.help, "[]\\:") + "]";
  if (!option.is_flag()) {
    tail += ":" + with_backslashes(option.value, ":\\") + ":";
    tail += names_a_file(option) ? "_files" : option.choices.empty() ? " " : "(" + joined_choices(option) + ")";
  }
  std::string lines;
  for (const std::string& name : option.names)
    lines += " \\\n        " + quoted_for_shell((option.repeats ? "*" : "") + name + tail, "'\\''");
  return lines;
}

}  // namespace

std::string bash_completion(const DescribedProgram& program) {
  std::string verbs;
  std::string cases;
  for (const DescribedVerb& verb : program.verbs) {
    verbs += verb.name + " ";
    cases += "    " + verb.name + ")\n      options='" + joined_words(verb.options, [](const auto&) { return true; }) +
             "'\n      values='" + joined_words(verb.options, [](const auto& o) { return !o.is_flag(); }) +
             "'\n      files='" + joined_words(verb.options, names_a_file) + "' ;;\n";
  }
  return std::string(kMadeBy) + R"(bash
_tesela() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local verb='' options='' values='' files='' i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then verb=${COMP_WORDS[i]}; break; fi
  done
  COMPREPLY=()
  case $verb in
    '') mapfile -t COMPREPLY < <(compgen -W ')" +
         verbs + joined_words(program.program.options, [](const auto&) { return true; }) +
         R"(' -- "$current"); return ;;
)" + cases +
         R"(  esac
  # No word: the shell completes names of files.
  if [[ " $values " == *" $previous "* ]]; then
    [[ " $files " == *" $previous "* ]] || compopt +o default +o bashdefault 2> /dev/null
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  fi
}
complete -o bashdefault -o default -F _tesela tesela
)";
}

std::string zsh_completion(const DescribedProgram& program) {
  std::string verbs;
  std::string cases;
  for (const DescribedVerb& verb : program.verbs) {
    verbs += "    " + quoted_for_shell(verb.name + ":" + with_backslashes(verb.help, ":\\"), "'\\''") + "\n";
    cases += "    " + verb.name + ")\n      _arguments";
    for (const DescribedOption& option : verb.options)
      if (!option.positional) cases += zsh_option(option);
    cases += " \\\n        '*:file:_files' ;;\n";
  }
  std::string own;
  for (const DescribedOption& option : program.program.options) own += zsh_option(option);
  return "#compdef tesela\n" + std::string(kMadeBy) + "zsh\n_tesela() {\n  local -a verbs\n  verbs=(\n" + verbs +
         "  )\n  if (( CURRENT == 2 )); then\n    _describe verb verbs\n    _arguments" + own +
         "\n    return\n  fi\n  local verb=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $verb in\n" + cases +
         "  esac\n}\n_tesela \"$@\"\n";
}

std::string fish_completion(const DescribedProgram& program) {
  const auto quoted = [](const std::string& text) { return quoted_for_shell(with_backslashes(text, "\\"), "\\'"); };
  const auto line = [&](const std::string& condition, const DescribedOption& option) {
    std::string words = "complete -c tesela -n " + quoted(condition);
    for (const std::string& name : option.names)
      words += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.is_flag()) words += names_a_file(option) ? " -r -F" : " -x";
    if (!option.choices.empty()) words += " -a " + quoted(joined_choices(option));
    return words + " -d " + quoted(option.help) + "\n";
  };
  std::string text = std::string(kMadeBy) + "fish\n";
  for (const DescribedOption& option : program.program.options) text += line("__fish_use_subcommand", option);
  for (const DescribedVerb& verb : program.verbs) {
    text += "complete -c tesela -n __fish_use_subcommand -f -a " + verb.name + " -d " + quoted(verb.help) + "\n";
    for (const DescribedOption& option : verb.options)
      if (!option.positional) text += line("__fish_seen_subcommand_from " + verb.name, option);
  }
  return text;
}

}  // namespace tesela::cli
