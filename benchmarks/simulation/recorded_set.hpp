// SPDX-License-Identifier: BSL-1.0
#pragma once

// The recorded executions, and what the simplest models predict for them.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <wf/adapt/wfformat/fit.hpp>
#include <wf/adapt/wfformat/reader.hpp>

#include <csv.hpp>
#include <files.hpp>

namespace simulation_benchmark {

/// A recorded execution.
struct recorded_run {
  std::string name, group, engine;
  wf::wfformat::recorded_model model;
  wf::wfformat::fit_sample sample;
  double naive = 0, hub = 0;  ///< makespans of the published simple models, in seconds
  double four_constants = 0;  ///< that of the published baseline, fitted on the others
};

/// The relative error of a prediction, in percent.
inline double error_of(const recorded_run& run, double seconds) {
  return 100 * std::abs(seconds - run.sample.recorded) / run.sample.recorded;
}

/// A quantile of values, between the two nearest ones; 0 of none.
inline double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (values[high] - values[low]) * (at - static_cast<double>(low));
}

/// Reads the runs of a data folder whose archive is unpacked in `unpacked`; false, with a message,
/// if one is invalid. Groups are families; the sizes of BLAST and of BWA are one each.
inline bool read_runs(const std::string& unpacked, const std::string& data,
                      std::vector<recorded_run>& out) {
  std::map<std::string, std::map<std::string, std::string>> baseline;
  for (const auto& row : wf_benchmark::read_rows(data + "/baseline.csv"))
    baseline[row.at("instance")] = row;
  for (const auto& row : wf_benchmark::read_rows(data + "/facts.csv")) {
    const auto number = [&](const char* column) {
      return std::strtod(baseline[row.at("instance")][column].c_str(), nullptr);
    };
    const std::string source = wf_benchmark::read_whole(unpacked + "/" + row.at("path"));
    const auto read = wf::wfformat::parse(wf::text_view(source.data(), source.size()));
    auto model = read ? wf::wfformat::recorded_model::of(*read) : read.error();
    if (!model) {
      std::printf("%s: %s\n", row.at("path").c_str(),
                  std::string(to_text(model.error()).view()).c_str());
      return false;
    }
    recorded_run run{row.at("instance"), row.at("family"), row.at("engine"), *model, {}, 0, 0, 0};
    for (const char* pooled : {"BLAST", "BWA"})
      if (run.group.starts_with(pooled)) run.group = pooled;
    run.sample = {std::strtod(row.at("makespan_s").c_str(), nullptr), model->ideal(),
                  model->load()};
    run.naive = number("naive_s");
    run.hub = number("hub_s");
    run.four_constants = number("loo_s");
    out.push_back(std::move(run));
  }
  return true;
}

/// Predicts with the line in the number of tasks that has the least sum of relative errors on some
/// runs; such a line passes through two of them, or is constant through one.
inline double by_line(const std::vector<recorded_run>& runs, const std::vector<std::size_t>& fitted,
                      std::size_t target) {
  const auto tasks = [&](std::size_t i) { return runs[i].sample.load.tasks; };
  const auto time = [&](std::size_t i) { return runs[i].sample.recorded; };
  double least = INFINITY, out = 0;
  for (const std::size_t a : fitted)
    for (const std::size_t b : fitted) {
      const double slope = tasks(a) == tasks(b) ? 0 : (time(b) - time(a)) / (tasks(b) - tasks(a));
      double sum = 0;
      for (const std::size_t i : fitted)
        sum += std::abs(time(a) + slope * (tasks(i) - tasks(a)) - time(i)) / time(i);
      if (sum >= least) continue;
      least = sum;
      out = time(a) + slope * (tasks(target) - tasks(a));
    }
  return out;
}

}  // namespace simulation_benchmark
