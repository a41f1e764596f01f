// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/integer.hpp>
#include <wf/registry/kernel.hpp>

// Parts of the equations that rules write (`kernel_spec::write_adjoint`), as calls of operators.
// `A_k` is the extent of dimension k of the operand or result A.
namespace wf::kernels::detail {

/// No dimension.
inline constexpr std::uint32_t no_dimension = max_rank;

/// The attributes `, d0 = A_0, d1 = A_1` of the shape of the parameter `of`, of `rank` dimensions,
/// where dimension `single` is 1.
constexpr text shape_text(text_view of, std::uint32_t rank, std::uint32_t single = no_dimension) {
  text out;
  for (std::uint32_t d = 0; d < rank; ++d) {
    out << ", d" << d << " = ";
    if (d == single)
      out << '1';
    else
      out << of << '_' << d;
  }
  return out;
}

/// `value`, from which a reduction has removed dimension `axis` of the parameter `of`, with that
/// dimension of extent 1.
constexpr text kept_text(text_view value, text_view of, std::uint32_t rank, std::uint32_t axis) {
  return text() << "reshape(" << value << shape_text(of, rank, axis).view() << ')';
}

/// A number of an element type.
constexpr text number_text(text_view number, dtype type) {
  if (type == dtype::f64) return text(number);
  return text() << "cast(" << number << ", dtype = \"" << name_of(type) << "\")";
}

/// A tensor of the shape of the parameter `of` whose elements are all `number`.
constexpr text filled_text(text_view number, text_view of, const value_type& type) {
  return text() << "broadcast_to(" << number_text(number, type.type).view()
                << shape_text(of, type.shape.rank).view() << ')';
}

/// The number of elements of a tensor of floating type along the dimensions from `first` to before
/// `last`: digits, or a sum of ones if it is not known.
constexpr text count_text(text_view of, const value_type& type, std::uint32_t first,
                          std::uint32_t last) {
  std::int64_t count = 1;
  bool known = true;
  text ones("sum(broadcast_to(");
  ones << number_text("1", type.type).view();
  for (std::uint32_t d = first; d < last; ++d) {
    ones << ", d" << d - first << " = " << of << '_' << d;
    known =
        known && type.shape[d].is_fixed() && checked_multiply(count, type.shape[d].size(), count);
  }
  if (known) return text() << count;
  return ones << "))";
}

/// A number as the attribute of that name states it, which equations may name, or `otherwise`.
constexpr text_view stated_or(const rule_input& in, text_view attribute, text_view otherwise) {
  return in.find(attribute) != nullptr ? attribute : otherwise;
}

}  // namespace wf::kernels::detail
