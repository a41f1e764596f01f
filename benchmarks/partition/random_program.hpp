// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <wf/ir/graph/graph.hpp>
#include <wf/ir/type/shape.hpp>

/// A random workflow with messages among the host and up to three classes of machines: of a few
/// dozen nodes, some of them with effects, some of no class, some with a stated class. Nodes have
/// their number, from 1 on, as their line, and most have a path of up to three components as name.
class random_program {
 public:
  /// By a seed; with edges between some nodes that can have them, if asked for.
  explicit random_program(std::uint64_t seed, bool has_edges = false)
      : random_(seed), names_(seed), g_("random") {
    const std::uint32_t classes = 1 + below(3);
    for (std::uint32_t c = 0; c < classes; ++c)
      peers_.push_back(g_.add_input((std::string("class") + char('a' + c)).c_str(),
                                    {wf::dtype::peer, {}, wf::shape::of(2)}));
    values_.resize(classes + 1);
    senders_.resize(classes + 1);
    for (std::uint32_t i = 0; i <= below(3); ++i)
      values_[0].push_back(g_.add_input(("x" + std::to_string(i)).c_str(), number));
    for (std::uint32_t n = 4 + below(20); n > 0; --n) add();
    for (std::uint32_t c = 0; c < values_.size(); ++c)
      for (std::size_t i = 0; i < values_[c].size(); ++i)
        if (below(3) == 0 || i + 1 == values_[c].size())
          g_.add_output(("y" + std::to_string(c) + "_" + std::to_string(i)).c_str(), values_[c][i]);
    if (has_edges) add_edges();
  }
  /// The workflow.
  const wf::graph& workflow() const { return g_; }

 private:
  // A machine that is known as a value, and its class.
  struct sender {
    wf::value_id machine{};
    std::uint32_t home = 0;
  };
  static constexpr wf::value_type number{wf::dtype::f64, {}, {}};
  static constexpr std::uint32_t anywhere = UINT32_MAX;

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  // A class with a value: 0 is the host.
  std::uint32_t some_class() {
    while (true)
      if (const std::uint32_t c = below(static_cast<std::uint32_t>(values_.size()));
          !values_[c].empty())
        return c;
  }
  wf::value_id value_of(std::uint32_t c) {
    if (!anywhere_.empty() && below(4) == 0)
      return anywhere_[below(static_cast<std::uint32_t>(anywhere_.size()))];
    return values_[c][below(static_cast<std::uint32_t>(values_[c].size()))];
  }
  void add() {
    const std::uint32_t kind = below(10);
    if (kind == 0) return add_anywhere();
    if (kind == 1) return add_stated();
    if (kind < 5) return add_message();
    const std::uint32_t c = some_class();
    // At least one operand has the class.
    std::vector<wf::value_id> operands{
        values_[c][below(static_cast<std::uint32_t>(values_[c].size()))]};
    for (std::uint32_t k = below(3); k > 0; --k) operands.push_back(value_of(c));
    wf::node_description d{.op = operands.size() == 1 ? "user.one" : "user.many"};
    if (below(6) == 0) d.effects = wf::effect::stateful;
    take(c, d, operands);
  }
  void add_anywhere() {
    std::vector<wf::value_id> operands;
    for (std::uint32_t k = below(3); k > 0 && !anywhere_.empty(); --k)
      operands.push_back(anywhere_[below(static_cast<std::uint32_t>(anywhere_.size()))]);
    const wf::node_id made = add_node(anywhere, {.op = "user.constant"}, operands, {&number, 1});
    anywhere_.push_back(wf::graph_view::output_of(g_[made]));
  }
  void add_stated() {
    const std::uint32_t c = below(static_cast<std::uint32_t>(values_.size()));
    const std::string name = c == 0 ? "@self" : std::string("class") + char('a' + c - 1);
    take(c, {.op = "user.local", .peer = name.c_str()}, {});
  }
  void add_message() {
    const std::uint32_t from = some_class();
    // Now and then an answer to whoever sent something.
    if (!senders_[from].empty() && below(3) == 0) {
      const sender& asked =
          senders_[from][below(static_cast<std::uint32_t>(senders_[from].size()))];
      const wf::value_id own =
          values_[from][below(static_cast<std::uint32_t>(values_[from].size()))];
      return send(from, own, asked.machine, asked.home);
    }
    const std::uint32_t to = below(static_cast<std::uint32_t>(peers_.size()));
    const wf::value_id sent = value_of(from);
    // A message whose value is of no class is sent by the host.
    const bool is_anywhere = std::find(anywhere_.begin(), anywhere_.end(), sent) != anywhere_.end();
    send(is_anywhere ? 0 : from, sent, peers_[to], to + 1);
  }
  void send(std::uint32_t from, wf::value_id sent, wf::value_id peers, std::uint32_t to) {
    const wf::value_id operands[] = {sent, peers};
    const wf::value_type results[] = {number, {wf::dtype::peer, {}, {}}, {wf::dtype::u64, {}, {}}};
    const wf::node_id made =
        add_node(from, {.op = "send", .domain = "wire", .effects = wf::effect::external},
                 {operands, 2}, {results, 3});
    values_[to].push_back(wf::graph_view::output_of(g_[made]));
    senders_[to].push_back({wf::graph_view::output_of(g_[made], 1), from});
  }
  void take(std::uint32_t c, const wf::node_description& d,
            const std::vector<wf::value_id>& operands) {
    const wf::node_id made = add_node(c, d, {operands.data(), operands.size()}, {&number, 1});
    values_[c].push_back(wf::graph_view::output_of(g_[made]));
  }
  wf::node_id add_node(std::uint32_t home, wf::node_description d, wf::view<wf::value_id> operands,
                       wf::view<wf::value_type> results) {
    std::string name;
    for (auto parts = names_() % 4; parts > 0; --parts)
      name += (name.empty() ? "" : ".") + std::string(1, static_cast<char>('a' + names_() % 2));
    homes_.push_back(home);
    d.name = name.c_str();
    d.line = static_cast<std::uint32_t>(homes_.size());
    return g_.add_node(d, operands, results);
  }
  // Between nodes of one class, or of none.
  void add_edges() {
    for (std::uint32_t k = below(8); k > 0; --k) {
      const std::uint32_t to = below(static_cast<std::uint32_t>(homes_.size()));
      const std::uint32_t from = below(to + 1);
      if (from == to ||
          (homes_[from] != homes_[to] && homes_[from] != anywhere && homes_[to] != anywhere))
        continue;
      g_.add_edge(below(2) == 0 ? wf::edge_kind::control : wf::edge_kind::mutate,
                  static_cast<wf::node_id>(from), static_cast<wf::node_id>(to));
    }
  }

  std::mt19937_64 random_, names_;
  wf::graph g_;
  std::vector<std::uint32_t> homes_;               // by node
  std::vector<wf::value_id> peers_;                // by class, from 1 on
  std::vector<std::vector<wf::value_id>> values_;  // by class
  std::vector<std::vector<sender>> senders_;       // by class: who sent it something
  std::vector<wf::value_id> anywhere_;
};
