// SPDX-License-Identifier: Apache-2.0
// What the program's verbs and options are called and do, read from CLI11: the manual and the completions are made from it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tesela::cli {

struct DescribedOption {
  std::vector<std::string> names;    // "-q", "--quiet"; of a positional argument its name
  std::string value;                 // "BYTES"; empty for flags
  std::vector<std::string> choices;  // "0", "1", if the value is one of a few
  std::string help;
  std::string group;
  bool positional = false;
  bool required = false;
  bool repeats = false;

  bool is_flag() const { return !positional && value.empty(); }
};

struct DescribedVerb {
  std::string name;
  std::string help;
  std::string footer;
  std::vector<DescribedOption> options;
};

struct DescribedProgram {
  DescribedVerb program;             // its own options
  std::vector<DescribedVerb> verbs;  // without hidden ones
};

DescribedProgram described(const CLI::App& program);

/// A page of the manual, for man.
std::string manual_page(const DescribedProgram& program);
/// What `bash`, `zsh` or `fish` reads to complete command lines.
std::string bash_completion(const DescribedProgram& program);
std::string zsh_completion(const DescribedProgram& program);
std::string fish_completion(const DescribedProgram& program);

}  // namespace tesela::cli
