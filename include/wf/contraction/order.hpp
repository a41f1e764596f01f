// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/contraction/network.hpp>
#include <wf/core/container/table.hpp>

namespace wf {

/// One step of a contraction: two tensors become one, summed over the indices that occur in no
/// other tensor and not in the result. Tensors are numbered: first the operands, then the results
/// of the steps.
struct contraction_step {
  /// The `right` of a step that sums a single tensor.
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t left = 0;      ///< the number of a tensor
  std::uint32_t right = none;  ///< the number of the other tensor, or `none`
  friend constexpr bool operator==(const contraction_step&, const contraction_step&) = default;
};

/// The flop count of a step.
enum class contraction_count : std::uint8_t {
  /// The product of the extents of all its indices, doubled if some are summed: the count of
  /// opt_einsum.
  uniform,
  /// The count of the operators that capture makes of a step. As `uniform`, except that summing n
  /// terms takes n - 1 additions in an elementwise product (two tensors with the same indices) and
  /// in the sum of a single tensor.
  operators,
};

/// Constraints on the orders of a contraction that a search considers.
struct contraction_rules {
  contraction_count count = contraction_count::uniform;  ///< the flop count of a step
  /// The maximum number of dimensions of a tensor that a step of two tensors makes.
  std::uint32_t max_dimensions = 0xffffffff;
};

/// The cost of a contraction along an order.
struct contraction_cost {
  /// The flops of all steps, by a `contraction_count`. Exact below 2^53.
  double flops = 0;
  /// The scalar multiplications of the steps of two tensors: their flops without the factor of 2.
  double multiplications = 0;
  /// The number of elements of the largest tensor that a step makes.
  double largest = 0;
};

/// A sequence of pairwise steps that contracts all operands, with its cost.
struct contraction_order {
  table<contraction_step> steps;  ///< the last step makes the result
  contraction_cost cost;          ///< the cost of these steps
  bool proven = false;            ///< true if no order of pairwise steps needs fewer flops
};

namespace detail {

/// The index sets of the tensors of a contraction while its steps are applied.
class contraction_walk {
 public:
  constexpr contraction_walk(const tensor_network& n, contraction_count count_by)
      : network_(n),
        count_(count_by),
        readers_(n.extents.size()),
        words_((n.extents.size() + 63) / 64) {
    for (std::size_t k = 0; k < n.operands.size(); ++k) {
      const std::size_t at = sets_.size();
      sets_.resize(at + words_);
      for (const std::uint32_t i : n.indices_of(k)) insert(at, i);
      count(at, 1);
    }
    for (const std::uint32_t i : n.output) ++readers_[i];
  }
  /// Applies a step and returns its cost.
  constexpr contraction_cost step(const contraction_step& s) {
    const std::size_t at = sets_.size();
    sets_.resize(at + words_);
    const bool is_pair = s.right != contraction_step::none;
    bool same = is_pair;
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t left = sets_[s.left * words_ + w];
      const std::uint64_t right = is_pair ? sets_[s.right * words_ + w] : 0;
      sets_[at + w] = left | right;
      same = same && left == right;
    }
    count(s.left * words_, -1);
    if (is_pair) count(s.right * words_, -1);
    contraction_cost out{1, 1, 1};
    bool sums = false;
    for (std::uint32_t i = 0; i < network_.extents.size(); ++i) {
      if (!contains(at, i)) continue;
      out.multiplications *= network_.extents[i];
      if (readers_[i] != 0) {
        out.largest *= network_.extents[i];
      } else {
        sums = true;
        sets_[at + i / 64] &= ~(std::uint64_t{1} << (i % 64));
      }
    }
    count(at, 1);
    out.flops = out.multiplications * (sums ? 2 : 1);
    if (count_ == contraction_count::operators && (same || !is_pair))
      out.flops = (is_pair ? out.multiplications : 0) + out.multiplications - out.largest;
    if (!is_pair) out.multiplications = 0;
    return out;
  }

 private:
  constexpr void insert(std::size_t at, std::uint32_t i) {
    sets_[at + i / 64] |= std::uint64_t{1} << (i % 64);
  }
  constexpr bool contains(std::size_t at, std::uint32_t i) const {
    return (sets_[at + i / 64] >> (i % 64) & 1) != 0;
  }
  constexpr void count(std::size_t at, int by) {
    for (std::uint32_t i = 0; i < network_.extents.size(); ++i)
      if (contains(at, i)) readers_[i] += by;
  }

  const tensor_network& network_;
  contraction_count count_;
  table<int> readers_;  // by index: number of tensors that have it, the result included
  std::size_t words_;
  table<std::uint64_t> sets_;  // bit sets of indices, by tensor
};

}  // namespace detail

/// The cost of the steps of an order. Each operand and each intermediate result is used exactly
/// once. O(steps · indices).
constexpr contraction_cost price_order(const tensor_network& n, view<contraction_step> steps,
                                       contraction_count count = contraction_count::uniform) {
  detail::contraction_walk walk(n, count);
  contraction_cost sum;
  for (const contraction_step& s : steps) {
    const contraction_cost each = walk.step(s);
    sum.flops += each.flops;
    sum.multiplications += each.multiplications;
    if (each.largest > sum.largest) sum.largest = each.largest;
  }
  return sum;
}

}  // namespace wf
