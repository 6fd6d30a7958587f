// What went wrong in words, and names from files made fit for one line of text.
#include "types/status.h"

#include <algorithm>

namespace tesela {
namespace {

// Bytes of the UTF-8 sequence that `text`, not empty, begins with; 0 where it begins with none.
size_t sequence_length(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Longer forms than needed, surrogates, and what lies beyond Unicode.
  const unsigned second = byte(1);
  const bool is_none = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0) ||
                       (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second >= 0x90);
  return is_none ? 0 : length;
}

}  // namespace

Status::Status(tesela_status code, std::string message)
    : fault_(std::make_unique<const Fault>(Fault{code, std::move(message)})) {}

const std::string& Status::message() const {
  static const std::string none;
  return fault_ ? fault_->message : none;
}

Status Status::with_prefix(std::string_view where) const {
  return ok() ? *this : Status(fault_->code, std::string(where) + fault_->message);
}

std::string quoted(std::string_view name) {
  constexpr size_t kLongest = 60;  // bytes shown; messages are bounded
  std::string out = "'";
  size_t at = 0;
  while (at < name.size()) {
    const size_t known = sequence_length(name.substr(at));
    const size_t length = std::max<size_t>(known, 1);
    if (at + length > kLongest) break;
    const auto byte = static_cast<unsigned char>(name[at]);
    if (known == 0 || byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += name.substr(at, length);
    at += length;
  }
  return out + (at < name.size() ? "...'" : "'");
}

}  // namespace tesela
