// XML under our rules: UTF-8, no DTD, bounded size and depth, every fault with its line and column.
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

/// A parsed document. The bytes it came from must outlive it.
class XmlFile {
 public:
  /// Errors: parse ("line 3 column 7: ..."), limit (size, depth).
  Status parse(std::span<const std::byte> bytes, const Limits& limits);

  pugi::xml_node root() const { return document_.document_element(); }

  /// "line 3 column 7: ", of an element.
  std::string where(pugi::xml_node node) const;

 private:
  /// The text before a block of it: its newlines, and where the line begins that the block begins in.
  struct Block {
    size_t newlines;
    size_t line_begin;
  };
  std::string where(size_t offset) const;
  void find_lines() const;
  Status check_nodes() const;

  std::span<const std::byte> bytes_;
  mutable std::vector<Block> blocks_;  // found when the first fault is placed
  pugi::xml_document document_;
};

/// The attribute's value; empty where it is absent, which `has` tells apart.
inline std::string_view attribute_text(pugi::xml_node node, const char* name) {
  return node.attribute(name).value();
}

/// A whole decimal number without signs, spaces or exponents, that fits int64; empty for anything else.
std::optional<int64_t> decimal_number(std::string_view text);

/// Without the white space around it.
std::string_view trimmed(std::string_view text);

}  // namespace tesela
