// SPDX-License-Identifier: BSL-1.0
// REJECT: no EXPECT
#ifdef WF_FAIL
static_assert(sizeof(int) == 0, "something");
#else
int right = 1;
#endif
