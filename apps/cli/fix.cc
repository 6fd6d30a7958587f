// SPDX-License-Identifier: Apache-2.0
// tesela fix: cures what is safe to cure.
#include "arguments.h"
#include "failure.h"
#include "models.h"
#include "numbers.h"
#include "streams.h"

namespace tesela::cli {
namespace {

struct FixRequest {
  ModelSource model;
  std::string output;
  std::string meant;
  int64_t opset = 0;
  bool json = false;
};

int fix(const FixRequest& request) {
  if (is_standard(request.output)) usage("-o: expected the name of a file, not '-'");
  const LoadedModel model(request.model, RunFlags().limits());
  const auto format = request.json ? TESELA_TEXT_JSON : TESELA_TEXT_PLAIN;
  write_standard_output(model->fix(request.output, request.meant, request.opset, format).text);
  return 0;
}

constexpr const char* kFixExamples =
    R"(Each changed node is run on random inputs, before and after the change. Without --meant and
--extents every result stays as it was. Bytes of other nodes, weights and everything else are copied.

Examples:
  tesela fix model.onnx -o fixed.onnx
  tesela fix model.onnx -o fixed.onnx --meant pytorch
  tesela fix model.onnx -o fixed.onnx --opset 13
)";

}  // namespace

void add_fix(CLI::App& program, Action& chosen) {
  CLI::App& verb =
      add_verb(program, "fix", "Cure nodes that runtimes refuse or compute differently, and test each change");
  verb.footer(kFixExamples);
  FixRequest& r = set_action<FixRequest>(verb, chosen, fix);
  add_model_path(verb, r.model.path);
  add_text(verb, "-o,--output", "OUT", "The file to write; external data of the model is copied beside it",
           [&r](const std::string& text) { r.output = text; })
      ->required();
  add_text(
      verb, "--meant", "NAME",
      "Whose results the nodes are meant to give, where the file says something else: pytorch, tensorflow or opset10",
      [&r](const std::string& text) { r.meant = text; });
  add_text(verb, "--opset", "N", "Upgrade nodes and the model to this opset, if no other operator changes",
           [&r](const std::string& text) { r.opset = parse_integer("--opset", text, 1, INT64_MAX); });
  add_extents(verb, [&r](const std::string& name) { r.model.extents = name; });
  add_flag(verb, "--json", r.json, "Print JSON");
}

}  // namespace tesela::cli
