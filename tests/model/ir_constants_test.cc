// SPDX-License-Identifier: Apache-2.0
// Constants of OpenVINO's IR: which bytes of the .bin file they are, and which are copied.
#include "files/file_bytes.h"
#include "files/temporary_folder.h"
#include "model/constant_fault.h"
#include "model/expect_fault.h"
#include "model/ir_reader.h"
#include "model/ir_text.h"
#include "model/model_file.h"

namespace tesela {
namespace {

using testing::constant_fault;
using testing::fails;
using testing::ir_tile;
using testing::IrText;
using testing::TemporaryFolder;
using namespace std::string_view_literals;

// The name of a model in the working folder has no slash.
TEST(IrConstants, FileIsBesideAModelInTheWorkingFolder) {
  const TemporaryFolder folder;
  folder.write("m.xml", ir_tile("1", 1));
  folder.write("m.bin", std::string(8, '\0'));
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const Result<Model> model = read_model("m.xml", {});
  std::filesystem::current_path(before);
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_TRUE(model->graph.initializers.at(0).fault.ok()) << model->graph.initializers[0].fault.message();
}

TEST(IrConstants, StringsWithoutBytesCanBeAtTheEndOfTheFile) {
  const TemporaryFolder folder;
  folder.write("m.bin", std::string(16, '\0'));
  const auto fault = [&](std::string_view offset) {
    IrText ir;
    ir.constant("c", "string", "1", offset, "0");
    folder.write("m.xml", ir.text());
    return constant_fault(folder, "m.xml");
  };
  EXPECT_TRUE(fails(fault("16"), TESELA_ERROR_PARSE, "its 0 bytes begin with 0 strings; expected 1"));
  EXPECT_TRUE(fails(fault("17"), TESELA_ERROR_TRUNCATED, "0 bytes at offset 17 are not inside"));
}

TEST(IrConstants, BytesOfStringsCountTowardsTheMemoryOfTheModel) {
  const TemporaryFolder folder;
  folder.write("m.bin", std::string(16, '\0'));
  for (const char* size : {"1000000000", "9223372036854775807"}) {
    IrText ir;
    ir.constant("c", "string", "1", "0", size);
    folder.write("m.xml", ir.text());
    EXPECT_TRUE(fails(constant_fault(folder, "m.xml"), TESELA_ERROR_LIMIT, "the model's structure takes more than"));
  }
}

// Elements that are in the file as in a tensor are not copied from it, strings and others are.
TEST(IrConstants, DenseElementsOfMappedFilesStayThere) {
  const TemporaryFolder folder;
  const std::string text(5000, 't');
  std::string bytes("\x01\0\0\0\0\0\0\0\x88\x13\0\0"sv);
  const std::string path = folder.write("m.bin", bytes.append(text));
  std::filesystem::resize_file(path, (size_t{64} << 20) + 8);  // a hole for the most part
  IrText ir;
  ir.constant("text", "string", "1", "0", "5012");
  ir.constant("dense", "f32", "10000000", "8192", "40000000");
  const Result<Model> model = read_model(folder.write("m.xml", ir.text()), {});
  ASSERT_TRUE(model.ok()) << model.status().message();
  const auto& constants = model->graph.initializers;
  for (const Initializer& constant : constants) ASSERT_TRUE(constant.fault.ok()) << constant.fault.message();
  ASSERT_EQ(model->mapped.size(), 1u);
  const std::string_view read = constants[0].value.as<StringRef>()[0].view();
  EXPECT_EQ(read, text);
  EXPECT_FALSE(model->mapped[0]->holds(reinterpret_cast<const std::byte*>(read.data())));
  EXPECT_TRUE(model->mapped[0]->holds(constants[1].value.data()));
}

}  // namespace
}  // namespace tesela
