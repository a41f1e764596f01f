// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/capture/equations/contraction.hpp>
#include <wf/capture/equations/indices.hpp>
#include <wf/capture/equations/tree.hpp>
#include <wf/capture/functions/functions.hpp>
#include <wf/capture/functions/opaque.hpp>
#include <wf/capture/graph_capture.hpp>
#include <wf/core/text/spelling.hpp>
#include <wf/core/text/text_store.hpp>
#include <wf/registry/domain/builtin.hpp>

namespace wf::detail {

/// The names of an equation program during its capture, what they stand for, and where.
class equation_scope {
 public:
  /// A program captured on its own.
  constexpr equation_scope(graph_capture& to, const equation_program& p, text_view source)
      : capture_(to), program_(p), source_(source), builtin_(builtin_registry()) {}
  /// One captured on behalf of a node that stands elsewhere: its nodes get no names and that
  /// location. The registry has the operators that it may call; it and the texts of the location
  /// must outlive the capture.
  constexpr equation_scope(graph_capture& to, const equation_program& p, text_view source,
                           const registry& kernels, const node_location& stands_at)
      : capture_(to), program_(p), source_(source), given_(&kernels), stands_at_(stands_at) {}

  /// Binds a name to a value of the capture; the last binding counts.
  constexpr void bind(text_view name, value_id id) { names_.push_back({name, id}); }
  /// The value with a name; none if there is no such name.
  constexpr value_id find(text_view name) const {
    for (std::size_t i = names_.size(); i-- > 0;)
      if (names_[i].name == name) return names_[i].id;
    return value_id::none;
  }

 protected:
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

  // Keeps the characters of a name as long as this.
  constexpr text_view keep(text name) { return kept_.keep(static_cast<text&&>(name)); }
  constexpr text unknown_name(text_view name) const {
    table<text_view> known;
    for (const named_value& n : names_) known.push_back(n.name);
    return unknown_name_message("name", name, {known.data(), known.size()});
  }

  // --- calls ------------------------------------------------------------------------------------

  constexpr const registry& kernels() const { return given_ == nullptr ? builtin_ : *given_; }
  constexpr const kernel_spec* kernel_named(text_view name, view<value_type> operands) const {
    if (name == "inv" && operands.size() == 1) return inverse_::kernel(operands).spec;
    if (name == "inv") name = "inverse";
    if (name == "sig") name = "sigmoid";
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

  // --- numbers and attributes
  // ---------------------------------------------------------------------

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
  static constexpr bool declares_axis(const kernel_spec& k) {
    const auto parsed = parse_signature(k.signature);
    return parsed && parsed->find_attribute("axis") != nullptr;
  }
  constexpr bool states(const equation_node& n, text_view attribute) const {
    for (std::uint32_t i = 0; i < n.attributes.count; ++i)
      if (program_.attributes[n.attributes.first + i].name == attribute) return true;
    return false;
  }
  // `sig` is a sigmoid that is as steep as can be, if the call does not say otherwise.
  constexpr bool is_steep(const equation_node& n) const {
    return n.name == "sig" && !states(n, "T");
  }
  // A number that states an extent of the result is one: reshape(A, d0 = 2, d1 = 6).
  static constexpr attribute_value stated(const attribute_value& a) {
    for (text_view name : stated_extent_names)
      if (a.kind == attribute_kind::integer && a.number >= 0 && a.name == name)
        return attribute_value::dimension(name, extent(a.number));
    return a;
  }

  graph_capture& capture_;
  const equation_program& program_;
  text_view source_;
  registry builtin_;
  const registry* given_ = nullptr;  // null: the built-in kernels
  node_location stands_at_;
  table<named_value> names_;
  table<opaque_function> opaque_;
  table<std::uint32_t> lines_;  // the offsets of the line starts
  text_store kept_;
};

}  // namespace wf::detail
