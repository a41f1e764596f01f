// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <Eigen/Core>

#include <wf/core/container/table.hpp>
#include <wf/run/kernels/weighted_sum.hpp>
#include <wf/run/operators/tile_program.hpp>
#include <wf/run/operators/tile_sum.hpp>
#include <wf/run/parallel/team.hpp>
#include <wf/run/values/scalar.hpp>
#include <wf/run/values/tensor.hpp>

// Elementwise operators, single or fused, computed tile by tile: intermediate results stay in the
// nearest cache and are never stored.
namespace wf::compute {

namespace detail {

// Least number of elements that operators compute, all together, for several threads to share them:
// 30 to 200 µs of work.
inline constexpr std::int64_t least_shared_elements = 1 << 17;

// Number of parts of the result of a fused program for the current team.
inline std::size_t tile_parts(const shape& result, std::size_t instructions) {
  return result.elements() * static_cast<std::int64_t>(instructions) < least_shared_elements
             ? 1
             : team::current().size();
}
// Number of slots of a program.
template <class Real>
std::int64_t slots_of(view<tile_instruction<Real>> program) {
  std::int64_t slots = 0;
  for (const tile_instruction<Real>& i : program)
    slots = std::max<std::int64_t>(slots, i.to + 1 - std::int64_t{max_tile_inputs});
  return slots;
}

// A fused program bound to tensors: the strides are determined once. The tensors, the program and
// the slots must outlive it. The current team shares a large result.
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
    for (std::size_t k = 0; k < in_.size(); ++k)
      is_flat_ = is_flat_ && (in_[k].shape == out_.shape || in_[k].size() == 1);
  }

  // Index of the instruction that failed, or `all_computed`.
  std::size_t run() const {
    const std::size_t parts = tile_parts(out_.shape, program_.size());
    const bool is_tensor = out_.shape.rank > 2;
    if (is_tensor && !is_flat_) return run_tensor();
    const Eigen::Index runs = is_tensor ? 1 : to_.runs();
    const Eigen::Index length = is_tensor ? out_.view().size() : to_.run_length();
    // Pieces fail in another order than runs.
    if (parts == 1 || (is_turned_ && !is_field_scalar<Real>))
      return run({0, runs, 0, length}, slots_);
    // Many runs are shared, or the elements of each, cut where tiles and squares begin.
    const bool by_runs = is_turned_ || runs >= run_step * static_cast<Eigen::Index>(parts);
    const Eigen::Index step = by_runs ? run_step : tile_length, all = by_runs ? runs : length;
    // The last part has at least a square.
    const Eigen::Index last = std::max(Eigen::Index{0}, all - step) / step * step;
    const auto begin = [&](std::size_t part) {
      return part == parts ? all : std::min(last, part_begin(part, parts, all, step));
    };
    const auto slots = static_cast<Eigen::Index>(slots_of(program_)) * slot_length_;
    std::atomic<std::size_t> failed = SIZE_MAX;  // the first part that failed, and its instruction
    team::current().each_part(parts, [&](std::size_t part) {
      range r{0, runs, 0, length};
      (by_runs ? r.run : r.element) = begin(part);
      (by_runs ? r.end_run : r.end_element) = begin(part + 1);
      if (r.run >= r.end_run || r.element >= r.end_element) return;
      const std::size_t at = run(r, slots_ + static_cast<Eigen::Index>(part) * slots);
      if (at == all_computed) return;
      std::size_t first = failed.load();
      const std::size_t mine = part * program_.size() + at;
      while (mine < first && !failed.compare_exchange_weak(first, mine)) {
      }
    });
    return failed.load() == SIZE_MAX ? all_computed : failed.load() % program_.size();
  }

 private:
  // A multiple of the heights of pieces and of the sides of squares.
  static constexpr Eigen::Index run_step = 16;
  static_assert(run_step % sum_side<parameter_of<Real>> == 0 || !is_field_scalar<Real>);

  // Runs, and elements of each.
  struct range {
    Eigen::Index run, end_run, element, end_element;
  };

  std::size_t run(const range& r, Real* slots) const {
    if (out_.shape.rank > 2) return run_flat_tensor(r, slots);
    if constexpr (is_field_scalar<Real>)
      if (sum_) {
        is_turned_ ? run_sum(r) : run_flat_sum(r);
        return all_computed;
      }
    if (is_turned_) return run_pieces(r, slots);
    for (Eigen::Index i = r.run; i < r.end_run; ++i)
      if (const std::size_t failed = run_part(i, r.element, r.end_element - r.element, slots);
          failed != all_computed)
        return failed;
    return all_computed;
  }

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
  std::size_t run_pieces(const range& all, Real* slots) const {
    constexpr Eigen::Index width = 512, height = 8;
    for (Eigen::Index i = all.element; i < all.end_element; i += width)
      for (Eigen::Index first = all.run; first < all.end_run; first += height)
        for (Eigen::Index r = first; r < std::min(first + height, all.end_run); ++r)
          if (const std::size_t failed =
                  run_part(r, i, std::min(width, all.end_element - i), slots);
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
  void run_flat_sum(const range& all) const {
    sum_term<Real> terms[max_sum_terms];
    std::size_t count = 0;
    const Real after = sum_.terms(walks_, terms, count);
    for (std::size_t t = 0; t < count; ++t)
      terms[t].elements += all.run * terms[t].run_step + all.element * terms[t].step;
    for (Eigen::Index r = all.run; r < all.end_run; ++r) {
      weighted_run(to_.run(r) + all.element, all.end_element - all.element, {terms, count}, after);
      for (std::size_t t = 0; t < count; ++t) terms[t].elements += terms[t].run_step;
    }
  }
  void run_sum(const range& all) const {
    sum_term<Real> terms[2 * max_tile_inputs];
    std::size_t count = 0;
    const Real after = sum_.terms(walks_, terms, count);
    for (std::size_t t = 0; t < count; ++t) terms[t].elements += all.run * terms[t].run_step;
    weighted_sum(to_.run(all.run), to_.stride, all.end_run - all.run, to_.run_length(),
                 {terms, count}, after, overwrites_);
  }
  // Computes `length` elements of a run from element `at` on.
  std::size_t run_part(Eigen::Index run, Eigen::Index at, Eigen::Index length, Real* slots) const {
    const Real* from[max_tile_inputs];
    Eigen::Index step[max_tile_inputs];
    for (std::size_t k = 0; k < in_.size(); ++k) {
      const walk& w = walks_[k];
      from[k] = w.from + run * w.run_step + at * w.step, step[k] = w.step;
    }
    return run_row(to_.run(run) + at, from, step, length, slots);
  }

  // All operands have the shape of the result, or one element.
  std::size_t run_flat_tensor(const range& all, Real* slots) const {
    const Real* from[max_tile_inputs];
    Eigen::Index step[max_tile_inputs];
    for (std::size_t k = 0; k < in_.size(); ++k) {
      step[k] = in_[k].size() == 1 ? 0 : 1;
      from[k] = in_[k].elements + all.element * step[k];
    }
    return run_row(out_.elements + all.element, from, step, all.end_element - all.element, slots);
  }
  std::size_t run_tensor() const {
    const std::uint32_t rank = out_.shape.rank;
    const Real* from[max_tile_inputs];
    Eigen::Index step[max_tile_inputs];
    strides walks[max_tile_inputs];
    for (std::size_t k = 0; k < in_.size(); ++k) {
      walks[k] = broadcast_strides(in_[k], rank);
      step[k] = walks[k].of[rank - 1];
    }
    const Eigen::Index length = out_.view().extent(rank - 1);
    std::size_t failed = all_computed;
    for_each_index(out_.shape, rank - 1, walks, [&](Eigen::Index r, const auto& at) {
      for (std::size_t k = 0; k < in_.size(); ++k) from[k] = in_[k].elements + at[k];
      if (failed == all_computed)
        failed = run_row(out_.elements + r * length, from, step, length, slots_);
    });
    return failed;
  }

  // Computes consecutive elements of the result.
  std::size_t run_row(Real* to, const Real* const* from_all, const Eigen::Index* steps,
                      Eigen::Index length, Real* slots) const {
    const auto slot = [&](std::uint8_t number) {
      return slots + static_cast<Eigen::Index>(number - max_tile_inputs) * slot_length_;
    };
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

  const tensor_ref<Real>& out_;
  view<tensor_view<Real>> in_;
  view<tile_instruction<Real>> program_;
  Real* slots_;
  Eigen::Index slot_length_;
  matrix_ref<Real> to_;
  bool is_flat_ = true;      // of operands as for `run_flat_tensor`
  bool is_turned_ = false;   // some operand has the other storage order
  bool overwrites_ = false;  // the result of a sum overwrites an operand
  tile_sum sum_;             // the program as a linear combination, or empty
  walk walks_[max_tile_inputs];
};

}  // namespace detail

/// Elements of scratch storage for the slots of a program with a result of this shape, for each
/// thread of the current team if they share it.
template <class Real>
std::int64_t tile_scratch(given<view<tile_instruction<Real>>> program, const shape& result) {
  return detail::slots_of(program) * tile_length_of(result) *
         static_cast<std::int64_t>(detail::tile_parts(result, program.size()));
}

/// out = the result of a program of elementwise operators on `in`, at most `max_tile_inputs`
/// tensors, which broadcast. Matrices may have any layout. `out` may share the storage of operands
/// of its shape and layout, and no element with others. `slots` has `tile_scratch` elements.
/// Returns the index of the instruction that failed, or `all_computed`.
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
