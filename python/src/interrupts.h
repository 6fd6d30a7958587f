// SPDX-License-Identifier: Apache-2.0
// Ctrl-C during a run: Python's signals wait for its lock, which a run does not hold.
#pragma once

#include <nanobind/nanobind.h>
#include <pthread.h>
#include <sys/types.h>
#include <tesela/tesela.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <utility>

#include "errors.h"
#include "unlocked.h"

namespace tesela_python {

/// Whether this is the thread that runs handlers: the process' first, or in a child of fork the one that forked.
inline bool is_main_thread() {
  static pthread_t main = {};
  static bool is_known = false;
  static const int registered = pthread_atfork(nullptr, nullptr, [] {
    main = pthread_self();
    is_known = true;
  });
  static_cast<void>(registered);
  if (is_known) return pthread_equal(main, pthread_self()) != 0;
  if (gettid() != getpid()) return false;
  main = pthread_self();
  is_known = true;
  return true;
}

/// Lets Python's handlers of signals run now and then, and stops the run where one raises. Python calls handlers on the
/// main thread only, so runs on others do not ask. progress: called with each share that the run reports, or none; what
/// it raises stops the run, too.
class Interrupts {
 public:
  explicit Interrupts(tesela_run_options& options, nanobind::handle progress = {})
      : progress_(progress.is_valid() && !progress.is_none() ? progress : nanobind::handle()), asks_(is_main_thread()) {
    if (!asks_ && !progress_.is_valid()) return;
    options.cancel = &cancel_;
    options.on_progress = &Interrupts::look;
    options.on_progress_context = this;
  }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// After the run, with Python's lock: raises what a handler or the progress has raised.
  void raise() {
    if (raised_) throw nanobind::python_error(std::move(*raised_));
  }

 private:
  // The lock may be another thread's for 5 ms, so it is not asked for often.
  static constexpr std::chrono::milliseconds kBetweenLooks{40};

  static void look(void* context, double share) {
    auto* self = static_cast<Interrupts*>(context);
    const auto now = std::chrono::steady_clock::now();
    const bool is_early = !self->asks_ || now - self->looked_ < kBetweenLooks;
    if (self->cancel_ != 0 || (is_early && !self->progress_.is_valid())) return;
    const nanobind::gil_scoped_acquire locked;
    try {
      if (!is_early && PyErr_CheckSignals() != 0) throw nanobind::python_error();
      if (self->progress_.is_valid()) self->progress_(share);
    } catch (nanobind::python_error& error) {
      self->raised_.emplace(std::move(error));
      __atomic_store_n(&self->cancel_, 1, __ATOMIC_RELAXED);
    }
    if (!is_early) self->looked_ = std::chrono::steady_clock::now();
  }

  nanobind::handle progress_;
  bool asks_;
  int32_t cancel_ = 0;
  std::optional<nanobind::python_error> raised_;
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
};

/// Runs without Python's lock; run: (options, error) -> status. progress: as of Interrupts. Raises the library's errors,
/// and what handlers and progress raise.
template <class Run>
void run_interruptible(tesela_run_options options, Run&& run, nanobind::handle progress = {}) {
  Interrupts interrupts(options, progress);
  tesela_error error = {};
  tesela_status status = TESELA_OK;
  {
    const Unlocked unlocked;
    status = run(&options, &error);
  }
  interrupts.raise();
  check(status, error);
}

}  // namespace tesela_python
