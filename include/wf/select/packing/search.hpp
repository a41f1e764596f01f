// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <wf/core/callable.hpp>
#include <wf/core/container/box.hpp>
#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/select/packing/branching.hpp>
#include <wf/select/packing/cut_loop.hpp>
#include <wf/select/packing/cuts.hpp>
#include <wf/select/packing/dive.hpp>
#include <wf/select/packing/eliminate.hpp>
#include <wf/select/packing/enumerate.hpp>
#include <wf/select/packing/explore.hpp>
#include <wf/select/packing/incumbent.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/node.hpp>
#include <wf/select/packing/path.hpp>
#include <wf/select/packing/state.hpp>
#include <wf/select/proof/recorder.hpp>

namespace wf::detail {

/// Depth-first branch and bound on a packing model: propagation over rows, limits, peaks and
/// cycles; bounds by ascent of the row prices or by the simplex method, which children inherit;
/// reduced-cost fixing against the cutoff; branching on the value whose two sides raise the bound
/// most.
///
/// Costs, bounds and cutoffs are without the model's base.
template <class Judge = no_judge>
class packing_search {
 public:
  /// If `judge` is not null, `judge->judge(choice)` prices a value for each class, the base
  /// included, of which the model knows only a lower bound; `off` then stands for any value.
  constexpr explicit packing_search(const packing_model& model, Judge* judge = nullptr)
      : m_(model),
        node_(model, judge),
        enumerator_(model),
        explorer_(model),
        brancher_(model),
        diver_(model),
        enumerates_(judge == nullptr && packing_enumerator::suits(model)) {}

  /// Lowers the cutoff: solutions that cost `cutoff` or more are not sought. No effect if it is not
  /// lower.
  constexpr void lower_cutoff(std::int64_t cutoff) { node_.lower_cutoff(cutoff); }

  /// Sets the trace of the proof; null records nothing. Recording rules out enumeration.
  constexpr void record(packing_trace* trace) {
    node_.listen(trace);
    enumerates_ = enumerates_ && node_.trace == nullptr;
  }
  /// Ends the record of the proof; `whole` adds the bound that the prices at the root prove.
  constexpr void end_record(bool whole) {
    if (node_.trace == nullptr) return;
    whole = whole && !closed_ && m_.classes != 0;
    if (whole) node_.trace->close_by_prices(node_.p, node_.scale());
    node_.trace->end(whole || closed_, bound(), node_.cutoff);
    record(nullptr);
  }

  /// Sets the budget for improving guesses, in steps.
  constexpr void set_budget(std::uint64_t budget) { node_.incumbent.set_budget(budget); }

  /// Limits the steps of price ascent and exact elimination; other parts of the search go on.
  constexpr void set_most_steps(std::uint64_t most) { node_.most_steps = most; }

  /// Enables the search of neighbourhoods of the best choice, in at most half of the time and only
  /// after `after` steps: small problems, and constant evaluation, are done before.
  constexpr void set_exploring(std::uint64_t after = 100'000) {
    explores_ = !node_.incumbent.is_judged() && !enumerates_;
    if (explores_) node_.incumbent.remember_complete();
    explore_after_ = after;
  }
  /// Enables cuts that strengthen the relaxation at the root. They are kept in `pool`, which must
  /// outlive this search and all that it gives away.
  constexpr void set_cutting(packing_cuts& pool) {
    if (!enumerates_) cuts_.use(pool);
  }
  /// Enables exact elimination at the root where few choices are left.
  constexpr void set_eliminating() {
    eliminates_ =
        !node_.incumbent.is_judged() && node_.trace == nullptr && packing_eliminator::suits(m_);
  }
  /// Sets the choice to begin with: a value for each class, or `none`.
  constexpr void suggest(const table<std::uint32_t>& chosen) { suggested_ = chosen; }

  /// Processes the root: propagates, lets the prices converge and makes a first guess. `go_on()` is
  /// polled from time to time; false if it returned false.
  template <class Ask>
  constexpr bool start(Ask&& go_on) {
    return start_at_root(callable_to<std::remove_reference_t<Ask>, bool>(go_on));
  }

  /// Drops values at the root whose reduced cost reaches the cutoff. `keeps_best` spares those of
  /// the best solution found, for a caller that knows it only from this search.
  constexpr void fix_root(bool keeps_best) {
    if (closed_) return;
    if (!(keeps_best ? node_.fix_around_best() : node_.fix_within_bound(nullptr))) close();
  }

  /// Opens the tree: visits the root.
  constexpr void begin() {
    if (closed_) return;
    if (node_.trace != nullptr) node_.proof = node_.p;
    if (explores_) remember(node_.ascent.bound(node_.domain.state(), node_.p));
    visit();
  }
  /// Searches for about `most_steps` steps and `most_nodes` nodes, or until a better solution is
  /// found.
  constexpr void advance(std::uint64_t most_steps, std::uint64_t most_nodes) {
    const std::uint64_t until = steps() + most_steps, before = node_.counters.nodes;
    const std::int64_t known = value();
    while (!frames_.empty() && steps() < until && node_.counters.nodes - before < most_nodes &&
           value() == known) {
      if (is_exploring_due())
        explore();
      else
        step();
    }
  }
  /// True if this search has open nodes.
  constexpr bool is_open() const { return !frames_.empty(); }
  /// Number of nodes on the path from the root to the current node.
  constexpr std::uint64_t depth() const { return frames_.size(); }
  /// The least bound of the open nodes of this search; the cutoff if none is below it.
  constexpr std::int64_t open_bound() const {
    const std::int64_t least = least_open_bound(frames_);
    if (least >= node_.target) return node_.cutoff;
    const std::int64_t bound = node_.rounded(least);
    return bound < node_.cutoff ? bound : node_.cutoff;
  }
  /// Sets the proven bound of the whole tree; if it reaches the cutoff, the search is closed and
  /// its open nodes are discarded.
  constexpr void prove(std::int64_t bound) {
    root_ = bound;
    closed_ = root_ >= node_.cutoff;
    while (closed_ && !frames_.empty()) step();
  }
  /// Takes over the best solution of another search if it is better.
  constexpr void adopt(const packing_search& other) {
    if (node_.incumbent.adopt(other.node_.incumbent)) lower_cutoff(value());
  }

  /// The least scaled bound of the subtrees that `give` can split off; `unbounded` if there is
  /// none.
  constexpr std::int64_t bound_to_give() const {
    const std::size_t at = to_give();
    return at == frames_.size() ? unbounded : frames_[at].bound;
  }
  /// Gives away the open side of least bound that does not contain the current node, as a search of
  /// its own; there must be one. A search with a judge gives nothing away.
  constexpr box<packing_search> give() {
    const std::size_t at = to_give();
    table<packing_frame> kept;
    kept.swap(frames_);
    box<packing_search> out = make_box<packing_search>(*this);
    kept.swap(frames_);
    out->frames_.push_back(frames_[at]);
    frames_[at].tried = 2;
    const std::uint64_t half = node_.incumbent.budget() / 2;
    node_.incumbent.set_budget(half);
    out->node_.incumbent.set_budget(half);
    out->node_.restart_counters();
    out->explored_ = 0;
    out->explorer_.diverge(++given_);
    return out;
  }

  /// True if it is proven that no solution is below the cutoff.
  constexpr bool closed() const { return closed_; }
  /// A proven lower bound; the cutoff if no solution is below it.
  constexpr std::int64_t bound() const {
    if (closed_ || root_ != unbounded) return root_;
    return node_.rounded(node_.bound);
  }
  /// The cost of the best solution found, or `unbounded`.
  constexpr std::int64_t value() const { return node_.incumbent.value(); }
  /// The best solution found, a value for each class; empty if there is none.
  constexpr const table<std::uint32_t>& best() const { return node_.incumbent.best(); }
  /// The values left at the root.
  constexpr const packing_state& state() const { return node_.domain.state(); }

  /// Counters of the work of this search, such as nodes and cuts.
  constexpr const search_counters& counters() const { return node_.counters; }
  /// Returns the counters and resets them.
  constexpr search_counters take_counters() {
    const search_counters out = node_.counters;
    node_.counters = {};
    return out;
  }
  /// Number of innermost-loop passes so far, without those of the search that this one is a copy
  /// of.
  constexpr std::uint64_t steps() const { return node_.steps(); }
  /// Steps weighted by the time that they take: those of the simplex method count one eighth.
  constexpr std::uint64_t work() const { return node_.work(); }

 private:
  using question = packing_cut_loop::question;

  /// Closes the search: no solution is below the cutoff.
  constexpr void close() {
    closed_ = true;
    root_ = node_.cutoff;
  }

  constexpr bool start_at_root(const question& go_on) {
    if (!node_.domain.begin()) return close(), true;
    if (eliminate(200 * m_.values)) return true;  // cheaper than the convergence of prices
    bool asked = true;
    if (node_.uses_simplex) {
      asked = cuts_.relax(node_, go_on, UINT64_MAX);
    } else {
      for (int i = 0; i < 40 && node_.raise(48, 300) && asked; ++i) asked = go_on();
    }
    if (node_.bound < node_.target && !enumerates_) start_exploring();
    if (eliminate(4 * steps())) return asked;
    if (node_.uses_simplex && asked) {
      // Before cuts move nearly integral solutions.
      if (node_.bound < node_.target && is_exploring_due()) explore();
      asked = cuts_.cut(node_, go_on);
      if (cuts_.closed()) close();
    }
    if (node_.bound < node_.target && asked && !node_.uses_simplex && !m_.only_peaks &&
        node_.may_use_simplex()) {
      asked = cuts_.compare(node_, go_on);
      if (cuts_.closed()) close();
      if (explores_) remember(node_.bound);
    }
    if (eliminate(8 * steps())) return asked;
    for (int shift = 5; shift > 0 && enumerates_ && node_.bound < node_.target; --shift)
      if (!enumerate(shift, 30 * most_visits)) break;
    while (node_.bound < node_.target && asked && is_exploring_due()) {
      explore();
      asked = go_on();
    }
    if (!closed_ && node_.reaches_target()) close();
    return asked;
  }

  /// Solves the residual model exactly if that takes at most about `most` choices; true if that
  /// closes the search.
  constexpr bool eliminate(std::uint64_t most) {
    const std::uint64_t left = node_.steps_left();
    if (node_.bound >= node_.target || !eliminates_ || left == 0) return false;
    if (left < most) most = left;
    packing_eliminator eliminator(m_);
    const bool planned =
        eliminator.plan(node_.domain.state(), most < most_eliminated ? most : most_eliminated);
    const bool possible = planned && eliminator.run();
    node_.other_steps += eliminator.steps();
    if (!planned) return false;
    if (possible && eliminator.cost() < node_.cutoff) {
      table<std::uint32_t> chosen(eliminator.chosen());
      node_.offer(chosen, 0);
      if (value() > eliminator.cost()) {  // the exact solution has a cycle
        const std::int64_t least = eliminator.cost() * node_.scale();
        if (node_.bound < least) node_.bound = least;
        return false;
      }
    }
    close();
    return true;
  }

  /// Index of the frame to give away; the number of frames if there is none.
  constexpr std::size_t to_give() const {
    if (node_.incumbent.is_judged() || node_.trace != nullptr) return frames_.size();
    return frame_to_give(frames_, node_.target);
  }

  // --- selections that neighbourhoods and dives find --------------------------------------------

  /// Offers the choice of the cheapest values by reduced cost, unless enumeration will find better.
  constexpr void guess() {
    if (!enumerates_ || value() == unbounded) node_.guess();
  }

  /// Lets neighbourhoods be chosen by the current prices, which prove `bound`.
  constexpr void remember(std::int64_t bound) {
    explorer_.remember(node_.domain.state(), node_.p, bound);
    count_steps();
  }

  /// Adds the steps of the parts that count their own to those of the node.
  constexpr void count_steps() {
    const std::uint64_t steps = enumerator_.steps() + explorer_.steps();
    node_.other_steps += steps - counted_;
    counted_ = steps;
  }

  constexpr void start_exploring() {
    if (explores_) remember(node_.bound);
    if (explores_ && !suggested_.empty()) {
      node_.incumbent.take_complete();  // the suggestion comes first
      explorer_.move_to(suggested_);
      table<std::uint32_t> chosen = explorer_.choice();
      count_steps();
      node_.offer(chosen);
    }
    guess();
  }

  constexpr bool is_exploring_due() const {
    return explores_ && steps() > explore_after_ && explored_ < work() / pause();
  }
  /// Reciprocal of the fraction of work for neighbourhoods: smaller while the proof seems near, and
  /// the longer they find nothing.
  constexpr std::uint64_t pause() const {
    if (node_.cutoff == unbounded) return 2;
    const std::int64_t least = frames_.empty() ? node_.bound : frames_[0].bound;
    if (node_.target - least < node_.target / 20 && work() < long_work) return 12;
    return failures_ < 64 ? 2 : failures_ < 256 ? 3 : 6;
  }

  /// Searches a neighbourhood of the best choice, or dives, first and every `dive_interval` turns.
  constexpr void explore() {
    const std::uint64_t before = work();
    const std::int64_t known = value();
    const bool dives = turns_ == 0 || (turns_ % dive_interval == 0 && !frames_.empty());
    ++turns_;
    if (dives) {
      if (!frames_.empty()) node_.go_back_to(frames_.back());  // the last side may be half done
      diver_.run(node_);
    } else {
      explore_neighbourhood();
    }
    failures_ = value() < known ? 0 : failures_ + 1;
    explored_ += work() - before;
  }

  constexpr void explore_neighbourhood() {
    const table<std::uint32_t> moved = node_.incumbent.take_complete();
    if (!moved.empty()) explorer_.move_to(moved);
    const bool found = explorer_.run(node_.cutoff, node_.target, node_.gap());
    count_steps();
    if (!found) return;
    table<std::uint32_t> chosen(explorer_.found());
    node_.offer(chosen);
  }

  // --- tree ------------------------------------------------------------------------------------

  /// Visits a node whose bound is below the target: offers a leaf, else opens a frame.
  constexpr void visit() {
    node_.trust_prices();
    ++node_.counters.nodes;
    if (node_.is_leaf()) {
      node_.offer_leaf();
      if (node_.trace != nullptr) node_.trace->close_by_cost();
      return;
    }
    const bool often = (node_.counters.nodes & (node_.counters.nodes - 1)) == 0;
    if (often && !node_.incumbent.is_judged()) guess();  // judging may be expensive
    if (node_.bound >= node_.target) {
      if (node_.trace != nullptr) node_.trace->close_by_prices(node_.proof, node_.scale());
      return;
    }
    packing_frame f;
    if (enumerates_ && finish(f)) return;
    brancher_.choose(node_, f);
    if (f.value == packing_model::none && !f.again) return;
    f.mark = node_.domain.mark();
    frames_.push_back(static_cast<packing_frame&&>(f));
    if (node_.counters.most_open < frames_.size()) node_.counters.most_open = frames_.size();
  }

  /// Tries the next side of the deepest frame.
  constexpr void step() {
    packing_frame& f = frames_.back();
    if (f.tried == 2 || f.bound >= node_.target) {
      if (f.tried != 2) {
        ++node_.counters.pruned;
        if (node_.trace != nullptr) node_.trace->close_by_prices(f.proof, node_.scale());
      }
      node_.domain.undo(f.mark);
      frames_.pop_back();
      return;
    }
    node_.go_back_to(f);
    if (f.again) {
      frames_.pop_back();
      visit();
      return;
    }
    const bool takes = (f.tried++ == 0) == (f.first == 0);
    const std::int64_t parent = f.bound;
    ++node_.counters.generated;
    if (node_.trace != nullptr && f.tried == 1) node_.trace->branch(f.value, takes);
    const bool open = node_.domain.split(f.value, takes) && node_.tighten();
    if (node_.uses_simplex) brancher_.learn(node_, f, takes, open);
    if (!open) {
      ++node_.counters.pruned;
      return;
    }
    node_.inherit(parent);
    visit();
  }

  /// Enumerates the residual model if that is likely to be cheap; else sets in the frame the number
  /// of levels until the next attempt.
  constexpr bool finish(packing_frame& f) {
    if (!frames_.empty() && frames_.back().wait > 0) {
      f.wait = static_cast<std::uint8_t>(frames_.back().wait - 1);
      return false;
    }
    if (enumerate(0, most_visits)) return true;
    for (double part = enumerator_.part() * shrinking; part < 1 && f.wait < 8; part *= shrinking)
      ++f.wait;
    return false;
  }

  /// Enumerates the selections within 1/2^`shift` of the distance from the bound to the target;
  /// false if that takes more than `most` visits.
  constexpr bool enumerate(int shift, std::uint64_t most) {
    const std::int64_t bound = node_.bound_by_prices();
    const auto offer = [&](const table<std::uint32_t>& found) {
      std::int64_t cost = 0;
      for (const std::uint32_t v : found) cost += m_.cost[v];
      if (cost < value() && cost < node_.cutoff) {
        table<std::uint32_t> chosen(found);
        node_.offer(chosen, 0);
      }
      return (node_.target - bound) >> shift;
    };
    const bool whole = enumerator_.run(node_.domain.state(), node_.p,
                                       (node_.target - bound) >> shift, most, offer);
    count_steps();
    return whole;
  }

  static constexpr std::uint64_t most_eliminated = 4'000'000;
  static constexpr std::uint64_t most_visits = 3000;  ///< visits of an enumeration
  static constexpr std::uint64_t long_work = 100'000'000;
  static constexpr std::uint64_t dive_interval = 64;
  static constexpr double shrinking = 16;  ///< assumed ratio of visits from level to level

  const packing_model& m_;
  packing_node<Judge> node_;
  packing_enumerator enumerator_;
  packing_explorer<packing_search> explorer_;
  packing_brancher brancher_;
  packing_diver diver_;
  packing_cut_loop cuts_;
  bool enumerates_;
  bool eliminates_ = false;
  std::int64_t root_ = unbounded;  ///< final bound of the tree; `unbounded` if unknown
  bool closed_ = false;
  bool explores_ = false;
  std::uint64_t explore_after_ = 0;
  table<std::uint32_t> suggested_;
  std::uint64_t explored_ = 0;  ///< work spent on exploring
  std::uint64_t turns_ = 0;
  std::uint64_t failures_ = 0;  ///< explorations since the last success
  table<packing_frame> frames_;
  std::uint64_t given_ = 0;    ///< subtrees given away
  std::uint64_t counted_ = 0;  ///< steps that `count_steps` added
};

}  // namespace wf::detail
