// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/assign.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/functions/functions.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/partition/traffic.hpp>

#include <partition/hashed.hpp>
#include <partition/machine_case.hpp>

#include "../sanitized.hpp"
#include "programs.hpp"

namespace {

constexpr std::int64_t impossible = INT64_MAX;

// A random workflow of `n` nodes, some with a stated class, and machines for it.
struct random_case {
  std::mt19937_64 random;
  wf::graph g{"random"};
  wf::machine_park park;
  std::vector<std::int64_t> flops;

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); }
  random_case(std::uint64_t seed, std::uint32_t n, std::uint32_t classes) : random(seed) {
    const char* const names[] = {"@self", "a", "b", "c"};
    for (std::uint32_t c = 0; c < classes; ++c) {
      park.classes.push_back({wf::text(names[c]), 1 + below(9), -1, {}});
      for (std::uint32_t d = 0; d < classes; ++d)
        if (c != d && below(8) != 0)
          park.links.push_back({wf::text(names[c]), wf::text(names[d]), below(200), below(5)});
    }
    if (below(3) == 0) park.classes[below(classes)].memory = 8 * (10 + below(200));
    if (classes > 1 && below(3) == 0) {
      park.classes[1].operators.push_back(wf::text("many"));
      park.classes[1].operators.push_back(wf::text("fork"));
    }
    park.outputs_on_host = below(3) != 0;
    std::vector<wf::value_id> values;
    for (std::uint32_t i = 0; i <= below(3); ++i)
      values.push_back(g.add_input((std::string("x") + std::to_string(i)).c_str(), type()));
    std::vector<bool> is_read(100);
    for (std::uint32_t i = 0; i < n; ++i) {
      std::vector<wf::value_id> operands;
      for (std::uint32_t k = below(8) == 0 ? 0 : 1 + below(2); k > 0; --k)
        operands.push_back(values[below(static_cast<std::uint32_t>(values.size()))]);
      for (const wf::value_id v : operands) is_read[wf::index_of(v)] = true;
      flops.push_back(below(150));
      const std::string price = std::to_string(flops.back());
      const wf::cost_formula cost{"flops", price.c_str()};
      const char* const ops[] = {"one", "many", "fork"};
      const std::uint32_t results = below(5) == 0 ? 2 : 1;
      const wf::value_type types[] = {type(), type()};
      const wf::node_id made =
          g.add_node({.op = results == 2 ? "fork" : ops[below(2)],
                      .domain = "user",
                      .effects = below(9) == 0 ? wf::effect::stateful : wf::effect::pure,
                      .peer = below(7) == 0 ? names[below(classes)] : "",
                      .costs = {&cost, 1}},
                     {operands.data(), operands.size()}, {types, results});
      for (std::uint32_t k = 0; k < results; ++k)
        values.push_back(wf::graph_view::output_of(g[made], k));
    }
    for (const wf::value_id v : values)
      if (g[v].producer != wf::node_id::none && (!is_read[wf::index_of(v)] || below(6) == 0))
        g.add_output((std::string("y") + std::to_string(wf::index_of(v))).c_str(), v);
    if (n > 3 && below(4) == 0) {
      const auto to = 1 + below(n - 1);
      g.add_edge(wf::edge_kind::control, wf::node_id{below(to)}, wf::node_id{to});
    }
  }
  wf::value_type type() { return {wf::dtype::f64, {}, wf::shape::of(std::int64_t{1} + below(30))}; }
};

// The cost of an assignment, from its definition; `impossible` without a link, an operator or
// memory. `homes` has a class for each node that needs one.
struct enumeration {
  const random_case& c;
  wf::graph_view g = c.g.view();
  std::uint32_t classes = static_cast<std::uint32_t>(c.park.classes.size());
  std::vector<bool> is_free = find_free();
  std::vector<std::uint32_t> homes = std::vector<std::uint32_t>(g.nodes.size());

  std::vector<bool> find_free() const {
    std::vector<bool> out(g.nodes.size());
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
      const wf::node& n = g.nodes[i];
      out[i] = n.effects == wf::effect::pure && n.peer.count == 0;
      for (const wf::value_id v : g.inputs_of(n))
        out[i] = out[i] && g[v].producer != wf::node_id::none && out[wf::index_of(g[v].producer)];
    }
    return out;
  }
  bool is_allowed(std::uint32_t i, std::uint32_t k) const {
    const wf::node& n = g.nodes[i];
    const wf::machine_class& m = c.park.classes[k];
    if (n.peer.count != 0) return g.text_of(n.peer) == m.name.view();
    if (n.effects != wf::effect::pure) return k == 0;
    return m.operators.empty() ||
           std::any_of(m.operators.begin(), m.operators.end(),
                       [&](const wf::text& op) { return op.view() == g.op_name(n); });
  }
  std::int64_t bytes(wf::value_id v) const { return 8 * g[v].type.shape.extents[0].code; }
  std::int64_t cost() const {
    std::int64_t total = 0;
    std::vector<std::int64_t> memory(classes);
    std::vector<std::vector<bool>> wanted(g.values.size(), std::vector<bool>(classes));
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
      if (is_free[i]) continue;
      if (!is_allowed(i, homes[i])) return impossible;
      total += c.flops[i] * c.park.classes[homes[i]].cost_per_unit;
      for (const wf::value_id v : g.inputs_of(g.nodes[i])) wanted[wf::index_of(v)][homes[i]] = true;
      for (std::uint32_t k = 0; k < g.nodes[i].outputs.count; ++k)
        memory[homes[i]] += bytes(wf::graph_view::output_of(g.nodes[i], k));
    }
    if (c.park.outputs_on_host)
      for (const wf::output& o : g.outputs) wanted[wf::index_of(o.source)][0] = true;
    for (std::uint32_t v = 0; v < g.values.size(); ++v) {
      const wf::node_id from = g.values[v].producer;
      if (from != wf::node_id::none && is_free[wf::index_of(from)]) continue;
      const std::uint32_t home = from == wf::node_id::none ? 0 : homes[wf::index_of(from)];
      for (std::uint32_t k = 0; k < classes; ++k) {
        if (!wanted[v][k] || k == home) continue;
        const wf::machine_link* used = nullptr;
        for (const wf::machine_link& l : c.park.links)
          if (l.from == c.park.classes[home].name && l.to == c.park.classes[k].name) used = &l;
        if (used == nullptr) return impossible;
        total += used->per_message + used->per_byte * bytes(wf::value_id{v});
        memory[k] += bytes(wf::value_id{v});
      }
    }
    for (const wf::edge& e : g.edges) {
      const std::uint32_t a = wf::index_of(e.from), b = wf::index_of(e.to);
      if (!is_free[a] && !is_free[b] && homes[a] != homes[b]) return impossible;
    }
    for (std::uint32_t k = 0; k < classes; ++k)
      if (c.park.classes[k].memory >= 0 && memory[k] > c.park.classes[k].memory) return impossible;
    return total;
  }
  std::int64_t least() {
    std::int64_t best = impossible;
    while (true) {
      best = std::min(best, cost());
      std::uint32_t i = 0;
      while (i < homes.size() && (is_free[i] || homes[i] + 1 == classes)) homes[i++] = 0;
      if (i == homes.size()) return best;
      ++homes[i];
    }
  }
};

// What the cut programs cost: the price of each node, and the traffic of each wire.
std::int64_t cost_of_programs(const random_case& c, const wf::partitioned_program& p) {
  const auto named = [&](const wf::text& role) -> const wf::machine_class& {
    for (const wf::machine_class& m : c.park.classes)
      if (m.name == role) return m;
    FAIL("an unknown class");
    return c.park.classes[0];
  };
  std::int64_t total = 0;
  for (const wf::partition& part : p.partitions) {
    const wf::graph_view g = part.workflow.view();
    for (const wf::node& n : g.nodes) {
      // What needs no class is priced at 0: it may be on several.
      bool is_pinned = n.peer.count != 0;
      for (const wf::declared_cost& d : g.costs_of(n))
        if (is_pinned)
          total += std::stoll(std::string(g.text_of(d.formula))) * named(part.role).cost_per_unit;
    }
  }
  const auto traffic = wf::traffic(p);
  REQUIRE(traffic);
  for (std::size_t k = 0; k < p.edges.size(); ++k)
    for (const wf::machine_link& l : c.park.links)
      if (l.from == p.partitions[p.edges[k].from].role &&
          l.to == p.partitions[p.edges[k].to].role) {
        const std::int64_t bytes = 8 * p.edges[k].type.shape.extents[0].code;
        total += l.per_message + l.per_byte * bytes;
      }
  return total;
}

}  // namespace

TEST_CASE("an assignment is as cheap as the best of all, by enumeration") {
  const std::uint64_t seeds = wf_test::sanitized ? 150 : 2000;
  std::size_t infeasible = 0, crossing = 0, several = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    const std::uint32_t classes = seed % 4 == 0 ? 3 : 2;
    const auto most = classes == 3 ? 8u : seed % 50 == 1 ? 14u : 10u;
    random_case c(seed, 1 + static_cast<std::uint32_t>(seed * 7 % most), classes);
    const std::int64_t least = enumeration{c}.least();
    const auto found = wf::assign_classes(c.g.view(), c.park);
    if (least == impossible) {
      ++infeasible;
      REQUIRE_FALSE(found);
      const wf::errc code = found.error().code;
      REQUIRE((code == wf::errc::infeasible || code == wf::errc::unresolved_class));
      continue;
    }
    REQUIRE(found);
    REQUIRE(found->status == wf::search_status::proven);
    REQUIRE(found->cost == least);
    REQUIRE(found->bound == least);
    // The programs cost what was promised, and compute what the workflow computes.
    const auto p = programs::cut(found->workflow.view());
    REQUIRE(p);
    REQUIRE(cost_of_programs(c, *p) == least);
    REQUIRE(hashed::run_whole(found->workflow) == hashed::run_whole(c.g));
    crossing += p->edges.size();
    several += p->partitions.size() > 1;
  }
  CHECK(infeasible > seeds / 50);
  CHECK(crossing > seeds / 2);
  CHECK(several > seeds / 4);
}

namespace {

constexpr auto product = wf::workflow<"product">([](wf::scope& s) {
  const auto a = s.input<"A", double, 64, 64>();
  const auto x = s.input<"x", double, 64>();
  const auto y = s.let<"y">(a * (a * x));
  s.output<"z">(s.let<"sum">(wf::sum(y + y)));
});
wf::machine_park two(std::int64_t per_byte) {
  wf::machine_park park;
  park.classes.push_back({wf::text("@self"), 100, -1, {}});
  park.classes.push_back({wf::text("servers"), 1, -1, {}});
  park.links.push_back({wf::text("@self"), wf::text("servers"), 1000, per_byte});
  park.links.push_back({wf::text("servers"), wf::text("@self"), 1000, per_byte});
  return park;
}
std::size_t on_servers(const wf::class_assignment& a) {
  return static_cast<std::size_t>(std::count(a.classes.begin(), a.classes.end(), 1u));
}

}  // namespace

TEST_CASE("the same workflow is cut elsewhere if the links are slower") {
  // 64 x 64 numbers of 8 bytes, and 16,600 operations that are 100 times as fast there.
  const auto fast = wf::assign_classes(product, two(1));
  REQUIRE(fast);
  CHECK(on_servers(*fast) == 4);
  const auto slow = wf::assign_classes(product, two(100));
  REQUIRE(slow);
  CHECK(on_servers(*slow) == 0);
  CHECK(programs::cut(slow->workflow.view())->edges.empty());
  CHECK(programs::cut(fast->workflow.view())->edges.size() == 3);
  const std::string why(wf::explain(*slow, product, two(100)).view());
  CHECK(why.find("not servers: every selection with it costs at least") != std::string::npos);
  CHECK(why.find("proven") != std::string::npos);
}
TEST_CASE("limits of a class move what does not fit") {
  wf::machine_park park = two(1);
  park.classes[1].memory = 40'000;
  const auto a = wf::assign_classes(product, park);
  REQUIRE(a);
  CHECK(on_servers(*a) > 0);
  park.classes[1].memory = 100;
  CHECK(on_servers(*wf::assign_classes(product, park)) == 0);
  park.classes[0].memory = 100;
  const auto none = wf::assign_classes(product, park);
  CHECK(none.error().code == wf::errc::infeasible);
  park = two(1);
  park.classes[1].operators.push_back(wf::text("matvec"));
  CHECK(on_servers(*wf::assign_classes(product, park)) == 2);
}
TEST_CASE("classes and links that do not fit are refused") {
  const auto message = [](const wf::machine_park& park) {
    return std::string(wf::to_text(wf::assign_classes(product, park).error()).view());
  };
  wf::machine_park park = two(1);
  park.classes[0].name = wf::text("other");
  CHECK(message(park).find("the host's class is not among") != std::string::npos);
  park = two(1);
  park.links[0].to = wf::text("nobody");
  CHECK(message(park).find("WF902 in 'nobody'") == 0);
  park = two(1);
  park.classes.push_back(park.classes[1]);
  CHECK(message(park).find("two classes") != std::string::npos);
  park = two(1);
  park.links[0].per_byte = -1;
  CHECK(message(park).find("negative") != std::string::npos);
  park = two(1);
  for (wf::machine_class& m : park.classes) m.operators.push_back(wf::text("nothing"));
  CHECK(message(park).find("no class of machines has its operator") != std::string::npos);
  CHECK(wf::assign_classes(programs::parsed(programs::gossip).view(), two(1)).error().code ==
        wf::errc::unresolved_class);
  CHECK(wf::assign_classes(wf::graph("empty").view(), two(1))->cost == 0);
}
TEST_CASE("an assigned workflow runs on machines, and gives what it gives whole") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    random_case c(seed, 8, 3);
    c.park.outputs_on_host = true;
    const auto a = wf::assign_classes(c.g.view(), c.park);
    if (!a) continue;
    const wf::deployment d = machine_case::deployed(a->workflow);
    machine_case::machines_of m(d);
    wf::machine_run_options options;
    for (const wf::text& input : wf::machine_inputs(d.parts()))
      if (input == "host") options.lists.push_back({input, {wf::text("host0")}});
    const auto r = m.run(d, {machine_case::call_at(d, 0)}, options);
    REQUIRE(r);
    REQUIRE(r->failures.empty());
    const auto found = machine_case::outputs_of(d, *r, 1);
    const hashed::outputs whole = hashed::run_whole(c.g);
    REQUIRE(found.size() == whole.size());
    for (const auto& [name, list] : found) {
      REQUIRE(list.size() == 1);
      REQUIRE(list[0] == whole.at(name));
    }
  }
}

TEST_CASE("a measured link has costs in picoseconds, which are never too small") {
  const wf::machine_link l = wf::in_picoseconds("@self", "servers", {2500, 3'000'000'000});
  CHECK(l.from == wf::text("@self"));
  CHECK(l.to == wf::text("servers"));
  CHECK(l.per_message == 2'500'000);
  CHECK(l.per_byte == 334);
  CHECK(wf::in_picoseconds("a", "b", {1, 0}).per_byte == 0);
}
