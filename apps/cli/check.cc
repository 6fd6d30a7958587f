// SPDX-License-Identifier: Apache-2.0
// tesela check: every fault of a model that can be found without running it.
#include "arguments.h"
#include "models.h"
#include "streams.h"

namespace tesela::cli {
namespace {

struct CheckRequest {
  ModelSource model;
  bool json = false;
};

int check(const CheckRequest& request) {
  const LoadedModel model(request.model, RunFlags().limits());
  const auto [text, faults] = model->check(request.json ? TESELA_TEXT_JSON : TESELA_TEXT_PLAIN);
  write_standard_output(text);
  return faults == 0 ? 0 : tesela_status_exit_code(TESELA_ERROR_VALUE);
}

constexpr const char* kCheckExamples =
    R"(If there are faults, the exit status is 3. Notes, on what is legal but has no effect, leave it 0.

Examples:
  tesela check model.onnx
  tesela check model.onnx --assume-opset 19
)";

}  // namespace

void add_check(CLI::App& program, Action& chosen) {
  CLI::App& verb = add_verb(program, "check", "Print every fault of a model that can be found without input data");
  verb.footer(kCheckExamples);
  CheckRequest& r = set_action<CheckRequest>(verb, chosen, check);
  add_model(verb, r.model);
  add_flag(verb, "--json", r.json, "Print JSON");
}

}  // namespace tesela::cli
