// SPDX-License-Identifier: Apache-2.0
// The table of operators as text, for `tesela ops` and the support table.
#pragma once

#include <string>

namespace tesela {

std::string ops_plain();     // a paragraph per operator version
std::string ops_markdown();  // the support table
std::string ops_json();      // everything in the rows

}  // namespace tesela
