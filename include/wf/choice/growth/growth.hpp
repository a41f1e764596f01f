// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/graph/compact.hpp>
#include <wf/choice/growth/beam.hpp>
#include <wf/choice/growth/control.hpp>
#include <wf/choice/transform/transform.hpp>
#include <wf/core/callable.hpp>
#include <wf/core/compiled.hpp>
#include <wf/registry/fit.hpp>

namespace wf {

namespace detail {

// Applies transforms to nodes in FIFO order: as nodes appear or have to be revisited.
template <class Callback>
class grower {
 public:
  constexpr grower(const graph_view& workflow, view<transform> transforms,
                   const growth_limits& limits, const registry& kernels, Callback& callback)
      : choices_(workflow),
        transforms_(transforms),
        limits_(limits),
        kernels_(kernels),
        callback_(callback),
        captured_(choices_.size()) {
    for (const transform& t : transforms_) repeats_ = repeats_ || t.repeat;
    outcome_.proposals = limits.proposals;
    choices_.note_growth(outcome_);
  }

  constexpr result<choice_graph> run() {
    if (choices_.failure().code != errc::none) return choices_.failure();
    if (error e = guards_.prepare(transforms_, kernels_); e.code != errc::none) return e;
    choices_.forget_changes();
    find_misfits();
    enqueue_new();
    while (head_ < queue_.size() && !stopped_) {
      const std::size_t end = queue_.size();
      while (head_ < end && !stopped_) visit(queue_[head_++]);
      cut();
    }
    if (failure_.code != errc::none) return static_cast<error&&>(failure_);
    note_outcome();
    return without_dropped(static_cast<choice_graph&&>(choices_));
  }

 private:
  // State of a node in the queue: not queued, all transforms, or all but the one that made the
  // change itself.
  static constexpr std::uint32_t nobody = 0, everybody = 1, all_but = 2;

  // Operators of wf's own transforms need not be in the user's registry.
  constexpr void find_misfits() {
    const graph_view g = choices_.view();
    table<const kernel_spec*> known(g.operations.size());
    for (std::uint32_t op = 0; op < g.operations.size(); ++op) {
      known[op] = kernel_of(op);
      if (known[op] == nullptr)
        known[op] = builtin_registry().find(g.text_of(g.operations[op].name));
    }
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
      const auto id = static_cast<node_id>(i);
      const kernel_spec* k = known[g.nodes[i].op];
      if (k != nullptr && find_misfit(g, id, *k, choices_.signature_of(*k)).code != errc::none)
        choices_.note_misfit(id);
    }
  }

  constexpr void visit(node_id id) {
    const std::uint32_t who = waiting_[index_of(id)];
    waiting_[index_of(id)] = nobody;
    const bool captured = index_of(id) < captured_;
    if (captured && (choices_.is_effect(id) || choices_.is_misfit(id))) return;
    infer_again(id);
    const std::uint64_t op = choices_.op_hash(id);
    // An operator's name lies in the graph's text, which moves when a transform adds nodes.
    const auto next_about = [&](std::uint32_t t) {
      return guards_.next_about(t, op, choices_.view().op_name(choices_.view()[id]));
    };
    for (std::uint32_t t = next_about(0); t < transforms_.size(); t = next_about(t + 1)) {
      if (who == all_but + t) continue;
      if (!captured && !transforms_[t].repeat) continue;
      if (!choices_.is_kept(id) || !may_go_on()) return;
      ask(t, id);
    }
  }
  constexpr void ask(std::uint32_t t, node_id id) {
    if (guards_.has_condition(t)) {
      const auto admitted = guards_.admits(t, choices_.view(), id);
      if (!admitted) return fail(admitted.error());
      if (!*admitted) return;
    }
    ++outcome_.steps;
    choices_.set_origin(static_cast<origin_id>(t + 1), id);
    if (auto done = transforms_[t].propose(choices_, id); !done) return fail(done.error());
    choices_.set_origin(origin_id::captured);
    enqueue_new();
    enqueue_changed(id, all_but + t);
  }
  // Infers properties of a result from new properties of its operands.
  constexpr void infer_again(node_id id) {
    const kernel_spec* kernel = kernel_of(choices_.view()[id].op);
    if (kernel == nullptr || kernel->result_properties == nullptr) return;
    value_type operands[max_operands];
    const view<value_id> read = choices_.inputs_of(id);
    for (std::size_t i = 0; i < read.size(); ++i) operands[i] = choices_.type_of(read[i]);
    const graph_view g = choices_.view();
    const table<attribute_value> attributes = attribute_values(g, g[id]);
    choices_.assume(choices_.result_of(id),
                    kernel->result_properties({{operands, read.size()}, attributes, &g}));
    enqueue_changed(id, everybody);
  }
  constexpr const kernel_spec* kernel_of(std::uint32_t operation) {
    const graph_view g = choices_.view();
    while (kernel_by_operation_.size() <= operation)
      kernel_by_operation_.push_back(
          kernels_.find(g.text_of(g.operations[kernel_by_operation_.size()].name)));
    return kernel_by_operation_[operation];
  }
  constexpr void fail(const error& e) {
    failure_ = e;
    stopped_ = true;
  }

  constexpr bool may_go_on() {
    if (stopped_) return false;
    if (choices_.size() >= limits_.max_nodes) return stop(growth_status::stopped_by_nodes);
    if (limits_.max_steps != 0 && outcome_.steps >= limits_.max_steps)
      return stop(growth_status::stopped_by_steps);
    const std::uint64_t interval = limits_.progress_interval != 0 ? limits_.progress_interval : 16;
    if (outcome_.steps % interval != 0) return true;
    const growth_progress now{outcome_.steps, choices_.size(), queue_.size() - head_};
    return callback_(now) ? true : stop(growth_status::stopped_by_caller);
  }
  constexpr bool stop(growth_status status) {
    outcome_.status = status;
    stopped_ = true;
    return false;
  }

  constexpr void enqueue_new() {
    const std::uint32_t nodes = choices_.size();
    for (auto i = static_cast<std::uint32_t>(waiting_.size()); i < nodes; ++i) {
      waiting_.push_back(nobody);
      if (i < captured_ || repeats_) enqueue(static_cast<node_id>(i), everybody);
    }
  }
  // At the node `asked` itself only `who` is queued for direct changes.
  constexpr void enqueue_changed(node_id asked, std::uint32_t who) {
    if (choices_.changes().empty()) return;
    const value_classes& classes = choices_.classes();
    for (const class_change& change : choices_.changes()) {
      std::uint32_t entry = classes.first_dependent(classes.of(change.home));
      while (entry != value_classes::none) {
        const value_classes::dependent d = classes.dependent_at(entry);
        enqueue(d.node, change.direct && d.node == asked ? who : everybody);
        entry = d.next;
      }
    }
    choices_.forget_changes();
  }
  constexpr void enqueue(node_id id, std::uint32_t who) {
    std::uint32_t& waits = waiting_[index_of(id)];
    if (waits == nobody) queue_.push_back(id);
    waits = waits == nobody || waits == who ? who : everybody;
  }

  // Cuts each class to its cheapest candidates; readmitted candidates are queued again.
  constexpr void cut() {
    if (limits_.beam.width == 0 || failure_.code != errc::none) return;
    auto back = cut_to_beam(choices_, limits_.beam, kernels_);
    if (!back) return fail(back.error());
    for (node_id id : *back) enqueue(id, everybody);
  }
  constexpr void note_outcome() {
    outcome_.beam_width = limits_.beam.width;
    outcome_.cuts = choices_.growth().cuts;
    for (std::uint32_t i = 0; i < choices_.size() && !choices_.is_compact(); ++i) {
      const auto id = static_cast<node_id>(i);
      outcome_.merged += choices_.is_merged(id) ? 1 : 0;
      outcome_.dropped += !choices_.is_merged(id) && !choices_.is_kept(id) ? 1 : 0;
    }
    choices_.note_growth(outcome_);
  }

  choice_graph choices_;
  view<transform> transforms_;
  const growth_limits& limits_;
  const registry& kernels_;
  Callback& callback_;
  guard_table guards_;
  table<const kernel_spec*> kernel_by_operation_;
  std::size_t captured_;
  bool repeats_ = false;
  bool stopped_ = false;
  table<std::uint32_t> waiting_;  // by node
  table<node_id> queue_;
  std::size_t head_ = 0;
  growth_outcome outcome_;
  error failure_;
};

using any_growth_callback = callable<bool, const growth_progress&>;
template <class F>
using growth_callback_to = callable_to<F, bool, const growth_progress&>;

template <class Callback>
constexpr result<choice_graph> grow_with(const graph_view& workflow, view<transform> transforms,
                                         const registry& kernels, const growth_limits& limits,
                                         Callback& callback) {
  return grower(workflow, transforms, limits, kernels, callback).run();
}
#ifdef WF_COMPILED
extern template struct compiled<&grow_with<const any_growth_callback>>;
#endif

}  // namespace detail

/// Applies transforms to every node that their operators and guards admit, added nodes included,
/// and again where operands have new alternatives, until nothing is new (saturation) or a limit is
/// reached; `choice_graph::growth` states which. Properties propagate from operands to results by
/// the inference of `kernels`. Deterministic: nodes in order of appearance, transform by transform.
/// `kernels` also declares the names that guards use; `callback` may stop the growth. Errors: those
/// of `validate`, of transforms, of `find_fault`, and with a beam those of `cut_to_beam`.
template <growth_callback Callback = keep_growing>
constexpr result<choice_graph> grow(const graph_view& workflow, view<transform> transforms,
                                    const registry& kernels = builtin_registry(),
                                    const growth_limits& limits = {}, Callback&& callback = {}) {
  const detail::growth_callback_to<std::remove_reference_t<Callback>> asked(callback);
  return detail::call_compiled<&detail::grow_with<const detail::any_growth_callback>>(
      workflow, transforms, kernels, limits, asked);
}

}  // namespace wf
