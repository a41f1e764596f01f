// SPDX-License-Identifier: BSL-1.0
//
// Compares wf with Eigen and Armadillo on the same textbook formulas in one process: tools/bench
// linalg (see options.hpp). Times are medians of thread CPU time; a ratio above 1 means that wf is
// faster.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include <linalg/options.hpp>
#include <linalg/read_linnea.hpp>
#include <linalg/report.hpp>
#include <linalg/sets.hpp>
#include <linalg/suite.hpp>

namespace {

using namespace linalg_benchmark;

/// Measures and prints the rates of matrix products; false if OpenBLAS is slower than 0.7 times
/// Eigen, which would be unfair.
bool measure_rates() {
  const double eigen = eigen_product_rate(), openblas = openblas_product_rate();
  std::printf("dgemm: Eigen %.1f GFLOP/s", eigen);
  if (openblas == 0) {
    std::printf("; built without Armadillo and OpenBLAS, which are left out\n");
    return true;
  }
  std::printf(", OpenBLAS %.1f GFLOP/s\n", openblas);
  if (openblas >= 0.7 * eigen) return true;
  std::fprintf(stderr,
               "linalg: OpenBLAS runs at less than 0.7 of the rate of Eigen: it does not know this "
               "processor. Set OPENBLAS_CORETYPE, or run tools/bench linalg, which tries some.\n");
  return false;
}

/// The data file of a set; empty without a data folder.
std::string file_of(const options& o) {
  if (!o.file.empty()) return o.file;
  const char* const data = std::getenv("WF_DATA_DIR");
  const std::filesystem::path file =
      std::filesystem::path(data == nullptr ? "../shared/data" : data) / "linnea" /
      (o.set == "random" ? "random_public.json" : "application_public.json");
  return std::filesystem::exists(file) ? file.string() : "";
}

}  // namespace

namespace linalg_benchmark {

int run_problems(const options& o, const std::vector<problem>& problems) {
  const std::vector<std::string> rivals = rival_names();
  const bool in_colour = isatty(STDOUT_FILENO) != 0, is_watched = isatty(STDERR_FILENO) != 0;
  std::vector<row> rows;
  bool failed = false;
  print_head(rivals);
  for (const problem& p : problems) {
    if (is_watched)
      std::fprintf(stderr, "\r\033[Kproblem %zu of %zu: %s\r", rows.size() + 1, problems.size(),
                   p.name.c_str());
    std::string plan;
    rows.push_back(run_problem(p, o, o.plans ? &plan : nullptr));
    if (is_watched) std::fprintf(stderr, "\033[K");
    print_row(rows.back(), rivals.size(), in_colour);
    std::fputs(plan.c_str(), stdout);
    failed = failed || !rows.back().failure.empty();
  }
  print_results(o.file.empty() ? o.set : std::filesystem::path(o.file).stem().string(), rivals,
                rows);
  if (!o.csv.empty() && !write_csv(o.csv, rivals, rows))
    return fail("'" + o.csv + "' cannot be written");
  return failed ? 1 : 0;
}

}  // namespace linalg_benchmark

int main(int count, char** words) {
  options o;
  if (const int code = read_command(count, words, o); code >= 0) return code;
  if (o.rates) return measure_rates() ? 0 : 1;
  for (const problem_set& set : own_sets)
    if (o.set == set.name) return measure_rates() ? set.run(o) : 1;
  const std::string path = file_of(o);
  if (path.empty()) {
    std::printf("linalg: skipped: no data; set WF_DATA_DIR to the folder that has linnea/\n");
    return 0;
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail("'" + path + "' cannot be opened");
  const std::string source{std::istreambuf_iterator<char>(file), {}};
  const double scale = o.scale > 0 ? o.scale : o.file.empty() && o.set == "applications" ? 5 : 1;
  auto problems = read_linnea({source.data(), source.size()}, scale);
  if (!problems) return fail(path + ": " + detail::characters(problems.error()));
  const std::regex wanted(o.match);
  std::erase_if(*problems, [&](const problem& p) { return !std::regex_match(p.name, wanted); });
  if (problems->empty()) return fail("no problem matches '" + o.match + "'");
  if (!measure_rates()) return 1;
  std::printf("%s: %zu problems, extents divided by %g, seed %llu\n", path.c_str(),
              problems->size(), scale, static_cast<unsigned long long>(o.seed));
  return o.cost_model ? run_cost_model(o, *problems) : run_problems(o, *problems);
}
