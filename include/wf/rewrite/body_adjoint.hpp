// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/graph_capture.hpp>
#include <wf/ir/form/body.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/registry/gradient_request.hpp>
#include <wf/rewrite/adjoint.hpp>
#include <wf/rewrite/dead.hpp>

namespace wf::detail {

/// Captures the adjoint of a node that runs a body f until x = f(r, x). By the implicit function
/// theorem the derivatives l by x solve l = d + (df/dx)^T l, where d are those of the results: a
/// node of the same operator, whose body is that. Those by r are (df/dr)^T l, and the first x has
/// no influence. Source: Christianson, Reverse accumulation and attractive fixed points, 1994.
class body_adjoint {
 public:
  /// For a node and its body; captures into `to`. All must outlive this object.
  constexpr body_adjoint(graph_capture& to, const adjoint_node& n, const graph_view& body)
      : to_(to),
        node_(n),
        body_(body),
        carried_(body.outputs.size()),
        reads_(n.operands.size() - carried_) {
    for (const value& v : body.values)
      if (v.producer == node_id::none) names_.push_back(body.text_of(v.name));
  }

  /// Captures the derivatives of the operands that are `wanted`; none for those that are zero.
  /// `differentiate(graph, request)` gives gradients. Errors: those of it; `no_adjoint` if the
  /// adjoint has more operands than a node may have; those of capture.
  template <class Differentiate>
  constexpr error run(view<char> wanted, const Differentiate& differentiate, table<value_id>& out) {
    out = table<value_id>(node_.operands.size(), value_id::none);
    table<text_view> by;
    for (std::size_t i = 0; i < node_.operands.size(); ++i)
      if (i < reads_ ? wanted[i] != 0 : is_real(i)) by.push_back(names_[i]);
    table<graph> gradients(carried_);
    for (std::size_t k = 0; k < carried_; ++k) {
      if (!is_real(reads_ + k)) continue;
      auto made = differentiate(body_, {body_.text_of(body_.outputs[k].name), by, seed, prefix});
      if (!made) return in_body_of(node_.label, made.error());
      gradients[k] = static_cast<graph&&>(*made);
    }
    table<value_id> solved;
    if (error e = solve(gradients, solved); e.code != errc::none) return e;
    table<value_id> point(reads_, value_id::none);
    for (std::size_t i = 0; i < reads_; ++i) point[i] = node_.operands[i];
    for (std::size_t k = 0; k < carried_; ++k) point.push_back(node_.results[k]);
    table<value_id> sums(names_.size(), value_id::none);
    if (error e = add_up(to_, gradients, point, solved, sums); e.code != errc::none) return e;
    for (std::size_t i = 0; i < reads_; ++i)
      if (wanted[i] != 0) out[i] = sums[i];
    return to_.failure();
  }

 private:
  static constexpr text_view seed = "adjoint'seed", prefix = "adjoint'";

  // True for an operand of real numbers, which has derivatives.
  constexpr bool is_real(std::size_t operand) const {
    return is_floating(to_.type_of(node_.operands[operand]).type);
  }
  // Captures the products of the values `factors`, by carried value, with the derivatives of the
  // body at a point, and adds them up by input.
  constexpr error add_up(graph_capture& to, const table<graph>& gradients,
                         const table<value_id>& point, const table<value_id>& factors,
                         table<value_id>& sums) const {
    for (std::size_t k = 0; k < carried_; ++k) {
      if (factors[k] == value_id::none) continue;
      const graph_view g = gradients[k].view();
      table<value_id> operands = point;
      operands.push_back(factors[k]);
      const auto outputs = splice(g, to.builder(), operands, {});
      if (!outputs) return in_body_of(node_.label, outputs.error());
      for (std::size_t o = carried_; o < outputs->size(); ++o) {
        const text_view name = g.text_of(g.outputs[o].name);
        for (std::size_t i = 0; i < names_.size(); ++i)
          if (name.part(prefix.size(), name.size() - prefix.size()) == names_[i])
            add(to, sums[i], (*outputs)[o]);
      }
    }
    return {};
  }
  constexpr void add(graph_capture& to, value_id& sum, value_id more) const {
    const value_id both[] = {sum, more};
    sum =
        sum == value_id::none ? more : to.apply(captured<kernels::add>, {}, both, {}, node_.where);
  }

  // Captures the node that solves for the derivatives by what is carried.
  constexpr error solve(const table<graph>& gradients, table<value_id>& out) {
    // The inputs of the new body: those of the old one, the derivatives of the results, and what
    // is solved for.
    graph_capture body(body_.text_of(body_.name));
    table<value_id> point, given(carried_, value_id::none), factors = given, values;
    const auto input = [&](text_view name, value_id of) {
      values.push_back(of);
      const value_type& t = to_.type_of(of);
      return body.add_input(name, {t.type, {}, t.shape});
    };
    for (std::size_t i = 0; i < names_.size(); ++i)
      point.push_back(input(names_[i], i < reads_ ? node_.operands[i] : node_.results[i - reads_]));
    text_store names;
    table<std::size_t> real;
    for (std::size_t k = 0; k < carried_; ++k)
      if (is_real(reads_ + k)) real.push_back(k);
    for (std::size_t k : real)
      given[k] = input(names.keep(text() << "adjoint'of'" << k), derivative(k));
    for (std::size_t k : real)
      factors[k] = input(names.keep(text() << "adjoint'by'" << k), derivative(k));
    table<value_id> sums(names_.size(), value_id::none);
    if (error e = add_up(body, gradients, point, factors, sums); e.code != errc::none) return e;
    for (std::size_t k : real) {
      value_id sum = given[k];
      if (const value_id more = sums[reads_ + k]; more != value_id::none) add(body, sum, more);
      body.add_output(names.keep(text() << "adjoint'" << k), sum);
    }
    auto made = body.finish();
    if (!made) return in_body_of(node_.label, made.error());
    return capture(*made, values, real, out);
  }
  constexpr value_id derivative(std::size_t k) {
    if (node_.derivatives[k] != value_id::none) return node_.derivatives[k];
    return adjoint_capture::filled(to_, 0, to_.type_of(node_.results[k]), node_.where);
  }
  // Captures the node of a body, without the inputs that it does not read.
  constexpr error capture(const graph& whole, const table<value_id>& values,
                          const table<std::size_t>& real, table<value_id>& out) {
    const auto live = drop_dead(whole.view());
    if (!live) return live.error();
    const graph_view g = live->view();
    table<char> read(g.values.size());
    for (const node& n : g.nodes)
      for (value_id operand : g.inputs_of(n)) read[index_of(operand)] = 1;
    for (const output& o : g.outputs) read[index_of(o.source)] = 1;
    graph_builder into(g.text_of(g.name));
    table<value_id> places, operands;
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < g.values.size(); ++i) {
      if (g.values[i].producer != node_id::none) continue;
      const bool is_last = at + real.size() >= values.size();
      if (read[i] == 0 && !is_last) {
        places.push_back(value_id::none);
      } else {
        places.push_back(into.graph().add_input(g.text_of(g.values[i].name), g.values[i].type));
        operands.push_back(values[at]);
      }
      ++at;
    }
    if (operands.size() > max_operands)
      return make_error(errc::no_adjoint, node_.label,
                        (text() << "its adjoint reads " << operands.size()
                                << " values, more than a node may have operands")
                            .view());
    if (error e = copy_body(g, places, into); e.code != errc::none) return e;
    const text characters = to_text(into.graph().view());
    table<attribute_value> attributes;
    for (attribute_value a : node_.attributes) {
      if (a.name == "body") a.characters = characters.view();
      if (a.name == "carried") a.number = static_cast<std::int64_t>(real.size());
      attributes.push_back(a);
    }
    const captured_kernel same{&node_.kernel, hash_text(node_.kernel.name), false};
    const value_id first = to_.apply(same, attributes, operands, {}, node_.where);
    out = table<value_id>(carried_, value_id::none);
    for (std::size_t i = 0; i < real.size(); ++i)
      out[real[i]] = static_cast<value_id>(index_of(first) + i);
    return to_.failure();
  }
  // Copies a body into a graph that has the inputs that are read.
  constexpr error copy_body(const graph_view& g, const table<value_id>& places,
                            graph_builder& into) const {
    const auto order = topological_order(g);
    if (!order) return order.error();
    const symbol_map none;
    graph_copier copier(g, into, none);
    copier.place_inputs(places);
    for (node_id id : *order)
      if (error e = copier.copy(id); e.code != errc::none) return e;
    copier.copy_edges();
    copier.copy_outputs();
    return {};
  }

  graph_capture& to_;
  const adjoint_node& node_;
  graph_view body_;
  std::size_t carried_, reads_;
  table<text_view> names_;  // of the body's inputs
};

}  // namespace wf::detail
