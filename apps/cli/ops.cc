// SPDX-License-Identifier: Apache-2.0
// tesela ops: prints the table of operators.
#include "arguments.h"
#include "streams.h"

namespace tesela::cli {
namespace {

struct OpsRequest {
  bool json = false;
  bool markdown = false;
};

int ops(const OpsRequest& request) {
  const tesela_text_format format = request.json       ? TESELA_TEXT_JSON
                                    : request.markdown ? TESELA_TEXT_MARKDOWN
                                                       : TESELA_TEXT_PLAIN;
  write_standard_output(tesela::ops(format));
  return 0;
}

}  // namespace

void add_ops(CLI::App& program, Action& chosen) {
  CLI::App& verb = add_verb(program, "ops", "List operators, their versions, element types and attributes");
  OpsRequest& r = set_action<OpsRequest>(verb, chosen, ops);
  CLI::Option* json = add_flag(verb, "--json", r.json, "Print JSON");
  add_flag(verb, "--markdown", r.markdown, "Print a table in Markdown")->excludes(json);
}

}  // namespace tesela::cli
