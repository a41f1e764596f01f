// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/proof/settled.hpp>

namespace wf::logic::detail {

/// Makes the program of the heights of facts: for each derived tensor one with the least height of
/// a proof of each of its entries. A fact of the inputs has height 0, another one 1 more than the
/// highest fact that the rule joins, for the rule and binding for which that is least; a sum or
/// mean, to which all bindings contribute, for the highest. Complements, comparisons and lookups
/// are conditions, without a height.
class height_rewrite {
 public:
  /// `strata` is the program with its rules, `settled` what a run made of it.
  constexpr height_rewrite(const stratified_program& strata, const settled_program& settled)
      : from_(strata.program), settled_(settled), out_(settled.program) {}

  /// The program, whose inputs are `settled.facts`.
  constexpr tensor_program run() {
    heights = presence = table<std::uint32_t>(from_.tensors.size(), none);
    for (std::uint32_t t = 0; t < from_.tensors.size(); ++t) {
      if (!settled_.derived[t]) continue;
      heights[t] = presence[t] = add_heights(t, "#height");
      if (has_two_readings(from_.tensors[t])) presence[t] = add_heights(t, "#presence");
    }
    for (std::uint32_t t = 0; t < from_.tensors.size(); ++t) {
      if (settled_.given[t] == none) continue;
      given(t, heights[t]);
      if (presence[t] != heights[t]) given(t, presence[t]);
    }
    for (const rule& r : from_.rules) {
      add(r, heights[r.head.tensor]);
      if (presence[r.head.tensor] != heights[r.head.tensor]) add(r, presence[r.head.tensor]);
    }
    return static_cast<tensor_program&&>(out_);
  }

  /// By tensor: the number of that of its heights, and of the heights of its presence, which are
  /// the same but for `min=` and `max=`; or `none`.
  table<std::uint32_t> heights, presence;

 private:
  // True for a tensor to which all bindings contribute.
  constexpr bool is_sum(std::uint32_t t) const {
    return !from_.tensors[t].boolean && !is_extreme(from_.tensors[t].projection);
  }
  constexpr std::uint32_t add_heights(std::uint32_t t, text_view suffix) {
    const std::uint32_t made = add_tensor(out_, text() << from_.tensors[t].name.view() << suffix,
                                          false, axes_of(from_, t));
    tensor_info& h = out_.tensors[made];
    h.defined = h.exported = true;
    h.projection = is_sum(t) ? projection::maximum : projection::minimum;
    return made;
  }
  constexpr std::uint32_t larger(std::uint32_t left, std::uint32_t right) {
    const std::uint32_t made = combined(out_, scalar_kind::function, left, right);
    out_.scalars[made].name = text(kernels::maximum.name);
    out_.scalars[made].monotone = true;
    return made;
  }
  // What inputs have of a tensor has height 0.
  constexpr void given(std::uint32_t t, std::uint32_t to) {
    const tensor_info& info = from_.tensors[t];
    rule r;
    r.variables = {static_cast<std::uint32_t>(out_.variables.size()), info.rank};
    const table<std::uint32_t> axes = axes_of(from_, t);
    r.head.terms = {static_cast<std::uint32_t>(out_.terms.size()), info.rank};
    for (std::uint32_t c = 0; c < info.rank; ++c) {
      out_.variables.push_back(text());
      out_.axis_of_variable.push_back(axes[c]);
      out_.terms.push_back({});
      out_.terms.back().variable = c;
    }
    r.head.tensor = to;
    r.projection = out_.tensors[to].projection;
    atom read = r.head;
    read.tensor = settled_.given[t];
    r.joins = {static_cast<std::uint32_t>(out_.atoms.size()), 1};
    out_.atoms.push_back(read);
    if (has_two_readings(info) && to == heights[t]) {
      atom head = r.head;
      head.tensor = t;
      match_value(out_, r, leaf(out_, scalar_kind::joined, 0), head);
    }
    r.value = number(out_, 0);
    out_.rules.push_back(r);
  }
  constexpr void add(const rule& from, std::uint32_t to) {
    rule r = from;
    const std::uint32_t t = from.head.tensor;
    r.head.tensor = to;
    r.projection = out_.tensors[to].projection;
    // The heights stand in the place of what is read for its presence, and beside values.
    table<atom> joins, more;
    std::uint32_t highest = none;
    const auto raise = [&](std::uint32_t join) {
      const std::uint32_t one = leaf(out_, scalar_kind::joined, join);
      highest = highest == none ? one : larger(highest, one);
    };
    for (std::uint32_t i = 0; i < from.joins.count; ++i) {
      atom a = from_.atoms[from.joins.first + i];
      joins.push_back(a);
      if (heights[a.tensor] == none) continue;
      const bool presence_only = reads_presence(from_, from, i);
      a.tensor = (presence_only ? presence : heights)[a.tensor];
      if (presence_only || from_.tensors[joins[i].tensor].boolean) {
        joins[i] = a;
        raise(i);
      } else {
        raise(from.joins.count + static_cast<std::uint32_t>(more.size()));
        more.push_back(a);
      }
    }
    joins.append(more);
    r.joins = copied(out_.atoms, range{0, 0}, view<atom>(joins));
    if (has_two_readings(from_.tensors[t]) && to == heights[t])
      match_value(out_, r, from.value == none ? number(out_, 0) : from.value, from.head);
    r.value = highest == none ? number(out_, 1)
                              : combined(out_, scalar_kind::sum, highest, number(out_, 1));
    out_.rules.push_back(r);
  }

  const tensor_program& from_;
  const settled_program& settled_;
  tensor_program out_;
};

}  // namespace wf::logic::detail
