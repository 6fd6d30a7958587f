// SPDX-License-Identifier: Apache-2.0
// tesela.PlanCache: the plans of recent calls, and the calls whose plan is among them, done without Python.
#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "errors.h"
#include "memory.h"
#include "module.h"
#include "tensors.h"

namespace tesela_python {
namespace {

// What decides a plan: the input's dtype and extents, the operator and its parameters in the order of its function.
struct Key {
  nb::handle dtype;
  const int64_t* extents;
  size_t rank;
  PyObject* const* parameters;
  size_t count;
};

constexpr int kMaxNesting = 4;  // lists in lists of a parameter

bool is_of(PyObject* object, const PyTypeObject& type) {
  return Py_TYPE(object) == &type;
}
bool is_sequence(PyObject* object) {
  return is_of(object, PyTuple_Type) || is_of(object, PyList_Type);
}
Py_ssize_t size_of(PyObject* sequence) {
  return is_of(sequence, PyTuple_Type) ? PyTuple_Size(sequence) : PyList_Size(sequence);
}
PyObject* entry_of(PyObject* sequence, Py_ssize_t i) {
  return is_of(sequence, PyTuple_Type) ? PyTuple_GetItem(sequence, i) : PyList_GetItem(sequence, i);
}
uint64_t bits_of(PyObject* number) {
  const double value = PyFloat_AsDouble(number);
  uint64_t bits = 0;
  static_assert(sizeof bits == sizeof value);
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// What a key may be made of: values of Python's own types, which run no code of others where they are compared. Values of
// different types are different, so that no call takes the plan of a valid one.
class KeyHash {
 public:
  void mix(uint64_t value) {
    constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;
    hash_ = (hash_ ^ value) * kFactor;
    hash_ ^= hash_ >> 29;
  }
  /// False for what no key may hold.
  bool mix_parameter(PyObject* object, int depth = 0) {
    if (object == Py_None) return mix(1), true;
    const PyTypeObject* const type = Py_TYPE(object);
    if (type == &PyLong_Type || type == &PyUnicode_Type || type == &PyBytes_Type)
      return mix(static_cast<uint64_t>(PyObject_Hash(object))), true;
    if (type == &PyFloat_Type) return mix(bits_of(object)), true;
    // True, False, and the object that stands before an array's entries: there is one of each.
    if (type == &PyBool_Type || type == &PyBaseObject_Type) return mix(reinterpret_cast<uintptr_t>(object)), true;
    return is_sequence(object) && mix_sequence(object, depth);
  }
  uint64_t value() const { return hash_; }

 private:
  bool mix_sequence(PyObject* sequence, int depth) {
    if (depth == kMaxNesting) return false;
    const Py_ssize_t size = size_of(sequence);
    mix(static_cast<uint64_t>(size));
    for (Py_ssize_t i = 0; i < size; ++i)
      if (!mix_parameter(entry_of(sequence, i), depth + 1)) return false;
    return true;
  }
  uint64_t hash_ = 0;
};

// Of what equal keys have alike; nothing where a parameter cannot be part of a key.
std::optional<uint64_t> hash_of(const Key& key) {
  KeyHash hash;
  hash.mix(key.rank);
  for (size_t d = 0; d < key.rank; ++d) hash.mix(static_cast<uint64_t>(key.extents[d]));
  const Py_hash_t dtype = PyObject_Hash(key.dtype.ptr());
  if (dtype == -1) return PyErr_Clear(), std::nullopt;
  hash.mix(static_cast<uint64_t>(dtype));
  for (size_t i = 0; i < key.count; ++i)
    if (!hash.mix_parameter(key.parameters[i])) return std::nullopt;
  return hash.value();
}

bool equal(PyObject* a, PyObject* b) {
  if (a == b) return true;
  const int result = PyObject_RichCompareBool(a, b, Py_EQ);
  if (result < 0) nb::raise_python_error();
  return result == 1;
}

// Of the same type and the same in every bit; a list is the tuple of its entries.
bool is_same(PyObject* a, PyObject* b) {
  if (a == b) return true;
  if (is_sequence(a) && is_sequence(b)) {
    const Py_ssize_t size = size_of(a);
    if (size_of(b) != size) return false;
    for (Py_ssize_t i = 0; i < size; ++i)
      if (!is_same(entry_of(a, i), entry_of(b, i))) return false;
    return true;
  }
  if (Py_TYPE(a) != Py_TYPE(b)) return false;
  return is_of(a, PyFloat_Type) ? bits_of(a) == bits_of(b) : equal(a, b);
}

struct Entry {
  nb::object dtype;
  Extents extents;
  std::vector<nb::object> parameters;
  nb::object plan;  // tesela.Plan
  nb::object core;  // tesela._core.Plan
  nb::object output_shape;
  size_t output_bytes = 0;
  bool moves_bytes = false;  // the arrays' own memory is what the library reads and writes

  bool is_for(const Key& key) const {
    if (key.rank != extents.size() || key.count != parameters.size()) return false;
    for (size_t d = 0; d < key.rank; ++d)
      if (key.extents[d] != extents[d]) return false;
    if (!equal(dtype.ptr(), key.dtype.ptr())) return false;
    for (size_t i = 0; i < key.count; ++i)
      if (!is_same(parameters[i].ptr(), key.parameters[i])) return false;
    return true;
  }
};

class PlanCache {
 public:
  explicit PlanCache(nb::handle maxsize) : maxsize_(read_count("PlanCache", "maxsize", maxsize)) {
    const nb::module_ numpy = nb::module_::import_("numpy");
    ndarray_ = numpy.attr("ndarray");
    empty_ = numpy.attr("empty");
  }

  size_t size() const { return entries_.size(); }
  int64_t maxsize() const { return maxsize_; }
  void set_maxsize(nb::handle maxsize) {
    maxsize_ = read_count("PlanCache", "maxsize", maxsize);
    shrink(maxsize_);
  }
  void clear() { shrink(0); }

  /// The result of a call whose plan is known, for a NumPy array of a type that is computed in place; else None.
  PyObject* run(PyObject* x, PyObject* threads, PyObject* const* parameters, size_t count) {
    if (Py_TYPE(x) != reinterpret_cast<PyTypeObject*>(ndarray_.ptr()) || entries_.empty()) return none();
    const std::optional<int> known_threads = read_threads(threads);
    if (!known_threads) return none();
    const nb::object dtype = nb::steal(PyObject_GetAttr(x, dtype_name_.ptr()));
    Tensor from;
    if (!dtype.is_valid() || !from.try_borrow(x, false)) return PyErr_Clear(), none();
    const tesela_tensor& view = *from.get();
    const Key key = {dtype, view.extents, static_cast<size_t>(view.rank), parameters, count};
    const std::shared_ptr<const Entry> entry = lookup(key);
    if (!entry || !entry->moves_bytes) return none();
    nb::object y = make_output(*entry, dtype);
    Tensor to;
    if (!to.try_borrow(y, true)) nb::raise_python_error();
    run_plan(entry->core, *from.get(), *to.get(), *known_threads);
    return y.release().ptr();
  }

  nb::object find(nb::handle dtype, nb::handle shape, nb::args parameters) {
    const Extents extents = read_extents(shape);
    const std::vector<PyObject*> pointers = pointers_of(parameters);
    const auto entry = lookup({dtype, extents.data(), extents.size(), pointers.data(), pointers.size()});
    return entry ? entry->plan : nb::none();
  }

  void add(nb::object plan, nb::object dtype, nb::handle shape, nb::args parameters) {
    auto entry = std::make_shared<Entry>();
    entry->dtype = std::move(dtype);
    entry->extents = read_extents(shape);
    for (nb::handle parameter : parameters) entry->parameters.push_back(nb::borrow(parameter));
    entry->core = plan.attr("_core");
    entry->output_shape = plan.attr("output_shape");
    entry->output_bytes = nb::cast<size_t>(plan.attr("_output_bytes"));
    entry->moves_bytes = nb::cast<bool>(plan.attr("_moves_bytes"));
    entry->plan = std::move(plan);
    const std::vector<PyObject*> pointers = pointers_of(parameters);
    const std::optional<uint64_t> hash =
        hash_of({entry->dtype, entry->extents.data(), entry->extents.size(), pointers.data(), pointers.size()});
    if (maxsize_ <= 0 || !hash) return;
    shrink(maxsize_ - 1);
    // Of two keys with one hash the later stays.
    std::shared_ptr<const Entry>& place = entries_[*hash];
    if (!place) order_.push_back(*hash);
    const std::shared_ptr<const Entry> before = std::exchange(place, std::move(entry));
  }

 private:
  // Anything but None and a fair number is for Python to read, or to refuse.
  static std::optional<int> read_threads(PyObject* threads) {
    if (threads == Py_None) return 0;
    if (!is_of(threads, PyLong_Type)) return std::nullopt;
    constexpr long kMax = 1024;
    const long count = PyLong_AsLong(threads);
    if (count == -1) PyErr_Clear();
    if (count < 0 || count > kMax) return std::nullopt;
    return static_cast<int>(count);
  }

  static PyObject* none() { return nb::none().release().ptr(); }

  static std::vector<PyObject*> pointers_of(nb::args parameters) {
    std::vector<PyObject*> pointers;
    for (nb::handle parameter : parameters) pointers.push_back(parameter.ptr());
    return pointers;
  }

  nb::object make_output(const Entry& entry, const nb::object& dtype) const {
    const bool is_large = entry.output_bytes >= kPooledBytes;
    const nb::object memory = is_large ? make_memory(entry.output_bytes) : nb::object();
    PyObject* const arguments[] = {entry.output_shape.ptr(), dtype.ptr(), memory.ptr()};
    PyObject* const maker = is_large ? ndarray_.ptr() : empty_.ptr();
    nb::object y = nb::steal(PyObject_Vectorcall(maker, arguments, is_large ? 3 : 2, nullptr));
    if (!y.is_valid()) nb::raise_python_error();
    return y;
  }

  // The entry is shared: what is compared or run stays, whatever becomes of the cache.
  std::shared_ptr<const Entry> lookup(const Key& key) {
    if (const std::shared_ptr<const Entry> recent = recent_; recent && recent->is_for(key)) return recent;
    const std::optional<uint64_t> hash = hash_of(key);
    if (!hash) return nullptr;
    const auto found = entries_.find(*hash);
    if (found == entries_.end()) return nullptr;
    std::shared_ptr<const Entry> entry = found->second;
    if (!entry->is_for(key)) return nullptr;
    const std::shared_ptr<const Entry> before = std::exchange(recent_, entry);
    return entry;
  }

  // The oldest leave first.
  void shrink(int64_t size) {
    std::vector<std::shared_ptr<const Entry>> gone;  // given back when the cache is in order again
    if (static_cast<int64_t>(entries_.size()) > size) gone.push_back(std::move(recent_));
    while (static_cast<int64_t>(entries_.size()) > std::max<int64_t>(size, 0)) {
      const auto oldest = entries_.find(order_.front());
      gone.push_back(std::move(oldest->second));
      entries_.erase(oldest);
      order_.pop_front();
    }
  }

  int64_t maxsize_;
  nb::object ndarray_, empty_;
  nb::object dtype_name_ = nb::steal(PyUnicode_InternFromString("dtype"));
  std::shared_ptr<const Entry> recent_;  // of the last call: the next is often like it, and to compare is quicker
  std::unordered_map<uint64_t, std::shared_ptr<const Entry>> entries_;
  std::deque<uint64_t> order_;
};

// A method of Python's own kind, which takes its arguments where they lie: (x, threads, operator, *parameters).
PyObject* run_known(PyObject* self, PyObject* const* arguments, Py_ssize_t count) noexcept {
  if (count < 3) return PyErr_SetString(PyExc_TypeError, "run(x, threads, operator, *parameters)"), nullptr;
  try {
    return nb::inst_ptr<PlanCache>(self)->run(arguments[0], arguments[1], arguments + 2,
                                              static_cast<size_t>(count - 2));
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  }
  return nullptr;
}

PyMethodDef methods[] = {{"run", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&run_known)), METH_FASTCALL,
                          "run(self, x, threads, operator, /, *parameters)\n--\n\n"
                          "The result of a call whose plan is kept and whose array is read in place; otherwise None. "
                          "tesela.resize and tesela.tile call it first."},
                         {nullptr, nullptr, 0, nullptr}};
PyType_Slot slots[] = {{Py_tp_methods, methods}, {0, nullptr}};

}  // namespace

void bind_plan_cache(nb::module_& module) {
  nb::class_<PlanCache>(module, "PlanCache", nb::type_slots(slots),
                        "The plans of recent calls: at most `maxsize`, the oldest leaves first.")
      .def(nb::init<nb::handle>(), nb::arg("maxsize").none(), nb::sig("def __init__(self, maxsize: int) -> None"))
      .def_prop_rw("maxsize", &PlanCache::maxsize, &PlanCache::set_maxsize, nb::for_setter(nb::arg("maxsize").none()),
                   nb::for_setter(nb::sig("def maxsize(self, arg: int, /) -> None")),
                   "How many plans are kept, 0 or more. A smaller number drops the oldest. Errors: InvalidValueError.")
      .def("__len__", &PlanCache::size)
      .def("clear", &PlanCache::clear, "Forgets every plan.")
      .def("find", &PlanCache::find, nb::arg("dtype"), nb::arg("shape"), nb::arg("parameters"),
           nb::sig("def find(self, dtype: object, shape: object, *parameters: object) -> typing.Any"),
           "The plan that was added for this dtype and shape and these parameters, or None.")
      .def("add", &PlanCache::add, nb::arg("plan"), nb::arg("dtype"), nb::arg("shape"), nb::arg("parameters"),
           "Keeps a plan for calls with this dtype and shape and these parameters. If there are more than maxsize, the "
           "oldest is dropped.");
}

}  // namespace tesela_python
