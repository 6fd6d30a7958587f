// The table of operators as text: what `tesela ops` prints and the support table is made of.
#pragma once

#include <string>

namespace tesela {

std::string ops_plain();     // a paragraph an operator version
std::string ops_markdown();  // the support table
std::string ops_json();      // everything in the rows

}  // namespace tesela
