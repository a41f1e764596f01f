// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <wf/core/table.hpp>
#include <wf/run/tensor.hpp>

// Elementwise operators, alone or several at once: tile by tile, so that what one of them hands to
// the next stays in the nearest cache and is never stored.
namespace wf::compute {

/// Computes `count` elements: to[i] = f(from[0][i·step[0]], from[1][i·step[1]], ...). Steps are 0
/// or 1; `to` may be any of `from` whose step is 1.
using tile_kernel = void (*)(double* to, const double* const* from, const Eigen::Index* step,
                             Eigen::Index count);

/// How many operands an elementwise operator may have.
inline constexpr std::size_t max_tile_operands = 3;
/// How many tensors a program of elementwise operators may read.
inline constexpr std::size_t max_tile_inputs = 8;
/// How many elements of a result in the middle of a program are computed at once.
inline constexpr Eigen::Index tile_length = 512;

/// An elementwise operator in a program.
struct tile_instruction {
  /// Computes it.
  tile_kernel kernel = nullptr;
  /// How many operands it has.
  std::uint32_t operands = 0;
  /// What they are: below `max_tile_inputs` a tensor that the program reads, above it the slot of
  /// what was computed before.
  std::uint8_t from[max_tile_operands] = {};
  /// The slot of its result; the last instruction writes the result of the program instead.
  std::uint8_t to = 0;
};

namespace detail {

// An operand of a kernel in steps that are known.
template <Eigen::Index Step>
struct tile_source {
  const double* from;
  double operator[](Eigen::Index i) const { return from[i * Step]; }
};

// The loop of a kernel, several elements at once: compilers make vectors of the inner loops, since
// nothing is written before all is read.
template <class F, class... Sources>
void compute_tile(F f, double* to, Eigen::Index count, Sources... from) {
  constexpr Eigen::Index lanes = 16;
  Eigen::Index i = 0;
  for (; i + lanes <= count; i += lanes) {
    double block[lanes];
    for (Eigen::Index j = 0; j < lanes; ++j) block[j] = f(from[i + j]...);
    for (Eigen::Index j = 0; j < lanes; ++j) to[i + j] = block[j];
  }
  for (; i < count; ++i) to[i] = f(from[i]...);
}

}  // namespace detail

/// The kernel of a function of N numbers.
template <auto F, std::size_t N>
void tile_of(double* to, const double* const* from, const Eigen::Index* step, Eigen::Index count) {
  using detail::compute_tile;
  using next = detail::tile_source<1>;
  if constexpr (N == 1) {
    if (step[0] == 1) return compute_tile(F, to, count, next{from[0]});
    std::fill_n(to, count, F(*from[0]));
  } else if constexpr (N == 2) {
    if (step[0] == 1 && step[1] == 1)
      return compute_tile(F, to, count, next{from[0]}, next{from[1]});
    const double x = *from[0], y = *from[1];
    if (step[1] == 1)
      return compute_tile([x](double z) { return F(x, z); }, to, count, next{from[1]});
    if (step[0] == 1)
      return compute_tile([y](double z) { return F(z, y); }, to, count, next{from[0]});
    std::fill_n(to, count, F(x, y));
  } else {
    static_assert(N == 3);
    if (step[0] == 1 && step[1] == 1 && step[2] == 1)
      return compute_tile(F, to, count, next{from[0]}, next{from[1]}, next{from[2]});
    for (Eigen::Index i = 0; i < count; ++i)
      to[i] = F(from[0][i * step[0]], from[1][i * step[1]], from[2][i * step[2]]);
  }
}

namespace detail {

// A program of elementwise operators on tensors.
class tile_run {
 public:
  tile_run(const tensor_ref& out, view<tensor_view> in, view<tile_instruction> program,
           double* slots)
      : out_(out), in_(in), program_(program), slots_(slots) {}

  void run() {
    if (out_.view().size() == 0) return;
    if (out_.shape.rank <= 2)
      run_matrix();
    else
      run_tensor();
  }

 private:
  // One operand in a loop over runs of the result.
  struct walk {
    const double* from = nullptr;
    Eigen::Index run_step = 0;  // from a run to the next one
    Eigen::Index step = 0;      // inside of a run
  };

  void run_matrix() {
    const matrix_ref to = out_.shape.rank == 2 ? matrix(out_) : matrix(out_).transposed();
    Eigen::Index runs = to.runs(), length = to.run_length();
    bool flat = to.stride == length || runs == 1, alike = true;
    for (std::size_t k = 0; k < in_.size(); ++k) {
      walk& w = walks_[k] = walk_of(in_[k], to.by_columns);
      flat = flat && ((w.step == 0 && w.run_step == 0) || length == 0 ||
                      ((w.step == 1 || length == 1) && (w.run_step == length || runs == 1)));
      if (length == 1) w.step = 0;
      alike = alike && (w.step == 0 || w.step == 1);
    }
    if (flat) {
      for (std::size_t k = 0; k < in_.size(); ++k)
        if (walks_[k].step != 0 || walks_[k].run_step != 0) walks_[k].step = 1;
      length *= runs, runs = 1;
    }
    if (flat || alike) {
      for (Eigen::Index r = 0; r < runs; ++r) {
        for (std::size_t k = 0; k < in_.size(); ++k)
          from_[k] = walks_[k].from + r * walks_[k].run_step, step_[k] = walks_[k].step;
        run_row(to.run(r), length);
      }
    } else {
      run_squares(to);
    }
  }

  // Where the elements of an operand are, for runs that are columns or rows of the result.
  static walk walk_of(const tensor_view& t, bool by_columns) {
    const matrix_view m = t.shape.rank == 2 ? matrix(t) : matrix(t).transposed();
    const Eigen::Index down = m.rows == 1 ? 0 : m.row_step();
    const Eigen::Index right = m.columns == 1 ? 0 : m.column_step();
    return by_columns ? walk{m.elements, right, down} : walk{m.elements, down, right};
  }

  // Operands that lie the other way round are turned in pieces.
  void run_squares(const matrix_ref& to) {
    constexpr Eigen::Index width = 32, height = 16;
    double turned[max_tile_inputs][width * height];
    for (Eigen::Index r = 0; r < to.runs(); r += height)
      for (Eigen::Index i = 0; i < to.run_length(); i += width) {
        const Eigen::Index rows = std::min(height, to.runs() - r);
        const Eigen::Index length = std::min(width, to.run_length() - i);
        for (std::size_t k = 0; k < in_.size(); ++k) turn(walks_[k], r, i, rows, length, turned[k]);
        for (Eigen::Index row = 0; row < rows; ++row) {
          for (std::size_t k = 0; k < in_.size(); ++k) {
            const walk& w = walks_[k];
            const bool is_turned = w.step > 1;
            from_[k] = is_turned ? turned[k] + (w.run_step == 0 ? 0 : row * width)
                                 : w.from + (r + row) * w.run_step + i * w.step;
            step_[k] = is_turned ? 1 : w.step;
          }
          run_row(to.run(r + row) + i, length);
        }
      }
  }
  static void turn(const walk& w, Eigen::Index run, Eigen::Index at, Eigen::Index runs,
                   Eigen::Index length, double* to) {
    constexpr Eigen::Index width = 32;
    if (w.step <= 1) return;
    const double* const from = w.from + run * w.run_step + at * w.step;
    if (w.run_step == 1) return transpose_matrix(to, width, from, w.step, length, runs);
    for (Eigen::Index r = 0; r < (w.run_step == 0 ? 1 : runs); ++r)
      for (Eigen::Index i = 0; i < length; ++i)
        to[r * width + i] = from[r * w.run_step + i * w.step];
  }

  void run_tensor() {
    const std::uint32_t rank = out_.shape.rank;
    bool flat = true;
    for (std::size_t k = 0; k < in_.size(); ++k)
      flat = flat && (in_[k].shape == out_.shape || in_[k].size() == 1);
    if (flat) {
      for (std::size_t k = 0; k < in_.size(); ++k)
        from_[k] = in_[k].elements, step_[k] = in_[k].size() == 1 ? 0 : 1;
      return run_row(out_.elements, out_.view().size());
    }
    strides walks[max_tile_inputs];
    for (std::size_t k = 0; k < in_.size(); ++k) {
      walks[k] = broadcast_strides(in_[k], rank);
      step_[k] = walks[k].of[rank - 1];
    }
    const Eigen::Index length = out_.view().extent(rank - 1);
    for_each_index(out_.shape, rank - 1, walks, [&](Eigen::Index r, const auto& at) {
      for (std::size_t k = 0; k < in_.size(); ++k) from_[k] = in_[k].elements + at[k];
      run_row(out_.elements + r * length, length);
    });
  }

  // Consecutive elements of the result.
  void run_row(double* to, Eigen::Index length) {
    const std::size_t last = program_.size() - 1;
    const Eigen::Index part = last == 0 ? length : tile_length;
    for (Eigen::Index first = 0; first < length; first += part) {
      const Eigen::Index count = std::min(part, length - first);
      for (std::size_t n = 0; n <= last; ++n) {
        const tile_instruction& instruction = program_[n];
        const double* from[max_tile_operands];
        Eigen::Index step[max_tile_operands];
        for (std::uint32_t k = 0; k < instruction.operands; ++k) {
          const std::uint8_t source = instruction.from[k];
          const bool is_input = source < max_tile_inputs;
          step[k] = is_input ? step_[source] : 1;
          from[k] = is_input ? from_[source] + first * step[k] : slot(source);
        }
        instruction.kernel(n == last ? to + first : slot(instruction.to), from, step, count);
      }
    }
  }
  double* slot(std::uint8_t number) const {
    return slots_ + static_cast<Eigen::Index>(number - max_tile_inputs) * tile_length;
  }

  const tensor_ref& out_;
  view<tensor_view> in_;
  view<tile_instruction> program_;
  double* slots_;
  walk walks_[max_tile_inputs];
  const double* from_[max_tile_inputs] = {};
  Eigen::Index step_[max_tile_inputs] = {};
};

}  // namespace detail

/// out = the result of a program of elementwise operators on `in`, at most `max_tile_inputs`
/// tensors, which broadcast. Matrices lie in any order. `out` may lie in the storage of operands of
/// its shape and order, and shares no element with others. `slots` has `tile_length` elements for
/// each slot that the program uses.
inline void run_tiles(const tensor_ref& out, view<tensor_view> in, view<tile_instruction> program,
                      double* slots) {
  detail::tile_run(out, in, program, slots).run();
}

/// out = the result of one elementwise operator on `in`; as above.
inline void run_tile(const tensor_ref& out, view<tensor_view> in, tile_kernel kernel) {
  tile_instruction only{kernel, static_cast<std::uint32_t>(in.size())};
  for (std::size_t k = 0; k < in.size(); ++k) only.from[k] = static_cast<std::uint8_t>(k);
  run_tiles(out, in, {&only, 1}, nullptr);
}

}  // namespace wf::compute
