// SPDX-License-Identifier: Apache-2.0
// Arguments of the form NAME=FILE, matched with the existing names.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tesela::cli {

struct NamedText {
  std::optional<std::string> name;  // none: the argument had no '='
  std::string text;
};

/// Splits at the first '='.
NamedText split_at_equals(const std::string& argument);

struct NameAndText {
  std::string name;
  std::string text;
};

/// Finds which of `names` each argument is for; text without '=' is for the only one. option: "-i"; kind: "input".
/// Errors: usage, with the existing names.
std::vector<NameAndText> match_names(const std::string& option, const std::string& kind,
                                     const std::vector<std::string>& arguments, const std::vector<std::string>& names);

}  // namespace tesela::cli
