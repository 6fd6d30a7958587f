// SPDX-License-Identifier: Apache-2.0
// Helpers for tests of readers and writers: expected faults, and sweeps over damaged files.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "types/status.h"

namespace tesela::testing {

/// The status has this code, contains these words, and is not too long for a message.
inline ::testing::AssertionResult fails(const Status& status, tesela_status code, std::string_view words) {
  if (status.code() != code || status.message().find(words) == std::string::npos || status.message().size() > 300)
    return ::testing::AssertionFailure() << "code " << status.code() << " with '" << status.message()
                                         << "'; expected code " << code << " with '" << words << "'";
  return ::testing::AssertionSuccess();
}

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

inline std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

using Reading = std::function<Status(std::span<const std::byte>)>;

/// Reads every prefix of a file, or about `most` of them. Each is in a heap block of its own size, so that sanitizers
/// detect overruns. read: must be ok for the whole file, else fail with a code in `allowed`.
inline void sweep_prefixes(std::string_view file, const Reading& read, const std::vector<tesela_status>& allowed,
                           size_t most = 2000) {
  const size_t step = file.size() / most + 1;
  for (size_t size = 0; size < file.size(); size += step) {
    const auto part = bytes_of(file.substr(0, size));
    const std::vector<std::byte> block(part.begin(), part.end());
    const Status status = read(block);
    EXPECT_NE(std::find(allowed.begin(), allowed.end(), status.code()), allowed.end())
        << "prefix of " << size << " bytes: code " << status.code() << ", " << status.message();
  }
}

/// Reads a file with each bit flipped in turn, or about `most` of them; any result is allowed, but no crash.
inline void sweep_bit_flips(std::string_view file, const Reading& read, size_t most = 4000) {
  const size_t step = file.size() * 8 / most + 1;
  for (size_t bit = 0; bit < file.size() * 8; bit += step) {
    std::vector<std::byte> block(bytes_of(file).begin(), bytes_of(file).end());
    block[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    const Status status = read(block);
    EXPECT_NE(status.code(), TESELA_ERROR_INTERNAL) << "bit " << bit << ": " << status.message();
  }
}

}  // namespace tesela::testing
