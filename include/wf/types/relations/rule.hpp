// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/copy.hpp>
#include <wf/registry/domain/einsum.hpp>
#include <wf/registry/domain/linalg/transpose.hpp>
#include <wf/registry/einsum_equation.hpp>
#include <wf/registry/shape_rule.hpp>
#include <wf/types/relations/constraint.hpp>

namespace wf::detail {

/// The kernel of a node's operator and its parsed signature; null if the operator is unknown.
struct node_kernel {
  const kernel_spec* spec = nullptr;    ///< the kernel, or null
  const signature* declared = nullptr;  ///< its signature, or null
};

/// The attributes of a node, with the canonical extents of a network.
constexpr table<attribute_value> canonical_attributes(const type_network& network, node_id id) {
  table<attribute_value> list = attribute_values(network.graph(), network.graph()[id]);
  for (attribute_value& a : list) {
    if (a.kind != attribute_kind::extent) continue;
    extent e;
    e.code = a.number;
    a.number = network.canonical(e).code;
  }
  return list;
}

/// True if the extent attributes of a kernel's nodes, by their names, state the shape of the
/// result.
constexpr bool states_shape(const kernel_spec& k) {
  return k.result_shape == &kernels::detail::stated_shape ||
         k.result_shape == &kernels::detail::reshaped_shape ||
         k.result_shape == &kernels::detail::broadcast_shape;
}

/// Derives the constraints of the built-in shape rules, which are recognised by their addresses.
/// Other rules are opaque until they are evaluated. A rule that moves extents without looking at
/// them is evaluated on marked extents, so that its own result gives the constraint.
class rule_relations {
 public:
  /// Constraints on the graph of `network`; the arguments must outlive this object.
  constexpr rule_relations(type_network& network, constraint_set& constraints)
      : network_(network), constraints_(constraints), graph_(network.graph()) {}

  /// Adds the constraints of a node whose kernel has a shape rule, on the results that it rules.
  constexpr void derive(node_id id, const node_kernel& kernel) {
    namespace rules = kernels::detail;
    node_ = id;
    kernel_ = kernel;
    attributes_ = canonical_attributes(network_, id);
    const shape_rule rule = kernel.spec->result_shape;
    const node& n = graph_[id];
    if (n.outputs.count == 0) return;
    const shape_number to = result_number(0);
    for (std::uint32_t r = 1; r < n.outputs.count; ++r)
      if (kernel.spec->rules_shape_of(kernel.declared->result(r, n.outputs.count)))
        constraints_.add_equal(node_, to, result_number(r));
    if (rule == &rules::first_shape) return constraints_.add_equal(node_, operand(0), to);
    if (rule == &rules::gate_shape) {
      for (std::size_t i = 0; i < n.inputs.count; ++i)
        constraints_.add_equal(node_, operand(i), to);
    } else if (states_shape(*kernel.spec)) {
      derive_stated(rule, to);
    } else if (rule == &rules::part_shape) {
      table<shape_number> parts(n.outputs.count + 1, to);
      parts[0] = operand(0);
      derive_joined(parts);
    } else if (rule == &rules::concatenated_shape) {
      table<shape_number> list{to};
      for (std::size_t i = 0; i < n.inputs.count; ++i) list.push_back(operand(i));
      derive_joined(list);
    } else if (rule == &rules::padded_shape) {
      const shape_number both[] = {to, operand(0)};
      std::int64_t more = 0;
      if (checked_add(asked_integer("before", 0), asked_integer("after", 0), more))
        derive_joined(both, more);
    } else if (rule == &rules::updated_shape) {
      constraints_.add_equal(node_, operand(0), to);
      const shape_number both[] = {operand(0), operand(1)};
      if (has_axis(both)) constraints_.add(relation::alike, node_, both, {}, axis());
    } else if (rule == &rules::einsum_shape) {
      derive_einsum(to);
    } else {
      derive_moved(rule, to);
    }
  }

  /// Propagates a constraint `moved`; true if nothing more can follow.
  constexpr bool examine_moved(const constraint& c) {
    const table<shape_number> shapes{constraints_.shapes_of(c)};
    const table<attribute_value> attributes = canonical_attributes(network_, c.node);
    const asked_rule asked = rules_[static_cast<std::size_t>(c.number)];
    const std::size_t sources = shapes.size() - 1;
    std::int64_t possible[3] = {}, accepted[3] = {};
    for (std::size_t k = 0; k < shapes.size(); ++k)
      possible[k] = network_.variables().of(network_.rank_variable(shapes[k])).state;
    value_type operands[2];
    rule_input in;
    in.operands = {operands, sources};
    in.attributes = attributes;
    in.declared = asked.declared;
    shape made;
    std::uint32_t failed[2] = {};
    bool any = false;
    for (std::uint32_t a = 0; a <= max_rank; ++a)
      for (std::uint32_t b = 0; b <= (sources == 2 ? max_rank : 0); ++b) {
        if (((possible[1] >> a) & 1) == 0 || (sources == 2 && ((possible[2] >> b) & 1) == 0))
          continue;
        operands[0].shape = marked(a, 0);
        operands[1].shape = marked(b, 1);
        const auto one = asked.rule(in);
        if (!one) {
          failed[0] = a, failed[1] = b;
          continue;
        }
        any = true;
        accepted[0] |= std::int64_t{1} << one->rank;
        if (((possible[0] >> one->rank) & 1) == 0) continue;
        made = *one;
        accepted[1] |= std::int64_t{1} << a;
        accepted[2] |= std::int64_t{1} << b;
      }
    if (!any) {  // evaluated again without marks, for the error message
      for (std::size_t k = 0; k < 2; ++k) {
        operands[k].shape = {};
        for (std::uint32_t d = 0; d < failed[k]; ++d) operands[k].shape.push_back(extent());
      }
      const error failure = asked.rule(in).error();
      return network_.contradict(c.node, failure.code, failure.message.view()), true;
    }
    bool settled = true;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      if (!network_.learn(network_.rank_variable(shapes[k]), {accepted[k], false}, c.node))
        return true;
      settled = settled && network_.rank(shapes[k]) != shape::unknown_rank;
    }
    if (!settled) return false;
    settle_moved(shapes, made, c.node);
    return true;
  }

 private:
  struct asked_rule {
    shape_rule rule = nullptr;
    const signature* declared = nullptr;
  };

  constexpr shape_number operand(std::size_t i) const {
    return type_network::shape_of(graph_.inputs_of(graph_[node_])[i]);
  }
  constexpr shape_number result_number(std::uint32_t i) const {
    return type_network::shape_of(graph_view::output_of(graph_[node_], i));
  }
  constexpr bool has_rank(shape_number s, std::size_t rank) {
    return network_.learn(network_.rank_variable(s), {std::int64_t{1} << rank, false}, node_);
  }
  // The extents of a rule's result: those of the sources where it moved their marks.
  constexpr void settle_moved(view<shape_number> shapes, const shape& made, node_id id) {
    for (std::uint32_t d = 0; d < made.rank; ++d) {
      const variable to = network_.dimension(shapes[0], d);
      if (made[d].is_derived() && made[d].index() >= first_mark) {
        const std::uint32_t mark = made[d].index() - first_mark;
        network_.unite(network_.dimension(shapes[1 + mark / max_rank], mark % max_rank), to, id);
      } else if (!made[d].is_unknown()) {
        network_.settle(to, made[d], id);
      }
    }
  }

  constexpr void derive_stated(shape_rule rule, shape_number to) {
    const table<std::uint32_t> places = kernels::detail::stated_extents(attributes_);
    if (places.size() > max_rank || !has_rank(to, places.size())) return;
    for (std::uint32_t d = 0; d < places.size(); ++d)
      network_.learn(network_.dimension(to, d), {attributes_[places[d]].number, false}, node_);
    if (rule == &kernels::detail::stated_shape) return;
    const shape_number both[] = {to, operand(0), to};
    if (rule == &kernels::detail::reshaped_shape)
      constraints_.add(relation::same_elements, node_, {both, 2}, {});
    else
      constraints_.add(relation::broadcast_shapes, node_, both, {});
  }

  // The attribute `axis`; `has_axis` demands one common rank above it.
  constexpr std::int64_t axis() const { return asked_integer("axis", 0); }
  constexpr bool has_axis(view<shape_number> shapes) {
    const std::int64_t at = axis();
    if (at < 0 || at >= static_cast<std::int64_t>(max_rank))
      return network_.contradict(node_, errc::bad_attribute,
                                 (text() << "there is no dimension " << at).view());
    const knowledge larger{every_rank & ~((std::int64_t{2} << at) - 1), false};
    for (shape_number s : shapes)
      if (!network_.learn(network_.rank_variable(s), larger, node_)) return false;
    for (std::size_t i = 1; i < shapes.size(); ++i)
      if (!network_.unite(network_.rank_variable(shapes[0]), network_.rank_variable(shapes[i]),
                          node_))
        return false;
    return true;
  }
  constexpr void derive_joined(view<shape_number> shapes, std::int64_t extra = 0) {
    if (extra >= 0 && has_axis(shapes))
      constraints_.add(relation::joined, node_, shapes, {}, axis(), extra);
  }
  // An attribute's value as rules see it.
  constexpr std::int64_t asked_integer(text_view name, std::int64_t otherwise) const {
    rule_input in;
    in.attributes = attributes_;
    in.declared = kernel_.declared;
    return in.integer(name, otherwise);
  }

  constexpr void derive_einsum(shape_number to) {
    const attribute* a = graph_.find_attribute(graph_[node_], "equation");
    if (a == nullptr || a->kind != attribute_kind::string) return;
    const einsum_equation equation{graph_.text_of(a->characters)};
    const std::size_t count = graph_[node_].inputs.count;
    if (equation.operands() != count || !equation.has_result()) return;
    table<variable> extents(128, no_variable);  // by letter
    for (std::size_t i = 0; i <= count; ++i) {
      const text_view letters = i < count ? equation.operand(i) : equation.result();
      const shape_number s = i < count ? operand(i) : to;
      if (letters.size() > max_rank || !has_rank(s, letters.size())) return;
      for (std::uint32_t d = 0; d < letters.size(); ++d) {
        if ((letters[d] & 0x80) != 0) return;
        variable& e = extents[static_cast<std::size_t>(letters[d])];
        if (e == no_variable) e = network_.add_extent();
        network_.unite(e, network_.dimension(s, d), node_);
      }
    }
  }

  // s0 has extents of s1, s2, ...: `number` selects a rule that moves extents without looking at
  // them.
  constexpr void derive_moved(shape_rule rule, shape_number to) {
    namespace known = kernels::detail;
    if (rule == &known::scattered_shape) {
      constraints_.add_equal(node_, operand(0), to);
      const shape_number shapes[] = {operand(2), operand(0), operand(1)};
      rules_.push_back({&known::gathered_shape, kernel_.declared});
      add_moved(shapes);
    } else if (rule == &known::gathered_shape) {
      const shape_number shapes[] = {to, operand(0), operand(1)};
      rules_.push_back({rule, kernel_.declared});
      add_moved(shapes);
    } else if (rule == &known::reduced_shape || rule == &known::positions_shape ||
               rule == &known::permuted_shape || rule == &known::sliced_shape ||
               rule == &known::transposed_shape) {
      const shape_number shapes[] = {to, operand(0)};
      rules_.push_back({rule, kernel_.declared});
      add_moved(shapes);
    }
  }
  constexpr void add_moved(view<shape_number> shapes) {
    constraints_.add(relation::moved, node_, shapes, {},
                     static_cast<std::int64_t>(rules_.size() - 1));
  }

  // Marks that identify operands' dimensions in a result: derived extents with numbers that no
  // graph has.
  static constexpr std::uint32_t first_mark = 0x0fffff00;

  static constexpr shape marked(std::uint32_t rank, std::uint32_t operand) {
    shape s;
    for (std::uint32_t d = 0; d < rank; ++d)
      s.push_back(extent::derived(first_mark + operand * static_cast<std::uint32_t>(max_rank) + d));
    return s;
  }

  type_network& network_;
  constraint_set& constraints_;
  graph_view graph_;
  table<asked_rule> rules_;
  // The current node.
  node_id node_ = node_id::none;
  node_kernel kernel_;
  table<attribute_value> attributes_;
};

}  // namespace wf::detail
