// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <wf/contraction/network.hpp>
#include <wf/contraction/order.hpp>

/// A random network, with indices in one or many operands, repeated in an operand, or in the
/// result.
inline wf::tensor_network random_network(std::mt19937& random, std::uint32_t operands,
                                         std::uint32_t indices) {
  wf::tensor_network out;
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  std::vector<std::vector<std::uint32_t>> of(operands);
  for (std::uint32_t i = 0; i < indices; ++i) {
    out.extents.push_back(1 + below(5));
    const std::uint32_t times = 1 + below(3);
    for (std::uint32_t t = 0; t < times; ++t) of[below(operands)].push_back(i);
    if (below(4) == 0) out.output.push_back(i);
  }
  for (const auto& each : of) out.add_operand({each.data(), each.size()});
  return out;
}

/// The least flops over all orders of steps of one or two tensors, by enumeration.
class every_order {
 public:
  explicit every_order(const wf::tensor_network& n, const wf::contraction_rules& rules = {})
      : network_(n), rules_(rules) {
    std::vector<std::vector<std::uint32_t>> tensors;
    for (std::size_t k = 0; k < n.operands.size(); ++k) {
      const auto of = n.indices_of(k);
      tensors.push_back(as_set({of.begin(), of.end()}));
    }
    if (tensors.size() == 1)
      step(tensors, 0, 0, 0);
    else
      go_on(tensors, 0);
  }
  double least = 1e300;

 private:
  using index_set = std::vector<std::uint32_t>;

  static index_set as_set(index_set s) {
    std::sort(s.begin(), s.end());
    s.erase(std::unique(s.begin(), s.end()), s.end());
    return s;
  }
  void go_on(const std::vector<index_set>& tensors, double flops) {
    if (flops >= least) return;
    if (tensors.size() == 1) {
      least = flops;
      return;
    }
    for (std::size_t i = 0; i < tensors.size(); ++i)
      for (std::size_t j = i; j < tensors.size(); ++j) step(tensors, i, j, flops);
  }
  void step(std::vector<index_set> tensors, std::size_t i, std::size_t j, double flops) {
    const bool is_alone = i == j, is_elementwise = tensors[i] == tensors[j];
    index_set all = tensors[i];
    all.insert(all.end(), tensors[j].begin(), tensors[j].end());
    all = as_set(all);
    tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
    if (i != j) tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)));
    index_set kept;
    double size = 1;
    for (const std::uint32_t index : all) {
      size *= network_.extents[index];
      bool needed = std::count(network_.output.begin(), network_.output.end(), index) != 0;
      for (const index_set& other : tensors)
        needed = needed || std::count(other.begin(), other.end(), index) != 0;
      if (needed) kept.push_back(index);
    }
    const bool sums = kept.size() != all.size();
    if (i == j && !sums && !tensors.empty()) return;  // the step has no effect
    if (i != j && kept.size() > rules_.max_dimensions) return;
    double now = flops + size * (sums ? 2 : 1);
    if (rules_.count == wf::contraction_count::operators && (is_alone || is_elementwise)) {
      double made = 1;
      for (const std::uint32_t index : kept) made *= network_.extents[index];
      now = flops + (is_alone ? 0 : size) + size - made;
    }
    tensors.push_back(kept);
    if (tensors.size() == 1)
      least = std::min(least, now);
    else
      go_on(tensors, now);
  }

  const wf::tensor_network& network_;
  wf::contraction_rules rules_;
};
