// SPDX-License-Identifier: BSL-1.0
#pragma once

// Random programs on machines, without and with faults, and deployments under published storms.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <wf/ir/form/parse.hpp>
#include <wf/simulate/fault/shrink.hpp>
#include <wf/simulate/fault/write_script.hpp>

#include <cpu_time.hpp>
#include <partition/machine_case.hpp>
#include <partition/random_program.hpp>

namespace partition_benchmark {

/// What is wrong with a run, or an empty text: every output has the value of the workflow run
/// whole; in one life of the machines none comes twice in an execution; and without a crash each
/// call has all its outputs, unless a failure of the call is on record.
inline std::string fault_of(const wf::deployment& d, const machine_case::report& r,
                            const hashed::outputs& whole, std::uint64_t calls, bool may_crash) {
  if (r.failure.code != wf::errc::none)
    return "the run fails: " + std::string(wf::to_text(r.failure).view());
  if (r.run.broken.invariant != 0)
    return "invariant " + std::to_string(r.run.broken.invariant) + ": " +
           std::string(r.run.broken.sentence.view());
  std::set<std::tuple<std::string, std::uint32_t, std::vector<std::uint64_t>>> seen;
  for (const auto& o : r.outputs) {
    const std::string name = machine_case::name_of(d, o);
    if (o.value.datum != whole.at(name)) return name + " has another value";
    const std::vector<std::uint64_t> path(o.path.begin(), o.path.end());
    if (!seen.emplace(name, o.machine, path).second && r.restarts == 0)
      return name + " comes twice in an execution";
  }
  if (may_crash) return "";
  for (std::uint64_t k = 1; k <= calls; ++k) {
    const bool has_failed = std::any_of(r.failures.begin(), r.failures.end(),
                                        [&](const auto& f) { return f.call == k || f.call == 0; });
    if (!has_failed && machine_case::outputs_of(d, r, k).size() != whole.size())
      return "call " + std::to_string(k) + " lacks an output, and no failure says why";
  }
  return "";
}

/// Random programs on one machine for each class, called twice: without faults, and with loss,
/// copies, delays and corruption. Prints the result; returns the exit code.
inline int run_random(std::uint32_t programs) {
  std::uint64_t messages = 0, fired = 0;
  int wrong = 0;
  const double began = wf_benchmark::process_seconds();
  for (std::uint32_t seed = 1; seed <= programs; ++seed) {
    const random_program program(seed);
    const wf::deployment d = machine_case::deployed(program.workflow());
    const hashed::outputs whole = hashed::run_whole(program.workflow());
    for (const bool with_faults : {false, true}) {
      machine_case::machines_of m(d);
      m.script.seed = seed;
      m.script.delay_ns = {0, 5'000'000};
      for (int effect = 0; with_faults && effect < 4; ++effect) {
        wf::fault::rule r;
        r.effect = static_cast<wf::fault::rule_effect>(effect);
        r.probability = 0.2;
        r.delay_ns = {0, 20'000'000};
        m.script.rules.push_back(r);
      }
      const auto r = m.run(d, {machine_case::call_at(d, 0), machine_case::call_at(d, 10'000'000)});
      std::string fault =
          r ? fault_of(d, *r, whole, 2, false) : std::string(wf::to_text(r.error()).view());
      for (std::uint64_t k = 1; fault.empty() && k <= 2; ++k)
        for (const auto& [name, list] : machine_case::outputs_of(d, *r, k))
          if (list.size() != 1) fault = name + " comes " + std::to_string(list.size()) + " times";
      if (!fault.empty() && ++wrong <= 5)
        std::printf("program %u%s: %s\n", seed, with_faults ? " with faults" : "", fault.c_str());
      if (!r) continue;
      for (const std::uint64_t n : r->received) fired += n;
      messages += r->run.records;
    }
  }
  std::printf(
      "RESULT suite=partition what=random programs=%u runs=%u messages=%llu records=%llu wrong=%d "
      "seconds=%.1f\n",
      programs, 2 * programs, static_cast<unsigned long long>(fired),
      static_cast<unsigned long long>(messages), wrong, wf_benchmark::process_seconds() - began);
  return wrong == 0 ? 0 : 1;
}

/// Workflows that run under storms: a request and its reply, a parameter that servers have from
/// their start, and gossip of machines with themselves.
inline const std::vector<std::pair<const char*, const char*>>& storm_workflows() {
  static const std::vector<std::pair<const char*, const char*>> all{
      {"request",
       "wf.graph 1 \"request\"\n"
       "input \"x\" : f64[4]\n"
       "input \"servers\" : peer[S]\n"
       "node elementwise.negate(%0) -> f64[4]\n"
       "node wire.send(%2, %1) effect external -> f64[4], peer[], u64[]\n"
       "node elementwise.negate(%3) -> f64[4]\n"
       "node wire.send(%6, %4) effect external -> f64[4], peer[], u64[]\n"
       "node movement.copy(%7) -> f64[4]\n"
       "output \"y\" = %10\n"},
      {"parameter",
       "wf.graph 1 \"parameter\"\n"
       "input \"x\" : f64[4]\n"
       "input \"z\" : f64[4]\n"
       "input \"servers\" : peer[S]\n"
       "node user.parameter() peer \"servers\" -> f64[4]\n"
       "node wire.send(%0, %2) effect external -> f64[4], peer[], u64[]\n"
       "node wire.send(%1, %2) effect external -> f64[4], peer[], u64[]\n"
       "node elementwise.add(%4, %7) -> f64[4]\n"
       "node elementwise.add(%10, %3) -> f64[4]\n"
       "node wire.send(%11, %5) effect external -> f64[4], peer[], u64[]\n"
       "node movement.copy(%12) -> f64[4]\n"
       "output \"y\" = %15\n"}};
  return all;
}

/// Runs deployments under the scripts of a folder that state no expectation, with `seeds` seeds
/// each; every hundredth is run again and must give the same records. Prints a line for each
/// script, a first violation with its smallest script, and the result. Returns the exit code.
inline int run_storms(const std::vector<wf::fault::script>& scripts, std::uint32_t seeds) {
  int violations = 0;
  std::uint64_t runs = 0, outputs = 0, replays = 0;
  const double began = wf_benchmark::process_seconds();
  for (const auto& [name, source] : storm_workflows()) {
    const wf::graph g = *wf::parse_graph(source);
    const wf::deployment d = machine_case::deployed(g);
    const hashed::outputs whole = hashed::run_whole(g);
    for (wf::fault::script s : scripts) {
      if (!s.expect.empty()) continue;
      machine_case::machines_of m(d);
      m.roles.clear();
      bool may_crash = false;
      for (std::uint32_t p = 0; p < s.peers.size(); ++p)
        m.roles.push_back({s.peers[p], wf::text(p == 0 ? "@self" : "servers")});
      for (const wf::fault::event& e : s.events)
        may_crash = may_crash || e.what.kind == wf::fault::action_kind::crash;
      std::vector<machine_case::call> calls;
      for (int k = 0; k < 12; ++k)
        calls.push_back(machine_case::call_at(d, std::int64_t{200'000'000} * k));
      const auto run = [&](const wf::fault::script& tried) {
        m.script = tried;
        return m.run(d, calls);
      };
      const auto check = [&](const wf::result<machine_case::report>& r) {
        return r ? fault_of(d, *r, whole, calls.size(), may_crash)
                 : std::string(wf::to_text(r.error()).view());
      };
      const std::uint64_t first = s.seed;
      int broken = 0;
      for (std::uint32_t i = 0; i < seeds; ++i) {
        s.seed = first + i;
        const auto r = run(s);
        ++runs;
        std::string fault = check(r);
        if (r) outputs += r->outputs.size();
        if (r && i % 100 == 0) {
          ++replays;
          if (run(s)->run.trace != r->run.trace) fault = "a second run differs";
        }
        if (fault.empty()) continue;
        if (++broken > 1) continue;
        std::printf("  %s, %s, seed %llu: %s\n", name, std::string(s.name.view()).c_str(),
                    static_cast<unsigned long long>(s.seed), fault.c_str());
        const auto small = wf::fault::shrink(
            s, [&](const wf::fault::script& tried) { return check(run(tried)) == fault; });
        std::printf("%s", std::string(wf::fault::to_json(small.smallest).view()).c_str());
      }
      std::printf("%-10s %-26s seeds=%u violations=%d\n", name, std::string(s.name.view()).c_str(),
                  seeds, broken);
      violations += broken;
    }
  }
  const double took = wf_benchmark::process_seconds() - began;
  std::printf(
      "RESULT suite=partition what=storms seeds=%llu outputs=%llu replays=%llu violations=%d "
      "seeds_per_s=%.0f\n",
      static_cast<unsigned long long>(runs), static_cast<unsigned long long>(outputs),
      static_cast<unsigned long long>(replays), violations, static_cast<double>(runs) / took);
  return violations == 0 ? 0 : 1;
}

}  // namespace partition_benchmark
