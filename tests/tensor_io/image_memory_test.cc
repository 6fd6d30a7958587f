// SPDX-License-Identifier: Apache-2.0
// Images without memory: an error wherever an allocation fails, never a damaged file or picture.
#include <fcntl.h>

#include <array>
#include <cstdlib>
#include <new>

#include "files/cost.h"
#include "files/file_bytes.h"
#include "files/temporary_folder.h"
#include "heap.h"
#include "model/expect_fault.h"
#include "tensor_io/image_files.h"
#include "tensor_io/image_rows.h"

namespace tesela::testing {
namespace {

const OnRows kNoProgress = [](double) { return Status(); };

// Does not compress: the file is written in several parts.
Tensor noise(int64_t height, int64_t width) {
  Tensor tensor = *Tensor::allocate(DataType::kUint8, {height, width, 3});
  uint32_t state = 1;
  for (int64_t i = 0; i < tensor.bytes(); ++i) {
    state = state * 1664525 + 1013904223;
    tensor.mutable_data()[i] = static_cast<std::byte>(state >> 24);
  }
  return tensor;
}

// None of the allocations is one that the work can do without.
void fail_each(const std::function<Status()>& work) {
  ASSERT_TRUE(work().ok());
  for (int64_t k = 1;; ++k) {
    const FailingHeap heap(k, false);
    tesela_status code = TESELA_ERROR_NO_MEMORY;
    try {
      code = work().code();
    } catch (const std::bad_alloc&) {  // which the C interface catches
    }
    if (!heap.has_failed()) break;
    ASSERT_EQ(code, TESELA_ERROR_NO_MEMORY) << "allocation " << k;
  }
}

TEST(ImageMemory, EachAllocationOfAnEncoderIsNeeded) {
  const TemporaryFolder folder;
  for (const int64_t extent : {2, 100}) {
    const Tensor tensor = noise(extent, extent);
    fail_each([&] { return encode_png(tensor).status(); });
    fail_each([&] { return encode_jpeg(tensor, 100).status(); });
    const std::string elements = folder.write("x", text_of({tensor.data(), static_cast<size_t>(tensor.bytes())}));
    const Descriptor from(::open(elements.c_str(), O_RDONLY | O_CLOEXEC));
    const Descriptor to(::open((folder / "image").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    for (const FileFormat format : {FileFormat::kPng, FileFormat::kJpeg}) {
      TensorFileOptions options;
      options.format = format;
      options.jpeg_quality = 100;
      const PackedImage image{from.get(), tensor.type(), tensor.extents()};
      fail_each([&] { return pack_image(image, options, to.get(), kNoProgress); });
    }
  }
  fail_each([] { return begin_png(DataType::kUint8, {2, 2}).status(); });
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which have a heap of their own

// Whether work reports no_memory in a process whose heap has no blocks left but those of `most` bytes, a power of two.
// libpng and libjpeg allocate with malloc.
bool reports_full_heap(size_t most, const std::function<Status()>& work) {
  const Cost cost = cost_of([&] {
    if (!work().ok()) return false;  // also makes the stack as large as it will be
    std::array<void*, 128> blocks;
    for (void*& block : blocks) block = std::malloc(most);
    if (!take_no_more_memory()) return false;
    for (size_t size = size_t{1} << 20; size > most; size /= 2)
      for (void* volatile block = std::malloc(size); block != nullptr;) block = std::malloc(size);
    // Every other one, so that they do not become one block.
    for (size_t i = 0; i < blocks.size(); i += 2) std::free(blocks[i]);
    return work().code() == TESELA_ERROR_NO_MEMORY;
  });
  return cost.succeeded;
}

TEST(ImageMemory, FailedAllocationsOfLibrariesAreReported) {
  const Tensor tensor = noise(2, 2);
  const std::string file = text_of(encode_png(tensor)->head);
  EXPECT_TRUE(reports_full_heap(512, [&] { return encode_png(tensor).status(); }));
  EXPECT_TRUE(reports_full_heap(512, [&] { return read_png(bytes_of(file), {}).status(); }));
  // A wide row, for which libjpeg allocates more.
  EXPECT_TRUE(reports_full_heap(32768, [] { return begin_jpeg(DataType::kUint8, {8, 65500, 3}, 92).status(); }));
}

#endif

}  // namespace
}  // namespace tesela::testing
