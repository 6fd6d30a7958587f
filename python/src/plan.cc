// SPDX-License-Identifier: Apache-2.0
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
#include "operators.h"
#include "tensors.h"

namespace tesela_python {
namespace {

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

/// cache: null, or where plans of earlier calls are, whose inputs are lists.
tesela_plan* make_plan(const tesela_op* op, const Inputs& given, tesela_plan_cache* cache) {
  const size_t count = given.pointers.size();
  const tesela_tensor* const* inputs = given.pointers.data();
  tesela_error error = {};
  tesela_plan* made = nullptr;
  if (!given.names.empty())
    check(tesela_plan_create_named(op, count, given.names.data(), inputs, nullptr, &made, &error), error);
  else if (cache != nullptr)
    check(tesela_plan_cache_get(cache, op, count, inputs, nullptr, &made, &error), error);
  else
    check(tesela_plan_create(op, count, inputs, nullptr, &made, &error), error);
  return made;
}

class Plan {
 public:
  Plan(const std::string& type, int64_t opset, const std::string& node, nb::dict attributes, nb::object inputs,
       tesela_plan_cache* cache = nullptr) {
    const Op op = make_op(type, opset, node, attributes);
    since_version_ = tesela_op_since_version(op.get());
    tesela_plan* const made = make_plan(op.get(), Inputs(inputs), cache);
    own(made);
  }

  /// Of a node of a model, whose version is not told.
  explicit Plan(tesela_plan* made) { own(made); }

  const tesela_plan* get() const { return plan_.get(); }

  /// Runs without Python's lock; run: (options, error) -> status.
  template <class Run>
  void run_with(int threads, Run&& run, tesela_backend backend = TESELA_BACKEND_AUTO) const {
    tesela_run_options options = {};
    options.struct_size = sizeof options;
    options.threads = threads;
    options.backend = backend;
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

  void run(nb::handle x, nb::handle y, int threads) const { run_on(x, y, threads, TESELA_BACKEND_AUTO); }

  /// By the backend that defines results.
  void run_reference(nb::handle x, nb::handle y) const { run_on(x, y, 1, TESELA_BACKEND_REFERENCE); }

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

  uint64_t scratch_bytes(nb::handle lo, nb::handle extents) const {
    const Extents to_lo = read_position(lo, output_rank());
    const Extents to_extents = read_position(extents, output_rank());
    uint64_t bytes = 0;
    tesela_error error = {};
    check(tesela_plan_scratch_bytes(plan_.get(), to_lo.data(), to_extents.data(), &bytes, &error), error);
    return bytes;
  }

  std::string describe(bool json) const {
    tesela_error error = {};
    tesela_blob* blob = nullptr;
    check(tesela_plan_describe(plan_.get(), json ? TESELA_TEXT_JSON : TESELA_TEXT_PLAIN, &blob, &error), error);
    return take_text(blob);
  }

  /// format: "plain", "json" or "svg". count 0: the first and last outputs of long axes.
  std::string explain(nb::handle axes, int64_t first, int64_t count, int32_t width, const std::string& title,
                      const std::string& format) const {
    std::vector<int32_t> list;
    for (nb::handle axis : axes) list.push_back(nb::cast<int32_t>(axis));
    tesela_explain_options options = {};
    options.struct_size = sizeof options;
    options.axis_count = list.size();
    options.axes = list.data();
    options.first = first;
    options.count = count;
    options.width = width;
    options.title = title.empty() ? nullptr : title.c_str();
    const tesela_text_format chosen = format == "json"  ? TESELA_TEXT_JSON
                                      : format == "svg" ? TESELA_TEXT_SVG
                                                        : TESELA_TEXT_PLAIN;
    tesela_error error = {};
    tesela_blob* blob = nullptr;
    check(tesela_plan_explain(plan_.get(), &options, chosen, &blob, &error), error);
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
  void run_on(nb::handle x, nb::handle y, int threads, tesela_backend backend) const {
    const Extents packed = extents_if_packed();
    std::optional<Tensor> from;
    if (!x.is_none()) from.emplace(x, dtype(), false, nullptr);
    const Tensor to(y, dtype(), true, packed_type() ? &packed : nullptr);
    const auto run = [&](const tesela_run_options* options, tesela_error* error) {
      return tesela_plan_run(plan_.get(), from ? from->get() : nullptr, to.get(), options, error);
    };
    run_with(threads, run, backend);
  }

  void own(tesela_plan* made) {
    plan_.reset(made);
    is_long_ = count_of(tesela_plan_output_extents(made), output_rank()) > kFewOutputs ||
               count_of(tesela_plan_input_extents(made), input_rank()) > kFewInputs;
  }

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

/// Plans of a node that are kept for its next runs.
class KeptPlans {
 public:
  explicit KeptPlans(size_t capacity) {
    tesela_error error = {};
    tesela_plan_cache* made = nullptr;
    check(tesela_plan_cache_create(capacity, &made, &error), error);
    cache_.reset(made);
  }
  Plan plan(const std::string& type, int64_t opset, const std::string& node, nb::dict attributes, nb::list inputs) {
    return Plan(type, opset, node, attributes, inputs, cache_.get());
  }
  void clear() { tesela_plan_cache_clear(cache_.get()); }
  size_t size() const { return tesela_plan_cache_size(cache_.get()); }

 private:
  struct Destroy {
    void operator()(tesela_plan_cache* cache) const { tesela_plan_cache_destroy(cache); }
  };
  std::unique_ptr<tesela_plan_cache, Destroy> cache_;
};

}  // namespace

void run_plan(nb::handle plan, tesela_tensor x, tesela_tensor y, int threads) {
  const Plan& known = *nb::inst_ptr<Plan>(plan);
  x.dtype = y.dtype = known.dtype();
  known.run_with(threads, [&](const tesela_run_options* options, tesela_error* error) {
    return tesela_plan_run(known.get(), &x, &y, options, error);
  });
}

const tesela_plan* plan_of(nb::handle plan) {
  return nb::cast<const Plan&>(plan).get();
}

nb::object own_plan(tesela_plan* made) {
  return nb::cast(Plan(made));
}

std::string take_text(tesela_blob* blob) {
  std::string text(tesela_blob_data(blob), tesela_blob_size(blob));
  tesela_blob_destroy(blob);
  return text;
}

void bind_plan(nb::module_& module) {
  nb::class_<Plan>(module, "Plan", "A plan of the C interface.")
      .def(nb::init<const std::string&, int64_t, const std::string&, nb::dict, nb::object>(), nb::arg("type"),
           nb::arg("opset"), nb::arg("node"), nb::arg("attributes"), nb::arg("inputs"))
      .def_prop_ro("since_version", &Plan::since_version)
      .def_prop_ro("dtype", &Plan::dtype)
      .def_prop_ro("output_shape", &Plan::output_shape)
      .def_prop_ro("input_shape", &Plan::input_shape)
      .def("run", &Plan::run, nb::arg("x").none(), nb::arg("y"), nb::arg("threads"))
      .def("run_reference", &Plan::run_reference, nb::arg("x").none(), nb::arg("y"),
           "Runs by the reference backend, which defines results.")
      .def("run_region", &Plan::run_region, nb::arg("x"), nb::arg("x_lo"), nb::arg("y"), nb::arg("lo"),
           nb::arg("threads"))
      .def("run_indices", &Plan::run_indices, nb::arg("x_extents"), nb::arg("x_lo"), nb::arg("y"), nb::arg("lo"),
           nb::arg("threads"))
      .def("input_region", &Plan::input_region, nb::arg("lo"), nb::arg("extents"))
      .def("scratch_bytes", &Plan::scratch_bytes, nb::arg("lo"), nb::arg("extents"),
           "Scratch memory for a run of this box of the output on one thread.")
      .def("describe", &Plan::describe, nb::arg("json"))
      .def("explain", &Plan::explain, nb::arg("axes"), nb::arg("first"), nb::arg("count"), nb::arg("width"),
           nb::arg("title"), nb::arg("format"))
      .def("axis_table", &Plan::axis_table, nb::arg("axis"), nb::arg("lo"), nb::arg("n"));
  nb::class_<KeptPlans>(module, "KeptPlans", "Plans that are kept for calls like those before: at most `capacity`.")
      .def(nb::init<size_t>(), nb::arg("capacity"))
      .def("plan", &KeptPlans::plan, nb::arg("type"), nb::arg("opset"), nb::arg("node"), nb::arg("attributes"),
           nb::arg("inputs"), "As Plan of these, whose inputs stand in a list.")
      .def("clear", &KeptPlans::clear)
      .def("__len__", &KeptPlans::size);
}

}  // namespace tesela_python
