// Plans of one node that were made while it ran.
#include "plan_cache.h"

#include <algorithm>

namespace tesela::plugins {

std::shared_ptr<const tesela_plan> PlanCache::find(std::span<const int64_t> key) {
  const std::lock_guard lock(mutex_);
  for (Entry& entry : entries_)
    if (std::ranges::equal(entry.key, key)) {
      entry.last_use = ++uses_;
      return entry.plan;
    }
  return nullptr;
}

void PlanCache::insert(std::span<const int64_t> key, std::shared_ptr<const tesela_plan> plan) {
  Entry made{{key.begin(), key.end()}, std::move(plan), 0};
  const std::lock_guard lock(mutex_);
  made.last_use = ++uses_;
  if (entries_.size() < kCapacity)
    entries_.push_back(std::move(made));
  else
    *std::ranges::min_element(entries_, {}, &Entry::last_use) = std::move(made);
}

}  // namespace tesela::plugins
