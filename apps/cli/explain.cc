// SPDX-License-Identifier: Apache-2.0
// tesela explain: where outputs land and which inputs weigh how much.
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "arguments.h"
#include "case_call.h"
#include "case_words.h"
#include "failure.h"
#include "numbers.h"
#include "streams.h"

namespace tesela::cli {
namespace {

struct ExplainRequest {
  std::string subject;
  ModelSource model;
  std::vector<std::string> shapes;
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

// "NAME=1x3x224x224" or "NAME=float:1x3x224x224"; a name may contain '='.
std::pair<std::string, TensorInfo> read_shape(const std::string& text) {
  const size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0)
    usage("--shape is " + in_quotes(text) + "; expected NAME=EXTENTS, such as x=1x3x224x224");
  std::vector<Dim> dims;
  std::string extents = text.substr(equals + 1);
  const size_t colon = extents.find(':');
  tesela_dtype dtype = 0;
  if (colon != std::string::npos) {
    dtype = tesela_dtype_from_name(extents.substr(0, colon).c_str());
    if (dtype == 0) usage("--shape: " + in_quotes(extents.substr(0, colon)) + " is not an element type");
    extents.erase(0, colon + 1);
  }
  std::replace(extents.begin(), extents.end(), 'x', ',');
  for (const int64_t extent : parse_integers("--shape", extents, 0, INT64_MAX)) dims.emplace_back().value = extent;
  return {text.substr(0, equals), TensorInfo(dtype, dims)};
}

// A case is not a file, also if its text is longer than names may be.
bool is_file(const std::string& path) {
  if (is_standard(path) || access(path.c_str(), F_OK) == 0) return true;
  if (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG)
    fail(TESELA_ERROR_IO, "cannot open " + in_quotes(path) + ": " + std::generic_category().message(errno));
  return false;
}

struct Subject {
  std::string model;  // empty: a case
  std::string node;
};

// Names of files and nodes may contain colons: the longest name of a file that exists counts.
Subject subject_of(const std::string& text) {
  if (is_file(text)) return {text, ""};
  const bool is_case = text.find("->") != std::string::npos;
  for (size_t colon = text.rfind(':'); colon != std::string::npos && colon > 0; colon = text.rfind(':', colon - 1))
    if (is_file(text.substr(0, colon))) return {text.substr(0, colon), text.substr(colon + 1)};
  const bool is_missing = text.find(".onnx") != std::string::npos || text.find(".xml") != std::string::npos;
  return is_missing && !is_case ? Subject{text, ""} : Subject{};
}

Plan plan_of(const ExplainRequest& request, std::string& title) {
  const Subject subject = subject_of(request.subject);
  const bool has_model_options =
      !request.shapes.empty() || request.model.assume_opset != 0 || !request.model.extents.empty();
  if (subject.model.empty()) {
    if (has_model_options)
      usage("--shape, --assume-opset and --extents are for models; " + in_quotes(request.subject) + " is not a file");
    const CaseWords words = parse_case(request.subject);
    title = words.name;
    return make_plan(words, make_op(words));
  }
  ModelSource source = request.model;
  source.path = subject.model;
  title = subject.node;
  std::vector<std::pair<std::string, TensorInfo>> shapes;
  for (const std::string& shape : request.shapes) shapes.push_back(read_shape(shape));
  return LoadedModel(source, RunFlags().limits())->plan(subject.node, shapes);
}

int explain(const ExplainRequest& request) {
  ExplainOptions options = request.options;
  if (options.width == 0) options.width = terminal_width();
  const Plan plan = plan_of(request, options.title);
  const tesela_text_format format = request.json ? TESELA_TEXT_JSON : request.svg ? TESELA_TEXT_SVG : TESELA_TEXT_PLAIN;
  write_standard_output(plan.explain(format, options));
  return 0;
}

constexpr const char* kExplainExamples = R"(Examples:
  tesela explain 'linear float 1x3x4x4 -> 1x3x8x8'
  tesela explain 'linear antialias uint8 1x480x640 -> 1x224x224' --axis 2 --outputs 100:110
  tesela explain 'cubic align_corners float 7 -> 12' --svg > explain.svg
  tesela explain model.onnx:up1 --shape x=1x3x224x224
  tesela explain 'model.onnx:#2' --json
)";

}  // namespace

void add_explain(CLI::App& program, Action& chosen) {
  CLI::App& verb = add_verb(program, "explain", "Show where outputs land and which inputs weigh how much");
  verb.footer(kExplainExamples);
  ExplainRequest& r = set_action<ExplainRequest>(verb, chosen, explain);
  add_words(
      verb, "CASE|NODE", r.subject,
      wrapped(
          "A call as in tests/cases.txt ('tesela bench --help' shows the grammar); or a model's node as MODEL:NODE, "
          "by its name, or '#2' for the second of Tesela's. A model with one such node needs no name"))
      ->required();
  add_words(
      verb, "--shape", r.shapes,
      wrapped("The shape of an input or another value of the model, such as x=1x3x224x224 or, if its type is unknown, "
              "x=float:1x3x224x224; repeatable"))
      ->type_name("NAME=EXTENTS")
      ->allow_extra_args(false);
  add_text(verb, "--axis", "N,...", "Axes to show (by default each that changes)", [&r](const std::string& text) {
    for (const int64_t axis : parse_integers("--axis", text, 0, INT32_MAX))
      r.options.axes.push_back(static_cast<int32_t>(axis));
  });
  add_text(
      verb, "--outputs", "LO:HI",
      "Outputs from LO up to but not including HI (by default all of a short axis, the first and last of a long one)",
      [&r](const std::string& text) { read_outputs(text, r.options); });
  add_text(
      verb, "--assume-opset", "N", "Read the model with this opset of ONNX, whatever the model imports",
      [&r](const std::string& text) { r.model.assume_opset = parse_integer("--assume-opset", text, 1, INT64_MAX); });
  add_extents(verb, [&r](const std::string& text) { r.model.extents = text; });
  add_text(verb, "--width", "COLUMNS", "Columns of text (by default the terminal's, or 80)",
           [&r](const std::string& text) {
             r.options.width = static_cast<int32_t>(parse_integer("--width", text, 20, 10000));
           });
  CLI::Option* json = add_flag(verb, "--json", r.json, "Print JSON");
  add_flag(verb, "--svg", r.svg, "Print a drawing as SVG")->excludes(json);
}

}  // namespace tesela::cli
