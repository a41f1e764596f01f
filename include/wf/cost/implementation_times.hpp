// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/box.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/cost/metric.hpp>
#include <wf/cost/price.hpp>
#include <wf/formula/number/rational.hpp>
#include <wf/registry/registry.hpp>

namespace wf {

/// The share of a kernel's `execution_time` that threads divide, from 0 to 1: Amdahl's p. One that
/// states none is computed by one thread. In `host_times` those of the run-time executor.
inline constexpr metric_spec parallel_share{"parallel_share", "", combination::sum,
                                            missing_cost::zero};
/// Time of a library's implementation of a kernel (`kernel_spec::library`) on one core, in
/// nanoseconds: a cost, as `execution_time` is. There is no default table, because libraries of the
/// same interface differ by orders of magnitude: `wf-calibrate` measures the one it is linked with.
inline constexpr metric_spec library_time{"library_time",        "ns",    combination::sum,
                                          missing_cost::unknown, nullptr, true};
/// The share of `library_time` that wf's threads divide, as `parallel_share`.
inline constexpr metric_spec library_share{"library_share", "", combination::sum,
                                           missing_cost::zero};

/// The least time of a kernel, in nanoseconds, that the executor shares among threads: others need
/// 20 µs to begin.
inline constexpr std::int64_t least_divided_ns = 70'000;

/// Time of an implementation of a node, in nanoseconds.
struct implementation_time {
  std::int64_t alone = 0;    ///< on one core
  std::int64_t divided = 0;  ///< when all cores divide it

  friend constexpr bool operator==(const implementation_time&,
                                   const implementation_time&) = default;
};

/// What a node takes by the executor's own implementation and by a library's.
struct implementation_times {
  implementation_time own;      ///< by `execution_time` and `parallel_share`
  implementation_time library;  ///< by `library_time` and `library_share`
  bool has_library = false;     ///< false: no library implements it, or its time is not known

  /// True if the library computes the node: on all cores it takes less time, or as much and less on
  /// one.
  constexpr bool is_by_library() const {
    if (!has_library) return false;
    if (library.divided != own.divided) return library.divided < own.divided;
    return library.alone < own.alone;
  }
  /// The time by which the node is priced.
  constexpr const implementation_time& chosen() const { return is_by_library() ? library : own; }
};

/// Prices the implementations of nodes of a graph on a number of cores: the one rule by which
/// plans, executors and reports choose between wf's kernels and a library's.
class implementation_pricer {
 public:
  /// Prices `g` with the kernels of `r`; both must outlive this object. `cores` is at least 1.
  constexpr implementation_pricer(const graph_view& g, std::uint32_t cores, const registry& r)
      : graph_(g),
        registry_(r),
        cores_(cores),
        times_(g, own_time(), r),
        shares_(g, parallel_share, r) {}

  /// The times of a node. Errors: those of `pricer::price` in the metric `execution_time`;
  /// `invalid_problem` for a share outside of 0 to 1; `overflow`.
  constexpr result<implementation_times> price(node_id id) {
    implementation_times out;
    if (error e = price(id, times_, shares_, out.own); e.code != errc::none) return e;
    if (!is_in_library(id)) return out;
    if (library_.empty()) {
      library_.push_back(make_box<pricer<rational>>(graph_, library_time, registry_));
      library_.push_back(make_box<pricer<rational>>(graph_, library_share, registry_));
    }
    if (error e = price(id, *library_[0], *library_[1], out.library); e.code != errc::none)
      return e;
    out.has_library = true;
    return out;
  }

 private:
  static constexpr metric_spec own_time() {
    metric_spec out = execution_time;
    out.by_library = {};
    return out;
  }
  // True if a library implements the node for its element type, states its time, and no other time
  // is declared for the node itself.
  constexpr bool is_in_library(node_id id) const {
    const node& n = graph_[id];
    const kernel_spec* const k = registry_.find(graph_.op_name(n));
    if (k == nullptr || !k->library || n.outputs.count == 0 ||
        !k->library.cover(graph_[graph_view::output_of(n)].type.type))
      return false;
    for (const declared_cost& c : graph_.costs_of(n))
      if (graph_.text_of(c.metric) == execution_time_::spec.name) return false;
    for (const kernel_cost& c : k->costs)
      if (c.metric != nullptr && c.text().metric == library_time.name) return true;
    return false;
  }
  constexpr error price(node_id id, pricer<rational>& times, pricer<rational>& shares,
                        implementation_time& out) const {
    const auto time = times.price(id);
    if (!time) return time.error();
    const auto alone = to_int64(*time);
    if (!alone) return alone.error();
    out = {*alone, *alone};
    if (cores_ < 2 || *alone < least_divided_ns) return {};
    const auto share = shares.price(id);
    if (!share) return share.error();
    if (share->sign() < 0 || rational(1) < *share)
      return make_error(errc::invalid_problem, parallel_share.name, "a share is from 0 to 1");
    // alone · (cores - share·(cores - 1)) / cores, rounded up
    rational saved, left;
    if (multiply(*share, rational(cores_ - 1), saved) != errc::none ||
        subtract(rational(cores_), saved, left) != errc::none ||
        multiply(rational(*alone), left, left) != errc::none ||
        divide(left, rational(cores_), left) != errc::none || ceil(left, left) != errc::none)
      return make_error(errc::overflow, parallel_share.name, "the exact time does not fit");
    const auto divided = to_int64(left);
    if (!divided) return divided.error();
    out.divided = *divided;
    return {};
  }

  graph_view graph_;
  const registry& registry_;
  std::uint32_t cores_;
  pricer<rational> times_, shares_;
  table<box<pricer<rational>>> library_;  // times and shares, once a library implements a node
};

}  // namespace wf
