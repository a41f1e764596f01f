// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/evaluate/by_rows.hpp>
#include <wf/logic/evaluate/linear_recursion.hpp>
#include <wf/logic/evaluate/solution.hpp>

namespace wf::logic::detail {

/// Adds what the rules of a tensor contribute, not yet findable; means are divided by the number of
/// contributions. False after an error, which the engine keeps.
constexpr bool compute(rule_engine& engine, const stratified_program& p, const stratum& s,
                       std::uint32_t t, tensor_store& to) {
  const bool mean = p.program.tensors[t].projection == projection::mean;
  table<double> counts(mean ? to.rows() : 0, 1.0);  // a given fact is a contribution
  for (std::uint32_t i = 0; i < s.rules.count; ++i) {
    const std::uint32_t r = p.rules[s.rules.first + i];
    if (p.program.rules[r].head.tensor != t || p.program.rules[r].initial) continue;
    if (!engine.gather(r, to, mean ? &counts : nullptr)) return false;
  }
  for (std::uint32_t row = 0; row < counts.size(); ++row)
    to.set_value(row, to.value(row) / counts[row]);
  return true;
}

/// Evaluates a stratum that recurs, by the method that takes the least time as far as that is
/// known, and reports which it was, and why.
///
/// How many rows rounds visit is known only afterwards. Where tables of all positions are the
/// alternative, rounds go first, until they have visited as many rows as those tables are worth: as
/// far as that price holds, the recursion takes at most about twice the time of the better method.
class recursion_evaluation {
 public:
  /// `rows`: the recursion by rows that is recognised in the stratum.
  constexpr recursion_evaluation(rule_engine& engine, const stratified_program& p, const stratum& s,
                                 const row_recursion& rows, stratum_report& report)
      : engine_(engine), strata_(p), stratum_(s), recursion_(rows), report_(report) {}

  /// False after an error, which the engine keeps.
  constexpr bool run() {
    if (stratum_.recursion == recursion::numeric) return recur_in_numbers();
    if (!recursion_.valid)
      return by_rounds(text("a rule moves entries neither within rows nor rows as a whole"));
    if (engine_.options().recursions == recursion_method::rounds)
      return by_rounds(text(as_options_say));
    row_evaluation rows(engine_, strata_, stratum_, recursion_);
    if (!rows.fits()) return by_rounds(text(rows.refusal()));
    if (engine_.failure().code != errc::none) return false;
    if (rows.is_closure())
      return by_rows(rows, evaluation_method::row_closure, text("rows never meet"));
    return by_queue(rows);
  }

 private:
  static constexpr text_view as_options_say = "as the options say";
  // Visiting a row takes about as long as so many words of a table.
  static constexpr std::uint64_t words_per_visit = 8;

  constexpr bool by_rounds(text why) {
    report_.method = evaluation_method::rounds;
    report_.reason = static_cast<text&&>(why);
    round_recursion rounds(engine_, strata_, stratum_);
    if (!rounds.run()) return false;
    report_.rounds = rounds.rounds();
    return true;
  }
  constexpr bool by_rows(row_evaluation& rows, evaluation_method method, text why) {
    report_.method = method;
    report_.reason = static_cast<text&&>(why);
    report_.rounds = 1;
    return rows.run();
  }
  constexpr bool by_queue(row_evaluation& rows) {
    constexpr evaluation_method queue = evaluation_method::row_queue;
    if (engine_.options().recursions == recursion_method::rows)
      return by_rows(rows, queue, text(as_options_say));
    const std::uint64_t most = rows.words() / words_per_visit;
    text worth;
    worth << most << " rows, which tables of " << rows.words() << " words are worth";
    if (rows.known() > most)
      return by_rows(rows, queue, text() << "there are more entries and moves than " << worth);
    if (!engine_.begin_trial(most))
      return by_rows(rows, queue, text("max_bindings allows rounds no trial"));
    const bool done = by_rounds({});
    const std::uint64_t visited = engine_.visited();
    if (!engine_.end_trial()) {
      report_.reason = text() << "rounds visited " << visited << " rows, no more than " << worth;
      return done;
    }
    for (std::uint32_t i = 0; i < stratum_.tensors.count; ++i)
      engine_.older(strata_.tensors[stratum_.tensors.first + i]) = UINT32_MAX;
    for (std::uint32_t i = 0; i < stratum_.rules.count; ++i)
      engine_.forget(strata_.rules[stratum_.rules.first + i]);
    return by_rows(rows, queue, text() << "rounds would visit more than " << worth);
  }

  // Solves a numeric recursion.
  constexpr bool recur_in_numbers() {
    report_.method = evaluation_method::iteration;
    linear_recursion linear(engine_, strata_, stratum_);
    if (stratum_.stepped) {
      report_.reason = text("its tensors begin anew in each step");
      return iterate();
    }
    if (!linear.fits()) {
      report_.reason = text("a rule is not linear in what it reads of the recursion");
      return iterate();
    }
    bool too_many = false;
    if (!linear.run(too_many)) return false;
    report_.rounds = linear.rounds();
    if (too_many) {
      report_.reason = text("there are too many coefficients for a system of equations");
      return iterate();
    }
    report_.method = evaluation_method::linear;
    report_.reason = text("each rule is linear in what it reads of the recursion");
    return true;
  }
  // Computes every tensor of a numeric recursion from the present ones until no value changes.
  constexpr bool iterate() {
    for (;; ++report_.rounds) {
      if (!stratum_.stepped) engine_.set_iteration(report_.rounds - 1);
      double most = 0;
      std::uint32_t head = strata_.tensors[stratum_.tensors.first];
      for (std::uint32_t i = 0; i < stratum_.tensors.count; ++i) {
        const std::uint32_t t = strata_.tensors[stratum_.tensors.first + i];
        tensor_store made = engine_.started_store(t);
        if (!compute(engine_, strata_, stratum_, t, made)) return false;
        engine_.store(t).index();
        made.index();
        const double change = distance(engine_.store(t), made);
        if (!(change <= most)) most = change, head = t;
        engine_.replace(t, static_cast<tensor_store&&>(made));
      }
      if (most <= engine_.options().tolerance) return true;
      if (!engine_.report(head, report_.rounds)) return false;
      if (report_.rounds >= engine_.options().max_rounds || most - most != 0)
        return fail_to_converge(engine_, head, report_.rounds, &most);
    }
  }
  // The largest difference of two tensors, relative to 1 or the value.
  static constexpr double distance(const tensor_store& a, const tensor_store& b) {
    double most = 0;
    for (const tensor_store* each : {&a, &b})
      for (std::uint32_t row = 0; row < each->rows(); ++row) {
        position at[max_rank] = {};
        each->entries().positions(row, at);
        const tensor_store& other = each == &a ? b : a;
        const std::uint32_t found = other.find(at);
        const double x = each->value(row);
        const double y = found == hash_index::none ? 0 : other.value(found);
        const double size = x < 0 ? -x : x, gap = x < y ? y - x : x - y;
        const double relative = size > 1 ? gap / size : gap;
        if (most == most && !(relative <= most) && !(x == y)) most = relative;
      }
    return most;
  }

  rule_engine& engine_;
  const stratified_program& strata_;
  const stratum& stratum_;
  const row_recursion& recursion_;
  stratum_report& report_;
};

}  // namespace wf::logic::detail
