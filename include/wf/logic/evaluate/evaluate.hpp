// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/real.hpp>
#include <wf/logic/evaluate/binding.hpp>
#include <wf/logic/evaluate/run_rule.hpp>
#include <wf/logic/program/read_program.hpp>

namespace wf::logic {

/// How a program is evaluated.
struct evaluation_options {
  std::uint64_t steps = 1;  ///< number of steps along the program's axis of steps, if it has one
  /// Bound on the rounds of a recursion.
  std::uint32_t max_rounds = 100'000;
  /// A numeric recursion has converged once no value changes by more than this, relative to 1 or
  /// the value, whichever is larger.
  double tolerance = 1e-9;
  /// Largest table of positions by which entries are found, in cells for each entry of the inputs.
  std::uint64_t cells_per_entry = std::uint64_t{1} << 14;
  /// Size of a table that is always made, in cells.
  std::uint64_t least_cells = std::uint64_t{1} << 20;
};

/// How a stratum was evaluated.
struct stratum_report {
  text tensors;               ///< their names, separated by ", "
  std::uint32_t rounds = 0;   ///< of a recursion; 1 without one
  std::uint64_t entries = 0;  ///< of its tensors, at the end
};

/// The tensors that a program exports, and how they came about.
struct solution {
  database results;
  table<stratum_report> strata;  ///< in the order of evaluation
};

namespace detail {

/// Evaluates a program: strata in order, recursions by semi-naive rounds. Source: Bancilhon 1986;
/// Balbin and Ramamohanarao 1987.
class evaluation {
 public:
  constexpr evaluation(const stratified_program& p, const database& inputs,
                       const evaluation_options& options, const registry& operators)
      : strata_(p),
        program_(p.program),
        inputs_(inputs),
        options_(options),
        operators_(operators),
        binding_(p.program, inputs) {}

  constexpr result<solution> run() {
    if (error e = binding_.run(); e.code != errc::none) return e;
    prepare();
    for (const stratum& s : strata_.strata)
      if (!s.stepped && !evaluate(s)) return failure_;
    if (!run_steps()) return failure_;
    collect();
    return static_cast<solution&&>(out_);
  }

 private:
  /// A plan of a rule, made for the numbers of rows at the time.
  struct version {
    std::uint32_t rule = 0, changed_join = none;
    rule_plan plan;
    std::uint64_t rows = 0;
  };

  constexpr void prepare() {
    std::uint64_t entries = 0;
    for (const named_relation& r : inputs_.relations) entries += r.entries.rows;
    const std::uint64_t wanted = entries * options_.cells_per_entry;
    most_cells_ = wanted < options_.least_cells ? options_.least_cells : wanted;
    if (most_cells_ > std::uint64_t{1} << 33) most_cells_ = std::uint64_t{1} << 33;
    for (const axis_binding& a : binding_.axes) {
      axis_sizes_.push_back(a.extent >= 0 ? static_cast<std::uint64_t>(a.extent) : a.bounds.size);
      axes_.push_back(a.positions);
    }
    for (std::uint32_t t = 0; t < program_.tensors.size(); ++t) {
      const named_relation* const given = inputs_.find(program_.tensors[t].name.view());
      if (given != nullptr && !program_.tensors[t].defined)
        stores_.push_back(tensor_store(given->entries));
      else
        stores_.push_back(empty_store(t));
      older_.push_back(UINT32_MAX);
      if (given == nullptr || !program_.tensors[t].defined) continue;
      for (std::uint32_t r = 0; r < given->entries.rows; ++r) add_row(t, given->entries, r);
    }
  }
  constexpr void add_row(std::uint32_t t, const relation& r, std::uint32_t row) {
    position at[max_rank] = {};
    for (std::uint32_t c = 0; c < r.rank; ++c) at[c] = r.columns[c][row];
    std::uint32_t made = 0;
    stores_[t].add(at, r.valued ? r.values[row] : 1, program_.tensors[t].projection, made);
  }
  constexpr tensor_store empty_store(std::uint32_t t) const {
    const tensor_info& info = program_.tensors[t];
    tensor_store s(info.rank, !info.boolean);
    table<column_bounds> bounds;
    for (std::uint32_t c = 0; c < info.rank; ++c)
      bounds.push_back(binding_.axes[program_.axes_of[info.axes.first + c]].bounds);
    s.bound(bounds, info.boolean ? most_cells_ : most_cells_ / 32);
    return s;
  }

  constexpr bool fail(errc code, text_view subject, text_view message) {
    failure_ = make_error(code, subject, message);
    return false;
  }
  constexpr const tensor_info& head_of(const rule& r) const {
    return program_.tensors[r.head.tensor];
  }

  // --- one rule ---------------------------------------------------------------------------------

  // Evaluates a rule; `emit(positions, value)` takes its contributions.
  template <class Emit>
  constexpr bool apply(version& v, changed_rows changed, Emit&& emit) {
    replan(v);
    for (const plan_step& s : v.plan.steps)
      if (s.kind == step_kind::group) indices_.extended(s.groups, stores_);
    rule_run<Emit> run(program_, v.plan, stores_, indices_, axes_, operators_, binding_.symbols,
                       changed, older_, emit);
    if (run.run()) return true;
    if (failure_.code == errc::none) failure_ = run.failure();
    return false;
  }
  // Plans anew once the tensors have four times as many rows.
  constexpr void replan(version& v) {
    const rule& r = program_.rules[v.rule];
    std::uint64_t rows = 1;
    for (std::uint32_t i = 0; i < r.joins.count; ++i)
      rows += stores_[program_.atoms[r.joins.first + i].tensor].rows();
    if (v.rows != 0 && rows < 4 * v.rows) return;
    v.rows = rows;
    v.plan = rule_planner(program_, stores_, indices_, axis_sizes_)
                 .plan(v.rule, v.changed_join, binding_.symbols);
  }
  // Adds all contributions of a rule to the store of its head.
  constexpr bool add_all(std::uint32_t number, tensor_store& to, table<double>* counts) {
    version v{number, none, {}, 0};
    const rule& r = program_.rules[number];
    return apply(v, {}, [&](const position* at, double value) {
      std::uint32_t row = 0;
      const added outcome = to.add(at, value, r.projection, row);
      if (counts == nullptr) return true;
      if (outcome == added::row) counts->push_back(0);
      ++(*counts)[row];
      return true;
    });
  }

  // --- strata -----------------------------------------------------------------------------------

  constexpr bool evaluate(const stratum& s) {
    rounds_ = 1;
    const bool done = s.recursion == recursion::none      ? plain(s)
                      : s.recursion == recursion::numeric ? iterate(s)
                                                          : recur(s);
    if (!done) return false;
    stratum_report report;
    report.rounds = rounds_;
    for (std::uint32_t i = 0; i < s.tensors.count; ++i) {
      const std::uint32_t t = strata_.tensors[s.tensors.first + i];
      report.entries += stores_[t].rows();
      if (i != 0) report.tensors << ", ";
      report.tensors << program_.tensors[t].name.view();
    }
    out_.strata.push_back(static_cast<stratum_report&&>(report));
    return true;
  }
  constexpr bool plain(const stratum& s) {
    table<double> counts;
    const std::uint32_t t = strata_.tensors[s.tensors.first];
    const bool mean = program_.tensors[t].projection == projection::mean;
    for (std::uint32_t i = 0; i < s.rules.count; ++i)
      if (const std::uint32_t r = strata_.rules[s.rules.first + i]; !program_.rules[r].initial)
        if (!add_all(r, target(t), mean ? &counts : nullptr)) return false;
    for (std::uint32_t row = 0; row < counts.size(); ++row)
      target(t).set_value(row, target(t).value(row) / counts[row]);
    return true;
  }
  // Where the rules of a tensor write: for a stepped one, to the next step's entries.
  constexpr tensor_store& target(std::uint32_t t) {
    return program_.tensors[t].stepped && program_.tensors[t].produced > 0 ? next_[t] : stores_[t];
  }

  // --- recursion of Booleans and extrema
  // ----------------------------------------------------------

  // Rows of a tensor of the stratum that changed in the last round, and those that change in this.
  struct growth {
    std::uint32_t tensor = 0;
    changed_rows last;
    table<std::uint32_t> last_list, list;
    table<std::uint32_t> listed_in;  // by row: the round in which it was listed
  };

  constexpr bool recur(const stratum& s) {
    growing_.clear();
    table<std::uint32_t> place(program_.tensors.size(), none);
    for (std::uint32_t i = 0; i < s.tensors.count; ++i) {
      growth g;
      g.tensor = strata_.tensors[s.tensors.first + i];
      place[g.tensor] = i;
      growing_.push_back(static_cast<growth&&>(g));
    }
    table<version> versions;
    for (std::uint32_t i = 0; i < s.rules.count; ++i) {
      const std::uint32_t number = strata_.rules[s.rules.first + i];
      const rule& r = program_.rules[number];
      bool recursive = false;
      for (std::uint32_t k = 0; k < r.joins.count; ++k) {
        if (place[program_.atoms[r.joins.first + k].tensor] == none) continue;
        recursive = true;
        versions.push_back({number, k, {}, 0});
      }
      if (!recursive && !add_all(number, stores_[r.head.tensor], nullptr)) return false;
    }
    for (growth& g : growing_) begin(g);
    for (rounds_ = 1;; ++rounds_) {
      for (version& v : versions)
        if (!run_version(v, place)) return false;
      if (!end_round()) return true;
      if (rounds_ >= options_.max_rounds) return not_converged();
    }
  }
  // All rows are those of the last round.
  constexpr void begin(growth& g) {
    const auto rows = static_cast<std::uint32_t>(stores_[g.tensor].rows());
    older_[g.tensor] = 0;
    g.last.last = rows;
    if (!stores_[g.tensor].valued()) return;
    for (std::uint32_t r = 0; r < rows; ++r) g.last_list.push_back(r);
    g.listed_in.resize(rows);
  }
  constexpr bool run_version(version& v, const table<std::uint32_t>& place) {
    const rule& r = program_.rules[v.rule];
    const growth& from = growing_[place[program_.atoms[r.joins.first + v.changed_join].tensor]];
    const bool valued = stores_[from.tensor].valued();
    changed_rows changed = from.last;
    if (valued) changed.list = &from.last_list;
    if (valued ? from.last_list.empty() : changed.first == changed.last) return true;
    growth& to = growing_[place[r.head.tensor]];
    tensor_store& store = stores_[to.tensor];
    if (!store.valued())
      return apply(v, changed, [&](const position* at, double value) {
        std::uint32_t row = 0;
        store.add(at, value, r.projection, row);
        return true;
      });
    return apply(v, changed, [&](const position* at, double value) {
      std::uint32_t row = 0;
      if (store.add(at, value, r.projection, row) == added::nothing) return true;
      last_change_ = value;
      last_head_ = to.tensor;
      if (value - value != 0) return not_converged();  // an infinite extreme is no value
      if (row >= to.listed_in.size()) to.listed_in.resize(store.rows());
      if (to.listed_in[row] == rounds_) return true;
      to.listed_in[row] = rounds_;
      to.list.push_back(row);
      return true;
    });
  }
  // The rows of this round become those of the last. False if there are none.
  constexpr bool end_round() {
    bool any = false;
    for (growth& g : growing_) {
      const auto rows = static_cast<std::uint32_t>(stores_[g.tensor].rows());
      older_[g.tensor] = g.last.last;
      g.last = {g.last.last, rows, nullptr};
      g.last_list.swap(g.list);
      g.list.clear();
      const bool grew = stores_[g.tensor].valued() ? !g.last_list.empty() : g.last.first != rows;
      if (!grew) continue;
      any = true;
      last_head_ = g.tensor;
    }
    if (!any)
      for (const growth& g : growing_) older_[g.tensor] = UINT32_MAX;
    return any;
  }
  constexpr bool not_converged() {
    const text_view head = program_.tensors[last_head_].name.view();
    text message;
    message << "no fixpoint within " << rounds_ << " rounds; the last change was ";
    if (stores_[last_head_].valued())
      message << real_text(last_change_).view();
    else
      message << "a new row";
    return fail(errc::not_converged, head, message.view());
  }

  // --- recursion of numbers
  // -----------------------------------------------------------------------

  // Computes every tensor of the stratum from the present ones until no value changes.
  constexpr bool iterate(const stratum& s) {
    for (rounds_ = 1;; ++rounds_) {
      double most = 0;
      for (std::uint32_t i = 0; i < s.tensors.count; ++i) {
        const std::uint32_t t = strata_.tensors[s.tensors.first + i];
        tensor_store fresh = empty_store(t);
        table<double> counts;
        const bool mean = program_.tensors[t].projection == projection::mean;
        for (std::uint32_t k = 0; k < s.rules.count; ++k)
          if (const std::uint32_t r = strata_.rules[s.rules.first + k];
              program_.rules[r].head.tensor == t)
            if (!add_all(r, fresh, mean ? &counts : nullptr)) return false;
        for (std::uint32_t row = 0; row < counts.size(); ++row)
          fresh.set_value(row, fresh.value(row) / counts[row]);
        const double change = distance(stores_[t], fresh);
        if (!(change <= most)) most = change, last_head_ = t, last_change_ = change;
        stores_[t] = static_cast<tensor_store&&>(fresh);
        indices_.forget(t);
      }
      if (most <= options_.tolerance) return true;
      if (rounds_ >= options_.max_rounds || most != most) return not_converged();
    }
  }
  // The largest difference of two tensors, relative to 1 or the value.
  static constexpr double distance(const tensor_store& a, const tensor_store& b) {
    double most = 0;
    for (const tensor_store* each : {&a, &b})
      for (std::uint32_t row = 0; row < each->rows(); ++row) {
        position at[max_rank] = {};
        for (std::uint32_t c = 0; c < each->rank(); ++c) at[c] = each->at(row, c);
        const tensor_store& other = each == &a ? b : a;
        const std::uint32_t found = other.find(at);
        const double x = each->value(row);
        const double y = found == hash_index::none ? 0 : other.value(found);
        const double size = x < 0 ? -x : x, gap = x < y ? y - x : x - y;
        const double relative = size > 1 ? gap / size : gap;
        if (!(relative <= most) && !(x == y)) most = relative;
      }
    return most;
  }

  // --- steps
  // --------------------------------------------------------------------------------------

  constexpr bool run_steps() {
    bool any = false;
    for (const stratum& s : strata_.strata) any = any || s.stepped;
    if (!any) return true;
    next_.resize(program_.tensors.size());
    for (std::uint32_t r = 0; r < program_.rules.size(); ++r)
      if (program_.rules[r].initial && !add_all(r, stores_[program_.rules[r].head.tensor], nullptr))
        return false;
    for (std::uint64_t step = 0; step < options_.steps; ++step) {
      for (const stratum& s : strata_.strata) {
        if (!s.stepped) continue;
        for (std::uint32_t i = 0; i < s.tensors.count; ++i)
          restart(strata_.tensors[s.tensors.first + i]);
        if (!evaluate(s)) return false;
      }
      for (std::uint32_t t = 0; t < program_.tensors.size(); ++t) {
        if (!program_.tensors[t].stepped || program_.tensors[t].produced <= 0) continue;
        stores_[t] = static_cast<tensor_store&&>(next_[t]);
        indices_.forget(t);
      }
    }
    return true;
  }
  constexpr void restart(std::uint32_t t) {
    target(t) = empty_store(t);
    indices_.forget(t);
  }

  constexpr void collect() {
    out_.results.domains = binding_.domains;
    for (std::uint32_t t = 0; t < program_.tensors.size(); ++t) {
      const tensor_info& info = program_.tensors[t];
      if (!info.exported) continue;
      table<std::uint32_t> domains;
      for (std::uint32_t c = 0; c < info.rank; ++c)
        domains.push_back(binding_.axes[program_.axes_of[info.axes.first + c]].domain);
      out_.results.add(info.name.view(), sorted(stores_[t].entries()),
                       static_cast<table<std::uint32_t>&&>(domains));
    }
  }

  const stratified_program& strata_;
  const tensor_program& program_;
  const database& inputs_;
  const evaluation_options& options_;
  const registry& operators_;
  input_binding binding_;
  std::uint64_t most_cells_ = 0;
  table<std::uint64_t> axis_sizes_;
  table<table<position>> axes_;
  table<tensor_store> stores_, next_;
  table<std::uint32_t> older_;
  index_set indices_;
  table<growth> growing_;
  std::uint32_t rounds_ = 0, last_head_ = 0;
  double last_change_ = 0;
  solution out_;
  error failure_;
};

}  // namespace detail

/// Evaluates a program on inputs. An entry of an input that the program defines, too, is a fact
/// beside its rules. Results are sorted by position. Errors: `missing_argument`, `argument_shape`
/// for an input of another rank or kind, or of other symbols than what it is compared with;
/// `not_converged`; `not_executable` for an operator without a value for one element; `overflow`
/// for a position over 32 bits. Deterministic. O(bindings of the rules' variables), for a recursion
/// those of the rows that each round adds.
constexpr result<solution> evaluate(const stratified_program& program, const database& inputs,
                                    const evaluation_options& options = {},
                                    const registry& operators = builtin_registry()) {
  return detail::evaluation(program, inputs, options, operators).run();
}

}  // namespace wf::logic
