// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/batch/plan.hpp>
#include <wf/map/place/groups.hpp>

namespace wf {

/// Slicing floor plans of concurrent stages: for every run of groups in an order, a region is
/// recursively cut in two by a line through all rows or columns of the rectangle (a spatial cut),
/// with the first groups on one side and the rest on the other, until each part is one stage.
/// Dynamic programming over runs and shapes finds, for every run, the plan with the fastest slowest
/// stage per round.
///
/// Stages are estimated in isolation here, as if all operands came from elsewhere, weights were
/// held where they fit and every result had two buffers; `segment_planner` decides in the end.
template <tile_predictor Predictor>
class slicing {
 public:
  /// Without plans.
  constexpr slicing() = default;
  /// Prepares plans for runs of at most `longest` groups of `order` (which must outlive them) on a
  /// region, with rounds of `sub_batch` samples. With `keeps_results` false, no operator reads a
  /// result of its own stage. `extend` computes the plans; all together take O(groups · longest² ·
  /// shapes · log(rows + columns)).
  constexpr slicing(segment_planner<Predictor>& planner, const group_order& order,
                    const rectangle& region, std::int64_t sub_batch, std::uint32_t longest,
                    bool keeps_results)
      : planner_(&planner),
        order_(&order),
        region_(region),
        sub_batch_(sub_batch),
        longest_(longest < order.size() ? longest : order.size()),
        shapes_(static_cast<std::size_t>(region.area())) {
    find_first_dependent(keeps_results);
  }
  /// Performs one step of the computation: estimates a few more groups, or plans the runs of one
  /// more group than before; false if all plans are complete.
  constexpr bool extend() {
    const std::uint32_t n = order_->size();
    if (estimated_ < n) {
      for (int k = 0; k < 8 && estimated_ < n; ++k) {
        if (learn(estimated_)) return true;
        estimate(estimated_++);
      }
      return true;
    }
    if (values_.empty()) {
      values_.resize(std::size_t{longest_} * n * shapes_);
      choices_.resize(values_.size());
      return true;
    }
    if (single_ < n) {
      for (int k = 0; k < 64 && single_ < n; ++k) single_stages(single_++);
      if (single_ == n) planned_ = 1;
      return true;
    }
    if (planned_ >= longest_) return false;
    ++planned_;
    for (std::uint32_t i = 0; i + planned_ <= order_->size(); ++i)
      for (std::int32_t r = 1; r <= region_.rows; ++r)
        for (std::int32_t c = 1; c <= region_.columns; ++c) split(i, planned_, r, c);
    return true;
  }

  /// Estimated cycles per round of the slowest stage; `unbounded` if there is no plan, or none yet.
  constexpr std::int64_t value(std::uint32_t first, std::uint32_t count) const {
    return count > planned_ ? unbounded : values_[at(first, count, region_.rows, region_.columns)];
  }
  /// The stages of the best plan. Precondition: `value` is not `unbounded`.
  constexpr void outline(std::uint32_t first, std::uint32_t count,
                         table<stage_outline>& out) const {
    out.clear();
    descend(first, count, region_, out);
  }

 private:
  /// The needs of a group alone on a shape, per round.
  struct need {
    std::int64_t cycles = unbounded;
    std::int64_t always = 0;   // bytes
    std::int64_t working = 0;  // bytes
  };
  /// The cut of a run: the number of groups before it, and its line. Zero groups: one stage.
  struct choice {
    std::uint16_t groups = 0;
    std::int16_t line = 0;  // rows above it, or minus the columns to its left
  };

  constexpr std::size_t shape(std::int32_t r, std::int32_t c) const {
    return static_cast<std::size_t>(r - 1) * static_cast<std::size_t>(region_.columns) +
           static_cast<std::size_t>(c - 1);
  }
  constexpr std::size_t at(std::uint32_t first, std::uint32_t count, std::int32_t r,
                           std::int32_t c) const {
    return (std::size_t{count - 1} * order_->size() + first) * shapes_ + shape(r, c);
  }

  /// Sums up the needs of a group whose operators are all known.
  constexpr void estimate(std::uint32_t g) {
    const std::size_t first = needs_.size();
    for (std::size_t k = 0; k < shapes_; ++k) needs_.push_back({0, 0, 0});
    for (std::uint32_t i = order_->begin_of(g); i < order_->ends[g]; ++i) {
      const std::size_t from = kind_of(order_->operators[i]) * shapes_;
      for (std::size_t k = 0; k < shapes_; ++k) {
        need& all = needs_[first + k];
        const need& one = known_needs_[from + k];
        all.cycles = saturating_add(all.cycles, one.cycles);
        all.always = saturating_add(all.always, one.always);
        all.working = detail::larger(all.working, one.working);
      }
    }
  }
  /// Determines the needs of one operator of a group on one more row of shapes; false if all are
  /// known.
  constexpr bool learn(std::uint32_t g) {
    for (std::uint32_t i = order_->begin_of(g); i < order_->ends[g]; ++i) {
      const std::size_t kind = kind_of(order_->operators[i]);
      if (known_needs_.size() >= (kind + 1) * shapes_) continue;
      const std::size_t done = known_needs_.size() - kind * shapes_;
      const auto r = static_cast<std::int32_t>(done) / region_.columns + 1;
      for (std::int32_t c = 1; c <= region_.columns; ++c)
        known_needs_.push_back(need_of(known_[kind].load, known_[kind].external, r, c));
      return true;
    }
    return false;
  }
  /// The kind of an operator, perhaps a new one: equal operators share their needs.
  constexpr std::size_t kind_of(std::uint32_t v) {
    const operator_load load =
        planner_->load_of(v, sub_batch_, [](std::uint32_t) { return false; });
    const operator_load& sample = planner_->work().samples[v];
    const std::int64_t external =
        (sample.fetched_bytes[0] + sample.fetched_bytes[1] + sample.fetched_bytes[2]) * sub_batch_;
    for (std::size_t k = 0; k < known_.size(); ++k)
      if (known_[k].external == external && known_[k].load == load) return k;
    known_.push_back({load, external});
    return known_.size() - 1;
  }
  /// The needs of an operator alone, with its fastest feasible cut.
  constexpr need need_of(const operator_load& load, std::int64_t external, std::int32_t r,
                         std::int32_t c) const {
    const std::int64_t buffers = planner_->work().batch == sub_batch_ ? 1 : 2;
    const std::int64_t n = std::int64_t{r} * c;
    const std::int64_t other =
        buffers * (detail::ceil_div(external, n) + detail::ceil_div(load.output_bytes, n));
    need best;
    const auto consider = [&](const tiling& t, std::int64_t weights) {
      const std::int64_t cycles = t.cycles + planner_->spread_cycles(r, c);
      if (other + weights + t.working_bytes > planner_->array().memory_bytes ||
          cycles >= best.cycles)
        return;
      best = {cycles, other + weights, t.working_bytes};
    };
    const std::int64_t spread = detail::ceil_div(load.weight_bytes, n);
    planner_->tilings(load, r, c, [&](const tiling& t) { consider(t, spread); });
    operator_load without = load;
    without.weight_bytes = 0;
    if (load.weight_bytes > 0)
      planner_->tilings(without, r, c, [&](const tiling& t) {
        consider(t, detail::ceil_div(load.weight_bytes, t.first_parts));
      });
    return best;
  }

  /// For each group, the end of the longest run from it on that may be one stage.
  constexpr void find_first_dependent(bool keeps_results) {
    const batch_work& w = planner_->work();
    const std::uint32_t n = order_->size();
    table<std::uint32_t> group(w.size(), UINT32_MAX);
    for (std::uint32_t g = 0; g < n; ++g)
      for (std::uint32_t i = order_->begin_of(g); i < order_->ends[g]; ++i)
        group[order_->operators[i]] = g;
    table<std::uint32_t> latest(n);  // last group that produces an operand, + 1
    for (std::uint32_t g = 0; g < n; ++g)
      for (std::uint32_t i = order_->begin_of(g); i < order_->ends[g]; ++i)
        for (const prepared_operand& o : w.graph.operands_of(order_->operators[i]))
          if (group[o.producer] != UINT32_MAX && latest[g] < group[o.producer] + 1)
            latest[g] = group[o.producer] + 1;
    ends_.resize(n);
    for (std::uint32_t g = 0; g < n; ++g) {
      std::uint32_t end = g;
      while (end < n && (keeps_results || latest[end] <= g)) ++end;
      ends_[g] = end;
    }
  }

  constexpr void single_stages(std::uint32_t i) {
    const std::int64_t memory = planner_->array().memory_bytes;
    for (std::int32_t r = 1; r <= region_.rows; ++r)
      for (std::int32_t c = 1; c <= region_.columns; ++c) {
        std::int64_t cycles = 0, always = 0, working = 0;
        for (std::uint32_t count = 1; count <= longest_ && i + count <= order_->size(); ++count) {
          const need& x = needs_[(i + count - 1) * shapes_ + shape(r, c)];
          cycles = saturating_add(cycles, x.cycles);
          always += x.always;
          working = detail::larger(working, x.working);
          const bool fits =
              cycles < unbounded && always + working <= memory && i + count <= ends_[i];
          values_[at(i, count, r, c)] = fits ? cycles : unbounded;
        }
      }
  }

  constexpr void split(std::uint32_t i, std::uint32_t count, std::int32_t r, std::int32_t c) {
    std::int64_t& best = values_[at(i, count, r, c)];
    choice& how = choices_[at(i, count, r, c)];
    for (std::uint32_t k = 1; k < count; ++k) {
      const auto try_lines = [&](std::int32_t lines, auto&& first, auto&& second, int sign) {
        // More lines make the first part faster and the second slower: bisect for the crossing.
        std::int32_t low = 1, high = lines - 1;
        while (low < high) {
          const std::int32_t middle = (low + high) / 2;
          if (first(middle) <= second(middle))
            high = middle;
          else
            low = middle + 1;
        }
        for (std::int32_t line = low > 1 ? low - 1 : 1; line <= low && line < lines; ++line) {
          const std::int64_t x = detail::larger(first(line), second(line));
          if (x >= best) continue;
          best = x;
          how = {static_cast<std::uint16_t>(k), static_cast<std::int16_t>(sign * line)};
        }
      };
      try_lines(
          r, [&](std::int32_t y) { return values_[at(i, k, y, c)]; },
          [&](std::int32_t y) { return values_[at(i + k, count - k, r - y, c)]; }, 1);
      try_lines(
          c, [&](std::int32_t x) { return values_[at(i, k, r, x)]; },
          [&](std::int32_t x) { return values_[at(i + k, count - k, r, c - x)]; }, -1);
    }
  }

  constexpr void descend(std::uint32_t i, std::uint32_t count, const rectangle& r,
                         table<stage_outline>& out) const {
    const choice how = choices_[at(i, count, r.rows, r.columns)];
    if (how.groups == 0) {
      stage_outline s;
      s.where = r;
      for (std::uint32_t k = order_->begin_of(i); k < order_->ends[i + count - 1]; ++k)
        s.operators.push_back(order_->operators[k]);
      out.push_back(static_cast<stage_outline&&>(s));
      return;
    }
    rectangle first = r, second = r;
    if (how.line > 0) {
      first.rows = how.line;
      second.row += how.line;
      second.rows -= how.line;
    } else {
      first.columns = -how.line;
      second.column -= how.line;
      second.columns += how.line;
    }
    descend(i, how.groups, first, out);
    descend(i + how.groups, count - how.groups, second, out);
  }

  segment_planner<Predictor>* planner_ = nullptr;
  const group_order* order_ = nullptr;
  rectangle region_;
  std::int64_t sub_batch_ = 1;
  std::uint32_t longest_ = 0;
  std::uint32_t estimated_ = 0;
  std::uint32_t single_ = 0;
  std::uint32_t planned_ = 0;
  std::size_t shapes_ = 0;
  struct known {
    operator_load load;
    std::int64_t external = 0;
  };
  table<known> known_;
  table<need> known_needs_;
  table<need> needs_;
  table<std::uint32_t> ends_;
  table<std::int64_t> values_;
  table<choice> choices_;
};

}  // namespace wf
