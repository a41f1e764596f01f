// SPDX-License-Identifier: BSL-1.0
//
// Products of many matrices: the flops of wf's plans against the proven minimum over all orders,
// and their times against those of products from the left.
#include <linalg/sets.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <wf/capture/equations/equations.hpp>
#include <wf/cost/cost.hpp>
#include <wf/select/optimise.hpp>

#include <linalg/chain_problems.hpp>
#include <linalg/suite.hpp>

namespace linalg_benchmark {

namespace {

/// The cost of wf's plan of least flops for a chain.
struct planned_work {
  double flops = INFINITY;
  bool proven = false;
  double seconds = 0;
  std::string failure;
};

planned_work plan_least_work(const problem& p, double seconds) {
  planned_work out;
  const double begin = thread_seconds();
  const auto captured =
      wf::equations({p.name.data(), p.name.size()}, {p.text.data(), p.text.size()});
  if (!captured) return out.failure = detail::characters(captured.error()), out;
  const auto in_time = [&](const auto&) { return thread_seconds() - begin < seconds; };
  const auto made = wf::optimise(captured->view(), wf::minimise(wf::flops), {},
                                 wf::builtin_registry(), {}, in_time);
  if (!made) return out.failure = detail::characters(made.error()), out;
  out.seconds = thread_seconds() - begin;
  out.proven = made->proven_optimal;
  const auto flops = wf::price(made->chosen.view(), wf::flops);
  if (!flops) return out.failure = detail::characters(flops.error()), out;
  out.flops = static_cast<double>(*flops);
  return out;
}

/// Plans all chains by flops alone; returns true if every plan attains the optimum.
bool compare_work(const std::vector<chain>& chains, const std::vector<problem>& problems,
                  double seconds) {
  double logarithms = 0, worst = INFINITY;
  std::size_t losses = 0;
  std::printf("%-40s %8s %16s %16s %9s %7s %11s\n", "chain", "factors", "least flops", "wf flops",
              "gap", "proven", "planning");
  for (std::size_t i = 0; i < chains.size(); ++i) {
    const planned_work wf = plan_least_work(problems[i], seconds);
    const double least = 2 * chains[i].least_multiplications, ratio = least / wf.flops;
    std::printf("%-40s %8zu %16.0f %16.0f %8.3f%% %7s %8.1f ms %s\n", chains[i].name.c_str(),
                problems[i].inputs.size(), least, wf.flops, 100 * (wf.flops / least - 1),
                wf.proven ? "yes" : "no", 1e3 * wf.seconds, wf.failure.c_str());
    logarithms += std::log(ratio);
    worst = std::min(worst, ratio);
    losses += ratio < 1 ? 1 : 0;
  }
  std::printf(
      "RESULT suite=linalg set=chains rival=optimum geomean=%.4f worst=%.4f losses=%zu "
      "problems=%zu\n",
      std::exp(logarithms / static_cast<double>(chains.size())), worst, losses, chains.size());
  return losses == 0;
}

}  // namespace

int run_chains(const options& o) {
  const std::string path = o.file.empty() ? data_file("matrix_chains/chains.json") : o.file;
  if (path.empty()) return 0;
  const auto chains = chains_of_file(path, o.match);
  if (!chains) return fail(path + ": " + detail::characters(chains.error()));
  if (chains->empty()) return fail("no chain matches '" + o.match + "'");
  std::vector<problem> problems;
  for (const chain& c : *chains) problems.push_back(problem_of(c));
  const bool optimal = compare_work(*chains, problems, o.plan_seconds);
  return run_problems(o, problems) == 0 && optimal ? 0 : 1;
}

}  // namespace linalg_benchmark
