// SPDX-License-Identifier: Apache-2.0
// Reports verbs and options that do not exist.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tesela::cli {

/// The message for the first unknown word, after parsing; empty if every word is known.
std::string unknown_word_text(const CLI::App& program);

}  // namespace tesela::cli
