// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/machine/values.hpp>

#include <doctest/doctest.h>

#include <partition/machine_case.hpp>

#include "../programs.hpp"

using namespace machine_case;

namespace {

// Nothing is said of what did not happen.
static_assert(wf::machine_failure().program == wf::machine_failure::none);
static_assert(wf::machine_failure().node == wf::node_id::none);
static_assert(wf::machine_failure().why == wf::fault::reason::none);
static_assert(wf::machine_value<int>().machines.empty());
static_assert(wf::machine_options().collects && !wf::machine_options().keeps_sends);

}  // namespace

TEST_CASE("a failure of a bootstrap names no program, and one of a program does") {
  struct failing : hashing {
    wf::error operator()(const wf::graph_view& g, wf::node_id id, wf::view<const value*> operands,
                         wf::table<value>& results, std::uint32_t machine) const {
      if (g.op_name(g[id]) == wf::text_view("warm") || g.op_name(g[id]) == wf::text_view("copy"))
        return wf::make_error(wf::errc::numerical_failure, g.op_name(g[id]), "it cannot");
      return hashing::operator()(g, id, operands, results, machine);
    }
  };
  wf::deployment_settings s;
  s.bootstraps.push_back(
      {wf::text("warm_up"),
       wf::text("peers"),
       programs::parsed("wf.graph 1 \"b\"\nnode user.warm() effect stateful -> f64[]\n"
                        "output \"w\" = %0\n"),
       {}});
  const auto d = wf::deployment_toolchain(s)(programs::parsed(programs::one_hop));
  REQUIRE(d);
  const auto r = machines_of(*d).run(*d, {call_at(*d, 0)}, {}, failing());
  REQUIRE(r);
  REQUIRE(r->failures.size() == 2);
  CHECK(r->failures[0].program == wf::machine_failure::none);
  CHECK(r->failures[0].call == 0);
  CHECK(r->failures[1].program == 1);
  CHECK(r->failures[1].call == 1);
  for (const wf::machine_failure& f : r->failures) CHECK(f.machine == 1);
}
TEST_CASE("the call of each message is kept if it is asked for") {
  const wf::deployment d = deployed(programs::parsed(programs::one_hop));
  wf::machine_run_options options;
  CHECK(machines_of(d).run(d, {call_at(d, 0)}, options)->sends.empty());
  options.messages.keeps_sends = true;
  const auto r = machines_of(d, 2).run(d, {call_at(d, 0), call_at(d, 1)}, options);
  REQUIRE(r->sends.size() == 4);
  CHECK(r->records.empty());
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(r->sends[i].ticket == i + 1);
    CHECK(r->sends[i].call == i / 2 + 1);
  }
}
