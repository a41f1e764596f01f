// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <wf/run/operators/application.hpp>
#include <wf/run/values/scalar.hpp>

// Operators that move elements without arithmetic, except `scatter_add`.
namespace wf::compute {

namespace detail {

template <class Real>
text outside(Real index, Eigen::Index count) {
  return text() << "index " << index_of(index) << " lies outside of the " << count << " elements";
}

// `length` rows (axis 0) or columns of a matrix.
template <class Element>
strided_matrix<Element> part_of(const strided_matrix<Element>& m, Eigen::Index start,
                                Eigen::Index length, std::uint32_t axis) {
  return axis == 0 ? m.block(start, 0, length, m.columns) : m.block(0, start, m.rows, length);
}
// to[..., to_start + e, ...] = from[..., from_start + e, ...] for `length` positions e of `axis`.
template <class Real>
void copy_part(const tensor_ref<Real>& to, Eigen::Index to_start,
               const given<tensor_view<Real>>& from, Eigen::Index from_start, Eigen::Index length,
               std::uint32_t axis) {
  if (to.shape.rank == 2)
    return copy(part_of(matrix(to), to_start, length, axis),
                part_of(matrix(from), from_start, length, axis));
  const axis_blocks t(to.view(), axis), f(from, axis);
  for (Eigen::Index o = 0; o < t.outer; ++o)
    std::copy_n(from.elements + (o * f.extent + from_start) * f.inner, length * f.inner,
                to.elements + (o * t.extent + to_start) * t.inner);
}

// out = the elements of a visited with these strides.
template <class Real>
void copy_walk(const tensor_ref<Real>& out, const given<tensor_view<Real>>& a,
               const strides& walk) {
  const std::uint32_t outer = out.shape.rank == 0 ? 0 : out.shape.rank - 1;
  const Eigen::Index length = out.shape.rank == 0 ? 1 : out.view().extent(outer);
  const auto to = elements_of(out);
  const bool is_plain = out.view().is_plain();
  for_each_index(out.shape, outer, {walk}, [&](Eigen::Index i, const auto& at) {
    const Real* const from = a.elements + at[0];
    if (is_plain)
      for (Eigen::Index j = 0; j < length; ++j)
        out.elements[i * length + j] = from[j * walk.of[outer]];
    else
      for (Eigen::Index j = 0; j < length; ++j) to[i * length + j] = from[j * walk.of[outer]];
  });
}

template <class Real>
text copied(const application<Real>& a) {
  tensor_copy(a.out(), a.in());
  return {};
}
template <class Real>
text permuted(const application<Real>& a) {
  if (a.in().shape.rank == 2) {
    const matrix_view<Real> from = matrix(a.in());
    copy(matrix(a.out()), a.integer("p0", 0) == 0 ? from : from.transposed());
    return {};
  }
  strides walk;
  for (std::uint32_t d = 0; d < a.in().shape.rank; ++d)
    walk.of[d] =
        step_along(a.in(), static_cast<std::uint32_t>(a.integer(permuted_dimension_names[d], 0)));
  copy_walk(a.out(), a.in(), walk);
  return {};
}
template <class Real>
text broadcast(const application<Real>& a) {
  copy_walk(a.out(), a.in(), broadcast_strides(a.in(), a.out().shape.rank));
  return {};
}
template <class Real>
text sliced(const application<Real>& a) {
  const std::uint32_t axis = a.axis();
  copy_part(a.out(), 0, a.in(), a.integer("start", 0), a.out().view().extent(axis), axis);
  return {};
}
template <class Real>
text divided_up(const application<Real>& a) {
  const std::uint32_t axis = a.axis();
  Eigen::Index first = 0;
  for (std::uint32_t k = 0; k < a.results(); ++k) {
    const Eigen::Index length = a.out(k).view().extent(axis);
    copy_part(a.out(k), 0, a.in(), first, length, axis);
    first += length;
  }
  return {};
}
template <class Real>
text concatenated(const application<Real>& a) {
  const std::uint32_t axis = a.axis();
  Eigen::Index first = 0;
  for (std::uint32_t k = 0; k < a.operands(); ++k) {
    const Eigen::Index length = a.in(k).extent(axis);
    copy_part(a.out(), first, a.in(k), 0, length, axis);
    first += length;
  }
  return {};
}
template <class Real>
text padded(const application<Real>& a) {
  const std::uint32_t axis = a.axis();
  fill(matrix(a.out()), 0);
  copy_part(a.out(), a.integer("before", 0), a.in(), 0, a.in().extent(axis), axis);
  return {};
}

// out = the blocks along dimension `axis` of `from` that `ids` select.
template <class Real>
text gather_blocks(const tensor_ref<Real>& out, const given<tensor_view<Real>>& from,
                   const given<tensor_view<Real>>& ids, std::uint32_t axis) {
  const axis_blocks f(from, axis);
  const auto to = elements_of(out);
  const auto source = elements_of(from), index = elements_of(ids);
  const bool is_plain = out.view().is_plain() && from.is_plain();
  for (Eigen::Index e = 0; e < ids.size(); ++e) {
    const Eigen::Index place = position_of(index[e], f.extent);
    if (place < 0) return outside(index[e], f.extent);
    for (Eigen::Index o = 0; o < f.outer; ++o) {
      const Eigen::Index first = (o * f.extent + place) * f.inner;
      const Eigen::Index into = (o * ids.size() + e) * f.inner;
      if (is_plain)
        std::copy_n(from.elements + first, f.inner, out.elements + into);
      else
        for (Eigen::Index i = 0; i < f.inner; ++i) to[into + i] = source[first + i];
    }
  }
  return {};
}
template <class Real>
text gathered(const application<Real>& a) {
  return gather_blocks(a.out(), a.in(0), a.in(1), a.axis());
}
// All indices may name the same position.
inline constexpr auto bound_of_scattered = [](const auto& a, auto largest) {
  return bounded_sum(largest(a.in(0)),
                     bounded_product(magnitude(a.in(1).size()), largest(a.in(2))));
};
template <class Real>
text scattered(const application<Real>& a) {
  tensor_copy(a.out(), a.in());
  const tensor_view<Real>& ids = a.in(1);
  const auto to = elements_of(a.out());
  const auto index = elements_of(ids), updates = elements_of(a.in(2));
  const axis_blocks t(a.in(), a.axis());
  for (Eigen::Index e = 0; e < ids.size(); ++e) {
    const Eigen::Index place = position_of(index[e], t.extent);
    if (place < 0) return outside(index[e], t.extent);
    for (Eigen::Index o = 0; o < t.outer; ++o)
      for (Eigen::Index i = 0; i < t.inner; ++i)
        to[(o * t.extent + place) * t.inner + i] += updates[(o * ids.size() + e) * t.inner + i];
  }
  return {};
}
template <class Real>
text updated(const application<Real>& a) {
  const std::uint32_t axis = a.axis();
  const Eigen::Index length = a.in(1).extent(axis), room = a.in(0).extent(axis) - length;
  const Eigen::Index first = position_of(*a.in(2).elements, room + 1);
  if (first < 0)
    return text() << "the part does not fit from position " << index_of(*a.in(2).elements) << " on";
  tensor_copy(a.out(), a.in());
  copy_part(a.out(), first, a.in(1), 0, length, axis);
  return {};
}
template <class Real>
text cast(const application<Real>& a) {
  [[maybe_unused]] const dtype from = a.operand_type();
  const dtype to = a.result_type();
  if constexpr (!is_field_scalar<Real>) {
    bool all = true;
    tensor_map(a.out(), a.in(), [&](Real x) {
      const auto y = converted_integer(to, x);
      all = all && y.has_value();
      return y.value_or(Real(0));
    });
    return all ? text() : unfit<Real>();
  } else {
    if (is_complex(to)) return copied(a);
    if (is_complex(from)) return "a complex number becomes no real one";
    tensor_map(a.out(), a.in(), [&](Real x) {
      return as_element<Real>(converted(from, to, static_cast<double>(real_part(x))));
    });
    return {};
  }
}
template <class Real>
text checked(const application<Real>& a) {
  if (*a.in(1).elements == Real(0)) return "its condition does not hold";
  return copied(a);
}
template <class Real>
text counted(const application<Real>& a) {
  if constexpr (!is_field_scalar<Real>)
    if (!whole_of<Real>(a.out().view().size())) return unfit<Real>();
  for (Eigen::Index i = 0; i < a.out().view().size(); ++i)
    a.out().elements[i] = as_element<Real>(i);
  return {};
}

// In place, pairs of elements are swapped.
template <class Real>
text bit_reversed(const application<Real>& a) {
  const Eigen::Index n = a.in().extent(a.in().shape.rank - 1);
  const auto to = elements_of(a.out());
  const auto from = elements_of(a.in());
  for (Eigen::Index i = 0, reversed = 0; i < a.in().size(); ++i) {
    const Eigen::Index other = i - i % n + reversed;
    if (a.out().elements != a.in().elements)
      to[other] = from[i];
    else if (i < other)
      std::swap(to[i], to[other]);
    Eigen::Index bit = n / 2;  // increments `reversed` from its highest bit down
    for (; (reversed & bit) != 0; bit /= 2) reversed -= bit;
    reversed += bit;
  }
  return {};
}
inline text_view bit_reversal_fault(const graph_view& g, const node& n) {
  const shape& s = g[g.inputs_of(n)[0]].type.shape;
  const std::int64_t extent = s[s.rank - 1].size();
  return (extent & (extent - 1)) == 0 ? "" : "the last extent is no power of two";
}

}  // namespace detail

/// The operators that move elements, and those of control. An index out of range, a part that does
/// not fit and a false condition are failures.
template <class Real>
view<operator_implementation<Real>> movement_operators() {
  // An operator that accepts and writes matrices in either order.
  constexpr auto any = [](text_view name, operator_function<Real> run) {
    using enum storage_order;
    operator_implementation<Real> o =
        operator_implementation<Real>{name, run}.in_order(either, either);
    o.alike_operands = ~0u;
    return o;
  };
  using enum storage_order;
  using operation = operator_implementation<Real>;
  static constexpr operator_implementation<Real> all[] = {
      operation{"reshape", &detail::copied<Real>}.in_order(either, rows),
      operation{"permute", &detail::permuted<Real>}.in_order(either, either),
      any("slice", &detail::sliced<Real>),
      operation{"broadcast_to", &detail::broadcast<Real>}.in_order(either, rows),
      any("split", &detail::divided_up<Real>),
      any("concat", &detail::concatenated<Real>),
      any("pad", &detail::padded<Real>),
      {"gather", &detail::gathered<Real>},
      {"scatter_add",
       [](const application<Real>& a) {
         return exact_sums(a, detail::bound_of_scattered,
                           [](const auto& terms) { return detail::scattered(terms); });
       },
       nullptr, &exact_sums_scratch},
      any("update_slice", &detail::updated<Real>),
      any("copy", &detail::copied<Real>),
      {"cast", &detail::cast<Real>},
      {"bit_reversal", &detail::bit_reversed<Real>, &detail::bit_reversal_fault},
      any("after", &detail::copied<Real>),
      any("barrier", &detail::copied<Real>),
      any("check", &detail::checked<Real>),
      {"positions", &detail::counted<Real>},
  };
  return all;
}

}  // namespace wf::compute
