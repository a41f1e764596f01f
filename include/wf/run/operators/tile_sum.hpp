// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <wf/core/container/table.hpp>
#include <wf/run/kernels/weighted_sum.hpp>
#include <wf/run/operators/tile_program.hpp>

namespace wf::compute {

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

}  // namespace detail

}  // namespace wf::compute
