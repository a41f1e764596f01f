// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/infer.hpp>
#include <wf/rewrite/rewrite.hpp>

namespace wf {

namespace detail {

/// Which dimension of the operand each dimension of the result is.
struct permutation {
  std::uint32_t of[max_rank] = {};
  std::uint32_t rank = 0;

  constexpr bool is_identity() const {
    for (std::uint32_t d = 0; d < rank; ++d)
      if (of[d] != d) return false;
    return true;
  }
  /// True if it exchanges the last two dimensions and nothing else.
  constexpr bool is_transpose() const {
    if (rank < 2 || of[rank - 1] != rank - 2 || of[rank - 2] != rank - 1) return false;
    for (std::uint32_t d = 0; d + 2 < rank; ++d)
      if (of[d] != d) return false;
    return true;
  }
  /// The permutation of a result of this one by another one.
  constexpr permutation then(const permutation& next) const {
    permutation out;
    out.rank = rank;
    for (std::uint32_t d = 0; d < rank; ++d) out.of[d] = of[next.of[d]];
    return out;
  }
};

/// True if the conversion from one element type to another keeps every value.
constexpr bool is_lossless(dtype from, dtype to) {
  if (from == to) return true;
  if (from == dtype::boolean) return is_number(to) && !is_complex(to);
  // Bits of magnitude, of integers; significant bits and range, of floating-point numbers.
  if (is_integer(from) && is_integer(to))
    return magnitude_bits(from) <= magnitude_bits(to) && (is_unsigned(from) || !is_unsigned(to));
  if (is_integer(from) && is_floating(to)) {
    const int digits = to == dtype::f64 ? 53 : to == dtype::f32 ? 24 : to == dtype::bf16 ? 8 : 11;
    return magnitude_bits(from) <= digits;
  }
  if (is_floating(from) && is_floating(to)) return size_of(from) < size_of(to);
  return from == dtype::c64 && to == dtype::c128;
}

/// Takes away operators that only move elements, where others do the same with fewer.
class view_eliminator {
 public:
  constexpr view_eliminator(const graph_view& g, const registry& r) : rewriter_(g, r) {}

  constexpr result<graph> run() {
    if (error e = rewriter_.start(); e.code != errc::none) return e;
    for (node_id id : rewriter_.order()) {
      if (rewrite(id)) continue;
      if (error e = rewriter_.copy(id); e.code != errc::none) return e;
    }
    return rewriter_.finish();
  }

 private:
  constexpr bool rewrite(node_id id) {
    const graph_view& g = rewriter_.source();
    const node& n = g[id];
    const kernel_spec* k = rewriter_.kernel_of(n);
    if (k == nullptr || n.inputs.count == 0 || n.outputs.count != 1 || !rewriter_.is_free(id))
      return false;
    node_ = id;
    operand_ = rewriter_.place(g.inputs_of(n)[0]);
    result_ = graph_view::output_of(n);
    switch (k->meaning) {
      case meaning::reshape:
      case meaning::repetition:
        return restate(k->meaning);
      case meaning::permutation:
      case meaning::transposition:
        return permute(k->meaning);
      case meaning::rearrangement:
        return is_identity_equation() && rewriter_.replace(result_, operand_);
      case meaning::slice:
        return slice();
      case meaning::padding:
        return pad();
      case meaning::concatenation:
        return concat();
      case meaning::conversion:
        return cast();
      case meaning::copy:
        return rewriter_.bypassable(operand_, node_, meaning::copy) != node_id::none &&
               rewriter_.replace(result_, operand_);
      default:
        return k->laws.elementwise && broadcast_operands(*k);
    }
  }

  // Of a reshape only the last one counts, and of a broadcast; to the same shape neither.
  constexpr bool restate(meaning m) {
    if (rewriter_.replace(result_, operand_)) return true;
    const node_id inner = rewriter_.bypassable(operand_, node_, m);
    if (inner == node_id::none) return false;
    const value_id origin = rewriter_.made_operand(inner);
    return rewriter_.replace(result_, origin) || add_like_source(origin);
  }

  // The same operator with the same attributes on another operand.
  constexpr bool add_like_source(value_id operand) {
    return add({&operand, 1}, rewriter_.attributes_of(node_));
  }
  constexpr bool add(view<value_id> operands, view<attribute_value> attributes) {
    const graph_view& g = rewriter_.source();
    const operation& o = g.operations[g[node_].op];
    return add(g.text_of(o.name), g.text_of(o.domain), operands, attributes);
  }
  // A node of what a built-in operator means, if the registry has such.
  constexpr bool add(const kernel_spec& builtin, view<value_id> operands,
                     view<attribute_value> attributes) {
    const kernel_spec* const k = rewriter_.counterpart(builtin);
    return k != nullptr && add(k->name, k->domain, operands, attributes);
  }
  constexpr bool add(text_view op, text_view domain, view<value_id> operands,
                     view<attribute_value> attributes) {
    const auto type = rewriter_.translated_type(result_);
    if (!type) return false;
    rewriter_.put(result_, rewriter_.add(node_, op, domain, attributes, operands, *type));
    return true;
  }

  // The permutation that a node of a meaning is; of rank 0 if it is none.
  static constexpr permutation permutation_of(const graph_view& g, const node& n, meaning m) {
    permutation p;
    const shape& s = g[g.inputs_of(n)[0]].type.shape;
    if (!s.has_rank()) return p;
    if (m == meaning::transposition && s.rank >= 2) {
      p.rank = s.rank;
      for (std::uint32_t d = 0; d < s.rank; ++d) p.of[d] = d;
      p.of[s.rank - 1] = s.rank - 2;
      p.of[s.rank - 2] = s.rank - 1;
    } else if (m == meaning::permutation) {
      for (std::uint32_t d = 0; d < s.rank; ++d) {
        const std::int64_t from = g.integer_attribute(n, permuted_dimension_names[d], -1);
        if (from < 0 || from >= s.rank) return {};
        p.of[d] = static_cast<std::uint32_t>(from);
      }
      p.rank = s.rank;
    }
    return p;
  }
  // Permutations compose to one, which is a transpose where one is enough.
  constexpr bool permute(meaning own) {
    const graph_view& g = rewriter_.source();
    permutation p = permutation_of(g, g[node_], own);
    if (p.rank == 0) return false;
    value_id origin = operand_;
    if (const node_id inner = rewriter_.bypassable(operand_, node_); inner != node_id::none) {
      const graph_view made = rewriter_.made();
      const permutation first =
          permutation_of(made, made[inner], meaning_of(rewriter_.kernel_of_made(inner)));
      if (first.rank == p.rank) {
        p = first.then(p);
        origin = rewriter_.made_operand(inner);
      }
    }
    if (p.is_identity() && rewriter_.replace(result_, origin)) return true;
    if (p.is_transpose() && rewriter_.counterpart(kernels::transpose) != nullptr)
      return (own == meaning::permutation || origin != operand_) &&
             add(kernels::transpose, {&origin, 1}, {});
    if (origin == operand_) return false;
    table<attribute_value> attributes;
    for (std::uint32_t d = 0; d < p.rank; ++d)
      attributes.push_back(attribute_value::integer(permuted_dimension_names[d], p.of[d]));
    return add(kernels::permute, {&origin, 1}, attributes);
  }

  // "ij->ij".
  constexpr bool is_identity_equation() const {
    const graph_view& g = rewriter_.source();
    const attribute* a = g.find_attribute(g[node_], "equation");
    if (a == nullptr || a->kind != attribute_kind::string) return false;
    const text_view equation = g.text_of(a->characters);
    const std::size_t arrow = equation.find('-');
    return equation.part(0, arrow) == equation.part(arrow + 2);
  }

  constexpr std::int64_t integer(text_view name) const {
    const graph_view& g = rewriter_.source();
    return g.integer_attribute(g[node_], name, 0);
  }
  static constexpr std::int64_t integer(const graph_view& g, const node& n, text_view name) {
    return g.integer_attribute(n, name, 0);
  }

  // The whole range is the operand; of slices along one dimension the starts add up; a slice of a
  // concatenation may be one of its parts.
  constexpr bool slice() {
    if (integer("start") == 0 && rewriter_.replace(result_, operand_)) return true;
    if (slice_of_concat()) return true;
    const node_id inner = rewriter_.bypassable(operand_, node_, meaning::slice);
    if (inner == node_id::none) return false;
    const graph_view made = rewriter_.made();
    const std::int64_t axis = integer("axis"), first = integer(made, made[inner], "start");
    std::int64_t start = 0;
    const shape& s = rewriter_.source()[result_].type.shape;
    if (integer(made, made[inner], "axis") != axis || axis < 0 || axis >= s.rank ||
        !checked_add(first, integer("start"), start))
      return false;
    const extent length = s[static_cast<std::size_t>(axis)];
    if (!length.is_fixed()) return false;
    const value_id origin = rewriter_.made_operand(inner);
    const attribute_value attributes[] = {attribute_value::integer("axis", axis),
                                          attribute_value::integer("start", start),
                                          attribute_value::dimension("length", length)};
    return add({&origin, 1}, attributes);
  }
  constexpr bool slice_of_concat() {
    const node_id inner = rewriter_.bypassable(operand_, node_, meaning::concatenation);
    if (inner == node_id::none) return false;
    const graph_view made = rewriter_.made();
    if (integer(made, made[inner], "axis") != integer("axis")) return false;
    std::int64_t start = 0;
    for (value_id part : made.inputs_of(made[inner])) {
      const shape& s = made[part].type.shape;
      if (integer("axis") < 0 || integer("axis") >= s.rank) return false;
      const extent length = s[static_cast<std::size_t>(integer("axis"))];
      if (start == integer("start") && rewriter_.replace(result_, part)) return true;
      if (!length.is_fixed() || !checked_add(start, length.size(), start)) return false;
    }
    return false;
  }

  // No zeros at all are the operand; zeros around zeros add up.
  constexpr bool pad() {
    if (integer("before") == 0 && integer("after") == 0 && rewriter_.replace(result_, operand_))
      return true;
    const node_id inner = rewriter_.bypassable(operand_, node_, meaning::padding);
    if (inner == node_id::none) return false;
    const graph_view made = rewriter_.made();
    std::int64_t before = 0, after = 0;
    if (integer(made, made[inner], "axis") != integer("axis") ||
        !checked_add(integer("before"), integer(made, made[inner], "before"), before) ||
        !checked_add(integer("after"), integer(made, made[inner], "after"), after))
      return false;
    const value_id origin = rewriter_.made_operand(inner);
    const attribute_value attributes[] = {attribute_value::integer("axis", integer("axis")),
                                          attribute_value::integer("before", before),
                                          attribute_value::integer("after", after)};
    return add({&origin, 1}, attributes);
  }

  // The parts of a split in their order are what was split; beside what has no elements, an operand
  // is the whole.
  constexpr bool concat() {
    const graph_view& g = rewriter_.source();
    const view<value_id> operands = g.inputs_of(g[node_]);
    for (value_id part : operands) {
      bool alone = true;
      for (value_id other : operands)
        alone = alone && (other == part || g[other].type.shape.elements() == 0);
      std::size_t times = 0;
      for (value_id other : operands) times += other == part ? 1 : 0;
      if (alone && times == 1 && rewriter_.replace(result_, rewriter_.place(part))) return true;
    }
    const graph_view made = rewriter_.made();
    const node_id origin = rewriter_.bypassable(operand_, node_, meaning::parts);
    if (origin == node_id::none || made[origin].outputs.count != operands.size() ||
        integer(made, made[origin], "axis") != integer("axis"))
      return false;
    for (std::uint32_t k = 0; k < operands.size(); ++k)
      if (rewriter_.place(operands[k]) != graph_view::output_of(made[origin], k)) return false;
    return rewriter_.replace(result_, made.inputs_of(made[origin])[0]);
  }

  // A conversion that keeps every value changes nothing for the next one. But an integer that does
  // not fit wraps around where it comes from an integer, and fails where it is a floating number.
  constexpr bool cast() {
    if (rewriter_.replace(result_, operand_)) return true;
    const node_id inner = rewriter_.bypassable(operand_, node_, meaning::conversion);
    if (inner == node_id::none) return false;
    const value_id origin = rewriter_.made_operand(inner);
    const dtype from = rewriter_.type_of(origin).type, between = rewriter_.type_of(operand_).type;
    const dtype to = rewriter_.source()[result_].type.type;
    if (!is_lossless(from, between)) return false;
    if (is_integer(from) && !is_integer(between) && is_integer(to) && !is_lossless(from, to))
      return false;
    return rewriter_.replace(result_, origin) || add_like_source(origin);
  }

  // An elementwise operator broadcasts by itself, if its result's shape stays.
  constexpr bool broadcast_operands(const kernel_spec& k) {
    table<value_id> operands = rewriter_.operands_of(node_);
    table<attribute_value> attributes;
    bool changed = false;
    for (value_id& operand : operands) {
      const node_id inner = rewriter_.bypassable(operand, node_, meaning::repetition);
      if (inner == node_id::none) continue;
      if (attributes.empty()) attributes = rewriter_.attributes_of(node_);
      const value_id kept = operand;
      operand = rewriter_.made_operand(inner);
      if (gives_same_type(k, operands, attributes))
        changed = true;
      else
        operand = kept;
    }
    return changed && add(operands, attributes);
  }
  constexpr bool gives_same_type(const kernel_spec& k, const table<value_id>& operands,
                                 const table<attribute_value>& attributes) {
    const auto wanted = rewriter_.translated_type(result_);
    if (!wanted) return false;
    table<value_type> types;
    for (value_id id : operands) types.push_back(rewriter_.type_of(id));
    const graph_view made = rewriter_.made();
    const auto given = infer(k, {types, attributes, &made});
    return given && given->count == 1 && given->results[0].type == wanted->type &&
           given->results[0].shape == wanted->shape;
  }

  graph_rewriter rewriter_;
  node_id node_ = node_id::none;       // the one that is looked at
  value_id operand_ = value_id::none;  // its first operand, in the graph that is made
  value_id result_ = value_id::none;   // in the source
};

}  // namespace detail

/// The same workflow with fewer operators that only move elements; all of it is exact:
///
/// - reshape, broadcast_to, permute, slice, pad, cast and rearrange that change nothing are their
///   operand; so is a concat with what has no elements, and one of all parts of a split in order;
/// - reshape of reshape (squeezes and expansions are reshapes), broadcast_to of broadcast_to,
///   permute and transpose of one another, slice of slice and pad of pad along one dimension, copy
///   of copy and cast of a cast that keeps every value are one each; permute is transpose where it
///   exchanges the last two dimensions;
/// - a slice that is one operand of a concat is that operand;
/// - elementwise operators read what is broadcast before it is, where their result's shape stays.
///
/// Operators are known by their `meaning`, those of the user's own as well. Nodes that are not
/// free (`detail::graph_rewriter::is_free`) and of another class of peers than what they read stay.
/// What nothing reads any more is left out. Each step leaves fewer nodes or fewer operands behind
/// views. Errors: those of `validate`, those of extents. Linear in the size of the graph where ids
/// ascend.
constexpr result<graph> eliminate_views(const graph_view& workflow,
                                        const registry& kernels = builtin_registry()) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  return detail::view_eliminator(g, kernels).run();
}

}  // namespace wf
