// SPDX-License-Identifier: Apache-2.0
// XML with restrictions: UTF-8, no DTD, limited size and depth; every fault with its line and column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "types/limits.h"
#include "types/status.h"

namespace tesela {

/// A parsed document. Its bytes must outlive it.
class XmlFile {
 public:
  /// Errors: parse ("line 3 column 7: ..."), limit (size, depth).
  Status parse(std::span<const std::byte> bytes, const Limits& limits);

  pugi::xml_node root() const { return document_.document_element(); }

  /// The location of an element: "line 3 column 7: ".
  std::string where(pugi::xml_node node) const;

 private:
  /// The text before a block: its number of newlines, and the offset of the line in which the block begins.
  struct Block {
    size_t newlines;
    size_t line_begin;
  };
  std::string where(size_t offset) const;
  void find_lines() const;
  Status check_nodes() const;

  std::span<const std::byte> bytes_;
  mutable std::vector<Block> blocks_;  // filled by the first call of where
  pugi::xml_document document_;
};

/// The attribute's value; empty if it is absent, too (use `has` to distinguish).
inline std::string_view attribute_text(pugi::xml_node node, const char* name) {
  return node.attribute(name).value();
}

/// A decimal integer that fits int64, without sign, spaces or exponent; empty for anything else.
std::optional<int64_t> decimal_number(std::string_view text);

/// The text without surrounding white space.
std::string_view trimmed(std::string_view text);

}  // namespace tesela
