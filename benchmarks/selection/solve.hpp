// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include <wf/core/diagnosis/result.hpp>
#include <wf/search/control.hpp>
#include <wf/search/threads.hpp>
#include <wf/select/select.hpp>

#include <selection/beam.hpp>
#include <selection/check.hpp>
#include <selection/depth.hpp>
#include <selection/greedy.hpp>
#include <selection/instance.hpp>

namespace selection_benchmark {

/// A solver's answer for an instance.
struct answer {
  bool found = false;
  bool proven = false;
  wf::selection best;
  std::int64_t total = 0;  ///< value of the objective
  bool bounded = false;
  std::int64_t bound = 0;  ///< lower bound for every selection, if `bounded`
  std::uint64_t nodes = 0;
  double cpu_seconds = 0;
  std::string message;            ///< the reason if there is no selection
  std::string certificate = "-";  ///< "accepted", or the reason why there is none
  std::size_t proof_numbers = 0;  ///< size of the proof record, in numbers
  double check_seconds = 0;       ///< CPU time of recording and checking
};

/// The CPU time of this process, all threads included.
inline double cpu_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline void take(const wf::selection_result& found, answer& out) {
  out.found = out.bounded = true;
  out.proven = found.proven();
  out.best = found.best;
  out.total = found.objective[0];
  out.bound = found.bound[0];
  out.nodes = found.counters.nodes;
}

inline answer solve_with_wf(const instance& i, double limit, unsigned threads = 1) {
  wf::threads workers(threads);
  answer out;
  const double begin = cpu_seconds();
  const auto go_on = [&](const wf::search_progress&) { return cpu_seconds() - begin < limit; };
  const wf::result<wf::selection_result> found =
      wf::select(i.problem, {}, go_on, selection_depth{}, workers);
  out.cpu_seconds = cpu_seconds() - begin;
  if (found)
    take(*found, out);
  else
    out.message = static_cast<std::string>(wf::to_text(found.error()));
  return out;
}

#ifdef WF_CERTIFY
inline constexpr bool is_certifying = true;

/// Solves as `solve_with_wf` in a program whose searches are certified, and reports the state of
/// the claims: accepted, withdrawn, or without a rule.
inline answer solve_certified(const instance& i, double limit) {
  const wf::certification_log& log = wf::certifications;
  const std::uint64_t accepted = log.accepted, taken_back = log.taken_back,
                      other = log.without_rule, numbers = log.numbers,
                      microseconds = log.microseconds;
  answer out = solve_with_wf(i, limit);
  if (log.without_rule != other)
    out.certificate = "without_rule";
  else if (log.taken_back != taken_back)
    out.certificate = "taken_back";
  else if (log.accepted != accepted)
    out.certificate = "accepted";
  out.proof_numbers = static_cast<std::size_t>(log.numbers - numbers);
  out.check_seconds = 1e-6 * static_cast<double>(log.microseconds - microseconds);
  out.cpu_seconds -= out.check_seconds;
  return out;
}
#else
inline constexpr bool is_certifying = false;

inline answer solve_certified(const instance&, double) { return {}; }
#endif

/// Runs a heuristic, which proves nothing.
template <class Heuristic, class... Options>
answer solve_with(const instance& i, Options... options) {
  answer out;
  const double begin = cpu_seconds();
  out.found = Heuristic(i.problem, i.objective, options...).run(out.best);
  out.cpu_seconds = cpu_seconds() - begin;
  if (!out.found) out.message = "it finds no selection";
  out.total = out.found ? out.best.totals[i.objective] : 0;
  return out;
}

/// Runs a solver by its name: wf, certified (wf, each claim derived again and checked), greedy, or
/// beam (width 64).
inline answer solve_once(const instance& i, const std::string& solver, double limit,
                         unsigned threads = 1) {
  if (solver == "greedy") return solve_with<greedy_selection>(i);
  if (solver == "beam") return solve_with<beam_selection>(i, std::size_t{64});
  if (solver == "certified") return solve_certified(i, limit);
  return solve_with_wf(i, limit, threads);
}

/// Runs a solver; takes the median time of five runs if a run takes less than 0.1 s.
inline answer solve(const instance& i, const std::string& solver, double limit, unsigned threads) {
  answer out = solve_once(i, solver, limit, threads);
  if (out.cpu_seconds >= 0.1) return out;
  std::vector<double> times{out.cpu_seconds};
  for (int repeat = 1; repeat < 5; ++repeat)
    times.push_back(solve_once(i, solver, limit, threads).cpu_seconds);
  std::sort(times.begin(), times.end());
  out.cpu_seconds = times[times.size() / 2];
  return out;
}

/// The fault of an answer, an invalid selection or a bound above a published value; "" if there is
/// none.
inline std::string wrong(const instance& i, const answer& a, const reference_value& reference) {
  if (!a.found) return {};
  const selection_checker checker(i.problem, a.best);
  if (std::string out = checker.check(); !out.empty()) return out;
  if (checker.objective() != a.total) return "the selection does not cost what is claimed";
  if (a.proven && a.bound != a.total) return "it is proven, but the bound is another";
  if (a.bounded && a.bound > a.total) return "the bound is above the value";
  if (a.bounded && reference.known && a.bound > reference.total)
    return "the bound is above a known value";
  if (reference.proven && a.total < reference.total) return "the value is below a proven optimum";
  return {};
}

}  // namespace selection_benchmark
