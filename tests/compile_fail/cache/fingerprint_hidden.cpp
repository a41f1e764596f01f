// SPDX-License-Identifier: BSL-1.0
// EXPECT: order WF814: its part 'money' has no fingerprint: write a function
// fingerprint(wf::fingerprinter&, const T&) for it, or wrap it in wf::not_fingerprinted
#include <wf/cache/fingerprint/fingerprint.hpp>

class money {
 public:
  constexpr explicit money(int cents) : cents_(cents) {}
#ifdef WF_FAIL
  constexpr int cents() const { return cents_; }
#else
  friend constexpr void fingerprint(wf::fingerprinter& f, const money& m) { f(m.cents_); }
#endif

 private:
  int cents_;
};
struct order {
  int number;
  money price;
};
constexpr auto f = wf::fingerprint_of(order{1, money(995)});  // HERE
static_assert(f != wf::digest128{});
