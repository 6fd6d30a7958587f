// Handles SIGINT, SIGTERM and SIGHUP, and ignores signals for failed writes.
#pragma once

namespace tesela::cli {

/// From this call on, SIGINT, SIGTERM and SIGHUP end the program at once, with exit status 130 and without temporary
/// files. Signals for failed writes are ignored; the write returns the error.
void catch_interrupts();

/// For the end of the program. The C library holds a lock while it ends a program; a handler on the same thread would
/// wait for it for ever.
void hold_interrupts();

}  // namespace tesela::cli
