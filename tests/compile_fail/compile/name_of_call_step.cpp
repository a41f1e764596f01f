// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF802: two steps are named 'run': one that compiles, and one of every call
#include <wf/compile/backend.hpp>

struct code {
  struct program {
    wf::result<int> operator()(int x) const { return x; }
  };
  program load() const { return {}; }
};
struct cell {
  int value;
};
#ifdef WF_FAIL
#define WF_NAME "run"
#else
#define WF_NAME "emit"
#endif
inline const auto b =
    wf::make_backend<"b">(wf::step<"same">([](const wf::graph& g) { return g; }),
                          wf::step<WF_NAME>([](const wf::graph&) { return code{}; }));
inline const auto other = b.with_arguments([](const cell& c) { return c.value; },
                                           [](int made, const cell&) { return cell{made}; });
