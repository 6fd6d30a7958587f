/* SPDX-License-Identifier: Apache-2.0 */
/* A preloaded library that makes a chosen call on files below a folder fail, to test how a program handles it.
 *   TESELA_FAULT = CALL,K,ERRNO   the K-th such call (from 1) fails with this number; with "short" instead of a number,
 *                                 a read or write transfers one byte, with "slow" an open takes 0.1 s, and every removal 0.3 s and
 *                                 fsync 0.5 s.
 *                                 With a '+' after it: every call from the K-th on.
 *                                 CALL can also be pthread_create, or malloc for all
 *                                 functions that allocate.
 *   TESELA_FAULT_BELOW            the folder; calls on other files are neither counted nor changed
 *   TESELA_FAULT_THREADS          the number of threads that can exist at a time, like a limit of the system
 *   TESELA_FAULT_CORES            the number of cores that a program sees
 *   TESELA_FAULT_MARK             a file to create when a call fails */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { kSlow = -3, kSound = -2, kShort = -1 };

static atomic_long calls;

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int lies_below(const char* path) {
  const char* const folder = getenv("TESELA_FAULT_BELOW");
  return folder != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_file_below(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return lies_below(path);
}

/* The outcome of this call: kSound, kShort, kSlow, or the number of an error. */
static int verdict(const char* name) {
  const char* const fault = getenv("TESELA_FAULT");
  const size_t length = strlen(name);
  if (fault == NULL || strncmp(fault, name, length) != 0 || fault[length] != ',') return kSound;
  char* end = NULL;
  const long chosen = strtol(fault + length + 1, &end, 10);
  const long now = atomic_fetch_add(&calls, 1) + 1;
  const int lasting = fault[strlen(fault) - 1] == '+';
  if (*end != ',' || (lasting ? now < chosen : now != chosen)) return kSound;
  const char* const mark = getenv("TESELA_FAULT_MARK");
  if (mark != NULL) syscall(SYS_close, (int)syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT, 0600));
  if (strncmp(end + 1, "slow", 4) == 0) return kSlow;
  return strncmp(end + 1, "short", 5) == 0 ? kShort : atoi(end + 1);
}

static int verdict_on(const char* name, int fd) {
  return is_file_below(fd) ? verdict(name) : kSound;
}

#define FAIL_WITH(found, failure)   \
  do {                              \
    const int error_number = found; \
    if (error_number > 0) {         \
      errno = error_number;         \
      return (failure);             \
    }                               \
  } while (0)

ssize_t read(int fd, void* into, size_t size) {
  const int found = verdict_on("read", fd);
  FAIL_WITH(found, -1);
  return NEXT(read)(fd, into, found == kShort && size > 1 ? 1 : size);
}

ssize_t __read_chk(int fd, void* into, size_t size, size_t room) {
  if (size > room) abort();
  return read(fd, into, size);
}

ssize_t write(int fd, const void* from, size_t size) {
  const int found = verdict_on("write", fd);
  FAIL_WITH(found, -1);
  return NEXT(write)(fd, from, found == kShort && size > 1 ? 1 : size);
}

static void wait_if_slow(useconds_t time) {
  const char* const fault = getenv("TESELA_FAULT");
  if (fault != NULL && strstr(fault, "slow") != NULL) usleep(time);
}

int unlink(const char* path) {
  const int done = NEXT(unlink)(path);
  wait_if_slow(300000);
  return done;
}

int sync_file_range(int fd, off64_t offset, off64_t size, unsigned flags) {
  FAIL_WITH(verdict_on("sync_file_range", fd), -1);
  return NEXT(sync_file_range)(fd, offset, size, flags);
}

int fsync(int fd) {
  FAIL_WITH(verdict_on("fsync", fd), -1);
  wait_if_slow(500000);
  return NEXT(fsync)(fd);
}

int fchmod(int fd, mode_t mode) {
  FAIL_WITH(verdict_on("fchmod", fd), -1);
  return NEXT(fchmod)(fd, mode);
}

/* As in Linux, the descriptor is closed even if close fails. */
int close(int fd) {
  const int found = verdict_on("close", fd);
  const int done = NEXT(close)(fd);
  FAIL_WITH(found, -1);
  return done;
}

int rename(const char* from, const char* to) {
  if (lies_below(to)) FAIL_WITH(verdict("rename"), -1);
  return NEXT(rename)(from, to);
}

void* mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset) {
  if (fd >= 0) FAIL_WITH(verdict_on("mmap", fd), MAP_FAILED);
  return (void*)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}

static int open_file(const char* path, int flags, mode_t mode) {
  if (lies_below(path)) {
    const int found = verdict("open");
    FAIL_WITH(found, -1);
    if (found == kSlow) usleep(100000);
  }
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

#define DEFINE_OPEN(name)                          \
  int name(const char* path, int flags, ...) {     \
    va_list arguments;                             \
    va_start(arguments, flags);                    \
    const mode_t mode = va_arg(arguments, mode_t); \
    va_end(arguments);                             \
    return open_file(path, flags, mode);           \
  }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)
int __open_2(const char* path, int flags) {
  return open_file(path, flags, 0);
}
int __open64_2(const char* path, int flags) {
  return open_file(path, flags, 0);
}

/* Static initialisers of other libraries run before, and end the process where memory is missing. */
static atomic_int started;

int __libc_start_main(int (*program)(int, char**, char**), int argc, char** argv, void (*begin)(void),
                      void (*end)(void), void (*end_of_loader)(void), void* stack) {
  int (*const next)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void), void*) =
      NEXT(__libc_start_main);
  started = 1;
  return next(program, argc, argv, begin, end, end_of_loader, stack);
}

static int allocation_verdict(void) {
  return started ? verdict("malloc") : kSound;
}

/* glibc's own names, since dlsym allocates. */
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) {
  FAIL_WITH(allocation_verdict(), NULL);
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  FAIL_WITH(allocation_verdict(), NULL);
  return __libc_calloc(count, size);
}

void* realloc(void* memory, size_t size) {
  FAIL_WITH(allocation_verdict(), NULL);
  return __libc_realloc(memory, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  FAIL_WITH(allocation_verdict(), NULL);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size) {
  const int found = allocation_verdict();
  if (found > 0) return found;
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL ? ENOMEM : 0;
}

static atomic_long threads;

struct begin {
  void* (*run)(void*);
  void* argument;
};

static void* run_counted(void* given) {
  const struct begin begin = *(struct begin*)given;
  free(given);
  void* const result = begin.run(begin.argument);
  atomic_fetch_sub(&threads, 1);
  return result;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
  const int found = verdict("pthread_create");
  if (found > 0) return found;
  const char* const most = getenv("TESELA_FAULT_THREADS");
  if (most == NULL) return NEXT(pthread_create)(thread, attributes, run, argument);
  struct begin* const begin = malloc(sizeof *begin);
  if (begin == NULL || atomic_fetch_add(&threads, 1) >= atol(most)) {
    atomic_fetch_sub(&threads, 1);
    free(begin);
    return EAGAIN;
  }
  *begin = (struct begin){run, argument};
  return NEXT(pthread_create)(thread, attributes, run_counted, begin);
}

static long seen_cores(void) {
  const char* const cores = getenv("TESELA_FAULT_CORES");
  return cores == NULL ? 0 : atol(cores);
}

int sched_getaffinity(pid_t process, size_t size, cpu_set_t* set) {
  const long cores = seen_cores();
  if (cores == 0) return (int)NEXT(sched_getaffinity)(process, size, set);
  CPU_ZERO_S(size, set);
  for (long i = 0; i < cores; ++i) CPU_SET_S((size_t)i, size, set);
  return 0;
}

long sysconf(int name) {
  const long cores = seen_cores();
  if (cores > 0 && (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)) return cores;
  return NEXT(sysconf)(name);
}
