// SPDX-License-Identifier: Apache-2.0
// Runs a loop nest: writes each output byte once, and copies repeats while they are in a cache.
#pragma once

#include "backend/cpu/move/nest.h"

namespace tesela::cpu::moves {

/// Runs nests as they are created. src, dst: the beginning of the input box and the output box.
class NestRunner final : public NestSink {
 public:
  NestRunner(const std::byte* src, std::byte* dst, const Element& element) : src_(src), dst_(dst), element_(element) {}
  void take(const LoopNest& nest) override;

 private:
  const std::byte* src_;
  std::byte* dst_;
  const Element& element_;
};

}  // namespace tesela::cpu::moves
