// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/character.hpp>
#include <wf/ir/type/shape.hpp>
#include <wf/registry/einsum_equation.hpp>

namespace wf {

/// A product of tensors that share indices, summed over the indices that the result lacks:
/// "ab,bc->ac". An index may occur in any number of operands, also twice in one (its diagonal).
struct tensor_network {
  table<double> extents;         ///< by index
  table<range> operands;         ///< each a run of `indices`
  table<std::uint32_t> indices;  ///< the indices of all operands, one operand after the other
  table<std::uint32_t> output;   ///< the indices of the result, in its order

  /// The indices of an operand, by position of the operand; valid until the network changes.
  constexpr view<std::uint32_t> indices_of(std::size_t operand) const {
    return view<std::uint32_t>(indices).part(operands[operand].first, operands[operand].count);
  }
  /// Appends an operand with these indices.
  constexpr void add_operand(view<std::uint32_t> of) {
    operands.push_back(
        {static_cast<std::uint32_t>(indices.size()), static_cast<std::uint32_t>(of.size())});
    indices.append(of);
  }
};

/// The subject of error messages about equations and networks.
inline constexpr text_view contraction_subject = "einsum";

/// The network of an equation such as "ab,bc->ac" on operands of these shapes, one letter per
/// dimension. Without an arrow the result has the letters that occur once, in alphabetic order, as
/// in numpy. Errors: `bad_equation`; `shape_mismatch` if extents differ or are not fixed.
constexpr result<tensor_network> parse_network(text_view equation, view<shape> shapes) {
  const einsum_equation parts{equation};
  const auto is_index = [](char c) { return detail::is_letter(c) && c != '_'; };
  const auto refused = [](const text& message) {
    return make_error(errc::bad_equation, contraction_subject, message.view());
  };
  tensor_network out;
  std::uint32_t number[128] = {};  // letter to index, plus one; 0: unused
  std::uint32_t times[128] = {};
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const text_view letters = parts.operand(k);
    table<std::uint32_t> of;
    for (const char c : letters) {
      if (!is_index(c)) return refused(text("only letters, commas and -> are understood"));
      if (of.size() >= shapes[k].rank || !shapes[k].has_rank())
        return refused(text() << "operand " << k + 1 << " has fewer dimensions than letters");
      const auto letter = static_cast<std::size_t>(c);
      const extent e = shapes[k][static_cast<std::uint32_t>(of.size())];
      const double size = e.is_fixed() ? static_cast<double>(e.size()) : 0;
      if (number[letter] == 0) {
        out.extents.push_back(size);
        number[letter] = static_cast<std::uint32_t>(out.extents.size());
      }
      if (size <= 0 || out.extents[number[letter] - 1] != size)
        return make_error(errc::shape_mismatch, contraction_subject,
                          (text() << "index " << c << " has no extent, or several").view());
      of.push_back(number[letter] - 1);
      ++times[letter];
    }
    if (of.size() != shapes[k].rank)
      return refused(text() << "operand " << k + 1 << " has more dimensions than letters");
    out.add_operand(of);
  }
  if (parts.operands() < shapes.size())
    return refused(text("there are more operands than in the text"));
  if (parts.operands() > shapes.size())
    return refused(text("there are fewer operands than in the text"));
  if (parts.arrow == equation.size()) {
    for (std::size_t letter = 0; letter < 128; ++letter)
      if (times[letter] == 1) out.output.push_back(number[letter] - 1);
    return out;
  }
  if (!parts.has_result()) return refused(text("only letters, commas and -> are understood"));
  for (const char c : parts.result()) {
    if (!is_index(c) || number[static_cast<std::size_t>(c)] == 0)
      return refused(text("a letter of the result is in no operand"));
    out.output.push_back(number[static_cast<std::size_t>(c)] - 1);
  }
  return out;
}

}  // namespace wf
