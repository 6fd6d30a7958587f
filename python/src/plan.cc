// tesela._core.Plan: a plan of the C interface.
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include "errors.h"
#include "interrupts.h"
#include "module.h"
#include "tensors.h"

namespace tesela_python {
namespace {

struct DestroyOp {
  void operator()(tesela_op* op) const { tesela_op_destroy(op); }
};
using Op = std::unique_ptr<tesela_op, DestroyOp>;

/// type: "Resize" of ONNX, "openvino.Tile" of another domain.
Op make_op(const std::string& type, int64_t opset, const std::string& node) {
  const size_t dot = type.find('.');
  const std::string domain = dot == std::string::npos ? "" : type.substr(0, dot);
  const std::string name = dot == std::string::npos ? type : type.substr(dot + 1);
  tesela_error error = {};
  tesela_op* op = nullptr;
  check(tesela_op_create(domain.c_str(), name.c_str(), opset, node.c_str(), &op, &error), error);
  return Op(op);
}

void set_list(tesela_op* op, const char* name, nb::handle values) {
  tesela_error error = {};
  std::vector<float> floats;
  for (nb::handle value : values)
    if (PyFloat_Check(value.ptr())) {
      for (nb::handle entry : values) floats.push_back(nb::cast<float>(entry));
      check(tesela_op_set_floats(op, name, floats.data(), floats.size(), &error), error);
      return;
    }
  const Extents ints = read_extents(values);
  check(tesela_op_set_ints(op, name, ints.data(), ints.size(), &error), error);
}

void set_attribute(tesela_op* op, const char* name, nb::handle value) {
  tesela_error error = {};
  PyObject* object = value.ptr();
  if (PyUnicode_Check(object))
    check(tesela_op_set_string(op, name, nb::cast<std::string>(value).c_str(), &error), error);
  else if (PyFloat_Check(object))
    check(tesela_op_set_float(op, name, static_cast<float>(PyFloat_AsDouble(object)), &error), error);
  else if (PyLong_Check(object))
    check(tesela_op_set_int(op, name, nb::cast<int64_t>(value), &error), error);
  else if (PyTuple_Check(object))
    check(tesela_op_set_tensor(op, name, Tensor(nb::borrow<nb::tuple>(value)).get(), &error), error);
  else
    set_list(op, name, value);
}

/// What is known about an input: (type, extents, value, entries), where None is nothing. Extents and entries of lists are
/// numbers, or strings that stand for them.
class Known {
 public:
  explicit Known(nb::tuple described) {
    info_.struct_size = sizeof info_;
    info_.dtype = nb::cast<tesela_dtype>(described[0]);
    info_.rank = -1;
    if (!described[1].is_none()) {
      dims_ = read_dims(described[1]);
      info_.rank = static_cast<int32_t>(dims_.size());
      info_.dims = dims_.data();
    }
    if (!described[2].is_none()) {
      value_ = std::make_unique<Tensor>(nb::cast<nb::tuple>(described[2]));
      info_.constant = value_->get();
    }
    if (!described[3].is_none()) {
      entries_ = read_dims(described[3]);
      info_.shape_value = entries_.data();
      info_.shape_value_count = entries_.size();
    }
  }
  const tesela_tensor_info* get() const { return &info_; }

 private:
  std::vector<tesela_dim> read_dims(nb::handle dims) {
    std::vector<tesela_dim> read;
    for (nb::handle dim : dims) {
      if (PyUnicode_Check(dim.ptr()))
        read.push_back({-1, names_.emplace_back(nb::cast<std::string>(dim)).c_str()});
      else
        read.push_back({nb::cast<int64_t>(dim), nullptr});
    }
    return read;
  }

  std::deque<std::string> names_;
  std::vector<tesela_dim> dims_, entries_;
  std::unique_ptr<Tensor> value_;
  tesela_tensor_info info_ = {};
};

/// The output's extents: numbers, names of the inputs', or -1; None where not even the rank is known.
nb::object infer_extents(const std::string& type, int64_t opset, const std::string& node, nb::dict attributes,
                         nb::list inputs) {
  const Op op = make_op(type, opset, node);
  for (auto [name, value] : attributes) set_attribute(op.get(), nb::cast<std::string>(name).c_str(), value);
  std::deque<Known> known;
  std::vector<const tesela_tensor_info*> pointers;
  for (nb::handle input : inputs)
    pointers.push_back(input.is_none() ? nullptr : known.emplace_back(nb::cast<nb::tuple>(input)).get());
  tesela_error error = {};
  tesela_inferred* inferred = nullptr;
  check(tesela_op_infer(op.get(), pointers.size(), pointers.data(), &inferred, &error), error);
  const std::unique_ptr<tesela_inferred, decltype(&tesela_inferred_destroy)> owner(inferred, tesela_inferred_destroy);
  tesela_tensor_info info = {};
  info.struct_size = sizeof info;
  tesela_inferred_info(inferred, &info);
  if (info.rank < 0) return nb::none();
  nb::list extents;
  for (int32_t axis = 0; axis < info.rank; ++axis) {
    const tesela_dim& dim = info.dims[axis];
    if (dim.value < 0 && dim.symbol != nullptr && *dim.symbol != '\0')
      extents.append(dim.symbol);
    else
      extents.append(dim.value);
  }
  return extents;
}

// The inputs of an operator: a list in the order of its version, with None for an omitted one, or a dict by name.
struct Inputs {
  explicit Inputs(nb::handle given) {
    if (!nb::isinstance<nb::dict>(given)) {
      for (nb::handle input : given) add(input);
      return;
    }
    for (auto [name, input] : nb::borrow<nb::dict>(given)) {
      texts.push_back(nb::cast<std::string>(name));
      add(input);
    }
    for (const std::string& text : texts) names.push_back(text.c_str());
  }
  void add(nb::handle input) {
    tensors.push_back(input.is_none() ? nullptr : std::make_unique<Tensor>(nb::cast<nb::tuple>(input)));
    pointers.push_back(tensors.back() ? tensors.back()->get() : nullptr);
  }

  std::vector<std::unique_ptr<Tensor>> tensors;
  std::vector<const tesela_tensor*> pointers;
  std::vector<std::string> texts;
  std::vector<const char*> names;  // empty for a list
};

class Plan {
 public:
  Plan(const std::string& type, int64_t opset, const std::string& node, nb::dict attributes, nb::object inputs) {
    const Op op = make_op(type, opset, node);
    since_version_ = tesela_op_since_version(op.get());
    for (auto [name, value] : attributes) set_attribute(op.get(), nb::cast<std::string>(name).c_str(), value);
    Inputs given(inputs);
    tesela_error error = {};
    tesela_plan* made = nullptr;
    const size_t count = given.pointers.size();
    if (given.names.empty())
      check(tesela_plan_create(op.get(), count, given.pointers.data(), nullptr, &made, &error), error);
    else
      check(
          tesela_plan_create_named(op.get(), count, given.names.data(), given.pointers.data(), nullptr, &made, &error),
          error);
    plan_.reset(made);
    is_long_ = count_of(tesela_plan_output_extents(made), output_rank()) > kFewOutputs ||
               count_of(tesela_plan_input_extents(made), input_rank()) > kFewInputs;
  }

  const tesela_plan* get() const { return plan_.get(); }

  /// Runs without Python's lock; run: (options, error) -> status.
  template <class Run>
  void run_with(int threads, Run&& run) const {
    tesela_run_options options = {};
    options.struct_size = sizeof options;
    options.threads = threads;
    if (is_long_) return run_interruptible(options, run);
    tesela_error error = {};
    tesela_status status = TESELA_OK;
    {
      const Unlocked unlocked;
      status = run(&options, &error);
    }
    check(status, error);
  }

  int64_t since_version() const { return since_version_; }
  tesela_dtype dtype() const { return tesela_plan_dtype(plan_.get()); }
  size_t output_rank() const { return static_cast<size_t>(tesela_plan_output_rank(plan_.get())); }
  size_t input_rank() const { return static_cast<size_t>(tesela_plan_input_rank(plan_.get())); }
  nb::tuple output_shape() const { return make_tuple(tesela_plan_output_extents(plan_.get()), output_rank()); }
  nb::tuple input_shape() const { return make_tuple(tesela_plan_input_extents(plan_.get()), input_rank()); }

  void run(nb::handle x, nb::handle y, int threads) const {
    const Extents packed = extents_if_packed();
    std::optional<Tensor> from;
    if (!x.is_none()) from.emplace(x, dtype(), false, nullptr);
    const Tensor to(y, dtype(), true, packed_type() ? &packed : nullptr);
    run_with(threads, [&](const tesela_run_options* options, tesela_error* error) {
      return tesela_plan_run(plan_.get(), from ? from->get() : nullptr, to.get(), options, error);
    });
  }

  void run_region(nb::handle x, nb::handle x_lo, nb::handle y, nb::handle lo, int threads) const {
    const Tensor from(x, dtype(), false, nullptr);
    const Tensor to(y, dtype(), true, nullptr);
    const Extents from_lo = read_position(x_lo, input_rank());
    const Extents to_lo = read_position(lo, output_rank());
    run_with(threads, [&](const tesela_run_options* options, tesela_error* error) {
      return tesela_plan_run_region(plan_.get(), from.get(), from_lo.data(), to.get(), to_lo.data(), options, error);
    });
  }

  /// For a plan of strings: which element of the input box each element of the output box is.
  void run_indices(nb::handle x_extents, nb::handle x_lo, nb::handle y, nb::handle lo, int threads) const {
    const Extents extents = read_position(x_extents, input_rank());
    const Extents from_lo = read_position(x_lo, input_rank());
    const Extents to_lo = read_position(lo, output_rank());
    const Tensor to(y, TESELA_INT64, true, nullptr);
    int64_t count = 1;
    for (const int64_t extent : extents) count *= extent;
    // Each element is stood for by a string of one byte of its own, so that its address tells which it was.
    const std::vector<char> bytes(static_cast<size_t>(count));
    std::vector<tesela_string> strings;
    for (const char& byte : bytes) strings.push_back({&byte, 1});
    const tesela_tensor from = {strings.data(), TESELA_STRING, static_cast<int32_t>(extents.size()),
                                extents.data(), nullptr,       0};
    tesela_tensor box = *to.get();
    size_t outputs = 1;
    for (int32_t i = 0; i < box.rank; ++i) outputs *= static_cast<size_t>(box.extents[i]);
    std::vector<tesela_string> moved(outputs);
    auto* indices = static_cast<int64_t*>(box.data);
    box.data = moved.data();
    box.dtype = TESELA_STRING;
    box.strides = nullptr;
    run_with(threads, [&](const tesela_run_options* options, tesela_error* error) {
      return tesela_plan_run_region(plan_.get(), &from, from_lo.data(), &box, to_lo.data(), options, error);
    });
    for (size_t i = 0; i < outputs; ++i) indices[i] = moved[i].ptr - bytes.data();
  }

  nb::tuple input_region(nb::handle lo, nb::handle extents) const {
    const Extents to_lo = read_position(lo, output_rank());
    const Extents to_extents = read_position(extents, output_rank());
    Extents from_lo(input_rank());
    Extents from_extents(input_rank());
    tesela_error error = {};
    check(tesela_plan_input_region(plan_.get(), to_lo.data(), to_extents.data(), from_lo.data(), from_extents.data(),
                                   &error),
          error);
    return nb::make_tuple(make_tuple(from_lo.data(), from_lo.size()),
                          make_tuple(from_extents.data(), from_extents.size()));
  }

  std::string describe(bool json) const {
    tesela_error error = {};
    tesela_blob* blob = nullptr;
    check(tesela_plan_describe(plan_.get(), json ? TESELA_TEXT_JSON : TESELA_TEXT_PLAIN, &blob, &error), error);
    return take_text(blob);
  }

  nb::tuple axis_table(int32_t axis, int64_t lo, int64_t n) const {
    tesela_error error = {};
    tesela_axis_table* table = nullptr;
    check(tesela_plan_axis_table(plan_.get(), axis, lo, n, &table, &error), error);
    const nb::capsule owner(
        table, [](void* held) noexcept { tesela_axis_table_destroy(static_cast<tesela_axis_table*>(held)); });
    tesela_axis_table_view view = {};
    view.struct_size = sizeof view;
    tesela_axis_table_get(table, &view);
    const auto outputs = static_cast<size_t>(view.outputs);
    const auto taps = static_cast<size_t>(view.taps);
    nb::object weights = nb::none();
    if (view.weights != nullptr) weights = read_only(view.weights, {outputs, taps}, owner);
    return nb::make_tuple(read_only(view.first, {outputs}, owner), read_only(view.count, {outputs}, owner), weights);
  }

 private:
  template <class T>
  static nb::object read_only(const T* data, std::initializer_list<size_t> shape, nb::handle owner) {
    return nb::cast(nb::ndarray<nb::numpy, const T>(data, shape, owner));
  }

  // Elements of which a run is over before anybody could want to stop it; what asks costs small runs too much.
  static constexpr double kFewOutputs = 1 << 17;
  static constexpr double kFewInputs = 1 << 18;

  static double count_of(const int64_t* extents, size_t rank) {
    double count = 1;
    for (size_t d = 0; d < rank; ++d) count *= static_cast<double>(extents[d]);
    return count;
  }

  bool packed_type() const { return tesela_dtype_bits(dtype()) < 8; }
  Extents extents_if_packed() const {
    if (!packed_type()) return {};
    const int64_t* extents = tesela_plan_output_extents(plan_.get());
    return Extents(extents, extents + output_rank());
  }

  static Extents read_position(nb::handle sequence, size_t rank) {
    Extents extents = read_extents(sequence);
    if (extents.size() != rank)
      fail(TESELA_ERROR_RANK, "a region does not have as many entries as its tensor has axes");
    return extents;
  }

  struct DestroyPlan {
    void operator()(tesela_plan* plan) const { tesela_plan_destroy(plan); }
  };
  std::unique_ptr<tesela_plan, DestroyPlan> plan_;
  int64_t since_version_ = 0;
  bool is_long_ = false;
};

}  // namespace

void run_plan(nb::handle plan, tesela_tensor x, tesela_tensor y, int threads) {
  const Plan& known = *nb::inst_ptr<Plan>(plan);
  x.dtype = y.dtype = known.dtype();
  known.run_with(threads, [&](const tesela_run_options* options, tesela_error* error) {
    return tesela_plan_run(known.get(), &x, &y, options, error);
  });
}

std::string take_text(tesela_blob* blob) {
  std::string text(tesela_blob_data(blob), tesela_blob_size(blob));
  tesela_blob_destroy(blob);
  return text;
}

void bind_plan(nb::module_& module) {
  module.def(
      "since_version",
      [](const std::string& type, int64_t opset) { return tesela_op_since_version(make_op(type, opset, "").get()); },
      nb::arg("type"), nb::arg("opset"), "The version of an operator that an opset has.");
  module.def("infer", infer_extents, nb::arg("type"), nb::arg("opset"), nb::arg("node"), nb::arg("attributes"),
             nb::arg("inputs"), "The extents of the output, from what is known about the inputs.");
  nb::class_<Plan>(module, "Plan", "A plan of the C interface.")
      .def(nb::init<const std::string&, int64_t, const std::string&, nb::dict, nb::object>(), nb::arg("type"),
           nb::arg("opset"), nb::arg("node"), nb::arg("attributes"), nb::arg("inputs"))
      .def_prop_ro("since_version", &Plan::since_version)
      .def_prop_ro("dtype", &Plan::dtype)
      .def_prop_ro("output_shape", &Plan::output_shape)
      .def_prop_ro("input_shape", &Plan::input_shape)
      .def("run", &Plan::run, nb::arg("x").none(), nb::arg("y"), nb::arg("threads"))
      .def("run_region", &Plan::run_region, nb::arg("x"), nb::arg("x_lo"), nb::arg("y"), nb::arg("lo"),
           nb::arg("threads"))
      .def("run_indices", &Plan::run_indices, nb::arg("x_extents"), nb::arg("x_lo"), nb::arg("y"), nb::arg("lo"),
           nb::arg("threads"))
      .def("input_region", &Plan::input_region, nb::arg("lo"), nb::arg("extents"))
      .def("describe", &Plan::describe, nb::arg("json"))
      .def("axis_table", &Plan::axis_table, nb::arg("axis"), nb::arg("lo"), nb::arg("n"));
}

}  // namespace tesela_python
