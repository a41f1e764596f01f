// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/integer.hpp>
#include <wf/core/text/fixed_string.hpp>
#include <wf/cost/cost.hpp>
#include <wf/cost/implementation_times.hpp>

namespace wf {

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
  implementation_pricer prices(g, cores, r);
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
    path = saturating_add(path, times->chosen().divided);
    out.work_ns = saturating_add(out.work_ns, times->chosen().alone);
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
