// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/copy.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/infer.hpp>
#include <wf/registry/registry.hpp>

namespace wf {

/// The name of an attribute of a call and of the corresponding attribute of the operator.
struct renamed_attribute {
  text_view call;  ///< name in the call; empty ends a list
  text_view op;    ///< name in the operator; empty: the operator has no such attribute
};

/// Maps an opaque call to an operator: a row of a table by which existing code is captured without
/// being rewritten. Its texts must outlive it.
struct call_pattern {
  /// The name of the call, without `::opaque::`: "numpy.matmul". One `*` matches any sequence of
  /// characters: "*.relu", "np.linalg.*".
  text_view call;
  /// The operator's name; a `*` stands for the characters that the `*` of `call` matched.
  text_view op;
  /// Positions in the call of the operator's operands, in the operator's order; -1 ends the list.
  /// Empty: all operands in order.
  std::int8_t operands[max_operands] = {-1, -1, -1, -1, -1, -1, -1, -1};
  /// Attributes that are renamed or dropped; others keep their names.
  renamed_attribute attributes[4] = {};
};

/// The fault of a row, if any, given the kernels that it may name: `bad_pattern` for an invalid
/// row, `unknown_operator`. O(length of its texts).
constexpr error find_fault(const call_pattern& p, const registry& kernels) {
  const auto has_star = [](text_view t) { return t.find('*') != t.size(); };
  if (p.call.empty() || p.op.empty() || (has_star(p.op) && !has_star(p.call)))
    return make_error(errc::bad_pattern, p.call,
                      "a pattern has a call and an operator, and a * in the operator's name stands "
                      "for that of the call");
  for (text_view t : {p.call, p.op})
    if (has_star(t) && has_star(t.part(t.find('*') + 1)))
      return make_error(errc::bad_pattern, p.call, "a pattern has one * at most");
  if (!has_star(p.op) && kernels.find(p.op) == nullptr)
    return make_error(errc::unknown_operator, p.call, unknown_kernel_message(kernels, p.op).view());
  return {};
}

namespace detail {

// True if a pattern matches a name; `star` is the part that its `*` matches.
constexpr bool matches(text_view pattern, text_view name, text_view& star) {
  const std::size_t at = pattern.find('*');
  star = {};
  if (at == pattern.size()) return pattern == name;
  const text_view head = pattern.part(0, at), tail = pattern.part(at + 1);
  if (name.size() < head.size() + tail.size() || !name.starts_with(head) ||
      !(name.part(name.size() - tail.size()) == tail))
    return false;
  star = name.part(head.size(), name.size() - head.size() - tail.size());
  return true;
}

// Replaces opaque calls by the operators that a table maps them to.
class call_mapper {
 public:
  constexpr call_mapper(const graph_view& g, view<call_pattern> patterns, const registry& kernels)
      : graph_(g),
        patterns_(patterns),
        kernels_(kernels),
        out_(g.text_of(g.name)),
        copier_(graph_, out_, symbols_, {}, duplicates::keep) {}

  constexpr result<graph> run() {
    for (const call_pattern& p : patterns_)
      if (error e = check(p); e.code != errc::none) return e;
    const auto order = topological_order(graph_);
    if (!order) return order.error();
    if (error e = copier_.copy_inputs(); e.code != errc::none) return e;
    for (node_id id : *order) {
      text_view star;
      const call_pattern* p = is_opaque(graph_, graph_[id]) ? find(graph_[id], star) : nullptr;
      if (error e = p == nullptr ? copier_.copy(id) : map(id, *p, star); e.code != errc::none)
        return e;
    }
    copier_.copy_edges();
    copier_.copy_outputs();
    return made_valid(out_.take());
  }

 private:
  constexpr error check(const call_pattern& p) const {
    if (error e = find_fault(p, kernels_); e.code != errc::none) return e;
    for (const call_pattern& other : patterns_)
      if (&other != &p && other.call == p.call)
        return make_error(errc::bad_pattern, p.call, "two patterns are of this call");
    return {};
  }

  // The matching pattern with the most literal characters; one without `*` wins.
  constexpr const call_pattern* find(const node& n, text_view& star) const {
    const text_view name = graph_.op_name(n).part(opaque_prefix.size());
    const call_pattern* best = nullptr;
    std::size_t most = 0;
    for (const call_pattern& p : patterns_) {
      text_view matched;
      if (!matches(p.call, name, matched)) continue;
      const bool exact = p.call.find('*') == p.call.size();
      const std::size_t score = 2 * p.call.size() + (exact ? 1 : 0);
      if (score <= most) continue;
      most = score;
      best = &p;
      star = matched;
    }
    return best;
  }

  constexpr error map(node_id id, const call_pattern& p, text_view star) {
    const node& n = graph_[id];
    const text label = graph_.label(id);
    const std::size_t at = p.op.find('*');
    text op;
    op << p.op.part(0, at);
    if (at != p.op.size()) op << star << p.op.part(at + 1);
    const kernel_spec* k = kernels_.find(op.view());
    if (k == nullptr)
      return make_error(errc::unknown_operator, label.view(),
                        unknown_kernel_message(kernels_, op.view()).view());
    table<value_id> operands;
    if (error e = choose_operands(n, p, label, operands); e.code != errc::none) return e;
    const table<attribute_value> attributes = attributes_of(n, p);
    table<value_type> types;
    for (value_id operand : operands) types.push_back(graph_[operand].type);
    const auto inferred = infer(*k, {types, attributes, &graph_});
    if (!inferred)
      return make_error(inferred.error().code, label.view(), inferred.error().message.view());
    if (error e = compare(n, *k, *inferred, label); e.code != errc::none) return e;
    return add(id, *k, operands, attributes, *inferred);
  }

  constexpr error choose_operands(const node& n, const call_pattern& p, const text& label,
                                  table<value_id>& out) const {
    if (p.operands[0] < 0)
      for (value_id operand : graph_.inputs_of(n)) out.push_back(operand);
    for (std::int8_t number : p.operands) {
      if (number < 0) break;
      if (static_cast<std::uint32_t>(number) >= n.inputs.count)
        return make_error(
            errc::shape_mismatch, label.view(),
            (text() << "the pattern of " << p.call << " takes operand " << static_cast<int>(number)
                    << " of a call with " << n.inputs.count)
                .view());
      out.push_back(graph_.inputs_of(n)[static_cast<std::uint32_t>(number)]);
    }
    return {};
  }

  constexpr table<attribute_value> attributes_of(const node& n, const call_pattern& p) const {
    table<attribute_value> out;
    for (attribute_value a : attribute_values(graph_, n)) {
      if (a.name == "signature") continue;  // belongs to the opaque call
      bool kept = true;
      for (const renamed_attribute& r : p.attributes) {
        if (r.call.empty() || !(a.name == r.call)) continue;
        kept = !r.op.empty();
        a.name = r.op;
        break;
      }
      if (kept) out.push_back(a);
    }
    return out;
  }

  // The results that the call declares must equal those that the operator infers.
  constexpr error compare(const node& n, const kernel_spec& k, const inference& made,
                          const text& label) const {
    const auto differ = [&](errc code, text_view is, text_view declared) {
      return make_error(code, label.view(),
                        (text() << "by the table it is " << k.name << ", which gives " << is
                                << ", not " << declared)
                            .view());
    };
    if (made.count != n.outputs.count)
      return differ(errc::shape_mismatch, (text() << made.count << " results").view(),
                    (text() << n.outputs.count).view());
    for (std::uint32_t i = 0; i < made.count; ++i) {
      const value_type &is = made.results[i], &declared = graph_.values[n.outputs.first + i].type;
      const bool same_type = is.type == dtype::unknown || is.type == declared.type;
      if (same_type && is.shape == declared.shape) continue;
      return differ(same_type ? errc::shape_mismatch : errc::dtype_mismatch, to_text(is).view(),
                    to_text(declared).view());
    }
    return {};
  }

  constexpr error add(node_id id, const kernel_spec& k, view<value_id> operands,
                      view<attribute_value> attributes, const inference& made) {
    const node& n = graph_[id];
    node_description d = description_of(graph_, n, {}, {});
    d.op = k.name;
    d.domain = k.domain;
    d.effects = k.effects;
    d.hash = hash_text(k.name);
    table<attribute_value> translated(attributes);
    for (attribute_value& a : translated) {
      if (a.kind != attribute_kind::extent) continue;
      extent e;
      e.code = a.number;
      const auto there = symbols_.translate(e, graph_, out_.graph());
      if (!there) return there.error();
      a.number = there->code;
    }
    d.attributes = translated;
    table<value_id> places;
    for (value_id operand : operands) places.push_back(copier_.place(operand));
    table<value_type> results;
    for (std::uint32_t i = 0; i < n.outputs.count; ++i) {
      const value& declared = graph_.values[n.outputs.first + i];
      auto type = symbols_.translate(declared.type, graph_, out_.graph());
      if (!type) return type.error();
      type->known = type->known | made.results[i].known;
      results.push_back(*type);
    }
    const node_id there = out_.append_node(d, places, results);
    copier_.place(id) = there;
    for (std::uint32_t i = 0; i < n.outputs.count; ++i) {
      const value_id result = graph_view::output_of(out_.graph()[there], i);
      copier_.place(graph_view::output_of(n, i)) = result;
      const text_ref own = graph_.values[n.outputs.first + i].name;
      if (own.count != 0) out_.graph().set_name(result, graph_.text_of(own));
    }
    return {};
  }

  graph_view graph_;
  view<call_pattern> patterns_;
  const registry& kernels_;
  graph_builder out_;
  symbol_map symbols_;
  graph_copier copier_;
};

}  // namespace detail

/// Replaces the opaque calls in a table by operators, with their costs, laws and implementations;
/// other calls stay. Of several matching patterns the longest applies, and one without `*` takes
/// precedence. Operands, their types and the declared results are checked against the operator's
/// signature. The operator's costs and effects replace those that the call declared; names, source
/// locations and peers stay.
///
/// Errors: `bad_pattern` for an invalid row or two rows for one call; `unknown_operator` for an
/// operator that is not registered; those of `infer`, `shape_mismatch` and `dtype_mismatch`, naming
/// the node, if the call does not fit the operator; those of `validate`. O(nodes · patterns).
constexpr result<graph> map_calls(const graph_view& workflow, view<call_pattern> patterns,
                                  const registry& kernels = builtin_registry()) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  return detail::call_mapper(g, patterns, kernels).run();
}

}  // namespace wf
