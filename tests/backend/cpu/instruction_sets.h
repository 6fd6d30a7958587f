// Tests one instruction set of this machine at a time.
#pragma once

#include <vector>

#include "backend/cpu/targets.h"
#include "hwy/highway.h"

namespace tesela::testing {

inline std::vector<int64_t> instruction_sets() {
  hwy::SetSupportedTargetsForTest(0);
  std::vector<int64_t> targets;
  for (int64_t rest = (hwy::SupportedTargets() | HWY_SCALAR) & (HWY_TARGETS); rest != 0; rest &= rest - 1)
    targets.push_back(rest & -rest);
  return targets;
}

/// Restricts dispatch to one instruction set until the end of the scope. The Ice Lake extensions include those that
/// they extend.
class OnlyInstructionSet {
 public:
  explicit OnlyInstructionSet(int64_t target) {
    hwy::SetSupportedTargetsForTest(target == HWY_AVX3_DL ? HWY_AVX3_DL | HWY_AVX3 : target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  ~OnlyInstructionSet() {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  OnlyInstructionSet(const OnlyInstructionSet&) = delete;
  OnlyInstructionSet& operator=(const OnlyInstructionSet&) = delete;
};

/// Calls f(target) for each instruction set; failures name it.
template <class F>
void for_each_instruction_set(F&& f) {
  for (const int64_t target : instruction_sets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    const OnlyInstructionSet only(target);
    f(target);
  }
}

}  // namespace tesela::testing
