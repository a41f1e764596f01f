// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <files.hpp>
#include <linalg/options.hpp>
#include <linalg/problem.hpp>
#include <linalg/read_networks.hpp>

namespace linalg_benchmark {

using wf_benchmark::read_whole;

/// Measures problems one after the other and prints the results. Returns the exit code.
int run_problems(const options& o, const std::vector<problem>& problems);

/// Also runs plans with nearly the least predicted time, and reports how often the chosen plan is
/// among the fastest. Returns the exit code.
int run_cost_model(const options& o, const std::vector<problem>& problems);

/// Products of many matrices: flops against proven optima, and times.
int run_chains(const options& o);

/// Natural forms of formulas against library programs.
int run_library(const options& o);

/// Contractions: the work of their orders, and their times.
int run_einsum(const options& o);

/// Contractions written as equations, in the order that `optimise` finds: its flops against those
/// of the best order, and its time against that of the order from the left, within limits on memory
/// and time. True if no plan needs more flops than the best order.
bool run_contractions(const options& o, const std::vector<einsum_problem>& problems);

/// Large products with Strassen's scheme and others.
int run_strassen(const options& o);

/// Small matrices of fixed size, planned while compiling.
int run_static(const options& o);

/// Formulas in single precision beside the same in double precision.
int run_single(const options& o);

/// Plans under halved and doubled limits on proposals.
int run_limits(const options& o);

/// A problem set and the function that runs it and returns the exit code.
struct problem_set {
  const char* name;
  int (*run)(const options&);
};

inline constexpr problem_set own_sets[] = {
    {"chains", &run_chains},     {"library", &run_library}, {"einsum", &run_einsum},
    {"strassen", &run_strassen}, {"single", &run_single},   {"static", &run_static},
    {"limits", &run_limits},
};

inline int fail(const std::string& message) {
  std::fprintf(stderr, "linalg: %s\n", message.c_str());
  return 1;
}

/// The path of a file in the data folder; empty, with a message, if it is missing.
inline std::string data_file(const std::string& name) {
  const char* const folder = std::getenv("WF_DATA_DIR");
  const auto file = std::filesystem::path(folder == nullptr ? "../shared/data" : folder) / name;
  if (std::filesystem::exists(file)) return file.string();
  std::printf("linalg: skipped: no data; set WF_DATA_DIR to the folder that has %s\n",
              name.c_str());
  return "";
}

}  // namespace linalg_benchmark
