// SPDX-License-Identifier: BSL-1.0
// EXPECT: handle WF814: 'handle' has no fingerprint
#include <wf/cache/cached.hpp>

class handle {
 public:
  int id() const { return id_; }

 private:
  int id_ = 0;
};
const auto open = wf::step<"open">([](const handle& h) { return h.id(); });
#ifdef WF_FAIL
const auto kept = wf::cached(open, wf::in_memory<int>());  // HERE
#else
const auto by_id = [](const handle& h) { return h.id(); };
const auto kept = wf::cached(open, wf::in_memory<int>(), by_id);
#endif
const int opened = kept(handle());
