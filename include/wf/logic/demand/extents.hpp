// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/demand/sideways.hpp>

namespace wf::logic::detail {

/// How much of a tensor is evaluated.
enum class extent_of_demand : std::uint8_t {
  wanted,  ///< entries that are asked for
  whole,   ///< all entries; its rules may ask for parts of others
  closed,  ///< all entries of it and of all that its rules read
};

/// True if two atoms have the same term at a position.
constexpr bool same_term(const tensor_program& p, const atom& a, const atom& b, std::uint32_t at) {
  const term& s = p.terms[a.terms.first + at];
  const term& t = p.terms[b.terms.first + at];
  return s.kind == t.kind && s.scale == t.scale && s.shift == t.shift && s.symbol == t.symbol &&
         (s.kind != term_kind::variable || s.variable == t.variable);
}

/// How much of each tensor of a program is evaluated for a query. It only grows.
class demand_extents {
 public:
  /// `given` are the names of inputs that may have facts of tensors with rules.
  constexpr demand_extents(const stratified_program& p, view<text_view> given)
      : strata_(p), program_(p.program), given_(given), extents_(p.program.tensors.size()) {
    for (std::uint32_t t = 0; t < program_.tensors.size(); ++t)
      if (!can_be_asked(t)) close(t);
    find_stable();
  }

  /// True if an extent has grown since `settle`.
  constexpr bool changed() const { return changed_; }
  constexpr void settle() { changed_ = false; }
  /// True for inputs, and tensors that are evaluated as a whole.
  constexpr bool is_whole(std::uint32_t t) const {
    return !program_.tensors[t].defined || extents_[t] != extent_of_demand::wanted;
  }
  constexpr bool is_closed(std::uint32_t t) const {
    return extents_[t] == extent_of_demand::closed;
  }
  /// A tensor is evaluated as a whole.
  constexpr void widen(std::uint32_t t) {
    if (is_whole(t)) return;
    extents_[t] = extent_of_demand::whole;
    changed_ = true;
  }
  /// A tensor is evaluated as a whole, with all that its rules read. O(rules) for each of these.
  constexpr void close(std::uint32_t t) {
    if (is_closed(t) || !program_.tensors[t].defined) return;
    extents_[t] = extent_of_demand::closed;
    changed_ = true;
    for (const rule& r : program_.rules)
      if (r.head.tensor == t)
        for_each_atom_of(program_, r, [&](const atom& a) { close(a.tensor); });
  }

  /// True if an input may have facts of a tensor.
  constexpr bool is_given(std::uint32_t t) const {
    for (const text_view name : given_)
      if (name == program_.tensors[t].name.view()) return true;
    return false;
  }
  /// True if a rule reads the stratum of its head.
  constexpr bool recurs(const rule& r) const {
    for (std::uint32_t k = 0; k < r.joins.count; ++k)
      if (const std::uint32_t t = program_.atoms[r.joins.first + k].tensor;
          program_.tensors[t].defined && strata_.stratum_of[t] == strata_.stratum_of[r.head.tensor])
        return true;
    return false;
  }
  /// Of the bound positions of a tensor those that it is asked for: if a recursion keeps some of
  /// them, these alone, because asking for them leads to no other ones.
  constexpr bound_positions narrowed(std::uint32_t t, bound_positions bound) const {
    return (bound & stable_[t]) != 0 ? bound & stable_[t] : bound;
  }

 private:
  constexpr const stratum& stratum_of(std::uint32_t t) const {
    return strata_.strata[strata_.stratum_of[t]];
  }
  // Numbers that iterate, and values that change from step to step, depend on all of each other. A
  // mean with facts has no rule that could add them.
  constexpr bool can_be_asked(std::uint32_t t) const {
    const tensor_info& info = program_.tensors[t];
    if (!info.defined) return true;
    return stratum_of(t).recursion != recursion::numeric && !stratum_of(t).stepped &&
           !(info.projection == projection::mean && is_given(t));
  }
  // Positions at which every recursive rule of a tensor reads it where it is defined.
  constexpr void find_stable() {
    stable_ = table<bound_positions>(program_.tensors.size());
    for (const stratum& s : strata_.strata) {
      if (s.recursion == recursion::none || s.tensors.count != 1) continue;
      const std::uint32_t t = strata_.tensors[s.tensors.first];
      stable_[t] = (1U << program_.tensors[t].rank) - 1;
      for (std::uint32_t i = 0; i < s.rules.count; ++i) {
        const rule& r = program_.rules[strata_.rules[s.rules.first + i]];
        for (std::uint32_t k = 0; k < r.joins.count; ++k) {
          const atom& a = program_.atoms[r.joins.first + k];
          for (std::uint32_t c = 0; a.tensor == t && c < a.terms.count; ++c)
            if (!same_term(program_, r.head, a, c)) stable_[t] &= ~(1U << c);
        }
      }
    }
  }

  const stratified_program& strata_;
  const tensor_program& program_;
  view<text_view> given_;
  table<extent_of_demand> extents_;  // by tensor
  table<bound_positions> stable_;    // by tensor
  bool changed_ = false;
};

}  // namespace wf::logic::detail
