// SPDX-License-Identifier: Apache-2.0
// The mark of the calling thread.
#include "backend/executor.h"

namespace tesela {

const void* this_thread() {
  static thread_local char mark;
  return &mark;
}

}  // namespace tesela
