// SPDX-License-Identifier: Apache-2.0
// Operators that compute small tensors from extents, or use them as the output's shape.
#include <algorithm>
#include <cmath>

#include "shapes/shape_rule.h"

namespace tesela {
namespace {

__extension__ using Int128 = __int128;

// An entry as an extent; unknown if it is below 0.
Dim dim_of(const Entry& entry) {
  if (!entry.known) return {-1, entry.symbol};
  return entry.integer < 0 ? Dim() : Dim{entry.integer, ""};
}

// ---- Extents as data

// A position from the front or, if negative, from the back, clamped to [0, rank] before an addition could
// overflow.
int64_t bounded(int64_t position, int64_t rank) {
  position = std::clamp(position, -rank, rank);
  return position < 0 ? position + rank : position;
}

// From version 15 on, `start` and `end` select a part of the extents.
void shape(const RuleNode& node, Outputs out) {
  out[0].type = DataType::kInt64;
  out[0].dims = Dims{Dim()};
  const std::optional<Dims>& dims = node.input(0).dims;
  if (!dims) return;
  const auto rank = static_cast<int64_t>(dims->size());
  const int64_t start = bounded(node.attribute("start", 0), rank);
  const int64_t end = std::max(start, bounded(node.attribute("end", rank), rank));
  const Dims part(dims->data() + start, static_cast<size_t>(end - start));
  set_entries(out[0], DataType::kInt64, {Dim{end - start, ""}}, entries_of_dims(part));
}

void size(const RuleNode& node, Outputs out) {
  const std::optional<int64_t> count = node.input(0).dims ? count_of(*node.input(0).dims) : std::nullopt;
  set_entries(out[0], DataType::kInt64, {}, {count ? Entry{true, *count} : Entry()});
}

// The number of steps from start up to limit, exclusive.
std::optional<int64_t> steps(const KnownValue& start, const KnownValue& limit, const KnownValue& delta) {
  const auto a = entries_of(start), b = entries_of(limit), d = entries_of(delta);
  for (const auto* entries : {&a, &b, &d})
    if (!*entries || (*entries)->size() != 1 || !(*entries)->front().known) return std::nullopt;
  if (start.type == DataType::kInt64 || start.type == DataType::kInt32) {
    const Int128 span = static_cast<Int128>(b->front().integer) - a->front().integer;
    const Int128 step = d->front().integer;
    if (step == 0) return std::nullopt;
    const Int128 count = span / step + (span % step != 0 && (span < 0) == (step < 0) ? 1 : 0);
    return count < 0 ? 0 : count > INT64_MAX ? std::optional<int64_t>() : static_cast<int64_t>(count);
  }
  const double count = std::ceil((b->front().real - a->front().real) / d->front().real);
  if (!(count < 0x1p63)) return std::nullopt;
  return count < 0 ? 0 : static_cast<int64_t>(count);
}

// From 0 with step 1, the limit is the number of elements.
Dim counted_by_limit(const RuleNode& node) {
  const auto start = node.integers(0), delta = node.integers(2);
  const auto limit = entries_of(node.input(1));
  const bool counts = start && *start == Extents{0} && delta && *delta == Extents{1};
  return counts && limit && limit->size() == 1 ? dim_of(limit->front()) : Dim();
}

void range(const RuleNode& node, Outputs out) {
  out[0].type = node.input(0).type;
  const std::optional<int64_t> count = steps(node.input(0), node.input(1), node.input(2));
  if (!count) {
    out[0].dims = Dims{counted_by_limit(node)};
    return;
  }
  out[0].dims = Dims{Dim{*count, ""}};
  const auto start = node.integers(0), delta = node.integers(2);
  if (!start || !delta || *count > static_cast<int64_t>(kMaxEntries)) return;
  Entries entries;
  for (int64_t k = 0; k < *count; ++k) entries.push_back({true, (*start)[0] + k * (*delta)[0]});
  set_entries(out[0], out[0].type, Dims(*out[0].dims), std::move(entries));
}

// ---- Data as extents

// The entries of an input that is a list of integers.
std::optional<Entries> listed_extents(const KnownValue& value) {
  const bool is_list = value.type == DataType::kInt64 && value.dims && value.dims->size() == 1;
  return is_list ? entries_of(value) : std::nullopt;
}

// The quotient of the products of two lists of extents: a number, a symbol, or unknown. The divisor does not
// contain the entry to be computed.
Dim quotient(const Dims& dividend, const Dims& divisor) {
  std::optional<int64_t> above = 1, below = 1;
  std::vector<Name> symbols;
  for (const Dim& dim : dividend) {
    if (!dim.known() && dim.symbol.empty()) return {};
    if (!dim.known())
      symbols.push_back(dim.symbol);
    else if (above)
      above = checked_mul(*above, dim.value);
  }
  for (const Dim& dim : divisor) {
    if (dim.known()) {
      if (below) below = checked_mul(*below, dim.value);
      continue;
    }
    const auto same = std::find(symbols.begin(), symbols.end(), dim.symbol);
    if (same == symbols.end()) return {};
    symbols.erase(same);
  }
  if (!above || !below || *below == 0 || *above % *below != 0) return {};
  if (symbols.empty()) return {*above / *below, ""};
  return symbols.size() == 1 && *above == *below ? Dim{-1, symbols.front()} : Dim();
}

void reshape_to(const RuleNode& node, const Entries& shape, KnownValue& out) {
  const std::optional<Dims>& from = node.input(0).dims;
  const bool zero_copies = node.attribute("allowzero", 0) == 0;
  Dims to, others;                    // `others`: without copied and open entries
  Dims rest = from ? *from : Dims();  // of the input, without copied ones
  std::optional<size_t> open;
  for (size_t d = 0; d < shape.size(); ++d) {
    const bool copies = zero_copies && shape[d].known && shape[d].integer == 0;
    const bool is_open = shape[d].known && shape[d].integer == -1 && !open;
    to.push_back(!copies ? dim_of(shape[d]) : d < rest.size() ? (*from)[d] : Dim());
    if (is_open) open = d;
    if (copies && d < rest.size())
      rest[d] = {1, ""};
    else if (!is_open)
      others.push_back(to.back());
  }
  if (open && from) to[*open] = quotient(rest, others);
  const std::optional<Entries> entries = entries_of(node.input(0));
  const std::optional<int64_t> count = count_of(to);
  if (entries && count == static_cast<int64_t>(entries->size())) return set_entries(out, out.type, to, *entries);
  out.dims = to;
}

void reshape(const RuleNode& node, Outputs out) {
  out[0].type = node.input(0).type;
  if (const std::optional<Entries> shape = listed_extents(node.input(1))) reshape_to(node, *shape, out[0]);
}

// Before version 5 the shape is an attribute.
void reshape_by_attribute(const RuleNode& node, Outputs out) {
  out[0].type = node.input(0).type;
  const std::optional<Extents> shape = node.integers("shape");
  if (!shape) return;
  Entries entries;
  for (const int64_t extent : *shape) entries.push_back({true, extent});
  reshape_to(node, entries, out[0]);
}

void expand(const RuleNode& node, Outputs out) {
  out[0].type = node.input(0).type;
  const std::optional<Entries> shape = listed_extents(node.input(1));
  if (!shape || !node.input(0).dims) return;
  Dims to;
  for (const Entry& entry : *shape) to.push_back(dim_of(entry));
  out[0].dims = broadcast_dims(*node.input(0).dims, to);
}

constexpr ShapeRule kExtentRows[] = {
    {"Expand", 8, expand},   {"Range", 11, range}, {"Reshape", 1, reshape_by_attribute},
    {"Reshape", 5, reshape}, {"Shape", 1, shape},  {"Size", 1, size},
};

}  // namespace

constinit const std::span<const ShapeRule> kExtentRules = kExtentRows;

}  // namespace tesela
