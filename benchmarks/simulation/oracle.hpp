// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <files.hpp>
#include <read_json.hpp>
#include <simulation/routes.hpp>

#include <wf/simulate/program/builder.hpp>

namespace simulation_benchmark {

/// A task graph on a platform, with the times that the oracle has.
struct oracle_case {
  wf::sim_program program;
  std::size_t tasks = 0;              ///< the first activities
  std::vector<double> start, finish;  ///< of each task, in seconds
  double tolerance = 0;               ///< relative
};

/// Ticks per second: times up to 9,000 s fit 63 bits.
inline constexpr double oracle_ticks = 1e15;

/// Reads the JSON files of an unpacked oracle.
class oracle_reader : public wf_benchmark::json_reader {
 public:
  explicit oracle_reader(const std::string& text) : json_reader(text) {}

  std::vector<double> numbers(std::uint32_t array) {
    std::vector<double> out;
    each(array, [&](std::uint32_t i) { out.push_back(number(i)); });
    return out;
  }
  std::vector<double> list(const char* name) {
    const std::uint32_t at = member(0, name, wf::json_kind::array);
    return fine() ? numbers(at) : std::vector<double>();
  }
  std::string name(const char* key) {
    const std::uint32_t at = member(0, key, wf::json_kind::string);
    return fine() ? std::string(characters(at)) : std::string();
  }
  double scalar(const char* key) {
    const std::uint32_t at = member(0, key, wf::json_kind::number);
    return fine() ? number(at) : 0;
  }
  /// The rows of an array of arrays; `row(items)` gets the indices of the elements.
  template <class F>
  void rows(const char* key, F row) {
    const std::uint32_t at = member(0, key, wf::json_kind::array);
    if (fine())
      each(at, [&](std::uint32_t r) {
        std::vector<std::uint32_t> items;
        each(r, [&](std::uint32_t i) { items.push_back(i); });
        row(items);
      });
  }
  double number(std::uint32_t at) const {
    return std::strtod(std::string(characters(at)).c_str(), nullptr);
  }
};

/// The platform of a file; `routes` maps a pair of hosts to a route.
inline wf::sim_platform read_platform(const std::string& path, route_index& routes) {
  oracle_reader file(wf_benchmark::read_whole(path));
  wf::sim_platform out;
  const std::vector<double> speed = file.list("host_speed"), cores = file.list("host_cores");
  for (std::size_t h = 0; h < speed.size(); ++h)
    out.cores.push_back({speed[h] / oracle_ticks, static_cast<std::int64_t>(cores[h])});
  std::vector<double> latency;
  file.rows("links", [&](const std::vector<std::uint32_t>& link) {
    out.bandwidths.push_back(file.number(link[1]) / oracle_ticks);
    latency.push_back(file.number(link[2]));
  });
  file.rows("routes", [&](const std::vector<std::uint32_t>& route) {
    wf::sim::fluid_route r;
    r.links.first = static_cast<std::uint32_t>(out.route_links.size());
    double seconds = 0;
    for (const double link : file.numbers(route[2])) {
      out.route_links.push_back(static_cast<std::uint32_t>(link));
      seconds += latency[static_cast<std::size_t>(link)];
      ++r.links.count;
    }
    r.latency = std::llround(seconds * oracle_ticks);
    r.weight = seconds > 0 ? 1 / seconds : 1;
    routes[{static_cast<int>(file.number(route[0])), static_cast<int>(file.number(route[1]))}] =
        static_cast<std::uint32_t>(out.routes.size());
    out.routes.push_back(r);
  });
  return out;
}

/// Compares the routes that wf generates for the torus or fat tree of a file with the listed ones;
/// there is nothing to compare of other platforms.
inline route_agreement generated_routes(const std::string& path) {
  oracle_reader file(wf_benchmark::read_whole(path));
  const std::string topology = file.name("topology");
  if (topology != "torus" && topology != "fat tree") return {};
  wf::sim_link link;
  file.rows("links", [&](const std::vector<std::uint32_t>& of) {
    link.bandwidth = file.number(of[1]);
    link.latency = file.number(of[2]);
  });
  link.full_duplex = file.name("link").find("half duplex") == std::string::npos;
  std::vector<wf::sim_host> hosts;
  const std::vector<double> speed = file.list("host_speed"), cores = file.list("host_cores");
  for (std::size_t h = 0; h < speed.size(); ++h)
    hosts.push_back({speed[h], static_cast<std::int64_t>(cores[h])});
  const auto extents = [&](const char* name) {
    const std::vector<double> all = file.list(name);
    return std::vector<std::uint32_t>(all.begin(), all.end());
  };
  route_index index;
  const wf::sim_platform listed = read_platform(path, index);
  if (topology == "torus")
    return compare_routes(wf::make_torus(extents("dims"), hosts, link, oracle_ticks), listed,
                          index);
  return compare_routes(wf::make_fat_tree(extents("down"), extents("up"), extents("count"), hosts,
                                          link, oracle_ticks),
                        listed, index);
}

/// Reads a case and its graph and platform.
inline oracle_case read_case(const std::string& folder, const std::string& name) {
  oracle_reader file(wf_benchmark::read_whole(folder + "/cases/" + name + ".json"));
  oracle_reader graph(wf_benchmark::read_whole(folder + "/dags/" + file.name("dag") + ".json"));
  oracle_case out;
  out.start = file.list("start");
  out.finish = file.list("finish");
  out.tolerance = file.scalar("tolerance");
  out.tasks = out.start.size();
  route_index routes;
  wf::sim_program_builder made;
  made.platform = read_platform(folder + "/platforms/" + file.name("platform") + ".json", routes);
  const std::vector<double> flops = graph.list("flops"), host = file.list("host");
  for (std::size_t t = 0; t < out.tasks; ++t)
    made.add(wf::sim_resource::cores, static_cast<std::uint32_t>(host[t]),
             static_cast<std::int64_t>(flops[t]));
  graph.rows("edges", [&](const std::vector<std::uint32_t>& edge) {
    const auto from = static_cast<std::uint32_t>(graph.number(edge[0]));
    const auto to = static_cast<std::uint32_t>(graph.number(edge[1]));
    if (host[from] == host[to]) return made.connect(from, to);
    const std::uint32_t route =
        routes.at({static_cast<int>(host[from]), static_cast<int>(host[to])});
    const std::uint32_t move =
        made.add(wf::sim_resource::route, route, static_cast<std::int64_t>(graph.number(edge[2])));
    made.connect(from, move);
    made.connect(move, to);
  });
  out.program = made.take();
  return out;
}

/// The largest relative deviation of a start or finish; infinity if the program does not run.
inline double deviation_of(const oracle_case& c) {
  const auto record = wf::simulate(c.program);
  if (!record) return HUGE_VAL;
  double worst = 0;
  const auto compare = [&](std::int64_t ticks, double seconds) {
    const double found = static_cast<double>(ticks) / oracle_ticks;
    const double scale = seconds == 0 ? 1 : seconds;
    worst = std::max(worst, std::abs(found - seconds) / scale);
  };
  for (std::size_t t = 0; t < c.tasks; ++t) {
    compare(record->times[t].start, c.start[t]);
    compare(record->times[t].finish, c.finish[t]);
  }
  return worst;
}

/// The names of the cases of an unpacked oracle, from its index.
inline std::vector<std::string> case_names(const std::string& index) {
  std::ifstream in(index);
  std::vector<std::string> out;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) out.push_back(line.substr(0, line.find(',')));
  return out;
}

/// Compares the generated routes of all tori and fat trees of the cases, and prints a line for
/// each.
inline route_agreement run_routes(const std::string& folder, const std::string& index) {
  std::set<std::string> platforms;
  for (const std::string& name : case_names(index))
    platforms.insert(oracle_reader(wf_benchmark::read_whole(folder + "/cases/" + name + ".json"))
                         .name("platform"));
  route_agreement all;
  for (const std::string& platform : platforms) {
    const route_agreement one = generated_routes(folder + "/platforms/" + platform + ".json");
    if (one.routes == 0) continue;
    std::printf("%-14s %5zu of %5zu generated routes equal the listed ones\n", platform.c_str(),
                one.equal, one.routes);
    all.routes += one.routes;
    all.equal += one.equal;
  }
  return all;
}

/// Compares every start and finish of every case and the routes of their platforms, and prints a
/// line for each case and platform.
inline int run_oracle(const std::string& folder, const std::string& index) {
  std::size_t cases = 0, within = 0;
  double worst = 0;
  for (const std::string& name : case_names(index)) {
    const oracle_case c = read_case(folder, name);
    const double deviation = deviation_of(c);
    ++cases;
    if (c.tasks != 0 && deviation <= c.tolerance) ++within;
    worst = std::max(worst, deviation / c.tolerance);
    std::printf("%-14s %5zu tasks %5zu activities  deviation %.1e of %.0e\n", name.c_str(), c.tasks,
                c.program.activities.size(), deviation, c.tolerance);
  }
  const route_agreement routes = run_routes(folder, index);
  std::printf(
      "RESULT suite=simulation set=oracle cases=%zu within=%zu worst_of_tolerance=%.3f "
      "routes=%zu of %zu\n",
      cases, within, worst, routes.equal, routes.routes);
  const bool routed = routes.routes != 0 && routes.equal == routes.routes;
  return cases != 0 && within == cases && routed ? 0 : 1;
}

}  // namespace simulation_benchmark
