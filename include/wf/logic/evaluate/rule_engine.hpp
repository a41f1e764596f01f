// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/evaluate/binding.hpp>
#include <wf/logic/evaluate/options.hpp>
#include <wf/logic/evaluate/row_product.hpp>
#include <wf/logic/evaluate/run_rule.hpp>
#include <wf/logic/evaluate/value_map.hpp>

namespace wf::logic::detail {

/// A plan of a rule, made for the numbers of rows at the time.
struct planned_rule {
  std::uint32_t rule = 0;
  std::uint32_t changed_join = none;  ///< as in `rule_plan`
  rule_plan plan;
  std::uint64_t rows = 0;  ///< of its joins' tensors, together, when it was planned
  bool once = false;       ///< it holds for the present entries only
};

/// The tensors of a program during its evaluation, and the evaluation of single rules.
class rule_engine {
  // Takes contributions, and passes on the run that each comes from.
  template <class Visit>
  struct run_visitor {
    const Visit& visit;
    const rule_run<run_visitor>* run = nullptr;
    constexpr bool operator()(const position* at, double value) const {
      return visit(*run, at, value);
    }
  };
  // Templates stand before their users: clang evaluates constants before it has seen the rest.
  // Evaluates a rule; `visit(run, positions, value)` takes its contributions, and reads the
  // variables if `binds`.
  template <class Visit>
  constexpr bool visit_run(planned_rule& v, changed_rows changed, bool binds, const Visit& visit) {
    make_ready(v);
    run_visitor<Visit> emit{visit};
    rule_run<run_visitor<Visit>> run(program_, v.plan, stores_, indices_, axes_, operators_,
                                     binding_.symbols, changed, older_, bindings_left_, emit);
    emit.run = &run;
    if (binds) run.keep_variables();
    return ended(run);
  }
  // True if a run was not stopped; notes its error.
  template <class Run>
  constexpr bool ended(Run& run) {
    if (run.run()) return true;
    if (failure_.code == errc::none) {
      failure_ = run.failure();
      exhausted_ = run.exhausted();
    }
    return false;
  }
  // The error of rules that visit too many rows; false.
  constexpr bool exhaust() {
    exhausted_ = true;
    failure_ = too_many_bindings();
    return false;
  }
  // True if a scalar expression reads no variables.
  constexpr bool reads_entries_only(std::uint32_t node) const {
    return !program_.any_scalar(node, [](const scalar_node& n) { return n.reads_variable(); });
  }
  // True if a plan takes all rows of one tensor where they stand.
  constexpr bool is_copy(const rule_plan& plan) const {
    if (plan.steps.size() != 1 || plan.steps[0].kind != step_kind::scan ||
        !plan.steps[0].checks.empty())
      return false;
    for (const bound_column& b : plan.steps[0].binds)
      if (b.scale != 1 || b.shift != 0) return false;
    for (const computed_position& p : plan.head)
      if (p.variable == none || p.scale != 1 || p.shift != 0 || p.extent >= 0) return false;
    const rule& r = program_.rules[plan.rule];
    return r.joins.count + r.lookups.count == 1 && reads_entries_only(r.value);
  }
  // Evaluates such a plan.
  template <class Run, class Emit>
  constexpr bool copy(const rule_plan& plan, Run& run, Emit& emit) {
    const relation& from = stores_[plan.steps[0].tensor].entries();
    const rule& r = program_.rules[plan.rule];
    const position* columns[max_rank] = {};
    for (std::size_t k = 0; k < plan.head.size(); ++k)
      for (const bound_column& b : plan.steps[0].binds)
        if (b.variable == plan.head[k].variable) columns[k] = from.columns[b.column].data();
    const bool extreme = is_extreme(r.projection);
    const double other = extreme ? 0 : 1, zero = zero_of(program_.tensors[r.head.tensor]);
    const double* const values = r.value == none || !from.valued ? nullptr : from.values.data();
    const bool maps = r.value != none && program_.scalars[r.value].kind != scalar_kind::joined &&
                      program_.scalars[r.value].kind != scalar_kind::looked_up;
    position at[max_rank] = {};
    if (from.rows > bindings_left_) return exhaust();
    bindings_left_ -= from.rows;
    for (std::size_t row = 0; row < from.rows; ++row) {
      for (std::size_t k = 0; k < plan.head.size(); ++k) at[k] = columns[k][row];
      double value = values == nullptr ? other : values[row];
      if (maps) value = run.value_of(value);
      if (maps && run.failure().code != errc::none) return failure_ = run.failure(), false;
      if (!adds_terms(r.projection) && value == zero) continue;
      if (!emit(static_cast<const position*>(at), value)) return false;
    }
    return true;
  }

 public:
  constexpr rule_engine(const tensor_program& p, const database& inputs,
                        const evaluation_options& options, const registry& operators)
      : program_(p),
        inputs_(inputs),
        options_(options),
        operators_(operators),
        binding_(p, inputs),
        by_variables_(p.rules.size()) {}
  /// The operators must outlive the engine.
  rule_engine(const tensor_program&, const database&, const evaluation_options&,
              registry&&) = delete;

  /// Lets the entries of inputs be read where they are, as long as this engine is there; a store
  /// that outlives it must `own` them.
  constexpr void read_in_place() { in_place_ = true; }
  constexpr bool reads_in_place() const { return in_place_; }
  /// Binds the inputs. False after an error.
  constexpr bool prepare() {
    failure_ = binding_.run();
    if (failure_.code != errc::none) return false;
    most_cells_ = detail::most_cells(inputs_, options_);
    bindings_left_ = options_.max_bindings;
    for (const axis_binding& a : binding_.axes) {
      axis_sizes_.push_back(a.extent >= 0 ? static_cast<std::uint64_t>(a.extent) : a.bounds.size);
      axis_extents_.push_back(a.extent);
      axes_.push_back(a.positions);
    }
    for (std::uint32_t t = 0; t < program_.tensors.size(); ++t) {
      older_.push_back(UINT32_MAX);
      stores_.push_back(store_of_input(t));
    }
    return true;
  }

  /// Packs what finds rows, for an engine that applies rules to few rows from now on.
  constexpr void pack_indices() { indices_.pack(); }
  /// Lets rules visit as many rows as the options say from now on.
  constexpr void renew_bindings() { bindings_left_ = options_.max_bindings; }

  /// Lets rules visit at most so many rows until `end_trial`. False if no more are left anyhow.
  constexpr bool begin_trial(std::uint64_t most) {
    if (bindings_left_ <= most) return false;
    trial_ = most;
    kept_ = bindings_left_ - most;
    bindings_left_ = most;
    return true;
  }
  /// Number of rows that rules have visited in a trial.
  constexpr std::uint64_t visited() const { return trial_ - bindings_left_; }
  /// Ends a trial. True if it failed since rules would visit more rows: then that is no error, and
  /// the rows do not count.
  constexpr bool end_trial() {
    const bool exceeded = exhausted_;
    bindings_left_ = kept_ + (exceeded ? trial_ : bindings_left_);
    exhausted_ = false;
    if (exceeded) failure_ = {};
    return exceeded;
  }
  /// Forgets how a rule was evaluated.
  constexpr void forget(std::uint32_t rule) { by_variables_[rule] = false; }

  constexpr const tensor_program& program() const { return program_; }
  constexpr const evaluation_options& options() const { return options_; }
  constexpr const input_binding& binding() const { return binding_; }
  /// The store of a tensor.
  constexpr tensor_store& store(std::uint32_t t) { return stores_[t]; }
  /// By tensor: number of rows before the last round; more than there are if it does not grow.
  constexpr std::uint32_t& older(std::uint32_t t) { return older_[t]; }
  /// True if a rule was evaluated variable by variable (`join_method`).
  constexpr bool by_variables(std::uint32_t rule) const { return by_variables_[rule]; }
  /// Largest table of positions, in cells.
  constexpr std::uint64_t most_cells() const { return most_cells_; }
  /// The error of a call that returned false.
  constexpr const error& failure() const { return failure_; }
  /// Notes an error; false.
  constexpr bool fail(errc code, text_view subject, text_view message) {
    failure_ = make_error(code, subject, message);
    return false;
  }
  /// What is given for a tensor, or null.
  constexpr const named_relation* given_to(const tensor_info& t) const {
    return binding_.given_to(t);
  }

  /// Replaces the store of a tensor.
  constexpr void replace(std::uint32_t t, tensor_store&& s) {
    stores_[t] = static_cast<tensor_store&&>(s);
    indices_.forget(t);
  }
  /// Exchanges the stores of two tensors.
  constexpr void swap(std::uint32_t a, std::uint32_t b) {
    tensor_store kept(static_cast<tensor_store&&>(stores_[a]));
    stores_[a] = static_cast<tensor_store&&>(stores_[b]);
    stores_[b] = static_cast<tensor_store&&>(kept);
    indices_.forget(a);
    indices_.forget(b);
  }
  /// Calls `visit(positions, value)` for the facts that inputs have of a defined tensor.
  template <class Visit>
  constexpr void for_each_given(std::uint32_t t, Visit&& visit) const {
    const named_relation* const given = given_to(program_.tensors[t]);
    if (given == nullptr) return;
    const relation& r = given->entries;
    position at[max_rank] = {};
    for (std::size_t row = 0; row < r.rows; ++row) {
      r.positions(row, at);
      visit(static_cast<const position*>(at), r.valued ? r.values[row] : 1.0);
    }
  }

  /// How the values of a tensor are combined.
  constexpr value_sum sum_of(std::uint32_t t) const {
    const tensor_info& info = program_.tensors[t];
    return {info.projection, info.projection == projection::combined
                                 ? operators_.find(info.combining.view())
                                 : nullptr};
  }
  /// A store for a tensor, with the facts that inputs have of it.
  constexpr tensor_store started_store(std::uint32_t t) const {
    tensor_store s = empty_store(t);
    const value_sum sum = sum_of(t);
    for_each_given(t, [&](const position* at, double value) {
      std::uint32_t made = 0;
      s.add(at, value, sum, made);
    });
    return s;
  }
  /// A store for a tensor without entries.
  constexpr tensor_store empty_store(std::uint32_t t) const {
    const tensor_info& info = program_.tensors[t];
    tensor_store s(info.rank, !info.boolean);
    table<column_bounds> bounds;
    for (std::uint32_t c = 0; c < info.rank; ++c)
      bounds.push_back(binding_.axes[program_.axes_of[info.axes.first + c]].bounds);
    s.bound(bounds, info.boolean ? most_cells_ : most_cells_ / 32);
    return s;
  }
  /// Says which step of the program, or round of a numeric recursion, is evaluated, from 0.
  constexpr void set_iteration(std::uint64_t n) { iteration_ = n; }
  /// Says which stratum of how many is evaluated.
  constexpr void set_stratum(std::uint32_t number, std::uint32_t count) {
    progress_.stratum = number;
    progress_.strata = count;
  }
  /// Reports progress: a round has ended for a tensor, or its stratum begins. False if the caller
  /// stops the evaluation.
  constexpr bool report(std::uint32_t tensor, std::uint32_t round) {
    if (options_.progress == nullptr) return true;
    progress_.tensor = program_.tensors[tensor].name.view();
    progress_.entries = stores_[tensor].rows();
    progress_.round = round;
    progress_.step = iteration_;
    return (*options_.progress)(progress_) ||
           fail(errc::execution_stopped, "", "the caller stopped the evaluation");
  }
  /// Evaluates a rule; `emit(positions, value)` takes its contributions, and returns false to stop.
  /// `changed` are the rows of the join that the plan runs over first. False if it was stopped, or
  /// after an error.
  template <class Emit>
  constexpr bool apply(planned_rule& v, changed_rows changed, Emit&& emit) {
    make_ready(v);
    rule_run<std::remove_reference_t<Emit>> run(program_, v.plan, stores_, indices_, axes_,
                                                operators_, binding_.symbols, changed, older_,
                                                bindings_left_, emit);
    const rule& r = program_.rules[v.rule];
    const text_view owner = program_.tensors[program_.owner_of(r)].name.view();
    const std::uint64_t iteration = r.iteration != none ? r.iteration : iteration_;
    if (double value = 0; find_temperature(options_.temperatures, owner, iteration, value))
      run.set_temperature(value);
    if (is_copy(v.plan)) return copy(v.plan, run, emit);
    return ended(run);
  }
  /// Likewise for the changed rows of a join, without temperatures: `visit(positions, value, row)`
  /// takes a contribution of each binding and the changed row in it.
  template <class Visit>
  constexpr bool apply_from(planned_rule& v, changed_rows changed, const Visit& visit) {
    return visit_run(v, changed, false, [&](const auto& run, const position* at, double value) {
      return visit(at, value, run.changed_row());
    });
  }
  /// Calls `visit(variables)` for the bindings of a rule's variables by which it contributes, until
  /// it returns false. False if it was stopped, or after an error.
  template <class Visit>
  constexpr bool for_each_binding(planned_rule& v, Visit& visit) {
    return visit_run(v, {}, true, [&](const auto& run, const position*, double) {
      return visit(run.variables());
    });
  }
  /// True if no two bindings of a rule contribute to one position.
  constexpr bool has_own_positions(std::uint32_t number) const {
    const rule& r = program_.rules[number];
    table<bool> stands(r.variables.count);
    for (const term& t : program_.terms_of(r.head))
      if (t.kind == term_kind::variable) stands[t.variable] = true;
    for (const bool each : stands)
      if (!each) return false;
    return true;
  }
  /// Adds all contributions of a rule to a store; `counts`, if given, gets their number by row.
  constexpr bool add_all(std::uint32_t number, tensor_store& to, table<double>* counts) {
    if (!gather(number, to, counts)) return false;
    to.index();
    return true;
  }
  /// Likewise; what is added to an empty store may not be findable before `tensor_store::index`.
  constexpr bool gather(std::uint32_t number, tensor_store& to, table<double>* counts) {
    to.index();
    if (counts == nullptr && to.rows() == 0 && multiply_rows(number, to)) return to.list(), true;
    if (failure_.code != errc::none) return false;
    planned_rule v{number, none, {}, 0, true};
    const rule& r = program_.rules[number];
    if (counts == nullptr && to.rows() == 0 && to.valued() && has_own_positions(number))
      return apply(v, {}, [&](const position* at, double value) {
        to.append(at, value);
        return true;
      });
    const value_sum sum = sum_of(r.head.tensor);
    return apply(v, {}, [&](const position* at, double value) {
      std::uint32_t row = 0;
      const added outcome = to.add(at, value, sum, row);
      if (counts == nullptr) return true;
      if (outcome == added::row) counts->push_back(0);
      ++(*counts)[row];
      return true;
    });
  }
  /// Makes the store of a tensor that only one rule defines, without other facts, as a dense one,
  /// if the rule multiplies a sparse by a dense matrix or computes entry by entry of a dense
  /// tensor. False for another rule, or after an error.
  constexpr bool compute_dense(std::uint32_t number, tensor_store& to) {
    return map_dense(number, to) || multiply_rows(number, to);
  }

 private:
  // The store of an input, or an empty one.
  constexpr tensor_store store_of_input(std::uint32_t number) const {
    const tensor_info& t = program_.tensors[number];
    const named_relation* const given = t.defined ? nullptr : given_to(t);
    if (given == nullptr) return tensor_store(t.rank, !t.boolean);
    if (!in_place_) return tensor_store(given->entries);
    if (binding_.row_major[number]) return {&given->entries, given->extents};
    return tensor_store(&given->entries);
  }
  // Evaluates a rule that computes each entry of a dense tensor from one of another one.
  constexpr bool map_dense(std::uint32_t number, tensor_store& to) {
    const rule& r = program_.rules[number];
    if (__builtin_is_constant_evaluated() || r.joins.count + r.lookups.count != 1 ||
        r.negations.count + r.comparisons.count != 0 || r.value == none ||
        !adds_terms(r.projection) || program_.tensors[r.head.tensor].boolean)
      return false;
    const atom& from = program_.atoms[r.joins.count == 1 ? r.joins.first : r.lookups.first];
    const tensor_store& store = stores_[from.tensor];
    if (store.kind() != lookup_kind::dense || !is_in_place(r, from)) return false;
    const value_map map(program_, operators_);
    double temperature = 0;
    if (!map.fits(r.value) ||
        find_temperature(options_.temperatures, program_.tensors[program_.owner_of(r)].name.view(),
                         0, temperature))
      return false;
    if (store.rows() > bindings_left_) return exhaust();
    bindings_left_ -= store.rows();
    const table<column_bounds> bounds(store.bounds());
    table<double> values =
        is_read_once(from.tensor) ? stores_[from.tensor].release() : table<double>(store.values());
    map.run(r.value, values);
    to = tensor_store(bounds, static_cast<table<double>&&>(values));
    return true;
  }
  // True for the value of a nested expression that only one rule reads.
  constexpr bool is_read_once(std::uint32_t tensor) const {
    std::uint32_t atoms = 0;
    for_each_atom(program_, [&](const atom& a, const rule&) { atoms += a.tensor == tensor; });
    const tensor_info& t = program_.tensors[tensor];
    return t.temporary && t.defined && !t.exported &&
           atoms <= 2;  // its head, and one that reads it
  }
  // True if the positions of a dense tensor are those of the head, and all of their axes.
  constexpr bool is_in_place(const rule& r, const atom& from) const {
    if (!program_.has_plain_variables(from) || !program_.has_plain_variables(r.head) ||
        from.terms.count != r.head.terms.count)
      return false;
    for (std::uint32_t c = 0; c < from.terms.count; ++c) {
      const std::uint32_t v = program_.terms[from.terms.first + c].variable;
      if (program_.terms[r.head.terms.first + c].variable != v) return false;
      const table<position>& axis = axes_[program_.axis_of_variable[r.variables.first + v]];
      if (r.joins.count == 0 && !are_all_of(stores_[from.tensor].bounds()[c], axis)) return false;
    }
    return true;
  }
  // Evaluates a rule that is a product of a sparse and a dense matrix. False for another one.
  constexpr bool multiply_rows(std::uint32_t number, tensor_store& to) {
    const rule& r = program_.rules[number];
    if (program_.tensors[r.head.tensor].boolean) return false;
    row_product product(program_, r, stores_);
    if (!product.fits(least_product, most_cells_ / 32)) return false;
    if (product.bindings() > bindings_left_) return exhaust();
    bindings_left_ -= product.bindings();
    to = product.run();
    return true;
  }
  // Makes a plan, and what it reads findable.
  constexpr void make_ready(planned_rule& v) {
    replan(v);
    make_findable(v.plan);
  }
  constexpr void make_findable(const rule_plan& plan) {
    for (const plan_step& s : plan.steps) {
      for (const meet_part& p : s.parts) {
        stores_[indices_.tensor_of(p.from)].list();
        stores_[indices_.tensor_of(p.from)].index();
        indices_.extend(p.from, stores_);
        if (p.groups != none) indices_.extended(p.groups, stores_);
      }
      if (s.tensor == none) continue;
      if (s.kind == step_kind::test || s.kind == step_kind::absent || s.kind == step_kind::look_up)
        stores_[s.tensor].index();
      else
        stores_[s.tensor].list();
      if (s.kind == step_kind::group) indices_.extended(s.groups, stores_);
    }
  }
  // Plans anew once the tensors have four times as many rows.
  constexpr void replan(planned_rule& v) {
    const rule& r = program_.rules[v.rule];
    std::uint64_t rows = 1;
    for (std::uint32_t i = 0; i < r.joins.count; ++i)
      rows += stores_[program_.atoms[r.joins.first + i].tensor].rows();
    if (v.rows != 0 && rows < 4 * v.rows) return;
    v.rows = rows;
    rule_planner planner(program_, stores_, indices_, axis_sizes_, axis_extents_, axes_);
    if (v.once) planner.plan_once();
    v.plan = planner.plan(v.rule, v.changed_join, binding_.symbols);
    if (options_.joins == join_method::nested || !planner.is_cyclic()) return;
    rule_plan other = planner.plan(v.rule, v.changed_join, binding_.symbols, true);
    if (options_.joins == join_method::cheapest) {
      for (const rule_plan* each : {&v.plan, &other})
        for (const plan_step& s : each->steps)
          if (s.kind == step_kind::group) stores_[s.tensor].list();
      if (planner.most_rows(v.plan) <= planner.most_rows(other)) return;
    }
    v.plan = static_cast<rule_plan&&>(other);
    by_variables_[v.rule] = true;
  }

  // Multiplications from which on a product by rows takes less time than nested loops.
  static constexpr std::uint64_t least_product = 64;

  const tensor_program& program_;
  const database& inputs_;
  const evaluation_options& options_;
  const registry& operators_;
  input_binding binding_;
  std::uint64_t most_cells_ = 0, bindings_left_ = 0;
  std::uint64_t trial_ = 0, kept_ = 0;  // rows that a trial may visit, and those kept for later
  bool exhausted_ = false;              // `failure_` is that of too many rows
  table<std::uint64_t> axis_sizes_;
  table<std::int64_t> axis_extents_;
  table<table<position>> axes_;
  table<tensor_store> stores_;
  table<std::uint32_t> older_;
  index_set indices_;
  table<bool> by_variables_;  // by rule
  bool in_place_ = false;
  error failure_;
  std::uint64_t iteration_ = 0;
  evaluation_progress progress_;
};

}  // namespace wf::logic::detail
