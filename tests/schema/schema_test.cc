// SPDX-License-Identifier: Apache-2.0
// Finds the row of an operator; sets of element types.
#include "schema/schema.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace tesela {
namespace {

int64_t version_at(std::string_view type, int64_t opset) {
  const Result<const OpSchema*> row = find_schema("", type, opset);
  return row.ok() ? (*row)->since_version : -1;
}

TEST(FindSchema, GreatestSinceVersionNotAboveTheOpset) {
  std::map<std::string_view, std::vector<int64_t>> versions;
  for (const OpSchema& row : all_schemas())
    if (row.domain.empty() && row.deprecated.empty()) versions[row.type].push_back(row.since_version);
  EXPECT_EQ(versions.size(), 4u);
  for (const auto& [type, since] : versions)
    for (int64_t opset = 1; opset <= kNewestOpset; ++opset) {
      int64_t expected = -1;
      for (const int64_t version : since)
        if (version <= opset) expected = version;
      if (type == "Upsample" && opset >= 10) expected = -1;  // deprecated
      EXPECT_EQ(version_at(type, opset), expected) << type << " at opset " << opset;
    }
}

TEST(FindSchema, OpsetZeroMeansNewest) {
  for (const char* type : {"Resize", "Tile", "ConstantOfShape"})
    EXPECT_EQ(version_at(type, 0), version_at(type, kNewestOpset)) << type;
}

TEST(FindSchema, BothNamesOfOnnxDomainAreTheSame) {
  EXPECT_EQ(*find_schema("", "Tile", 13), *find_schema("ai.onnx", "Tile", 13));
}

TEST(FindSchema, UpsampleSinceOpset10NamesReplacement) {
  for (const int64_t opset : {int64_t{10}, kNewestOpset, int64_t{0}}) {
    const Status status = find_schema("", "Upsample", opset).status();
    EXPECT_EQ(status.code(), TESELA_ERROR_UNSUPPORTED);
    EXPECT_EQ(status.message(), fmt::format("Upsample: deprecated since opset 10, and the model imports opset {}; use "
                                            "Resize instead",
                                            opset == 0 ? kNewestOpset : opset));
  }
}

TEST(FindSchema, RejectsOpsetAboveNewestAndNamesNewest) {
  for (const int64_t opset : {kNewestOpset + 1, int64_t{1} << 40, INT64_MAX}) {
    const Status status = find_schema("", "Tile", opset).status();
    EXPECT_EQ(status.code(), TESELA_ERROR_UNSUPPORTED) << opset;
    EXPECT_NE(status.message().find(std::to_string(kNewestOpset)), std::string::npos) << status.message();
  }
}

TEST(FindSchema, NegativeOpsetIsRefused) {
  for (const int64_t opset : {int64_t{-1}, INT64_MIN})
    EXPECT_EQ(find_schema("", "Tile", opset).status().code(), TESELA_ERROR_UNSUPPORTED);
}

TEST(FindSchema, OpsetBeforeTheOperatorNamesItsFirst) {
  const Status status = find_schema("", "ConstantOfShape", 8).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_UNSUPPORTED);
  EXPECT_NE(status.message().find("opset 9"), std::string::npos) << status.message();
}

TEST(FindSchema, OtherOperatorsAndDomainsAreUnsupported) {
  EXPECT_EQ(find_schema("", "Conv", 13).status().code(), TESELA_ERROR_UNSUPPORTED);
  EXPECT_EQ(find_schema("", "resize", 13).status().code(), TESELA_ERROR_UNSUPPORTED);
  EXPECT_EQ(find_schema("com.microsoft", "Tile", 1).status().code(), TESELA_ERROR_UNSUPPORTED);
  EXPECT_FALSE(is_known_operator("com.microsoft", "Tile"));
  EXPECT_TRUE(is_known_operator("ai.onnx", "Upsample"));
}

TEST(FindAttribute, KnownNamesOnly) {
  const OpSchema& row = **find_schema("", "Resize", 18);
  ASSERT_NE(find_attribute(row, "antialias"), nullptr);
  EXPECT_EQ(find_attribute(row, "antialias")->kind, AttributeKind::kInt);
  EXPECT_EQ(find_attribute(row, "align_corners"), nullptr);
  EXPECT_EQ(find_attribute(row, ""), nullptr);
}

TEST(TypeSets, ContainTheirTypes) {
  constexpr TypeSet set = {DataType::kFloat, DataType::kInt2};
  EXPECT_EQ(set.size(), 2);
  EXPECT_TRUE(set.contains(DataType::kInt2));
  EXPECT_FALSE(set.contains(DataType::kUint2));
  EXPECT_FALSE(set.contains(DataType::kUndefined));
  EXPECT_EQ((set | TypeSet{DataType::kFloat, DataType::kBool}).size(), 3);
  EXPECT_EQ(kAllTensorTypes.size(), 15);  // ONNX's operator pages
}

}  // namespace
}  // namespace tesela
