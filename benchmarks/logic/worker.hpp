// SPDX-License-Identifier: BSL-1.0
#pragma once

// A worker holds the facts of one problem and solves it as often as it is asked, so that wf and its
// rivals can take turns. It prints "ready", and reads lines:
//
//     run N    solves the problem N times; prints the medians of the CPU seconds until the results
//              are there and of those until their facts are listed, too, and the number of facts
//     answer   writes the last results to files of the worker's folder, rows in order and numbers
//              little-endian: of each relation NAME the positions and whole values as words of 32
//              bits, and of values NAME.values, doubles; prints "written"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include <cpu_time.hpp>

namespace logic_benchmark {

/// Facts of a relation, or entries of a tensor.
struct fact_list {
  std::string name;
  std::vector<std::vector<std::uint32_t>> columns;  ///< of positions
  std::vector<double> values;                       ///< by row, of a tensor
};

/// Appends the bytes of a number, the least significant first.
template <class Word>
void put_bytes(std::ostream& out, Word word) {
  for (unsigned shift = 0; shift < 8 * sizeof word; shift += 8)
    out.put(static_cast<char>(word >> shift & 0xff));
}

/// Writes facts in lexicographic order to a folder, as the protocol says.
inline void write_facts(const fact_list& facts, const std::string& folder) {
  const std::size_t rows = facts.columns.empty() ? facts.values.size() : facts.columns[0].size();
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (const auto& column : facts.columns)
      if (column[a] != column[b]) return column[a] < column[b];
    return false;
  });
  std::ofstream out(folder + "/" + facts.name, std::ios::binary);
  for (const std::uint32_t row : order) {
    for (const auto& column : facts.columns) put_bytes(out, column[row]);
    if (!facts.values.empty()) put_bytes(out, static_cast<std::uint32_t>(facts.values[row]));
  }
  if (facts.values.empty()) return;
  std::ofstream values(folder + "/" + facts.name + ".values", std::ios::binary);
  for (const std::uint32_t row : order)
    put_bytes(values, std::bit_cast<std::uint64_t>(facts.values[row]));
}

/// Solves a problem N times and prints the medians; what went wrong, or an empty message.
template <class Problem>
std::string run(Problem& problem, int times) {
  std::vector<double> solved, listed;
  for (int i = 0; i < times; ++i) {
    problem.clear();
    const double start = wf_benchmark::process_seconds();
    std::string wrong = problem.solve();
    solved.push_back(wf_benchmark::process_seconds() - start);
    if (wrong.empty()) wrong = problem.list();
    listed.push_back(wf_benchmark::process_seconds() - start);
    if (!wrong.empty()) return wrong;
  }
  std::printf("%.9f %.9f %zu\n", wf_benchmark::median(solved), wf_benchmark::median(listed),
              problem.size());
  return {};
}

/// Serves a problem until the end of the input; the exit code of the program. `problem` has
/// `clear()`; `solve()` and `list()`, which are timed and return what went wrong, or an empty
/// message; `size()`, the number of facts; and `facts()`, a list of `fact_list`.
template <class Problem>
int serve(Problem& problem, const std::string& folder) {
  std::printf("ready\n");
  std::fflush(stdout);
  for (std::string word; std::cin >> word; std::fflush(stdout)) {
    if (word == "answer") {
      for (const fact_list& each : problem.facts()) write_facts(each, folder);
      std::printf("written\n");
      continue;
    }
    int times = 0;
    std::cin >> times;
    const std::string wrong = run(problem, times);
    if (wrong.empty()) continue;
    std::fprintf(stderr, "%s\n", wrong.c_str());
    return 1;
  }
  return 0;
}

}  // namespace logic_benchmark
