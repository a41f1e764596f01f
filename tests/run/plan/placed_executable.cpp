// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/placed_executable.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/run/plan/body_run.hpp>

#include "../random_workflow.hpp"

namespace {

using wf::dtype, wf::shape;
using wf::detail::placed_executable;

// Runs a plan on arguments, in storage that is filled with garbage.
wf::named_matrices run(const placed_executable<double>& p, const wf::named_matrices& arguments) {
  const wf::graph_view g = p.view();
  std::vector<wf::input_matrix> inputs;
  for (const wf::value& v : wf::detail::inputs_of(g))
    inputs.push_back(arguments.find(std::string(g.text_of(v.name)))->second);
  wf::named_matrices made;
  std::vector<wf::output_matrix> outputs;
  for (const wf::output& o : g.outputs) {
    const shape& s = g[o.source].type.shape;
    wf::dynamic_matrix& m = made[std::string(g.text_of(o.name))];
    m.resize(wf::detail::given_rows(s), wf::detail::given_columns(s));
    outputs.push_back(m);
  }
  std::vector<double> storage(p.elements() + 8, 777.0);
  double* workspace = storage.data();
  while (reinterpret_cast<std::uintptr_t>(workspace) % 64 != 0) ++workspace;
  auto values = p.values_in(workspace);
  const wf::error e = p.run(inputs, outputs, workspace, values, nullptr, {});
  REQUIRE_MESSAGE(e.code == wf::errc::none, std::string(wf::to_text(e)));
  return made;
}

}  // namespace

TEST_CASE("a run takes no more than peak_memory says, by any plan, and computes the same") {
  const std::uint64_t seed = 20270307;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const wf::registry kernels = wf::builtin_registry();
  std::size_t less = 0, views = 0;
#ifdef __OPTIMIZE__
  constexpr int rounds = 6000;
#else
  constexpr int rounds = 600;
#endif
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    wf_test::random_workflow_options options;
    options.most_nodes = 2 + static_cast<std::size_t>(round % 40);
    options.most_extent = round % 5 == 0 ? 40 : round % 5 == 1 ? 12 : 4;
    options.single_precision = round % 3 == 0;
    const wf_test::random_workflow w = wf_test::make_random_workflow(random, options);
    const wf::graph_view g = w.graph.view();
    INFO(std::string(wf::to_text(g).view()));
    const auto fastest = placed_executable<double>::make(w.graph, kernels, {});
    const auto promised = placed_executable<double>::make(w.graph, kernels, {.promised = true});
    const auto apart = placed_executable<double>::make(w.graph, kernels, {.share_buffers = false});
    REQUIRE(fastest);
    REQUIRE(promised);
    REQUIRE(apart);
    // All elements are stored as doubles; inputs of other types are copied.
    const auto order = wf::topological_order(g);
    const std::int64_t peak = wf::storage_along(g, kernels, *order, 8)->bytes;
    std::int64_t given = 0;
    bool doubles = true;
    for (const wf::value& v : g.values) {
      doubles = doubles && wf::size_of(v.type.type) == 8;
      if (v.producer == wf::node_id::none && v.type.type == dtype::f64)
        given += 8 * v.type.shape.elements();
    }
    if (doubles) REQUIRE(peak == *wf::price(g, wf::peak_memory, kernels));
    for (const placed_executable<double>* p : {&*fastest, &*promised})
      REQUIRE(static_cast<std::int64_t>(8 * p->elements()) + given <= peak);
    less += static_cast<std::int64_t>(8 * fastest->elements()) + given < peak ? 1 : 0;
    const wf::named_matrices expected = run(*apart, w.arguments);
    CHECK(wf_test::difference(expected, run(*fastest, w.arguments)) == "");
    CHECK(wf_test::difference(expected, run(*promised, w.arguments)) == "");
    for (const wf::node& n : promised->stored().g.view().nodes)
      views += promised->stored().is_view(n) ? 1 : 0;
  }
  CHECK(less > rounds / 4);
  CHECK(views > static_cast<std::size_t>(rounds));
}
