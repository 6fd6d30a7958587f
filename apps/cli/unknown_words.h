// Verbs and options that do not exist: what to say of them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tesela::cli {

/// The name that `word` may be meant for: the nearest by edits, or the shortest that begins with it; empty
/// where none is near.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names);

/// What to say of the first word that nothing in the program takes, once it has been parsed; empty where
/// every word is taken.
std::string unknown_word_text(const CLI::App& program);

}  // namespace tesela::cli
