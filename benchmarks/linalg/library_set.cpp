// SPDX-License-Identifier: BSL-1.0
//
// Library tests: wf on the natural form against Eigen, Armadillo, and the best known variant.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <wf/capture/equations/equations.hpp>

#include <csv.hpp>
#include <linalg/agreement.hpp>
#include <linalg/inputs.hpp>
#include <linalg/library.hpp>
#include <linalg/report.hpp>
#include <linalg/sets.hpp>
#include <linalg/suite.hpp>
#include <linalg/timing.hpp>
#include <linalg/wf_plan.hpp>

namespace linalg_benchmark {

namespace {

/// Published seconds by test and system; empty where the table is missing.
using published_table = std::map<std::string, std::map<std::string, double>>;

published_table read_published() {
  const char* const data = std::getenv("WF_DATA_DIR");
  std::ifstream file(std::string(data == nullptr ? "../shared/data" : data) +
                     "/lamp/published_seconds_n3000_1core.csv");
  published_table out;
  std::vector<std::string> systems;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> cells = wf_benchmark::cells_of(line);
    for (std::size_t i = 1; i < cells.size(); ++i)
      if (cells[0] == "test")
        systems.push_back(cells[i]);
      else if (cells[i][0] != '-' && i <= systems.size())
        out[cells[0]][systems[i - 1]] = std::strtod(cells[i].c_str(), nullptr);
  }
  return out;
}

/// For each system, the time of the natural form over the best published one: "Eigen 3.3 ...".
std::string published_ratios(const published_table& all, const library_test& t) {
  const auto natural = all.find(t.published);
  if (natural == all.end()) return "";
  double best = 1e300;
  std::istringstream rows(t.best);
  for (std::string row; rows >> row;)
    if (const auto found = all.find(row); found != all.end())
      for (const auto& [system, seconds] : found->second) best = std::min(best, seconds);
  std::string out;
  for (const auto& [system, seconds] : natural->second) {
    char text[40];
    std::snprintf(text, sizeof text, "%s%s %.2f", out.empty() ? "" : " ", system.c_str(),
                  seconds / best);
    out += text;
  }
  return out;
}

std::vector<rival> rivals_of(const std::string& test, const wf::named_matrices& inputs) {
  std::vector<rival> all = eigen_library_rivals(test, inputs);
  const auto best = all.size() < 3 ? all.end() : all.begin() + 2;
  std::vector<rival> others = armadillo_library_rivals(test, inputs);
  all.insert(best, others.begin(), others.end());
  return all;
}

row run_test(const library_test& t, const options& o, std::string* plan) {
  row out;
  out.problem = t.what.name;
  out.sizes = detail::sizes_of(t.what);
  const auto captured = wf::equations({t.what.name.data(), t.what.name.size()},
                                      {t.what.text.data(), t.what.text.size()});
  if (!captured) return out.failure = detail::characters(captured.error()), out;
  const auto planned = plan_formula(captured->view(), o.plan_seconds);
  if (!planned) return out.failure = detail::characters(planned.error()), out;
  out.planning_seconds = planned->planning_seconds;
  const wf::named_matrices inputs = make_inputs(t.what, o.seed);
  const std::vector<rival> rivals = rivals_of(t.what.name, inputs);
  if (rivals.empty()) return out.failure = "has no rivals", out;
  const bound_program program = planned->bind(inputs);
  wf::result<wf::nothing> done = wf::nothing{};
  std::vector<contestant> all = {{"wf", [&] { done = program.run(); }}};
  for (const rival& r : rivals) all.push_back({r.name, r.run});
  measure(all, o.how);
  if (!done) return out.failure = detail::characters(done.error()), out;
  out.wf_seconds = median(all[0].seconds);
  for (std::size_t i = 1; i < all.size(); ++i) out.add(all[i].name, median(all[i].seconds));
  detail::check(out, detail::largest_extent(t.what), *program.outputs, rivals,
                rivals[naive_form].outputs());
  if (plan != nullptr) *plan = plan_text(planned->chosen.view(), inputs);
  return out;
}

}  // namespace

int run_library(const options& o) {
  const double scale = o.scale > 0 ? o.scale : 3;
  const auto side = std::max<std::int64_t>(4, std::llround(3000 / scale));
  const std::regex wanted(o.match);
  const published_table published = read_published();
  std::printf("library: matrices of %lld rows and columns, seed %llu\n",
              static_cast<long long>(side), static_cast<unsigned long long>(o.seed));
  std::vector<std::string> names;
  std::vector<row> rows;
  bool failed = false;
  const bool in_colour = isatty(STDOUT_FILENO) != 0;
  for (const library_test& t : library_tests(side)) {
    if (!std::regex_match(t.what.name, wanted)) continue;
    if (names.empty()) {
      for (const rival& r : rivals_of(t.what.name, {})) names.push_back(r.name);
      print_head(names);
    }
    std::string plan;
    rows.push_back(run_test(t, o, o.plans ? &plan : nullptr));
    print_row(rows.back(), names.size(), in_colour);
    std::fputs(plan.c_str(), stdout);
    if (const std::string line = published_ratios(published, t); !line.empty())
      std::printf("    published, n = 3000, times the best of all: %s\n", line.c_str());
    failed = failed || !rows.back().failure.empty();
  }
  print_results("library", names, rows);
  if (!o.csv.empty() && !write_csv(o.csv, names, rows)) {
    std::fprintf(stderr, "linalg: '%s' cannot be written\n", o.csv.c_str());
    return 1;
  }
  return failed ? 1 : 0;
}

}  // namespace linalg_benchmark
