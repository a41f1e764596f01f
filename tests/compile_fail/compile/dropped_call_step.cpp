// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF804: step 'unwrap' cannot be left out: it makes int of cell
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
inline const auto other = b.drop<"unwrap">();
#else
inline const auto other = b.drop<"same">();
#endif
