// SPDX-License-Identifier: BSL-1.0
#include <wf/run/parallel/step_run.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "thread_pool.hpp"

namespace {

// A random graph of steps, with room for the counters of its runs.
struct steps {
  explicit steps(std::mt19937_64& random) {
    const auto n = static_cast<std::uint32_t>(1 + random() % 25);
    const std::vector<std::int64_t> times(n, 100);
    wf::table<wf::step_dependence> dependences;
    for (std::uint32_t i = 1; i < n; ++i)
      for (std::uint64_t k = random() % 3; k > 0; --k)
        dependences.push_back({static_cast<std::uint32_t>(random() % i), i});
    graph = wf::step_graph(times, dependences);
    waits = std::vector<std::atomic<std::uint32_t>>(n);
  }
  template <class Step>
  wf::error run(std::size_t threads, Step&& step, const std::stop_token& stop = {}) {
    wf_test::thread_pool pool(threads);
    return wf::detail::walk_steps(graph, pool, waits.data(), stop, "w", step);
  }

  wf::step_graph graph;
  std::vector<std::atomic<std::uint32_t>> waits;
};

wf::error failure(std::uint32_t step) {
  return wf::make_error(wf::errc::numerical_failure, (wf::text() << step).view(), "it fails");
}

}  // namespace

TEST_CASE("the failure is that of the first step that fails, on any number of threads") {
  std::mt19937_64 random(5);
  std::size_t several = 0;
  for (int round = 0; round < 200; ++round) {
    steps s(random);
    std::vector<char> fails(s.graph.size());
    std::uint32_t first = UINT32_MAX, count = 0;
    for (std::uint32_t i = 0; i < fails.size(); ++i) {
      fails[i] = random() % 5 == 0;
      if (!fails[i]) continue;
      ++count;
      if (first == UINT32_MAX) first = i;
    }
    several += count > 1 ? 1 : 0;
    for (const std::size_t threads : {1u, 3u}) {
      std::vector<std::atomic<int>> calls(s.graph.size());
      const wf::error e = s.run(threads, [&](std::uint32_t i) {
        ++calls[i];
        return fails[i] ? failure(i) : wf::error();
      });
      if (first == UINT32_MAX) {
        CHECK(e.code == wf::errc::none);
        for (const auto& c : calls) CHECK(c.load() == 1);
        continue;
      }
      CHECK(e.code == wf::errc::numerical_failure);
      CHECK(std::string(wf::to_text(e).view()) == std::string(wf::to_text(failure(first)).view()));
      for (std::uint32_t i = 0; i <= first; ++i) CHECK(calls[i].load() == 1);
    }
  }
  CHECK(several > 50);
}

TEST_CASE("an exception reaches the caller, that of the first step that throws") {
  std::mt19937_64 random(6);
  for (int round = 0; round < 50; ++round) {
    steps s(random);
    const auto n = static_cast<std::uint32_t>(s.graph.size());
    const auto first = static_cast<std::uint32_t>(random() % n);
    std::string what;
    try {
      s.run(3, [&](std::uint32_t i) -> wf::error {
        if (i >= first && i % 2 == first % 2) throw std::runtime_error(std::to_string(i));
        return i > first ? failure(i) : wf::error();
      });
    } catch (const std::runtime_error& e) {
      what = e.what();
    }
    CHECK(what == std::to_string(first));
  }
}

TEST_CASE("a stop is seen between steps") {
  std::mt19937_64 random(8);
  for (int round = 0; round < 50; ++round) {
    steps s(random);
    std::stop_source source;
    std::atomic<std::size_t> calls = 0;
    const auto last = random() % s.graph.size();
    const wf::error e = s.run(
        1,
        [&](std::uint32_t) {
          if (calls++ == last) source.request_stop();
          return wf::error();
        },
        source.get_token());
    // After the last step there is nothing to stop.
    CHECK(calls.load() == last + 1);
    CHECK(e.code == (last + 1 == s.graph.size() ? wf::errc::none : wf::errc::execution_stopped));
    // The same counters serve the next run.
    CHECK(s.run(3, [](std::uint32_t) { return wf::error(); }).code == wf::errc::none);
  }
}
