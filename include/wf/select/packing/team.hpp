// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/box.hpp>
#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/search/run_control.hpp>
#include <wf/select/packing/search.hpp>

namespace wf::detail {

/// The outcome of a search of a packing model: proof status and effort.
struct packing_outcome {
  /// `infeasible`: no solution, or none better than the best found, is below the cutoff.
  search_status status = search_status::infeasible;
  search_counters counters;
  std::uint64_t steps = 0;  ///< innermost-loop passes, without those of the first search
};

/// Searches a packing model by several searches, each in a subtree that another one gave away. They
/// advance in rounds of equal work, and only between rounds exchange better solutions, give away
/// subtrees and call the callback: the result does not depend on the number of threads. The
/// subtrees given away are those of least bound, so that the global bound rises as in best-first
/// search (cf. Allouche et al., CP 2015), in the memory of a few depth-first searches.
template <class Search, class Executor>
class packing_team {
 public:
  /// `first` has started at the root; it keeps the best solution and the global bound. It works
  /// alone for the first `alone` nodes.
  constexpr packing_team(Search& first, Executor& executor, std::uint64_t alone = 256)
      : first_(first), executor_(executor), alone_(alone) {}

  /// Searches until the proof is complete, a limit is reached or the callback returns false.
  template <class Callback>
  constexpr packing_outcome run(const search_limits& limits, Callback& callback) {
    run_control control(limits);
    const std::uint64_t begun = first_.steps();
    first_.begin();
    for (;;) {
      meet();
      if (first_.closed()) return end(search_status::infeasible);
      const std::uint64_t worked = work() - begun;
      if (first_.value() != told_ || work() >= next_work_) control.announce();
      if (!control.go_on(nodes(), worked, depth(), callback, [&] { return report(); }))
        return end(control.reason());
      const bool alone = nodes() < alone_ && worked < alone_steps;
      if (!alone) hire();
      const std::uint64_t size = members_.size() + 1;
      std::uint64_t most_steps = alone ? 2 * round_steps : round_steps;
      std::uint64_t most_nodes = part_of(limits.max_nodes - nodes(), size);
      if (alone && most_nodes > limits.progress_interval) most_nodes = limits.progress_interval;
      const std::uint64_t left = part_of(limits.max_steps - worked, size);
      if (most_steps > left) most_steps = left;
      executor_(members_.size() + 1,
                [&](std::size_t i) { member(i).advance(most_steps, most_nodes); });
    }
  }

 private:
  static constexpr std::size_t most_members = 8;
  static constexpr std::uint64_t alone_steps = 40'000'000;  ///< steps before it forms a team
  static constexpr std::uint64_t round_steps = 1'000'000;   ///< steps of a member in a round

  /// The quotient of `whole` and `parts`, rounded up.
  constexpr static std::uint64_t part_of(std::uint64_t whole, std::uint64_t parts) {
    return whole / parts + (whole % parts != 0);
  }

  constexpr Search& member(std::size_t i) { return i == 0 ? first_ : *members_[i - 1]; }

  /// Shares the best solution, the first of equal ones, and the global bound; dismisses the members
  /// that are done.
  constexpr void meet() {
    for (const box<Search>& m : members_) first_.adopt(*m);
    std::int64_t bound = first_.open_bound();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      members_[i]->adopt(first_);
      const std::int64_t open = members_[i]->open_bound();
      if (open < bound) bound = open;
      if (members_[i]->is_open()) {
        if (kept != i) members_[kept] = static_cast<box<Search>&&>(members_[i]);
        ++kept;
      } else {
        out_.counters.add(members_[i]->counters());
        out_.steps += members_[i]->steps();
      }
    }
    while (members_.size() > kept) members_.pop_back();
    first_.prove(bound);
  }

  /// Splits off subtrees of least bound until the team is complete.
  constexpr void hire() {
    while (members_.size() + first_.is_open() < most_members) {
      std::size_t giver = 0;
      std::int64_t least = unbounded;
      for (std::size_t i = 0; i <= members_.size(); ++i)
        if (const std::int64_t bound = member(i).bound_to_give(); bound < least) {
          least = bound;
          giver = i;
        }
      if (least == unbounded) return;
      members_.push_back(member(giver).give());
    }
  }

  /// The progress; the next report is due at the latest after two rounds of one member.
  constexpr search_progress report() {
    told_ = first_.value();
    next_work_ = work() + 2 * round_steps;
    return {first_.value(), first_.bound(), nodes(), depth()};
  }

  constexpr std::uint64_t nodes() {
    std::uint64_t total = out_.counters.nodes + first_.counters().nodes;
    for (const box<Search>& m : members_) total += m->counters().nodes;
    return total;
  }
  constexpr std::uint64_t depth() {
    std::uint64_t total = first_.depth();
    for (const box<Search>& m : members_) total += m->depth();
    return total;
  }
  constexpr std::uint64_t work() {
    std::uint64_t total = out_.steps + first_.steps();
    for (const box<Search>& m : members_) total += m->steps();
    return total;
  }

  constexpr packing_outcome end(search_status status) {
    out_.status = status;
    for (const box<Search>& m : members_) {
      out_.counters.add(m->counters());
      out_.steps += m->steps();
    }
    members_.clear();
    out_.counters.add(first_.take_counters());
    return out_;
  }

  Search& first_;
  Executor& executor_;
  std::uint64_t alone_;
  table<box<Search>> members_;
  packing_outcome out_;
  std::int64_t told_ = unbounded;
  std::uint64_t next_work_ = 0;
};

}  // namespace wf::detail
