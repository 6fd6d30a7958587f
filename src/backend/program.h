// SPDX-License-Identifier: Apache-2.0
// A plan bound to a backend. A backend is a folder with a bind function, and a row of backends.def.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "backend/watch.h"
#include "plan/plan.h"
#include "types/tensor.h"

namespace tesela {

/// A box of the input, and the box of the output to compute from it.
struct BoxRun {
  TensorView input;  // extents: those of its box; ignored for fills
  Extents input_lo;  // position of that box in the whole input
  MutableTensorView output;
  Extents output_lo;
  Watch* watch = nullptr;  // of the task; null if the run cannot be stopped
};

/// The run that a box belongs to, and the scratch memory it may use.
struct BoxContext {
  int64_t run_input_bytes = 0;  // of the whole run; 0 if the run fits any cache
  int64_t run_output_bytes = 0;
  int threads = 1;                    // that compute it, each with caches of its own
  std::span<std::byte> scratch = {};  // the caller's; used if large enough
};

/// How a run is best divided into boxes.
struct Division {
  Extents strips;   // per axis, boxes begin at multiples of it; empty for 1
  Extents order;    // the axes, the first one to divide first; empty for the plan's order
  int threads = 1;  // that share the boxes, in parts as equal as the extents allow
};

struct Reordered;
struct TapSums;

/// The data that a backend computes once for a plan: immutable, shared by runs and threads. Its functions must get the
/// plan that it was bound to.
class Program {
 public:
  virtual ~Program() = default;

  /// Computes run.output on the calling thread. The input box must be sufficient. Only memory can fail.
  virtual void run_box(const Plan& plan, const BoxRun& run, const BoxContext& context) const = 0;

  /// Bytes of scratch memory for this box.
  virtual int64_t scratch_bytes(const Plan& plan, const Box& output) const = 0;

  /// Adds taps to partial sums on the calling thread, see accumulate.h. Only memory can fail.
  virtual void add_taps(const TapSums& sums) const = 0;

  virtual Division division(const Plan&, const BoxRun&) const { return {}; }

  /// The same plan with its axes in another order, if that saves copies of the run's tensors; null otherwise. It lives as
  /// long as this program. Only memory can fail.
  virtual const Reordered* find_reordered(const Plan&, const BoxRun&) const { return nullptr; }
};

using ProgramPtr = std::shared_ptr<const Program>;

/// A plan with its axes in another order, see axis_order.h, and its program.
struct Reordered {
  Extents order;
  Plan plan;
  ProgramPtr program;
};

// The list of backends, as an enumeration and as each one's bind function.
enum class Backend : uint8_t {
#define TESELA_BACKEND(folder) folder,
#include "backend/backends.def"
#undef TESELA_BACKEND
};

#define TESELA_BACKEND(folder)       \
  namespace folder {                 \
  ProgramPtr bind(const Plan& plan); \
  }
#include "backend/backends.def"
#undef TESELA_BACKEND

inline constexpr Backend kDefaultBackend = Backend{0};

/// Whether this is the number of a backend.
bool is_backend(int number);

ProgramPtr bind(const Plan& plan, Backend backend = kDefaultBackend);

}  // namespace tesela
