// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <csv.hpp>
#include <files.hpp>
#include <mapping/read_project.hpp>
#include <mapping/read_stg.hpp>
#include <mapping/schedules.hpp>

namespace mapping_benchmark {

using wf_benchmark::cells_of;
using wf_benchmark::read_whole;

/// A graph of the Standard Task Graph Set on a number of processors.
inline scheduling_instance stg_instance(const std::string& path, const std::string& name,
                                        std::uint32_t processors) {
  scheduling_instance out;
  out.name = name + " P=" + std::to_string(processors);
  out.read = [path, processors]() -> wf::result<wf::task_graph> {
    const std::string text = read_whole(path);
    wf::result<wf::task_graph> read = read_stg(wf::text_view(text.data(), text.size()));
    if (read) read->processors = processors;
    return read;
  };
  return out;
}

/// Set `stg_kasahara`: P | prec | Cmax, with the published optima and open instances whose graphs
/// are available, and the application graphs on 2, 4, 8 and 16 processors.
inline int run_stg(const options& o) {
  const std::string folder = o.data + "/stg_kasahara";
  std::vector<scheduling_instance> instances;
  for (const std::string tasks : {"50", "100"})
    for (const std::string processors : {"2", "4", "8", "16"}) {
      std::ifstream rows(folder + "/optimal/Case" + tasks + "_" + processors + "_OPT.csv");
      for (std::string line; std::getline(rows, line);) {  // columns: file,procs,len or
                                                           // file,procs,lb,ub
        const std::vector<std::string> cells = cells_of(line);
        if (cells.size() < 3) continue;
        const std::string file = "rnc" + cells[0];
        if (!std::filesystem::exists(folder + "/" + file)) continue;
        scheduling_instance added = stg_instance(
            folder + "/" + file, file, static_cast<std::uint32_t>(std::atoi(cells[1].c_str())));
        added.published_bound = std::strtoll(cells[2].c_str(), nullptr, 10);
        added.best_known = std::strtoll(cells.back().c_str(), nullptr, 10);
        added.is_optimal = cells.size() == 3;
        instances.push_back(added);
      }
    }
  for (const std::string graph : {"robot", "sparse", "fpppp"})
    for (const std::uint32_t processors : {2U, 4U, 8U, 16U})
      if (std::filesystem::exists(folder + "/apps/" + graph + ".stg"))
        instances.push_back(
            stg_instance(folder + "/apps/" + graph + ".stg", "apps/" + graph, processors));
  if (instances.empty()) {
    std::printf("skipped: %s is not there (--data, WF_DATA_DIR)\n", folder.c_str());
    return 0;
  }
  return run_schedules(o, "stg", instances);
}

/// Set `psplib_rcpsp`: PS | prec | Cmax, projects of 30 jobs and 4 resources, all with known
/// optima.
inline int run_j30(const options& o) {
  const std::string folder = o.data + "/psplib_rcpsp";
  std::ifstream rows(folder + "/bounds/j30_bounds.csv");
  std::vector<scheduling_instance> instances;
  std::string line;
  std::getline(rows, line);  // columns: set,file,lb,ub,status,…
  while (std::getline(rows, line)) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() < 5) continue;
    const std::string path = folder + "/j30.sm/" + cells[1];
    if (!std::filesystem::exists(path)) continue;
    scheduling_instance added;
    added.name = cells[1].substr(0, cells[1].rfind('.'));
    added.published_bound = std::strtoll(cells[2].c_str(), nullptr, 10);
    added.best_known = std::strtoll(cells[3].c_str(), nullptr, 10);
    added.is_optimal = cells[4] == "closed";
    added.read = [path] {
      const std::string text = read_whole(path);
      return read_sm(wf::text_view(text.data(), text.size()));
    };
    instances.push_back(added);
  }
  if (instances.empty()) {
    std::printf("skipped: %s is not there (--data, WF_DATA_DIR)\n", folder.c_str());
    return 0;
  }
  return run_schedules(o, "j30", instances);
}

}  // namespace mapping_benchmark
