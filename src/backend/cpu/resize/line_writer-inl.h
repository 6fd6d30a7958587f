// SPDX-License-Identifier: Apache-2.0
// Writes a row that begins within a cache line in whole lines. Included once for each instruction set.
#if defined(TESELA_LINE_WRITER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESELA_LINE_WRITER_INL_H_
#undef TESELA_LINE_WRITER_INL_H_
#else
#define TESELA_LINE_WRITER_INL_H_
#endif

#include "backend/cpu/simd/permute-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// An output that begins within a cache line, written in whole lines, each put together from two vectors of a line's size. No line is
// written twice: a line in the cache that is then streamed is written to memory twice. Nor does a store of a part reach into
// another line, even where its mask is zero: that would read a streamed line back.
template <class D>
class LineWriter {
 public:
  using T = hn::TFromD<D>;
  using Lane = hn::TFromD<hn::RebindToSigned<D>>;

  // first: the output's first vector.
  HWY_INLINE LineWriter(D d, void* out, hn::Vec<D> first) : before_(first) {
    const hn::RebindToSigned<D> di;
    head_ = -reinterpret_cast<uintptr_t>(out) % 64 / sizeof(T);
    lanes_ = hn::Iota(di, static_cast<Lane>(head_));
    line_ = static_cast<T*>(out) + head_ - hn::Lanes(d);
  }
  // v: the vector at column i, the next one.
  HWY_INLINE void put(D d, hn::Vec<D> v, int64_t i, bool stream) {
    const auto line = Lookup2(d, before_, v, lanes_);
    stream ? hn::Stream(line, d, line_ + i) : hn::Store(line, d, line_ + i);
    before_ = v;
  }
  // Writes the elements behind the last line. last: the last vector. i: the column that would be next.
  HWY_INLINE void finish(D d, hn::Vec<D> last, int64_t i, int64_t n, bool stream) {
    const auto N = static_cast<int64_t>(hn::Lanes(d));
    const auto v = Lookup2(d, last, last, hn::Iota(hn::RebindToSigned<D>(), static_cast<Lane>(i - n + N)));
    int64_t left = n - (i - N + static_cast<int64_t>(head_));
    if (left >= N) {
      put(d, v, i, stream);
      i += N;
      left -= N;
    }
    if (left > 0)
      hn::BlendedStore(Lookup2(d, before_, v, lanes_), hn::FirstN(d, static_cast<size_t>(left)), d, line_ + i);
  }
  // Writes the elements before the first whole line.
  HWY_INLINE void begin(D d, hn::Vec<D> first) const {
    if (head_ == 0) return;
    hn::BlendedStore(Lookup2(d, first, first, lanes_), hn::Not(hn::FirstN(d, hn::Lanes(d) - head_)), d, line_);
  }

 private:
  hn::Vec<D> before_;
  hn::Vec<hn::RebindToSigned<D>> lanes_;
  size_t head_;
  T* line_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#endif  // TESELA_LINE_WRITER_INL_H_
