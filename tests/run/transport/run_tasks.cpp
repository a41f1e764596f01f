// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/run_tasks.hpp>

#include <doctest/doctest.h>

#include <stop_token>
#include <string>
#include <vector>

#include <wf/run/transport/loopback.hpp>

#include "on_ranks.hpp"
#include "random_tasks.hpp"

namespace {

using outcome = wf::result<wf::task_report<std::uint64_t>>;

}  // namespace

TEST_CASE("tasks on several processes make the values, and the failure, of one after the other") {
  std::uint64_t taken = 0, messages = 0, failures = 0;
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    const std::uint32_t ranks = 1 + seed % 6;
    std::vector<random_tasks::problem> runs;
    for (std::uint32_t k = 0; k < 3; ++k) runs.push_back(random_tasks::make(3 * seed + k, ranks));
    std::vector<std::vector<outcome>> found(ranks);
    std::vector<std::uint64_t> took(ranks);
    wf_test::on_ranks(ranks, [&](std::uint32_t r, wf::loopback& carrier) {
      wf::task_run_options options;
      options.most_batch = seed % 2 == 0 ? 1 : 1 << 16;
      options.most_delay_ns = seed % 3 == 0 ? 0 : 5'000;
      for (const random_tasks::problem& p : runs) {
        random_tasks::computing compute{&p, 0};
        found[r].push_back(wf::run_tasks<std::uint64_t>(carrier, p.tasks, compute, options));
        took[r] += compute.taken;
      }
    });
    for (std::size_t k = 0; k < runs.size(); ++k) {
      const random_tasks::expected e = random_tasks::serially(runs[k]);
      failures += e.first_failure != UINT32_MAX ? 1 : 0;
      for (std::uint32_t r = 0; r < ranks; ++r) {
        CHECK(random_tasks::fault_of(runs[k], e, r, found[r][k]) == "");
        messages += found[r][k]->messages;
        std::size_t readers = 0;
        const wf::task_share s(runs[k].tasks, r);
        for (std::uint32_t p = 0; p < s.own(); ++p) readers += s.readers(p);
        CHECK(found[r][k]->messages == readers);
      }
    }
    for (const std::uint64_t t : took) taken += t;
  }
  // The problems are of all kinds.
  CHECK(taken > 1000);
  CHECK(messages > 1000);
  CHECK(failures > 20);
}

TEST_CASE("a process holds a value from when it is there until its last reader has run") {
  // A chain of 100 values in one process, every tenth of which another one reads at the end.
  wf::task_list tasks(2);
  std::vector<std::int64_t> sizes;
  std::vector<std::uint32_t> tenths;
  for (std::uint32_t t = 0; t < 100; ++t) {
    const std::uint32_t before[] = {t - 1};
    tasks.add(0, {before, t == 0 ? 0U : 1U});
    sizes.push_back(1 + t);
    if (t % 10 == 9) tenths.push_back(t);
  }
  tasks.keep(tasks.add(1, {tenths.data(), tenths.size()}));
  sizes.push_back(1000);
  const random_tasks::problem p{tasks, std::vector<char>(tasks.size(), 0)};
  std::vector<outcome> found(2);
  wf_test::on_ranks(2, [&](std::uint32_t r, wf::loopback& carrier) {
    wf::task_run_options options;
    options.sizes = {sizes.data(), sizes.size()};
    random_tasks::computing compute{&p, 0};
    found[r] = wf::run_tasks<std::uint64_t>(carrier, p.tasks, compute, options);
  });
  CHECK(found[0]->most_held == 99 + 100);
  CHECK(found[1]->most_held == 10 + 20 + 30 + 40 + 50 + 60 + 70 + 80 + 90 + 100 + 1000);
}

TEST_CASE("a process that is asked to stop runs no further task, and all come to their end") {
  random_tasks::problem p{wf::task_list(3), {0, 0, 0, 0}};
  p.tasks.add(0, {});
  const std::uint32_t stopped[] = {p.tasks.add(1, {})};
  p.tasks.add(2, stopped);
  p.tasks.add(1, {});
  std::stop_source source;
  source.request_stop();
  std::vector<outcome> found(3);
  wf_test::on_ranks(3, [&](std::uint32_t r, wf::loopback& carrier) {
    wf::task_run_options options;
    if (r == 1) options.stop = source.get_token();
    random_tasks::computing compute{&p, 0};
    found[r] = wf::run_tasks<std::uint64_t>(carrier, p.tasks, compute, options);
  });
  for (const outcome& o : found) {
    REQUIRE(o);
    CHECK(o->failure.why.code == wf::errc::execution_stopped);
    CHECK(o->failure.task == stopped[0]);
  }
  CHECK(found[1]->computed == 0);
  CHECK(found[0]->computed == 1);
  CHECK(found[2]->computed == 0);
}

TEST_CASE("lists that do not fit are refused before anything runs") {
  wf::loopback_hub hub(2);
  wf::loopback carrier(hub, 0);
  const auto compute = [](std::uint32_t, wf::view<wf::task_operand<std::uint64_t>>,
                          std::uint64_t&) { return wf::error(); };
  wf::task_list three(3);
  CHECK(wf::to_text(wf::run_tasks<std::uint64_t>(carrier, three, compute).error()) ==
        "WF503 in 'tasks': they are for 3 processes, of which there are 2");
  const std::int64_t sizes[] = {1};
  wf::task_run_options options;
  options.sizes = sizes;
  CHECK(wf::to_text(
            wf::run_tasks<std::uint64_t>(carrier, wf::task_list(2), compute, options).error()) ==
        "WF503 in 'tasks': not each of them has a size");
  wf::task_list wrong(2);
  wrong.add(2, {});
  CHECK(wf::run_tasks<std::uint64_t>(carrier, wrong, compute).error() == wrong.fault());
}

TEST_CASE("lost processes, strangers and bytes that are no batch end a run") {
  wf::task_list tasks(2);
  const std::uint32_t first[] = {tasks.add(1, {})};
  tasks.add(0, first);
  const auto compute = [](std::uint32_t, wf::view<wf::task_operand<std::uint64_t>>,
                          std::uint64_t& out) {
    out = 1;
    return wf::error();
  };
  const auto run_after = [&](auto&& spoil) {
    wf::loopback_hub hub(2);
    wf::loopback here(hub, 0), there(hub, 1);
    there.begin();
    spoil(hub, there);
    wf::task_run_options options;
    options.most_silence_ns = 1'000'000;
    return wf::run_tasks<std::uint64_t>(here, tasks, compute, options);
  };
  const std::uint64_t run = wf::detail::run_number(tasks);
  const auto sent = [](auto&& fill) {
    return [fill](wf::loopback_hub&, wf::loopback& there) {
      wf::table<std::uint8_t> bytes = fill();
      REQUIRE(there.send(0, std::move(bytes)));
    };
  };
  CHECK(wf::to_text(run_after([](wf::loopback_hub& hub, wf::loopback&) { hub.lose(1); }).error()) ==
        "WF710 in 'process 1': it is lost, and its tasks with it");
  CHECK(wf::to_text(run_after([](wf::loopback_hub&, wf::loopback&) {}).error()) ==
        "WF710 in 'tasks': nothing has come for too long");
  CHECK(run_after(sent([] { return wf::table<std::uint8_t>(20, 7); })).error().code ==
        wf::errc::malformed_message);
  CHECK(run_after(sent([&] {
          wf::task_batch<std::uint64_t> b(run + 1);
          b.add(0);
          return b.take();
        }))
            .error()
            .code == wf::errc::transport_failed);
  // A task that is not its own, one that does not exist, one twice, an end before its time.
  const auto refused = [&](auto&& fill) {
    return run_after(sent([&] {
             wf::task_batch<std::uint64_t> b(run);
             fill(b);
             return b.take();
           }))
               .error()
               .code == wf::errc::malformed_message;
  };
  using batch = wf::task_batch<std::uint64_t>;
  CHECK(refused([](batch& b) { b.add(1); }));
  CHECK(refused([](batch& b) { b.add(2, 7); }));
  CHECK(refused([](batch& b) { b.add(0, 7), b.add(0, 7); }));
  CHECK(refused([](batch& b) { b.add_failed(0), b.add(0, 7); }));
  CHECK(refused(
      [](batch& b) { b.add_report(wf::task_failure()), b.add_report(wf::task_failure()); }));
}
