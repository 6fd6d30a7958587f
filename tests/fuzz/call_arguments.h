// SPDX-License-Identifier: Apache-2.0
// Arguments of the C interface drawn from a fuzzer's bytes: mostly valid, rarely NULL or something that calls must refuse.
#pragma once

#include <algorithm>
#include <array>

#include "fuzz/input.h"
#include "tesela/tesela.h"
#include "types/shape.h"

namespace tesela::testing {

inline constexpr size_t kBuffer = 1 << 16;  // bytes that any drawn tensor stays within

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

class CallArguments {
 protected:
  explicit CallArguments(Input& input) : input_(input) {
    static const bool filled = [] {
      for (size_t k = 0; k < std::size(strings_); ++k) strings_[k] = {"tesela", k % 7};
      return true;
    }();
    static_cast<void>(filled);
  }

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

  // A dense tensor, with memory in the second half of the buffer if it is small.
  const tesela_tensor* shaped(tesela_dtype dtype, int32_t rank, const int64_t* extents, std::byte* buffer) {
    Drawn& drawn = drawn_[next_++ % drawn_.size()];
    drawn.tensor = {nullptr, dtype, rank, extents, nullptr, 0};
    const Result<int64_t> bytes = byte_count(static_cast<DataType>(dtype), {extents, static_cast<size_t>(rank)});
    const bool fits = bytes.ok() && *bytes <= static_cast<int64_t>(kBuffer / 2);
    void* const strings = buffer == buffer_ ? strings_ : y_strings_;
    if (fits) drawn.tensor.data = dtype == TESELA_STRING ? strings : buffer + kBuffer / 2;
    return &drawn.tensor;
  }
  // Of the shape of a plan's input or output, or any.
  const tesela_tensor* tensor_of(const tesela_plan* plan, bool is_output) {
    if (plan == nullptr || input_.chance(15)) return tensor(is_output);
    const int32_t rank = is_output ? tesela_plan_output_rank(plan) : tesela_plan_input_rank(plan);
    const int64_t* const extents = is_output ? tesela_plan_output_extents(plan) : tesela_plan_input_extents(plan);
    return shaped(tesela_plan_dtype(plan), rank, extents, is_output ? y_buffer_ : buffer_);
  }

  const tesela_run_options* run_options() {
    options_ = {};
    options_.struct_size = struct_size(sizeof options_);
    options_.threads = static_cast<int32_t>(input_.pick(rarely() ? -2 : 0, 3));
    options_.backend = static_cast<tesela_backend>(input_.pick(0, rarely() ? 5 : 1));
    options_.cancel = rarely() ? &kCancel : nullptr;
    return unless_rarely(&options_);
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

  static constexpr int64_t kUgly[] = {-1, INT64_MIN, INT64_MAX, int64_t{1} << 32, 1'000'000, 0};
  static constexpr int32_t kCancel = 1;
  static constexpr std::array<int64_t, 80> kZero = {};

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
  alignas(64) static inline std::byte sums_buffer_[kBuffer] = {};
  static inline tesela_string strings_[kBuffer / sizeof(tesela_string)];
  static inline tesela_string y_strings_[kBuffer / sizeof(tesela_string)];
  std::array<int64_t, 80> lo_ = {};
  std::array<int64_t, 80> n_ = {};
  tesela_error error_ = {};
  tesela_limits limits_ = {};
  tesela_run_options options_ = {};
};

}  // namespace tesela::testing
