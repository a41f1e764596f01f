// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/peak.hpp>

namespace wf {

namespace detail {

// The data that decide the peak of an order: the storage that each node touches, as `storage_rule`
// says. A home is a value with storage of its own; it is alive from its birth until the last node
// that touches it is done, or for ever if it is pinned. The amount alive after a set of nodes, and
// while the next one runs, therefore depends on the set alone, not on the order inside it.
struct peak_model {
  struct home {
    std::int64_t amount = 0;
    node_id born = node_id::none;  // none: an input
    bool pinned = false;
    range touched_by;  // run of `touchers`, without repetition
  };
  struct step {
    range homes;    // the homes that it touches or makes: run of `touched`
    range makes;    // the homes that are born here: run of `made`
    range results;  // its results that may take over storage: run of `results`
    std::int64_t scratch = 0;
  };
  // A result that may take over dying storage of the same amount: the first free home in a run of
  // `overwritten`.
  using heir = range;

  table<home> homes;
  table<step> steps;  // by node
  adjacency edges;
  table<std::uint32_t> touchers, touched, made, overwritten;
  table<heir> results;
  std::int64_t at_start = 0;  // the amount of all inputs

  // The amount that the results of a step take over from the homes that are `free`, each at most
  // once.
  template <class Free>
  constexpr std::int64_t taken_over(const step& s, Free&& free) const {
    std::uint32_t taken[max_results] = {};
    std::uint32_t count = 0;
    std::int64_t amount = 0;
    for (std::uint32_t r = 0; r < s.results.count; ++r) {
      const heir& candidates = results[s.results.first + r];
      for (std::uint32_t k = 0; k < candidates.count; ++k) {
        const std::uint32_t h = overwritten[candidates.first + k];
        bool mine = free(h);
        for (std::uint32_t t = 0; t < count && mine; ++t) mine = taken[t] != h;
        if (!mine) continue;
        taken[count++] = h;
        amount += homes[h].amount;
        break;
      }
    }
    return amount;
  }
};

class peak_model_builder {
 public:
  constexpr peak_model_builder(const graph_view& g, const metric_spec& m, const registry& r)
      : graph_(g), metric_(m), registry_(r), rule_(g, r) {}

  constexpr result<peak_model> run() {
    auto amounts = amounts_of(graph_, registry_, metric_);
    if (!amounts) return amounts.error();
    amount_.swap(*amounts);
    add_homes();
    scratch_prices scratch(graph_, registry_, metric_);
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i)
      if (error e = add_step(static_cast<node_id>(i), scratch); e.code != errc::none) return e;
    add_touchers();
    out_.edges = adjacency_of(graph_);
    return static_cast<peak_model&&>(out_);
  }

 private:
  static constexpr std::uint32_t no_home = UINT32_MAX;

  constexpr void add_homes() {
    number_ = table<std::uint32_t>(graph_.values.size(), no_home);
    table<char> read(graph_.values.size());
    for (value_id operand : graph_.operands) read[index_of(rule_.home_of(operand))] = 1;
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i) {
      if (!rule_.is_home(static_cast<value_id>(i))) continue;
      number_[i] = static_cast<std::uint32_t>(out_.homes.size());
      peak_model::home h;
      h.amount = amount_[i];
      h.born = graph_.values[i].producer;
      h.pinned = h.born == node_id::none && (!how_.inputs_end || read[i] == 0);
      if (h.born == node_id::none) out_.at_start += h.amount;
      out_.homes.push_back(h);
    }
    for (const output& o : graph_.outputs) out_.homes[home_of(o.source)].pinned = true;
  }
  constexpr std::uint32_t home_of(value_id id) const {
    return number_[index_of(rule_.home_of(id))];
  }

  constexpr void touch(range& homes, std::uint32_t home) {
    for (std::uint32_t i = 0; i < homes.count; ++i)
      if (out_.touched[homes.first + i] == home) return;
    out_.touched.push_back(home);
    ++homes.count;
  }

  constexpr error add_step(node_id id, scratch_prices& scratch) {
    const node& n = graph_[id];
    const auto extra = scratch.of(id);
    if (!extra) return extra.error();
    peak_model::step s;
    s.scratch = *extra;
    s.homes.first = static_cast<std::uint32_t>(out_.touched.size());
    s.makes.first = static_cast<std::uint32_t>(out_.made.size());
    s.results.first = static_cast<std::uint32_t>(out_.results.size());
    for (value_id operand : graph_.inputs_of(n)) touch(s.homes, home_of(operand));
    for (std::uint32_t j = 0; j < n.outputs.count; ++j) {
      const value_id result = graph_view::output_of(n, j);
      touch(s.homes, home_of(result));
      if (!rule_.is_home(result)) continue;
      out_.made.push_back(home_of(result));
      ++s.makes.count;
      if (how_.overwrites && j < max_results) add_heir(n, j, s);
    }
    out_.steps.push_back(s);
    return {};
  }

  constexpr void add_heir(const node& n, std::uint32_t j, peak_model::step& s) {
    peak_model::heir r{static_cast<std::uint32_t>(out_.overwritten.size()), 0};
    for (std::uint32_t i = 0; i < n.inputs.count; ++i) {
      if (!rule_.may_overwrite(n, j, i)) continue;
      out_.overwritten.push_back(home_of(graph_.inputs_of(n)[i]));
      ++r.count;
    }
    if (r.count == 0) return;
    out_.results.push_back(r);
    ++s.results.count;
  }

  constexpr void add_touchers() {
    for (const std::uint32_t h : out_.touched) ++out_.homes[h].touched_by.count;
    std::uint32_t first = 0;
    for (peak_model::home& h : out_.homes) {
      h.touched_by.first = first;
      first += h.touched_by.count;
      h.touched_by.count = 0;
    }
    out_.touchers.resize(first);
    for (std::uint32_t i = 0; i < out_.steps.size(); ++i)
      for (std::uint32_t k = 0; k < out_.steps[i].homes.count; ++k) {
        range& r = out_.homes[out_.touched[out_.steps[i].homes.first + k]].touched_by;
        out_.touchers[r.first + r.count++] = i;
      }
  }

  graph_view graph_;
  metric_spec metric_;
  const registry& registry_;
  storage_rule rule_;
  storage_schedule_options how_ = schedule_of(metric_);
  table<std::int64_t> amount_;
  table<std::uint32_t> number_;
  peak_model out_;
};

/// A set of done nodes and the amount alive after it; nodes are done and undone in stack order.
class peak_state {
 public:
  constexpr explicit peak_state(const peak_model& m)
      : model_(m), left_(m.homes.size()), waiting_(m.steps.size()), done_(m.steps.size()) {
    reset();
  }

  constexpr void reset() {
    for (std::size_t h = 0; h < left_.size(); ++h) left_[h] = model_.homes[h].touched_by.count;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      waiting_[i] = model_.edges.before[i].count;
      done_[i] = 0;
    }
    alive_ = model_.at_start;
  }
  constexpr std::int64_t alive() const { return alive_; }
  constexpr bool is_ready(std::uint32_t i) const { return waiting_[i] == 0 && done_[i] == 0; }
  constexpr bool is_done(std::uint32_t i) const { return done_[i] != 0; }

  /// The amount alive while node `i` runs next. O(its operands and results).
  constexpr std::int64_t during(std::uint32_t i) const {
    const peak_model::step& s = model_.steps[i];
    std::int64_t amount = alive_ + s.scratch;
    for (std::uint32_t k = 0; k < s.makes.count; ++k)
      amount += model_.homes[model_.made[s.makes.first + k]].amount;
    return amount - model_.taken_over(s, [this](std::uint32_t h) {
      return left_[h] == 1 && !model_.homes[h].pinned;
    });
  }

  constexpr void execute(std::uint32_t i) {
    const peak_model::step& s = model_.steps[i];
    for (std::uint32_t k = 0; k < s.makes.count; ++k)
      alive_ += model_.homes[model_.made[s.makes.first + k]].amount;
    for (std::uint32_t k = 0; k < s.homes.count; ++k) {
      const std::uint32_t h = model_.touched[s.homes.first + k];
      if (--left_[h] == 0 && !model_.homes[h].pinned) alive_ -= model_.homes[h].amount;
    }
    for (node_id next : model_.edges.successors_of(static_cast<node_id>(i)))
      --waiting_[index_of(next)];
    done_[i] = 1;
  }
  constexpr void undo(std::uint32_t i) {
    const peak_model::step& s = model_.steps[i];
    done_[i] = 0;
    for (node_id next : model_.edges.successors_of(static_cast<node_id>(i)))
      ++waiting_[index_of(next)];
    for (std::uint32_t k = 0; k < s.homes.count; ++k) {
      const std::uint32_t h = model_.touched[s.homes.first + k];
      if (left_[h]++ == 0 && !model_.homes[h].pinned) alive_ += model_.homes[h].amount;
    }
    for (std::uint32_t k = 0; k < s.makes.count; ++k)
      alive_ -= model_.homes[model_.made[s.makes.first + k]].amount;
  }

 private:
  const peak_model& model_;
  table<std::uint32_t> left_;     // by home: number of touching nodes not yet done
  table<std::uint32_t> waiting_;  // by node: number of predecessors not yet done
  table<char> done_;
  std::int64_t alive_ = 0;
};

}  // namespace detail

}  // namespace wf
