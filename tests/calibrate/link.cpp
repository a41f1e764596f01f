// SPDX-License-Identifier: BSL-1.0
#include <wf/calibrate/link.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <wf/run/transport/loopback.hpp>

namespace {

using wf::calibration::link_options;

}  // namespace

TEST_CASE("the latency and the bandwidth of times without noise are found again") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    CAPTURE(round);
    const auto latency = static_cast<std::int64_t>(random() % 100'000);
    const auto bandwidth = static_cast<std::int64_t>(100'000'000 + random() % 10'000'000'000);
    std::vector<std::int64_t> bytes;
    std::vector<double> times;
    for (std::int64_t b = 8; b <= 8 << 20; b *= 4) {
      bytes.push_back(b);
      times.push_back(static_cast<double>(latency) +
                      1e9 * static_cast<double>(b) / static_cast<double>(bandwidth));
    }
    const auto found = wf::calibration::fit_link(bytes, times);
    CHECK(std::abs(found.link.latency_ns - latency) <= 1);
    CHECK(std::abs(static_cast<double>(found.link.bytes_per_second - bandwidth)) <
          1e-6 * static_cast<double>(bandwidth));
    CHECK(found.worst_error < 1e-6);
    // A size that takes twice as long as the others say is an error of the fit.
    times[3] *= 2;
    const auto wrong = wf::calibration::fit_link(bytes, times);
    CHECK(wrong.worst_error > 0.1);
    CHECK(wrong.median_error <= wrong.worst_error);
  }
}

TEST_CASE("a link between processes is measured by the first one of two or more") {
  link_options small;
  small.largest_bytes = 1 << 14;
  small.bytes_each = 1 << 16;
  small.rounds = 3;
  for (const std::uint32_t ranks : {1U, 2U, 3U}) {
    CAPTURE(ranks);
    wf::loopback_hub hub(ranks);
    std::vector<wf::result<wf::calibration::measured_link>> all(
        ranks, wf::make_error(wf::errc::none, "", ""));
    std::vector<std::thread> threads;
    for (std::uint32_t r = 0; r < ranks; ++r)
      threads.emplace_back([&, r] {
        wf::loopback here(hub, r);
        all[r] = wf::calibration::measure_link(here, small);
      });
    for (std::thread& t : threads) t.join();
    for (const auto& one : all) {
      if (ranks == 1) {
        CHECK(one.error().code == wf::errc::invalid_problem);
        continue;
      }
      CAPTURE(wf::to_text(one.error()).view());
      REQUIRE(one);
    }
    if (ranks > 1) CHECK(all[0]->link.latency_ns + all[0]->link.bytes_per_second > 0);
  }
}
