// SPDX-License-Identifier: Apache-2.0
// Builds PNG files chunk by chunk, including invalid ones.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace tesela::testing {

inline std::string big_endian(uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

inline std::string png_chunk(std::string_view type, std::string_view data) {
  const std::string body = std::string(type) + std::string(data);
  const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size());
  return big_endian(static_cast<uint32_t>(data.size())) + body + big_endian(static_cast<uint32_t>(crc));
}

inline std::string zlib_packed(std::string_view data) {
  uLongf size = compressBound(data.size());
  std::string out(size, '\0');
  compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(data.data()), data.size(), 9);
  out.resize(size);
  return out;
}

enum PngColor : char { kPngGrey = 0, kPngRgb = 2, kPngPalette = 3, kPngGreyAlpha = 4, kPngRgba = 6 };

struct PngHeader {
  uint32_t width = 1;
  uint32_t height = 1;
  int depth = 8;
  PngColor color = kPngGrey;
  bool interlaced = false;
};

inline std::string png_head(const PngHeader& header) {
  std::string data = big_endian(header.width) + big_endian(header.height);
  data += {static_cast<char>(header.depth), header.color, 0, 0, static_cast<char>(header.interlaced ? 1 : 0)};
  return "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", data);
}

/// rows: each with its filter byte first. chunks: between header and pixels.
inline std::string png(const PngHeader& header, std::string_view rows, std::string_view chunks = "") {
  return png_head(header) + std::string(chunks) + png_chunk("IDAT", zlib_packed(rows)) + png_chunk("IEND", "");
}

}  // namespace tesela::testing
