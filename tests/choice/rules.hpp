// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/growth/growth.hpp>
#include <wf/registry/domain/builtin.hpp>

// Algebraic rules as transforms for a single step, which consider all candidates of their operands:
// growth must combine them.
namespace rules {

constexpr wf::result<wf::value_id> apply(wf::choice_graph& c, const wf::kernel_spec& k,
                                         wf::value_id left, wf::value_id right) {
  const wf::value_id operands[] = {left, right};
  return c.add(k, {operands, 2});
}

// Unites a node's result with the new node k(left, right).
constexpr wf::result<wf::nothing> offer(wf::choice_graph& c, wf::node_id id,
                                        const wf::kernel_spec& k, wf::value_id left,
                                        wf::value_id right) {
  const auto made = apply(c, k, left, right);
  if (!made) return made.error();
  c.unite(c.result_of(id), *made);
  return wf::nothing{};
}

// a + b = b + a
constexpr wf::result<wf::nothing> commute(wf::choice_graph& c, wf::node_id id) {
  return offer(c, id, wf::kernels::add, c.inputs_of(id)[1], c.inputs_of(id)[0]);
}
// (a + b) + c = a + (b + c)
constexpr wf::result<wf::nothing> associate(wf::choice_graph& c, wf::node_id id) {
  for (wf::node_id sum : c.candidates_of(c.inputs_of(id)[0])) {
    if (!c.applies(sum, wf::kernels::add)) continue;
    const auto right = apply(c, wf::kernels::add, c.inputs_of(sum)[1], c.inputs_of(id)[1]);
    if (!right) return right.error();
    if (auto r = offer(c, id, wf::kernels::add, c.inputs_of(sum)[0], *right); !r) return r;
  }
  return wf::nothing{};
}
// (a + b) c = a c + b c
constexpr wf::result<wf::nothing> expand(wf::choice_graph& c, wf::node_id id) {
  for (wf::node_id sum : c.candidates_of(c.inputs_of(id)[0])) {
    if (!c.applies(sum, wf::kernels::add)) continue;
    const auto left = apply(c, wf::kernels::matmul, c.inputs_of(sum)[0], c.inputs_of(id)[1]);
    if (!left) return left.error();
    const auto right = apply(c, wf::kernels::matmul, c.inputs_of(sum)[1], c.inputs_of(id)[1]);
    if (!right) return right.error();
    if (auto r = offer(c, id, wf::kernels::add, *left, *right); !r) return r;
  }
  return wf::nothing{};
}
// a c + b c = (a + b) c
constexpr wf::result<wf::nothing> collect(wf::choice_graph& c, wf::node_id id) {
  for (wf::node_id left : c.candidates_of(c.inputs_of(id)[0]))
    for (wf::node_id right : c.candidates_of(c.inputs_of(id)[1])) {
      if (!c.applies(left, wf::kernels::matmul) || !c.applies(right, wf::kernels::matmul)) continue;
      const wf::value_id factor = c.inputs_of(left)[1];
      if (c.class_of(factor) != c.class_of(c.inputs_of(right)[1])) continue;
      const auto sum = apply(c, wf::kernels::add, c.inputs_of(left)[0], c.inputs_of(right)[0]);
      if (!sum) return sum.error();
      if (auto r = offer(c, id, wf::kernels::matmul, *sum, factor); !r) return r;
    }
  return wf::nothing{};
}
// a'' = a
constexpr wf::result<wf::nothing> turn_back(wf::choice_graph& c, wf::node_id id) {
  for (wf::node_id turned : c.candidates_of(c.inputs_of(id)[0]))
    if (c.applies(turned, wf::kernels::transpose)) c.unite(c.result_of(id), c.inputs_of(turned)[0]);
  return wf::nothing{};
}
// (a + b)' = a' + b'
constexpr wf::result<wf::nothing> turn_sums(wf::choice_graph& c, wf::node_id id) {
  for (wf::node_id sum : c.candidates_of(c.inputs_of(id)[0])) {
    if (!c.applies(sum, wf::kernels::add)) continue;
    const wf::value_id a = c.inputs_of(sum)[0], b = c.inputs_of(sum)[1];
    const auto left = c.add(wf::kernels::transpose, {&a, 1});
    if (!left) return left.error();
    const auto right = c.add(wf::kernels::transpose, {&b, 1});
    if (!right) return right.error();
    if (auto r = offer(c, id, wf::kernels::add, *left, *right); !r) return r;
  }
  return wf::nothing{};
}

inline constexpr wf::transform commute_sums{"rules", "commute", "", &commute, true, "add"};
inline constexpr wf::transform associate_sums{"rules", "associate", "", &associate, true, "add"};
inline constexpr wf::transform expand_products{"rules", "expand", "", &expand, true, "matmul"};
inline constexpr wf::transform collect_factors{"rules", "collect", "", &collect, true, "add"};
inline constexpr wf::transform cancel_turns{"rules",    "turn_back", "",
                                            &turn_back, true,        "transpose"};
inline constexpr wf::transform distribute_turns{"rules",    "turn_sums", "",
                                                &turn_sums, true,        "transpose"};

}  // namespace rules
