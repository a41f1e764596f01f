// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/replay.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/adapt/wfformat/reader.hpp>

#include "random_instance.hpp"
#include "small_file.hpp"

namespace {

using wf::wfformat::replayed_task;

constexpr std::int64_t makespan_while_compiling() {
  const auto all = wf::wfformat::parse(wf_test::small_file);
  return wf::wfformat::replay(*all, {.decimals = 3, .latency = 10})->makespan;
}
static_assert(makespan_while_compiling() == 5780);

}  // namespace

TEST_CASE("cores are held during transfers") {
  auto all = *wf::wfformat::parse(wf_test::small_file);
  for (auto& task : all.workflow.execution->tasks) {
    task.machines.clear();
    task.machines.push_back("m2");
  }
  // One task after the other, each with its transfers at one byte a millisecond.
  const auto r = wf::wfformat::replay(all, {.decimals = 3, .hub_bandwidth = 1000, .slots = 1});
  REQUIRE(r);
  CHECK(r->makespan == 7750 + 1540 + 545);
  CHECK(r->tasks[1] == replayed_task{2700, 2700, 2900, 4900, 5200, 1});
  CHECK(r->tasks[2] == replayed_task{2700, 5200, 5200, 9200, 9240, 1});
}

TEST_CASE("a task takes its cores at once, and nobody overtakes it") {
  auto all = *wf::wfformat::parse(wf_test::small_file);
  auto& runs = all.workflow.execution->tasks;
  for (auto& task : runs) {
    task.machines.clear();
    task.machines.push_back("m1");  // two cores
  }
  runs[1].core_count = 2;
  const auto r = wf::wfformat::replay(all, {.decimals = 3});
  REQUIRE(r);
  CHECK(r->makespan == 1500 + 2000 + 4000 + 250);
  CHECK(r->tasks[2].start == 3500);
}

TEST_CASE("the dispatcher takes one task after the other") {
  wf::wfformat::instance all;
  all.name = "roots";
  auto& tasks = all.workflow.specification.tasks;
  auto& runs = all.workflow.execution.emplace();
  runs.makespan_in_seconds = 1;
  runs.executed_at = "now";
  for (int t = 0; t < 5; ++t) {
    tasks.push_back({});
    tasks.back().name = tasks.back().id = wf::text("t") << t;
    runs.tasks.push_back({});
    runs.tasks.back().id = tasks.back().id;
    runs.tasks.back().runtime_in_seconds = 1;
  }
  const auto r =
      wf::wfformat::replay(all, {.decimals = 0, .start = 100, .latency = 7, .serial_dispatch = 3});
  REQUIRE(r);
  for (std::size_t t = 0; t < 5; ++t)
    CHECK(r->tasks[t].start == 107 + 3 * (static_cast<std::int64_t>(t) + 1));
}

TEST_CASE("a chain of 100,000 tasks without duration is no recursion") {
  wf::wfformat::instance all;
  all.name = "chain";
  auto& tasks = all.workflow.specification.tasks;
  auto& runs = all.workflow.execution.emplace();
  runs.makespan_in_seconds = 0;
  runs.executed_at = "now";
  tasks.resize(100'000);
  runs.tasks.resize(tasks.size());
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    tasks[t].name = tasks[t].id = runs.tasks[t].id = wf::text("t") << t;
    runs.tasks[t].runtime_in_seconds = t + 1 == tasks.size() ? 1 : 0;
    if (t == 0) continue;
    tasks[t].parents.push_back(tasks[t - 1].id);
    tasks[t - 1].children.push_back(tasks[t].id);
  }
  const auto r = wf::wfformat::replay(all, {.decimals = 0, .unplaced_slots = 1});
  REQUIRE(r);
  CHECK(r->makespan == 1);
}

TEST_CASE("random replays keep the rules: precedence, cores, order, and no idle waiting") {
  wf_test::random_source random(20261204);
  for (int i = 0; i < 400; ++i) {
    CAPTURE(i);
    const auto all = wf_test::random_instance(random, {.most_tasks = 25, .most_ms = 20});
    wf::wfformat::machine_options o{.decimals = 3,
                                    .start = static_cast<std::int64_t>(random() % 3),
                                    .latency = static_cast<std::int64_t>(random() % 4),
                                    .hub_bandwidth = random() % 2 == 0 ? 0 : 100'000.0,
                                    .slots = static_cast<std::int64_t>(random() % 4)};
    const auto model = wf::wfformat::detail::model_of(all, o);
    const auto r = wf::wfformat::replay(all, o);
    REQUIRE(model);
    REQUIRE(r);
    std::int64_t last = 0;
    for (std::uint32_t t = 0; t < r->tasks.size(); ++t) {
      CAPTURE(t);
      const replayed_task& now = r->tasks[t];
      const auto& task = model->tasks[t];
      std::int64_t ready = o.start;
      wf::wfformat::detail::predecessors_of(
          model->related, t, [&](std::uint32_t p) { ready = std::max(ready, r->tasks[p].finish); });
      CHECK(now.ready == ready);
      CHECK(now.start >= ready + o.latency);
      CHECK(now.stop - now.run == task.runtime);
      // Alone on the hub, a byte takes 10 ticks / 1000; never less, up to half a tick a change.
      const auto slack = static_cast<std::int64_t>(r->tasks.size());
      if (o.hub_bandwidth == 0) {
        CHECK(now.run == now.start);
        CHECK(now.finish == now.stop);
      } else {
        CHECK((now.run - now.start + slack) * 100 >= task.read);
        CHECK((now.finish - now.stop + slack) * 100 >= task.written);
      }
      last = std::max(last, now.finish);
      // Cores in use on its machine from when it could start until it does, and at its start.
      const auto used_at = [&](std::int64_t time) {
        std::int64_t used = 0;
        for (std::uint32_t k = 0; k < r->tasks.size(); ++k)
          if (r->tasks[k].machine == now.machine && r->tasks[k].start <= time &&
              time < r->tasks[k].finish)
            used += model->tasks[k].cores;
        return used;
      };
      CHECK(used_at(now.start) <= model->slots[now.machine]);
      bool behind = false;  // another one that came before it also waits
      for (std::uint32_t k = 0; k < r->tasks.size(); ++k) {
        const replayed_task& other = r->tasks[k];
        if (k == t || other.machine != now.machine) continue;
        if (other.ready < now.ready) CHECK(other.start <= now.start);
        behind = behind || (other.ready <= now.ready && other.start > now.ready + o.latency);
      }
      for (std::int64_t time = now.ready + o.latency; !behind && time < now.start; ++time)
        CHECK(used_at(time) + task.cores > model->slots[now.machine]);
    }
    CHECK(r->makespan == last);
  }
}

TEST_CASE("the trace has an execution for each task, on lanes that do not overlap") {
  wf_test::random_source random(20261205);
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    const auto all =
        wf_test::random_instance(random, {.most_tasks = 20, .one_core = true, .most_ms = 20});
    const auto r = *wf::wfformat::replay(all, {.decimals = 3, .slots = 2});
    const auto trace = wf::wfformat::trace_of(r);
    REQUIRE(trace.events.size() == r.tasks.size());
    CHECK(trace.makespan == r.makespan);
    for (std::size_t a = 0; a < trace.events.size(); ++a) {
      const wf::trace_event& e = trace.events[a];
      CHECK(e.begin == r.tasks[e.op].start);
      CHECK(e.end == r.tasks[e.op].finish);
      if (a != 0) CHECK(trace.events[a - 1].end <= e.end);
      CHECK(trace.accounts[e.op].queued == e.begin - r.tasks[e.op].ready);
      if (r.tasks[e.op].machine < all.workflow.execution->machines.size())
        CHECK((e.where.column < 2 || e.begin == e.end));
      for (std::size_t b = 0; b < a; ++b) {
        const wf::trace_event& other = trace.events[b];
        if (other.where == e.where) CHECK((other.end <= e.begin || e.end <= other.begin));
      }
    }
  }
}
