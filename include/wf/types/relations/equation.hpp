// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/formula/language/parse.hpp>
#include <wf/types/network.hpp>

namespace wf::detail {

/// The formula of a signature for an extent of a result.
struct extent_formula {
  text_view source;                     ///< the formula
  table<text_view> names;               ///< its symbols that stand for extents
  table<attribute_value> attributes;    ///< the node's attributes, which it may also name
  const signature* declared = nullptr;  ///< the signature, for their defaults
};

/// Solves equations between extents for the missing one: exactly, by polynomials in the symbols.
/// Each function returns true if nothing more can follow, because all is known or contradicted; if
/// two extents are missing, or the equation is not linear in the missing one, nothing follows yet.
/// (An extent defined by a rounded quotient, as for a strided window, may have several solutions
/// and is left open.)
class extent_equations {
 public:
  /// Equations between variables of `network`, which must outlive this object.
  constexpr explicit extent_equations(type_network& network) : network_(network) {}

  /// v0 = v1 + v2 + ... + more.
  constexpr bool sum(node_id node, view<variable> v, std::int64_t more) {
    polynomial total(more), one;
    variable unknown = no_variable;
    for (std::size_t k = 1; k < v.size(); ++k)
      if (!term(v[k], unknown, one) || accumulate(total, one) != errc::none) return false;
    if (unknown == no_variable) {
      extent e;
      if (network_.extent_of(total, e))
        network_.settle(v[0], e, node);
      else
        unsolvable(node, v[0]);
      return true;
    }
    if (!term(v[0], unknown, one) || add_scaled(total, one, rational(-1)) != errc::none)
      return false;
    return solve_equation(node, unknown, total);
  }

  /// The product of the first `split` extents, those of `left`, equals the product of the others,
  /// those of `right`.
  constexpr bool product(node_id node, view<variable> v, std::size_t split, shape_number left,
                         shape_number right) {
    if (is_one(v, 0, split)) return make_ones(node, v, split, v.size());
    if (is_one(v, split, v.size())) return make_ones(node, v, 0, split);
    polynomial sides[2] = {polynomial(1), polynomial(1)}, one;
    variable unknown = no_variable;
    for (std::size_t k = 0; k < v.size(); ++k) {
      polynomial& side = sides[k < split ? 0 : 1];
      if (!term(v[k], unknown, one) || multiply(side, one, side) != errc::none) return false;
    }
    if (subtract(sides[0], sides[1], one) != errc::none) return false;
    if (unknown != no_variable) return solve_equation(node, unknown, one);
    if (!one.is_zero()) elements_differ(node, left, right);
    return true;
  }
  /// v0 equals the formula of the others, in the order of its names.
  constexpr bool formula(node_id node, view<variable> v, const extent_formula& f) {
    bound_dimensions bindings;
    variable unknown = no_variable;
    for (std::size_t k = 1; k < v.size(); ++k) {
      extent e = network_.variables().extent_of(v[k]);
      if (e.is_unknown()) {
        if (unknown != no_variable &&
            network_.variables().find(unknown) != network_.variables().find(v[k]))
          return false;
        unknown = v[k];
        e = extent(missing);
      }
      bindings.bind(f.names[k - 1], e);
    }
    const graph_view atoms = network_.atoms().view();
    rule_input in;
    in.attributes = f.attributes;
    in.graph = &atoms;
    in.declared = f.declared;
    if (unknown == no_variable) return conclude(node, v[0], f.source, bindings, in);
    polynomial whole, value;
    if (network_.variables().extent_of(v[0]).is_unknown() || !term(v[0], unknown, whole))
      return false;
    const auto parsed = parse_formula(f.source);
    if (!parsed) return true;
    const auto made = evaluate_symbolic(*parsed, dimension_lookup{bindings, in});
    if (!made || subtract(*made, whole, value) != errc::none) return false;
    return solve_equation(node, unknown, value);
  }

 private:
  // The unknown: a symbol that no graph has, since its name would begin with a digit.
  static constexpr symbol missing{54};

  // The polynomial of an extent; the symbol `missing` for the unknown class. False if there are two
  // unknown classes, or the extent has no polynomial.
  constexpr bool term(variable v, variable& unknown, polynomial& out) {
    const extent e = network_.variables().extent_of(v);
    if (!e.is_unknown()) return network_.polynomial_of(e, out);
    if (unknown != no_variable &&
        network_.variables().find(unknown) != network_.variables().find(v))
      return false;
    unknown = v;
    out = polynomial(missing);
    return true;
  }

  // Solves p = 0 for the unknown extent, if p is linear in it.
  constexpr bool solve_equation(node_id node, variable unknown, const polynomial& p) {
    if (p.degree_in(missing) > 1) return false;
    polynomial factor, rest, solution;
    if (coefficient_of(p, missing, 1, factor) != errc::none ||
        coefficient_of(p, missing, 0, rest) != errc::none || negate(rest, rest) != errc::none)
      return false;
    if (factor.is_zero()) {
      if (!rest.is_zero()) unsolvable(node, unknown);
      return true;
    }
    if (divide(rest, factor, solution) != errc::none) return false;
    extent e;
    if (network_.extent_of(solution, e))
      network_.settle(unknown, e, node);
    else
      unsolvable(node, unknown);
    return true;
  }
  constexpr void unsolvable(node_id node, variable v) {
    const value_id owner = network_.variables().owner(v);
    text sentence("no extent fits");
    if (owner != value_id::none) {
      sentence.clear();
      sentence << label_of(network_.graph(), owner).view() << " can have no extent in dimension "
               << network_.variables().dimension(v) << " ("
               << network_.label(network_.known_shape(type_network::shape_of(owner))).view() << ')';
    }
    network_.contradict(node, errc::shape_mismatch, sentence.view(), owner);
  }

  constexpr void elements_differ(node_id node, shape_number left, shape_number right) {
    text sentence("the numbers of elements differ: ");
    for (shape_number s : {left, right})
      sentence << (s == left ? "" : " but ")
               << label_of(network_.graph(), static_cast<value_id>(s)).view() << " is "
               << network_.label(network_.known_shape(s)).view();
    network_.contradict(node, errc::shape_mismatch, sentence.view());
  }
  // If a product is 1, so are all its factors.
  constexpr bool is_one(view<variable> v, std::size_t first, std::size_t end) {
    for (std::size_t k = first; k < end; ++k)
      if (!(network_.variables().extent_of(v[k]) == extent(1))) return false;
    return true;
  }
  constexpr bool make_ones(node_id node, view<variable> v, std::size_t first, std::size_t end) {
    bool ok = true;
    for (std::size_t k = first; k < end && ok; ++k) ok = network_.settle(v[k], extent(1), node);
    return true;
  }

  constexpr bool conclude(node_id node, variable to, text_view source,
                          const bound_dimensions& bindings, const rule_input& in) {
    table<text> derived;
    const auto made = dimension_of(source, bindings, in, derived);
    if (!made) {
      network_.contradict(node, made.error().code, made.error().message.view());
      return true;
    }
    extent e = *made;
    if (e.is_derived()) e = network_.atoms().add_derived(derived[e.index()].view());
    network_.settle(to, e, node);
    return true;
  }

  type_network& network_;
};

}  // namespace wf::detail
