// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/capture/equations/contraction.hpp>
#include <wf/capture/equations/indices.hpp>
#include <wf/capture/equations/scope.hpp>
#include <wf/capture/equations/text.hpp>
#include <wf/capture/fixpoint.hpp>

namespace wf::detail {

/// Captures the statements of an equation program into a graph under capture, in order; what a
/// definition names that stands below it comes before it.
class equation_capture : public equation_scope {
 public:
  /// As `equation_scope` is made.
  template <class... Argument>
  constexpr equation_capture(graph_capture& to, const equation_program& p, text_view source,
                             const Argument&... more)
      : equation_scope(to, p, source, more...), tensors_(to) {}

  /// Captures every statement; false after an error, which the capture keeps.
  constexpr bool run() {
    for (const equation_statement& s : program_.statements)
      if (!statement(s)) return false;
    for (const equation_statement& s : program_.statements)
      if (s.kind == equation_statement_kind::repetition && find(s.name) == value_id::none)
        return fail(s.offset, (text() << s.name << " is repeated, and not defined").view());
    return true;
  }

 private:
  // --- statements -------------------------------------------------------------------------------

  constexpr bool statement(const equation_statement& s) {
    if (s.kind == equation_statement_kind::axis)
      return fail(s.offset, "the axes of a workflow follow from its inputs: axis needs wf::logic");
    if (s.kind == equation_statement_kind::parameter && find(s.name) != value_id::none) return true;
    if (s.kind == equation_statement_kind::source || s.kind == equation_statement_kind::sink ||
        s.kind == equation_statement_kind::parameter)
      return fail(s.offset, "files, and inputs without a shape, need wf::logic");
    if (s.kind == equation_statement_kind::exported) {
      value_id known = value_id::none;
      if (!resolve(s.name, known)) return false;
      if (known == value_id::none) return fail(s.offset, unknown_name(s.name).view());
      capture_.add_output(s.name, known);
      return true;
    }
    const bool defines = s.kind == equation_statement_kind::definition ||
                         s.kind == equation_statement_kind::repetition;
    if (find(s.name) != value_id::none && !(defines && is_defined(s.name))) return twice(s);
    if (s.kind == equation_statement_kind::opaque) return declare(s);
    if (s.kind == equation_statement_kind::input) bind(s.name, capture_.add_input(s.name, s.type));
    value_id made = value_id::none;
    return s.kind != equation_statement_kind::definition || resolve(s.name, made);
  }
  constexpr bool twice(const equation_statement& s) {
    return fail(s.offset, (text() << "'" << s.name << "' is defined twice").view());
  }
  constexpr bool is_defined(text_view name) const {
    for (text_view known : captured_)
      if (known == name) return true;
    return false;
  }
  // The value of a name, whose definitions are captured if they are not yet; none if there is none.
  constexpr bool resolve(text_view name, value_id& out) {
    out = find(name);
    if (out != value_id::none || is_defined(name)) return true;
    const equation_statement* first = nullptr;
    const text_view dotted = dotted_;  // of the definition that reads the name
    for (const equation_statement& s : program_.statements) {
      if (s.kind != equation_statement_kind::definition || !(s.name == name)) continue;
      if (first == nullptr) captured_.push_back(name);
      if (first != nullptr && !(s.labelled && first->labelled && s.projection == first->projection))
        return twice(s);
      value_id more = value_id::none;
      if (!definition(s, first != nullptr, more)) return false;
      if (first != nullptr && !add(s, out, more)) return false;
      if (first == nullptr) out = more;
      first = &s;
    }
    dotted_ = dotted;
    if (first == nullptr) return true;
    bind(name, out);
    if (given_ == nullptr) capture_.name_node(out, name);
    return fine(first->offset);
  }
  // What several definitions of a name contribute to it.
  constexpr bool add(const equation_statement& s, value_id& sum, value_id more) {
    if (s.projection == projection::mean)
      return fail(s.offset, "the mean over several equations needs wf::logic");
    const value_id both[] = {sum, more};
    const captured_kernel& k = s.projection == projection::maximum   ? captured<kernels::maximum>
                               : s.projection == projection::minimum ? captured<kernels::minimum>
                                                                     : captured<kernels::add>;
    sum = capture_.apply(k, {}, both, {}, location_of(s.offset));
    return fine(s.offset);
  }

  // Captures a definition; `adds` if it is not the first one of its name.
  constexpr bool definition(const equation_statement& s, bool adds, value_id& out) {
    if (s.boolean) return fail(s.offset, needs_logic);
    if (s.projection == projection::combined)
      return fail(s.offset, (text() << "no operator of a workflow reduces by " << s.function
                                    << ": '" << s.function << "=' needs wf::logic")
                                .view());
    if (!plain_indices(s.indices, true)) return false;
    const label_list head = names_of_indices(program_, s.indices);
    for (std::size_t i = 0; i < head.size(); ++i)
      if (count_label(head, head[i]) != 1)
        return fail(s.offset, "an index stands twice on the left side");
    if (const index_problem found =
            check_indices(program_, s, head, s.projection == projection::plain);
        !found.message.empty())
      return fail(found.offset, found.message.view());
    for (const equation_statement& r : program_.statements)
      if (r.kind == equation_statement_kind::repetition && r.name == s.name)
        return adds ? twice(s) : repeated(s, r, head, out);
    return value_of(s, head, out);
  }
  // Captures the right side of a definition.
  constexpr bool value_of(const equation_statement& s, const label_list& head, value_id& out) {
    dotted_ = {};
    for (std::uint32_t i = 0; i < s.indices.count; ++i)
      if (const index_term& t = program_.indices[s.indices.first + i]; t.dotted) dotted_ = t.name;
    const bool joins = s.projection > projection::sum;
    if (s.projection == projection::mean && !is_monomial(program_, s.root))
      return fail(program_.nodes[s.root].offset,
                  "avg= takes a product of names: give the others names of their own");
    label_list all = head;
    if (joins) {
      label_list right;
      collect_indices(program_, s.root, right);
      add_missing(all, right);
    }
    tensor_value v;
    if (!lower(s.root, all, v)) return false;
    if (joins && v.labelled) reduce(v, head, s.projection, location_of(s.offset));
    if (v.is_number) v = constant(v, dtype::f64, s.offset);
    if (!v.labelled && s.labelled) {
      if (capture_.type_of(v.id).shape.rank != head.size())
        return fail(s.offset,
                    (text() << "the right side has " << capture_.type_of(v.id).shape.rank
                            << " dimensions, " << s.name << " has " << head.size() << " indices")
                        .view());
    } else if (v.labelled) {
      at_ = location_of(s.offset);
      tensors_.project(v, head, at_);
      tensors_.permute(v, head, at_);
    }
    out = v.id;
    return fine(s.offset);
  }
  // Reduces over what is not in `kept` by the sign of a definition.
  constexpr void reduce(tensor_value& v, const label_list& kept, projection by,
                        const node_location& at) {
    label_list over;
    for (text_view l : v.labels)
      if (!has_label(kept, l)) over.push_back(l);
    const bool least = by == projection::minimum && !over.empty();
    if (least) v.id = tensors_.apply(captured<kernels::negate>, {}, v, at);
    tensors_.reduce(
        v, over,
        by == projection::mean ? captured<kernels::reduce_mean> : captured<kernels::reduce_max>,
        at);
    if (least) v.id = tensors_.apply(captured<kernels::negate>, {}, v, at);
  }
  // Captures a definition by itself: its right side is the body of a node, which reads what the
  // right side names, and at first the first value in place of the name that is defined.
  constexpr bool repeated(const equation_statement& s, const equation_statement& r,
                          const label_list& head, value_id& out) {
    value_id first = value_id::none;
    if (!resolve(r.function, first)) return false;
    if (first == value_id::none) return fail(r.offset, unknown_name(r.function).view());
    graph_capture inner(s.name);
    equation_capture body(inner, program_, source_);
    body.given_ = given_, body.stands_at_ = stands_at_, body.opaque_ = opaque_;
    table<value_id> operands;
    table<std::uint32_t> references;
    collect_references(s.root, references);
    for (std::uint32_t i : references) {
      const equation_node& n = program_.nodes[i];
      if (n.name == s.name) continue;
      value_id id = value_id::none;
      if (!resolve(n.name, id)) return false;
      if (id == value_id::none) return fail(n.offset, unknown_name(n.name).view());
      operands.push_back(id);
      body.bind(n.name, inner.add_input(n.name, capture_.type_of(id)));
    }
    operands.push_back(first);
    const value_type& type = capture_.type_of(first);
    body.bind(s.name, inner.add_input(s.name, {type.type, {}, type.shape}));
    value_id made = value_id::none;
    if (!body.value_of(s, head, made)) return capture_.fail(inner.failure()), false;
    inner.add_output(s.name, made);
    const auto g = inner.finish();
    if (!g) return capture_.fail(g.error()), fine(s.offset);
    const auto results =
        add_fixpoint(capture_, given_ == nullptr ? s.name : text_view(), g->view(),
                     {r.type.shape[0], r.tolerance}, operands, location_of(s.offset));
    out = results[0];
    bind(keep(text() << s.name << "_runs"), results[1]);
    bind(keep(text() << s.name << "_converged"), results[2]);
    return fine(s.offset);
  }
  // The first reference of an expression to each name.
  constexpr void collect_references(std::uint32_t root, table<std::uint32_t>& out) const {
    const equation_node& n = program_.nodes[root];
    for (std::uint32_t i = 0; i < n.children.count; ++i) collect_references(child(n, i), out);
    if (n.kind != equation_kind::reference) return;
    for (std::uint32_t known : out)
      if (program_.nodes[known].name == n.name) return;
    out.push_back(root);
  }

  // --- expressions ------------------------------------------------------------------------------

  constexpr std::uint32_t child(const equation_node& n, std::uint32_t i) const {
    return child_of(program_, n, i);
  }

  // Captures an expression; of its indices, those in `needed` are kept.
  constexpr bool lower(std::uint32_t root, const label_list& needed, tensor_value& out) {
    const equation_node& n = program_.nodes[root];
    at_ = location_of(n.offset);
    switch (n.kind) {
      case equation_kind::number:
        out.is_number = true;
        out.number = n.number;
        return true;
      case equation_kind::reference:
        return reference(n, out);
      case equation_kind::call:
        return call(n, needed, out);
      case equation_kind::sum:
        return binary(n, needed, captured<kernels::add>, out);
      case equation_kind::difference:
        return binary(n, needed, captured<kernels::subtract>, out);
      case equation_kind::quotient:
        return binary(n, needed, captured<kernels::divide>, out);
      case equation_kind::product:
        return product(n, needed, out);
      case equation_kind::negation:
        return negation(n, needed, out);
      case equation_kind::reduction:
        return reduction(n, needed, out);
      case equation_kind::symbol:
      case equation_kind::complement:
      case equation_kind::comparison:
        return fail(n.offset, needs_logic);
      default:
        return fail(n.offset, (text() << "a workflow has no place for " << name_of(n.kind)).view());
    }
  }

  static constexpr const char* needs_logic =
      "Boolean left sides, symbols, ! and [i < j] need wf::logic";

  // Names without shifts, slices and the like, which only wf::logic knows; on the left one may have
  // a dot.
  constexpr bool plain_indices(range r, bool left = false) {
    for (std::uint32_t i = 0; i < r.count; ++i) {
      index_term t = program_.indices[r.first + i];
      t.dotted = t.dotted && !left;
      if (!t.is_plain()) return fail(t.offset, "an index that is more than a name needs wf::logic");
    }
    return true;
  }

  constexpr bool reference(const equation_node& n, tensor_value& out) {
    const node_location here = at_;
    if (!resolve(n.name, out.id)) return false;
    at_ = here;
    if (out.id == value_id::none && is_defined(n.name))
      return fail(n.offset, (text() << n.name << " is defined by itself: say how it begins and "
                                    << "ends, as in 'repeat " << n.name << " = b until 100, 1e-9'")
                                .view());
    if (out.id == value_id::none) return fail(n.offset, unknown_name(n.name).view());
    const std::uint32_t rank = capture_.type_of(out.id).shape.rank;
    if (!n.labelled) {
      out.labelled = rank == 0;  // a scalar combines with both kinds
      return true;
    }
    if (rank != n.indices.count)
      return fail(
          n.offset,
          (text() << n.name << " has " << rank << " dimensions, not " << n.indices.count).view());
    if (!plain_indices(n.indices)) return false;
    out.labelled = true;
    out.labels = indices_of(program_, n);
    tensors_.diagonal(out, at_);
    return fine(n.offset);
  }

  // Both operands need indices, or neither; a scalar matches both.
  constexpr bool same_kind(tensor_value& a, tensor_value& b, const equation_node& n) {
    if (a.labelled == b.labelled) return true;
    if (a.labelled && a.labels.empty()) return a.labelled = false, true;
    if (b.labelled && b.labels.empty()) return b.labelled = false, true;
    return fail(n.offset, "one operand has indices, the other has none");
  }

  constexpr bool operands(const equation_node& n, const label_list& needed, tensor_value& a,
                          tensor_value& b) {
    label_list left = needed, right = needed;
    collect_indices(program_, child(n, 1), left);
    collect_indices(program_, child(n, 0), right);
    if (!lower(child(n, 0), left, a) || !lower(child(n, 1), right, b)) return false;
    type_numbers(a, b, n.offset);
    at_ = location_of(n.offset);
    return same_kind(a, b, n);
  }

  // An elementwise operator; operands with indices are aligned first.
  constexpr bool binary(const equation_node& n, const label_list& needed, const captured_kernel& k,
                        tensor_value& out) {
    tensor_value a, b;
    if (n.kind == equation_kind::quotient) {
      if (!operands(n, needed, a, b)) return false;
    } else {
      if (!lower(child(n, 0), needed, a) || !lower(child(n, 1), needed, b)) return false;
      type_numbers(a, b, n.offset);
      at_ = location_of(n.offset);
      if (!same_kind(a, b, n)) return false;
      if (a.labelled) tensors_.project(a, needed, at_), tensors_.project(b, needed, at_);
    }
    if (a.labelled)
      out = tensors_.elementwise(k, a, b, at_);
    else
      out = tensors_.apply(k, {}, a, b, false, at_);
    return fine(n.offset);
  }

  constexpr bool product(const equation_node& n, const label_list& needed, tensor_value& out) {
    table<std::uint32_t> factors;
    if (program_.nodes[child(n, 0)].kind == equation_kind::product && named_factors(n, factors) &&
        is_too_wide(factors, needed))
      return product_in_best_order(n, factors, needed, out);
    tensor_value a, b;
    if (!operands(n, needed, a, b)) return false;
    if (a.labelled) {
      out = tensors_.contract(a, b, needed, at_);
    } else {
      const value_type types[2] = {capture_.type_of(a.id), capture_.type_of(b.id)};
      out = tensors_.apply(product_::kernel({types, 2}), {}, a, b, false, at_);
    }
    return fine(n.offset);
  }

  // The factors of a product if all of them are names with indices.
  constexpr bool named_factors(const equation_node& n, table<std::uint32_t>& out) const {
    for (std::uint32_t i = 0; i < 2; ++i) {
      const equation_node& f = program_.nodes[child(n, i)];
      if (i == 0 && f.kind == equation_kind::product) {
        if (!named_factors(f, out)) return false;
      } else {
        if (f.kind != equation_kind::reference || !f.labelled) return false;
        out.push_back(child(n, i));
      }
    }
    return true;
  }
  constexpr bool is_too_wide(const table<std::uint32_t>& factors, const label_list& needed) const {
    table<label_list> indices;
    for (std::uint32_t f : factors) indices.push_back(indices_of(program_, program_.nodes[f]));
    return tensors_.is_too_wide(indices, needed);
  }
  constexpr bool product_in_best_order(const equation_node& n, const table<std::uint32_t>& factors,
                                       const label_list& needed, tensor_value& out) {
    table<tensor_value> tensors(factors.size());
    for (std::size_t k = 0; k < factors.size(); ++k)
      if (!reference(program_.nodes[factors[k]], tensors[k])) return false;
    if (!tensors_.contract_in_best_order(tensors, needed, at_, out))
      return fail(n.offset, (text() << "in every order the product has tensors of over " << max_rank
                                    << " dimensions")
                                .view());
    return fine(n.offset);
  }

  constexpr bool negation(const equation_node& n, const label_list& needed, tensor_value& out) {
    if (!lower(child(n, 0), needed, out)) return false;
    if (out.is_number) return out.number = -out.number, true;
    out.id = tensors_.apply(captured<kernels::negate>, {}, out, location_of(n.offset));
    return fine(n.offset);
  }

  constexpr bool reduction(const equation_node& n, const label_list& needed, tensor_value& out) {
    label_list inner = needed, over;
    over.append(indices_of(program_, n));
    inner.append(over);
    if (!lower(child(n, 0), inner, out)) return false;
    at_ = location_of(n.offset);
    for (text_view index : over)
      if (!out.labelled || !has_label(out.labels, index))
        return fail(n.offset, (text() << "there is no index " << index << " to reduce").view());
    tensors_.reduce(out, over,
                    n.name == "sum"   ? captured<kernels::reduce_sum>
                    : n.name == "max" ? captured<kernels::reduce_max>
                                      : captured<kernels::reduce_mean>,
                    at_);
    return fine(n.offset);
  }

  // --- calls ----------------------------------------------------------------------------------

  constexpr bool call(const equation_node& n, const label_list& needed, tensor_value& out) {
    if (n.children.count > max_operands) return fail(n.offset, "at most 8 arguments");
    value_id ids[max_operands];
    value_type types[max_operands];
    tensor_value arguments[max_operands];
    label_list kept[max_operands];
    for (std::uint32_t i = 0; i < n.children.count; ++i) {
      kept[i] = needed;
      collect_free(program_, child(n, i), reference_uses{program_}, kept[i]);
      if (!lower(child(n, i), kept[i], arguments[i])) return false;
    }
    const dtype type = type_of_numbers({arguments, n.children.count});
    tensor_value first;
    for (std::uint32_t i = 0; i < n.children.count; ++i) {
      tensor_value& v = arguments[i];
      if (v.is_number) v = constant(v, type, n.offset);
      if (v.labelled) tensors_.project(v, kept[i], location_of(n.offset));
      if (i == 0 || (first.labelled && first.labels.empty())) first = v;  // scalars have no indices
      if (v.labelled && first.labelled && v.labels.size() == first.labels.size())
        tensors_.permute(v, first.labels, location_of(n.offset));
      ids[i] = v.id;
      types[i] = capture_.type_of(v.id);
    }
    const kernel_spec* const own = opaque_named(n.name);
    const kernel_spec* const k =
        own != nullptr ? own : kernel_named(n.name, {types, n.children.count});
    if (k == nullptr) {
      table<text_view> known;
      for (const kernel_spec* each : kernels().kernels()) known.push_back(each->name);
      return fail(n.offset,
                  unknown_name_message("operator", n.name, {known.data(), known.size()}).view());
    }
    table<attribute_value> attributes;
    if (own != nullptr) attributes.push_back(attribute_value::string("signature", own->signature));
    for (std::uint32_t i = 0; i < n.attributes.count; ++i)
      attributes.push_back(stated(program_.attributes[n.attributes.first + i]));
    if (is_steep(n)) attributes.push_back(attribute_value::floating("T", 0));
    if (first.labelled && has_label(first.labels, dotted_) && !k->laws.elementwise &&
        !states(n, "axis"))
      along_dotted(*k, n, {arguments, n.children.count}, first, ids, attributes);
    out.id = capture_.apply({k, hash_text(k->name), own != nullptr},
                            {attributes.data(), attributes.size()}, {ids, n.children.count}, {},
                            location_of(n.offset));
    return fine(n.offset) && label_call(n, first, out);
  }
  // Lets an operator work along the index with a dot: by its attribute `axis` if it has one, else
  // as the last one.
  constexpr void along_dotted(const kernel_spec& k, const equation_node& n,
                              view<tensor_value> arguments, tensor_value& first, value_id* ids,
                              table<attribute_value>& attributes) {
    const std::size_t place = label_position(first.labels, dotted_);
    if (declares_axis(k)) {
      attributes.push_back(attribute_value::integer("axis", static_cast<std::int64_t>(place)));
      return;
    }
    label_list order;
    for (text_view l : first.labels)
      if (!(l == dotted_)) order.push_back(l);
    order.push_back(dotted_);
    const std::size_t rank = first.labels.size();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      tensor_value v = arguments[i];
      if (!v.labelled || v.labels.size() != rank) continue;
      tensors_.permute(v, order, location_of(n.offset));
      ids[i] = v.id;
    }
    first.labels = order;
  }
  // The result has the indices of the first argument with dimensions, or none if it is a scalar.
  constexpr bool label_call(const equation_node& n, const tensor_value& first, tensor_value& out) {
    const std::uint32_t rank = capture_.type_of(out.id).shape.rank;
    out.labelled = rank == 0 || (first.labelled && !first.labels.empty());
    if (rank == 0 || !out.labelled) return true;
    if (rank != first.labels.size())
      return fail(n.offset, (text() << "which indices has the result of " << n.name
                                    << "? Give it a name of its own: T = " << n.name << "(...)")
                                .view());
    out.labels = first.labels;
    return true;
  }

  tensor_lowering<graph_capture> tensors_;
  table<text_view> captured_;  // names whose definitions are, or are about to be
  text_view dotted_;           // the index of its left side with a dot
  node_location at_;
};

}  // namespace wf::detail
