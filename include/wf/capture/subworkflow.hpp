// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/tracer.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/ir/graph/copy.hpp>

namespace wf {

namespace detail {

// Captures the nodes of another graph; returns its outputs. After an error, which the capture
// keeps, every output is the first operand.
constexpr table<value_id> splice_into(graph_capture& to, const graph_view& g,
                                      view<value_id> operands) {
  table<value_type> types;
  for (value_id id : operands) types.push_back(to.type_of(id));
  const auto symbols = match_inputs(g, types);
  if (symbols) {
    auto outputs = splice(g, to.builder(), operands, *symbols, {}, to.role());
    if (outputs) return *static_cast<result<table<value_id>>&&>(outputs);
    to.fail(outputs.error());
  } else {
    to.fail(symbols.error());
  }
  return table<value_id>(g.outputs.size(), operands.empty() ? value_id::none : operands[0]);
}

// The output types of a sub-workflow on operands of given types, as far as they are known at
// compile time.
template <class Callee, class... Handle>
struct callee_outcome {
  static constexpr std::size_t count = Callee::graph().outputs.size();
  static constexpr bool known = (Handle::type.shape.has_rank() && ...);

  struct types {
    bool ok = false;
    value_type list[count + 1];
  };
  static constexpr error find(types& out) {
    const graph_view g = Callee::graph();
    const value_type operands[] = {Handle::type..., value_type()};
    const auto symbols = match_inputs(g, {operands, sizeof...(Handle)});
    if (!symbols) return symbols.error();
    wf::graph scratch;
    for (std::size_t i = 0; i < count; ++i) {
      const auto t = symbols->translate(g[g.outputs[i].source].type, g, scratch);
      if (!t) return t.error();
      out.list[i] = *t;
      for (std::uint32_t d = 0; d < t->shape.rank; ++d)
        if (t->shape.extents[d].is_derived()) out.list[i].shape.extents[d] = extent();
    }
    return {};
  }
  static constexpr types make() {
    types out;
    if constexpr (known) {
      out.ok = find(out).code == errc::none;
    } else {
      const graph_view g = Callee::graph();
      out.ok = true;
      for (std::size_t i = 0; i < count; ++i)
        out.list[i] = {g[g.outputs[i].source].type.type, {}, shape::unknown()};
    }
    if (!out.ok)
      for (std::size_t i = 0; i < count; ++i) out.list[i] = {dtype::unknown, {}, shape::unknown()};
    return out;
  }
  static constexpr types outcome = make();
  static constexpr bool ok = outcome.ok;
  static constexpr error failure() {
    types out;
    error e = find(out);
    text subject;
    subject << Callee::name() << '.' << e.subject.view();
    e.subject = subject;
    return e;
  }
};
template <class Outcome, std::size_t Output>
struct callee_output {
  static constexpr value_type type = Outcome::outcome.list[Output];
  using handle_type = decltype(handle_for<callee_output>());
};

}  // namespace detail

/// The outputs of a sub-workflow with several outputs, for structured bindings: `auto [K, S] =
/// gain(P, H, R)`. `Outcome` has their types.
template <class Outcome, std::size_t Count>
class subworkflow_results {
 public:
  /// The values of the outputs, in order; created by the call.
  constexpr subworkflow_results(scope* owner, view<value_id> ids) : owner_(owner) {
    for (std::size_t i = 0; i < Count; ++i) ids_[i] = i < ids.size() ? ids[i] : value_id::none;
  }
  /// The handle of output `Index`.
  template <std::size_t Index>
  constexpr auto get() const {
    return typename detail::callee_output<Outcome, Index>::handle_type(owner_, ids_[Index]);
  }

 private:
  scope* owner_;
  value_id ids_[Count];
};

/// Applies a static workflow to operands within another workflow: its nodes are captured in place
/// of the call and merge with equal existing ones. `auto K = gain(P, H, R)`, `auto [K, S] = gain(P,
/// H, R)`: operands in the order of the inputs, results in that of the outputs. Symbols of the
/// callee take the operands' extents. Properties that the callee's inputs declare are promises of
/// the caller. Works on traced values too. Compile errors: WF101, WF102, naming the callee and the
/// input.
template <fixed_string Name, class Body>
template <operand... Operand>
constexpr auto static_workflow<Name, Body>::operator()(const Operand&... operands) const {
  constexpr std::size_t count = graph().outputs.size();
  constexpr bool any_traced = (std::same_as<Operand, traced> || ...);
  scope* owner = nullptr;
  ((owner = owner == nullptr ? operands.owner() : owner), ...);
  table<value_id> made;
  if (owner == nullptr || ((operands.owner() != owner && operands.owner() != nullptr) || ...)) {
    if (owner != nullptr) detail::capture_of(*owner).fail_foreign(source_location());
  } else {
    const value_id ids[] = {operands.emit(*owner, source_location())...};
    made = detail::splice_into(detail::capture_of(*owner), graph(), {ids, sizeof...(Operand)});
  }
  if constexpr (any_traced) {
    const traced_results<count> results(owner, made);
    if constexpr (count == 1)
      return results.template get<0>();
    else
      return results;
  } else {
    using outcome = detail::callee_outcome<static_workflow, typename Operand::handle_type...>;
    if constexpr (!outcome::ok) (void)sizeof(report<diagnose<&outcome::failure>>);
    const subworkflow_results<outcome, count> results(owner, made);
    if constexpr (count == 1)
      return results.template get<0>();
    else
      return results;
  }
}

}  // namespace wf

/// Number of outputs in a structured binding.
template <class Outcome, std::size_t Count>
struct std::tuple_size<wf::subworkflow_results<Outcome, Count>>
    : std::integral_constant<std::size_t, Count> {};
/// The handle type of an output.
template <std::size_t Index, class Outcome, std::size_t Count>
struct std::tuple_element<Index, wf::subworkflow_results<Outcome, Count>> {
  /// The type of `get<Index>()`.
  using type =
      decltype(std::declval<wf::subworkflow_results<Outcome, Count>>().template get<Index>());
};
