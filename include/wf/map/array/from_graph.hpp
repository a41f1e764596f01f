// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/compiled.hpp>
#include <wf/cost/cost.hpp>
#include <wf/map/array/workload.hpp>
#include <wf/map/node_figures.hpp>
#include <wf/storage/rule.hpp>

namespace wf {

namespace detail {

/// A price as an integer figure of a workload. Errors: those of the price; `overflow`, naming the
/// node, if it is no whole number from 0 to `max_workload_figure`.
constexpr result<std::int64_t> workload_figure(const result<rational>& price, text_view label) {
  if (!price) return price.error();
  const auto whole = to_int64(*price);
  if (!whole || *whole < 0 || *whole > max_workload_figure)
    return make_error(errc::overflow, label, "a cost is no whole number between 0 and 2^52");
  return *whole;
}

/// Converts the nodes of one graph into workload operators.
class workload_builder {
 public:
  constexpr workload_builder(const graph_view& g, const registry& r)
      : g_(g),
        registry_(r),
        macs_(g, macs.spec, r),
        operations_(g, operations.spec, r),
        flops_(g, flops.spec, r),
        figures_(g, r),
        storage_(g, r) {}

  constexpr result<workload> run() {
    if (!g_.is_static())
      return make_error(errc::workflow_not_static, g_.text_of(g_.name),
                        "its shapes are symbolic: bind the symbols before mapping");
    const auto order = topological_order(g_);
    if (!order) return order.error();
    out_.name = text(g_.text_of(g_.name));
    index_.resize(g_.nodes.size());
    for (node_id id : *order)
      if (error e = add(id); e.code != errc::none) return e;
    for (const edge& e : g_.edges)
      out_.connect(index_[index_of(e.from)], index_[index_of(e.to)], 0, operand_split::by_both);
    for (const output& o : g_.outputs)
      if (const node_id from = g_[o.source].producer; from != node_id::none)
        out_.operators[index_[index_of(from)]].is_output = true;
    if (const auto valid = validate(out_); !valid) return valid.error();
    return static_cast<workload&&>(out_);
  }

 private:
  constexpr error add(node_id id) {
    const node& n = g_[id];
    const kernel_spec* kernel = registry_.find(g_.op_name(n));
    workload_operator o;
    o.label = g_.label(id);
    o.node = id;
    o.kernel = text(g_.op_name(n));
    if (n.outputs.count != 0) o.result = g_[graph_view::output_of(n)].type.shape;
    o.is_view = kernel != nullptr && kernel->is_view;
    bool divisible = true;
    if (!o.is_view)
      if (error e = work(id, o, divisible); e.code != errc::none) return e;
    if (!o.is_view)
      if (error e = scratch(id, o); e.code != errc::none) return e;
    if (divisible && kernel != nullptr && n.outputs.count != 0)
      axes(*kernel, g_[graph_view::output_of(n)].type.shape, o.first_axis, o.second_axis);
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      if (error e = bytes(graph_view::output_of(n, k), o.label.view(), o.output_bytes);
          e.code != errc::none)
        return e;
    const bool product = o.macs > 0;
    o.input_split = product ? operand_split::by_second : operand_split::by_both;
    index_[index_of(id)] = static_cast<std::uint32_t>(out_.operators.size());
    const view<value_id> operands = g_.inputs_of(n);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const node_id from = g_[operands[i]].producer;
      std::int64_t size = 0;
      if (error e = bytes(operands[i], o.label.view(), size); e.code != errc::none) return e;
      if (from == node_id::none)
        (product && i > 0 ? o.weight_bytes : o.input_bytes) += size;
      else
        connect(id, static_cast<std::uint32_t>(i), size,
                !product ? operand_split::by_both
                : i == 0 ? operand_split::by_second
                         : operand_split::by_first);
    }
    out_.add(static_cast<workload_operator&&>(o));
    return {};
  }

  /// Adds the edge of an operand that another node produces. A result that may be written over its
  /// operand has its elements where the operand has them, so that operand follows both axes.
  constexpr void connect(node_id id, std::uint32_t position, std::int64_t size,
                         operand_split split) {
    const node& n = g_[id];
    const value_id operand = g_.inputs_of(n)[position];
    const node_id from = g_[operand].producer, maker = g_[storage_.home_of(operand)].producer;
    bool over = false;
    // The storage rule counts a view that cannot alias its operand as a copy; here it only renames
    // data.
    if (maker != node_id::none && !is_view(maker))
      for (std::uint32_t k = 0; k < n.outputs.count; ++k)
        over = over || storage_.may_overwrite(n, k, position);
    out_.connect(index_[index_of(from)], index_[index_of(id)], size,
                 over ? operand_split::by_both : split, over);
  }
  constexpr bool is_view(node_id id) const {
    const kernel_spec* kernel = registry_.find(g_.op_name(g_[id]));
    return kernel != nullptr && kernel->is_view;
  }

  /// Fills `macs` and `elementwise`, the remaining operations. If both are 0, `elementwise` is the
  /// flops and the operator is not divisible.
  constexpr error work(node_id id, workload_operator& o, bool& divisible) {
    const auto products =
        workload_figure(figures_.price_or_zero(macs_, id, macs.spec), o.label.view());
    if (!products) return products.error();
    const auto all =
        workload_figure(figures_.price_or_zero(operations_, id, operations.spec), o.label.view());
    if (!all) return all.error();
    o.macs = *products;
    o.elementwise = *all > *products ? *all - *products : 0;
    if (o.macs != 0 || o.elementwise != 0) return {};
    const auto whole = workload_figure(flops_.price(id), o.label.view());
    if (!whole) return whole.error();
    o.elementwise = *whole;
    divisible = false;
    return {};
  }

  /// Fills `scratch_bytes`, the storage besides operands and results: the same figure as in the
  /// peak memory.
  constexpr error scratch(node_id id, workload_operator& o) {
    const auto bytes = figures_.scratch_bytes(id, max_workload_figure);
    if (!bytes) return bytes.error();
    o.scratch_bytes = *bytes;
    return {};
  }

  static constexpr void axes(const kernel_spec& k, const shape& s, std::int64_t& first,
                             std::int64_t& second) {
    if (s.elements() <= 0) return;
    const std::uint32_t channels = s.rank == 4 ? 1 : s.rank - 1;
    for (std::uint32_t d = 0; d < s.rank; ++d)
      if (cut_of(k, s.rank, d) != cut::none) (d == channels ? first : second) *= s[d].size();
  }

  constexpr error bytes(value_id id, text_view label, std::int64_t& sum) const {
    const auto size = figures_.bytes_of(id, label);
    if (!size) return size.error();
    if (!checked_add(sum, *size, sum))
      return make_error(errc::overflow, label, "the bytes of an operand or result do not fit");
    return {};
  }

  graph_view g_;
  const registry& registry_;
  pricer<rational> macs_;
  pricer<rational> operations_;
  pricer<rational> flops_;
  node_figures figures_;
  storage_rule storage_;
  table<std::uint32_t> index_;
  workload out_;
};

constexpr result<workload> make_workload(const graph_view& workflow, const registry& r) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  return workload_builder(g, r).run();
}
#ifdef WF_COMPILED
extern template struct compiled<&make_workload>;
#endif

}  // namespace detail

/// The mapping problem of a static graph: one operator per node, in topological order, with its
/// costs from a registry.
///
/// - `macs` is the metric of that name, `elementwise` the rest of the metric `operations`; a node
///   that has neither is priced in flops and not divided (a factorisation, an opaque call); a view
///   is free. An opaque call counts 0 in macs, operations or scratch if it declares none; if it
///   does not declare flops either, its cost is unknown.
/// - `scratch_bytes` is the additional storage that a kernel needs, as in the peak memory
///   (`kernel_spec::costs`, "scratch").
/// - The first axis of parallelism is the channels of a result of four dimensions, else its last
///   dimension; the second axis is all the others. Dimensions along which the kernel must not be
///   cut (`kernel_spec::cuts`: the axis of a softmax) belong to neither. Parts of windows are
///   priced without the overlap with their neighbours.
/// - The first operand of a node with MACs follows the second axis, its others the first; operands
///   of other nodes follow both.
/// - An edge states whether the reader's result may be written over it (`storage_rule`); then the
///   operand follows both axes, since each element of the result lies where an element of the
///   operand does.
/// - Inputs of the graph are the weights of a node with MACs unless they are its first operand,
///   else data fetched from DRAM. Control and mutate edges become edges without bytes.
///
/// The batch is 1; set it on the result if the graph describes one sample. Errors: those of
/// `validate`, `workflow_not_static` for symbolic shapes, `overflow`, those of `pricer::price`.
/// O(nodes + operands).
constexpr result<workload> workload_of(const graph_view& workflow, const registry& r) {
  return detail::call_compiled<&detail::make_workload>(workflow, r);
}

/// The same with the built-in registry.
constexpr result<workload> workload_of(const graph_view& g) {
  return workload_of(g, builtin_registry());
}

}  // namespace wf
