// SPDX-License-Identifier: BSL-1.0
#include <wf/storage/schedule.hpp>

#include <doctest/doctest.h>

#include <wf/ir/form/parse.hpp>
#include <wf/ir/form/text.hpp>

#include "random_storage.hpp"

namespace {

constexpr std::uint32_t forever = wf::storage_schedule::forever;
using numbers = wf::table<std::uint32_t>;

struct scheduled {
  wf::graph g;
  wf::table<wf::node_id> order;
  wf::storage_rule rule;
  explicit scheduled(wf::text_view source)
      : g(*wf::parse_graph(source)),
        order(*wf::topological_order(g.view())),
        rule(g.view(), storage_tests::kernels()) {}
  wf::storage_schedule run(const wf::storage_schedule_options& options = {}) const {
    return wf::schedule_storage(rule, order, options);
  }
};

constexpr wf::text_view source = R"(wf.graph 1 "g"
input "x" : f64[2, 2]
input "unread" : f64[2]
node elementwise.exp(%0) -> f64[2, 2]
node linalg.transpose(%2) -> f64[2, 2]
node elementwise.sin(%2) -> f64[2, 2]
node linalg.matmul(%3, %4) -> f64[2, 2]
node elementwise.negate(%5) -> f64[2, 2]
output "y" = %6
)";

}  // namespace

TEST_CASE("storage is used until the last reader of the value or a view of it") {
  const scheduled s(source);
  CHECK(s.run().last == numbers{forever, forever, 3, 0, 3, 4, forever});
  wf::storage_schedule_options options;
  options.inputs_end = true;
  CHECK(s.run(options).last == numbers{0, forever, 3, 0, 3, 4, forever});
  const wf::value_id kept[] = {wf::value_id{3}};
  options.kept = kept;
  CHECK(s.run(options).last == numbers{0, forever, forever, 0, 3, 4, forever});
}

TEST_CASE("a result takes over what dies at its node, if the caller has nothing against it") {
  const scheduled s(source);
  using values = wf::table<wf::value_id>;
  constexpr wf::value_id none = wf::value_id::none;
  CHECK(s.run().overwrites == values{none, none, none, none, none, none, wf::value_id{5}});
  wf::storage_schedule_options options;
  options.inputs_end = true;
  CHECK(s.run(options).overwrites ==
        values{none, none, wf::value_id{0}, none, none, none, wf::value_id{5}});
  CHECK(wf::schedule_storage(s.rule, s.order, options, [](wf::value_id to, wf::value_id) {
          return to != wf::value_id{2};
        }).overwrites == s.run().overwrites);
  options.overwrites = false;
  CHECK(s.run(options).overwrites == values{none, none, none, none, none, none, none});
}

TEST_CASE("what is in use, from the definition, on random graphs") {
  std::mt19937_64 random(20270306);
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    const wf::graph made = storage_tests::random_graph(random, 1 + random() % 12);
    const wf::graph_view g = made.view();
    const auto order = storage_tests::random_order(random, g);
    const wf::storage_rule rule(g, storage_tests::kernels());
    const wf::storage_schedule s = wf::schedule_storage(rule, order);
    wf::table<std::int64_t> amount, scratch;
    for (std::size_t i = 0; i < g.values.size(); ++i)
      amount.push_back(rule.bytes_of(static_cast<wf::value_id>(i)));
    for (std::size_t at = 0; at < order.size(); ++at)
      scratch.push_back(static_cast<std::int64_t>(random() % 50));
    const auto in_use = wf::amounts_in_use(rule, order, s, amount, scratch);
    std::vector<std::size_t> born(g.values.size());
    for (std::size_t at = 0; at < order.size(); ++at)
      for (std::uint32_t k = 0; k < g[order[at]].outputs.count; ++k)
        born[g[order[at]].outputs.first + k] = at;
    for (std::size_t at = 0; at < order.size(); ++at) {
      std::int64_t sum = scratch[at];
      for (std::uint32_t i = 0; i < g.values.size(); ++i) {
        const bool input = g.values[i].producer == wf::node_id::none;
        if (!rule.is_home(wf::value_id{i}) || (!input && born[i] > at) || s.last[i] < at) continue;
        bool taken = false;  // taken at this node, so that its result counts
        for (std::uint32_t k = 0; k < g[order[at]].outputs.count; ++k)
          if (const auto old = s.overwrites[g[order[at]].outputs.first + k];
              old != wf::value_id::none)
            taken = taken || rule.home_of(old) == wf::value_id{i};
        if (!taken) sum += amount[i];
      }
      REQUIRE(in_use[at] == sum);
    }
  }
}
