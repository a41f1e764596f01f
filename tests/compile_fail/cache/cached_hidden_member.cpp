// SPDX-License-Identifier: BSL-1.0
// EXPECT: all WF807: the state of 'scale' cannot be seen
#include <wf/cache/cached.hpp>
#include <wf/toolchain/toolchain.hpp>

class scaler {
 public:
  explicit scaler(int factor) : factor_(factor) {}
  int operator()(const int& x) const { return factor_ * x; }
#ifdef WF_FAIL
  int factor() const { return factor_; }
#else
  friend void fingerprint(wf::fingerprinter& f, const scaler& s) { f(s.factor_); }
#endif

 private:
  int factor_;
};

const auto chain = wf::chain<"all">(wf::step<"scale">(scaler(2)),
                                    wf::step<"add">([](const int& x) { return x + 1; }));
const auto kept = wf::cached(chain, wf::in_memory<int>());  // HERE
