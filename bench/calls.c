/* SPDX-License-Identifier: Apache-2.0 */
// Calls a plan many times, without Python in between.
#include "tesela/tesela.h"

// Errors: the first status that is not OK.
tesela_status calls_repeat(const tesela_plan* plan, const tesela_tensor* input, const tesela_tensor* output,
                           const tesela_run_options* options, tesela_error* error, int64_t count,
                           tesela_status (*run)(const tesela_plan*, const tesela_tensor*, const tesela_tensor*,
                                                const tesela_run_options*, tesela_error*)) {
  for (int64_t i = 0; i < count; ++i) {
    const tesela_status status = run(plan, input, output, options, error);
    if (status != TESELA_OK) return status;
  }
  return TESELA_OK;
}
