// SPDX-License-Identifier: Apache-2.0
// The instruction sets of this machine: which kernels they have, and runs on one of them alone.
#pragma once

#include <vector>

#include "backend/cpu/targets.h"
#include "hwy/highway.h"

#include "backend/cpu/kernels.h"

namespace tesela::testing {

inline std::vector<int64_t> instruction_sets() {
  hwy::SetSupportedTargetsForTest(0);
  std::vector<int64_t> targets;
  for (int64_t rest = (hwy::SupportedTargets() | HWY_SCALAR) & (HWY_TARGETS); rest != 0; rest &= rest - 1)
    targets.push_back(rest & -rest);
  return targets;
}

/// Whether an instruction set has what the kernel requires, so that the kernel's sample must run it there.
inline bool has_kernel(const cpu::KernelRow& kernel, int64_t target) {
  switch (kernel.needs) {
    case cpu::Needs::kNothing: return true;
    case cpu::Needs::kVectors: return target != HWY_SCALAR;
    case cpu::Needs::kAvx3Dl: return target == HWY_AVX3_DL;
  }
  return false;
}

/// Restricts dispatch to one instruction set until the end of the scope. The Ice Lake extensions include those that
/// they extend.
class OnlyInstructionSet {
 public:
  explicit OnlyInstructionSet(int64_t target) { choose(target == HWY_AVX3_DL ? HWY_AVX3_DL | HWY_AVX3 : target); }
  ~OnlyInstructionSet() { choose(all()); }
  OnlyInstructionSet(const OnlyInstructionSet&) = delete;
  OnlyInstructionSet& operator=(const OnlyInstructionSet&) = delete;

 private:
  static void choose(int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(targets);
  }
  // Asked once: a virtual machine traps each question to the processor.
  static int64_t all() {
    static const int64_t targets = [] {
      hwy::SetSupportedTargetsForTest(0);
      return hwy::SupportedTargets();
    }();
    return targets;
  }
};

}  // namespace tesela::testing
