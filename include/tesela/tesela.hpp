// SPDX-License-Identifier: Apache-2.0
// Tesela's C++20 interface: everything of tesela.h with owners, spans and exceptions. Header only.
//
//   tesela::Op op("Resize", 19);
//   op.set("mode", "linear");
//   tesela::Plan plan = op.plan({{x, {2, 3}}, {}, {}, sizes});
//   plan.run({x, {2, 3}}, {y, {4, 6}});
//
// Conventions
//   - Every function that can fail throws tesela::Error. tesela.h lists the errors of each function.
//   - Op, Plan, PlanCache, Value, Blob, Inferred, AxisTable, Model and Session own their handle; they are movable, not
//     copyable. A moved-from object may only be assigned to or destroyed.
//   - View and MutableView do not own elements, which must outlive them, but copy extents.
//   - A callback may throw: the run that called it ends, then throws its exception.
#pragma once

#include <tesela/tesela.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tesela {
// The inline namespace separates these names from those inside a statically linked library.
inline namespace v1 {

// ---- Errors -----------------------------------------------------------------------------------------------

/// An error. what() names operator and version, node, input or attribute, value, and what is allowed.
class Error : public std::runtime_error {
 public:
  Error(tesela_status code, const std::string& message) : std::runtime_error(message), code_(code) {}
  tesela_status code() const { return code_; }
  std::string_view name() const { return tesela_status_name(code_); }  // "shape"
  int exit_code() const { return tesela_status_exit_code(code_); }     // of the command line

 private:
  tesela_status code_;
};

/// Calls a function of tesela.h with an error as its last parameter, and throws its error.
template <class... Parameters, class... Arguments>
void call(tesela_status (*function)(Parameters...), Arguments&&... arguments) {
  tesela_error error;
  error.message[0] = '\0';
  const tesela_status status = function(std::forward<Arguments>(arguments)..., &error);
  if (status != TESELA_OK) [[unlikely]]
    throw Error(status, error.message);
}

template <auto destroy>
struct Destroyer {
  template <class T>
  void operator()(T* handle) const {
    destroy(handle);
  }
};
/// Owns a handle of tesela.h.
template <class T, auto destroy>
using Handle = std::unique_ptr<T, Destroyer<destroy>>;

/// Like call, for a function that writes a new handle before its error:
/// make<Plan::Owner>(tesela_plan_create, op, ...).
template <class Owner, class Function, class... Arguments>
Owner make(Function function, Arguments&&... arguments) {
  typename Owner::pointer made = nullptr;
  call(function, std::forward<Arguments>(arguments)..., &made);
  return Owner(made);
}

namespace detail {

// The results of a function for 0, 1, ... up to the first null pointer.
template <class F>
std::vector<std::string> names(F&& name) {
  std::vector<std::string> list;
  for (const char* each = name(size_t{0}); each != nullptr; each = name(list.size())) list.emplace_back(each);
  return list;
}

template <class T>
constexpr tesela_dtype find_dtype() {
  if constexpr (std::is_same_v<T, bool>) return TESELA_BOOL;
  if constexpr (std::is_same_v<T, float>) return TESELA_FLOAT;
  if constexpr (std::is_same_v<T, double>) return TESELA_DOUBLE;
  if constexpr (std::is_same_v<T, std::complex<float>>) return TESELA_COMPLEX64;
  if constexpr (std::is_same_v<T, std::complex<double>>) return TESELA_COMPLEX128;
  if constexpr (std::is_same_v<T, tesela_string>) return TESELA_STRING;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8) {
    constexpr tesela_dtype kUnsigned[] = {TESELA_UINT8, TESELA_UINT16, TESELA_UINT32, TESELA_UINT64};
    constexpr tesela_dtype kSigned[] = {TESELA_INT8, TESELA_INT16, TESELA_INT32, TESELA_INT64};
    return (std::is_signed_v<T> ? kSigned : kUnsigned)[std::bit_width(sizeof(T)) - 1];
  }
  return 0;
}

}  // namespace detail

// ---- Element types ----------------------------------------------------------------------------------------

/// The code of an element type, 0 for other types. Specialise it for types that the language lacks:
/// `template <> inline constexpr tesela_dtype tesela::dtype_of<my::half> = TESELA_FLOAT16;`
template <class T>
inline constexpr tesela_dtype dtype_of = detail::find_dtype<T>();

template <class T>
concept Element = static_cast<bool>(dtype_of<std::remove_cv_t<T>>);

/// A contiguous range of elements: vectors, arrays, spans.
template <class R>
concept ElementRange = !std::convertible_to<R, std::string_view> && requires(R & range) {
  std::size(range);
  requires Element<std::remove_pointer_t<decltype(std::data(range))>>;
};

/// One with writable elements.
template <class R>
concept MutableElementRange = ElementRange<std::remove_reference_t<R>> && requires(R& range) {
  requires !std::is_const_v<std::remove_pointer_t<decltype(std::data(range))>>;
};

template <class T>
concept Number = std::is_arithmetic_v<T>;
template <class R>
concept NumberRange = ElementRange<R> && requires(R& range) {
  requires Number<std::remove_cvref_t<decltype(*std::data(range))>>;
};

inline std::string_view version() {
  return tesela_version();
}
/// ONNX's name ("float16"), "" for an unknown code.
inline std::string_view dtype_name(tesela_dtype dtype) {
  const char* name = tesela_dtype_name(dtype);
  return name != nullptr ? name : "";
}
/// The type with this ONNX, NumPy or OpenVINO name, or 0.
inline tesela_dtype dtype_from_name(std::string_view name) {
  return tesela_dtype_from_name(std::string(name).c_str());
}
inline int32_t dtype_bits(tesela_dtype dtype) {
  return tesela_dtype_bits(dtype);
}
/// NumPy's or ml_dtypes' name, "" for an unknown code.
inline std::string_view dtype_numpy_name(tesela_dtype dtype) {
  const char* name = tesela_dtype_numpy_name(dtype);
  return name != nullptr ? name : "";
}
/// DLDataTypeCode, -1 if DLPack has none.
inline int32_t dtype_dlpack_code(tesela_dtype dtype) {
  return tesela_dtype_dlpack_code(dtype);
}
/// The type of a DLDataType with one lane, or 0.
inline tesela_dtype dtype_from_dlpack(int32_t code, int32_t bits) {
  return tesela_dtype_from_dlpack(code, bits);
}

/// Converts to an element of a string tensor, which does not own the bytes, and back.
inline tesela_string string_element(std::string_view text) {
  return {text.data(), text.size()};
}
inline std::string_view text(const tesela_string& element) {
  return {element.ptr, element.length};
}

// ---- Tensors ----------------------------------------------------------------------------------------------

/// Extents or strides: `{2, 3}`, or any span of int64_t.
struct Shape : std::vector<int64_t> {
  using std::vector<int64_t>::vector;
  Shape(std::span<const int64_t> values) : std::vector<int64_t>(values.begin(), values.end()) {}
};

/// A read-only view of a tensor. An empty one, `{}`, means an omitted input.
class View {
 public:
  View() = default;
  /// A 1-D tensor of all elements of a vector, array or span.
  template <ElementRange R>
  View(const R& elements) : View(elements, Shape{static_cast<int64_t>(std::size(elements))}) {}
  /// The elements as a dense row-major tensor. Errors: count (extents for a different number of elements).
  template <ElementRange R>
  View(const R& elements, Shape extents)
      : View(std::data(elements), dtype_of<std::remove_cvref_t<decltype(*std::data(elements))>>, std::move(extents)) {
    check_count(std::size(elements));
  }
  /// Any tensor. strides: bytes between neighbours along each axis, empty for dense.
  View(const void* data, tesela_dtype dtype, Shape extents, Shape strides = {}, int64_t bit_offset = 0)
      : data_(const_cast<void*>(data)),
        dtype_(dtype),
        extents_(std::move(extents)),
        strides_(std::move(strides)),
        bit_offset_(bit_offset) {}
  explicit View(const tesela_tensor& t) : View(t.data, t.dtype, std::span(t.extents, size_of(t)), {}, t.bit_offset) {
    if (t.strides != nullptr) strides_ = Shape(std::span(t.strides, size_of(t)));
  }

  bool omitted() const { return dtype_ == 0; }
  tesela_dtype dtype() const { return dtype_; }
  const void* data() const { return data_; }
  const Shape& extents() const { return extents_; }
  const Shape& strides() const { return strides_; }
  int64_t count() const {
    if (std::find(extents_.begin(), extents_.end(), 0) != extents_.end()) return 0;
    int64_t product = 1;
    for (const int64_t extent : extents_)
      if (__builtin_mul_overflow(product, extent, &product))
        throw Error(TESELA_ERROR_SHAPE, "more than 2^63 - 1 elements");
    return product;
  }
  /// The elements of a dense tensor. Errors: type (T is not the tensor's), usage (it has strides).
  template <Element T>
  std::span<const T> elements() const {
    return typed<const T>();
  }
  /// The view for the C interface; valid as long as this view.
  tesela_tensor c() const {
    return {data_,
            dtype_,
            static_cast<int32_t>(extents_.size()),
            extents_.data(),
            strides_.empty() ? nullptr : strides_.data(),
            bit_offset_};
  }

 protected:
  template <class T>
  std::span<T> typed() const {
    if (dtype_of<std::remove_cv_t<T>> != dtype_)
      throw Error(TESELA_ERROR_TYPE, "a " + std::string(dtype_name(dtype_)) + " tensor is read as " +
                                         std::string(dtype_name(dtype_of<std::remove_cv_t<T>>)));
    if (!strides_.empty()) throw Error(TESELA_ERROR_USAGE, "the elements of a tensor with strides are no span");
    return {static_cast<T*>(data_), static_cast<size_t>(count())};
  }
  void check_count(size_t given) const {
    if (static_cast<uint64_t>(count()) != given)
      throw Error(TESELA_ERROR_COUNT,
                  "a tensor of " + std::to_string(count()) + " elements over a span of " + std::to_string(given));
  }

 private:
  static size_t size_of(const tesela_tensor& t) { return t.rank > 0 ? static_cast<size_t>(t.rank) : 0; }

  void* data_ = nullptr;
  tesela_dtype dtype_ = 0;
  Shape extents_;
  Shape strides_;
  int64_t bit_offset_ = 0;
};

/// A writable view of a tensor. Constructed like a View, from elements that are not const.
class MutableView : public View {
 public:
  MutableView() = default;
  template <MutableElementRange R>
  MutableView(R&& elements, Shape extents) : View(elements, std::move(extents)) {}
  MutableView(void* data, tesela_dtype dtype, Shape extents, Shape strides = {}, int64_t bit_offset = 0)
      : View(data, dtype, std::move(extents), std::move(strides), bit_offset) {}
  explicit MutableView(const tesela_tensor& tensor) : View(tensor) {}

  template <Element T>
  std::span<T> elements() const {
    return typed<T>();
  }
};

/// The elements of a tensor as doubles, in row-major order; for complex types [2 * elements], the real part first.
inline std::vector<double> to_doubles(const View& tensor) {
  const bool is_complex = tensor.dtype() == TESELA_COMPLEX64 || tensor.dtype() == TESELA_COMPLEX128;
  std::vector<double> values(static_cast<size_t>(tensor.count()) * (is_complex ? 2 : 1));
  const tesela_tensor c = tensor.c();
  call(tesela_tensor_to_doubles, &c, values.data());
  return values;
}
/// Writes numbers to a tensor: rounded to nearest even, integers saturated.
inline void from_doubles(std::span<const double> values, const MutableView& tensor) {
  const tesela_tensor c = tensor.c();
  call(tesela_tensor_from_doubles, values.data(), values.size(), &c);
}

/// Limits of a call; 0 means a member's default. If limits are optional, absent ones limit nothing.
struct Limits {
  uint64_t max_output_bytes = 0;   // of one tensor, including the bytes of its strings: 4 GiB
  uint64_t max_rank = 0;           // 64
  uint64_t max_nodes = 0;          // of a model: 1,000,000
  uint64_t max_nesting = 0;        // of subgraphs: 64
  uint64_t max_pixels = 0;         // of an image: 2^28
  uint64_t max_working_bytes = 0;  // scratch and tables of one run: 1 GiB
  uint64_t max_session_bytes = 0;  // of all values of a session's run at any time: max_output_bytes and 1 GiB
};

namespace detail {

// Converts optional limits to the C interface's pointer.
class LimitsPointer {
 public:
  explicit LimitsPointer(const std::optional<Limits>& limits) : given_(limits.has_value()) {
    const Limits l = limits.value_or(Limits());
    c_ = {sizeof c_,     l.max_output_bytes, l.max_rank,          l.max_nodes,
          l.max_nesting, l.max_pixels,       l.max_working_bytes, l.max_session_bytes};
  }
  operator const tesela_limits*() const { return given_ ? &c_ : nullptr; }

 private:
  bool given_;
  tesela_limits c_;
};

}  // namespace detail

/// Releases kept memory of destroyed tensors until at most `keep_bytes` remain; returns the number of kept bytes.
inline uint64_t trim_memory(uint64_t keep_bytes = 0) {
  return tesela_trim_memory(keep_bytes);
}

/// Bytes that Tesela allocated: text, JSON or an encoded file.
class Blob {
 public:
  using Owner = Handle<tesela_blob, tesela_blob_destroy>;
  explicit Blob(Owner owned) : handle_(std::move(owned)) {}
  std::string_view view() const { return {tesela_blob_data(handle_.get()), tesela_blob_size(handle_.get())}; }
  std::string str() const { return std::string(view()); }
  operator std::string_view() const { return view(); }

 private:
  Owner handle_;
};

/// Makes a text from a file safe for terminals; keeps line feeds.
inline Blob printable(std::string_view text) {
  return Blob(make<Blob::Owner>(tesela_printable, text.data(), text.size()));
}

/// Options for reading and writing tensor files.
struct FileOptions {
  tesela_file_format format = TESELA_FILE_AUTO;
  tesela_dtype dtype = 0;  // reading .npy: the actual type; 0: as in the file
  std::string entry = {};  // .npz: the array's name; empty for the only one
  std::string name = {};   // writing .pb: the tensor's name
  std::optional<Limits> limits = {};
  int32_t jpeg_quality = 0;  // writing .jpg: 1 to 100, 0 for 92
};

namespace detail {

class FileOptionsPointer {
 public:
  explicit FileOptionsPointer(const FileOptions& o)
      : limits_(o.limits), c_{sizeof c_, o.format, o.dtype, text(o.entry), text(o.name), limits_, o.jpeg_quality} {}
  FileOptionsPointer(const FileOptionsPointer&) = delete;
  FileOptionsPointer& operator=(const FileOptionsPointer&) = delete;
  operator const tesela_file_options*() const { return &c_; }

 private:
  static const char* text(const std::string& given) { return given.empty() ? nullptr : given.c_str(); }
  LimitsPointer limits_;
  tesela_file_options c_;
};

}  // namespace detail

/// A tensor that Tesela allocated, with its strings.
class Value {
 public:
  using Owner = Handle<tesela_value, tesela_value_destroy>;

  /// A dense uninitialised tensor (null strings).
  Value(tesela_dtype dtype, const Shape& extents, const std::optional<Limits>& limits = {})
      : handle_(make<Owner>(tesela_value_create, dtype, static_cast<int32_t>(extents.size()), extents.data(),
                            detail::LimitsPointer(limits))) {}
  explicit Value(Owner owned, std::string name = {}) : handle_(std::move(owned)), name_(std::move(name)) {}

  /// A dense copy, including the bytes of strings.
  static Value copy(const View& tensor, const std::optional<Limits>& limits = {}) {
    const tesela_tensor c = tensor.c();
    return Value(make<Owner>(tesela_value_copy, &c, detail::LimitsPointer(limits)));
  }
  /// A tensor from a .npy, .npz, .pb, .png or .jpg file. Images: uint8 or uint16, [H, W, C].
  static Value read(const std::string& path, const FileOptions& options = {}) {
    tesela_value* made = nullptr;
    const char* name = "";
    call(tesela_value_read, path.c_str(), detail::FileOptionsPointer(options), &made, &name);
    return Value(Owner(made), name);
  }
  /// The same from the bytes of such a file.
  static Value read_memory(std::span<const std::byte> bytes, const FileOptions& options = {}) {
    tesela_value* made = nullptr;
    const char* name = "";
    call(tesela_value_read_memory, bytes.data(), bytes.size(), detail::FileOptionsPointer(options), &made, &name);
    return Value(Owner(made), name);
  }

  /// The name in a .pb file, else "".
  const std::string& name() const { return name_; }
  View view() const { return View(c()); }
  MutableView view() { return MutableView(c()); }
  operator View() const { return view(); }
  operator MutableView() { return view(); }
  tesela_dtype dtype() const { return c().dtype; }
  Shape extents() const { return view().extents(); }
  template <Element T>
  std::span<const T> elements() const {
    return view().template elements<T>();
  }
  template <Element T>
  std::span<T> elements() {
    return view().template elements<T>();
  }
  /// A view for the C interface; valid as long as this value.
  tesela_tensor c() const {
    tesela_tensor tensor;
    tesela_value_view(handle_.get(), &tensor);
    return tensor;
  }

 private:
  Owner handle_;
  std::string name_;
};

/// Writes a tensor to a file, which appears complete or not at all.
inline void write(const View& tensor, const std::string& path, const FileOptions& options = {}) {
  const tesela_tensor c = tensor.c();
  call(tesela_tensor_write, &c, path.c_str(), detail::FileOptionsPointer(options));
}
/// The bytes of that file. options.format must be set.
inline Blob encode(const View& tensor, const FileOptions& options) {
  const tesela_tensor c = tensor.c();
  return Blob(make<Blob::Owner>(tesela_tensor_encode, &c, detail::FileOptionsPointer(options)));
}

// ---- What is known about a tensor -------------------------------------------------------------------------

/// One extent: a number, a symbol, or (`{}`) unknown.
struct Dim {
  int64_t value = -1;
  std::string symbol;

  Dim() = default;
  Dim(int64_t known) : value(known) {}
  Dim(std::string_view name) : symbol(name) {}
  Dim(const char* name) : symbol(name) {}
  bool known() const { return value >= 0; }
  friend bool operator==(const Dim&, const Dim&) = default;
};

/// What is known about a tensor: its type, its extents, its value, the entries of a shape.
struct TensorInfo {
  tesela_dtype dtype = 0;                            // 0: unknown
  std::optional<std::vector<Dim>> dims = {};         // none: unknown rank
  View constant = {};                                // the value, if known
  std::optional<std::vector<Dim>> shape_value = {};  // a 1-D int64 tensor's entries, partly known

  /// A tensor with this view's type and extents.
  static TensorInfo of(const View& tensor) {
    return {tensor.dtype(), std::vector<Dim>(tensor.extents().begin(), tensor.extents().end())};
  }
  /// A tensor with a known value.
  static TensorInfo of_constant(const View& tensor) {
    TensorInfo info = of(tensor);
    info.constant = tensor;
    return info;
  }
  explicit TensorInfo(const tesela_tensor_info& c)
      : dtype(c.dtype), constant(c.constant != nullptr ? View(*c.constant) : View()) {
    if (c.rank >= 0) dims = dims_of(c.dims, static_cast<size_t>(c.rank));
    if (c.shape_value != nullptr) shape_value = dims_of(c.shape_value, c.shape_value_count);
  }
  TensorInfo(tesela_dtype type = 0, std::optional<std::vector<Dim>> extents = {})
      : dtype(type), dims(std::move(extents)) {}

 private:
  static std::vector<Dim> dims_of(const tesela_dim* from, size_t count) {
    std::vector<Dim> list(count);
    for (size_t i = 0; i < count; ++i) {
      list[i].value = from[i].value;
      if (from[i].symbol != nullptr) list[i].symbol = from[i].symbol;
    }
    return list;
  }
};

/// The inferred type and shape of an operator's output.
class Inferred {
 public:
  using Owner = Handle<tesela_inferred, tesela_inferred_destroy>;
  explicit Inferred(Owner owned) : handle_(std::move(owned)) {}
  TensorInfo info() const {
    tesela_tensor_info c = {};
    c.struct_size = sizeof c;
    tesela_inferred_info(handle_.get(), &c);
    return TensorInfo(c);
  }

 private:
  Owner handle_;
};

namespace detail {

// Converts TensorInfos for the C interface; owns all converted data.
class InfoList {
 public:
  explicit InfoList(std::span<const std::optional<TensorInfo>> inputs)
      : dims_(2 * inputs.size()), constants_(inputs.size()), infos_(inputs.size()), pointers_(inputs.size()) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i]) continue;
      const TensorInfo& from = *inputs[i];
      infos_[i] = {sizeof(tesela_tensor_info), from.dtype, -1, nullptr, nullptr, nullptr, 0};
      if (from.dims) {
        infos_[i].rank = static_cast<int32_t>(from.dims->size());
        infos_[i].dims = fill(dims_[2 * i], *from.dims);
      }
      if (from.shape_value) {
        infos_[i].shape_value = fill(dims_[2 * i + 1], *from.shape_value);
        infos_[i].shape_value_count = from.shape_value->size();
      }
      constants_[i] = from.constant.c();
      if (!from.constant.omitted()) infos_[i].constant = &constants_[i];
      pointers_[i] = &infos_[i];
    }
  }
  size_t size() const { return pointers_.size(); }
  const tesela_tensor_info* const* data() const { return pointers_.data(); }

 private:
  static const tesela_dim* fill(std::vector<tesela_dim>& to, const std::vector<Dim>& from) {
    for (const Dim& dim : from) to.push_back({dim.value, dim.symbol.c_str()});
    if (to.empty()) to.push_back({});  // an empty list must not be a null pointer
    return to.data();
  }
  std::vector<std::vector<tesela_dim>> dims_;
  std::vector<tesela_tensor> constants_;
  std::vector<tesela_tensor_info> infos_;
  std::vector<const tesela_tensor_info*> pointers_;
};

}  // namespace detail

namespace detail {

// Converts an operator's inputs for the C interface; valid as long as the views.
class ViewList {
 public:
  explicit ViewList(std::span<const View> inputs) : tensors_(inputs.size()), pointers_(inputs.size()) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      tensors_[i] = inputs[i].c();
      pointers_[i] = inputs[i].omitted() ? nullptr : &tensors_[i];
    }
  }
  size_t size() const { return pointers_.size(); }
  const tesela_tensor* const* data() const { return pointers_.data(); }

 private:
  std::vector<tesela_tensor> tensors_;
  std::vector<const tesela_tensor*> pointers_;
};

}  // namespace detail

// ---- Runs -------------------------------------------------------------------------------------------------

/// A host's threads: parallel_for(count, task) calls task(i) for every i in [0, count), in any order, on any
/// threads, and returns when all are done. concurrency: its number of threads.
struct Executor {
  std::function<void(int64_t count, const std::function<void(int64_t)>& task)> parallel_for;
  int32_t concurrency = 1;
};

struct RunOptions {
  int32_t threads = 0;  // 0: one per available core; 1: only the calling thread
  tesela_backend backend = TESELA_BACKEND_AUTO;
  const Executor* executor = nullptr;                          // none: oneTBB
  const std::atomic<int32_t>* cancel = nullptr;                // non-zero stops the run
  std::span<std::byte> scratch = {};                           // 64-byte aligned; used if large enough
  std::function<void(const tesela_node_event&)> on_node = {};  // for sessions
  std::function<void(double fraction)> on_progress = {};       // called on the calling thread
};

namespace detail {

static_assert(sizeof(std::atomic<int32_t>) == sizeof(int32_t) && std::atomic<int32_t>::is_always_lock_free);

// Converts RunOptions for the C interface, and keeps exceptions of callbacks.
class RunCall {
 public:
  explicit RunCall(const RunOptions& options) : options_(options) {
    c_.struct_size = sizeof c_;
    c_.threads = options.threads;
    c_.backend = options.backend;
    c_.cancel = reinterpret_cast<const int32_t*>(options.cancel);
    c_.scratch = options.scratch.data();
    c_.scratch_bytes = options.scratch.size();
    c_.on_node_context = c_.on_progress_context = executor_.context = this;
    if (options.on_node)
      c_.on_node = [](void* self, const tesela_node_event* event) {
        static_cast<RunCall*>(self)->keep_fault([&](const RunOptions& given) { given.on_node(*event); });
      };
    if (options.on_progress)
      c_.on_progress = [](void* self, double fraction) {
        static_cast<RunCall*>(self)->keep_fault([&](const RunOptions& given) { given.on_progress(fraction); });
      };
    if (options.executor == nullptr) return;
    executor_.struct_size = sizeof executor_;
    executor_.concurrency = options.executor->concurrency;
    if (options.executor->parallel_for)
      executor_.parallel_for = [](void* self, int64_t count, void (*task)(void*, int64_t), void* argument) {
        static_cast<RunCall*>(self)->keep_fault([&](const RunOptions& given) {
          given.executor->parallel_for(count, [=](int64_t index) { task(argument, index); });
        });
      };
    c_.executor = &executor_;
  }
  RunCall(const RunCall&) = delete;
  RunCall& operator=(const RunCall&) = delete;

  /// Calls a C function with these arguments and the options. An exception of a callback takes precedence over the
  /// run's error.
  template <class Function, class... Arguments>
  void run(Function function, Arguments&&... arguments) {
    tesela_error error;
    error.message[0] = '\0';
    const tesela_status status = function(std::forward<Arguments>(arguments)..., &c_, &error);
    if (fault_) std::rethrow_exception(fault_);
    if (status != TESELA_OK) throw Error(status, error.message);
  }

 private:
  // There are C frames between a callback and its caller, so exceptions must not leave it.
  template <class F>
  void keep_fault(F&& f) noexcept {
    try {
      f(options_);
    } catch (...) {
      if (!fault_) fault_ = std::current_exception();
    }
  }
  const RunOptions& options_;
  tesela_executor executor_ = {};
  tesela_run_options c_ = {};
  std::exception_ptr fault_;
};

}  // namespace detail

// ---- Plans ------------------------------------------------------------------------------------------------

/// A box of a tensor, in elements. lo, extents: [rank].
struct Box {
  Shape lo;
  Shape extents;
};

/// The table of one axis for a range of its outputs: the inputs and weights of each output.
class AxisTable {
 public:
  using Owner = Handle<tesela_axis_table, tesela_axis_table_destroy>;
  explicit AxisTable(Owner owned) : handle_(std::move(owned)) {
    view_.struct_size = sizeof view_;
    tesela_axis_table_get(handle_.get(), &view_);
  }
  std::span<const int64_t> first() const { return {view_.first, outputs()}; }  // [outputs] leftmost input
  std::span<const int32_t> count() const { return {view_.count, outputs()}; }  // [outputs] taps, 0 if extrapolated
  size_t outputs() const { return static_cast<size_t>(view_.outputs); }
  /// False if elements are only moved; weights() is then empty.
  bool has_weights() const { return view_.weights != nullptr; }
  /// The weights of output i, starting at input first()[i]: [count()[i]].
  std::span<const double> weights(size_t i) const {
    if (!has_weights()) return {};
    return {view_.weights + i * static_cast<size_t>(view_.taps), static_cast<size_t>(view_.count[i])};
  }

 private:
  Owner handle_;
  tesela_axis_table_view view_ = {};
};

/// What an explanation shows.
struct ExplainOptions {
  std::vector<int32_t> axes = {};  // empty: every axis that changes
  int64_t first = 0;               // with count 0 all outputs of a short axis, the first and last of a long one
  int64_t count = 0;
  int32_t width = 0;       // columns of plain text; 0: 80
  std::string title = {};  // a line above
};

namespace detail {

// The C interface reads one number per axis.
inline void check_rank(const Shape& given, size_t rank) {
  if (given.size() != rank)
    throw Error(TESELA_ERROR_RANK,
                "a box has rank " + std::to_string(given.size()) + "; expected " + std::to_string(rank));
}

}  // namespace detail

/// One resampled axis of a plan, whose sums are carried from box to box of its input. It refers to the plan and must not outlive
/// it; its struct_size, axis, rank, types and window are those of tesela.h.
class Pass {
 public:
  Pass(const tesela_plan* plan, size_t index) : plan_(plan), index_(index) {
    info_.struct_size = sizeof info_;
    call(tesela_plan_pass_info, plan_, index_, &info_, nullptr, nullptr);
    input_extents_.resize(static_cast<size_t>(info_.rank));
    output_extents_.resize(static_cast<size_t>(info_.rank));
    call(tesela_plan_pass_info, plan_, index_, &info_, input_extents_.data(), output_extents_.data());
  }
  const tesela_pass& info() const { return info_; }
  const Shape& input_extents() const { return input_extents_; }
  const Shape& output_extents() const { return output_extents_; }
  /// The box of the pass's input that a box of its output needs.
  Box input_region(const Box& output) const {
    check_rank(output.lo);
    check_rank(output.extents);
    Box input{input_extents_, input_extents_};
    call(tesela_plan_pass_input_region, plan_, index_, output.lo.data(), output.extents.data(), input.lo.data(),
         input.extents.data());
    return input;
  }
  /// A new accumulator for a box of the output.
  Value partial(const Shape& extents) const {
    Value sums(info_.accumulator_dtype, extents);
    begin(sums.view());
    return sums;
  }
  /// Sets an accumulator's numbers to -0.0.
  void begin(const MutableView& accumulator) const {
    const tesela_tensor sums = accumulator.c();
    call(tesela_plan_pass_begin, plan_, index_, &sums);
  }
  /// Adds to the box of the output that begins at lo the taps whose inputs are in x, which begins at x_lo. Boxes must come in
  /// ascending order along the axis.
  void add(const View& x, const Shape& x_lo, const MutableView& accumulator, const Shape& lo,
           const RunOptions& options = {}) const {
    check_rank(x_lo);
    check_rank(lo);
    const tesela_tensor in = x.c();
    const tesela_tensor sums = accumulator.c();
    detail::RunCall(options).run(tesela_plan_pass_add, plan_, index_, &in, x_lo.data(), &sums, lo.data());
  }
  /// Turns complete sums into the box of the output that begins at lo.
  void finish(const View& accumulator, const MutableView& y, const Shape& lo, const RunOptions& options = {}) const {
    check_rank(lo);
    const tesela_tensor sums = accumulator.c();
    const tesela_tensor out = y.c();
    detail::RunCall(options).run(tesela_plan_pass_finish, plan_, index_, &sums, &out, lo.data());
  }

 private:
  void check_rank(const Shape& given) const { detail::check_rank(given, input_extents_.size()); }

  const tesela_plan* plan_;
  size_t index_;
  tesela_pass info_ = {};
  Shape input_extents_;
  Shape output_extents_;
};

/// The computation of one operator for one set of shapes: immutable, for any number of runs and threads.
class Plan {
 public:
  using Owner = Handle<tesela_plan, tesela_plan_destroy>;
  explicit Plan(Owner owned) : handle_(std::move(owned)) {}

  tesela_dtype dtype() const { return tesela_plan_dtype(get()); }
  std::span<const int64_t> output_extents() const {
    return {tesela_plan_output_extents(get()), static_cast<size_t>(tesela_plan_output_rank(get()))};
  }
  /// Empty for ConstantOfShape.
  std::span<const int64_t> input_extents() const {
    return {tesela_plan_input_extents(get()), static_cast<size_t>(tesela_plan_input_rank(get()))};
  }
  /// The box of the input that a box of the output needs.
  Box input_region(const Box& output) const {
    check_ranks(output);
    Box input{Shape(input_extents()), Shape(input_extents())};
    call(tesela_plan_input_region, get(), output.lo.data(), output.extents.data(), input.lo.data(),
         input.extents.data());
    return input;
  }
  /// Bytes of scratch memory for a run of this box on one thread.
  uint64_t scratch_bytes(const Box& output) const {
    check_ranks(output);
    uint64_t bytes = 0;
    call(tesela_plan_scratch_bytes, get(), output.lo.data(), output.extents.data(), &bytes);
    return bytes;
  }

  /// Computes the whole output. x: omitted for ConstantOfShape. y: of the plan's type and output extents.
  void run(const View& x, const MutableView& y, const RunOptions& options = {}) const {
    const tesela_tensor in = x.c();
    const tesela_tensor out = y.c();
    detail::RunCall(options).run(tesela_plan_run, get(), x.omitted() ? nullptr : &in, &out);
  }
  /// The same into a new tensor. Strings of the result point to x's bytes.
  Value run(const View& x, const RunOptions& options = {}) const {
    Value y(dtype(), Shape(output_extents()));
    run(x, y.view(), options);
    return y;
  }
  /// Computes the box of the output that begins at lo and has y's extents, from the box of the input that
  /// begins at x_lo and has x's; that box must contain input_region's.
  void run_region(const View& x, const Shape& x_lo, const MutableView& y, const Shape& lo,
                  const RunOptions& options = {}) const {
    detail::check_rank(x_lo, input_extents().size());
    detail::check_rank(lo, output_extents().size());
    const tesela_tensor in = x.c();
    const tesela_tensor out = y.c();
    detail::RunCall(options).run(tesela_plan_run_region, get(), x.omitted() ? nullptr : &in, x_lo.data(), &out,
                                 lo.data());
  }

  /// The passes in the order of execution; empty if elements are only copied.
  std::vector<Pass> passes() const {
    size_t count = 0;
    call(tesela_plan_pass_count, get(), &count);
    std::vector<Pass> list;
    for (size_t p = 0; p < count; ++p) list.emplace_back(get(), p);
    return list;
  }

  Blob describe(tesela_text_format format = TESELA_TEXT_PLAIN) const {
    return Blob(make<Blob::Owner>(tesela_plan_describe, get(), format));
  }
  /// Where the outputs of each axis land and which inputs weigh how much: plain text, JSON or SVG.
  Blob explain(tesela_text_format format = TESELA_TEXT_PLAIN, const ExplainOptions& options = {}) const {
    const tesela_explain_options c = {sizeof c,      options.axes.size(), options.axes.data(),  options.first,
                                      options.count, options.width,       options.title.c_str()};
    return Blob(make<Blob::Owner>(tesela_plan_explain, get(), &c, format));
  }
  /// The table of outputs [lo, lo + n) along an axis of the output.
  AxisTable axis_table(int32_t axis, int64_t lo, int64_t n) const {
    return AxisTable(make<AxisTable::Owner>(tesela_plan_axis_table, get(), axis, lo, n));
  }
  const tesela_plan* get() const { return handle_.get(); }

 private:
  void check_ranks(const Box& output) const {
    detail::check_rank(output.lo, output_extents().size());
    detail::check_rank(output.extents, output_extents().size());
  }
  Owner handle_;
};

// ---- Operators --------------------------------------------------------------------------------------------

/// All operators, versions, types and attributes, generated from the table used for checks.
inline Blob ops(tesela_text_format format = TESELA_TEXT_PLAIN) {
  return Blob(make<Blob::Owner>(tesela_ops, format));
}

/// What this copy of the library is and what it found. problems: set to the number of problems.
inline Blob doctor(tesela_text_format format = TESELA_TEXT_PLAIN, size_t* problems = nullptr) {
  tesela_blob* text = nullptr;
  call(tesela_doctor, format, &text, problems);
  return Blob(Blob::Owner(text));
}

struct OpOptions {
  std::string node = {};    // a name for messages
  std::string domain = {};  // "" or "ai.onnx"
};

/// An operator with its attributes.
class Op {
 public:
  /// opset: selects the newest version not above it; 0: the newest.
  explicit Op(const std::string& type, int64_t opset = 0, const OpOptions& options = {})
      : handle_(make<Owner>(tesela_op_create, options.domain.c_str(), type.c_str(), opset, options.node.c_str())) {}

  // Each sets one attribute by its ONNX name; planning checks the value.
  template <std::integral T>
  Op& set(const std::string& name, T value) {
    return put(tesela_op_set_int, name, static_cast<int64_t>(value));
  }
  template <std::floating_point T>
  Op& set(const std::string& name, T value) {
    return put(tesela_op_set_float, name, static_cast<float>(value));
  }
  Op& set(const std::string& name, std::string_view value) {
    return put(tesela_op_set_string, name, std::string(value).c_str());
  }
  /// Lists: `op.set("axes", {2, 3})`, or any vector, array or span of numbers.
  template <Number T>
  Op& set(const std::string& name, std::initializer_list<T> values) {
    return set(name, std::span<const T>(values.begin(), values.size()));
  }
  template <NumberRange R>
  Op& set(const std::string& name, const R& values) {
    using T = std::remove_cvref_t<decltype(*std::data(values))>;
    using Stored = std::conditional_t<std::is_floating_point_v<T>, float, int64_t>;
    std::vector<Stored> list;
    for (const T value : values) list.push_back(static_cast<Stored>(value));
    if constexpr (std::is_same_v<Stored, float>)
      return put(tesela_op_set_floats, name, list.data(), list.size());
    else
      return put(tesela_op_set_ints, name, list.data(), list.size());
  }
  /// A tensor, for `value` of ConstantOfShape; copies it.
  Op& set_tensor(const std::string& name, const View& value) {
    const tesela_tensor c = value.c();
    return put(tesela_op_set_tensor, name, &c);
  }

  int64_t since_version() const { return tesela_op_since_version(get()); }
  /// The inputs and attributes of the version, by name.
  std::vector<std::string> inputs() const {
    return detail::names([this](size_t i) { return tesela_op_input_name(get(), i); });
  }
  std::vector<std::string> attributes() const {
    return detail::names([this](size_t i) { return tesela_op_attribute_name(get(), i); });
  }
  /// TESELA_ATTRIBUTE_NONE if the version has none of this name.
  tesela_attribute_kind attribute_kind(const std::string& name) const {
    return tesela_op_attribute_kind(get(), name.c_str());
  }
  /// The strings that an attribute or a field of plans may be; empty where it may be any or is no string.
  std::vector<std::string> allowed(const std::string& name) const {
    return detail::names([&](size_t i) { return tesela_op_attribute_allowed(get(), name.c_str(), i); });
  }

  /// Plans for inputs by name, for any order in the version: op.plan_named(x, {{"sizes", sizes}}).
  Plan plan_named(const View& first, std::span<const std::pair<std::string, View>> others,
                  const std::optional<Limits>& limits = {}) const {
    std::vector<tesela_tensor> tensors = {first.c()};
    std::vector<const char*> names = {nullptr};
    for (const auto& [name, view] : others) {
      if (view.omitted()) continue;
      names.push_back(name.c_str());
      tensors.push_back(view.c());
    }
    std::vector<const tesela_tensor*> pointers;
    for (const tesela_tensor& tensor : tensors) pointers.push_back(&tensor);
    return Plan(make<Plan::Owner>(tesela_plan_create_named, get(), pointers.size(), names.data(), pointers.data(),
                                  detail::LimitsPointer(limits)));
  }
  Plan plan_named(const View& first, std::initializer_list<std::pair<std::string, View>> others,
                  const std::optional<Limits>& limits = {}) const {
    return plan_named(first, std::span<const std::pair<std::string, View>>(others.begin(), others.size()), limits);
  }

  /// Plans for these inputs, `{}` for an omitted one. Of the tensor to resize or tile only type and extents are used;
  /// the others (scales, sizes, roi, repeats, shape) are read now.
  Plan plan(std::span<const View> inputs, const std::optional<Limits>& limits = {}) const {
    const detail::ViewList list(inputs);
    return Plan(make<Plan::Owner>(tesela_plan_create, get(), list.size(), list.data(), detail::LimitsPointer(limits)));
  }
  Plan plan(std::initializer_list<View> inputs, const std::optional<Limits>& limits = {}) const {
    return plan(std::span<const View>(inputs.begin(), inputs.size()), limits);
  }
  /// Infers the output from what is known about the inputs, `{}` for an omitted one.
  Inferred infer(std::span<const std::optional<TensorInfo>> inputs) const {
    const detail::InfoList list(inputs);
    return Inferred(make<Inferred::Owner>(tesela_op_infer, get(), list.size(), list.data()));
  }
  Inferred infer(std::initializer_list<std::optional<TensorInfo>> inputs) const {
    return infer(std::span<const std::optional<TensorInfo>>(inputs.begin(), inputs.size()));
  }
  tesela_op* get() const { return handle_.get(); }

 private:
  using Owner = Handle<tesela_op, tesela_op_destroy>;
  template <class Function, class... Arguments>
  Op& put(Function function, const std::string& name, Arguments... value) {
    call(function, get(), name.c_str(), value...);
    return *this;
  }
  Owner handle_;
};

/// The plan fields: "tesela.order", ...
inline std::vector<std::string> field_names() {
  return detail::names(tesela_field_name);
}

/// The attributes of all versions of an operator; empty for an unknown operator.
inline std::vector<std::string> operator_attributes(const std::string& type, const std::string& domain = {}) {
  return detail::names([&](size_t i) { return tesela_operator_attribute_name(domain.c_str(), type.c_str(), i); });
}
/// The newest version that allows this number of inputs and these attributes; none: unknown attributes.
inline int64_t operator_version(const std::string& type, size_t inputs,
                                const std::optional<std::vector<std::string>>& attributes = {},
                                const std::string& domain = {}) {
  std::vector<const char*> given;
  if (attributes)
    for (const std::string& name : *attributes) given.push_back(name.c_str());
  const size_t count = given.size();
  given.push_back(nullptr);  // an empty list must not be a null pointer
  int64_t version = 0;
  call(tesela_operator_version, domain.c_str(), type.c_str(), inputs, count, attributes ? given.data() : nullptr,
       &version);
  return version;
}

/// The known name most likely meant by an unknown one; empty if none is near.
inline std::string nearest_name(const std::string& name, std::span<const std::string> known) {
  std::vector<const char*> names;
  for (const std::string& each : known) names.push_back(each.c_str());
  const char* const nearest = tesela_nearest_name(name.c_str(), names.size(), names.data());
  return nearest == nullptr ? "" : nearest;
}

/// Keeps the most recently used plans, at most `capacity`, so that repeated calls need no planning. Thread-safe.
class PlanCache {
 public:
  explicit PlanCache(size_t capacity = 64) : handle_(make<Owner>(tesela_plan_cache_create, capacity)) {}
  /// Like Op::plan. The plan stays valid without the cache.
  Plan plan(const Op& op, std::span<const View> inputs, const std::optional<Limits>& limits = {}) {
    const detail::ViewList list(inputs);
    return Plan(make<Plan::Owner>(tesela_plan_cache_get, get(), op.get(), list.size(), list.data(),
                                  detail::LimitsPointer(limits)));
  }
  Plan plan(const Op& op, std::initializer_list<View> inputs, const std::optional<Limits>& limits = {}) {
    return plan(op, std::span<const View>(inputs.begin(), inputs.size()), limits);
  }
  /// The kept plan, if there is one.
  std::optional<Plan> find(const Op& op, std::span<const View> inputs, const std::optional<Limits>& limits = {}) {
    const detail::ViewList list(inputs);
    const detail::LimitsPointer given(limits);
    Plan::Owner found(tesela_plan_cache_find(get(), op.get(), list.size(), list.data(), given));
    return found == nullptr ? std::nullopt : std::optional<Plan>(std::move(found));
  }
  void clear() { tesela_plan_cache_clear(get()); }
  size_t size() const { return tesela_plan_cache_size(get()); }
  tesela_plan_cache* get() const { return handle_.get(); }

 private:
  using Owner = Handle<tesela_plan_cache, tesela_plan_cache_destroy>;
  Owner handle_;
};

// ---- Models -----------------------------------------------------------------------------------------------

struct LoadOptions {
  std::optional<Limits> limits = {};
  int64_t assume_opset = 0;         // 0, or the opset of ONNX's domain to read the model by
  std::string base_directory = {};  // of external data, for models from memory; empty: external data is an error
  std::string extents = {};         // for all nodes: "standard", "host" or "openvino"; empty: standard
};

/// What other runtimes and libraries do differently: JSON or Markdown.
inline Blob catalogue(tesela_text_format format = TESELA_TEXT_JSON) {
  return Blob(make<Blob::Owner>(tesela_catalogue, format));
}

/// A model file: ONNX or OpenVINO IR. Any model can be loaded, inspected and checked. Immutable and thread-safe.
class Model {
 public:
  explicit Model(const std::string& path, const LoadOptions& options = {})
      : handle_(load(options, tesela_model_load, path.c_str())) {}
  /// From bytes, which are not copied: they must stay valid and unchanged as long as the model exists.
  explicit Model(std::span<const std::byte> bytes, const LoadOptions& options = {})
      : handle_(load(options, tesela_model_load_memory, bytes.data(), bytes.size())) {}

  /// The names of required inputs, and of outputs.
  std::vector<std::string> input_names() const {
    return detail::names([this](size_t i) { return tesela_model_input_name(get(), i); });
  }
  std::vector<std::string> output_names() const {
    return detail::names([this](size_t i) { return tesela_model_output_name(get(), i); });
  }
  TensorInfo input_info(size_t index) const { return info(index, tesela_model_input_info); }
  TensorInfo output_info(size_t index) const { return info(index, tesela_model_output_info); }

  /// Inputs, outputs, and each of Tesela's nodes with its version, attributes and inferred shapes.
  Blob inspect(tesela_text_format format = TESELA_TEXT_PLAIN) const {
    return Blob(make<Blob::Owner>(tesela_model_inspect, get(), format));
  }
  struct Check {
    Blob text;
    size_t faults;
  };
  /// Every error that can be found without input data, and notes on valid but unexpected properties.
  Check check(tesela_text_format format = TESELA_TEXT_PLAIN) const {
    tesela_blob* made = nullptr;
    size_t faults = 0;
    call(tesela_model_check, get(), format, &made, &faults);
    return {Blob(Blob::Owner(made)), faults};
  }
  struct Lint {
    Blob text;
    size_t errors;
  };
  /// What each node risks on other runtimes. runtimes: names of the catalogue, or "all"; empty: the usual ones. path: for SARIF.
  Lint lint(const std::vector<std::string>& runtimes = {}, tesela_text_format format = TESELA_TEXT_PLAIN,
            const std::string& path = {}) const {
    std::vector<const char*> names;
    for (const std::string& name : runtimes) names.push_back(name.c_str());
    const tesela_lint_options options = {sizeof options, names.empty() ? nullptr : names.data(), names.size(),
                                         path.c_str()};
    tesela_blob* made = nullptr;
    size_t errors = 0;
    call(tesela_model_lint, get(), &options, format, &made, &errors);
    return {Blob(Blob::Owner(made)), errors};
  }
  struct Fix {
    Blob text;
    Blob bytes;  // of the new file
  };
  /// Cures what is safe to cure, and writes a file if there is a path. meant: whose numbers are meant ("pytorch"), or empty.
  /// opset: to upgrade to, or 0.
  Fix fix(const std::string& path = {}, const std::string& meant = {}, int64_t opset = 0,
          tesela_text_format format = TESELA_TEXT_PLAIN) const {
    const tesela_fix_options options = {sizeof options, meant.empty() ? nullptr : meant.c_str(), opset,
                                        path.empty() ? nullptr : path.c_str()};
    tesela_blob* text = nullptr;
    tesela_blob* bytes = nullptr;
    call(tesela_model_fix, get(), &options, format, &text, &bytes);
    return {Blob(Blob::Owner(text)), Blob(Blob::Owner(bytes))};
  }
  /// The plan of a node of Tesela's operators: by its name, by position ("#3"), or "" for the only one. known: what the
  /// caller knows about values of the model in addition, such as the shapes of inputs.
  Plan plan(const std::string& node = {}, const std::vector<std::pair<std::string, TensorInfo>>& known = {}) const {
    std::vector<const char*> names;
    std::vector<std::optional<TensorInfo>> infos;
    for (const auto& [name, info] : known) {
      names.push_back(name.c_str());
      infos.emplace_back(info);
    }
    const detail::InfoList list(infos);
    return Plan(make<Plan::Owner>(tesela_model_plan, get(), node.c_str(), names.size(), names.data(), list.data()));
  }
  const tesela_model* get() const { return handle_.get(); }

 private:
  using Owner = Handle<tesela_model, tesela_model_destroy>;
  template <class Function, class... Arguments>
  static Owner load(const LoadOptions& options, Function function, Arguments... source) {
    const detail::LimitsPointer limits(options.limits);
    const tesela_load_options c = {sizeof c, limits, options.assume_opset,
                                   options.base_directory.empty() ? nullptr : options.base_directory.c_str(),
                                   options.extents.empty() ? nullptr : options.extents.c_str()};
    return make<Owner>(function, source..., &c);
  }
  template <class F>
  TensorInfo info(size_t index, F f) const {
    tesela_tensor_info c = {};
    c.struct_size = sizeof c;
    call(f, get(), index, &c);
    return TensorInfo(c);
  }
  Owner handle_;
};

/// A tensor with its name in the model.
struct Named {
  std::string name;
  View tensor;
};

/// A model prepared for runs. Each run may have different shapes; only one run at a time. The model must outlive the
/// session.
class Session {
 public:
  explicit Session(const Model& model, const std::optional<Limits>& limits = {})
      : output_count_(tesela_model_output_count(model.get())),
        handle_(make<Owner>(tesela_session_create, model.get(), detail::LimitsPointer(limits))) {}

  /// The named outputs, or all outputs of the model in their order if no name is given.
  std::vector<Value> run(std::span<const Named> inputs, std::span<const std::string> output_names = {},
                         const RunOptions& options = {}) {
    std::vector<const char*> in_names, out_names;
    std::vector<tesela_tensor> tensors;
    for (const Named& input : inputs) {
      in_names.push_back(input.name.c_str());
      tensors.push_back(input.tensor.c());
    }
    for (const std::string& name : output_names) out_names.push_back(name.c_str());
    std::vector<tesela_value*> made(out_names.empty() ? output_count_ : out_names.size());
    std::vector<Value> outputs;
    outputs.reserve(made.size());
    // A callback may have thrown although every node ran, so this takes ownership of outputs before it rethrows.
    const auto own = [&](auto... arguments) {
      const tesela_status status = tesela_session_run(arguments...);
      for (tesela_value* value : made)
        if (status == TESELA_OK) outputs.emplace_back(Value::Owner(value));
      return status;
    };
    detail::RunCall(options).run(own, handle_.get(), in_names.size(), in_names.data(), tensors.data(), made.size(),
                                 out_names.empty() ? nullptr : out_names.data(), made.data());
    return outputs;
  }
  std::vector<Value> run(std::initializer_list<Named> inputs, std::initializer_list<std::string> output_names = {},
                         const RunOptions& options = {}) {
    return run(std::span<const Named>(inputs.begin(), inputs.size()),
               std::span<const std::string>(output_names.begin(), output_names.size()), options);
  }

 private:
  using Owner = Handle<tesela_session, tesela_session_destroy>;
  size_t output_count_;
  Owner handle_;
};

}  // namespace v1
}  // namespace tesela

#include <tesela/images.hpp>
