// SPDX-License-Identifier: Apache-2.0
// A range of the calling thread without Python's lock.
#pragma once

#include <nanobind/nanobind.h>
#include <unistd.h>

namespace tesela_python {

/// Gives the lock back at its begin and takes it at its end. Python ends a thread that asks for the lock when the
/// interpreter is on its way out by unwinding its stack, which C++ answers with an abort of the process: such a thread
/// stays here, until the process is gone.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
  ~Unlocked() {
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {
      while (true) ::pause();
    }
  }

 private:
  PyThreadState* state_;
};

}  // namespace tesela_python
