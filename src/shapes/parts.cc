// SPDX-License-Identifier: Apache-2.0
// Operators that slice, gather, split or concatenate tensors.
#include <algorithm>

#include "shapes/shape_rule.h"

namespace tesela {
namespace {

// ---- Parts

struct Cut {
  std::optional<int64_t> start, end, step;
};

int64_t clamped(int64_t position, int64_t extent, int64_t least, int64_t most) {
  if (position < 0) position = position < -extent ? -1 : position + extent;
  return std::clamp(position, least, most);
}

// The first element and the number of elements of a slice; the step is not 0.
std::pair<int64_t, int64_t> range_of(const Cut& cut, int64_t extent) {
  const int64_t step = *cut.step;
  if (extent == 0) return {0, 0};
  const bool up = step > 0;
  const int64_t start = clamped(*cut.start, extent, 0, up ? extent : extent - 1);
  const int64_t end = clamped(*cut.end, extent, up ? 0 : -1, up ? extent : extent - 1);
  const int64_t span = up ? end - start : start - end;
  if (span <= 0) return {start, 0};
  const uint64_t stride = up ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
  return {start, static_cast<int64_t>((static_cast<uint64_t>(span) - 1) / stride) + 1};
}

Dim cut_dim(const Dim& dim, const Cut& cut) {
  if (!cut.start || !cut.end || !cut.step || *cut.step == 0) return {};
  if (dim.known()) return {range_of(cut, dim.value).second, ""};
  // Exporters write "to the end" as a number above every extent.
  const bool takes_all = *cut.start == 0 && *cut.step == 1 && *cut.end >= INT32_MAX;
  return takes_all ? dim : Dim();
}

void slice_by(const RuleNode& node, const std::optional<Extents>& axes, const std::vector<Cut>& cuts, KnownValue& out) {
  out.type = node.input(0).type;
  if (!node.input(0).dims) return;
  const Dims& from = *node.input(0).dims;
  out.dims = Dims(from.size());
  const auto normal = axes ? normal_axes(*axes, from.size()) : std::nullopt;
  if (!normal || normal->size() != cuts.size()) return;
  Dims dims = from;
  for (size_t k = 0; k < cuts.size(); ++k) dims[(*normal)[k]] = cut_dim(from[(*normal)[k]], cuts[k]);
  out.dims = dims;
  const std::optional<Entries> entries = entries_of(node.input(0));
  if (!entries || from.size() != 1 || cuts.size() != 1 || !dims[0].known()) return;
  const auto [start, count] = range_of(cuts[0], from[0].value);
  Entries taken;
  for (int64_t k = 0; k < count; ++k) taken.push_back((*entries)[static_cast<size_t>(start + k * *cuts[0].step)]);
  set_entries(out, out.type, dims, std::move(taken));
}

void slice_by_attributes(const RuleNode& node, Outputs out) {
  const auto starts = node.integers("starts"), ends = node.integers("ends"), axes = node.integers("axes");
  std::vector<Cut> cuts;
  for (size_t k = 0; starts && ends && k < std::min(starts->size(), ends->size()); ++k)
    cuts.push_back({(*starts)[k], (*ends)[k], 1});
  slice_by(node, axes ? *axes : first_axes(cuts.size()), cuts, out[0]);
}

// An entry of an input that is a list of integers, if known.
std::optional<int64_t> entry_at(const std::optional<Entries>& entries, size_t k) {
  if (!entries || k >= entries->size() || !(*entries)[k].known) return std::nullopt;
  return (*entries)[k].integer;
}

void slice(const RuleNode& node, Outputs out) {
  const auto starts = entries_of(node.input(1)), ends = entries_of(node.input(2)), steps = entries_of(node.input(4));
  const size_t count = starts ? starts->size() : 0;
  std::vector<Cut> cuts;
  for (size_t k = 0; k < count; ++k)
    cuts.push_back({entry_at(starts, k), entry_at(ends, k), node.has_input(4) ? entry_at(steps, k) : 1});
  slice_by(node, node.has_input(3) ? node.integers(3) : first_axes(count), cuts, out[0]);
}

void gather(const RuleNode& node, Outputs out) {
  const KnownValue& data = node.input(0);
  const KnownValue& indices = node.input(1);
  out[0].type = data.type;
  if (!data.dims || !indices.dims) return;
  const std::optional<size_t> axis = normal_axis(node.attribute("axis", 0), data.dims->size());
  if (!axis) return;
  Dims dims(data.dims->data(), *axis);
  dims.append(indices.dims->data(), indices.dims->size());
  dims.append(data.dims->data() + *axis + 1, data.dims->size() - *axis - 1);
  out[0].dims = dims;
  const std::optional<Entries> from = entries_of(data);
  const std::optional<Extents> picks = node.integers(1);
  if (!from || !picks || data.dims->size() != 1) return;
  Entries taken;
  for (const int64_t pick : *picks) {
    const std::optional<size_t> place = normal_axis(pick, from->size());
    if (!place) return;
    taken.push_back((*from)[*place]);
  }
  set_entries(out[0], data.type, dims, std::move(taken));
}

void gather_elements(const RuleNode& node, Outputs out) {
  out[0].type = node.input(0).type;
  out[0].dims = node.input(1).dims;
}

// ---- Joins and splits

Dim sum_of(const Dim& a, const Dim& b) {
  if (a.value == 0) return b;
  if (b.value == 0) return a;
  const std::optional<int64_t> sum = a.known() && b.known() ? checked_add(a.value, b.value) : std::nullopt;
  return sum ? Dim{*sum, ""} : Dim();
}

// Two extents that must be equal: the known one.
Dim equal_extent(const Dim& a, const Dim& b) {
  if (a.known() || a == b) return a;
  return b.known() || a.symbol.empty() ? b : a;
}

void join_entries(const RuleNode& node, const Dims& dims, KnownValue& out) {
  Entries all;
  for (size_t k = 0; k < node.input_count(); ++k) {
    const std::optional<Entries> part = entries_of(node.input(k));
    if (!part || all.size() + part->size() > kMaxEntries) return;
    all.insert(all.end(), part->begin(), part->end());
  }
  if (count_of(dims) == static_cast<int64_t>(all.size())) set_entries(out, out.type, dims, std::move(all));
}

void concat(const RuleNode& node, Outputs out) {
  std::optional<Dims> dims;
  for (size_t k = 0; k < node.input_count(); ++k) {
    const KnownValue& input = node.input(k);
    if (out[0].type == DataType::kUndefined) out[0].type = input.type;
    if (!input.dims || (dims && dims->size() != input.dims->size())) return;
    const std::optional<size_t> axis = normal_axis(node.attribute("axis", 1), input.dims->size());
    if (!axis) return;
    for (size_t d = 0; dims && d < dims->size(); ++d)
      (*dims)[d] = d == *axis ? sum_of((*dims)[d], (*input.dims)[d]) : equal_extent((*dims)[d], (*input.dims)[d]);
    if (!dims) dims = input.dims;
  }
  out[0].dims = dims;
  if (dims && dims->size() == 1) join_entries(node, Dims(*dims), out[0]);
}

// Equal parts; the last one may be shorter.
void split_evenly(const Dim& whole, size_t axis, Outputs out) {
  const auto parts = static_cast<int64_t>(out.size());
  if (!whole.known()) return;
  const int64_t part = whole.value / parts + (whole.value % parts != 0 ? 1 : 0);
  for (int64_t k = 0; k < parts; ++k)
    (*out[static_cast<size_t>(k)].dims)[axis] = {std::clamp<int64_t>(whole.value - k * part, 0, part), ""};
}

void split_by(const RuleNode& node, bool is_given, const std::optional<Extents>& lengths, Outputs out) {
  for (KnownValue& part : out) part.type = node.input(0).type;
  if (!node.input(0).dims) return;
  const Dims& from = *node.input(0).dims;
  const std::optional<size_t> axis = normal_axis(node.attribute("axis", 0), from.size());
  if (!axis) return;
  for (KnownValue& part : out) {
    part.dims = from;
    (*part.dims)[*axis] = {};
  }
  if (!is_given) return split_evenly(from[*axis], *axis, out);
  for (size_t k = 0; lengths && lengths->size() == out.size() && k < out.size(); ++k)
    if ((*lengths)[k] >= 0) (*out[k].dims)[*axis] = {(*lengths)[k], ""};
}

void split_by_attribute(const RuleNode& node, Outputs out) {
  const std::optional<Extents> lengths = node.integers("split");
  split_by(node, lengths.has_value(), lengths, out);
}

void split(const RuleNode& node, Outputs out) {
  split_by(node, node.has_input(1), node.integers(1), out);
}

constexpr ShapeRule kPartRows[] = {
    {"Concat", 1, concat},
    {"Gather", 1, gather},
    {"GatherElements", 11, gather_elements},
    {"Slice", 1, slice_by_attributes},
    {"Slice", 10, slice},
    {"Split", 2, split_by_attribute},
    {"Split", 13, split},
};

}  // namespace

constinit const std::span<const ShapeRule> kPartRules = kPartRows;

}  // namespace tesela
