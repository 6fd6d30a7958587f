// SPDX-License-Identifier: Apache-2.0
// Adapts CLI11 to the verbs.
#include "arguments.h"

#include <algorithm>

#include "case_words.h"
#include "numbers.h"

namespace tesela::cli {
namespace {

constexpr int64_t kMaxThreads = 1024;

}  // namespace

CLI::App& add_verb(CLI::App& program, const std::string& name, const std::string& help) {
  return *program.add_subcommand(name, help);
}

CLI::Option* add_flag(CLI::App& verb, const std::string& names, bool& flag, const std::string& help) {
  return verb.add_flag(names, flag, help);
}

CLI::Option* add_words(CLI::App& verb, const std::string& names, std::string& word, const std::string& help) {
  return verb.add_option(names, word, help);
}

CLI::Option* add_words(CLI::App& verb, const std::string& names, std::vector<std::string>& words,
                       const std::string& help) {
  return verb.add_option(names, words, help);
}

CLI::Option* add_text(CLI::App& verb, const std::string& names, const std::string& metavariable,
                      const std::string& help, std::function<void(const std::string&)> take) {
  const auto callback = [take = std::move(take)](const CLI::results_t& values) {
    take(values.at(0));
    return true;
  };
  return verb.add_option(names, callback, wrapped(help))->type_name(metavariable);
}

std::string wrapped(const std::string& help) {
  constexpr size_t kWidth = 84;
  std::string text;
  size_t column = 0;
  for (const std::string& word : split_words(help)) {
    const bool breaks = column > 0 && column + word.size() > kWidth;
    if (breaks) column = 0;
    text += (text.empty() ? "" : breaks ? "\n" : " ") + word;
    column += word.size() + 1;
  }
  return text;
}

void add_max_output(CLI::App& verb, RunFlags& flags) {
  add_text(verb, "--max-output", "BYTES", "Refuse tensors of more bytes (default 4294967296, which is 4 GiB)",
           [&flags](const std::string& text) {
             flags.max_output_bytes = static_cast<uint64_t>(parse_integer("--max-output", text, 1, INT64_MAX));
           });
}

void add_max_total(CLI::App& verb, RunFlags& flags) {
  add_text(verb, "--max-total", "BYTES",
           "Refuse runs whose tensors take more bytes at one time (default: --max-output and 1 GiB)",
           [&flags](const std::string& text) {
             flags.max_session_bytes = static_cast<uint64_t>(parse_integer("--max-total", text, 1, INT64_MAX));
           });
}

void add_run_flags(CLI::App& verb, RunFlags& flags) {
  add_text(verb, "--threads", "N",
           "Threads, at most 1024; 0, the default, uses one for each core that the process may use",
           [&flags](const std::string& text) {
             flags.threads = static_cast<int>(parse_integer("--threads", text, 0, kMaxThreads));
           });
  add_max_output(verb, flags);
  verb.add_flag("-q,--quiet", flags.quiet, "Print only failures to the standard error");
}

void add_model_path(CLI::App& verb, std::string& path) {
  verb.add_option("MODEL", path, "An .onnx file, or '-' for the standard input")->required()->type_name("");
}

void add_model(CLI::App& verb, ModelSource& model) {
  add_model_path(verb, model.path);
  add_text(
      verb, "--assume-opset", "N", "Read the model with this opset of ONNX, whatever the model imports",
      [&model](const std::string& text) { model.assume_opset = parse_integer("--assume-opset", text, 1, INT64_MAX); });
  add_extents(verb, [&model](const std::string& text) { model.extents = text; });
}

void add_extents(CLI::App& verb, std::function<void(const std::string&)> take) {
  add_text(verb, "--extents", "NAME",
           "How scales give extents: standard (default), or host, as in ONNX Runtime, which rounds to float first",
           std::move(take));
}

std::vector<std::string> canonical_words(int count, const char* const* words) {
  std::vector<std::string> canonical;
  bool options = true;
  for (int i = 1; i < count; ++i) {
    std::string word = words[i];
    options = options && word != "--";
    if (!options || !word.starts_with("--")) {
      canonical.push_back(std::move(word));
      continue;
    }
    const size_t name_end = std::min(word.find('='), word.size());
    std::replace(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(name_end), '_', '-');
    // CLI11 would use the next word as the missing value.
    const bool empty_value = name_end + 1 == word.size();
    canonical.push_back(empty_value ? word.substr(0, name_end) : std::move(word));
    if (empty_value) canonical.emplace_back();
  }
  return canonical;
}

std::string joined(const std::vector<std::string>& names) {
  constexpr size_t kShown = 12;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kShown); ++i) text += (i ? ", " : "") + names[i];
  return names.size() > kShown ? text + ", ... (" + std::to_string(names.size()) + ")" : text;
}

}  // namespace tesela::cli
