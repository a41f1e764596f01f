// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/traffic.hpp>

#include <cstdint>
#include <map>
#include <string>

#include <doctest/doctest.h>
#include <wf/core/units.hpp>

#include <partition/random_program.hpp>

#include "programs.hpp"

namespace {

using namespace wf::literals;

constexpr wf::partitioned_program program(const char* source) { return *programs::cut(source); }

// The host sends 32 bytes to each of three servers, and each server 8 bytes to each of two clients.
constexpr const char* fixed =
    "wf.graph 1 \"M\"\n"
    "input \"x\" : f64[4]\n"
    "input \"servers\" : peer[3]\n"
    "input \"clients\" : peer[2]\n"
    "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
    "node movement.sum(%3) -> f64[]\n"
    "node wire.send(%6, %2) effect external -> f64[], peer[], u64[]\n"
    "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
    "output \"y\" = %7\n";

static_assert(*wf::wire_bytes(program(fixed), "servers") == 96);
static_assert(*wf::wire_bytes(program(fixed), "servers") <= 4_KiB);
static_assert(*wf::wire_messages(program(fixed), "servers") == 3);
static_assert(*wf::wire_bytes(program(fixed), "clients") == 16);
static_assert(*wf::wire_messages(program(fixed), "clients") == 2);

std::string string_of(const wf::polynomial& p) { return std::string(wf::to_text(p).view()); }

}  // namespace

TEST_CASE("each wire has its messages and bytes, in the symbols of its sender") {
  const auto found = wf::traffic(program(programs::request_and_reply));
  REQUIRE(found);
  REQUIRE(found->size() == 2);
  CHECK(string_of((*found)[0].messages) == "S");
  CHECK(string_of((*found)[0].bytes) == "32*S");
  CHECK(string_of((*found)[1].messages) == "C");
  CHECK(string_of((*found)[1].bytes) == "32*C");
  CHECK(wf::traffic(program(programs::local))->empty());
}

TEST_CASE("what has no price is an error") {
  const auto symbolic = program(programs::one_hop);
  CHECK(wf::wire_bytes(symbolic, "peers").error().code == wf::errc::workflow_not_static);
  CHECK(wf::wire_messages(symbolic, "peers").error().code == wf::errc::workflow_not_static);
  CHECK(*wf::wire_bytes(symbolic, "@self") == 0);
  CHECK(wf::wire_bytes(symbolic, "servers").error().code == wf::errc::unresolved_class);
  CHECK(wf::wire_bytes(symbolic, "servers").error().subject.view() == "servers");
  // A message whose kernel states no bytes.
  wf::kernel_spec silent = wf::kernels::send;
  for (wf::kernel_cost& c : silent.costs) c = {};
  silent.costs[0] = {"messages", "to"};
  wf::registry kernels;
  REQUIRE(kernels.add(silent));
  CHECK(*wf::wire_messages(program(fixed), "clients", kernels) == 2);
  CHECK(wf::wire_bytes(program(fixed), "clients", kernels).error().code == wf::errc::unknown_cost);
  CHECK(wf::traffic(program(fixed), kernels).error().code == wf::errc::unknown_cost);
}

TEST_CASE("the traffic of random programs is that of the messages that are read") {
  std::int64_t total = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    const random_program random(seed);
    const wf::graph_view g = random.workflow().view();
    const auto p = programs::cut(g);
    REQUIRE(p);
    // Splitting a class changes nothing.
    const auto split = programs::cut(g, {.split_disconnected = true});
    REQUIRE(split);
    const auto wires = wf::traffic(*p), wires_of_parts = wf::traffic(*split);
    REQUIRE(wires->size() == wires_of_parts->size());
    for (std::size_t k = 0; k < wires->size(); ++k)
      REQUIRE(((*wires)[k].messages == (*wires_of_parts)[k].messages &&
               (*wires)[k].bytes == (*wires_of_parts)[k].bytes));
    for (const wf::text& role : wf::classes_of(*split))
      REQUIRE(*wf::wire_messages(*p, role.view()) == *wf::wire_messages(*split, role.view()));
    const auto placed = wf::place(g, wf::builtin_registry());
    // By class, from the workflow itself.
    std::map<std::string, std::int64_t> messages, bytes;
    for (const wf::partition& one : p->partitions) messages[std::string(one.role.view())] = 0;
    for (const wf::node& n : g.nodes) {
      if (g.op_name(n) != "send") continue;
      const auto is_read = [&](wf::value_id sent) {
        bool found = false;
        for (const wf::node& reader : g.nodes)
          for (const wf::value_id v : g.inputs_of(reader)) found = found || v == sent;
        for (const wf::output& o : g.outputs) found = found || o.source == sent;
        return found;
      };
      const wf::value_id sent = wf::graph_view::output_of(n);
      if (!is_read(sent) && !is_read(wf::graph_view::output_of(n, 1))) continue;
      // Either a list of machines from outside, or whoever sent a message before.
      const wf::value& to = g[g.inputs_of(n)[1]];
      const bool is_list = to.producer == wf::node_id::none;
      const std::string role(
          is_list ? g.text_of(to.name)
                  : placed->classes[placed->homes[wf::index_of(to.producer)]].view());
      const std::int64_t count = is_list ? to.type.shape.extents[0].code : 1;
      messages[role] += count;
      if (is_read(sent)) bytes[role] += 8 * count;
    }
    for (const auto& [role, count] : messages) {
      CHECK(*wf::wire_messages(*p, role.c_str()) == count);
      CHECK(*wf::wire_bytes(*p, role.c_str()) == bytes[role]);
      total += count;
    }
  }
  CHECK(total > 2000);
}

TEST_CASE("messages of a chain have the time of all that follow from them") {
  const auto g =
      wf::derive_deadlines(programs::parsed(fixed).view(), wf::builtin_registry(), 100_ms);
  REQUIRE(g);
  const auto p = programs::cut(g->view());
  REQUIRE(p);
  CHECK(*wf::wire_deadline(*p, "@self", "servers") == 200_ms);
  CHECK(*wf::wire_deadline(*p, "servers", "clients") == 100_ms);
  CHECK(*wf::wire_deadline(*p, "servers", "@self") == 0);
  CHECK(wf::wire_deadline(*p, "servers", "nobody").error().code == wf::errc::unresolved_class);
  CHECK(wf::wire_deadline(*p, "nobody", "servers").error().code == wf::errc::unresolved_class);
  const auto without = wf::wire_deadline(program(fixed), "@self", "servers");
  CHECK(without.error().code == wf::errc::unknown_cost);
  CHECK(without.error().subject.view() == "send#0");
}
