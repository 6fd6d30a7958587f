// SPDX-License-Identifier: Apache-2.0
// Runs a case in one of many ways; every way must give the same elements.
#pragma once

#include <string>
#include <vector>

#include "digests/case.h"
#include "tesela/tesela.h"

namespace tesela::digests {

/// How the output is divided: not at all, along one axis, or along all.
enum class Cut : uint8_t { kWhole, kStrips, kBoxes };

struct Way {
  bool reference = false;
  int threads = 1;
  Cut cut = Cut::kWhole;
  int alignment = 0;  // bytes by which tensors begin after a multiple of 64
  std::string environment = "default";
};

struct Outcome {
  tesela_status status = TESELA_OK;
  std::string message;
  bool computed = false;         // not copies of the input's elements
  std::vector<int64_t> extents;  // of the output
  std::vector<std::byte> bytes;  // of its elements, one after another, as in make_elements
};

/// What was used, to prove that the way was really taken.
struct Use {
  int64_t divided = 0;    // runs divided among threads by the host's executor
  int most_threads = 0;   // that such a run used
  int64_t boxes = 0;      // run by tesela_plan_run_region
  int64_t unaligned = 0;  // tensors that did not begin at a multiple of 64
  bool kept_environment = true;
};

Outcome run_case(const Case& drawn, const Way& way, Use& use);

}  // namespace tesela::digests
