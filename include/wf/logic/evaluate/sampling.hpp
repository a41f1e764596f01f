// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/hash.hpp>
#include <wf/core/random.hpp>
#include <wf/logic/evaluate/binding.hpp>

namespace wf::logic::detail {

/// A program and inputs.
struct sampled_program {
  stratified_program strata;
  database inputs;
};

/// Lets rules project over random positions instead of all: each numeric rule with indices that are
/// not on its left joins a relation of `samples` draws of their positions, with replacement, the
/// same for all positions of the head. A sum weighs each by number of positions / samples, so that
/// its expectation is the sum; a mean is that of the draws, and an extremum theirs. Left as they
/// are: rules with no more positions than samples, rules that read tensors of their own stratum,
/// and rules that project along more than 7 axes.
class projection_sampling {
 public:
  constexpr projection_sampling(const stratified_program& p, const input_binding& binding,
                                std::uint64_t samples, std::uint64_t seed)
      : strata_(p), binding_(binding), samples_(samples), seed_(seed) {}

  /// The program that samples. O(rules · samples + inputs).
  constexpr sampled_program run(const database& inputs) {
    sampled_program out{strata_, inputs};
    for (std::uint32_t r = 0; r < strata_.program.rules.size(); ++r) sample(r, out);
    return out;
  }

 private:
  constexpr bool reads_own_stratum(const rule& r) const {
    const std::uint32_t own = strata_.stratum_of[r.head.tensor];
    bool any = false;
    for (const range part : {r.joins, r.negations, r.lookups})
      for (std::uint32_t i = 0; i < part.count; ++i)
        any = any || strata_.stratum_of[strata_.program.atoms[part.first + i].tensor] == own;
    return any;
  }
  // The number of positions of an axis, and the k-th of them.
  constexpr std::uint64_t size_of(const axis_binding& a) const {
    if (!a.positions.empty()) return a.positions.size();
    return a.extent >= 0 ? static_cast<std::uint64_t>(a.extent) : a.bounds.size;
  }
  constexpr position position_of(const axis_binding& a, std::uint64_t k) const {
    if (!a.positions.empty()) return a.positions[static_cast<std::size_t>(k)];
    return a.extent >= 0 ? static_cast<position>(k) : a.bounds.at(k);
  }

  constexpr void sample(std::uint32_t number, sampled_program& out) const {
    const tensor_program& p = strata_.program;
    const rule& r = p.rules[number];
    if (p.tensors[r.head.tensor].boolean || reads_own_stratum(r)) return;
    const variable_uses uses = uses_of(p, r);
    const table<bool> used = variables_in(p, r);
    table<std::uint32_t> projected;
    for (std::uint32_t v = 0; v < r.variables.count; ++v)
      if (used[v] && !uses.in_head[v]) projected.push_back(v);
    double positions = 1;
    for (const std::uint32_t v : projected)
      positions *= static_cast<double>(size_of(axis_of(r, v)));
    if (projected.empty() || projected.size() >= max_rank ||
        positions <= static_cast<double>(samples_))
      return;
    const bool sums = r.projection == projection::plain || r.projection == projection::sum;
    text name;
    name << "#samples" << number;
    out.inputs.add(name.view(), drawn(r, projected, sums, positions));
    join(number, projected, name, sums, out.strata);
  }
  constexpr const axis_binding& axis_of(const rule& r, std::uint32_t variable) const {
    return binding_.axes[strata_.program.axis_of_variable[r.variables.first + variable]];
  }
  constexpr relation drawn(const rule& r, const table<std::uint32_t>& projected, bool weighed,
                           double positions) const {
    relation out(static_cast<std::uint32_t>(projected.size() + 1), weighed);
    const text_view head = strata_.program.tensors[r.head.tensor].name.view();
    const std::uint64_t key = wf::detail::random_number(hash_text(head), seed_);
    position at[max_rank] = {};
    for (std::uint64_t draw = 0; draw < samples_; ++draw) {
      at[0] = static_cast<position>(draw);
      for (std::size_t i = 0; i < projected.size(); ++i) {
        const axis_binding& a = axis_of(r, projected[i]);
        const std::uint64_t random =
            wf::detail::random_number(key, draw * projected.size() + i) >> 32;
        at[i + 1] = position_of(a, random * size_of(a) >> 32);
      }
      out.append(at, positions / static_cast<double>(samples_));
    }
    return out;
  }

  // Joins the rule with the draws: one variable more, which tells equal draws apart.
  static constexpr void join(std::uint32_t number, const table<std::uint32_t>& projected,
                             const text& name, bool weighed, stratified_program& out) {
    tensor_program& p = out.program;
    rule& r = p.rules[number];
    tensor_info t;
    t.name = name;
    t.boolean = !weighed;
    t.ranked = true;
    t.rank = static_cast<std::uint32_t>(projected.size() + 1);
    t.axes = {static_cast<std::uint32_t>(p.axes_of.size()), t.rank};
    const auto draws = static_cast<std::uint32_t>(p.axes.size());
    p.axes.push_back({});
    p.axes.back().name = text("#draw");
    p.axes_of.push_back(draws);
    atom a;
    a.tensor = static_cast<std::uint32_t>(p.tensors.size());
    a.offset = r.head.offset;
    a.terms = {static_cast<std::uint32_t>(p.terms.size()), t.rank};
    p.terms.push_back({});
    p.terms.back().variable = r.variables.count;
    for (const std::uint32_t v : projected) {
      p.terms.push_back({});
      p.terms.back().variable = v;
      p.axes_of.push_back(p.axis_of_variable[r.variables.first + v]);
    }
    p.tensors.push_back(static_cast<tensor_info&&>(t));
    out.stratum_of.push_back(none);
    (void)copied(p.axis_of_variable, r.variables, draws);
    r.variables = copied(p.variables, r.variables, text("#draw"));
    r.joins = copied(p.atoms, r.joins, a);
    if (!weighed) return;
    const auto weight = static_cast<std::uint32_t>(p.scalars.size());
    p.scalars.push_back({});
    p.scalars.back().kind = scalar_kind::joined;
    p.scalars.back().index = r.joins.count - 1;
    if (r.value == none) {
      r.value = weight;
      return;
    }
    p.scalars.push_back({});
    p.scalars.back().kind = scalar_kind::product;
    p.scalars.back().left = r.value;
    p.scalars.back().right = weight;
    r.value = weight + 1;
  }

  const stratified_program& strata_;
  const input_binding& binding_;
  std::uint64_t samples_, seed_;
};

}  // namespace wf::logic::detail
