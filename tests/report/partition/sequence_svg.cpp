// SPDX-License-Identifier: BSL-1.0
#include <wf/report/partition/sequence_svg.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include <wf/report/partition/cut_svg.hpp>

#include "../../partition/programs.hpp"
#include "../samples.hpp"
#include "../simulation/accounts.hpp"
#include "faulty_runs.hpp"
#include "pictures.hpp"

using faulty_runs::ms;
using samples::contains, samples::count;
using wf::fault::rule_effect;

namespace {

// A call of one hop under a script, as a picture.
struct one_call {
  wf::deployment d = machine_case::deployed(programs::parsed(programs::one_hop), 1000 * ms);
  machine_case::machines_of m{d};

  wf::text draw(const wf::sequence_svg_options& o = {}) const {
    const auto r = faulty_runs::run(m, d, {machine_case::call_at(d, 0)});
    return wf::sequence_svg(r.records, m.script.peers, o);
  }
};
wf::fault::rule first(rule_effect effect, wf::fault::message_kind kind) {
  wf::fault::rule r = faulty_runs::rule(effect, 1);
  r.kind = static_cast<std::int32_t>(kind);
  r.attempt = {0, 0};
  r.delay_ns = {ms, ms};
  return r;
}
constexpr auto data = wf::fault::message_kind::data, ack = wf::fault::message_kind::ack;

}  // namespace

static_assert(wf::detail::floor_root(0, 2) == 0 && wf::detail::floor_root(15, 2) == 3 &&
              wf::detail::floor_root(16, 2) == 4 && wf::detail::floor_root(1'000'000, 2) == 1000);

TEST_CASE("a call without faults is a message, a dot and an answer") {
  one_call c;
  const wf::text svg = c.draw();
  CHECK(accounts::well_formed(svg.view()));
  CHECK(count(svg.view(), "<line class=\"way\"") == 1);
  CHECK(count(svg.view(), "<line class=\"way answer\"") == 1);
  CHECK(count(svg.view(), "<circle") == 1);
  for (const char* words :
       {">host0</text>", ">peers0</text>", ">wire 0</text>", ">1.000 ms</text>"})
    CHECK(contains(svg.view(), words));
  CHECK_FALSE(contains(svg.view(), "say bad"));
  wf::sequence_svg_options o;
  o.wires = wf::wire_labels(c.d.parts());
  o.answers = false;
  CHECK(contains(c.draw(o).view(), ">0: f64 [4] · 32*P B · batch 0</text>"));
  CHECK(count(c.draw(o).view(), "way answer") == 0);
}

TEST_CASE("loss, a retry, a duplicate and a refusal are marked") {
  one_call lost;
  lost.m.script.rules.push_back(first(rule_effect::drop, data));
  const wf::text drop = lost.draw();
  for (const char* words : {">dropped: by a rule</text>", ">no answer of peers0 in time</text>",
                            ">wire 0 · retry 1</text>"})
    CHECK(contains(drop.view(), words));
  one_call copied;
  copied.m.script.rules.push_back(first(rule_effect::duplicate, data));
  const wf::text copy = copied.draw();
  CHECK(contains(copy.view(), ">duplicate, refused: seen before</text>"));
  CHECK(count(copy.view(), "<line class=\"way copy fault\"") == 1);
  one_call unanswered;
  unanswered.m.script.rules.push_back(first(rule_effect::drop, ack));
  CHECK(contains(unanswered.draw().view(), ">refused: seen before (a retry)</text>"));
  one_call broken;
  broken.m.script.rules.push_back(first(rule_effect::corrupt, data));
  CHECK(contains(broken.draw().view(), ">refused: corrupted</text>"));
}

TEST_CASE("a machine that is down has a gap in its line, and loses what comes") {
  one_call c;
  c.m.script.events.push_back(faulty_runs::crash(1, ms / 2, 20 * ms));
  const wf::text svg = c.draw();
  for (const char* words : {">crash</text>", ">restart</text>", ">lost: machine is down</text>"})
    CHECK(contains(svg.view(), words));
  CHECK(count(svg.view(), "class=\"life\"") == 3);
  c.m.script.events[0].what.kind = wf::fault::action_kind::pause;
  CHECK(count(c.draw().view(), "class=\"pause\"") == 1);
  CHECK(count(c.draw().view(), "class=\"life\"") == 3);
  // What happened before the interval counts all the same.
  wf::sequence_svg_options o;
  o.from = ms;
  c.m.script.events.push_back(faulty_runs::crash(1, 0, -1));
  CHECK(count(c.draw(o).view(), "class=\"life\"") <= 1);
}

TEST_CASE("pictures of runs are well-formed, deterministic, and hold their texts") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const faulty_runs::requests run(seed);
    const auto r = run.report();
    wf::sequence_svg_options o;
    o.wires = wf::wire_labels(run.d.parts());
    for (const auto& records : {r.records, wf::records_of_call(r.records, r.sends, 2)}) {
      const wf::text svg = wf::sequence_svg(records, run.m.script.peers, o);
      REQUIRE(accounts::well_formed(svg.view()));
      REQUIRE(pictures::holds_words(svg.view()));
      REQUIRE(svg == wf::sequence_svg(records, run.m.script.peers, o));
      // No line goes back in time.
      for (const std::string& l : pictures::elements(svg.view(), "line", "way"))
        REQUIRE(pictures::number(l, "y2") >= pictures::number(l, "y1"));
      for (const std::string& l : pictures::elements(svg.view(), "line", "life"))
        REQUIRE(pictures::number(l, "y2") > pictures::number(l, "y1"));
    }
  }
}

TEST_CASE("an interval, and a bound on events") {
  const faulty_runs::requests run(5);
  const auto r = run.report();
  wf::sequence_svg_options o;
  o.from = 30 * ms;
  const wf::text late = wf::sequence_svg(r.records, run.m.script.peers, o);
  CHECK_FALSE(contains(late.view(), ">0.000 ms</text>"));
  CHECK(contains(late.view(), ">40.000 ms</text>"));
  o.most_moments = 10;
  const wf::text few = wf::sequence_svg(r.records, run.m.script.peers, o);
  CHECK(contains(few.view(), " more events</text>"));
  CHECK(few.size() < late.size());
  CHECK(accounts::well_formed(few.view()));
  o.to = o.from;
  CHECK(contains(wf::sequence_svg(r.records, run.m.script.peers, o).view(), "no message is sent"));
}

TEST_CASE("a machine that sends to itself has a loop, and unknown machines a number") {
  wf::fault::record sent, arrived;
  sent.what = wf::fault::happening::sent;
  sent.peer = sent.other = arrived.peer = arrived.other = 3;
  sent.sequence = arrived.sequence = 1;
  arrived.what = wf::fault::happening::arrived;
  arrived.time = ms;
  const wf::fault::record records[] = {sent, arrived};
  const wf::text svg = wf::sequence_svg({records, 2}, {});
  CHECK(contains(svg.view(), ">machine 3</text>"));
  CHECK(count(svg.view(), "<path class=\"way\"") == 1);
  CHECK(accounts::well_formed(svg.view()));
  CHECK(accounts::well_formed(wf::sequence_svg({}, {}).view()));
}
