// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/table.hpp>
#include <wf/search/control.hpp>
#include <wf/select/dual_ascent.hpp>
#include <wf/select/packing.hpp>
#include <wf/select/packing_enumerate.hpp>
#include <wf/select/packing_improve.hpp>
#include <wf/select/packing_simplex.hpp>
#include <wf/select/problem.hpp>

namespace wf::detail {

/// What a search of a packing model proved.
struct packing_outcome {
  search_status status = search_status::infeasible;
  /// No solution costs less; the cutoff if none is below it.
  std::int64_t bound = 0;
  search_counters counters;
};

/// Depth-first branch and bound on a packing model: propagation over rows, limits and cycles;
/// bounds by ascent of the row prices or by the simplex method, which children inherit; values
/// whose reduced cost reaches the cutoff go; branching on the value whose two sides raise the bound
/// most.
///
/// All values are without the model's base.
class packing_search {
 public:
  constexpr explicit packing_search(const packing_model& model)
      : m_(model),
        ascent_(model),
        simplex_(model),
        enumerator_(model),
        improver_(model),
        s_(model),
        enumerates_(packing_enumerator::suits(model)) {
    for (table<gain>& g : gain_) g = table<gain>(m_.values);
    p_ = ascent_.free_prices();
    seen_ = table<std::uint32_t>(m_.classes);
    target_ = (ascent_.dearest() + 1) * ascent_.scale();
    choose_relaxation();
  }

  /// Solutions that cost this much or more are not sought.
  constexpr void lower_cutoff(std::int64_t cutoff) {
    if (cutoff >= cutoff_) return;
    cutoff_ = cutoff;
    const std::int64_t below = cutoff_ - 1;
    std::int64_t most = 0;  // the largest cost that is below the cutoff and can occur
    if (below < 0)
      most = -1;
    else if (m_.divisor != 0)
      most = below - below % m_.divisor;
    if (most < largest_total / ascent_.scale()) target_ = most * ascent_.scale() + 1;
  }

  /// What may be spent on improving guesses, in steps.
  constexpr void set_budget(std::uint64_t budget) { budget_ = budget; }

  /// The root: propagates, lets the prices converge and makes a first guess. `go_on()` is asked
  /// from time to time whether to go on; false if it said no.
  template <class Ask>
  constexpr bool start(Ask&& go_on) {
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (s_.class_count[k] == 0) return close(), true;
      queue_.push_back(k);
    }
    if (!propagate()) return close(), true;
    bool asked = true;
    if (uses_simplex_) {
      asked = relax_root(go_on, UINT64_MAX);
    } else {
      for (int i = 0; i < 40 && raise(48, 300) && asked; ++i) asked = go_on();
    }
    if (bound_ < target_ && !enumerates_) guess();
    if (bound_ < target_ && asked && !uses_simplex_ && may_use_simplex()) asked = compare(go_on);
    for (int shift = 5; shift > 0 && enumerates_ && bound_ < target_; --shift)
      if (!enumerate(shift, 30 * most_visits)) break;
    if (bound_ >= target_) close();
    return asked;
  }

  /// Drops values at the root whose reduced cost reaches the cutoff.
  constexpr void fix_root() {
    if (!closed_ && !fix()) close();
  }

  /// Searches on from the root until the proof is done, a limit is reached or the callback says
  /// stop. `infeasible` says that nothing, or nothing better than the best found, is below the
  /// cutoff.
  template <class Callback>
  constexpr packing_outcome run(const search_limits& limits, Callback& callback) {
    if (!closed_) visit();
    while (!frames_.empty()) {
      if (stopped(limits, callback)) break;
      step();
    }
    if (!closed_) {
      root_ = frames_.empty() ? cutoff_ : whole_bound();
      closed_ = root_ >= cutoff_;
    }
    if (closed_) out_.status = search_status::infeasible;
    out_.bound = bound();
    return out_;
  }

  /// True if nothing is below the cutoff.
  constexpr bool closed() const { return closed_; }
  /// A proven lower bound; the cutoff if nothing is below it.
  constexpr std::int64_t bound() const {
    if (closed_ || root_ != unbounded) return root_;
    return frames_.empty() ? rounded(bound_) : whole_bound();
  }
  /// The cost of the best solution found, or `unbounded`.
  constexpr std::int64_t value() const { return value_; }
  /// The best solution found: a value for each class.
  constexpr const table<std::uint32_t>& best() const { return best_; }
  /// The values left at the root.
  constexpr const packing_state& state() const { return s_; }

  /// Innermost visits made.
  constexpr std::uint64_t steps() const {
    return steps_ + ascent_.steps() + simplex_.steps() + enumerator_.steps() + improver_.steps();
  }

 private:
  struct frame {
    std::uint32_t value = packing_model::none;
    std::uint32_t mark = 0;
    std::uint8_t first = 0;  ///< the side to try first: 0 takes the value, 1 drops it
    std::uint8_t tried = 0;
    std::uint8_t wait = 0;  ///< nodes below it that are not worth enumerating
    bool again = false;     ///< the node has to be visited again
    std::int64_t bound = 0;
    double share = 0;  ///< of the value in the relaxation
    packing_prices prices;
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
    double share = 0;  ///< of the value in the relaxation
  };

  /// Nothing is below the cutoff.
  constexpr void close() {
    closed_ = true;
    root_ = cutoff_;
  }

  /// Solves the root's relaxation, in about `most_steps`; false if `go_on` said no.
  template <class Ask>
  constexpr bool relax_root(Ask& go_on, std::uint64_t most_steps) {
    simplex_.reset(s_);
    bool asked = true;
    while (asked && simplex_.steps() < most_steps && relax(100) == simplex_status::limit)
      asked = go_on();
    return asked;
  }

  /// Changes to the simplex method if it closes a third of the gap that ascent leaves; false if
  /// `go_on` said no.
  template <class Ask>
  constexpr bool compare(Ask& go_on) {
    const std::int64_t before = bound_, all = gap();
    const packing_prices kept = p_;
    const bool asked = relax_root(go_on, 4 * budget_);
    uses_simplex_ = bound_ >= target_ || bound_ - before > all / 3;
    if (uses_simplex_) return asked;
    p_ = kept;
    bound_ = before;
    return asked;
  }

  /// Coordinate ascent gets stuck on rows of many classes and does not price limits: there the
  /// simplex method has the better bound. Elsewhere the root tells.
  constexpr void choose_relaxation() {
    bool wide = !m_.capacity.empty();
    for (std::uint32_t r = 0; r < m_.rows && !wide; ++r)
      wide = m_.row_part[r + 1] - m_.row_part[r] > 2;
    uses_simplex_ = wide && may_use_simplex();
  }
  constexpr bool may_use_simplex() const {
    return m_.rows < (1 << 16) && ascent_.dearest() <= packing_ascent::most_total / ascent_.scale();
  }

  /// The distance from the bound to the target; some distance if there is no target.
  constexpr std::int64_t gap() const {
    if (cutoff_ != unbounded) return target_ > bound_ ? target_ - bound_ : 1;
    return bound_ / 4 + ascent_.scale();
  }

  // --- propagation -----------------------------------------------------------------------------

  constexpr bool drop(std::uint32_t v) {
    if (!s_.alive[v]) return true;
    const std::uint32_t k = m_.owner[v];
    s_.leave(v, k);
    trail_.push_back(v);
    if (s_.class_count[k] == 0) return false;
    for (std::uint32_t i = m_.value_part_first[v]; i < m_.value_part_first[v + 1]; ++i)
      --s_.part_count[m_.value_part[i]];
    queue_.push_back(k);
    return true;
  }

  /// Undoes drops. Parts of a class that lost its last value were not counted down for it.
  constexpr void undo(std::uint32_t mark) {
    while (trail_.size() > mark) {
      const std::uint32_t v = trail_.back();
      trail_.pop_back();
      s_.come_back(v, m_.owner[v]);
      if (s_.class_count[m_.owner[v]] == 1) continue;
      for (std::uint32_t i = m_.value_part_first[v]; i < m_.value_part_first[v + 1]; ++i)
        ++s_.part_count[m_.value_part[i]];
    }
    queue_.clear();
  }

  constexpr bool take(std::uint32_t v) {
    const std::uint32_t k = m_.owner[v];
    for (std::uint32_t other = m_.first[k]; other < m_.first[k + 1]; ++other)
      if (other != v && !drop(other)) return false;
    return true;
  }

  /// Drops what cannot be beside what is left, to a fixpoint; false if a class loses everything.
  constexpr bool propagate() {
    for (bool again = true; again;) {
      while (!queue_.empty()) {
        const std::uint32_t k = queue_.back();
        queue_.pop_back();
        if (!fill_rows(k) || (s_.class_count[k] == 1 && closes_cycle(k))) {
          queue_.clear();
          return false;
        }
      }
      if (!filter_limits()) {
        queue_.clear();
        return false;
      }
      again = !queue_.empty();
    }
    return true;
  }

  /// Where all values left of a class are in a row, other classes lose theirs.
  constexpr bool fill_rows(std::uint32_t k) {
    for (std::uint32_t i = m_.class_part_first[k]; i < m_.class_part_first[k + 1]; ++i) {
      const std::uint32_t part = m_.class_part[i];
      ++steps_;
      if (s_.part_count[part] != s_.class_count[k]) continue;
      const std::uint32_t row = m_.parts[part].row;
      for (std::uint32_t j = m_.row_part[row]; j < m_.row_part[row + 1]; ++j) {
        if (j == part || s_.part_count[j] == 0) continue;
        for (std::uint32_t e = m_.parts[j].begin; e < m_.parts[j].end; ++e)
          if (!drop(m_.entry[e])) return false;
      }
    }
    return true;
  }

  constexpr std::uint32_t only(std::uint32_t k) const { return s_.left(k)[0]; }

  /// True if a decided class leads back to itself through decided classes.
  constexpr bool closes_cycle(std::uint32_t k) {
    if (m_.block[k] == packing_model::none) return false;
    ++mark_;
    walk_.clear();
    walk_.push_back(k);
    while (!walk_.empty()) {
      const std::uint32_t at = walk_.back();
      walk_.pop_back();
      if (s_.class_count[at] != 1) continue;
      const std::uint32_t v = only(at);
      for (std::uint32_t i = m_.need_first[v]; i < m_.need_first[v + 1]; ++i) {
        const std::uint32_t e = m_.need[i];
        ++steps_;
        if (e == k) return true;
        if (seen_[e] == mark_) continue;
        seen_[e] = mark_;
        walk_.push_back(e);
      }
    }
    return false;
  }

  /// Drops values that do not fit a limit beside the least that the other classes use.
  constexpr bool filter_limits() {
    least_weight_.resize(m_.classes);
    for (std::size_t l = 0; l < m_.capacity.size(); ++l) {
      const std::int64_t* const weight = m_.weight.data() + l * m_.values;
      std::int64_t slack = m_.capacity[l], widest = 0;
      for (std::uint32_t k = 0; k < m_.classes; ++k) {
        std::int64_t least = unbounded, most = 0;
        for (const std::uint32_t v : s_.left(k)) {
          if (weight[v] < least) least = weight[v];
          if (weight[v] > most) most = weight[v];
        }
        least_weight_[k] = least;
        slack -= least;
        if (most - least > widest) widest = most - least;
        steps_ += s_.class_count[k];
      }
      if (slack < 0) return false;
      if (widest <= slack) continue;
      for (std::uint32_t k = 0; k < m_.classes; ++k)
        for (std::uint32_t i = s_.class_count[k]; i-- > 0;)
          if (const std::uint32_t v = s_.left(k)[i];
              weight[v] - least_weight_[k] > slack && !drop(v))
            return false;
    }
    return true;
  }

  // --- bounds ----------------------------------------------------------------------------------

  /// Solves the linear relaxation from the current basis and takes over its prices; offers its
  /// solution if that is whole.
  constexpr simplex_status relax(int iterations) {
    simplex_status status{};
    bound_ = solve_relaxation(iterations, status);
    if (status == simplex_status::optimal && bound_ < target_) offer_whole();
    return status;
  }

  /// Solves the relaxation and takes over its prices; returns the bound that they prove.
  constexpr std::int64_t solve_relaxation(int iterations, simplex_status& status) {
    status = simplex_.solve(s_, simplex_cutoff(), simplex_gain(), iterations);
    simplex_.price(p_, ascent_.scale());
    ascent_.reprice(s_, p_);
    return ascent_.bound(s_, p_);
  }

  /// A little more than the target, so that rounding does not end the simplex method too early.
  constexpr double simplex_cutoff() const {
    const double target = static_cast<double>(target_) / static_cast<double>(ascent_.scale());
    return target * (1 + 1e-9) + 1e-6;
  }
  /// More than any selection costs.
  constexpr double simplex_gain() const { return 2.0 * static_cast<double>(ascent_.dearest()) + 2; }

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

  /// Sweeps until the target is met, the bound gains less than 1/`patience` of the gap, or `most`.
  /// True if it was `most`.
  constexpr bool raise(int most, int patience) {
    std::int64_t last = bound_ = ascent_.bound(s_, p_);
    ascent_.list_rows(s_, p_);
    for (int i = 1; i <= most && bound_ < target_; ++i) {
      ascent_.sweep(s_, p_, (i & 1) != 0);
      if (i % 8 != 0 && i != most) continue;
      bound_ = ascent_.total();
      if (bound_ - last < gap() / patience) return false;
      last = bound_;
    }
    return bound_ < target_;
  }

  /// Raises the bound of a node; false if it reaches the target.
  constexpr bool tighten() {
    if (uses_simplex_) {
      if (!fix()) return false;  // by the parent's prices
      relax(400);
    } else {
      raise(24, 50);
    }
    return bound_ < target_ && fix();
  }

  /// Drops values whose reduced cost reaches the target; false if the node is done.
  constexpr bool fix() {
    for (bool any = true; any;) {
      bound_ = ascent_.bound(s_, p_);
      if (bound_ >= target_) return false;
      any = false;
      for (std::uint32_t k = 0; k < m_.classes; ++k) {
        if (s_.class_count[k] < 2) continue;
        const std::int64_t most = ascent_.least(k) + (target_ - bound_);
        for (std::uint32_t i = s_.class_count[k]; i-- > 0;) {
          const std::uint32_t v = s_.left(k)[i];
          if (p_.reduced[v] < most) continue;
          any = true;
          if (!drop(v)) {
            queue_.clear();
            return false;
          }
        }
      }
      if (any && !propagate()) return false;
    }
    return true;
  }

  // --- search ----------------------------------------------------------------------------------

  /// Offers the cheapest values by reduced cost.
  constexpr void guess() {
    if (enumerates_ && value_ != unbounded) return;
    table<std::uint32_t> chosen(m_.classes);
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      std::uint32_t best = packing_model::none;
      for (const std::uint32_t v : s_.left(k))
        if (v != m_.off[k] && (best == packing_model::none || p_.reduced[v] < p_.reduced[best]))
          best = v;
      chosen[k] = best == packing_model::none ? m_.off[k] : best;
    }
    offer(chosen);
  }

  /// Completes a choice, improves it as far as rounds and budget go, and keeps it if it is the
  /// best.
  constexpr void offer(table<std::uint32_t>& chosen, int rounds = 4) {
    const std::uint64_t before = improver_.steps();
    auto priced = improver_.improve(chosen, rounds, budget_);
    if (!priced.solves() && rounds == 0) priced = improver_.improve(chosen, 4, budget_);
    const std::uint64_t used = improver_.steps() - before;
    budget_ -= used < budget_ ? used : budget_;
    if (!priced.solves() || priced.objective >= value_) return;
    improver_.leave_out(chosen);
    best_ = chosen;
    value_ = priced.objective;
    lower_cutoff(value_);
    ++out_.counters.incumbents;
    announce_ = true;
  }

  constexpr bool is_needed(std::uint32_t k) const {
    return m_.off[k] == packing_model::none || !s_.alive[m_.off[k]];
  }

  /// A node whose bound is below the target: a leaf is offered, else a frame opens.
  constexpr void visit() {
    ++out_.counters.nodes;
    bool leaf = true;
    for (std::uint32_t k = 0; k < m_.classes && leaf; ++k)
      leaf = s_.class_count[k] == 1 || !is_needed(k);
    if (leaf) {
      table<std::uint32_t> chosen(m_.classes);
      for (std::uint32_t k = 0; k < m_.classes; ++k) chosen[k] = is_needed(k) ? only(k) : m_.off[k];
      offer(chosen);
      return;
    }
    if ((out_.counters.nodes & (out_.counters.nodes - 1)) == 0) guess();
    frame f;
    if (bound_ >= target_ || (enumerates_ && finish(f))) return;
    choose(f);
    if (f.value == packing_model::none && !f.again) return;
    f.mark = static_cast<std::uint32_t>(trail_.size());
    frames_.push_back(static_cast<frame&&>(f));
    if (out_.counters.most_open < frames_.size()) out_.counters.most_open = frames_.size();
  }

  /// Tries the next side of the deepest frame.
  constexpr void step() {
    frame& f = frames_.back();
    undo(f.mark);
    bound_ = f.bound;
    if (f.tried == 2 || f.bound >= target_) {
      if (f.tried != 2) ++out_.counters.pruned;
      frames_.pop_back();
      return;
    }
    p_ = f.prices;
    if (uses_simplex_) simplex_.load(f.basis);
    if (f.again) {
      frames_.pop_back();
      visit();
      return;
    }
    const bool takes = (f.tried++ == 0) == (f.first == 0);
    const std::int64_t parent = f.bound;
    ++out_.counters.generated;
    const bool open = split(f.value, takes) && tighten();
    if (uses_simplex_) {
      const std::int64_t after = open || bound_ > target_ ? bound_ : target_;
      learn(f.value, takes ? 0 : 1, static_cast<double>(after > f.bound ? after - f.bound : 0),
            takes ? 1 - f.share : f.share);
    }
    if (!open) {
      ++out_.counters.pruned;
      return;
    }
    if (bound_ < parent) bound_ = parent;
    visit();
  }

  /// Goes through all that is left if that is likely to be little; else says in the frame how many
  /// nodes further down that is to be tried again.
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

  /// Goes through what is left below 1/2^`shift` of the way to the target; false if that takes more
  /// than `most` visits.
  constexpr bool enumerate(int shift, std::uint64_t most) {
    const std::int64_t bound = ascent_.bound(s_, p_);
    return enumerator_.run(s_, p_, (target_ - bound) >> shift, most,
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

  constexpr bool split(std::uint32_t v, bool takes) {
    queue_.clear();
    return (takes ? take(v) : drop(v)) && propagate();
  }

  /// The candidates for branching, best first: for each open class its cheapest value (or `off`),
  /// scored by the prices at stake and by how close the second best is.
  constexpr void list_branchings() {
    branchings_.clear();
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (s_.class_count[k] < 2) continue;
      std::int64_t first = unbounded, second = unbounded;
      std::uint32_t best = packing_model::none;
      for (const std::uint32_t v : s_.left(k)) {
        if (p_.reduced[v] < first) {
          second = first;
          first = p_.reduced[v];
          best = v;
        } else if (p_.reduced[v] < second) {
          second = p_.reduced[v];
        }
      }
      std::int64_t stake = 1;
      bool shared = false;
      for (std::uint32_t i = m_.class_part_first[k]; i < m_.class_part_first[k + 1]; ++i) {
        const std::uint32_t part = m_.class_part[i], row = m_.parts[part].row;
        if (s_.part_count[part] == 0) continue;
        std::uint32_t live = 0;
        for (std::uint32_t j = m_.row_part[row]; j < m_.row_part[row + 1] && live < 2; ++j)
          live += s_.part_count[j] != 0;
        if (live < 2) continue;
        shared = true;
        stake += p_.price[row];
      }
      steps_ += m_.class_part_first[k + 1] - m_.class_part_first[k] + m_.first[k + 1] - m_.first[k];
      if (!is_needed(k)) {
        if (!shared) continue;
        best = m_.off[k];
      }
      const double share = static_cast<double>(second - first) / static_cast<double>(gap());
      keep({best, static_cast<double>(stake) / (1 + 8 * share), 0.5});
    }
  }

  /// Chooses a value and its first side. A side that probing refutes is dropped at once, and the
  /// node has to be visited again. Leaves the frame without a value if the node turns out done.
  constexpr void choose(frame& f) {
    if (uses_simplex_)
      list_fractional();
    else
      list_branchings();
    if (branchings_.empty()) return;
    save(f);
    double best = -1;
    branching chosen;
    for (const branching& b : branchings_) {
      double rise[2] = {0, 0};
      bool dead[2] = {false, false};
      for (int side = 0; side < 2; ++side) probe(f, b, side, rise[side], dead[side]);
      if (dead[0] && dead[1]) return;
      if (dead[0] || dead[1]) {
        if (!split(b.value, dead[1]) || !tighten()) return;
        if (bound_ < f.bound) bound_ = f.bound;
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

  /// Keeps what a child or a later visit starts from.
  constexpr void save(frame& f) const {
    f.prices = p_;
    f.bound = bound_;
    if (uses_simplex_) simplex_.save(f.basis);
  }

  /// The values with a broken share, best first, by what taking and dropping them gained so far for
  /// a unit of share (pseudo-costs); what is not known yet counts as the mean. If none is broken,
  /// the cheapest value of some open class.
  constexpr void list_fractional() {
    branchings_.clear();
    const double mean[2] = {mean_gain(0), mean_gain(1)};
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (s_.class_count[k] < 2) continue;
      for (const std::uint32_t v : s_.left(k)) {
        const double share = simplex_.share(v);
        if (share < 1e-6 || share > 1 - 1e-6) continue;
        const double up = rate(0, v, mean[0]) * (1 - share), down = rate(1, v, mean[1]) * share;
        keep({v, (up + 1e-6) * (down + 1e-6), share});
      }
    }
    for (std::uint32_t k = 0; k < m_.classes && branchings_.empty(); ++k) {
      if (s_.class_count[k] < 2 || !is_needed(k)) continue;
      std::uint32_t best = s_.left(k)[0];
      for (const std::uint32_t v : s_.left(k))
        if (p_.reduced[v] < p_.reduced[best]) best = v;
      keep({best, 1, 0.5});
    }
  }

  /// Keeps the best few, sorted.
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
  /// Remembers what a side gained that moved a value by a share of `distance`.
  constexpr void learn(std::uint32_t v, int side, double rise, double distance) {
    gain& g = gain_[side][v];
    rise /= distance < 1e-6 ? 1e-6 : distance;
    g.total += static_cast<std::int64_t>(rise < 1e15 ? rise : 1e15);
    ++g.count;
    sum_[side] += rise;
    ++known_[side];
  }

  /// How much a side raises the bound: what is known of it, or a trial.
  constexpr void probe(const frame& f, const branching& b, int side, double& rise, bool& dead) {
    const gain& known = gain_[side][b.value];
    const double distance = uses_simplex_ ? (side == 0 ? 1 - b.share : b.share) : 1;
    if (known.count >= trials) {
      rise = static_cast<double>(known.mean()) * distance;
      return;
    }
    const std::uint32_t mark = static_cast<std::uint32_t>(trail_.size());
    const bool open = split(b.value, side == 0);
    std::int64_t after = target_;
    simplex_status status{};
    if (open) after = uses_simplex_ ? solve_relaxation(most_pivots, status) : probe_ascent(mark);
    undo(mark);
    if (uses_simplex_) {
      simplex_.load(f.basis);
      p_ = f.prices;
    } else {
      ascent_.rollback(s_, p_);
      if (open)
        for (const std::uint32_t k : touched_) ascent_.sync(s_, p_, k);
    }
    dead = after >= target_;
    const std::int64_t total = dead ? gap() : (after > f.bound ? after - f.bound : 0);
    rise = static_cast<double>(total);
    learn(b.value, side, rise, distance);
  }

  constexpr std::int64_t probe_ascent(std::uint32_t mark) {
    touched_.clear();
    for (std::size_t i = mark; i < trail_.size(); ++i) touched_.push_back(m_.owner[trail_[i]]);
    for (const std::uint32_t k : touched_) ascent_.sync(s_, p_, k);
    ascent_.ripple(s_, p_, touched_, most_ripples);
    return ascent_.total();
  }

  /// A scaled bound as a cost that can occur.
  constexpr std::int64_t rounded(std::int64_t scaled) const {
    if (scaled < 0) return 0;
    const std::int64_t whole = scaled / ascent_.scale() + (scaled % ascent_.scale() != 0);
    const std::int64_t step = m_.divisor == 0 ? 1 : m_.divisor;
    return (whole + step - 1) / step * step;
  }

  /// The least bound of what is still open.
  constexpr std::int64_t whole_bound() const {
    std::int64_t least = unbounded;
    for (const frame& f : frames_)
      if (f.bound < least) least = f.bound;
    if (least >= target_) return cutoff_;
    const std::int64_t bound = rounded(least);
    return bound < cutoff_ ? bound : cutoff_;
  }

  template <class Callback>
  constexpr bool stopped(const search_limits& limits, Callback& callback) {
    if (out_.counters.nodes >= limits.max_nodes || steps() >= limits.max_steps ||
        frames_.size() >= limits.max_open) {
      out_.status = search_status::stopped_by_limit;
      return true;
    }
    if (announce_ || ++asked_ % limits.progress_interval == 0 || steps() > next_ask_) {
      announce_ = false;
      next_ask_ = steps() + work_between_asks;
      if (!callback(search_progress{value_, whole_bound(), out_.counters.nodes,
                                    static_cast<std::uint64_t>(frames_.size())})) {
        out_.status = search_status::stopped_by_caller;
        return true;
      }
    }
    return false;
  }

  static constexpr std::size_t most_branchings = 10;
  static constexpr std::size_t most_ripples = 1200;
  static constexpr int most_pivots = 60;  ///< of a trial
  static constexpr std::int64_t trials = 2;
  static constexpr std::uint64_t most_visits = 3000;  ///< of an enumeration
  static constexpr double shrinking = 16;  ///< of what is left to enumerate, from node to node
  static constexpr std::uint64_t work_between_asks = 2'000'000;

  const packing_model& m_;
  packing_ascent ascent_;
  packing_simplex simplex_;
  packing_enumerator enumerator_;
  packing_improver improver_;
  packing_state s_;
  bool enumerates_;
  packing_prices p_;
  std::int64_t cutoff_ = unbounded;
  std::int64_t target_ = unbounded;  ///< nodes with this bound, scaled, are done
  std::int64_t bound_ = 0;           ///< of the current node, scaled
  std::int64_t root_ = unbounded;    ///< the bound once it is known for good
  bool closed_ = false;
  std::int64_t value_ = unbounded;
  std::uint64_t budget_ = 0;
  table<std::uint32_t> best_;
  bool uses_simplex_ = false;
  bool announce_ = false;
  std::uint64_t asked_ = 0;
  std::uint64_t next_ask_ = 0;
  std::uint64_t steps_ = 0;
  std::uint32_t mark_ = 0;
  table<std::uint32_t> touched_, trail_, queue_, walk_, seen_;
  table<std::int64_t> least_weight_;
  table<gain> gain_[2];  ///< of values, by side
  double sum_[2] = {0, 0};
  std::uint64_t known_[2] = {0, 0};
  table<branching> branchings_;
  table<frame> frames_;
  packing_outcome out_;
};

}  // namespace wf::detail
