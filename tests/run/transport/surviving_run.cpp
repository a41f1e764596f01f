// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/surviving_run.hpp>

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include <wf/run/transport/run_tasks.hpp>

#include "mortal.hpp"
#include "on_ranks.hpp"
#include "random_tasks.hpp"

namespace {

using outcome = wf::result<wf::task_report<std::uint64_t>>;

// Computes, and dies before a number of its tasks.
struct mortal_computing {
  random_tasks::computing computes;
  int left = -1;

  wf::error operator()(std::uint32_t task, wf::view<wf::task_operand<std::uint64_t>> operands,
                       std::uint64_t& out) {
    if (left == 0) throw mortal::killed();
    --left;
    return computes(task, operands, out);
  }
};

// Who hears nothing for ten seconds gives up, so that no test hangs.
wf::task_run_options recovering() {
  wf::task_run_options out;
  out.recovers = true;
  out.most_silence_ns = 10'000'000'000;
  return out;
}

// A list on threads of which some die.
struct deadly_run {
  std::vector<outcome> found;
  std::vector<char> died;

  // Threads die before these of their tasks, and at these of their calls; -1: never.
  deadly_run(const random_tasks::problem& p, const std::vector<int>& tasks,
             const std::vector<int>& calls, const wf::task_run_options& options) {
    found.assign(calls.size(), wf::make_error(wf::errc::none, "", ""));
    died = mortal::run(calls, [&](mortal::carrier& carrier) {
      mortal_computing compute{{&p, 0}, tasks[carrier.rank()]};
      found[carrier.rank()] = wf::run_tasks<std::uint64_t>(carrier, p.tasks, compute, options);
    });
  }
};

// What is wrong with what the survivors say, or nothing. Outputs may be lost with who made them, if
// it dies after the end of all tasks.
std::string fault_of(const random_tasks::problem& p, const deadly_run& run,
                     std::size_t* missing = nullptr) {
  const random_tasks::expected e = random_tasks::serially(p);
  std::map<std::uint32_t, std::uint64_t> outputs;
  for (std::size_t r = 0; r < run.found.size(); ++r) {
    if (run.died[r] != 0) continue;
    const outcome& o = run.found[r];
    if (!o) return "it fails: " + std::string(wf::to_text(o.error()).view());
    for (const auto& x : o->outputs)
      if (!outputs.emplace(x.task, x.value).second) return "an output comes twice";
    if (o->failure.task != e.first_failure) return "the first failure";
    for (const std::uint32_t l : o->lost)
      if (run.died[l] == 0) return "who lives is lost";
  }
  for (const auto& [task, value] : outputs)
    if (!p.tasks.is_kept(task) || value != e.values[task] || e.failed[task] != 0)
      return "the output of task " + std::to_string(task);
  for (std::uint32_t t = 0; t < p.tasks.size(); ++t)
    if (p.tasks.is_kept(t) && e.failed[t] == 0 && !outputs.contains(t)) {
      if (missing == nullptr) return "there is no output of task " + std::to_string(t);
      ++*missing;
    }
  return "";
}

}  // namespace

TEST_CASE("whoever is lost, and whenever: those who are left make all outputs, once") {
  std::uint64_t deaths = 0, again = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const std::uint32_t ranks = 2 + seed % 4;
    const random_tasks::problem p = random_tasks::make(seed, ranks);
    std::vector<std::uint32_t> own(ranks);
    for (std::uint32_t t = 0; t < p.tasks.size(); ++t) ++own[p.tasks.owner(t)];
    std::vector<int> tasks(ranks, -1);
    for (std::uint32_t r = 0; r + 1 < ranks; ++r)
      if (own[r] > 0 && random() % 2 == 0) tasks[r] = static_cast<int>(random() % own[r]);
    std::swap(tasks[random() % ranks], tasks[ranks - 1]);
    wf::task_run_options options = recovering();
    options.most_batch = seed % 2 == 0 ? 1 : 1 << 16;
    options.most_delay_ns = seed % 3 == 0 ? 0 : 5'000;
    const deadly_run run(p, tasks, std::vector<int>(ranks, -1), options);
    CHECK(fault_of(p, run) == "");
    std::uint64_t computed = 0;
    for (std::uint32_t r = 0; r < ranks; ++r) {
      deaths += run.died[r] != 0 ? 1 : 0;
      if (run.died[r] == 0 && run.found[r]) computed += run.found[r]->computed;
    }
    again += computed;
  }
  CHECK(deaths > 200);
  CHECK(again > 5000);
}

TEST_CASE("who dies while processes talk, also about losses and the end, stops nobody") {
  std::uint64_t deaths = 0;
  std::size_t missing = 0, runs_with_missing = 0;
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const std::uint32_t ranks = 2 + seed % 4;
    const random_tasks::problem p = random_tasks::make(seed, ranks, 30);
    wf::task_run_options options = recovering();
    options.most_delay_ns = 0;
    const deadly_run run(p, std::vector<int>(ranks, -1), mortal::deaths(random, ranks, 3, 40),
                         options);
    const std::size_t before = missing;
    CHECK(fault_of(p, run, &missing) == "");
    runs_with_missing += missing != before ? 1 : 0;
    for (const char d : run.died) deaths += d != 0 ? 1 : 0;
  }
  CHECK(deaths > 300);
  CHECK(runs_with_missing < 60);
}

TEST_CASE("who was lost before has no task") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const random_tasks::problem p = random_tasks::make(seed, 4);
    const deadly_run run(p, std::vector<int>(4, -1), {-1, 0, -1, 0}, recovering());
    CHECK(fault_of(p, run) == "");
    REQUIRE(run.found[0]);
    const std::uint32_t gone[] = {1, 3};
    CHECK(run.found[0]->lost == wf::table<std::uint32_t>(wf::view<std::uint32_t>(gone)));
  }
}

TEST_CASE("without losses the report is that of a run that does not recover") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const std::uint32_t ranks = 1 + seed % 5;
    const random_tasks::problem p = random_tasks::make(seed, ranks);
    wf::task_run_options options = recovering();
    const std::vector<int> never(ranks, -1);
    const deadly_run run(p, never, never, options);
    for (std::uint32_t r = 0; r < ranks; ++r)
      CHECK(random_tasks::fault_of(p, random_tasks::serially(p), r, run.found[r]) == "");
  }
}

TEST_CASE("who is taken for lost, and who hears nothing, ends with an error") {
  wf::task_list tasks(2);
  const std::uint32_t first[] = {tasks.add(1, {})};
  tasks.add(0, first);
  const random_tasks::problem p{tasks, {0, 0}};
  const std::uint64_t run = wf::detail::run_number(tasks) & ~std::uint64_t{0xfffff};
  const auto run_after = [&](wf::table<std::uint8_t> bytes) {
    wf::loopback_hub hub(2);
    wf::loopback here(hub, 0), there(hub, 1);
    there.begin();
    if (!bytes.empty()) REQUIRE(there.send(0, std::move(bytes)));
    wf::task_run_options options;
    options.recovers = true;
    options.most_silence_ns = 1'000'000;
    return wf::run_tasks<std::uint64_t>(here, tasks, mortal_computing{{&p, 0}, -1}, options)
        .error();
  };
  const auto told = [&](char here, char there, std::uint64_t of) {
    wf::task_progress x{wf::table<char>(2), wf::table<char>(2), wf::table<char>(2)};
    x.lost[0] = here;
    x.lost[1] = there;
    return wf::write_progress(of, x);
  };
  CHECK(wf::to_text(run_after({})) == "WF710 in 'tasks': nothing has come for too long");
  CHECK(wf::to_text(run_after(told(1, 0, run))) ==
        "WF710 in 'process 0': the others take it for lost");
  CHECK(run_after(told(0, 0, run + (1 << 20))).code == wf::errc::transport_failed);
  CHECK(run_after(wf::table<std::uint8_t>(20, 7)).code == wf::errc::malformed_message);
}
