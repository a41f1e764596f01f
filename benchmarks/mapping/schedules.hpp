// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include <wf/map/schedule/list_schedule.hpp>
#include <wf/map/schedule/resource_schedule.hpp>
#include <wf/map/schedule/schedule_tasks.hpp>
#include <wf/search/threads.hpp>

#include <mapping/check_certificate.hpp>
#include <mapping/check_schedule.hpp>
#include <mapping/child.hpp>
#include <mapping/options.hpp>

namespace mapping_benchmark {

/// An instance of a set of scheduling problems.
struct scheduling_instance {
  std::string name;                        ///< the name that --match filters
  std::optional<std::int64_t> best_known;  ///< a published makespan
  bool is_optimal = false;                 ///< `best_known` is published as the optimum
  std::int64_t published_bound = 0;        ///< a published lower bound
  std::function<wf::result<wf::task_graph>()> read;
};

/// The result for an instance.
struct scheduling_record {
  bool solved = false, proven = false;
  bool by_search = true;  ///< the certificate of the bound, if any, names a search
  std::int64_t value = 0, bound = 0, hlfet = 0, heft = 0;
  std::uint64_t states = 0, peak_bytes = 0;
  double cpu_s = 0, first_s = 0;
  std::string note;  ///< the reason of a failure, else empty
};

inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Solves an instance in this process and verifies the result.
inline scheduling_record solve(const options& o, const scheduling_instance& instance) {
  scheduling_record out;
  const wf::result<wf::task_graph> graph = instance.read();
  if (!graph) {
    const wf::text message = wf::to_text(graph.error());
    out.note = std::string(message.view().data(), message.view().size());
    return out;
  }
  const auto listed = [&](const wf::result<wf::task_schedule>& s) {
    if (!s) return std::int64_t{-1};
    if (const std::string fault = fault_of(*graph, *s); !fault.empty()) out.note = fault;
    return s->makespan;
  };
  out.hlfet = listed(wf::hlfet(*graph));
  out.heft = listed(wf::heft(*graph));

  const double begun = cpu_seconds();
  const auto in_time = [&](const wf::search_progress& p) {
    const double passed = cpu_seconds() - begun;
    if (out.first_s == 0 && p.incumbent != wf::unbounded) out.first_s = passed;
    return passed < o.seconds;
  };
  wf::schedule_options wanted;
  wanted.memory = o.memory;
  std::optional<wf::makespan_certificate> certificate;
  const auto search = [&](auto&& executor) -> wf::result<wf::task_schedule> {
    if (!wf::detail::is_project(*graph))
      return wf::schedule_tasks(*graph, wanted, in_time, executor);
    wf::result<wf::resource_schedule> both =
        wf::schedule_resources(*graph, wanted, in_time, executor);
    if (!both) return both.error();
    certificate = std::move(both->certificate);
    return std::move(both->schedule);
  };
  wf::result<wf::task_schedule> found =
      o.threads == 1 ? search(wf::in_turn{}) : search(wf::threads(o.threads));
  out.cpu_s = cpu_seconds() - begun;
  if (!found) {
    const wf::text message = wf::to_text(found.error());
    out.note = std::string(message.view().data(), message.view().size());
    return out;
  }
  if (const std::string fault = fault_of(*graph, *found); !fault.empty())
    out.note = fault;
  else
    out.solved = true;
  if (certificate) {
    out.by_search = certificate->reason == wf::bound_reason::search;
    if (certificate->bound != found->bound) out.note = "the certificate is of another bound";
    if (const std::string fault = fault_of(*graph, *certificate); !fault.empty()) out.note = fault;
  }
  out.proven = out.solved && found->proven() && out.cpu_s <= 1.1 * o.seconds + 1;
  out.value = found->makespan;
  out.bound = found->bound;
  out.states = found->counters.generated;
  return out;
}

/// Solves an instance in a child process.
inline scheduling_record solve_apart(const options& o, const scheduling_instance& instance) {
  using r = scheduling_record;
  return record_of_child<r>([&] { return solve(o, instance); }, &r::solved, &r::proven,
                            &r::by_search, &r::value, &r::bound, &r::hlfet, &r::heft, &r::states,
                            &r::cpu_s, &r::first_s);
}

/// Solves all matching instances of a set, prints a line for each and the RESULT line. A value
/// counts as `match` if it equals the best known one, as `worse` if it is above it. Returns the
/// exit code of the program: 1 if a schedule is wrong, or a proof contradicts a published value.
inline int run_schedules(const options& o, const char* set,
                         const std::vector<scheduling_instance>& instances) {
  const std::regex wanted(o.match);
  std::ofstream csv;
  if (!o.csv.empty()) csv.open(o.csv);
  csv << "instance,solved,proven,value,bound,published,published_bound,hlfet,heft,states,cpu_s,"
         "first_s,peak_bytes,note\n";
  std::printf("%-70s %10s %10s %10s %8s %8s %12s %9s %7s\n", "instance", "value", "published",
              "bound", "hlfet", "heft", "states", "cpu_s", "MiB");
  std::uint64_t open = 0, closed = 0, checked = 0;
  std::uint64_t count = 0, proven = 0, match = 0, worse = 0, states = 0, wrong = 0, peak = 0;
  double cpu = 0, slowest = 0, gap_max = 0, first_max = 0;
  for (const scheduling_instance& i : instances) {
    if (!std::regex_search(i.name, wanted)) continue;
    scheduling_record r = solve_apart(o, i);
    if (r.solved && i.best_known &&
        ((i.is_optimal && r.value < *i.best_known) || r.bound > *i.best_known ||
         r.value < i.published_bound)) {
      r.note = "it contradicts the published value";
    }
    ++count;
    proven += r.proven;
    checked += r.proven && !r.by_search;
    open += !i.is_optimal && i.best_known.has_value();
    closed += r.proven && !i.is_optimal && i.best_known.has_value();
    match += r.solved && i.best_known && r.value <= *i.best_known;
    worse += !r.solved || (i.best_known && r.value > *i.best_known);
    wrong += !r.note.empty();
    states += r.states;
    cpu += r.cpu_s;
    slowest = std::max(slowest, r.cpu_s);
    first_max = std::max(first_max, r.first_s);
    peak = std::max(peak, r.peak_bytes);
    const double gap = !r.solved ? 1.0
                       : r.value > 0
                           ? static_cast<double>(r.value - r.bound) / static_cast<double>(r.value)
                           : 0.0;
    gap_max = std::max(gap_max, gap);
    const std::string published = i.best_known ? std::to_string(*i.best_known) : "-";
    std::printf("%-70s %10" PRId64 "%s%10s %10" PRId64 " %8" PRId64 " %8" PRId64 " %12" PRIu64
                " %9.3f %7" PRIu64 "\n",
                i.name.c_str(), r.value, r.proven ? "*" : " ", published.c_str(), r.bound, r.hlfet,
                r.heft, r.states, r.cpu_s, r.peak_bytes >> 20);
    if (!r.note.empty()) std::printf("    wrong: %s\n", r.note.c_str());
    std::fflush(stdout);
    csv << i.name << ',' << r.solved << ',' << r.proven << ',' << r.value << ',' << r.bound << ','
        << published << ',' << i.published_bound << ',' << r.hlfet << ',' << r.heft << ','
        << r.states << ',' << r.cpu_s << ',' << r.first_s << ',' << r.peak_bytes << ",\"" << r.note
        << "\"\n";
  }
  std::printf("slowest_s=%.3f first_schedule_max_s=%.4f peak_mib=%" PRIu64 " wrong=%" PRIu64 "\n",
              slowest, first_max, peak >> 20, wrong);
  std::printf("open_rows=%" PRIu64 " open_rows_closed=%" PRIu64
              " proofs_checked_without_search=%" PRIu64 "\n",
              open, closed, checked);
  std::printf("RESULT suite=mapping set=%s instances=%" PRIu64 " proven=%" PRIu64 " match=%" PRIu64
              " worse=%" PRIu64 " cpu_s=%.3f states=%" PRIu64 " gap_max=%.4f\n",
              set, count, proven, match, worse, cpu, states, gap_max);
  return wrong == 0 ? 0 : 1;
}

}  // namespace mapping_benchmark
