// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/lowering.hpp>
#include <wf/core/text/text_store.hpp>

namespace wf::detail {

/// A node of a graph under capture whose adjoint is wanted. Its texts do not lie in that graph,
/// which grows.
struct adjoint_node {
  const kernel_spec& kernel;         ///< of its operator
  const signature& parsed;           ///< the kernel's
  view<value_id> operands;           ///< in order
  view<value_id> results;            ///< in order
  view<value_id> derivatives;        ///< by result; none: zero
  view<attribute_value> attributes;  ///< with extents of that graph
  text_view label;                   ///< for errors
  node_location where;               ///< where the nodes of the adjoint stand, too
};

/// Captures the adjoint of a node: the equations of its kernel, on its operands, results and the
/// derivatives of its results.
class adjoint_capture {
 public:
  /// Captures into `to`, by the operators of a registry; both must outlive this object.
  constexpr adjoint_capture(graph_capture& to, const registry& kernels, const adjoint_node& n)
      : to_(to), kernels_(kernels), node_(n) {
    for (value_id id : n.operands) operand_types_.push_back(to.type_of(id));
    for (value_id id : n.results) result_types_.push_back(to.type_of(id));
  }

  /// Captures the derivatives of the operands that are `wanted`; none for those that are zero.
  /// Errors: `no_adjoint`; for equations that do not fit the node, those of `equations` and
  /// `shape_mismatch` and `dtype_mismatch`.
  constexpr error run(view<char> wanted, table<value_id>& out) {
    const text_view source = equations();
    if (source.empty())
      return fail(errc::no_adjoint,
                  text() << "the operator '" << node_.kernel.name << "' states no adjoint for it");
    auto parsed = parse_equations(source);
    if (!parsed) return inside(parsed.error());
    program_ = static_cast<equation_program&&>(*parsed);
    if (error e = settle_attributes(); e.code != errc::none) return e;
    equation_capture capture(to_, program_, source, kernels_, node_.where);
    bind_values(capture);
    bind_attributes(capture);
    if (!capture.run()) return inside(to_.failure());
    out = table<value_id>(node_.operands.size(), value_id::none);
    for (std::uint32_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i] == 0) continue;
      const text_view name = names_.keep(text() << 'd' << operand_name(i));
      value_id made = capture.find(name);
      if (made == value_id::none)
        return fail(errc::no_adjoint, text() << "the adjoint of '" << node_.kernel.name
                                             << "' states no derivative " << name);
      if (is_zero(name)) continue;
      if (error e = fit(made, operand_types_[i]); e.code != errc::none) return e;
      out[i] = made;
    }
    return {};
  }

 private:
  constexpr error fail(errc code, const text& message) const {
    return make_error(code, node_.label, message.view());
  }
  constexpr error inside(const error& e) const {
    text message;
    message << "in the adjoint of '" << node_.kernel.name << "': ";
    if (!e.subject.empty()) message << e.subject.view() << ": ";
    message << e.message.view();
    return make_error(e.code, node_.label, message.view(), e.where);
  }

  constexpr text_view equations() {
    if (node_.kernel.write_adjoint == nullptr) return node_.kernel.adjoint;
    const graph_view g = to_.captured();
    const rule_input in{operand_types_, node_.attributes, &g, nullptr, &node_.parsed};
    return names_.keep(node_.kernel.write_adjoint(in));
  }

  // --- names ------------------------------------------------------------------------------------

  // The name of value `i` of `count` of a parameter: numbered within a pack.
  constexpr text_view value_name(std::uint32_t p, std::uint32_t i, std::size_t count) {
    const text_view name = node_.parsed.parameters[p].name;
    const bool pack = p == node_.parsed.operand_pack || p == node_.parsed.result_pack;
    if (!pack) return name;
    return names_.keep(text() << name << i - node_.parsed.values_of(p, count).first);
  }
  constexpr text_view operand_name(std::uint32_t i) {
    const std::size_t count = node_.operands.size();
    return value_name(node_.parsed.parameter_of_operand(i, count), i, count);
  }
  constexpr text_view result_name(std::uint32_t i) {
    const std::size_t count = node_.results.size();
    return value_name(node_.parsed.parameter_of_result(i, count), i, count);
  }
  constexpr bool names(text_view name) const {
    for (const equation_node& n : program_.nodes)
      if (n.kind == equation_kind::reference && n.name == name) return true;
    return false;
  }

  constexpr void bind_values(equation_capture& capture) {
    for (std::uint32_t i = 0; i < node_.operands.size(); ++i)
      capture.bind(operand_name(i), node_.operands[i]);
    for (std::uint32_t i = 0; i < node_.results.size(); ++i)
      capture.bind(result_name(i), node_.results[i]);
    for (std::uint32_t i = 0; i < node_.results.size(); ++i) {
      const text_view name = names_.keep(text() << 'd' << result_name(i));
      value_id derivative = node_.derivatives[i];
      if (derivative == value_id::none && names(name))
        derivative = filled(to_, 0, result_types_[i], node_.where);
      if (derivative != value_id::none) capture.bind(name, derivative);
    }
  }
  // The numbers among the node's attributes and their defaults, in the element type of its first
  // operand of reals.
  constexpr void bind_attributes(equation_capture& capture) {
    dtype type = dtype::f64;
    for (std::size_t i = operand_types_.size(); i-- > 0;)
      if (is_floating(operand_types_[i].type)) type = operand_types_[i].type;
    const auto bind = [&](text_view name, double value) {
      if (names(name) && capture.find(name) == value_id::none)
        capture.bind(name, filled(to_, value, {type, {}, shape::of()}, node_.where));
    };
    for (const attribute_value& a : node_.attributes) {
      if (a.kind == attribute_kind::real)
        bind(a.name, a.real);
      else if (a.kind == attribute_kind::integer || a.kind == attribute_kind::rational)
        bind(a.name, static_cast<double>(a.number) / static_cast<double>(a.denominator));
    }
    rational number;
    for (const attribute_declaration& a : node_.parsed.attributes)
      if (default_of(&node_.parsed, a.name, number)) bind(a.name, to_double(number));
  }

  // --- attributes -------------------------------------------------------------------------------

  // Replaces names among the attributes of the equations' calls by what they stand for.
  constexpr error settle_attributes() {
    bound_dimensions dimensions;
    for (std::uint32_t p = 0; p < node_.parsed.parameters.size(); ++p) {
      const bool operand = p < node_.parsed.inputs;
      const table<value_type>& types = operand ? operand_types_ : result_types_;
      const parameter& one = node_.parsed.parameters[p];
      if (one.dimensions.count != 0)
        dimensions.bind_pattern(node_.parsed.dimensions_of(one), one,
                                types[node_.parsed.values_of(p, types.size()).first].shape);
    }
    for (attribute_value& a : program_.attributes) {
      extent e;
      e.code = a.number;
      if (a.kind != attribute_kind::extent || !e.is_symbol()) continue;
      const text name = to_text(e.name());
      rational number;
      if (const extent* const bound = dimensions.find(name.view())) {
        a.number = bound->code;
      } else if (dimension_named(name.view(), e)) {
        a.number = e.code;
      } else if (const attribute_value* const own = attribute_named(name.view())) {
        const text_view as = a.name;
        a = *own;
        a.name = as;
      } else if (default_of(&node_.parsed, name.view(), number)) {
        const auto whole = to_int64(number);
        if (!whole) return inside(whole.error());
        a = attribute_value::integer(a.name, *whole);
      } else {
        return inside(make_error(errc::bad_equation, name.view(),
                                 "is no dimension or attribute of the operator"));
      }
    }
    return {};
  }
  // Dimension k of an operand or result A, by the name A_k.
  constexpr bool dimension_named(text_view name, extent& out) {
    std::size_t bar = name.size();
    while (bar > 0 && name[bar - 1] != '_') --bar;
    std::int64_t d = 0;
    if (bar == 0 || !integer_in(name.part(bar), d)) return false;
    const text_view of = name.part(0, bar - 1);
    const auto among = [&](const table<value_type>& types, std::uint32_t i) {
      const shape& s = types[i].shape;
      return d < s.rank ? (out = s[static_cast<std::uint32_t>(d)], true) : false;
    };
    for (std::uint32_t i = 0; i < operand_types_.size(); ++i)
      if (operand_name(i) == of) return among(operand_types_, i);
    for (std::uint32_t i = 0; i < result_types_.size(); ++i)
      if (result_name(i) == of) return among(result_types_, i);
    return false;
  }
  constexpr const attribute_value* attribute_named(text_view name) const {
    for (const attribute_value& a : node_.attributes)
      if (a.name == name) return &a;
    return nullptr;
  }

  // --- derivatives ------------------------------------------------------------------------------

  constexpr bool is_zero(text_view name) const {
    for (const equation_statement& s : program_.statements)
      if (s.name == name) {
        const equation_node& n = program_.nodes[s.root];
        return n.kind == equation_kind::number && n.number == 0;
      }
    return false;
  }

  constexpr value_id reduced(value_id of, std::uint32_t axis) {
    const attribute_value a = attribute_value::integer("axis", axis);
    return to_.apply(captured<kernels::reduce_sum>, {&a, 1}, {&of, 1}, {}, node_.where);
  }
  constexpr value_id shaped(const captured_kernel& k, value_id from, const shape& s) {
    attribute_value extents[max_rank];
    for (std::uint32_t d = 0; d < s.rank; ++d)
      extents[d] = attribute_value::dimension(stated_extent_names[d], s[d]);
    return to_.apply(k, {extents, s.rank}, {&from, 1}, {}, node_.where);
  }
  // Gives a derivative the shape of its operand: sums over dimensions along which the operand was
  // repeated, repeats it along those that the equations left to broadcasting.
  constexpr error fit(value_id& made, const value_type& wanted) {
    if (to_.type_of(made).type != wanted.type)
      return inside(make_error(errc::dtype_mismatch, "",
                               "a derivative has another element type than its operand"));
    while (to_.type_of(made).shape.rank > wanted.shape.rank) made = reduced(made, 0);
    shape made_shape = to_.type_of(made).shape;
    const std::uint32_t missing = wanted.shape.rank - made_shape.rank;
    shape kept = made_shape;
    for (std::uint32_t d = made_shape.rank; d-- > 0;)
      if (wanted.shape[d + missing] == extent(1) && !(made_shape[d] == extent(1))) {
        made = reduced(made, d);
        kept.extents[d] = extent(1);
      }
    if (!(kept == made_shape)) made = shaped(captured<kernels::reshape>, made, kept);
    if (!(kept == wanted.shape)) made = shaped(captured<kernels::broadcast_to>, made, wanted.shape);
    if (to_.failure().code != errc::none) return inside(to_.failure());
    return {};
  }

 public:
  /// A value of a type whose elements are all one number.
  static constexpr value_id filled(graph_capture& to, double number, value_type type,
                                   const node_location& where) {
    const attribute_value a = attribute_value::floating("value", number);
    const value_type scalar{type.type, {}, shape::of()};
    const value_id one = to.apply(captured<kernels::constant>, {&a, 1}, {}, {&scalar, 1}, where);
    if (type.shape.rank == 0) return one;
    attribute_value extents[max_rank];
    for (std::uint32_t d = 0; d < type.shape.rank; ++d)
      extents[d] = attribute_value::dimension(stated_extent_names[d], type.shape[d]);
    return to.apply(captured<kernels::broadcast_to>, {extents, type.shape.rank}, {&one, 1}, {},
                    where);
  }

 private:
  graph_capture& to_;
  const registry& kernels_;
  const adjoint_node& node_;
  table<value_type> operand_types_, result_types_;
  equation_program program_;
  text_store names_;
};

}  // namespace wf::detail
