// SPDX-License-Identifier: BSL-1.0
#pragma once

// Random well-typed graphs of built-in operators, with types from `infer`, and the same graphs with
// parts of their types erased.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <wf/ir/graph/copy.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/infer.hpp>

namespace wf_test {

using random_source = std::mt19937_64;

struct typed_graph_options {
  std::size_t most_nodes = 10;
  bool symbols = false;        // extents may be symbols
  std::int64_t largest = 3;    // extents of inputs
  std::size_t most_rank = 3;   // of inputs
  bool floating_only = false;  // inputs are f32 or f64
};

class typed_graph_maker {
 public:
  typed_graph_maker(random_source& random, const typed_graph_options& options)
      : random_(random), options_(options) {}

  wf::graph make() {
    graph_ = wf::graph("typed");
    const std::size_t nodes = 1 + below(options_.most_nodes);
    const auto kernels = wf::builtin_registry().kernels();
    for (std::size_t tries = 0; graph_.view().nodes.size() < nodes && tries < 60 * nodes; ++tries)
      add_node(*kernels[below(kernels.size())]);
    for (std::uint32_t i = 0; i < graph_.view().values.size(); ++i)
      if (below(3) == 0)
        graph_.add_output((wf::text("y") << i).view(), static_cast<wf::value_id>(i));
    return std::move(graph_);
  }

 private:
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

  wf::extent extent() {
    static constexpr const char* symbols[] = {"M", "N", "K"};
    if (options_.symbols && below(2) == 0) return wf::extent(symbols[below(3)]);
    return wf::extent(1 +
                      static_cast<std::int64_t>(below(static_cast<std::size_t>(options_.largest))));
  }
  wf::value_type type() {
    static constexpr wf::dtype common[] = {wf::dtype::f64,     wf::dtype::f32, wf::dtype::i64,
                                           wf::dtype::boolean, wf::dtype::c64, wf::dtype::qubit};
    wf::value_type t{common[below(options_.floating_only ? 2 : std::size(common))], {}, {}};
    if (below(2) == 0) t.type = common[0];
    for (std::size_t r = below(options_.most_rank + 1); r > 0; --r) t.shape.push_back(extent());
    return t;
  }
  std::vector<wf::attribute_value> attributes(wf::text_view op) {
    const auto integer = [&](const char* name, std::size_t limit) {
      return wf::attribute_value::integer(name, static_cast<std::int64_t>(below(limit)));
    };
    static constexpr const char* p[] = {"p0", "p1", "p2", "p3"};
    static constexpr const char* d[] = {"d0", "d1", "d2"};
    std::vector<wf::attribute_value> out;
    if (op == "permute") {
      std::vector<std::int64_t> order(1 + below(4));
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), random_);
      for (std::size_t i = 0; i < order.size(); ++i)
        out.push_back(wf::attribute_value::integer(p[i], order[i]));
    } else if (op == "reshape" || op == "broadcast_to" || op == "prepare" || op == "receive") {
      for (std::size_t i = 0, n = below(4); i < n; ++i)
        out.push_back(wf::attribute_value::dimension(d[i], extent()));
    } else if (op == "einsum") {
      static constexpr const char* list[] = {"ij,jk->ik", "i,i->", "ijk,k->ji", "ii,i->i", "i,->i"};
      out.push_back(wf::attribute_value::string("equation", list[below(5)]));
      out.push_back(integer("points", 9));
    } else if (op == "rearrange") {
      static constexpr const char* list[] = {"ij->ji", "ii->i", "ijk->kij", "i->i", "iij->ji"};
      out.push_back(wf::attribute_value::string("equation", list[below(5)]));
    } else if (op == "slice") {
      if (below(3) != 0) out.push_back(integer("start", 2));
      if (below(2) == 0) out.push_back(integer("length", 3));
    } else if (op == "pad") {
      out.push_back(integer("before", 3));
      if (below(2) == 0) out.push_back(integer("after", 3));
    } else if (op.starts_with("max_pool") || op.starts_with("average_pool")) {
      out.push_back(wf::attribute_value::integer("window", 1 + static_cast<int>(below(2))));
    }
    if (op.starts_with("max_pool") || op.starts_with("average_pool") || op == "conv2d" ||
        op == "depthwise_conv2d") {
      if (below(2) == 0)
        out.push_back(wf::attribute_value::integer("stride", 1 + static_cast<int>(below(2))));
      if (below(2) == 0) out.push_back(integer("padding", 2));
    }
    if (op == "as_class") out.push_back(wf::attribute_value::string("class", "servers"));
    if (op == "cast" || op == "receive")
      out.push_back(wf::attribute_value::string("dtype", below(2) == 0 ? "f32" : "f16"));
    if (op != "permute" && below(2) == 0) out.push_back(integer("axis", 3));
    return out;
  }

  void add_node(const wf::kernel_spec& k) {
    const auto s = wf::parse_signature(k.signature);
    const std::vector<wf::attribute_value> with = attributes(k.name);
    for (int tries = 0; tries < 12; ++tries) {
      const wf::graph_view g = graph_.view();
      std::vector<wf::value_type> types, fresh;
      std::vector<wf::value_id> ids;
      for (std::uint32_t i = 0; i < s->inputs; ++i) {
        if (!g.values.empty() && below(5) != 0) {
          ids.push_back(static_cast<wf::value_id>(below(g.values.size())));
          types.push_back(g[ids.back()].type);
        } else {
          ids.push_back(wf::value_id::none);
          types.push_back(type());
          if (const wf::dtype d = wf::dtype_named(s->parameters[i].bound); d != wf::dtype::unknown)
            types.back().type = d;
        }
      }
      const auto made =
          wf::infer(k, *s, {{types.data(), types.size()}, {with.data(), with.size()}, &g});
      if (!made || !fits(*made)) continue;
      std::vector<wf::value_type> results(made->types().begin(), made->types().end());
      for (wf::value_type& t : results) {
        t.known = {};
        if (t.type == wf::dtype::unknown) t.type = wf::dtype::f64;
        for (std::uint32_t d = 0; d < t.shape.rank; ++d)
          if (t.shape.extents[d].is_derived())
            t.shape.extents[d] = graph_.add_derived(made->derived[t.shape[d].index()].view());
      }
      for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] == wf::value_id::none)
          ids[i] =
              graph_.add_input((wf::text("x") << graph_.view().values.size()).view(), types[i]);
      wf::node_description d;
      d.op = k.name;
      d.domain = k.domain;
      d.effects = k.effects;
      d.attributes = {with.data(), with.size()};
      graph_.add_node(d, {ids.data(), ids.size()}, {results.data(), results.size()});
      return;
    }
  }
  // True if a result is small enough to be used further.
  bool fits(const wf::inference& made) const {
    for (const wf::value_type& t : made.types()) {
      if (!t.shape.has_rank() || t.shape.rank > options_.most_rank + 1) return false;
      for (std::uint32_t d = 0; d < t.shape.rank; ++d)
        if (t.shape[d].is_unknown() || t.shape[d] == wf::extent(0) ||
            (t.shape[d].is_fixed() && t.shape[d].size() > 20))
          return false;
    }
    return true;
  }

  random_source& random_;
  typed_graph_options options_;
  wf::graph graph_;
};

// A random well-typed graph, which depends on the random numbers alone.
inline wf::graph typed_graph(random_source& random, const typed_graph_options& options = {}) {
  return typed_graph_maker(random, options).make();
}

// The graph with other types, by value. Inputs and nodes are added in the order of `sequence`,
// which contains the numbers of all inputs, followed by those of all nodes. `place` receives the
// new values.
inline wf::graph rebuilt(const wf::graph_view& g, const std::vector<wf::value_type>& types,
                         const std::vector<std::uint32_t>& inputs,
                         const std::vector<std::uint32_t>& nodes,
                         std::vector<wf::value_id>& place) {
  wf::graph out(g.text_of(g.name));
  for (wf::text_ref d : g.derived) out.add_derived(g.text_of(d));
  place.assign(g.values.size(), wf::value_id::none);
  std::uint32_t next = 0;
  for (std::uint32_t i : inputs) place[i] = static_cast<wf::value_id>(next++);
  for (std::uint32_t i : nodes)
    for (std::uint32_t k = 0; k < g.nodes[i].outputs.count; ++k)
      place[g.nodes[i].outputs.first + k] = static_cast<wf::value_id>(next++);
  for (std::uint32_t i : inputs) out.add_input(g.text_of(g.values[i].name), types[i]);
  for (std::uint32_t i : nodes) {
    const wf::node& n = g.nodes[i];
    std::vector<wf::value_id> operands;
    for (wf::value_id id : g.inputs_of(n)) operands.push_back(place[wf::index_of(id)]);
    const auto attributes = wf::attribute_values(g, n);
    out.add_node(wf::description_of(g, n, attributes, {}), {operands.data(), operands.size()},
                 {&types[n.outputs.first], n.outputs.count});
  }
  for (const wf::output& o : g.outputs)
    out.add_output(g.text_of(o.name), place[wf::index_of(o.source)]);
  return out;
}

struct graph_order {
  std::vector<std::uint32_t> inputs, nodes;
};
inline graph_order order_of(const wf::graph_view& g) {
  graph_order o;
  for (std::uint32_t i = 0; i < g.values.size(); ++i)
    if (g.values[i].producer == wf::node_id::none) o.inputs.push_back(i);
  o.nodes.resize(g.nodes.size());
  std::iota(o.nodes.begin(), o.nodes.end(), 0u);
  return o;
}

inline std::vector<wf::value_type> types_of(const wf::graph_view& g) {
  std::vector<wf::value_type> out;
  for (const wf::value& v : g.values) out.push_back(v.type);
  return out;
}

// The probability, in percent, that each part of a type is erased.
struct erasure {
  unsigned element_type = 30, rank = 20, extent = 40;
};
inline wf::value_type erased(wf::value_type t, const erasure& e, random_source& random) {
  const auto hits = [&](unsigned percent) { return random() % 100 < percent; };
  if (hits(e.element_type)) t.type = wf::dtype::unknown;
  if (hits(e.rank)) t.shape = wf::shape::unknown();
  for (std::uint32_t d = 0; t.shape.has_rank() && d < t.shape.rank; ++d)
    if (hits(e.extent)) t.shape.extents[d] = wf::extent();
  return t;
}

}  // namespace wf_test
