// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include <wf/core/container/table.hpp>
#include <wf/run/kernels/elementary.hpp>
#include <wf/run/kernels/weighted_sum.hpp>
#include <wf/run/operators/integer_arithmetic.hpp>
#include <wf/run/values/tensor.hpp>

// Elementwise operators, single or fused, computed tile by tile: intermediate results stay in the
// nearest cache and are never stored.
namespace wf::compute {

/// Type of a node's numeric attributes in an operator: the element type, or double for integers and
/// booleans.
template <class Real>
using parameter_of = std::conditional_t<is_field_scalar<Real>, Real, double>;

/// Computes `count` elements: to[i] = f(from[0][i·step[0]], from[1][i·step[1]], ...). `to` may
/// alias any of `from` whose step is 1. `parameters` are the numeric attributes of the node, in the
/// order of their declaration. False if an integer result does not exist or does not fit.
template <class Real>
using tile_kernel = bool (*)(Real* to, const Real* const* from, const Eigen::Index* step,
                             Eigen::Index count, const parameter_of<Real>* parameters);

/// Maximum number of operands of an elementwise operator.
inline constexpr std::size_t max_tile_operands = 3;
/// Maximum number of attributes of an elementwise operator.
inline constexpr std::size_t max_tile_parameters = 4;
/// Maximum number of tensors that a fused program reads.
inline constexpr std::size_t max_tile_inputs = 8;
/// Tile size in elements, of intermediate results of a fused program.
inline constexpr Eigen::Index tile_length = 512;
/// Tile size in elements for a result of this shape: `tile_length` or all its elements.
constexpr Eigen::Index tile_length_of(const shape& s) {
  const std::int64_t elements = s.elements();
  return elements >= 0 && elements < tile_length ? static_cast<Eigen::Index>(elements)
                                                 : tile_length;
}

/// Role of an elementwise operator in a linear combination, for fused sums.
enum class tile_role : std::uint8_t {
  other,     ///< none that fusion knows
  sum,       ///< x + y
  gap,       ///< x - y
  product,   ///< x·y
  opposite,  ///< 0 - x
};

/// An instruction of a fused program: one elementwise operator.
template <class Real>
struct tile_instruction {
  /// Kernel that computes a tile.
  tile_kernel<Real> kernel = nullptr;
  /// Number of operands.
  std::uint32_t operands = 0;
  /// Sources of the operands: below `max_tile_inputs` an input tensor, above it the slot of an
  /// earlier result.
  std::uint8_t from[max_tile_operands] = {};
  /// Slot of the result; the last instruction writes the result of the program instead.
  std::uint8_t to = 0;
  /// Role in a linear combination.
  tile_role role = tile_role::other;
  /// Numeric attributes of the node.
  parameter_of<Real> parameters[max_tile_parameters] = {};
};

/// Returned by a program that computed all its elements; otherwise it returns the index of the
/// instruction that failed.
inline constexpr std::size_t all_computed = static_cast<std::size_t>(-1);

namespace detail {

// A fused program that is a linear combination, a + 2·b - c, evaluated term by term.
class tile_sum {
 public:
  // Recognises a linear combination in a program; empty if it is none. `is_scalar`: by tensor.
  tile_sum() = default;
  template <class Real>
  tile_sum(view<tile_instruction<Real>> program, const bool* is_scalar) {
    form last;
    for (const tile_instruction<Real>& instruction : program) {
      last = result_of(instruction, is_scalar);
      if (last.kind == form_kind::none) return;
      at(instruction.to) = last;
    }
    if (last.kind == form_kind::term) start(last);
    count_ = made_;
  }
  explicit operator bool() const { return count_ > 0; }
  // True if no term has more than one scalar factor: the rounding is then that of separate
  // operators.
  bool is_plain() const {
    for (std::size_t k = 0; k < count_; ++k)
      if (steps_[k].scalars > 1) return false;
    return count_ > 0;
  }

  // Fills in the terms for these walks; returns the factor of the final sum.
  template <class Real, class Walk>
  Real terms(const Walk* walks, sum_term<Real>* out, std::size_t& count) const {
    count = 0;
    Real before = 1;
    for (std::size_t k = 0; k < count_; ++k) {
      const form& f = steps_[k];
      Real factor = f.negative ? -1 : 1;
      for (std::size_t s = 0; s < f.scalars; ++s) factor *= *walks[f.scalar[s]].from;
      if (f.kind == form_kind::sum) {
        before *= factor;
        continue;
      }
      const Walk& w = walks[f.tensor];
      out[count++] = {w.from, w.run_step, w.step, factor, before};
      before = 1;
    }
    return before;
  }

 private:
  enum class form_kind : std::uint8_t { none, scalar, term, sum };
  static constexpr std::size_t most_scalars = 4;
  // A tensor times scalars, or a scaling of the sum so far.
  struct form {
    form_kind kind = form_kind::none;
    std::uint8_t tensor = 0;
    bool negative = false;
    std::uint8_t scalars = 0;
    std::uint8_t scalar[most_scalars] = {};
  };

  form& at(std::uint8_t slot) {
    return slots_[slot < max_tile_inputs ? 0 : slot - max_tile_inputs];
  }
  form read(std::uint8_t source, const bool* is_scalar) {
    if (source >= max_tile_inputs) {
      form& f = at(source);
      // The sum so far may be read once only.
      return f.kind == form_kind::sum ? std::exchange(f, form{}) : f;
    }
    form f{is_scalar[source] ? form_kind::scalar : form_kind::term, source};
    return f;
  }
  template <class Real>
  form result_of(const tile_instruction<Real>& n, const bool* is_scalar) {
    using enum form_kind;
    if (n.role == tile_role::other) return {};
    form x = read(n.from[0], is_scalar);
    if (n.role == tile_role::opposite) {
      if (x.kind != term && x.kind != sum) return {};
      x.negative = !x.negative;
      return x.kind == sum ? scaled({sum, 0, true}) : x;
    }
    form y = read(n.from[1], is_scalar);
    if (n.role == tile_role::product) {
      if (x.kind == scalar) std::swap(x, y);
      if (y.kind != scalar || (x.kind != term && x.kind != sum)) return {};
      form by = x.kind == sum ? form{sum} : x;
      if (by.scalars == most_scalars) return {};
      by.scalar[by.scalars++] = y.tensor;
      return x.kind == sum ? scaled(by) : by;
    }
    if (n.role == tile_role::gap) {
      if (y.kind == term) {
        y.negative = !y.negative;
      } else if (y.kind == sum) {
        if (scaled({sum, 0, true}).kind == none) return {};
      }
    }
    if (x.kind == sum && y.kind == term) return scaled(y);
    if (x.kind == term && y.kind == sum) return scaled(x);
    if (x.kind != term || y.kind != term || made_ > 0) return {};
    start(x);
    return scaled(y);
  }
  // Appends a step to the sum; none if there is no room.
  form scaled(const form& step) {
    if (made_ == most_steps) return {};
    steps_[made_++] = step;
    return {form_kind::sum};
  }
  void start(const form& first) {
    made_ = 0;
    scaled(first);
  }

  static constexpr std::size_t most_steps = 2 * max_tile_inputs + 2;
  form steps_[most_steps];
  std::size_t made_ = 0, count_ = 0;
  form slots_[max_tile_inputs];
};

// An operand with consecutive elements, and one with a stride.
template <class Real>
struct next_source {
  const Real* from;
  Real operator[](Eigen::Index i) const { return from[i]; }
};
template <class Real>
struct step_source {
  const Real* from;
  Eigen::Index step;
  Real operator[](Eigen::Index i) const { return from[i * step]; }
};

// The loop of a kernel over blocks of 16 elements: compilers vectorise the inner loops, since each
// block is read completely before it is written.
template <class Real, class F, class... Sources>
void compute_tile(F f, Real* to, Eigen::Index count, Sources... from) {
  constexpr Eigen::Index lanes = 16;
  Eigen::Index i = 0;
  for (; i + lanes <= count; i += lanes) {
    Real block[lanes];
    for (Eigen::Index j = 0; j < lanes; ++j) block[j] = f(from[i + j]...);
    for (Eigen::Index j = 0; j < lanes; ++j) to[i + j] = block[j];
  }
  for (; i < count; ++i) to[i] = f(from[i]...);
}

template <class Real, class F, std::size_t... K>
void compute_tile(F f, std::index_sequence<K...>, Real* to, const Real* const* from,
                  const Eigen::Index* step, Eigen::Index count) {
  if (((step[K] == 1) && ...)) return compute_tile(f, to, count, next_source<Real>{from[K]}...);
  for (Eigen::Index i = 0; i < count; ++i) to[i] = f(from[K][i * step[K]]...);
}

}  // namespace detail

/// Tile kernel of a function of N numbers.
template <auto F, std::size_t N, class Real>
bool tile_of(Real* to, const Real* const* from, const Eigen::Index* step, Eigen::Index count,
             const parameter_of<Real>* = nullptr) {
  detail::compute_tile(F, std::make_index_sequence<N>(), to, from, step, count);
  return true;
}

namespace detail {

// A scalar operand of a kernel.
template <class Real>
struct same_source {
  Real value;
  Real operator[](Eigen::Index) const { return value; }
};

// A vector of consecutive or repeated elements of an operand.
template <class Integer>
auto vector_from(const next_source<Integer>& source, Eigen::Index i) {
  return load_vector(reinterpret_cast<const bits_of_integer<Integer>*>(source.from + i));
}
template <class Integer>
auto vector_from(const same_source<Integer>& source, Eigen::Index) {
  return vector_of<bits_of_integer<Integer>>{} +
         static_cast<bits_of_integer<Integer>>(source.value);
}
// As `compute_tile`, for a function of integers that records overflow in its first argument.
template <class F, class Integer, class... Sources>
bool compute_checked_tile(Integer* to, Eigen::Index count, Sources... from) {
  using bits = bits_of_integer<Integer>;
  constexpr Eigen::Index lanes = F::makes_vectors ? vector_lanes<Integer> : 16;
  bits lost[lanes] = {};
  Eigen::Index i = 0;
  if constexpr (F::makes_vectors) {
    vector_of<bits> note{};
#pragma GCC unroll 4
    for (; i + lanes <= count; i += lanes) {
      vector_of<bits> seen = note;  // a local copy stays in a register
      const vector_of<bits> made = F::of(seen, vector_from(from, i)...);
      note = seen;
      std::memcpy(to + i, &made, sizeof made);
    }
    for (Eigen::Index j = 0; j < lanes; ++j) lost[j] = note[j];
  } else {
    for (; i + lanes <= count; i += lanes) {
      bits block[lanes];
      for (Eigen::Index j = 0; j < lanes; ++j)
        block[j] = F::of(lost[j], static_cast<bits>(from[i + j])...);
      for (Eigen::Index j = 0; j < lanes; ++j) to[i + j] = static_cast<Integer>(block[j]);
    }
  }
  for (; i < count; ++i)
    to[i] = static_cast<Integer>(F::of(lost[0], static_cast<bits>(from[i])...));
  for (Eigen::Index j = 1; j < lanes; ++j) lost[0] |= lost[j];
  return static_cast<Integer>(lost[0]) >= 0;
}
template <class F, class Integer, std::size_t... K>
bool compute_checked_tile(std::index_sequence<K...>, Integer* to, const Integer* const* from,
                          const Eigen::Index* step, Eigen::Index count) {
  if (((step[K] == 1) && ...))
    return compute_checked_tile<F>(to, count, next_source<Integer>{from[K]}...);
  if constexpr (sizeof...(K) == 2) {
    if (step[0] == 0 && step[1] == 1)
      return compute_checked_tile<F>(to, count, same_source<Integer>{*from[0]},
                                     next_source<Integer>{from[1]});
    if (step[0] == 1 && step[1] == 0)
      return compute_checked_tile<F>(to, count, next_source<Integer>{from[0]},
                                     same_source<Integer>{*from[1]});
  }
  // Strided operands are gathered, 64 elements at a time.
  constexpr Eigen::Index few = 64;
  Integer near[sizeof...(K)][few];
  for (Eigen::Index first = 0; first < count; first += few) {
    const Eigen::Index length = std::min(few, count - first);
    for (std::size_t k = 0; k < sizeof...(K); ++k)
      for (Eigen::Index i = 0; i < length; ++i) near[k][i] = from[k][(first + i) * step[k]];
    if (!compute_checked_tile<F>(to + first, length, next_source<Integer>{near[K]}...))
      return false;
  }
  return true;
}

}  // namespace detail

/// Tile kernel of a function of N integers that records overflow in its first argument, as
/// `detail::checked_sum` does.
template <class F, std::size_t N, class Integer>
bool checked_tile_of(Integer* to, const Integer* const* from, const Eigen::Index* step,
                     Eigen::Index count, const double* = nullptr) {
  return detail::compute_checked_tile<F>(std::make_index_sequence<N>(), to, from, step, count);
}

/// Tile kernel of integer products. 32-bit products are vectorised tile by tile if a bound on
/// magnitudes excludes overflow; there are no vectors of 64-bit products.
template <class Integer>
bool checked_product_tile(Integer* to, const Integer* const* from, const Eigen::Index* step,
                          Eigen::Index count, const double* = nullptr) {
  constexpr auto pair = std::make_index_sequence<2>();
  using every = detail::checked_product<Integer>;
  if (sizeof(Integer) == 8 || step[0] > 1 || step[1] > 1)
    return detail::compute_checked_tile<every>(pair, to, from, step, count);
  for (Eigen::Index first = 0; first < count; first += tile_length) {
    const Eigen::Index length = std::min(tile_length, count - first);
    const Integer* const part[] = {from[0] + first * step[0], from[1] + first * step[1]};
    const auto bound = [&](std::size_t k) {
      return magnitude_bound(part[k], step[k] == 0 ? 1 : length);
    };
    constexpr std::uint64_t most = std::numeric_limits<Integer>::max();
    const bool fits = bounded_product(bound(0), bound(1)) <= most;
    Integer* const into = to + first;
    if (!(fits ? detail::compute_checked_tile<detail::small_product>(pair, into, part, step, length)
               : detail::compute_checked_tile<every>(pair, into, part, step, length)))
      return false;
  }
  return true;
}

/// Tile kernel of a function that also takes Eigen arrays, at the speed of Eigen.
template <auto F, std::size_t N, class Real>
bool array_tile_of(Real* to, const Real* const* from, const Eigen::Index* step, Eigen::Index count,
                   const parameter_of<Real>* = nullptr) {
  using detail::compute_tile, detail::next_source, detail::step_source;
  using array = Eigen::Map<const Eigen::Array<Real, Eigen::Dynamic, 1>>;
  Eigen::Map<Eigen::Array<Real, Eigen::Dynamic, 1>> out(to, count);
  if constexpr (N == 1) {
    if (step[0] == 1) {
      out = F(array(from[0], count));
      return true;
    }
  } else {
    static_assert(N == 2);
    const Real x = *from[0], y = *from[1];  // `to` may alias them
    if (step[0] == 1 && step[1] == 1)
      out = F(array(from[0], count), array(from[1], count));
    else if (step[0] == 0 && step[1] == 1)
      out = F(x, array(from[1], count));
    else if (step[0] == 1 && step[1] == 0)
      out = F(array(from[0], count), y);
    else if (step[0] == 1)
      compute_tile(F, to, count, next_source<Real>{from[0]}, step_source<Real>{from[1], step[1]});
    else if (step[1] == 1)
      compute_tile(F, to, count, step_source<Real>{from[0], step[0]}, next_source<Real>{from[1]});
    if (step[0] == 1 || step[1] == 1) return true;
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    if constexpr (N == 1)
      to[i] = F(from[0][i * step[0]]);
    else
      to[i] = F(from[0][i * step[0]], from[1][i * step[1]]);
  }
  return true;
}

/// Tile kernel of a function of one `block` of reals, and of a single number for other element
/// types. Every element is computed in a block, so that its value does not depend on its position.
template <auto F, class Real>
bool block_tile_of(Real* to, const Real* const* from, const Eigen::Index* step, Eigen::Index count,
                   const parameter_of<Real>* = nullptr) {
  if constexpr (!std::is_floating_point_v<Real>) {
    return tile_of<F, 1>(to, from, step, count);
  } else {
    for (Eigen::Index first = 0; first < count; first += block_length) {
      const Eigen::Index length = std::min(block_length, count - first);
      const Real* const next = *from + first * *step;
      block<Real> x;
      if (*step == 1 && length == block_length) {
        x = Eigen::Map<const block<Real>>(next);
      } else {
        x.setOnes();
        for (Eigen::Index i = 0; i < length; ++i) x[i] = next[i * *step];
      }
      const block<Real> y = F(x);
      if (length == block_length)
        Eigen::Map<block<Real>>(to + first) = y;
      else
        for (Eigen::Index i = 0; i < length; ++i) to[first + i] = y[i];
    }
    return true;
  }
}

namespace detail {

// A fused program bound to tensors: the strides are determined once. The tensors, the program and
// the slots must outlive it.
template <class Real>
class tile_run {
 public:
  tile_run(const tensor_ref<Real>& out, view<tensor_view<Real>> in,
           view<tile_instruction<Real>> program, Real* slots)
      : out_(out),
        in_(in),
        program_(program),
        slots_(slots),
        slot_length_(tile_length_of(out.shape)) {
    if (out_.shape.rank <= 2) walk_matrices();
  }

  // Index of the instruction that failed, or `all_computed`.
  std::size_t run() const {
    if (out_.shape.rank > 2) return run_tensor();
    if constexpr (is_field_scalar<Real>)
      if (sum_) {
        is_turned_ ? run_sum() : run_flat_sum();
        return all_computed;
      }
    if (is_turned_) return run_pieces();
    for (Eigen::Index r = 0; r < to_.runs(); ++r)
      if (const std::size_t failed = run_part(r, 0, to_.run_length()); failed != all_computed)
        return failed;
    return all_computed;
  }

 private:
  // Strides of one operand in a loop over runs of the result.
  struct walk {
    const Real* from = nullptr;
    Eigen::Index run_step = 0;  // between consecutive runs
    Eigen::Index step = 0;      // within a run
  };

  void walk_matrices() {
    to_ = out_.shape.rank == 2 ? matrix(out_) : matrix(out_).transposed();
    const Eigen::Index runs = to_.runs(), length = to_.run_length();
    bool flat = to_.stride == length || runs == 1, alike = true;
    for (std::size_t k = 0; k < in_.size(); ++k) {
      walk& w = walks_[k] = walk_of(in_[k], to_.by_columns);
      flat = flat && ((w.step == 0 && w.run_step == 0) || length == 0 ||
                      ((w.step == 1 || length == 1) && (w.run_step == length || runs == 1)));
      if (length == 1) w.step = 0;
      alike = alike && (w.step == 0 || w.step == 1);
    }
    is_turned_ = !flat && !alike;
    if (is_turned_) find_sum();
    if (!flat) {
      if (alike && program_.size() > 1) find_flat_sum();
      return;
    }
    for (std::size_t k = 0; k < in_.size(); ++k)
      if (walks_[k].step != 0 || walks_[k].run_step != 0) walks_[k].step = 1;
    to_ = {to_.elements, length * runs, length * runs == 0 ? 0 : 1, to_.stride, true};
    if (program_.size() > 1) find_flat_sum();
  }

  // Strides of an operand for runs that are columns or rows of the result.
  static walk walk_of(const tensor_view<Real>& t, bool by_columns) {
    const matrix_view<Real> m = t.shape.rank == 2 ? matrix(t) : matrix(t).transposed();
    const Eigen::Index down = m.rows == 1 ? 0 : m.row_step();
    const Eigen::Index right = m.columns == 1 ? 0 : m.column_step();
    return by_columns ? walk{m.elements, right, down} : walk{m.elements, down, right};
  }

  // Operands in the other storage order are read in pieces that share cache lines.
  std::size_t run_pieces() const {
    constexpr Eigen::Index width = 512, height = 8;
    for (Eigen::Index i = 0; i < to_.run_length(); i += width)
      for (Eigen::Index first = 0; first < to_.runs(); first += height)
        for (Eigen::Index r = first; r < std::min(first + height, to_.runs()); ++r)
          if (const std::size_t failed = run_part(r, i, std::min(width, to_.run_length() - i));
              failed != all_computed)
            return failed;
    return all_computed;
  }
  // Recognises linear combinations of operands in either order. For integers each operator must
  // check overflow itself.
  void find_sum() {
    if constexpr (!is_field_scalar<Real>) return;
    if (to_.runs() < sum_side<Real> || to_.run_length() < sum_side<Real>) return;
    bool is_scalar[max_tile_inputs] = {};
    for (std::size_t k = 0; k < in_.size(); ++k) {
      const walk& w = walks_[k];
      is_scalar[k] = w.step == 0 && w.run_step == 0;
      if (!is_scalar[k] && w.step != 1 && w.run_step != 1) return;
      if (!is_scalar[k] && (w.step == 0 || w.run_step == 0)) return;  // a broadcast row or column
      overwrites_ = overwrites_ || w.from == to_.elements;
    }
    sum_ = tile_sum(program_, is_scalar);
  }
  // Recognises linear combinations of operands in the order of the result, broadcast rows included.
  void find_flat_sum() {
    if constexpr (!is_field_scalar<Real>) return;
    bool is_scalar[max_tile_inputs] = {};
    for (std::size_t k = 0; k < in_.size(); ++k) {
      const walk& w = walks_[k];
      is_scalar[k] = w.step == 0 && w.run_step == 0;
      if (!is_scalar[k] && w.step != 1) return;
    }
    sum_ = tile_sum(program_, is_scalar);
    if (!sum_.is_plain()) sum_ = {};
  }
  void run_flat_sum() const {
    sum_term<Real> terms[max_sum_terms];
    std::size_t count = 0;
    const Real after = sum_.terms(walks_, terms, count);
    for (Eigen::Index r = 0; r < to_.runs(); ++r) {
      weighted_run(to_.run(r), to_.run_length(), {terms, count}, after);
      for (std::size_t t = 0; t < count; ++t) terms[t].elements += terms[t].run_step;
    }
  }
  void run_sum() const {
    sum_term<Real> terms[2 * max_tile_inputs];
    std::size_t count = 0;
    const Real after = sum_.terms(walks_, terms, count);
    weighted_sum(to_.elements, to_.stride, to_.runs(), to_.run_length(), {terms, count}, after,
                 overwrites_);
  }
  // Computes `length` elements of a run from element `at` on.
  std::size_t run_part(Eigen::Index run, Eigen::Index at, Eigen::Index length) const {
    const Real* from[max_tile_inputs];
    Eigen::Index step[max_tile_inputs];
    for (std::size_t k = 0; k < in_.size(); ++k) {
      const walk& w = walks_[k];
      from[k] = w.from + run * w.run_step + at * w.step, step[k] = w.step;
    }
    return run_row(to_.run(run) + at, from, step, length);
  }

  std::size_t run_tensor() const {
    const std::uint32_t rank = out_.shape.rank;
    const Real* from[max_tile_inputs];
    Eigen::Index step[max_tile_inputs];
    bool flat = true;
    for (std::size_t k = 0; k < in_.size(); ++k)
      flat = flat && (in_[k].shape == out_.shape || in_[k].size() == 1);
    if (flat) {
      for (std::size_t k = 0; k < in_.size(); ++k)
        from[k] = in_[k].elements, step[k] = in_[k].size() == 1 ? 0 : 1;
      return run_row(out_.elements, from, step, out_.view().size());
    }
    strides walks[max_tile_inputs];
    for (std::size_t k = 0; k < in_.size(); ++k) {
      walks[k] = broadcast_strides(in_[k], rank);
      step[k] = walks[k].of[rank - 1];
    }
    const Eigen::Index length = out_.view().extent(rank - 1);
    std::size_t failed = all_computed;
    for_each_index(out_.shape, rank - 1, walks, [&](Eigen::Index r, const auto& at) {
      for (std::size_t k = 0; k < in_.size(); ++k) from[k] = in_[k].elements + at[k];
      if (failed == all_computed) failed = run_row(out_.elements + r * length, from, step, length);
    });
    return failed;
  }

  // Computes consecutive elements of the result.
  std::size_t run_row(Real* to, const Real* const* from_all, const Eigen::Index* steps,
                      Eigen::Index length) const {
    const std::size_t last = program_.size() - 1;
    const Eigen::Index part = last == 0 ? length : slot_length_;
    for (Eigen::Index first = 0; first < length; first += part) {
      const Eigen::Index count = std::min(part, length - first);
      for (std::size_t n = 0; n <= last; ++n) {
        const tile_instruction<Real>& instruction = program_[n];
        const Real* from[max_tile_operands];
        Eigen::Index step[max_tile_operands];
        for (std::uint32_t k = 0; k < instruction.operands; ++k) {
          const std::uint8_t source = instruction.from[k];
          const bool is_input = source < max_tile_inputs;
          step[k] = is_input ? steps[source] : 1;
          from[k] = is_input ? from_all[source] + first * step[k] : slot(source);
        }
        if (!instruction.kernel(n == last ? to + first : slot(instruction.to), from, step, count,
                                instruction.parameters))
          return n;
      }
    }
    return all_computed;
  }
  Real* slot(std::uint8_t number) const {
    return slots_ + static_cast<Eigen::Index>(number - max_tile_inputs) * slot_length_;
  }

  const tensor_ref<Real>& out_;
  view<tensor_view<Real>> in_;
  view<tile_instruction<Real>> program_;
  Real* slots_;
  Eigen::Index slot_length_;
  matrix_ref<Real> to_;
  bool is_turned_ = false;   // some operand has the other storage order
  bool overwrites_ = false;  // the result of a sum overwrites an operand
  tile_sum sum_;             // the program as a linear combination, or empty
  walk walks_[max_tile_inputs];
};

}  // namespace detail

/// out = the result of a program of elementwise operators on `in`, at most `max_tile_inputs`
/// tensors, which broadcast. Matrices may have any layout. `out` may share the storage of operands
/// of its shape and layout, and no element with others. `slots` has `tile_length_of(out.shape)`
/// elements per slot of the program. Returns the index of the instruction that failed, or
/// `all_computed`.
template <class Real>
std::size_t run_tiles(const tensor_ref<Real>& out, given<view<tensor_view<Real>>> in,
                      given<view<tile_instruction<Real>>> program, given<Real>* slots) {
  return detail::tile_run<Real>(out, in, program, slots).run();
}

/// out = the result of one elementwise operator on `in`, under the conditions of `run_tiles`. False
/// if it failed.
template <class Real>
bool run_tile(const tensor_ref<Real>& out, given<view<tensor_view<Real>>> in,
              given<tile_kernel<Real>> kernel, view<parameter_of<Real>> parameters = {}) {
  tile_instruction<Real> only{kernel, static_cast<std::uint32_t>(in.size())};
  std::copy(parameters.begin(), parameters.end(), only.parameters);
  for (std::size_t k = 0; k < in.size(); ++k) only.from[k] = static_cast<std::uint8_t>(k);
  return run_tiles(out, in, {&only, 1}, nullptr) == all_computed;
}

}  // namespace wf::compute
