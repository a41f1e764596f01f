// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <Eigen/Core>

#include <wf/run/kernels/pivot.hpp>
#include <wf/run/kernels/small_product.hpp>

// Elimination on small fixed-size matrices, for which a library's blocking and checks cost more
// than the arithmetic: by whole columns, without moving rows.
namespace wf::compute {

namespace detail {

// The transpose of a fixed-size matrix as plain element access, which compilers optimise better
// than Eigen's expression.
template <class A>
struct rows_as_columns {
  using Scalar = typename A::Scalar;
  const A& of;

  Scalar operator()(Eigen::Index i, Eigen::Index j) const { return of(j, i); }
};
template <class A>
inline constexpr bool has_solid_columns<rows_as_columns<A>> = false;
using compute::column_magnitude;
template <class A>
typename Eigen::NumTraits<typename A::Scalar>::Real column_magnitude(const rows_as_columns<A>& a,
                                                                     Eigen::Index j) {
  typename A::Scalar most = 0;
  for (int i = 0; i < A::ColsAtCompileTime; ++i) most = std::max(most, std::abs(a(i, j)));
  return most;
}

// Row choice of an elimination step.
enum class pivoting : std::uint8_t {
  largest,  // the remaining row with the largest element
  none,     // the next row, for a definite matrix
  tame,     // the next row, for a matrix of limited element growth: see `most_tame`
};
// Largest multiplier of a tame elimination. Elements grow by at most a factor of 1 more per step.
// Source: N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, lemma 9.6.
inline constexpr int most_tame = 4;
// Rows of the largest matrix for this elimination.
inline constexpr int max_small_factors = 64;

// Compilers warn that a vector type as a template argument loses its alignment.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"

// The factors of a matrix of N rows, P·A = L·U: `taken` holds the pivot row of each step, column k
// of `factors` the multipliers of step k, `rest` the rows of U in their original places, each
// column divided by its pivot and negated. Columns are padded with zeros to whole packets.
template <class Scalar, int N, pivoting By>
class small_factors {
  static_assert(N >= 1 && N <= max_small_factors);

 public:
  // False if a pivot is not above twice the rounding error of elimination (see `is_pivot`;
  // quotients are products with reciprocals here), relative to the largest magnitude in its column,
  // or to its diagonal element if there are no exchanges.
  template <class A>
  bool factorise(const A& a) {
    return factorise_with(a, nullptr);
  }
  // The same; if true, out = the solution for the column b.
  template <class Out, class A, class B>
  bool factorise_and_solve(Out&& out, const A& a, const B& b) {
    alignas(64) Scalar y[padded];
    set_column(y, b);
    if (!factorise_with(a, y)) return false;
    backward<packets>(out, y);
    return true;
  }

  // out = the solution for the column b.
  template <class Out, class B>
  void solve(Out&& out, const B& b) const {
    alignas(64) Scalar y[padded];
    set_column(y, b);
    forward<0>(y);
    backward<packets>(out, y);
  }

  // Solves for many right-hand sides, the rows of a matrix of N columns, which is overwritten; the
  // solutions are the rows of `out`.
  template <class Out, class Right>
  void solve_rows(Out&& out, Right& y) const {
    solve_strips<Right::RowsAtCompileTime>(steps_of(out), steps_of(y), 0);
  }

 private:
  using packet = small_packet<Scalar, N>;
  static constexpr int lanes = Eigen::internal::unpacket_traits<packet>::size;
  static constexpr int packets = (N + lanes - 1) / lanes, padded = packets * lanes;

  using bits = std::conditional_t<sizeof(Scalar) == 8, std::uint64_t, std::uint32_t>;
  static constexpr bits number_bits = 2 * max_small_factors - 1;
  static constexpr bits magnitude_bits = static_cast<bits>(~bits{0}) >> 1 & ~number_bits;
  // Number of each row, from 1 on, in the last bits of the significand.
  struct row_numbers {
    alignas(64) Scalar of[padded];
  };
  static constexpr row_numbers numbers = [] {
    row_numbers out{};
    for (int i = 0; i < padded; ++i) out.of[i] = std::bit_cast<Scalar>(static_cast<bits>(i + 1));
    return out;
  }();

  // A mask of all rows but one, which begins at `padded - row`.
  struct row_mask {
    alignas(64) Scalar of[2 * padded];
  };
  static constexpr row_mask all_but_one = [] {
    row_mask out{};
    for (int i = 0; i < 2 * padded; ++i)
      out.of[i] = std::bit_cast<Scalar>(i != padded ? static_cast<bits>(~bits{0}) : bits{0});
    return out;
  }();

  static packet load(const Scalar* from) { return Eigen::internal::ploadu<packet>(from); }

  // Copies N contiguous numbers by packets: narrower stores would delay the packet loads that
  // follow. (Eigen's assignments cost compilers ten times as much.)
  static void copy(Scalar* to, const Scalar* from) {
    constexpr int whole = N / lanes * lanes;
    for (int i = 0; i < whole; i += lanes) Eigen::internal::pstoreu(to + i, load(from + i));
    for (int i = whole; i < N; ++i) to[i] = from[i];
  }

  template <class B>
  static void set_column(Scalar (&y)[padded], const B& b) {
    if constexpr (has_solid_columns<B> && int(B::ColsAtCompileTime) == 1)
      copy(y, b.data());
    else
      for (int i = 0; i < N; ++i) y[i] = b(i);
    for (int i = N; i < padded; ++i) y[i] = 0;
  }
  template <class A>
  void set_columns(const A& a) {
    for (int j = 0; j < N; ++j) {
      if constexpr (has_solid_columns<A>)
        copy(rest_[j], a.data() + j * a.outerStride());
      else
        for (int i = 0; i < N; ++i) rest_[j][i] = a(i, j);
      for (int i = N; i < padded; ++i) rest_[j][i] = 0;
    }
  }
  // The largest magnitude; a NaN may be missed, but no pivot test accepts it.
  Scalar largest_magnitude() const {
    using namespace Eigen::internal;
    packet most = pset1<packet>(Scalar(0));
    for (int j = 0; j < N; ++j)
      for (int v = 0; v < packets; ++v) most = pmax(pabs(load(rest_[j] + v * lanes)), most);
    return predux_max(most);
  }

  // Applies the row operations to the column `y`, too, unless it is null.
  template <class A, class Column>
  bool factorise_with(const A& a, Column y) {
    set_columns(a);
    for (int i = 0; i < padded; ++i)
      open_[i] = std::bit_cast<Scalar>(i < N ? static_cast<bits>(~bits{0}) : bits{0});
    if constexpr (By == pivoting::tame)
      for (Scalar& g : growth_) g = 0;
    regular_ = true;
    const Scalar largest = By == pivoting::none ? Scalar(0) : largest_magnitude();
    eliminate<0>(a, largest, y);
    if constexpr (By == pivoting::tame)
      for (const Scalar& g : growth_) regular_ = regular_ && g <= most_tame;
    return regular_;
  }

  int taken(int k) const {
    if constexpr (By == pivoting::largest)
      return taken_[k];
    else
      return k;
  }
  // The row of the largest element, up to digits below the rounding error. The row number replaces
  // the last bits of the compared magnitudes, so that one maximum finds both.
  template <int... V>
  int take(int k, std::integer_sequence<int, V...>) {
    using namespace Eigen::internal;
    const packet magnitude = pset1<packet>(std::bit_cast<Scalar>(magnitude_bits));
    packet key;
    const auto compare = [&](int v) __attribute__((always_inline)) {
      const packet size = pand(load(rest_[k] + v * lanes), magnitude);
      const packet each = pand(por(size, load(numbers.of + v * lanes)), load(open_ + v * lanes));
      if (v == 0)
        key = each;
      else
        key = pmax(key, each);
    };
    (compare(V), ...);
    auto number = std::bit_cast<bits>(predux_max(key)) & number_bits;
    // Only if the processor flushes denormal numbers to zero.
    for (int i = 0; number == 0; ++i)
      if (std::bit_cast<bits>(open_[i]) != 0) number = static_cast<bits>(i + 1);
    return taken_[k] = static_cast<int>(number) - 1;
  }
  int take(int k) {
    if constexpr (By != pivoting::largest)
      return k;
    else
      return take(k, std::make_integer_sequence<int, packets>());
  }
  // True if a step divides by more than the rounding error of zero.
  template <class A>
  bool is_regular(const A& a, int k, Scalar pivot, Scalar largest) const {
    constexpr Scalar unit = std::numeric_limits<Scalar>::epsilon() * static_cast<Scalar>(8 * N);
    constexpr Scalar infinity = std::numeric_limits<Scalar>::infinity();
    if constexpr (By == pivoting::none) {
      return pivot > unit * a(k, k) && pivot < infinity;
    } else {
      const Scalar size = std::abs(pivot);
      if (!(size < infinity)) return false;
      // A pivot for the whole matrix is one for its column.
      if (size > unit * largest) return true;
      if constexpr (By == pivoting::largest)
        return size > unit * column_magnitude(a, k);
      else
        return false;
    }
  }

  // The steps of the rows from packet `First` on; without exchanges, earlier rows are done.
  template <int First, class A, class Column>
  void eliminate(const A& a, Scalar largest, Column y) {
    constexpr bool all = By == pivoting::largest;
    constexpr int end = all ? N : std::min(N, (First + 1) * lanes);
    for (int k = First * lanes; k < end; ++k) {
      // If dividing a whole packet takes no longer than finding the pivot, it need not wait for it.
      alignas(64) Scalar quotients[lanes];
      constexpr bool at_once = all && packets == 1 && lanes > 1;
      if constexpr (at_once)
        Eigen::internal::pstoreu(
            quotients,
            Eigen::internal::pdiv(Eigen::internal::pset1<packet>(Scalar(-1)), load(rest_[k])));
      const int row = take(k);
      const Scalar pivot = rest_[k][row];
      regular_ = is_regular(a, k, pivot, largest) && regular_;
      reciprocal_[k] = at_once ? quotients[row] : -1 / pivot;
      step<First>(k, row, y, std::make_integer_sequence<int, packets - First>());
    }
    if constexpr (!all && First + 1 < packets) eliminate<First + 1>(a, largest, y);
  }
  template <int First, class Column, int... V>
  void step(int k, int row, Column y, std::integer_sequence<int, V...>) {
    using namespace Eigen::internal;
    const packet r = pset1<packet>(reciprocal_[k]);
    // Loaded as packets: elementwise stores would delay packet loads.
    const Scalar* const others = all_but_one.of + padded - row;
    const packet open[] = {
        pand(load(open_ + (First + V) * lanes), load(others + (First + V) * lanes))...};
    (pstoreu(open_ + (First + V) * lanes, open[V]), ...);
    const packet scaled[] = {pmul(load(rest_[k] + (First + V) * lanes), r)...};
    const packet f[] = {pand(scaled[V], open[V])...};
    (pstoreu(factors_[k] + (First + V) * lanes, f[V]), ...);
    if constexpr (By == pivoting::tame)
      (pstoreu(growth_ + (First + V) * lanes,
               pmax(load(growth_ + (First + V) * lanes), pabs(f[V]))),
       ...);
    for (int j = k + 1; j < N; ++j) {
      Scalar* const to = rest_[j] + First * lanes;
      const packet u = pset1<packet>(rest_[j][row]);
      (pstoreu(to + V * lanes, pmadd(f[V], u, load(to + V * lanes))), ...);
    }
    (pstoreu(rest_[k] + (First + V) * lanes, scaled[V]), ...);
    for (int v = 0; v < First; ++v)
      pstoreu(rest_[k] + v * lanes, pmul(load(rest_[k] + v * lanes), r));
    if constexpr (!std::is_null_pointer_v<Column>)
      add<First>(y, factors_[k], y[row], std::integer_sequence<int, V...>());
  }

  // y += x times some packets of a column, from packet `First` on.
  template <int First, int... V>
  static void add(Scalar* y, const Scalar* column, Scalar x, std::integer_sequence<int, V...>) {
    using namespace Eigen::internal;
    const packet each = pset1<packet>(x);
    (pstoreu(y + (First + V) * lanes,
             pmadd(load(column + (First + V) * lanes), each, load(y + (First + V) * lanes))),
     ...);
  }
  template <int First>
  void forward(Scalar* y) const {
    constexpr bool all = By == pivoting::largest;
    constexpr int end = all ? N : std::min(N, (First + 1) * lanes);
    for (int k = First * lanes; k < end; ++k)
      add<First>(y, factors_[k], y[taken(k)], std::make_integer_sequence<int, packets - First>());
    if constexpr (!all && First + 1 < packets) forward<First + 1>(y);
  }
  template <int Last, class Out>
  void backward(Out&& out, Scalar* y) const {
    constexpr bool all = By == pivoting::largest;
    for (int k = std::min(N, Last * lanes); k-- > (all ? 0 : (Last - 1) * lanes);) {
      const Scalar x = y[taken(k)];
      out(k) = -x * reciprocal_[k];
      add<0>(y, rest_[k], x, std::make_integer_sequence<int, Last>());
    }
    if constexpr (!all && Last > 1) backward<Last - 1>(out, y);
  }

  // Solves rows of right-hand sides from `row` on, as many packets at once as registers allow.
  template <int Rows>
  void solve_strips(element_steps<Scalar> out, element_steps<Scalar> y, Eigen::Index row) const {
    using wide = small_packet<Scalar, Rows>;
    constexpr int width = Eigen::internal::unpacket_traits<wide>::size;
    constexpr int whole = Rows / width, most = std::min(whole, 8);
    for (int done = 0; done + most <= whole; done += most)
      solve_strip<wide>(out, y, row + done * width, std::make_integer_sequence<int, most>());
    if constexpr (constexpr int rest = Rows - whole / most * most * width; rest != 0)
      solve_strips<rest>(out, y, row + Rows - rest);
  }
  template <class Wide, int... V>
  void solve_strip(element_steps<Scalar> out, element_steps<Scalar> y, Eigen::Index row,
                   std::integer_sequence<int, V...>) const {
    using namespace Eigen::internal;
    constexpr int width = unpacket_traits<Wide>::size;
    for (int l = 0; l < N; ++l) {
      Scalar* const at = y.at(row, taken(l));
      Wide sum[] = {ploadu<Wide>(at + V * width)...};
      for (int k = 0; k < l; ++k) {
        const Wide each = pset1<Wide>(factors_[k][taken(l)]);
        const Scalar* const from = y.at(row, taken(k));
        ((sum[V] = pmadd(ploadu<Wide>(from + V * width), each, sum[V])), ...);
      }
      (pstoreu(at + V * width, sum[V]), ...);
    }
    for (int k = N; k-- > 0;) {
      Scalar* const at = y.at(row, taken(k));
      Wide sum[] = {ploadu<Wide>(at + V * width)...};
      for (int l = k + 1; l < N; ++l) {
        const Wide each = pset1<Wide>(rest_[l][taken(k)]);
        const Scalar* const from = y.at(row, taken(l));
        ((sum[V] = pmadd(ploadu<Wide>(from + V * width), each, sum[V])), ...);
      }
      const Wide each = pset1<Wide>(-reciprocal_[k]);
      Scalar* const to = out.at(row, k);
      (pstoreu(at + V * width, sum[V]), ...);
      (pstoreu(to + V * width, pmul(sum[V], each)), ...);
    }
  }

  alignas(64) Scalar rest_[N][padded], factors_[N][padded];  // column-major
  alignas(64) Scalar open_[padded];  // all bits set for a row not taken yet, else zero
  Scalar growth_[padded];            // tame elimination: largest multiplier of each row
  Scalar reciprocal_[N];             // negated reciprocals of the pivots
  int taken_[N];
  bool regular_;
};

#pragma GCC diagnostic pop

}  // namespace detail

}  // namespace wf::compute
