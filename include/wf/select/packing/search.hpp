// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <wf/core/callable.hpp>
#include <wf/core/container/box.hpp>
#include <wf/core/container/heap.hpp>
#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/select/packing/cuts.hpp>
#include <wf/select/packing/eliminate.hpp>
#include <wf/select/packing/enumerate.hpp>
#include <wf/select/packing/explore.hpp>
#include <wf/select/packing/improve.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/prices.hpp>
#include <wf/select/packing/propagation.hpp>
#include <wf/select/packing/simplex.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/proof/recorder.hpp>
#include <wf/select/reduce/dual_ascent.hpp>

#ifdef WF_CERTIFY
#include <wf/select/proof/certify.hpp>
#endif

namespace wf::detail {

/// The judge of models that price their solutions exactly; it is never called.
struct no_judge {
  constexpr priced_choice judge(const table<std::uint32_t>&) { return {}; }
};

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
        judge_(judge),
        ascent_(model),
        simplex_(model),
        enumerator_(model),
        improver_(model),
        explorer_(model),
        domain_(model, ascent_.pricer().scale()),
        enumerates_(judge == nullptr && packing_enumerator::suits(model)) {
    for (table<gain>& g : gain_) g = table<gain>(m_.values);
    p_ = ascent_.pricer().free_prices();
    target_ = (ascent_.pricer().dearest() + 1) * scale();
    choose_relaxation();
  }

  /// Lowers the cutoff: solutions that cost `cutoff` or more are not sought. No effect if it is not
  /// lower.
  constexpr void lower_cutoff(std::int64_t cutoff) {
    if (cutoff >= cutoff_) return;
    cutoff_ = cutoff;
    const std::int64_t below = cutoff_ - 1;
    std::int64_t most = 0;  // the largest cost that is below the cutoff and can occur
    if (below < 0)
      most = -1;
    else if (m_.divisor != 0)
      most = below - below % m_.divisor;
    if (most < largest_total / scale()) target_ = most * scale() + 1;
  }

  /// Sets the trace of the proof; null records nothing. Recording rules out enumeration.
  constexpr void record(packing_trace* trace) {
    listen(trace);
    enumerates_ = enumerates_ && trace_ == nullptr;
  }
  /// Ends the record of the proof; `whole` adds the bound that the prices at the root prove.
  constexpr void end_record(bool whole) {
    if (trace_ == nullptr) return;
    whole = whole && !closed_ && m_.classes != 0;
    if (whole) trace_->close_by_prices(p_, scale());
    trace_->end(whole || closed_, bound(), cutoff_);
    record(nullptr);
  }

  /// Sets the budget for improving guesses, in steps.
  constexpr void set_budget(std::uint64_t budget) { budget_ = budget; }

  /// Limits the steps of price ascent and exact elimination; other parts of the search go on.
  constexpr void set_most_steps(std::uint64_t most) { most_steps_ = most; }

  /// Enables the search of neighbourhoods of the best choice, in at most half of the time and only
  /// after `after` steps: small problems, and constant evaluation, are done before.
  constexpr void set_exploring(std::uint64_t after = 100'000) {
    explores_ = judge_ == nullptr && !enumerates_;
    explore_after_ = after;
  }
  /// Enables cuts that strengthen the relaxation at the root. They are kept in `pool`, which must
  /// outlive this search and all that it gives away.
  constexpr void set_cutting(packing_cuts& pool) {
    if (!enumerates_) pool_ = &pool;
  }
  /// Enables exact elimination at the root where few choices are left.
  constexpr void set_eliminating() {
    eliminates_ = judge_ == nullptr && trace_ == nullptr && packing_eliminator::suits(m_);
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
    if (!closed_ && !fix_spared(keeps_best)) close();
  }

  /// Opens the tree: visits the root.
  constexpr void begin() {
    if (closed_) return;
    if (trace_ != nullptr) proof_ = p_;
    if (explores_) explorer_.remember(domain_.state(), p_, ascent_.bound(domain_.state(), p_));
    visit();
  }
  /// Searches for about `most_steps` steps and `most_nodes` nodes, or until a better solution is
  /// found.
  constexpr void advance(std::uint64_t most_steps, std::uint64_t most_nodes) {
    const std::uint64_t until = steps() + most_steps, before = counters_.nodes;
    const std::int64_t known = value_;
    while (!frames_.empty() && steps() < until && counters_.nodes - before < most_nodes &&
           value_ == known) {
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
    std::int64_t least = unbounded;
    for (const frame& f : frames_)
      if ((f.tried < 2 || f.again) && f.bound < least) least = f.bound;
    if (least >= target_) return cutoff_;
    const std::int64_t bound = rounded(least);
    return bound < cutoff_ ? bound : cutoff_;
  }
  /// Sets the proven bound of the whole tree; if it reaches the cutoff, the search is closed and
  /// its open nodes are discarded.
  constexpr void prove(std::int64_t bound) {
    root_ = bound;
    closed_ = root_ >= cutoff_;
    while (closed_ && !frames_.empty()) step();
  }
  /// Takes over the best solution of another search if it is better.
  constexpr void adopt(const packing_search& other) {
    if (other.value_ >= value_) return;
    best_ = other.best_;
    value_ = other.value_;
    lower_cutoff(value_);
    if (explores_) explorer_.move_to(best_without_off());
  }

  /// The least scaled bound of the subtrees that `give` can split off; `unbounded` if there is
  /// none.
  constexpr std::int64_t bound_to_give() const {
    const std::size_t at = frame_to_give();
    return at == frames_.size() ? unbounded : frames_[at].bound;
  }
  /// Gives away the open side of least bound that does not contain the current node, as a search of
  /// its own; there must be one. A search with a judge gives nothing away.
  constexpr box<packing_search> give() {
    const std::size_t at = frame_to_give();
    table<frame> kept;
    kept.swap(frames_);
    box<packing_search> out = make_box<packing_search>(*this);
    kept.swap(frames_);
    out->frames_.push_back(frames_[at]);
    frames_[at].tried = 2;
    out->budget_ = budget_ /= 2;
    out->counters_ = {};
    out->explored_ = 0;
    out->explorer_.diverge(++given_);
    out->before_ = out->all_steps();
    out->simplex_before_ = simplex_.steps();
    return out;
  }

  /// True if it is proven that no solution is below the cutoff.
  constexpr bool closed() const { return closed_; }
  /// A proven lower bound; the cutoff if no solution is below it.
  constexpr std::int64_t bound() const {
    if (closed_ || root_ != unbounded) return root_;
    return rounded(bound_);
  }
  /// The cost of the best solution found, or `unbounded`.
  constexpr std::int64_t value() const { return value_; }
  /// The best solution found, a value for each class; empty if there is none.
  constexpr const table<std::uint32_t>& best() const { return best_; }
  /// The values left at the root.
  constexpr const packing_state& state() const { return domain_.state(); }

  /// Counters of the work of this search, such as nodes and cuts.
  constexpr const search_counters& counters() const { return counters_; }
  /// Returns the counters and resets them.
  constexpr search_counters take_counters() {
    const search_counters out = counters_;
    counters_ = {};
    return out;
  }
  /// Number of innermost-loop passes so far, without those of the search that this one is a copy
  /// of.
  constexpr std::uint64_t steps() const { return all_steps() - before_; }
  /// Steps weighted by the time that they take: those of the simplex method count one eighth.
  constexpr std::uint64_t work() const {
    return steps() - (simplex_.steps() - simplex_before_) / 8 * 7;
  }

 private:
  using question = callable<bool>;  ///< returns true to go on

  struct frame {
    std::uint32_t value = packing_model::none;
    std::uint32_t mark = 0;
    std::uint8_t first = 0;  ///< the side to try first: 0 takes the value, 1 drops it
    std::uint8_t tried = 0;
    std::uint8_t wait = 0;  ///< levels below it on which enumeration is not tried
    bool again = false;     ///< the node has to be visited again
    std::int64_t bound = 0;
    double share = 0;  ///< the share of the value in the relaxation
    packing_prices prices;
    /// If recorded, the prices that prove the bound, possibly those of an earlier node.
    packing_prices proof;
    packing_basis basis;
  };
  struct gain {
    std::int64_t total = 0;
    std::int64_t count = 0;
    constexpr std::int64_t mean() const { return count == 0 ? 0 : total / count; }
  };
  struct branching {
    std::uint32_t value = packing_model::none;
    double score = 0;
    double share = 0;  ///< the share of the value in the relaxation
  };

  /// A value that a dive may take next.
  struct preference {
    std::uint32_t value = packing_model::none;
    double share = 0;       ///< the share of the value in the relaxation
    std::int64_t lead = 0;  ///< distance of its reduced cost from the next one in its class
  };
  struct surer {
    constexpr bool operator()(const preference& a, const preference& b) const {
      if (a.share != b.share) return a.share > b.share;
      return a.lead != b.lead ? a.lead > b.lead : a.value < b.value;
    }
  };

  /// Closes the search: no solution is below the cutoff.
  constexpr void close() {
    closed_ = true;
    root_ = cutoff_;
  }

  constexpr bool start_at_root(const question& go_on) {
    if (!domain_.begin()) return close(), true;
    if (eliminate(200 * m_.values)) return true;  // cheaper than the convergence of prices
    bool asked = true;
    if (uses_simplex_) {
      asked = relax_root(go_on, UINT64_MAX);
    } else {
      for (int i = 0; i < 40 && raise(48, 300) && asked; ++i) asked = go_on();
    }
    if (bound_ < target_ && !enumerates_) start_exploring();
    if (eliminate(4 * steps())) return asked;
    if (uses_simplex_ && asked) {
      if (bound_ < target_ && is_exploring_due()) explore();  // cuts move nearly integral solutions
      asked = cut_root(go_on);
    }
    if (bound_ < target_ && asked && !uses_simplex_ && !m_.only_peaks && may_use_simplex()) {
      asked = compare(go_on);
      if (explores_) explorer_.remember(domain_.state(), p_, bound_);
    }
    if (eliminate(8 * steps())) return asked;
    for (int shift = 5; shift > 0 && enumerates_ && bound_ < target_; --shift)
      if (!enumerate(shift, 30 * most_visits)) break;
    while (bound_ < target_ && asked && is_exploring_due()) {
      explore();
      asked = go_on();
    }
    if (!closed_ && reaches_target()) close();
    return asked;
  }

  /// Solves the root's relaxation in about `most_steps` steps; false if `go_on` returned false.
  constexpr bool relax_root(const question& go_on, std::uint64_t most_steps) {
    simplex_.reset(domain_.state());
    bool asked = true;
    while (asked && simplex_.steps() < most_steps && relax(100) == simplex_status::limit)
      asked = go_on();
    return asked;
  }

  /// Adds cuts to the relaxation while that pays; false if `go_on` returned false.
  constexpr bool cut_root(const question& go_on) {
    if (pool_ == nullptr) return true;
    packing_cutter cutter(m_);
    ascent_.pricer().use(*pool_);
    bool asked = true;
    for (int stalls = 0; asked && relaxed_ && bound_ < target_ && stalls < most_stalls;) {
      const table<packing_cut> found = cutter.run(simplex_.shares(), *pool_);
      if (found.empty()) break;
      counters_.cuts += found.size();
      for (const packing_cut& cut : found) {
        pool_->add(cut);
        if (trace_ != nullptr) trace_->learn(cut);
      }
      pool_->index(m_.values);
      simplex_.use(*pool_);
      const std::int64_t last = bound_;
      relaxed_ = false;
      while (asked && relax(100) == simplex_status::limit) asked = go_on();
      if (relaxed_ && bound_ < target_ && !fix_spared(true)) {
        close();
        bound_ = target_;
      }
      stalls = bound_ - last > gap() / 200 ? 0 : stalls + 1;
    }
    steps_ += cutter.steps();
    if (bound_ < target_) keep_cuts();
    return asked;
  }

  /// Keeps only the binding cuts; a bound that they do not prove by themselves stays valid.
  constexpr void keep_cuts() {
    table<std::uint8_t> kept;
    for (std::uint32_t c = 0; c < pool_->size(); ++c) kept.push_back(simplex_.binds(c));
    pool_->keep(kept);
    pool_->index(m_.values);
    simplex_.keep(kept);
    if (trace_ != nullptr) trace_->keep(kept);
    simplex_.refresh(domain_.state());
    take_prices();
    const std::int64_t known = bound_;
    bound_ = bound_by_prices();
    // A recorded bound needs prices that prove it.
    if (bound_ < known && trace_ == nullptr) bound_ = known;
  }

  /// Switches to the simplex method if it closes a third of the gap that ascent leaves; false if
  /// `go_on` returned false.
  constexpr bool compare(const question& go_on) {
    const std::int64_t before = bound_, all = gap();
    const packing_prices kept = p_;
    const bool asked = relax_root(go_on, 4 * budget_) && cut_root(go_on);
    uses_simplex_ = bound_ >= target_ || bound_ - before > all / 3;
    if (uses_simplex_) return asked;
    p_ = kept;
    bound_ = before;
    ascent_.sync(domain_.state(), p_);
    return asked;
  }

  /// Coordinate ascent stalls on rows of many classes and does not price limits: there the simplex
  /// method has the better bound. Elsewhere the root decides.
  constexpr void choose_relaxation() {
    bool wide = !m_.capacity.empty();
    for (std::uint32_t r = 0; r < m_.rows && !wide; ++r)
      wide = m_.row_part[r + 1] - m_.row_part[r] > 2;
    uses_simplex_ = wide && may_use_simplex();
  }
  constexpr bool may_use_simplex() const {
    return m_.rows < (1 << 16) &&
           ascent_.pricer().dearest() <= packing_pricer::most_total / scale();
  }

  /// The factor between costs and scaled bounds.
  constexpr std::int64_t scale() const { return ascent_.pricer().scale(); }

  /// The distance from the bound to the target, scaled; an estimate if there is no cutoff.
  constexpr std::int64_t gap() const {
    if (cutoff_ != unbounded) return target_ > bound_ ? target_ - bound_ : 1;
    return bound_ / 4 + scale();
  }

  /// Index of the frame of least bound with an open side that does not contain the current node;
  /// the number of frames if there is none.
  constexpr std::size_t frame_to_give() const {
    std::size_t best = frames_.size();
    std::int64_t least = judge_ != nullptr || trace_ != nullptr ? 0 : target_;
    for (std::size_t i = 0; i + 1 < frames_.size(); ++i) {
      if (frames_[i].tried != 1 || frames_[i].bound >= least) continue;
      least = frames_[i].bound;
      best = i;
    }
    return best;
  }

  constexpr std::uint64_t all_steps() const {
    return steps_ + ascent_.steps() + simplex_.steps() + enumerator_.steps() + improver_.steps() +
           explorer_.steps() + domain_.steps();
  }

  /// The best solution, with `none` for the classes that it does not need.
  constexpr table<std::uint32_t> best_without_off() const {
    table<std::uint32_t> out(best_);
    for (std::uint32_t k = 0; k < m_.classes; ++k)
      if (out[k] == m_.off[k]) out[k] = packing_model::none;
    return out;
  }

  /// Solves the residual model exactly if that takes at most about `most` choices; true if that
  /// closes the search.
  constexpr bool eliminate(std::uint64_t most) {
    const std::uint64_t left = steps() < most_steps_ ? most_steps_ - steps() : 0;
    if (bound_ >= target_ || !eliminates_ || left == 0) return false;
    if (left < most) most = left;
    packing_eliminator eliminator(m_);
    const bool planned =
        eliminator.plan(domain_.state(), most < most_eliminated ? most : most_eliminated);
    const bool possible = planned && eliminator.run();
    steps_ += eliminator.steps();
    if (!planned) return false;
    if (possible && eliminator.cost() < cutoff_) {
      table<std::uint32_t> chosen(eliminator.chosen());
      offer(chosen, 0);
      if (value_ > eliminator.cost()) {  // the exact solution has a cycle
        const std::int64_t least = eliminator.cost() * scale();
        if (bound_ < least) bound_ = least;
        return false;
      }
    }
    close();
    return true;
  }

  // --- bounds ----------------------------------------------------------------------------------

  /// True if the bound by the current prices reaches the target.
  constexpr bool reaches_target() {
    if (bound_ < target_) return false;
    trust_prices();
    if (trace_ != nullptr) trace_->close_by_prices(p_, scale());
    return true;
  }

  /// Solves the linear relaxation from the current basis and takes over its prices; offers its
  /// solution if that is integral.
  constexpr simplex_status relax(int iterations) {
    simplex_status status{};
    bound_ = solve_relaxation(iterations, status);
    relaxed_ = status == simplex_status::optimal;
    if (relaxed_ && bound_ < target_) offer_whole();
    return status;
  }

  /// Solves the relaxation and takes over its prices; returns the bound that they prove.
  constexpr std::int64_t solve_relaxation(int iterations, simplex_status& status) {
    status = simplex_.solve(domain_.state(), simplex_cutoff(), simplex_gain(), iterations);
    take_prices();
    return bound_by_prices();
  }

  /// Takes over the current prices of the relaxation.
  constexpr void take_prices() {
    ascent_.pricer().set(p_, domain_.state(),
                         [&](packing_duals& duals) { simplex_.price(duals, scale()); });
  }

  /// The bound that the current prices prove for the residual model.
  constexpr std::int64_t bound_by_prices() {
    trust_prices();
    return ascent_.bound(domain_.state(), p_) + domain_.peaks().extra();
  }

  /// True if the duals and the reduced costs belong together; not checked in constant evaluation.
  constexpr bool is_priced() const {
    return std::is_constant_evaluated() || ascent_.pricer().agrees(domain_.state(), p_);
  }

  /// Ends a program whose duals and reduced costs do not belong together, if it checks assertions
  /// or is built with WF_CERTIFY, which covers neighbourhoods, dives and teams.
  constexpr void trust_prices() const {
#ifdef WF_CERTIFY
    if (!is_priced())
      refuse_claim("a search makes a bound of prices and reduced costs that are not of each other");
#else
    assert(is_priced());
#endif
  }

  /// The target in costs, raised a little so that rounding does not end the simplex method too
  /// early.
  constexpr double simplex_cutoff() {
    const double target =
        static_cast<double>(target_ - domain_.peaks().extra()) / static_cast<double>(scale());
    return target * (1 + 1e-9) + 1e-6;
  }
  /// A gain that exceeds the cost of any selection.
  constexpr double simplex_gain() const {
    return 2.0 * static_cast<double>(ascent_.pricer().dearest()) + 2;
  }

  constexpr void offer_whole() {
    table<std::uint32_t> chosen(m_.classes);
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      chosen[k] = packing_model::none;
      for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v)
        if (simplex_.share(v) > 0.999) chosen[k] = v;
      if (chosen[k] == packing_model::none) return;
    }
    offer(chosen, 0);
  }

  /// Sweeps until the bound reaches the target, gains less than 1/`patience` of the gap, or `most`
  /// sweeps or all steps are used. True if it ended for the last reason.
  constexpr bool raise(int most, int patience) {
    std::int64_t last = bound_ = bound_by_prices();
    if (m_.only_peaks) return false;  // prices cannot raise the bound
    ascent_.list_rows(domain_.state(), p_);
    for (int i = 1; i <= most && bound_ < target_; ++i) {
      const bool is_last = i == most || steps() >= most_steps_;
      ascent_.sweep(domain_.state(), p_, (i & 1) != 0);
      if (i % 8 != 0 && !is_last) continue;
      bound_ = ascent_.total() + domain_.peaks().extra();
      if (bound_ - last < gap() / patience) return false;
      if (is_last) break;
      last = bound_;
    }
    return bound_ < target_;
  }

  /// Raises the bound of a node; false if the node is closed.
  constexpr bool tighten(int pivots = 400) {
    if (uses_simplex_) {
      if (!fix()) return false;  // by the parent's prices
      relax(pivots);
    } else {
      raise(24, 50);
    }
    return !reaches_target() && fix();
  }

  /// Drops values whose reduced cost reaches the target; false if the node is closed.
  constexpr bool fix() {
    for (bool any = true; any;) {
      bound_ = bound_by_prices();
      if (reaches_target()) return false;
      if (trace_ != nullptr) trace_->blame_prices(p_, scale());
      any = false;
      for (std::uint32_t k = 0; k < m_.classes; ++k) {
        if (domain_.state().class_count[k] < 2) continue;
        const std::int64_t most = ascent_.least(k) + (target_ - bound_);
        for (std::uint32_t i = domain_.state().class_count[k]; i-- > 0;) {
          const std::uint32_t v = domain_.state().left(k)[i];
          if (cost_with(v) < most || (keeps_best_ && best_[k] == v)) continue;
          any = true;
          if (!domain_.remove(v)) return false;
        }
      }
      if (any && !domain_.propagate()) return false;
    }
    return true;
  }

  /// As `fix`, but spares the values of the best solution found if `spared`.
  constexpr bool fix_spared(bool spared) {
    const std::int64_t known = bound_;
    keeps_best_ = spared && !best_.empty();
    const bool open = fix();
    keeps_best_ = false;
    // A recorded bound needs prices that prove it.
    if (bound_ < known && trace_ == nullptr) bound_ = known;
    return open;
  }

  /// The reduced cost of a value plus its marginal cost in the peaks, scaled.
  constexpr std::int64_t cost_with(std::uint32_t v) {
    return p_.reduced(v) + domain_.peaks().marginal(v);
  }

  // --- search ----------------------------------------------------------------------------------

  /// Offers the choice of the cheapest values by reduced cost.
  constexpr void guess() {
    if (enumerates_ && value_ != unbounded) return;
    table<std::uint32_t> chosen = cheapest_choice(
        m_,
        [&](std::uint32_t v) {
          return domain_.state().alive[v] ? cost_with(v) - ascent_.least(m_.owner[v]) : unbounded;
        },
        steps_);
    offer(chosen);
  }

  /// Completes a choice, improves it within `rounds` and the budget, and keeps it if it is the
  /// best.
  constexpr void offer(table<std::uint32_t>& chosen, int rounds = 4) {
    if (judge_ != nullptr) {
      const priced_choice judged = judge_->judge(chosen);
      if (judged.solves()) keep_best(chosen, judged.objective - m_.base);
      return;
    }
    const std::uint64_t before = improver_.steps();
    auto priced = improver_.improve(chosen, rounds, budget_);
    if (!priced.solves() && rounds == 0) priced = improver_.improve(chosen, 4, budget_);
    const std::uint64_t used = improver_.steps() - before;
    budget_ -= used < budget_ ? used : budget_;
    if (!priced.solves() || priced.objective >= value_) return;
    if (explores_) explorer_.move_to(chosen);
    improver_.leave_out(chosen);
    keep_best(chosen, priced.objective);
  }

  constexpr void keep_best(const table<std::uint32_t>& chosen, std::int64_t value) {
    if (value >= value_) return;
    best_ = chosen;
    value_ = value;
    lower_cutoff(value_);
    ++counters_.incumbents;
  }

  // --- selections that neighbourhoods and dives find --------------------------------------------

  constexpr void start_exploring() {
    if (explores_) explorer_.remember(domain_.state(), p_, bound_);
    if (explores_ && !suggested_.empty()) {
      explorer_.move_to(suggested_);
      table<std::uint32_t> chosen = explorer_.choice();
      offer(chosen);
    }
    guess();
  }

  constexpr bool is_exploring_due() const {
    return explores_ && steps() > explore_after_ && explored_ < work() / pause();
  }
  /// Reciprocal of the fraction of work for neighbourhoods: smaller while the proof seems near, and
  /// the longer they find nothing.
  constexpr std::uint64_t pause() const {
    if (cutoff_ == unbounded) return 2;
    const std::int64_t least = frames_.empty() ? bound_ : frames_[0].bound;
    if (target_ - least < target_ / 20 && work() < long_work) return 12;
    return failures_ < 64 ? 2 : failures_ < 256 ? 3 : 6;
  }

  /// Searches a neighbourhood of the best choice, or dives, first and every `dive_interval` turns.
  constexpr void explore() {
    const std::uint64_t before = work();
    const std::int64_t known = value_;
    const bool dives = turns_ == 0 || (turns_ % dive_interval == 0 && !frames_.empty());
    ++turns_;
    if (dives) {
      dive();
    } else if (explorer_.run(cutoff_, target_, gap())) {
      table<std::uint32_t> chosen(explorer_.found());
      offer(chosen);
    }
    failures_ = value_ < known ? 0 : failures_ + 1;
    explored_ += work() - before;
  }

  /// Diving heuristic: takes the values that the relaxation prefers, an eighth of the open classes
  /// at a time, while the bound is below the target.
  constexpr void dive() {
    ++counters_.dives;
    if (!frames_.empty()) go_back_to(frames_.back());  // the side tried last may be half done
    packing_trace* const trace = trace_;               // drops of a dive are no part of a proof
    listen(nullptr);
    const bool relaxed = relaxed_;
    if (uses_simplex_) simplex_.refresh(domain_.state());
    frame from;
    from.mark = domain_.mark();
    save(from);
    const std::uint64_t until = work() + most_dive_work;  // then by propagation alone
    for (bool open = true; open && bound_ < target_;
         open = open && (work() > until || tighten(most_pivots))) {
      list_preferences();
      if (preferences_.empty()) {
        offer_leaf();
        break;
      }
      const std::size_t rest = preferences_.size() - (preferences_.size() + 7) / 8;
      while (open && !preferences_.empty()) {
        const preference next = preferences_.pop();
        if (preferences_.size() < rest && next.share < 0.999) break;
        open = !domain_.state().alive[next.value] || prefer(next.value);
      }
    }
    go_back_to(from);
    if (uses_simplex_) simplex_.refresh(domain_.state());
    relaxed_ = relaxed;
    ascent_.sync(domain_.state(), p_);
    listen(trace);
  }

  /// Sets the trace of the search and its propagation; null records nothing.
  constexpr void listen(packing_trace* trace) {
    trace_ = trace;
    domain_.record(trace);
  }

  /// Takes a value, or drops it if that leaves no solution.
  constexpr bool prefer(std::uint32_t v) {
    const std::uint32_t mark = domain_.mark();
    if (domain_.split(v, true)) return true;
    domain_.undo(mark);
    return domain_.split(v, false);
  }

  /// Lists for each needed open class the value with the largest share, or the cheapest.
  constexpr void list_preferences() {
    preferences_.clear();
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (domain_.state().class_count[k] < 2 || !domain_.is_needed(k) || m_.follows(k)) continue;
      std::int64_t next = unbounded;
      preference best{packing_model::none, -1, 0};
      for (const std::uint32_t v : domain_.state().left(k)) {
        const double share = uses_simplex_ ? simplex_.share(v) : 0;
        const bool better = best.value == packing_model::none || share > best.share + 1e-6 ||
                            (share > best.share - 1e-6 && p_.reduced(v) < p_.reduced(best.value));
        const std::uint32_t loser = better ? best.value : v;
        if (loser != packing_model::none && p_.reduced(loser) < next) next = p_.reduced(loser);
        if (better) best = {v, share, 0};
      }
      best.lead = next - p_.reduced(best.value);
      preferences_.push(best);
      steps_ += domain_.state().class_count[k];
    }
  }

  constexpr void offer_leaf() {
    table<std::uint32_t> chosen(m_.classes);
    for (std::uint32_t k = 0; k < m_.classes; ++k)
      chosen[k] = domain_.is_needed(k) ? domain_.only(k) : m_.off[k];
    offer(chosen);
  }

  /// Visits a node whose bound is below the target: offers a leaf, else opens a frame.
  constexpr void visit() {
    trust_prices();
    ++counters_.nodes;
    bool leaf = true;
    for (std::uint32_t k = 0; k < m_.classes && leaf; ++k)
      leaf = domain_.state().class_count[k] == 1 || !domain_.is_needed(k);
    if (leaf) {
      offer_leaf();
      if (trace_ != nullptr) trace_->close_by_cost();
      return;
    }
    const bool often = (counters_.nodes & (counters_.nodes - 1)) == 0;
    if (often && judge_ == nullptr) guess();  // judging may be expensive
    if (bound_ >= target_) {
      if (trace_ != nullptr) trace_->close_by_prices(proof_, scale());
      return;
    }
    frame f;
    if (enumerates_ && finish(f)) return;
    choose(f);
    if (f.value == packing_model::none && !f.again) return;
    f.mark = domain_.mark();
    frames_.push_back(static_cast<frame&&>(f));
    if (counters_.most_open < frames_.size()) counters_.most_open = frames_.size();
  }

  /// Tries the next side of the deepest frame.
  constexpr void step() {
    frame& f = frames_.back();
    if (f.tried == 2 || f.bound >= target_) {
      if (f.tried != 2) {
        ++counters_.pruned;
        if (trace_ != nullptr) trace_->close_by_prices(f.proof, scale());
      }
      domain_.undo(f.mark);
      frames_.pop_back();
      return;
    }
    go_back_to(f);
    if (f.again) {
      frames_.pop_back();
      visit();
      return;
    }
    const bool takes = (f.tried++ == 0) == (f.first == 0);
    const std::int64_t parent = f.bound;
    ++counters_.generated;
    if (trace_ != nullptr && f.tried == 1) trace_->branch(f.value, takes);
    const bool open = domain_.split(f.value, takes) && tighten();
    if (uses_simplex_) {
      const std::int64_t after = open || bound_ > target_ ? bound_ : target_;
      learn(f.value, takes ? 0 : 1, static_cast<double>(after > f.bound ? after - f.bound : 0),
            takes ? 1 - f.share : f.share);
    }
    if (!open) {
      ++counters_.pruned;
      return;
    }
    inherit(parent);
    visit();
  }

  /// Enumerates the residual model if that is likely to be cheap; else sets in the frame the number
  /// of levels until the next attempt.
  constexpr bool finish(frame& f) {
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
    const std::int64_t bound = bound_by_prices();
    return enumerator_.run(domain_.state(), p_, (target_ - bound) >> shift, most,
                           [&](const table<std::uint32_t>& found) {
                             std::int64_t cost = 0;
                             for (const std::uint32_t v : found) cost += m_.cost[v];
                             if (cost < value_ && cost < cutoff_) {
                               table<std::uint32_t> chosen(found);
                               offer(chosen, 0);
                             }
                             return (target_ - bound) >> shift;
                           });
  }

  /// Restores the state, the prices and the bound of a frame.
  constexpr void go_back_to(const frame& f) {
    domain_.undo(f.mark);
    bound_ = f.bound;
    p_ = f.prices;
    if (trace_ != nullptr) proof_ = f.proof;
    if (uses_simplex_) simplex_.load(f.basis);
  }

  /// Raises a node's bound to that of the earlier node, which stays valid.
  constexpr void inherit(std::int64_t earlier) {
    if (bound_ < earlier)
      bound_ = earlier;
    else if (trace_ != nullptr)
      proof_ = p_;
  }

  /// Lists the branching candidates, best first: for each open class its cheapest value (or `off`),
  /// scored by the prices at stake and by how close the second best is.
  constexpr void list_branchings() {
    branchings_.clear();
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (domain_.state().class_count[k] < 2) continue;
      std::int64_t first = unbounded, second = unbounded;
      std::uint32_t best = packing_model::none;
      for (const std::uint32_t v : domain_.state().left(k)) {
        const std::int64_t cost = cost_with(v);
        if (cost < first) {
          second = first;
          first = cost;
          best = v;
        } else if (cost < second) {
          second = cost;
        }
      }
      std::int64_t stake = 1;
      bool shared = false;
      for (std::uint32_t i = m_.class_part_first[k]; i < m_.class_part_first[k + 1]; ++i) {
        const std::uint32_t part = m_.class_part[i], row = m_.parts[part].row;
        if (domain_.state().part_count[part] == 0) continue;
        std::uint32_t live = 0;
        for (std::uint32_t j = m_.row_part[row]; j < m_.row_part[row + 1] && live < 2; ++j)
          live += domain_.state().part_count[j] != 0;
        if (live < 2) continue;
        shared = true;
        stake += p_.duals().row[row];
      }
      steps_ += m_.class_part_first[k + 1] - m_.class_part_first[k] + m_.first[k + 1] - m_.first[k];
      if (!domain_.is_needed(k)) {
        if (!shared) continue;
        best = m_.off[k];
      }
      const double share = static_cast<double>(second - first) / static_cast<double>(gap());
      keep({best, static_cast<double>(stake) / (1 + 8 * share), 0.5});
    }
  }

  /// Chooses the branching value and its first side. A side that probing refutes is dropped at
  /// once, and the node has to be visited again. Leaves the frame without a value if the node is
  /// closed.
  constexpr void choose(frame& f) {
    if (uses_simplex_)
      list_fractional();
    else
      list_branchings();
    if (branchings_.empty()) {
      if (trace_ != nullptr) trace_->fail();
      return;
    }
    save(f);
    if (m_.only_peaks) {  // trials would raise no bound
      f.value = branchings_[0].value;
      f.share = branchings_[0].share;
      return;
    }
    double best = -1;
    branching chosen;
    for (const branching& b : branchings_) {
      double rise[2] = {0, 0};
      bool dead[2] = {false, false};
      for (int side = 0; side < 2; ++side) {
        if (trace_ != nullptr) trace_->begin_trial(b.value, side == 0, side == 1 && dead[0]);
        probe(f, b, side, rise[side], dead[side]);
        if (trace_ != nullptr) trace_->end_trial(dead[side]);
      }
      if (dead[0] && dead[1]) return;
      if (dead[0] || dead[1]) {
        if (!domain_.split(b.value, dead[1]) || !tighten()) return;
        inherit(f.bound);
        save(f);
        f.again = true;
        return;
      }
      const double score = (rise[0] + 1) * (rise[1] + 1);
      if (score > best) {
        best = score;
        chosen = b;
        f.first = rise[0] <= rise[1] ? 0 : 1;
      }
    }
    f.value = chosen.value;
    f.share = chosen.share;
  }

  /// Saves the prices, bound and basis from which a child or a later visit starts.
  constexpr void save(frame& f) const {
    f.prices = p_;
    f.bound = bound_;
    if (trace_ != nullptr) f.proof = proof_;
    if (uses_simplex_) simplex_.save(f.basis);
  }

  /// Lists the fractional values, best first, by the gain of the bound so far per unit of share
  /// when they were taken and dropped (pseudo-costs); an unknown gain counts as the mean. If no
  /// value is fractional, lists the cheapest value of some open class.
  constexpr void list_fractional() {
    branchings_.clear();
    simplex_.refresh(domain_.state());
    const double mean[2] = {mean_gain(0), mean_gain(1)};
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (domain_.state().class_count[k] < 2) continue;
      for (const std::uint32_t v : domain_.state().left(k)) {
        const double share = simplex_.share(v);
        if (share < 1e-6 || share > 1 - 1e-6) continue;
        const double up = rate(0, v, mean[0]) * (1 - share), down = rate(1, v, mean[1]) * share;
        keep({v, (up + 1e-6) * (down + 1e-6), share});
      }
    }
    for (std::uint32_t k = 0; k < m_.classes && branchings_.empty(); ++k) {
      if (domain_.state().class_count[k] < 2 || !domain_.is_needed(k)) continue;
      std::uint32_t best = domain_.state().left(k)[0];
      for (const std::uint32_t v : domain_.state().left(k))
        if (cost_with(v) < cost_with(best)) best = v;
      keep({best, 1, 0.5});
    }
  }

  /// Keeps the best `most_branchings` candidates, by descending score.
  constexpr void keep(const branching& b) {
    std::size_t at = branchings_.size();
    if (at == most_branchings) {
      if (!(branchings_.back().score < b.score)) return;
      --at;
    } else {
      branchings_.push_back(b);
    }
    for (; at > 0 && branchings_[at - 1].score < b.score; --at)
      branchings_[at] = branchings_[at - 1];
    branchings_[at] = b;
  }

  constexpr double mean_gain(int side) const {
    return known_[side] == 0 ? 1.0 : sum_[side] / static_cast<double>(known_[side]);
  }
  constexpr double rate(int side, std::uint32_t v, double mean) const {
    const gain& g = gain_[side][v];
    return g.count == 0 ? mean : static_cast<double>(g.total) / static_cast<double>(g.count);
  }
  /// Records the gain of a side that moved the share of a value by `distance`.
  constexpr void learn(std::uint32_t v, int side, double rise, double distance) {
    gain& g = gain_[side][v];
    rise /= distance < 1e-6 ? 1e-6 : distance;
    g.total += static_cast<std::int64_t>(rise < 1e15 ? rise : 1e15);
    ++g.count;
    sum_[side] += rise;
    ++known_[side];
  }

  /// Estimates how much a side raises the bound: by its known gain, or by a trial.
  constexpr void probe(const frame& f, const branching& b, int side, double& rise, bool& dead) {
    const gain& known = gain_[side][b.value];
    const double distance = uses_simplex_ ? (side == 0 ? 1 - b.share : b.share) : 1;
    if (known.count >= trials) {
      rise = static_cast<double>(known.mean()) * distance;
      return;
    }
    const std::uint32_t mark = domain_.mark();
    const bool open = domain_.split(b.value, side == 0);
    std::int64_t after = target_;
    simplex_status status{};
    if (open) after = uses_simplex_ ? solve_relaxation(most_pivots, status) : probe_ascent(mark);
    if (trace_ != nullptr && open && after >= target_) trace_->close_by_prices(p_, scale());
    domain_.undo(mark);
    if (uses_simplex_) {
      simplex_.load(f.basis);
      p_ = f.prices;
    } else {
      ascent_.rollback(domain_.state(), p_);
      if (open)
        for (const std::uint32_t k : touched_) ascent_.sync(domain_.state(), p_, k);
    }
    dead = after >= target_;
    const std::int64_t total = dead ? gap() : (after > f.bound ? after - f.bound : 0);
    rise = static_cast<double>(total);
    learn(b.value, side, rise, distance);
  }

  constexpr std::int64_t probe_ascent(std::uint32_t mark) {
    touched_.clear();
    for (std::size_t i = mark; i < domain_.mark(); ++i)
      touched_.push_back(m_.owner[domain_.dropped()[i]]);
    for (const std::uint32_t k : touched_) ascent_.sync(domain_.state(), p_, k);
    ascent_.ripple(domain_.state(), p_, touched_, most_ripples);
    assert(std::is_constant_evaluated() || ascent_.is_synced(domain_.state(), p_));
    return ascent_.total() + domain_.peaks().extra();
  }

  /// The least cost that can occur and is not below a scaled bound.
  constexpr std::int64_t rounded(std::int64_t scaled) const {
    if (scaled < 0) return 0;
    const std::int64_t whole = scaled / scale() + (scaled % scale() != 0);
    const std::int64_t step = m_.divisor == 0 ? 1 : m_.divisor;
    return (whole + step - 1) / step * step;
  }

  static constexpr std::size_t most_branchings = 10;
  static constexpr std::size_t most_ripples = 1200;
  static constexpr int most_pivots = 60;  ///< pivots of the simplex method in a trial
  static constexpr std::uint64_t most_eliminated = 4'000'000;
  static constexpr int most_stalls = 12;  ///< rounds of cuts that gain little
  static constexpr std::int64_t trials = 2;
  static constexpr std::uint64_t most_visits = 3000;  ///< visits of an enumeration
  static constexpr std::uint64_t long_work = 100'000'000;
  static constexpr std::uint64_t dive_interval = 64;
  static constexpr std::uint64_t most_dive_work = 10'000'000;
  static constexpr double shrinking = 16;  ///< assumed ratio of visits from level to level

  const packing_model& m_;
  Judge* judge_;
  packing_ascent ascent_;
  packing_simplex simplex_;
  packing_enumerator enumerator_;
  packing_improver improver_;
  packing_explorer<packing_search> explorer_;
  packing_propagator domain_;
  bool enumerates_;
  packing_prices p_;
  packing_prices proof_;  ///< the prices that prove `bound_`, if that is recorded
  packing_trace* trace_ = nullptr;
  std::int64_t cutoff_ = unbounded;
  std::int64_t target_ = unbounded;  ///< scaled bound at which a node is closed
  std::int64_t bound_ = 0;           ///< scaled bound of the current node
  std::int64_t root_ = unbounded;    ///< final bound of the tree; `unbounded` if unknown
  bool closed_ = false;
  std::int64_t value_ = unbounded;
  std::uint64_t budget_ = 0;
  table<std::uint32_t> best_;
  bool explores_ = false;
  std::uint64_t explore_after_ = 0;
  table<std::uint32_t> suggested_;
  std::uint64_t explored_ = 0;  ///< work spent on exploring
  std::uint64_t turns_ = 0;
  std::uint64_t failures_ = 0;  ///< explorations since the last success
  binary_heap<preference, surer> preferences_;
  bool uses_simplex_ = false;
  bool relaxed_ = false;  ///< true if the relaxation is solved to optimality
  packing_cuts* pool_ = nullptr;
  bool eliminates_ = false;
  bool keeps_best_ = false;
  std::uint64_t steps_ = 0;
  std::uint64_t most_steps_ = UINT64_MAX;
  table<std::uint32_t> touched_;
  table<gain> gain_[2];  ///< by side, then by value
  double sum_[2] = {0, 0};
  std::uint64_t known_[2] = {0, 0};
  table<branching> branchings_;
  table<frame> frames_;
  search_counters counters_;
  std::uint64_t given_ = 0;  ///< subtrees given away
  std::uint64_t simplex_before_ = 0;
  std::uint64_t before_ = 0;  ///< steps of the search that this one is a copy of
};

}  // namespace wf::detail
