// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/infer.hpp>
#include <wf/rewrite/rewrite.hpp>

namespace wf {

namespace detail {

/// A permutation of dimensions: dimension d of the result is dimension of[d] of the operand.
struct permutation {
  std::uint32_t of[max_rank] = {};
  std::uint32_t rank = 0;

  constexpr bool is_identity() const {
    for (std::uint32_t d = 0; d < rank; ++d)
      if (of[d] != d) return false;
    return true;
  }
  /// True if it only exchanges the last two dimensions.
  constexpr bool is_transpose() const {
    if (rank < 2 || of[rank - 1] != rank - 2 || of[rank - 2] != rank - 1) return false;
    for (std::uint32_t d = 0; d + 2 < rank; ++d)
      if (of[d] != d) return false;
    return true;
  }
  /// The composition: this permutation followed by `next`.
  constexpr permutation then(const permutation& next) const {
    permutation out;
    out.rank = rank;
    for (std::uint32_t d = 0; d < rank; ++d) out.of[d] = of[next.of[d]];
    return out;
  }
};

/// True if conversion from one element type to another preserves every value.
constexpr bool is_lossless(dtype from, dtype to) {
  if (from == to) return true;
  if (from == dtype::boolean) return is_number(to) && !is_complex(to);
  // Integers: magnitude bits. Floating-point numbers: significant bits and range.
  if (is_integer(from) && is_integer(to))
    return magnitude_bits(from) <= magnitude_bits(to) && (is_unsigned(from) || !is_unsigned(to));
  if (is_integer(from) && is_floating(to)) {
    const int digits = to == dtype::f64 ? 53 : to == dtype::f32 ? 24 : to == dtype::bf16 ? 8 : 11;
    return magnitude_bits(from) <= digits;
  }
  if (is_floating(from) && is_floating(to)) return size_of(from) < size_of(to);
  return from == dtype::c64 && to == dtype::c128;
}

/// Removes operators that only move elements where fewer of them have the same effect.
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

  // Nested reshapes or broadcasts are replaced by the last one; one to the same shape is dropped.
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
  // A node with the meaning of a built-in operator, if the registry has one.
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

  // The permutation of a node with this meaning; rank 0 if it has none.
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
  // Composes nested permutations; the result is a transpose if possible.
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

  // True for an identity such as "ij->ij".
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

  // A slice of the full range is the operand; starts of nested slices along one dimension add up; a
  // slice of a concatenation may be one of its parts.
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

  // Padding by nothing is the operand; nested paddings along one dimension add up.
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

  // Concatenating all parts of a split in order gives its operand; empty operands are dropped if a
  // single other one remains.
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

  // A conversion that preserves every value can be skipped before the next one. Exception: an
  // integer out of range wraps around if converted from an integer, but fails if from floating
  // point.
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

  // An elementwise operator broadcasts implicitly if the shape of its result stays the same.
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
  node_id node_ = node_id::none;       // the current node
  value_id operand_ = value_id::none;  // its first operand, in the new graph
  value_id result_ = value_id::none;   // its result, in the source
};

}  // namespace detail

/// Removes operators that only move elements. All rewrites are exact:
///
/// - reshape, broadcast_to, permute, slice, pad, cast and rearrange without effect become their
///   operand; so does a concat with operands without elements, and one of all parts of a split in
///   order;
/// - nested reshapes (including squeezes and expansions), broadcasts, permutes and transposes,
///   slices and pads along one dimension, copies, and casts after a cast that preserves every value
///   are merged into one; a permute that exchanges the last two dimensions becomes a transpose;
/// - a slice that is one operand of a concat becomes that operand;
/// - elementwise operators read the operand of a broadcast directly where their result's shape
///   stays.
///
/// Operators are recognised by their `meaning`, including user-defined ones. Nodes that are not
/// free (`detail::graph_rewriter::is_free`) or in another class of peers than their operands stay.
/// Nodes that become unread are removed. Each step reduces the number of nodes or of operands
/// behind views. Errors: those of `validate`, those of extents. Linear in the size of the graph if
/// ids are in topological order.
constexpr result<graph> eliminate_views(const graph_view& workflow,
                                        const registry& kernels = builtin_registry()) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  return detail::view_eliminator(g, kernels).run();
}

}  // namespace wf
