// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/evaluate/by_rows.hpp>

namespace wf::logic::detail {

/// Goes on with a closure within rows whose entries are bits: new pairs move entries of the rows
/// that have their beginnings, new entries are moved by all pairs.
class row_growth {
 public:
  /// True for a recursion that this knows: one relation whose entries move within rows.
  static constexpr bool knows(const tensor_program& p, const row_recursion& r) {
    return r.valid && r.tensors.size() == 1 && r.links.size() == 1 && !r.links[0].moves_rows &&
           r.links[0].pairs != none && p.tensors[r.tensors[0]].boolean;
  }

  constexpr row_growth(rule_engine& engine, const stratified_program& p, const stratum& s,
                       const row_recursion& recursion)
      : engine_(engine), program_(p.program), tensor_(recursion.tensors[0]) {
    pairs_ = recursion.links[0].pairs;
    add_versions(pairs_);
    bases_ = versions_.size();
    for (std::uint32_t i = 0; i < s.rules.count; ++i) {
      const std::uint32_t number = p.rules[s.rules.first + i];
      if (!reads(number)) add_versions(number);
    }
  }

  /// True if the entries are bits.
  constexpr bool fits() const { return engine_.store(tensor_).kind() == lookup_kind::bits; }
  /// Goes on after tensors that the rules join have got rows behind those that they had `before`.
  /// `out_of_bounds` becomes true if an entry or pair has no bit: then nothing has been done. False
  /// after an error, which the engine keeps. O(new pairs · rows + new entries · moves).
  constexpr bool grow(view<std::uint32_t> before, bool& out_of_bounds) {
    tensor_store& store = engine_.store(tensor_);
    rows_ = rank() == 2 ? store.bounds()[0] : column_bounds{0, 1};
    columns_ = store.bounds()[rank() - 1];
    if (!known_ && !(known_ = read_pairs())) return false;
    for (std::uint32_t t = 0; t < before.size(); ++t) engine_.older(t) = before[t];
    table<place> pairs, entries;
    out_of_bounds = false;
    bool done = true;
    for (std::size_t i = 0; i < versions_.size() && done; ++i)
      done = apply(versions_[i], before, i < bases_ ? pairs : entries, i < bases_, out_of_bounds);
    for (std::uint32_t t = 0; t < before.size(); ++t) engine_.older(t) = UINT32_MAX;
    if (!done || out_of_bounds) return done;
    for (const place& p : pairs) add_pair(p);
    for (const place& p : entries) reach(store, p.first, p.second);
    for (const place& p : pairs)
      for (std::size_t row = 0; row < store.bits().rows(); ++row)
        if (store.bits().test(row, p.first)) reach(store, row, p.second);
    return true;
  }

 private:
  /// A row and a column, or two columns.
  struct place {
    std::size_t first = 0, second = 0;
  };
  struct move {
    std::uint32_t to = 0, next = 0;
  };

  constexpr std::uint32_t rank() const { return program_.tensors[tensor_].rank; }
  constexpr bool reads(std::uint32_t number) const {
    const rule& r = program_.rules[number];
    for (std::uint32_t k = 0; k < r.joins.count; ++k)
      if (program_.atoms[r.joins.first + k].tensor == tensor_) return true;
    return false;
  }
  constexpr void add_versions(std::uint32_t number) {
    for (std::uint32_t k = 0; k < program_.rules[number].joins.count; ++k)
      versions_.push_back({number, k, {}, 0});
  }
  // Appends what a rule contributes from new rows of one of its joins.
  constexpr bool apply(planned_rule& v, view<std::uint32_t> before, table<place>& to, bool pair,
                       bool& out_of_bounds) {
    const rule& r = program_.rules[v.rule];
    const std::uint32_t t = program_.atoms[r.joins.first + v.changed_join].tensor;
    const changed_rows changed{before[t], static_cast<std::uint32_t>(engine_.store(t).rows()),
                               nullptr};
    if (changed.first >= changed.last) return true;
    return engine_.apply(v, changed, [&](const position* at, double) {
      place p;
      out_of_bounds = !find(at, pair, p) || out_of_bounds;
      to.push_back(p);
      return true;
    });
  }
  constexpr bool find(const position* at, bool pair, place& out) const {
    const bool has_row = pair || rank() == 2;
    const column_bounds& first = pair ? columns_ : rows_;
    const std::uint64_t a = has_row ? first.offset(at[0]) : 0,
                        b = columns_.offset(at[has_row ? 1 : 0]);
    out = {static_cast<std::size_t>(a), static_cast<std::size_t>(b)};
    return a < first.size && b < columns_.size;
  }
  // Reads all pairs, new ones among them; those without bits move nothing.
  constexpr bool read_pairs() {
    heads_ = table<std::uint32_t>(static_cast<std::size_t>(columns_.size), none);
    planned_rule all{pairs_, none, {}, 0};
    return engine_.apply(all, {}, [&](const position* at, double) {
      place p;
      if (find(at, true, p)) add_pair(p);
      return true;
    });
  }
  constexpr void add_pair(const place& p) {
    moves_.push_back({static_cast<std::uint32_t>(p.second), heads_[p.first]});
    heads_[p.first] = static_cast<std::uint32_t>(moves_.size() - 1);
  }
  // Sets a bit of a row, and those that it moves to.
  constexpr void reach(tensor_store& store, std::size_t row, std::size_t column) {
    if (!store.set_bit(row, column)) return;
    waiting_.clear();
    waiting_.push_back(static_cast<std::uint32_t>(column));
    for (std::size_t i = 0; i < waiting_.size(); ++i)
      for (std::uint32_t m = heads_[waiting_[i]]; m != none; m = moves_[m].next)
        if (store.set_bit(row, moves_[m].to)) waiting_.push_back(moves_[m].to);
  }

  rule_engine& engine_;
  const tensor_program& program_;
  std::uint32_t tensor_ = 0, pairs_ = 0;
  table<planned_rule> versions_;  // of the pairs, then of the entries, for each join
  std::size_t bases_ = 0;         // where those of the entries begin
  bool known_ = false;
  column_bounds rows_, columns_;
  table<std::uint32_t> heads_;  // by column: its last move
  table<move> moves_;
  table<std::uint32_t> waiting_;
};

}  // namespace wf::logic::detail
