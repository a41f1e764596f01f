// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <type_traits>

#include <wf/contraction/network.hpp>
#include <wf/contraction/order.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>

namespace wf {

namespace detail {

/// A contraction of at most 20 tensors with at most 64 index classes, each a bit: the exact dynamic
/// programme over all subsets of tensors, outer products included.
struct small_contraction {
  static constexpr double infinite = 1e300;

  table<std::uint64_t> operands;              ///< the index set of each operand
  std::uint64_t output = 0;                   ///< the indices of the result
  table<double> extents;                      ///< by bit
  double scale = 1;                           ///< factor of all costs
  double sum_factor = 2;                      ///< factor of the cost of a step that sums
  bool counts_alone = true;                   ///< true if the sum of a single tensor has a cost
  bool counts_additions = false;              ///< true for `contraction_count::operators`
  table<std::uint32_t> ranks;                 ///< number of dimensions of each bit; empty: no limit
                                              ///< on dimensions
  std::uint32_t max_dimensions = 0xffffffff;  ///< limit for the product of two tensors
  double at_most = infinite;                  ///< an upper bound: only a smaller cost is of use

  /// Finds the least cost; `infinite` if there is none below `at_most`. O(3^operands).
  constexpr double solve() {
    own_ = 0;
    const auto count = static_cast<std::uint32_t>(operands.size());
    const std::uint32_t subsets = std::uint32_t{1} << count;
    prepare_sizes();
    least_ = table<double>(subsets, infinite);
    floor_ = least_;
    split_ = table<std::uint32_t>(subsets);
    kept_ = table<std::uint64_t>(subsets);
    prepare_kept(subsets);
    for (std::uint32_t set = 3; set < subsets; ++set)
      if ((set & (set - 1)) != 0) join(set);
    return count == 1 ? alone(0) : least_[subsets - 1];
  }

  /// The steps of the least cost; operands are numbered from 0, in their order.
  constexpr table<contraction_step> steps() const {
    table<contraction_step> out;
    const auto count = static_cast<std::uint32_t>(operands.size());
    if (count == 1)
      out.push_back({0});
    else
      write(out, (std::uint32_t{1} << count) - 1);
    return out;
  }

  /// The first of the two parts of a set of operands in the best order, as a bit set.
  constexpr std::uint32_t part_of(std::uint32_t set) const { return split_[set] & set; }

 private:
  // Flags in `split_` beside the first part: the single operand of that part is summed beforehand.
  static constexpr std::uint32_t first_alone = std::uint32_t{1} << 30;
  static constexpr std::uint32_t second_alone = std::uint32_t{1} << 31;

  constexpr void prepare_sizes() {
    const std::size_t bits = extents.size();
    groups_ = bits <= 16 ? 2 : (bits + 7) / 8;
    sizes_ = table<double>(groups_ * 256, 1.0);
    sizes_[0] = scale;
    for (std::size_t g = 0; 8 * g < bits; ++g) {
      const std::size_t here = bits - 8 * g < 8 ? bits - 8 * g : 8;
      double* const size = sizes_.data() + 256 * g;
      for (std::size_t b = 0; b < here; ++b)
        for (std::size_t low = 0; low < std::size_t{1} << b; ++low)
          size[low + (std::size_t{1} << b)] = size[low] * extents[8 * g + b];
    }
  }
  constexpr double size_of(std::uint64_t set) const {
    double out = 1;
    for (std::size_t g = 0; g < groups_; ++g) out *= sizes_[256 * g + (set >> (8 * g) & 255)];
    return out;
  }
  // The indices that each subset keeps: those of the other operands and of the result. At this
  // point a single operand also keeps those that it alone has.
  constexpr void prepare_kept(std::uint32_t subsets) {
    const auto count = static_cast<std::uint32_t>(operands.size());
    for (std::uint32_t i = 0; i < count; ++i) kept_[std::uint32_t{1} << i] = operands[i];
    std::uint64_t* const kept = kept_.data();
    for (std::uint32_t set = 1; set < subsets; ++set)
      kept[set] |= kept[set & (set - 1)] | kept[set & (~set + 1)];
    table<std::uint64_t> all = kept_;
    const std::uint64_t* const inside = all.data();
    const std::uint32_t whole = subsets - 1;
    for (std::uint32_t set = 1; set < subsets; ++set) kept[set] &= inside[whole ^ set] | output;
    single_ = table<std::uint64_t>(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      single_[i] = kept[std::uint32_t{1} << i];
      if (single_[i] != operands[i]) own_ |= std::uint32_t{1} << i;
      kept[std::uint32_t{1} << i] = operands[i];
      least_[std::uint32_t{1} << i] = 0;
      floor_[std::uint32_t{1} << i] = 0.5 * size_of(operands[i]);
    }
  }
  constexpr double alone(std::uint32_t i) const {
    if (counts_additions) return size_of(operands[i]) - size_of(single_[i]);
    return counts_alone ? sum_factor * size_of(operands[i]) : 0;
  }
  constexpr bool is_representable(std::uint64_t set) const {
    std::uint32_t dimensions = 0;
    for (std::size_t b = 0; b < ranks.size(); ++b) dimensions += (set >> b & 1) != 0 ? ranks[b] : 0;
    return dimensions <= max_dimensions;
  }

  // The best way to contract a set of two operands or more: tries all parts that contain the lowest
  // operand. The innermost loop is one statement without calls, because compilers count those in
  // constant evaluation.
  constexpr void join(std::uint32_t set) {
    const std::uint32_t low = set & (~set + 1), rest = set ^ low;
    if (!ranks.empty() && !is_representable(kept_[set])) return;
    best_ = at_most;
    // The additions that an elementwise product saves, if it sums.
    saved_ = counts_additions ? size_of(kept_[set]) : 0;
    if (groups_ == 2)
      join_few(set, low, rest);
    else
      for (std::uint32_t part = (rest - 1) & rest, more = 1; more != 0;
           more = part, part = (part - 1) & rest)
        if (least_[low | part] + least_[rest ^ part] < best_)
          offer(set, low | part, kept_[low | part], kept_[rest ^ part],
                least_[low | part] + least_[rest ^ part], 0);
    if ((set & own_) != 0) sum_singles(set);
    if (split_[set] == 0) return;
    least_[set] = best_;
    floor_[set] = best_ + 0.5 * size_of(kept_[set]);
  }
  // The case of at most 16 bits. A step costs at least the mean of the sizes of its two tensors,
  // which prunes most parts.
  constexpr void join_few(std::uint32_t set, std::uint32_t low, std::uint32_t rest) {
    const double* const least = least_.data();
    const double* const left = least + low;
    const double* const floor = floor_.data();
    const double* const left_floor = floor + low;
    const double* const sizes = sizes_.data();
    const double* const high = sizes + 256;
    const std::uint64_t* const kept = kept_.data();
    const std::uint64_t* const left_kept = kept + low;
    const std::uint64_t summed = ~kept[set];
    const double factor = sum_factor, saved = saved_;
    double best = best_, cost = 0;
    std::uint64_t all = 0;
    std::uint32_t chosen = 0;
    for (std::uint32_t part = (rest - 1) & rest, more = 1; more != 0;
         more = part, part = (part - 1) & rest)
      void(left_floor[part] + floor[rest ^ part] < best &&
           (all = left_kept[part] | kept[rest ^ part],
            cost = left[part] + least[rest ^ part] +
                   sizes[all & 255] * high[all >> 8] * ((all & summed) != 0 ? factor : 1) -
                   ((all & summed) != 0 && left_kept[part] == kept[rest ^ part] ? saved : 0)) <
               best &&
           (best = cost, chosen = low | part, true));
    best_ = best;
    if (chosen != 0) split_[set] = chosen;
  }
  constexpr void offer(std::uint32_t set, std::uint32_t part, std::uint64_t left,
                       std::uint64_t right, double before, std::uint32_t flags) {
    const std::uint64_t all = left | right;
    const bool sums = (all & ~kept_[set]) != 0;
    const double cost =
        before + size_of(all) * (sums ? sum_factor : 1) - (sums && left == right ? saved_ : 0);
    if (!(cost < best_)) return;
    best_ = cost;
    split_[set] = part | flags;
  }
  // A single operand with indices of its own may be summed beforehand.
  constexpr void sum_singles(std::uint32_t set) {
    for (std::uint32_t i = 0; i < operands.size(); ++i) {
      const std::uint32_t one = std::uint32_t{1} << i, others = set ^ one;
      if ((set & own_ & one) == 0) continue;
      const double before = alone(i) + least_[others];
      if (!(before < best_)) continue;
      offer(set, one, single_[i], kept_[others], before, first_alone);
      if ((others & (others - 1)) != 0) continue;
      std::uint32_t j = 0;
      while (others != std::uint32_t{1} << j) ++j;
      if (j > i && (own_ & others) != 0)
        offer(set, one, single_[i], single_[j], before + alone(j), first_alone | second_alone);
    }
  }

  // Writes the steps that contract a set; returns the number of its tensor.
  constexpr std::uint32_t write(table<contraction_step>& out, std::uint32_t set) const {
    const auto count = static_cast<std::uint32_t>(operands.size());
    if ((set & (set - 1)) == 0) {
      std::uint32_t i = 0;
      while (set != std::uint32_t{1} << i) ++i;
      return i;
    }
    const std::uint32_t part = split_[set] & set;
    std::uint32_t left = write(out, part), right = write(out, set ^ part);
    if ((split_[set] & first_alone) != 0) left = push(out, {left}, count);
    if ((split_[set] & second_alone) != 0) right = push(out, {right}, count);
    return push(out, {left, right}, count);
  }
  static constexpr std::uint32_t push(table<contraction_step>& out, const contraction_step& s,
                                      std::uint32_t count) {
    out.push_back(s);
    return count + static_cast<std::uint32_t>(out.size()) - 1;
  }

  std::size_t groups_ = 0;
  std::uint32_t own_ = 0;        // bit set of the operands with indices that only they have
  table<double> sizes_;          // products of extents, by each of the 256 subsets of 8 bits
  table<double> least_;          // least cost by subset
  table<double> floor_;          // least cost plus half of the size of the tensor, by subset
  table<std::uint32_t> split_;   // first part and flags, by subset
  table<std::uint64_t> kept_;    // remaining indices, by subset
  table<std::uint64_t> single_;  // remaining indices of each operand summed alone
  double best_ = 0;
  double saved_ = 0;
};

/// Converts a network; indices that occur in the same operands become one bit. False if that takes
/// more than 64 bits.
constexpr bool make_small(const tensor_network& n, small_contraction& out) {
  table<std::uint64_t> owners(n.extents.size());
  const std::uint64_t in_output = std::uint64_t{1} << 63;
  for (std::size_t k = 0; k < n.operands.size(); ++k)
    for (const std::uint32_t i : n.indices_of(k)) owners[i] |= std::uint64_t{1} << k;
  for (const std::uint32_t i : n.output) owners[i] |= in_output;
  table<std::uint64_t> known;
  out.operands = table<std::uint64_t>(n.operands.size());
  out.extents.clear();
  out.ranks.clear();
  out.output = 0;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if ((owners[i] & ~in_output) == 0) continue;
    std::size_t bit = 0;
    while (bit < known.size() && known[bit] != owners[i]) ++bit;
    if (bit < known.size()) {
      out.extents[bit] *= n.extents[i];
      ++out.ranks[bit];
      continue;
    }
    if (bit == 64) return false;
    known.push_back(owners[i]);
    out.extents.push_back(n.extents[i]);
    out.ranks.push_back(1);
    for (std::size_t k = 0; k < n.operands.size(); ++k)
      if ((owners[i] >> k & 1) != 0) out.operands[k] |= std::uint64_t{1} << bit;
    if ((owners[i] & in_output) != 0) out.output |= std::uint64_t{1} << bit;
  }
  return true;
}

}  // namespace detail

/// The maximum number of operands for an exact order at run time.
inline constexpr std::size_t max_exact_operands = 16;
/// The same in constant evaluation, within the default limits of compilers; two fewer if there are
/// more than 16 classes of indices that occur in the same operands.
inline constexpr std::size_t max_static_operands = 12;

/// The order of a contraction with the fewest flops, by the exact dynamic programme over all
/// subsets of operands: hyperedges, batches, traces, outer products and sums of one operand
/// included. Up to `max_exact_operands` operands, in constant evaluation up to
/// `max_static_operands`. Errors: `search_limit` for more operands, or if every order makes tensors
/// of more dimensions than the rules allow; `bad_equation` for no operand. O(3^operands). Source:
/// R. N. C. Pfeifer, J. Haegeman, F. Verstraete, Faster identification of optimal contraction
/// sequences for tensor networks, 2014.
constexpr result<contraction_order> best_contraction(const tensor_network& n,
                                                     const contraction_rules& rules = {}) {
  bool compiling = std::is_constant_evaluated();
  const std::size_t most = compiling ? max_static_operands : max_exact_operands;
  if (n.operands.empty())
    return make_error(errc::bad_equation, contraction_subject, "there is no operand");
  detail::small_contraction small;
  const bool fits = n.operands.size() <= most && detail::make_small(n, small);
  if (!fits || (compiling && n.operands.size() > most - 2 && small.extents.size() > 16))
    return make_error(errc::search_limit, contraction_subject,
                      (text() << "the order of " << n.operands.size()
                              << " operands is not found exactly, that of " << most << " would be")
                          .view());
  small.counts_additions = rules.count == contraction_count::operators;
  small.max_dimensions = rules.max_dimensions;
  if (n.extents.size() <= rules.max_dimensions) small.ranks.clear();
  if (!(small.solve() < detail::small_contraction::infinite))
    return make_error(
        errc::search_limit, contraction_subject,
        (text() << "every order makes a tensor of over " << rules.max_dimensions << " dimensions")
            .view());
  contraction_order out;
  out.steps = small.steps();
  out.cost = price_order(n, out.steps, rules.count);
  out.proven = true;
  return out;
}

}  // namespace wf
