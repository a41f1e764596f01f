// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>

#include <wf/run/operators/application.hpp>
#include <wf/run/values/scalar.hpp>

// Operators that reduce one dimension, or all, to one element.
namespace wf::compute {

namespace detail {

template <class Real>
using array_map = Eigen::Map<Eigen::Array<Real, Eigen::Dynamic, 1>>;
template <class Real>
using const_array_map = Eigen::Map<const Eigen::Array<Real, Eigen::Dynamic, 1>>;

// Blocks along the dimension that a node reduces; without that attribute all dimensions count as
// one.
template <class Real>
axis_blocks reduced_blocks(const application<Real>& a) {
  if (a.has("axis")) return {a.in(), a.axis()};
  return {tensor_view<Real>{shape::of(a.in().size()), a.in().elements}, 0};
}

// Sums of the runs of a matrix: rows if row-major, columns if column-major.
template <class Real>
void sum_runs(Real* to, const given<matrix_view<Real>>& m) {
  for (Eigen::Index r = 0; r < m.runs(); ++r)
    to[r] = const_array_map<Real>(m.run(r), m.run_length()).sum();
}
// Sums across the runs of a matrix.
template <class Real>
void sum_across(Real* to, const given<matrix_view<Real>>& m) {
  array_map<Real> sums(to, m.run_length());
  sums.setZero();
  for (Eigen::Index r = 0; r < m.runs(); ++r)
    sums += const_array_map<Real>(m.run(r), m.run_length());
}
// out = f(extent, get) for each reduced block, where get(e) is its element e; matrices may have any
// layout.
template <class Real, class F>
void reduce_numbered(const application<Real>& a, F f) {
  const axis_blocks b = reduced_blocks(a);
  const auto to = elements_of(a.out());
  const auto from = elements_of(a.in());
  for (Eigen::Index o = 0; o < b.outer; ++o)
    for (Eigen::Index i = 0; i < b.inner; ++i)
      to[o * b.inner + i] =
          f(b.extent, [&](Eigen::Index e) { return from[(o * b.extent + e) * b.inner + i]; });
}
template <class Real>
bool are_plain(const application<Real>& a) {
  return a.in().is_plain() && a.out().view().is_plain();
}

template <class Real>
text summed(const application<Real>& a) {
  const matrix_view<Real> m = matrix(a.in());
  if (!a.has("axis")) {
    Real sum = 0;
    if (m.stride == m.run_length())
      sum = const_array_map<Real>(m.elements, m.rows * m.columns).sum();
    else
      for (Eigen::Index r = 0; r < m.runs(); ++r)
        sum += const_array_map<Real>(m.run(r), m.run_length()).sum();
    *a.out().elements = sum;
    return {};
  }
  if (a.in().shape.rank == 2) {
    (a.axis() == 1) == m.by_columns ? sum_across(a.out().elements, m)
                                    : sum_runs(a.out().elements, m);
    return {};
  }
  if (!are_plain(a)) {
    reduce_numbered(a, [](Eigen::Index count, auto get) {
      Real sum = 0;
      for (Eigen::Index e = 0; e < count; ++e) sum += get(e);
      return sum;
    });
    return {};
  }
  const axis_blocks b(a.in(), a.axis());
  for (Eigen::Index o = 0; o < b.outer; ++o) {
    const Real* const from = a.in().elements + o * b.extent * b.inner;
    Real* const to = a.out().elements + o * b.inner;
    b.inner == 1 ? sum_runs(to, rows_at(from, 1, b.extent))
                 : sum_across(to, rows_at(from, b.extent, b.inner));
  }
  return {};
}
template <class Real>
text nothing_to_reduce(const application<Real>& a) {
  const bool fails = reduced_blocks(a).extent == 0 && a.out().view().size() != 0;
  return fails ? "there are no elements" : "";
}
template <class Real>
text averaged(const application<Real>& a) {
  if (text why = nothing_to_reduce(a); !why.empty()) return why;
  summed(a);
  const auto count = as_element<Real>(reduced_blocks(a).extent);
  tensor_map(a.out(), a.out().view(), [count](Real sum) { return sum / count; });
  return {};
}
template <class Real>
text largest(const application<Real>& a) {
  if (text why = nothing_to_reduce(a); !why.empty()) return why;
  if (!are_plain(a)) {
    reduce_numbered(a, [](Eigen::Index count, auto get) {
      Real most = get(0);
      for (Eigen::Index e = 1; e < count; ++e)
        most = real_part(most) < real_part(get(e)) ? get(e) : most;
      return most;
    });
    return {};
  }
  const axis_blocks b = reduced_blocks(a);
  for (Eigen::Index o = 0; o < b.outer; ++o) {
    const Real* from = a.in().elements + o * b.extent * b.inner;
    Real* const to = a.out().elements + o * b.inner;
    std::copy_n(from, b.inner, to);
    for (Eigen::Index e = 1; e < b.extent; ++e) {
      from += b.inner;
      for (Eigen::Index i = 0; i < b.inner; ++i)
        to[i] = real_part(to[i]) < real_part(from[i]) ? from[i] : to[i];
    }
  }
  return {};
}
template <class Real>
text place_of_largest(const application<Real>& a) {
  if (text why = nothing_to_reduce(a); !why.empty()) return why;
  bool all = true;
  reduce_numbered(a, [&](Eigen::Index count, auto get) {
    Eigen::Index best = 0;
    for (Eigen::Index e = 1; e < count; ++e)
      if (real_part(get(best)) < real_part(get(e))) best = e;
    if constexpr (!is_field_scalar<Real>) all = all && whole_of<Real>(best);
    return as_element<Real>(best);
  });
  return all ? text() : unfit<Real>();
}

}  // namespace detail

namespace detail {

template <class Real>
constexpr auto number_reductions() {
  using enum storage_order;
  return std::to_array<operator_implementation<Real>>({
      sums<Real, [](const auto& a) { return summed(a); },
           [](const auto& a) { return reduced_blocks(a).extent; }>("sum")
          .in_order(either, rows),
      {"max", &largest<Real>},
      {"arg_max", &place_of_largest<Real>},
  });
}
template <class Real>
constexpr auto field_reductions() {
  using enum storage_order;
  using operation = operator_implementation<Real>;
  return std::to_array({operation{"mean", &averaged<Real>}.in_order(either, rows)});
}

}  // namespace detail

/// The reductions for an element type. The maximum or mean of no elements is a failure.
template <class Real>
view<operator_implementation<Real>> reduction_operators() {
  using namespace detail;
  if constexpr (is_field_scalar<Real>)
    return rows_of<&number_reductions<Real>, &field_reductions<Real>>();
  else
    return rows_of<&number_reductions<Real>>();
}

}  // namespace wf::compute
