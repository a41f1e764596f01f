// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF801: step 'unwrap' returns cell but the programs of back end 'b' do not take it
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

inline auto wrap(int made, const cell&) { return cell{made}; }
#ifdef WF_FAIL
inline const auto other = b.with_arguments([](const cell& c) { return c; }, &wrap);
#else
inline const auto other = b.with_arguments([](const cell& c) { return c.value; }, &wrap);
#endif
