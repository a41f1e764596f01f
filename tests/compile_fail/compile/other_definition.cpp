// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF805: back end 'scripts' begins with script but back end 'graphs' with graph
#include <wf/compile/choose.hpp>

struct script {};
struct code {
  struct program {
    wf::result<int> operator()(int x) const { return x; }
  };
  program load() const { return {}; }
};
inline const auto scripts = wf::make_backend<"scripts">(
    wf::drop_args<wf::type_args>(wf::step<"parse">([](const script& s) { return s; })),
    wf::step<"emit">([](const script&) { return code{}; }));
[[maybe_unused]] inline const auto graphs =
    wf::make_backend<"graphs">(wf::step<"same">([](const wf::graph& g) { return g; }),
                               wf::step<"emit">([](const wf::graph&) { return code{}; }));

inline auto compile() {
#ifdef WF_FAIL
  return wf::compile_for<int, int>(script{}, {}, scripts, graphs);
#else
  return wf::compile_for<int, int>(script{}, {}, scripts,
                                   graphs.prepend(wf::on_data<wf::type_args>(wf::step<"lower">(
                                       [](const script&) { return wf::graph(); }))));
#endif
}
