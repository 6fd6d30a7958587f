// SPDX-License-Identifier: Apache-2.0
// What a session of an IR keeps between its runs: plans for the values of repeats, and constants of mapped files.
#include <gtest/gtest.h>

#include <filesystem>

#include "files/temporary_folder.h"
#include "model/ir_text.h"
#include "model/model_file.h"
#include "session/session_runner.h"

namespace tesela::test {
namespace {

using testing::IrText;
using testing::TemporaryFolder;

Model ir_model(const IrText& ir) {
  const TemporaryFolder folder;
  folder.write("m.bin", "");
  Result<Model> model = read_model(folder.write("m.xml", ir.text()), {});
  EXPECT_TRUE(model.ok()) << model.status().message();
  return model.ok() ? std::move(*model) : Model();
}

TEST(IrReuse, PlansFollowRepeatsOfLessThanAByte) {
  IrText ir;
  const int data = ir.parameter("data", "f32", "1");
  ir.result(ir.op("y", "Tile", "opset1", "", {data, ir.parameter("repeats", "u4", "1")}));
  Runner runner(ir_model(ir));
  const Tensor input = floats({5});
  const auto bytes = std::byte{0x23};
  const auto plans = [&](int64_t bit_offset) {
    const TensorView repeats = {&bytes, DataType::kUint4, {1}, {}, bit_offset};
    const Result<std::vector<Tensor>> outputs = runner.run_views({{"data", input.view()}, {"repeats", repeats}});
    EXPECT_TRUE(outputs.ok()) << outputs.status().message();
    EXPECT_TRUE(outputs.ok() && outputs->front().extents() == Extents{bit_offset == 0 ? 3 : 2});
    return runner.session().plans_made();
  };
  EXPECT_EQ(plans(4), 1);
  EXPECT_EQ(plans(4), 0);
  EXPECT_EQ(plans(0), 1);
  EXPECT_EQ(plans(4), 1);
}

TEST(IrReuse, PlansFollowRepeatsOfOneByte) {
  IrText ir;
  const int data = ir.parameter("data", "f32", "1");
  ir.result(ir.op("y", "Tile", "opset1", "", {data, ir.parameter("repeats", "u8", "1")}));
  Runner runner(ir_model(ir));
  for (const int64_t repeats : {2, 3}) {
    const Tensor given = tensor_of<uint8_t>(DataType::kUint8, {1}, {static_cast<uint8_t>(repeats)});
    EXPECT_EQ(runner.output({{"data", floats({5})}, {"repeats", given}}).extents(), Extents{repeats});
  }
}

TEST(IrReuse, MappedConstantsCountOnceForAllRuns) {
  const TemporaryFolder folder;
  const std::string one("\1\0\0\0\0\0\0\0", 8);
  std::filesystem::resize_file(folder.write("m.bin", one), (size_t{64} << 20) + 1);  // the first size that is mapped
  IrText ir;
  const int repeats = ir.constant("r", "i64", "1", "0", "8");  // so small that it is read with the model
  ir.result(ir.op("y", "Tile", "opset1", "", {ir.constant("a", "u8", "10000", "4096", "10000"), repeats}));
  ir.result(ir.op("z", "Tile", "opset1", "", {ir.constant("b", "u8", "20000", "16384", "20000"), repeats}));
  const std::string path = folder.write("m.xml", ir.text());
  const auto message = [&](int64_t max_bytes) {
    Limits limits;
    limits.max_session_bytes = max_bytes;
    Result<Model> model = read_model(path, {});
    EXPECT_TRUE(model.ok()) << model.status().message();
    Runner runner(std::move(*model), limits);
    const std::string first(runner.run({}).status().message());
    EXPECT_EQ(runner.run({}).status().message(), first);
    return first;
  };
  const auto more = [](const char* node, int bytes, int limit) {
    return fmt::format(
        "Tile-1 node '{}': {} bytes more are needed, and the values of the session would then take more "
        "than {} bytes",
        node, bytes, limit);
  };
  EXPECT_EQ(message(29999), "the constants of the model take more than 29999 bytes");
  EXPECT_EQ(message(30000), more("y", 10000, 30000));
  EXPECT_EQ(message(39999), more("y", 10000, 39999));
  EXPECT_EQ(message(59999), more("z", 20000, 59999));
  EXPECT_EQ(message(60000), "");
}

}  // namespace
}  // namespace tesela::test
