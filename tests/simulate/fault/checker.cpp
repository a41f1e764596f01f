// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/checker.hpp>

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include <wf/simulate/fault/storm.hpp>

#include "scripts.hpp"

using namespace wf::fault;

namespace {

struct recorder {
  std::vector<record> all;
  void operator()(const record& r) { all.push_back(r); }
};
std::vector<record> history_of(const script& s) {
  storm_options o;
  o.items = 12;
  storm_program program(s, o);
  recorder history;
  network_options options;
  options.service_ns = o.service_ns;
  peer_network net(s, program, history, options);
  REQUIRE(net.run());
  return history.all;
}
std::uint32_t broken(const std::vector<record>& history) {
  checker check(4);
  for (const record& r : history) check(r);
  check.finish();
  return check.found().invariant;
}

}  // namespace

TEST_CASE("a history that lacks any record of weight, or has it twice, is refused") {
  if (wf_test::fault_folder().empty()) return;
  std::map<happening, int> seen, missed_without, missed_twice;
  for (const char* name : {"storm_loss30", "tiny_knobs"}) {
    const std::vector<record> history = history_of(wf_test::fault_script(name));
    REQUIRE(broken(history) == 0);
    std::map<happening, int> tried;
    for (std::size_t i = 0; i < history.size(); i += 3) {
      const happening what = history[i].what;
      if (++tried[what] > 6) continue;
      ++seen[what];
      std::vector<record> without(history), twice(history);
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      twice.insert(twice.begin() + static_cast<std::ptrdiff_t>(i), history[i]);
      missed_without[what] += broken(without) == 0;
      missed_twice[what] += broken(twice) == 0;
    }
  }
  // Records without weight of their own: a setting of a knob that is there anyway, arrivals (the
  // gates follow), what is held, summaries, and successes that erase nothing that matters later.
  for (const auto& [what, count] : seen) {
    if (what == happening::knob_set || what == happening::arrived || what == happening::held ||
        what == happening::remembers || what == happening::heard || what == happening::silenced ||
        what == happening::noticed || what == happening::admits)
      continue;
    CAPTURE(static_cast<int>(what));
    CAPTURE(count);
    CHECK(missed_without[what] == 0);
    if (what != happening::success && what != happening::closed) CHECK(missed_twice[what] == 0);
  }
}

TEST_CASE("a history with another number in a record is refused") {
  if (wf_test::fault_folder().empty()) return;
  const std::vector<record> history = history_of(wf_test::fault_script("storm_loss30"));
  std::map<happening, int> tried;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const happening what = history[i].what;
    const auto refused = [&](auto change) {
      std::vector<record> other(history);
      change(other[i]);
      return broken(other) != 0;
    };
    if (++tried[what] > 4) continue;
    CAPTURE(i);
    CAPTURE(static_cast<int>(what));
    if (what == happening::failure) {
      CHECK(refused([](record& r) { ++r.value; }));
      CHECK(refused([](record& r) { ++r.extra; }));
    }
    if (what == happening::sent && history[i].kind == message_kind::data) {
      CHECK(refused([](record& r) { ++r.extra; }));
      CHECK(refused([](record& r) { r.request = 0; }));
      CHECK(refused([](record& r) { r.value = 2'000'000'000; }));
      CHECK(refused([](record& r) { ++r.sequence; }));
    }
    if (what == happening::fired) {
      CHECK(refused([](record& r) { ++r.sequence; }));
      CHECK(refused([](record& r) { r.extra = INT64_MAX; }));
    }
    if (what == happening::gate_passed) {
      CHECK(refused([](record& r) { ++r.value; }));
      CHECK(refused([](record& r) { r.why = reason::cooldown; }));
    }
    if (what == happening::queued) CHECK(refused([](record& r) { ++r.value; }));
    if (what == happening::timed_out) CHECK(refused([](record& r) { ++r.request; }));
  }
}
