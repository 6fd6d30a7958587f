// SPDX-License-Identifier: Apache-2.0
// tesela inspect: describes a model.
#include "arguments.h"
#include "models.h"
#include "streams.h"

namespace tesela::cli {
namespace {

struct InspectRequest {
  ModelSource model;
  bool json = false;
};

int inspect(const InspectRequest& request) {
  const LoadedModel model(request.model, RunFlags().limits());
  write_standard_output(model->inspect(request.json ? TESELA_TEXT_JSON : TESELA_TEXT_PLAIN));
  return 0;
}

constexpr const char* kInspectExamples = R"(Examples:
  tesela inspect model.onnx
  tesela inspect model.onnx --json | jq .
)";

}  // namespace

void add_inspect(CLI::App& program, Action& chosen) {
  CLI::App& verb = add_verb(program, "inspect", "Show a model's inputs, outputs and nodes, with inferred shapes");
  verb.footer(kInspectExamples);
  InspectRequest& r = set_action<InspectRequest>(verb, chosen, inspect);
  add_model(verb, r.model);
  add_flag(verb, "--json", r.json, "Print JSON");
}

}  // namespace tesela::cli
