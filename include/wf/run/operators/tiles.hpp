// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <Eigen/Core>

#include <wf/core/container/table.hpp>
#include <wf/run/kernels/weighted_sum.hpp>
#include <wf/run/operators/tile_program.hpp>
#include <wf/run/operators/tile_sum.hpp>
#include <wf/run/values/scalar.hpp>
#include <wf/run/values/tensor.hpp>

// Elementwise operators, single or fused, computed tile by tile: intermediate results stay in the
// nearest cache and are never stored.
namespace wf::compute {

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
