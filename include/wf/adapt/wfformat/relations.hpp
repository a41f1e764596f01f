// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/wfformat/field_path.hpp>
#include <wf/adapt/wfformat/instance.hpp>
#include <wf/core/container/hash.hpp>
#include <wf/core/container/hash_index.hpp>
#include <wf/core/container/heap.hpp>
#include <wf/core/container/sort.hpp>

namespace wf::wfformat {

/// The ids of an instance resolved: tasks, files and machines by their numbers in the instance.
struct relations {
  /// No task, no entry.
  static constexpr std::uint32_t none = UINT32_MAX;

  table<table<std::uint32_t>> parents;   ///< by task: tasks
  table<table<std::uint32_t>> inputs;    ///< by task: files that it reads
  table<table<std::uint32_t>> outputs;   ///< by task: files that it writes
  table<std::uint32_t> producers;        ///< by file: the task that writes it, or `none`
  table<std::uint32_t> executions;       ///< by task: its entry of `execution::tasks`, or `none`
  table<table<std::uint32_t>> machines;  ///< by task: entries of `execution::machines`
  /// All tasks, each behind its parents and the producers of its inputs; otherwise as in the file.
  table<std::uint32_t> order;
};

namespace detail {

/// Finds names by their hashes.
class name_index {
 public:
  constexpr std::uint32_t find(text_view name) const {
    return index_.find(hash_text(name), [&](std::uint32_t i) { return names_[i] == name; });
  }
  /// Adds the name with the next number; false if it is there already.
  constexpr bool add(text_view name) {
    if (find(name) != hash_index::none) return false;
    index_.insert(hash_text(name), static_cast<std::uint32_t>(names_.size()));
    names_.push_back(name);
    return true;
  }

 private:
  hash_index index_;
  table<text_view> names_;
};

/// Calls `each(earlier)` for the tasks that a task waits for, its parents and the producers of its
/// inputs; for some of them twice.
template <class Each>
constexpr void predecessors_of(const relations& r, std::uint32_t t, const Each& each) {
  for (const std::uint32_t p : r.parents[t]) each(p);
  for (const std::uint32_t f : r.inputs[t])
    if (const std::uint32_t p = r.producers[f]; p != relations::none && p != t) each(p);
}

/// The paths of the parts of an instance.
constexpr field_path specification_path() {
  field_path out;
  out.field("workflow").field("specification");
  return out;
}
constexpr field_path execution_path() {
  field_path out;
  out.field("workflow").field("execution");
  return out;
}

/// Resolves the ids of an instance and finds what contradicts itself.
class relation_reader {
 public:
  constexpr explicit relation_reader(const instance& all)
      : tasks_(all.workflow.specification.tasks),
        files_(all.workflow.specification.files),
        execution_(all.workflow.execution) {}

  constexpr field_fault run(relations& out) {
    out_ = &out;
    if (name_tasks() && name_files() && relate() && is_inverse() && sort()) (void)execute();
    return static_cast<field_fault&&>(fault_);
  }

 private:
  /// The same pair of tasks in the list of one of them.
  struct link {
    std::uint64_t pair = 0;  // parent, child
    std::uint32_t place = 0;
  };

  static constexpr field_path of_task(std::size_t task) {
    return specification_path().field("tasks").element(task);
  }
  constexpr bool fail(field_path where, text_view message) {
    fault_ = {static_cast<field_path&&>(where), text(message)};
    return false;
  }

  constexpr bool name_tasks() {
    for (std::size_t t = 0; t < tasks_.size(); ++t)
      if (!task_names_.add(tasks_[t].id.view()))
        return fail(of_task(t).field("id"),
                    text() << "there are two tasks '" << tasks_[t].id.view() << '\'');
    return true;
  }
  constexpr bool name_files() {
    for (std::size_t f = 0; f < files_.size(); ++f)
      if (!file_names_.add(files_[f].id.view()))
        return fail(specification_path().field("files").element(f).field("id"),
                    text() << "there are two files '" << files_[f].id.view() << '\'');
    out_->producers = table<std::uint32_t>(files_.size(), relations::none);
    return true;
  }

  /// Resolves a list of ids of one task.
  constexpr bool resolve(const table<string>& ids, const name_index& known, text_view key,
                         text_view kind, std::size_t task, table<std::uint32_t>& out) {
    name_index listed;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const text_view id = ids[i].view();
      const std::uint32_t found = known.find(id);
      if (found == hash_index::none)
        return fail(of_task(task).field(key).element(i),
                    text() << "there is no " << kind << " '" << id << '\'');
      if (!listed.add(id))
        return fail(of_task(task).field(key).element(i),
                    text() << "the " << kind << " '" << id << "' is listed twice");
      out.push_back(found);
    }
    return true;
  }
  constexpr bool relate() {
    out_->parents.resize(tasks_.size());
    out_->inputs.resize(tasks_.size());
    out_->outputs.resize(tasks_.size());
    children_.resize(tasks_.size());
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      const task& now = tasks_[t];
      if (!resolve(now.parents, task_names_, "parents", "task", t, out_->parents[t]) ||
          !resolve(now.children, task_names_, "children", "task", t, children_[t]) ||
          !resolve(now.input_files, file_names_, "inputFiles", "file", t, out_->inputs[t]) ||
          !resolve(now.output_files, file_names_, "outputFiles", "file", t, out_->outputs[t]))
        return false;
      for (std::size_t i = 0; i < now.output_files.size(); ++i) {
        std::uint32_t& producer = out_->producers[out_->outputs[t][i]];
        if (producer != relations::none)
          return fail(of_task(t).field("outputFiles").element(i),
                      text() << "the file '" << now.output_files[i].view()
                             << "' is also written by '" << tasks_[producer].id.view() << '\'');
        producer = static_cast<std::uint32_t>(t);
      }
    }
    return true;
  }

  constexpr bool is_inverse() {
    table<link> up, down;
    for (std::uint32_t t = 0; t < tasks_.size(); ++t) {
      for (std::uint32_t i = 0; i < out_->parents[t].size(); ++i)
        up.push_back({std::uint64_t{out_->parents[t][i]} << 32 | t, i});
      for (std::uint32_t i = 0; i < children_[t].size(); ++i)
        down.push_back({std::uint64_t{t} << 32 | children_[t][i], i});
    }
    const auto before = [](const link& a, const link& b) { return a.pair < b.pair; };
    wf::detail::stable_sort(up, before);
    wf::detail::stable_sort(down, before);
    for (std::size_t i = 0; i < up.size() || i < down.size(); ++i) {
      const bool no_child = i == down.size() || (i < up.size() && up[i].pair < down[i].pair);
      if (!no_child && i < up.size() && up[i].pair == down[i].pair) continue;
      const link& alone = no_child ? up[i] : down[i];
      const auto parent = static_cast<std::uint32_t>(alone.pair >> 32);
      const auto child = static_cast<std::uint32_t>(alone.pair);
      text message;
      message << "the task '" << tasks_[no_child ? parent : child].id.view() << "' does not list '"
              << tasks_[no_child ? child : parent].id.view() << "' among its "
              << (no_child ? "children" : "parents");
      return fail(of_task(no_child ? child : parent)
                      .field(no_child ? "parents" : "children")
                      .element(alone.place),
                  message.view());
    }
    return true;
  }

  constexpr bool sort() {
    const std::size_t count = tasks_.size();
    table<table<std::uint32_t>> successors(count);
    table<std::uint32_t> awaited(count);
    for (std::uint32_t t = 0; t < count; ++t)
      predecessors_of(*out_, t, [&](std::uint32_t p) {
        successors[p].push_back(t);
        ++awaited[t];
      });
    binary_heap<std::uint32_t> ready;
    for (std::uint32_t t = 0; t < count; ++t)
      if (awaited[t] == 0) ready.push(t);
    while (!ready.empty()) {
      const std::uint32_t t = ready.pop();
      out_->order.push_back(t);
      for (const std::uint32_t s : successors[t])
        if (--awaited[s] == 0) ready.push(s);
    }
    return out_->order.size() == count || fail_cycle(awaited);
  }
  /// Names a cycle: from a task that still waits back to one that does, until one is met twice.
  constexpr bool fail_cycle(const table<std::uint32_t>& awaited) {
    std::uint32_t t = 0;
    while (awaited[t] == 0) ++t;
    table<std::uint32_t> way, met(tasks_.size(), relations::none);
    while (met[t] == relations::none) {
      met[t] = static_cast<std::uint32_t>(way.size());
      way.push_back(t);
      std::uint32_t next = t;
      predecessors_of(*out_, t, [&](std::uint32_t p) {
        if (awaited[p] != 0) next = p;
      });
      t = next;
    }
    text message("tasks wait for each other: '");
    message << tasks_[t].id.view() << '\'';
    for (std::size_t i = way.size(); i-- > met[t];)
      message << " -> '" << tasks_[way[i]].id.view() << '\'';
    return fail(of_task(t).field("parents"), message.view());
  }

  constexpr bool execute() {
    out_->executions = table<std::uint32_t>(tasks_.size(), relations::none);
    out_->machines.resize(tasks_.size());
    if (!execution_) return true;
    const execution& e = *execution_;
    name_index machines;
    for (std::size_t m = 0; m < e.machines.size(); ++m)
      if (!machines.add(e.machines[m].node_name.view()))
        return fail(execution_path().field("machines").element(m).field("nodeName"),
                    text() << "there are two machines '" << e.machines[m].node_name.view() << '\'');
    for (std::size_t i = 0; i < e.tasks.size(); ++i) {
      const std::uint32_t t = task_names_.find(e.tasks[i].id.view());
      const auto here = [&] { return execution_path().field("tasks").element(i); };
      if (t == hash_index::none)
        return fail(here().field("id"),
                    text() << "there is no task '" << e.tasks[i].id.view() << '\'');
      if (out_->executions[t] != relations::none)
        return fail(here().field("id"),
                    text() << "the task '" << e.tasks[i].id.view() << "' is recorded twice");
      out_->executions[t] = static_cast<std::uint32_t>(i);
      for (std::size_t k = 0; !e.machines.empty() && k < e.tasks[i].machines.size(); ++k) {
        const std::uint32_t m = machines.find(e.tasks[i].machines[k].view());
        if (m == hash_index::none)
          return fail(here().field("machines").element(k),
                      text() << "there is no machine '" << e.tasks[i].machines[k].view() << '\'');
        out_->machines[t].push_back(m);
      }
    }
    return true;
  }

  const table<task>& tasks_;
  const table<file>& files_;
  const std::optional<execution>& execution_;
  name_index task_names_, file_names_;
  table<table<std::uint32_t>> children_;
  relations* out_ = nullptr;
  field_fault fault_;
};

}  // namespace detail

}  // namespace wf::wfformat
