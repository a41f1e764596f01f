// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/cut.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <partition/hashed.hpp>
#include <partition/random_program.hpp>

#include "../sanitized.hpp"
#include "programs.hpp"

namespace {

// "@self: negate send | peers: receive copy; 0>1#0", programs and then edges with their batches.
std::string shape_of(const char* source) {
  const auto p = programs::cut(source);
  if (!p) return std::string(wf::to_text(p.error()).view());
  std::string out;
  for (const wf::partition& part : p->partitions) {
    const wf::graph_view g = part.workflow.view();
    out += (out.empty() ? "" : " | ") + std::string(part.role.view()) + ":";
    for (const wf::node& n : g.nodes) out += " " + std::string(g.op_name(n));
  }
  for (const wf::wire_edge& e : p->edges)
    out +=
        "; " + std::to_string(e.from) + ">" + std::to_string(e.to) + "#" + std::to_string(e.batch);
  return out;
}

// The invariants of a cut program.
constexpr bool is_sound(const wf::partitioned_program& p) {
  for (std::uint32_t k = 0; k < p.edges.size(); ++k) {
    const wf::wire_edge& e = p.edges[k];
    const wf::graph_view from = p.partitions[e.from].workflow.view(),
                         to = p.partitions[e.to].workflow.view();
    if (from.integer_attribute(from[e.send], "edge", -1) != k) return false;
    if (to.integer_attribute(to[e.receive], "edge", -1) != k) return false;
    if (to[to.output_of(to[e.receive])].type.type != e.type.type) return false;
  }
  std::size_t ends = 0;
  for (const wf::partition& part : p.partitions) {
    const wf::graph_view g = part.workflow.view();
    if (!g.is_sealed()) return false;
    for (const wf::node& n : g.nodes) ends += g.find_attribute(n, "edge") != nullptr ? 1 : 0;
  }
  return ends == 2 * p.edges.size();
}
constexpr bool is_cut(const char* source, std::size_t partitions, std::size_t edges) {
  const auto p = programs::cut(source);
  return p && p->partitions.size() == partitions && p->edges.size() == edges && is_sound(*p);
}
static_assert(is_cut(programs::local, 1, 0));
static_assert(is_cut(programs::one_hop, 2, 1));
static_assert(is_cut(programs::request_and_reply, 3, 2));
static_assert(is_cut(programs::reply_to_host, 2, 2));
static_assert(is_cut(programs::gossip, 1, 1));

}  // namespace

TEST_CASE("E1: without a message there is one program") {
  CHECK(shape_of(programs::local) == "@self: negate copy");
}
TEST_CASE("E2: a message leads from one program to another one") {
  CHECK(shape_of(programs::one_hop) == "@self: negate send | peers: receive copy; 0>1#0");
  const auto p = programs::cut(programs::one_hop);
  const wf::graph_view sender = p->partitions[0].workflow.view(),
                       receiver = p->partitions[1].workflow.view();
  CHECK(sender.outputs.empty());
  CHECK(receiver.outputs.size() == 1);
  // The receiver has no input: neither the host's value nor its peers are read there.
  for (const wf::value& v : receiver.values) CHECK(v.producer != wf::node_id::none);
  CHECK(std::string(p->partitions[0].name.view()).substr(0, 2) == "M#");
  CHECK(std::string(p->partitions[1].name.view()).substr(0, 8) == "M_peers#");
  CHECK(p->partitions[1].name.size() == 8 + 16);
}
TEST_CASE("E4: a reply leads back, to a class of its own or to the host") {
  CHECK(shape_of(programs::request_and_reply) ==
        "@self: send | servers: receive negate send | clients: receive copy; 0>1#0; 1>2#1");
  CHECK(shape_of(programs::reply_to_host) ==
        "@self: send receive copy | servers: as_class receive negate send; 0>1#0; 1>0#1");
}
TEST_CASE("E5: a program may send to itself on another machine") {
  CHECK(shape_of(programs::gossip) == "@self: sample send receive copy; 0>0#0");
}
TEST_CASE("E6: all readers of a message share one node that receives it") {
  const std::string head =
      "wf.graph 1 \"M\"\n"
      "input \"x\" : f64[4]\n"
      "input \"peers\" : peer[P]\n"
      "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n";
  CHECK(shape_of((head + "node movement.copy(%2) -> f64[4]\n"
                         "node elementwise.negate(%2) -> f64[4]\n"
                         "output \"a\" = %5\noutput \"b\" = %6\n")
                     .c_str()) == "@self: send | peers: receive copy negate; 0>1#0");
  // Two messages to the same machines, both fired by the host, are one batch.
  CHECK(shape_of((head + "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
                         "output \"a\" = %2\noutput \"b\" = %5\n")
                     .c_str()) == "@self: send send | peers: receive receive; 0>1#0; 0>1#0");
  // What depends on the host and on a message is fired by both, so it has a batch of its own.
  CHECK(shape_of((head + "node elementwise.negate(%2) peer \"peers\" -> f64[4]\n"
                         "input \"b\" : peer[P]\n"
                         "node wire.send(%5, %6) effect external -> f64[4], peer[], u64[]\n"
                         "node wire.send(%2, %6) effect external -> f64[4], peer[], u64[]\n"
                         "output \"a\" = %7\noutput \"c\" = %10\n")
                     .c_str()) ==
        "@self: send | peers: receive negate send send | b: receive receive; 0>1#0; 1>2#1; 1>2#1");
  // Nobody reads what is sent.
  CHECK(shape_of((head + "output \"a\" = %4\n").c_str()) == "@self: send");
}

namespace {

using hashed::mixed;
using hashed::outputs;

// Runs one program by hashes, node by node.
class evaluation {
 public:
  explicit evaluation(wf::graph_view g) : g_(g), known_(g.values.size()), value_(g.values.size()) {
    for (std::uint32_t i = 0; i < g.values.size(); ++i)
      if (g.values[i].producer == wf::node_id::none)
        set(i, hashed::input(g.text_of(g.values[i].name)));
    done_.resize(g.nodes.size());
  }
  // Nodes that can run: not done, with all operands, and a receiving one with its message.
  std::vector<std::uint32_t> ready(const std::map<std::int64_t, std::uint64_t>& sent) const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i) {
      const wf::node& n = g_.nodes[i];
      bool can = !done_[i];
      for (const wf::value_id v : g_.inputs_of(n)) can = can && known_[wf::index_of(v)];
      if (is(n, wf::meaning::receiving))
        can = can && sent.count(g_.integer_attribute(n, "edge", -1));
      if (can) out.push_back(i);
    }
    return out;
  }
  void run(std::uint32_t i, std::map<std::int64_t, std::uint64_t>& sent) {
    const wf::node& n = g_.nodes[i];
    done_[i] = true;
    std::uint64_t h = wf::hash_text(g_.op_name(n));
    for (const wf::value_id v : g_.inputs_of(n)) h = mixed(h, value_[wf::index_of(v)]);
    if (is(n, wf::meaning::sending)) {
      const std::int64_t edge = g_.integer_attribute(n, "edge", -1);
      const std::uint64_t payload = value_[wf::index_of(g_.inputs_of(n)[0])];
      if (edge >= 0) REQUIRE(sent.emplace(edge, payload).second);
      h = payload;
    }
    if (is(n, wf::meaning::receiving)) h = sent.at(g_.integer_attribute(n, "edge", -1));
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) set(n.outputs.first + k, h);
  }
  bool is_done() const { return std::find(done_.begin(), done_.end(), false) == done_.end(); }
  void add_outputs(outputs& out) const {
    for (const wf::output& o : g_.outputs)
      REQUIRE(out.emplace(std::string(g_.text_of(o.name)), value_[wf::index_of(o.source)]).second);
  }

 private:
  bool is(const wf::node& n, wf::meaning m) const { return hashed::meaning_of(g_, n) == m; }
  void set(std::uint32_t v, std::uint64_t x) { known_[v] = true, value_[v] = x; }

  wf::graph_view g_;
  std::vector<bool> known_, done_;
  std::vector<std::uint64_t> value_;
};

// In a random order of all nodes that can run, of any program.
outputs run_together(const wf::partitioned_program& p, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<evaluation> all;
  for (const wf::partition& part : p.partitions) all.emplace_back(part.workflow.view());
  std::map<std::int64_t, std::uint64_t> sent;
  while (true) {
    std::vector<std::pair<std::size_t, std::uint32_t>> ready;
    for (std::size_t k = 0; k < all.size(); ++k)
      for (const std::uint32_t i : all[k].ready(sent)) ready.emplace_back(k, i);
    if (ready.empty()) break;
    const auto [k, i] = ready[random() % ready.size()];
    all[k].run(i, sent);
  }
  outputs out;
  for (const evaluation& e : all) {
    REQUIRE(e.is_done());
    e.add_outputs(out);
  }
  REQUIRE(sent.size() == p.edges.size());
  return out;
}

}  // namespace

TEST_CASE("programs that run together compute what the workflow computes") {
  std::size_t edges = 0, partitions = 0;
  const std::uint64_t seeds = wf_test::sanitized ? 300 : 3000;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    const random_program program(seed);
    const auto p = programs::cut(program.workflow().view());
    REQUIRE(p);
    REQUIRE(is_sound(*p));
    REQUIRE(run_together(*p, seed) == hashed::run_whole(program.workflow()));
    edges += p->edges.size();
    partitions += p->partitions.size();
  }
  CHECK(edges > 3 * seeds);
  CHECK(partitions > 2 * seeds);
}

// --- split classes ---

namespace {

constexpr wf::cut_options splitting{.split_disconnected = true};

constexpr bool is_split(const char* source, std::size_t partitions, std::size_t edges) {
  const auto p = programs::cut(source, splitting);
  return p && p->partitions.size() == partitions && p->edges.size() == edges && is_sound(*p);
}
static_assert(is_split(programs::local, 1, 0));
static_assert(is_split(programs::request_and_reply, 3, 2));
static_assert(is_split(programs::reply_to_host, 3, 2));
static_assert(is_split(programs::two_messages, 4, 2));
static_assert(is_split(programs::gossip, 2, 1));

// What a node is, whatever its number: its line, and of one that receives its edge.
using identity = std::pair<std::uint32_t, std::int64_t>;
identity identity_of(const wf::graph_view& g, const wf::node& n) {
  return {n.location.line, hashed::meaning_of(g, n) == wf::meaning::receiving
                               ? g.integer_attribute(n, "edge", -1)
                               : -1};
}
// The nodes, edges and outputs of the programs of a class; copies once.
struct content {
  std::set<identity> nodes;
  std::multiset<std::tuple<identity, identity, wf::edge_kind>> edges;
  std::set<std::string> outputs, inputs;
  bool operator==(const content&) const = default;
};
content content_of(const wf::partitioned_program& p, wf::text_view role) {
  content out;
  for (const wf::partition& part : p.partitions) {
    const wf::graph_view g = part.workflow.view();
    if (part.role.view() != role) continue;
    for (const wf::node& n : g.nodes) out.nodes.insert(identity_of(g, n));
    for (const wf::edge& e : g.edges)
      out.edges.emplace(identity_of(g, g[e.from]), identity_of(g, g[e.to]), e.kind);
    for (const wf::output& o : g.outputs)
      REQUIRE(out.outputs.insert(std::string(g.text_of(o.name))).second);
    for (const wf::value& v : g.values)
      if (v.producer == wf::node_id::none) out.inputs.insert(std::string(g.text_of(v.name)));
  }
  return out;
}
// The homes of nodes by their line; `anywhere` for those of no class.
std::map<std::uint32_t, std::uint32_t> homes_of(const wf::wired_program& w) {
  std::map<std::uint32_t, std::uint32_t> out;
  for (std::size_t i = 0; i < w.homes.size(); ++i)
    if (const std::uint32_t line = w.workflow.view().nodes[i].location.line; line != 0)
      out[line] = w.homes[i];
  return out;
}
// True if all nodes of a program that are of its class hang together; nodes of no class that no
// order joins to others do not count.
bool is_connected(const wf::graph_view& g, const std::map<std::uint32_t, std::uint32_t>& homes) {
  std::vector<char> joins(g.nodes.size()), seen(g.nodes.size());
  std::vector<std::uint32_t> waiting;
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    const std::uint32_t line = g.nodes[i].location.line;
    joins[i] = line == 0 || homes.at(line) != wf::placed_graph::anywhere;
    if (joins[i] && waiting.empty()) waiting.push_back(i);
  }
  if (waiting.empty()) return true;
  for (const wf::edge& e : g.edges) joins[wf::index_of(e.from)] = joins[wf::index_of(e.to)] = 1;
  const auto order = wf::topological_order(g);
  for (const wf::node_id id : *order)
    for (const wf::value_id v : g.inputs_of(g[id]))
      if (const wf::node_id from = g[v].producer;
          from != wf::node_id::none && joins[wf::index_of(from)])
        joins[wf::index_of(id)] = 1;
  seen[waiting[0]] = 1;
  const auto reach = [&](wf::node_id a, wf::node_id b) {
    if (seen[wf::index_of(a)] == seen[wf::index_of(b)]) return;
    const std::uint32_t next = wf::index_of(seen[wf::index_of(a)] ? b : a);
    seen[next] = 1;
    waiting.push_back(next);
  };
  for (std::size_t k = 0; k < waiting.size(); ++k) {
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i)
      for (const wf::value_id v : g.inputs_of(g.nodes[i]))
        if (const wf::node_id from = g[v].producer;
            from != wf::node_id::none && joins[wf::index_of(from)])
          reach(from, static_cast<wf::node_id>(i));
    for (const wf::edge& e : g.edges) reach(e.from, e.to);
  }
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (joins[i] && !seen[i]) return false;
  return true;
}

}  // namespace

TEST_CASE("parts of a class are its program, and each of them hangs together") {
  std::size_t split = 0, ordered = 0;
  const std::uint64_t seeds = wf_test::sanitized ? 300 : 2000;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    const random_program program(seed, seed % 2 == 0);
    const auto wired = programs::wired(program.workflow().view());
    if (!wired) continue;  // its edges form a cycle
    const auto whole = programs::cut(program.workflow().view());
    const auto parts = programs::cut(program.workflow().view(), splitting);
    REQUIRE(whole);
    REQUIRE(parts);
    REQUIRE(is_sound(*parts));
    REQUIRE(parts->edges.size() == whole->edges.size());
    const auto classes = wf::classes_of(*parts);
    REQUIRE(classes.size() == whole->partitions.size());
    const auto homes = homes_of(*wired);
    std::set<std::string> names;
    std::vector<identity> own;
    for (const wf::partition& part : parts->partitions) {
      const wf::graph_view g = part.workflow.view();
      REQUIRE(is_connected(g, homes));
      REQUIRE(names.emplace(part.name.view()).second);
      for (const wf::node& n : g.nodes)
        if (n.location.line == 0 || homes.at(n.location.line) != wf::placed_graph::anywhere)
          own.push_back(identity_of(g, n));
    }
    // Each node of a class is in one program.
    std::sort(own.begin(), own.end());
    REQUIRE(std::adjacent_find(own.begin(), own.end()) == own.end());
    for (std::size_t c = 0; c < classes.size(); ++c) {
      REQUIRE(classes[c] == whole->partitions[c].role);
      const content expected = content_of(*whole, classes[c].view());
      REQUIRE(content_of(*parts, classes[c].view()) == expected);
      ordered += expected.edges.size();
    }
    REQUIRE(run_together(*parts, seed) == hashed::run_whole(program.workflow()));
    split += parts->partitions.size() - whole->partitions.size();
    // The same again.
    const auto again = programs::cut(program.workflow().view(), splitting);
    for (std::size_t i = 0; i < again->partitions.size(); ++i)
      REQUIRE(again->partitions[i].name == parts->partitions[i].name);
  }
  CHECK(2 * split > 3 * seeds);
  CHECK(2 * ordered > seeds);
}
TEST_CASE("a class that hangs together is cut as it was") {
  const auto whole = programs::cut(programs::request_and_reply);
  const auto parts = programs::cut(programs::request_and_reply, splitting);
  for (std::size_t i = 0; i < 3; ++i) CHECK(whole->partitions[i].name == parts->partitions[i].name);
}
TEST_CASE("a part is named by what the names of its nodes begin with") {
  const auto names = [](const char* source) {
    std::string out;
    const auto p = programs::cut(source, splitting);
    REQUIRE(p);
    for (const wf::partition& part : p->partitions) {
      std::string name(part.name.view());
      const std::size_t at = name.find('#');
      REQUIRE(name.size() >= at + 17);
      out += (out.empty() ? "" : " ") + name.substr(0, at) + name.substr(at + 17);
    }
    return out;
  };
  // The second part has a node that receives, which has no name; the third one has none in common.
  CHECK(names("wf.graph 1 \"M\"\n"
              "input \"x\" : f64[4]\n"
              "input \"peers\" : peer[P]\n"
              "node elementwise.negate(%0) named \"net.encoder.first\" -> f64[4]\n"
              "node elementwise.negate(%2) named \"net.encoder.second\" -> f64[4]\n"
              "node wire.send(%0, %1) named \"net.send\" effect external -> f64[4], peer[], u64[]\n"
              "node elementwise.negate(%4) named \"net.decoder.only\" -> f64[4]\n"
              "node elementwise.negate(%0) named \"a\" -> f64[4]\n"
              "node elementwise.negate(%8) named \"b\" -> f64[4]\n"
              "output \"y\" = %3\noutput \"z\" = %7\noutput \"w\" = %9\n") ==
        "M_net.encoder M_net.send M M_peers");
  // Equal parts are told apart by a number.
  CHECK(names("wf.graph 1 \"M\"\n"
              "node user.tick() effect stateful -> f64[4]\n"
              "node user.tick() effect stateful -> f64[4]\n"
              "node user.tick() effect stateful -> f64[4]\n") == "M M.2 M.3");
}
TEST_CASE("outputs of the host that no node of a class computes are those of its first part") {
  const auto p = programs::cut(
      "wf.graph 1 \"M\"\n"
      "input \"x\" : f64[4]\n"
      "input \"z\" : f64[4]\n"
      "node elementwise.negate(%0) -> f64[4]\n"
      "node user.constant() -> f64[4]\n"
      "node elementwise.add(%1, %3) -> f64[4]\n"
      "output \"a\" = %2\noutput \"b\" = %4\noutput \"x\" = %0\noutput \"k\" = %3\n",
      splitting);
  REQUIRE(p);
  REQUIRE(p->partitions.size() == 2);
  CHECK(p->partitions[0].workflow.view().outputs.size() == 3);
  CHECK(p->partitions[0].workflow.view().nodes.size() == 2);
  CHECK(p->partitions[1].workflow.view().outputs.size() == 1);
  // Both have a copy of the constant.
  CHECK(p->partitions[1].workflow.view().nodes.size() == 2);
}
