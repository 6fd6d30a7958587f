// SIGINT and SIGTERM, and signals that stand for failed writes.
#pragma once

namespace tesela::cli {

/// From here on SIGINT and SIGTERM end the program at once, with exit status 130 and no temporary file.
/// Signals that say that a write failed are left to the write to tell.
void catch_interrupts();

}  // namespace tesela::cli
