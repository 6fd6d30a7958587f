// SPDX-License-Identifier: Apache-2.0
// Which change is on, and which ones made a difference: TESELA_CHANGES_REACHED names a file with a byte for each change, which
// mutate.py makes. Programs that a test starts write into the same file.
#include "switches.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace switches {
namespace {

struct Reached {
  char* bytes = nullptr;
  int count = 0;
};

Reached map_reached() {
  const char* const path = std::getenv("TESELA_CHANGES_REACHED");
  if (path == nullptr) return {};
  const int file = open(path, O_RDWR | O_CLOEXEC);
  struct stat facts = {};
  if (file < 0 || fstat(file, &facts) != 0) std::abort();
  void* const bytes = mmap(nullptr, static_cast<size_t>(facts.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (bytes == MAP_FAILED) std::abort();
  close(file);
  return {static_cast<char*>(bytes), static_cast<int>(facts.st_size)};
}

// The number of the change that is on; 0: none.
int read_chosen() {
  const char* const text = std::getenv("TESELA_CHANGE");
  return text == nullptr ? 0 : std::atoi(text);
}

}  // namespace

bool reached(int n) {
  static const int chosen = read_chosen();
  static const Reached all = map_reached();
  if (n < all.count) all.bytes[n] = 1;
  return chosen == n;
}

}  // namespace switches
