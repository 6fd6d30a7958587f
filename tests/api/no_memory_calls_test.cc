// SPDX-License-Identifier: Apache-2.0
// Each allocation fails in every function of the C interface that makes one thing, in a call of its own.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "api/failing_calls.h"
#include "files/temporary_folder.h"

namespace tesela::testing {
namespace {

tesela_error fault = {};

/// A 6 by 4 tensor of bytes in a temporary folder's file, and what is made of it.
class Calls : public ::testing::Test {
 protected:
  Calls() {
    tensor_.data = bytes_.data();
    tensor_.dtype = TESELA_UINT8;
    tensor_.rank = 2;
    tensor_.extents = extents_.data();
    sizes_.data = wanted_.data();
    sizes_.dtype = TESELA_INT64;
    sizes_.rank = 1;
    sizes_.extents = &two_;
    EXPECT_EQ(tesela_op_create("", "Resize", 19, nullptr, &op_, &fault), TESELA_OK);
    EXPECT_EQ(tesela_plan_create(op_, inputs_.size(), inputs_.data(), nullptr, &plan_, &fault), TESELA_OK);
    options_.struct_size = sizeof options_;
    options_.threads = 1;
  }
  ~Calls() override {
    tesela_plan_destroy(plan_);
    tesela_op_destroy(op_);
  }

  // call: sets its argument, which `destroy` frees.
  template <class T>
  static void fail_each(const std::function<tesela_status(T**)>& call, void (*destroy)(T*)) {
    fail_each_allocation([&] {
      T* made = nullptr;
      const tesela_status status = call(&made);
      destroy(made);
      return status;
    });
  }
  // For calls that need no memory, or not always.
  static void survive_each(const std::function<tesela_status()>& call) {
    ASSERT_EQ(call(), TESELA_OK);
    for (int64_t k = 1; k < 20; ++k) {
      const FailingHeap heap(k, true);
      const tesela_status status = call();
      ASSERT_TRUE(status == TESELA_ERROR_NO_MEMORY || status == TESELA_OK) << k << ": " << tesela_status_name(status);
    }
  }

  std::vector<uint8_t> bytes_ = std::vector<uint8_t>(24, 3);
  std::array<int64_t, 2> extents_ = {6, 4};
  std::array<int64_t, 2> wanted_ = {3, 8};
  int64_t two_ = 2;
  tesela_tensor tensor_ = {};
  tesela_tensor sizes_ = {};
  std::array<const tesela_tensor*, 4> inputs_ = {&tensor_, nullptr, nullptr, &sizes_};
  tesela_run_options options_ = {};
  tesela_op* op_ = nullptr;
  tesela_plan* plan_ = nullptr;
};

using NoMemoryCalls = Calls;

TEST_F(NoMemoryCalls, Tensors) {
  fail_each<tesela_value>(
      [&](auto** v) { return tesela_value_create(TESELA_UINT8, 2, extents_.data(), nullptr, v, &fault); },
      tesela_value_destroy);
  fail_each<tesela_value>([&](auto** v) { return tesela_value_copy(&tensor_, nullptr, v, &fault); },
                          tesela_value_destroy);
  std::vector<double> numbers(24);
  survive_each([&] { return tesela_tensor_to_doubles(&tensor_, numbers.data(), &fault); });
  survive_each([&] { return tesela_tensor_from_doubles(numbers.data(), 24, &tensor_, &fault); });
  fail_each<tesela_blob>([](auto** b) { return tesela_printable("a\x1b", 2, b, &fault); }, tesela_blob_destroy);
}

TEST_F(NoMemoryCalls, Files) {
  const TemporaryFolder folder;
  for (const tesela_file_format format :
       {TESELA_FILE_NPY, TESELA_FILE_NPZ, TESELA_FILE_PB, TESELA_FILE_PNG, TESELA_FILE_JPEG}) {
    SCOPED_TRACE(format);
    tesela_file_options options = {};
    options.struct_size = sizeof options;
    options.format = format;
    fail_each<tesela_blob>([&](auto** b) { return tesela_tensor_encode(&tensor_, &options, b, &fault); },
                           tesela_blob_destroy);
    tesela_blob* file = nullptr;
    ASSERT_EQ(tesela_tensor_encode(&tensor_, &options, &file, &fault), TESELA_OK);
    fail_each<tesela_value>(
        [&](auto** v) {
          return tesela_value_read_memory(tesela_blob_data(file), tesela_blob_size(file), &options, v, nullptr, &fault);
        },
        tesela_value_destroy);
    const std::string path = folder / "y";
    fail_each_allocation([&] { return tesela_tensor_write(&tensor_, path.c_str(), &options, &fault); });
    const std::string old = folder.write("y", std::string(tesela_blob_data(file), tesela_blob_size(file)));
    fail_each<tesela_value>([&](auto** v) { return tesela_value_read(old.c_str(), &options, v, nullptr, &fault); },
                            tesela_value_destroy);
    tesela_blob_destroy(file);
  }
}

TEST_F(NoMemoryCalls, Attributes) {
  const std::array<int64_t, 2> ints = {0, 1};
  const std::array<float, 2> floats = {1, 2};
  const std::array<std::function<tesela_status(tesela_op*)>, 6> setters = {
      [](tesela_op* op) { return tesela_op_set_int(op, "a name that is allocated", 1, &fault); },
      [](tesela_op* op) { return tesela_op_set_float(op, "a name that is allocated", 1, &fault); },
      [](tesela_op* op) { return tesela_op_set_string(op, "a name that is allocated", "text", &fault); },
      [&](tesela_op* op) { return tesela_op_set_ints(op, "a name that is allocated", ints.data(), 2, &fault); },
      [&](tesela_op* op) { return tesela_op_set_floats(op, "a name that is allocated", floats.data(), 2, &fault); },
      [&](tesela_op* op) { return tesela_op_set_tensor(op, "a name that is allocated", &tensor_, &fault); }};
  for (const auto& set : setters)
    fail_each<tesela_op>(
        [&](auto** op) {
          const tesela_status made = tesela_op_create("", "Resize", 19, "node", op, &fault);
          return made == TESELA_OK ? set(*op) : made;
        },
        tesela_op_destroy);
  int64_t version = 0;
  survive_each([&] { return tesela_operator_version("", "Tile", 2, 0, nullptr, &version, &fault); });
}

TEST_F(NoMemoryCalls, Inference) {
  const std::array<tesela_dim, 2> dims = {{{6, nullptr}, {-1, "a symbol that is allocated"}}};
  tesela_tensor_info x = {};
  x.struct_size = sizeof x;
  x.dtype = TESELA_UINT8;
  x.rank = 2;
  x.dims = dims.data();
  const std::array<const tesela_tensor_info*, 4> inputs = {&x, nullptr, nullptr, &x};
  tesela_tensor_info sizes = x;
  const tesela_dim two = {2, nullptr};
  sizes.dtype = TESELA_INT64;
  sizes.rank = 1;
  sizes.dims = &two;
  const std::array<const tesela_tensor_info*, 4> given = {inputs[0], nullptr, nullptr, &sizes};
  fail_each<tesela_inferred>([&](auto** i) { return tesela_op_infer(op_, 4, given.data(), i, &fault); },
                             tesela_inferred_destroy);
}

TEST_F(NoMemoryCalls, RunsOfPlans) {
  const std::array<const char*, 2> names = {nullptr, "sizes"};
  const std::array<const tesela_tensor*, 2> named = {&tensor_, &sizes_};
  fail_each<tesela_plan>(
      [&](auto** p) { return tesela_plan_create_named(op_, 2, names.data(), named.data(), nullptr, p, &fault); },
      tesela_plan_destroy);
  std::vector<uint8_t> out(24);
  tesela_tensor y = tensor_;
  y.data = out.data();
  y.extents = wanted_.data();
  survive_each([&] { return tesela_plan_run(plan_, &tensor_, &y, &options_, &fault); });
  const std::array<int64_t, 2> zero = {0, 0};
  survive_each(
      [&] { return tesela_plan_run_region(plan_, &tensor_, zero.data(), &y, zero.data(), &options_, &fault); });
  std::array<int64_t, 2> lo = {}, region = {};
  uint64_t scratch = 0;
  survive_each(
      [&] { return tesela_plan_input_region(plan_, zero.data(), wanted_.data(), lo.data(), region.data(), &fault); });
  survive_each([&] { return tesela_plan_scratch_bytes(plan_, zero.data(), wanted_.data(), &scratch, &fault); });
  fail_each<tesela_axis_table>([&](auto** t) { return tesela_plan_axis_table(plan_, 1, 0, 8, t, &fault); },
                               tesela_axis_table_destroy);
  fail_each<tesela_plan_cache>(
      [&](auto** cache) {
        tesela_status status = tesela_plan_cache_create(2, cache, &fault);
        tesela_plan* plan = nullptr;
        if (status == TESELA_OK) status = tesela_plan_cache_get(*cache, op_, 4, inputs_.data(), nullptr, &plan, &fault);
        tesela_plan_destroy(plan);
        return status;
      },
      tesela_plan_cache_destroy);
}

TEST_F(NoMemoryCalls, PlansWithTheRulesOfALibrary) {
  ASSERT_EQ(tesela_op_set_string(op_, "mode", "linear", &fault), TESELA_OK);
  ASSERT_EQ(tesela_op_set_string(op_, "tesela.rules", "onnxruntime", &fault), TESELA_OK);
  std::vector<uint8_t> out(24);
  tesela_tensor y = tensor_;
  y.data = out.data();
  y.extents = wanted_.data();
  fail_each<tesela_plan>(
      [&](auto** p) {
        tesela_status status = tesela_plan_create(op_, inputs_.size(), inputs_.data(), nullptr, p, &fault);
        if (status == TESELA_OK) status = tesela_plan_run(*p, &tensor_, &y, &options_, &fault);
        return status;
      },
      tesela_plan_destroy);
}

TEST_F(NoMemoryCalls, ModelsInMemory) {
  std::ifstream file(TESELA_SOURCE_DIR "/examples/contact_sheet.onnx", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  tesela_tensor_info info = {};
  info.struct_size = sizeof info;
  fail_each<tesela_model>(
      [&](auto** model) {
        tesela_status status = tesela_model_load_memory(bytes.data(), bytes.size(), nullptr, model, &fault);
        if (status == TESELA_OK) status = tesela_model_input_info(*model, 0, &info, &fault);
        if (status == TESELA_OK) status = tesela_model_output_info(*model, 0, &info, &fault);
        return status;
      },
      tesela_model_destroy);
}

// A pass of wide windows, whose tables need memory.
TEST_F(NoMemoryCalls, Passes) {
  std::vector<uint8_t> bytes(900, 7);
  const std::array<int64_t, 2> tall = {300, 3};
  const std::array<int64_t, 2> small = {2, 3};
  tesela_tensor x = {bytes.data(), TESELA_UINT8, 2, tall.data(), nullptr, 0};
  wanted_ = small;
  inputs_[0] = &x;
  tesela_op* op = nullptr;
  tesela_plan* plan = nullptr;
  ASSERT_EQ(tesela_op_create("", "Resize", 19, nullptr, &op, &fault), TESELA_OK);
  ASSERT_EQ(tesela_op_set_string(op, "mode", "linear", &fault), TESELA_OK);
  ASSERT_EQ(tesela_op_set_int(op, "antialias", 1, &fault), TESELA_OK);
  ASSERT_EQ(tesela_plan_create(op, inputs_.size(), inputs_.data(), nullptr, &plan, &fault), TESELA_OK);
  std::vector<float> numbers(6);
  std::vector<uint8_t> outputs(6);
  const tesela_tensor sums = {numbers.data(), TESELA_FLOAT, 2, small.data(), nullptr, 0};
  const tesela_tensor y = {outputs.data(), TESELA_UINT8, 2, small.data(), nullptr, 0};
  const std::array<int64_t, 2> zero = {0, 0};
  // These need no memory.
  size_t passes = 0;
  tesela_pass info = {};
  info.struct_size = sizeof info;
  std::array<int64_t, 2> from = {};
  std::array<int64_t, 2> extents = {};
  EXPECT_EQ(tesela_plan_pass_count(plan, &passes, &fault), TESELA_OK);
  EXPECT_EQ(passes, 1u);
  EXPECT_EQ(tesela_plan_pass_info(plan, 0, &info, from.data(), extents.data(), &fault), TESELA_OK);
  EXPECT_EQ(tesela_plan_pass_input_region(plan, 0, zero.data(), small.data(), from.data(), extents.data(), &fault),
            TESELA_OK);
  fail_each_allocation([&] {
    const tesela_status begun = tesela_plan_pass_begin(plan, 0, &sums, &fault);
    if (begun != TESELA_OK) return begun;
    return tesela_plan_pass_add(plan, 0, &x, zero.data(), &sums, zero.data(), &options_, &fault);
  });
  fail_each_allocation([&] { return tesela_plan_pass_finish(plan, 0, &sums, &y, zero.data(), &options_, &fault); });
  tesela_plan_destroy(plan);
  tesela_op_destroy(op);
}

TEST_F(NoMemoryCalls, ImagesByRows) {
  const TemporaryFolder folder;
  const std::string image = folder.path() + "/x.png";
  const std::array<int64_t, 3> shape = {20, 30, 3};
  std::vector<uint8_t> pixels(1800, 5);
  tesela_tensor tensor = {pixels.data(), TESELA_UINT8, 3, shape.data(), nullptr, 0};
  for (const tesela_file_format format : {TESELA_FILE_PNG, TESELA_FILE_JPEG}) {
    SCOPED_TRACE(format);
    tesela_file_options options = {};
    options.struct_size = sizeof options;
    options.format = format;
    ASSERT_EQ(tesela_tensor_write(&tensor, image.c_str(), &options, &fault), TESELA_OK);
    const int elements = ::open((folder.path() + "/x").c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const int packed = ::open((folder.path() + "/y").c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    tesela_dtype dtype = 0;
    std::array<int64_t, 3> extents = {};
    fail_each_allocation([&] {
      return tesela_image_unpack(image.c_str(), nullptr, elements, &options_, &dtype, extents.data(), &fault);
    });
    EXPECT_EQ(extents, shape);
    EXPECT_EQ(tesela_image_check(&tensor, format, &fault), TESELA_OK);
    fail_each_allocation([&] { return tesela_image_pack(&tensor, elements, &options, packed, &options_, &fault); });
    ::close(elements);
    ::close(packed);
  }
}

}  // namespace
}  // namespace tesela::testing
