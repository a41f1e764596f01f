// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <csv.hpp>
#include <files.hpp>
#include <mapping/read_dot.hpp>
#include <mapping/schedules.hpp>

namespace mapping_benchmark {

/// Reads one file of the set.
inline wf::result<wf::task_graph> read_sinnen(const std::string& path) {
  const std::string text = wf_benchmark::read_whole(path);
  wf::result<published_graph> read = read_dot(wf::text_view(text.data(), text.size()));
  if (!read) return read.error();
  return std::move(read->graph);
}

/// Set `sinnen_optimal`: published instances with communication delays, and their optima.
inline int run_sinnen(const options& o) {
  const std::string folder = o.data + "/sinnen_optimal";
  std::ifstream index(folder + "/index.csv");
  if (!index) {
    std::printf("skipped: %s/index.csv is not there (--data, WF_DATA_DIR)\n", folder.c_str());
    return 0;
  }
  std::vector<scheduling_instance> instances;
  std::string line;
  std::getline(index, line);  // columns: dir,file,tasks,edges,procs,type,ccr,optimal_length,…
  while (std::getline(index, line)) {
    const std::vector<std::string> cells = wf_benchmark::cells_of(line);
    if (cells.size() < 8) continue;
    const std::string path = folder + "/" + cells[0] + "/" + cells[1];
    scheduling_instance added;
    added.name = cells[0] + "/" + cells[1].substr(0, cells[1].rfind(".dot"));
    added.best_known = added.published_bound = std::strtoll(cells[7].c_str(), nullptr, 10);
    added.is_optimal = true;
    added.read = [path] { return read_sinnen(path); };
    instances.push_back(added);
  }
  return run_schedules(o, "sinnen", instances);
}

}  // namespace mapping_benchmark
