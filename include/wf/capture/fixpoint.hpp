// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/call_node.hpp>
#include <wf/registry/domain/control.hpp>

namespace wf {

/// When a `fixpoint` ends.
struct until {
  /// At most so many runs of the body: a number, or a symbol of the workflow.
  extent rounds;
  /// It ends before if a run changes no number by more than this, relative to 1 or the number,
  /// whichever is larger. 0: if it changes nothing.
  double tolerance = 0;
};

namespace detail {

/// The message for an output of a body that is not of the type of the operand that it replaces;
/// code `none` if it is.
constexpr error carried_fault(text_view body, text_view output, const value_type& made,
                              const value_type& carried) {
  if (made.type == carried.type && made.shape == carried.shape) return {};
  return make_error(made.type == carried.type ? errc::shape_mismatch : errc::dtype_mismatch, body,
                    (text() << "output " << output << " is " << to_text(made).view()
                            << ", the operand that it replaces " << to_text(carried).view())
                        .view());
}

/// Captures a node that runs a body, and returns its results: one for each output of the body, the
/// number of runs, and whether they converged. After an error, which the capture keeps, they are
/// the first operand.
constexpr table<value_id> add_fixpoint(graph_capture& to, text_view name, const graph_view& body,
                                       const until& end, view<value_id> operands,
                                       const node_location& where) {
  const std::size_t carried = body.outputs.size();
  table<value_id> made(carried + 2, operands.empty() ? value_id::none : operands[0]);
  table<value_type> types;
  for (value_id id : operands) types.push_back(to.type_of(id));
  const auto symbols = match_inputs(body, types);
  if (!symbols) return to.fail(symbols.error()), made;
  if (carried == 0 || carried > operands.size())
    return to.fail(make_error(errc::shape_mismatch, body.text_of(body.name),
                              "each output of a body replaces one of its last operands")),
           made;
  for (std::size_t k = 0; k < carried; ++k) {
    const output& o = body.outputs[k];
    const auto type = symbols->translate(body[o.source].type, body, to.builder().graph());
    if (!type) return to.fail(type.error()), made;
    const error e = carried_fault(body.text_of(body.name), body.text_of(o.name), *type,
                                  types[types.size() - carried + k]);
    if (e.code != errc::none) return to.fail(e), made;
  }
  const text characters = to_text(body);
  const attribute_value attributes[] = {
      attribute_value::string("body", characters.view()),
      attribute_value::integer("carried", static_cast<std::int64_t>(carried)),
      end.rounds.is_fixed() ? attribute_value::integer("rounds", end.rounds.size())
                            : attribute_value::dimension("rounds", end.rounds),
      attribute_value::floating("tolerance", end.tolerance)};
  const value_id first = to.apply(captured<kernels::fixpoint>, attributes, operands, {}, where);
  if (to.failure().code != errc::none) return made;
  if (!name.empty()) to.name_node(first, name);
  for (std::uint32_t k = 0; k < made.size(); ++k)
    made[k] = static_cast<value_id>(index_of(first) + k);
  return made;
}

/// The result types of a fixpoint of a body on operands of given types, as far as they are known at
/// compile time.
template <class Body, class... Handle>
struct fixpoint_outcome {
  using once = callee_outcome<Body, Handle...>;
  static constexpr std::size_t carried = once::count, count = carried + 2;

  static constexpr error find() {
    const graph_view g = Body::graph();
    if (carried == 0 || carried > sizeof...(Handle) || count > max_results)
      return make_error(errc::shape_mismatch, Body::name(),
                        "each output of a body replaces one of its last operands, up to four");
    const value_type operands[] = {Handle::type..., value_type()};
    for (std::size_t k = 0; once::known && k < carried; ++k) {
      const error e =
          carried_fault(Body::name(), g.text_of(g.outputs[k].name), once::outcome.list[k],
                        operands[sizeof...(Handle) - carried + k]);
      if (e.code != errc::none) return e;
    }
    return {};
  }
  struct types {
    bool ok = false;
    value_type list[count + 1];
  };
  static constexpr types make() {
    types out;
    out.ok = once::ok && find().code == errc::none;
    for (std::size_t k = 0; k < carried; ++k) {
      out.list[k] = once::outcome.list[k];
      out.list[k].known = {};
    }
    out.list[carried] = {dtype::i64, {}, shape::of()};
    out.list[carried + 1] = {dtype::boolean, {}, shape::of()};
    return out;
  }
  static constexpr types outcome = make();
  static constexpr bool ok = outcome.ok;
  static constexpr error failure() {
    if constexpr (!once::ok)
      return once::failure();
    else
      return find();
  }
};

}  // namespace detail

/// Runs a static workflow on its own results until they do not change, as one node:
///
///     constexpr auto sweep = wf::workflow<"sweep">([](wf::scope& s) {
///       auto A = s.input<"A", double, 3, 3>();
///       auto b = s.input<"b", double, 3>();
///       auto x = s.input<"x", double, 3>();
///       s.output<"x">(b - A * x);
///     });
///     auto [x, rounds, converged] = wf::fixpoint<"solve">(sweep, {100, 1e-12}, A, b, x0);
///
/// The operands are the body's inputs in order; its outputs replace the last of them, in order, for
/// the next run. Results: the last outputs, the number of runs (i64), and whether the last one
/// changed nothing beyond the tolerance (bool). The node's price is a bound: what all rounds cost.
/// Up to four values are carried. Compile errors: WF101, WF102, naming the body and its input or
/// output.
template <fixed_string Name, static_workflow_type Body, lazy_operand... Operand>
  requires(sizeof...(Operand) > 0)
constexpr auto fixpoint(const Body&, const until& end, const Operand&... operands) {
  using outcome = detail::fixpoint_outcome<Body, typename Operand::handle_type...>;
  if constexpr (!outcome::ok) (void)sizeof(report<diagnose<&outcome::failure>>);
  scope* owner = nullptr;
  const table<value_id> made = detail::captured_on(
      owner, outcome::count,
      [&end](detail::graph_capture& to, view<value_id> ids) {
        return detail::add_fixpoint(to, Name.view(), Body::graph(), end, ids, source_location());
      },
      operands...);
  return subworkflow_results<outcome, outcome::count>(owner, made);
}

}  // namespace wf
