// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/rewrite/canonical/order.hpp>

namespace wf::detail {

/// A node under construction: an operator applied to values of the new graph.
struct term {
  text_view op;
  text_view domain;
  table<value_id> operands;
  table<attribute_value> attributes;
  value_type type;               // type of its only result
  node_id like = node_id::none;  // the source node that it represents

  constexpr value_id a() const { return operands[0]; }
  constexpr value_id b() const { return operands[1]; }
};

/// Rewrites terms by the identities that an algebra allows. Termination: each identity reduces the
/// lexicographic measure (nodes, operands, negated operands, operands out of order).
class identities {
 public:
  constexpr identities(graph_rewriter& r, canonical_order& order, algebra allowed)
      : rewriter_(r), order_(order), allowed_(allowed) {}

  /// Rewrites a term as long as an identity applies. Returns true if an existing value equals the
  /// term, and stores it in `by`.
  constexpr bool apply(term& t, value_id& by) {
    do {
      sort(t);
      if (apply_laws(t, by)) return true;
      changed_ = false;
      if (t.attributes.empty() && apply_rules(t, by)) return true;
    } while (changed_);
    return false;
  }
  /// Sorts the operands of a commutative operator into canonical order.
  constexpr void sort(term& t) {
    if (t.operands.size() != 2 || !order_.before(t.b(), t.a())) return;
    if (!laws_of(t).commutative) return;
    const value_id first = t.b();
    t.operands[1] = t.a();
    t.operands[0] = first;
  }
  /// True if the value `same` can replace a term; then stores it in `by`.
  constexpr bool give(const term& t, value_id same, value_id& by) const {
    if (!rewriter_.stands_for(same, t.type)) return false;
    by = same;
    return true;
  }
  /// The laws of a term's operator on elements of its type.
  constexpr law_set laws_of(const term& t) const {
    const kernel_spec* k = rewriter_.kernel_named(t.op);
    if (k == nullptr) return {};
    dtype type = t.type.type;
    for (value_id operand : t.operands) {
      const dtype d = rewriter_.type_of(operand).type;
      if (is_floating(d) || is_complex(d)) type = d;
    }
    return wf::laws_of(*k, type, allowed_);
  }

 private:
  // --- what laws say of any operator ------------------------------------------------------------

  constexpr bool apply_laws(const term& t, value_id& by) {
    const law_set laws = laws_of(t);
    if (laws.idempotent && t.operands.size() == 2 && t.a() == t.b()) return give(t, t.a(), by);
    if (t.operands.size() != 1) return false;
    const node_id inner = rewriter_.bypassable(t.a(), t.like);
    if (inner == node_id::none) return false;
    const graph_view made = rewriter_.made();
    const node& n = made[inner];
    if (n.inputs.count != 1 || n.outputs.count != 1 || !same_attributes(t, made, n)) return false;
    const bool same = made.op_name(n) == t.op;
    if (same && laws.idempotent) return give(t, t.a(), by);
    const law_set before = detail::laws_of(made, n, rewriter_.kernel_of_made(inner), allowed_);
    if ((same && laws.involution) || (!before.inverse.empty() && before.inverse == t.op))
      return give(t, made.inputs_of(n)[0], by);
    return false;
  }
  constexpr bool same_attributes(const term& t, const graph_view& made, const node& n) const {
    if (n.attributes.count != t.attributes.size()) return false;
    for (const attribute_value& a : t.attributes) {
      const attribute* b = made.find_attribute(n, a.name);
      if (b == nullptr || !(value_of(made, *b) == a)) return false;
    }
    return true;
  }

  // --- what is known of single meanings ---------------------------------------------------------

  constexpr bool apply_rules(term& t, value_id& by) {
    switch (meaning_of(t)) {
      case meaning::addition:
        return add(t, by);
      case meaning::subtraction:
        return subtract(t, by);
      case meaning::multiplication:
        return multiply(t, by);
      case meaning::division:
        return divide(t, by);
      case meaning::negation:
        return negate(t);
      case meaning::magnitude:
      case meaning::square:
        return even(t);
      case meaning::conjunction:
        return decide(t, 1, 0, by);
      case meaning::disjunction:
        return decide(t, 0, 1, by);
      case meaning::choice:
        return choose(t, by);
      default:
        return false;
    }
  }

  // x + -0 is x exactly; x + 0 differs for x = -0.
  constexpr bool add(term& t, value_id& by) {
    for (std::size_t i = 0; i < 2; ++i)
      if (is_zero(t, t.operands[i], -0.0) && give(t, t.operands[1 - i], by)) return true;
    if (const value_id y = negated(t, t.b()); y != value_id::none)
      return become(t, kernels::subtract, t.a(), y);
    if (const value_id x = negated(t, t.a()); x != value_id::none)
      return become(t, kernels::subtract, t.b(), x);
    return false;
  }
  // x - 0 is x exactly; x - x is not 0 for infinities.
  constexpr bool subtract(term& t, value_id& by) {
    if (is_zero(t, t.b(), 0.0) && give(t, t.a(), by)) return true;
    if (const value_id y = negated(t, t.b()); y != value_id::none)
      return become(t, kernels::add, t.a(), y);
    if (!is_ring(t)) return false;
    if (t.a() == t.b()) return fill(t, 0, by);
    if (rewriter_.fill_of(t.a()).is_zero() && rewriter_.has_type(t.b(), t.type))
      return become(t, kernels::negate, t.b());
    return false;
  }
  constexpr bool multiply(term& t, value_id& by) {
    for (std::size_t i = 0; i < 2; ++i) {
      const value_id other = t.operands[1 - i];
      const detail::fill f = rewriter_.fill_of(t.operands[i]);
      if (f.is(1) && give(t, other, by)) return true;
      if (f.is(-1) && rewriter_.has_type(other, t.type)) return become(t, kernels::negate, other);
      if (f.is_zero() && is_ring(t)) return fill(t, 0, by);
    }
    return cancel_negations(t);
  }
  constexpr bool divide(term& t, value_id& by) {
    const detail::fill f = rewriter_.fill_of(t.b());
    if (f.is(1) && give(t, t.a(), by)) return true;
    if (f.is(-1) && rewriter_.has_type(t.a(), t.type)) return become(t, kernels::negate, t.a());
    return cancel_negations(t);
  }
  constexpr bool cancel_negations(term& t) {
    const value_id x = negated(t, t.a()), y = negated(t, t.b());
    return x != value_id::none && y != value_id::none && take(t, x, y);
  }
  // -(x - y) is y - x except for the sign of 0.
  constexpr bool negate(term& t) {
    if (!is_ring(t)) return false;
    const node_id inner = rewriter_.bypassable(t.a(), t.like, meaning::subtraction);
    return inner != node_id::none && become(t, kernels::subtract, rewriter_.made_operand(inner, 1),
                                            rewriter_.made_operand(inner, 0));
  }
  // |-x| is |x|, and (-x)² and |x|² are x².
  constexpr bool even(term& t) {
    if (const value_id x = negated(t, t.a()); x != value_id::none) return take(t, x);
    if (meaning_of(t) == meaning::magnitude || is_complex(t.type.type)) return false;
    const node_id inner = rewriter_.bypassable(t.a(), t.like, meaning::magnitude);
    if (inner == node_id::none) return false;
    const value_id x = rewriter_.made_operand(inner);
    return rewriter_.type_of(x).type == t.type.type && take(t, x);
  }
  // `neutral` yields the other operand, `deciding` determines the result.
  constexpr bool decide(term& t, double neutral, double deciding, value_id& by) {
    for (std::size_t i = 0; i < 2; ++i) {
      const detail::fill f = rewriter_.fill_of(t.operands[i]);
      if (f.is(neutral) && give(t, t.operands[1 - i], by)) return true;
      if (f.is(deciding)) return give(t, t.operands[i], by) || fill(t, deciding, by);
    }
    return false;
  }
  constexpr bool choose(term& t, value_id& by) {
    const detail::fill f = rewriter_.fill_of(t.a());
    if (f.known && give(t, t.operands[f.value != 0 ? 1 : 2], by)) return true;
    if (t.operands[1] == t.operands[2] && give(t, t.operands[1], by)) return true;
    const node_id inner = rewriter_.bypassable(t.a(), t.like, meaning::complement);
    if (inner == node_id::none) return false;
    const value_id no = t.operands[1];
    t.operands[0] = rewriter_.made_operand(inner);
    t.operands[1] = t.operands[2];
    t.operands[2] = no;
    changed_ = true;
    return false;
  }

  // --- what rules are made of -------------------------------------------------------------------

  // True if x - x = 0, 0 - x = -x and 0 x = 0 may be used.
  constexpr bool is_ring(const term& t) const {
    return allowed_ == algebra::real || is_integer(t.type.type);
  }
  // True if a value is a neutral zero; without ring laws only the zero with the bits of `exact` is.
  constexpr bool is_zero(const term& t, value_id id, double exact) const {
    const detail::fill f = rewriter_.fill_of(id);
    return is_ring(t) ? f.is_zero() : f.is(exact);
  }
  // x if a value is -x, else none.
  constexpr value_id negated(const term& t, value_id id) {
    const node_id n = rewriter_.bypassable(id, t.like, meaning::negation);
    return n == node_id::none ? value_id::none : rewriter_.made_operand(n);
  }
  constexpr bool fill(const term& t, double number, value_id& by) {
    by = rewriter_.add_fill(t.like, number, t.type);
    return true;
  }
  // Replaces the operands of the term; false, since no existing value equals it yet.
  constexpr bool take(term& t, value_id a, value_id b = value_id::none) {
    t.operands.clear();
    t.operands.push_back(a);
    if (b != value_id::none) t.operands.push_back(b);
    changed_ = true;
    return false;
  }
  // Turns the term into an operator with the meaning of a built-in one, if the registry has one.
  constexpr bool become(term& t, const kernel_spec& k, value_id a, value_id b = value_id::none) {
    const kernel_spec* const own = rewriter_.counterpart(k);
    if (own == nullptr) return false;
    t.op = own->name;
    t.domain = own->domain;
    return take(t, a, b);
  }
  constexpr meaning meaning_of(const term& t) const {
    return detail::meaning_of(rewriter_.kernel_named(t.op));
  }

  graph_rewriter& rewriter_;
  canonical_order& order_;
  algebra allowed_;
  bool changed_ = false;
};

}  // namespace wf::detail
