// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/calls.hpp>
#include <wf/capture/equations/indices.hpp>

namespace wf::detail {

/// A name with the names of its indices: an argument, result or local name of a function.
struct v2_name {
  text_view name;   ///< without indices
  label_list axes;  ///< names of the indices
};

/// A function of the v2 dialect; its body is read again wherever it is called.
struct v2_function {
  text_view name;           ///< as its definition spells it
  std::uint32_t unit = 0;   ///< the text with its definition
  std::size_t body = 0;     ///< start of the body in that text, in characters
  bool has_result = false;  ///< true if `-> result` is declared
  v2_name result;           ///< what a call stands for
  table<v2_name> formals;   ///< arguments in order
  table<v2_name> locals;    ///< names that the body defines, in order, perhaps repeated
};

/// A text of the v2 dialect, the program or an import, with what it declares.
struct v2_unit {
  /// A constant.
  struct constant {
    text_view name;    ///< how references spell it
    double value = 0;  ///< folded
  };
  /// A function under the name by which this text calls it.
  struct known_function {
    text_view name;              ///< with its name space: `q::f`
    std::uint32_t function = 0;  ///< index into the functions of the program
  };
  text_view source;                 ///< the whole text
  text_view path;                   ///< as an import spells it; empty for the program
  bool complete = false;            ///< true once everything that it declares is known
  table<constant> constants;        ///< in source order
  table<known_function> functions;  ///< own ones and imported ones
};

/// A call that is being replaced by the body of its function: what names in the body stand for.
struct v2_call {
  /// What an axis of the body is called outside.
  struct bound_axis {
    text_view inside;   ///< in the text of the function
    text_view outside;  ///< in the tree
  };
  const v2_call* outer = nullptr;  ///< the call whose body has this one
  std::uint32_t function = 0;      ///< index into the functions of the program
  std::uint32_t number = 0;        ///< of this call, from 1: names its locals
  std::uint32_t offset = 0;        ///< start of the call, in characters
  table<v2_name> operands;         ///< for each formal the tensor that it stands for
  table<bound_axis> axes;          ///< those of the formals first
  label_list leading;              ///< axes of operands that no formal has

  /// True if a tensor of this call has the axis.
  constexpr bool has_outside(text_view axis) const {
    for (const bound_axis& a : axes)
      if (a.outside == axis) return true;
    return has_label(leading, axis);
  }
};

/// The axes of an expression: the indices of its references that no reduction in it takes away, in
/// the order of their first appearance. O(nodes · axes).
constexpr label_list axes_of(const equation_program& p, std::uint32_t root) {
  struct scope {
    range reduced;
    std::uint32_t outer = 0;
  };
  struct visit {
    std::uint32_t node = 0, scope = 0;
  };
  table<scope> scopes{scope{}};
  table<visit> left{visit{root, 0}};
  label_list out;
  while (!left.empty()) {
    visit v = left.back();
    left.pop_back();
    const equation_node& n = p.nodes[v.node];
    if (n.kind == equation_kind::reduction) {
      scopes.push_back({n.indices, v.scope});
      v.scope = static_cast<std::uint32_t>(scopes.size() - 1);
    } else {
      for (std::uint32_t i = 0; i < n.indices.count; ++i) {
        const index_term& t = p.indices[n.indices.first + i];
        bool free = (t.kind == index_kind::axis || t.kind == index_kind::slice) && !t.streams;
        for (std::uint32_t s = v.scope; s != 0; s = scopes[s].outer)
          free = free && !has_label(names_of_indices(p, scopes[s].reduced), t.name);
        if (free) add_missing(out, {&t.name, 1});
      }
    }
    for (std::uint32_t i = n.children.count; i-- > 0;) left.push_back({child_of(p, n, i), v.scope});
  }
  return out;
}

/// Computes a · b; false if the product is not finite.
constexpr bool finite_product(double a, double b, double& out) {
  constexpr double limit = 1.7e308;
  const double size = a < 0 ? -a : a, by = b < 0 ? -b : b;
  if (by > 1 && size > limit / by) return false;
  out = a * b;
  return true;
}

/// Computes base ** exponent for a whole exponent of at most 1024 in size; false otherwise, and if
/// the power is not finite. O(exponent).
constexpr bool whole_power(double base, double exponent, double& out) {
  if (!(exponent >= -1024 && exponent <= 1024)) return false;
  const auto times = static_cast<int>(exponent);
  if (static_cast<double>(times) != exponent) return false;
  double power = 1;
  for (int i = times < 0 ? -times : times; i > 0; --i)
    if (!finite_product(power, base, power)) return false;
  if (times >= 0) return out = power, true;
  if (power < 1e-300 && power > -1e-300) return false;
  return out = 1 / power, true;
}

}  // namespace wf::detail
