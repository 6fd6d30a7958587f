// SPDX-License-Identifier: Apache-2.0
// The executor of runs on one thread.
#include "backend/executor.h"

namespace tesela {
namespace {

class InlineExecutor : public Executor {
 public:
  void parallel_for(int64_t count, const std::function<void(int64_t)>& task) override {
    for (int64_t i = 0; i < count; ++i) task(i);
  }
  int concurrency() const override { return 1; }
  void release() override {}
};

}  // namespace

ExecutorPtr make_inline_executor() {
  static InlineExecutor executor;
  return ExecutorPtr(&executor);
}

const void* this_thread() {
  static thread_local char mark;
  return &mark;
}

}  // namespace tesela
