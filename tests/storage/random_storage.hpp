// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <wf/ir/graph/graph.hpp>
#include <wf/ir/graph/topology.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/infer.hpp>
#include <wf/registry/registry.hpp>

// Random graphs that exercise storage: views of all kinds, results over operands, several results,
// scratch memory; outputs that are views, inputs, or one value twice. Some operators are
// user-defined.
namespace storage_tests {

// Matrix number `at` of a stack.
constexpr wf::view_reading read_page(const wf::rule_input& in, std::uint32_t) {
  wf::view_reading out;
  out.how = wf::view_reading::way::walked;
  out.walker[1] = 0, out.walker[2] = 1;
  out.start[0] = in.integer("at", 0);
  return out;
}
// The first and the last column.
constexpr wf::view_reading read_border(const wf::rule_input& in, std::uint32_t result) {
  wf::view_reading out = wf::view_reading::straight(2);
  out.start[1] = result == 0 ? 0 : in.operands[0].shape[1].size() - 1;
  return out;
}

inline constexpr wf::kernel_spec own_kernels[] = {
    {.name = "page",
     .domain = "own",
     .signature = "A[K, M, N], at: integer -> C[M, N]",
     .costs = {{"flops", "0"}},
     .is_view = true,
     .reading = &read_page},
    {.name = "border",
     .domain = "own",
     .signature = "A[M, N] -> L[M, 1], R[M, 1]",
     .costs = {{"flops", "0"}},
     .is_view = true,
     .reading = &read_border},
    {.name = "blind",  // a view without a reading
     .domain = "own",
     .signature = "A[...] -> C[...]",
     .costs = {{"flops", "0"}},
     .is_view = true},
    {.name = "twist",
     .domain = "own",
     .signature = "A: floating [...] -> C[...]",
     .costs = {{"flops", "C"}, {"scratch", "A.bytes"}},
     .in_place = true},
    {.name = "exchange",
     .domain = "own",
     .signature =
         "a: number [...], through B: number [...], through C: number [...] -> D[...], E[...]",
     .costs = {{"flops", "2*C"}},
     .in_place = true},
    {.name = "clip",
     .domain = "own",
     .signature = "A: number [...] -> C[...]",
     .costs = {{"flops", "2*C"}},
     .laws = {.elementwise = true}},
};

inline const wf::registry& kernels() {
  static const wf::registry all = [] {
    wf::registry out = wf::builtin_registry();
    (void)out.add(wf::view<wf::kernel_spec>(own_kernels));
    return out;
  }();
  return all;
}

class graph_maker {
 public:
  explicit graph_maker(std::mt19937_64& random, std::size_t nodes, bool narrow)
      : random_(random), narrow_(narrow) {
    for (std::size_t i = 1 + below(3); i > 0; --i)
      g_.add_input((wf::text("x") << i).view(), {random_type(), {}, random_shape()});
    for (std::size_t i = 0; i < 6 * nodes && g_.view().nodes.size() < nodes; ++i) grow();
    for (std::size_t i = 0; i < 1 + below(3); ++i)
      g_.add_output((wf::text("y") << i).view(), below(3) == 0 ? any_value() : late_value());
    for (std::size_t i = below(2); i > 0 && g_.view().nodes.size() > 1; --i) {
      const std::size_t to = 1 + below(g_.view().nodes.size() - 1);
      g_.add_edge(wf::edge_kind::control, static_cast<wf::node_id>(below(to)),
                  static_cast<wf::node_id>(to));
    }
  }
  wf::graph take() { return static_cast<wf::graph&&>(g_); }

 private:
  using value_id = wf::value_id;
  using attributes = std::vector<wf::attribute_value>;

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  wf::dtype random_type() {
    constexpr wf::dtype narrow[] = {wf::dtype::f32, wf::dtype::boolean, wf::dtype::f64};
    if (narrow_) return narrow[below(3)];
    return below(5) == 0 ? wf::dtype::i64 : wf::dtype::f64;
  }
  wf::shape random_shape() {
    wf::shape s;
    for (std::size_t rank = below(8) == 0 ? 3 : below(4) == 0 ? below(2) : 2; rank > 0; --rank)
      s.push_back(static_cast<std::int64_t>(1 + below(4)));
    return s;
  }
  value_id any_value() { return static_cast<value_id>(below(g_.view().values.size())); }
  value_id late_value() {
    const std::size_t all = g_.view().values.size();
    return static_cast<value_id>(all - 1 - below(std::min<std::size_t>(all, 4)));
  }
  value_id pick() { return below(3) == 0 ? any_value() : late_value(); }
  wf::shape shape_of(value_id id) { return g_.view()[id].type.shape; }
  // A value of the same type, if there is one among a few random ones.
  value_id like(value_id id) {
    for (int i = 0; i < 6; ++i)
      if (const value_id other = pick(); g_.view()[other].type == g_.view()[id].type) return other;
    return id;
  }

  void add(wf::text_view op, const std::vector<value_id>& operands, const attributes& with = {}) {
    const wf::kernel_spec& kernel = *kernels().find(op);
    std::vector<wf::value_type> in;
    for (value_id id : operands) in.push_back(g_.view()[id].type);
    const auto made = wf::infer(kernel, {{in.data(), in.size()}, {with.data(), with.size()}});
    if (!made) return;
    std::int64_t elements = 0;
    for (const wf::value_type& t : made->types()) elements += t.shape.elements();
    if (elements > 100) return;
    g_.add_node({.op = op,
                 .domain = kernel.domain,
                 .attributes = {with.data(), with.size()},
                 .effects = kernel.effects},
                {operands.data(), operands.size()}, made->types());
    if (below(12) == 0) g_.add_cost("scratch", (wf::text() << 8 * below(20)).view());
  }

  static wf::attribute_value integer(wf::text_view name, std::size_t n) {
    return wf::attribute_value::integer(name, static_cast<std::int64_t>(n));
  }
  static attributes extents(const wf::shape& s) {
    constexpr const char* names[] = {"d0", "d1", "d2", "d3"};
    attributes out;
    for (std::uint32_t d = 0; d < s.rank; ++d)
      out.push_back(wf::attribute_value::dimension(names[d], s[d]));
    return out;
  }

  void grow() {
    const value_id x = pick();
    const wf::shape s = shape_of(x);
    switch (below(22)) {
      case 0:
      case 1:
        return add("add", {x, like(x)});
      case 2:
        return add(below(2) == 0 ? "exp" : "clip", {x});
      case 3:
        return add(below(2) == 0 ? "twist" : "softmax", {x});
      case 4:
      case 5:
        return add("matmul", {x, pick()});
      case 6:
        return add("matmul_add", {x, pick(), pick()});
      case 7:
        return add("exchange", {pick(), x, like(x)});
      case 8:
        return add(below(2) == 0 ? "lu" : "cholesky", {x});
      case 9:
        return add(below(2) == 0 ? "solve" : "inverse", {x, pick()});
      case 10:
      case 11:
        return add("transpose", {x});
      case 12:
        return slice(x, s);
      case 13: {
        wf::shape turned = s;
        std::reverse(turned.extents, turned.extents + turned.rank);
        return add("reshape", {x}, extents(below(2) == 0 ? turned : wf::shape::of(s.elements())));
      }
      case 14: {
        const wf::shape cube = wf::shape::of(2, s.elements() / 2, 1);
        return add("reshape", {x}, extents(cube));
      }
      case 15:
        return broadcast(x, s);
      case 16:
        if (s.rank != 0)
          add("split", {x}, {integer("axis", below(s.rank)), integer("parts", 1 + below(4))});
        return;
      case 17:
        if (s.rank == 2) add("rearrange", {x}, {equation(below(2) == 0 ? "ij->ji" : "ii->i")});
        if (s.rank == 3) add("rearrange", {x}, {equation(below(2) == 0 ? "ijk->kij" : "ijj->ij")});
        return;
      case 18: {
        constexpr const char* ops[] = {"blind", "border", "barrier"};
        return add(ops[below(3)], {x});
      }
      case 19:
        if (s.rank == 3)
          add("page", {x}, {integer("at", below(static_cast<std::size_t>(s[0].size())))});
        return;
      case 20:
        return add("after", {x, pick()});
      default:
        return permute(x, s);
    }
  }
  static wf::attribute_value equation(wf::text_view text) {
    return wf::attribute_value::string("equation", text);
  }
  void slice(value_id x, const wf::shape& s) {
    if (s.rank == 0) return;
    const std::size_t axis = below(s.rank), all = static_cast<std::size_t>(s[axis].size());
    const std::size_t start = below(all);
    add("slice", {x},
        {integer("axis", axis), integer("start", start),
         integer("length", 1 + below(all - start))});
  }
  void broadcast(value_id x, const wf::shape& s) {
    wf::shape wide;
    if (s.rank < 3 && below(2) == 0) wide.push_back(static_cast<std::int64_t>(1 + below(3)));
    for (std::uint32_t d = 0; d < s.rank; ++d)
      wide.push_back(s[d] == wf::extent(1) ? wf::extent(1 + static_cast<std::int64_t>(below(3)))
                                           : s[d]);
    add("broadcast_to", {x}, extents(wide));
  }
  void permute(value_id x, const wf::shape& s) {
    constexpr const char* names[] = {"p0", "p1", "p2", "p3"};
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < s.rank; ++d) order.push_back(d);
    std::shuffle(order.begin(), order.end(), random_);
    attributes with;
    for (std::size_t d = 0; d < s.rank; ++d) with.push_back(integer(names[d], order[d]));
    add("permute", {x}, with);
  }

  std::mt19937_64& random_;
  bool narrow_;
  wf::graph g_{"random"};
};

// `narrow`: with elements of fewer than eight bytes.
inline wf::graph random_graph(std::mt19937_64& random, std::size_t nodes, bool narrow = false) {
  return graph_maker(random, nodes, narrow).take();
}

// A random topological order; all possible ones are about equally likely.
inline wf::table<wf::node_id> random_order(std::mt19937_64& random, const wf::graph_view& g) {
  const wf::adjacency edges = wf::adjacency_of(g);
  std::vector<std::uint32_t> waiting;
  std::vector<wf::node_id> ready;
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    waiting.push_back(edges.before[i].count);
    if (waiting[i] == 0) ready.push_back(static_cast<wf::node_id>(i));
  }
  wf::table<wf::node_id> order;
  while (!ready.empty()) {
    std::swap(ready[random() % ready.size()], ready.back());
    const wf::node_id next = ready.back();
    ready.pop_back();
    order.push_back(next);
    for (wf::node_id after : edges.successors_of(next))
      if (--waiting[wf::index_of(after)] == 0) ready.push_back(after);
  }
  return order;
}

}  // namespace storage_tests
