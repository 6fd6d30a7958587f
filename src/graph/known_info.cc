// SPDX-License-Identifier: Apache-2.0
// Joins the known properties of a value with its declaration.
#include "graph/known_info.h"

#include <algorithm>

#include "graph/value_text.h"

namespace tesela {
namespace {

constexpr size_t kMaxSymbol = 128;  // bytes; every shape with a symbol has a copy of it

// The declared dims within the limits, or empty.
std::optional<Dims> limited_dims(const std::optional<Dims>& dims, const Limits& limits) {
  if (!dims || static_cast<int64_t>(dims->size()) > limits.max_rank) return std::nullopt;
  Dims copy = *dims;
  for (Dim& dim : copy)
    if (dim.known() || dim.symbol.size() > kMaxSymbol) dim.symbol = {};
  return copy;
}

bool contradicts(const TensorInfo& known, const TensorInfo& declared) {
  if (!known.dims || !declared.dims) return false;
  if (known.dims->size() != declared.dims->size()) return true;
  for (size_t d = 0; d < known.dims->size(); ++d) {
    const Dim& known_dim = (*known.dims)[d];
    const Dim& declared_dim = (*declared.dims)[d];
    if (known_dim.known() && declared_dim.known() && known_dim.value != declared_dim.value) return true;
  }
  return false;
}

bool adds_to(const Dim& declared, const Dim& known) {
  return !known.known() && (declared.known() || (known.symbol.empty() && !declared.symbol.empty()));
}

// True if the declaration has information that is not known yet.
bool adds_to(const TensorInfo& declared, const TensorInfo& known) {
  if (known.type == DataType::kUndefined && declared.type != DataType::kUndefined) return true;
  if (!declared.dims) return false;
  if (!known.dims) return true;
  for (size_t d = 0; d < known.dims->size(); ++d)
    if (adds_to((*declared.dims)[d], (*known.dims)[d])) return true;
  return false;
}

KnownInfo filled(const KnownValue& known, const TensorInfo& declared) {
  auto both = std::make_shared<KnownValue>(known);
  if (both->type == DataType::kUndefined) both->type = declared.type;
  if (!both->dims) both->dims = declared.dims;
  for (size_t d = 0; declared.dims && d < both->dims->size(); ++d)
    if (adds_to((*declared.dims)[d], (*both->dims)[d])) (*both->dims)[d] = (*declared.dims)[d];
  return both;
}

}  // namespace

KnownInfo declared_info(const ValueDeclaration& declared, const Limits& limits) {
  if (!declared.is_tensor) return nullptr;
  auto info = std::make_shared<KnownValue>();
  info->type = declared.info.type;
  info->dims = limited_dims(declared.info.dims, limits);
  return info;
}

KnownInfo constant_info(const Tensor& tensor) {
  auto info = std::make_shared<KnownValue>();
  info->type = tensor.type();
  info->dims.emplace();
  for (const int64_t extent : tensor.extents()) info->dims->push_back({extent, ""});
  info->constant = tensor;
  return info;
}

Result<KnownInfo> join(const KnownInfo& known, const ValueDeclaration& declared, const Limits& limits) {
  if (!known) return declared_info(declared, limits);
  if (!declared.is_tensor) return type_error("is not declared as a tensor and is {}", info_text(*known));
  const TensorInfo& declaration = declared.info;
  const auto contradiction = [&] {
    return fmt::format("is declared as {} and is {}", info_text(declaration), info_text(*known));
  };
  if (known->type != DataType::kUndefined && declaration.type != DataType::kUndefined &&
      known->type != declaration.type)
    return Status(TESELA_ERROR_TYPE, contradiction());
  if (contradicts(*known, declaration)) return Status(TESELA_ERROR_SHAPE, contradiction());
  if (!adds_to(declaration, *known)) return known;
  const KnownInfo usable = declared_info(declared, limits);
  return filled(*known, *usable);
}

bool all_known(const std::optional<Dims>& dims) {
  return dims && std::all_of(dims->begin(), dims->end(), [](const Dim& dim) { return dim.known(); });
}

}  // namespace tesela
