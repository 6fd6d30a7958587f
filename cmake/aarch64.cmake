# SPDX-License-Identifier: Apache-2.0
# The cross compiler of Debian for aarch64, with the packages that scripts/setup_aarch64.sh unpacked, and qemu-user to run
# what it makes. Pass -DTESELA_AARCH64_PACKAGES=FOLDER.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TESELA_AARCH64_PACKAGES)
set(libraries lib/aarch64-linux-gnu)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH ${TESELA_AARCH64_PACKAGES})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${TESELA_AARCH64_PACKAGES}/usr/${libraries}/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${TESELA_AARCH64_PACKAGES})
include_directories(SYSTEM ${TESELA_AARCH64_PACKAGES}/usr/include ${TESELA_AARCH64_PACKAGES}/usr/include/aarch64-linux-gnu)
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-Wl,-rpath-link,${TESELA_AARCH64_PACKAGES}/usr/${libraries}:${TESELA_AARCH64_PACKAGES}/${libraries}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT ${CMAKE_EXE_LINKER_FLAGS_INIT})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu
  -E LD_LIBRARY_PATH=${TESELA_AARCH64_PACKAGES}/usr/${libraries}:${TESELA_AARCH64_PACKAGES}/${libraries})
