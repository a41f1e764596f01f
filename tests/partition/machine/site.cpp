// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/machine/site.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../programs.hpp"

namespace {

// Two programs of a class: y = -x, each.
struct two_programs {
  wf::graph g = programs::parsed(programs::local);
  wf::execution_tags tags;
  wf::table<wf::detail::program_flow> flows;
  wf::detail::machine_site<int> site;

  two_programs() {
    // The first one is of another class.
    for (int i = 0; i < 3; ++i)
      flows.push_back(wf::detail::program_flow(g.view(), wf::builtin_registry(), false));
    site.programs.push_back(1);
    site.programs.push_back(2);
    site.begin(flows, tags);
  }
};

}  // namespace

TEST_CASE("nodes of all programs can run in the order in which they could") {
  two_programs t;
  REQUIRE(t.site.slots.size() == 2);
  const std::uint32_t call = t.tags.extend(0, 1), other = t.tags.extend(0, 2);
  CHECK(t.site.slots[1].fill(0, call, 5, t.site.ready));
  CHECK(t.site.slots[0].fill(0, call, 6, t.site.ready));
  CHECK(t.site.slots[0].fill(0, other, 7, t.site.ready));
  CHECK(t.site.filled() == 3);
  CHECK(*t.site.slots[0].find(0, call) == 6);
  CHECK(*t.site.slots[1].find(0, call) == 5);
  REQUIRE(t.site.ready.size() == 3);
  CHECK(t.site.ready[0].program == 1);
  CHECK(t.site.ready[1].program == 0);
  CHECK(t.site.ready[1].tag == call);
  CHECK(t.site.ready[2].tag == other);
  // A new life begins with nothing.
  t.site.is_busy = true;
  t.site.cause({call, 5, -1});
  t.site.begin(t.flows, t.tags);
  CHECK(t.site.filled() == 0);
  CHECK(t.site.ready.empty());
  CHECK_FALSE(t.site.is_busy);
  CHECK(t.site.contexts.empty());
}
TEST_CASE("a call is forgotten in all programs, and others are not") {
  two_programs t;
  const std::uint32_t call = t.tags.extend(0, 1), other = t.tags.extend(0, 2);
  const std::uint32_t longer = t.tags.extend(call, 7);
  for (const std::uint32_t tag : {other, longer, call})
    for (auto& slots : t.site.slots) slots.fill(0, tag, 1, t.site.ready);
  for (const std::uint32_t tag : {other, longer, call}) t.site.cause({tag, 5, -1});
  CHECK(t.site.has_work(call, t.tags));
  while (t.site.ready.size() > 0) t.site.running = t.site.ready.pop();
  CHECK_FALSE(t.site.has_work(call, t.tags));
  t.site.is_busy = true;
  CHECK(t.site.has_work(call, t.tags));
  CHECK_FALSE(t.site.has_work(other, t.tags));
  t.site.forget(call, t.tags);
  CHECK(t.site.filled() == 2);
  REQUIRE(t.site.contexts.size() == 1);
  CHECK(t.site.contexts[0].tag == other);
}
TEST_CASE("the context of an execution is that of the longest path that it begins with") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    two_programs t;
    std::vector<std::uint32_t> known{0};
    for (int i = 0; i < 30; ++i) {
      const std::uint32_t from = known[random() % known.size()];
      known.push_back(t.tags.extend(from, random() % 3));
    }
    std::vector<std::int64_t> began(known.size() + 1, -1);  // by tag
    for (int i = 0; i < 10; ++i) {
      const std::uint32_t tag = known[random() % known.size()];
      t.site.cause({tag, i, 2 * i});
      if (began[tag] < 0) began[tag] = i;  // the first cause counts
    }
    for (const std::uint32_t tag : known) {
      std::int64_t expected = 100;
      std::uint32_t length = 0;
      for (const std::uint32_t prefix : known)
        if (began[prefix] >= 0 && t.tags.begins_with(tag, prefix) &&
            t.tags.length(prefix) >= length)
          expected = began[prefix], length = t.tags.length(prefix);
      const auto c = t.site.context_of(tag, 100, t.tags);
      CHECK(c.began == expected);
      CHECK(c.remaining == (expected == 100 ? -1 : 2 * expected));
    }
  }
}
