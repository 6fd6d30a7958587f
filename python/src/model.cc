// SPDX-License-Identifier: Apache-2.0
// tesela._core.Model and Session: models of the C interface.
#include <cerrno>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.h"
#include "interrupts.h"
#include "module.h"
#include "tensors.h"

namespace tesela_python {
namespace {

nb::object dim_object(const tesela_dim& dim) {
  if (dim.value >= 0) return nb::int_(dim.value);
  if (dim.symbol != nullptr && dim.symbol[0] != '\0') return nb::str(dim.symbol);
  return nb::none();
}

/// (name, dtype, dims), dims None where the rank is unknown.
nb::tuple end_tuple(const char* name, const tesela_tensor_info& info) {
  if (info.rank < 0) return nb::make_tuple(name, info.dtype, nb::none());
  nb::list dims;
  for (int32_t i = 0; i < info.rank; ++i) dims.append(dim_object(info.dims[i]));
  return nb::make_tuple(name, info.dtype, nb::tuple(dims));
}

class Model {
 public:
  Model(nb::object path_bytes, nb::object data, int64_t assume_opset, std::optional<std::string> extents,
        uint64_t max_output_bytes, uint64_t max_session_bytes)
      : data_(std::move(data)) {
    std::optional<std::string> path;
    if (!path_bytes.is_none()) path = nb::cast<nb::bytes>(path_bytes).c_str();
    tesela_limits limits = {};
    limits.struct_size = sizeof limits;
    limits.max_output_bytes = max_output_bytes;
    limits.max_session_bytes = max_session_bytes;
    tesela_load_options options = {};
    options.struct_size = sizeof options;
    options.limits = &limits;
    options.assume_opset = assume_opset;
    options.extents = extents ? extents->c_str() : nullptr;
    tesela_error error = {};
    tesela_model* made = nullptr;
    if (path) {
      tesela_status status = TESELA_OK;
      int error_number = 0;
      {
        const Unlocked unlocked;
        errno = 0;
        status = tesela_model_load(path->c_str(), &options, &made, &error);
        error_number = errno;
      }
      check_file(status, error, error_number, path->c_str());
    } else {
      const nb::bytes bytes = nb::cast<nb::bytes>(data_);
      check(tesela_model_load_memory(bytes.data(), bytes.size(), &options, &made, &error), error);
    }
    model_.reset(made);
  }

  const tesela_model* get() const { return model_.get(); }

  nb::list inputs() const {
    return ends(tesela_model_input_count(get()), &tesela_model_input_name, &tesela_model_input_info);
  }
  nb::list outputs() const {
    return ends(tesela_model_output_count(get()), &tesela_model_output_name, &tesela_model_output_info);
  }

  std::string inspect(bool json) const {
    tesela_error error = {};
    tesela_blob* blob = nullptr;
    check(tesela_model_inspect(get(), json ? TESELA_TEXT_JSON : TESELA_TEXT_PLAIN, &blob, &error), error);
    return take_text(blob);
  }

  nb::tuple check_text(bool json) const {
    tesela_error error = {};
    tesela_blob* blob = nullptr;
    size_t faults = 0;
    check(tesela_model_check(get(), json ? TESELA_TEXT_JSON : TESELA_TEXT_PLAIN, &blob, &faults, &error), error);
    return nb::make_tuple(take_text(blob), faults);
  }

  nb::tuple lint_text(const std::vector<std::string>& runtimes, int format, const std::string& path) const {
    std::vector<const char*> names;
    for (const std::string& name : runtimes) names.push_back(name.c_str());
    const tesela_lint_options options = {sizeof options, names.empty() ? nullptr : names.data(), names.size(),
                                         path.c_str()};
    tesela_error error = {};
    tesela_blob* blob = nullptr;
    size_t errors = 0;
    check(tesela_model_lint(get(), &options, static_cast<tesela_text_format>(format), &blob, &errors, &error), error);
    return nb::make_tuple(take_text(blob), errors);
  }

  /// path: of the file to write, or null. opset: 0 for the model's.
  nb::tuple fix(nb::object path_bytes, const std::string& meant, int64_t opset, bool json) const {
    const std::string path = path_bytes.is_none() ? "" : nb::cast<nb::bytes>(path_bytes).c_str();
    const tesela_fix_options options = {sizeof options, meant.empty() ? nullptr : meant.c_str(), opset,
                                        path_bytes.is_none() ? nullptr : path.c_str()};
    tesela_error error = {};
    tesela_blob* text = nullptr;
    tesela_blob* bytes = nullptr;
    check(tesela_model_fix(get(), &options, json ? TESELA_TEXT_JSON : TESELA_TEXT_PLAIN, &text, &bytes, &error), error);
    const std::string made(tesela_blob_data(bytes), tesela_blob_size(bytes));
    tesela_blob_destroy(bytes);
    return nb::make_tuple(take_text(text), nb::bytes(made.data(), made.size()));
  }

  /// shapes: (name, dtype or 0, extents) of values, and of inputs also (name, dtype, extents, elements).
  nb::object plan(const std::string& node, nb::list shapes) const {
    std::deque<Tensor> elements;
    std::vector<std::string> texts;
    std::vector<std::vector<tesela_dim>> dims;
    std::vector<tesela_tensor_info> infos(nb::len(shapes));
    for (nb::handle entry : shapes) {
      const nb::tuple shape = nb::cast<nb::tuple>(entry);
      texts.push_back(nb::cast<std::string>(shape[0]));
      std::vector<tesela_dim>& list = dims.emplace_back();
      for (nb::handle extent : nb::cast<nb::tuple>(shape[2])) list.push_back({nb::cast<int64_t>(extent), nullptr});
      tesela_tensor_info& info = infos[dims.size() - 1];
      info.struct_size = sizeof info;
      info.dtype = nb::cast<tesela_dtype>(shape[1]);
      info.rank = static_cast<int32_t>(list.size());
      if (nb::len(shape) < 4) continue;
      const nb::tuple described = nb::make_tuple(shape[1], shape[3], shape[2]);
      info.constant = elements.emplace_back(described).get();
    }
    std::vector<const char*> names;
    std::vector<const tesela_tensor_info*> pointers;
    for (size_t i = 0; i < infos.size(); ++i) {
      infos[i].dims = dims[i].data();
      names.push_back(texts[i].c_str());
      pointers.push_back(&infos[i]);
    }
    tesela_error error = {};
    tesela_plan* made = nullptr;
    check(tesela_model_plan(get(), node.c_str(), infos.size(), names.data(), pointers.data(), &made, &error), error);
    return own_plan(made);
  }

 private:
  template <class Name, class Info>
  nb::list ends(size_t count, Name name, Info read_info) const {
    nb::list list;
    for (size_t i = 0; i < count; ++i) {
      tesela_tensor_info info = {};
      info.struct_size = sizeof info;
      tesela_error error = {};
      check(read_info(get(), i, &info, &error), error);
      list.append(end_tuple(name(get(), i), info));
    }
    return list;
  }

  struct Destroy {
    void operator()(tesela_model* model) const { tesela_model_destroy(model); }
  };
  nb::object data_;  // the bytes of a model from memory
  std::unique_ptr<tesela_model, Destroy> model_;
};

/// (dtype, extents, elements): the bytes as an array that owns the value, or a list of bytes for strings.
nb::tuple take_value(tesela_value* value) {
  const nb::capsule owner(value, [](void* held) noexcept { tesela_value_destroy(static_cast<tesela_value*>(held)); });
  tesela_tensor view = {};
  tesela_value_view(value, &view);
  size_t count = 1;
  for (int32_t i = 0; i < view.rank; ++i) count *= static_cast<size_t>(view.extents[i]);
  const nb::tuple extents = make_tuple(view.extents, static_cast<size_t>(view.rank));
  if (view.dtype == TESELA_STRING) {
    const auto* strings = static_cast<const tesela_string*>(view.data);
    nb::list list;
    for (size_t i = 0; i < count; ++i) list.append(nb::bytes(strings[i].ptr, strings[i].length));
    return nb::make_tuple(view.dtype, extents, list);
  }
  const size_t size = (count * static_cast<size_t>(tesela_dtype_bits(view.dtype)) + 7) / 8;
  return nb::make_tuple(view.dtype, extents, nb::ndarray<nb::numpy, uint8_t>(view.data, {size}, owner));
}

class Session {
 public:
  explicit Session(const Model& model) {
    tesela_error error = {};
    tesela_session* made = nullptr;
    check(tesela_session_create(model.get(), nullptr, &made, &error), error);
    session_.reset(made);
  }

  /// inputs: descriptions of tensors (see Tensor). One run at a time.
  nb::list run(nb::list names, nb::list inputs, nb::list output_names, int threads) const {
    const std::vector<std::string> input_texts = read_texts(names);
    const std::vector<std::string> output_texts = read_texts(output_names);
    const std::vector<const char*> input_pointers = pointers(input_texts);
    const std::vector<const char*> output_pointers = pointers(output_texts);
    std::vector<std::unique_ptr<Tensor>> tensors;
    std::vector<tesela_tensor> views;
    for (nb::handle input : inputs) {
      tensors.push_back(std::make_unique<Tensor>(nb::cast<nb::tuple>(input)));
      views.push_back(*tensors.back()->get());
    }
    std::vector<tesela_value*> values(output_texts.size());
    tesela_run_options options = {};
    options.struct_size = sizeof options;
    options.threads = threads;
    run_interruptible(options, [&](const tesela_run_options* used, tesela_error* error) {
      return tesela_session_run(session_.get(), views.size(), input_pointers.data(), views.data(), values.size(),
                                output_pointers.data(), values.data(), used, error);
    });
    nb::list results;
    for (tesela_value* value : values) results.append(take_value(value));
    return results;
  }

 private:
  static std::vector<std::string> read_texts(nb::list list) {
    std::vector<std::string> texts;
    for (nb::handle text : list) texts.push_back(nb::cast<std::string>(text));
    return texts;
  }
  static std::vector<const char*> pointers(const std::vector<std::string>& texts) {
    std::vector<const char*> list;
    for (const std::string& text : texts) list.push_back(text.c_str());
    return list;
  }

  struct Destroy {
    void operator()(tesela_session* session) const { tesela_session_destroy(session); }
  };
  std::unique_ptr<tesela_session, Destroy> session_;
};

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<Model>(module, "Model", "A model of the C interface.")
      .def(nb::init<nb::object, nb::object, int64_t, std::optional<std::string>, uint64_t, uint64_t>(),
           nb::arg("path").none(), nb::arg("data").none(), nb::arg("assume_opset"), nb::arg("extents").none(),
           nb::arg("max_output_bytes"), nb::arg("max_session_bytes"))
      .def("inputs", &Model::inputs)
      .def("outputs", &Model::outputs)
      .def("inspect", &Model::inspect, nb::arg("json"))
      .def("plan", &Model::plan, nb::arg("node"), nb::arg("shapes"))
      .def("check", &Model::check_text, nb::arg("json"))
      .def("lint", &Model::lint_text, nb::arg("runtimes"), nb::arg("format"), nb::arg("path"))
      .def("fix", &Model::fix, nb::arg("path").none(), nb::arg("meant"), nb::arg("opset"), nb::arg("json"));
  nb::class_<Session>(module, "Session", "A session of the C interface.")
      .def(nb::init<const Model&>(), nb::arg("model"), nb::keep_alive<1, 2>())
      .def("run", &Session::run, nb::arg("names"), nb::arg("inputs"), nb::arg("output_names"), nb::arg("threads"));
}

}  // namespace tesela_python
