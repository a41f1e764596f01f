// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/option_graph.hpp>

#include <doctest/doctest.h>

#include "../reduce/reduced_cases.hpp"

using namespace enumerated;
using wf::detail::option_graph;

// The options of a reduced problem.
static option_graph options_of(const wf::detail::reduced_selection& r) {
  option_graph out(r);
  for (std::uint32_t n = 0; n < r.candidates; ++n) {
    option_graph::option o;
    o.number = n;
    for (std::uint32_t i = r.child_first[n]; i < r.child_first[n + 1]; ++i)
      o.needs.push_back(r.child[i]);
    out.groups_[r.owner[n]].options.push_back(o);
  }
  return out;
}

TEST_CASE("must sets of all options are those of the reductions") {
  int compared = 0;
  each_reduced(631, 1'000, [&](const auto&, const auto&, const auto& reduced, auto&) {
    option_graph graph = options_of(reduced);
    graph.number();
    graph.find_must_sets();
    CHECK(graph.order_.size() == reduced.classes);
    for (const std::uint32_t root : reduced.roots) CHECK(graph.needed_[root] == 1);
    for (std::uint32_t k = 0; k < reduced.classes; ++k, ++compared) {
      for (std::uint32_t e = 0; e < reduced.classes; ++e)
        CHECK(wf::detail::has_bit(graph.must_.of(k), e) ==
              wf::detail::has_bit(reduced.must_of(k), e));
      for (const option_graph::option& o : graph.groups_[k].options)
        CHECK_FALSE(graph.is_cyclic(o, k));
    }
  });
  CHECK(compared > 500);
}

TEST_CASE("an option has each need once") {
  option_graph::option o;
  option_graph::add_need(o, 3);
  option_graph::add_need(o, 5);
  option_graph::add_need(o, 3);
  CHECK(o.needs == wf::table<std::uint32_t>{3, 5});
  option_graph::drop_need(o, 3);
  CHECK(o.needs == wf::table<std::uint32_t>{5});
}
