// SPDX-License-Identifier: BSL-1.0
// REJECT: the wrong program compiles
// EXPECT: anything
#ifdef WF_FAIL
int wrong = 1;
#else
int right = 1;
#endif
