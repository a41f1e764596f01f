// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include <wf/contraction/network.hpp>
#include <wf/contraction/order.hpp>
#include <wf/core/container/table.hpp>

namespace wf::detail {

/// A deterministic pseudo-random generator. Source: S. Vigna, xorshift64* of An experimental
/// exploration of Marsaglia's xorshift generators, 2016; seeded by splitmix64.
class contraction_random {
 public:
  explicit contraction_random(std::uint64_t seed) {
    std::uint64_t z = seed + 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    state_ = (z ^ (z >> 31)) | 1;
  }
  /// A uniform 64-bit number, never 0.
  std::uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1d;
  }
  /// A number below `n`, which is positive.
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32);
  }
  /// A number above 0, at most 1.
  double fraction() { return (static_cast<double>(next() >> 11) + 1) * 0x1p-53; }

 private:
  std::uint64_t state_ = 1;
};

/// The order of a contraction of many tensors as a binary tree that local changes improve. The tree
/// stores the index set of each tensor and the logarithm of the multiplications of its step.
/// Indices of a single operand do not count: they are summed beforehand.
class contraction_tree {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  explicit contraction_tree(const tensor_network& n)
      : leaves_(static_cast<std::uint32_t>(n.operands.size())) {
    place_indices(n);
    sets_ = table<std::uint64_t>(std::size_t{2} * leaves_ * words_);
    nodes_ = table<node>(std::size_t{2} * leaves_);
    table<std::uint32_t> owners(n.extents.size()), seen(n.extents.size(), none);
    for (std::uint32_t k = 0; k < leaves_; ++k)
      for (const std::uint32_t i : n.indices_of(k))
        if (seen[i] != k) seen[i] = k, ++owners[i];
    output_ = table<std::uint64_t>(words_);
    for (const std::uint32_t i : n.output) {
      ++owners[i];
      output_[bits_[i] / 64] |= bit(i);
    }
    for (std::uint32_t k = 0; k < leaves_; ++k)
      for (const std::uint32_t i : n.indices_of(k))
        if (owners[i] > 1) set_of(k)[bits_[i] / 64] |= bit(i);
    holders_ = static_cast<table<std::uint32_t>&&>(owners);
  }

  /// Number of operands, which are the first nodes.
  std::uint32_t leaves() const { return leaves_; }
  /// Number of nodes of the complete tree; the last one is the root.
  std::uint32_t size() const { return 2 * leaves_ - 1; }
  /// Number of 64-bit words of an index set.
  std::size_t words() const { return words_; }
  /// The index set of a node's tensor, `words()` words.
  std::uint64_t* set_of(std::uint32_t node) { return sets_.data() + node * words_; }
  /// The index set of a node's tensor, `words()` words.
  const std::uint64_t* set_of(std::uint32_t node) const { return sets_.data() + node * words_; }
  /// The index set of the result.
  const std::uint64_t* output() const { return output_.data(); }
  /// log2 of the extent of the indices of a word, which all have the same extent.
  double log_extent(std::size_t word) const { return logs_[word]; }
  /// The position of an index in the index sets.
  std::uint32_t bit_of(std::uint32_t index) const { return bits_[index]; }
  /// Number of operands that have an index, plus one if the result has it.
  std::uint32_t holders_of(std::uint32_t index) const { return holders_[index]; }

  /// The left child of an inner node.
  std::uint32_t left(std::uint32_t node) const { return nodes_[node].left; }
  /// The right child of an inner node.
  std::uint32_t right(std::uint32_t node) const { return nodes_[node].right; }
  /// True for an operand.
  bool is_leaf(std::uint32_t node) const { return node < leaves_; }
  /// The node of the result.
  std::uint32_t root() const { return root_; }
  /// log2 of the multiplications of an inner node's step.
  double log_work(std::uint32_t node) const { return nodes_[node].log_work; }

  /// Makes node `at` the product of two nodes and the root; it keeps those of their indices in
  /// `kept`.
  void join(std::uint32_t at, std::uint32_t left, std::uint32_t right, const std::uint64_t* kept) {
    std::uint64_t* const to = set_of(at);
    const std::uint64_t *const a = set_of(left), *const b = set_of(right);
    double log_work = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t all = a[w] | b[w];
      log_work += std::popcount(all) * logs_[w];
      to[w] = all & kept[w];
    }
    nodes_[at] = {left, right, log_work};
    root_ = at;
  }
  /// Changes the children of a node, whose index set stays the same, and the work of its step.
  void rejoin(std::uint32_t at, std::uint32_t left, std::uint32_t right, double log_work) {
    nodes_[at] = {left, right, log_work};
  }
  /// Restores the root, which `join` sets to the node that it made.
  void set_root(std::uint32_t node) { root_ = node; }

  /// log2 of the number of elements of a tensor with this index set.
  double log_size(const std::uint64_t* set) const {
    double out = 0;
    for (std::size_t w = 0; w < words_; ++w) out += std::popcount(set[w]) * logs_[w];
    return out;
  }
  /// log2 of all multiplications.
  double log_total() const {
    double largest = 0, sum = 0;
    for (std::uint32_t v = leaves_; v < size(); ++v)
      largest = nodes_[v].log_work > largest ? nodes_[v].log_work : largest;
    for (std::uint32_t v = leaves_; v < size(); ++v) sum += std::exp2(nodes_[v].log_work - largest);
    return largest + std::log2(sum);
  }

  /// The steps, children first; operands with indices of their own are summed beforehand.
  table<contraction_step> steps(const tensor_network& n) const {
    table<contraction_step> out;
    table<std::uint32_t> number(nodes_.size());
    const auto push = [&](const contraction_step& s) {
      out.push_back(s);
      return leaves_ + static_cast<std::uint32_t>(out.size()) - 1;
    };
    for (std::uint32_t k = 0; k < leaves_; ++k) {
      number[k] = k;
      bool own = false;
      for (const std::uint32_t i : n.indices_of(k)) own = own || holders_[i] == 1;
      if (own || leaves_ == 1) number[k] = push({k});
    }
    if (leaves_ == 1) return out;
    // Children before parents, without recursion: a tree may be as deep as it has operands.
    table<std::uint32_t> stack, order;
    stack.push_back(root_);
    while (!stack.empty()) {
      const std::uint32_t v = stack.back();
      stack.pop_back();
      if (is_leaf(v)) continue;
      order.push_back(v);
      stack.push_back(left(v));
      stack.push_back(right(v));
    }
    for (std::size_t i = order.size(); i-- > 0;)
      number[order[i]] = push({number[left(order[i])], number[right(order[i])]});
    return out;
  }

 private:
  struct node {
    std::uint32_t left = none, right = none;
    double log_work = 0;
  };

  std::uint64_t bit(std::uint32_t index) const { return std::uint64_t{1} << (bits_[index] % 64); }

  // Indices of one extent share words, so the size of a set follows from bit counts.
  void place_indices(const tensor_network& n) {
    bits_ = table<std::uint32_t>(n.extents.size(), none);
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < n.extents.size(); ++i) {
      if (bits_[i] != none) continue;
      next = (next + 63) / 64 * 64;
      for (std::uint32_t j = i; j < n.extents.size(); ++j) {
        if (bits_[j] != none || n.extents[j] != n.extents[i]) continue;
        if (next % 64 == 0) logs_.push_back(std::log2(n.extents[i]));
        bits_[j] = next++;
      }
    }
    words_ = logs_.size();
  }

  std::uint32_t leaves_;
  std::uint32_t root_ = 0;
  std::size_t words_ = 0;
  table<node> nodes_;
  table<std::uint64_t> sets_, output_;
  table<double> logs_;
  table<std::uint32_t> bits_, holders_;
};

}  // namespace wf::detail
