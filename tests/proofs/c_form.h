// SPDX-License-Identifier: Apache-2.0
/* What src/plan/index_arithmetic.h takes from C++. TESELA_INT is the type of its templates. The enumerations of
   src/schema/modes.h come before this file. */
typedef _Bool bool;
typedef long int64_t;
typedef __int128 Int128;
typedef TESELA_INT Int;
#define TESELA_EITHER_INT
#define TESELA_AS(Type, value) ((Type)(value))
