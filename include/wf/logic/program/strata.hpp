// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/axes.hpp>
#include <wf/logic/program/components.hpp>

namespace wf::logic {

/// How the tensors of a stratum depend on each other.
enum class recursion : std::uint8_t {
  none,     ///< not at all
  logical,  ///< Boolean tensors on each other, through joins: their least fixpoint
  extreme,  ///< tensors of `min=` or `max=`, perhaps with Boolean ones, through joins: likewise
  numeric,  ///< numbers on each other: what iteration converges to
};

/// Tensors that depend on each other, or one that depends on earlier strata only.
struct stratum {
  range tensors;  ///< run of `stratified_program::tensors`
  range rules;    ///< run of `stratified_program::rules`: those with a head in the stratum
  /// How its tensors depend on each other.
  logic::recursion recursion = logic::recursion::none;
  bool stepped = false;  ///< its values change from step to step
};

/// A program whose tensors are ordered so that each stratum depends on itself and earlier ones.
struct stratified_program {
  tensor_program program;           ///< as it was read
  table<stratum> strata;            ///< in an order of evaluation
  table<std::uint32_t> tensors;     ///< numbers of defined tensors
  table<std::uint32_t> rules;       ///< numbers of rules; within a stratum in source order
  table<std::uint32_t> stratum_of;  ///< by tensor: its stratum; `none` for an input

  /// True for a tensor with rules whose values change from step to step.
  constexpr bool changes(std::uint32_t tensor) const {
    const std::uint32_t s = stratum_of[tensor];
    return s != none && strata[s].stepped;
  }
};

namespace detail {

/// A dependency of a rule's head on a tensor.
enum class dependency : std::uint8_t { joined, negated, valued };

/// True for a scalar expression that is negative if all joins, lookups and variables are positive.
constexpr bool is_negative(const tensor_program& p, std::uint32_t node) {
  const scalar_node& s = p.scalars[node];
  if (s.kind == scalar_kind::number) return s.number < 0;
  if (s.kind == scalar_kind::negation) return !is_negative(p, s.left);
  if (s.kind == scalar_kind::product || s.kind == scalar_kind::quotient)
    return is_negative(p, s.left) != is_negative(p, s.right);
  return false;
}

/// Marks the joins of a scalar expression: all of them, or those with which it falls while what
/// stands in them is positive. `falls`: the whole falls with the value of this node.
constexpr void mark_joins(const tensor_program& p, std::uint32_t node, bool all, bool falls,
                          table<bool>& marked) {
  if (node == none) return;
  const scalar_node& s = p.scalars[node];
  bool left = falls, right = falls;
  if (s.kind == scalar_kind::joined && (all || falls)) marked[s.index] = true;
  if (s.kind == scalar_kind::negation) left = !falls;
  if (s.kind == scalar_kind::difference) right = !falls;
  if (s.kind == scalar_kind::product || s.kind == scalar_kind::quotient) {
    left = falls != is_negative(p, s.right);
    right = (falls != is_negative(p, s.left)) != (s.kind == scalar_kind::quotient);
  }
  // Nothing is known of what powers, choices and other functions do with their operands.
  const bool any = all || (s.kind == scalar_kind::function && !s.monotone) ||
                   s.kind == scalar_kind::power || s.kind == scalar_kind::choice;
  mark_joins(p, s.left, any, left, marked);
  mark_joins(p, s.right, any, right, marked);
  mark_joins(p, s.other, any, falls, marked);
}

/// True if a scalar expression is the value of a join, or what selective operators take of such.
constexpr bool selects_value(const tensor_program& p, std::uint32_t node) {
  if (node == none) return false;
  const scalar_node& s = p.scalars[node];
  if (s.kind == scalar_kind::joined) return true;
  return s.kind == scalar_kind::function && s.selective && selects_value(p, s.left) &&
         selects_value(p, s.right);
}
/// Marks the joins of a scalar expression that stand in no operand of a multiplication, which
/// distributes over the sign of the rule.
constexpr void mark_unscaled(const tensor_program& p, std::uint32_t node, table<bool>& marked) {
  if (node == none || p.scalars[node].kind == scalar_kind::joined) return;
  const scalar_node& s = p.scalars[node];
  if (s.kind == scalar_kind::function && s.scales) {
    mark_unscaled(p, s.left, marked);
    mark_unscaled(p, s.right, marked);
  } else {
    mark_joins(p, node, true, false, marked);
  }
}
/// True for a tensor whose rules have signs under which a value only gets better: `max=`, `min=`
/// and those of idempotent operators.
constexpr bool is_extreme(const tensor_info& t) {
  return wf::is_extreme(t.projection) || (t.projection == projection::combined && t.idempotent);
}

/// Calls `visit(tensor, dependency, atom)` for what a rule reads in the same step: joins whose
/// values do not matter, or with which the head grows, are `joined`; complements `negated`; values
/// that comparisons and lookups read, or with which the head falls, `valued`.
template <class Visit>
constexpr void for_each_dependency(const tensor_program& p, const rule& r, Visit&& visit) {
  const tensor_info& head = p.tensors[r.head.tensor];
  const bool grows = head.boolean || is_extreme(head);
  table<bool> settled(r.joins.count);
  for (std::uint32_t i = 0; i < r.comparisons.count; ++i) {
    mark_joins(p, p.comparisons[r.comparisons.first + i].left, true, true, settled);
    mark_joins(p, p.comparisons[r.comparisons.first + i].right, true, true, settled);
  }
  if (head.projection == projection::combined)
    mark_unscaled(p, r.value, settled);
  else
    mark_joins(p, r.value, false, false, settled);
  const auto reads = [&](const range& part, auto&& kind) {
    for (std::uint32_t i = 0; i < part.count; ++i) {
      const atom& a = p.atoms[part.first + i];
      if (p.tensors[a.tensor].stepped && a.step < p.tensors[a.tensor].produced) continue;
      visit(a.tensor, kind(i, a), a);
    }
  };
  reads(r.joins, [&](std::uint32_t i, const atom& a) {
    const bool valued = !p.tensors[a.tensor].boolean && (settled[i] || !grows);
    return valued ? dependency::valued : dependency::joined;
  });
  reads(r.negations, [](std::uint32_t, const atom&) { return dependency::negated; });
  reads(r.lookups, [](std::uint32_t, const atom&) { return dependency::valued; });
}

/// Orders a program.
class stratification {
 public:
  constexpr stratification(tensor_program&& p, text_view source) : source_(source) {
    out_.program = static_cast<tensor_program&&>(p);
  }

  constexpr result<stratified_program> run() {
    const tensor_program& p = out_.program;
    table<table<std::uint32_t>> reads(p.tensors.size());
    for (const rule& r : p.rules)
      for_each_dependency(p, r, [&](std::uint32_t tensor, dependency, const atom&) {
        if (p.tensors[tensor].defined) reads[r.head.tensor].push_back(tensor);
      });
    const auto read_by = [&](std::uint32_t t) { return view<std::uint32_t>(reads[t]); };
    collect(components_of(reads.size(), read_by), reads);
    for (stratum& s : out_.strata)
      if (error e = classify(s); e.code != errc::none) return e;
    return static_cast<stratified_program&&>(out_);
  }

 private:
  // Makes a stratum of each component that has a defined tensor.
  constexpr void collect(const graph_components& found, const table<table<std::uint32_t>>& reads) {
    const tensor_program& p = out_.program;
    table<std::uint32_t> numbers(found.count, none);
    for (std::uint32_t t = 0; t < p.tensors.size(); ++t)
      if (p.tensors[t].defined) numbers[found.component[t]] = 0;
    std::uint32_t strata = 0;
    for (std::uint32_t& n : numbers)
      if (n == 0) n = strata++;
    out_.strata.resize(strata);
    out_.stratum_of.resize(p.tensors.size());
    table<table<std::uint32_t>> tensors(strata), rules(strata);
    for (std::uint32_t t = 0; t < p.tensors.size(); ++t) {
      out_.stratum_of[t] = p.tensors[t].defined ? numbers[found.component[t]] : none;
      if (p.tensors[t].defined) tensors[out_.stratum_of[t]].push_back(t);
    }
    for (std::uint32_t r = 0; r < p.rules.size(); ++r)
      rules[out_.stratum_of[p.rules[r].head.tensor]].push_back(r);
    for (std::uint32_t s = 0; s < strata; ++s) {
      stratum& to = out_.strata[s];
      to.tensors = {static_cast<std::uint32_t>(out_.tensors.size()),
                    static_cast<std::uint32_t>(tensors[s].size())};
      to.rules = {static_cast<std::uint32_t>(out_.rules.size()),
                  static_cast<std::uint32_t>(rules[s].size())};
      out_.tensors.append(tensors[s]);
      out_.rules.append(rules[s]);
      for (std::uint32_t t : tensors[s]) {
        to.stepped = to.stepped || p.tensors[t].stepped;
        for (std::uint32_t read : reads[t])
          to.stepped = to.stepped ||
                       (out_.stratum_of[read] != s && out_.strata[out_.stratum_of[read]].stepped);
      }
      for (std::uint32_t r : rules[s]) to.stepped = to.stepped || reads_steps(p.rules[r]);
    }
  }
  constexpr bool reads_steps(const rule& r) const {
    bool any = false;
    for (const range part : {r.joins, r.negations, r.lookups})
      for (std::uint32_t i = 0; i < part.count; ++i)
        any = any || out_.program.tensors[out_.program.atoms[part.first + i].tensor].stepped;
    return any;
  }

  // Finds how a stratum recurs, and refuses what has no meaning.
  constexpr error classify(stratum& s) {
    const tensor_program& p = out_.program;
    const std::uint32_t number = out_.stratum_of[out_.tensors[s.tensors.first]];
    bool recurs = false;
    const tensor_info* any[6] = {};  // a numeric tensor of each projection
    const tensor_info *boolean = nullptr, *mixed = nullptr;
    for (std::uint32_t i = 0; i < s.tensors.count; ++i) {
      const tensor_info& t = p.tensors[out_.tensors[s.tensors.first + i]];
      const tensor_info*& of = t.boolean ? boolean : any[static_cast<std::size_t>(t.projection)];
      if (of != nullptr && !(of->combining.view() == t.combining.view())) mixed = &t;
      of = &t;
    }
    const tensor_info* const least = any[static_cast<std::size_t>(projection::minimum)];
    const tensor_info* const most = any[static_cast<std::size_t>(projection::maximum)];
    const tensor_info* const combined = any[static_cast<std::size_t>(projection::combined)];
    const bool idempotent = combined != nullptr && combined->idempotent;
    const bool extreme = least != nullptr || most != nullptr || idempotent;
    error found;
    for (std::uint32_t i = 0; i < s.rules.count; ++i) {
      const rule& r = p.rules[out_.rules[s.rules.first + i]];
      for_each_dependency(p, r, [&](std::uint32_t t, dependency d, const atom& a) {
        if (out_.stratum_of[t] != number) return;
        recurs = true;
        if (found.code != errc::none) return;
        if (d == dependency::negated)
          found = refuse(r, a, "depends on its own complement", t);
        else if (d == dependency::valued && (extreme || boolean != nullptr))
          found = refuse(r, a, "reads a value before it is final", t);
      });
    }
    if (!recurs || found.code != errc::none) return found;
    const tensor_info* other = nullptr;
    for (const projection each : {projection::plain, projection::sum, projection::mean})
      if (any[static_cast<std::size_t>(each)] != nullptr)
        other = any[static_cast<std::size_t>(each)];
    if (combined != nullptr && !idempotent) other = combined;
    if (least != nullptr && most != nullptr) mixed = most;
    if (idempotent && (least != nullptr || most != nullptr)) mixed = combined;
    const tensor_info* const wrong = mixed != nullptr                           ? mixed
                                     : other != nullptr && (extreme || boolean) ? other
                                                                                : nullptr;
    if (wrong != nullptr)
      return make_error(errc::not_stratified, wrong->name.view(),
                        "depends on itself through tensors of another sign",
                        position_at(source_, wrong->offset));
    s.recursion = extreme            ? recursion::extreme
                  : other != nullptr ? recursion::numeric
                                     : recursion::logical;
    return {};
  }
  constexpr error refuse(const rule& r, const atom& a, text_view why, std::uint32_t read) const {
    const text_view head = out_.program.tensors[r.head.tensor].name.view();
    text message(why);
    if (read != r.head.tensor) message << ", through " << out_.program.tensors[read].name.view();
    return make_error(errc::not_stratified, head, message.view(), position_at(source_, a.offset));
  }

  text_view source_;
  stratified_program out_;
};

}  // namespace detail

/// Orders a program of rules into strata. `source` is its text, for positions. Errors:
/// `not_stratified` for a tensor that depends on its own complement, that reads values of its own
/// stratum before they are final, or that mixes signs in a recursion. O(size of the program).
/// Source: Apt, Blair and Walker 1988 for stratified negation; Ross and Sagiv 1992 for extrema.
constexpr result<stratified_program> stratify(tensor_program program, text_view source = {}) {
  return detail::stratification(static_cast<tensor_program&&>(program), source).run();
}

}  // namespace wf::logic
