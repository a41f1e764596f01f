// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/calls.hpp>
#include <wf/logic/program/factors.hpp>
#include <wf/logic/program/literals.hpp>

namespace wf::logic::detail {

/// Turns the definitions of a syntax tree into rules.
class rule_lowering {
 public:
  constexpr rule_lowering(const equation_program& p, name_table& names, form_reader& forms,
                          tensor_program& out)
      : tree_(p), names_(names), forms_(forms), out_(out), uses_(p, names, forms) {}

  /// Adds the rules of a definition. False after an error, which the reader of forms keeps.
  constexpr bool definition(const equation_statement& s) {
    definition_form d;
    if (!forms_.head(s, d.head, d.initial)) return false;
    if (s.projection == projection::combined && names_.tensors()[d.head.tensor].combining.empty())
      return forms_.fail(s.offset, "an operator is defined by the signs =, +=, max=, min=, avg=");
    head_ = d.head;
    d.projection = s.projection;
    sums_ = s.projection == wf::projection::plain ? wf::projection::plain : wf::projection::sum;
    indices_.clear();
    for (const term_form& t : d.head.terms)
      if (t.kind == term_kind::variable) indices_.push_back(t.name);
    uses_.collect(s.root, indices_);
    const bool projects = s.projection != projection::plain && s.projection != projection::sum;
    if (!s.adds || !projects) return contribute(s.root, d);
    // What this definition projects is an addend of the head.
    definition_form inner = d;
    inner.head.tensor = temporary(d.head, d.projection);
    rule_draft draft(out_);
    d.projection = projection::sum;
    if (!contribute(s.root, inner)) return false;
    const std::uint32_t value = draft.leaf(scalar_kind::joined, draft.join(inner.head));
    draft.finish(d.head, d.projection, d.initial, value);
    return true;
  }

  /// The axis statements of the definitions of operators.
  constexpr view<equation_statement> axes() const { return axes_; }

 private:
  /// What the rules of a definition share.
  struct definition_form {
    atom_form head;
    wf::projection projection = wf::projection::plain;
    bool initial = false;
  };

  constexpr const equation_node& node(std::uint32_t i) const { return tree_.nodes[i]; }
  constexpr std::uint32_t child(const equation_node& n, std::uint32_t i) const {
    return child_of(tree_, n, i);
  }
  constexpr bool is_boolean(const definition_form& d) const {
    return names_.tensors()[d.head.tensor].boolean;
  }

  static constexpr bool has(const table<text_view>& list, text_view wanted) {
    return index_uses::has(list, wanted);
  }
  constexpr bool is_index(text_view name) const { return has(indices_, name); }
  constexpr void collect_used(std::uint32_t root, table<text_view>& to) const {
    uses_.collect_used(root, indices_, to);
  }

  // Adds the rules of the additive terms of an expression.
  constexpr bool contribute(std::uint32_t root, const definition_form& d, bool negative = false) {
    const equation_node& n = node(root);
    const bool sums = adds_terms(d.projection);
    if (sums && n.kind == equation_kind::sum)
      return contribute(child(n, 0), d, negative) && contribute(child(n, 1), d, negative);
    if (is_boolean(d)) return boolean_rule(root, d);
    if (!sums) return pointwise_rule(root, d);
    if (n.kind == equation_kind::difference)
      return contribute(child(n, 0), d, negative) && contribute(child(n, 1), d, !negative);
    if (n.kind == equation_kind::negation) return contribute(child(n, 0), d, !negative);
    return product_rule(root, d, negative);
  }

  // A conjunction of relations, complements and comparisons. A factor with values holds where it
  // has an entry that is not 0, an index where it is not 0.
  constexpr bool boolean_rule(std::uint32_t root, const definition_form& d) {
    if (d.projection != wf::projection::plain)
      return forms_.fail(d.head.offset, "a Boolean left side is defined by '='");
    table<factor> factors;
    bool negative = false;
    append_factors(tree_, root, false, factors, negative);
    rule_draft draft(out_);
    for (const factor& f : factors) {
      const equation_node& n = node(f.node);
      if (f.inverse || negative)
        return forms_.fail(n.offset, "a Boolean has no quotients or signs");
      bool done = false;
      if (!condition(n, draft, done)) return false;
      if (done || (n.kind == equation_kind::number && n.number == 1)) continue;
      atom_form a;
      if (n.kind != equation_kind::reference)
        return forms_.fail(n.offset, "a factor of a Boolean is a relation, !R(i) or [i < j]");
      if (!n.labelled && is_index(n.name)) {
        draft.compare({comparison_sign::different,
                       draft.leaf(scalar_kind::variable, draft.variable(n.name)), draft.number(0)});
        continue;
      }
      if (!forms_.reference(n, a)) return false;
      const std::uint32_t joined = draft.join(a);
      if (!adds_terms(names_.tensors()[a.tensor].projection)) continue;
      draft.compare(
          {comparison_sign::different, draft.leaf(scalar_kind::joined, joined), draft.number(0)});
    }
    draft.finish(d.head, d.projection, d.initial, none);
    return true;
  }

  // Adds a factor that is true or false; `done` tells whether it is one.
  constexpr bool condition(const equation_node& n, rule_draft& draft, bool& done) {
    done = true;
    atom_form a;
    switch (n.kind) {
      case equation_kind::call:
        if (names_.function(n) != nullptr) break;
        if (!names_.takes_indices(n) && names_.find(n.name) == none)
          return forms_.fail(n.offset, names_.refusal(n).view());
        if (!forms_.relation(n, a)) return false;
        draft.join(a);
        return true;
      case equation_kind::complement:
        if (!forms_.relation(node(child(n, 0)), a)) return false;
        draft.negate(a);
        return true;
      case equation_kind::comparison:
        return compare(n, draft);
      case equation_kind::parity:
        draft.compare({comparison_sign::equal, parity_of(tree_, n, draft), draft.number(1)});
        return true;
      default:
        break;
    }
    done = false;
    return true;
  }
  constexpr bool compare(const equation_node& n, rule_draft& draft) {
    comparison c{comparison_sign_of(n.name)};
    std::uint32_t* const sides[] = {&c.left, &c.right};
    for (std::uint32_t i = 0; i < 2; ++i) {
      const equation_node& side = node(child(n, i));
      if (side.kind == equation_kind::symbol) {
        const equation_node& other = node(child(n, 1 - i));
        if (other.kind != equation_kind::reference || other.labelled || !is_index(other.name))
          return forms_.fail(side.offset, "a symbol is compared with an index: [x != 'a']");
        scalar_node s;
        s.kind = scalar_kind::symbol;
        s.index = draft.variable(other.name);
        s.name = text(side.name);
        *sides[i] = draft.scalar(s);
      } else if (!pointwise(child(n, i), draft, *sides[i])) {
        return false;
      }
    }
    draft.compare(c);
    return true;
  }

  // A sum that does not depend on some index of the left side is computed once, for all positions.
  constexpr bool repeated_sum(std::uint32_t root, const definition_form& d, bool negative) {
    table<text_view> used;
    collect_used(root, used);
    definition_form once;
    once.projection = d.projection;
    once.head.offset = d.head.offset;
    for (const term_form& t : d.head.terms)
      if (t.kind == term_kind::variable && has(used, t.name))
        once.head.terms.push_back({term_kind::variable, t.name, 1, 0});
    once.head.tensor = temporary(once.head, d.projection);
    if (!product_rule(root, once, negative)) return false;
    rule_draft draft(out_);
    const std::uint32_t value = draft.leaf(scalar_kind::joined, draft.join(once.head));
    draft.finish(d.head, d.projection, d.initial, value);
    return true;
  }
  // A product whose indices that are not on the left are summed over.
  constexpr bool product_rule(std::uint32_t root, const definition_form& d, bool negative) {
    if (d.projection != projection::mean && !d.initial &&
        uses_.repeats_sum(root, indices_, d.head.terms))
      return repeated_sum(root, d, negative);
    table<factor> factors;
    append_factors(tree_, root, false, factors, negative);
    rule_draft draft(out_);
    std::uint32_t value = none;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      bool done = false;
      if (!condition(node(factors[i].node), draft, done)) return false;
      if (done && factors[i].inverse)
        return forms_.fail(node(factors[i].node).offset, "nothing is divided by a truth value");
      if (done) continue;
      table<text_view> needed;
      for (const term_form& t : d.head.terms) needed.push_back(t.name);
      for (std::size_t k = 0; k < factors.size(); ++k)
        if (k != i) collect_used(factors[k].node, needed);
      std::uint32_t v = none;
      if (!factor_value(factors[i].node, needed, draft, v)) return false;
      if (value == none && factors[i].inverse) value = draft.number(1);
      value = value == none
                  ? v
                  : draft.combine(factors[i].inverse ? scalar_kind::quotient : scalar_kind::product,
                                  value, v);
    }
    if (negative)
      value = value == none ? draft.number(-1) : draft.combine(scalar_kind::negation, value);
    draft.finish(d.head, d.projection, d.initial, value);
    return true;
  }

  // The value of a factor: a number, an index, an entry, or that of a nested expression.
  constexpr bool factor_value(std::uint32_t root, const table<text_view>& needed, rule_draft& draft,
                              std::uint32_t& out) {
    const equation_node& n = node(root);
    if (n.kind == equation_kind::number) return out = draft.number(n.number), true;
    if (n.kind == equation_kind::reference) return joined(n, draft, out);
    if (n.kind == equation_kind::list) return literal(n, draft, out);
    if (n.kind == equation_kind::symbol)
      return forms_.fail(n.offset, "a symbol is no number: it stands at an index of a relation");
    return nested(root, needed, draft, out);
  }
  // The entries of a list, which stand at the indices of the left side.
  constexpr bool literal(const equation_node& n, rule_draft& draft, std::uint32_t& out) {
    tensor_literal made;
    if (!literal_reader(tree_, forms_).read(n, head_.terms.size(), made)) return false;
    atom_form a = head_;
    a.offset = n.offset;
    a.step = 0;
    a.tensor = made.tensor = temporary(a, projection::sum);
    out_.literals.push_back(static_cast<tensor_literal&&>(made));
    out = draft.leaf(scalar_kind::joined, draft.join(a));
    return true;
  }
  constexpr bool joined(const equation_node& n, rule_draft& draft, std::uint32_t& out) {
    if (!n.labelled && is_index(n.name)) {
      out = draft.leaf(scalar_kind::variable, draft.variable(n.name));
      return true;
    }
    atom_form a;
    if (!forms_.reference(n, a)) return false;
    out = draft.leaf(scalar_kind::joined, draft.join(a));
    return true;
  }

  // A new tensor with the terms of a head.
  constexpr std::uint32_t temporary(const atom_form& head, wf::projection projection) {
    text name;
    name << '#' << ++temporaries_;
    const std::uint32_t made = names_.add(name.view());
    tensor_info& t = names_.tensors()[made];
    t.part_of = names_.owner_of(head_.tensor);
    t.temporary = t.defined = t.ranked = true;
    t.rank = static_cast<std::uint32_t>(head.terms.size());
    t.projection = projection == wf::projection::plain ? wf::projection::sum : projection;
    t.offset = head.offset;
    return made;
  }
  // The value of a power or a choice, whose parts `value(part, out)` computes.
  template <class Value>
  constexpr bool of_parts(const equation_node& n, rule_draft& draft, std::uint32_t& out,
                          Value&& value) {
    table<std::uint32_t> parts(n.children.count);
    for (std::uint32_t i = 0; i < n.children.count; ++i)
      if (!value(child(n, i), parts[i])) return false;
    if (n.kind == equation_kind::power) {
      out = draft.combine(scalar_kind::power, parts[0], parts[1]);
      return true;
    }
    std::uint32_t pairs = n.children.count / 2;
    out = n.children.count % 2 == 1 ? parts[n.children.count - 1] : draft.number(0);
    while (pairs-- > 0) {
      scalar_node s;
      s.kind = scalar_kind::choice;
      s.left = parts[2 * pairs];
      s.right = parts[2 * pairs + 1];
      s.other = out;
      out = draft.scalar(s);
    }
    return true;
  }

  // A nested expression: computed where it stands, or a tensor of its own if it sums. Where that
  // has no entry, the operand of a function is zero, and a product has no value.
  constexpr bool nested(std::uint32_t root, const table<text_view>& needed, rule_draft& draft,
                        std::uint32_t& out, bool operand = false) {
    if (uses_.is_pointwise(root, needed)) return pointwise(root, draft, out);
    const equation_node& n = node(root);
    if (n.kind == equation_kind::call) return function(n, needed, draft, out, operand);
    if (n.kind == equation_kind::power || n.kind == equation_kind::choice)
      return of_parts(n, draft, out, [&](std::uint32_t part, std::uint32_t& value) {
        return nested(part, needed, draft, value);
      });
    definition_form d;
    table<text_view> own;
    if (n.kind == equation_kind::reduction) {
      for (std::uint32_t i = 0; i < n.indices.count; ++i)
        own.push_back(tree_.indices[n.indices.first + i].name);
      d.projection = projection_of(n.name);
    } else {
      d.projection = sums_;
    }
    const std::uint32_t inner = n.kind == equation_kind::reduction ? child(n, 0) : root;
    table<text_view> used;
    collect_used(inner, used);
    for (text_view name : used) {
      bool is_new = has(needed, name) && !has(own, name);
      for (const term_form& t : d.head.terms) is_new = is_new && !(t.name == name);
      if (is_new) d.head.terms.push_back({term_kind::variable, name, 1, 0});
    }
    if (d.head.terms.size() > max_rank)
      return forms_.fail(n.offset, "the value of a nested expression has at most 8 indices");
    d.head.offset = n.offset;
    d.head.tensor = temporary(d.head, d.projection);
    if (!contribute(inner, d)) return false;
    out = operand ? draft.leaf(scalar_kind::looked_up, draft.look_up(d.head))
                  : draft.leaf(scalar_kind::joined, draft.join(d.head));
    return true;
  }
  // The value of a call: that of an elementwise operator where it stands, else of the equations
  // that define it. As an operand of others it is 0 where it has no entry.
  constexpr bool function(const equation_node& n, const table<text_view>& needed, rule_draft& draft,
                          std::uint32_t& out, bool operand = true) {
    const kernel_spec* const k = names_.function(n);
    if (k == nullptr) return forms_.fail(n.offset, names_.refusal(n).view());
    if (!name_table::is_elementwise(k)) return defined(n, *k, needed, draft, out, operand);
    scalar_node f = function_node(*k);
    table<std::uint32_t> arguments;
    table<attribute_value> attributes;
    if (!calls().arguments(n, *parse_signature(k->signature), arguments, attributes)) return false;
    if (arguments.size() < 1 || arguments.size() > 3)
      return forms_.fail(n.offset, (text() << n.name << " has not one to three operands").view());
    f.attributes = {static_cast<std::uint32_t>(out_.attributes.size()),
                    static_cast<std::uint32_t>(attributes.size())};
    out_.attributes.append(attributes);
    std::uint32_t* const operands[] = {&f.left, &f.right, &f.other};
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (!nested(arguments[i], uses_.needed_in(arguments[i], needed), draft, *operands[i], true))
        return false;
    out = draft.scalar(f);
    return true;
  }
  constexpr call_lowering calls() { return {tree_, names_, forms_, uses_, out_.made}; }
  constexpr bool defined(const equation_node& n, const kernel_spec& k,
                         const table<text_view>& needed, rule_draft& draft, std::uint32_t& out,
                         bool operand) {
    if (k.definition.empty() && k.write_definition == nullptr)
      return forms_.fail(n.offset, (text() << n.name << " does not work element by element, and no "
                                           << "equations define it")
                                       .view());
    const auto tensor_of = [&](std::uint32_t root, const table<text_view>& labels) {
      definition_form d;
      d.projection = sums_;
      d.head.offset = n.offset;
      for (text_view name : labels) d.head.terms.push_back({term_kind::variable, name, 1, 0});
      d.head.tensor = temporary(d.head, d.projection);
      return contribute(root, d) ? d.head.tensor : none;
    };
    atom_form a;
    if (!calls().lower(
            n, k, {head_, needed, indices_}, tensor_of,
            [&](const equation_statement& s) {
              const std::uint32_t made = temporary({}, s.projection);
              names_.tensors()[made].ranked = false;
              return made;
            },
            [&](const definition_instance& made) { return define(made, n.offset); }, a))
      return false;
    out = operand ? draft.leaf(scalar_kind::looked_up, draft.look_up(a))
                  : draft.leaf(scalar_kind::joined, draft.join(a));
    return true;
  }
  // Adds the rules of a definition.
  constexpr error define(const definition_instance& made, std::uint32_t offset) {
    if (depth_ == most_depth)
      return make_error(errc::bad_equation, "", "it leads to itself, or has over 16 levels");
    form_reader forms(made.tree(), made.source(), names_);
    rule_lowering inner(made.tree(), names_, forms, out_);
    inner.temporaries_ = temporaries_;
    inner.depth_ = depth_ + 1;
    for (const equation_statement& s : made.tree().statements) {
      if (s.kind == equation_statement_kind::axis) {
        inner.axes_.push_back(s);
        inner.axes_.back().offset = offset;
      } else if (!inner.definition(s)) {
        return forms.failure();
      }
    }
    temporaries_ = inner.temporaries_;
    axes_.append(inner.axes_);
    return {};
  }

  // The value of an expression that sums over nothing; entries that are absent count as the zero of
  // their tensor.
  constexpr bool pointwise(std::uint32_t root, rule_draft& draft, std::uint32_t& out) {
    const equation_node& n = node(root);
    if (n.kind == equation_kind::number) return out = draft.number(n.number), true;
    if (n.kind == equation_kind::reference && !n.labelled && is_index(n.name))
      return joined(n, draft, out);
    if (n.kind == equation_kind::reference) {
      atom_form a;
      if (!forms_.reference(n, a)) return false;
      out = draft.leaf(scalar_kind::looked_up, draft.look_up(a));
      return true;
    }
    if (n.kind == equation_kind::call) {
      table<text_view> all = indices_;
      return function(n, all, draft, out);
    }
    if (n.kind == equation_kind::parity) return out = parity_of(tree_, n, draft), true;
    if (n.kind == equation_kind::power || n.kind == equation_kind::choice)
      return of_parts(n, draft, out, [&](std::uint32_t part, std::uint32_t& value) {
        return pointwise(part, draft, value);
      });
    scalar_kind kind = scalar_kind::number;
    if (!arithmetic(n, kind)) return false;
    std::uint32_t left = none, right = none;
    if (!pointwise(child(n, 0), draft, left)) return false;
    if (n.children.count == 2 && !pointwise(child(n, 1), draft, right)) return false;
    out = draft.combine(kind, left, right);
    return true;
  }
  constexpr bool arithmetic(const equation_node& n, scalar_kind& out) {
    out = arithmetic_of(n.kind);
    return out != scalar_kind::number ||
           forms_.fail(n.offset, "numbers, entries, indices and + - * / can stand here");
  }

  // The right side of `min=`, `max=` or an operator's sign: one expression, computed for every
  // binding of its indices.
  constexpr bool pointwise_rule(std::uint32_t root, const definition_form& d) {
    rule_draft draft(out_);
    std::uint32_t value = none;
    const kernel_spec* const outer = addition_;
    addition_ = names_.addition_of(names_.tensors()[d.head.tensor]);
    const bool done = binding_value(root, draft, value);
    addition_ = outer;
    if (done) draft.finish(d.head, d.projection, d.initial, value);
    return done;
  }
  // The value for one binding; `none` for an expression that is only true or false.
  constexpr bool binding_value(std::uint32_t root, rule_draft& draft, std::uint32_t& out) {
    const equation_node& n = node(root);
    out = none;
    bool done = false;
    if (!condition(n, draft, done) || done) return done;
    if (n.kind == equation_kind::number) return out = draft.number(n.number), true;
    if (n.kind == equation_kind::reference) return joined(n, draft, out);
    if (is_multiplication(names_, n, addition_)) return product_of(n, draft, out);
    if (n.kind == equation_kind::reduction || n.kind == equation_kind::call ||
        n.kind == equation_kind::power || n.kind == equation_kind::choice)
      return nested(root, indices_, draft, out);
    scalar_kind kind = scalar_kind::number;
    if (!arithmetic(n, kind)) return false;
    std::uint32_t left = none, right = none;
    if (!binding_value(child(n, 0), draft, left)) return false;
    if (n.children.count == 2 && !binding_value(child(n, 1), draft, right)) return false;
    if (kind == scalar_kind::negation || kind == scalar_kind::difference) {
      if (right == none && kind == scalar_kind::difference) return out = left, true;
      if (kind == scalar_kind::negation) right = left, left = none;
      if (right == none) return true;
      out = left == none ? draft.combine(scalar_kind::negation, right)
                         : draft.combine(scalar_kind::difference, left, right);
      return true;
    }
    if (right == none) return out = left, true;
    if (left == none && kind == scalar_kind::quotient) left = draft.number(1);
    out = left == none ? right : draft.combine(kind, left, right);
    return true;
  }
  constexpr bool product_of(const equation_node& n, rule_draft& draft, std::uint32_t& out) {
    scalar_node f = multiplication_node(*names_.function(n));
    if (!binding_value(child(n, 0), draft, f.left) || !binding_value(child(n, 1), draft, f.right))
      return false;
    out = f.left == none ? f.right : f.right == none ? f.left : draft.scalar(f);
    return true;
  }

  const equation_program& tree_;
  name_table& names_;
  form_reader& forms_;
  tensor_program& out_;
  index_uses uses_;
  const kernel_spec* addition_ = nullptr;  // of the rule under `max=`, `min=` or an operator's sign
  atom_form head_;                         // of the definition
  table<text_view> indices_;               // of it
  wf::projection sums_ = wf::projection::plain;  // how its nested expressions sum
  std::uint32_t temporaries_ = 0;
  static constexpr std::uint32_t most_depth = 16;
  std::uint32_t depth_ = 0;  // of definitions in definitions
  table<equation_statement> axes_;
};

}  // namespace wf::logic::detail
