// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/sharing/fluid_network.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace {

struct flow {
  std::uint32_t route = 0;
  std::uint32_t activity = 0;
};

struct random_network {
  std::vector<double> bandwidths;
  std::vector<wf::sim::fluid_route> routes;
  std::vector<std::uint32_t> hops;
};

random_network draw_network(std::mt19937_64& random, std::uint32_t links, std::uint32_t routes) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  random_network out;
  const bool equal = below(2) == 0;
  for (std::uint32_t l = 0; l < links; ++l) out.bandwidths.push_back(equal ? 1.0 : 1.0 + below(9));
  for (std::uint32_t r = 0; r < routes; ++r) {
    std::vector<std::uint32_t> path;
    const std::uint32_t wanted = 1 + below(links < 4 ? links : 4);
    while (path.size() < wanted) {
      const std::uint32_t l = below(links);
      bool is_new = true;
      for (const std::uint32_t other : path) is_new = is_new && other != l;
      if (is_new) path.push_back(l);
    }
    out.routes.push_back({{static_cast<std::uint32_t>(out.hops.size()), wanted},
                          0,
                          equal ? 1.0 : 1.0 / (1 + below(5))});
    out.hops.insert(out.hops.end(), path.begin(), path.end());
  }
  return out;
}

// Weighted max-min rates of the flows, by raising the level of all from the start.
std::vector<double> fill_anew(const random_network& n, const std::vector<flow>& flows) {
  std::vector<double> rates(flows.size(), -1), left = n.bandwidths;
  while (true) {
    double lowest = -1;
    std::size_t full = 0;
    for (std::size_t l = 0; l < left.size(); ++l) {
      double weight = 0;
      for (std::size_t f = 0; f < flows.size(); ++f) {
        const auto& r = n.routes[flows[f].route];
        for (std::uint32_t h = 0; h < r.links.count; ++h)
          if (n.hops[r.links.first + h] == l && rates[f] < 0) weight += r.weight;
      }
      if (weight > 0 && (lowest < 0 || left[l] / weight < lowest)) {
        lowest = left[l] / weight;
        full = l;
      }
    }
    if (lowest < 0) return rates;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      const auto& r = n.routes[flows[f].route];
      bool crosses = false;
      for (std::uint32_t h = 0; h < r.links.count; ++h)
        crosses = crosses || n.hops[r.links.first + h] == full;
      if (!crosses || rates[f] >= 0) continue;
      rates[f] = lowest * r.weight;
      for (std::uint32_t h = 0; h < r.links.count; ++h) left[n.hops[r.links.first + h]] -= rates[f];
    }
  }
}

TEST_CASE("after any arrivals and ends the rates are those of filling all links anew") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const random_network n = draw_network(random, 1 + static_cast<std::uint32_t>(random() % 12),
                                          1 + static_cast<std::uint32_t>(random() % 20));
    // Filled only, both, or adjusted only.
    const std::size_t steps = seed % 4 == 0 ? 0 : seed % 4 == 1 ? 1 : 1000;
    wf::sim::fluid_network network(n.bandwidths, n.routes, n.hops, steps);
    std::vector<flow> flows;
    std::int64_t now = 0;
    std::uint32_t count = 0;
    for (int step = 0; step < 150; ++step) {
      // The next end, as the engine would find it.
      std::int64_t next = wf::sim::never;
      std::uint32_t link = 0;
      for (std::uint32_t l = 0; l < network.links(); ++l)
        if (const std::int64_t due = network.due(l); due < next) next = due, link = l;
      const bool grow = flows.size() < 25 && random() % 2 == 0;
      if (next != wf::sim::never && !grow) {
        now = next;
        const std::uint32_t done = network.pop(link, now).activity;
        for (std::size_t f = 0; f < flows.size(); ++f)
          if (flows[f].activity == done) {
            flows.erase(flows.begin() + static_cast<std::ptrdiff_t>(f));
            break;
          }
      } else {
        for (std::uint64_t k = random() % 3 + 1; k > 0; --k) {
          const auto route = static_cast<std::uint32_t>(random() % n.routes.size());
          network.join(route, {1e6 + static_cast<double>(random() % 1000000), count, count}, now);
          flows.push_back({route, count++});
        }
      }
      network.share(now);
      const std::vector<double> rates = fill_anew(n, flows);
      for (std::size_t f = 0; f < flows.size(); ++f) {
        CAPTURE(step);
        CAPTURE(f);
        REQUIRE(std::abs(network.rate(flows[f].route) - rates[f]) <= 1e-11 * rates[f]);
      }
    }
  }
}

// The next ends, by the links that `share` returned.
void take_ends(wf::sim::fluid_network& network, std::vector<std::int64_t>& ends, std::int64_t now) {
  for (const std::uint32_t link : network.share(now)) ends[link] = network.due(link);
}

TEST_CASE("share returns every link whose next end changes") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const random_network n = draw_network(random, 6, 12);
    wf::sim::fluid_network network(n.bandwidths, n.routes, n.hops, seed % 3);
    std::vector<std::int64_t> ends(network.links(), wf::sim::never);
    std::int64_t now = 0;
    for (std::uint32_t step = 0; step < 60; ++step) {
      const auto first = std::min_element(ends.begin(), ends.end());
      if (*first != wf::sim::never && random() % 2 == 0) {
        now = *first;
        network.pop(static_cast<std::uint32_t>(first - ends.begin()), now);
      } else {
        network.join(static_cast<std::uint32_t>(random() % n.routes.size()),
                     {1e6 + static_cast<double>(random() % 1000000), step, step}, now);
      }
      take_ends(network, ends, now);
      for (std::uint32_t l = 0; l < network.links(); ++l) REQUIRE(network.due(l) == ends[l]);
    }
  }
}

// A hundred thousand transfers leave two hundred links in one tick, and one transfer of each of
// these could then take a whole link that they share: two hundred times what it has.
TEST_CASE("a link has as many times its bandwidth asked of it as there are routes") {
  constexpr std::uint32_t sources = 200, transfers = 500;
  std::vector<double> bandwidths(sources + 1, 1.0);
  std::vector<wf::sim::fluid_route> routes;
  std::vector<std::uint32_t> hops;
  for (std::uint32_t s = 0; s < sources; ++s) {
    routes.push_back({{static_cast<std::uint32_t>(hops.size()), 1}, 0, 1});
    hops.push_back(s);
    routes.push_back({{static_cast<std::uint32_t>(hops.size()), 2}, 0, 1});
    hops.insert(hops.end(), {s, sources});
  }
  wf::sim::fluid_network network(bandwidths, routes, hops);
  std::uint32_t number = 0;
  for (std::uint32_t s = 0; s < sources; ++s) {
    for (std::uint32_t t = 0; t < transfers; ++t)
      network.join(2 * s, {1000, number, number}, 0), ++number;
    network.join(2 * s + 1, {1e6, number, number}, 0), ++number;
  }
  network.share(0);
  CHECK(network.rate(1) == doctest::Approx(1.0 / (transfers + 1)));
  const std::int64_t now = network.due(0);
  for (std::uint32_t s = 0; s < sources; ++s)
    for (std::uint32_t t = 0; t < transfers; ++t) network.pop(s, now);
  network.share(now);
  for (std::uint32_t s = 0; s < sources; ++s)
    REQUIRE(network.rate(2 * s + 1) == doctest::Approx(1.0 / sources).epsilon(1e-12));
}

}  // namespace
