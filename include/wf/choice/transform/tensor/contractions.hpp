// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/contraction.hpp>
#include <wf/choice/transform/tensor/network.hpp>
#include <wf/choice/transform/transform.hpp>
#include <wf/contraction/exact_search.hpp>
#include <wf/contraction/network.hpp>
#include <wf/contraction/order.hpp>

namespace wf::transforms {

namespace detail {

// Adapts a choice graph to the scope to which a contraction's operators are added. After an error
// nothing more is added.
class candidate_scope {
 public:
  constexpr explicit candidate_scope(choice_graph& c) : choices_(c) {}
  constexpr value_id apply(const captured_kernel& k, view<attribute_value> attributes,
                           view<value_id> operands, view<value_type>,
                           const wf::detail::node_location&) {
    if (error_.code != errc::none) return operands[0];
    auto made = choices_.add(*k.spec, operands, attributes);
    if (made) return *made;
    fail(made.error());
    return operands[0];
  }
  constexpr const value_type& type_of(value_id id) const { return choices_.type_of(id); }
  constexpr graph_view captured() const { return choices_.view(); }
  constexpr void fail(const error& e) { error_ = e; }
  constexpr bool is_fine() const { return error_.code == errc::none; }
  // Returns the error so far and clears it.
  constexpr error take_failure() {
    error e = error_;
    error_ = {};
    return e;
  }
  // Extents in contractions are fixed, and so are their products.
  constexpr extent derived_extent(text_view) { return extent(1); }

 private:
  choice_graph& choices_;
  error error_;
};

// Adds orders of a contraction to a choice graph. Sets of its tensors are bit masks.
class contraction_writer {
 public:
  constexpr contraction_writer(choice_graph& c, const contraction_reader& r, value_id root)
      : choices_(c), scope_(c), operators_(scope_), root_(root), network_(r.network()) {
    owners_ = table<std::uint64_t>(network_.extents.size());
    for (std::size_t k = 0; k < network_.operands.size(); ++k)
      for (std::uint32_t i : network_.indices_of(k)) owners_[i] |= std::uint64_t{1} << k;
    for (std::uint32_t i = 0; i < owners_.size(); ++i) {
      const char name[] = {static_cast<char>(1 + i % 127), static_cast<char>(1 + i / 127)};
      names_ << text_view(name, 2);
    }
    tensors_ = r.tensors();
  }

  // False if all orders cost the same: two tensors that are summed together, or tensors with the
  // same indices.
  constexpr bool has_choice() const {
    const std::size_t count = tensors_.size();
    const std::uint64_t all = (std::uint64_t{1} << count) - 1;
    bool own = false, same = true;
    for (std::uint32_t i = 0; i < owners_.size(); ++i) {
      own = own || ((owners_[i] & (owners_[i] - 1)) == 0 && !is_output(i));
      same = same && owners_[i] == all;
    }
    return count >= 2 && (own || (count > 2 && !same));
  }

  // Adds all orders of few tensors; for more, the one that a planner finds.
  template <class Planner>
  constexpr result<nothing> write(const Planner& planner) {
    table<tensor_value> singles;
    for (std::size_t k = 0; k < tensors_.size(); ++k) singles.push_back(single(k));
    if (auto r = checked(); !r) return r;
    if (choices_.admits(&proposal_limits::complete_contraction, tensors_.size()))
      return write_all(singles);
    const auto order = planner(summed());
    return order ? write_order(singles, order->steps) : nothing{};
  }

 private:
  using tensor_value = wf::detail::tensor_value;
  using label_list = table<text_view>;

  constexpr text_view name_of(std::uint32_t index) const {
    return names_.view().part(2 * std::size_t{index}, 2);
  }
  constexpr bool is_output(std::uint32_t index) const {
    for (std::uint32_t i : network_.output)
      if (i == index) return true;
    return false;
  }
  // True if the product of a set of tensors keeps an index: other tensors or the result have it.
  constexpr bool keeps(std::uint64_t set, std::uint32_t index) const {
    return (owners_[index] & set) != 0 && ((owners_[index] & ~set) != 0 || is_output(index));
  }
  constexpr label_list kept(std::uint64_t set) const {
    label_list out;
    for (std::uint32_t i = 0; i < owners_.size(); ++i)
      if (keeps(set, i)) out.push_back(name_of(i));
    return out;
  }

  // An operand without unit dimensions, with diagonals taken and its own indices summed.
  constexpr tensor_value single(std::size_t k) {
    tensor_value v;
    v.id = tensors_[k];
    v.labelled = true;
    for (std::uint32_t i : network_.indices_of(k)) v.labels.push_back(name_of(i));
    const shape s = scope_.type_of(v.id).shape;
    if (s.rank != v.labels.size()) {
      table<extent> extents;
      for (std::uint32_t i : network_.indices_of(k))
        extents.push_back(extent(static_cast<std::int64_t>(network_.extents[i])));
      operators_.reshape(v, extents, {});
    }
    operators_.diagonal(v, {});
    operators_.project(v, kept(std::uint64_t{1} << k), {});
    return v;
  }
  // True if a matrix product of the two needs no transpose.
  static constexpr bool flows(const tensor_value& a, const tensor_value& b) {
    const std::size_t rank = b.labels.size();
    return !a.labels.empty() && rank != 0 &&
           a.labels[a.labels.size() - 1] == b.labels[rank < 2 ? 0 : rank - 2];
  }
  // The operand order does not depend on positions in an equation, so that equations share nodes.
  constexpr tensor_value join(const tensor_value& a, const tensor_value& b, std::uint64_t set) {
    const bool forth = flows(a, b), back = flows(b, a);
    const bool turned = forth == back ? choices_.class_of(b.id) < choices_.class_of(a.id) : back;
    return operators_.contract(turned ? b : a, turned ? a : b, kept(set), {});
  }
  // Offers a product of all tensors as a candidate for the root.
  constexpr void finish(tensor_value v) {
    label_list wanted;
    for (std::uint32_t i : network_.output) wanted.push_back(name_of(i));
    operators_.permute(v, wanted, {});
    const shape s = scope_.type_of(root_).shape;
    if (s.rank != wanted.size()) operators_.reshape(v, {s.extents, s.rank}, {});
    if (scope_.is_fine()) choices_.unite(root_, v.id);
  }
  // Products of extents that do not fit 63 bits are left out.
  constexpr result<nothing> checked() {
    error e = scope_.take_failure();
    if (e.code == errc::none || e.code == errc::overflow) return nothing{};
    return e;
  }

  // Every way to compute every product of at least two tensors that fits `max_rank`.
  constexpr result<nothing> write_all(const table<tensor_value>& singles) {
    const std::uint64_t all = (std::uint64_t{1} << singles.size()) - 1;
    table<tensor_value> made(all + 1);
    for (std::size_t k = 0; k < singles.size(); ++k) made[std::size_t{1} << k] = singles[k];
    for (std::uint64_t set = 3; set <= all; ++set) {
      if ((set & (set - 1)) == 0 || kept(set).size() > max_rank) continue;
      const std::uint64_t low = set & (~set + 1);
      for (std::uint64_t part = set & (set - 1); part != 0; part = (part - 1) & (set ^ low)) {
        const tensor_value &a = made[set ^ part], &b = made[part];
        if (a.id == value_id::none || b.id == value_id::none) continue;
        offer(made[set], join(a, b, set), set == all);
        if (auto r = checked(); !r) return r;
      }
    }
    return nothing{};
  }
  // Unites one way to compute a product with the known ones.
  constexpr void offer(tensor_value& known, tensor_value v, bool is_last) {
    if (is_last) return finish(v);
    if (known.id != value_id::none) operators_.permute(v, known.labels, {});
    if (!scope_.is_fine()) return;
    if (known.id == value_id::none)
      known = v;
    else
      choices_.unite(known.id, v.id);
  }
  // The network after the operations on single tensors.
  constexpr tensor_network summed() const {
    tensor_network out;
    out.extents = network_.extents;
    out.output = network_.output;
    for (std::size_t k = 0; k < tensors_.size(); ++k) {
      table<std::uint32_t> indices;
      for (std::uint32_t i : network_.indices_of(k))
        if (keeps(std::uint64_t{1} << k, i)) indices.push_back(i);
      out.add_operand(indices);
    }
    return out;
  }
  // Adds a pairwise order if all its intermediate tensors fit `max_rank`.
  constexpr result<nothing> write_order(const table<tensor_value>& singles,
                                        view<contraction_step> steps) {
    table<std::uint64_t> sets;
    for (std::size_t k = 0; k < singles.size(); ++k) sets.push_back(std::uint64_t{1} << k);
    for (const contraction_step& s : steps) {
      sets.push_back(sets[s.left] | sets[s.right]);
      if (kept(sets[sets.size() - 1]).size() > max_rank) return nothing{};
    }
    table<tensor_value> made = singles;
    for (const contraction_step& s : steps)
      made.push_back(join(made[s.left], made[s.right], sets[made.size()]));
    finish(made[made.size() - 1]);
    return checked();
  }

  choice_graph& choices_;
  candidate_scope scope_;
  wf::detail::tensor_lowering<candidate_scope> operators_;
  value_id root_;
  tensor_network network_;
  table<value_id> tensors_;
  table<std::uint64_t> owners_;  // by index: the set of tensors that have it
  text names_;                   // of the indices, two characters each
};

// Finds the order with the fewest flops.
struct exact_planner {
  static constexpr std::size_t fewest(const choice_graph&) { return 2; }
  // At compile time at most the number of tensors that compilers' limits allow within a growth.
  static constexpr std::size_t most(const choice_graph& c) {
    std::size_t most = c.limits().exact_contraction;
    if (most > max_exact_operands) most = max_exact_operands;
    if (std::is_constant_evaluated() && most > 8) most = 8;
    return most;
  }
  constexpr result<contraction_order> operator()(const tensor_network& n) const {
    return best_contraction(n, {contraction_count::operators, max_rank});
  }
};

// The orders of a whole contraction, if `id` is its first operator that is no matrix operator.
template <class Planner>
constexpr result<nothing> write_contraction(choice_graph& c, node_id id, value_id root,
                                            bool through_shared, bool& met_shared) {
  contraction_reader reader(c, Planner::most(c), through_shared);
  const bool fits = reader.read(root);
  met_shared = reader.met_shared();
  if (reader.tensors().size() > exact_planner::most(c))
    c.note_cut(&proposal_limits::exact_contraction);
  if (!fits || reader.first() != id || reader.tensors().size() < Planner::fewest(c))
    return nothing{};
  contraction_writer writer(c, reader, root);
  return writer.has_choice() ? writer.write(Planner()) : nothing{};
}

// Finds the contractions that contain a node, upwards through contractions that read it.
template <class Planner>
constexpr result<nothing> reorder_contraction(choice_graph& c, node_id id) {
  if (!is_of_tensors(c, id) || !is_contraction(c, id)) return nothing{};
  table<value_id> above;
  above.push_back(c.result_of(id));
  for (std::size_t next = 0; next < above.size(); ++next) {
    const value_id value = above[next];
    bool is_root = c.is_output(value) || uses_of(c, value) != 1;
    for (node_id reader : c.readers_of(value)) {
      if (c.origin_of(reader) != origin_id::captured) continue;
      if (!is_contraction(c, reader)) {
        is_root = true;
        continue;
      }
      const value_id made = c.representative(c.result_of(reader));
      bool is_new = true;
      for (value_id known : above) is_new = is_new && c.class_of(known) != c.class_of(made);
      if (is_new) above.push_back(made);
    }
    if (!is_root) continue;
    bool met_shared = false;
    if (auto r = write_contraction<Planner>(c, id, value, true, met_shared); !r) return r;
    if (!met_shared) continue;
    if (auto r = write_contraction<Planner>(c, id, value, false, met_shared); !r) return r;
  }
  return nothing{};
}

}  // namespace detail

/// Another order of a contraction of several tensors, however its operators are nested: `einsum`,
/// products, sums over dimensions, and movements of dimensions. All orders of up to four tensors;
/// for up to 16 tensors (up to eight at compile time) the one with the fewest flops. A value with
/// other uses is an operand in one order, and is expanded in another. Shapes must be fixed. With
/// integers, intermediate products differ, too: one that overflows its type is an error of the run,
/// never a wrong result.
inline constexpr transform reorder_contraction{
    "tensor", "reorder_contraction", "another order of the contraction",
    &detail::reorder_contraction<detail::exact_planner>, false};

/// The transforms of the domain, in order of application.
inline constexpr transform tensor_transforms[] = {reorder_contraction};

}  // namespace wf::transforms
