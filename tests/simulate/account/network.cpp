// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/account/network.hpp>

#include <doctest/doctest.h>

#include <wf/simulate/account/critical_path.hpp>
#include <wf/simulate/account/utilisation.hpp>

#include <string>
#include <vector>

#include "../process/random_network.hpp"

using wf_test::mixer;

namespace {

// The runs and transfers that the network itself tells.
struct told {
  struct task {
    wf::text label;
    std::int64_t ready, begin, end;
    std::int64_t work;
  };
  const wf::network<mixer>& n;
  std::vector<task>& tasks;

  void execute(std::uint32_t node, std::int64_t begin, std::int64_t end, std::int64_t) {
    tasks.push_back({n.nodes[node].name, -1, begin, end, -1});
  }
  void transfer(std::uint32_t edge, std::int64_t sent, std::int64_t begin, std::int64_t end,
                std::int64_t bytes) {
    const auto& e = n.edges[edge];
    tasks.push_back({wf::text(n.nodes[e.from].name) << " to " << n.nodes[e.to].name.view(), sent,
                     begin, end, bytes});
  }
};

}  // namespace

TEST_CASE("the account of a random network has what ran, and causes without a gap") {
  std::size_t accounted = 0, queued = 0, delays = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    auto drawn = wf_test::draw_network(random);
    wf::network<mixer>& n = drawn.network;
    for (std::uint32_t i = 0; i < n.nodes.size(); ++i) n.nodes[i].name = wf::text("node ") << i;
    wf::network<mixer> plain = n;
    std::vector<told::task> tasks;
    // A loop may run for ever: it is stopped, and left out.
    struct bounded : told {
      std::uint64_t steps = 0;
      bool go_on(const wf::sim_progress& p) const { return p.finished < 4000; }
    };
    const auto expected = plain.run(drawn.inputs, bounded{{plain, tasks}});
    if (!expected || expected->stopped) continue;

    wf::run_account a;
    const auto got = wf::run_accounted(n, drawn.inputs, a);
    REQUIRE(got);
    ++accounted;
    REQUIRE(got->outputs.size() == expected->outputs.size());
    REQUIRE(a.makespan == expected->makespan);
    REQUIRE(got->makespan == expected->makespan);

    std::size_t k = 0;
    for (std::uint32_t i = 0; i < a.tasks.size(); ++i) {
      const wf::run_task& t = a.tasks[i];
      if (t.cause == wf::run_task::none) {
        REQUIRE(t.ready == 0);
      } else {
        REQUIRE(t.cause < i);
        REQUIRE(a.tasks[t.cause].finish == t.ready);
      }
      REQUIRE(t.ready <= t.start);
      REQUIRE(t.start <= t.finish);
      queued += t.ready < t.start ? 1 : 0;
      if (t.role == wf::run_role::delay) {
        ++delays;
        REQUIRE(t.resources.count == 0);
        continue;
      }
      REQUIRE(k < tasks.size());
      REQUIRE(t.label == tasks[k].label);
      REQUIRE(t.start == tasks[k].begin);
      REQUIRE(t.finish == tasks[k].end);
      if (tasks[k].ready >= 0) {
        REQUIRE(t.ready == tasks[k].ready);
        REQUIRE(t.work == tasks[k].work);
      }
      REQUIRE((t.role == wf::run_role::link) == (tasks[k].ready >= 0));
      REQUIRE(t.resources.count == 1);
      ++k;
    }
    REQUIRE(k == tasks.size());

    std::int64_t at = 0;
    for (const wf::path_segment& s : wf::critical_path_of(a).segments) {
      REQUIRE(s.from == at);
      at = s.to;
    }
    REQUIRE(at == a.makespan);
    const auto usage = wf::utilisation_of(a);
    for (std::size_t r = 0; r < a.resources.size(); ++r)
      for (const wf::usage_step& s : usage[r].steps)
        if (a.resources[r].role == wf::run_role::host) REQUIRE(s.in_use <= a.resources[r].capacity);
  }
  MESSAGE(accounted << " networks, " << queued << " tasks queued, " << delays << " delays");
  CHECK(accounted > 500);
  CHECK(queued > 500);
  CHECK(delays > 500);
}

TEST_CASE("a network that is not valid has no account") {
  wf::network<mixer> n;
  n.add_host();
  n.add_node("lost", mixer(1, 1, false, 0), {wf::sim_resource::slots, 3});
  wf::run_account a;
  const auto got = wf::run_accounted(n, {}, a);
  REQUIRE(!got);
  CHECK(got.error().subject.view() == wf::text_view("lost"));
  CHECK(a.tasks.empty());
}
