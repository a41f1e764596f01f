// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/machine/flow.hpp>

#include <doctest/doctest.h>

#include <partition/machine_case.hpp>

#include "../programs.hpp"

TEST_CASE("a node needs its operands, what must run before it, and on the host the call") {
  const wf::deployment d =
      machine_case::deployed(programs::parsed(programs::request_and_reply), 1000);
  const wf::registry kernels = wf::builtin_registry();
  for (const wf::partition& part : d.program.parts().partitions) {
    const wf::graph_view g = part.workflow.view();
    for (const bool is_host : {false, true}) {
      const wf::detail::program_flow flow(g, kernels, is_host);
      for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
        const wf::node& n = g.nodes[i];
        const auto needs = [&](std::uint32_t what) {
          std::size_t there = 0, back = 0;
          for (const std::uint32_t known : flow.needs(i)) there += known == what;
          for (const std::uint32_t reader : flow.readers(what)) back += reader == i;
          CHECK(there == back);
          return there == 1;
        };
        for (const wf::value_id v : g.inputs_of(n)) CHECK(needs(wf::index_of(v)));
        for (const wf::edge& e : g.edges)
          if (wf::index_of(e.to) == i) CHECK(needs(flow.ran(wf::index_of(e.from))));
        const bool is_received = flow.meaning_of(i) == wf::meaning::receiving;
        CHECK(needs(flow.call()) == (is_host && n.effects != wf::effect::pure && !is_received));
        if (is_received)
          CHECK(flow.receiver(static_cast<std::uint32_t>(g.integer_attribute(n, "edge", -1))) == i);
      }
      CHECK(flow.receiver(99) == wf::detail::program_flow::none);
    }
  }
}
