// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <cpu_time.hpp>

namespace linalg_benchmark {

using wf_benchmark::median;
using wf_benchmark::thread_seconds;

/// A way to compute a problem that is timed against others.
struct contestant {
  std::string name;
  std::function<void()> run;
  std::vector<double> seconds = {};  ///< seconds of each round except the first, which warms up
};

/// The effort of a measurement.
struct measuring {
  int rounds = 0;  ///< exact number of rounds after the warm-up; 0: bounded by the members below
  int least_rounds = 5;
  int most_rounds = 101;
  double seconds = 2;       ///< CPU time after which no round begins
  double least_run = 1e-2;  ///< a shorter run is repeated within a round, with warm caches
};

/// The number of runs in a round that take `least` seconds: doubled until they do, because the
/// first run is not representative of a warm one.
inline int repeats_for(const contestant& c, double least) {
  for (int repeats = 1;; repeats *= 2) {
    const double start = thread_seconds();
    for (int k = 0; k < repeats; ++k) c.run();
    if (thread_seconds() - start >= least || repeats >= (1 << 16)) return repeats;
  }
}

/// Runs all contestants in turn, round after round. Each round has another order, so that no
/// contestant always finds the caches as the same predecessor left them.
inline void measure(std::vector<contestant>& all, const measuring& how) {
  const double begin = thread_seconds();
  std::vector<int> repeats;
  for (const contestant& c : all) repeats.push_back(repeats_for(c, how.least_run));
  const int most = how.rounds > 0 ? how.rounds : how.most_rounds;
  const int least = how.rounds > 0 ? how.rounds : how.least_rounds;
  std::mt19937_64 random(1);
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int round = 0; round < most; ++round) {
    if (round >= least && thread_seconds() - begin > how.seconds) break;
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) {
      const double start = thread_seconds();
      for (int k = 0; k < repeats[i]; ++k) all[i].run();
      all[i].seconds.push_back((thread_seconds() - start) / repeats[i]);
    }
  }
}

/// The rate of a product of square matrices, `multiply()`, in GFLOP/s: the best of several runs.
template <class Multiply>
double product_rate(double size, Multiply multiply) {
  double best = 1e300;
  for (int round = 0; round < 7; ++round) {
    const double start = thread_seconds();
    multiply();
    best = std::min(best, thread_seconds() - start);
  }
  return 2e-9 * size * size * size / best;
}

}  // namespace linalg_benchmark
