// A plan made ready for one backend. A backend is a folder with a bind function, and a row of backends.def.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "backend/watch.h"
#include "plan/plan.h"
#include "types/tensor.h"

namespace tesela {

/// A box of the input, and the box of the output to be made from it.
struct BoxRun {
  TensorView input;  // extents: those of its box; ignored for fills
  Extents input_lo;  // where that box begins in the whole input
  MutableTensorView output;
  Extents output_lo;
  Watch* watch = nullptr;  // of the task; null where nobody can stop the run
};

/// What a box is part of, and what it may use.
struct BoxContext {
  int64_t run_input_bytes = 0;  // of the whole run; 0 where the run is small enough for any cache
  int64_t run_output_bytes = 0;
  std::span<std::byte> scratch = {};  // the caller's; used where it suffices
};

/// What a backend works out once for a plan: immutable, shared by runs and threads. The plan that its functions take is
/// the one that it was bound to.
class Program {
 public:
  virtual ~Program() = default;

  /// Computes run.output on the calling thread. The input box suffices, and nothing can fail but memory.
  virtual void run_box(const Plan& plan, const BoxRun& run, const BoxContext& context) const = 0;

  /// Bytes of scratch that this box takes.
  virtual int64_t scratch_bytes(const Plan& plan, const Box& output) const = 0;
};

using ProgramPtr = std::shared_ptr<const Program>;

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
