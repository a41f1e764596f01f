// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/table.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/reduce/partial_selection.hpp>
#include <wf/select/reduce/reduce.hpp>

namespace wf::detail {

/// The undecided part of a partial selection, as the bounds of sums need it.
class selection_survey {
 public:
  table<std::uint32_t> open;     ///< the needed classes with several live candidates, in any order
  table<std::uint32_t> taken;    ///< the candidates of decided classes
  table<std::uint32_t> order;    ///< the open and the visited classes, ascending
  table<word> visited;           ///< by class: a bit if open classes can still bring it in
  table<std::uint32_t> parents;  ///< by visited class: the number of classes that can need it

  constexpr explicit selection_survey(const reduced_selection& reduced)
      : visited(reduced.words),
        parents(reduced.classes),
        r_(reduced),
        last_parent_(reduced.classes),
        row_(reduced.words),
        reach_(static_cast<std::size_t>(reduced.classes) * reduced.words) {}

  /// Calls `f(begin, end)` for the places in `order` of each strongly connected component,
  /// children first.
  // Before its first use: clang 19 evaluates no member template whose body it has not read yet.
  template <class F>
  constexpr void each_component(F&& f) const {
    for (std::size_t begin = 0; begin < order.size();) {
      const std::uint32_t after = r_.block_last[order[begin]];
      std::size_t end = begin;
      while (end < order.size() && order[end] < after) ++end;
      f(begin, end);
      begin = end;
    }
  }

  /// Lists decided and open classes and the classes that open ones can still bring in (`visited`),
  /// counts the parents of the latter, and computes the reach of each class.
  constexpr void run(const partial_selection& s) {
    open.clear();
    taken.clear();
    order.clear();
    for (std::uint32_t w = 0; w < r_.words; ++w) visited[w] = 0;
    each_bit(s.needed.data(), r_.words, [&](std::uint32_t k) {
      const std::uint32_t n = s.decided(r_, k);
      if (n != no_candidate)
        taken.push_back(n);
      else
        open.push_back(k);
    });
    if (open.empty()) return;
    mark_visited(s);
    each_component([&](std::size_t begin, std::size_t end) { reach_block(s, begin, end); });
  }

  /// The reach of a class in `order`: the visited classes below it, and itself if it is visited.
  constexpr const word* reach_of(std::uint32_t k) const {
    return reach_.data() + static_cast<std::size_t>(k) * r_.words;
  }

  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  /// Sets `visited` and `order` (ascending, open classes included), from parents to children, a
  /// strongly connected component as a whole.
  constexpr void mark_visited(const partial_selection& s) {
    std::size_t next_open = open.size();
    for (std::uint32_t end = open.back() + 1; end > 0;) {
      // An open class may lie in the middle of its component.
      end = r_.block_last[end - 1];
      const std::uint32_t begin = r_.block_first[end - 1];
      bool active = next_open > 0 && open[next_open - 1] >= begin;
      for (std::uint32_t k = begin; k < end && !active; ++k) active = has_bit(visited.data(), k);
      if (active && end - begin > 1)
        for (std::uint32_t k = begin; k < end; ++k)
          if (!has_bit(s.needed.data(), k)) visit(k);
      for (std::uint32_t k = end; active && k-- > begin;) {
        const bool is_open = next_open > 0 && open[next_open - 1] == k;
        if (is_open) --next_open;
        if (!is_open && !has_bit(visited.data(), k)) continue;
        order.push_back(k);
        mark_children(s, k);
      }
      end = begin;
    }
    for (std::size_t i = 0, j = order.size(); i + 1 < j; ++i) {
      const std::uint32_t k = order[i];
      order[i] = order[--j];
      order[j] = k;
    }
  }

  constexpr void visit(std::uint32_t k) {
    if (has_bit(visited.data(), k)) return;
    set_bit(visited.data(), k);
    parents[k] = 0;
    last_parent_[k] = no_candidate;
  }

  constexpr void mark_children(const partial_selection& s, std::uint32_t k) {
    const std::uint32_t* const child = r_.child.data();
    const word* const needed = s.needed.data();
    std::uint32_t* const last_parent = last_parent_.data();
    for (std::uint32_t n = r_.first[k], last = r_.first[k + 1]; n < last; ++n) {
      if (!s.is_alive(n)) continue;
      const std::uint32_t begin = r_.child_first[n], end = r_.child_first[n + 1];
      steps_ += 1 + end - begin;
      for (std::uint32_t i = begin; i < end; ++i) {
        const std::uint32_t c = child[i];
        if ((needed[c >> 6] >> (c & 63)) & 1) continue;
        visit(c);
        if (last_parent[c] == k) continue;
        last_parent[c] = k;
        ++parents[c];
      }
    }
  }

  /// Computes the reach of the classes of one component, which have the places `begin` to `last`.
  constexpr void reach_block(const partial_selection& s, std::size_t begin, std::size_t last) {
    const std::uint32_t end = r_.block_last[order[begin]];
    word* const row = row_.data();
    const std::uint32_t* const child = r_.child.data();
    for (std::uint32_t w = 0; w < r_.words; ++w) row[w] = 0;
    for (std::size_t place = begin; place < last; ++place) {
      const std::uint32_t k = order[place];
      if (has_bit(visited.data(), k)) set_bit(row_.data(), k);
      for (std::uint32_t n = r_.first[k], stop = r_.first[k + 1]; n < stop; ++n) {
        if (!s.is_alive(n)) continue;
        const std::uint32_t child_end = r_.child_first[n + 1];
        for (std::uint32_t i = r_.child_first[n]; i < child_end; ++i, ++steps_) {
          const std::uint32_t c = child[i];
          // The reach of a class in the row is there already.
          if (has_bit(row, c) || !has_bit(visited.data(), c)) continue;
          if (r_.block_last[c] == end)
            set_bit(row, c);
          else
            unite(row, reach_of(c), r_.words);
        }
      }
    }
    for (std::size_t i = begin; i < last; ++i) {
      word* const reach = reach_.data() + static_cast<std::size_t>(order[i]) * r_.words;
      for (std::uint32_t w = 0; w < r_.words; ++w) reach[w] = row[w];
    }
  }

  const reduced_selection& r_;
  std::uint64_t steps_ = 0;
  table<std::uint32_t> last_parent_;
  table<word> row_, reach_;
};

}  // namespace wf::detail
