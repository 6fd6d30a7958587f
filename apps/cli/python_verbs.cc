// SPDX-License-Identifier: Apache-2.0
// The verbs of the command that the Python package installs: shown in help, and refused by this program.
#include <array>

#include "arguments.h"
#include "numbers.h"

namespace tesela::cli {
namespace {

struct PythonVerb {
  const char* name;
  const char* help;
};

// python/tesela/_verbs has a module for each.
constexpr std::array kVerbs = {
    PythonVerb{"identify", "Say which settings made an output"},
    PythonVerb{"compare", "Say where nodes differ in other runtimes, and why"},
    PythonVerb{"conformance", "Say which features of the standard another runtime has"},
    PythonVerb{"pyramid", "Write an image of any size at several resolutions, as OME-Zarr or TIFF"},
};

[[noreturn]] int refuse(const std::string& name) {
  throw Error(TESELA_ERROR_UNSUPPORTED,
              in_quotes(name) +
                  " is a verb of the Python package: install that with 'pip install .' in Tesela's folder, and run "
                  "'python -m tesela " +
                  name + " ...'");
}

}  // namespace

void add_python_verbs(CLI::App& program, Action& chosen) {
  for (const PythonVerb& row : kVerbs) {
    CLI::App& verb = add_verb(program, row.name, row.help);
    verb.group("Verbs of the Python package");
    verb.set_help_flag();   // its words are not this program's
    verb.prefix_command();  // whatever they are
    verb.callback([&chosen, name = row.name] { chosen = [name] { return refuse(name); }; });
  }
}

}  // namespace tesela::cli
