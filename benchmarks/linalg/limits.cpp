// SPDX-License-Identifier: BSL-1.0
//
// Calibration of the limits on proposals: flops of the plans and planning time when each limit
// alone is halved or doubled.
#include <linalg/sets.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <regex>
#include <string>
#include <vector>

#include <wf/capture/equations/equations.hpp>
#include <wf/select/optimise.hpp>

#include <linalg/chain_problems.hpp>
#include <linalg/read_linnea.hpp>
#include <linalg/suite.hpp>

namespace linalg_benchmark {

namespace {

struct planned {
  double flops = 0;    ///< flops of the plan; 0: there is no plan
  double seconds = 0;  ///< time of growth and search
  std::uint32_t cuts = 0;
};

planned plan_within(const wf::graph_view& g, const wf::proposal_limits& limits, double seconds) {
  wf::optimise_options how;
  how.growth.proposals = limits;
  const double begin = thread_seconds();
  const auto in_time = [&](const auto&) { return thread_seconds() - begin < seconds; };
  const auto made =
      wf::optimise(g, wf::minimise(wf::flops), {}, wf::builtin_registry(), how, in_time);
  if (!made) return {};
  return {static_cast<double>(made->value), thread_seconds() - begin,
          made->from.choices.growth().cuts};
}

/// The problems of all published formulas and chains whose names match; empty without the data.
wf::result<std::vector<problem>> all_problems(const options& o) {
  std::vector<problem> out;
  for (const char* const name : {"linnea/application_public.json", "linnea/random_public.json"}) {
    const std::string path = data_file(name);
    if (path.empty()) return std::vector<problem>();
    const std::string source = read_whole(path);
    const auto read = read_linnea({source.data(), source.size()}, 1);
    if (!read) return read.error();
    out.insert(out.end(), read->begin(), read->end());
  }
  const std::regex wanted(o.match);
  std::erase_if(out, [&](const problem& p) { return !std::regex_match(p.name, wanted); });
  const std::string path = data_file("matrix_chains/chains.json");
  if (path.empty()) return std::vector<problem>();
  const auto chains = chains_of_file(path, o.match);
  if (!chains) return chains.error();
  for (const chain& c : *chains) out.push_back(problem_of(c));
  return out;
}

}  // namespace

int run_limits(const options& o) {
  const auto problems = all_problems(o);
  if (!problems) return fail(detail::characters(problems.error()));
  std::vector<wf::graph> graphs;
  for (const problem& p : *problems) {
    auto captured = wf::equations({p.name.data(), p.name.size()}, {p.text.data(), p.text.size()});
    if (!captured) return fail(p.name + ": " + detail::characters(captured.error()));
    graphs.push_back(*captured);
  }
  if (graphs.empty()) return 0;
  const wf::proposal_limits usual;
  std::vector<planned> base;
  for (const wf::graph& g : graphs) {
    plan_within(g.view(), usual, o.plan_seconds);  // warms up, for the sake of the times
    base.push_back(plan_within(g.view(), usual, o.plan_seconds));
  }
  std::printf("%zu problems; flops and planning against the limits of wf\n", graphs.size());
  std::printf("%-22s %8s %6s %8s %8s %12s %12s\n", "limit", "value", "cuts", "cheaper", "dearer",
              "worst flops", "planning");
  std::uint32_t number = 0;
  for (const wf::proposal_limit_row& row : wf::proposal_limit_rows) {
    const std::uint32_t bit = 1U << number++;
    for (const std::uint32_t value :
         {usual.*row.limit / 2, usual.*row.limit, 2 * (usual.*row.limit)}) {
      wf::proposal_limits tried = usual;
      tried.*row.limit = value;
      std::size_t cuts = 0, cheaper = 0, dearer = 0, planned_count = 0;
      double worst = 1, logarithms = 0;
      for (std::size_t i = 0; i < graphs.size(); ++i) {
        const planned now = value == usual.*row.limit
                                ? base[i]
                                : plan_within(graphs[i].view(), tried, o.plan_seconds);
        if (now.flops == 0 || base[i].flops == 0) continue;
        ++planned_count;
        cuts += (now.cuts & bit) != 0 ? 1 : 0;
        cheaper += now.flops < base[i].flops ? 1 : 0;
        dearer += now.flops > base[i].flops ? 1 : 0;
        worst = std::max(worst, now.flops / base[i].flops);
        logarithms += std::log(now.seconds / base[i].seconds);
      }
      const std::string name(row.name.data(), row.name.size());
      const double planning =
          std::exp(logarithms / static_cast<double>(std::max<std::size_t>(planned_count, 1)));
      std::printf("%-22s %8u %6zu %8zu %8zu %12.3f %12.2f\n", name.c_str(), value, cuts, cheaper,
                  dearer, worst, planning);
      std::printf(
          "RESULT suite=linalg set=limits limit=%s value=%u problems=%zu cuts=%zu cheaper=%zu "
          "dearer=%zu worst_flops=%.4f planning=%.3f\n",
          name.c_str(), value, planned_count, cuts, cheaper, dearer, worst, planning);
    }
  }
  return 0;
}

}  // namespace linalg_benchmark
