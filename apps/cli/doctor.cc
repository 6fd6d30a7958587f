// SPDX-License-Identifier: Apache-2.0
// tesela doctor: what is installed, and what it found on the machine.
#include "arguments.h"
#include "streams.h"

namespace tesela::cli {
namespace {

struct DoctorRequest {
  bool json = false;
};

constexpr int kProblems = 1;

int doctor(const DoctorRequest& request) {
  size_t problems = 0;
  write_standard_output(tesela::doctor(request.json ? TESELA_TEXT_JSON : TESELA_TEXT_PLAIN, &problems));
  return problems == 0 ? 0 : kProblems;
}

}  // namespace

void add_doctor(CLI::App& program, Action& chosen) {
  CLI::App& verb = add_verb(program, "doctor", "Say what is installed, and what the library found on this machine");
  verb.footer(
      "The exit status is 1 if there are problems. The command of the Python package also says which plugins and "
      "runtimes\nare installed, and whether they work together.\n");
  DoctorRequest& r = set_action<DoctorRequest>(verb, chosen, doctor);
  add_flag(verb, "--json", r.json, "Print JSON");
}

}  // namespace tesela::cli
