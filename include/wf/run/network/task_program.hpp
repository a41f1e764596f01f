// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <utility>

#include <wf/ir/compare/digest.hpp>
#include <wf/ir/graph/graph.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/run/transport/task_list.hpp>

namespace wf {

/// One of the results of a task.
struct task_value {
  std::uint32_t task = 0;    ///< number of the task that makes it
  std::uint32_t result = 0;  ///< which of its results

  friend constexpr bool operator==(const task_value&, const task_value&) = default;
};

/// Tasks on several processes that compute tensors: each runs a code, a workflow of fixed shapes
/// whose inputs are what it reads, in their order, and whose outputs are its results. Many tasks
/// share a code. An argument of the run is a task, too, of the process that has it.
///
///     wf::task_program p(2);
///     const auto a = p.add_argument("A", 0, type), b = p.add_argument("B", 1, type);
///     const auto c = p.add(p.add_code(product), 0, {{{a}, {b}}});
///     p.add_output("C", {c});
///
/// What does not fit is a fault of the program, the first of which it keeps.
class task_program {
 public:
  /// What stands for the code of an argument, and of a task that only signals.
  static constexpr std::uint32_t no_code = UINT32_MAX;

  /// An output of the program.
  struct named_value {
    text name;         ///< by which a run reports it
    task_value value;  ///< what it is
  };

  /// Without tasks, for one process.
  constexpr task_program() = default;
  /// Without tasks, for a number of processes.
  constexpr explicit task_program(std::uint32_t ranks) : tasks_(ranks) {}

  /// Adds a code, or finds an equal one, and returns its number. A workflow that is not valid is a
  /// fault. O(size of the workflow + codes).
  constexpr std::uint32_t add_code(graph workflow) {
    if (const auto fine = validate(workflow.view()); !fine) {
      if (fault_.code == errc::none) fault_ = fine.error();
      return no_code;
    }
    const digest128 d = digest(workflow.view());
    for (std::uint32_t i = 0; i < codes_.size(); ++i)
      if (codes_[i].identity == d) return i;
    code c{static_cast<graph&&>(workflow), d, {}, {}};
    const graph_view g = c.workflow.view();
    for (const value& v : g.values) {
      if (!v.type.shape.is_static()) refuse(g.text_of(g.name), "its shapes are not fixed");
      if (v.producer == node_id::none) c.inputs.push_back(v.type);
    }
    for (const output& o : g.outputs) c.outputs.push_back(g[o.source].type);
    codes_.push_back(static_cast<code&&>(c));
    return static_cast<std::uint32_t>(codes_.size() - 1);
  }
  /// Adds an argument, which a process has, and which is asked for after some tasks. O(1) for each
  /// task before.
  constexpr std::uint32_t add_argument(text_view name, std::uint32_t owner, const value_type& type,
                                       view<std::uint32_t> after = {}) {
    const std::uint32_t task = add_task(no_code, owner, {}, after, name);
    arguments_.push_back({task, type});
    argument_of_[task] = static_cast<std::uint32_t>(arguments_.size() - 1);
    return task;
  }
  /// Adds a task of a process that runs a code, after some others; a label is for messages. O(1)
  /// for each operand and each task before.
  constexpr std::uint32_t add(std::uint32_t code, std::uint32_t owner, view<task_value> operands,
                              view<std::uint32_t> after = {}, text_view label = {}) {
    if (code >= codes_.size()) {
      refuse(label, "its code does not exist");
    } else if (codes_[code].inputs.size() != operands.size()) {
      refuse(label, "it reads more or fewer values than its code");
    } else {
      for (std::size_t k = 0; k < operands.size(); ++k) {
        const value_type* const given = type_of(operands[k]);
        const value_type& wanted = codes_[code].inputs[k];
        if (given == nullptr || given->type != wanted.type || !(given->shape == wanted.shape))
          refuse(label, "what it reads has another type than its code does");
      }
    }
    return add_task(code, owner, operands, after, label);
  }
  /// Adds a task that computes nothing: others wait for it instead of all that it waits for. O(1)
  /// for each task before.
  constexpr std::uint32_t add_signal(std::uint32_t owner, view<std::uint32_t> after) {
    return add_task(no_code, owner, {}, after, "signal");
  }
  /// A result is an output of the run, in the process that owns its task. O(1).
  constexpr void add_output(text_view name, task_value v) {
    if (type_of(v) == nullptr) return refuse(name, "it is no result of a task");
    tasks_.keep(v.task);
    outputs_.push_back({text(name), v});
  }

  /// The tasks and who waits for whom.
  constexpr const task_list& tasks() const { return tasks_; }
  /// Number of codes.
  constexpr std::size_t codes() const { return codes_.size(); }
  /// What tasks of a code compute: inputs are operands, outputs results.
  constexpr graph_view code_workflow(std::uint32_t code) const {
    return codes_[code].workflow.view();
  }
  /// The code of a task; `no_code` if it is an argument or a signal.
  constexpr std::uint32_t code_of(std::uint32_t task) const { return code_of_[task]; }
  /// True if a task is an argument; its label is then the argument's name.
  constexpr bool is_argument(std::uint32_t task) const { return argument_of_[task] != no_code; }
  /// The label of a task.
  constexpr text_view label(std::uint32_t task) const { return labels_[task].view(); }
  /// Which result of the task that it reads an operand is.
  constexpr std::uint32_t result_read(std::uint32_t task, std::size_t operand) const {
    return results_[first_[task] + operand];
  }
  /// The types of the results of a task. O(1).
  constexpr view<value_type> results(std::uint32_t task) const {
    if (code_of_[task] != no_code && code_of_[task] < codes_.size())
      return codes_[code_of_[task]].outputs;
    if (argument_of_[task] != no_code) return {&arguments_[argument_of_[task]].type, 1};
    return {};
  }
  /// The size of all results of a task in the executor, in bytes: eight for each element. O(1) for
  /// each result.
  constexpr std::int64_t bytes(std::uint32_t task) const {
    std::int64_t out = 0;
    for (const value_type& t : results(task)) out += 8 * t.shape.elements();
    return out;
  }
  /// What a run reports, in the order in which it was added.
  constexpr view<named_value> outputs() const { return outputs_; }
  /// The first fault: `invalid_problem` with the label as subject, or an error of `validate`;
  /// `none` if all fits.
  constexpr const error& fault() const {
    return fault_.code != errc::none ? fault_ : tasks_.fault();
  }

 private:
  struct code {
    graph workflow;
    digest128 identity;
    table<value_type> inputs, outputs;
  };
  struct argument {
    std::uint32_t task = 0;
    value_type type;
  };

  constexpr const value_type* type_of(task_value v) const {
    if (v.task >= tasks_.size()) return nullptr;
    const view<value_type> all = results(v.task);
    return v.result < all.size() ? &all[v.result] : nullptr;
  }
  constexpr std::uint32_t add_task(std::uint32_t code, std::uint32_t owner,
                                   view<task_value> operands, view<std::uint32_t> after,
                                   text_view label) {
    table<std::uint32_t> read;
    for (const task_value v : operands) {
      read.push_back(v.task);
      results_.push_back(v.result);
    }
    first_.push_back(static_cast<std::uint32_t>(results_.size()));
    code_of_.push_back(code);
    argument_of_.push_back(no_code);
    labels_.push_back(text(label));
    return tasks_.add(owner, read, after);
  }
  constexpr void refuse(text_view label, text_view sentence) {
    if (fault_.code == errc::none) fault_ = make_error(errc::invalid_problem, label, sentence);
  }

  task_list tasks_;
  table<code> codes_;
  table<argument> arguments_;
  table<std::uint32_t> code_of_, argument_of_;            // by task
  table<text> labels_;                                    // by task
  table<std::uint32_t> first_ = table<std::uint32_t>(1);  // in `results_`, and one behind the last
  table<std::uint32_t> results_;                          // by operand
  table<named_value> outputs_;
  error fault_;
};

}  // namespace wf
