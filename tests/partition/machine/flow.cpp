// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/machine/flow.hpp>

#include <algorithm>
#include <set>
#include <utility>

#include <doctest/doctest.h>

#include <partition/machine_case.hpp>
#include <partition/random_program.hpp>

#include "../programs.hpp"

TEST_CASE("a node needs its operands, what must run before it, and on the host the call") {
  const wf::deployment d =
      machine_case::deployed(programs::parsed(programs::request_and_reply), 1000);
  const wf::registry kernels = wf::builtin_registry();
  for (const wf::partition& part : d.parts().partitions) {
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
TEST_CASE("start values are those that machines have in all executions when nobody calls") {
  std::size_t computed = 0, apart = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    const random_program program(seed);
    const wf::deployment d = machine_case::deployed(program.workflow());
    const wf::partitioned_program& p = d.parts();
    const wf::registry kernels = wf::builtin_registry();
    const std::uint32_t each = seed % 3 == 0 ? 2 : 1;
    machine_case::machines_of m(d, each);
    // A list of one machine, or of none.
    wf::machine_run_options options;
    if (const auto inputs = wf::machine_inputs(p); seed % 5 == 0 && !inputs.empty())
      options.lists.push_back({inputs[0], {}});
    for (const wf::machine_role& role : m.roles)
      if (!options.lists.empty() && seed % 2 == 0 && role.role == options.lists[0].input &&
          options.lists[0].machines.empty())
        options.lists[0].machines.push_back(role.machine);
    const auto machines_of = [&](wf::text_view role) {
      return role == wf::host_class ? std::size_t{1} : std::size_t{each};
    };
    const auto machines_in = [&](wf::text_view input) {
      for (const wf::machine_list& l : options.lists)
        if (l.input.view() == input) return l.machines.size();
      return machines_of(input);
    };
    wf::table<wf::detail::program_flow> flows;
    for (const wf::partition& part : p.partitions)
      flows.push_back(wf::detail::program_flow(part.workflow.view(), kernels,
                                               part.role.view() == wf::host_class));
    const auto starts = wf::detail::start_values(p, flows, machines_of, machines_in);
    const auto r = m.run(d, {}, options);
    REQUIRE(r);
    REQUIRE(r->failures.empty());
    std::set<std::pair<std::uint32_t, std::uint32_t>> came, known;
    for (const auto& o : r->outputs) {
      if (o.path.empty()) came.emplace(o.program, o.output);
      apart += o.path.empty() ? 0 : 1;
    }
    const bool is_sent_to_nobody = !options.lists.empty() && options.lists[0].machines.empty();
    for (std::uint32_t k = 0; k < p.partitions.size(); ++k) {
      const wf::graph_view g = p.partitions[k].workflow.view();
      for (std::uint32_t o = 0; o < g.outputs.size(); ++o)
        if (starts[k][wf::index_of(g.outputs[o].source)] != 0) known.emplace(k, o);
    }
    if (is_sent_to_nobody)  // they may have it, and do not
      REQUIRE(std::includes(known.begin(), known.end(), came.begin(), came.end()));
    else
      REQUIRE(came == known);
    computed += came.size();
  }
  CHECK(computed > 300);
  CHECK(apart > 10);
}
