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

namespace {

// 0 if this machine does not have it.
int64_t find_target(const std::string& name) {
  static const std::vector<int64_t> targets = testing::instruction_sets();
  for (const int64_t target : targets)
    if (hwy::TargetName(target) == name) return target;
  return 0;
}

}  // namespace

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const int64_t target : testing::instruction_sets()) names.emplace_back(hwy::TargetName(target));
  return names;
}

bool use_instruction_set(const std::string& name) {
  static std::optional<testing::OnlyInstructionSet> only;
  only.reset();
  const int64_t target = find_target(name);
  if (target != 0) only.emplace(target);
  return target != 0;
}

std::string used_instruction_set() {
  return hwy::TargetName(HWY_DYNAMIC_DISPATCH(Target)());
}

bool has_kernel(const cpu::KernelRow& kernel, const std::string& name) {
  return testing::has_kernel(kernel, find_target(name));
}

}  // namespace tesela::digests

#endif
