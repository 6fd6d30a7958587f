// SPDX-License-Identifier: Apache-2.0
// Places for what several threads may make at the same time. They do not wait for each other, because a child of fork would wait for
// ever: the first to finish keeps its own.
#pragma once

#include <atomic>
#include <memory>

namespace tesela {

/// Puts what was made into an empty place, which then owns it; returns what the place has.
template <class T>
T* keep_first(std::atomic<T*>& place, std::unique_ptr<T> made) {
  T* kept = nullptr;
  return place.compare_exchange_strong(kept, made.get()) ? made.release() : kept;
}

}  // namespace tesela
