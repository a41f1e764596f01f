// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/select/checkpoint/writer.hpp>
#include <wf/select/select.hpp>

namespace wf {

/// A workflow that computes values again instead of keeping them.
struct checkpoint_plan {
  graph workflow;                 ///< the given one, where some nodes run more than once
  std::int64_t peak_bytes = 0;    ///< its `peak_memory`
  std::int64_t before_bytes = 0;  ///< that of the given one
  std::int64_t extra = 0;         ///< what is added to the metric, in its unit
  std::int64_t least_extra = 0;   ///< no choice within the limit adds less
  std::uint32_t repeated = 0;     ///< number of runs of nodes that ran before
  std::uint32_t kept = 0;         ///< number of values that what runs last finds
  bool proven_optimal = false;    ///< `extra` is `least_extra`
};

namespace detail {

/// Searches for the cheapest choice whose workflow keeps to the limit.
class checkpoint_search {
 public:
  /// `before`: the workflow in the metric.
  constexpr checkpoint_search(const checkpoint_parts& parts, const checkpoint_request& wanted,
                              const registry& kernels, std::int64_t before)
      : parts_(parts), wanted_(wanted), kernels_(kernels), before_(before) {}

  template <class Callback>
  constexpr result<checkpoint_plan> run(Callback&& callback) {
    checkpoint_problem relaxed(parts_, 1, true);
    if (relaxed.problem.roots.empty())
      return too_much("nothing that runs last reads what could run again, and it takes more than ");
    relaxed.limit(wanted_.most_bytes);
    const auto bound = select(relaxed.problem, wanted_.search, callback);
    if (!bound) {
      if (bound.error().code != errc::infeasible) return bound.error();
      return too_much("what cannot run again takes more than the limit of ");
    }
    out_.least_extra = bound->bound[0];
    if (error e = try_limits(relaxed, callback); e.code != errc::none) return e;
    for (std::uint32_t blocks = 2; blocks <= 32 && blocks <= parts_.late_nodes(); blocks *= 2) {
      checkpoint_problem priced(parts_, blocks), limited(parts_, blocks);
      if (error e = try_prices(priced, callback); e.code != errc::none) return e;
      if (blocks > 16) break;
      if (error e = try_limits(limited, callback); e.code != errc::none) return e;
    }
    if (!found_ && least_peak_ == INT64_MAX)
      return too_much("the searches ended before they had a choice for the limit of ");
    if (!found_)
      return too_much((text() << "the least peak_memory that was found is " << least_peak_
                              << " bytes, over the limit of ")
                          .view());
    out_.proven_optimal = is_proven();
    return static_cast<checkpoint_plan&&>(out_);
  }

 private:
  constexpr bool is_proven() const { return found_ && out_.extra == out_.least_extra; }
  constexpr error too_much(text_view what) const {
    return make_error(errc::infeasible, parts_.graph().text_of(parts_.graph().name),
                      (text() << what << wanted_.most_bytes << " bytes").view());
  }
  // The bytes in a block are estimates: the limit is halved in between until the workflow has as
  // many as it may have.
  template <class Callback>
  constexpr error try_limits(checkpoint_problem& choices, Callback&& callback) {
    std::int64_t low = 0, high = saturating_add(wanted_.most_bytes, wanted_.most_bytes);
    for (int step = 0; step < 6 && !is_proven(); ++step) {
      const std::int64_t bytes = low + (high - low) / 2;
      choices.limit(bytes);
      bool fits = true;
      if (error e = take(choices, callback, fits); e.code != errc::none) return e;
      (fits ? low : high) = bytes;
    }
    return {};
  }
  // Likewise with a price of each byte in a block, which finds choices for small limits.
  template <class Callback>
  constexpr error try_prices(checkpoint_problem& choices, Callback&& callback) {
    int low = -80, high = 80;
    while (high - low > 1 && !is_proven()) {
      const int quarters = low + (high - low) / 2;
      choices.weigh(quarters);
      bool fits = false;
      if (error e = take(choices, callback, fits); e.code != errc::none) return e;
      (fits ? high : low) = quarters;
    }
    return {};
  }
  // Selects, writes and measures; `fits` becomes whether the workflow keeps to the limit, and stays
  // if there is no selection.
  template <class Callback>
  constexpr error take(const checkpoint_problem& choices, Callback&& callback, bool& fits) {
    const auto chosen = select(choices.problem, wanted_.search, callback);
    if (!chosen) {
      const errc code = chosen.error().code;
      return code == errc::infeasible || code == errc::search_limit || code == errc::overflow
                 ? error{}
                 : chosen.error();
    }
    checkpoint_writer writer(parts_, choices, chosen->best);
    auto made = writer.run();
    if (!made) return made.error();
    const auto peak = price(made->view(), peak_memory, kernels_);
    if (!peak) return peak.error();
    if (*peak < least_peak_) least_peak_ = *peak;
    fits = *peak <= wanted_.most_bytes;
    const auto total = price(made->view(), wanted_.metric, kernels_);
    if (!total) return total.error();
    const std::int64_t extra = *total - before_;
    if (!fits ||
        (found_ && (extra > out_.extra || (extra == out_.extra && *peak >= out_.peak_bytes))))
      return {};
    found_ = true;
    out_.workflow = static_cast<graph&&>(*made);
    out_.peak_bytes = *peak;
    out_.extra = extra;
    out_.repeated = writer.repeated();
    out_.kept = choices.kept(chosen->best);
    return {};
  }

  const checkpoint_parts& parts_;
  const checkpoint_request& wanted_;
  const registry& kernels_;
  std::int64_t before_;
  checkpoint_plan out_;
  bool found_ = false;
  std::int64_t least_peak_ = INT64_MAX;
};

}  // namespace detail

/// A workflow with its gradient, or any in which some outputs are computed last, within a limit on
/// `peak_memory`: early values that what runs last reads are kept, or what computes them runs again
/// just before they are read, whatever adds least to a metric. Each choice is a selection
/// (`select`): the last part is divided into 2 to 32 blocks, an early value is carried on from
/// block to block, or computed again in one from what is there then, and the bytes in each block
/// have a limit, or a price. The workflow of each is priced, so that what is returned keeps to the
/// limit.
///
/// Runs that are repeated follow the node before them over control edges, so that `merge_common`
/// leaves them; `optimise`, which comes before, takes equal nodes for one and refuses such edges.
/// Nodes with effects or edges never run twice.
///
/// `least_extra` bounds what any such workflow adds: early values that are in storage when the last
/// part begins are within the limit, all others are computed again.
///
/// Errors: `infeasible` if no choice was found, with the least peak that was; `unknown_argument` if
/// no output has such a name; `not_comparable` for a metric that is not a sum;
/// `workflow_not_static`; those of `validate` and `price`. Some dozen searches of the given limits.
template <class Callback = keep_going>
constexpr result<checkpoint_plan> checkpoint(const graph_view& workflow,
                                             const checkpoint_request& wanted,
                                             const registry& kernels = builtin_registry(),
                                             Callback&& callback = {}) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  if (wanted.metric.rule != combination::sum)
    return make_error(errc::not_comparable, wanted.metric.name,
                      "what runs again is priced by a metric that is a sum");
  const auto before = price(*valid, peak_memory, kernels);
  if (!before) return before.error();
  detail::checkpoint_parts parts(*valid, wanted, kernels);
  if (error e = parts.find(); e.code != errc::none) return e;
  if (*before <= wanted.most_bytes) {
    checkpoint_plan out;
    out.workflow = graph(*valid);
    out.before_bytes = out.peak_bytes = *before;
    out.proven_optimal = true;
    return out;
  }
  const auto total = price(*valid, wanted.metric, kernels);
  if (!total) return total.error();
  auto out = detail::checkpoint_search(parts, wanted, kernels, *total).run(callback);
  if (out) out->before_bytes = *before;
  return out;
}

}  // namespace wf
