// SPDX-License-Identifier: BSL-1.0
//
// Quality of the model of time: for each problem the plans with nearly the least predicted time run
// alternately with the chosen plan and the plan of least flops.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <wf/capture/equations/equations.hpp>
#include <wf/registry/times/host_times.hpp>

#include <linalg/inputs.hpp>
#include <linalg/near_best.hpp>
#include <linalg/scatter.hpp>
#include <linalg/sets.hpp>
#include <linalg/suite.hpp>
#include <linalg/timing.hpp>
#include <linalg/wf_plan.hpp>

namespace linalg_benchmark {

namespace {

constexpr std::size_t most_plans = 12;
constexpr double slack = 2;      // plans with a predicted time beyond this factor are left out
constexpr double within = 1.05;  // the chosen plan should be within this factor of the fastest one

struct measured_plan {
  near_plan plan;
  double seconds = 0;
};

/// Measures the plans of a problem; returns why there are none, or nothing.
std::string measure_plans(const problem& p, const options& o, std::vector<measured_plan>& out) {
  const auto captured =
      wf::equations({p.name.data(), p.name.size()}, {p.text.data(), p.text.size()});
  if (!captured) return detail::characters(captured.error());
  const double begin = thread_seconds();
  auto plans = near_plans(captured->view(), wf::builtin_transforms()).find(most_plans, slack, [&] {
    return thread_seconds() - begin < std::min(o.plan_seconds, 10.0);
  });
  if (!plans) return detail::characters(plans.error());
  const wf::named_matrices inputs = make_inputs(p, o.seed);
  std::vector<bound_program> programs;
  for (near_plan& each : *plans) {
    auto ready = prepare_plan(wf::graph(each.chosen.view()));
    if (!ready) continue;
    programs.push_back(ready->bind(inputs));
    out.push_back({std::move(each)});
  }
  std::vector<contestant> all;
  for (const bound_program& each : programs) all.push_back({"", [&each] { (void)each.run(); }});
  measure(all, o.how);
  for (std::size_t i = 0; i < all.size(); ++i) out[i].seconds = median(all[i].seconds);
  return out.empty() || !out[0].plan.by_time ? "the chosen plan does not run" : "";
}

struct outcome {
  double by_time = 0, by_flops = 0;  // times of the plans of least predicted time and of least
                                     // flops over that of the fastest
};

outcome outcome_of(const std::vector<measured_plan>& plans) {
  double fastest = INFINITY;
  outcome out;
  for (const measured_plan& m : plans) fastest = std::min(fastest, m.seconds);
  for (const measured_plan& m : plans) {
    if (m.plan.by_time) out.by_time = m.seconds / fastest;
    if (m.plan.by_flops && out.by_flops == 0) out.by_flops = m.seconds / fastest;
  }
  return out;
}

/// Prints the chosen plan and the fastest one node by node, if they differ by more than allowed.
void print_slower(const problem& p, const options& o, const std::vector<measured_plan>& plans) {
  const auto fastest = std::min_element(
      plans.begin(), plans.end(),
      [](const measured_plan& a, const measured_plan& b) { return a.seconds < b.seconds; });
  const wf::named_matrices inputs = make_inputs(p, o.seed);
  for (const measured_plan* m : {&plans[0], &*fastest})
    std::printf("  %s: predicted %.3f ms, measured %.3f ms\n%s",
                m == &plans[0] ? "chosen" : "fastest", 1e3 * m->plan.predicted, 1e3 * m->seconds,
                plan_text(m->plan.chosen.view(), inputs).c_str());
}

void write_rows(std::ostream& file, const problem& p, const std::vector<measured_plan>& plans) {
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const measured_plan& m = plans[i];
    file << p.name << ',' << detail::sizes_of(p) << ',' << i << ',' << m.plan.predicted << ','
         << m.seconds << ',' << m.plan.flops << ',' << m.plan.by_time << ',' << m.plan.by_flops
         << '\n';
  }
}

}  // namespace

int run_cost_model(const options& o, const std::vector<problem>& problems) {
  std::ofstream table;
  if (!o.csv.empty()) table.open(o.csv);
  table << "problem,sizes,plan,predicted_seconds,measured_seconds,flops,by_time,by_flops\n";
  std::printf("%-12s %-20s %6s %11s %11s %9s %9s\n", "problem", "sizes", "plans", "predicted",
              "measured", "by time", "by flops");
  std::vector<scatter_point> points;
  std::size_t count = 0, good = 0, good_by_flops = 0;
  double logarithms = 0, worst = INFINITY, error = 0;
  bool failed = false;
  for (const problem& p : problems) {
    std::vector<measured_plan> plans;
    if (const std::string why = measure_plans(p, o, plans); !why.empty()) {
      std::printf("%-12s FAILED: %s\n", p.name.c_str(), why.c_str());
      failed = true;
      continue;
    }
    const outcome found = outcome_of(plans);
    std::printf("%-12s %-20s %6zu %8.3f ms %8.3f ms %8.2fx %8.2fx%s\n", p.name.c_str(),
                detail::sizes_of(p).c_str(), plans.size(), 1e3 * plans[0].plan.predicted,
                1e3 * plans[0].seconds, found.by_time, found.by_flops,
                found.by_time > within ? " SLOWER" : "");
    if (o.plans && found.by_time > within) print_slower(p, o, plans);
    std::fflush(stdout);
    ++count;
    good += found.by_time <= within ? 1 : 0;
    good_by_flops += found.by_flops <= within ? 1 : 0;
    logarithms -= std::log(found.by_time);
    worst = std::min(worst, 1 / found.by_time);
    write_rows(table, p, plans);
    for (const measured_plan& m : plans) {
      points.push_back({m.plan.predicted, m.seconds, m.plan.by_time, p.name});
      error += std::abs(std::log(m.plan.predicted / m.seconds));
    }
  }
  if (count > 0) {
    std::printf(
        "RESULT suite=linalg set=%s cost_model=time within_5_percent=%zu problems=%zu "
        "share=%.3f\n",
        o.set.c_str(), good, count, static_cast<double>(good) / static_cast<double>(count));
    std::printf(
        "RESULT suite=linalg set=%s cost_model=flops within_5_percent=%zu problems=%zu "
        "share=%.3f\n",
        o.set.c_str(), good_by_flops, count,
        static_cast<double>(good_by_flops) / static_cast<double>(count));
    std::printf(
        "RESULT suite=linalg set=%s rival=best_variant geomean=%.2f worst=%.2f losses=%zu "
        "problems=%zu\n",
        o.set.c_str(), std::exp(logarithms / static_cast<double>(count)), worst, count - good,
        count);
    std::printf("predictions are off by a factor of %.2f in the geometric mean of %zu plans\n",
                std::exp(error / static_cast<double>(points.size())), points.size());
  }
  if (!o.picture.empty() && !write_scatter(o.picture, points)) return fail(o.picture);
  table.close();
  if (!o.csv.empty() && table.fail()) return fail("'" + o.csv + "' cannot be written");
  return failed ? 1 : 0;
}

}  // namespace linalg_benchmark
