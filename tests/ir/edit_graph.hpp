// SPDX-License-Identifier: BSL-1.0
#pragma once

// A graph in loose parts, of which a test can change any, and such changes.

#include <string>
#include <utility>
#include <vector>

#include <wf/ir/compare/digest.hpp>
#include <wf/ir/graph/graph.hpp>

#include "random_graph.hpp"

namespace wf_test {

struct loose_attribute {
  std::string name;
  wf::attribute_kind kind;
  std::int64_t number, denominator;
  double real;
  std::string characters;
};

struct loose_result {
  std::string name;
  wf::value_type type;
};

// An input, which has one result and nothing else, or a node.
struct loose_statement {
  bool is_input = false;
  std::string op, domain, name, peer, file;
  std::uint32_t line = 0, column = 0;
  wf::effect effects = wf::effect::pure;
  std::vector<std::uint32_t> operands;  // values, numbered in order of their definitions
  std::vector<loose_attribute> attributes;
  std::vector<std::pair<std::string, std::string>> costs;
  std::vector<loose_result> results;
};

struct loose_graph {
  std::string name;
  std::vector<std::string> derived;
  std::vector<loose_statement> statements;
  std::vector<wf::edge> edges;
  std::vector<std::pair<std::string, std::uint32_t>> outputs;

  std::vector<std::size_t> nodes() const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < statements.size(); ++i)
      if (!statements[i].is_input) out.push_back(i);
    return out;
  }
  std::uint32_t first_value(std::size_t statement) const {
    std::size_t first = 0;
    for (std::size_t i = 0; i < statement; ++i) first += statements[i].results.size();
    return static_cast<std::uint32_t>(first);
  }
};

inline loose_graph take_apart(const wf::graph_view& g) {
  const auto string = [&](wf::text_ref r) { return std::string(g.text_of(r)); };
  loose_graph out;
  out.name = string(g.name);
  for (wf::text_ref d : g.derived) out.derived.push_back(string(d));
  const auto input = [&](const wf::value& v) {
    loose_statement s;
    s.is_input = true;
    s.results.push_back({string(v.name), v.type});
    out.statements.push_back(s);
  };
  std::uint32_t next = 0;
  for (const wf::node& n : g.nodes) {
    if (n.outputs.count != 0)
      for (; next < n.outputs.first; ++next) input(g.values[next]);
    next += n.outputs.count;
    loose_statement s;
    s.op = string(g.operations[n.op].name);
    s.domain = string(g.operations[n.op].domain);
    s.name = string(n.name), s.peer = string(n.peer), s.file = string(n.location.file);
    s.line = n.location.line, s.column = n.location.column, s.effects = n.effects;
    for (wf::value_id v : g.inputs_of(n)) s.operands.push_back(wf::index_of(v));
    for (const wf::attribute& a : g.attributes_of(n))
      s.attributes.push_back(
          {string(a.name), a.kind, a.number, a.denominator, a.real, string(a.characters)});
    for (const wf::declared_cost& c : g.costs_of(n))
      s.costs.emplace_back(string(c.metric), string(c.formula));
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const wf::value& v = g.values[n.outputs.first + k];
      s.results.push_back({string(v.name), v.type});
    }
    out.statements.push_back(s);
  }
  for (; next < g.values.size(); ++next) input(g.values[next]);
  out.edges.assign(g.edges.begin(), g.edges.end());
  for (const wf::output& o : g.outputs)
    out.outputs.emplace_back(string(o.name), wf::index_of(o.source));
  return out;
}

inline wf::graph put_together(const loose_graph& from) {
  wf::graph g(from.name);
  for (const std::string& d : from.derived) g.add_derived(d);
  for (const loose_statement& s : from.statements) {
    if (s.is_input) {
      g.add_input(s.results[0].name, s.results[0].type);
      continue;
    }
    std::vector<wf::attribute_value> attributes;
    for (const loose_attribute& a : s.attributes)
      attributes.push_back({a.name, a.kind, a.number, a.denominator, a.real, a.characters});
    std::vector<wf::value_id> operands;
    for (std::uint32_t v : s.operands) operands.push_back(static_cast<wf::value_id>(v));
    std::vector<wf::value_type> types;
    for (const loose_result& r : s.results) types.push_back(r.type);
    wf::node_description d;
    d.op = s.op, d.domain = s.domain, d.name = s.name, d.peer = s.peer, d.file = s.file;
    d.line = s.line, d.column = s.column, d.effects = s.effects;
    d.attributes = {attributes.data(), attributes.size()};
    const wf::node_id id =
        g.add_node(d, {operands.data(), operands.size()}, {types.data(), types.size()});
    for (const auto& [metric, formula] : s.costs) g.add_cost(metric, formula);
    for (std::uint32_t k = 0; k < s.results.size(); ++k)
      if (!s.results[k].name.empty())
        g.set_name(wf::graph_view::output_of(g[id], k), s.results[k].name);
  }
  for (const wf::edge& e : from.edges) g.add_edge(e.kind, e.from, e.to);
  for (const auto& [name, value] : from.outputs)
    g.add_output(name, static_cast<wf::value_id>(value));
  return g;
}

// The graph with its statements reordered: `order[i]` is the old position of statement i.
inline loose_graph reordered(const loose_graph& g, const std::vector<std::size_t>& order) {
  loose_graph out = g;
  std::vector<std::uint32_t> new_value(g.first_value(g.statements.size()));
  std::vector<std::uint32_t> new_node(g.statements.size()), old_node(g.statements.size());
  for (std::uint32_t i = 0, n = 0; i < g.statements.size(); ++i)
    if (!g.statements[i].is_input) old_node[n++] = i;
  std::uint32_t value = 0, node = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    out.statements[i] = g.statements[order[i]];
    for (std::uint32_t k = 0; k < out.statements[i].results.size(); ++k)
      new_value[g.first_value(order[i]) + k] = value++;
    if (!out.statements[i].is_input) new_node[order[i]] = node++;
  }
  for (loose_statement& s : out.statements)
    for (std::uint32_t& v : s.operands) v = new_value[v];
  for (auto& [name, v] : out.outputs) v = new_value[v];
  for (wf::edge& e : out.edges) {
    e.from = static_cast<wf::node_id>(new_node[old_node[wf::index_of(e.from)]]);
    e.to = static_cast<wf::node_id>(new_node[old_node[wf::index_of(e.to)]]);
  }
  return out;
}

// Changes everything that digests must ignore.
inline loose_graph disguised(const loose_graph& g, random_source& random) {
  const auto shuffle = [&](auto& list) { std::shuffle(list.begin(), list.end(), random); };
  std::vector<std::size_t> order(g.statements.size()), inputs;
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order);
  for (std::size_t i : order)
    if (g.statements[i].is_input) inputs.push_back(i);
  std::sort(inputs.begin(), inputs.end());  // the order of inputs is significant
  std::size_t next = 0;
  for (std::size_t& i : order)
    if (g.statements[i].is_input) i = inputs[next++];
  loose_graph out = reordered(g, order);
  out.name += "'";
  shuffle(out.edges);
  for (loose_statement& s : out.statements) {
    if (s.is_input) continue;
    shuffle(s.attributes);
    shuffle(s.costs);
    s.name = random() % 2 == 0 ? "" : "renamed";
    s.file = "elsewhere.cpp", s.line = static_cast<std::uint32_t>(random() % 99), s.column = 1;
    for (loose_result& r : s.results) r.name = random() % 2 == 0 ? "" : "r";
  }
  return out;
}

// Makes one significant change and returns its name; "" if the graph offers none.
class single_change {
 public:
  single_change(loose_graph& g, random_source& random) : g_(g), random_(random) {}

  std::string make() {
    switch (random_() % 12) {
      case 0:
        return change_result();
      case 1:
        return change_attribute();
      case 2:
        return change_cost();
      case 3:
        return change_operator();
      case 4:
        return change_operands();
      case 5:
        return change_edge();
      case 6:
        return change_output();
      case 7:
        return swap_two();
      case 8:
        return add_statement();
      case 9:
        return remove_node();
      case 10:
        return rename_boundary();
      default:
        return change_marks();
    }
  }

 private:
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }
  loose_statement* node() {
    const std::vector<std::size_t> all = g_.nodes();
    return all.empty() ? nullptr : &g_.statements[all[below(all.size())]];
  }

  std::string change_result() {
    std::vector<loose_result*> all;
    for (loose_statement& s : g_.statements)
      for (loose_result& r : s.results) all.push_back(&r);
    if (all.empty()) return "";
    wf::value_type& t = all[below(all.size())]->type;
    switch (below(3)) {
      case 0:
        t.type = t.type == wf::dtype::f64 ? wf::dtype::i8 : wf::dtype::f64;
        return "element type";
      case 1:
        t.known = t.known == wf::properties(wf::spd) ? wf::properties{} : wf::properties(wf::spd);
        return "properties";
      default:
        if (t.shape.rank == 0) return t.shape.push_back(3) ? "rank" : "";
        t.shape.extents[below(t.shape.rank)] = 12345;
        return "extent";
    }
  }
  std::string change_attribute() {
    loose_statement* n = node();
    if (n == nullptr) return "";
    if (n->attributes.empty()) {
      n->attributes.push_back({"new", wf::attribute_kind::integer, 1, 1, 0, ""});
      return "attribute added";
    }
    loose_attribute& a = n->attributes[below(n->attributes.size())];
    if (below(3) == 0) return a.name += "x", "attribute's name";
    switch (a.kind) {
      case wf::attribute_kind::integer:
      case wf::attribute_kind::rational:
        a.number ^= std::int64_t{1} << below(63);
        return "number";
      case wf::attribute_kind::real:
        a.real = std::bit_cast<double>(std::bit_cast<std::uint64_t>(a.real) ^
                                       (std::uint64_t{1} << below(64)));
        return "real";
      case wf::attribute_kind::string:
        a.characters += '\n';
        return "string";
      case wf::attribute_kind::extent:
        break;
    }
    a.number = 54321;
    return "attribute's extent";
  }
  std::string change_cost() {
    loose_statement* n = node();
    if (n == nullptr) return "";
    if (n->costs.empty()) return n->costs.emplace_back("energy", "1"), "cost added";
    n->costs.back().second += "+1";
    return "formula";
  }
  std::string change_operator() {
    loose_statement* n = node();
    if (n == nullptr) return "";
    return (below(2) == 0 ? n->op : n->domain) += "2", "operator";
  }
  std::string change_marks() {
    loose_statement* n = node();
    if (n == nullptr) return "";
    if (below(2) == 0) return n->peer += "p", "peer";
    n->effects = n->effects == wf::effect::pure ? wf::effect::external : wf::effect::pure;
    return "effect";
  }
  // Finds another value that is computed differently and does not depend on `user`.
  bool other_value(std::uint32_t old, std::size_t user, std::uint32_t& out) {
    const wf::graph g = put_together(g_);
    const wf::table<wf::digest128> digests = wf::value_digests(g.view());
    std::vector<std::uint32_t> fitting;
    for (std::size_t i = 0; i < g_.statements.size(); ++i) {
      if (user < g_.statements.size() && !g_.statements[i].is_input && reaches(user, i)) continue;
      for (std::uint32_t k = 0; k < g_.statements[i].results.size(); ++k)
        if (digests[g_.first_value(i) + k] != digests[old])
          fitting.push_back(g_.first_value(i) + k);
    }
    if (fitting.empty()) return false;
    out = fitting[below(fitting.size())];
    return true;
  }
  bool reaches(std::size_t from, std::size_t to) const {
    if (from == to) return true;
    const std::vector<std::size_t> nodes = g_.nodes();
    for (const wf::edge& e : g_.edges)
      if (nodes[wf::index_of(e.to)] == to && reaches(from, nodes[wf::index_of(e.from)]))
        return true;
    for (std::uint32_t v : g_.statements[to].operands)
      for (std::size_t i = 0; i < g_.statements.size(); ++i)
        if (v >= g_.first_value(i) && v < g_.first_value(i) + g_.statements[i].results.size() &&
            reaches(from, i))
          return true;
    return false;
  }
  std::string change_operands() {
    const std::vector<std::size_t> all = g_.nodes();
    if (all.empty()) return "";
    const std::size_t at = all[below(all.size())];
    std::vector<std::uint32_t>& operands = g_.statements[at].operands;
    if (operands.empty()) return "";
    if (below(3) == 0) return operands.pop_back(), "operand removed";
    std::uint32_t& operand = operands[below(operands.size())];
    return other_value(operand, at, operand) ? "operand" : "";
  }
  std::string change_edge() {
    if (g_.edges.empty()) return "";
    wf::edge& e = g_.edges[below(g_.edges.size())];
    if (below(2) == 0) {
      e.kind = e.kind == wf::edge_kind::control ? wf::edge_kind::mutate : wf::edge_kind::control;
      return "kind of an edge";
    }
    e = g_.edges.back();
    g_.edges.pop_back();
    return "edge removed";
  }
  std::string change_output() {
    if (g_.outputs.empty()) return "";
    if (below(3) == 0) return g_.outputs.pop_back(), "output removed";
    std::uint32_t& source = g_.outputs[below(g_.outputs.size())].second;
    return other_value(source, g_.statements.size(), source) ? "output's value" : "";
  }
  std::string rename_boundary() {
    if (!g_.outputs.empty() && below(2) == 0)
      return g_.outputs[below(g_.outputs.size())].first += "x", "output's name";
    for (loose_statement& s : g_.statements)
      if (s.is_input) return s.results[0].name += "x", "input's name";
    return "";
  }
  std::string swap_two() {
    if (g_.outputs.size() > 1 && below(2) == 0)
      return std::swap(g_.outputs[0], g_.outputs[1]), "order of outputs";
    std::vector<loose_result*> inputs;
    for (loose_statement& s : g_.statements)
      if (s.is_input) inputs.push_back(&s.results[0]);
    if (inputs.size() < 2) return "";
    // Exchanging both the operators and their readers only exchanges the positions.
    std::vector<std::size_t> order(g_.statements.size()), places;
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = 0; i < order.size(); ++i)
      if (g_.statements[i].is_input) places.push_back(i);
    std::swap(order[places[0]], order[places[1]]);
    g_ = reordered(g_, order);
    return "order of inputs";
  }
  std::string add_statement() {
    loose_statement s;
    s.is_input = below(2) == 0;
    if (!s.is_input) s.op = "relu";
    s.results.push_back({s.is_input ? "added" : "", {wf::dtype::f32, {}, {}}});
    const bool is_input = s.is_input;
    g_.statements.push_back(std::move(s));
    return is_input ? "input added" : "node added";
  }
  std::string remove_node() {
    std::vector<std::size_t> order;
    for (std::size_t at : g_.nodes()) {
      if (!g_.statements[at].results.empty()) continue;
      const std::vector<std::size_t> all = g_.nodes();
      const auto id = static_cast<wf::node_id>(std::find(all.begin(), all.end(), at) - all.begin());
      std::erase_if(g_.edges, [&](const wf::edge& e) { return e.from == id || e.to == id; });
      for (wf::edge& e : g_.edges) {
        if (e.from > id) e.from = static_cast<wf::node_id>(wf::index_of(e.from) - 1);
        if (e.to > id) e.to = static_cast<wf::node_id>(wf::index_of(e.to) - 1);
      }
      g_.statements.erase(g_.statements.begin() + static_cast<std::ptrdiff_t>(at));
      return "node removed";
    }
    return "";
  }

  loose_graph& g_;
  random_source& random_;
};

}  // namespace wf_test
