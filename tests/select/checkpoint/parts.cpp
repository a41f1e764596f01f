// SPDX-License-Identifier: BSL-1.0
#include <wf/select/checkpoint/parts.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "networks.hpp"

TEST_CASE("the late part is what only its outputs need, and stands last in the order") {
  std::mt19937_64 random(14);
  const wf::registry kernels = wf::builtin_registry();
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    const wf::graph made = wf_test::random_network(random, 3 + round % 8);
    const wf::graph_view& g = made.view();
    const wf::checkpoint_request wanted;
    wf::detail::checkpoint_parts parts(g, wanted, kernels);
    REQUIRE(parts.find().code == wf::errc::none);
    REQUIRE(parts.order().size() == g.nodes.size());
    REQUIRE(wf::detail::check_order(g, parts.order()).code == wf::errc::none);
    std::size_t late = 0;
    for (std::size_t i = 0; i < parts.order().size(); ++i) {
      late += parts.is_late(parts.order()[i]);
      if (i > 0) REQUIRE(parts.is_late(parts.order()[i - 1]) <= parts.is_late(parts.order()[i]));
    }
    REQUIRE(late == parts.late_nodes());
    std::int64_t inputs = 0, most = 0;
    for (std::uint32_t i = 0; i < g.values.size(); ++i) {
      const auto id = static_cast<wf::value_id>(i);
      if (g.values[i].producer == wf::node_id::none) {
        inputs += parts.rule().bytes_of(id);
        REQUIRE_FALSE(parts.may_end(id));
      } else if (parts.is_late(g.values[i].producer)) {
        REQUIRE_FALSE(parts.may_end(id));
      }
    }
    for (const wf::output& o : g.outputs) {
      const wf::node_id from = g[o.source].producer;
      REQUIRE(parts.is_late(from) == std::string(g.text_of(o.name)).starts_with("grad_"));
      REQUIRE_FALSE(parts.may_end(o.source));
    }
    REQUIRE(parts.fixed_bytes() > inputs);
    for (std::size_t i = 0; i < late; ++i) {
      const std::int64_t here = parts.late_bytes(i, i + 1);
      REQUIRE(here >= 0);
      most = here > most ? here : most;
    }
    REQUIRE(parts.late_bytes(0, late) == most);
    // Early values, late values and what is there anyway are all that a run has in storage.
    REQUIRE(*wf::price(g, wf::peak_memory) >= parts.fixed_bytes());
  }
}

TEST_CASE("nodes with effects or edges do not run twice") {
  wf::graph g = wf_test::chain_of_layers(3);
  const auto first = static_cast<wf::node_id>(0), second = static_cast<wf::node_id>(1);
  g.add_edge(wf::edge_kind::control, first, second);
  const wf::registry kernels = wf::builtin_registry();
  const wf::checkpoint_request wanted;
  wf::detail::checkpoint_parts parts(g.view(), wanted, kernels);
  REQUIRE(parts.find().code == wf::errc::none);
  CHECK_FALSE(parts.may_run_again(first));
  CHECK_FALSE(parts.may_run_again(second));
  CHECK(parts.may_run_again(static_cast<wf::node_id>(2)));
}
