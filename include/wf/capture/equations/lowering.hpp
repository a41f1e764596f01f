// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/capture/equations/contraction.hpp>
#include <wf/capture/equations/indices.hpp>
#include <wf/capture/equations/text.hpp>
#include <wf/capture/functions/functions.hpp>
#include <wf/capture/functions/opaque.hpp>
#include <wf/capture/graph_capture.hpp>
#include <wf/core/text/spelling.hpp>
#include <wf/registry/domain/builtin.hpp>

namespace wf::detail {

/// Captures the statements of an equation program into a graph under capture, in order.
class equation_capture {
 public:
  constexpr equation_capture(graph_capture& to, const equation_program& p, text_view source)
      : capture_(to), program_(p), source_(source), tensors_(to), builtin_(builtin_registry()) {}
  /// Captures a text on behalf of a node that stands elsewhere: its nodes get no names and that
  /// location. The registry has the operators that it may call; it and the texts of the location
  /// must outlive the capture.
  constexpr equation_capture(graph_capture& to, const equation_program& p, text_view source,
                             const registry& kernels, const node_location& stands_at)
      : capture_(to),
        program_(p),
        source_(source),
        tensors_(to),
        given_(&kernels),
        stands_at_(stands_at) {}

  /// Binds a name to a value of the capture.
  constexpr void bind(text_view name, value_id id) { names_.push_back({name, id}); }

  /// Captures every statement; false after an error, which the capture keeps.
  constexpr bool run() {
    for (const equation_statement& s : program_.statements)
      if (!statement(s)) return false;
    return true;
  }

  /// The value with a name; none if there is no such name.
  constexpr value_id find(text_view name) const {
    for (const named_value& n : names_)
      if (n.name == name) return n.id;
    return value_id::none;
  }

 private:
  struct named_value {
    text_view name;
    value_id id;
  };
  struct opaque_function {
    text_view alias;
    text name;
    kernel_spec spec;
  };

  // --- errors -----------------------------------------------------------------------------------

  constexpr bool fail(std::uint32_t offset, text_view message) {
    capture_.fail(make_error(errc::bad_equation, "", message, position_at(source_, offset)));
    return false;
  }
  // False if the capture has an error, which gets the position of the equation that caused it.
  constexpr bool fine(std::uint32_t offset) {
    return capture_.failure().code == errc::none ||
           capture_.locate_failure(position_at(source_, offset));
  }
  // Line and column of an offset; the line starts are found once.
  constexpr node_location location_of(std::uint32_t offset) {
    if (given_ != nullptr) return stands_at_;
    if (lines_.empty()) {
      lines_.push_back(0);
      for (std::size_t i = 0; i < source_.size(); ++i)
        if (source_[i] == '\n') lines_.push_back(static_cast<std::uint32_t>(i + 1));
    }
    std::size_t low = 0, high = lines_.size();  // invariant: line `low` starts at or before the
                                                // offset, line `high` after it
    while (high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      (lines_[middle] <= offset ? low : high) = middle;
    }
    return {"equations", static_cast<std::uint32_t>(low + 1), offset - lines_[low] + 1};
  }

  // --- statements -------------------------------------------------------------------------------

  constexpr bool statement(const equation_statement& s) {
    if (s.kind == equation_statement_kind::axis)
      return fail(s.offset, "the axes of a workflow follow from its inputs: axis needs wf::logic");
    if (s.kind == equation_statement_kind::source || s.kind == equation_statement_kind::sink ||
        s.kind == equation_statement_kind::parameter)
      return fail(s.offset, "files, and inputs without a shape, need wf::logic");
    const value_id known = find(s.name);
    if (s.kind == equation_statement_kind::exported) {
      if (known == value_id::none) return fail(s.offset, unknown_name(s.name).view());
      capture_.add_output(s.name, known);
      return true;
    }
    if (known != value_id::none)
      return fail(s.offset, (text() << "'" << s.name << "' is defined twice").view());
    if (s.kind == equation_statement_kind::opaque) return declare(s);
    if (s.kind == equation_statement_kind::input) {
      bind(s.name, capture_.add_input(s.name, s.type));
      return true;
    }
    return definition(s);
  }

  constexpr bool declare(const equation_statement& s) {
    if (!is_valid_name(s.function))
      return fail(s.offset, (text() << "'" << s.function << "' is no name of a function").view());
    if (s.costs.count > max_kernel_costs) return fail(s.offset, "at most 10 declared costs");
    opaque_function f;
    f.alias = s.name;
    f.name << opaque_prefix << s.function;
    f.spec.domain = "opaque";
    f.spec.signature = s.signature;
    f.spec.effects = s.pure ? effect::pure : effect::external;
    for (std::uint32_t i = 0; i < s.costs.count; ++i)
      f.spec.costs[i] = kernel_cost::of(program_.costs[s.costs.first + i]);
    if (const auto parsed = parse_signature(s.signature); !parsed) {
      capture_.fail(parsed.error());
      return fine(s.offset);
    }
    opaque_.push_back(f);
    opaque_.back().spec.name = opaque_.back().name.view();
    return true;
  }

  constexpr text unknown_name(text_view name) const {
    table<text_view> known;
    for (const named_value& n : names_) known.push_back(n.name);
    return unknown_name_message("name", name, {known.data(), known.size()});
  }

  constexpr bool definition(const equation_statement& s) {
    if (s.projection != projection::plain || s.boolean) return fail(s.offset, needs_logic);
    if (!plain_indices(s.indices)) return false;
    const label_list head = names_of_indices(program_, s.indices);
    for (std::size_t i = 0; i < head.size(); ++i)
      if (count_label(head, head[i]) != 1)
        return fail(s.offset, "an index stands twice on the left side");
    if (const index_problem found = check_indices(program_, s, head); !found.message.empty())
      return fail(found.offset, found.message.view());
    tensor_value v;
    if (!lower(s.root, head, v)) return false;
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
    bind(s.name, v.id);
    if (given_ == nullptr) capture_.name_node(v.id, s.name);
    return fine(s.offset);
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
      "Boolean left sides, +=, max=, min=, avg=, symbols, ! and [i < j] need wf::logic";

  // Names without shifts, slices and the like, which only wf::logic knows.
  constexpr bool plain_indices(range r) {
    for (std::uint32_t i = 0; i < r.count; ++i)
      if (const index_term& t = program_.indices[r.first + i]; !t.is_plain())
        return fail(t.offset, "an index that is more than a name needs wf::logic");
    return true;
  }

  constexpr bool reference(const equation_node& n, tensor_value& out) {
    out.id = find(n.name);
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

  constexpr tensor_value constant(const tensor_value& v, dtype type, std::uint32_t offset) {
    const attribute_value a = attribute_value::floating("value", v.number);
    const value_type scalar{type, {}, shape::of()};
    tensor_value out;
    out.labelled = true;
    out.id =
        capture_.apply(captured<kernels::constant>, {&a, 1}, {}, {&scalar, 1}, location_of(offset));
    return out;
  }
  // Numbers take the element type of the other operand; two numbers become f64.
  constexpr void type_numbers(tensor_value& a, tensor_value& b, std::uint32_t offset) {
    const dtype type = !a.is_number   ? capture_.type_of(a.id).type
                       : !b.is_number ? capture_.type_of(b.id).type
                                      : dtype::f64;
    if (a.is_number) a = constant(a, type, offset);
    if (b.is_number) b = constant(b, type, offset);
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

  // --- calls ------------------------------------------------------------------------------------

  constexpr const registry& kernels() const { return given_ == nullptr ? builtin_ : *given_; }
  constexpr const kernel_spec* kernel_named(text_view name, view<value_type> operands) const {
    if (name == "inv" && operands.size() == 1) return inverse_::kernel(operands).spec;
    if (name == "inv") name = "inverse";
    if (name == "trans") name = "transpose";
    if (name == "hadamard") name = "multiply";
    return kernels().find(name);
  }

  constexpr const kernel_spec* opaque_named(text_view name) {
    for (opaque_function& f : opaque_)
      if (f.alias == name) {
        f.spec.name = f.name.view();  // the table may have moved its texts
        return &f.spec;
      }
    return nullptr;
  }

  // The element type of the numbers among arguments: that of the first tensor of numbers, else of
  // the first tensor, else f64.
  constexpr dtype type_of_numbers(view<tensor_value> arguments) const {
    dtype first = dtype::unknown;
    for (const tensor_value& v : arguments) {
      if (v.is_number) continue;
      const dtype own = capture_.type_of(v.id).type;
      if (own != dtype::boolean) return own;
      first = own;
    }
    return first == dtype::unknown ? dtype::f64 : first;
  }

  constexpr bool call(const equation_node& n, const label_list& needed, tensor_value& out) {
    if (n.children.count > max_operands) return fail(n.offset, "at most 8 arguments");
    value_id ids[max_operands];
    value_type types[max_operands];
    tensor_value arguments[max_operands];
    for (std::uint32_t i = 0; i < n.children.count; ++i)
      if (!lower(child(n, i), needed, arguments[i])) return false;
    const dtype type = type_of_numbers({arguments, n.children.count});
    tensor_value first;
    for (std::uint32_t i = 0; i < n.children.count; ++i) {
      tensor_value& v = arguments[i];
      if (v.is_number) v = constant(v, type, n.offset);
      if (v.labelled) tensors_.project(v, needed, location_of(n.offset));
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
    out.id = capture_.apply({k, hash_text(k->name), own != nullptr},
                            {attributes.data(), attributes.size()}, {ids, n.children.count}, {},
                            location_of(n.offset));
    return fine(n.offset) && label_call(n, first, out);
  }
  // A number that states an extent of the result is one: reshape(A, d0 = 2, d1 = 6).
  static constexpr attribute_value stated(const attribute_value& a) {
    for (text_view name : stated_extent_names)
      if (a.kind == attribute_kind::integer && a.number >= 0 && a.name == name)
        return attribute_value::dimension(name, extent(a.number));
    return a;
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

  graph_capture& capture_;
  const equation_program& program_;
  text_view source_;
  tensor_lowering<graph_capture> tensors_;
  registry builtin_;
  const registry* given_ = nullptr;  // null: the built-in kernels
  node_location stands_at_;
  table<named_value> names_;
  table<opaque_function> opaque_;
  node_location at_;
  table<std::uint32_t> lines_;  // the offsets of the line starts
};

}  // namespace wf::detail
