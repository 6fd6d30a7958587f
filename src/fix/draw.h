// SPDX-License-Identifier: Apache-2.0
// Random calls: what is not known of a node's inputs is drawn.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "fix/call.h"

namespace tesela::fix {

/// The same numbers on every machine (splitmix64).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next();
  int64_t between(int64_t least, int64_t most) {
    return least + static_cast<int64_t>(next() % static_cast<uint64_t>(most - least + 1));
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  uint64_t state_;
};

/// What is known of the old node's inputs, with what is not known drawn: extents, scales, sizes and so on.
class DrawnInputs {
 public:
  DrawnInputs(const Call& before, Inputs known, Random& random);
  DrawnInputs(const DrawnInputs&) = delete;
  DrawnInputs& operator=(const DrawnInputs&) = delete;

  Inputs view() const { return pointers_; }
  bool any() const { return any_; }

 private:
  void draw_data(const OpDesc& op, TensorInfo& info);
  void draw_parameter(const OpDesc& op, std::string_view name, TensorInfo& info);
  std::vector<int64_t> entries(const TensorInfo& info, size_t count, int64_t least, int64_t most);
  size_t listed_axes(const OpDesc& op) const;

  Random& random_;
  std::deque<TensorInfo> infos_;  // pointers to them stay valid
  std::vector<const TensorInfo*> pointers_;
  size_t rank_ = 0;
  bool takes_sizes_ = false;  // where scales and sizes may both be given, one is empty
  bool any_ = false;
};

/// An element of the tensor to resize or tile at this position, the same in every call.
void draw_element(DataType type, uint64_t seed, int64_t position, std::byte* element);

}  // namespace tesela::fix
