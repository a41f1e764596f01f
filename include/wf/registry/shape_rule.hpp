// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/dimension.hpp>
#include <wf/registry/kernel.hpp>

// Rules for shapes and element types of results that a signature cannot express.

namespace wf::kernels::detail {

constexpr error wrong_attribute(text_view op, text_view message) {
  return make_error(errc::bad_attribute, op, message);
}
// "<what>: <a> vs <b>".
constexpr error wrong_shape(text_view op, text_view what, const shape& a, const shape& b) {
  text message(what);
  message << ": " << to_text(a).view() << " vs " << to_text(b).view();
  return make_error(errc::shape_mismatch, op, message.view());
}

// True if the shapes agree in all known extents. Extents unknown at compile time are checked again
// at run time.
constexpr bool fit_where_known(const shape& a, const shape& b) {
  bool fits = a.rank == b.rank;
  for (std::uint32_t i = 0; fits && i < a.rank; ++i)
    fits = a[i] == b[i] || a[i].is_unknown() || b[i].is_unknown();
  return fits;
}

constexpr bool same_elements(const shape& a, const shape& b) {
  if (a.is_static() && b.is_static()) return a.elements() == b.elements();
  // Symbolic extents: the same symbols with the same multiplicity, and the same product of fixed
  // extents.
  std::int64_t fixed_a = 1, fixed_b = 1;
  bool used[max_rank] = {};
  for (std::uint32_t i = 0; i < a.rank; ++i) {
    if (a[i].is_unknown()) return true;
    if (a[i].is_fixed()) {
      fixed_a *= a[i].size();
      continue;
    }
    std::uint32_t j = 0;
    while (j < b.rank && (used[j] || !(b[j] == a[i]))) ++j;
    if (j == b.rank) return false;
    used[j] = true;
  }
  for (std::uint32_t j = 0; j < b.rank; ++j) {
    if (b[j].is_fixed()) fixed_b *= b[j].size();
    if (!b[j].is_fixed() && !used[j]) return false;
  }
  return fixed_a == fixed_b;
}

// The dimension in the attribute `axis`, 0 without it; the rank if it is out of range.
constexpr std::uint32_t axis_of(const rule_input& in, const shape& s) {
  const std::int64_t axis = in.integer("axis", 0);
  return axis >= 0 && axis < s.rank ? static_cast<std::uint32_t>(axis) : s.rank;
}
constexpr error wrong_axis(const rule_input& in, text_view op) {
  text message("axis ");
  message << in.integer("axis", 0) << " of a value of " << in.operands[0].shape.rank
          << " dimensions";
  return wrong_attribute(op, message.view());
}

// The value of `formula` over up to eight extents A, B, ..., H: fixed, symbolic or unknown.
constexpr result<extent> combined(text_view formula, view<extent> extents, const rule_input& in) {
  constexpr text_view names = "ABCDEFGH";
  bound_dimensions all;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i].is_unknown() || in.derived == nullptr) return extent();
    all.bind(names.part(i, 1), extents[i]);
  }
  return wf::detail::dimension_of(formula, all, in, *in.derived);
}
// The sum of one to eight extents.
constexpr result<extent> sum_of(view<extent> extents, const rule_input& in) {
  constexpr text_view sum = "A + B + C + D + E + F + G + H";
  return combined(sum.part(0, 4 * extents.size() - 3), extents, in);
}

// Positions of the extent attributes d0, d1, ... in `attributes`, sorted by name: the order of
// attributes has no meaning.
constexpr table<std::uint32_t> stated_extents(view<attribute_value> attributes) {
  table<std::uint32_t> places;
  for (std::uint32_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].kind != attribute_kind::extent) continue;
    places.push_back(i);
    for (std::size_t k = places.size() - 1;
         k > 0 && attributes[places[k]].name < attributes[places[k - 1]].name; --k) {
      places[k] = places[k - 1];
      places[k - 1] = i;
    }
  }
  return places;
}

// The number of elements of a shape as a polynomial; false if an extent has none.
constexpr bool number_of_elements(const shape& s, const graph_view* g, polynomial& product) {
  product = polynomial(1);
  for (std::uint32_t i = 0; i < s.rank; ++i) {
    polynomial factor;
    if (!wf::detail::polynomial_of(s[i], g, factor)) return false;
    polynomial next;
    if (wf::multiply(product, factor, next) != errc::none) return false;
    product = static_cast<polynomial&&>(next);
  }
  return true;
}
// The same for derived extents: compares the expanded polynomials.
constexpr bool same_elements(const shape& a, const shape& b, const rule_input& in) {
  if (same_elements(a, b)) return true;
  bool derived = false;
  for (std::uint32_t i = 0; i < a.rank; ++i) derived = derived || a[i].is_derived();
  for (std::uint32_t i = 0; i < b.rank; ++i) derived = derived || b[i].is_derived();
  polynomial x, y;
  return derived && number_of_elements(a, in.graph, x) && number_of_elements(b, in.graph, y) &&
         subtract(x, y, x) == errc::none && x.is_zero();
}

// The shape in the extent attributes d0, d1, ...
constexpr result<shape> stated_shape(const rule_input& in) {
  shape target;
  const table<std::uint32_t> places = stated_extents(in.attributes);
  for (std::size_t d = 0; d < places.size(); ++d) {
    extent e;
    e.code = in.attributes[places[d]].number;
    if (!target.push_back(e)) return wrong_attribute("shape", "the result has over 8 dimensions");
  }
  return target;
}

// The element type in the string attribute `dtype`; f32 without it.
constexpr result<dtype> stated_dtype(const rule_input& in) {
  const attribute_value* a = in.find("dtype");
  if (a == nullptr) return dtype::f32;
  const dtype d = dtype_named(a->characters);
  if (d == dtype::unknown) return wrong_attribute(a->characters, "is no element type");
  return d;
}

// Magnitudes of complex numbers are real.
constexpr result<dtype> magnitude_dtype(const rule_input& in) {
  const dtype d = in.operands[0].type;
  return d == dtype::c64 ? dtype::f32 : d == dtype::c128 ? dtype::f64 : d;
}

constexpr result<shape> first_shape(const rule_input& in) { return in.operands[0].shape; }

// The operand that a result of a node with a body replaces: the last ones, in order.
constexpr result<value_type> carried_type(const rule_input& in) {
  const std::int64_t carried = in.integer("carried", 1);
  if (carried < 1 || carried > static_cast<std::int64_t>(in.operands.size()))
    return make_error(
        errc::bad_attribute, "carried",
        (text() << "carried is " << carried << ", of " << in.operands.size() << " operands")
            .view());
  return in.operands[in.operands.size() - static_cast<std::size_t>(carried) + in.result];
}
constexpr result<shape> carried_shape(const rule_input& in) {
  const auto type = carried_type(in);
  if (!type) return type.error();
  return type->shape;
}
constexpr result<dtype> carried_dtype(const rule_input& in) {
  const auto type = carried_type(in);
  if (!type) return type.error();
  return type->type;
}

// The first operand, once for each element of the second one.
constexpr result<shape> collected_shape(const rule_input& in) {
  const shape &one = in.operands[0].shape, &machines = in.operands[1].shape;
  shape all;
  if (machines.rank != 1 || one.rank == max_rank)
    return wrong_shape("collect",
                       "it takes a list of machines, and the result has a dimension more", one,
                       machines);
  all.push_back(machines[0]);
  for (std::uint32_t d = 0; d < one.rank; ++d) all.push_back(one[d]);
  return all;
}

constexpr result<shape> reshaped_shape(const rule_input& in) {
  auto target = stated_shape(in);
  if (target && !same_elements(in.operands[0].shape, *target, in))
    return wrong_shape("reshape", "the numbers of elements differ", in.operands[0].shape, *target);
  return target;
}

// Broadcasting aligns on the right: every extent equals that of the target or is 1.
constexpr result<shape> broadcast_shape(const rule_input& in) {
  const shape& from = in.operands[0].shape;
  auto target = stated_shape(in);
  if (!target) return target;
  bool fits = from.rank <= target->rank;
  for (std::uint32_t i = 0; fits && i < from.rank; ++i) {
    const extent wanted = (*target)[target->rank - from.rank + i];
    fits = from[i] == wanted || from[i] == extent(1) || from[i].is_unknown();
  }
  if (!fits) return wrong_shape("broadcast_to", "shapes do not fit", from, *target);
  return target;
}

// Removes dimension `axis`, or all dimensions without that attribute.
constexpr result<shape> reduced_shape(const rule_input& in) {
  const shape& from = in.operands[0].shape;
  shape s;
  if (in.find("axis") == nullptr) return s;
  const std::uint32_t axis = axis_of(in, from);
  if (axis == from.rank) return wrong_axis(in, "reduction");
  for (std::uint32_t i = 0; i < from.rank; ++i)
    if (i != axis) s.push_back(from[i]);
  return s;
}

// A vector with one index per element of dimension `axis`.
constexpr result<shape> positions_shape(const rule_input& in) {
  const shape& from = in.operands[0].shape;
  const std::uint32_t axis = axis_of(in, from);
  if (axis == from.rank) return wrong_axis(in, "positions");
  shape s;
  s.push_back(from[axis]);
  return s;
}

// Dimension i of the result is dimension p_i of the operand.
constexpr result<shape> permuted_shape(const rule_input& in) {
  const shape& from = in.operands[0].shape;
  shape s;
  std::uint32_t seen = 0;
  for (std::uint32_t i = 0; i < from.rank; ++i) {
    const std::int64_t p = in.integer(permuted_dimension_names[i], -1);
    if (p < 0 || p >= from.rank || ((seen >> p) & 1) != 0)
      return wrong_attribute("permute", "p0, p1, ... are no permutation of the dimensions");
    seen |= 1u << p;
    s.push_back(from.extents[p]);
  }
  return s;
}

// `length` elements of dimension `axis`, from index `start`.
constexpr result<shape> sliced_shape(const rule_input& in) {
  shape s = in.operands[0].shape;
  const std::uint32_t axis = axis_of(in, s);
  if (axis == s.rank) return wrong_axis(in, "slice");
  const attribute_value* length = in.find("length");
  const std::int64_t start = in.integer("start", 0);
  const extent whole = s[axis];
  if (length != nullptr) s.extents[axis].code = length->number;
  if (start < 0 ||
      (length != nullptr && length->kind == attribute_kind::integer && length->number < 0))
    return wrong_attribute("slice", "start and length must not be negative");
  if (whole.is_fixed() && s[axis].is_fixed() && s[axis].size() > whole.size() - start)
    return wrong_shape("slice", "the elements do not suffice", in.operands[0].shape, s);
  return s;
}

// Concatenation of the operands along dimension `axis`.
constexpr result<shape> concatenated_shape(const rule_input& in) {
  shape s = in.operands[0].shape;
  const std::uint32_t axis = axis_of(in, s);
  if (axis == s.rank) return wrong_axis(in, "concat");
  extent parts[max_operands] = {s[axis]};
  for (std::size_t k = 1; k < in.operands.size(); ++k) {
    shape other = in.operands[k].shape;
    if (other.rank != s.rank) return wrong_shape("concat", "ranks differ", s, other);
    parts[k] = other[axis];
    other.extents[axis] = s[axis];
    if (!fit_where_known(s, other))
      return wrong_shape("concat", "shapes differ", in.operands[0].shape, in.operands[k].shape);
    for (std::uint32_t i = 0; i < s.rank; ++i)
      if (s[i].is_unknown()) s.extents[i] = other[i];
  }
  const auto sum = sum_of({parts, in.operands.size()}, in);
  if (!sum) return sum.error();
  s.extents[axis] = *sum;
  return s;
}

// One of `parts` equal parts of dimension `axis`, whose extent must be divisible by that.
constexpr result<shape> part_shape(const rule_input& in) {
  shape s = in.operands[0].shape;
  const std::uint32_t axis = axis_of(in, s);
  if (axis == s.rank) return wrong_axis(in, "split");
  const extent quotient[] = {s[axis], extent(in.integer("parts", 2))};
  const auto part = combined("A/B", quotient, in);
  if (!part) return wrong_shape("split", "there are no equal parts", s, s);
  s.extents[axis] = *part;
  return s;
}

// Dimension `axis` extended by `before` and `after` elements.
constexpr result<shape> padded_shape(const rule_input& in) {
  shape s = in.operands[0].shape;
  const std::uint32_t axis = axis_of(in, s);
  if (axis == s.rank) return wrong_axis(in, "pad");
  const std::int64_t before = in.integer("before", 0), after = in.integer("after", 0);
  if (before < 0 || after < 0)
    return wrong_attribute("pad", "before and after must not be negative");
  const extent parts[] = {s[axis], extent(before), extent(after)};
  const auto sum = sum_of(parts, in);
  if (!sum) return sum.error();
  s.extents[axis] = *sum;
  return s;
}

// Dimension `axis` replaced by the shape of the indices.
constexpr result<shape> gathered_shape(const rule_input& in) {
  const shape& from = in.operands[0].shape;
  const shape& indices = in.operands[1].shape;
  const std::uint32_t axis = axis_of(in, from);
  if (axis == from.rank) return wrong_axis(in, "gather");
  if (from.rank - 1 + indices.rank > max_rank)
    return wrong_shape("gather", "the result has over 8 dimensions", from, indices);
  shape s;
  for (std::uint32_t i = 0; i < axis; ++i) s.push_back(from[i]);
  for (std::uint32_t i = 0; i < indices.rank; ++i) s.push_back(indices[i]);
  for (std::uint32_t i = axis + 1; i < from.rank; ++i) s.push_back(from[i]);
  return s;
}

constexpr result<shape> scattered_shape(const rule_input& in) {
  const auto gathered = gathered_shape(in);
  if (!gathered) return gathered.error();
  if (!fit_where_known(*gathered, in.operands[2].shape))
    return wrong_shape("scatter_add", "the updates' shape is not that of what they update",
                       in.operands[2].shape, *gathered);
  return in.operands[0].shape;
}

// The part overwrites elements of the whole along dimension `axis`.
constexpr result<shape> updated_shape(const rule_input& in) {
  const shape& whole = in.operands[0].shape;
  const std::uint32_t axis = axis_of(in, whole);
  if (axis == whole.rank) return wrong_axis(in, "update_slice");
  shape part = in.operands[1].shape;
  bool fits = part.rank == whole.rank;
  if (fits && part[axis].is_fixed() && whole[axis].is_fixed())
    fits = part[axis].size() <= whole[axis].size();
  if (fits) part.extents[axis] = whole[axis];
  if (!fits || !fit_where_known(part, whole))
    return wrong_shape("update_slice", "is no part", in.operands[1].shape, whole);
  return whole;
}

// Gates act on qubits one by one, so all operands have one shape. Nothing broadcasts: qubits cannot
// be copied.
constexpr result<shape> gate_shape(const rule_input& in) {
  for (std::size_t k = 1; k < in.operands.size(); ++k)
    if (!fit_where_known(in.operands[0].shape, in.operands[k].shape))
      return wrong_shape("gate", "the registers differ", in.operands[0].shape,
                         in.operands[k].shape);
  return in.operands[0].shape;
}

}  // namespace wf::kernels::detail
