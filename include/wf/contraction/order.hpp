// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <type_traits>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/ir/type/shape.hpp>

namespace wf {

/// A product of tensors that share indices, summed over the indices that the result lacks:
/// "ab,bc->ac". An index may occur in any number of operands, also twice in one (its diagonal).
struct tensor_network {
  table<double> extents;         ///< by index
  table<range> operands;         ///< each a run of `indices`
  table<std::uint32_t> indices;  ///< the indices of all operands, one operand after the other
  table<std::uint32_t> output;   ///< the indices of the result, in its order

  /// The indices of an operand, by position of the operand; valid until the network changes.
  constexpr view<std::uint32_t> indices_of(std::size_t operand) const {
    return view<std::uint32_t>(indices).part(operands[operand].first, operands[operand].count);
  }
  /// Appends an operand with these indices.
  constexpr void add_operand(view<std::uint32_t> of) {
    operands.push_back(
        {static_cast<std::uint32_t>(indices.size()), static_cast<std::uint32_t>(of.size())});
    indices.append(of);
  }
};

/// The subject of error messages about equations and networks.
inline constexpr text_view contraction_subject = "einsum";

/// The network of an equation such as "ab,bc->ac" on operands of these shapes, one letter per
/// dimension. Without an arrow the result has the letters that occur once, in alphabetic order, as
/// in numpy. Errors: `bad_equation`; `shape_mismatch` if extents differ or are not fixed.
constexpr result<tensor_network> parse_network(text_view equation, view<shape> shapes) {
  tensor_network out;
  std::uint32_t number[128] = {};  // letter to index, plus one; 0: unused
  std::uint32_t times[128] = {};
  std::size_t at = 0;
  const auto is_letter = [&](std::size_t i) {
    const char c = equation[i];
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    table<std::uint32_t> of;
    for (; at < equation.size() && is_letter(at); ++at) {
      const auto letter = static_cast<std::size_t>(equation[at]);
      if (of.size() >= shapes[k].rank || !shapes[k].has_rank())
        return make_error(
            errc::bad_equation, contraction_subject,
            (text() << "operand " << k + 1 << " has fewer dimensions than letters").view());
      const extent e = shapes[k][static_cast<std::uint32_t>(of.size())];
      const double size = e.is_fixed() ? static_cast<double>(e.size()) : 0;
      if (number[letter] == 0) {
        out.extents.push_back(size);
        number[letter] = static_cast<std::uint32_t>(out.extents.size());
      }
      if (size <= 0 || out.extents[number[letter] - 1] != size)
        return make_error(
            errc::shape_mismatch, contraction_subject,
            (text() << "index " << equation[at] << " has no extent, or several").view());
      of.push_back(number[letter] - 1);
      ++times[letter];
    }
    if (of.size() != shapes[k].rank)
      return make_error(
          errc::bad_equation, contraction_subject,
          (text() << "operand " << k + 1 << " has more dimensions than letters").view());
    out.add_operand(of);
    if (k + 1 < shapes.size() && (at >= equation.size() || equation[at++] != ','))
      return make_error(errc::bad_equation, contraction_subject,
                        "there are more operands than in the text");
  }
  if (at == equation.size()) {
    for (std::size_t letter = 0; letter < 128; ++letter)
      if (times[letter] == 1) out.output.push_back(number[letter] - 1);
    return out;
  }
  if (!equation.part(at).starts_with("->"))
    return make_error(errc::bad_equation, contraction_subject,
                      "only letters, commas and -> are understood");
  for (at += 2; at < equation.size(); ++at) {
    const auto letter = static_cast<std::size_t>(equation[at]);
    if (!is_letter(at) || number[letter] == 0)
      return make_error(errc::bad_equation, contraction_subject,
                        "a letter of the result is in no operand");
    out.output.push_back(number[letter] - 1);
  }
  return out;
}

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
