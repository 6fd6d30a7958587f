// Names from files, made fit for one line of text.
#include "types/status.h"

namespace tesela {

std::string quoted(std::string_view name) {
  constexpr size_t kLongest = 60;  // bytes shown; messages are bounded
  std::string out = "'";
  for (const char c : name.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  if (name.size() > kLongest) {
    // A cut inside a UTF-8 sequence would leave an invalid byte behind.
    while ((static_cast<unsigned char>(out.back()) & 0xC0) == 0x80) out.pop_back();
    if (static_cast<unsigned char>(out.back()) >= 0xC0) out.pop_back();
    out += "...";
  }
  return out + "'";
}

}  // namespace tesela
