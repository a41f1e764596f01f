// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/step_accesses.hpp>

#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "placed.hpp"

namespace {

using use = std::tuple<std::uint32_t, std::uint32_t, bool>;
using pairs = std::vector<wf::step_dependence>;

}  // namespace

TEST_CASE("steps access the homes of their operands and results, reads first") {
  placed::writer w;
  const auto a = w.input(placed::square), b = w.input(placed::square);
  const auto product = w.add("matmul", {a, b}, placed::square);
  const auto turned = w.add("transpose", {product}, placed::square);
  const auto sum = w.add("matmul", {turned, product}, placed::square);
  const auto p = w.placed({sum}, false);
  std::vector<use> found;
  wf::detail::each_access(p.stored(), p.steps(),
                          [&](std::uint32_t step, wf::value_id home, bool is_written) {
                            found.push_back({step, index_of(home), is_written});
                          });
  const auto at = [](wf::value_id v) { return index_of(v); };
  CHECK(found == std::vector<use>{{0, at(a), false},
                                  {0, at(b), false},
                                  {0, at(product), true},
                                  {1, at(product), false},
                                  {1, at(product), false},
                                  {1, at(sum), true}});
  const auto readers = wf::detail::count_readers(p.stored());
  CHECK(readers[at(a)] == 1);
  CHECK(readers[at(product)] == 1);
  CHECK(readers[at(sum)] == 0);
}

TEST_CASE("control edges and effects are dependences; an edge at a view chains all steps") {
  placed::writer w;
  const auto a = w.input(placed::square);
  const auto x = w.add("inverse", {a}, placed::square), y = w.add("inverse", {x}, placed::square),
             z = w.add("inverse", {a}, placed::square);
  const auto t = w.add("transpose", {a}, placed::square);
  const auto u = w.add("inverse", {t}, placed::square);
  const auto node_of = [&](wf::value_id v) { return w.g.view()[v].producer; };
  CHECK(wf::detail::stated_dependences(w.placed({y, z, u}).stored(), w.placed({y, z, u}).steps())
            .empty());
  w.g.add_edge(wf::edge_kind::control, node_of(x), node_of(z));
  {
    const auto p = w.placed({y, z, u});
    const auto stated = wf::detail::stated_dependences(p.stored(), p.steps());
    REQUIRE(stated.size() == 1);
    CHECK(p.steps()[stated[0].before].last == node_of(x));
    CHECK(p.steps()[stated[0].after].last == node_of(z));
  }
  w.g.add_edge(wf::edge_kind::control, node_of(y), node_of(t));
  const auto p = w.placed({y, z, u});
  const auto stated = wf::detail::stated_dependences(p.stored(), p.steps());
  CHECK(stated.size() == p.steps().size());  // the edge, and the chain
}
