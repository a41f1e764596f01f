// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/state.hpp>

namespace wf::detail {

/// Solves a residual packing model by eliminating one class after the other: for every choice in
/// the classes that share rows with it, a table holds the least cost of the class and of those
/// eliminated before it (dynamic programming along a tree decomposition; Bertele and Brioschi
/// 1972). Classes with no, one and two neighbours are the reductions R0, R1 and R2 of quadratic
/// assignment. Time and memory are exponential in the width of the order, and negligible where that
/// is small.
///
/// Cycles of needs are ignored: the result costs at most as much as the best solution, and is the
/// best solution if it has no cycle.
class packing_eliminator {
 public:
  constexpr explicit packing_eliminator(const packing_model& model) : m_(model) {}

  /// True if the model consists of classes, rows and costs only, cycles aside.
  static constexpr bool suits(const packing_model& m) {
    return m.capacity.empty() && m.peaks.empty();
  }

  /// Plans the elimination order: the class with the fewest choices of it and its neighbours first.
  /// False if these add up to more than `most`, or if there are too many open classes, or open
  /// parts in a row. O(open classes squared) at most.
  constexpr bool plan(const packing_state& s, std::uint64_t most) {
    list_classes(s);
    if (open_.size() > most_classes || !connect(s)) return false;
    std::uint64_t total = 0;
    steps_.clear();
    position_ = table<std::uint32_t>(open_.size(), none);
    for (std::uint32_t i = 0; i < open_.size(); ++i) weigh(i);
    for (std::uint32_t at = 0; at < open_.size(); ++at) {
      std::uint32_t best = none;
      for (std::uint32_t i = 0; i < open_.size(); ++i)
        if (position_[i] == none && (best == none || weight_[i] < weight_[best])) best = i;
      visits_ += open_.size();
      total += static_cast<std::uint64_t>(weight_[best] < 1e18 ? weight_[best] : 1e18);
      if (total > most) return false;
      position_[best] = at;
      eliminate(best);
    }
    return true;
  }

  /// Solves in the planned order; false if there is no solution.
  constexpr bool run() {
    cost_ = 0;
    for (const std::uint32_t v : settled_) cost_ += m_.cost[v];
    for (row_part& part : row_part_) mark(part);
    distribute();
    for (step& s : steps_) {
      fill(s);
      if (!s.scope.empty()) continue;
      if (s.cost[0] == unbounded) return false;
      cost_ += s.cost[0];
    }
    chosen_ = table<std::uint32_t>(m_.classes);
    for (const std::uint32_t v : settled_) chosen_[m_.owner[v]] = v;
    for (std::size_t i = steps_.size(); i-- > 0;) {
      const step& s = steps_[i];
      digit_[s.own] = s.best[index_of(s)];
      chosen_[open_[s.own]] = value_[first_[s.own] + digit_[s.own]];
    }
    return true;
  }

  /// The solution: a value for each class, by class index.
  constexpr const table<std::uint32_t>& chosen() const { return chosen_; }
  /// Its cost, without the model's base.
  constexpr std::int64_t cost() const { return cost_; }
  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return visits_; }

 private:
  static constexpr std::uint32_t none = packing_model::none;
  static constexpr std::size_t most_classes = 4000;
  static constexpr std::uint32_t most_parts = 20;  ///< bound on the open parts of a row

  /// A part of a row whose class is open.
  struct row_part {
    std::uint32_t of = 0;
    std::uint32_t number = 0;  ///< index of the part in the model
    std::uint32_t first = 0;   ///< offset in `inside_` of the flags of the class's values
  };
  /// A row of a step, and the offset in `inside_` of the flags of a class of its scope.
  struct row_link {
    std::uint32_t row = 0, first = 0;
  };
  /// The elimination of a class. Open classes are numbered by their place in `open_`.
  struct step {
    std::uint32_t own = 0;
    table<std::uint32_t> scope;   ///< the classes on which its table depends, ascending
    table<std::int64_t> cost;     ///< least cost by choice in the scope, its last class fastest
    table<std::uint32_t> best;    ///< the best value of the class, likewise
    table<std::uint32_t> before;  ///< earlier steps whose tables are added here
    table<std::uint32_t> rows;    ///< the rows that are checked here
  };

  constexpr void list_classes(const packing_state& s) {
    open_.clear();
    settled_.clear();
    value_.clear();
    first_.clear();
    number_ = table<std::uint32_t>(m_.classes, none);
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (s.class_count[k] == 1) {
        settled_.push_back(s.left(k)[0]);
        continue;
      }
      number_[k] = static_cast<std::uint32_t>(open_.size());
      open_.push_back(k);
      first_.push_back(static_cast<std::uint32_t>(value_.size()));
      for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v)
        if (s.alive[v]) value_.push_back(v);
    }
    first_.push_back(static_cast<std::uint32_t>(value_.size()));
    digit_ = table<std::uint32_t>(open_.size());
    visits_ += m_.values;
  }
  constexpr std::uint32_t size_of(std::uint32_t i) const { return first_[i + 1] - first_[i]; }

  constexpr word* neighbours(std::uint32_t i) { return near_.data() + std::size_t{i} * words_; }

  /// Sets near_ to the classes that share a row with each; false if a row has too many open parts.
  constexpr bool connect(const packing_state& s) {
    words_ = words_for(open_.size());
    near_ = table<word>(open_.size() * words_);
    weight_ = table<double>(open_.size());
    row_first_ = table<std::uint32_t>(1);
    row_part_.clear();
    inside_.clear();
    for (std::uint32_t r = 0; r < m_.rows; ++r) {
      const std::size_t before = row_part_.size();
      for (std::uint32_t i = m_.row_part[r]; i < m_.row_part[r + 1]; ++i) {
        ++visits_;
        const packing_part& part = m_.parts[i];
        if (s.part_count[i] == 0 || number_[part.owner] == none) continue;
        if (row_part_.size() - before == most_parts) return false;
        row_part_.push_back({number_[part.owner], i, 0});
      }
      if (row_part_.size() < before + 2) {
        row_part_.resize(before);
        continue;
      }
      for (std::size_t i = before; i < row_part_.size(); ++i)
        for (std::size_t j = before; j < row_part_.size(); ++j)
          if (i != j) set_bit(neighbours(row_part_[i].of), row_part_[j].of);
      row_first_.push_back(static_cast<std::uint32_t>(row_part_.size()));
    }
    return true;
  }

  /// Appends to inside_ one flag for each value of the part's class: 1 if the row contains it.
  constexpr void mark(row_part& part) {
    part.first = static_cast<std::uint32_t>(inside_.size());
    std::uint32_t e = m_.parts[part.number].begin;
    const std::uint32_t end = m_.parts[part.number].end;
    for (std::uint32_t i = first_[part.of]; i < first_[part.of + 1]; ++i) {
      while (e < end && m_.entry[e] < value_[i]) ++e;
      inside_.push_back(e < end && m_.entry[e] == value_[i]);
    }
    visits_ += size_of(part.of);
  }

  constexpr void weigh(std::uint32_t i) {
    double weight = size_of(i);
    each_bit(neighbours(i), words_, [&](std::uint32_t j) {
      ++visits_;
      weight *= size_of(j);
    });
    weight_[i] = weight;
  }

  /// Appends the step of a class; its neighbours become neighbours of each other.
  constexpr void eliminate(std::uint32_t i) {
    step s;
    s.own = i;
    word* const mine = neighbours(i);
    each_bit(mine, words_, [&](std::uint32_t j) { s.scope.push_back(j); });
    for (const std::uint32_t j : s.scope) {
      word* const its = neighbours(j);
      unite(its, mine, words_);
      clear_bit(its, j);
      clear_bit(its, i);
      visits_ += words_;
    }
    for (const std::uint32_t j : s.scope) weigh(j);
    steps_.push_back(static_cast<step&&>(s));
  }

  /// Assigns each row and each table to the step of its class that is eliminated first.
  constexpr void distribute() {
    for (std::uint32_t r = 0; r + 1 < row_first_.size(); ++r) {
      std::uint32_t at = none;
      for (std::uint32_t i = row_first_[r]; i < row_first_[r + 1]; ++i)
        if (position_[row_part_[i].of] < at) at = position_[row_part_[i].of];
      steps_[at].rows.push_back(r);
    }
    for (std::uint32_t i = 0; i < steps_.size(); ++i) {
      std::uint32_t at = none;
      for (const std::uint32_t j : steps_[i].scope)
        if (position_[j] < at) at = position_[j];
      if (at != none) steps_[at].before.push_back(i);
    }
  }

  constexpr std::size_t index_of(const step& s) const {
    std::size_t index = 0;
    for (const std::uint32_t j : s.scope) index = index * size_of(j) + digit_[j];
    return index;
  }

  /// Fills the table of a step, one choice in its scope after the other.
  constexpr void fill(step& s) {
    for (const std::uint32_t j : s.scope) digit_[j] = 0;
    place_tables(s);
    place_rows(s);
    std::size_t size = 1;
    for (const std::uint32_t j : s.scope) size *= size_of(j);
    s.cost = table<std::int64_t>(size, unbounded);
    s.best = table<std::uint32_t>(size);
    const std::uint32_t values = size_of(s.own);
    const std::uint32_t* const value = value_.data() + first_[s.own];
    const word* const excluded = excluded_.data();
    for (std::size_t at = 0; at < size; ++at) {
      if (list_excluded()) {
        std::int64_t least = unbounded;
        for (std::uint32_t d = 0; d < values; ++d) {
          if (has_bit(excluded, d)) continue;
          const std::int64_t cost = cost_here(m_.cost[value[d]], d);
          if (cost >= least) continue;
          least = cost;
          s.best[at] = d;
        }
        s.cost[at] = least;
      }
      turn(s);
    }
  }

  /// Sets at_ to the current position in each earlier table, own_stride_ to the stride there of the
  /// step's class, and stride_ to those of the classes of its scope.
  constexpr void place_tables(const step& s) {
    const std::size_t tables = s.before.size();
    at_.resize(tables);
    own_stride_.resize(tables);
    stride_ = table<std::size_t>(tables * s.scope.size());
    for (std::size_t b = 0; b < tables; ++b) {
      const step& earlier = steps_[s.before[b]];
      at_[b] = earlier.cost.data();
      std::size_t stride = 1;
      for (std::size_t i = earlier.scope.size(), j = s.scope.size(); i-- > 0;
           stride *= size_of(earlier.scope[i])) {
        if (earlier.scope[i] == s.own) {
          own_stride_[b] = stride;
          continue;
        }
        while (s.scope[--j] != earlier.scope[i]) {
        }
        stride_[j * tables + b] = stride;
      }
    }
  }

  template <class F>
  constexpr void each_part(std::uint32_t row, F&& f) const {
    for (std::uint32_t i = row_first_[row]; i < row_first_[row + 1]; ++i) f(row_part_[i]);
  }

  /// Sets users_ to the number of current values of the scope in each row of the step, own_ to the
  /// values of the step's class in each row, and link_ and link_first_ to the rows of each class of
  /// the scope.
  constexpr void place_rows(const step& s) {
    excluded_ = table<word>(words_for(size_of(s.own)));
    own_ = table<word>(s.rows.size() * excluded_.size());
    users_ = table<std::int32_t>(s.rows.size());
    link_first_ = table<std::uint32_t>(s.scope.size() + 1);
    place_.resize(open_.size());
    for (std::uint32_t j = 0; j < s.scope.size(); ++j) place_[s.scope[j]] = j;
    std::uint32_t links = 0;
    for (std::uint32_t i = 0; i < s.rows.size(); ++i)
      each_part(s.rows[i], [&](const row_part& part) {
        if (part.of != s.own) {
          ++link_first_[place_[part.of] + 1];
          ++links;
          users_[i] += inside_[part.first];
          return;
        }
        for (std::uint32_t d = 0; d < size_of(s.own); ++d)
          if (inside_[part.first + d]) set_bit(own_.data() + i * excluded_.size(), d);
      });
    for (std::size_t j = 0; j < s.scope.size(); ++j) link_first_[j + 1] += link_first_[j];
    link_.resize(links);
    table<std::uint32_t> at(link_first_);
    for (std::uint32_t i = 0; i < s.rows.size(); ++i)
      each_part(s.rows[i], [&](const row_part& part) {
        if (part.of != s.own) link_[at[place_[part.of]]++] = {i, part.first};
      });
    visits_ += 2 * links;
  }

  /// Advances to the next choice in the scope.
  constexpr void turn(const step& s) {
    const std::size_t tables = at_.size();
    const std::int64_t** const at = at_.data();
    const std::uint8_t* const inside = inside_.data();
    for (std::size_t j = s.scope.size(); j-- > 0;) {
      std::uint32_t& digit = digit_[s.scope[j]];
      const std::uint32_t before = digit, last = size_of(s.scope[j]) - 1;
      const std::size_t* const stride = stride_.data() + j * tables;
      digit = before < last ? before + 1 : 0;
      for (std::size_t b = 0; b < tables; ++b)
        if (digit != 0)
          at[b] += stride[b];
        else
          at[b] -= last * stride[b];
      for (std::uint32_t i = link_first_[j], end = link_first_[j + 1]; i < end; ++i) {
        const row_link link = link_[i];
        users_[link.row] += inside[link.first + digit] - inside[link.first + before];
      }
      visits_ += 1 + link_first_[j + 1] - link_first_[j];
      if (digit != 0) return;
    }
  }

  /// Sets excluded_ to the values of the step's class that share a row with the scope's choice;
  /// false if two values of that choice share a row.
  constexpr bool list_excluded() {
    const std::uint32_t words = static_cast<std::uint32_t>(excluded_.size());
    for (word& w : excluded_) w = 0;
    visits_ += users_.size();
    std::size_t own = 0;
    for (const std::int32_t users : users_) {
      if (users > 1) return false;
      if (users == 1) unite(excluded_.data(), own_.data() + own, words);
      own += words;
    }
    return true;
  }

  /// The cost of a value of the step's class with the earlier tables; `unbounded` if impossible.
  constexpr std::int64_t cost_here(std::int64_t cost, std::uint32_t digit) {
    const std::size_t tables = at_.size();
    const std::int64_t* const* const at = at_.data();
    const std::size_t* const stride = own_stride_.data();
    visits_ += 1 + tables;
    for (std::size_t b = 0; b < tables; ++b) {
      const std::int64_t more = at[b][digit * stride[b]];
      if (more == unbounded) return unbounded;
      cost += more;
    }
    return cost;
  }

  const packing_model& m_;
  table<std::uint32_t> open_, settled_;  ///< the open classes; the only values of the others
  table<std::uint32_t> number_;          ///< by class: its place in `open_`, or `none`
  table<std::uint32_t> value_, first_;   ///< the live values, by open class
  table<word> near_;
  std::uint32_t words_ = 0;
  table<double> weight_;           ///< by open class: number of choices of it and its neighbours
  table<std::uint32_t> position_;  ///< by open class: its place in the order
  table<std::uint32_t> row_first_;
  table<row_part> row_part_;
  table<std::uint8_t> inside_;
  table<step> steps_;
  table<std::uint32_t> digit_;  ///< by open class: index of its current value
  table<std::int32_t> users_;
  table<std::uint32_t> link_first_, place_;
  table<row_link> link_;
  table<word> own_, excluded_;
  table<const std::int64_t*> at_;
  table<std::size_t> own_stride_, stride_;
  table<std::uint32_t> chosen_;
  std::int64_t cost_ = 0;
  std::uint64_t visits_ = 0;
};

}  // namespace wf::detail
