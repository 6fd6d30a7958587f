// SPDX-License-Identifier: Apache-2.0
// tesela document: prints the manual page and what shells complete by, from the program's own verbs and options. Hidden: it is
// for builds and packages.
#include <array>

#include "arguments.h"
#include "described.h"
#include "failure.h"
#include "numbers.h"
#include "streams.h"

namespace tesela::cli {
namespace {

struct Form {
  const char* name;
  std::string (*write)(const DescribedProgram&);
};

constexpr std::array kForms = {Form{"man", manual_page}, Form{"bash", bash_completion}, Form{"zsh", zsh_completion},
                               Form{"fish", fish_completion}};

int document(const CLI::App& program, const std::string& name) {
  for (const Form& form : kForms) {
    if (name != form.name) continue;
    write_standard_output(form.write(described(program)));
    return 0;
  }
  usage("document: FORM is " + in_quotes(name) + "; expected man, bash, zsh or fish");
}

}  // namespace

void add_document(CLI::App& program, Action& chosen) {
  CLI::App& verb = add_verb(program, "document", "Print the manual page or a shell's completions");
  verb.group("");
  auto form = std::make_shared<std::string>();
  add_words(verb, "FORM", *form, "man, bash, zsh or fish")->required()->type_name("");
  verb.callback([&program, &chosen, form] { chosen = [&program, form] { return document(program, *form); }; });
}

}  // namespace tesela::cli
