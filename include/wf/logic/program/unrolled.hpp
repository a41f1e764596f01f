// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/strata.hpp>

namespace wf::logic {

namespace detail {

/// Copies what changes from step to step for each of them.
class step_unrolling {
 public:
  constexpr step_unrolling(const stratified_program& p, std::uint32_t steps)
      : strata_(p), program_(p.program), steps_(steps), out_(p.program) {}

  constexpr tensor_program run() {
    out_.rules.clear();
    for (std::uint32_t t = 0; t < program_.tensors.size(); ++t) add_instances(t);
    for (const rule& r : program_.rules)
      if (r.initial || !strata_.changes(r.head.tensor)) out_.rules.push_back(copy(r, 0));
    for (std::uint32_t s = 0; s < steps_; ++s)
      for (const rule& r : program_.rules)
        if (!r.initial && strata_.changes(r.head.tensor)) out_.rules.push_back(copy(r, s));
    return static_cast<tensor_program&&>(out_);
  }

 private:
  // The tensor itself is the instance of the last step, where results are looked for. What is read
  // before the first step is empty.
  constexpr void add_instances(std::uint32_t t) {
    first_.push_back(static_cast<std::uint32_t>(out_.tensors.size()));
    out_.tensors[t].stepped = false;
    if (!strata_.changes(t)) {
      if (program_.tensors[t].stepped) add_instance(t, -1);
      return;
    }
    out_.tensors[t].sealed = true;
    for (std::int64_t s = -1; s <= last_of(t); ++s)
      if (s != result_of(t)) add_instance(t, s);
  }
  constexpr void add_instance(std::uint32_t t, std::int64_t step) {
    tensor_info made = program_.tensors[t];
    made.name << '@' << step;
    made.part_of = program_.owner_of(t);
    made.sealed = step < 0;
    made.defined = true;
    made.exported = made.stepped = false;
    out_.tensors.push_back(static_cast<tensor_info&&>(made));
  }
  constexpr std::int64_t produced(std::uint32_t t) const {
    return program_.tensors[t].stepped ? program_.tensors[t].produced : 0;
  }
  // The step whose values are the result.
  constexpr std::int64_t result_of(std::uint32_t t) const {
    return produced(t) > 0 || steps_ == 0 ? steps_ : steps_ - 1;
  }
  // The last step at which a tensor has values.
  constexpr std::int64_t last_of(std::uint32_t t) const {
    const std::int64_t last = std::int64_t{steps_} - 1 + produced(t);
    return last < result_of(t) ? result_of(t) : last;
  }
  constexpr std::uint32_t instance(std::uint32_t t, std::int64_t step) const {
    if (!strata_.changes(t)) return program_.tensors[t].stepped && step < 0 ? first_[t] : t;
    if (step == result_of(t)) return t;
    const std::int64_t place = step < 0 ? 0 : step + (step < result_of(t) ? 1 : 0);
    return first_[t] + static_cast<std::uint32_t>(place);
  }
  constexpr range instances(const range& atoms, std::uint32_t step) {
    const range out{static_cast<std::uint32_t>(out_.atoms.size()), atoms.count};
    for (std::uint32_t i = 0; i < atoms.count; ++i) {
      atom a = program_.atoms[atoms.first + i];
      a.tensor = instance(a.tensor, static_cast<std::int64_t>(step) + a.step);
      a.step = 0;
      out_.atoms.push_back(a);
    }
    return out;
  }
  constexpr rule copy(const rule& r, std::uint32_t step) {
    rule out = r;
    const std::uint32_t t = r.head.tensor;
    if (r.initial || strata_.changes(t)) {
      out.part_of = program_.owner_of(r);
      out.iteration = step;
    }
    out.head.tensor = instance(t, static_cast<std::int64_t>(step) + r.head.step);
    out.head.step = 0;
    out.initial = false;
    out.joins = instances(r.joins, step);
    out.negations = instances(r.negations, step);
    out.lookups = instances(r.lookups, step);
    return out;
  }

  const stratified_program& strata_;
  const tensor_program& program_;
  std::uint32_t steps_;
  tensor_program out_;
  table<std::uint32_t> first_;  // by tensor: number of its first instance
};

}  // namespace detail

/// The program without its axis of steps: what changes from step to step has a tensor for each of
/// the steps 0, 1, ..., `T@0`, `T@1`, and the last one has the name of the tensor. Its results are
/// those of a run of so many steps. Facts of a stepped tensor, with which it begins, are to be
/// given as `T@0`. O(size of the program · steps).
constexpr tensor_program unrolled(const stratified_program& program, std::uint32_t steps) {
  return detail::step_unrolling(program, steps).run();
}

}  // namespace wf::logic
