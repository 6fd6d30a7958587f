// SPDX-License-Identifier: Apache-2.0
// Names of values: equality, also of texts with the same hash.
#include "types/name.h"

#include <gtest/gtest.h>

namespace tesela {
namespace {

TEST(Name, EqualTextsAreEqual) {
  const Name name = "x";
  const Name copy = name;
  EXPECT_EQ(copy, name);
  EXPECT_EQ(Name("x"), name);
  EXPECT_NE(Name("y"), name);
  EXPECT_NE(Name(""), name);
  EXPECT_EQ(Name(""), Name());
}

// A model can choose its names so that their hashes are equal.
TEST(Name, TextsWithTheSameHashDiffer) {
  const Name one = "name-onecudbaaaa";
  const Name two = "name-two4XDEF2xX";
  ASSERT_EQ(one.hash(), two.hash()) << "not the hash of libstdc++ in 64 bits; choose other texts";
  EXPECT_NE(one, two);
  NamePool pool;
  EXPECT_EQ(pool.take(one).text(), one.text());
  EXPECT_EQ(pool.take(two).text(), two.text());
}

}  // namespace
}  // namespace tesela
