// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/builder.hpp>
#include <wf/ir/type/element_text.hpp>
#include <wf/registry/kernel.hpp>

namespace wf {

/// Encodes the elements of a tensor of static shape for the attribute `elements` of the kernel
/// `literal`: `element(i)` is element i in row-major order, of a type that converts to the element
/// type. O(elements).
template <class Element>
constexpr text elements_text(const value_type& type, Element element) {
  text out;
  const std::int64_t count = type.shape.elements();
  with_held_type(type.type, [&](auto held) {
    using kept = decltype(held);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto x = element(i);
      if constexpr (requires { x.imag(); }) {
        append_element(out, static_cast<kept>(x.real()));
        if (is_complex(type.type)) append_element(out, static_cast<kept>(x.imag()));
      } else {
        append_element(out, static_cast<kept>(x));
        if (is_complex(type.type)) append_element(out, kept());
      }
    }
  });
  return out;
}

/// The attributes of a node of the kernel `literal`: shape, element type and elements.
class literal_attributes {
 public:
  /// From a type of static shape and the elements as text, which must outlive this object.
  constexpr literal_attributes(const value_type& type, text_view elements) {
    for (std::uint32_t d = 0; d < type.shape.rank; ++d)
      all_[size_++] = attribute_value::dimension(stated_extent_names[d], type.shape[d]);
    all_[size_++] = attribute_value::string("dtype", name_of(type.type));
    all_[size_++] = attribute_value::string("elements", elements);
  }
  /// d0, d1, ..., `dtype` and `elements`; valid as long as this object.
  constexpr view<attribute_value> all() const { return {all_, size_}; }

 private:
  attribute_value all_[max_rank + 2];
  std::size_t size_ = 0;
};

namespace detail {

// The digits of a `literal` node without fault.
constexpr text_view literal_digits(const graph_view& g, const node& n) {
  return g.text_of(g.find_attribute(n, "elements")->characters);
}

// Why a `literal` node of static shape holds no tensor; empty if it does.
constexpr text_view literal_fault(const graph_view& g, const node& n) {
  const value_type& t = g[graph_view::output_of(n)].type;
  const attribute* const elements = g.find_attribute(n, "elements");
  return elements != nullptr && elements->kind == attribute_kind::string &&
                 holds_elements(g.text_of(elements->characters), t.type, t.shape.elements())
             ? text_view()
             : text_view("its attribute `elements` does not hold every element");
}

}  // namespace detail

}  // namespace wf
