// SPDX-License-Identifier: Apache-2.0
// Finds and keeps the loop nests of boxes.
#include "backend/cpu/move/kept_nests.h"

#include <algorithm>

#include "backend/cpu/tuning.h"
#include "types/elements.h"
#include "types/keep_first.h"

namespace tesela::cpu::moves {
namespace {

// Whether an output's place among the axis's inputs depends on more than its distance from the box's beginning.
bool changes(const Plan& plan, size_t d) {
  if (!plan.has_input()) return false;
  if (plan.in[d] != plan.out[d]) return true;
  const auto* resize = std::get_if<ResizePlan>(&plan.work);
  return resize != nullptr &&
         std::any_of(resize->passes.begin(), resize->passes.end(), [d](const Pass& pass) { return pass.axis == d; });
}

// The stride of the view's axis d; that of an axis with one index does not matter. dense: as of a dense view.
template <class View>
int64_t stride_of(const View& view, size_t d, int64_t& dense) {
  const int64_t n = view.extents[d];
  const int64_t stride = n == 1 ? 0 : view.strides_bytes.empty() ? dense : view.strides_bytes[d];
  dense *= n;
  return stride;
}

uint64_t hash(const BoxKey& key) {
  uint64_t result = 0;
  for (const int64_t number : key) {
    result = (result + static_cast<uint64_t>(number)) * 0x9e3779b97f4a7c15;
    result ^= result >> 29;
  }
  return result;
}

}  // namespace

BoxKey key_of(const Plan& plan, const BoxRun& run, bool stream) {
  constexpr uintptr_t kLine = 64;
  const int64_t width = element_bits(plan.type) / 8;
  BoxKey key;
  key.push_back(stream ? static_cast<int64_t>(reinterpret_cast<uintptr_t>(run.output.data) % kLine) : -1);
  int64_t out_dense = width;
  int64_t in_dense = width;
  for (size_t d = run.output.extents.size(); d-- > 0;) {
    key.push_back(run.output.extents[d]);
    key.push_back(stride_of(run.output, d, out_dense));
    if (!plan.has_input()) continue;
    const int64_t lo = run.output_lo[d];
    const bool counts = changes(plan, d);
    key.push_back(stride_of(run.input, d, in_dense));
    key.push_back(counts ? lo : 0);
    key.push_back(counts ? run.input_lo[d] : run.input_lo[d] - lo);
  }
  return key;
}

int64_t BoxNests::bytes() const {
  return arena.bytes() + static_cast<int64_t>(sizeof(BoxNests) + nests.capacity() * sizeof(LoopNest));
}

KeptNests::~KeptNests() {
  if (const Slots* slots = slots_.load()) {
    for (const Slot& slot : *slots) delete slot.load();
    delete slots;
  }
}

KeptNests::Slots* KeptNests::slots() const {
  if (Slots* kept = slots_.load(std::memory_order_acquire)) return kept;
  return keep_first(slots_, std::make_unique<Slots>());
}

KeptNests::Found KeptNests::find(const BoxKey& key) const {
  constexpr size_t kProbes = 8;
  const bool has_room = bytes_.load(std::memory_order_relaxed) <= kMaxKeptNests;
  Slots& slots = *this->slots();
  const size_t begin = hash(key) >> 56;
  for (size_t k = 0; k < kProbes; ++k) {
    Slot& slot = slots[(begin + k) % slots.size()];
    const BoxNests* const kept = slot.load(std::memory_order_acquire);
    if (kept == nullptr) return {nullptr, has_room ? &slot : nullptr};
    if (kept->key == key) return {kept, nullptr};
  }
  return {};
}

void KeptNests::keep(Slot& room, std::unique_ptr<const BoxNests> nests) const {
  const int64_t bytes = nests->bytes();
  if (bytes_.fetch_add(bytes) + bytes > kMaxKeptNests) return;  // from now on there is no room
  const BoxNests* const own = nests.get();
  if (keep_first(room, std::move(nests)) != own) bytes_ -= bytes;
}

}  // namespace tesela::cpu::moves
