// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/box.hpp>
#include <wf/logic/evaluate/linear_step.hpp>
#include <wf/logic/evaluate/recursion.hpp>
#include <wf/logic/evaluate/sampling.hpp>
#include <wf/logic/evaluate/step_slots.hpp>
#include <wf/logic/program/read_program.hpp>

namespace wf::logic {

namespace detail {

/// A program without steps, and with the recursions by rows that are recognised in it.
struct prepared_program {
  stratified_program strata;
  table<slot_move> moves;        ///< of values between steps
  table<row_recursion> by_rows;  ///< by stratum

  constexpr explicit prepared_program(const stratified_program& p) : strata(p) {
    moves = step_slots(strata).run();
    for (std::uint32_t s = 0; s < strata.strata.size(); ++s) {
      const stratum each = strata.strata[s];
      by_rows.push_back({});
      if (each.recursion == recursion::logical || each.recursion == recursion::extreme)
        by_rows.back() = row_recognition(strata, each).run();
    }
  }
};

/// Evaluates a program, stratum by stratum.
class evaluation {
 public:
  constexpr evaluation(const prepared_program& p, const database& inputs,
                       const evaluation_options& options, const registry& operators)
      : prepared_(p),
        strata_(p.strata),
        program_(p.strata.program),
        engine_(p.strata.program, inputs, options, operators),
        states_(p.strata.strata.size()) {}

  /// The solution, after `evaluate_all`; takes the tensors.
  constexpr result<solution> run() {
    engine_.read_in_place();
    if (!evaluate_all()) return engine_.failure();
    collect();
    return static_cast<solution&&>(out_);
  }
  constexpr rule_engine& engine() { return engine_; }
  /// Binds the inputs and evaluates every stratum. False after an error, which the engine keeps.
  constexpr bool evaluate_all() {
    if (!engine_.prepare()) return false;
    for (std::uint32_t s = 0; s < strata_.strata.size(); ++s)
      if (!strata_.strata[s].stepped && !evaluate(s)) return false;
    return run_steps();
  }
  /// Evaluates a stratum, after those before it. False after an error.
  constexpr bool evaluate(std::uint32_t number) {
    const stratum& s = strata_.strata[number];
    engine_.set_stratum(number, static_cast<std::uint32_t>(strata_.strata.size()));
    if (!engine_.report(strata_.tensors[s.tensors.first], 0)) return false;
    stratum_report report;
    report.rounds = 1;
    // What was left of another step is no beginning.
    if (s.stepped && s.recursion == recursion::numeric)
      for (std::uint32_t i = 0; i < s.tensors.count; ++i) {
        const std::uint32_t t = strata_.tensors[s.tensors.first + i];
        engine_.replace(t, engine_.empty_store(t));
      }
    const bool done =
        s.recursion == recursion::none
            ? plain(number, report)
            : recursion_evaluation(engine_, strata_, s, prepared_.by_rows[number], report).run();
    if (done) note(number, report);
    return done;
  }

 private:
  // Adds what was done to the report about a stratum, which is made at first.
  constexpr void note(std::uint32_t number, stratum_report& report) {
    const stratum& s = strata_.strata[number];
    for (std::uint32_t i = 0; i < s.tensors.count; ++i)
      report.entries += engine_.store(strata_.tensors[s.tensors.first + i]).rows();
    std::uint32_t& place = states_[number].report;
    if (place == none) {
      place = static_cast<std::uint32_t>(out_.strata.size());
      name(report, number);
      out_.strata.push_back(static_cast<stratum_report&&>(report));
    } else {
      out_.strata[place].rounds += report.rounds;
      out_.strata[place].entries = report.entries;
      out_.strata[place].method = report.method;
      out_.strata[place].reason = static_cast<text&&>(report.reason);
    }
    std::uint32_t& by_variables = out_.strata[place].by_variables = 0;
    for (std::uint32_t i = 0; i < s.rules.count; ++i)
      by_variables += engine_.by_variables(strata_.rules[s.rules.first + i]) ? 1 : 0;
  }
  // Slots of steps have the names of their tensors.
  constexpr void name(stratum_report& report, std::uint32_t number) const {
    const stratum& s = strata_.strata[number];
    for (std::uint32_t i = 0; i < s.tensors.count; ++i) {
      const tensor_info& t = program_.tensors[strata_.tensors[s.tensors.first + i]];
      const bool slot = t.stepped && t.part_of != none;
      report.tensors << (i != 0 ? ", " : "")
                     << (slot ? program_.tensors[t.part_of] : t).name.view();
    }
  }
  constexpr bool plain(std::uint32_t number, stratum_report& report) {
    if (states_[number].step) {
      report.method = evaluation_method::step;
      return states_[number].step->run();
    }
    const stratum& s = strata_.strata[number];
    const std::uint32_t t = strata_.tensors[s.tensors.first];
    tensor_store made;
    if (engine_.reads_in_place() && s.rules.count == 1 && !s.stepped &&
        engine_.given_to(program_.tensors[t]) == nullptr &&
        program_.tensors[t].projection != projection::mean) {
      if (engine_.compute_dense(strata_.rules[s.rules.first], made)) {
        engine_.replace(t, static_cast<tensor_store&&>(made));
        return true;
      }
      if (engine_.failure().code != errc::none) return false;
    }
    made = engine_.started_store(t);
    if (!compute(engine_, strata_, s, t, made)) return false;
    engine_.replace(t, static_cast<tensor_store&&>(made));
    return true;
  }

  constexpr bool run_steps() {
    bool any = false;
    for (std::uint32_t s = 0; s < strata_.strata.size(); ++s) {
      if (!strata_.strata[s].stepped) continue;
      any = true;
      auto step = make_box<linear_step>(engine_, strata_, strata_.strata[s]);
      if (step->fits()) states_[s].step = static_cast<box<linear_step>&&>(step);
    }
    if (!any) return true;
    for (std::uint32_t t = 0; t < program_.tensors.size(); ++t)
      if (program_.tensors[t].stepped && program_.tensors[t].defined &&
          strata_.stratum_of[t] == none)
        engine_.replace(t, engine_.started_store(t));
    for (std::uint32_t r = 0; r < program_.rules.size(); ++r)
      if (program_.rules[r].initial &&
          !engine_.add_all(r, engine_.store(program_.rules[r].head.tensor), nullptr))
        return false;
    for (std::uint64_t step = 0; step < engine_.options().steps; ++step) {
      engine_.set_iteration(step);
      for (std::uint32_t s = 0; s < strata_.strata.size(); ++s)
        if (strata_.strata[s].stepped && !evaluate(s)) return false;
      const bool last = step + 1 == engine_.options().steps;
      for (const slot_move& m : prepared_.moves)
        if (!m.computed || !last) move(m);
    }
    return true;
  }
  // What is computed in each step, or given, stays, too. The others change places: what was in
  // `to` is computed anew, or moved on to by the next move.
  constexpr void move(const slot_move& m) {
    if (m.computed || !program_.tensors[m.from].defined)
      engine_.replace(m.to, tensor_store(engine_.store(m.from)));
    else
      engine_.swap(m.from, m.to);
  }

  // The extents of a tensor's axes, if all are known.
  constexpr table<std::int64_t> extents_of(const tensor_info& info) const {
    table<std::int64_t> out;
    for (std::uint32_t c = 0; c < info.rank; ++c)
      out.push_back(engine_.binding().axes[program_.axes_of[info.axes.first + c]].extent);
    for (const std::int64_t e : out)
      if (e < 0) return {};
    return out;
  }
  constexpr void collect() {
    out_.domains = engine_.binding().domains;
    for (std::uint32_t t = 0; t < program_.tensors.size(); ++t) {
      const tensor_info& info = program_.tensors[t];
      if (!info.exported) continue;
      table<std::uint32_t> domains;
      for (std::uint32_t c = 0; c < info.rank; ++c)
        domains.push_back(engine_.binding().axes[program_.axes_of[info.axes.first + c]].domain);
      engine_.store(t).own();
      out_.tensors.push_back(solved_tensor(info.name.view(),
                                           static_cast<tensor_store&&>(engine_.store(t)),
                                           static_cast<table<std::uint32_t>&&>(domains)));
      out_.tensors.back().extents = extents_of(info);
    }
  }

  const prepared_program& prepared_;
  const stratified_program& strata_;
  const tensor_program& program_;
  rule_engine engine_;
  struct stratum_state {
    box<linear_step> step;        // computes it, if its steps are linear
    std::uint32_t report = none;  // its number among the reports
  };
  table<stratum_state> states_;  // by stratum
  solution out_;
};

}  // namespace detail

/// Evaluates a program on inputs. An entry of an input that the program defines, too, is a fact
/// beside its rules. Errors: `missing_argument`, `argument_shape` for an input of another rank or
/// kind, or of other symbols than what it is compared with; `not_converged`; `not_executable` for
/// an operator without a value for one element; `overflow` for a position over 32 bits;
/// `execution_stopped` beyond `max_bindings`. Deterministic.
/// O(bindings of the rules' variables), for a recursion those of the rows that each round adds.
constexpr result<solution> evaluate(const stratified_program& program, const database& inputs,
                                    const evaluation_options& options = {},
                                    const registry& operators = rule_registry()) {
  if (options.samples != 0) {
    detail::input_binding binding(program.program, inputs);
    if (error e = binding.run(); e.code != errc::none) return e;
    const detail::sampled_program sampled =
        detail::projection_sampling(program, binding, options.samples, options.seed).run(inputs);
    evaluation_options rest = options;
    rest.samples = 0;
    return evaluate(sampled.strata, sampled.inputs, rest, operators);
  }
  const detail::prepared_program prepared(program);
  return detail::evaluation(prepared, inputs, options, operators).run();
}

}  // namespace wf::logic
