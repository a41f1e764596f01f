// SPDX-License-Identifier: BSL-1.0
// REJECT: the messages lack: only in a comment
// EXPECT: only in a comment
#ifdef WF_FAIL
static_assert(sizeof(int) == 0, "something else");  // only in a comment
#else
int right = 1;
#endif
