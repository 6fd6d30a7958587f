// SPDX-License-Identifier: Apache-2.0
// One call of Resize, held between the page's calls.
#include "page.h"

#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "tesela/tesela.h"

namespace {

constexpr uint64_t kMaxOutputBytes = uint64_t{128} << 20;
constexpr uint64_t kMaxWorkingBytes = uint64_t{256} << 20;

struct Call {
  tesela_op* op = nullptr;
  tesela_plan* plan = nullptr;
  std::map<std::string, std::vector<double>> given;
  std::vector<int64_t> extents;
  std::string text;
  tesela_error error = {};

  int32_t report(tesela_status status) {
    if (status != TESELA_OK) text = error.message;
    return static_cast<int32_t>(status);
  }
  int32_t report(tesela_status status, tesela_blob* blob) {
    if (status != TESELA_OK) return report(status);
    text.assign(tesela_blob_data(blob), tesela_blob_size(blob));
    tesela_blob_destroy(blob);
    return TESELA_OK;
  }
};
Call& call() {
  static Call only;
  return only;
}

// A list of numbers as an input.
struct Input {
  std::vector<float> floats;
  std::vector<int64_t> integers;
  int64_t count = 0;
  tesela_tensor tensor = {};

  Input(const std::vector<double>& numbers, bool whole) : count(static_cast<int64_t>(numbers.size())) {
    for (const double number : numbers) {
      if (whole)
        integers.push_back(static_cast<int64_t>(number));
      else
        floats.push_back(static_cast<float>(number));
    }
    void* const data = whole ? static_cast<void*>(integers.data()) : floats.data();
    tensor = {data, whole ? TESELA_INT64 : TESELA_FLOAT, 1, &count, nullptr, 0};
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
};

}  // namespace

extern "C" {

void* page_allocate(size_t bytes) {
  return std::malloc(bytes > 0 ? bytes : 1);
}

void page_release(void* memory) {
  std::free(memory);
}

const char* page_text() {
  return call().text.c_str();
}

const char* page_version() {
  return tesela_version();
}

int32_t page_ops() {
  tesela_blob* blob = nullptr;
  const tesela_status status = tesela_ops(TESELA_TEXT_JSON, &blob, &call().error);
  return call().report(status, blob);
}

const char* page_allowed(const char* name, size_t index) {
  return tesela_op_attribute_allowed(call().op, name, index);
}

int32_t page_begin() {
  Call& now = call();
  tesela_plan_destroy(now.plan);
  tesela_op_destroy(now.op);
  now.plan = nullptr;
  now.op = nullptr;
  now.given.clear();
  return now.report(tesela_op_create("", "Resize", 0, nullptr, &now.op, &now.error));
}

int32_t page_set_text(const char* name, const char* value) {
  return call().report(tesela_op_set_string(call().op, name, value, &call().error));
}

int32_t page_set_integer(const char* name, int32_t value) {
  return call().report(tesela_op_set_int(call().op, name, value, &call().error));
}

int32_t page_set_number(const char* name, double value) {
  return call().report(tesela_op_set_float(call().op, name, static_cast<float>(value), &call().error));
}

int32_t page_set_axes(const int32_t* axes, size_t count) {
  const std::vector<int64_t> list(axes, axes + count);
  return call().report(tesela_op_set_ints(call().op, "axes", list.data(), count, &call().error));
}

int32_t page_give(const char* name, const double* numbers, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!(std::fabs(numbers[i]) < 1e15)) {
      call().text = std::string(name) + " has an entry that is not a number below 1e15";
      return TESELA_ERROR_VALUE;
    }
  call().given[name].assign(numbers, numbers + count);
  return TESELA_OK;
}

int32_t page_plan(const char* dtype, int32_t rank, const int32_t* extents) {
  Call& now = call();
  now.extents.assign(extents, extents + rank);
  const tesela_tensor x = {nullptr, tesela_dtype_from_name(dtype), rank, now.extents.data(), nullptr, 0};
  const Input roi(now.given["roi"], false);
  const Input scales(now.given["scales"], false);
  const Input sizes(now.given["sizes"], true);
  const auto given = [](const Input& input) { return input.count > 0 ? &input.tensor : nullptr; };
  const tesela_tensor* const inputs[] = {&x, given(roi), given(scales), given(sizes)};
  tesela_limits limits = {};
  limits.struct_size = sizeof limits;
  limits.max_output_bytes = kMaxOutputBytes;
  limits.max_working_bytes = kMaxWorkingBytes;
  tesela_plan_destroy(now.plan);
  now.plan = nullptr;
  return now.report(tesela_plan_create(now.op, 4, inputs, &limits, &now.plan, &now.error));
}

int32_t page_output_extent(int32_t axis) {
  const bool exists = axis >= 0 && axis < tesela_plan_output_rank(call().plan);
  return exists ? static_cast<int32_t>(tesela_plan_output_extents(call().plan)[axis]) : -1;
}

const char* page_output_dtype() {
  return tesela_dtype_name(tesela_plan_dtype(call().plan));
}

int32_t page_explain(int32_t axis, int32_t first, int32_t count) {
  tesela_explain_options options = {};
  options.struct_size = sizeof options;
  options.axis_count = 1;
  options.axes = &axis;
  options.first = first;
  options.count = count;
  tesela_blob* blob = nullptr;
  const tesela_status status = tesela_plan_explain(call().plan, &options, TESELA_TEXT_JSON, &blob, &call().error);
  return call().report(status, blob);
}

int32_t page_run(const void* x, void* y) {
  Call& now = call();
  const tesela_dtype dtype = tesela_plan_dtype(now.plan);
  const tesela_tensor from = {const_cast<void*>(x), dtype,   static_cast<int32_t>(now.extents.size()),
                              now.extents.data(),   nullptr, 0};
  const tesela_tensor to = {y,       dtype, tesela_plan_output_rank(now.plan), tesela_plan_output_extents(now.plan),
                            nullptr, 0};
  return now.report(tesela_plan_run(now.plan, &from, &to, nullptr, &now.error));
}

}  // extern "C"
