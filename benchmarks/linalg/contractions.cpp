// SPDX-License-Identifier: BSL-1.0
//
// Contractions from equations to results: captured in order from the left, planned by `optimise`,
// run.
#include <linalg/sets.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <wf/capture/equations/equations.hpp>
#include <wf/contraction/exact_search.hpp>
#include <wf/contraction/network.hpp>
#include <wf/contraction/order.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/select/optimise.hpp>

#include <linalg/timing.hpp>
#include <linalg/wf_plan.hpp>

namespace linalg_benchmark {

namespace {

// Limits on an evaluation from the left; the small published extents are doubled within them.
constexpr double most_flops = 1e8, most_elements = 1 << 22;

std::string listed(const std::string& letters) {
  std::string out;
  for (const char c : letters) out += (out.empty() ? "" : ",") + std::string(1, c);
  return "[" + out + "]";
}

/// The text of an expression such as "ab,bc->ac" with its extents times `times_extents`. Indices
/// that occur once are summed explicitly.
std::string equations_of(const einsum_problem& p, std::int64_t times_extents = 1) {
  const std::size_t arrow = std::min(p.equation.find("->"), p.equation.size());
  std::vector<std::string> operands(1);
  std::map<char, int> times;
  for (const char c : p.equation.substr(0, arrow)) {
    if (c == ',')
      operands.emplace_back();
    else
      operands.back() += c, ++times[c];
  }
  std::string head, inputs, product;
  if (arrow < p.equation.size()) {
    head = p.equation.substr(arrow + 2);
  } else {
    for (const auto& [c, n] : times)
      if (n == 1) head += c;
  }
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const std::string name = "T" + std::to_string(k);
    std::string sizes, factor = operands[k].empty() ? name : name + listed(operands[k]);
    for (std::uint32_t d = 0; d < p.shapes[k].rank; ++d)
      sizes += (d == 0 ? "" : ",") + std::to_string(times_extents * p.shapes[k][d].size());
    inputs += "input " + name + " : f64[" + sizes + "]\n";
    for (const char c : operands[k])
      if (times[c] == 1 && head.find(c) == std::string::npos)
        factor = std::string("(reduce(sum, ") + c + ") " + factor + ")";
    product += (k == 0 ? "" : " * ") + factor;
  }
  return inputs + "Y" + listed(head) + " = " + product + "\nexport Y";
}

double largest_of(const wf::graph_view& g) {
  double largest = 0;
  for (const wf::value& v : g.values)
    largest = std::max(largest, static_cast<double>(v.type.shape.elements()));
  return largest;
}

/// True if evaluation from the left is within the limits at these multiplied extents.
bool is_affordable(const einsum_problem& p, std::int64_t times_extents) {
  const std::string text = equations_of(p, times_extents);
  const auto g = wf::equations("contraction", {text.data(), text.size()});
  if (!g) return false;
  const auto flops = wf::price(g->view(), wf::flops);
  return flops && static_cast<double>(*flops) <= most_flops &&
         largest_of(g->view()) <= most_elements;
}

wf::named_matrices inputs_of(const wf::graph_view& g, std::uint64_t seed) {
  wf::named_matrices out;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0.1, 1);
  for (const wf::value& v : g.values) {
    if (v.producer != wf::node_id::none) continue;
    const wf::shape& s = v.type.shape;
    const Eigen::Index rows = s.rank == 0 || s.rank > 2 ? 1 : s[0].size();
    out[std::string(g.text_of(v.name))] =
        wf::dynamic_matrix::NullaryExpr(rows, s.elements() / rows, [&] { return uniform(random); });
  }
  return out;
}

struct contraction_totals {
  double logarithms = 0, worst = INFINITY;
  std::size_t plans = 0, worse = 0, refused = 0, measured = 0, losses = 0, as_written = 0;
};

/// Times the order as written and the order of least predicted time, alternately.
void measure_orders(const options& o, const einsum_problem& p, std::int64_t grown,
                    contraction_totals& totals) {
  const std::string text = equations_of(p, grown);
  const wf::graph written = *wf::equations("contraction", {text.data(), text.size()});
  auto planned = plan_formula(written.view(), o.plan_seconds);
  auto plain = prepare_plan(written);
  if (!planned || !plain) {
    fail(p.equation + ": " +
         std::string((!planned ? planned.error() : plain.error()).message.view()));
    ++totals.losses;
    return;
  }
  if (wf::to_text(planned->chosen.view()).view() == wf::to_text(written.view()).view()) {
    std::printf("%-42s %6lld as written\n", p.equation.c_str(), static_cast<long long>(grown));
    ++totals.as_written;
    return;
  }
  const wf::named_matrices inputs = inputs_of(written.view(), o.seed);
  const bound_program left = plain->bind(inputs), best = planned->bind(inputs);
  if (!left.run() || !best.run()) {
    fail(p.equation + " does not run");
    ++totals.losses;
    return;
  }
  const auto& expected = (*left.outputs)[0];
  const double difference = ((*best.outputs)[0] - expected).norm() / expected.norm();
  std::vector<contestant> both;
  both.push_back({"written", [&] { (void)left.run(); }});
  both.push_back({"planned", [&] { (void)best.run(); }});
  measuring how = o.how;
  how.seconds = std::min(how.seconds, 0.5);
  measure(both, how);
  const double before = median(both[0].seconds), after = median(both[1].seconds);
  const bool wrong = !(difference < 1e-10), slower = after > 1.02 * before;
  std::printf("%-42s %6lld %12.4g us %12.4g us %8.2f %9.1e %8.1f ms%s%s\n", p.equation.c_str(),
              static_cast<long long>(grown), 1e6 * before, 1e6 * after, before / after, difference,
              1e3 * planned->planning_seconds, slower ? "  slower" : "", wrong ? "  WRONG" : "");
  totals.logarithms += std::log(before / after);
  totals.worst = std::min(totals.worst, before / after);
  totals.losses += slower || wrong ? 1 : 0;
  ++totals.measured;
}

}  // namespace

bool run_contractions(const options& o, const std::vector<einsum_problem>& problems) {
  contraction_totals totals;
  std::printf("\n%-42s %6s %15s %15s %8s %9s %11s\n", "contraction", "times", "from the left",
              "planned", "ratio", "differs", "planning");
  for (const einsum_problem& p : problems) {
    const std::string text = equations_of(p);
    const auto written = wf::equations("contraction", {text.data(), text.size()});
    if (!written) {
      std::printf("%-42s %s\n", p.equation.c_str(),
                  std::string(written.error().message.view()).c_str());
      ++totals.refused;
      continue;
    }
    const auto network = wf::parse_network({p.equation.data(), p.equation.size()},
                                           {p.shapes.data(), p.shapes.size()});
    const auto best =
        wf::best_contraction(*network, {wf::contraction_count::operators, wf::max_rank});
    const auto plan = wf::optimise(written->view(), wf::minimise(wf::flops));
    if (!best || !plan) {
      fail(p.equation + ": " + std::string((best ? plan.error() : best.error()).message.view()));
      ++totals.worse;
      continue;
    }
    ++totals.plans;
    if (static_cast<double>(plan->value) > best->cost.flops) {
      std::printf("%-42s %lld flops, best order %.0f\n", p.equation.c_str(),
                  static_cast<long long>(plan->value), best->cost.flops);
      ++totals.worse;
    }
    std::int64_t grown = 1;
    while (grown < 4096 && is_affordable(p, 2 * grown)) grown *= 2;
    if (is_affordable(p, grown)) measure_orders(o, p, grown, totals);
  }
  std::printf(
      "%zu planned, %zu of them with more flops than the best order; %zu refused; %zu are "
      "fastest as written\n",
      totals.plans, totals.worse, totals.refused, totals.as_written);
  if (totals.measured > 0)
    std::printf(
        "RESULT suite=linalg set=einsum rival=order_from_the_left geomean=%.4g worst=%.4g "
        "losses=%zu problems=%zu\n",
        std::exp(totals.logarithms / static_cast<double>(totals.measured)), totals.worst,
        totals.losses, totals.measured);
  return totals.worse == 0;
}

}  // namespace linalg_benchmark
