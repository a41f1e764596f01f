// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/einsum_equation.hpp>
#include <wf/registry/scratch.hpp>

namespace wf::kernels {

namespace detail {

constexpr error bad_equation(text_view equation, text_view message) {
  return make_error(errc::bad_attribute, "einsum",
                    (text() << message << " in '" << equation << "'").view());
}

// The result shape from an equation such as "ij,jk->ik": one letter per dimension.
constexpr result<shape> einsum_shape(const rule_input& in) {
  const attribute_value* a = in.find("equation");
  if (a == nullptr || a->kind != attribute_kind::string)
    return make_error(errc::bad_attribute, "einsum", "the attribute 'equation' is missing");
  const text_view equation = a->characters;
  const einsum_equation parts{equation};
  extent known[128] = {};
  bool bound[128] = {};
  for (std::size_t i = 0; i < in.operands.size(); ++i) {
    const shape& s = in.operands[i].shape;
    const text_view letters = parts.operand(i);
    for (std::uint32_t d = 0; d < s.rank; ++d) {
      const char c = d < letters.size() ? letters[d] : '\x80';
      if ((c & 0x80) != 0)
        return bad_equation(equation, "an operand has more dimensions than letters");
      const auto letter = static_cast<std::size_t>(c);
      if (bound[letter] && !(known[letter] == s[d]) && !known[letter].is_unknown() &&
          !s[d].is_unknown())
        return make_error(errc::shape_mismatch, "einsum",
                          (text() << "index " << c << " differs: " << to_text(known[letter]).view()
                                  << " vs " << to_text(s[d]).view() << " in '" << equation << "'")
                              .view());
      if (!bound[letter] || known[letter].is_unknown()) known[letter] = s[d];
      bound[letter] = true;
    }
    if (letters.size() != s.rank) return bad_equation(equation, "operands and letters do not fit");
  }
  if (parts.operands() != in.operands.size() || !parts.has_result())
    return bad_equation(equation, "operands and letters do not fit");
  shape out;
  for (const char c : parts.result()) {
    if ((c & 0x80) != 0 || !bound[static_cast<std::size_t>(c)])
      return bad_equation(equation, "a letter of the result is not in the operands");
    if (!out.push_back(known[static_cast<std::size_t>(c)]))
      return make_error(errc::shape_mismatch, "einsum", "the result has over 8 dimensions");
  }
  return out;
}

// The access pattern of an equation such as "ijk->kij": a dimension of the result walks along the
// operand's dimensions of its letter. An operand dimension of several elements without a letter in
// the result, or a letter twice in the result, is no view.
constexpr view_reading read_rearranged(const rule_input& in, std::uint32_t) {
  const attribute_value* a = in.find("equation");
  if (a == nullptr || a->kind != attribute_kind::string) return {};
  const einsum_equation parts{a->characters};
  const text_view given = parts.operand(0), letters = parts.result();
  const shape& from = in.operands[0].shape;
  if (given.size() != from.rank || !parts.has_result()) return {};
  view_reading out = view_reading::straight(from.rank);
  for (std::uint32_t p = 0; p < from.rank; ++p) {
    out.walker[p] = view_reading::none;
    for (std::uint8_t d = 0; d < letters.size(); ++d) {
      if (letters[d] != given[p]) continue;
      if (out.walker[p] != view_reading::none) return {};
      out.walker[p] = d;
    }
    if (out.walker[p] == view_reading::none && !(from[p] == extent(1))) return {};
  }
  return out;
}

// The letters of an operand that another one or the result has, too: the derivative by the others
// is the same for all of their indices.
constexpr text shared_letters(text_view own, text_view a, text_view b) {
  text out;
  for (const char c : own)
    if (a.find(c) < a.size() || b.find(c) < b.size()) out << c;
  return out;
}
constexpr bool repeats_letter(text_view letters) {
  for (std::size_t i = 0; i < letters.size(); ++i)
    if (letters.part(i + 1).find(letters[i]) < letters.size() - i - 1) return true;
  return false;
}
// A value with the shared dimensions of `own`, as one with all of them: extents of 1 for the rest.
constexpr text widened_text(const text& value, text_view own, text_view shared, text_view of) {
  if (own.size() == shared.size()) return value;
  text out;
  out << "reshape(" << value.view();
  for (std::size_t d = 0; d < own.size(); ++d) {
    out << ", d" << d << " = ";
    if (shared.find(own[d]) < shared.size())
      out << of << '_' << d;
    else
      out << '1';
  }
  return out << ')';
}

// Contractions of the derivative with the other operand; none for a diagonal of an operand.
constexpr text einsum_adjoint(const rule_input& in) {
  const attribute_value* const stated = in.find("equation");
  if (stated == nullptr || in.operands.size() != 2) return {};
  const einsum_equation parts{stated->characters};
  const text_view a = parts.operand(0), b = parts.operand(1), c = parts.result();
  if (repeats_letter(a) || repeats_letter(b) || repeats_letter(c)) return {};
  const text of_a = shared_letters(a, b, c), of_b = shared_letters(b, a, c);
  text first, second;
  first << "einsum(dC, B, equation = \"" << c << ',' << b << "->" << of_a.view()
        << "\", points = points)";
  second << "einsum(A, dC, equation = \"" << a << ',' << c << "->" << of_b.view()
         << "\", points = points)";
  return text() << "dA = " << widened_text(first, a, of_a.view(), "A").view()
                << "; dB = " << widened_text(second, b, of_b.view(), "B").view();
}
// The letters the other way round; of diagonals, that of a matrix.
constexpr text rearranged_adjoint(const rule_input& in) {
  const attribute_value* const stated = in.find("equation");
  if (stated == nullptr) return {};
  const einsum_equation parts{stated->characters};
  const text_view a = parts.operand(0), c = parts.result();
  if (a.size() == 2 && a[0] == a[1] && c.size() == 1)
    return text("dA = multiply(identity_like(A), dC)");
  if (repeats_letter(a) || repeats_letter(c)) return {};
  const text kept = shared_letters(a, c, c);
  text back;
  back << "rearrange(dC, equation = \"" << c << "->" << kept.view() << "\")";
  return text() << "dA = " << widened_text(back, a, kept.view(), "A").view();
}

}  // namespace detail

/// A contraction of two tensors by an equation such as "bij,bjk->bik": one multiply-add per point.
/// The attribute `points` is the product of the extents of all letters.
inline constexpr kernel_spec einsum{
    .name = "einsum",
    .domain = "tensor",
    .signature = "A[...], B[...], points: number -> C[...]",
    .costs = {{"flops", "2*points"},
              {"flops(complex)", "8*points"},
              {"macs", "points"},
              {"operations", "points"},
              detail::contraction_scratch,
              {"scratch(complex)",
               "(points < 2000 ? 0 : 16*(2*(min(C + 1, A + B) + points//max(C, 1)) + 16 + "
               "min(points//max(C, 1), 384)*32 + (A*B*C == points**2 ? min(A + B, "
               "min(points//max(C, 1), 384)*min(C + 1, 8432)) : min(points//max(C, 1), "
               "384)*min(min(C + 1, A + B), 8432))))"}},
    .result_shape = &detail::einsum_shape,
    .write_adjoint = &detail::einsum_adjoint,
    .cuts = "*",
    .fusion = fusion_role::contraction,
    .summary = "the contraction of two tensors by an equation"};

/// A permutation of the dimensions of a tensor, or a diagonal of it, by an equation such as
/// "ijk->kij" or "ii->i": a view.
inline constexpr kernel_spec rearrange{
    .name = "rearrange",
    .domain = "tensor",
    .meaning = meaning::rearrangement,
    .signature = "A[...] -> C[...]",
    .costs = {{"flops", "0"}, {"operations", "0"}, detail::sum_scratch},
    .result_shape = &detail::einsum_shape,
    .is_view = true,
    .reading = &detail::read_rearranged,
    .moves_elements = true,
    .write_adjoint = &detail::rearranged_adjoint,
    .summary = "a permutation or a diagonal of a tensor"};

/// Every kernel of the domain.
inline constexpr const kernel_spec* tensor_domain[] = {&einsum, &rearrange};

}  // namespace wf::kernels
