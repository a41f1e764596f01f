// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/table.hpp>
#include <wf/select/problem.hpp>

namespace wf::detail {

/// The must sets of an and-or graph: classes, each with options that need other classes. The must
/// set of a class is itself and the intersection over its options of the unions of their needs'
/// must sets: the greatest fixpoint, the dominators of the graph. A class without options has all
/// classes in its must set.
class must_sets {
 public:
  /// Puts all classes into the must set of each of `classes` classes.
  constexpr void begin(std::uint32_t classes) {
    words_ = words_for(classes);
    rows_ = table<word>(static_cast<std::size_t>(classes) * words_, ~word{0});
    row_ = table<word>(words_);
    shrunk_ = visited_ = table<std::uint64_t>(classes);
  }

  /// Computes the must sets of one strongly connected component, which still hold all classes;
  /// those of the classes that it leads to must be known. `class_at(i)` is the i-th of its `size`
  /// classes, and `each_option(k, f)` calls `f(needs)` for each option of class k.
  template <class ClassAt, class EachOption>
  constexpr void settle(std::uint32_t size, ClassAt class_at, EachOption each_option) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t i = 0; i < size; ++i) {
        const std::uint32_t k = class_at(i);
        const std::uint64_t last = visited_[k];
        visited_[k] = ++clock_;
        each_option(k, [&](view<std::uint32_t> needs) {
          if (last == 0 || has_shrunk(needs, last)) changed = shrink(k, needs) || changed;
        });
      }
      if (size == 1) return;
    }
  }

  /// Puts all classes back into the must set of a class, to settle its component again.
  constexpr void reopen(std::uint32_t k) {
    word* const own = rows_.data() + std::size_t{k} * words_;
    for (std::uint32_t w = 0; w < words_; ++w) own[w] = ~word{0};
    visited_[k] = 0;
  }

  /// Sets `row` to what an option with these needs certainly needs: the union of their must sets.
  constexpr void unite(view<std::uint32_t> needs) {
    word* const row = row_.data();
    const std::uint32_t words = words_;
    steps_ += 1 + needs.size();
    for (std::uint32_t w = 0; w < words; ++w) row[w] = 0;
    for (const std::uint32_t e : needs) detail::unite(row, of(e), words);
  }

  /// The first option from `first` to before `end` that subsumes the option `at`: it is another one
  /// with `is_no_worse(option)` (live, and dearer in no respect), and needs only classes that `at`
  /// certainly needs. `no_candidate` if there is none. `needs_of(option)` are the needs of an
  /// option.
  template <class IsNoWorse, class NeedsOf>
  constexpr std::uint32_t find_subsuming(std::uint32_t at, std::uint32_t first, std::uint32_t end,
                                         IsNoWorse is_no_worse, NeedsOf needs_of) {
    bool united = false;
    for (std::uint32_t other = first; other < end; ++other) {
      if (other == at || !is_no_worse(other)) continue;
      if (!united) unite(needs_of(at));
      united = true;
      bool contained = true;
      const view<std::uint32_t> needs = needs_of(other);
      for (std::size_t i = 0; i < needs.size() && contained; ++i)
        contained = has_bit(row_.data(), needs[i]);
      if (contained) return other;
    }
    return no_candidate;
  }

  /// The must set of a class: a row of bits.
  constexpr const word* of(std::uint32_t k) const { return rows_.data() + std::size_t{k} * words_; }
  /// The union computed last: a row of bits.
  constexpr const word* row() const { return row_.data(); }
  /// All must sets, row by row; leaves none.
  constexpr table<word> take() {
    table<word> out;
    out.swap(rows_);
    return out;
  }
  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  /// Intersects the must set of a class with what an option needs; true if it has shrunk.
  constexpr bool shrink(std::uint32_t k, view<std::uint32_t> needs) {
    unite(needs);
    set_bit(row_.data(), k);
    word* const own = rows_.data() + std::size_t{k} * words_;
    const word* const row = row_.data();
    bool shrinks = false;
    for (std::uint32_t w = 0; w < words_; ++w) {
      shrinks = shrinks || (own[w] & ~row[w]) != 0;
      own[w] &= row[w];
    }
    if (shrinks) shrunk_[k] = ++clock_;
    return shrinks;
  }

  /// True if the must set of one of the needs has shrunk after time `since`.
  constexpr bool has_shrunk(view<std::uint32_t> needs, std::uint64_t since) const {
    for (const std::uint32_t e : needs)
      if (shrunk_[e] > since) return true;
    return false;
  }

  table<word> rows_, row_;
  table<std::uint64_t> shrunk_, visited_;  ///< by class: when its must set shrank, was computed
  std::uint32_t words_ = 0;
  std::uint64_t clock_ = 0, steps_ = 0;
};

}  // namespace wf::detail
