// SPDX-License-Identifier: BSL-1.0
#pragma once

// A network of processes under the published fault scripts: a ring over all peers.

#include <cstdint>
#include <cstdio>
#include <string>

#include <wf/simulate/fault/run_network.hpp>
#include <wf/simulate/fault/script.hpp>
#include <wf/simulate/process/network.hpp>

#include <cpu_time.hpp>

namespace simulation_benchmark {

/// A process with a state that depends on all data it took: one of each input in a run, one emitted
/// for each output.
class ring_stage {
 public:
  using datum = std::int64_t;

  constexpr ring_stage() : ring_stage(1, 1) {}
  constexpr ring_stage(std::uint32_t inputs, std::uint32_t outputs) : outputs_(outputs) {
    for (std::uint32_t i = 0; i < inputs; ++i)
      inputs_.push_back({wf::text("in ") << i, wf::usage::data, {}});
    missing_ = inputs;
    sums_.resize(inputs);
  }
  constexpr wf::view<wf::expected_input> inputs() const { return inputs_; }
  constexpr std::uint32_t outputs() const { return outputs_; }
  constexpr std::uint32_t consumes(std::uint32_t) const { return 1; }
  constexpr std::uint32_t produces(std::uint32_t) const { return 1; }
  constexpr wf::result<bool> update(std::uint32_t input, std::int64_t d, std::int64_t) {
    sums_[input] = (sums_[input] * 31 + d) % 1'000'003;
    return --missing_ == 0;
  }
  constexpr std::int64_t work(std::int64_t) const { return 200'000; }
  template <class Emit>
  constexpr wf::result<wf::nothing> generate_output(std::int64_t, Emit&& emit) {
    for (const std::int64_t s : sums_) state_ = (state_ * 37 + s) % 1'000'003;
    missing_ = static_cast<std::uint32_t>(sums_.size());
    for (std::uint32_t o = 0; o < outputs_; ++o) emit(o, state_ + o);
    return wf::nothing{};
  }

 private:
  wf::table<wf::expected_input> inputs_;
  std::uint32_t outputs_ = 1, missing_ = 1;
  wf::table<std::int64_t> sums_;
  std::int64_t state_ = 1;
};

/// A ring of two stages a peer with two data in it, which takes and gives out 20 data.
struct ring_case {
  wf::network<ring_stage> network;
  wf::table<wf::fault::node_placement> placement;
  wf::table<wf::network_input<std::int64_t>> inputs;

  explicit ring_case(const wf::fault::script& s) {
    const auto peers = static_cast<std::uint32_t>(s.peers.size());
    const std::uint32_t stages = 2 * peers;
    wf::table<wf::sim_place> hosts;
    for (std::uint32_t p = 0; p < peers; ++p) hosts.push_back(network.add_host());
    for (std::uint32_t i = 0; i < stages; ++i) {
      const wf::text name = wf::text("stage ") << i;
      network.add_node(name.view(), ring_stage(i == 0 ? 2 : 1, i + 1 == stages ? 2 : 1),
                       hosts[i % peers]);
      placement.push_back({name, s.peers[i % peers]});
    }
    for (std::uint32_t i = 0; i + 1 < stages; ++i) network.connect(i, 0, i + 1, 0);
    auto& back = network.connect(stages - 1, 0, 0, 1);
    back.initial.push_back(5);
    back.initial.push_back(7);
    for (std::int64_t k = 0; k < 20; ++k) inputs.push_back({0, 0, 100 + k, k * 1'000'000});
  }
};

/// Runs the ring under a script with many seeds. Prints a line; returns the number of violations: a
/// broken invariant; outputs that are not those of a run without faults; a failure that names no
/// peer. `complete` counts the runs with all outputs.
inline int run_ring(wf::fault::script s, std::uint32_t seeds, std::uint64_t& complete) {
  ring_case ring(s);
  const auto calm = ring_case(s).network.run(ring.inputs);
  int violations = calm ? 0 : 1;
  std::uint64_t done = 0, restarts = 0;
  const std::uint64_t first = s.seed;
  const double begin = wf_benchmark::process_seconds();
  for (std::uint32_t i = 0; calm && i < seeds; ++i) {
    s.seed = first + i;
    const auto run = wf::fault::run_network(ring.network, s, ring.placement, ring.inputs);
    std::string wrong;
    if (!run) {
      wrong = std::string(to_text(run.error()).view());
    } else if (run->run.broken.invariant != 0) {
      wrong = std::string(run->run.broken.sentence.view());
    } else if (run->failure.code != wf::errc::none) {
      bool named = false;
      for (const wf::text& peer : s.peers) named = named || peer == run->failure.subject;
      if (!named) wrong = std::string(to_text(run->failure).view());
    } else {
      bool same = run->outputs.size() == calm->outputs.size();
      for (std::size_t k = 0; same && k < run->outputs.size(); ++k)
        same = run->outputs[k].value == calm->outputs[k].value;
      if (!same) wrong = "other outputs than without faults";
      done += same;
    }
    if (run) restarts += run->restarts;
    if (!wrong.empty() && ++violations == 1)
      std::printf("  ring, seed %llu: %s\n", static_cast<unsigned long long>(s.seed),
                  wrong.c_str());
  }
  const double took = wf_benchmark::process_seconds() - begin;
  std::printf("%-30s ring: seeds=%u violations=%d complete=%llu restarts=%llu seeds_per_s=%.0f\n",
              std::string(s.name.view()).c_str(), seeds, violations,
              static_cast<unsigned long long>(done), static_cast<unsigned long long>(restarts),
              seeds / took);
  complete += done;
  return violations;
}

}  // namespace simulation_benchmark
