// SPDX-License-Identifier: Apache-2.0
#include "fix/wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "fix/opset.h"
#include "fix/rewrite.h"

namespace tesela::fix {
namespace {

// A field of bytes as a writer makes it.
std::string field(uint32_t number, std::string_view value) {
  std::string message;
  add_bytes(message, number, value);
  return message;
}

std::string_view find(std::string_view message, std::string_view part) {
  return message.substr(message.find(part), part.size());
}

TEST(Wire, WithoutEditsAMessageIsCopied) {
  const std::string message = field(1, "abc") + field(2, "");
  EXPECT_EQ(edited(message, {}), message);
  EXPECT_EQ(edited("", {}), "");
}

TEST(Wire, LengthsAroundAnEditFollow) {
  const std::string inner = field(1, "old") + field(3, "kept");
  const std::string message = field(9, "before") + field(7, field(5, inner)) + field(9, "after");
  const std::string longer(300, 'x');
  const std::vector<Edit> edits = {{find(message, "old"), field(2, longer) + field(1, "new")}};
  EXPECT_EQ(edited(message, edits), field(9, "before") +
                                        field(7, field(5, field(2, longer) + field(1, "new") + field(3, "kept"))) +
                                        field(9, "after"));
}

TEST(Wire, SeveralEditsInOneMessage) {
  const std::string message = field(7, field(1, "first") + field(1, "second")) + field(8, "third") + field(9, "kept");
  const std::vector<Edit> edits = {
      {find(message, "first"), field(1, "1")}, {find(message, "second"), ""}, {find(message, "third"), field(8, "3")}};
  EXPECT_EQ(edited(message, edits), field(7, field(1, "1")) + field(8, "3") + field(9, "kept"));
}

// A length in more bytes than it needs is legal, and stays.
TEST(Wire, OtherFieldsKeepTheirEncoding) {
  const std::string odd = std::string("\x0a\x83\x80\x00", 4) + "abc" + std::string("\x10\x81\x00", 3);
  const std::string message = odd + field(7, field(1, "old"));
  const std::vector<Edit> edits = {{find(message, "old"), field(1, "newer")}};
  EXPECT_EQ(edited(message, edits), odd + field(7, field(1, "newer")));
}

TEST(Wire, VersionOfAnImportIsReplaced) {
  std::string import = field(1, "ai.onnx");
  add_varint(import, 2, 9);
  import += field(77, "unknown");
  std::string expected = field(1, "ai.onnx") + field(77, "unknown");
  add_varint(expected, 2, 13);
  EXPECT_EQ(with_version(import, 13), expected);
}

TEST(OperatorVersions, FirstChangeBetweenTwoOpsets) {
  EXPECT_EQ(*first_change("Slice", 9, 13), 10);
  EXPECT_EQ(*first_change("Slice", 10, 13), 0);
  EXPECT_EQ(*first_change("Relu", 6, 23), 0);
  EXPECT_EQ(*first_change("Relu", 5, 23), 6);
  EXPECT_EQ(first_change("Invented", 5, 23).status().code(), TESELA_ERROR_UNSUPPORTED);
}

}  // namespace
}  // namespace tesela::fix
