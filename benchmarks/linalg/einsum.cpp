// SPDX-License-Identifier: BSL-1.0
//
// Contractions: the flops of wf's orders of small expressions against those of other planners, the
// plans of `optimise` for them, and the orders of large networks against published costs.
#include <linalg/sets.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include <wf/contraction/exact_search.hpp>
#include <wf/contraction/large/search.hpp>
#include <wf/contraction/network.hpp>

#include <csv.hpp>
#include <linalg/read_networks.hpp>
#include <linalg/report.hpp>
#include <linalg/timing.hpp>

namespace linalg_benchmark {

namespace {

std::string message_of(const wf::error& e) { return static_cast<std::string>(wf::to_text(e)); }

/// Ratios of one comparison; above 1 they favour wf.
class ratio_list {
 public:
  void add(double ratio, double tolerance) {
    logarithms_ += std::log(ratio);
    worst_ = std::min(worst_, ratio);
    losses_ += ratio < 1 - tolerance ? 1 : 0;
    ++problems_;
  }
  void print(const char* set, const char* rival) const {
    if (problems_ == 0) return;
    std::printf(
        "RESULT suite=linalg set=%s rival=%s geomean=%.4g worst=%.4g losses=%zu "
        "problems=%zu\n",
        set, rival, std::exp(logarithms_ / static_cast<double>(problems_)), worst_, losses_,
        problems_);
  }
  bool has_losses() const { return losses_ != 0; }

 private:
  double logarithms_ = 0, worst_ = INFINITY;
  std::size_t losses_ = 0, problems_ = 0;
};

/// Compares the orders of the expressions; true if none needs more flops than the best known.
bool compare_expressions(const std::vector<einsum_problem>& problems) {
  ratio_list ratios;
  double planning = 0;
  for (const einsum_problem& p : problems) {
    const double begin = thread_seconds();
    const auto network = wf::parse_network({p.equation.data(), p.equation.size()},
                                           {p.shapes.data(), p.shapes.size()});
    if (!network) return fail(p.equation + ": " + message_of(network.error())), false;
    const auto order = wf::best_contraction(*network);
    if (!order) return fail(p.equation + ": " + message_of(order.error())), false;
    planning += thread_seconds() - begin;
    if (order->cost.flops != p.known_flops)
      std::printf("%-42s %16.0f flops, best known %16.0f\n", p.equation.c_str(), order->cost.flops,
                  p.known_flops);
    ratios.add(p.known_flops / order->cost.flops, 0);
  }
  std::printf("%zu expressions, all others as many flops as the best known; planned in %.2f ms\n",
              problems.size(), 1e3 * planning);
  ratios.print("einsum", "best_of_three_planners");
  return !ratios.has_losses();
}

/// Published costs by network: log10 of the multiplications.
std::map<std::string, double> read_costs(const std::string& path) {
  std::map<std::string, double> out;
  for (auto& row : wf_benchmark::read_rows(path))
    out[row["instance"]] = std::strtod(row["best_log10mults"].c_str(), nullptr);
  return out;
}

/// Searches orders of the large networks and compares their multiplications.
void compare_networks(const options& o, const std::string& folder) {
  ratio_list ratios;
  std::printf("%-36s %7s %14s %14s %14s %9s\n", "network", "tensors", "best known", "wf", "largest",
              "seconds");
  for (const auto& [name, known] : read_costs(folder + "/costs_found_here.csv")) {
    if (!std::regex_match(name, std::regex(o.match))) continue;
    const std::string source = read_whole(folder + "/" + name + ".json");
    const auto network = network_reader({source.data(), source.size()}).read_network();
    if (!network) {
      fail(name + ": " + message_of(network.error()));
      continue;
    }
    const double begin = thread_seconds();
    wf::contraction_limits limits;
    limits.seed = o.seed;
    limits.rounds = 8;
    limits.sweeps = 60000;
    const auto order = wf::search_contraction(*network, limits, [&](const auto&) {
      return thread_seconds() - begin < 2 * o.plan_seconds;
    });
    if (!order) {
      fail(name + ": " + message_of(order.error()));
      continue;
    }
    const double found = std::log10(order->cost.multiplications);
    std::printf("%-36s %7zu %11.4f (a) %11.4f (a) %8.1f (b) %9.1f\n", name.c_str(),
                network->operands.size(), known, found, std::log2(order->cost.largest),
                thread_seconds() - begin);
    std::fflush(stdout);
    ratios.add(std::pow(10, known - found), 2e-4);  // known to four digits
  }
  std::printf("(a) log10 of multiplications  (b) log2 of elements\n");
  ratios.print("einsum", "opt_einsum_and_cotengra");
}

}  // namespace

int run_einsum(const options& o) {
  const std::string path = o.file.empty() ? data_file("opt_einsum_exprs/exprs.json") : o.file;
  if (path.empty()) return 0;
  const std::string source = read_whole(path);
  const auto problems = network_reader({source.data(), source.size()}).read_expressions();
  if (!problems) return fail(path + ": " + message_of(problems.error()));
  bool fine = compare_expressions(*problems);
  fine = run_contractions(o, *problems) && fine;
  const std::string costs = data_file("cotengra_benchmarks/costs_found_here.csv");
  if (!costs.empty()) compare_networks(o, std::filesystem::path(costs).parent_path().string());
  return fine ? 0 : 1;
}

}  // namespace linalg_benchmark
