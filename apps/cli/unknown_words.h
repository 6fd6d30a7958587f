// Verbs and options that do not exist: what to say of them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tesela::cli {

/// What to say of the first word that nothing in the program takes, once it has been parsed; empty where
/// every word is taken.
std::string unknown_word_text(const CLI::App& program);

}  // namespace tesela::cli
