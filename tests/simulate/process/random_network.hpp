// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/process/network.hpp>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace wf_test {

// A process with state: its time and its outputs depend on its earlier runs and on what arrived.
class mixer {
 public:
  using datum = std::int64_t;
  mixer() = default;
  mixer(std::size_t inputs, std::uint32_t outputs, bool any, std::int64_t base)
      : outputs_(outputs), any_(any), base_(base) {
    for (std::size_t k = 0; k < inputs; ++k) inputs_.push_back({wf::text("in"), {}, {}});
  }
  wf::view<wf::expected_input> inputs() const { return inputs_; }
  std::uint32_t outputs() const { return outputs_; }
  wf::result<bool> update(std::uint32_t input, std::int64_t d, std::int64_t now) {
    state_ = (state_ * 31 + d + input + now % 3) % 1009;
    ++taken_;
    return any_ ? state_ % 4 != 0 : taken_ == inputs_.size();
  }
  std::int64_t work(std::int64_t) const { return (base_ + state_) % 7; }
  template <class Emit>
  wf::result<wf::nothing> generate_output(std::int64_t, Emit&& emit) {
    taken_ = 0;
    ++runs_;
    for (std::uint32_t o = 0; o < outputs_; ++o)
      if ((runs_ + o) % 5 != 0) emit(o, state_ + o);
    return wf::nothing{};
  }

 private:
  wf::table<wf::expected_input> inputs_;
  std::uint32_t outputs_ = 0;
  bool any_ = false;
  std::int64_t base_ = 0, state_ = 1;
  std::size_t taken_ = 0;
  std::uint32_t runs_ = 0;
};

struct drawn_network {
  wf::network<mixer> network;
  std::vector<wf::network_input<std::int64_t>> inputs;
};

inline drawn_network draw_network(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random() % n); };
  drawn_network out;
  wf::network<mixer>& n = out.network;
  const std::uint32_t hosts = 1 + below(6), links = 1 + below(4), nodes = 2 + below(9);
  for (std::uint32_t h = 0; h < hosts; ++h) n.add_host(1 + below(3));
  for (std::uint32_t l = 0; l < links; ++l) n.add_link(below(5), below(4));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const std::size_t inputs = below(4);
    for (std::uint32_t k = 0; k < inputs; ++k) ends.emplace_back(i, k);
    n.add_node("node", mixer(inputs, 1 + below(2), inputs > 1 && below(3) == 0, below(7)),
               {wf::sim_resource::slots, below(hosts)}, static_cast<std::int32_t>(below(3)));
  }
  for (const auto& [to, input] : ends) {
    if (below(5) == 0) {  // from outside
      for (std::uint32_t k = below(6); k > 0; --k)
        out.inputs.push_back({to, input, static_cast<std::int64_t>(below(100)), below(20)});
      continue;
    }
    // Forward, or backward with initial data.
    const std::uint32_t from = below(nodes);
    const std::uint32_t output = below(n.nodes[from].process.outputs());
    auto& e = below(3) == 0
                  ? n.connect(from, output, to, input)
                  : n.connect(from, output, to, input, {wf::sim_resource::link, below(links)});
    e.capacity = below(3) == 0 ? 1 + below(3) : 0;
    if (from >= to && below(4) != 0) e.initial.push_back(static_cast<std::int64_t>(below(9)));
  }
  return out;
}

}  // namespace wf_test
