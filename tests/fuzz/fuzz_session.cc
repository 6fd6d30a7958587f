// SPDX-License-Identifier: Apache-2.0
// Sessions: a model of drawn operators, or a model file as it is, is loaded, checked, inspected and run. Both backends
// must give the same outputs, also in a second run.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "api/handles.h"
#include "fuzz/budget.h"
#include "fuzz/operator_call.h"
#include "fuzz/tensor_layout.h"
#include "model/onnx_bytes.h"
#include "types/elements.h"

namespace tesela::testing {
namespace {

constexpr tesela_limits kLimits = {sizeof(tesela_limits), 1 << 20, 16, 10'000, 16, 1 << 16, 16 << 20, 16 << 20};

using ModelPtr = Handle<tesela_model>;
using SessionPtr = Handle<tesela_session>;
using ValuePtr = Handle<tesela_value>;

// ---- A model --------------------------------------------------------------------------------------------------------

Pb pb_of(const DrawnAttribute& attribute) {
  const auto kinded = [&](AttributeKind kind) { return attribute_pb(attribute.name, static_cast<int64_t>(kind)); };
  if (const auto* v = std::get_if<int64_t>(&attribute.value)) return kinded(AttributeKind::kInt).number(3, *v);
  if (const auto* v = std::get_if<float>(&attribute.value)) return kinded(AttributeKind::kFloat).float32(2, *v);
  if (const auto* v = std::get_if<std::string>(&attribute.value)) return kinded(AttributeKind::kString).text(4, *v);
  if (const auto* v = std::get_if<std::vector<int64_t>>(&attribute.value))
    return kinded(AttributeKind::kInts).numbers(8, *v);
  if (const auto* v = std::get_if<std::vector<float>>(&attribute.value))
    return kinded(AttributeKind::kFloats).floats(7, *v);
  const auto& tensor = std::get<DrawnTensor>(attribute.value);
  const std::string_view raw(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  return kinded(AttributeKind::kTensor)
      .message(5, raw_tensor_pb("v", static_cast<int64_t>(tensor.type), tensor.extents, raw));
}

class DrawnModel {
 public:
  explicit DrawnModel(Input& input) : input_(input) {}

  std::string bytes() {
    graph_.text(2, "g");
    std::string last;
    int64_t opset = 0;
    for (int64_t k = input_.pick(1, 4); k > 0; --k) {
      constexpr std::string_view kOnnx;
      const DrawnCall call = draw_call(input_, &kOnnx);
      if (opset == 0) opset = call.row->since_version;
      last = add_node(call, last);
    }
    Pb model;
    model.number(1, 8).text(2, "fuzz").message(7, graph_).message(8, Pb().text(1, "").number(2, opset));
    return model.bytes;
  }

 private:
  std::string add_node(const DrawnCall& call, const std::string& last) {
    Pb node;
    for (size_t k = 0; k < call.inputs.size(); ++k) node.text(1, input_name(call.inputs[k], k == 0 ? last : ""));
    const std::string output = fmt::format("y{}", names_++);
    node.text(2, output).text(3, output).text(4, call.row->type);
    for (const DrawnAttribute& attribute : call.attributes) node.message(5, pb_of(attribute));
    graph_.message(1, node);
    if (input_.chance(70) || last.empty()) graph_.message(12, Pb().text(1, output));
    return output;
  }

  std::string input_name(const std::optional<DrawnTensor>& tensor, const std::string& last) {
    if (!tensor) return "";
    if (!last.empty() && input_.chance(80)) return last;
    const std::string name = fmt::format("x{}", names_++);
    const auto type = static_cast<int64_t>(tensor->type);
    const std::string_view raw(reinterpret_cast<const char*>(tensor->bytes.data()), tensor->bytes.size());
    if (tensor->bytes.empty() || input_.chance(20)) {
      std::vector<int64_t> dims = tensor->extents;
      for (int64_t& dim : dims)
        if (input_.chance(30)) dim = -1;
      graph_.message(11, value_pb(name, type, dims));
    } else if (input_.chance(40)) {
      graph_.message(1, node_pb("Constant", {}, {name},
                                {attribute_pb("value", static_cast<int64_t>(AttributeKind::kTensor))
                                     .message(5, raw_tensor_pb("", type, tensor->extents, raw))}));
    } else {
      graph_.message(5, raw_tensor_pb(name, type, tensor->extents, raw));
    }
    return name;
  }

  Input& input_;
  Pb graph_;
  int names_ = 0;
};

// ---- A run ----------------------------------------------------------------------------------------------------------

struct GivenInputs {
  std::vector<const char*> names;
  std::vector<DrawnTensor> owned;
  std::vector<tesela_tensor> tensors;
};

// Tensors that fit the declared inputs; unknown extents are small.
bool draw_inputs(Input& input, const tesela_model& model, GivenInputs& given) {
  int64_t room = 1 << 18;  // bytes
  for (size_t k = 0; k < tesela_model_input_count(&model); ++k) {
    tesela_tensor_info info = {};
    info.struct_size = sizeof info;
    if (k > 16 || tesela_model_input_info(&model, k, &info, nullptr) != TESELA_OK) return false;
    DrawnTensor tensor = {static_cast<DataType>(info.dtype), {}, {}};
    if (find_traits(tensor.type) == nullptr) tensor.type = DataType::kFloat;
    for (int32_t d = 0; d < std::max(info.rank, 0) && d < 16; ++d) {
      const int64_t extent = info.dims[d].value >= 0 && !input.chance(3) ? info.dims[d].value : input.pick(0, 5);
      tensor.extents.push_back(extent);
      if (extent > room) return false;
      room /= std::max<int64_t>(extent, 1);
    }
    tensor.bytes.resize(static_cast<size_t>((product(tensor.extents) * element_bits(tensor.type) + 7) / 8));
    fill_elements(tensor.type, input.byte(), tensor.bytes.data(), std::ssize(tensor.bytes));
    // Whole numbers, since they may be extents.
    if (tensor.type == DataType::kInt64)
      for (size_t at = 0; at < tensor.bytes.size(); at += 8) {
        const int64_t number = input.pick(0, 5);
        std::memcpy(&tensor.bytes[at], &number, sizeof number);
      }
    given.names.push_back(tesela_model_input_name(&model, k));
    given.owned.push_back(std::move(tensor));
  }
  for (const DrawnTensor& tensor : given.owned) given.tensors.push_back(tensor.view());
  return true;
}

tesela_status run(tesela_session& session, const GivenInputs& given, tesela_backend backend, int threads,
                  std::vector<ValuePtr>& outputs, tesela_error& error) {
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  options.backend = backend;
  options.threads = threads;
  std::vector<tesela_value*> made(outputs.size());
  const tesela_status status =
      tesela_session_run(&session, given.names.size(), given.names.data(), given.tensors.data(), made.size(), nullptr,
                         made.data(), &options, &error);
  for (size_t k = 0; k < made.size(); ++k) outputs[k].reset(made[k]);
  return status;
}

[[noreturn]] void report(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

void expect_equal(const tesela_value& a, const tesela_value& b) {
  tesela_tensor left = {};
  tesela_tensor right = {};
  tesela_value_view(&a, &left);
  tesela_value_view(&b, &right);
  const Extents extents(left.extents, static_cast<size_t>(left.rank));
  if (left.dtype != right.dtype || extents != Extents(right.extents, static_cast<size_t>(right.rank)))
    report("the backends give other types or shapes");
  const auto type = static_cast<DataType>(left.dtype);
  const auto* const x = static_cast<const std::byte*>(left.data);
  const auto* const y = static_cast<const std::byte*>(right.data);
  if (type == DataType::kString) {
    for (int64_t k = 0; k < product(extents); ++k)
      if (reinterpret_cast<const StringRef*>(x)[k].view() != reinterpret_cast<const StringRef*>(y)[k].view())
        report("the backends give other strings");
    return;
  }
  const int64_t whole = product(extents) * element_bits(type) / 8;
  if (is_packed(type) ? !std::equal(x, x + whole, y) : !equal_or_nan(type, x, y, whole))
    report("the backends give other elements");
}

void run_session(Input& input, const tesela_model& model) {
  tesela_session* made = nullptr;
  tesela_error error = {};
  if (tesela_session_create(&model, nullptr, &made, &error) != TESELA_OK) {
    if (error.code == TESELA_ERROR_INTERNAL) report(error.message);
    return;
  }
  const SessionPtr session(made);
  GivenInputs given;
  const size_t count = tesela_model_output_count(&model);
  if (count > 100 || !draw_inputs(input, model, given)) return;
  std::vector<ValuePtr> first(count);
  std::vector<ValuePtr> second(count);
  const auto threads = static_cast<int>(input.pick(1, 3));
  const tesela_status status = run(*session, given, TESELA_BACKEND_REFERENCE, 1, first, error);
  if (status == TESELA_ERROR_INTERNAL) report(error.message);
  for (int times = 0; times < 2; ++times) {
    if (run(*session, given, TESELA_BACKEND_AUTO, threads, second, error) != status)
      report(fmt::format("the reference gives status {}; then: {}", static_cast<int>(status), error.message));
    for (size_t k = 0; status == TESELA_OK && k < count; ++k) expect_equal(*first[k], *second[k]);
  }
}

void check(Input& input) {
  const uint8_t choices = input.byte();
  const std::string drawn = choices % 4 != 0 ? DrawnModel(input).bytes() : std::string();
  const auto rest = input.rest();
  const std::string_view bytes = choices % 4 != 0
                                     ? std::string_view(drawn)
                                     : std::string_view(reinterpret_cast<const char*>(rest.data()), rest.size());
  tesela_load_options options = {};
  options.struct_size = sizeof options;
  options.limits = &kLimits;
  tesela_model* made = nullptr;
  if (tesela_model_load_memory(bytes.data(), bytes.size(), &options, &made, nullptr) != TESELA_OK) return;
  const ModelPtr model(made);
  for (const tesela_text_format format : {TESELA_TEXT_PLAIN, TESELA_TEXT_JSON}) {
    tesela_blob* text = nullptr;
    if (choices / 4 % 8 == 0 && tesela_model_inspect(model.get(), format, &text, nullptr) == TESELA_OK)
      tesela_blob_destroy(text);
  }
  tesela_blob* text = nullptr;
  size_t faults = 0;
  if (tesela_model_check(model.get(), TESELA_TEXT_PLAIN, &text, &faults, nullptr) == TESELA_OK)
    tesela_blob_destroy(text);
  run_session(input, *model);
}

}  // namespace
}  // namespace tesela::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tesela::testing::Input input(data, size);
  const tesela::testing::Budget budget;
  tesela::testing::check(input);
  return 0;
}
