// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/search/control.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/proof/check.hpp>
#include <wf/select/proof/proof.hpp>
#include <wf/select/proof/recorder.hpp>
#include <wf/select/reduce/reduce.hpp>

namespace wf {

/// Counts of the claims that a program built with WF_CERTIFY has certified so far.
struct certification_log {
  /// Claims with an accepted derivation: "no selection costs less", for one level each.
  std::atomic<std::uint64_t> accepted = 0;
  /// Claims withdrawn because their derivation took more steps or numbers than allowed.
  std::atomic<std::uint64_t> taken_back = 0;
  /// Claims without a proof rule: on maxima, critical paths and measured metrics, and claims that
  /// there is no selection without a complete proof (such as a problem that its reductions leave
  /// empty). Only the prices were recomputed.
  std::atomic<std::uint64_t> without_rule = 0;
  /// Total size of the accepted proofs in numbers, see `selection_proof::size`.
  std::atomic<std::uint64_t> numbers = 0;
  /// Time spent on recording and checking, in microseconds of CPU.
  std::atomic<std::uint64_t> microseconds = 0;
};

/// The log of this program, shared by all threads.
inline certification_log certifications;

namespace detail {

/// Aborts the program because a claim is false.
[[noreturn]] inline void refuse_claim(const std::string& why) {
  std::fprintf(stderr, "wf (WF_CERTIFY): %s\n", why.c_str());
  std::fflush(stderr);
  std::abort();
}

/// One stage of a problem as a problem with that objective and those limits.
inline selection_problem problem_of(const selection_problem& problem,
                                    const selection_stage& stage) {
  selection_problem out = problem;
  out.objective = {};
  out.limits.clear();
  for (std::uint32_t m = 0; m < problem.metrics.size(); ++m) {
    if (stage.weight[m] != 0) out.objective.terms.push_back({m, stage.weight[m]});
    if (stage.maximum[m] != unbounded) out.limits.push_back({m, stage.maximum[m]});
  }
  return out;
}

/// An upper bound above the cost of every selection in a stage with an additive objective;
/// `unbounded` if it is too large.
inline std::int64_t above_all(const selection_problem& p, const selection_stage& stage) {
  int128 total = 1;
  for (std::uint32_t m = 0; m < p.metrics.size(); ++m) {
    for (std::uint32_t n = 0; n < p.candidates.size(); ++n)
      total += static_cast<int128>(stage.weight[m]) * p.cost(n, m);
    for (std::size_t i = 0; i < p.pairs.size(); ++i)
      total += static_cast<int128>(stage.weight[m]) * p.pair_costs[i * p.metrics.size() + m];
  }
  return total < unbounded / 4 ? static_cast<std::int64_t>(total) : unbounded;
}

/// Derives again, with a record, that no selection of a stage costs less than an outcome claims,
/// and checks the record from the problem's definition. Aborts the program if a step of the record
/// does not hold or something costs less. A bound that cannot be derived within about eight times
/// the outcome's steps, or whose proof is too large, is withdrawn: bound 0, not proven. A claim
/// that there is no selection stays in that case.
///
/// `search(problem, stage, reduced, below, limits, recorder)` searches for a selection that costs
/// less than `below`, and returns an outcome.
template <class Outcome, class Search>
void certify(const selection_problem& problem, const selection_stage& stage, bool has_rules,
             Outcome& out, Search&& search) {
  const bool infeasible = !out.found && out.status == search_status::infeasible;
  const std::int64_t claim = infeasible ? above_all(problem, stage) : out.bound;
  if (!infeasible && (claim == unbounded || claim <= 0)) return;  // nothing is claimed
  const std::clock_t begin = std::clock();
  const auto end = [&](std::atomic<std::uint64_t>& kind) {
    ++kind;
    certifications.microseconds += static_cast<std::uint64_t>(
        static_cast<double>(std::clock() - begin) * 1e6 / static_cast<double>(CLOCKS_PER_SEC));
  };
  if (!has_rules || claim == unbounded) return end(certifications.without_rule);
  const std::string says =
      infeasible ? "the search claims that there is no selection"
                 : "the search claims that no selection costs less than " + std::to_string(claim);
  const selection_problem own = problem_of(problem, stage);
  const reduced_selection reduced = reduce(own, stage);
  search_limits limits;
  limits.max_steps = out.steps < (std::uint64_t{1} << 50) ? 8 * out.steps + (1U << 31) : UINT64_MAX;
  proof_recorder recorder(std::size_t{1} << 26);
  recorder.begin(own, stage, reduced);
  const Outcome again = search(own, stage, reduced, claim, limits.resolved(), recorder);
  if (again.found && again.value < claim)
    refuse_claim(says + ", and one that costs " + std::to_string(again.value) + " was found");
  const bool done = !again.found && again.status == search_status::infeasible;
  recorder.end(done, claim);
  const selection_proof proof = recorder.take();
  if (proof.status == proof_status::complete) {
    const std::string wrong = check_proof(own, proof);
    if (!wrong.empty()) refuse_claim(says + ", and its derivation is wrong: " + wrong);
    certifications.numbers += proof.size();
    return end(certifications.accepted);
  }
  if (infeasible) return end(certifications.without_rule);
  out.bound = 0;
  if (out.status == search_status::proven) out.status = search_status::stopped_by_limit;
  end(certifications.taken_back);
}

}  // namespace detail
}  // namespace wf
