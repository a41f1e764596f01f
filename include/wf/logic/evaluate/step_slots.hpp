// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/strata.hpp>

namespace wf::logic::detail {

/// What becomes of a tensor's values between two steps: those of one slot are those of another in
/// the next step.
struct slot_move {
  std::uint32_t from = 0, to = 0;  ///< numbers of tensors
  bool computed = false;           ///< the values of `from` are computed in each step; otherwise
                                   ///< they are moved on
};

/// Gives every step of a stepped tensor that rules read or compute, relative to the present one, a
/// tensor of its own, a slot. Then each step is an evaluation without steps, after which the values
/// move on by one slot. The present step has the tensor itself.
class step_slots {
 public:
  constexpr explicit step_slots(stratified_program& p) : strata_(p), program_(p.program) {}

  /// Adds the slots to the program. Returns the moves between steps, in order.
  constexpr table<slot_move> run() {
    bool any = false;
    for (const tensor_info& t : program_.tensors) any = any || t.stepped;
    if (!any) return {};
    const auto count = static_cast<std::uint32_t>(program_.tensors.size());
    slots_.resize(count);
    lowest_ = table<std::int64_t>(count, 0);
    for (const rule& r : program_.rules)
      for_each_atom_of(program_, r, [&](const atom& a) {
        if (a.step < lowest_[a.tensor]) lowest_[a.tensor] = a.step;
      });
    for (std::uint32_t t = 0; t < count; ++t)
      if (program_.tensors[t].stepped) add_slots(t);
    for (rule& r : program_.rules) settle(r.head, r.initial);
    for (atom& a : program_.atoms) settle(a, false);
    return static_cast<table<slot_move>&&>(moves_);
  }

 private:
  constexpr void add_slots(std::uint32_t t) {
    const std::int64_t produced = program_.tensors[t].produced;
    for (std::int64_t step = lowest_[t]; step <= produced; ++step)
      slots_[t].push_back(step == 0 ? t : add_slot(t, step));
    for (std::size_t i = 0; i + 1 < slots_[t].size(); ++i)
      moves_.push_back(
          {slots_[t][i + 1], slots_[t][i], produced == 0 && i + 2 == slots_[t].size()});
    if (produced == 0) return;
    const std::uint32_t computed = slots_[t].back(), s = strata_.stratum_of[t];
    strata_.stratum_of[computed] = s;
    strata_.stratum_of[t] = none;
    for (std::uint32_t i = 0; i < strata_.strata[s].tensors.count; ++i)
      if (std::uint32_t& each = strata_.tensors[strata_.strata[s].tensors.first + i]; each == t)
        each = computed;
  }
  constexpr std::uint32_t add_slot(std::uint32_t t, std::int64_t step) {
    tensor_info info = program_.tensors[t];
    info.name << (step > 0 ? "@+" : "@") << step;
    info.part_of = program_.owner_of(t);
    info.defined = info.temporary = true;
    info.exported = false;
    program_.tensors.push_back(static_cast<tensor_info&&>(info));
    strata_.stratum_of.push_back(none);
    return static_cast<std::uint32_t>(program_.tensors.size() - 1);
  }
  constexpr void settle(atom& a, bool initial) const {
    if (slots_.size() <= a.tensor || slots_[a.tensor].empty()) return;
    const std::int64_t step = initial ? 0 : a.step;
    a.tensor = slots_[a.tensor][static_cast<std::size_t>(step - lowest_[a.tensor])];
    a.step = 0;
  }

  stratified_program& strata_;
  tensor_program& program_;
  table<table<std::uint32_t>> slots_;  // by tensor: from its lowest step on
  table<std::int64_t> lowest_;         // by tensor
  table<slot_move> moves_;
};

}  // namespace wf::logic::detail
