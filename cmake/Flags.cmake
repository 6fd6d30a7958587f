# SPDX-License-Identifier: Apache-2.0
# What every file of ours is compiled and linked with: the target tesela_flags.
include(CheckCXXCompilerFlag)

add_library(tesela_flags INTERFACE)

# Every path must round alike: no contraction, and none of the liberties that a project's own flags may take.
target_compile_options(tesela_flags INTERFACE -fno-fast-math -ffp-contract=off)

# A project that Tesela is a part of may have compilers that Tesela does not know, and treat warnings as errors.
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(tesela_flags INTERFACE -Wall -Wextra -Wconversion -Wsign-conversion)
endif()

# g++ 12 sees overlapping copies in `"text" + std::string` (GCC bug 105651), and overflows in assignments of texts (105329).
target_compile_options(tesela_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict$<SEMICOLON>-Wno-stringop-overflow>)
# With LTO they come when the library is linked.
target_link_options(tesela_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict$<SEMICOLON>-Wno-stringop-overflow>)

# Hardening that costs kernels nothing.
target_compile_options(tesela_flags INTERFACE -fstack-protector-strong)
foreach(flag -fstack-clash-protection -fcf-protection=full)
  string(MAKE_C_IDENTIFIER "TESELA_HAS${flag}" has_flag)
  check_cxx_compiler_flag(${flag} ${has_flag})
  if(${has_flag})
    target_compile_options(tesela_flags INTERFACE ${flag})
  endif()
endforeach()
# The linker drops the mark for shadow stacks because Debian's start files lack it; they call and return as they should.
# Indirect branch tracking stays unmarked: their _init has no endbr64.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND TESELA_HAS_fcf_protection_full)
  target_link_options(tesela_flags INTERFACE -Wl,-z,shstk)
endif()
target_link_options(tesela_flags INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack,-z,separate-code,--as-needed)

# Debug information names files by their place in the project, so that a build has the same bytes in any folder.
target_compile_options(tesela_flags INTERFACE 
  $<$<CONFIG:RelWithDebInfo,MinSizeRel>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=$<SEMICOLON>-ffile-prefix-map=${PROJECT_BINARY_DIR}=build>)

if(TESELA_SANITIZE)
  target_compile_options(tesela_flags INTERFACE
    -fsanitize=${TESELA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(tesela_flags INTERFACE -fsanitize=${TESELA_SANITIZE})
else()
  # The fortified functions of the C library need the optimizer; sanitizers bring their own.
  target_compile_options(tesela_flags INTERFACE
    $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=3>)
endif()
target_compile_definitions(tesela_flags INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
if(TESELA_FUZZ)
  target_compile_options(tesela_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Debian's oneTBB is not instrumented: ThreadSanitizer would report what it cannot see.
if(TESELA_SANITIZE MATCHES thread)
  target_compile_definitions(tesela_flags INTERFACE TESELA_PLAIN_THREADS)
endif()
# Between a sanitizer's calls g++ 12 loses sight of what std::optional and std::string know of themselves.
if(TESELA_SANITIZE)
  target_compile_options(tesela_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized -Wno-array-bounds>)
endif()
