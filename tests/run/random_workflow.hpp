// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <string>
#include <utility>

#include "workflow_grower.hpp"

// Random workflows that execute without errors, with arguments: tests of passes execute them before
// and after.

namespace wf_test {

// Makes a random workflow. It may contain repeated values, also by nodes without effect (x*1, x+0,
// the transpose of a transpose), values of constants alone, and unused ones. Only exact values are
// compared or used in conditions, and errors are hardly amplified, so that a different rounding
// changes results by little.
class random_workflow_maker : workflow_grower {
 public:
  random_workflow_maker(std::mt19937_64& random, const random_workflow_options& options)
      : workflow_grower(random, options) {}

  random_workflow make() {
    for (std::size_t i = 1 + below(4); i > 0; --i) add_input(i);
    const std::size_t wanted = 1 + below(options_.most_nodes);
    // Most attempts succeed; failures only reduce the size.
    for (std::size_t i = 0; i < 4 * wanted && nodes() < wanted; ++i) grow();
    add_outputs();
    if (options_.effects) add_edges();
    return {std::move(graph_), std::move(arguments_)};
  }

 private:
  void grow() {
    using self = random_workflow_maker;
    constexpr void (self::* steps[])() = {
        &self::arithmetic, &self::arithmetic, &self::function, &self::function, &self::product,
        &self::product,    &self::reduction,  &self::movement, &self::movement, &self::parts,
        &self::comparison, &self::neural,     &self::idle,     &self::idle,     &self::constants,
        &self::repetition, &self::solution,   &self::image,    &self::indexing, &self::effect};
    (this->*one_of(steps))();
  }

  void arithmetic() {
    constexpr const char* ops[] = {"add", "subtract", "multiply", "maximum", "minimum", "divide"};
    const wf::text_view op = one_of(ops);
    wf::value_id x = pick();
    if (!is_number(x)) return;
    if (op == "divide") {  // by a number away from zero
      const wf::value_id y = constant(is_whole(x) ? 3 : 1.7, type_of(x).type);
      add(op, {x, y}, {fact_of(x).magnitude, is_whole(x) && fact_of(x).exact});
      return;
    }
    wf::value_id y = partner(x);
    if (y == none) return;
    const fact a = fact_of(x), b = fact_of(y);
    const bool chooses = op == "maximum" || op == "minimum";
    const double magnitude = op == "multiply" ? a.magnitude * b.magnitude
                             : chooses        ? std::max(a.magnitude, b.magnitude)
                                              : a.magnitude + b.magnitude;
    if (once_in(2)) std::swap(x, y);
    add(op, {x, y}, {magnitude, a.exact && b.exact && (is_whole(x) || chooses)});
  }

  void function() {
    const wf::value_id x = pick();
    if (!is_number(x)) return;
    const double m = fact_of(x).magnitude;
    const wf::dtype d = type_of(x).type;
    constexpr const char* exact[] = {"negate", "abs", "relu"};
    constexpr const char* bounded[] = {"sin", "cos", "tanh", "sigmoid", "gelu", "silu"};
    constexpr const char* positive[] = {"log", "sqrt", "reciprocal"};
    if (once_in(3)) {
      add(one_of(exact), {x}, fact_of(x));
    } else if (is_whole(x)) {
      add("square", {x}, {m * m, fact_of(x).exact});
    } else if (once_in(3)) {
      const wf::value_id square = add("square", {x}, {m * m});
      const wf::value_id above = add("add", {square, constant(1.25, d)}, {m * m + 1.25});
      add(one_of(positive), {above}, {m + 2});
    } else if (m <= 4 && once_in(4)) {
      add("exp", {x}, {std::exp(m)});
    } else {
      add(one_of(bounded), {x}, {std::max(m, 1.0)});
    }
  }

  void product() {
    const wf::value_id x = pick_floating(1), y = pick_floating(1);
    if (x == none || y == none) return;
    const wf::shape a = shape_of(x), b = shape_of(y);
    const double m = fact_of(x).magnitude;
    const auto terms = static_cast<double>(a[a.rank - 1].size());
    const fact known{m * fact_of(y).magnitude * terms};
    if (a.rank == 1 && b.rank == 1) {
      add(once_in(2) ? "outer" : "dot", {x, y}, known);
    } else if (a.rank == 2 && b.rank == 1) {
      add("matvec", {x, y}, known);
    } else if (a.rank >= 2 && b.rank >= 2 && a[a.rank - 1] == b[b.rank - 2]) {
      add("matmul", {x, y}, known);
      const wf::value_id onto = pick_floating(2);
      if (onto == none || a.rank != 2 || b.rank != 2) return;
      add(once_in(2) ? "matmul_add" : "matmul_subtract", {x, y, onto},
          {known.magnitude + fact_of(onto).magnitude});
    } else if (a.rank >= 2) {  // the product of a matrix and its transpose always exists
      const wf::value_id t = add("transpose", {x}, fact_of(x));
      const auto longest = static_cast<double>(std::max(a[0].size(), a[a.rank - 1].size()));
      const wf::value_id square =
          add("matmul", once_in(2) ? value_list{x, t} : value_list{t, x}, {m * m * longest});
      if (square != none && once_in(2))
        add("matmul_subtract", {square, square, square},
            {fact_of(square).magnitude * (fact_of(square).magnitude * longest + 1)});
    }
    if (a.rank != 2 || b.rank != 2) return;
    const char* equation = once_in(2) ? "ij,jk->ki" : "ij,kj->ik";
    const std::int64_t points = a.elements() * b[equation[3] == 'j' ? 1 : 0].size();
    add("einsum", {x, y}, known,
        {wf::attribute_value::string("equation", equation), integer("points", points)});
  }

  void reduction() {
    const wf::value_id x = pick();
    if (!is_number(x)) return;
    const wf::shape s = shape_of(x);
    const fact f = fact_of(x);
    const auto elements = static_cast<double>(s.elements());
    attributes with;
    if (s.rank > 0 && !once_in(4)) with.push_back(integer("axis", any(s.rank)));
    switch (below(4)) {
      case 0:
        add("sum", {x}, {f.magnitude * elements, f.exact && is_whole(x)}, with);
        return;
      case 1:
        add("mean", {x}, {f.magnitude}, with);
        return;
      case 2:
        add("max", {x}, f, with);
        return;
      default:
        if (f.exact) add("arg_max", {x}, {elements, true}, with);
    }
  }

  // Moves the elements of a value.
  void movement() {
    const wf::value_id x = pick();
    const fact f = fact_of(x);
    const wf::shape s = shape_of(x);
    switch (below(6)) {
      case 0:
        if (s.rank >= 2) add("transpose", {x}, f);
        return;
      case 1:
        add("permute", {x}, f, permutation(s.rank, true));
        return;
      case 2: {
        if (s.rank == 0) return;
        const auto axis = static_cast<std::uint32_t>(below(s.rank));
        const std::int64_t start = any(s[axis].size()), length = 1 + any(s[axis].size() - start);
        add("slice", {x}, f,
            {integer("axis", axis), integer("start", start), integer("length", length)});
        return;
      }
      case 3:
        if (s.rank > 0)
          add("pad", {x}, f,
              {integer("axis", any(s.rank)), integer("before", any(2)), integer("after", any(3))});
        return;
      case 4: {
        wf::shape turned = s;  // the extents in reverse order
        std::reverse(turned.extents, turned.extents + turned.rank);
        add("reshape", {x}, f, extents(once_in(2) ? turned : wf::shape::of(s.elements())));
        return;
      }
      default: {
        wf::shape wide = wf::shape::of(1 + any(3));
        for (std::uint32_t d = 0; d < s.rank && s.rank <= 3; ++d)
          wide.push_back(s[d] == wf::extent(1) ? wf::extent(1 + any(3)) : s[d]);
        add("broadcast_to", {x}, f, extents(wide));
      }
    }
  }

  // Concatenates and splits values.
  void parts() {
    const wf::value_id x = pick(1);
    if (x == none) return;
    const attributes axis{integer("axis", any(shape_of(x).rank))};
    if (once_in(3)) {
      const std::int64_t count = 1 + any(4);
      add("split", {x}, fact_of(x),
          count == 2 ? axis : attributes{axis[0], integer("parts", count)});
      return;
    }
    value_list list{x};
    fact f = fact_of(x);
    for (std::size_t count = once_in(4) ? below(8) : 1 + below(3); count > 0; --count) {
      const wf::value_id y = pick(1);
      list.push_back(y != none && type_of(y) == type_of(x) ? y : x);
      f.magnitude = std::max(f.magnitude, fact_of(list.back()).magnitude);
      f.exact = f.exact && fact_of(list.back()).exact;
    }
    add("concat", list, f, axis);
  }

  void comparison() {
    const wf::value_id x = pick();
    if (!fact_of(x).exact) return;
    if (!is_number(x)) {
      add("logical_not", {x}, {1, true});
      add(once_in(2) ? "logical_and" : "logical_or", {x, partner(x)}, {1, true});
      return;
    }
    const wf::value_id y = partner(x), a = once_in(2) ? x : pick();
    if (y == none || !fact_of(y).exact) return;
    const wf::value_id p = add(once_in(2) ? "less" : "equal", {x, y}, {1, true});
    const wf::value_id b = partner(a);
    if (b == none) return;
    add("where", {p, a, b},
        {std::max(fact_of(a).magnitude, fact_of(b).magnitude),
         fact_of(a).exact && fact_of(b).exact});
  }

  void neural() {
    const wf::value_id x = pick_floating(1), w = pick_floating(2);
    if (x == none) return;
    const wf::shape s = shape_of(x);
    const wf::dtype d = type_of(x).type;
    const wf::shape last = wf::shape::of(s[s.rank - 1]);
    switch (below(5)) {
      case 0:
        add("softmax", {x}, {1});
        return;
      case 4:
        if (s.rank >= 2)
          add("masked_softmax",
              {x, add("causal_mask", {}, {1, true}, extents(s), wf::dtype::boolean)}, {1});
        return;
      case 1:
        if (s.rank >= 2)
          add("causal_softmax", {x}, {1}, {wf::attribute_value::floating("scale", 0.5)});
        return;
      case 2:
        add("layer_norm", {x, filled(last, 0.75, d), filled(last, -0.25, d)},
            {1 + std::sqrt(static_cast<double>(last.elements()))});
        return;
      default:
        if (w == none || shape_of(w).rank != 2) return;
        add("linear", {x, w, filled(wf::shape::of(shape_of(w)[1]), 0.5, d)},
            {fact_of(x).magnitude * fact_of(w).magnitude * 4 + 0.5});
    }
  }

  // Nodes without effect.
  void idle() {
    const wf::value_id x = pick();
    const fact f = fact_of(x);
    const wf::value_type t = type_of(x);
    const std::size_t which = below(is_number(x) ? 9 : 5);
    switch (which) {
      case 0:
        add("transpose", {add("transpose", {x}, f)}, f);
        return;
      case 1:
        add("reshape", {x}, f, extents(t.shape));
        return;
      case 2:
        add("permute", {x}, f, permutation(t.shape.rank, false));
        return;
      case 3:
        add("cast", {x}, f, {wf::attribute_value::string("dtype", wf::name_of(t.type))});
        return;
      case 4:
        add("copy", {x}, f);
        return;
      case 5:
        add("negate", {add("negate", {x}, f)}, f);
        return;
      case 6:
        add(once_in(2) ? "add" : "subtract", {x, constant(0, t.type)}, f);
        return;
      default: {
        const wf::value_id one = constant(1, t.type);
        add(which == 7 ? "divide" : "multiply", {x, one}, f);
        if (once_in(2)) add("multiply", {one, x}, f);
      }
    }
  }

  // Values of constants only.
  void constants() {
    const wf::dtype d = once_in(4) ? wf::dtype::i64 : wf::dtype::f64;
    wf::value_id c = constant(static_cast<double>(any(5) - 2), d);
    for (std::size_t i = below(3); i > 0; --i)
      c = add(once_in(2) ? "add" : "multiply", {c, constant(2, d)},
              {2 * fact_of(c).magnitude + 2, true});
    if (once_in(2)) add("broadcast_to", {c}, fact_of(c), extents(random_shape(2)));
  }

  // A copy of a node, with the same operands and attributes.
  void repetition() {
    if (nodes() == 0) return;
    const wf::graph from = graph_;  // the graph's text may move while it grows
    const wf::graph_view g = from.view();
    const wf::node& n = g.nodes[below(nodes())];
    const wf::view<wf::value_id> operands = g.inputs_of(n);
    attributes with;
    for (const wf::attribute& a : g.attributes_of(n))
      with.push_back(
          {g.text_of(a.name), a.kind, a.number, a.denominator, a.real, g.text_of(a.characters)});
    const wf::value_id first = wf::graph_view::output_of(n);
    add(g.op_name(n), {operands.begin(), operands.end()}, fact_of(first), with,
        type_of(first).type);
  }

  // The definite matrix X·X' + 1, and operators on it; factors of exact values.
  void solution() {
    const wf::value_id x = pick_floating(2);
    if (!options_.factorisations || x == none || shape_of(x).rank != 2) return;
    const double m = fact_of(x).magnitude, square = m * m * 4;
    const wf::shape shape = shape_of(x);
    if (fact_of(x).exact) add("lu", {x}, {16});
    if (fact_of(x).exact && shape[0].size() >= shape[1].size()) add("qr", {x}, {16});
    if (m > 3) return;
    const wf::value_id s = add("matmul", {x, add("transpose", {x}, fact_of(x))}, {square});
    const wf::value_id d = add("add", {s, add("identity_like", {s}, {1, true})}, {square + 1});
    constexpr const char* unary[] = {"inverse", "inverse_cholesky", "inverse_symmetric",
                                     "cholesky"};
    constexpr const char* solvers[] = {"solve", "solve_cholesky", "solve_symmetric"};
    if (once_in(2))
      add(one_of(unary), {d}, {square + 1});
    else
      add(one_of(solvers), {d, x}, {4 * m});
  }

  // Images with filters.
  void image() {
    const wf::value_id x = pick_floating();
    if (x == none || shape_of(x).elements() % 4 != 0) return;
    const std::int64_t width = shape_of(x).elements() / 2;
    const fact f = fact_of(x);
    const wf::value_id pixels = add("reshape", {x}, f, extents(wf::shape::of(1, 2, 1, width)));
    const attributes with{integer("window", 1), integer("stride", 1 + any(2)),
                          integer("padding", any(2))};
    switch (below(4)) {
      case 0:
        add("average_pool2d", {pixels}, f, with);
        return;
      case 1:
        add("max_pool2d", {pixels}, f, {with[0], with[1]});
        return;
      case 2:
        add("global_average_pool", {pixels}, {f.magnitude});
        return;
      default:
        add("conv2d", {pixels, filled(wf::shape::of(2, 2, 1, 2), 0.5, type_of(x).type)},
            {f.magnitude * 2}, with);
    }
  }

  // Elements by position.
  void indexing() {
    const wf::value_id x = pick(1);
    if (x == none) return;
    const fact f = fact_of(x);
    const attributes axis{integer("axis", any(shape_of(x).rank))};
    const wf::value_id at = add("positions", {x}, {300, true}, axis);
    const wf::value_id gathered = add("gather", {x, at}, f, axis);
    const bool exact = f.exact && is_whole(x);
    if (is_number(x) && once_in(2))
      add("scatter_add", {x, at, gathered}, {2 * f.magnitude, exact}, axis);
    if (once_in(2)) add("update_slice", {x, gathered, constant(0, wf::dtype::i64)}, f, axis);
    if (once_in(2)) add("cast", {at}, {300, true}, {wf::attribute_value::string("dtype", "f64")});
  }

  void effect() {
    const wf::value_id x = pick(), other = pick();
    if (!options_.effects) return;
    const fact f = fact_of(x);
    const auto number = [&](double c) { return constant(c, wf::dtype::f64); };
    switch (below(3)) {
      case 0:
        add("barrier", {x}, f);
        return;
      case 1:
        add("after", {x, other}, f);
        return;
      default:
        add("check", {x, add("less", {number(1), number(2)}, {1, true})}, f);
    }
  }
};

inline random_workflow make_random_workflow(std::mt19937_64& random,
                                            const random_workflow_options& options = {}) {
  return random_workflow_maker(random, options).make();
}

// A message if two sets of results differ by more than `tolerance` relative to their magnitude.
inline std::string difference(const wf::named_matrices& a, const wf::named_matrices& b,
                              double tolerance = 1e-7) {
  if (a.size() != b.size()) return "another number of results";
  for (const auto& [name, x] : a) {
    const auto found = b.find(name);
    if (found == b.end()) return name + " is missing";
    const wf::dynamic_matrix& y = found->second;
    if (x.rows() != y.rows() || x.cols() != y.cols()) return name + " has another shape";
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const double scale = 1 + std::max(std::abs(x(i)), std::abs(y(i)));
      if (x(i) == y(i) || (std::isnan(x(i)) && std::isnan(y(i)))) continue;
      if (!(std::abs(x(i) - y(i)) <= tolerance * scale))
        return name + " differs at " + std::to_string(i) + ": " + std::to_string(x(i)) + " and " +
               std::to_string(y(i));
    }
  }
  return {};
}

}  // namespace wf_test
