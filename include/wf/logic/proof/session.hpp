// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/box.hpp>
#include <wf/core/container/sort.hpp>
#include <wf/logic/demand/matching.hpp>
#include <wf/logic/proof/heights.hpp>
#include <wf/logic/proof/proof.hpp>

namespace wf::logic {

namespace detail {

/// Searches the derivations of single facts in what a run has made. Each rule of the program has
/// rules here whose first join is a relation of one row, the fact that is asked for: one with all
/// joins and conditions, the same for any value of the head, one with all joins, and one for each
/// shorter run of joins.
class derivation_search {
 public:
  constexpr derivation_search(const tensor_program& from, const settled_program& settled)
      : from_(from), program_(settled.program), facts_(settled.facts) {
    for (std::uint32_t r = 0; r < from.rules.size(); ++r) add(r);
  }
  derivation_search(const derivation_search&) = delete;
  derivation_search& operator=(const derivation_search&) = delete;

  /// Binds the tensors. Errors: those of `evaluate`.
  constexpr error prepare(const evaluation_options& options, const registry& operators) {
    options_ = options;
    engine_ = make_box<rule_engine>(program_, facts_, options_, operators);
    if (!engine_->prepare()) return engine_->failure();
    return {};
  }

  /// Calls `visit(variables)` for the bindings by which a rule derives a fact, until it returns
  /// false; `any_value` is for an entry of `min=` or `max=` whatever its value. False after an
  /// error, which is in `failure()`.
  template <class Visit>
  constexpr bool for_each(std::uint32_t rule, const position* at, bool any_value, Visit visit) {
    return bindings(whole_[rule] + (any_value ? 1 : 0), at, visit);
  }
  /// How many joins of a rule hold together for a fact, from the first on, with a binding.
  constexpr bool explain(std::uint32_t rule, const position* at, missing_premise& out) {
    const std::uint32_t joins = from_.rules[rule].joins.count;
    for (std::uint32_t k = joins + 1; k-- > 0;) {
      bool found = false;
      const auto keep = [&](view<std::int64_t> variables) {
        found = true;
        out.variables = table<std::int64_t>(variables);
        return false;
      };
      if (!bindings(parts_[rule] + k, at, keep)) return false;
      if (!found) continue;
      out.satisfied = k;
      out.condition = k == joins;
      out.bound = bound_by(rule, k);
      return true;
    }
    out.bound = table<bool>(from_.rules[rule].variables.count);
    out.variables = table<std::int64_t>(from_.rules[rule].variables.count);
    return true;
  }
  constexpr const error& failure() const { return engine_->failure(); }
  constexpr rule_engine& engine() { return *engine_; }

 private:
  template <class Visit>
  constexpr bool bindings(std::uint32_t number, const position* at, Visit visit) {
    const std::uint32_t asked = program_.rules[number].head.tensor;
    relation one(program_.tensors[asked].rank, false);
    one.append(at);
    engine_->replace(asked, tensor_store(static_cast<relation&&>(one)));
    planned_rule planned{number, none, {}, 0};
    return engine_->for_each_binding(planned, visit) || engine_->failure().code == errc::none;
  }
  // The variables that the head and the first joins of a rule bind.
  constexpr table<bool> bound_by(std::uint32_t rule, std::uint32_t joins) const {
    const wf::logic::rule& r = from_.rules[rule];
    table<bool> out(r.variables.count);
    const auto bind = [&](const atom& a) {
      for (const term& t : from_.terms_of(a))
        if (t.kind == term_kind::variable) out[t.variable] = true;
    };
    bind(r.head);
    for (std::uint32_t i = 0; i < joins; ++i) bind(from_.atoms[r.joins.first + i]);
    return out;
  }

  constexpr void add(std::uint32_t number) {
    const wf::logic::rule& from = from_.rules[number];
    const std::uint32_t asked =
        add_tensor(program_, text() << "#asked" << number, true, axes_of(from_, from.head.tensor));
    facts_.add(program_.tensors[asked].name.view(), relation(program_.tensors[asked].rank, false));
    parts_.push_back(static_cast<std::uint32_t>(program_.rules.size()));
    for (std::uint32_t k = 0; k <= from.joins.count; ++k) add_part(from, asked, k, part::joins);
    whole_.push_back(static_cast<std::uint32_t>(program_.rules.size()));
    add_part(from, asked, from.joins.count, part::valued);
    add_part(from, asked, from.joins.count, part::conditions);
  }
  // What a rule here has of one of the program: joins, or all conditions, or also the head's value.
  enum class part : std::uint8_t { joins, conditions, valued };
  constexpr void add_part(const wf::logic::rule& from, std::uint32_t asked, std::uint32_t joins,
                          part of) {
    wf::logic::rule r = from;
    r.head.tensor = asked;
    r.projection = projection::plain;
    r.value = none;
    r.joins = {static_cast<std::uint32_t>(program_.atoms.size()), joins + 1};
    program_.atoms.push_back(r.head);
    for (std::uint32_t i = 0; i < joins; ++i) {
      const atom a = from_.atoms[from.joins.first + i];
      program_.atoms.push_back(a);
    }
    if (of == part::joins) {
      r.negations = r.lookups = r.comparisons = {};
    } else {
      shift_joined(r);
      if (of == part::valued && has_two_readings(from_.tensors[from.head.tensor]))
        match_value(program_, r,
                    from.value == none ? detail::number(program_, 0) : shifted(from.value),
                    from.head);
    }
    program_.rules.push_back(r);
  }
  // Comparisons refer to joins by number, which the asked fact moves by one.
  constexpr void shift_joined(wf::logic::rule& r) {
    const auto first = static_cast<std::uint32_t>(program_.comparisons.size());
    for (std::uint32_t i = 0; i < r.comparisons.count; ++i) {
      comparison c = program_.comparisons[r.comparisons.first + i];
      c.left = shifted(c.left);
      c.right = shifted(c.right);
      program_.comparisons.push_back(c);
    }
    r.comparisons.first = first;
  }
  constexpr std::uint32_t shifted(std::uint32_t node) {
    if (node == none) return none;
    scalar_node n = program_.scalars[node];
    if (n.kind == scalar_kind::joined) ++n.index;
    n.left = shifted(n.left);
    n.right = shifted(n.right);
    n.other = shifted(n.other);
    program_.scalars.push_back(n);
    return static_cast<std::uint32_t>(program_.scalars.size() - 1);
  }

  const tensor_program& from_;
  tensor_program program_;
  database facts_;
  evaluation_options options_;
  box<rule_engine> engine_;
  table<std::uint32_t> whole_, parts_;  // by rule
};

}  // namespace detail

/// Proves facts of a program on its inputs, both of which must outlive it. The first question
/// evaluates the program, then the heights of all facts.
class proof_session {
 public:
  /// A session that has evaluated nothing.
  constexpr proof_session(const stratified_program& program, const database& inputs,
                          const evaluation_options& options = {},
                          const registry& operators = rule_registry())
      : strata_(program), inputs_(inputs), options_(options), operators_(operators) {}
  proof_session(const proof_session&) = delete;
  proof_session& operator=(const proof_session&) = delete;

  /// The least high proof of a fact such as `Path('a', 3)` or `D[0, 3]`; of several, one
  /// whose facts have premises of the least heights together, by the first rule and binding.
  /// Errors: those of `read_query` and `evaluate`; `bad_equation` for a fact with variables, for
  /// one that does not hold, and for programs that step or iterate numbers. Deterministic. O(facts
  /// and summands of the proof, times the bindings of their rules), after the first evaluation.
  constexpr result<proof> prove(text_view fact) {
    position at[max_rank] = {};
    std::uint32_t tensor = none;
    if (error e = read(fact, tensor, at); e.code != errc::none) return e;
    if (!holds(tensor, at)) return refuse(fact, "does not hold");
    return build(tensor, at);
  }
  /// Why a fact does not hold: for each rule of its tensor, how far it comes. Errors: as `prove`,
  /// and `bad_equation` for a fact that holds.
  constexpr result<table<missing_premise>> why_not(text_view fact) {
    position at[max_rank] = {};
    std::uint32_t tensor = none;
    if (error e = read(fact, tensor, at); e.code != errc::none) return e;
    if (holds(tensor, at)) return refuse(fact, "holds");
    table<missing_premise> out;
    for (std::uint32_t r = 0; r < strata_.program.rules.size(); ++r) {
      if (strata_.program.rules[r].head.tensor != tensor) continue;
      missing_premise missing;
      missing.rule = r;
      if (!search_->explain(r, at, missing)) return search_->failure();
      out.push_back(static_cast<missing_premise&&>(missing));
    }
    return out;
  }
  /// The symbols of positions, after the first question.
  constexpr view<symbol_domain> domains() const { return settled_.facts.domains; }
  /// By position of a tensor: the number of its symbols' domain, or `none`; after the first
  /// question.
  constexpr table<std::uint32_t> domains_of(std::uint32_t tensor) const {
    const tensor_info& t = strata_.program.tensors[tensor];
    const named_relation* const r = settled_.facts.find(t.name.view());
    if (r == nullptr || r->domains.empty()) return table<std::uint32_t>(t.rank, none);
    return r->domains;
  }
  /// What was read, with the rules to which proofs refer.
  constexpr const tensor_program& program() const { return strata_.program; }

 private:
  static constexpr error refuse(text_view fact, text_view message) {
    return make_error(errc::bad_equation, fact, message);
  }
  constexpr error read(text_view fact, std::uint32_t& tensor, position* at) {
    if (error e = prepare(); e.code != errc::none) return e;
    const auto q = read_query(fact, strata_.program);
    if (!q) return q.error();
    tensor = q->tensor;
    if (q->variables != 0) return refuse(fact, "a fact has no variables");
    const detail::query_pattern pattern(*q, domains_of(tensor), domains());
    for (std::size_t c = 0; c < q->terms.size(); ++c) at[c] = pattern.wanted(c);
    if (!pattern.is_possible()) return refuse(fact, "has a symbol that no fact has");
    return {};
  }
  constexpr error prepare() {
    if (search_) return {};
    for (const stratum& s : strata_.strata) {
      const tensor_info& first = strata_.program.tensors[strata_.tensors[s.tensors.first]];
      if (s.stepped || s.recursion == recursion::numeric)
        return refuse(first.name.view(), "is computed by steps or iteration, which has no proof");
      if (s.recursion != recursion::none && first.projection == projection::combined)
        return refuse(first.name.view(), "recurs by an operator's sign, which has no proof");
    }
    auto settled = detail::settle(strata_, inputs_, options_, operators_);
    if (!settled) return settled.error();
    settled_ = static_cast<detail::settled_program&&>(*settled);
    detail::height_rewrite rewrite(strata_, settled_);
    auto ordered = stratify(rewrite.run());
    if (!ordered) return ordered.error();
    auto heights = evaluate(*ordered, settled_.facts, options_, operators_);
    if (!heights) return heights.error();
    const auto take = [&](std::uint32_t number, table<detail::tensor_store>& to) {
      to.push_back({});
      if (number == none) return;
      to.back() = findable(heights->find(ordered->program.tensors[number].name.view())->store());
    };
    for (std::uint32_t t = 0; t < strata_.program.tensors.size(); ++t) {
      take(rewrite.heights[t], heights_);
      take(rewrite.presence[t], presence_);
    }
    auto search = make_box<detail::derivation_search>(strata_.program, settled_);
    if (error e = search->prepare(options_, operators_); e.code != errc::none) return e;
    search_ = static_cast<box<detail::derivation_search>&&>(search);
    return {};
  }
  // The heights by a table of all positions, if it is not too large, else by hashes.
  constexpr detail::tensor_store findable(detail::tensor_store& from) const {
    from.list();
    const relation& r = from.entries();
    detail::tensor_store out(r.rank, true);
    table<detail::column_bounds> bounds;
    for (const table<position>& column : r.columns) bounds.push_back(detail::bounds_of(column));
    out.bound(bounds, 16 * r.rows + 4096);
    position at[max_rank] = {};
    for (std::size_t row = 0; row < r.rows; ++row) {
      std::uint32_t made = 0;
      r.positions(row, at);
      out.add(at, r.values[row], projection::minimum, made);
    }
    return out;
  }
  constexpr bool holds(std::uint32_t tensor, const position* at) {
    if (settled_.derived[tensor]) return heights_[tensor].contains(at);
    detail::tensor_store& s = search_->engine().store(tensor);
    s.index();
    return s.contains(at);
  }
  constexpr std::uint32_t height_of(std::uint32_t tensor, const position* at, bool present) const {
    if (!settled_.derived[tensor]) return 0;
    const detail::tensor_store& heights = (present ? presence_ : heights_)[tensor];
    const std::uint32_t row = heights.find(at);
    return row == hash_index::none ? 0 : static_cast<std::uint32_t>(heights.value(row));
  }
  constexpr bool is_sum(std::uint32_t tensor) const {
    const tensor_info& t = strata_.program.tensors[tensor];
    return !t.boolean && !is_extreme(t.projection);
  }

  constexpr bool reads_presence(std::uint32_t rule, std::uint32_t join) const {
    const tensor_program& p = strata_.program;
    return settled_.derived[p.atoms[p.rules[rule].joins.first + join].tensor] &&
           detail::reads_presence(p, p.rules[rule], join);
  }

  // --- proofs -----------------------------------------------------------------------------------

  // The positions of an atom for a binding.
  constexpr void place(const atom& a, view<std::int64_t> variables, position* at) const {
    for (std::uint32_t c = 0; c < a.terms.count; ++c) {
      const std::uint32_t number = a.terms.first + c;
      const term& t = strata_.program.terms[number];
      if (t.kind == term_kind::symbol)
        at[c] = search_->engine().binding().symbols[number];
      else
        at[c] = static_cast<position>(
            t.kind == term_kind::constant ? t.shift : t.scale * variables[t.variable] + t.shift);
    }
  }
  // The step of a fact, which is added if it is new.
  constexpr std::uint32_t step_of(std::uint32_t tensor, const position* at, bool present) {
    const std::uint32_t rank = strata_.program.tensors[tensor].rank;
    hasher h;
    h.word(2 * std::uint64_t{tensor} + (present ? 1 : 0));
    for (std::uint32_t c = 0; c < rank; ++c) h.word(static_cast<std::uint64_t>(at[c]));
    const auto is_same = [&](std::uint32_t n) {
      const proof_step& s = found_[n];
      bool same = s.tensor == tensor && s.present == present;
      for (std::uint32_t c = 0; c < rank && same; ++c) same = s.at[c] == at[c];
      return same;
    };
    if (const std::uint32_t known = by_fact_.find(h.value(), is_same); known != hash_index::none)
      return known;
    proof_step s;
    s.tensor = tensor;
    s.present = present;
    for (std::uint32_t c = 0; c < rank; ++c) s.at.push_back(at[c]);
    s.height = height_of(tensor, at, present);
    if (detail::tensor_store& store = search_->engine().store(tensor); store.valued()) {
      store.index();
      s.value = store.value(store.find(at));
    }
    const auto number = static_cast<std::uint32_t>(found_.size());
    by_fact_.insert(h.value(), number);
    found_.push_back(static_cast<proof_step&&>(s));
    return number;
  }
  constexpr bool is_given(const proof_step& s) {
    if (!settled_.derived[s.tensor]) return true;
    if (settled_.given[s.tensor] == none || (s.height != 0 && !is_sum(s.tensor))) return false;
    detail::tensor_store& store = search_->engine().store(settled_.given[s.tensor]);
    store.index();
    return store.contains(s.at.data());
  }

  constexpr result<proof> build(std::uint32_t tensor, const position* at) {
    found_.clear();
    by_fact_ = {};
    (void)step_of(tensor, at, false);
    for (std::uint32_t n = 0; n < found_.size(); ++n)
      if (!derive(n)) return search_->failure();
    return ordered();
  }
  // Finds the derivations of a step: of those of its height the one with the least sum of heights,
  // by the first rule and the first binding; or all summands.
  constexpr bool derive(std::uint32_t number) {
    const proof_step fact = found_[number];
    found_[number].given = is_given(fact);
    if (!settled_.derived[fact.tensor] || (fact.height == 0 && !is_sum(fact.tensor))) return true;
    table<candidate> found;
    for (std::uint32_t r = 0; r < strata_.program.rules.size(); ++r) {
      if (strata_.program.rules[r].head.tensor != fact.tensor) continue;
      const auto visit = [&](view<std::int64_t> variables) {
        candidate c;
        if (!is_sum(fact.tensor) && heights_of(r, variables, c.sum) + 1 != fact.height) return true;
        c.rule = r;
        c.variables = table<std::int64_t>(variables);
        if (is_sum(fact.tensor) || found.empty())
          found.push_back(static_cast<candidate&&>(c));
        else if (c.is_before(found[0]))
          found[0] = static_cast<candidate&&>(c);
        return true;
      };
      if (!search_->for_each(r, fact.at.data(), fact.present, visit)) return false;
    }
    wf::detail::stable_sort(found,
                            [](const candidate& a, const candidate& b) { return a.is_before(b); });
    for (const candidate& c : found) add(number, c.rule, c.variables);
    return true;
  }
  struct candidate {
    std::uint64_t sum = 0;  // of the heights of its premises; 0 for summands
    std::uint32_t rule = 0;
    table<std::int64_t> variables;

    constexpr bool is_before(const candidate& other) const {
      if (sum != other.sum) return sum < other.sum;
      if (rule != other.rule) return rule < other.rule;
      for (std::size_t v = 0; v < variables.size(); ++v)
        if (variables[v] != other.variables[v]) return variables[v] < other.variables[v];
      return false;
    }
  };
  // The height of the highest premise; the sum of all is added to `sum`.
  constexpr std::uint32_t heights_of(std::uint32_t rule, view<std::int64_t> variables,
                                     std::uint64_t& sum) const {
    const wf::logic::rule& r = strata_.program.rules[rule];
    std::uint32_t most = 0;
    position at[max_rank] = {};
    for (std::uint32_t i = 0; i < r.joins.count; ++i) {
      const atom& a = strata_.program.atoms[r.joins.first + i];
      place(a, variables, at);
      const std::uint32_t h = height_of(a.tensor, at, reads_presence(rule, i));
      most = h > most ? h : most;
      sum += h;
    }
    return most;
  }
  constexpr void add(std::uint32_t number, std::uint32_t rule, view<std::int64_t> variables) {
    derivation d;
    d.rule = rule;
    d.variables = table<std::int64_t>(variables);
    const wf::logic::rule& r = strata_.program.rules[rule];
    position at[max_rank] = {};
    for (std::uint32_t i = 0; i < r.joins.count; ++i) {
      const atom& a = strata_.program.atoms[r.joins.first + i];
      place(a, d.variables, at);
      d.premises.push_back(step_of(a.tensor, at, reads_presence(rule, i)));
    }
    found_[number].derivations.push_back(static_cast<derivation&&>(d));
  }
  // The steps by height, which puts premises before what they lead to, and the fact last.
  constexpr proof ordered() {
    std::uint32_t most = 0;
    for (const proof_step& s : found_) most = s.height > most ? s.height : most;
    table<std::uint32_t> starts(most + 2), order(found_.size()), place(found_.size());
    for (const proof_step& s : found_) ++starts[s.height + 1];
    for (std::uint32_t h = 0; h <= most; ++h) starts[h + 1] += starts[h];
    for (std::uint32_t n = static_cast<std::uint32_t>(found_.size()); n-- > 0;) {
      place[n] = starts[found_[n].height]++;
      order[place[n]] = n;
    }
    proof out;
    for (const std::uint32_t n : order) {
      out.steps.push_back(static_cast<proof_step&&>(found_[n]));
      for (derivation& d : out.steps.back().derivations)
        for (std::uint32_t& p : d.premises) p = place[p];
    }
    return out;
  }

  const stratified_program& strata_;
  const database& inputs_;
  evaluation_options options_;
  registry operators_;
  detail::settled_program settled_;
  table<detail::tensor_store> heights_, presence_;  // by tensor
  box<detail::derivation_search> search_;
  table<proof_step> found_;
  hash_index by_fact_;
};

}  // namespace wf::logic
