// SPDX-License-Identifier: Apache-2.0
// The C interface: what this copy of the library is and what it found.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tesela/tesela.hpp"

namespace tesela {
namespace {

TEST(Doctor, DescribesTheLibrary) {
  size_t problems = 7;
  const std::string text(doctor(TESELA_TEXT_PLAIN, &problems).view());
  EXPECT_EQ(problems, 0U);
  EXPECT_EQ(text.find("tesela " + std::string(tesela_version()) + ", "), 0U) << text;
  for (const char* line : {"\nlibrary: ", "\ninstruction sets: ", "\ncaches: ", "\nthreads: ", "\nlibraries: fmt "})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(Doctor, CountsProblems) {
  ASSERT_EQ(setenv("TESELA_CACHE_BYTES", "\x1b[0m", 1), 0);
  size_t problems = 0;
  const std::string text(doctor(TESELA_TEXT_PLAIN, &problems).view());
  ASSERT_EQ(unsetenv("TESELA_CACHE_BYTES"), 0);
  EXPECT_EQ(problems, 1U);
  EXPECT_NE(text.find("problem: TESELA_CACHE_BYTES is '\\x1b[0m', which has no effect"), std::string::npos) << text;
}

TEST(Doctor, OtherFormatsAreRefused) {
  for (const int format : {int{TESELA_TEXT_MARKDOWN}, int{TESELA_TEXT_SVG}, int{TESELA_TEXT_SARIF}, -1, 99}) {
    tesela_error error = {};
    tesela_blob* text = nullptr;
    EXPECT_EQ(tesela_doctor(static_cast<tesela_text_format>(format), &text, nullptr, &error), TESELA_ERROR_USAGE);
    EXPECT_NE(std::string(error.message).find("tesela_doctor: text format " + std::to_string(format)),
              std::string::npos);
    EXPECT_EQ(text, nullptr);
  }
  EXPECT_EQ(tesela_doctor(TESELA_TEXT_JSON, nullptr, nullptr, nullptr), TESELA_ERROR_USAGE);
}

}  // namespace
}  // namespace tesela
