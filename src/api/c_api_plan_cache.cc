// SPDX-License-Identifier: Apache-2.0
// The C interface: caches of plans for repeated calls.
#include <pthread.h>

#include <list>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "api/boundary.h"
#include "api/op_handles.h"
#include "api/read_inputs.h"

using namespace tesela;
using namespace tesela::api;

namespace {

struct DestroyPlan {
  void operator()(tesela_plan* plan) const { tesela_plan_destroy(plan); }
};
using PlanHandle = std::unique_ptr<tesela_plan, DestroyPlan>;

tesela_plan* add_handle(tesela_plan* plan) {
  plan->handles.fetch_add(1, std::memory_order_relaxed);
  return plan;
}

// Lists with one entry for each axis are small; larger values are planned in each call.
constexpr int64_t kMaxValueBytes = 4096;

// The bytes of a small dense tensor; -1 for others, whose errors planning reports.
int64_t value_bytes(const tesela_tensor& tensor, int32_t bits) {
  if (tensor.strides != nullptr || tensor.bit_offset != 0 || tensor.dtype == TESELA_STRING) return -1;
  int64_t elements = 1;
  for (int32_t axis = 0; axis < tensor.rank; ++axis) {
    if (tensor.extents[axis] < 0 || tensor.extents[axis] > kMaxValueBytes) return -1;
    elements *= tensor.extents[axis];
    if (elements > kMaxValueBytes) return -1;
  }
  const int64_t bytes = (elements * bits + 7) / 8;
  return bytes > kMaxValueBytes || (bytes > 0 && tensor.data == nullptr) ? -1 : bytes;
}

// False if plans of such an input are not cached.
bool add_input(PlanKey& key, const tesela_tensor& tensor, bool is_read) {
  const DataTypeTraits* const traits = find_traits(static_cast<DataType>(tensor.dtype));
  if (traits == nullptr || tensor.rank < 0 || (tensor.rank > 0 && tensor.extents == nullptr)) return false;
  key.add(static_cast<uint64_t>(tensor.dtype));
  key.add(tensor.extents, static_cast<size_t>(tensor.rank) * sizeof(int64_t));
  if (!is_read) return true;
  const int64_t bytes = value_bytes(tensor, tesela_dtype_bits(tensor.dtype));
  if (bytes >= 0) key.add(tensor.data, static_cast<size_t>(bytes));
  return bytes >= 0;
}

bool add_inputs(PlanKey& key, const tesela_op& op, size_t count, const tesela_tensor* const* inputs) {
  const bool reads_first = op.desc.schema->op == Operator::kConstantOfShape;
  for (size_t i = 0; i < count; ++i)
    if (inputs[i] == nullptr)
      key.add(uint64_t{0});
    else if (!add_input(key, *inputs[i], i > 0 || reads_first))
      return false;
  return true;
}

Status add_limits(PlanKey& key, const tesela_limits* limits) {
  tesela_limits copy = {};
  TESELA_RETURN_IF_ERROR(read_struct(limits, "limits", copy));
  if (limits == nullptr)
    key.add(uint64_t{0});
  else
    key.add(&copy, sizeof copy);
  return {};
}

// Everything that the plan of a call depends on.
struct Call {
  PlanKey key;
  uint64_t hash = 0;
  bool is_kept = false;

  Status read(const tesela_op& op, size_t count, const tesela_tensor* const* inputs, const tesela_limits* limits) {
    TESELA_RETURN_IF_ERROR(check_inputs(&op, count, inputs));
    key.add(op.key);
    TESELA_RETURN_IF_ERROR(add_limits(key, limits));
    is_kept = add_inputs(key, op, count, inputs);
    if (is_kept) hash = key.hash();
    return {};
  }
};

struct Entry {
  Call call;
  PlanHandle plan;
};

// The locks of all caches. A fork waits until it holds them: the child would wait for ever for one that another thread
// held.
class CacheLocks {
 public:
  void add(std::mutex& lock) {
    const std::lock_guard guard(mutex_);
    locks_.insert(&lock);
  }
  void remove(std::mutex& lock) {
    const std::lock_guard guard(mutex_);
    locks_.erase(&lock);
  }
  void hold_for_fork() {
    mutex_.lock();
    for (std::mutex* lock : locks_) lock->lock();
  }
  void go_on_after_fork() {
    for (std::mutex* lock : locks_) lock->unlock();
    mutex_.unlock();
  }

 private:
  std::mutex mutex_;
  std::unordered_set<std::mutex*> locks_;
};

// Never destroyed: caches may be destroyed later than static objects.
CacheLocks& cache_locks() {
  static CacheLocks& locks = *[] {
    auto* const made = new CacheLocks();
    pthread_atfork([] { cache_locks().hold_for_fork(); }, [] { cache_locks().go_on_after_fork(); },
                   [] { cache_locks().go_on_after_fork(); });
    return made;
  }();
  return locks;
}

// Made when the library is loaded: after a fork during another thread's first use it would be half made.
[[maybe_unused]] CacheLocks& made_early = cache_locks();

}  // namespace

struct tesela_plan_cache {
 public:
  explicit tesela_plan_cache(size_t capacity) : capacity_(capacity) { cache_locks().add(mutex_); }
  tesela_plan_cache(const tesela_plan_cache&) = delete;
  tesela_plan_cache& operator=(const tesela_plan_cache&) = delete;
  ~tesela_plan_cache() { cache_locks().remove(mutex_); }

  /// Null if no plan is cached.
  tesela_plan* find(const Call& call) {
    if (!call.is_kept) return nullptr;
    const std::lock_guard lock(mutex_);
    const auto place = places_.find(call.hash);
    if (place == places_.end() || !(place->second->call.key == call.key)) return nullptr;
    entries_.splice(entries_.begin(), entries_, place->second);
    return add_handle(place->second->plan.get());
  }

  /// If two keys have the same hash, the later one stays.
  void insert(Call call, tesela_plan* plan) {
    if (!call.is_kept) return;
    const uint64_t hash = call.hash;
    std::list<Entry> inserted;
    inserted.push_back({std::move(call), PlanHandle(add_handle(plan))});
    std::list<Entry> removed;  // freed after the lock
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = places_.try_emplace(hash, inserted.begin());
    if (!is_new) removed.splice(removed.begin(), entries_, std::exchange(place->second, inserted.begin()));
    entries_.splice(entries_.begin(), inserted);
    if (entries_.size() <= capacity_) return;
    places_.erase(entries_.back().call.hash);
    removed.splice(removed.begin(), entries_, std::prev(entries_.end()));
  }

  void clear() {
    std::list<Entry> removed;
    const std::lock_guard lock(mutex_);
    places_.clear();
    removed.swap(entries_);
  }

  size_t size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
  }

 private:
  const size_t capacity_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<uint64_t, std::list<Entry>::iterator> places_;
};

extern "C" {

tesela_status tesela_plan_cache_create(size_t capacity, tesela_plan_cache** cache, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (cache == nullptr) return usage_error("tesela_plan_cache_create: cache is NULL");
    if (capacity == 0) return value_error("tesela_plan_cache_create: capacity is 0; expected at least 1");
    *cache = new tesela_plan_cache(capacity);
    return {};
  });
}

void tesela_plan_cache_destroy(tesela_plan_cache* cache) {
  delete cache;
}

tesela_status tesela_plan_cache_get(tesela_plan_cache* cache, const tesela_op* op, size_t count,
                                    const tesela_tensor* const* inputs, const tesela_limits* limits, tesela_plan** plan,
                                    tesela_error* error) {
  Call call;
  const tesela_status status = guard(error, [&]() -> Status {
    if (cache == nullptr || op == nullptr || plan == nullptr || (count > 0 && inputs == nullptr))
      return usage_error("tesela_plan_cache_get: an argument is NULL");
    return call.read(*op, count, inputs, limits);
  });
  if (status != TESELA_OK) return status;
  if (tesela_plan* const found = cache->find(call)) return *plan = found, TESELA_OK;
  tesela_plan* created = nullptr;
  if (const tesela_status planned = tesela_plan_create(op, count, inputs, limits, &created, error);
      planned != TESELA_OK)
    return planned;
  PlanHandle owner(created);
  return guard(error, [&]() -> Status {
    cache->insert(std::move(call), created);
    *plan = owner.release();
    return {};
  });
}

tesela_plan* tesela_plan_cache_find(tesela_plan_cache* cache, const tesela_op* op, size_t count,
                                    const tesela_tensor* const* inputs, const tesela_limits* limits) {
  if (cache == nullptr || op == nullptr || (count > 0 && inputs == nullptr)) return nullptr;
  Call call;
  const tesela_status status = guard(nullptr, [&]() -> Status { return call.read(*op, count, inputs, limits); });
  return status == TESELA_OK ? cache->find(call) : nullptr;
}

void tesela_plan_cache_clear(tesela_plan_cache* cache) {
  if (cache != nullptr) cache->clear();
}

size_t tesela_plan_cache_size(const tesela_plan_cache* cache) {
  return cache == nullptr ? 0 : cache->size();
}

}  // extern "C"
