// tesela explain: where outputs land and which inputs weigh how much.
#include <sys/ioctl.h>
#include <unistd.h>

#include "arguments.h"
#include "case_call.h"
#include "case_words.h"
#include "failure.h"
#include "numbers.h"
#include "streams.h"

namespace tesela::cli {
namespace {

struct Request {
  std::string subject;
  ExplainOptions options;
  bool json = false;
  bool svg = false;
};

int32_t terminal_width() {
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 0;
  return std::clamp<int32_t>(size.ws_col, 20, 10000);
}

// "LO:HI", the outputs from LO up to but not including HI.
void read_outputs(const std::string& text, ExplainOptions& options) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos) usage("--outputs is " + in_quotes(text) + "; expected LO:HI, such as 0:16");
  constexpr int64_t kMost = int64_t{1} << 40;
  options.first = parse_integer("--outputs", text.substr(0, colon), 0, kMost);
  const int64_t end = parse_integer("--outputs", text.substr(colon + 1), 0, kMost);
  if (end <= options.first) usage("--outputs is " + in_quotes(text) + "; expected LO:HI with LO below HI");
  options.count = end - options.first;
}

int explain(const Request& request) {
  const CaseWords words = parse_case(request.subject);
  ExplainOptions options = request.options;
  if (options.width == 0) options.width = terminal_width();
  options.title = words.name;
  const tesela_text_format format = request.json ? TESELA_TEXT_JSON : request.svg ? TESELA_TEXT_SVG : TESELA_TEXT_PLAIN;
  write_standard_output(make_plan(words, make_op(words)).explain(format, options));
  return 0;
}

constexpr const char* kExamples = R"(Examples:
  tesela explain 'linear float 1x3x4x4 -> 1x3x8x8'
  tesela explain 'linear antialias uint8 1x480x640 -> 1x224x224' --axis 2 --outputs 100:110
  tesela explain 'cubic align_corners float 7 -> 12' --svg > explain.svg
)";

}  // namespace

void add_explain(CLI::App& program, Action& chosen) {
  CLI::App& verb = *program.add_subcommand("explain", "Show where outputs land and which inputs weigh how much");
  verb.footer(kExamples);
  Request& r = set_action<Request>(verb, chosen, explain);
  verb.add_option("CASE", r.subject, wrapped("A call as in tests/cases.txt; 'tesela bench --help' shows the grammar"))
      ->required();
  add_text(verb, "--axis", "N,...", "Axes to show (by default each that changes)", [&r](const std::string& text) {
    for (const int64_t axis : parse_integers("--axis", text, 0, INT32_MAX))
      r.options.axes.push_back(static_cast<int32_t>(axis));
  });
  add_text(verb, "--outputs", "LO:HI",
           "Outputs from LO up to HI, without it (by default all of a short axis, the first and last of a long one)",
           [&r](const std::string& text) { read_outputs(text, r.options); });
  add_text(verb, "--width", "COLUMNS", "Columns of text (by default the terminal's, or 80)",
           [&r](const std::string& text) {
             r.options.width = static_cast<int32_t>(parse_integer("--width", text, 20, 10000));
           });
  CLI::Option* json = verb.add_flag("--json", r.json, "Print JSON");
  verb.add_flag("--svg", r.svg, "Print a drawing as SVG")->excludes(json);
}

}  // namespace tesela::cli
