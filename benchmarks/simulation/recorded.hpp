// SPDX-License-Identifier: BSL-1.0
#pragma once

// Recorded executions: predictions by constants fitted on other runs of the same group.

#include <simulation/recorded_set.hpp>

namespace simulation_benchmark {

/// The weight of the distance of the constants from 0 in all fits.
inline constexpr double recorded_shrinkage = 0.2;

/// Predicts recorded runs, and keeps the makespans that it has simulated.
class recorded_predictor {
 public:
  explicit recorded_predictor(const std::vector<recorded_run>& runs) : runs_(runs) {}

  /// The makespan of a run in seconds. The constants of fits are never out of range.
  double operator()(std::size_t run, const wf::wfformat::engine_constants& c) {
    const auto [at, fresh] = known_.try_emplace({static_cast<double>(run), c[0], c[1], c[2], c[3]});
    if (fresh) at->second = *runs_[run].model.makespan(c);
    return at->second;
  }
  /// The makespan of a run with constants fitted on others.
  double after(const std::vector<std::size_t>& fitted, std::size_t run) {
    std::vector<wf::wfformat::fit_sample> samples;
    for (const std::size_t i : fitted) samples.push_back(runs_[i].sample);
    const auto best = wf::wfformat::fit_constants(
        wf::view<wf::wfformat::fit_sample>(samples.data(), samples.size()),
        [&](std::uint32_t i, const wf::wfformat::engine_constants& c) -> wf::result<double> {
          return (*this)(fitted[i], c);
        },
        {.shrinkage = recorded_shrinkage, .prior = {}});
    return (*this)(run, best->constants);
  }

 private:
  const std::vector<recorded_run>& runs_;
  std::map<std::array<double, 5>, double> known_;
};

/// The errors of one model in percent.
struct error_column {
  std::vector<double> all;
  double median() const { return quantile(all, 0.5); }
  double p90() const { return quantile(all, 0.9); }
  int within10() const {
    return static_cast<int>(
        std::count_if(all.begin(), all.end(), [](double e) { return e <= 10; }));
  }
  void print(const char* name) const {
    std::printf("%-34s n=%zu median=%.1f p90=%.1f within10=%d\n", name, all.size(), median(), p90(),
                within10());
  }
};

/// Prints all models side by side, every miss of wf's, and the result. Returns the exit code.
inline int run_recorded(const std::string& unpacked, const std::string& data) {
  std::vector<recorded_run> runs;
  if (!read_runs(unpacked, data, runs)) return 1;
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < runs.size(); ++i) groups[runs[i].group].push_back(i);
  recorded_predictor predict(runs);
  error_column naive, hub, four, line, own, line_ahead, own_ahead;
  std::printf("%-18s %3s %8s %8s %8s %8s %8s  (median error in %%)\n", "group", "n", "naive", "hub",
              "four", "line", "wf");
  std::string misses;
  for (const auto& [name, members] : groups) {
    error_column columns[5];
    for (const std::size_t target : members) {
      std::vector<std::size_t> others = members;
      std::erase(others, target);
      const recorded_run& run = runs[target];
      const double seconds = predict.after(others, target);
      const double predicted[] = {run.naive, run.hub, run.four_constants,
                                  by_line(runs, others, target), seconds};
      for (int k = 0; k < 5; ++k) columns[k].all.push_back(error_of(run, predicted[k]));
      char text[200];
      std::snprintf(text, sizeof text, "miss %-42s recorded=%.0f predicted=%.0f error=%.1f\n",
                    run.name.c_str(), run.sample.recorded, seconds, columns[4].all.back());
      if (columns[4].all.back() > 10) misses += text;
    }
    std::printf("%-18s %3zu", name.c_str(), members.size());
    for (const error_column& c : columns) std::printf(" %8.1f", c.median());
    std::printf("\n");
    error_column* const sums[] = {&naive, &hub, &four, &line, &own};
    for (int k = 0; k < 5; ++k)
      sums[k]->all.insert(sums[k]->all.end(), columns[k].all.begin(), columns[k].all.end());
    std::vector<std::size_t> sorted = members;
    std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
      return runs[a].sample.load.tasks < runs[b].sample.load.tasks;
    });
    const std::size_t half = sorted.size() / 2;
    if (half < 2) continue;  // nothing can be fitted on one run
    const std::vector<std::size_t> smaller(sorted.begin(),
                                           sorted.begin() + static_cast<std::ptrdiff_t>(half));
    for (std::size_t i = half; i < sorted.size(); ++i) {
      const recorded_run& run = runs[sorted[i]];
      line_ahead.all.push_back(error_of(run, by_line(runs, smaller, sorted[i])));
      own_ahead.all.push_back(error_of(run, predict.after(smaller, sorted[i])));
    }
  }
  std::printf("%s", misses.c_str());
  naive.print("naive");
  hub.print("hub");
  four.print("four constants, leave-one-out");
  line.print("line in tasks, leave-one-out");
  own.print("wf, leave-one-out");
  line_ahead.print("line in tasks, extrapolation");
  own_ahead.print("wf, extrapolation");
  std::printf(
      "RESULT suite=simulation set=recorded median=%.1f p90=%.1f within10=%d line_median=%.1f "
      "extrapolation_median=%.1f extrapolation_within10=%d\n",
      own.median(), own.p90(), own.within10(), line.median(), own_ahead.median(),
      own_ahead.within10());
  return 0;
}

}  // namespace simulation_benchmark
