// SPDX-License-Identifier: BSL-1.0
// REJECT: the messages lack: inner dimensions differ
// EXPECT: inner dimensions differ
#ifdef WF_FAIL
static_assert(sizeof(int) == 0, "something else");
#else
int right = 1;
#endif
