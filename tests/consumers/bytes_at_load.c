// SPDX-License-Identifier: Apache-2.0
// Prints a byte of a library's memory as it is after loading for each offset of the arguments: a library, then offsets
// in hexadecimal.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char** words) {
  if (count < 3) return 2;
  void* library = dlopen(words[1], RTLD_NOW);
  struct link_map* map = NULL;
  if (library == NULL || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  for (int i = 2; i < count; ++i) printf("%d\n", *(const unsigned char*)(map->l_addr + strtoull(words[i], NULL, 16)));
  return 0;
}
