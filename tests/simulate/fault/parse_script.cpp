// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/parse_script.hpp>

#include <doctest/doctest.h>

#include "scripts.hpp"

using namespace wf::fault;

namespace {

constexpr bool parses_while_compiling() {
  const auto s = parse_script(
      "{\"wf_faults\": 1, \"seed\": 18446744073709551615, \"peers\": [\"A\", \"B\"], \"rules\": "
      "[{\"p\": 0.25, \"do\": {\"delay\": [1, 5]}, \"match\": {\"src\": \"B\"}}]}");
  return s && s->seed == UINT64_MAX && s->rules[0].probability == 0.25 &&
         s->rules[0].delay_ns == interval{1, 5} && s->rules[0].source.has(1) &&
         !s->rules[0].source.has(0);
}
static_assert(parses_while_compiling());

// A script with one more member.
std::string with(const std::string& member) {
  return "{\"wf_faults\": 1, \"seed\": 1, \"peers\": [\"A\", \"B\"],\n" + member + "}";
}
// The error must be where `at` stands last in the source; nothing: at the beginning.
void check_error(const std::string& source, const char* pointer, const char* at, const char* part) {
  CAPTURE(source);
  const auto read = parse_script(wf::text_view(source.data(), source.size()));
  REQUIRE_FALSE(read);
  const std::string message(read.error().message.view());
  CAPTURE(message);
  const std::size_t offset = *at == '\0' ? 0 : source.rfind(at);
  CHECK(read.error().code == wf::errc::fault_script_syntax);
  CHECK(std::string(read.error().subject.view()) == pointer);
  CHECK(read.error().where == wf::position_at(wf::text_view(source.data(), source.size()), offset));
  CHECK(message.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("every script of the folder parses") {
  const auto all = wf_test::fault_scripts();
  for (const std::string& source : all) {
    const auto read = parse_script(wf::text_view(source.data(), source.size()));
    REQUIRE_MESSAGE(read, to_text(read.error()).view());
    CHECK_FALSE(read->name.empty());
  }
  if (!all.empty()) CHECK(all.size() == 14);
}

TEST_CASE("a script has the values of its text") {
  if (wf_test::fault_folder().empty()) return;
  const script swizzle = wf_test::fault_script("swizzle_clog");
  REQUIRE(swizzle.events.size() == 6);
  CHECK(swizzle.seed == 103);
  CHECK(swizzle.delay_ns == interval{100'000, 2'000'000});
  CHECK(swizzle.events[0].what.kind == action_kind::partition);
  CHECK(swizzle.events[0].what.hold);
  CHECK(swizzle.events[0].what.from.any);
  CHECK(swizzle.events[0].what.to.members == wf::table<std::uint32_t>{1});
  CHECK(swizzle.events[3].what.kind == action_kind::heal);
  CHECK(swizzle.live.core.size() == 4);
  const script kill = wf_test::fault_script("kill_three_of_four");
  CHECK(kill.events[0].when == trigger{-1, counter::fired, 3, 40, -1});
  CHECK(kill.events[0].what.duration_ns == -1);
  CHECK(kill.rules[0].probability == 0.2);
  const script r3 = wf_test::fault_script("R3_loss_timeout_backoff");
  CHECK(r3.knobs[1] == knob_value{knob::backoff_base_ns, 10'000'000});
  CHECK(r3.rules[0].kind == 0);
  CHECK(r3.rules[0].sequence == interval{1, 1});
  CHECK(r3.events[1].what.payload.view() == "x");
}

TEST_CASE("an error names the field and its place") {
  check_error("[]", "", "", "expected an object");
  check_error("{\"wf_faults\": 2, \"seed\": 1, \"peers\": [\"A\"]}", "/wf_faults", "2,",
              "from 1 to 1");
  check_error("{\"wf_faults\": 1, \"peers\": [\"A\"]}", "", "", "'seed'");
  check_error(with("\"sed\": 1"), "/sed", "\"sed\"", "did you mean 'seed'");
  check_error("{\"wf_faults\": 1, \"seed\": -1, \"peers\": [\"A\"]}", "/seed", "-1", "18446744");
  check_error("{\"wf_faults\": 1, \"seed\": 18446744073709551616, \"peers\": [\"A\"]}", "/seed",
              "184467", "18446744");
  check_error("{\"wf_faults\": 1, \"seed\": 1, \"peers\": []}", "/peers", "[]", "at least one");
  check_error("{\"wf_faults\": 1, \"seed\": 1, \"peers\": [\"A\", \"A\"]}", "/peers/1", "\"A\"]",
              "two peers");
  check_error(with("\"delay_ns\": [1]"), "/delay_ns", "[1]", "two integers");
  check_error(with("\"delay_ns\": [2, 1]"), "/delay_ns/1", "1]", "less than the first");
  check_error(with("\"delay_ns\": [\"1\", 2]"), "/delay_ns/0", "\"1\"", "integer");
  check_error(with("\"knobs\": {\"dedup_windows\": 1}"), "/knobs/dedup_windows", "\"dedup_windows",
              "did you mean 'dedup_window'");
  check_error(with("\"knobs\": {\"dedup_window\": 0}"), "/knobs/dedup_window", "0}", "from 1");
  check_error(with("\"knobs\": {\"dedup_window\": true}"), "/knobs/dedup_window", "true",
              "an integer");
  check_error(with("\"rules\": [{\"do\": {\"drop\": false}}]"), "/rules/0/do/drop", "false",
              "true");
  check_error(with("\"rules\": [{\"do\": {}}]"), "/rules/0/do", "{}", "one field");
  check_error(with("\"rules\": [{\"do\": {\"drop\": true, \"delay\": [0, 1]}}]"), "/rules/0/do",
              "{\"drop", "one field");
  check_error(with("\"rules\": [{\"do\": {\"drop\": true}},\n{\"p\": 1.5, \"do\": {\"drop\": "
                   "true}}]"),
              "/rules/1/p", "1.5", "probability");
  check_error(with("\"rules\": [{\"do\": {\"drop\": true}, \"match\": {\"edge\": \"x\"}}]"),
              "/rules/0/match/edge", "\"x\"", "number of an edge");
  check_error(with("\"rules\": [{\"do\": {\"drop\": true}, \"match\": {\"src\": [\"A\", \"C\"]}}]"),
              "/rules/0/match/src/1", "\"C\"", "unknown peer 'C'");
  check_error(with("\"rules\": [{\"do\": {\"drop\": true}, \"match\": {\"kind\": \"dat\"}}]"),
              "/rules/0/match/kind", "\"dat\"", "did you mean 'data'");
  check_error(with("\"rules\": [{\"do\": {\"corrupt\": {\"bits\": 0}}}]"),
              "/rules/0/do/corrupt/bits", "0}}}]", "from 1");
  check_error(with("\"events\": [{\"when\": {\"at_ns\": 1}}]"), "/events/0", "{\"when", "'do'");
  check_error(with("\"events\": [{\"when\": {\"at_ns\": 1}, \"do\": {\"pause\": {\"peer\": "
                   "\"A\"}}}]"),
              "/events/0/do/pause", "{\"peer", "'for_ns'");
  check_error(with("\"events\": [{\"when\": {\"after\": {\"peer\": \"A\", \"count\": \"shot\", "
                   "\"n\": 1}}, \"do\": {\"stop_faults\": true}}]"),
              "/events/0/when/after/count", "\"shot", "unknown counter");
  check_error(with("\"events\": [{\"when\": {\"at_ns\": 1}, \"do\": {\"slow\": {\"peer\": \"A\", "
                   "\"factor_pct\": 99}}}]"),
              "/events/0/do/slow/factor_pct", "99", "from 100");
  check_error(with("\"liveness\": {\"core\": [], \"within_ns\": 1}"), "/liveness/core", "[]",
              "at least one");
  CHECK(parse_script("{").error().code == wf::errc::graph_syntax);
}
