// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/definitions.hpp>
#include <wf/logic/program/index_uses.hpp>

namespace wf::logic::detail {

/// Where a call stands.
struct call_place {
  const atom_form& head;            ///< the left side of its equation
  const table<text_view>& needed;   ///< the indices that what surrounds the call has
  const table<text_view>& indices;  ///< all indices of the equation
};

/// Turns calls of operators that equations define into those equations.
class call_lowering {
 public:
  /// All must outlive this object, which keeps texts in `made` and errors in `forms`.
  constexpr call_lowering(const equation_program& p, name_table& names, form_reader& forms,
                          const index_uses& uses, text_store& made)
      : tree_(p), names_(names), forms_(forms), uses_(uses), made_(made) {}

  /// Lowers a call of a kernel with a definition; its value is that of the atom `out`.
  /// `operand(root, labels)` makes a tensor of an expression, with these indices in this order, and
  /// returns its number, or `none` after an error; `fresh()` returns that of a new tensor;
  /// `define(definition)` adds the rules of a definition, and returns an error or none.
  template <class Operand, class Fresh, class Define>
  constexpr bool lower(const equation_node& n, const kernel_spec& k, const call_place& at,
                       Operand operand, Fresh fresh, Define define, atom_form& out) {
    const auto s = parse_signature(k.signature);
    if (!s) return fail(n, s.error().message.view());
    table<std::uint32_t> nodes;
    table<attribute_value> attributes;
    if (!arguments(n, *s, nodes, attributes)) return false;
    table<defined_operand> operands(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) operands[i].labels = labels_of(nodes[i], at);
    definition_instance made(k, *s, made_);
    if (error e = made.read(operands, attributes); e.code != errc::none) return inside(n, k, e);
    if (!operands.empty() && made.trailing(0) == 1 && !turn(n, at, attributes, made, operands))
      return false;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      operands[i].tensor = tensor_of(nodes[i], operands[i].labels);
      if (operands[i].tensor == none) operands[i].tensor = operand(nodes[i], operands[i].labels);
      if (operands[i].tensor == none) return false;
    }
    if (error e = made.bind(names_, operands, fresh); e.code != errc::none) return inside(n, k, e);
    if (error e = define(made); e.code != errc::none) return inside(n, k, e);
    return atom_of(n, at, made, out);
  }

  /// The attributes of a call of an elementwise operator, and its operands: the arguments by
  /// position behind those are attributes in the order in which the signature declares them.
  constexpr bool arguments(const equation_node& n, const signature& s,
                           table<std::uint32_t>& operands, table<attribute_value>& attributes) {
    for (std::uint32_t i = 0; i < n.attributes.count; ++i)
      attributes.push_back(tree_.attributes[n.attributes.first + i]);
    table<std::uint32_t> by_name(s.inputs, none);
    std::uint32_t positions = 0;
    for (std::uint32_t i = 0; i < n.children.count; ++i) {
      const std::uint32_t child = child_of(tree_, n, i);
      const equation_node& c = tree_.nodes[child];
      if (c.kind == equation_kind::keyword) {
        std::uint32_t p = 0;
        while (p < s.inputs && !(s.parameters[p].name == c.name)) ++p;
        if (p == s.inputs || by_name[p] != none)
          return fail(c, (text() << n.name << " has no operand " << c.name).view());
        by_name[p] = child_of(tree_, c, 0);
      } else if (i < s.inputs || s.operand_pack != parameter::none) {
        operands.push_back(child);
        if (i < s.inputs) by_name[i] = child;
        ++positions;
      } else if (!attribute(n, s, c, i - s.inputs, attributes)) {
        return false;
      }
    }
    for (std::uint32_t p = positions; p < s.inputs; ++p) {
      if (by_name[p] == none)
        return fail(n, (text() << n.name << " lacks its operand " << s.parameters[p].name).view());
      operands.push_back(by_name[p]);
    }
    return true;
  }

 private:
  constexpr bool fail(const equation_node& n, text_view message) {
    return forms_.fail(n.offset, message);
  }
  constexpr bool inside(const equation_node& n, const kernel_spec& k, const error& e) {
    text message;
    message << "in the definition of " << k.name << ": ";
    if (!e.subject.empty()) message << e.subject.view() << ": ";
    return fail(n, (message << e.message.view()).view());
  }
  // A number by position that is an attribute.
  constexpr bool attribute(const equation_node& n, const signature& s, const equation_node& given,
                           std::uint32_t place, table<attribute_value>& attributes) {
    if (place >= s.attributes.size() || given.kind != equation_kind::number)
      return fail(given,
                  (text() << n.name << " takes "
                          << (place >= s.attributes.size() ? "fewer arguments" : "a number here"))
                      .view());
    const text_view name = s.attributes[place].name;
    for (const attribute_value& a : attributes)
      if (a.name == name) return fail(given, (text() << name << " is stated twice").view());
    attributes.push_back(attribute_value::floating(name, given.number));
    return true;
  }

  // True for a tensor alone, whose indices differ.
  constexpr bool is_tensor(const equation_node& n) const {
    if (n.kind != equation_kind::reference) return false;
    for (std::uint32_t i = 0; i < n.indices.count; ++i) {
      const index_term& t = tree_.indices[n.indices.first + i];
      if (!t.is_plain() || forms_.is_step(t.name) || t.name == "_") return false;
      for (std::uint32_t k = 0; k < i; ++k)
        if (tree_.indices[n.indices.first + k].name == t.name) return false;
    }
    return true;
  }
  // A tensor alone has its own indices; an expression those that the left side, or what surrounds
  // the call, has, in their order.
  constexpr table<text_view> labels_of(std::uint32_t root, const call_place& at) const {
    const equation_node& n = tree_.nodes[root];
    if (is_tensor(n) && (n.labelled || !wf::detail::has_label(at.indices, n.name)))
      return wf::detail::indices_of(tree_, n);
    table<text_view> used, out;
    uses_.collect_used(root, at.indices, used);
    for (text_view name : uses_.needed_in(root, at.needed))
      if (index_uses::has(used, name) && !index_uses::has(out, name)) out.push_back(name);
    return out;
  }
  // The number of a tensor that can stand for itself, or `none`.
  constexpr std::uint32_t tensor_of(std::uint32_t root, const table<text_view>& labels) {
    const equation_node& n = tree_.nodes[root];
    if (!is_tensor(n) || !(wf::detail::indices_of(tree_, n) == labels) ||
        (labels.empty() && !n.labelled && names_.find(n.name) == none))
      return none;
    atom_form a;
    if (!forms_.reference(n, a)) return none;
    const tensor_info& t = names_.tensors()[a.tensor];
    return t.boolean || t.stepped ? none : a.tensor;
  }

  // Puts the axis along which an operator works behind the others of its operands: that of the
  // attribute `axis`, the dotted one of the left side, or the last one there; for an operator whose
  // result lacks it, the last one that is not there.
  constexpr bool turn(const equation_node& n, const call_place& at,
                      view<attribute_value> attributes, const definition_instance& made,
                      table<defined_operand>& operands) {
    text_view along;
    if (!axis_of(n, at, attributes, made.keeps_axis(), operands[0].labels, along)) return false;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      table<text_view>& labels = operands[i].labels;
      if (made.trailing(i) != 1 || !wf::detail::has_label(labels, along)) continue;
      table<text_view> turned;
      for (text_view each : labels)
        if (!(each == along)) turned.push_back(each);
      turned.push_back(along);
      labels = static_cast<table<text_view>&&>(turned);
    }
    return true;
  }
  constexpr bool axis_of(const equation_node& n, const call_place& at,
                         view<attribute_value> attributes, bool keeps,
                         const table<text_view>& labels, text_view& out) {
    for (const attribute_value& a : attributes) {
      if (!(a.name == "axis")) continue;
      const auto size = static_cast<std::int64_t>(labels.size());
      const std::int64_t place = a.number < 0 ? a.number + size : a.number;
      if (a.kind == attribute_kind::string && wf::detail::has_label(labels, a.characters))
        return out = a.characters, true;
      if (a.kind == attribute_kind::integer && place >= 0 && place < size)
        return out = labels[static_cast<std::size_t>(place)], true;
      text message("Cannot resolve axis specification: ");
      if (a.kind == attribute_kind::string)
        message << a.characters;
      else
        message << a.number;
      return fail(n, message.view());
    }
    out = labels.back();
    const auto on_left = [&](text_view label) {
      for (const term_form& t : at.head.terms)
        if (t.kind == term_kind::variable && t.name == label) return true;
      return false;
    };
    for (text_view label : labels)
      if (!keeps && !on_left(label)) out = label;
    bool dotted = false;
    for (const term_form& t : at.head.terms) {
      if (t.kind != term_kind::variable || !wf::detail::has_label(labels, t.name)) continue;
      if ((keeps && !dotted) || t.dotted) out = t.name;
      dotted = dotted || t.dotted;
    }
    return true;
  }

  // The atom of the result: positions that no operand has are those of the left side.
  constexpr bool atom_of(const equation_node& n, const call_place& at,
                         const definition_instance& made, atom_form& out) {
    out.tensor = made.result();
    out.offset = n.offset;
    const table<text_view>& labels = made.result_labels();
    for (std::size_t i = 0; i < labels.size(); ++i) {
      term_form t;
      t.name = labels[i];
      if (t.name.empty()) {
        if (at.head.terms.size() != labels.size() || at.head.terms[i].kind != term_kind::variable)
          return fail(n, (text() << "which indices has the result of " << n.name
                                 << "? Give it a name of its own: T[i] = " << n.name << "(...)")
                             .view());
        t.name = at.head.terms[i].name;
      }
      out.terms.push_back(t);
    }
    return true;
  }

  const equation_program& tree_;
  name_table& names_;
  form_reader& forms_;
  const index_uses& uses_;
  text_store& made_;
};

}  // namespace wf::logic::detail
