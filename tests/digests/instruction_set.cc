// SPDX-License-Identifier: Apache-2.0
// Compiled for each instruction set, as the library's kernels are.
#include "digests/instruction_set.h"

#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "digests/instruction_set.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::digests {
namespace HWY_NAMESPACE {

int64_t Target() {
  return HWY_TARGET;
}

}  // namespace HWY_NAMESPACE
}  // namespace tesela::digests
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <optional>

#include "backend/cpu/instruction_sets.h"

namespace tesela::digests {

HWY_EXPORT(Target);

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const int64_t target : testing::instruction_sets()) names.emplace_back(hwy::TargetName(target));
  return names;
}

bool use_instruction_set(const std::string& name) {
  static std::optional<testing::OnlyInstructionSet> only;
  only.reset();
  for (const int64_t target : testing::instruction_sets())
    if (hwy::TargetName(target) == name) return only.emplace(target), true;
  return false;
}

std::string used_instruction_set() {
  return hwy::TargetName(HWY_DYNAMIC_DISPATCH(Target)());
}

bool has_vectors(const std::string& name) {
  return name != hwy::TargetName(HWY_SCALAR);
}

bool has_byte_lookups(const std::string& name) {
  return name == hwy::TargetName(HWY_AVX3_DL);
}

}  // namespace tesela::digests

#endif
