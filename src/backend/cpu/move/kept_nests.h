// SPDX-License-Identifier: Apache-2.0
// The loop nests of boxes that a plan runs on: tasks divide an output in the same way in every run, and laying out a box can take
// much longer than moving it.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "backend/cpu/move/nest.h"
#include "backend/cpu/scratch.h"
#include "backend/program.h"

namespace tesela::cpu::moves {

/// Everything that the nests of a box depend on, besides its plan. Boxes that differ only in axes that do not change share it.
using BoxKey = SmallVector<int64_t, 26>;
BoxKey key_of(const Plan& plan, const BoxRun& run, bool stream);

struct BoxNests final : NestSink {
  void take(const LoopNest& nest) override { nests.push_back(nest); }
  int64_t bytes() const;

  BoxKey key;
  std::vector<LoopNest> nests;
  KeptArena arena;  // for the data that nests point to
};

/// Thread-safe, see keep_first.h.
class KeptNests {
 public:
  KeptNests() = default;
  KeptNests(const KeptNests&) = delete;
  KeptNests& operator=(const KeptNests&) = delete;
  ~KeptNests();

  using Slot = std::atomic<const BoxNests*>;
  struct Found {
    const BoxNests* nests = nullptr;
    Slot* room = nullptr;  // where to keep them, if there are none and there is room
  };
  Found find(const BoxKey& key) const;
  void keep(Slot& room, std::unique_ptr<const BoxNests> nests) const;

 private:
  using Slots = std::array<Slot, 256>;

  Slots* slots() const;

  mutable std::atomic<Slots*> slots_ = nullptr;  // made by the first find, since most plans run on the whole output
  mutable std::atomic<int64_t> bytes_ = 0;
};

}  // namespace tesela::cpu::moves
