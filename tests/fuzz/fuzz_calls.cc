// SPDX-License-Identifier: Apache-2.0
// Sequences of calls of the C interface: valid and invalid arguments, NULL, and handles destroyed in any order.
// Whatever the calls, the library returns a status and leaks nothing.
#include <array>
#include <cstdlib>
#include <string>

#include "fuzz/budget.h"
#include "fuzz/call_arguments.h"
#include "fuzz/operator_call.h"
#include "model/onnx_bytes.h"

namespace tesela::testing {
namespace {

std::string model_bytes(int64_t which) {
  const Pb repeats = raw_tensor_pb("r", TESELA_INT64, {1}, std::string_view("\2\0\0\0\0\0\0\0", 8));
  const Pb tile = Pb().text(2, "g").message(1, node_pb("Tile", {"x", "r"}, {"y"})).message(5, repeats);
  if (which == 0)
    return model_pb(Pb(tile).message(11, value_pb("x", TESELA_FLOAT, {-1})).message(12, Pb().text(1, "y"))).bytes;
  if (which == 1)
    return model_pb(Pb().text(2, "g")
                        .message(1, node_pb("ConstantOfShape", {"s"}, {"y"}))
                        .message(11, value_pb("s", TESELA_INT64, {-1}))
                        .message(12, Pb().text(1, "y")))
        .bytes;
  return model_pb(Pb(tile).message(1, node_pb("Relu", {"y"}, {"z"})).message(12, Pb().text(1, "z"))).bytes;
}

class Caller : private CallArguments {
 public:
  explicit Caller(Input& input) : CallArguments(input) {}

  void call() {
    using Call = void (Caller::*)();
    constexpr Call kCalls[] = {&Caller::create_op,   &Caller::draw_op,    &Caller::set_attribute, &Caller::ask_op,
                               &Caller::infer,       &Caller::plan,       &Caller::plan_named,    &Caller::ask_plan,
                               &Caller::run,         &Caller::run_region, &Caller::axis_table,    &Caller::make_cache,
                               &Caller::ask_cache,   &Caller::make_value, &Caller::copy_value,    &Caller::convert,
                               &Caller::file,        &Caller::load_model, &Caller::ask_model,     &Caller::make_session,
                               &Caller::run_session, &Caller::destroy,    &Caller::ask_names,     &Caller::print,
                               &Caller::pass,        &Caller::explain,    &Caller::lint};
    (this->*input_.one_of(kCalls))();
  }

 private:
  // ---- Operators and plans ------------------------------------------------------------------------------------------

  void create_op() {
    tesela_op* op = nullptr;
    tesela_op_create(word(), word(), input_.pick(-1, 30), word(), unless_rarely(&op), error());
    ops_.keep(input_, op);
  }
  void draw_op() {
    call_ = draw_call(input_);
    ops_.keep(input_, make_op(call_, error()));
  }
  void set_attribute() {
    tesela_op* const op = ops_.any(input_);
    const int64_t integers[] = {input_.one_of(kUgly), 1, 2};
    const float floats[] = {0.5f, static_cast<float>(input_.pick(-2, 2)), 1};
    const auto count = static_cast<size_t>(rarely() ? -1 : input_.pick(0, 3));
    switch (input_.pick(0, 5)) {
      case 0: tesela_op_set_int(op, word(), integers[0], error()); break;
      case 1: tesela_op_set_float(op, word(), floats[1], error()); break;
      case 2: tesela_op_set_string(op, input_.chance(50) ? "tesela.order" : word(), word(), error()); break;
      case 3: tesela_op_set_ints(op, word(), count > 3 ? nullptr : integers, count, error()); break;
      case 4: tesela_op_set_floats(op, word(), count > 3 ? nullptr : floats, count, error()); break;
      default: tesela_op_set_tensor(op, word(), tensor(), error()); break;
    }
  }
  void ask_op() {
    const tesela_op* const op = ops_.any(input_);
    const auto index = static_cast<size_t>(input_.pick(0, 12));
    tesela_op_since_version(op);
    tesela_op_input_count(op);
    tesela_op_input_name(op, index);
    tesela_op_attribute_count(op);
    const char* const name = tesela_op_attribute_name(op, index);
    tesela_op_attribute_kind(op, name);
    tesela_op_attribute_allowed(op, input_.chance(50) ? name : word(), index);
  }

  // Inputs of the last drawn call, or any.
  std::vector<const tesela_tensor*> inputs() {
    views_ = InputViews(call_);
    std::vector<const tesela_tensor*> list = views_.pointers;
    if (!call_.inputs.empty() && input_.chance(80)) return list;
    list.resize(static_cast<size_t>(input_.pick(0, 5)));
    for (const tesela_tensor*& each : list) each = tensor();
    return list;
  }
  size_t count_of(const std::vector<const tesela_tensor*>& list) {
    return rarely() ? std::min<size_t>(list.size(), 1) : list.size();
  }

  void infer() {
    std::array<tesela_dim, 4> dims = {{{2, nullptr}, {-1, "N"}, {input_.pick(-2, 9), ""}, {3, nullptr}}};
    std::array<tesela_tensor_info, 3> infos = {};
    std::array<const tesela_tensor_info*, 3> pointers = {};
    for (size_t k = 0; k < infos.size(); ++k) {
      infos[k].struct_size = struct_size(sizeof infos[k]);
      infos[k].dtype = static_cast<tesela_dtype>(input_.pick(0, 26));
      infos[k].rank = static_cast<int32_t>(input_.pick(-1, 4));
      infos[k].dims = unless_rarely(dims.data());
      infos[k].constant = input_.chance(20) ? tensor() : nullptr;
      pointers[k] = unless_rarely(&infos[k]);
    }
    tesela_inferred* inferred = nullptr;
    tesela_op_infer(ops_.any(input_), static_cast<size_t>(input_.pick(0, 3)), unless_rarely(pointers.data()),
                    unless_rarely(&inferred), error());
    tesela_tensor_info info = {};
    info.struct_size = struct_size(sizeof info);
    tesela_inferred_info(inferred, unless_rarely(&info));
    inferred_.keep(input_, inferred);
  }
  void plan() {
    const auto list = inputs();
    tesela_plan* plan = nullptr;
    tesela_plan_create(ops_.any(input_), count_of(list), list.data(), limits(), unless_rarely(&plan), error());
    plans_.keep(input_, plan);
  }
  void plan_named() {
    const auto list = inputs();
    std::vector<const char*> names;
    const tesela_op* const op = ops_.any(input_);
    for (size_t k = 0; k < list.size(); ++k)
      names.push_back(k == 0 ? nullptr : rarely() ? word() : tesela_op_input_name(op, k));
    tesela_plan* plan = nullptr;
    tesela_plan_create_named(op, list.size(), unless_rarely(names.data()), list.data(), limits(), unless_rarely(&plan),
                             error());
    plans_.keep(input_, plan);
  }
  void make_cache() {
    tesela_plan_cache* cache = nullptr;
    tesela_plan_cache_create(static_cast<size_t>(input_.pick(0, 3)), unless_rarely(&cache), error());
    caches_.keep(input_, cache);
  }
  void ask_cache() {
    tesela_plan_cache* const cache = caches_.any(input_);
    const auto list = inputs();
    tesela_plan* plan = nullptr;
    if (input_.chance(60))
      tesela_plan_cache_get(cache, ops_.any(input_), count_of(list), list.data(), limits(), unless_rarely(&plan),
                            error());
    else
      plan = tesela_plan_cache_find(cache, ops_.any(input_), count_of(list), list.data(), limits());
    if (rarely()) tesela_plan_cache_clear(cache);
    tesela_plan_cache_size(cache);
    plans_.keep(input_, plan);
  }

  void ask_plan() {
    const tesela_plan* const plan = plans_.any(input_);
    draw_box(plan);
    std::array<int64_t, 80> input_lo = {};
    std::array<int64_t, 80> input_n = {};
    tesela_plan_input_region(plan, unless_rarely(lo_.data()), unless_rarely(n_.data()), unless_rarely(input_lo.data()),
                             unless_rarely(input_n.data()), error());
    uint64_t bytes = 0;
    tesela_plan_scratch_bytes(plan, unless_rarely(lo_.data()), unless_rarely(n_.data()), unless_rarely(&bytes),
                              error());
    tesela_blob* text = nullptr;
    tesela_plan_describe(plan, static_cast<tesela_text_format>(input_.pick(0, 3)), unless_rarely(&text), error());
    blobs_.keep(input_, text);
  }
  void run() {
    const tesela_plan* const plan = plans_.any(input_);
    const tesela_tensor* const x = tensor_of(plan, false);
    tesela_plan_run(plan, x, tensor_of(plan, true), run_options(), error());
  }
  void run_region() {
    const tesela_plan* const plan = plans_.any(input_);
    draw_box(plan);
    std::array<int64_t, 80> zero = {};
    const tesela_tensor* const x = tensor_of(plan, false);
    tesela_plan_run_region(plan, x, unless_rarely(zero.data()), tensor_of(plan, true), unless_rarely(lo_.data()),
                           run_options(), error());
  }
  void axis_table() {
    tesela_axis_table* table = nullptr;
    tesela_plan_axis_table(plans_.any(input_), static_cast<int32_t>(input_.pick(-1, 6)),
                           rarely() ? input_.one_of(kUgly) : input_.pick(0, 3), input_.pick(0, 9),
                           unless_rarely(&table), error());
    tesela_axis_table_view view = {};
    view.struct_size = struct_size(sizeof view);
    tesela_axis_table_get(table, unless_rarely(&view));
    tables_.keep(input_, table);
  }

  // A pass over tensors of its whole input and output, or over any.
  void pass() {
    const tesela_plan* const plan = plans_.any(input_);
    const auto index = static_cast<size_t>(input_.pick(rarely() ? -1 : 0, 2));
    size_t count = 0;
    tesela_plan_pass_count(plan, unless_rarely(&count), error());
    std::array<int64_t, 80> in = {};
    std::array<int64_t, 80> out = {};
    tesela_pass info = {};
    info.struct_size = struct_size(sizeof info);
    tesela_plan_pass_info(plan, index, unless_rarely(&info), unless_rarely(in.data()), unless_rarely(out.data()),
                          error());
    draw_box(plan);
    std::array<int64_t, 80> lo = {};
    std::array<int64_t, 80> n = {};
    tesela_plan_pass_input_region(plan, index, unless_rarely(lo_.data()), unless_rarely(n_.data()),
                                  unless_rarely(lo.data()), unless_rarely(n.data()), error());
    const bool known = info.accumulator_dtype != 0 && input_.chance(90);
    const tesela_tensor* const x = known ? shaped(info.input_dtype, info.rank, in.data(), buffer_) : tensor();
    const tesela_tensor* const sums =
        known ? shaped(info.accumulator_dtype, info.rank, out.data(), sums_buffer_) : tensor(true);
    const int64_t* const begin = rarely() ? unless_rarely(lo.data()) : kZero.data();
    tesela_plan_pass_begin(plan, index, sums, error());
    tesela_plan_pass_add(plan, index, x, begin, sums, begin, run_options(), error());
    const bool in_place = info.output_dtype == info.accumulator_dtype && input_.chance(50);
    const tesela_tensor* const y =
        known ? shaped(info.output_dtype, info.rank, out.data(), in_place ? sums_buffer_ : y_buffer_) : tensor(true);
    tesela_plan_pass_finish(plan, index, sums, y, begin, run_options(), error());
  }
  void explain() {
    const int32_t axes[] = {static_cast<int32_t>(input_.pick(-1, 5)), 1};
    tesela_explain_options options = {};
    options.struct_size = struct_size(sizeof options);
    options.axis_count = static_cast<size_t>(input_.pick(0, 2));
    options.axes = unless_rarely(axes);
    options.first = rarely() ? input_.one_of(kUgly) : input_.pick(0, 5);
    options.count = rarely() ? input_.one_of(kUgly) : input_.pick(0, 5);
    options.width = static_cast<int32_t>(rarely() ? input_.pick(-1, 20'000) : 80);
    options.title = input_.chance(30) ? word() : nullptr;
    tesela_blob* text = nullptr;
    tesela_plan_explain(plans_.any(input_), unless_rarely(&options),
                        static_cast<tesela_text_format>(input_.pick(rarely() ? -1 : 0, 5)), unless_rarely(&text),
                        error());
    blobs_.keep(input_, text);
  }

  // ---- Values and files ---------------------------------------------------------------------------------------------

  void make_value() {
    const std::array<int64_t, 4> extents = {input_.pick(0, 9), input_.pick(-1, 9), input_.one_of(kUgly), 2};
    limits();
    limits_.struct_size = sizeof limits_;  // with the default limits, a call may take all memory
    tesela_value* value = nullptr;
    tesela_value_create(static_cast<tesela_dtype>(input_.pick(0, 27)), static_cast<int32_t>(input_.pick(-1, 4)),
                        unless_rarely(extents.data()), &limits_, unless_rarely(&value), error());
    values_.keep(input_, value);
  }
  void copy_value() {
    tesela_tensor view = {};
    const tesela_value* const other = values_.any(input_);
    tesela_value_view(other, unless_rarely(&view));
    tesela_value* value = nullptr;
    // The numbers of a created value are not initialised, so only its strings, which are null, are copied.
    const bool is_text = view.dtype == TESELA_STRING;
    tesela_value_copy(is_text ? &view : tensor(), limits(), unless_rarely(&value), error());
    values_.keep(input_, value);
  }
  void convert() {
    std::array<double, 1024> numbers = {};
    if (input_.chance(50))
      tesela_tensor_to_doubles(tensor(), unless_rarely(numbers.data()), error());
    else
      tesela_tensor_from_doubles(unless_rarely(numbers.data()), static_cast<size_t>(input_.pick(0, 600)), tensor(true),
                                 error());
  }
  void file() {
    tesela_file_options options = {};
    options.struct_size = struct_size(sizeof options);
    options.format = static_cast<tesela_file_format>(input_.pick(rarely() ? -1 : 0, 6));
    options.dtype = rarely() ? static_cast<tesela_dtype>(input_.pick(0, 30)) : 0;
    options.entry = rarely() ? word() : nullptr;
    options.name = input_.chance(30) ? word() : nullptr;
    options.limits = limits();
    options.jpeg_quality = static_cast<int32_t>(input_.pick(rarely() ? -1 : 0, 101));
    tesela_blob* blob = nullptr;
    tesela_tensor_encode(tensor(), unless_rarely(&options), unless_rarely(&blob), error());
    blobs_.keep(input_, blob);
    const tesela_blob* const read = blobs_.any(input_);
    tesela_value* value = nullptr;
    const char* name = nullptr;
    tesela_value_read_memory(tesela_blob_data(read), tesela_blob_size(read), unless_rarely(&options),
                             unless_rarely(&value), unless_rarely(&name), error());
    values_.keep(input_, value);
  }

  // ---- Models -------------------------------------------------------------------------------------------------------

  void load_model() {
    static const std::string kModels[] = {model_bytes(0), model_bytes(1), model_bytes(2)};
    const std::string& bytes = input_.one_of(kModels);
    tesela_load_options options = {};
    options.struct_size = struct_size(sizeof options);
    options.limits = limits();
    options.assume_opset = rarely() ? input_.pick(-1, 40) : 0;
    options.extents = rarely() ? word() : nullptr;
    tesela_model* model = nullptr;
    const size_t size = rarely() ? static_cast<size_t>(input_.pick(0, std::ssize(bytes))) : bytes.size();
    tesela_model_load_memory(unless_rarely(bytes.data()), size, unless_rarely(&options), unless_rarely(&model),
                             error());
    models_.keep(input_, model);
  }
  void ask_model() {
    const tesela_model* const model = models_.any(input_);
    const auto index = static_cast<size_t>(input_.pick(0, 2));
    tesela_tensor_info info = {};
    info.struct_size = struct_size(sizeof info);
    tesela_model_input_info(model, index, unless_rarely(&info), error());
    tesela_model_output_info(model, index, unless_rarely(&info), error());
    tesela_model_input_name(model, index);
    tesela_model_output_name(model, index);
    tesela_blob* text = nullptr;
    size_t faults = 0;
    const auto format = static_cast<tesela_text_format>(input_.pick(0, 3));
    if (input_.chance(50))
      tesela_model_inspect(model, format, unless_rarely(&text), error());
    else
      tesela_model_check(model, format, unless_rarely(&text), unless_rarely(&faults), error());
    blobs_.keep(input_, text);
  }
  void lint() {
    const tesela_model* const model = models_.any(input_);
    const char* const runtimes[] = {rarely() ? word() : "onnxruntime", "openvino"};
    tesela_lint_options options = {};
    options.struct_size = struct_size(sizeof options);
    options.runtimes = unless_rarely(runtimes);
    options.runtime_count = static_cast<size_t>(input_.pick(0, 2));
    options.path = input_.chance(30) ? word() : nullptr;
    tesela_blob* text = nullptr;
    size_t errors = 0;
    tesela_model_lint(model, unless_rarely(&options), static_cast<tesela_text_format>(input_.pick(0, 5)),
                      unless_rarely(&text), unless_rarely(&errors), error());
    blobs_.keep(input_, text);
    const char* const names[] = {word()};
    tesela_plan* plan = nullptr;
    tesela_model_plan(model, rarely() ? word() : "#0", 0, unless_rarely(names), nullptr, unless_rarely(&plan), error());
    plans_.keep(input_, plan);
  }
  void make_session() {
    tesela_session* session = nullptr;
    tesela_session_create(models_.any(input_), limits(), unless_rarely(&session), error());
    sessions_.keep(input_, session);
  }
  void run_session() {
    const char* const names[] = {word(), word()};
    const tesela_tensor* const x = tensor();
    tesela_value* output = nullptr;
    tesela_session_run(sessions_.any(input_), x != nullptr && !rarely() ? 1 : 0, unless_rarely(names), x,
                       input_.chance(90) ? 1 : 0, input_.chance(50) ? nullptr : names + 1, unless_rarely(&output),
                       run_options(), error());
    values_.keep(input_, output);
  }

  // ---- The rest -----------------------------------------------------------------------------------------------------

  void destroy() {
    switch (input_.pick(0, 8)) {
      case 0: return ops_.keep(input_, nullptr);
      case 1: return plans_.keep(input_, nullptr);
      case 2: return caches_.keep(input_, nullptr);
      case 3: return values_.keep(input_, nullptr);
      case 4: return blobs_.keep(input_, nullptr);
      case 5: return models_.keep(input_, nullptr);
      case 6: return sessions_.keep(input_, nullptr);
      case 7: return tables_.keep(input_, nullptr);
      default: tesela_trim_memory(0); return;
    }
  }
  void ask_names() {
    const char* const known[] = {"nearest", "linear", "cubic"};
    tesela_nearest_name(word(), static_cast<size_t>(input_.pick(0, 3)), unless_rarely(known));
    const auto type = static_cast<tesela_dtype>(input_.pick(-1, 30));
    tesela_dtype_name(type);
    tesela_dtype_numpy_name(type);
    tesela_dtype_from_name(word());
    tesela_dtype_from_dlpack(tesela_dtype_dlpack_code(type), tesela_dtype_bits(type));
    tesela_field_name(static_cast<size_t>(input_.pick(0, 12)));
    tesela_operator_attribute_name(word(), word(), static_cast<size_t>(input_.pick(0, 20)));
    int64_t version = 0;
    tesela_operator_version(word(), word(), static_cast<size_t>(input_.pick(0, 5)), 2, unless_rarely(known),
                            unless_rarely(&version), error());
    tesela_status_name(static_cast<tesela_status>(input_.pick(-1, 20)));
    tesela_status_exit_code(static_cast<tesela_status>(input_.pick(-1, 20)));
  }
  void print() {
    const auto rest = input_.rest().first(std::min<size_t>(input_.rest().size(), 40));
    tesela_blob* text = nullptr;
    tesela_printable(reinterpret_cast<const char*>(rest.data()), rest.size(), unless_rarely(&text), error());
    blobs_.keep(input_, text);
  }

  DrawnCall call_;
  InputViews views_{DrawnCall{}};
  Slots<tesela_op, tesela_op_destroy> ops_;
  Slots<tesela_plan, tesela_plan_destroy> plans_;
  Slots<tesela_plan_cache, tesela_plan_cache_destroy> caches_;
  Slots<tesela_inferred, tesela_inferred_destroy> inferred_;
  Slots<tesela_axis_table, tesela_axis_table_destroy> tables_;
  Slots<tesela_value, tesela_value_destroy> values_;
  Slots<tesela_blob, tesela_blob_destroy> blobs_;
  Slots<tesela_model, tesela_model_destroy> models_;
  Slots<tesela_session, tesela_session_destroy> sessions_;
};

}  // namespace
}  // namespace tesela::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tesela::testing::Input input(data, size);
  const tesela::testing::Budget budget;
  tesela::testing::Caller caller(input);
  for (int calls = 0; calls < 60 && !input.is_at_end(); ++calls) caller.call();
  return 0;
}
