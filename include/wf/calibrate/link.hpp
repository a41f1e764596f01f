// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include <wf/calibrate/fit.hpp>
#include <wf/calibrate/options.hpp>
#include <wf/registry/times/host_link.hpp>
#include <wf/run/network/run_program.hpp>

namespace wf::calibration {

/// A measured link between processes.
struct measured_link {
  host_link link;  ///< the fitted latency and bandwidth
  /// Errors of the fit relative to the measured times, over all sizes.
  double median_error = 0, worst_error = 0;
};

/// Sizes of the values by which a link is measured.
struct link_options {
  std::int64_t largest_bytes = std::int64_t{8} << 20;  ///< of a value; the smallest has 8
  /// Bytes that are sent to and fro at each size, but from 8 to 2,000 values.
  std::int64_t bytes_each = std::int64_t{16} << 20;
  int rounds = 9;  ///< of timings of each size; the median counts
};

/// The latency and the bandwidth from measured times of values that go from one process to another
/// one: the line that has the least squares of relative errors, without negative coefficients.
inline measured_link fit_link(const std::vector<std::int64_t>& bytes,
                              const std::vector<double>& nanoseconds) {
  const auto count = static_cast<Eigen::Index>(bytes.size());
  Eigen::MatrixXd terms(count, 2);
  for (Eigen::Index i = 0; i < count; ++i)
    terms.row(i) << 1, static_cast<double>(bytes[static_cast<std::size_t>(i)]);
  const Eigen::Map<const Eigen::VectorXd> times(nanoseconds.data(), count);
  const Eigen::VectorXd fitted = fit_relative(terms, times);
  measured_link out;
  out.link.latency_ns = std::llround(fitted(0));
  if (fitted(1) > 0) out.link.bytes_per_second = std::llround(1e9 / fitted(1));
  const fit_errors errors = errors_of(terms, fitted, times, times);
  out.median_error = errors.median;
  out.worst_error = errors.worst;
  return out;
}

/// Measures the link between the first and the last process of a transport, of which there must be
/// two or more, as `run_program` uses it: tensors of many sizes go to and fro, each when the one
/// before has come. Each process calls this with equal options; the measurements of the first one
/// count. Errors: `invalid_problem` for a single process; those of `run_tasks`.
template <transport Transport>
result<measured_link> measure_link(Transport& carrier, const link_options& options = {}) {
  using clock = std::chrono::steady_clock;
  if (carrier.ranks() < 2)
    return make_error(errc::invalid_problem, "link", "it needs two processes or more");
  std::vector<std::int64_t> sizes;
  std::vector<double> times;
  for (std::int64_t bytes = 8; bytes <= options.largest_bytes; bytes *= 4) {
    const auto hops =
        static_cast<std::uint32_t>(std::clamp<std::int64_t>(options.bytes_each / bytes, 8, 2000));
    task_list chain(carrier.ranks());
    for (std::uint32_t t = 0; t <= hops; ++t) {
      const std::uint32_t before[] = {t - 1};
      chain.add(t % 2 == 0 ? 0 : carrier.ranks() - 1,
                t == 0 ? view<std::uint32_t>() : view<std::uint32_t>(before));
    }
    const auto pass = [bytes](std::uint32_t, view<task_operand<task_tensors>> operands,
                              task_tensors& out) {
      if (operands.empty())
        out.results.push_back(dynamic_matrix::Zero(bytes / 8, 1));
      else
        std::swap(out, *operands[0].value);
      return error();
    };
    std::vector<double> taken;
    for (int round = 0; round <= options.rounds; ++round) {
      const auto begin = clock::now();
      const auto ran = run_tasks<task_tensors>(carrier, chain, pass);
      if (!ran) return ran.error();
      const std::chrono::duration<double, std::nano> passed = clock::now() - begin;
      // The first round waits for other processes and touches memory for the first time.
      if (round > 0) taken.push_back(passed.count() / hops);
    }
    sizes.push_back(bytes);
    times.push_back(median_of(taken));
  }
  return fit_link(sizes, times);
}

/// The program that `wf-calibrate --processes` starts: measures the link of a transport, and prints
/// it by the first process as the option `--link` reads it. Returns the exit status.
template <transport Transport>
int print_link(Transport& carrier) {
  const auto measured = measure_link(carrier);
  if (!measured) return detail::fail(measured.error());
  if (carrier.rank() != 0) return 0;
  std::fprintf(stderr, "link: median error %.0f %%, worst %.0f %%: %lld ns and %.3g GB/s\n",
               100 * measured->median_error, 100 * measured->worst_error,
               static_cast<long long>(measured->link.latency_ns),
               1e-9 * static_cast<double>(measured->link.bytes_per_second));
  const int written = std::printf("%lld,%lld\n", static_cast<long long>(measured->link.latency_ns),
                                  static_cast<long long>(measured->link.bytes_per_second));
  return written > 0 && std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace wf::calibration
