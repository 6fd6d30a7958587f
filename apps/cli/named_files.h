// Arguments of the form NAME=FILE, held against the names that there are.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tesela::cli {

struct NamedText {
  std::optional<std::string> name;  // nothing: the argument had no '='
  std::string text;
};

/// Splits at the first '='.
NamedText split_at_equals(const std::string& argument);

struct NameAndText {
  std::string name;
  std::string text;
};

/// Finds for each argument which of `names` it means; a bare text means the only one.
/// option: "-i"; thing: "input". Errors: usage, with the names that there are.
std::vector<NameAndText> match_names(const std::string& option, const std::string& thing,
                                     const std::vector<std::string>& arguments, const std::vector<std::string>& names);

}  // namespace tesela::cli
