// SPDX-License-Identifier: BSL-1.0
// REJECT: no '#ifdef WF_FAIL
// EXPECT: something
static_assert(sizeof(int) == 0, "something");
