// SPDX-License-Identifier: Apache-2.0
// Sequences of calls of the C interface: valid and invalid arguments, NULL, and handles destroyed in any order.
// Whatever the calls, the library returns a status and leaks nothing.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "fuzz/budget.h"
#include "fuzz/input.h"
#include "fuzz/operator_call.h"
#include "model/onnx_bytes.h"
#include "types/shape.h"

namespace tesela::testing {
namespace {

constexpr size_t kBuffer = 1 << 16;  // bytes that any drawn tensor stays within

/// Four handles of one kind; a call takes one of them, which may be NULL.
template <class T, void (*kDestroy)(T*)>
class Slots {
 public:
  Slots() = default;
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;
  ~Slots() {
    for (T* handle : handles_) kDestroy(handle);
  }
  T* any(Input& input) { return handles_[slot(input)]; }
  void keep(Input& input, T* handle) {
    T*& place = handles_[slot(input)];
    kDestroy(place);
    place = handle;
  }

 private:
  static size_t slot(Input& input) { return static_cast<size_t>(input.pick(0, 3)); }
  std::array<T*, 4> handles_ = {};
};

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

class Caller {
 public:
  explicit Caller(Input& input) : input_(input) {
    static const bool filled = [] {
      for (size_t k = 0; k < std::size(strings_); ++k) strings_[k] = {"tesela", k % 7};
      return true;
    }();
    static_cast<void>(filled);
  }

  void call() {
    using Call = void (Caller::*)();
    constexpr Call kCalls[] = {&Caller::create_op,   &Caller::draw_op,    &Caller::set_attribute, &Caller::ask_op,
                               &Caller::infer,       &Caller::plan,       &Caller::plan_named,    &Caller::ask_plan,
                               &Caller::run,         &Caller::run_region, &Caller::axis_table,    &Caller::make_cache,
                               &Caller::ask_cache,   &Caller::make_value, &Caller::copy_value,    &Caller::convert,
                               &Caller::file,        &Caller::load_model, &Caller::ask_model,     &Caller::make_session,
                               &Caller::run_session, &Caller::destroy,    &Caller::ask_names,     &Caller::print};
    (this->*input_.one_of(kCalls))();
  }

 private:
  // ---- Arguments ----------------------------------------------------------------------------------------------------

  bool rarely() { return input_.chance(5); }
  template <class T>
  T* unless_rarely(T* pointer) {
    return rarely() ? nullptr : pointer;
  }
  // That of this version, none, and one with only the member itself.
  size_t struct_size(size_t size) {
    const size_t sizes[] = {0, sizeof(size_t), size};
    return rarely() ? input_.one_of(sizes) : size;
  }
  tesela_error* error() { return unless_rarely(&error_); }
  const char* word() {
    static constexpr const char* kWords[] = {
        "Resize", "Tile",    "ConstantOfShape", "",       "mode", "cubic", "axes",    "x",
        "y",      "ai.onnx", "openvino",        "scales", "s",    "r",     "float16", "\xff\x1b[0m"};
    return unless_rarely(input_.one_of(kWords));
  }
  const tesela_limits* limits() {
    limits_ = {};
    limits_.struct_size = struct_size(sizeof limits_);
    limits_.max_output_bytes = kBuffer;
    return input_.chance(90) ? &limits_ : nullptr;
  }

  // Any tensor whose bytes are within a buffer, or one that calls must refuse. y: one to write.
  const tesela_tensor* tensor(bool is_output = false) {
    if (rarely()) return nullptr;
    Drawn& drawn = drawn_[next_++ % drawn_.size()];
    drawn.tensor = {};
    drawn.tensor.dtype = static_cast<tesela_dtype>(input_.pick(rarely() ? -1 : 1, rarely() ? 30 : 26));
    drawn.tensor.rank = static_cast<int32_t>(rarely() ? input_.pick(-1, 70) : input_.pick(0, 4));
    drawn.extents.fill(1);
    drawn.strides.fill(0);
    for (size_t d = 0; d < static_cast<size_t>(std::clamp(drawn.tensor.rank, 0, 4)); ++d) {
      drawn.extents[d] = rarely() ? input_.one_of(kUgly) : input_.pick(0, 4);
      drawn.strides[d] = input_.pick(-64, 64);
    }
    drawn.tensor.extents = unless_rarely(drawn.extents.data());
    // Strings are at positions of strings.
    if (drawn.tensor.dtype == TESELA_STRING) {
      drawn.tensor.data = is_output ? y_strings_ : strings_;
    } else {
      drawn.tensor.strides = input_.chance(20) ? drawn.strides.data() : nullptr;
      drawn.tensor.data = (is_output ? y_buffer_ : buffer_) + kBuffer / 2;
      if (rarely()) drawn.tensor.bit_offset = input_.pick(-8, 16);
    }
    if (rarely()) drawn.tensor.data = nullptr;
    // Ugly extents describe no memory that exists; such a tensor has no data.
    if (*std::max_element(drawn.extents.begin(), drawn.extents.end()) > 4) drawn.tensor.data = nullptr;
    return &drawn.tensor;
  }

  // The shape of a plan's input or output, with memory if it is small.
  const tesela_tensor* tensor_of(const tesela_plan* plan, bool is_output) {
    if (plan == nullptr || input_.chance(15)) return tensor(is_output);
    Drawn& drawn = drawn_[next_++ % drawn_.size()];
    drawn.tensor = {};
    drawn.tensor.dtype = tesela_plan_dtype(plan);
    drawn.tensor.rank = is_output ? tesela_plan_output_rank(plan) : tesela_plan_input_rank(plan);
    drawn.tensor.extents = is_output ? tesela_plan_output_extents(plan) : tesela_plan_input_extents(plan);
    const auto rank = static_cast<size_t>(drawn.tensor.rank);
    const Result<int64_t> bytes = byte_count(static_cast<DataType>(drawn.tensor.dtype), {drawn.tensor.extents, rank});
    const bool fits = bytes.ok() && *bytes <= static_cast<int64_t>(kBuffer / 2);
    void* const strings = is_output ? y_strings_ : strings_;
    void* const numbers = (is_output ? y_buffer_ : buffer_) + kBuffer / 2;
    if (fits) drawn.tensor.data = drawn.tensor.dtype == TESELA_STRING ? strings : numbers;
    return &drawn.tensor;
  }

  const tesela_run_options* run_options() {
    options_ = {};
    options_.struct_size = struct_size(sizeof options_);
    options_.threads = static_cast<int32_t>(input_.pick(rarely() ? -2 : 0, 3));
    options_.backend = static_cast<tesela_backend>(input_.pick(0, rarely() ? 5 : 1));
    options_.cancel = rarely() ? &kCancel : nullptr;
    return unless_rarely(&options_);
  }

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

  // A box of the plan's output, or one near it.
  void draw_box(const tesela_plan* plan) {
    for (size_t d = 0; d < lo_.size(); ++d) {
      lo_[d] = rarely() ? input_.one_of(kUgly) : input_.pick(0, 2);
      n_[d] = rarely() ? input_.one_of(kUgly) : input_.pick(0, 2);
      const bool is_axis = plan != nullptr && static_cast<int32_t>(d) < tesela_plan_output_rank(plan);
      if (is_axis && input_.chance(60)) lo_[d] = 0, n_[d] = tesela_plan_output_extents(plan)[d];
    }
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

  // ---- Values and files ---------------------------------------------------------------------------------------------

  void make_value() {
    const std::array<int64_t, 4> extents = {input_.pick(0, 9), input_.pick(-1, 9), input_.one_of(kUgly), 2};
    tesela_value* value = nullptr;
    tesela_value_create(
        static_cast<tesela_dtype>(input_.pick(0, 27)), static_cast<int32_t>(input_.pick(-1, 4)),
        unless_rarely(extents.data()),
        [this] {
          limits();
          return &limits_;
        }(),
        unless_rarely(&value), error());
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

  static constexpr int64_t kUgly[] = {-1, INT64_MIN, INT64_MAX, int64_t{1} << 32, 1'000'000, 0};
  static constexpr int32_t kCancel = 1;

  struct Drawn {
    tesela_tensor tensor;
    std::array<int64_t, 70> extents;
    std::array<int64_t, 70> strides;
  };

  Input& input_;
  std::array<Drawn, 8> drawn_;
  size_t next_ = 0;
  // Read, and written by runs; kept between inputs, because clearing them would take longer than the calls.
  alignas(64) static inline std::byte buffer_[kBuffer] = {};
  alignas(64) static inline std::byte y_buffer_[kBuffer] = {};
  static inline tesela_string strings_[kBuffer / sizeof(tesela_string)];
  static inline tesela_string y_strings_[kBuffer / sizeof(tesela_string)];
  std::array<int64_t, 80> lo_ = {};
  std::array<int64_t, 80> n_ = {};
  DrawnCall call_;
  InputViews views_{DrawnCall{}};
  tesela_error error_ = {};
  tesela_limits limits_ = {};
  tesela_run_options options_ = {};
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
