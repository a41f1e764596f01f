// SPDX-License-Identifier: BSL-1.0
// REJECT: the right twin does not compile
// EXPECT: something
#ifdef WF_FAIL
static_assert(sizeof(int) == 0, "something");
#else
int right = nowhere;
#endif
