// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/batch_plan.hpp>

namespace wf {

/// Floor plans of stages side by side: for every run of operators in an order, rectangle after
/// rectangle of a region is cut in two by a line through all of its rows or columns (a spatial
/// cut), the first operators to one side and the rest to the other, until a part is one stage. Of
/// all such plans the one whose slowest stage is fastest in a round is found, by dynamic
/// programming over runs and shapes.
///
/// Stages are estimated one by one here, as if all operands came from elsewhere, weights were held
/// where they fit and every result had two buffers; `segment_planner` has the last word.
template <tile_predictor Predictor>
class slicing {
 public:
  /// No plans.
  constexpr slicing() = default;
  /// Plans for runs of at most `longest` operators of `order` on a region, with rounds of
  /// `sub_batch` samples. With `keeps_results` false, no operator reads a result of its own stage.
  /// O(operators · longest² · shapes · log(rows + columns)).
  constexpr slicing(segment_planner<Predictor>& planner, view<std::uint32_t> order,
                    const rectangle& region, std::int64_t sub_batch, std::uint32_t longest,
                    bool keeps_results)
      : planner_(&planner),
        order_(order),
        region_(region),
        sub_batch_(sub_batch),
        longest_(longest < order.size() ? longest : static_cast<std::uint32_t>(order.size())),
        shapes_(static_cast<std::size_t>(region.area())) {
    estimate_operators();
    find_first_dependent(keeps_results);
    const auto n = static_cast<std::uint32_t>(order_.size());
    values_.resize(std::size_t{longest_} * n * shapes_);
    choices_.resize(values_.size());
    for (std::uint32_t i = 0; i < n; ++i) single_stages(i);
  }
  /// Plans the runs of one more operator than those planned so far; false if
  /// there are no longer ones.
  constexpr bool extend() {
    if (planned_ >= longest_) return false;
    ++planned_;
    for (std::uint32_t i = 0; i + planned_ <= order_.size(); ++i)
      for (std::int32_t r = 1; r <= region_.rows; ++r)
        for (std::int32_t c = 1; c <= region_.columns; ++c) split(i, planned_, r, c);
    return true;
  }

  /// Cycles of the slowest stage, estimated; `unbounded` if there is no plan, or none yet.
  constexpr std::int64_t value(std::uint32_t first, std::uint32_t count) const {
    return count > planned_ ? unbounded : values_[at(first, count, region_.rows, region_.columns)];
  }
  /// The stages of the best plan, which there must be.
  constexpr void outline(std::uint32_t first, std::uint32_t count,
                         table<stage_outline>& out) const {
    out.clear();
    descend(first, count, region_, out);
  }

 private:
  /// What an operator alone needs on a shape.
  struct need {
    std::int64_t cycles = unbounded;
    std::int64_t always = 0;   // bytes
    std::int64_t working = 0;  // bytes
  };
  /// How a run is cut: after how many operators, by which line. No operators: one stage.
  struct choice {
    std::uint16_t operators = 0;
    std::int16_t line = 0;  // rows above it, or minus the columns before it
  };

  constexpr std::size_t shape(std::int32_t r, std::int32_t c) const {
    return static_cast<std::size_t>(r - 1) * static_cast<std::size_t>(region_.columns) +
           static_cast<std::size_t>(c - 1);
  }
  constexpr std::size_t at(std::uint32_t first, std::uint32_t count, std::int32_t r,
                           std::int32_t c) const {
    return (std::size_t{count - 1} * order_.size() + first) * shapes_ + shape(r, c);
  }

  constexpr void estimate_operators() {
    const pe_array& a = planner_->array();
    const std::int64_t buffers = planner_->work().batch == sub_batch_ ? 1 : 2;
    needs_.resize(order_.size() * shapes_);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::uint32_t v = order_[i];
      const operator_load load =
          planner_->load_of(v, sub_batch_, [](std::uint32_t) { return false; });
      operator_load without = load;
      without.weight_bytes = 0;
      const operator_load& sample = planner_->work().samples[v];
      const std::int64_t external =
          (sample.fetched_bytes[0] + sample.fetched_bytes[1] + sample.fetched_bytes[2]) *
          sub_batch_;
      for (std::int32_t r = 1; r <= region_.rows; ++r)
        for (std::int32_t c = 1; c <= region_.columns; ++c) {
          const std::int64_t n = std::int64_t{r} * c;
          const std::int64_t other =
              buffers * (detail::ceil_div(external, n) + detail::ceil_div(load.output_bytes, n));
          const std::int64_t spread = detail::ceil_div(load.weight_bytes, n);
          need& best = needs_[i * shapes_ + shape(r, c)];
          const auto consider = [&](const tiling& t, std::int64_t weights) {
            const std::int64_t cycles = t.cycles + planner_->spread_cycles(r, c);
            if (other + weights + t.working_bytes > a.memory_bytes || cycles >= best.cycles) return;
            best = {cycles, other + weights, t.working_bytes};
          };
          for (const tiling& t : planner_->tilings(load, r, c)) consider(t, spread);
          if (load.weight_bytes > 0)
            for (const tiling& t : planner_->tilings(without, r, c))
              consider(t, detail::ceil_div(load.weight_bytes, t.first_parts));
        }
    }
  }

  /// For each operator the end of the runs from it on that may be one stage.
  constexpr void find_first_dependent(bool keeps_results) {
    const batch_work& w = planner_->work();
    table<std::uint32_t> position(w.size(), UINT32_MAX);
    for (std::uint32_t i = 0; i < order_.size(); ++i) position[order_[i]] = i;
    table<std::uint32_t> latest(order_.size());  // the last operand's position + 1
    for (std::uint32_t i = 0; i < order_.size(); ++i)
      for (const prepared_operand& o : w.graph.operands_of(order_[i]))
        if (position[o.producer] != UINT32_MAX && latest[i] < position[o.producer] + 1)
          latest[i] = position[o.producer] + 1;
    ends_.resize(order_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) {
      std::uint32_t end = i + 1;
      while (end < order_.size() && (keeps_results || latest[end] <= i)) ++end;
      ends_[i] = end;
    }
  }

  constexpr void single_stages(std::uint32_t i) {
    const std::int64_t memory = planner_->array().memory_bytes;
    for (std::int32_t r = 1; r <= region_.rows; ++r)
      for (std::int32_t c = 1; c <= region_.columns; ++c) {
        std::int64_t cycles = 0, always = 0, working = 0;
        for (std::uint32_t count = 1; count <= longest_ && i + count <= order_.size(); ++count) {
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
        // More lines make the first part faster and the second slower: halve to where they meet.
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
    if (how.operators == 0) {
      stage_outline s;
      s.where = r;
      for (std::uint32_t k = 0; k < count; ++k) s.operators.push_back(order_[i + k]);
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
    descend(i, how.operators, first, out);
    descend(i + how.operators, count - how.operators, second, out);
  }

  segment_planner<Predictor>* planner_ = nullptr;
  view<std::uint32_t> order_;
  rectangle region_;
  std::int64_t sub_batch_ = 1;
  std::uint32_t longest_ = 0;
  std::uint32_t planned_ = 1;
  std::size_t shapes_ = 0;
  table<need> needs_;
  table<std::uint32_t> ends_;
  table<std::int64_t> values_;
  table<choice> choices_;
};

}  // namespace wf
