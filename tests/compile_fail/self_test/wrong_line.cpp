// SPDX-License-Identifier: BSL-1.0
// REJECT: no message points at line 6
// EXPECT: something
#ifdef WF_FAIL
static_assert(sizeof(int) == 0, "something");
int innocent = 1;  // HERE
#else
int right = 1;
#endif
