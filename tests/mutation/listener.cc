// SPDX-License-Identifier: Apache-2.0
// Writes after each test, in one line, how long it took and which changes made a difference in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace {

class Listener : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override { take(); }

  void OnTestEnd(const testing::TestInfo& test) override {
    std::ofstream out(std::getenv("TESELA_CHANGES_BY_TEST"), std::ios::app);
    out << test.test_suite_name() << '.' << test.name() << ' ' << test.result()->elapsed_time();
    const std::string bytes = take();
    for (size_t n = 1; n < bytes.size(); ++n)
      if (bytes[n] != 0) out << ' ' << n;
    out << '\n';
  }

  // What was reached since the last call.
  static std::string take() {
    std::fstream file(std::getenv("TESELA_CHANGES_REACHED"), std::ios::in | std::ios::out | std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), {});
    file.clear();
    file.seekp(0);
    file << std::string(bytes.size(), '\0');
    return bytes;
  }
};

const bool appended = [] {
  if (std::getenv("TESELA_CHANGES_BY_TEST") != nullptr)
    testing::UnitTest::GetInstance()->listeners().Append(new Listener);
  return true;
}();

}  // namespace
