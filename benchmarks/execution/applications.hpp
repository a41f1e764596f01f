// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <wf/adapt/parallel.hpp>
#include <wf/capture/equations/equations.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/run/plan/executable.hpp>
#include <wf/select/optimise.hpp>

#include <cpu_time.hpp>
#include <files.hpp>
#include <linalg/inputs.hpp>
#include <linalg/read_linnea.hpp>

namespace execution_benchmark {

using wf_benchmark::median;

/// A prepared workflow bound to inputs, with its outputs.
class bound_workflow {
 public:
  bound_workflow(const wf::graph_view& g, const wf::named_matrices& inputs, wf::core_pool cores) {
    wf::execution_options how;
    how.cores = cores;
    static const wf::registry kernels = wf::timed_registry();
    how.kernels = &kernels;
    auto ready = wf::executable_graph::prepare(g, how);
    if (!ready) return;
    std::vector<wf::input_matrix> from;
    for (const wf::value& v : g.values)
      if (v.producer == wf::node_id::none)
        from.emplace_back(inputs.find(std::string(g.text_of(v.name)))->second);
    for (const wf::output& o : g.outputs) {
      const wf::shape& s = g[o.source].type.shape;
      outputs_.emplace_back(s.rank > 0 ? s[0].size() : 1, s.rank > 1 ? s[1].size() : 1);
    }
    const std::vector<wf::output_matrix> to(outputs_.begin(), outputs_.end());
    auto bound = ready->bind({from.data(), from.size()}, {to.data(), to.size()});
    if (!bound) return;
    threads_ = ready->threads();
    bytes_ = ready->workspace_bytes();
    bound_ = std::make_unique<wf::bound_graph>(std::move(*bound));
  }

  bool run() const { return bound_ != nullptr && bound_->run().has_value(); }
  std::size_t threads() const { return threads_; }
  std::size_t bytes() const { return bytes_; }
  bool has_bits_of(const bound_workflow& other) const {
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      if (std::memcmp(outputs_[i].data(), other.outputs_[i].data(),
                      sizeof(double) * static_cast<std::size_t>(outputs_[i].size())) != 0)
        return false;
    return true;
  }

 private:
  std::vector<wf::dynamic_matrix> outputs_;
  std::size_t threads_ = 0, bytes_ = 0;
  std::unique_ptr<wf::bound_graph> bound_;
};

/// Wall seconds of one run each, by medians of rounds in turn.
template <class... Run>
std::vector<double> wall_seconds(int rounds, double least, const Run&... runs) {
  std::vector<std::vector<double>> all(sizeof...(runs));
  for (int round = 0; round <= rounds; ++round) {
    std::size_t at = 0;
    const auto measure = [&](const auto& run) {
      const double begin = wf_benchmark::seconds_of(CLOCK_MONOTONIC);
      int count = 0;
      double passed = 0;
      do {
        run();
        ++count;
        passed = wf_benchmark::seconds_of(CLOCK_MONOTONIC) - begin;
      } while (passed < least);
      if (round > 0) all[at].push_back(passed / count);
      ++at;
    };
    (measure(runs), ...);
  }
  std::vector<double> out;
  for (auto& each : all) out.push_back(median(each));
  return out;
}

/// The 18 published applications on one core and on two: wall time, and that the bits are equal.
inline int run_applications(const std::string& path, double scale, int rounds) {
  const std::string source = wf_benchmark::read_whole(path);
  if (source.empty()) {
    std::printf("execution: skipped: there is no %s; set WF_DATA_DIR\n", path.c_str());
    return 0;
  }
  const auto problems = linalg_benchmark::read_linnea({source.data(), source.size()}, scale);
  if (!problems) return std::fprintf(stderr, "execution: %s cannot be read\n", path.c_str()), 1;
  wf::parallel one(1), two(2);
  double sum = 0, worst = 1e300;
  int code = 0, count = 0;
  std::printf("%-28s %9s %9s %8s  %s\n", "application", "1 core", "2 cores", "speedup",
              "workspaces in MB: 1 core, many");
  for (const linalg_benchmark::problem& p : *problems) {
    const auto captured =
        wf::equations({p.name.data(), p.name.size()}, {p.text.data(), p.text.size()});
    if (!captured) return 1;
    wf::optimise_options planning;
    planning.search.max_nodes = 200'000;  // the search for L14 takes minutes otherwise
    const auto made = wf::optimise(captured->view(), wf::minimise(wf::execution_time), {},
                                   wf::timed_registry(), planning);
    if (!made) return 1;
    const wf::named_matrices inputs = linalg_benchmark::make_inputs(p, 1);
    const wf::graph_view g = made->chosen.view();
    const bound_workflow serial(g, inputs, {}), alone(g, inputs, one), shared(g, inputs, two);
    if (!serial.run() || !alone.run() || !shared.run()) return 1;
    const auto seconds = wall_seconds(rounds, 0.02, [&] { serial.run(); }, [&] { shared.run(); });
    const double speedup = seconds[0] / seconds[1];
    const bool same = alone.has_bits_of(shared);
    std::printf("%-28s %6.3f ms %6.3f ms %8.2f  %.1f, %.1f%s\n", p.name.c_str(), 1e3 * seconds[0],
                1e3 * seconds[1], speedup, 1e-6 * static_cast<double>(serial.bytes()),
                1e-6 * static_cast<double>(shared.bytes()), same ? "" : "  OTHER BITS");
    std::fflush(stdout);
    if (!same) code = 1;
    sum += std::log(speedup);
    worst = std::min(worst, speedup);
    ++count;
  }
  std::printf(
      "RESULT suite=execution what=speedup_2 applications=%d scale=%g geomean=%.2f "
      "worst=%.2f target=1.8\n",
      count, scale, std::exp(sum / count), worst);
  return code;
}

}  // namespace execution_benchmark
