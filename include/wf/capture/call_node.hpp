// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/subworkflow.hpp>
#include <wf/ir/form/text.hpp>

namespace wf {

namespace detail {

constexpr table<value_id> add_call(graph_capture& to, text_view name, const graph_view& callee,
                                   view<value_id> operands) {
  table<value_id> made(callee.outputs.size(), operands[0]);
  table<value_type> operand_types, types;
  for (value_id id : operands) operand_types.push_back(to.type_of(id));
  const auto symbols = match_inputs(callee, operand_types);
  if (!symbols) return to.fail(symbols.error()), made;
  for (const output& o : callee.outputs) {
    const auto t = symbols->translate(callee[o.source].type, callee, to.builder().graph());
    if (!t) return to.fail(t.error()), made;
    types.push_back(*t);
  }
  const text body = to_text(callee);
  const attribute_value a = attribute_value::string("body", body.view());
  node_description d;
  d.op = "call";
  d.domain = "control";
  d.attributes = {&a, 1};
  const value_id first = to.add_node(d, operands, types);
  to.name_node(first, name);
  for (std::uint32_t k = 0; k < made.size(); ++k)
    made[k] = static_cast<value_id>(index_of(first) + k);
  return made;
}

// What `add(capture, operands)` captures in the scope of some operands: so many values, none after
// an error, which the capture keeps.
template <class Add, lazy_operand... Operand>
constexpr table<value_id> captured_on(scope*& owner, std::size_t count, const Add& add,
                                      const Operand&... operands) {
  owner = nullptr;
  ((owner = owner == nullptr ? operands.owner() : owner), ...);
  if (owner == nullptr || ((operands.owner() != owner && operands.owner() != nullptr) || ...)) {
    if (owner != nullptr) capture_of(*owner).fail_foreign(source_location());
    return table<value_id>(count, value_id::none);
  }
  const value_id ids[] = {operands.emit(*owner, source_location())...};
  return add(capture_of(*owner), view<value_id>(ids, sizeof...(Operand)));
}

}  // namespace detail

/// Calls a static workflow as one node, `control.call`, whose attribute `body` is the callee's
/// text: for graphs that keep their structure, to be drawn, sent or cached by part. The node's name
/// is `Name`. Pricing, selection and execution need `inline_calls` (rewrite/inline.hpp) first,
/// which replaces calls by their bodies. Operands, results and errors are those of applying the
/// workflow (capture/subworkflow.hpp); several results bind as `auto [K, S] = ...`.
template <fixed_string Name, static_workflow_type Callee, lazy_operand... Operand>
constexpr auto call_node(const Callee&, const Operand&... operands) {
  using outcome = detail::callee_outcome<Callee, typename Operand::handle_type...>;
  if constexpr (!outcome::ok) (void)sizeof(report<diagnose<&outcome::failure>>);
  scope* owner = nullptr;
  const table<value_id> made = detail::captured_on(
      owner, outcome::count,
      [](detail::graph_capture& to, view<value_id> ids) {
        return detail::add_call(to, Name.view(), Callee::graph(), ids);
      },
      operands...);
  const subworkflow_results<outcome, outcome::count> results(owner, made);
  if constexpr (outcome::count == 1)
    return results.template get<0>();
  else
    return results;
}

}  // namespace wf
