// SPDX-License-Identifier: Apache-2.0
// Error messages, and quoting of names from files.
#include "types/status.h"

#include "types/text.h"

namespace tesela {
Status::Status(tesela_status code, std::string message)
    : fault_(std::make_unique<const Fault>(Fault{code, std::move(message)})) {}

const std::string& Status::message() const {
  return fault_ ? fault_->message : kNoText;
}

Status Status::with_prefix(std::string_view where) const {
  return ok() ? *this : Status(fault_->code, std::string(where) + fault_->message);
}

std::string in_quotes(std::string_view name) {
  constexpr size_t kMax = 60;  // bytes shown; messages are bounded
  std::string out = "'";
  size_t at = 0;
  while (at < name.size()) {
    const size_t length = append_printable(out, name.substr(at), kMax - at);
    if (length == 0) break;
    at += length;
  }
  return out + (at < name.size() ? "...'" : "'");
}

}  // namespace tesela
