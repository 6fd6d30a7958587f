// Running a loop nest: each output byte is written once, and what repeats is copied while it is in a cache.
#pragma once

#include "backend/cpu/move/layout/loop_nest.h"

namespace tesela::cpu::moves {

/// Runs nests as they are made. src, dst: where the box of the input and that of the output begin.
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
