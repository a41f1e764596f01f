// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/demand/extents.hpp>
#include <wf/logic/demand/query.hpp>
#include <wf/logic/demand/sideways.hpp>

namespace wf::logic::detail {

/// A tensor of which the entries at some bound positions are evaluated.
struct restricted_tensor {
  std::uint32_t of = 0;       ///< number in the program
  bound_positions bound = 0;  ///< which of its positions are bound
  std::uint32_t tensor = 0;   ///< its number in the rewritten program
  std::uint32_t asked = 0;    ///< there: the relation of positions that are asked for
  bool passes = false;        ///< rules ask for more positions than constants do
  std::uint32_t seeds = 0;    ///< number of rules that ask, beside the query
};

/// Rewrites a program for a query. Each attempt assumes how much of each tensor is evaluated; one
/// that learns that an assumption was wrong notes it, and the next one starts anew.
class demand_rewrite {
 public:
  /// With `in_full` the query's tensor is evaluated as a whole, with all that it reads.
  constexpr demand_rewrite(const stratified_program& p, const query& q, view<text_view> given,
                           bool in_full)
      : strata_(p), program_(p.program), query_(q), in_full_(in_full), extents_(p, given) {
    if (in_full) extents_.close(q.tensor);
  }

  constexpr tensor_program run() {
    while (!attempt()) {
    }
    return static_cast<tensor_program&&>(out_);
  }
  /// The restricted tensors of the result.
  constexpr view<restricted_tensor> restricted() const { return versions_; }

 private:
  // --- one attempt ------------------------------------------------------------------------------

  constexpr bool attempt() {
    out_ = program_;
    out_.rules.clear();
    versions_.clear();
    axes_.clear();
    wholes_.clear();
    extents_.settle();
    reached_ = table<bool>(program_.tensors.size());
    for (tensor_info& t : out_.tensors) t.exported = false;
    ask();
    for (std::size_t v = 0, w = 0;
         (v < versions_.size() || w < wholes_.size()) && !extents_.changed();)
      v < versions_.size() ? define(v++) : define_whole(wholes_[w++]);
    if (extents_.changed()) return false;
    refuse_cycles();
    if (extents_.changed()) return false;
    if (answer_ != none) add_seed();
    reach_axes();
    for (std::uint32_t t = 0; t < reached_.size(); ++t)
      if (!reached_[t]) out_.tensors[t].ranked = out_.tensors[t].defined = false;
    export_answer();
    return true;
  }

  constexpr void reach(std::uint32_t t) {
    if (reached_[t]) return;
    reached_[t] = true;
    if (program_.tensors[t].defined) wholes_.push_back(t);
  }
  // Asks for what the query wants.
  constexpr void ask() {
    bound_positions bound = 0;
    for (std::uint32_t i = 0; i < query_.terms.size(); ++i)
      if (query_.terms[i].kind != term_kind::variable) bound |= 1U << i;
    bound = extents_.narrowed(query_.tensor, bound);
    answer_ = none;
    if (bound == 0) extents_.widen(query_.tensor);
    if (extents_.is_whole(query_.tensor)) return reach(query_.tensor);
    answer_ = version_of(query_.tensor, bound);
  }
  // The rule that asks for what the query wants.
  constexpr void add_seed() {
    const restricted_tensor& v = versions_[answer_];
    rule seed;
    seed.head.tensor = v.asked;
    seed.head.terms.first = static_cast<std::uint32_t>(out_.terms.size());
    for (std::uint32_t i = 0; i < query_.terms.size(); ++i)
      if ((v.bound >> i & 1) != 0) out_.terms.push_back(query_.terms[i]);
    seed.head.terms.count = static_cast<std::uint32_t>(out_.terms.size()) - seed.head.terms.first;
    out_.rules.push_back(seed);
  }

  // The number of a version, which is made if it is new.
  constexpr std::uint32_t version_of(std::uint32_t t, bound_positions bound) {
    for (std::uint32_t v = 0; v < versions_.size(); ++v)
      if (versions_[v].of == t && versions_[v].bound == bound) return v;
    restricted_tensor made{t, bound, 0, 0, false};
    tensor_info info = program_.tensors[t], asked;
    info.temporary = true;
    info.exported = false;
    text suffix(".");
    asked.axes.first = static_cast<std::uint32_t>(out_.axes_of.size());
    for (std::uint32_t c = 0; c < info.rank; ++c) {
      suffix << ((bound >> c & 1) != 0 ? 'b' : 'f');
      if ((bound >> c & 1) == 0) continue;
      out_.axes_of.push_back(program_.axes_of[info.axes.first + c]);
      ++asked.rank;
    }
    info.name << suffix.view();
    asked.axes.count = asked.rank;
    asked.name << "wanted " << info.name.view();
    asked.boolean = asked.defined = asked.temporary = asked.ranked = true;
    asked.offset = info.offset;
    made.tensor = add(static_cast<tensor_info&&>(info));
    made.asked = add(static_cast<tensor_info&&>(asked));
    versions_.push_back(made);
    return static_cast<std::uint32_t>(versions_.size() - 1);
  }
  constexpr std::uint32_t add(tensor_info&& t) {
    out_.tensors.push_back(static_cast<tensor_info&&>(t));
    return static_cast<std::uint32_t>(out_.tensors.size() - 1);
  }

  // The rules of a version.
  constexpr void define(std::size_t number) {
    const restricted_tensor v = versions_[number];
    for (const rule& r : program_.rules)
      if (r.head.tensor == v.of && !extents_.changed())
        rewrite(r, static_cast<std::uint32_t>(number));
    if (extents_.is_given(v.of)) add_facts(v);
  }
  constexpr void define_whole(std::uint32_t t) {
    for (const rule& r : program_.rules) {
      if (r.head.tensor != t || extents_.changed()) continue;
      if (!extents_.is_closed(t)) {
        rewrite(r, none);
        continue;
      }
      for_each_atom_of(program_, r, [&](const atom& a) { reach(a.tensor); });
      out_.rules.push_back(r);
    }
  }
  // Facts that inputs have of a tensor with rules.
  constexpr void add_facts(const restricted_tensor& v) {
    reached_[v.of] = true;
    out_.tensors[v.of].defined = false;
    const tensor_info& info = program_.tensors[v.of];
    rule r;
    r.projection = info.projection;
    r.variables = {static_cast<std::uint32_t>(out_.variables.size()), info.rank};
    const range terms{static_cast<std::uint32_t>(out_.terms.size()), info.rank};
    for (std::uint32_t c = 0; c < info.rank; ++c) {
      out_.variables.push_back(text("_"));
      out_.axis_of_variable.push_back(program_.axes_of[info.axes.first + c]);
      term t;
      t.variable = c;
      out_.terms.push_back(t);
    }
    r.head.tensor = v.tensor;
    r.head.terms = terms;
    r.joins.first = static_cast<std::uint32_t>(out_.atoms.size());
    r.joins.count = 2;
    out_.atoms.push_back({v.of, terms, 0, info.offset});
    out_.atoms.push_back(asked_atom(v.asked, r.head, v.bound));
    if (!info.boolean) r.value = joined_value();
    out_.rules.push_back(r);
  }
  constexpr std::uint32_t joined_value() {
    scalar_node n;
    n.kind = scalar_kind::joined;
    out_.scalars.push_back(n);
    return static_cast<std::uint32_t>(out_.scalars.size() - 1);
  }

  // --- one rule ---------------------------------------------------------------------------------

  // The terms of an atom at bound positions, as an atom of the relation of what is asked for.
  constexpr atom asked_atom(std::uint32_t asked, const atom& a, bound_positions bound) {
    atom out{asked, {static_cast<std::uint32_t>(out_.terms.size()), 0}, 0, a.offset};
    for (std::uint32_t i = 0; i < a.terms.count; ++i) {
      if ((bound >> i & 1) == 0) continue;
      const term t = out_.terms[a.terms.first + i];
      out_.terms.push_back(t);
      ++out.terms.count;
    }
    return out;
  }
  // Adds a rule, of a version or a tensor that is evaluated as a whole (`none`), and the rules of
  // what it asks for.
  constexpr void rewrite(const rule& r, std::uint32_t number) {
    const bound_positions bound = number == none ? 0 : versions_[number].bound;
    table<passed_binding> passed =
        sideways_passing(program_, r, bound, extents_.recurs(r))
            .run([&](std::uint32_t t) { return extents_.is_whole(t); },
                 [&](std::uint32_t t, bound_positions b) { return extents_.narrowed(t, b); });
    table<std::uint32_t> read(passed.size());  // by join and lookup: the version, or `none`
    for (std::uint32_t i = 0; i < passed.size(); ++i) {
      const std::uint32_t t = read_atom(r, i).tensor;
      read[i] = passed[i].bound == 0 ? none : version_of(t, passed[i].bound);
      if (passed[i].bound != 0) continue;
      extents_.widen(t);
      reach(t);
    }
    for (std::uint32_t i = 0; i < r.negations.count; ++i) {
      const std::uint32_t t = program_.atoms[r.negations.first + i].tensor;
      extents_.close(t);
      reach(t);
    }
    if (extents_.changed()) return;
    rule made = r;
    if (number != none) made.head.tensor = versions_[number].tensor;
    made.joins = atoms_read(r.joins, 0, read);
    if (number != none) add_guard(r, number, read, made);
    made.lookups = atoms_read(r.lookups, r.joins.count, read);
    out_.rules.push_back(made);
    for (std::uint32_t i = 0; i < read.size(); ++i)
      if (read[i] != none) pass(r, number, read_atom(r, i), passed[i], read, versions_[read[i]]);
  }
  constexpr const atom& read_atom(const rule& r, std::uint32_t i) const {
    return program_
        .atoms[i < r.joins.count ? r.joins.first + i : r.lookups.first + i - r.joins.count];
  }
  constexpr range atoms_read(range part, std::uint32_t first, const table<std::uint32_t>& read) {
    const range out{static_cast<std::uint32_t>(out_.atoms.size()), part.count};
    for (std::uint32_t i = 0; i < part.count; ++i) {
      atom a = program_.atoms[part.first + i];
      if (read[first + i] != none) a.tensor = versions_[read[first + i]].tensor;
      out_.atoms.push_back(a);
    }
    return out;
  }
  // Restricts a rule to what is asked for, unless it reads its head where it is defined. A variable
  // that runs along its axis goes on doing so.
  constexpr void add_guard(const rule& r, std::uint32_t number, const table<std::uint32_t>& read,
                           rule& made) {
    const restricted_tensor v = versions_[number];
    for (std::uint32_t k = 0; k < r.joins.count; ++k) {
      bool same = read[k] == number;
      for (std::uint32_t c = 0; same && c < r.head.terms.count; ++c)
        same = (v.bound >> c & 1) == 0 ||
               same_term(program_, r.head, program_.atoms[r.joins.first + k], c);
      if (same) return;
    }
    const variable_uses uses = uses_of(program_, r);
    table<bool> limited(r.variables.count);
    for (std::uint32_t c = 0; c < r.head.terms.count; ++c) {
      const term& t = program_.terms[r.head.terms.first + c];
      if ((v.bound >> c & 1) == 0 || t.kind != term_kind::variable || uses.bound[t.variable] ||
          limited[t.variable])
        continue;
      limited[t.variable] = true;
      const atom along = along_axis(r, t.variable);
      out_.atoms.push_back(along);
      ++made.joins.count;
    }
    const atom guard = asked_atom(v.asked, r.head, v.bound);
    out_.atoms.push_back(guard);
    ++made.joins.count;
  }
  // An atom that holds for the positions of a variable's axis.
  constexpr atom along_axis(const rule& r, std::uint32_t variable) {
    const std::uint32_t axis = program_.axis_of_variable[r.variables.first + variable];
    atom out{none, {static_cast<std::uint32_t>(out_.terms.size()), 1}, 0, r.head.offset};
    term t;
    t.variable = variable;
    out_.terms.push_back(t);
    for (const positions_of_axis& each : axes_)
      if (each.axis == axis) out.tensor = each.tensor;
    if (out.tensor != none) return out;
    tensor_info info;
    info.name << "axis " << program_.axes[axis].name.view();
    info.boolean = info.defined = info.temporary = info.ranked = true;
    info.rank = 1;
    info.axes = {static_cast<std::uint32_t>(out_.axes_of.size()), 1};
    out_.axes_of.push_back(axis);
    out.tensor = add(static_cast<tensor_info&&>(info));
    axes_.push_back({axis, out.tensor});
    rule all;
    all.head = out;
    all.variables = r.variables;
    out_.rules.push_back(all);
    return out;
  }
  // Adds the rule that asks for what a rule reads.
  constexpr void pass(const rule& r, std::uint32_t number, const atom& a,
                      const passed_binding& passed, const table<std::uint32_t>& read,
                      const restricted_tensor& of) {
    rule made;
    made.variables = r.variables;
    made.head = asked_atom(of.asked, a, of.bound);
    made.joins.first = static_cast<std::uint32_t>(out_.atoms.size());
    for (const std::uint32_t k : passed.needs) {
      atom each = program_.atoms[r.joins.first + k];
      if (read[k] != none) each.tensor = versions_[read[k]].tensor;
      out_.atoms.push_back(each);
    }
    if (number != none && passed.from_head) {
      const restricted_tensor& own = versions_[number];
      const atom guard = asked_atom(own.asked, r.head, own.bound);
      if (passed.needs.empty() && own.asked == of.asked && same_terms(guard, made.head)) return;
      out_.atoms.push_back(guard);
    }
    made.joins.count = static_cast<std::uint32_t>(out_.atoms.size()) - made.joins.first;
    for (restricted_tensor& v : versions_)
      if (v.asked == of.asked) v.passes = v.passes || made.joins.count != 0, v.seeds += 1;
    out_.rules.push_back(made);
  }
  constexpr bool same_terms(const atom& a, const atom& b) const {
    for (std::uint32_t i = 0; i < a.terms.count; ++i)
      if (!same_term(out_, a, b, i)) return false;
    return true;
  }

  // --- what must not depend on itself -----------------------------------------------------------

  // The program's tensor of a tensor of the result; `none` for what was made beside them.
  constexpr std::uint32_t origin(std::uint32_t t) const {
    if (t < program_.tensors.size()) return t;
    for (const restricted_tensor& v : versions_)
      if (v.tensor == t) return v.of;
    return none;
  }
  // Closes tensors of which rules would ask for more depending on their own values: what one reads
  // of another stratum must be final.
  constexpr void refuse_cycles() {
    table<table<std::uint32_t>> reads(out_.tensors.size());
    for (const rule& r : out_.rules)
      for_each_dependency(out_, r, [&](std::uint32_t t, dependency, const atom&) {
        reads[r.head.tensor].push_back(t);
      });
    const auto read_by = [&](std::uint32_t t) { return view<std::uint32_t>(reads[t]); };
    const graph_components found = components_of(reads.size(), read_by);
    table<std::uint32_t> least(found.count, none), most(found.count, none);
    for (const rule& r : out_.rules)
      for_each_dependency(out_, r, [&](std::uint32_t t, dependency d, const atom&) {
        if (found.component[t] != found.component[r.head.tensor]) return;
        check(r.head.tensor, t, d);
        for (const std::uint32_t each : {r.head.tensor, t}) {
          const projection sign = out_.tensors[each].projection;
          if (sign == projection::minimum) least[found.component[each]] = each;
          if (sign == projection::maximum) most[found.component[each]] = each;
        }
      });
    for (std::uint32_t c = 0; c < found.count; ++c)
      if (least[c] != none && most[c] != none) extents_.close(origin(most[c]));
  }
  // A read within a component.
  constexpr void check(std::uint32_t head, std::uint32_t t, dependency d) {
    const std::uint32_t from = origin(head), to = origin(t);
    const tensor_info& info = out_.tensors[t];
    const bool sums = !info.boolean && !is_extreme(info.projection);
    const bool inside = from != none && to != none && strata_.stratum_of[from] != none &&
                        strata_.stratum_of[from] == strata_.stratum_of[to];
    if (inside) return;
    if (to != none && (d != dependency::joined || sums || (from != none && !info.boolean)))
      extents_.close(to);
  }

  // --- the rest of the result -------------------------------------------------------------------

  // Inputs that tell how far a variable runs are read, too.
  constexpr void reach_axes() {
    table<bool> runs(program_.axes.size());
    for (const rule& r : out_.rules) {
      const variable_uses uses = uses_of(out_, r);
      const table<bool> used = variables_in(out_, r);
      for (std::uint32_t v = 0; v < r.variables.count; ++v)
        if (used[v] && !uses.bound[v]) runs[out_.axis_of_variable[r.variables.first + v]] = true;
    }
    for (std::uint32_t t = 0; t < program_.tensors.size(); ++t) {
      const tensor_info& info = program_.tensors[t];
      for (std::uint32_t c = 0; c < info.rank && !info.defined && info.ranked; ++c)
        if (runs[program_.axes_of[info.axes.first + c]]) reached_[t] = true;
    }
    for (std::uint32_t a = 0; a < runs.size(); ++a)
      if (runs[a] && program_.axes[a].members != none) reached_[program_.axes[a].members] = true;
  }
  // Exports what the query wants under the name of its tensor.
  constexpr void export_answer() {
    const bool whole = answer_ == none;
    const std::uint32_t from = whole ? query_.tensor : versions_[answer_].tensor;
    std::uint32_t wanted = 0;
    for (const term& t : query_.terms) wanted += t.kind != term_kind::variable ? 1 : 0;
    std::uint32_t bound = 0;
    for (std::uint32_t i = 0; i < query_.terms.size() && !whole; ++i)
      bound += versions_[answer_].bound >> i & 1;
    const bool exact = wanted == bound && wanted + query_.variables == query_.terms.size() &&
                       (whole || versions_[answer_].seeds == 0);
    const tensor_info& info = program_.tensors[query_.tensor];
    if (exact || in_full_ ||
        (info.defined && strata_.strata[strata_.stratum_of[query_.tensor]].stepped) ||
        info.stepped) {
      out_.tensors[from].exported = true;
      out_.tensors[from].name = info.name;
      return;
    }
    rule r;
    tensor_info answer = info;
    answer.temporary = answer.exported = answer.defined = true;
    r.projection = answer.projection;
    r.variables = {static_cast<std::uint32_t>(out_.variables.size()), query_.variables};
    r.head.terms = {static_cast<std::uint32_t>(out_.terms.size()), info.rank};
    out_.variables.resize(out_.variables.size() + query_.variables);
    out_.axis_of_variable.resize(out_.axis_of_variable.size() + query_.variables);
    for (std::uint32_t c = 0; c < info.rank; ++c) {
      const term& t = query_.terms[c];
      out_.terms.push_back(t);
      if (t.kind == term_kind::variable)
        out_.axis_of_variable[r.variables.first + t.variable] =
            program_.axes_of[info.axes.first + c];
    }
    r.head.tensor = add(static_cast<tensor_info&&>(answer));
    r.joins = {static_cast<std::uint32_t>(out_.atoms.size()), 1};
    out_.atoms.push_back({from, r.head.terms, 0, info.offset});
    if (!info.boolean) r.value = joined_value();
    out_.rules.push_back(r);
  }

  struct positions_of_axis {
    std::uint32_t axis = 0, tensor = 0;
  };
  const stratified_program& strata_;
  const tensor_program& program_;
  const query& query_;
  bool in_full_ = false;
  demand_extents extents_;
  tensor_program out_;
  table<restricted_tensor> versions_;
  table<std::uint32_t> wholes_;  // tensors that are evaluated as a whole
  table<positions_of_axis> axes_;
  table<bool> reached_;          // by tensor
  std::uint32_t answer_ = none;  // version that the query asks for; `none`: the tensor itself
};

}  // namespace wf::logic::detail

namespace wf::logic {

/// The program that computes what a query wants of another one, and nothing that it does not need:
/// rules are restricted to positions that are asked for, and ask for those of what they read. What
/// is complemented, iterates towards numbers, or changes from step to step is evaluated as a whole.
/// The result exports one tensor, with the name of the query's: the entries of a full evaluation
/// that match, or all entries if they change from step to step. `given` are the names of inputs of
/// which some may be facts beside a tensor's rules. The result stratifies. O(tensors · rules) of
/// rules of bounded size, per tensor that must be evaluated as a whole. Source: Beeri and
/// Ramakrishnan 1991 (magic sets); Aho and Ullman 1979 (positions that a recursion keeps).
constexpr tensor_program demand(const stratified_program& program, const query& wanted,
                                view<text_view> given = {}) {
  return detail::demand_rewrite(program, wanted, given, false).run();
}

/// The part of a program that computes a query's tensor, all entries of it, as a full evaluation
/// does: what the tensor does not depend on is left out. The tensor is the only export.
/// O(tensors · rules).
constexpr tensor_program reached(const stratified_program& program, const query& wanted) {
  return detail::demand_rewrite(program, wanted, {}, true).run();
}

}  // namespace wf::logic
