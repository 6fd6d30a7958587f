// SPDX-License-Identifier: Apache-2.0
// tesela run: runs a model on tensors from files.
#include <algorithm>
#include <filesystem>
#include <map>

#include "arguments.h"
#include "failure.h"
#include "named_files.h"
#include "numbers.h"
#include "session_run.h"
#include "streaming.h"
#include "streams.h"
#include "tensor_files.h"

namespace tesela::cli {
namespace {

struct RunRequest {
  ModelSource model;
  std::vector<std::string> inputs, outputs, dtypes;  // NAME=FILE, NAME=TYPE
  std::string format;
  bool json = false;
  RunFlags flags;
  StreamFlags stream;
};

struct Output {
  std::string argument;
  TensorTarget target;
};

// A file can have several names, such as y.npy and ./y.npy.
bool same_file(const std::string& a, const std::string& b) {
  const auto canonical = [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
  };
  return a == b || (!is_standard(a) && !is_standard(b) && canonical(a) == canonical(b));
}

// Checks all paths before the first file is read or written. The model's names are not known yet.
std::vector<Output> plan_outputs(const RunRequest& request) {
  std::vector<std::string> taken = {request.model.path};
  for (const std::string& argument : request.inputs) taken.push_back(split_at_equals(argument).text);
  if (std::count_if(taken.begin(), taken.end(), is_standard) > 1) usage("'-' can be read only once");
  std::vector<Output> outputs;
  for (const std::string& argument : request.outputs) {
    const std::string path = split_at_equals(argument).text;
    const auto same = [&](const Output& other) { return same_file(other.target.path, path); };
    if (std::any_of(outputs.begin(), outputs.end(), same)) usage("-o: " + in_quotes(path) + " is written twice");
    outputs.push_back({argument, plan_output(path, request.format, taken)});
    if (is_standard(path) && request.json) usage("--json and -o '-' both write to the standard output");
  }
  return outputs;
}

std::map<std::string, tesela_dtype> dtypes_by_name(const RunRequest& request, const std::vector<std::string>& names) {
  std::map<std::string, tesela_dtype> dtypes;
  for (const NameAndText& given : match_names("--dtype", "input", request.dtypes, names))
    dtypes[given.name] = parse_dtype("--dtype", given.text);
  return dtypes;
}

bool is_npz(const std::string& path) {
  return path.ends_with(".npz") || path.ends_with(".NPZ");
}

// The only array of an .npz file, or the one with the input's name if there are several.
Value load_input(const NameAndText& input, tesela_dtype dtype, const Limits& limits) {
  try {
    return load_tensor({input.text, dtype, ""}, limits).value;
  } catch (const Error& failure) {
    if (!is_npz(input.text)) throw;
    try {
      return load_tensor({input.text, dtype, input.name}, limits).value;
    } catch (const Error&) {
      throw failure;
    }
  }
}

// An .npz file without NAME= is for all inputs without a file, by the names of its arrays.
std::vector<NamedTensor> load_inputs(const RunRequest& request, const std::vector<std::string>& names) {
  std::vector<std::string> singles;
  std::vector<std::string> archives;
  for (const std::string& argument : request.inputs) {
    const NamedText part = split_at_equals(argument);
    (!part.name && names.size() > 1 && is_npz(part.text) ? archives : singles).push_back(argument);
  }
  if (archives.size() > 1) usage("-i: only one .npz file can be given without a name");
  const std::vector<NameAndText> matched = match_names("-i", "input", singles, names);
  auto dtypes = dtypes_by_name(request, names);
  const auto given = [&](const std::string& name) {
    return std::any_of(matched.begin(), matched.end(), [&](const NameAndText& m) { return m.name == name; });
  };
  std::vector<std::string> missing;
  std::copy_if(names.begin(), names.end(), std::back_inserter(missing), [&](const auto& name) { return !given(name); });
  if (!missing.empty() && archives.empty())
    usage("-i: no file for the input" + std::string(missing.size() == 1 ? " " : "s ") + joined(missing) +
          "; the model's inputs are " + joined(names));

  std::vector<NamedTensor> inputs;
  const Limits limits = request.flags.limits();
  for (const NameAndText& input : matched)
    inputs.push_back({input.name, load_input(input, dtypes[input.name], limits)});
  for (const std::string& name : missing)
    inputs.push_back({name, load_tensor({archives[0], dtypes[name], name}, limits).value});
  return inputs;
}

// What is printed.
std::string report(const RunRequest& request, const std::vector<NamedTensor>& results, const Progress& progress) {
  if (!request.json && !request.outputs.empty()) return "";
  Json document = {{"outputs", Json::array()}, {"nodes", progress.nodes()}};
  std::string lines;
  for (const NamedTensor& result : results) {
    const tesela_tensor view = result.value.c();
    if (request.json) {
      Json output = {{"name", result.name}};
      output.update(describe_json(view));
      document["outputs"].push_back(std::move(output));
    } else {
      lines += result.name + ": " + describe(view) + "\n";
    }
  }
  return request.json ? json_text(document) : printable(lines).str();
}

// Checks the outputs whose types are known.
void check_types(const LoadedModel& model, const std::vector<Output>& outputs, const std::vector<std::string>& wanted) {
  const std::vector<std::string> names = model->output_names();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const auto index = std::find(names.begin(), names.end(), wanted[i]) - names.begin();
    const tesela_dtype dtype = model->output_info(static_cast<size_t>(index)).dtype;
    if (dtype != 0) check_type(outputs[i].target, dtype);
  }
}

std::vector<std::string> paths_of(const RunRequest& request) {
  std::vector<std::string> paths;
  for (const auto* arguments : {&request.inputs, &request.outputs})
    for (const std::string& argument : *arguments) paths.push_back(split_at_equals(argument).text);
  return paths;
}

int print_run(const RunRequest& request) {
  Json call = stream_call(request.stream, request.flags);
  call["model"] = request.model.path;
  call["assume_opset"] = request.model.assume_opset;
  call["extents"] = request.model.extents;
  for (const auto& [name, arguments] : {std::pair("inputs", &request.inputs), std::pair("outputs", &request.outputs),
                                        std::pair("dtypes", &request.dtypes)}) {
    call[name] = Json::array();
    for (const std::string& argument : *arguments) {
      const NamedText part = split_at_equals(argument);
      call[name].push_back({part.name.value_or(""), part.text});
    }
  }
  call["format"] = request.format;
  return print_call(call);
}

int run(const RunRequest& request) {
  if (request.stream.prints_call) return print_run(request);
  refuse_streams("run", request.stream, paths_of(request));
  const std::vector<Output> outputs = plan_outputs(request);
  const Limits limits = request.flags.limits();
  const LoadedModel model(request.model, limits);
  const std::vector<std::string> all_outputs = model->output_names();
  std::vector<std::string> wanted;
  for (const NameAndText& output : match_names("-o", "output", request.outputs, all_outputs))
    wanted.push_back(output.name);
  const std::vector<NamedTensor> inputs = load_inputs(request, model->input_names());

  check_types(model, outputs, wanted);
  std::vector<NamedTensor> results;
  std::string printed;
  {  // Json allocates, its destructor too, and nothing may fail after the files are written
    Progress progress(request.flags.quiet);
    results = run_session(model, inputs, wanted.empty() ? all_outputs : wanted, limits,
                          progress.options(request.flags.threads));
    printed = report(request, results, progress);
  }
  for (size_t i = 0; i < outputs.size(); ++i) store_tensor(results[i].value.view(), outputs[i].target, results[i].name);
  if (!printed.empty()) write_standard_output(printed);
  return 0;
}

constexpr const char* kRunExamples = R"(Examples:
  tesela run model.onnx -i x=x.npy -o y=y.npy
  tesela run model.onnx -i photo.jpg -o small.png       one input and one output need no names
  tesela run model.onnx -i a=a.npy -i b=b.pb            prints type, shape and range of each output
  tesela run model.xml -i x.npy                         an IR of OpenVINO; its constants are in model.bin
  tesela run model.onnx -i arrays.npz                   arrays go to the inputs of their names
  cat x.npy | tesela run model.onnx -i - -o - --format npy > y.npy
)";

}  // namespace

void add_run(CLI::App& program, Action& chosen) {
  CLI::App& verb = add_verb(program, "run", "Run a model on tensors or images");
  verb.footer(kRunExamples);
  RunRequest& r = set_action<RunRequest>(verb, chosen, run);
  add_model(verb, r.model);
  add_words(verb, "-i,--input", r.inputs, "The file of an input: .npy, .npz, .pb, .png, .jpg or '-'")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  add_words(verb, "-o,--output", r.outputs, "The file of an output; without any, a summary is printed")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  add_words(verb, "--dtype", r.dtypes, "The type of an .npy file that cannot name it: bfloat16, int4, ...")
      ->type_name("NAME=TYPE")
      ->allow_extra_args(false);
  add_text(verb, "--format", "FORMAT", "What to write, whatever the endings: " + format_names(),
           [&r](auto& text) { r.format = text; });
  add_flag(verb, "--json", r.json, "Print a summary of outputs and nodes as JSON");
  add_run_flags(verb, r.flags);
  add_max_total(verb, r.flags);
  add_stream_flags(verb, r.stream);
}

}  // namespace tesela::cli
