// SPDX-License-Identifier: Apache-2.0
// Options that several verbs share, and adapters for CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models.h"
#include "tesela/tesela.hpp"

namespace tesela::cli {

/// The action of the chosen verb, called after parsing all arguments; returns the exit status.
using Action = std::function<int()>;

// One function for each verb: adds it to the program. If the verb is chosen, it sets `chosen`.
void add_run(CLI::App& program, Action& chosen);
void add_inspect(CLI::App& program, Action& chosen);
void add_check(CLI::App& program, Action& chosen);
void add_lint(CLI::App& program, Action& chosen);
void add_fix(CLI::App& program, Action& chosen);
void add_test(CLI::App& program, Action& chosen);
void add_resize(CLI::App& program, Action& chosen);
void add_tile(CLI::App& program, Action& chosen);
void add_fill(CLI::App& program, Action& chosen);
void add_ops(CLI::App& program, Action& chosen);
void add_bench(CLI::App& program, Action& chosen);
void add_explain(CLI::App& program, Action& chosen);
void add_doctor(CLI::App& program, Action& chosen);
/// Those of the Python package.
void add_python_verbs(CLI::App& program, Action& chosen);
/// The hidden one that prints the manual and completions.
void add_document(CLI::App& program, Action& chosen);

// CLI11 is headers only: what a verb calls of it directly is compiled with that verb, and most of it with add_subcommand. So
// verbs call these.
CLI::App& add_verb(CLI::App& program, const std::string& name, const std::string& help);
CLI::Option* add_flag(CLI::App& verb, const std::string& names, bool& flag, const std::string& help);
/// An option or argument of one word, or any number of words.
CLI::Option* add_words(CLI::App& verb, const std::string& names, std::string& word, const std::string& help);
CLI::Option* add_words(CLI::App& verb, const std::string& names, std::vector<std::string>& words,
                       const std::string& help);

/// An option with one value, which `take` parses or rejects. metavariable: the name of the value in help.
CLI::Option* add_text(CLI::App& verb, const std::string& names, const std::string& metavariable,
                      const std::string& help, std::function<void(const std::string&)> take);

/// Help text in lines that fit beside the names of options.
std::string wrapped(const std::string& help);

/// The options of a verb; they live as long as the program and are passed to `act`.
template <class Request>
Request& set_action(CLI::App& verb, Action& chosen, int (*act)(const Request&)) {
  auto request = std::make_shared<Request>();
  verb.callback([&chosen, request, act] { chosen = [request, act] { return act(*request); }; });
  return *request;  // the callback owns it
}

/// --threads, --max-output and --quiet.
struct RunFlags {
  int threads = 0;
  uint64_t max_output_bytes = 0;   // 0: the default
  uint64_t max_session_bytes = 0;  // 0: the default
  bool quiet = false;

  Limits limits() const { return {.max_output_bytes = max_output_bytes, .max_session_bytes = max_session_bytes}; }
};
void add_run_flags(CLI::App& verb, RunFlags& flags);
void add_max_output(CLI::App& verb, RunFlags& flags);
/// --max-total, for verbs that run models.
void add_max_total(CLI::App& verb, RunFlags& flags);

/// MODEL.
void add_model_path(CLI::App& verb, std::string& path);
/// MODEL, --assume-opset and --extents.
void add_model(CLI::App& verb, ModelSource& model);
/// --extents: how scales give extents. take: called with the name, which the library checks.
void add_extents(CLI::App& verb, std::function<void(const std::string&)> take);

/// The words of a command line for CLI11: underscores in names of options become hyphens, and an empty value after '='
/// is kept.
std::vector<std::string> canonical_words(int count, const char* const* words);

/// Names as a list for messages, shortened if it is long.
std::string joined(const std::vector<std::string>& names);

}  // namespace tesela::cli
