// SPDX-License-Identifier: Apache-2.0
// Arithmetic on elements, some of them unknown.
#include "shapes/entry_arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tesela {
namespace {

constexpr DataType kI64 = DataType::kInt64, kI32 = DataType::kInt32, kF32 = DataType::kFloat, kF64 = DataType::kDouble;

Entry integer(int64_t value) {
  return {true, value};
}
Entry real(double value) {
  return {true, 0, value};
}
Entry symbol(const char* name) {
  return {false, 0, 0, name};
}
std::string text(const Entry& entry) {
  return !entry.symbol.empty() ? entry.symbol.text() : entry.known ? std::to_string(entry.integer) : "?";
}

TEST(EntryArithmetic, IntegersThatFit) {
  EXPECT_EQ(text(add_entries(kI64, integer(2), integer(3))), "5");
  EXPECT_EQ(text(subtract_entries(kI64, integer(2), integer(3))), "-1");
  EXPECT_EQ(text(multiply_entries(kI64, integer(-2), integer(3))), "-6");
  EXPECT_EQ(text(divide_entries(kI64, integer(7), integer(2))), "3");
  EXPECT_EQ(text(larger_entry(kI64, integer(7), integer(2))), "7");
  EXPECT_EQ(text(smaller_entry(kI64, integer(7), integer(2))), "2");
}

TEST(EntryArithmetic, OverflowAndUnspecifiedResultsAreUnknown) {
  EXPECT_FALSE(add_entries(kI64, integer(INT64_MAX), integer(1)).has_information());
  EXPECT_FALSE(subtract_entries(kI64, integer(INT64_MIN), integer(1)).has_information());
  EXPECT_FALSE(multiply_entries(kI64, integer(INT64_MAX), integer(2)).has_information());
  EXPECT_FALSE(add_entries(kI32, integer(INT32_MAX), integer(1)).has_information());
  EXPECT_FALSE(divide_entries(kI64, integer(7), integer(0)).has_information());
  EXPECT_FALSE(divide_entries(kI64, integer(-7), integer(2)).has_information());  // truncated or rounded down
  EXPECT_FALSE(divide_entries(kI64, integer(INT64_MIN), integer(-1)).has_information());
  EXPECT_FALSE(negate_entry(kI64, integer(INT64_MIN)).has_information());
  EXPECT_FALSE(larger_entry(kF32, real(NAN), real(1)).has_information());
}

TEST(EntryArithmetic, IdentityOperationsKeepSymbols) {
  const Entry n = symbol("N");
  EXPECT_EQ(text(add_entries(kI64, n, integer(0))), "N");
  EXPECT_EQ(text(add_entries(kI64, integer(0), n)), "N");
  EXPECT_EQ(text(subtract_entries(kI64, n, integer(0))), "N");
  EXPECT_EQ(text(multiply_entries(kI64, integer(1), n)), "N");
  EXPECT_EQ(text(divide_entries(kI64, n, integer(1))), "N");
  EXPECT_EQ(text(multiply_entries(kI64, n, integer(0))), "0");
  EXPECT_EQ(text(multiply_entries(kI64, n, integer(2))), "?");
  EXPECT_EQ(text(subtract_entries(kI64, integer(0), n)), "?");
  EXPECT_EQ(text(cast_entry(n, kI64, kI32)), "N");
  EXPECT_EQ(text(cast_entry(n, kI64, kF32)), "?");
}

TEST(EntryArithmetic, SymbolsAreNotNegative) {
  EXPECT_EQ(text(equal_entries(kI64, symbol("N"), integer(-1))), "0");
  EXPECT_EQ(text(equal_entries(kI64, symbol("N"), symbol("N"))), "1");
  EXPECT_EQ(text(equal_entries(kI64, symbol("N"), symbol("M"))), "?");
  EXPECT_EQ(text(equal_entries(kI64, symbol("N"), integer(4))), "?");
}

TEST(EntryArithmetic, OrderOfUnknownEntriesIsUnknown) {
  EXPECT_EQ(text(greater_entries(kI64, integer(3), integer(2))), "1");
  EXPECT_EQ(text(greater_entries(kI64, integer(2), integer(2))), "0");
  EXPECT_EQ(text(less_entries(kI64, integer(1), integer(2))), "1");
  EXPECT_EQ(text(less_entries(kI64, integer(2), integer(2))), "0");
  for (const auto& compare : {greater_entries, less_entries}) {
    EXPECT_EQ(text(compare(kI64, symbol("N"), integer(2))), "?");
    EXPECT_EQ(text(compare(kI64, integer(2), symbol("N"))), "?");
    EXPECT_EQ(text(compare(kF32, real(NAN), real(1))), "0");
  }
}

TEST(EntryArithmetic, SymbolsDifferFromNegativeNumbersOnly) {
  EXPECT_EQ(text(equal_entries(kI64, symbol("N"), integer(-1))), "0");
  EXPECT_EQ(text(equal_entries(kI64, integer(-1), symbol("N"))), "0");
  EXPECT_EQ(text(equal_entries(kI64, symbol("N"), integer(0))), "?");
  EXPECT_EQ(text(equal_entries(kI64, integer(0), symbol("N"))), "?");
}

TEST(EntryArithmetic, FloatsRoundOnceInTheirType) {
  EXPECT_EQ(multiply_entries(kF32, real(10), real(0.7f)).real, 10.0f * 0.7f);
  EXPECT_EQ(multiply_entries(kF32, real(10), real(0.7f)).real, 7.0);
  EXPECT_LT(multiply_entries(kF64, real(10), real(0.7f)).real, 7.0);
  EXPECT_EQ(cast_entry(integer((1 << 24) + 1), kI64, kF32).real, 1 << 24);
  EXPECT_EQ(cast_entry(real(0.1), kF64, kF32).real, 0.1f);
  EXPECT_EQ(floor_entry(kF32, real(-1.5)).real, -2.0);
  EXPECT_EQ(ceil_entry(kF32, real(-1.5)).real, -1.0);
  EXPECT_EQ(round_entry(kF32, real(2.5)).real, 2.0);
}

TEST(EntryArithmetic, CastsTruncateAndOverflowIsUnknown) {
  EXPECT_EQ(text(cast_entry(real(-2.9), kF32, kI64)), "-2");
  for (const double value : {double(INFINITY), -double(INFINITY), double(NAN), 0x1p63, -0x1p64})
    EXPECT_EQ(text(cast_entry(real(value), kF64, kI64)), "?") << value;
  EXPECT_EQ(text(cast_entry(real(-0x1p63), kF64, kI64)), std::to_string(INT64_MIN));
  EXPECT_EQ(text(cast_entry(integer(int64_t{1} << 31), kI64, kI32)), "?");
  EXPECT_EQ(text(cast_entry(real(0.5), kF32, DataType::kBool)), "1");
}

}  // namespace
}  // namespace tesela
