// Handles SIGINT and SIGTERM, and ignores signals for failed writes.
#pragma once

namespace tesela::cli {

/// From this call on, SIGINT and SIGTERM end the program at once, with exit status 130 and without temporary files.
/// Signals for failed writes are ignored; the write returns the error.
void catch_interrupts();

}  // namespace tesela::cli
