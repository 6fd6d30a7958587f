// SPDX-License-Identifier: Apache-2.0
// tesela test: runs test cases in the layout of ONNX's backend tests.
#include <algorithm>

#include "arguments.h"
#include "compare.h"
#include "failure.h"
#include "numbers.h"
#include "session_run.h"
#include "streams.h"
#include "tensor_files.h"
#include "test_cases.h"

namespace tesela::cli {
namespace {

struct TestRequest {
  std::vector<std::string> folders;
  std::string extents;
  Tolerance tolerance;
  RunFlags flags;
  bool json = false;
};

constexpr int kMismatch = 1;

// A file is for the tensor with the name in it, else for the one at its position.
std::vector<NamedTensor> load_named(const std::vector<std::filesystem::path>& files, const std::string& kind,
                                    const std::vector<std::string>& names, const Limits& limits) {
  std::vector<NamedTensor> tensors;
  for (size_t i = 0; i < files.size(); ++i) {
    LoadedTensor loaded = load_tensor({files[i].string(), 0, ""}, limits);
    const bool known = std::find(names.begin(), names.end(), loaded.value.name()) != names.end();
    if (!known && i >= names.size())
      fail(TESELA_ERROR_COUNT, in_quotes(files[i].filename().string()) + " is one too many; the model's " + kind +
                                   "s are " + joined(names));
    const std::string name = known ? loaded.value.name() : names[i];
    const auto same = [&](const NamedTensor& other) { return other.name == name; };
    if (std::any_of(tensors.begin(), tensors.end(), same))
      fail(TESELA_ERROR_COUNT, "two files are for the " + kind + " " + in_quotes(name));
    tensors.push_back({name, std::move(loaded.value)});
  }
  return tensors;
}

// Then even floats must be equal, because they are only moved. The inspection includes attributes and defaults.
bool only_copies_elements(const LoadedModel& model) {
  const Json document = Json::parse(model->inspect(TESELA_TEXT_JSON).view());
  for (const Json& node : document.at("nodes"))
    for (const Json& attribute : node.at("attributes"))
      if (attribute.at("name") == "mode" && attribute.at("value") != "nearest") return false;
  return true;
}

std::optional<std::string> run_data_set(const LoadedModel& model, const DataSet& set, const TestRequest& request) {
  const Limits limits = request.flags.limits();
  const std::vector<NamedTensor> inputs = load_named(set.inputs, "input", model->input_names(), limits);
  const std::vector<std::string> names = model->output_names();
  const std::vector<NamedTensor> expected = load_named(set.outputs, "output", names, limits);
  if (expected.size() != names.size())
    return "there are " + std::to_string(expected.size()) + " files of outputs; the model has " +
           std::to_string(names.size()) + ": " + joined(names);
  std::vector<std::string> wanted;
  for (const NamedTensor& output : expected) wanted.push_back(output.name);
  Progress progress(true);
  const std::vector<NamedTensor> got =
      run_session(model, inputs, wanted, limits, progress.options(request.flags.threads));
  const Tolerance tolerance = only_copies_elements(model) ? Tolerance{0, 0} : request.tolerance;
  for (size_t i = 0; i < got.size(); ++i)
    if (const auto mismatch = find_mismatch(got[i].value.c(), expected[i].value.c(), tolerance))
      return got[i].name + " " + *mismatch;
  return std::nullopt;
}

/// Why the case fails, or nothing. Errors of loading, running and comparing are failures.
std::optional<std::string> run_case(const TestCase& test, const TestRequest& request) {
  try {
    const std::vector<DataSet> sets = find_data_sets(test);
    const LoadedModel model({test.model.string(), 0, request.extents}, request.flags.limits());
    for (const DataSet& set : sets) {
      const auto reason = run_data_set(model, set, request);
      if (reason) return sets.size() > 1 ? set.folder.filename().string() + ": " + *reason : reason;
    }
    return std::nullopt;
  } catch (const Error& error) {
    return error.what();
  }
}

int test(const TestRequest& request) {
  Json cases = Json::array();
  int64_t failed = 0;
  for (const TestCase& test : find_cases(request.folders)) {
    const std::optional<std::string> reason = run_case(test, request);
    failed += reason ? 1 : 0;
    cases.push_back({{"name", test.name}, {"folder", test.folder.string()}, {"passed", !reason}});
    if (reason) cases.back()["reason"] = *reason;
    const std::string line = reason ? "FAIL " + test.name + ": " + *reason : "PASS " + test.name;
    if (!request.json && (reason || !request.flags.quiet)) write_standard_output(printable(line + "\n"));
  }
  const int64_t passed = static_cast<int64_t>(cases.size()) - failed;
  write_standard_output(request.json ? json_text({{"passed", passed}, {"failed", failed}, {"cases", cases}})
                                     : std::to_string(passed) + " passed, " + std::to_string(failed) + " failed\n");
  return failed == 0 ? 0 : kMismatch;
}

double parse_tolerance(const std::string& option, const std::string& text) {
  const std::optional<double> number = float_from<double>(text);
  if (number && *number >= 0 && *number < HUGE_VAL) return *number;
  usage(option + ": " + in_quotes(text) + " is not a number of at least 0");
}

constexpr const char* kTestExamples =
    R"(Computed floats may differ by ATOL + RTOL * |expected|; floats that were only moved, and all other types, must be
equal. NaN equals NaN.
What cannot be run counts as failed. Any failure makes the exit status 1.

Examples:
  tesela test cases/test_resize_upsample_scales_nearest
  tesela test cases --rtol 0 --atol 0
)";

}  // namespace

void add_test(CLI::App& program, Action& chosen) {
  CLI::App& verb = add_verb(program, "test", "Run test cases in the layout of ONNX's backend tests");
  verb.footer(kTestExamples);
  TestRequest& r = set_action<TestRequest>(verb, chosen, test);
  add_words(verb, "DIR", r.folders,
            "A case (model.onnx or model.xml, test_data_set_0/input_0.pb, ...), its model, or a folder of cases")
      ->required()
      ->type_name("");
  add_text(verb, "--rtol", "X", "The relative tolerance (default 1e-3)",
           [&r](const std::string& text) { r.tolerance.relative = parse_tolerance("--rtol", text); });
  add_text(verb, "--atol", "X", "The absolute tolerance (default 1e-7)",
           [&r](const std::string& text) { r.tolerance.absolute = parse_tolerance("--atol", text); });
  add_extents(verb, [&r](const std::string& text) { r.extents = text; });
  add_flag(verb, "--json", r.json, "Print JSON");
  add_run_flags(verb, r.flags);
  add_max_total(verb, r.flags);
}

}  // namespace tesela::cli
