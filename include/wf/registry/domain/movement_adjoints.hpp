// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/adjoint_text.hpp>
#include <wf/registry/shape_rule.hpp>

// Adjoints of operators that move elements or reduce dimensions, which depend on ranks and axes.
namespace wf::kernels::detail {

/// The elements go back where they came from.
constexpr text reshaped_adjoint(const rule_input& in) {
  return text() << "dA = reshape(dC" << shape_text("A", in.operands[0].shape.rank).view() << ')';
}

/// The inverse permutation.
constexpr text permuted_adjoint(const rule_input& in) {
  const std::uint32_t rank = in.operands[0].shape.rank;
  std::int64_t from[max_rank] = {};
  for (std::uint32_t i = 0; i < rank; ++i) {
    const std::int64_t p = in.integer(permuted_dimension_names[i], -1);
    if (p >= 0 && p < rank) from[p] = i;
  }
  text out("dA = permute(dC");
  for (std::uint32_t i = 0; i < rank; ++i)
    out << ", " << permuted_dimension_names[i] << " = " << from[i];
  return out << ')';
}

/// Zeros around the slice. With extents that are not fixed it is written into zeros.
constexpr text sliced_adjoint(const rule_input& in) {
  const value_type& t = in.operands[0];
  const std::uint32_t axis = axis_of(in, t.shape);
  const std::int64_t start = in.integer("start", 0);
  const attribute_value* const length = in.find("length");
  if (axis == t.shape.rank) return {};
  extent taken = t.shape[axis];
  if (length != nullptr) taken.code = length->number;
  text out("dA = ");
  if (t.shape[axis].is_fixed() && taken.is_fixed())
    return out << "pad(dC, axis = " << axis << ", before = " << start
               << ", after = " << t.shape[axis].size() - start - taken.size() << ')';
  return out << "update_slice(" << filled_text("0", "A", t).view() << ", dC, cast(" << start
             << ", dtype = \"i64\"), axis = " << axis << ')';
}

/// The derivatives of the parts behind one another.
constexpr text split_adjoint(const rule_input& in) {
  text out("dA = concat(");
  for (std::int64_t i = 0; i < in.integer("parts", 2); ++i) out << "dB" << i << ", ";
  return out << "axis = " << axis_of(in, in.operands[0].shape) << ')';
}

/// A slice of the derivative for each operand; none if it is not known where they begin.
constexpr text concatenated_adjoint(const rule_input& in) {
  const std::uint32_t axis = axis_of(in, in.operands[0].shape);
  if (axis == in.operands[0].shape.rank) return {};
  text out;
  std::int64_t start = 0;
  for (std::size_t i = 0; i < in.operands.size(); ++i) {
    const extent own = in.operands[i].shape[axis];
    if (!own.is_fixed() && i + 1 < in.operands.size()) return {};
    out << 'd' << 'A' << i << " = slice(dC, axis = " << axis << ", start = " << start
        << ", length = A" << i << '_' << axis << "); ";
    if (own.is_fixed()) start += own.size();
  }
  return out;
}

/// What is not padding.
constexpr text padded_adjoint(const rule_input& in) {
  const std::uint32_t axis = axis_of(in, in.operands[0].shape);
  return text() << "dA = slice(dC, axis = " << axis << ", start = " << in.integer("before", 0)
                << ", length = A_" << axis << ')';
}

/// Every derivative is added where its element came from.
constexpr text gathered_adjoint(const rule_input& in) {
  return text() << "dA = scatter_add(" << filled_text("0", "A", in.operands[0]).view()
                << ", ids, dC, axis = " << axis_of(in, in.operands[0].shape) << ')';
}
/// The updates see what they were added to.
constexpr text scattered_adjoint(const rule_input& in) {
  return text() << "dA = dC; dU = gather(dC, ids, axis = " << axis_of(in, in.operands[0].shape)
                << ')';
}
/// What was overwritten counts no more; the part sees its place.
constexpr text updated_adjoint(const rule_input& in) {
  const std::uint32_t axis = axis_of(in, in.operands[0].shape);
  return text() << "dA = update_slice(dC, " << filled_text("0", "B", in.operands[1]).view()
                << ", at, axis = " << axis << "); dB = gather(dC, at + positions(B, axis = " << axis
                << "), axis = " << axis << ')';
}

/// Back to the operand's element type.
constexpr text converted_adjoint(const rule_input& in) {
  return text() << "dA = cast(dC, dtype = \"" << name_of(in.operands[0].type) << "\")";
}

/// `value` of a reduction's result in a shape that broadcasts to that of its operand A.
constexpr text reduced_text(text_view value, const rule_input& in) {
  if (in.find("axis") == nullptr) return text(value);
  const shape& from = in.operands[0].shape;
  return kept_text(value, "A", from.rank, axis_of(in, from));
}
/// Every summand has the derivative of the sum.
constexpr text summed_adjoint(const rule_input& in) {
  return text() << "dA = " << reduced_text("dC", in).view();
}
/// Every element has its share.
constexpr text averaged_adjoint(const rule_input& in) {
  const value_type& t = in.operands[0];
  const std::uint32_t axis = axis_of(in, t.shape);
  const bool all = in.find("axis") == nullptr;
  const text count = count_text("A", t, all ? 0 : axis, all ? t.shape.rank : axis + 1);
  return text() << "D = dC / " << count.view() << "; dA = " << reduced_text("D", in).view();
}
/// The largest element has the derivative; equal ones share it.
constexpr text largest_adjoint(const rule_input& in) {
  text out;
  out << "E = cast(equal(A, " << reduced_text("C", in).view() << "), dtype = \""
      << name_of(in.operands[0].type) << "\"); D = dC / sum(E";
  if (in.find("axis") != nullptr) out << ", axis = " << axis_of(in, in.operands[0].shape);
  return out << "); dA = multiply(E, " << reduced_text("D", in).view() << ')';
}

}  // namespace wf::kernels::detail
