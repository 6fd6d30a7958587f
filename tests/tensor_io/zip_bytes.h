// SPDX-License-Identifier: Apache-2.0
// Builds zip archives field by field, including invalid ones.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tesela::testing {

template <class T>
void put(std::string& out, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

inline std::string deflated(std::string_view data) {
  z_stream z = {};
  deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, data.size()), '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  z.avail_in = static_cast<uInt>(data.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

/// An entry as declared by its headers.
struct ZipMember {
  std::string name;
  std::string stored;
  uint16_t method = 0;
  uint16_t flags = 0;
  uint32_t crc = 0;
  uint64_t bytes = 0;
  bool zip64 = false;
  int64_t offset = -1;          // in the directory; -1: the true one
  std::string local_name = "";  // if it differs from the directory's
};

inline ZipMember member(std::string_view name, std::string_view data, bool deflate = false) {
  const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size());
  return {std::string(name),
          deflate ? deflated(data) : std::string(data),
          static_cast<uint16_t>(deflate ? 8 : 0),
          0,
          static_cast<uint32_t>(crc),
          data.size()};
}

/// The common part of local and central header.
inline void put_shared(std::string& out, const ZipMember& m, std::string_view name, size_t extra) {
  put<uint16_t>(out, m.flags), put<uint16_t>(out, m.method), put<uint32_t>(out, 0), put<uint32_t>(out, m.crc);
  put<uint32_t>(out, m.zip64 ? UINT32_MAX : static_cast<uint32_t>(m.stored.size()));
  put<uint32_t>(out, m.zip64 ? UINT32_MAX : static_cast<uint32_t>(m.bytes));
  put<uint16_t>(out, static_cast<uint16_t>(name.size())), put<uint16_t>(out, static_cast<uint16_t>(extra));
}

inline std::string zip(const std::vector<ZipMember>& members, int64_t claimed_entries = -1,
                       std::string_view comment = "") {
  std::string out, directory;
  for (const ZipMember& m : members) {
    const size_t at = out.size();
    const std::string& local_name = m.local_name.empty() ? m.name : m.local_name;
    put<uint32_t>(out, 0x04034b50), put<uint16_t>(out, 20);
    put_shared(out, m, local_name, 0);
    out += local_name + m.stored;
    put<uint32_t>(directory, 0x02014b50), put<uint32_t>(directory, 20 << 16 | 20);
    put_shared(directory, m, m.name, m.zip64 ? 20 : 0);
    put<uint64_t>(directory, 0), put<uint16_t>(directory, 0);
    put<uint32_t>(directory, static_cast<uint32_t>(m.offset < 0 ? at : static_cast<size_t>(m.offset)));
    directory += m.name;
    if (m.zip64) {
      put<uint16_t>(directory, 1), put<uint16_t>(directory, 16);
      put<uint64_t>(directory, m.bytes), put<uint64_t>(directory, m.stored.size());
    }
  }
  const size_t offset = out.size();
  const auto entries =
      static_cast<uint16_t>(claimed_entries < 0 ? static_cast<int64_t>(members.size()) : claimed_entries);
  out += directory;
  put<uint32_t>(out, 0x06054b50), put<uint32_t>(out, 0), put<uint16_t>(out, entries), put<uint16_t>(out, entries);
  put<uint32_t>(out, static_cast<uint32_t>(directory.size())), put<uint32_t>(out, static_cast<uint32_t>(offset));
  put<uint16_t>(out, static_cast<uint16_t>(comment.size()));
  return out.append(comment);
}

}  // namespace tesela::testing
