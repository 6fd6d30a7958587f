// A list without dynamic memory and locks, because signal handlers read it.
#include "files/unfinished_files.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstdlib>
#include <cstring>

namespace tesela {
namespace {

struct Place {
  std::atomic<bool> taken = false;
  std::atomic<pid_t> owner = 0;  // 0: the path is not set
  std::array<char, PATH_MAX> path;
};

std::array<Place, 16> places;  // files beyond these are not removed

// A child of fork does not delete its parent's files.
void remove_all() {
  for (Place& place : places)
    if (place.owner.load() == ::getpid()) ::unlink(place.path.data());
}

// Done while the library is loaded: the C library holds a lock meanwhile, which quick_exit waits for, and a signal
// handler on the same thread would wait for ever.
const int registered = std::at_quick_exit(remove_all);

}  // namespace

UnfinishedFile::UnfinishedFile(const std::string& path) noexcept {
  if (registered != 0 || path.size() >= PATH_MAX) return;
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i].taken.exchange(true)) continue;
    std::memcpy(places[i].path.data(), path.c_str(), path.size() + 1);
    places[i].owner = ::getpid();
    place_ = static_cast<int>(i);
    return;
  }
}

UnfinishedFile::~UnfinishedFile() {
  if (place_ < 0) return;
  Place& place = places[static_cast<size_t>(place_)];
  place.owner = 0;
  place.taken = false;
}

}  // namespace tesela
