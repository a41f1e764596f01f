// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <Eigen/Core>

#include <wf/core/container/table.hpp>

// Sums of matrices in mixed storage orders: each element is read once, in squares that are
// transposed and added in registers.
namespace wf::compute {

/// A term of a sum: the partial sum becomes before·sum + factor·term.
template <class Real>
struct sum_term {
  const Real* elements = nullptr;  ///< first element of the term
  Eigen::Index run_step = 0;       ///< elements between consecutive runs
  Eigen::Index step = 0;           ///< elements within a run; this or `run_step` is 1
  Real factor = 1;                 ///< factor of the term
  Real before = 1;                 ///< factor of the partial sum before it

  /// Address of element i of a run.
  const Real* at(Eigen::Index run, Eigen::Index i) const {
    return elements + run * run_step + i * step;
  }
  /// True if its storage order is the other one than that of the result.
  bool is_turned() const { return step != 1; }
};

/// Side of the squares that `weighted_sum` adds, in elements: the least extent of its matrices.
template <class Real>
inline constexpr Eigen::Index sum_side = Eigen::internal::packet_traits<Real>::size;

/// Maximum number of terms of `weighted_run`.
inline constexpr std::size_t max_sum_terms = 18;

namespace detail {

template <class Real>
using sum_packet = typename Eigen::internal::packet_traits<Real>::type;
// Compilers warn that a vector type as a template argument loses its alignment; the alignment is
// that of the type anyway.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
template <class Real>
using sum_square = Eigen::internal::PacketBlock<sum_packet<Real>, static_cast<int>(sum_side<Real>)>;
#pragma GCC diagnostic pop

// Prefetch distances in elements; 0: the data is in a near cache.
struct sum_fetch {
  Eigen::Index along = 0;   // within runs
  Eigen::Index across = 0;  // for turned terms: towards later runs
};

// Adds one square of the result.
template <Eigen::Index... J, class Real>
void add_square(std::integer_sequence<Eigen::Index, J...>, Real* to, Eigen::Index stride,
                view<sum_term<Real>> terms, Real after, Eigen::Index run, Eigen::Index i,
                const sum_fetch& fetch) {
  using namespace Eigen::internal;
  sum_square<Real> sum, x;
  ((sum.packet[J] = pset1<sum_packet<Real>>(-Real(0))),
   ...);  // -0 keeps the sign of a zero sum
  const auto scale = [&](Real factor) __attribute__((always_inline)) {
    const sum_packet<Real> f = pset1<sum_packet<Real>>(factor);
    ((sum.packet[J] = pmul(sum.packet[J], f)), ...);
  };
  const auto read = [&](const Real* from, Eigen::Index apart, Eigen::Index ahead)
                        __attribute__((always_inline)) {
                          if (ahead > 0) (__builtin_prefetch(from + J * apart + ahead), ...);
                          ((x.packet[J] = ploadu<sum_packet<Real>>(from + J * apart)), ...);
                        };
  const auto add = [&](const sum_term<Real>& t) __attribute__((always_inline)) {
    if (t.before != Real(1)) scale(t.before);
    const sum_packet<Real> f = pset1<sum_packet<Real>>(t.factor);
    ((sum.packet[J] = pmadd(x.packet[J], f, sum.packet[J])), ...);
  };
  const sum_term<Real>* t = terms.begin();
  // Leading turned terms are summed first and transposed together.
  for (; t != terms.end() && t->is_turned(); ++t) {
    read(t->at(run, i), t->step, fetch.across);
    add(*t);
  }
  if (t != terms.begin()) ptranspose(sum);
  for (; t != terms.end(); ++t) {
    if (t->is_turned()) {
      read(t->at(run, i), t->step, fetch.across);
      ptranspose(x);
    } else {
      read(t->at(run, i), t->run_step, fetch.along);
    }
    add(*t);
  }
  if (after != Real(1)) scale(after);
  if (fetch.along > 0) (__builtin_prefetch(to + J * stride + fetch.along, 1), ...);
  (pstoreu(to + J * stride, sum.packet[J]), ...);
}

template <class Real>
Real sum_element(view<sum_term<Real>> terms, Real after, Eigen::Index run, Eigen::Index i) {
  Real sum = -Real(0);
  for (const sum_term<Real>& t : terms) sum = t.before * sum + t.factor * *t.at(run, i);
  return after * sum;
}

}  // namespace detail

/// to = after · the weighted sum of at least one term: `runs` runs of `length` elements, both at
/// least `sum_side`, at stride `stride`. With `overwrites` the result may share the storage of
/// terms of the same layout; it shares no element with others. O(terms·runs·length).
template <class Real>
void weighted_sum(Real* to, Eigen::Index stride, Eigen::Index runs, Eigen::Index length,
                  std::type_identity_t<view<sum_term<Real>>> terms, Real after, bool overwrites) {
  constexpr std::make_integer_sequence<Eigen::Index, sum_side<Real>> side;
  constexpr Eigen::Index first_cache = 6000, second_cache = 250'000;  // elements
  std::size_t turned = 0;
  for (const sum_term<Real>& t : terms) turned += t.is_turned() ? 1 : 0;
  const Eigen::Index elements = runs * length * static_cast<Eigen::Index>(terms.size() + 1);
  detail::sum_fetch fetch;
  if (elements > first_cache) fetch.along = 32;
  if (elements > second_cache) fetch.across = sum_side<Real>;
  // If most terms are turned, the loop follows their runs, over a panel of elements of each run.
  const Eigen::Index panel = 2 * turned > terms.size() ? 64 : length;
  // The last squares overlap the previous ones; with `overwrites` the rest is added by elements.
  const auto last = [&](Eigen::Index extent) {
    return overwrites ? extent / sum_side<Real> * sum_side<Real> : extent;
  };
  const Eigen::Index end = last(length), last_run = last(runs);
  for (Eigen::Index first = 0; first < end; first += panel)
    for (Eigen::Index r = 0; r < last_run; r += sum_side<Real>) {
      const Eigen::Index run = std::min(r, runs - sum_side<Real>);
      for (Eigen::Index j = first; j < std::min(first + panel, end); j += sum_side<Real>) {
        const Eigen::Index i = std::min(j, length - sum_side<Real>);
        detail::add_square(side, to + run * stride + i, stride, terms, after, run, i, fetch);
      }
    }
  for (Eigen::Index r = 0; r < runs; ++r)
    for (Eigen::Index i = r < last_run ? end : 0; i < length; ++i)
      to[r * stride + i] = detail::sum_element(terms, after, r, i);
}

namespace detail {

// Adds some packets of a run from element `i` on.
template <Eigen::Index... J, class Real>
__attribute__((always_inline)) inline void add_packets(std::integer_sequence<Eigen::Index, J...>,
                                                       Real* to, view<sum_term<Real>> terms,
                                                       Real after, Eigen::Index i) {
  using namespace Eigen::internal;
  constexpr Eigen::Index lanes = sum_side<Real>;
  const auto at = [&](const sum_term<Real>& t, Eigen::Index j) __attribute__((always_inline)) {
    return ploadu<sum_packet<Real>>(t.elements + i + j * lanes);
  };
  sum_packet<Real> sum[] = {at(terms[0], J)...};
  if (terms[0].factor != Real(1))
    ((sum[J] = pmul(sum[J], pset1<sum_packet<Real>>(terms[0].factor))), ...);
  for (const sum_term<Real>& t : view<sum_term<Real>>(terms.begin() + 1, terms.size() - 1)) {
    if (t.before != Real(1)) ((sum[J] = pmul(sum[J], pset1<sum_packet<Real>>(t.before))), ...);
    if (t.factor == Real(1))
      ((sum[J] = padd(sum[J], at(t, J))), ...);
    else if (t.factor == Real(-1))
      ((sum[J] = psub(sum[J], at(t, J))), ...);
    else
      ((sum[J] = padd(sum[J], pmul(at(t, J), pset1<sum_packet<Real>>(t.factor)))), ...);
  }
  if (after != Real(1)) ((sum[J] = pmul(sum[J], pset1<sum_packet<Real>>(after))), ...);
  (pstoreu(to + i + J * lanes, sum[J]), ...);
}

}  // namespace detail

/// to = after · the weighted sum of at least one and at most `max_sum_terms` terms, for `length`
/// contiguous elements. The result may be in place of terms, and shares no other element with them.
/// Rounds as the separate operators would, except for fused multiply-adds. O(terms·length).
template <class Real>
void weighted_run(Real* to, Eigen::Index length, std::type_identity_t<view<sum_term<Real>>> terms,
                  Real after) {
  constexpr Eigen::Index lanes = sum_side<Real>;
  constexpr std::make_integer_sequence<Eigen::Index, 4> four;
  constexpr std::make_integer_sequence<Eigen::Index, 1> one;
  Eigen::Index i = 0;
  for (; i + 4 * lanes <= length; i += 4 * lanes) detail::add_packets(four, to, terms, after, i);
  for (; i + lanes <= length; i += lanes) detail::add_packets(one, to, terms, after, i);
  if (i == length) return;
  // The tail is padded to a packet, so that all elements are computed the same way.
  Real parts[max_sum_terms][lanes] = {}, result[lanes];
  sum_term<Real> last[max_sum_terms];
  for (std::size_t k = 0; k < terms.size(); ++k) {
    std::copy(terms[k].elements + i, terms[k].elements + length, parts[k]);
    last[k] = terms[k];
    last[k].elements = parts[k];
  }
  detail::add_packets(one, result, view<sum_term<Real>>(last, terms.size()), after, 0);
  std::copy_n(result, length - i, to + i);
}

}  // namespace wf::compute
