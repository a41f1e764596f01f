// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/strata.hpp>

namespace wf::logic::detail {

/// Positions of a tensor, as bits: those that are bound when it is read.
using bound_positions = std::uint32_t;

/// What a read of a tensor can be asked for.
struct passed_binding {
  bound_positions bound = 0;   ///< none: the tensor is read as a whole
  bool from_head = false;      ///< some of the positions come from the head
  table<std::uint32_t> needs;  ///< joins of the rule that bind the others, in ascending order
};

/// Finds how a rule passes bindings of its head on to the tensors that it reads: joins are taken in
/// the order in which they are connected with what is bound, those that are read as a whole first.
/// Values do not bind, and no computed position is passed on: sets of those could grow without end.
/// Source: Beeri and Ramakrishnan 1991 (sideways information passing).
class sideways_passing {
 public:
  /// `head` are the bound positions of the head. `recursive` tells that the rule reads the stratum
  /// of its head: then a computed position of the head binds nothing.
  constexpr sideways_passing(const tensor_program& p, const rule& r, bound_positions head,
                             bool recursive)
      : program_(p),
        rule_(r),
        known_(r.variables.count),
        binder_(r.variables.count, none),
        done_(r.joins.count),
        linked_(r.joins.count) {
    for (std::uint32_t i = 0; i < r.head.terms.count; ++i) {
      const term& t = p.terms[r.head.terms.first + i];
      if ((head >> i & 1) != 0 && t.kind == term_kind::variable && (t.is_plain() || !recursive))
        known_[t.variable] = true;
    }
  }

  /// By join, then by lookup: what can be passed on. `is_whole(tensor)` tells that a tensor is read
  /// as a whole, and `narrowed(tensor, bound)` which of its bound positions are worth asking for.
  template <class Whole, class Narrowed>
  constexpr table<passed_binding> run(Whole&& is_whole, Narrowed&& narrowed) {
    table<passed_binding> out(rule_.joins.count + rule_.lookups.count);
    for (std::uint32_t next = best(is_whole); next != none; next = best(is_whole)) {
      const atom& a = join(next);
      if (!is_whole(a.tensor)) out[next] = passed(a, narrowed(a.tensor, bound(a)));
      take(next);
    }
    for (std::uint32_t i = 0; i < rule_.lookups.count; ++i) {
      const atom& a = program_.atoms[rule_.lookups.first + i];
      if (!is_whole(a.tensor)) out[rule_.joins.count + i] = passed(a, narrowed(a.tensor, bound(a)));
    }
    return out;
  }

 private:
  constexpr const atom& join(std::uint32_t i) const {
    return program_.atoms[rule_.joins.first + i];
  }
  constexpr bool is_known(const term& t) const {
    return t.kind != term_kind::variable || known_[t.variable];
  }
  // Positions that can be passed on.
  constexpr bound_positions bound(const atom& a) const {
    bound_positions out = 0;
    for (std::uint32_t i = 0; i < a.terms.count; ++i) {
      const term& t = program_.terms[a.terms.first + i];
      if (is_known(t) && (t.kind != term_kind::variable || t.is_plain())) out |= 1U << i;
    }
    return out;
  }
  constexpr std::uint32_t count_known(const atom& a) const {
    std::uint32_t n = 0;
    for (const term& t : program_.terms_of(a)) n += is_known(t) ? 1 : 0;
    return n;
  }

  // The next join that something bound leads to: one that binds nothing new, else one that is read
  // as a whole, else one with the most bound positions.
  template <class Whole>
  constexpr std::uint32_t best(Whole&& is_whole) const {
    std::uint32_t found = none, most = 0;
    for (std::uint32_t i = 0; i < rule_.joins.count; ++i) {
      const std::uint32_t n = count_known(join(i));
      if (done_[i] || n == 0) continue;
      const std::uint32_t rank = n == join(i).terms.count ? 3 : is_whole(join(i).tensor) ? 2 : 1;
      const std::uint32_t score = 16 * rank + n;
      if (found == none || score > most) found = i, most = score;
    }
    return found;
  }
  // Notes that a join binds its variables.
  constexpr void take(std::uint32_t i) {
    done_[i] = true;
    for (const term& t : program_.terms_of(join(i)))
      if (t.kind == term_kind::variable && known_[t.variable]) linked_[i].push_back(t.variable);
    for (const term& t : program_.terms_of(join(i))) {
      if (t.kind != term_kind::variable || known_[t.variable]) continue;
      known_[t.variable] = true;
      binder_[t.variable] = i;
    }
  }

  constexpr passed_binding passed(const atom& a, bound_positions bound) const {
    passed_binding out;
    out.bound = bound;
    table<bool> needed(rule_.joins.count);
    for (std::uint32_t i = 0; i < a.terms.count; ++i)
      if (const term& t = program_.terms[a.terms.first + i];
          (out.bound >> i & 1) != 0 && t.kind == term_kind::variable)
        need(t.variable, needed, out.from_head);
    for (std::uint32_t i = 0; i < needed.size(); ++i)
      if (needed[i]) out.needs.push_back(i);
    return out;
  }
  // Marks the joins that bind a variable, with those that lead to them.
  constexpr void need(std::uint32_t variable, table<bool>& needed, bool& from_head) const {
    const std::uint32_t by = binder_[variable];
    if (by == none) from_head = true;
    if (by == none || needed[by]) return;
    needed[by] = true;
    for (const std::uint32_t v : linked_[by]) need(v, needed, from_head);
  }

  const tensor_program& program_;
  const rule& rule_;
  table<bool> known_;
  table<std::uint32_t> binder_;  // by variable: the join that binds it; `none`: the head
  table<bool> done_;
  table<table<std::uint32_t>> linked_;  // by join: its variables that were bound before
};

}  // namespace wf::logic::detail
