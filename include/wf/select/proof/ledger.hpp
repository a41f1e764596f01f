// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/search/control.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/proof/proof.hpp>

namespace wf::detail {

/// The steps of one level's proof, case by case. The whole is case 0; a component of a packing
/// model becomes a case inside that of its classes, and later compaction steps on these classes
/// become steps of it. `end` puts the cases in order.
class proof_ledger {
 public:
  static constexpr std::uint32_t none = no_candidate;

  /// Begins a level; a proof of more than about `most` numbers fails with `too_large`.
  constexpr void begin(std::uint32_t classes, std::size_t most) {
    most_ = most;
    cases_.clear();
    cases_.push_back({});
    home_ = table<std::uint32_t>(classes);
    paid_ = table<std::int64_t>(classes);
    level_ = {};
    fault_ = proof_status::complete;
    used_ = 0;
  }

  /// The case that a class belongs to.
  constexpr std::uint32_t home(std::uint32_t k) const { return home_[k]; }
  /// False if nothing can be added: the case is closed, or the proof has failed.
  constexpr bool is_open(std::uint32_t c) const {
    return !cases_[c].closed && fault_ == proof_status::complete;
  }
  /// Gives up the proof; the first reason stays.
  constexpr void fail(proof_status why) {
    if (fault_ == proof_status::complete) fault_ = why;
  }

  /// Opens a case for classes of one open case; `none` if they are not. Without a class it returns
  /// the case opened last.
  constexpr std::uint32_t open(const table<std::uint32_t>& classes) {
    if (classes.empty()) return static_cast<std::uint32_t>(cases_.size() - 1);
    const std::uint32_t parent = home_[classes[0]];
    for (const std::uint32_t k : classes)
      if (home_[k] != parent) fail(proof_status::not_recorded);
    if (!is_open(parent)) return none;
    const std::uint32_t c = static_cast<std::uint32_t>(cases_.size());
    cases_.push_back({});
    for (const std::uint32_t k : classes) {
      home_[k] = c;
      cases_[c].paid += paid_[k];
      cases_[parent].paid -= paid_[k];
    }
    cases_[c].classes = classes;
    cases_[parent].parts.push_back(c);
    return c;
  }

  constexpr void add(std::uint32_t c, const proof_step& step) {
    if (!is_open(c)) return;
    used_ += 4;
    if (used_ > most_) fail(proof_status::too_large);
    cases_[c].steps.push_back(step);
  }
  /// Adds a literal or a class to the last step of a case.
  constexpr void add_literal(std::uint32_t c, std::uint32_t literal) {
    if (!is_open(c)) return;
    ++used_;
    range& run = cases_[c].steps.back().run;
    if (run.count++ == 0) run.first = static_cast<std::uint32_t>(level_.literals.size());
    level_.literals.push_back(literal);
  }
  constexpr void add_price(std::uint32_t c, const proof_price& price) {
    if (!is_open(c)) return;
    used_ += 2;
    range& run = cases_[c].steps.back().run;
    if (run.count++ == 0) run.first = static_cast<std::uint32_t>(level_.prices.size());
    level_.prices.push_back(price);
  }

  /// A checkpoint of a case; valid while no other case grows.
  struct mark {
    std::size_t steps = 0, literals = 0, prices = 0, used = 0;
  };
  constexpr mark here(std::uint32_t c) const {
    return {cases_[c].steps.size(), level_.literals.size(), level_.prices.size(), used_};
  }
  constexpr void go_back(std::uint32_t c, const mark& m) {
    cases_[c].steps.resize(m.steps);
    level_.literals.resize(m.literals);
    level_.prices.resize(m.prices);
    used_ = m.used;
  }

  /// Records that class `k` is needed and costs `amount` in any case.
  constexpr void pay(std::uint32_t k, std::int64_t amount) {
    paid_[k] += amount;
    cases_[home_[k]].paid += amount;
  }
  /// Caps the claim of a case: its steps prove at most `cutoff` plus the amounts paid.
  constexpr void limit(std::uint32_t c, std::int64_t cutoff) {
    cutoff = saturating_add(cases_[c].paid, cutoff);
    if (cutoff < cases_[c].cutoff) cases_[c].cutoff = cutoff;
  }
  /// Closes a case: its steps prove a cost of at least `bound` plus the amounts paid.
  constexpr void close(std::uint32_t c, std::int64_t bound) {
    if (!is_open(c)) return;
    limit(c, bound);
    cases_[c].closed = true;
  }

  /// Writes the proof that nothing costs less than `value`; the status is `complete` if it exists.
  constexpr proof_status end(std::int64_t value, proof_level& out) {
    if (fault_ != proof_status::complete) return fault_;
    for (std::size_t c = cases_.size(); c-- > 0;) cases_[c].bound = bound_of(cases_[c], value);
    if (cases_[0].bound < value) return proof_status::not_recorded;
    out = {};
    out.value = value;
    write(0, out);
    return proof_status::complete;
  }

 private:
  struct entry {
    table<proof_step> steps;
    table<std::uint32_t> classes, parts;
    std::int64_t paid = 0, bound = 0, cutoff = unbounded;
    bool closed = false;
  };

  constexpr std::int64_t bound_of(const entry& c, std::int64_t value) const {
    std::int64_t out = c.cutoff;
    if (!c.closed) {
      std::int64_t total = c.paid;
      for (const std::uint32_t part : c.parts) total = saturating_add(total, cases_[part].bound);
      if (total < out) out = total;
    }
    return out < value ? out : value;
  }

  /// Recursive: cases nest as deep as models were rebuilt, a few times.
  constexpr void write(std::uint32_t at, proof_level& out) const {
    const entry& c = cases_[at];
    for (const proof_step& s : c.steps) {
      proof_step& step = add_step(out, s);
      if (s.run.count == 0) continue;
      if (has_prices(s.rule))
        append(out.prices, view<proof_price>(level_.prices).part(s.run.first, s.run.count), step);
      else
        append(out.literals, view<std::uint32_t>(level_.literals).part(s.run.first, s.run.count),
               step);
    }
    if (c.closed) return;
    for (const std::uint32_t part : c.parts) {
      append(out.literals, view<std::uint32_t>(cases_[part].classes),
             add_step(out, {proof_rule::lemma, 0, 0, cases_[part].bound, {}}));
      write(part, out);
    }
    add_step(out, {proof_rule::prices, 0, 0, 1, {}});
    add_step(out, {proof_rule::bound, 0, 0, 0, {}});
  }

  static constexpr proof_step& add_step(proof_level& out, const proof_step& step) {
    out.steps.push_back(step);
    return out.steps.back();
  }
  template <class T>
  static constexpr void append(table<T>& pool, view<T> run, proof_step& step) {
    step.run = {static_cast<std::uint32_t>(pool.size()), static_cast<std::uint32_t>(run.size())};
    for (const T& one : run) pool.push_back(one);
  }

  std::size_t most_ = 0, used_ = 0;
  table<entry> cases_;
  table<std::uint32_t> home_;  ///< case, by class
  table<std::int64_t> paid_;   ///< by class
  proof_level level_;
  proof_status fault_ = proof_status::complete;
};

}  // namespace wf::detail
