// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/machine/lists.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <partition/machine_case.hpp>
#include <partition/random_program.hpp>

#include "../programs.hpp"

using namespace machine_case;

namespace {

std::string joined(const wf::table<wf::text>& names) {
  std::string out;
  for (const wf::text& name : names) out += (out.empty() ? "" : " ") + std::string(name.view());
  return out;
}
constexpr std::size_t inputs_of(const char* source) {
  return wf::machine_inputs(*programs::cut(source)).size();
}
static_assert(inputs_of(programs::local) == 0);
static_assert(inputs_of(programs::request_and_reply) == 2);

wf::machine_list list_of(const char* input, std::initializer_list<const char*> machines) {
  wf::machine_list out{wf::text(input), {}};
  for (const char* m : machines) out.machines.push_back(wf::text(m));
  return out;
}
// What a run of a program says, with lists.
std::string message(const char* source, std::initializer_list<wf::machine_list> lists) {
  const wf::deployment d = deployed(programs::parsed(source));
  wf::machine_run_options options;
  for (const wf::machine_list& l : lists) options.lists.push_back(l);
  const auto r = machines_of(d).run(d, {call_at(d, 0)}, options);
  if (!r) CHECK(r.error().code == wf::errc::simulation_failed);
  return r ? "" : std::string(wf::to_text(r.error()).view());
}

}  // namespace

TEST_CASE("the inputs of machines that programs read, each once") {
  CHECK(joined(wf::machine_inputs(*programs::cut(programs::request_and_reply))) ==
        "servers clients");
  // Read by two programs.
  CHECK(joined(wf::machine_inputs(
            *programs::cut("wf.graph 1 \"M\"\n"
                           "input \"x\" : f64[4]\n"
                           "input \"peers\" : peer[P]\n"
                           "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
                           "node elementwise.negate(%2) -> f64[4]\n"
                           "node wire.send(%5, %1) effect external -> f64[4], peer[], u64[]\n"
                           "output \"y\" = %6\n"))) == "peers");
}
TEST_CASE("an input of machines has them by its class, or by a list") {
  // The machines of `clients` are of the host's class.
  const std::string refused = message(programs::reply_to_host, {});
  CHECK(refused.find("'clients': no machine is of the class") != std::string::npos);
  CHECK(message(programs::reply_to_host, {list_of("clients", {"host0"})}) == "");
  CHECK(message(programs::reply_to_host, {list_of("servers", {"servers0"})}) == refused);
  // To nobody, as it is asked for.
  CHECK(message(programs::reply_to_host, {list_of("clients", {})}) == "");
  // Nobody reads what is sent, so that no program is of the class.
  CHECK(message(programs::unread, {}).find("'peers'") != std::string::npos);
  CHECK(message(programs::unread, {list_of("peers", {"host0"})}) == "");
}
TEST_CASE("a list is of an input of machines that a program has") {
  CHECK(message(programs::one_hop, {list_of("peer", {"host0"})})
            .find("'peer': a list states machines of this input") != std::string::npos);
  CHECK(message(programs::one_hop, {list_of("x", {"host0"})}).find("'x'") != std::string::npos);
  CHECK(message(programs::one_hop, {list_of("peers", {"nobody"})}).find("'nobody'") !=
        std::string::npos);
}
TEST_CASE("without one of its classes or lists no program runs, and with all of them each does") {
  std::size_t refused = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    const random_program program(seed);
    const wf::deployment d = deployed(program.workflow());
    const auto inputs = wf::machine_inputs(d.parts());
    for (std::uint32_t left_out = 0; left_out <= inputs.size(); ++left_out) {
      // No machine is of the class of one input, and it alone has no list.
      wf::machine_run_options options;
      for (std::uint32_t i = 0; i < inputs.size(); ++i)
        if (i != left_out) options.lists.push_back({inputs[i], {}});
      machines_of m(d);
      wf::table<wf::text> roles;
      for (const wf::machine_role& r : m.roles)
        if (left_out == inputs.size() || !(r.role == inputs[left_out])) roles.push_back(r.role);
      const wf::error e = wf::detail::check_lists(d.parts(), roles, options.lists);
      REQUIRE((e.code == wf::errc::none) == (left_out == inputs.size()));
      refused += e.code == wf::errc::none ? 0 : 1;
    }
  }
  CHECK(refused > 200);
}
