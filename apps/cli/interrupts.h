// SIGINT and SIGTERM as a request to stop, which work looks at now and then.
#pragma once

#include <atomic>
#include <cstdint>

namespace tesela::cli {

/// From here on the first SIGINT or SIGTERM asks the work to stop; a second one ends the process as usual.
/// Signals that say that a write failed are left to the write to tell.
void catch_interrupts();

/// Non-zero once a signal asked to stop; for RunOptions.
const std::atomic<int32_t>* cancel_flag();

/// Throws a failure if a signal asked to stop.
void stop_if_interrupted();

}  // namespace tesela::cli
