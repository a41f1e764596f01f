// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF801: step 'unwrap' makes int of cell, what is to replace it double of cell
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
inline const auto b =
    wf::make_backend<"b">(wf::step<"same">([](const wf::graph& g) { return g; }),
                          wf::step<"emit">([](const wf::graph&) { return code{}; }))
        .with_arguments([](const cell& c) { return c.value; },
                        [](int made, const cell&) { return cell{made}; });
#ifdef WF_FAIL
inline const auto other = b.replace<"unwrap">([](const cell&) { return 0.5; });
#else
inline const auto other = b.replace<"unwrap">([](const cell&) { return 5; });
#endif
