// SPDX-License-Identifier: Apache-2.0
// A list without dynamic memory and locks, because signal handlers read it.
#include "files/unfinished_files.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "files/file_bytes.h"

namespace tesela {
namespace {

struct Place {
  std::atomic<bool> taken = false;
  std::atomic<pid_t> owner = 0;  // 0: the path is not set
  std::atomic<bool> creating = false;
  std::array<char, PATH_MAX> path;
};

std::array<Place, 16> places;  // files beyond these are not removed

std::atomic<pid_t> ending = 0;  // the process that is being ended

// A child of fork does not delete its parent's files.
void remove_all() {
  ending = ::getpid();
  for (Place& place : places) {
    if (place.owner.load() != ::getpid()) continue;
    while (place.creating) ::sched_yield();  // by another thread
    ::unlink(place.path.data());
  }
}

int create_file(const std::string& path) {
  return uninterrupted(
      [&] { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666); });
}

// Done while the library is loaded: the C library holds a lock meanwhile, which quick_exit waits for, and a signal
// handler on the same thread would wait for ever.
const int registered = std::at_quick_exit(remove_all);

}  // namespace

UnfinishedFile::UnfinishedFile(const std::string& path) noexcept : path_(path) {
  if (registered != 0 || path.size() >= PATH_MAX) return;
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i].taken.exchange(true)) continue;
    std::memcpy(places[i].path.data(), path.c_str(), path.size() + 1);
    places[i].owner = ::getpid();
    place_ = static_cast<int>(i);
    return;
  }
}

// Either this sees that the process is being ended, or remove_all sees that the file is being created. It waits for that,
// so no handler on this thread may end the process meanwhile.
int UnfinishedFile::create() noexcept {
  if (place_ < 0) return create_file(path_);
  Place& place = places[static_cast<size_t>(place_)];
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  const bool held = ::pthread_sigmask(SIG_BLOCK, &all, &before) == 0;
  place.creating = true;
  const bool is_ending = ending == ::getpid();
  const int fd = is_ending ? -1 : create_file(path_);
  const int error = is_ending ? ECANCELED : errno;
  place.creating = false;
  if (held) ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return fd;
}

UnfinishedFile::~UnfinishedFile() {
  if (place_ < 0) return;
  Place& place = places[static_cast<size_t>(place_)];
  place.owner = 0;
  place.taken = false;
}

}  // namespace tesela
