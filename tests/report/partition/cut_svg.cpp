// SPDX-License-Identifier: BSL-1.0
#include <wf/report/partition/cut_svg.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include <partition/machine_case.hpp>
#include <partition/random_program.hpp>

#include "../../partition/programs.hpp"

#include "../samples.hpp"
#include "../simulation/accounts.hpp"
#include "large_programs.hpp"
#include "pictures.hpp"

using samples::contains, samples::count;

namespace {

void check_picture(const wf::deployment& d) {
  const wf::text svg = wf::cut_svg(d);
  const wf::partitioned_program& p = d.parts();
  REQUIRE(accounts::well_formed(svg.view()));
  REQUIRE(svg == wf::cut_svg(d));
  REQUIRE(svg == wf::cut_svg(d.program));
  REQUIRE(svg == wf::cut_svg(p));
  REQUIRE(pictures::holds_words(svg.view()));
  REQUIRE(count(svg.view(), "class=\"box class\"") == p.partitions.size());
  REQUIRE(count(svg.view(), "class=\"cable\"") == p.edges.size());
  // Every text of a box is within its borders.
  const auto boxes = pictures::elements(svg.view(), "rect", "box class");
  for (const pictures::word& w : pictures::words(svg.view())) {
    if (w.kind == "wire") continue;
    std::size_t holding = 0;
    for (const std::string& b : boxes) {
      const auto at = [&](const char* name) { return pictures::number(b, name); };
      holding += w.left >= at("x") && w.right <= at("x") + at("width") && w.y > at("y") &&
                 w.y < at("y") + at("height");
    }
    CAPTURE(w.characters);
    REQUIRE(holding == 1);
  }
}

}  // namespace

static_assert(wf::cut_svg(*programs::cut(programs::one_hop)).size() > 1000);

TEST_CASE("a cut has a box for each class, a wire for each message, and badges for gates") {
  const auto d = machine_case::deployed(programs::parsed(programs::request_and_reply), 100'000'000);
  check_picture(d);
  const wf::text svg = wf::cut_svg(d);
  for (const char* words :
       {">@self</text>", ">servers</text>", ">clients</text>", ">send(x, servers)</text>",
        ">y = copy(%0)</text>", ">0: f64 [4] · 32*S B · batch 0</text>", ">deadline 200 ms</text>",
        "<title>servers to clients, wire 1: f64 [4] · 32*C B · batch 1</title>",
        "drops copies of messages that were accepted"})
    CHECK(contains(svg.view(), words));
  CHECK(count(svg.view(), "class=\"gate\"") == 12);  // three at each end of two messages
  CHECK_FALSE(contains(svg.view(), "gate_rx("));
  const std::string name(d.parts().partitions[1].name.view());
  CHECK(contains(svg.view(), name.c_str()));
}

TEST_CASE("what wires carry: bytes, a polynomial of them, or nothing") {
  const auto labels = [](const wf::partitioned_program& p) {
    std::string out;
    for (const wf::text& t : wf::wire_labels(p)) out += std::string(t.view()) + '\n';
    return out;
  };
  auto p = *programs::cut(large_programs::chain(1).view());
  CHECK(labels(p) == "0: f64 [4x4] · 256 B · batch 0\n");
  CHECK(labels(*programs::cut(programs::two_messages)) ==
        "0: f64 [4] · 32*P B · batch 0\n1: f64 [4] · 32*P B · batch 0\n");
  p.edges[0].transport = wf::wire_transport::trigger;
  CHECK(labels(p) == "0: trigger · batch 0\n");
  CHECK(contains(wf::cut_svg(p).view(), "stroke-dasharray"));
  CHECK_FALSE(contains(wf::cut_svg(*programs::cut(programs::one_hop)).view(), "stroke-dasharray"));
  p.edges[0].transport = wf::wire_transport::data;
  CHECK(wf::wire_labels(p, wf::registry())[0].view().starts_with("0: f64 [4x4] · "));
}

TEST_CASE("a picture stays small: many nodes are folded, eight classes have room") {
  check_picture(machine_case::deployed(large_programs::workers(7)));
  const auto d = machine_case::deployed(large_programs::chain(60));
  check_picture(d);
  CHECK(contains(wf::cut_svg(d).view(), ">… and 44 more</text>"));
  CHECK(contains(wf::cut_svg(d, wf::builtin_registry(), {18}).view(), ">… and 43 more</text>"));
}

TEST_CASE("pictures of random programs are well-formed, and their texts inside") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const random_program program(seed);
    check_picture(machine_case::deployed(program.workflow()));
    check_picture(machine_case::deployed(program.workflow(), 1, {.split_disconnected = true}));
  }
}

TEST_CASE("no program is an empty picture") {
  CHECK(accounts::well_formed(wf::cut_svg(wf::partitioned_program()).view()));
}
