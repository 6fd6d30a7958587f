// SPDX-License-Identifier: Apache-2.0
// Emulations: the steps of an EmulatedPlan, one after another over the input box. Values between steps are held in doubles,
// which hold every number of the steps' types exactly.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "backend/reference/reference.h"
#include "backend/reference/strided.h"
#include "plan/emulation/pairwise_sum.h"
#include "types/elements.h"

namespace tesela::reference {
namespace {

struct Values {
  Extents lo;
  Extents extents;
  std::vector<double> values;
};

// ---- Sums -----------------------------------------------------------------------------------------------------------

// The taps of one output: of every combination of the axes' taps.
struct Tap {
  double weight;
  double value;
  double divisor;  // of the product, if the step divides
};
using Taps = std::vector<Tap>;

template <class C>
double sum_of(const EmulatedStep& step, const Taps& taps) {
  const bool divides = !step.axes.front().divisor.empty();
  std::vector<double> terms;
  C sum = static_cast<C>(step.start);
  for (const Tap& tap : taps) {
    C term = static_cast<C>(tap.weight) * static_cast<C>(tap.value);
    if (divides) term /= static_cast<C>(tap.divisor);
    if (step.order == EmulatedOrder::kPairwise)
      terms.push_back(static_cast<double>(term));
    else
      sum += term;
  }
  if (step.order == EmulatedOrder::kPairwise) return step.start + pairwise_sum(terms.data(), terms.size());
  return static_cast<double>(sum);
}

template <class C>
double fused_sum_of(const EmulatedStep& step, const Taps& taps) {
  const int64_t groups = step.unfused_taps;
  const int64_t rest = static_cast<int64_t>(taps.size()) - 1;
  const int64_t last_unfused = groups > 0 ? rest / groups * groups : 0;
  C sum = 0;
  int64_t k = 0;
  for (const Tap& tap : taps) {
    const auto weight = static_cast<C>(tap.weight);
    const auto value = static_cast<C>(tap.value);
    if (k > last_unfused)
      sum = std::fma(weight, value, sum);
    else
      sum = k == 0 ? weight * value : sum + weight * value;
    ++k;
  }
  return static_cast<double>(sum);
}

double whole_sum_of(const EmulatedStep& step, const Taps& taps) {
  auto sum = static_cast<uint64_t>(static_cast<int64_t>(step.start));
  for (const Tap& tap : taps)
    sum += static_cast<uint64_t>(static_cast<int64_t>(tap.weight)) *
           static_cast<uint64_t>(static_cast<int64_t>(tap.value));
  return static_cast<double>(static_cast<int32_t>(static_cast<uint32_t>(sum)));
}

// ---- Rounding -------------------------------------------------------------------------------------------------------

double wrapped(DataType type, int64_t whole) {
  switch (type) {
    case DataType::kInt8: return static_cast<int8_t>(static_cast<uint8_t>(whole));
    case DataType::kUint8: return static_cast<uint8_t>(whole);
    default: return static_cast<int32_t>(static_cast<uint32_t>(whole));
  }
}

// Values outside of int32, and NaN, give the smallest int32.
int64_t cut(double value) {
  return value > -0x1p31 - 1 && value < 0x1p31 ? static_cast<int64_t>(value) : INT32_MIN;
}

// Half a unit is added where the last bit that stays is set.
double even_cut(double value) {
  if (std::isnan(value)) return value;
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  const uint32_t kept = (bits + ((bits & 0x10000U) >> 1)) & 0xFFFF0000U;
  return static_cast<double>(std::bit_cast<float>(kept));
}

double rounded(const EmulatedStep& step, DataType type, double sum) {
  switch (step.rounding) {
    case EmulatedRounding::kNone: return sum;
    case EmulatedRounding::kCut: return wrapped(type, cut(sum));
    case EmulatedRounding::kHalfAway: return wrapped(type, cut(std::round(sum)));
    case EmulatedRounding::kEvenCut: return even_cut(sum);
    case EmulatedRounding::kShiftCut:
      return wrapped(type, static_cast<int64_t>(std::trunc(std::ldexp(sum, -step.shift))));
    case EmulatedRounding::kShiftClip:
      return wrapped(type, static_cast<int64_t>(std::clamp(std::floor(std::ldexp(sum, -step.shift)), 0.0, 255.0)));
  }
  return sum;
}

// ---- Steps ----------------------------------------------------------------------------------------------------------

// One step: the boxes' first inputs, and the range of outputs that the last axes need.
class StepRun {
 public:
  StepRun(const Plan& plan, const EmulatedStep& step, const BoxRun& run)
      : plan_(std::get<EmulatedPlan>(plan.work)), step_(step), type_(plan.type), run_(run) {
    const int64_t vector = step.vector_channels;
    if (vector > 0) in_vectors_ = plan.out[1] / vector * vector;
  }

  Values apply(const Values& in) {
    Values out{in.lo, in.extents, {}};
    for (const EmulatedAxis& axis : step_.axes) {
      out.lo[axis.axis] = run_.output_lo[axis.axis];
      out.extents[axis.axis] = run_.output.extents[axis.axis];
    }
    in_ = &in;
    in_strides_ = strides_of(in.extents);
    Extents index(out.extents.size(), 0);
    out.values.reserve(static_cast<size_t>(product(out.extents)));
    for (int64_t count = product(out.extents); count > 0; --count) {
      out.values.push_back(value_at(index));
      for (size_t d = index.size(); d-- > 0;) {
        if (++index[d] < out.extents[d]) break;
        index[d] = 0;
      }
    }
    return out;
  }

 private:
  static Extents strides_of(const Extents& extents) {
    Extents strides(extents.size(), 1);
    for (size_t d = extents.size(); d-- > 1;) strides[d - 1] = strides[d] * extents[d];
    return strides;
  }

  size_t output_of(const EmulatedAxis& axis, const Extents& index) const {
    return static_cast<size_t>(run_.output_lo[axis.axis] + index[axis.axis]);
  }

  double value_at(const Extents& index) {
    for (const EmulatedAxis& axis : step_.axes)
      if (!axis.outside.empty() && axis.outside[output_of(axis, index)] != 0) return plan_.extrapolation_value;
    int64_t base = 0;
    for (size_t d = 0; d < index.size(); ++d) base += index[d] * in_strides_[d];
    for (const EmulatedAxis& axis : step_.axes) base -= index[axis.axis] * in_strides_[axis.axis];
    taps_.clear();
    add_taps(index, 0, base);
    sort_taps(index);
    if (run_.watch != nullptr) run_.watch->spend(static_cast<int64_t>(taps_.size()));
    switch (step_.numbers) {
      case EmulatedNumbers::kFloat: return rounded(step_, type_, sum_of<float>(step_, taps_));
      case EmulatedNumbers::kFusedFloat: return rounded(step_, type_, fused_sum_of<float>(step_, taps_));
      case EmulatedNumbers::kDouble: return rounded(step_, type_, sum_of<double>(step_, taps_));
      case EmulatedNumbers::kFusedDouble: return rounded(step_, type_, fused_sum_of<double>(step_, taps_));
      case EmulatedNumbers::kInt32: return rounded(step_, type_, whole_sum_of(step_, taps_));
    }
    return 0;
  }

  // The taps of the axes from `a` on, at an offset that earlier axes gave.
  void add_taps(const Extents& index, size_t a, int64_t offset) {
    if (a == step_.axes.size()) {
      const EmulatedAxis& first = step_.axes.front();
      const double divisor = first.divisor.empty() ? 1 : first.divisor[output_of(first, index)];
      taps_.push_back({product_of_weights(), in_->values[static_cast<size_t>(offset)], divisor});
      return;
    }
    const EmulatedAxis& axis = step_.axes[a];
    const size_t i = output_of(axis, index);
    weights_.push_back(0);
    for (auto k = static_cast<size_t>(axis.first[i]); k < static_cast<size_t>(axis.first[i + 1]); ++k) {
      weights_.back() = axis.weight[k];
      const int64_t input = axis.input[k] - in_->lo[axis.axis];
      add_taps(index, a + 1, offset + input * in_strides_[axis.axis]);
    }
    weights_.pop_back();
  }

  void sort_taps(const Extents& index) {
    const bool in_vector = in_vectors_ > 0 && run_.output_lo[1] + index[1] < in_vectors_;
    const EmulatedOrder order = in_vector ? step_.vector_order : step_.order;
    const bool second_first = order == EmulatedOrder::kSecondFirst || order == EmulatedOrder::kSecondLastFirst;
    if (order == EmulatedOrder::kDescending || order == EmulatedOrder::kSecondLastFirst)
      std::reverse(taps_.begin(), taps_.end());
    if (second_first && taps_.size() > 1) std::swap(taps_[0], taps_[1]);
  }

  // In double the product of two floats is exact.
  double product_of_weights() const {
    const bool is_float = step_.numbers == EmulatedNumbers::kFloat || step_.numbers == EmulatedNumbers::kFusedFloat;
    double product = 1;
    for (size_t k = 0; k < weights_.size(); ++k) {
      product *= weights_[step_.first_weight_first ? k : weights_.size() - 1 - k];
      if (is_float) product = static_cast<double>(static_cast<float>(product));
    }
    return product;
  }

  const EmulatedPlan& plan_;
  const EmulatedStep& step_;
  DataType type_;
  const BoxRun& run_;
  int64_t in_vectors_ = 0;  // indices of the second axis
  const Values* in_ = nullptr;
  Extents in_strides_;
  Taps taps_;
  std::vector<double> weights_;  // of the tap that is being added, one for each axis
};

// ---- Input and output -----------------------------------------------------------------------------------------------

// As a float: infinite and large doubles become the largest float, and 64-bit integers lose their upper half.
template <class T>
double narrowed(T value) {
  if constexpr (std::is_same_v<T, double>) {
    constexpr auto kMost = static_cast<double>(std::numeric_limits<float>::max());
    return static_cast<double>(static_cast<float>(std::isnan(value) ? value : std::clamp(value, -kMost, kMost)));
  } else if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, int32_t>) {
    return static_cast<double>(static_cast<float>(static_cast<int32_t>(static_cast<uint32_t>(value))));
  } else {
    return load_as<double>(value);
  }
}

// Of complex numbers the real part.
Values load(const EmulatedPlan& plan, const TensorView& view, const Extents& lo, Watch* watch) {
  Values made{lo, view.extents, {}};
  visit_computed(view.type, [&](auto stored) {
    using T = typename decltype(stored)::Type;
    for_each_offset(view.type, view.extents, view.strides_bytes, watch, [&](int64_t offset) {
      T value;
      std::memcpy(&value, view.data + offset, sizeof value);
      made.values.push_back(plan.through_float ? narrowed(value) : load_as<double>(value));
    });
  });
  return made;
}

template <class T>
constexpr double largest_number() {
  if constexpr (kIsSmallFloat<T>) {
    static_assert(T::kFormat.specials == FloatFormat::Specials::kIeee);
    double power = 1;
    for (int i = 0; i < T::kFormat.bias; ++i) power *= 2;
    return power * (2 - 1.0 / (1 << T::kFormat.mantissa_bits));
  } else {
    return static_cast<double>(std::numeric_limits<T>::max());
  }
}

// Doubles of NumPy as an element: clamped to the type's finite range first. The ends of 64-bit integers are no doubles and
// NaN is no integer, so these become what x86 gives. bfloat16 is rounded from float.
template <class T>
T clamped(double value) {
  if constexpr (std::is_same_v<T, int64_t>) {
    const double whole = std::nearbyint(value);
    return whole >= -0x1p63 && whole < 0x1p63 ? static_cast<int64_t>(whole) : INT64_MIN;
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    if (std::isnan(value)) return uint64_t{1} << 63;
    return value < 0x1p64 ? store_as<T>(value) : 0;
  } else if constexpr (std::is_same_v<T, int32_t>) {
    return std::isnan(value) ? INT32_MIN : store_as<T>(value);
  } else if constexpr (std::is_integral_v<T> || std::is_same_v<T, BoolByte>) {
    return store_as<T>(value);
  } else {
    constexpr double most = largest_number<T>();
    const double finite = std::isnan(value) ? value : std::clamp(value, -most, most);
    if constexpr (std::is_same_v<T, Bfloat16>) return store_as<T>(static_cast<float>(finite));
    return store_as<T>(finite);
  }
}

// A float as an element: 32-bit and 64-bit integers are clamped to floats of 32 bits, doubles to finite floats.
template <class T>
T widened(double value) {
  if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, int32_t>) {
    return store_as<T>(std::clamp(value, -0x1p31, 0x1p31 - 128));
  } else if constexpr (std::is_same_v<T, double>) {
    return narrowed(value);
  } else {
    return store_as<T>(value);
  }
}

template <class T>
T element_of(const EmulatedPlan& work, double value) {
  if (work.flushes && std::abs(value) < 0x1p-126) value = std::copysign(0.0, value);
  if (work.through_float) return widened<T>(value);
  return work.store == EmulatedStore::kClamped ? clamped<T>(value) : store_as<T>(value);
}

bool is_outside(const EmulatedPlan& plan, int64_t flat) {
  return std::any_of(plan.outside.begin(), plan.outside.end(), [flat](const EmulatedOutside& each) {
    return each.flags[static_cast<size_t>(flat / each.stride) % each.flags.size()] != 0;
  });
}

void replace_outside(const EmulatedPlan& work, const Extents& out, const BoxRun& run, Values& block) {
  if (work.outside.empty()) return;
  Extents index(out.size(), 0);
  for (double& value : block.values) {
    int64_t flat = 0;
    for (size_t d = 0; d < out.size(); ++d) flat = flat * out[d] + run.output_lo[d] + index[d];
    if (is_outside(work, flat)) value = work.extrapolation_value;
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < block.extents[d]) break;
      index[d] = 0;
    }
  }
}

void store(const EmulatedPlan& work, const Values& block, const MutableTensorView& view, Watch* watch) {
  const double* from = block.values.data();
  visit_computed(view.type, [&](auto stored) {
    using T = typename decltype(stored)::Type;
    for_each_offset(view.type, view.extents, view.strides_bytes, watch, [&](int64_t offset) {
      const double value = *from++;
      T parts[2] = {element_of<T>(work, value), T{}};
      std::memcpy(view.data + offset, parts, sizeof(T) * static_cast<size_t>(parts_of(view.type)));
    });
  });
}

}  // namespace

void emulate_box(const Plan& plan, const BoxRun& run) {
  const auto& work = std::get<EmulatedPlan>(plan.work);
  Values block = load(work, run.input, run.input_lo, run.watch);
  for (const EmulatedStep& step : work.steps) block = StepRun(plan, step, run).apply(block);
  replace_outside(work, plan.out, run, block);
  store(work, block, run.output, run.watch);
}

}  // namespace tesela::reference
