// SPDX-License-Identifier: BSL-1.0
// EXPECT: has no fingerprint: a pointer is no content
// EXPECT-GCC: link WF814: its part 'const link*'
// EXPECT-CLANG: link WF814: its part 'const link *'
#include <wf/cache/fingerprint/fingerprint.hpp>

struct link {
  int value;
  const link* next;
};
#ifdef WF_FAIL
constexpr int value_of(const link& l) { return l.value; }
#else
constexpr void fingerprint(wf::fingerprinter& f, const link& l) { f(l.value).follow(l.next); }
#endif
constexpr link last{2, nullptr}, first{1, &last};
constexpr auto f = wf::fingerprint_of(first);  // HERE
static_assert(f != wf::digest128{});
