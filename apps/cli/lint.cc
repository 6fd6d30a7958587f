// SPDX-License-Identifier: Apache-2.0
// tesela lint: what a model risks on other runtimes.
#include "arguments.h"
#include "failure.h"
#include "models.h"
#include "numbers.h"
#include "streams.h"

namespace tesela::cli {
namespace {

struct LintRequest {
  ModelSource model;
  std::vector<std::string> runtimes;
  bool json = false;
  bool sarif = false;
  bool list = false;
};

int lint(const LintRequest& request) {
  if (request.list) {
    write_standard_output(catalogue(request.json ? TESELA_TEXT_JSON : TESELA_TEXT_MARKDOWN));
    return 0;
  }
  if (request.model.path.empty()) usage("a model is missing; see --help");
  const tesela_text_format format = request.sarif  ? TESELA_TEXT_SARIF
                                    : request.json ? TESELA_TEXT_JSON
                                                   : TESELA_TEXT_PLAIN;
  const LoadedModel model(request.model, RunFlags().limits());
  const auto [text, errors] = model->lint(request.runtimes, format, request.model.path);
  write_standard_output(text);
  return errors == 0 ? 0 : 1;
}

constexpr const char* kLintExamples =
    R"(No node is run. Each finding names a rule of the catalogue, which --list prints.
Faults of the file, and nodes that a runtime named by --runtime refuses, are errors:
the exit status is then 1. Other findings are warnings.

Examples:
  tesela lint model.onnx
  tesela lint model.onnx --runtime onnxruntime,openvino
  tesela lint model.onnx --sarif > model.sarif
  tesela lint --list
)";

}  // namespace

void add_lint(CLI::App& program, Action& chosen) {
  CLI::App& verb = add_verb(program, "lint", "Say what can go wrong with each node on other runtimes, and the cure");
  verb.footer(kLintExamples);
  LintRequest& r = set_action<LintRequest>(verb, chosen, lint);
  add_model(verb, r.model);
  verb.get_option("MODEL")->required(false);
  add_text(
      verb, "--runtime", "NAME,...",
      "Check these runtimes only, and count what they refuse as errors; or all. By default: onnxruntime, openvino, "
      "onnx-reference, pytorch and exporters",
      [&r](const std::string& text) {
        for (const std::string_view name : parse_list("--runtime", text, "names like onnxruntime,openvino"))
          r.runtimes.emplace_back(name);
      });
  CLI::Option* json = add_flag(verb, "--json", r.json, "Print JSON");
  add_flag(verb, "--sarif", r.sarif, "Print SARIF 2.1.0, for code scanning")->excludes(json);
  add_flag(verb, "--list", r.list, "Print the catalogue of what runtimes do differently, as Markdown or JSON");
}

}  // namespace tesela::cli
