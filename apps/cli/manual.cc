// SPDX-License-Identifier: Apache-2.0
// The manual as a page for man, in the language of its formatter.
#include <sstream>

#include "described.h"
#include "tesela/tesela.h"

namespace tesela::cli {
namespace {

// Text that the formatter shows as it is.
std::string plain(const std::string& text) {
  std::string shown;
  for (const char c : text) {
    if (c == '\\')
      shown += "\\e";
    else if (c == '-')
      shown += "\\-";
    else if (c == '\'' || c == '`' || c == '^' || c == '~')
      shown += c == '\'' ? "\\(aq" : c == '`' ? "\\(ga" : c == '^' ? "\\(ha" : "\\(ti";
    else
      shown += c;
  }
  // At the start of a line a full stop begins a request.
  return shown.starts_with('.') ? "\\&" + shown : shown;
}

std::string bold(const std::string& text) {
  return "\\fB" + plain(text) + "\\fR";
}

std::string italic(const std::string& text) {
  return "\\fI" + plain(text) + "\\fR";
}

// Lines as they are, such as examples.
std::string verbatim(const std::string& text) {
  std::istringstream lines(text);
  lines.exceptions(std::ios::badbit);  // missing memory must not cut the text
  std::string shown = ".nf\n";
  bool is_first = true;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() && is_first) continue;
    is_first = false;
    shown += (line.empty() ? "\\&" : plain(line)) + "\n";
  }
  return shown + ".fi\n";
}

std::string entry(const DescribedOption& option) {
  std::string names;
  for (const std::string& name : option.names) {
    if (!names.empty()) names += ", ";
    names += option.positional ? italic(name) : bold(name);
  }
  if (!option.value.empty()) names += " " + italic(option.value);
  if (option.repeats) names += " \\&...";
  return ".TP\n" + names + "\n" + plain(option.help) + (option.required ? " (required)" : "") + "\n";
}

std::string synopsis(const DescribedVerb& verb) {
  std::string line = bold("tesela " + verb.name);
  for (const DescribedOption& option : verb.options)
    if (option.positional)
      line += " " + (option.required ? italic(option.names[0]) : "[" + italic(option.names[0]) + "]");
  return line + (verb.options.empty() ? "" : " [" + italic("options") + "]") + "\n";
}

}  // namespace

std::string manual_page(const DescribedProgram& program) {
  std::string page = ".\\\" Made by the program: tesela document man\n.TH TESELA 1 \"\" \"tesela " +
                     std::string(tesela_version()) + "\" \"User Commands\"\n";
  page += ".SH NAME\ntesela \\- " + plain(program.program.help) + "\n";
  page += ".SH SYNOPSIS\n" + bold("tesela") + " " + italic("verb") + " [" + italic("arguments") + "] [" +
          italic("options") + "]\n";
  page += ".SH OPTIONS\n";
  for (const DescribedOption& option : program.program.options) page += entry(option);
  page += ".SH VERBS\n";
  for (const DescribedVerb& verb : program.verbs) {
    page += ".SS " + plain(verb.name) + "\n" + synopsis(verb) + ".PP\n" + plain(verb.help) + ".\n";
    for (const DescribedOption& option : verb.options) page += entry(option);
    if (!verb.footer.empty()) page += ".PP\n" + verbatim(verb.footer);
  }
  return page + ".SH NOTES\n" + verbatim(program.program.footer);
}

}  // namespace tesela::cli
