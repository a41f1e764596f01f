// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/fit.hpp>
#include <wf/registry/gradient_request.hpp>
#include <wf/rewrite/adjoint.hpp>
#include <wf/rewrite/body_adjoint.hpp>
#include <wf/rewrite/dead.hpp>
#include <wf/rewrite/inline.hpp>
#include <wf/rewrite/unroll.hpp>

namespace wf {

namespace detail {

constexpr result<graph> gradient_of(const graph_view& workflow, const gradient_request& wanted,
                                    const registry& r);

// Appends derivatives to a copy of a valid graph without calls and loops.
class gradient_maker {
 public:
  constexpr gradient_maker(const graph_view& g, const registry& r)
      : source_(g),
        registry_(r),
        to_(g.text_of(g.name)),
        copier_(source_, to_.builder(), symbols_),
        derivatives_(g.values.size(), value_id::none),
        depends_(g.values.size()),
        signatures_(g.operations.size()) {}
  // The copier refers to other members.
  gradient_maker(const gradient_maker&) = delete;
  gradient_maker& operator=(const gradient_maker&) = delete;

  constexpr result<graph> run(const gradient_request& wanted) {
    const auto order = topological_order(source_);
    if (!order) return order.error();
    if (error e = copier_.copy_inputs(); e.code != errc::none) return e;
    const auto of = output_of(wanted.output);
    if (!of) return of.error();
    if (error e = find_inputs(wanted.inputs); e.code != errc::none) return e;
    if (error e = add_seed(*of, wanted.seed); e.code != errc::none) return e;
    for (node_id id : *order) {
      if (error e = copier_.copy(id); e.code != errc::none) return e;
      follow(source_[id]);
    }
    if (wanted.seed.empty())
      derivatives_[index_of(*of)] = adjoint_capture::filled(to_, 1, source_[*of].type, {});
    for (std::size_t i = order->size(); i-- > 0;)
      if (error e = pass((*order)[i]); e.code != errc::none) return e;
    copy_order();
    copier_.copy_outputs();
    if (error e = add_gradients(wanted.prefix); e.code != errc::none) return e;
    auto made = to_.finish();
    if (!made) return made;
    return drop_dead(made->view());
  }

 private:
  // --- what is wanted ---------------------------------------------------------------------------

  constexpr error unknown(text_view what, text_view name, const table<text_view>& known) const {
    return make_error(errc::unknown_argument, source_.text_of(source_.name),
                      unknown_name_message(what, name, known).view());
  }
  constexpr result<value_id> output_of(text_view name) const {
    table<text_view> known;
    for (const output& o : source_.outputs) {
      known.push_back(source_.text_of(o.name));
      if (known.back() == name || (name.empty() && source_.outputs.size() == 1)) {
        if (is_floating(source_[o.source].type.type)) return o.source;
        return make_error(errc::dtype_mismatch, known.back(),
                          "only real floating-point numbers have derivatives");
      }
    }
    return unknown("output", name, known);
  }
  constexpr error find_inputs(view<text_view> names) {
    table<text_view> known;
    for (std::uint32_t i = 0; i < source_.values.size(); ++i) {
      const value& v = source_.values[i];
      if (v.producer != node_id::none) continue;
      known.push_back(source_.text_of(v.name));
      bool named = names.empty() && is_floating(v.type.type);
      for (text_view name : names) named = named || name == known.back();
      if (!named) continue;
      if (!is_floating(v.type.type))
        return make_error(errc::dtype_mismatch, known.back(),
                          "only real floating-point numbers have derivatives");
      depends_[i] = 1;
      inputs_.push_back(static_cast<value_id>(i));
    }
    for (text_view name : names) {
      bool found = false;
      for (text_view one : known) found = found || one == name;
      if (!found) return unknown("input", name, known);
    }
    return {};
  }
  constexpr error add_seed(value_id of, text_view name) {
    const auto type = symbols_.translate(source_[of].type, source_, to_.builder().graph());
    if (!type) return type.error();
    if (!name.empty()) {
      derivatives_[index_of(of)] = to_.add_input(name, {type->type, {}, type->shape});
    } else if (type->shape.rank != 0) {
      return make_error(errc::shape_mismatch, source_.text_of(source_.name),
                        (text() << "an output of shape " << to_text(type->shape).view()
                                << " needs a seed, only one without dimensions has a gradient")
                            .view());
    }
    return {};
  }

  // --- forward ----------------------------------------------------------------------------------

  // Marks the results of a node that depend on an input; complex ones, too, which `pass` refuses.
  constexpr void follow(const node& n) {
    char any = 0;
    for (value_id operand : source_.inputs_of(n))
      if (depends_[index_of(operand)] != 0) any = 1;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const value_id out = graph_view::output_of(n, k);
      if (is_field(source_[out].type.type)) depends_[index_of(out)] = any;
    }
  }

  // --- backward ---------------------------------------------------------------------------------

  // Adds the derivatives of a node's operands, if those of its results and their own are wanted.
  constexpr error pass(node_id id) {
    const node& n = source_[id];
    table<value_id> results, derivatives, operands;
    bool any = false;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const value_id out = graph_view::output_of(n, k);
      results.push_back(copier_.place(out));
      derivatives.push_back(derivatives_[index_of(out)]);
      any = any || (derivatives.back() != value_id::none && depends_[index_of(out)] != 0);
    }
    if (!any) return {};
    table<char> wanted;
    const text label = source_.label(id);
    for (value_id operand : source_.inputs_of(n)) {
      operands.push_back(copier_.place(operand));
      wanted.push_back(depends_[index_of(operand)]);
      if (wanted.back() != 0 && is_complex(source_[operand].type.type))
        return make_error(errc::no_adjoint, label.view(),
                          "it depends on an input by complex numbers, which have no derivatives");
    }
    const kernel_spec* const k = registry_.find(source_.op_name(n));
    if (k == nullptr)
      return make_error(
          errc::unknown_operator, label.view(),
          (text() << "no kernel is registered for '" << source_.op_name(n) << "'").view());
    const auto parsed = signature_of(n, *k);
    if (!parsed) return parsed.error();
    if (error e = find_misfit(source_, id, *k, **parsed); e.code != errc::none) return e;
    const table<attribute_value> attributes = attributes_of(id);
    const text_view role = to_.enter_role(source_.text_of(n.peer));
    table<value_id> made;
    const adjoint_node adjoint{*k,          **parsed,   operands,     results,
                               derivatives, attributes, label.view(), where(n)};
    error failed;
    if (k->repeats.empty())
      failed = adjoint_capture(to_, registry_, adjoint).run(wanted, made);
    else
      failed = pass_body(id, adjoint, wanted, made);
    if (failed.code == errc::none)
      for (std::uint32_t i = 0; i < made.size(); ++i)
        add(source_.inputs_of(n)[i], made[i], adjoint.where);
    to_.enter_role(role);
    return failed;
  }
  // The adjoint of a node with a body.
  constexpr error pass_body(node_id id, const adjoint_node& n, view<char> wanted,
                            table<value_id>& made) {
    const auto body = body_of(source_, id);
    if (!body) return body.error();
    const auto differentiate = [&](const graph_view& g, const gradient_request& request) {
      return gradient_of(g, request, registry_);
    };
    return body_adjoint(to_, n, body->view()).run(wanted, differentiate, made);
  }
  // The sum of the derivatives by all readers of a value.
  constexpr void add(value_id of, value_id derivative, const node_location& at) {
    value_id& sum = derivatives_[index_of(of)];
    if (derivative == value_id::none) return;
    const value_id both[] = {sum, derivative};
    sum = sum == value_id::none ? derivative : to_.apply(captured<kernels::add>, {}, both, {}, at);
  }
  constexpr result<const signature*> signature_of(const node& n, const kernel_spec& k) {
    signature& known = signatures_[n.op];
    if (known.parameters.empty()) {
      auto parsed = parse_signature(k.signature);
      if (!parsed) return parsed.error();
      known = *static_cast<result<signature>&&>(parsed);
    }
    return &known;
  }
  // A node's attributes with extents of the new graph.
  constexpr table<attribute_value> attributes_of(node_id id) {
    table<attribute_value> list = attribute_values(source_, source_[id]);
    const graph_view made = to_.captured();
    const view<attribute> copied = made.attributes_of(made[copier_.place(id)]);
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list[i].kind == attribute_kind::extent) list[i].number = copied[i].number;
    return list;
  }
  constexpr node_location where(const node& n) const {
    return {source_.text_of(n.location.file), n.location.line, n.location.column};
  }

  // --- the new graph ----------------------------------------------------------------------------

  // Derivatives read what a node may have been about to overwrite, so mutate edges go.
  constexpr void copy_order() {
    for (const edge& e : source_.edges)
      if (e.kind == edge_kind::control)
        to_.builder().graph().add_edge(e.kind, copier_.place(e.from), copier_.place(e.to));
  }
  constexpr error add_gradients(text_view prefix) {
    for (value_id id : inputs_) {
      value_id& made = derivatives_[index_of(id)];
      if (made == value_id::none)
        made = adjoint_capture::filled(to_, 0, to_.type_of(copier_.place(id)), {});
      const text name = text() << prefix << source_.text_of(source_[id].name);
      to_.add_output(name.view(), made);
    }
    return to_.failure();
  }

  graph_view source_;
  const registry& registry_;
  graph_capture to_;
  symbol_map symbols_;
  graph_copier copier_;
  table<value_id> derivatives_;  // by value of the source: in the new graph; none: zero so far
  table<char> depends_;          // by value of the source: 1 if it depends on a wanted input
  table<value_id> inputs_;       // the wanted inputs
  table<signature> signatures_;  // by operation of the source, as needed
};

constexpr bool has_loops(const graph_view& g) {
  for (const node& n : g.nodes)
    if (g.find_attribute(n, "steps") != nullptr) return true;
  return false;
}

constexpr result<graph> gradient_of(const graph_view& workflow, const gradient_request& wanted,
                                    const registry& r) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  if (has_calls(*valid)) {
    const auto flat = inline_calls(*valid);
    return flat ? gradient_of(flat->view(), wanted, r) : result<graph>(flat.error());
  }
  if (has_loops(*valid)) {
    const auto flat = unroll(*valid, r);
    return flat ? gradient_maker(flat->view(), r).run(wanted) : result<graph>(flat.error());
  }
  return gradient_maker(*valid, r).run(wanted);
}

}  // namespace detail

/// The workflow with the gradient of one of its outputs: for each input that is asked for, an
/// output named `grad_` and the input. Reverse mode: from the output back, the adjoint that each
/// operator's kernel states (`kernel_spec::adjoint`) is captured once, on the values that the
/// workflow computes anyway; derivatives by several readers are added, and an input on which the
/// output does not depend has a gradient of zeros. Integers and booleans have no derivatives: what
/// goes through them counts as constant. The outputs and effects of the workflow stay; calls are
/// inlined and loops unrolled, mutate edges go, and what is of no use is dropped.
///
/// Errors: `no_adjoint`, naming the node, for an operator on the way whose kernel states none, and
/// for complex numbers on the way; `unknown_operator` for one without a kernel; `unknown_argument`
/// for an unknown output or input; `dtype_mismatch` for one of integers, booleans or complex
/// numbers; `shape_mismatch` for an output with dimensions without a seed; `duplicate_name` if a
/// name is taken; those of `validate`, `inline_calls`, `unroll`, `find_misfit` and, for adjoints
/// that contradict their operator, `equations`. O(size of the graph), if adjoints are.
constexpr result<graph> gradient(const graph_view& workflow, const gradient_request& wanted,
                                 const registry& r) {
  return detail::gradient_of(workflow, wanted, r);
}

/// The same with the built-in kernels.
constexpr result<graph> gradient(const graph_view& workflow, const gradient_request& wanted = {}) {
  return gradient(workflow, wanted, builtin_registry());
}

}  // namespace wf
