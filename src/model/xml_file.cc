// SPDX-License-Identifier: Apache-2.0
// Parses XML, and finds lines and columns for messages.
#include "model/xml_file.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace tesela {
namespace {

// The memory of a node of the parsed document for each byte of text, in the worst case ("<a/>").
constexpr int64_t kMemoryPerByte = 32;
constexpr size_t kBlockBytes = 1024;
constexpr int64_t kMaxNesting = 256;  // nested elements; nested loops have about six each

}  // namespace

std::optional<int64_t> decimal_number(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.front() == '-') return std::nullopt;
  return value;
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string XmlFile::where(size_t offset) const {
  if (blocks_.empty()) find_lines();
  offset = std::min(offset, bytes_.size());
  const Block& block = blocks_[offset / kBlockBytes];
  const size_t begin = offset / kBlockBytes * kBlockBytes;
  const std::string_view text(reinterpret_cast<const char*>(bytes_.data()) + begin, offset - begin);
  const size_t line = block.newlines + static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  const size_t newline = text.rfind('\n');
  const size_t line_begin = newline == std::string_view::npos ? block.line_begin : begin + newline + 1;
  return fmt::format("line {} column {}: ", line, offset - line_begin + 1);
}

// Computed once: a million faults must not scan the text a million times.
void XmlFile::find_lines() const {
  Block block = {0, 0};
  for (size_t i = 0; i < bytes_.size(); ++i) {
    if (i % kBlockBytes == 0) blocks_.push_back(block);
    if (bytes_[i] == std::byte{'\n'}) block = {block.newlines + 1, i + 1};
  }
  if (bytes_.size() % kBlockBytes == 0) blocks_.push_back(block);
}

std::string XmlFile::where(pugi::xml_node node) const {
  const auto offset = node.offset_debug();
  // The offset of an element is that of its name.
  return where(static_cast<size_t>(std::max<std::ptrdiff_t>(offset, 1)) - 1);
}

Status XmlFile::parse(std::span<const std::byte> bytes, const Limits& limits) {
  bytes_ = bytes;
  blocks_.clear();
  if (static_cast<int64_t>(bytes.size()) > limits.max_working_bytes / kMemoryPerByte)
    return limit_error("the XML has {} bytes; the limit is {}", bytes.size(),
                       limits.max_working_bytes / kMemoryPerByte);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    return parse_error("{}the XML is UTF-16; expected UTF-8", where(size_t{0}));
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos)
    return parse_error("{}the XML has a byte 0", where(nul));
  // Document types are parsed so that they can be refused; entities are never expanded.
  const pugi::xml_parse_result result =
      document_.load_buffer(bytes.data(), bytes.size(), pugi::parse_default | pugi::parse_doctype, pugi::encoding_utf8);
  if (result.status == pugi::status_out_of_memory) return no_memory_error("the XML does not fit memory");
  if (!result) return parse_error("{}{}", where(static_cast<size_t>(result.offset)), result.description());
  return check_nodes();
}

// In document order without recursion: a file can be nested as deeply as it is long.
Status XmlFile::check_nodes() const {
  int64_t depth = 0;
  pugi::xml_node node = document_.first_child();
  while (node) {
    if (node.type() == pugi::node_doctype)
      return parse_error("{}the XML has a document type; expected none", where(node));
    if (node.first_child()) {
      node = node.first_child();
      if (++depth > kMaxNesting)
        return limit_error("{}elements are nested more than {} deep", where(node), kMaxNesting);
      continue;
    }
    while (node && !node.next_sibling()) {
      node = node.parent();
      --depth;
    }
    node = node.next_sibling();
  }
  return {};
}

}  // namespace tesela
