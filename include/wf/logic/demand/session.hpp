// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/demand/matching.hpp>
#include <wf/logic/demand/rewrite.hpp>

namespace wf::logic {

/// When a query is evaluated by demand. What may be in vain is a trial: it visits few rows, a small
/// part of those that a full evaluation visits, because that one visits every row of its inputs
/// and what follows from them. Setting up an evaluation is not counted.
struct demand_guards {
  /// Inputs of so few rows are evaluated in full first: they take less time than a rewriting.
  std::uint64_t small_rows = 1024;
  /// Number of rows that this first evaluation visits at most.
  std::uint64_t small_bindings = 4096;
  /// Number of rows that a trial may visit, whatever the inputs.
  std::uint64_t trial_least = 256;
  /// Number of rows that it may visit beside these, for each row of the inputs.
  double trial_per_row = 0.3;
  /// Largest part of a tensor's positions that rules may ask for.
  double most_asked = 0.125;
};

/// The answer to a query.
struct answer {
  relation entries;              ///< those that match, sorted
  table<std::uint32_t> domains;  ///< by column: number of its symbols' domain, or `none`
  table<symbol_domain> symbols;  ///< the domains of the run
  bool by_demand = false;        ///< it was computed for this query alone
  text reason;                   ///< why it was computed as it was, in a sentence
};

namespace detail {

/// Chooses between a demanded program and full evaluation.
class demand_choice {
 public:
  constexpr demand_choice(const stratified_program& p, const database& inputs,
                          const evaluation_options& options, const demand_guards& guards)
      : strata_(p), inputs_(inputs), options_(options), guards_(guards) {
    for (const named_relation& r : inputs.relations) rows_ += r.entries.rows;
  }

  /// True for inputs that are evaluated in full first.
  constexpr bool is_small() const { return rows_ <= guards_.small_rows; }
  /// The number of rows that a trial may visit.
  constexpr std::uint64_t trial() const {
    return guards_.trial_least +
           static_cast<std::uint64_t>(guards_.trial_per_row * static_cast<double>(rows_));
  }
  /// True if no rule asks for more than constants do, and every tensor is restricted in one way:
  /// the rules are those of a full evaluation, over fewer entries.
  static constexpr bool is_direct(view<restricted_tensor> parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].passes) return false;
      for (std::size_t k = 0; k < i; ++k)
        if (parts[k].of == parts[i].of) return false;
    }
    return true;
  }

  /// The rules that ask for positions, as a program of their own; without rules if they read what
  /// is restricted, or other tensors with rules.
  static constexpr tensor_program asking(const tensor_program& p, view<restricted_tensor> parts) {
    tensor_program out = p;
    out.rules.clear();
    for (tensor_info& t : out.tensors) t.exported = false;
    table<bool> asks(p.tensors.size());
    for (const restricted_tensor& v : parts) asks[v.asked] = out.tensors[v.asked].exported = true;
    bool alone = true;
    for (const rule& r : p.rules) {
      if (!asks[r.head.tensor]) continue;
      out.rules.push_back(r);
      for_each_atom_of(p, r, [&](const atom& a) {
        alone = alone && (asks[a.tensor] || !p.tensors[a.tensor].defined);
      });
    }
    table<bool> read(p.tensors.size());
    for (const rule& r : out.rules)
      for_each_atom_of(p, r, [&](const atom& a) { read[a.tensor] = true; });
    for (std::uint32_t t = 0; t < out.tensors.size(); ++t)
      if (!read[t]) out.tensors[t].defined = out.tensors[t].ranked = false;
    if (!alone) out.rules.clear();
    return out;
  }
  /// True if a full evaluation takes long enough for a trial: a tensor recurs, and not row by row,
  /// which takes less time for all entries than rounds for few.
  constexpr bool is_worth_a_trial(view<restricted_tensor> parts) const {
    stratified_program copy = strata_;
    bool recurs = false;
    for (const restricted_tensor& v : parts) {
      const stratum s = strata_.strata[strata_.stratum_of[v.of]];
      if (s.recursion == recursion::none) continue;
      recurs = true;
      if (options_.recursions != recursion_method::rounds && row_recognition(copy, s).run().valid &&
          positions_at(v.of, ~bound_positions{}) <=
              static_cast<double>(most_cells(inputs_, options_)))
        return false;
    }
    return recurs;
  }
  /// True if so many positions of a tensor are few.
  constexpr bool is_few(const restricted_tensor& v, std::size_t asked) const {
    return static_cast<double>(asked) <= guards_.most_asked * positions_at(v.of, v.bound);
  }

 private:
  // The number of places at some positions of a tensor.
  constexpr double positions_at(std::uint32_t t, bound_positions which) const {
    const tensor_info& info = strata_.program.tensors[t];
    double out = 1;
    for (std::uint32_t c = 0; c < info.rank; ++c)
      if ((which >> c & 1) != 0) out *= static_cast<double>(positions_along(info.axes.first + c));
    return out;
  }
  // The number of positions in the inputs along the axis of a position of a tensor.
  constexpr std::uint64_t positions_along(std::uint32_t place) const {
    const tensor_program& p = strata_.program;
    column_bounds b;
    for (const tensor_info& t : p.tensors)
      if (const named_relation* const given = inputs_.find(t.name.view()); given != nullptr)
        for (std::uint32_t c = 0; c < t.rank && c < given->entries.rank; ++c)
          if (p.axes_of[t.axes.first + c] == p.axes_of[place])
            b.include(bounds_of(given->entries.columns[c]));
    return b.size == 0 ? 1 : b.size;
  }

  const stratified_program& strata_;
  const database& inputs_;
  const evaluation_options& options_;
  const demand_guards& guards_;
  std::uint64_t rows_ = 0;  // of all inputs
};

}  // namespace detail

/// Answers queries about a program and its inputs, which must outlive it. What was asked before is
/// answered without work, and so is what a full evaluation has computed before.
class query_session {
 public:
  /// A session that has evaluated nothing. O(inputs).
  constexpr query_session(const stratified_program& program, const database& inputs,
                          const evaluation_options& options = {}, const demand_guards& guards = {},
                          const registry& operators = rule_registry())
      : program_(program),
        inputs_(inputs),
        options_(options),
        guards_(guards),
        operators_(operators) {
    for (const named_relation& r : inputs.relations) given_.push_back(r.name.view());
  }

  /// The answer to a query such as `Path('a', y)`, valid until the next query. It is computed by
  /// demand or in full, whichever is expected to take less time; `answer::reason` says why. Errors:
  /// those of `read_query` and `evaluate`. Deterministic. O(1) for a query that was asked before,
  /// but for its spelling of variables; else as `evaluate`.
  constexpr result<const answer*> ask(text_view source) {
    auto q = read_query(source, program_.program);
    if (!q) return q.error();
    const text key = key_of(*q);
    const std::uint32_t known = by_key_.find(
        hash_text(key.view()), [&](std::uint32_t n) { return keys_[n].view() == key.view(); });
    if (known != hash_index::none) return &answers_[known];
    auto made = compute(*q);
    if (!made) return made.error();
    by_key_.insert(hash_text(key.view()), static_cast<std::uint32_t>(answers_.size()));
    keys_.push_back(key);
    answers_.push_back(static_cast<answer&&>(*made));
    return &answers_.back();
  }
  /// Number of evaluations so far, of whole programs and of parts.
  constexpr std::uint64_t evaluations() const { return evaluations_; }

 private:
  struct evaluated_tensor {
    std::uint32_t tensor = 0;
    solution found;
  };

  static constexpr text key_of(const query& q) {
    text out;
    out << q.tensor;
    for (const term& t : q.terms) {
      if (t.kind == term_kind::variable)
        out << " v" << t.variable;
      else if (t.kind == term_kind::constant)
        out << " c" << t.shift;
      else
        out << " s" << t.symbol.size() << ':' << t.symbol.view();
    }
    return out;
  }

  constexpr result<answer> compute(const query& q) {
    for (evaluated_tensor& each : whole_)
      if (each.tensor == q.tensor)
        return answered(q, each.found, false, "the tensor was evaluated before");
    const detail::demand_choice choice(program_, inputs_, options_, guards_);
    if (choice.is_small()) {
      evaluation_options bounded = options_;
      bounded.max_bindings = least(options_.max_bindings, guards_.small_bindings);
      auto found = evaluated(reached(program_, q), bounded);
      if (found || !was_stopped(found.error(), bounded))
        return found ? keep(q, *found, "the inputs are small") : result<answer>(found.error());
    }
    detail::demand_rewrite rewrite(program_, q, given_, false);
    const tensor_program demanded = rewrite.run();
    const view<detail::restricted_tensor> parts = rewrite.restricted();
    if (parts.empty()) return whole(q, "the query restricts no tensor");
    if (detail::demand_choice::is_direct(parts))
      return by_demand(q, demanded, options_,
                       "the rules of a full evaluation, for the positions "
                       "that the query names");
    if (!choice.is_worth_a_trial(parts))
      return whole(q, "no recursion by rounds is restricted, and rules ask for positions");
    return by_trial(q, demanded, parts, choice);
  }
  // Evaluates what is asked for within the bounds of a trial, else finds how
  // much rules would ask for.
  constexpr result<answer> by_trial(const query& q, const tensor_program& demanded,
                                    view<detail::restricted_tensor> parts,
                                    const detail::demand_choice& choice) {
    evaluation_options bounded = options_;
    bounded.recursions = recursion_method::rounds;
    bounded.max_bindings = least(options_.max_bindings, choice.trial());
    auto found = evaluated(demanded, bounded);
    if (found) return answered(q, *found, true, "what is asked for was found within a trial");
    if (!was_stopped(found.error(), bounded)) return found.error();
    const tensor_program asking = detail::demand_choice::asking(demanded, parts);
    if (asking.rules.empty()) return whole(q, "the rules ask for more than a trial finds");
    found = evaluated(asking, bounded);
    if (!found && !was_stopped(found.error(), bounded)) return found.error();
    if (!found) return whole(q, "the rules ask for more than a trial finds");
    text counted;
    for (const detail::restricted_tensor& v : parts) {
      const solved_tensor* const asked = found->find(demanded.tensors[v.asked].name.view());
      const std::size_t rows = asked == nullptr ? 0 : asked->size();
      counted << (counted.empty() ? "" : ", ") << demanded.tensors[v.tensor].name.view() << " at "
              << rows << (rows == 1 ? " position" : " positions");
      if (!choice.is_few(v, rows))
        return whole(q,
                     (text() << "the rules ask for much of a tensor: " << counted.view()).view());
    }
    bounded.max_bindings = options_.max_bindings;
    return by_demand(q, demanded, bounded,
                     (text() << "the rules ask for little: " << counted.view()).view());
  }

  static constexpr std::uint64_t least(std::uint64_t a, std::uint64_t b) { return a < b ? a : b; }
  // True if an evaluation was stopped by the bound of a trial, not by the caller's.
  constexpr bool was_stopped(const error& e, const evaluation_options& bounded) const {
    return e.code == errc::execution_stopped && bounded.max_bindings < options_.max_bindings;
  }
  constexpr result<solution> evaluated(const tensor_program& p, const evaluation_options& options) {
    const auto strata = stratify(p);
    if (!strata) return strata.error();
    ++evaluations_;
    return evaluate(*strata, inputs_, options, operators_);
  }
  constexpr result<answer> by_demand(const query& q, const tensor_program& p,
                                     const evaluation_options& options, text_view why) {
    auto found = evaluated(p, options);
    if (!found) return found.error();
    return answered(q, *found, true, why);
  }
  constexpr result<answer> whole(const query& q, text_view why) {
    auto found = evaluated(reached(program_, q), options_);
    if (!found) return found.error();
    return keep(q, *found, why);
  }
  constexpr result<answer> keep(const query& q, solution& found, text_view why) {
    whole_.push_back({q.tensor, static_cast<solution&&>(found)});
    return answered(q, whole_.back().found, false, why);
  }
  static constexpr answer answered(const query& q, solution& from, bool by_demand, text_view why) {
    solved_tensor& t = from.tensors[0];
    answer out;
    out.entries =
        detail::matching_entries(t.store(), detail::query_pattern(q, t.domains, from.domains));
    out.domains = t.domains;
    out.symbols = from.domains;
    out.by_demand = by_demand;
    out.reason << (by_demand ? "by demand: " : "in full: ") << why;
    return out;
  }

  const stratified_program& program_;
  const database& inputs_;
  evaluation_options options_;
  demand_guards guards_;
  registry operators_;
  table<text_view> given_;
  table<evaluated_tensor> whole_;  // tensors that were evaluated in full
  table<text> keys_;
  table<answer> answers_;
  hash_index by_key_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace wf::logic
