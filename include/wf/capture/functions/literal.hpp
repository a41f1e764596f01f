// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/expression.hpp>
#include <wf/ir/graph/translation.hpp>
#include <wf/registry/domain/literal.hpp>

namespace wf {

/// An array as an operand of an expression; made by `literal`.
template <class T, std::uint32_t Properties>
class array_literal {
  using known = translation<T>;
  template <std::size_t... Dimension>
  static handle<dtype_of<typename known::element>, dims<known::extents[Dimension].code...>,
                Properties>
      typed(std::index_sequence<Dimension...>);

 public:
  /// The type of the handle that binding gives.
  using handle_type = decltype(typed(std::make_index_sequence<known::extents.rank>{}));
  /// An array belongs to no workflow, so that every scope can bind it.
  static constexpr bool is_nullary = true;

  /// Copies the array.
  constexpr explicit array_literal(const T& elements) : elements_(elements) {}
  /// Null: an array belongs to no workflow.
  constexpr scope* owner() const { return nullptr; }
  /// Captures the array as a node of the kernel `literal`.
  constexpr value_id emit(scope& s, const source_location& where) const {
    constexpr value_type type = handle_type::type;
    const text elements =
        elements_text(type, [this](std::int64_t i) { return known::element_of(elements_, i); });
    const literal_attributes with(type, elements.view());
    return detail::capture_of(s).apply(detail::captured<kernels::literal>, with.all(), {},
                                       {&type, 1}, where);
  }

 private:
  T elements_;
};

/// An array as a constant of the workflow: `wf::literal(std::array{0.5, 0.25}) * x`. Its size must
/// be part of its type (`std::array`, Eigen matrices of fixed size, types with a `translation`);
/// `known` declares properties of the array, which are not checked. O(elements).
template <translatable T, std::uint32_t Bits = 0>
  requires(value_type_of<T>.shape.rank > 0 && value_type_of<T>.shape.is_static())
constexpr auto literal(const T& elements, property_set<Bits> known = {}) {
  (void)known;
  return array_literal<T, Bits>(elements);
}

}  // namespace wf
