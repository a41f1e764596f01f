// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/integer.hpp>
#include <wf/core/text/fixed_string.hpp>
#include <wf/cost/cost.hpp>

namespace wf {

/// The share of a kernel's time, from 0 to 1, that several threads divide among them; a kernel that
/// states none is computed by one thread. In `host_times` those of the run-time executor.
inline constexpr metric_spec parallel_share{"parallel_share", "", combination::sum,
                                            missing_cost::zero};

/// The least time of a kernel, in nanoseconds, that the executor shares among threads: others need
/// 20 µs to begin.
inline constexpr std::int64_t least_divided_ns = 70'000;

/// The time of a workflow on several cores, from two sides.
struct time_on_cores {
  std::int64_t work_ns = 0;  ///< time of all nodes on one core
  std::int64_t path_ns = 0;  ///< the longest path, where nodes take what they take on all cores
  std::uint32_t cores = 1;   ///< number of cores

  /// The larger of the work of each core and of the longest path, in nanoseconds: no schedule takes
  /// less, and one that never leaves a core idle while a node is ready takes less than twice as
  /// long. Source: R. Graham, Bounds for certain multiprocessing anomalies, 1966.
  constexpr std::int64_t least_ns() const {
    const std::int64_t each = detail::ceil_div(work_ns, cores);
    return each < path_ns ? path_ns : each;
  }
  friend constexpr bool operator==(const time_on_cores&, const time_on_cores&) = default;
};

namespace detail {

// Time of a node on one core, and when all cores divide it, in nanoseconds.
struct node_times {
  std::int64_t alone = 0;
  std::int64_t divided = 0;
};

// Prices nodes of a graph on a number of cores.
class cores_pricer {
 public:
  constexpr cores_pricer(const graph_view& g, std::uint32_t cores, const registry& r)
      : times_(g, execution_time, r), shares_(g, parallel_share, r), cores_(cores) {}

  // Errors: those of `pricer::price`; `invalid_problem` for a share outside of 0 to 1.
  constexpr result<node_times> price(node_id id) {
    const auto time = times_.price(id);
    if (!time) return time.error();
    const auto alone = to_int64(*time);
    if (!alone) return alone.error();
    node_times out{*alone, *alone};
    if (cores_ < 2 || *alone < least_divided_ns) return out;
    const auto share = shares_.price(id);
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
    return out;
  }

 private:
  pricer<rational> times_, shares_;
  std::uint32_t cores_;
};

}  // namespace detail

/// Time of a static workflow on a number of cores, at least 1, by `execution_time` and
/// `parallel_share` of its nodes; the path runs through data, control and mutate edges. Errors:
/// those of `price` in the metric `execution_time`; `invalid_problem` for no cores, or a share
/// outside of 0 to 1. O(nodes + edges).
constexpr result<time_on_cores> price_on_cores(const graph_view& workflow, std::uint32_t cores,
                                               const registry& r) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  if (cores == 0) return make_error(errc::invalid_problem, g.text_of(g.name), "it has no core");
  if (!g.is_static())
    return make_error(errc::workflow_not_static, g.text_of(g.name),
                      "its shapes are symbolic: bind the symbols");
  detail::cores_pricer prices(g, cores, r);
  table<std::int64_t> length(g.nodes.size());
  time_on_cores out;
  out.cores = cores;
  const auto extend = [&](node_id id, node_id before) {
    if (length[index_of(id)] < length[index_of(before)])
      length[index_of(id)] = length[index_of(before)];
  };
  const auto finish = [&](node_id id) -> error {
    const auto times = prices.price(id);
    if (!times) return times.error();
    std::int64_t& path = length[index_of(id)];
    path = saturating_add(path, times->divided);
    out.work_ns = saturating_add(out.work_ns, times->alone);
    if (out.path_ns < path) out.path_ns = path;
    return {};
  };
  if (error e = detail::sweep_paths(g, extend, finish); e.code != errc::none) return e;
  return out;
}

namespace detail {

template <std::uint32_t Cores>
constexpr result<std::int64_t> least_on_cores(const graph_view& g, const registry& r) {
  const auto time = price_on_cores(g, Cores, r);
  if (!time) return time.error();
  return time->least_ns();
}

// "execution_time_on_2"
template <std::uint32_t Cores>
struct cores_name {
  static constexpr std::size_t digits() {
    std::size_t count = 1;
    for (std::uint32_t n = Cores; n >= 10; n /= 10) ++count;
    return count;
  }
  static constexpr const char* head = "execution_time_on_";
  static constexpr std::size_t head_size = 18;
  static constexpr fixed_string<head_size + digits() + 1> make() {
    fixed_string<head_size + digits() + 1> out;
    for (std::size_t i = 0; i < head_size; ++i) out.characters[i] = head[i];
    std::uint32_t rest = Cores;
    for (std::size_t i = digits(); i-- > 0; rest /= 10)
      out.characters[head_size + i] = static_cast<char>('0' + rest % 10);
    return out;
  }
  static constexpr auto value = make();
};

}  // namespace detail

/// The least time on a number of cores as a metric: `time_on_cores::least_ns`.
template <std::uint32_t Cores>
  requires(Cores > 0)
struct execution_time_on_ {
  /// The specification; its name is for instance "execution_time_on_2".
  static constexpr metric_spec spec{detail::cores_name<Cores>::value.view(), "ns",
                                    combination::measured, missing_cost::unknown,
                                    &detail::least_on_cores<Cores>};
  /// The metric as a value.
  constexpr operator metric_spec() const { return spec; }
  /// The limit that this time is at most `maximum`, in nanoseconds.
  friend constexpr limit operator<=(execution_time_on_, std::int64_t maximum) {
    return {spec, maximum};
  }
};

/// The least time on a number of cores: `wf::cost(w, times)[wf::execution_time_on<2>]`.
template <std::uint32_t Cores>
inline constexpr execution_time_on_<Cores> execution_time_on;

}  // namespace wf
