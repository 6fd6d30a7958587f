// SPDX-License-Identifier: Apache-2.0
// The C interface: models and sessions.
#include <algorithm>
#include <atomic>

#include "api/boundary.h"
#include "api/model_parts.h"
#include "graph/check.h"
#include "graph/inspect.h"
#include "graph/lint.h"
#include "graph/walk.h"
#include "model/model_file.h"
#include "plan/fields.h"
#include "session/session.h"

using namespace tesela;
using namespace tesela::api;

namespace {

/// An input or output, with its dims in the layout of the C structs.
struct ModelPort {
  explicit ModelPort(std::string port_name, TensorInfo port_info)
      : name(std::move(port_name)), info(std::move(port_info)) {
    if (info.dims)
      for (const Dim& dim : *info.dims) dims.push_back({dim.value, dim.symbol.c_str()});
  }
  ModelPort(const ModelPort&) = delete;  // dims point into info
  ModelPort(ModelPort&&) = delete;

  tesela_tensor_info view() const {
    tesela_tensor_info c_info = {};
    c_info.struct_size = sizeof c_info;
    c_info.dtype = static_cast<tesela_dtype>(info.type);
    c_info.rank = info.dims ? static_cast<int32_t>(dims.size()) : -1;
    c_info.dims = dims.data();
    return c_info;
  }

  std::string name;
  TensorInfo info;
  std::vector<tesela_dim> dims;
};

using PortList = std::vector<std::unique_ptr<ModelPort>>;

PortList required_inputs(const Model& model) {
  const GraphIndex index(model.graph);
  PortList ports;
  for (const ValueDeclaration& input : model.graph.inputs) {
    const ValueId value = index.find(input.name);
    if (value != kNoValue && index.initializer(value) != nullptr) continue;
    ports.push_back(std::make_unique<ModelPort>(input.name.text(), input.info));
  }
  return ports;
}

// Declarations completed by inference.
PortList known_outputs(const Model& model, const Limits& limits) {
  const GraphFacts facts = main_graph_facts(model, limits);
  PortList ports;
  for (const ValueDeclaration& output : model.graph.outputs) {
    const ValueId value = facts.index.find(output.name);
    const KnownInfo known = value == kNoValue ? nullptr : facts.values[static_cast<size_t>(value)];
    TensorInfo info = known ? *known : output.info;
    info.constant.reset();
    ports.push_back(std::make_unique<ModelPort>(output.name.text(), std::move(info)));
  }
  return ports;
}

}  // namespace

struct tesela_model {
  tesela_model(Model loaded, const Limits& model_limits)
      : model(std::make_shared<const Model>(std::move(loaded))),
        limits(model_limits),
        inputs(required_inputs(*model)) {}
  tesela_model(const tesela_model&) = delete;
  tesela_model& operator=(const tesela_model&) = delete;
  ~tesela_model() { delete outputs_.load(); }

  // Inference takes time, so it runs on the first call. Threads that call meanwhile infer, too, and one result is kept:
  // a lock could be held by a thread that a fork leaves behind, and the C library aborts if an exception passes its
  // pthread_once without memory.
  const PortList& outputs() const {
    const PortList* kept = outputs_.load(std::memory_order_acquire);
    if (kept != nullptr) return *kept;
    auto made = std::make_unique<const PortList>(known_outputs(*model, limits));
    return outputs_.compare_exchange_strong(kept, made.get(), std::memory_order_acq_rel) ? *made.release() : *kept;
  }

  std::shared_ptr<const Model> model;
  Limits limits;
  PortList inputs;

 private:
  mutable std::atomic<const PortList*> outputs_ = nullptr;
};

const Model& tesela::api::model_of(const tesela_model& model) {
  return *model.model;
}

const Limits& tesela::api::limits_of(const tesela_model& model) {
  return model.limits;
}

struct tesela_session {
  std::unique_ptr<Session> session;
};

namespace {

struct LoadOptions {
  OnnxReadOptions read;
  ExtentRule extents = {};
};

// Errors: usage, attribute (an unknown rule of extents).
Result<LoadOptions> read_load_options(const tesela_load_options* source) {
  tesela_load_options copy = {};
  TESELA_RETURN_IF_ERROR(read_struct(source, "options", copy));
  PlanFields fields;
  if (copy.extents != nullptr) TESELA_RETURN_IF_ERROR(set_field(fields, "extents", copy.extents));
  LoadOptions options;
  options.extents = fields.extents;
  TESELA_ASSIGN_OR_RETURN(options.read.limits, read_limits(copy.limits, Limits()));
  options.read.assume_opset = copy.assume_opset;
  if (copy.base_directory != nullptr) options.read.base_directory = copy.base_directory;
  return options;
}

Status write_port_info(const ModelPort* port, size_t index, std::string_view what, tesela_tensor_info* info) {
  if (info == nullptr) return usage_error("the model's {} info is NULL", what);
  if (info->struct_size == 0) return usage_error("the model's {} info: struct_size is 0; expected its size", what);
  if (port == nullptr) return usage_error("the model has no {} {}", what, index);
  write_struct(port->view(), info);
  return {};
}

const ModelPort* port_at(const PortList& ports, size_t index) {
  return index < ports.size() ? ports[index].get() : nullptr;
}

// Errors: usage, value (an unknown name).
Result<LintScope> read_scope(const tesela_lint_options& options) {
  if (options.runtimes == nullptr && options.runtime_count > 0)
    return usage_error("tesela_model_lint: runtime_count is {} and runtimes is NULL", options.runtime_count);
  std::vector<std::string_view> names;
  for (size_t k = 0; k < options.runtime_count; ++k) {
    if (options.runtimes[k] == nullptr) return usage_error("tesela_model_lint: runtime {} is NULL", k);
    names.emplace_back(options.runtimes[k]);
  }
  return make_scope(names);
}

std::string lint_text(const LintReport& report, tesela_text_format format, const char* path) {
  if (format == TESELA_TEXT_JSON) return lint_json(report);
  if (format == TESELA_TEXT_SARIF) return lint_sarif(report, path == nullptr ? "" : path);
  return lint_plain(report);
}

// The caller's tensors and names, as a session expects them.
struct RunArguments {
  std::vector<NamedView> inputs;
  std::optional<std::vector<std::string_view>> outputs;
};

Result<RunArguments> read_arguments(size_t input_count, const char* const* names, const tesela_tensor* inputs,
                                    size_t output_count, const char* const* output_names) {
  if (input_count > 0 && (names == nullptr || inputs == nullptr))
    return usage_error("tesela_session_run: input_count is {} and an array is NULL", input_count);
  TESELA_RETURN_IF_ERROR(check_count("tesela_session_run: input_count", input_count, sizeof *inputs));
  TESELA_RETURN_IF_ERROR(check_count("tesela_session_run: output_count", output_count, sizeof *output_names));
  RunArguments arguments;
  for (size_t i = 0; i < input_count; ++i) {
    if (names[i] == nullptr) return usage_error("tesela_session_run: the name of input {} is NULL", i);
    Result<TensorView> view = read_tensor_view(inputs[i], true);
    if (!view.ok()) return view.status().with_prefix(fmt::format("input {}: ", in_quotes(names[i])));
    arguments.inputs.push_back({names[i], std::move(*view)});
  }
  if (output_names == nullptr) return arguments;
  arguments.outputs.emplace();
  for (size_t i = 0; i < output_count; ++i) {
    if (output_names[i] == nullptr) return usage_error("tesela_session_run: the name of output {} is NULL", i);
    arguments.outputs->push_back(output_names[i]);
  }
  return arguments;
}

std::function<void(const NodeEvent&)> read_listener(const tesela_run_options& options) {
  if (options.on_node == nullptr) return {};
  return [on_node = options.on_node, context = options.on_node_context](const NodeEvent& event) {
    tesela_node_event c_event = {};
    c_event.node = event.op.node.c_str();
    c_event.type = event.op.schema->type.data();  // literals, so they end with a NUL; so do the types' names
    c_event.since_version = event.op.schema->since_version;
    c_event.dtype = name(event.type).data();
    c_event.input_dtype = name(event.input_type).data();
    c_event.shapes = event.shapes.c_str();
    c_event.milliseconds = event.milliseconds;
    on_node(context, &c_event);
  };
}

// All or none: nothing is written before every value exists.
void write_values(std::vector<Tensor> tensors, tesela_value** outputs) {
  std::vector<std::unique_ptr<tesela_value>> values;
  values.reserve(tensors.size());  // before any value is created, so that storing its pointer cannot fail
  for (Tensor& tensor : tensors) values.emplace_back(make_value(std::move(tensor)));
  for (size_t i = 0; i < values.size(); ++i) outputs[i] = values[i].release();
}

}  // namespace

extern "C" {

/* ---- Models ----------------------------------------------------------------------------------------------------- */

tesela_status tesela_model_load(const char* path, const tesela_load_options* options, tesela_model** model,
                                tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (path == nullptr || model == nullptr) return usage_error("tesela_model_load: an argument is NULL");
    TESELA_ASSIGN_OR_RETURN(const LoadOptions load_options, read_load_options(options));
    TESELA_ASSIGN_OR_RETURN(Model loaded, read_model(path, load_options.read));
    loaded.extents = load_options.extents;
    *model = new tesela_model(std::move(loaded), load_options.read.limits);
    return {};
  });
}

tesela_status tesela_model_load_memory(const void* data, size_t size, const tesela_load_options* options,
                                       tesela_model** model, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if ((data == nullptr && size > 0) || model == nullptr)
      return usage_error("tesela_model_load_memory: an argument is NULL");
    TESELA_RETURN_IF_ERROR(check_count("tesela_model_load_memory: size", size, 1));
    TESELA_ASSIGN_OR_RETURN(const LoadOptions load_options, read_load_options(options));
    const std::span<const std::byte> bytes(static_cast<const std::byte*>(data), size);
    TESELA_ASSIGN_OR_RETURN(Model loaded, read_model(bytes, nullptr, load_options.read));
    loaded.extents = load_options.extents;
    *model = new tesela_model(std::move(loaded), load_options.read.limits);
    return {};
  });
}

void tesela_model_destroy(tesela_model* model) {
  delete model;
}

size_t tesela_model_input_count(const tesela_model* model) {
  return model ? model->inputs.size() : 0;
}

size_t tesela_model_output_count(const tesela_model* model) {
  return model ? model->model->graph.outputs.size() : 0;
}

const char* tesela_model_input_name(const tesela_model* model, size_t index) {
  const ModelPort* port = model ? port_at(model->inputs, index) : nullptr;
  return port ? port->name.c_str() : nullptr;
}

const char* tesela_model_output_name(const tesela_model* model, size_t index) {
  if (model == nullptr) return nullptr;
  const auto& outputs = model->model->graph.outputs;
  return index < outputs.size() ? outputs[index].name.c_str() : nullptr;
}

tesela_status tesela_model_input_info(const tesela_model* model, size_t index, tesela_tensor_info* info,
                                      tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (model == nullptr) return usage_error("tesela_model_input_info: model is NULL");
    return write_port_info(port_at(model->inputs, index), index, "input", info);
  });
}

tesela_status tesela_model_output_info(const tesela_model* model, size_t index, tesela_tensor_info* info,
                                       tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (model == nullptr) return usage_error("tesela_model_output_info: model is NULL");
    return write_port_info(port_at(model->outputs(), index), index, "output", info);
  });
}

tesela_status tesela_model_inspect(const tesela_model* model, tesela_text_format format, tesela_blob** text,
                                   tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (model == nullptr || text == nullptr) return usage_error("tesela_model_inspect: an argument is NULL");
    TESELA_RETURN_IF_ERROR(check_text_format("tesela_model_inspect", format));
    *text = make_blob(format == TESELA_TEXT_JSON ? inspect_json(*model->model, model->limits)
                                                 : inspect_plain(*model->model, model->limits));
    return {};
  });
}

tesela_status tesela_model_check(const tesela_model* model, tesela_text_format format, tesela_blob** text,
                                 size_t* faults, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (model == nullptr || text == nullptr) return usage_error("tesela_model_check: an argument is NULL");
    TESELA_RETURN_IF_ERROR(check_text_format("tesela_model_check", format));
    const CheckReport report = check_model(*model->model, model->limits);
    const auto missing = std::ranges::find(report.findings, TESELA_ERROR_NO_MEMORY, &Finding::code);
    if (missing != report.findings.end()) return Status(missing->code, missing->text);  // no fault of the model
    *text = make_blob(format == TESELA_TEXT_JSON ? check_json(report) : check_plain(report));
    if (faults != nullptr) *faults = report.faults;
    return {};
  });
}

tesela_status tesela_catalogue(tesela_text_format format, tesela_blob** text, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (text == nullptr) return usage_error("tesela_catalogue: text is NULL");
    if (format != TESELA_TEXT_JSON && format != TESELA_TEXT_MARKDOWN)
      return usage_error("text format {} is not for the catalogue; expected TESELA_TEXT_JSON or TESELA_TEXT_MARKDOWN",
                         static_cast<int>(format));
    *text = make_blob(format == TESELA_TEXT_JSON ? peers::catalogue_json() : peers::catalogue_markdown());
    return {};
  });
}

tesela_status tesela_model_lint(const tesela_model* model, const tesela_lint_options* options,
                                tesela_text_format format, tesela_blob** text, size_t* errors, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (model == nullptr || text == nullptr) return usage_error("tesela_model_lint: an argument is NULL");
    TESELA_RETURN_IF_ERROR(check_text_format("tesela_model_lint", format, TESELA_TEXT_SARIF));
    tesela_lint_options given = {};
    TESELA_RETURN_IF_ERROR(read_struct(options, "options", given));
    TESELA_ASSIGN_OR_RETURN(const LintScope scope, read_scope(given));
    const LintReport report = lint_model(*model->model, model->limits, scope);
    *text = make_blob(lint_text(report, format, given.path));
    if (errors != nullptr) *errors = report.errors;
    return {};
  });
}

/* ---- Sessions --------------------------------------------------------------------------------------------------- */

tesela_status tesela_session_create(const tesela_model* model, const tesela_limits* limits, tesela_session** session,
                                    tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (model == nullptr || session == nullptr) return usage_error("tesela_session_create: an argument is NULL");
    TESELA_ASSIGN_OR_RETURN(const Limits most, read_limits(limits, model->limits));
    TESELA_ASSIGN_OR_RETURN(auto made, Session::create(model->model, most));
    *session = new tesela_session{std::move(made)};
    return {};
  });
}

tesela_status tesela_session_run(tesela_session* session, size_t input_count, const char* const* names,
                                 const tesela_tensor* inputs, size_t output_count, const char* const* output_names,
                                 tesela_value** outputs, const tesela_run_options* options, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (session == nullptr || (outputs == nullptr && output_count > 0))
      return usage_error("tesela_session_run: an argument is NULL");
    TESELA_ASSIGN_OR_RETURN(const RunArguments arguments,
                            read_arguments(input_count, names, inputs, output_count, output_names));
    const size_t expected = arguments.outputs ? output_count : session->session->output_count();
    if (output_count != expected)
      return count_error("room for {} outputs is given; the model has {}", output_count, expected);
    tesela_run_options run_options = {};
    TESELA_RETURN_IF_ERROR(read_struct(options, "options", run_options));
    Executor executor;
    TESELA_RETURN_IF_ERROR(read_executor(run_options, executor));
    Backend backend = kDefaultBackend;
    TESELA_RETURN_IF_ERROR(read_backend(run_options, backend));
    const SessionRun run = {arguments.inputs, arguments.outputs, read_run_options(run_options),
                            read_listener(run_options), backend};
    TESELA_ASSIGN_OR_RETURN(std::vector<Tensor> results, session->session->run(run, executor));
    write_values(std::move(results), outputs);
    return {};
  });
}

void tesela_session_destroy(tesela_session* session) {
  delete session;
}

}  // extern "C"
