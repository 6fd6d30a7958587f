// SPDX-License-Identifier: Apache-2.0
/* What src/plan/index_arithmetic.h and real_arithmetic.h take from C++. TESELA_INT and TESELA_REAL are the types of their
   templates. The enumerations of src/schema/modes.h come before this file. */
typedef _Bool bool;
typedef long int64_t;
typedef __int128 Int128;
typedef TESELA_INT Int;
typedef TESELA_REAL Real;
#define TESELA_EITHER_INT
#define TESELA_EITHER_REAL
#define TESELA_AS(Type, value) ((Type)(value))
