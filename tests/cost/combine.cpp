// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/combine.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/cost/body_price.hpp>
#include <wf/registry/registry.hpp>

TEST_CASE("sums, largest prices and longest paths of random graphs with stated prices") {
  std::mt19937_64 random(3);
  MESSAGE("seed 3");
  constexpr wf::metric<"flops", "flop", wf::combination::critical_path> longest;
  constexpr wf::metric<"flops", "flop", wf::combination::maximum> largest;
  const wf::value_type scalar{wf::dtype::f64, {}, wf::shape::of()};
  for (int trial = 0; trial < 200; ++trial) {
    wf::graph g("g");
    std::vector<wf::value_id> values = {g.add_input("x", scalar)};
    std::vector<std::int64_t> path = {0};
    std::int64_t sum = 0, most = 0;
    for (int i = 0; i < static_cast<int>(random() % 9) + 1; ++i) {
      const std::size_t a = random() % values.size(), b = random() % values.size();
      const wf::value_id operands[] = {values[a], values[b]};
      const std::string price = std::to_string(random() % 50);
      const wf::node_id made =
          g.add_node({.op = "add", .domain = "elementwise"}, operands, {&scalar, 1});
      g.add_cost("flops", {price.data(), price.size()});
      values.push_back(wf::graph_view::output_of(g.view()[made]));
      const std::int64_t own = std::stoll(price);
      sum += own;
      most = std::max(most, own);
      path.push_back(own + std::max(path[a], path[b]));
    }
    const wf::registry kernels = wf::builtin_registry();
    using wf::rational;
    using wf::detail::combined_price;
    CHECK(*combined_price<rational>(g.view(), wf::flops, kernels) == rational(sum));
    CHECK(*combined_price<rational>(g.view(), largest, kernels) == rational(most));
    CHECK(*combined_price<rational>(g.view(), longest, kernels) ==
          rational(*std::max_element(path.begin(), path.end())));
  }
}
