// SPDX-License-Identifier: Apache-2.0
// Handles SIGINT, SIGTERM and SIGHUP, and ignores signals for failed writes.
#pragma once

namespace tesela::cli {

/// From this call on, SIGINT, SIGTERM and SIGHUP end the program at once, with exit status 130 and without temporary
/// files. Signals for failed writes are ignored; the write returns the error.
void catch_interrupts();

/// Waits for ever if a signal on another thread is ending the program: what fails meanwhile, because a temporary file was
/// deleted, is not an error.
void wait_if_interrupted();

/// For the end of the program. The C library holds a lock while it ends a program; a handler on the same thread would
/// wait for it for ever.
void hold_interrupts();

}  // namespace tesela::cli
