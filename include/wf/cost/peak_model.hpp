// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/peak.hpp>

namespace wf {

namespace detail {

// What decides the peak of an order: which storage each node touches. A home is a value with
// storage of its own; it is alive from its birth until the last of the nodes that touch it is done,
// or for ever if it is pinned. So what is alive after a set of nodes, and while the next one runs,
// depends on the set alone, not on the order inside it.
struct peak_model {
  struct home {
    std::int64_t amount = 0;
    node_id born = node_id::none;  // none: an input
    bool pinned = false;
    range touched_by;  // run of `touchers`, without repetition
  };
  struct step {
    range homes;     // the homes it touches, those it makes among them: run of `touched`
    range makes;     // the homes that are born here: run of `made`
    range operands;  // the homes of its operands, as they come: run of `operand_homes`
    range results;   // the amounts of its results, at most `max_results`: run of `amounts`
    std::int64_t scratch = 0;
    bool in_place = false;
  };

  table<home> homes;
  table<step> steps;  // by node
  adjacency edges;
  table<std::uint32_t> touchers, touched, made, operand_homes;
  table<std::int64_t> amounts;
  std::int64_t at_start = 0;  // what the inputs hold
};

class peak_model_builder {
 public:
  constexpr peak_model_builder(const graph_view& g, const metric_spec& m, const registry& r)
      : graph_(g), metric_(m), registry_(r) {}

  constexpr result<peak_model> run() {
    auto amounts = amounts_of(graph_, registry_, metric_);
    if (!amounts) return amounts.error();
    amount_.swap(*amounts);
    storage_ = storage_of(graph_, registry_);
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
    for (value_id operand : graph_.operands) read[index_of(storage_[index_of(operand)])] = 1;
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i) {
      if (index_of(storage_[i]) != i) continue;
      number_[i] = static_cast<std::uint32_t>(out_.homes.size());
      peak_model::home h;
      h.amount = amount_[i];
      h.born = graph_.values[i].producer;
      // As in `liveness_along`: inputs belong to the caller, but a register that is read is used
      // up.
      h.pinned = h.born == node_id::none && (metric_.name != "qubits" || read[i] == 0);
      if (h.born == node_id::none) out_.at_start += h.amount;
      out_.homes.push_back(h);
    }
    for (const output& o : graph_.outputs) out_.homes[home_of(o.source)].pinned = true;
  }
  constexpr std::uint32_t home_of(value_id id) const {
    return number_[index_of(storage_[index_of(id)])];
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
    const kernel_spec* k = registry_.find(graph_.op_name(n));
    peak_model::step s;
    s.scratch = *extra;
    s.in_place = k != nullptr && k->in_place && counts_storage(metric_);
    s.homes.first = static_cast<std::uint32_t>(out_.touched.size());
    s.makes.first = static_cast<std::uint32_t>(out_.made.size());
    s.operands = {static_cast<std::uint32_t>(out_.operand_homes.size()), n.inputs.count};
    s.results = {static_cast<std::uint32_t>(out_.amounts.size()), 0};
    for (value_id operand : graph_.inputs_of(n)) {
      out_.operand_homes.push_back(home_of(operand));
      touch(s.homes, home_of(operand));
    }
    for (std::uint32_t j = 0; j < n.outputs.count; ++j) {
      const value_id result = graph_view::output_of(n, j);
      touch(s.homes, home_of(result));
      if (storage_[index_of(result)] != result) continue;
      out_.made.push_back(home_of(result));
      ++s.makes.count;
      if (j >= max_results) continue;
      out_.amounts.push_back(amount_[index_of(result)]);
      ++s.results.count;
    }
    out_.steps.push_back(s);
    return {};
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
  table<std::int64_t> amount_;
  table<value_id> storage_;
  table<std::uint32_t> number_;
  peak_model out_;
};

/// A set of nodes that are done, with what is alive after it; nodes are done and undone in the
/// manner of a stack.
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

  /// What is alive while node `i` runs next. O(its operands and results).
  constexpr std::int64_t during(std::uint32_t i) const {
    const peak_model::step& s = model_.steps[i];
    std::int64_t amount = alive_ + s.scratch;
    for (std::uint32_t k = 0; k < s.makes.count; ++k)
      amount += model_.homes[model_.made[s.makes.first + k]].amount;
    return s.in_place ? amount - reused(s) : amount;
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
  // What results take over from operands that die here and are as large, each at most once.
  constexpr std::int64_t reused(const peak_model::step& s) const {
    std::uint32_t taken[max_results] = {};
    std::uint32_t count = 0;
    std::int64_t amount = 0;
    for (std::uint32_t r = 0; r < s.results.count; ++r)
      for (std::uint32_t k = 0; k < s.operands.count; ++k) {
        const std::uint32_t h = model_.operand_homes[s.operands.first + k];
        bool free = left_[h] == 1 && !model_.homes[h].pinned &&
                    model_.homes[h].amount == model_.amounts[s.results.first + r];
        for (std::uint32_t t = 0; t < count; ++t) free = free && taken[t] != h;
        if (!free) continue;
        taken[count++] = h;
        amount += model_.homes[h].amount;
        break;
      }
    return amount;
  }

  const peak_model& model_;
  table<std::uint32_t> left_;     // by home: how many of its nodes are to come
  table<std::uint32_t> waiting_;  // by node: how many of its predecessors are to come
  table<char> done_;
  std::int64_t alive_ = 0;
};

}  // namespace detail

}  // namespace wf
