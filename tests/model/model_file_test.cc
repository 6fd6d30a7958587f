// SPDX-License-Identifier: Apache-2.0
// The format of a model is detected by its first bytes.
#include "model/model_file.h"

#include "model/expect_fault.h"

namespace tesela {
namespace {

using testing::bytes_of;
using testing::fails;

// XML has blanks only where people put them; a text of blanks is not searched to its end.
TEST(ModelFile, XmlBeginsWithinTheFirst64Bytes) {
  const auto status = [](size_t blanks) {
    const std::string text = std::string(blanks, '\n') + "<x";
    return read_model(bytes_of(text), nullptr, {}).status();
  };
  for (const size_t blanks : {0u, 1u, 63u})
    EXPECT_TRUE(fails(status(blanks), TESELA_ERROR_PARSE, fmt::format("line {} column", blanks + 1)));
  for (const size_t blanks : {64u, 65u, 1000u})
    EXPECT_TRUE(status(blanks).message().starts_with("not an ONNX model: ")) << blanks;
}

}  // namespace
}  // namespace tesela
