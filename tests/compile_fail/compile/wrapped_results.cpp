// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF801: step 'wrap' does not take int and cell
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
                          wf::step<"emit">([](const wf::graph&) { return code{}; }));

inline int unwrap(const cell& c) { return c.value; }
#ifdef WF_FAIL
inline const auto other = b.with_arguments(&unwrap, [](const cell& c) { return c; });
#else
inline const auto other =
    b.with_arguments(&unwrap, [](int made, const cell&) { return cell{made}; });
#endif
