// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/wfformat/quantities.hpp>
#include <wf/adapt/wfformat/validate.hpp>
#include <wf/ir/graph/validate.hpp>

namespace wf::wfformat {

/// Options of the graph of a recorded workflow.
struct graph_options {
  /// Floating-point operations that a second of run time counts as; 0: `flops` stay unknown.
  std::int64_t flops_per_second = 0;
};

/// The graph of a recorded workflow, and where its tasks and files are.
struct recorded_graph {
  graph workflow;          ///< valid, and marked so
  table<node_id> nodes;    ///< by task of the specification
  table<value_id> values;  ///< by file; `none` for one that no task reads or writes
};

namespace detail {

/// A name of the text form: other characters become '_', and a digit does not come first.
constexpr text name_from(text_view id) {
  text out;
  if (id.empty() || !wf::detail::is_letter(id[0])) out << '_';
  for (const char c : id)
    out << (wf::detail::is_letter(c) || wf::detail::is_digit(c) || c == '.' ? c : '_');
  return out;
}

/// Hands names out once each: the second "a" becomes "a.2".
class distinct_names {
 public:
  constexpr text add(text_view wanted) {
    text name(wanted);
    const std::uint32_t known = taken_.find(wanted);
    while (taken_.find(name.view()) != hash_index::none)
      name = text(wanted) << '.' << next_[known]++;
    names_.push_back(name);
    next_.push_back(2);
    taken_.add(names_.back().view());  // the characters of a text stay where they are
    return name;
  }

 private:
  name_index taken_;
  table<text> names_;
  table<std::uint32_t> next_;  // by name: the number of its next copy
};

/// The kind of a task: its program if that is a word or a path, else its name without a number.
constexpr text kind_of(const task& t, const executed_task* record) {
  text_view kind;
  if (record != nullptr && record->called) {
    kind = record->called->program.view();
    for (std::size_t i = kind.size(); i-- > 0;)
      if (kind[i] == '/') {
        kind = kind.part(i + 1);
        break;
      }
    if (!consists_of(kind, "-_.+") || kind.size() > 64) kind = {};
  }
  if (kind.empty()) {
    kind = t.name.view();
    std::size_t size = kind.size();
    while (size != 0 && wf::detail::is_digit(kind[size - 1])) --size;
    if (size > 3 && kind.part(size - 3, 3) == "_ID") size -= 2;
    while (size > 1 && size != kind.size() && !consists_of(kind.part(size - 1, 1), "")) --size;
    if (size != 0) kind = kind.part(0, size);
  }
  return text(opaque_prefix) << name_from(kind).view();
}

/// Converts one instance to a graph.
class graph_maker {
 public:
  constexpr graph_maker(const instance& all, const relations& related, const graph_options& options)
      : all_(all),
        related_(related),
        options_(options),
        figures_(all, related),
        graph_(all.name.view()) {}

  constexpr result<recorded_graph> run() {
    const auto& files = all_.workflow.specification.files;
    for (std::uint32_t f = 0; f < files.size(); ++f) {
      const auto bytes = figures_.bytes_of(f);
      if (!bytes) return bytes.error();
      types_.push_back({dtype::u8, {}, shape::of(*bytes)});
    }
    out_.nodes = table<node_id>(all_.workflow.specification.tasks.size(), node_id::none);
    out_.values = table<value_id>(files.size(), value_id::none);
    is_read_.resize(files.size());
    add_inputs();
    for (const std::uint32_t t : related_.order)
      if (error e = add(t); e.code != errc::none) return e;
    add_orders();
    add_outputs();
    auto valid = validated(static_cast<graph&&>(graph_));
    if (!valid) return valid.error();
    out_.workflow = static_cast<graph&&>(*valid);
    return static_cast<recorded_graph&&>(out_);
  }

 private:
  /// Files that a task reads and another one wrote, or none.
  template <class Each>
  constexpr void read_files(std::uint32_t t, const Each& each) const {
    for (const std::uint32_t f : related_.inputs[t])
      if (related_.producers[f] != t) each(f);
  }
  constexpr void add_inputs() {
    for (std::uint32_t t = 0; t < out_.nodes.size(); ++t)
      read_files(t, [&](std::uint32_t f) { is_read_[f] = true; });
    distinct_names names;
    for (std::uint32_t f = 0; f < types_.size(); ++f)
      if (is_read_[f] && related_.producers[f] == relations::none)
        out_.values[f] = graph_.add_input(
            names.add(name_from(all_.workflow.specification.files[f].id.view()).view()).view(),
            types_[f]);
  }
  constexpr error add(std::uint32_t t) {
    if (error e = declare(t); e.code != errc::none) return e;
    table<cost_formula> costs;
    for (const declared& d : costs_) costs.push_back({d.metric, d.formula.view()});
    table<value_id> operands;
    read_files(t, [&](std::uint32_t f) { operands.push_back(out_.values[f]); });
    table<value_type> results;
    for (const std::uint32_t f : related_.outputs[t]) results.push_back(types_[f]);
    const task& now = all_.workflow.specification.tasks[t];
    const text kind = kind_of(now, figures_.record_of(t));
    node_description what;
    what.op = kind.view();
    what.domain = "wfformat";
    what.name = now.id.view();
    what.effects = effect::external;
    what.costs = costs;
    out_.nodes[t] = graph_.add_node(what, operands, results);
    for (std::uint32_t k = 0; k < results.size(); ++k) {
      const std::uint32_t f = related_.outputs[t][k];
      out_.values[f] = graph_view::output_of(graph_[out_.nodes[t]], k);
      graph_.set_name(out_.values[f], all_.workflow.specification.files[f].id.view());
    }
    return {};
  }

  constexpr void declare(text_view metric, int128 amount) {
    costs_.push_back({metric, text() << amount});
  }
  /// Collects the costs of a task.
  constexpr error declare(std::uint32_t t) {
    costs_.clear();
    const auto read = figures_.bytes_of(related_.inputs[t]);
    if (!read) return read.error();
    const auto written = figures_.bytes_of(related_.outputs[t]);
    if (!written) return written.error();
    declare("bytes_read", *read);
    declare("bytes_written", *written);
    declare("bytes", int128{*read} + *written);
    declare("memory", *written);
    const executed_task* const record = figures_.record_of(t);
    if (record == nullptr) return {};
    const auto time = figures_.runtime_of(t, 9);
    if (!time) return time.error();
    declare("execution_time", *time);
    declare("latency", *time);
    constexpr std::int64_t second = 1'000'000'000;
    if (options_.flops_per_second > 0)
      declare("flops", (int128{*time} * options_.flops_per_second + second / 2) / second);
    if (const auto memory = record->memory_in_bytes.scaled(0); memory && *memory >= 0)
      declare("scratch", *memory);
    if (const auto energy = record->energy_in_kwh.scaled(12); energy && *energy >= 0)
      declare("energy", int128{*energy} * 3'600'000);
    return {};
  }

  constexpr void add_orders() {
    table<std::uint32_t> reader(out_.nodes.size(), relations::none);  // by producer: the last one
    for (std::uint32_t t = 0; t < out_.nodes.size(); ++t) {
      read_files(t, [&](std::uint32_t f) {
        if (related_.producers[f] != relations::none) reader[related_.producers[f]] = t;
      });
      for (const std::uint32_t p : related_.parents[t])
        if (reader[p] != t) graph_.add_edge(edge_kind::control, out_.nodes[p], out_.nodes[t]);
    }
  }
  constexpr void add_outputs() {
    distinct_names names;
    for (std::uint32_t f = 0; f < types_.size(); ++f)
      if (!is_read_[f] && out_.values[f] != value_id::none)
        graph_.add_output(
            names.add(name_from(all_.workflow.specification.files[f].id.view()).view()).view(),
            out_.values[f]);
  }

  struct declared {
    text_view metric;
    text formula;
  };

  const instance& all_;
  const relations& related_;
  const graph_options& options_;
  quantities figures_;
  graph graph_;
  recorded_graph out_;
  table<value_type> types_;  // by file
  table<bool> is_read_;      // by file: by another task than its producer
  table<declared> costs_;
};

}  // namespace detail

/// The graph of a recorded workflow.
///
/// - A task is a node with its id as name, in the order of the file where that is topological. Its
///   operator is opaque, `::opaque::` and its program (its name without a number if the program is
///   no word), in the domain "wfformat", with the effect `external`.
/// - A file is a value of type u8[sizeInBytes]. Files that no task writes are the inputs, files
///   that no other task reads the outputs, named by their ids with other characters replaced by
///   '_'. A parent of which no file is read is a control edge.
/// - Declared costs: `bytes_read`, `bytes_written`, `bytes` and `memory` are sizes of files;
///   `execution_time` and `latency` are the recorded run time, to the nearest nanosecond;
///   `scratch` is `memoryInBytes` and `energy` is `energyInKWh` where the file states them;
///   `flops` are the run time at `graph_options::flops_per_second`. Without a record, a task's
///   time is unknown.
///
/// So it is priced (`price`, `critical_path`, `tabulate_costs`), scheduled (`tasks_of`, `schedule`)
/// and drawn like any graph. Errors: those of `relations_of`; `bad_workflow_file` for a negative
/// run time and for sizes or times that do not fit 63 bits. O(tasks · kinds + ids listed).
constexpr result<recorded_graph> to_graph(const instance& all, const graph_options& options = {}) {
  const auto related = relations_of(all);
  if (!related) return related.error();
  return detail::graph_maker(all, *related, options).run();
}

}  // namespace wf::wfformat
