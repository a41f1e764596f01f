// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/map/batch/editor.hpp>

#include "../checker.hpp"
#include "../random_constraints.hpp"
#include "../random_mapping.hpp"

namespace {

struct nothing_to_do {
  template <class Editor>
  constexpr void operator()(Editor&, const wf::edit_options&) const {}
};

/// Makes a mapping slack: every operator starts as if each cycle took three.
wf::mapping stretched(wf::mapping m) {
  for (wf::placement& p : m.operators) {
    p.start *= 3;
    p.finish = p.start + p.how.cycles;
    if (p.finish > m.makespan) m.makespan = p.finish;
  }
  return m;
}

}  // namespace

TEST_CASE("a mapping taken apart and closed again is the same") {
  int same = 0, tightened = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 1, 9, 2, 3);
    const auto m = wf_test::random_mapping(random, w, a);
    if (!m) continue;
    const auto again = wf::edit(w, a, *m, nothing_to_do{});
    REQUIRE(again);
    REQUIRE(*again == *m);
    ++same;
    // A stretched mapping is still valid.
    const wf::mapping slack = stretched(*m);
    const auto tight = wf::edit(w, a, slack, nothing_to_do{});
    REQUIRE(tight);
    REQUIRE(wf_test::check(w, a, *tight) == "");
    REQUIRE(tight->makespan <= slack.makespan);
    tightened += tight->makespan < slack.makespan ? 1 : 0;
  }
  MESSAGE(same << " mappings, " << tightened << " tightened");
  CHECK(same > 700);
  CHECK(tightened > 300);
}

TEST_CASE("what is no mapping of the workload is refused") {
  std::mt19937_64 random(3);
  const wf::workload w = wf_test::random_workload(random, 6);
  wf::pe_array a = wf_test::random_array(random, 2, 2);
  a.memory_bytes = 4096;
  const auto m = wf_test::random_mapping(random, w, a);
  REQUIRE(m);
  const auto refused = [&](auto&& change, wf::edit_options options = {}) {
    wf::mapping bad = *m;
    change(bad);
    const auto out = wf::edit(w, a, bad, nothing_to_do{}, options);
    REQUIRE_FALSE(out);
    CHECK(out.error().code == wf::errc::invalid_problem);
    return out.error();
  };
  CHECK(refused([](auto& bad) { bad.columns = 3; }).subject == wf::text("random"));
  CHECK(refused([](auto& bad) { bad.operators[0].where.row = 2; }).subject == wf::text("op0"));
  CHECK(refused([](auto& bad) { bad.operators[0].how.cycles += 1; }).subject == wf::text("op0"));
  refused([](auto& bad) { bad.makespan -= 1; });
  refused([](auto& bad) {
    for (wf::placement& p : bad.operators) p.start = -p.start;  // against the data flow
  });
  wf::edit_options wishes;
  wishes.constraints.forbid(wf::every_operator, {0, 0, 2, 2});
  refused([](auto&) {}, wishes);
  wf::edit_options wrong;
  wrong.constraints.pin(99, {0, 0, 1, 1});
  refused([](auto&) {}, wrong);
}
