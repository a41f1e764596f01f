// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <wf/run/parallel/cores.hpp>

namespace wf_test {

// A pool of threads without a library: they take ready steps at random from one list. Sanitizers
// see all of its synchronisation.
class thread_pool {
 public:
  explicit thread_pool(std::size_t size) : size_(size) {}

  operator wf::core_pool() { return {this, size_, &split, &walk}; }

 private:
  static void split(void* pool, std::size_t count, wf::compute::team::part_function part,
                    void* what) {
    const std::size_t threads = static_cast<thread_pool*>(pool)->size_;
    std::vector<std::thread> all;
    for (std::size_t t = 0; t < threads; ++t)
      all.emplace_back([=] {
        for (std::size_t i = t; i < count; i += threads) part(what, i);
      });
    for (std::thread& t : all) t.join();
  }
  static void walk(void* pool, const wf::step_walk& run) {
    thread_pool& p = *static_cast<thread_pool*>(pool);
    const wf::step_graph& g = *run.steps;
    for (std::uint32_t i = 0; i < g.size(); ++i) run.waits[i] = g.waits(i);
    std::vector<std::uint32_t> ready(g.roots().begin(), g.roots().end());
    std::size_t left = g.size();
    std::mutex mutex;
    std::condition_variable changed;
    std::mt19937 random(7);
    const auto serve = [&] {
      const wf::compute::team_scope scope(wf::core_pool{&p, p.size_, &split, &walk}.as_team());
      std::unique_lock lock(mutex);
      for (;;) {
        changed.wait(lock, [&] { return !ready.empty() || left == 0; });
        if (left == 0) return;
        std::swap(ready[random() % ready.size()], ready.back());
        const std::uint32_t step = ready.back();
        ready.pop_back();
        lock.unlock();
        run.call(run.what, step);
        lock.lock();
        for (const std::uint32_t next : g.after(step))
          if (run.waits[next].fetch_sub(1, std::memory_order_acq_rel) == 1) ready.push_back(next);
        --left;
        changed.notify_all();
      }
    };
    std::vector<std::thread> all;
    for (std::size_t t = 0; t < p.size_; ++t) all.emplace_back(serve);
    for (std::thread& t : all) t.join();
  }

  std::size_t size_;
};

}  // namespace wf_test
