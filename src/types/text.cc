// Shortening of texts.
#include "types/text.h"

namespace tesela {

std::string shortened(std::string_view text, size_t longest) {
  constexpr std::string_view kMore = "...";
  if (text.size() <= longest) return std::string(text);
  size_t length = longest - kMore.size();
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
  return std::string(text.substr(0, length)).append(kMore);
}

}  // namespace tesela
