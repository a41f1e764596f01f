// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/graph.hpp>
#include <wf/registry/law.hpp>
#include <wf/registry/meaning.hpp>
#include <wf/registry/signature.hpp>
#include <wf/registry/view_reading.hpp>

namespace wf {

namespace compute {
// How the run-time executor computes an operator; <wf/run/operators/application.hpp> defines it.
template <class Real>
struct executable_operator;
}  // namespace compute

/// How the run-time executor computes an operator of the user's own, for each type of its elements:
/// those of the run-time executors, bool, i32, i64, f32, f64, c64 and c128. False if for none.
class kernel_implementations {
 public:
  /// With elements of a type; null: it cannot.
  template <class Element>
  constexpr const compute::executable_operator<Element>* of() const {
    return static_cast<const compute::executable_operator<Element>*>(rows_[place<Element>]);
  }
  /// The same with a function for one type.
  template <class Element>
  constexpr kernel_implementations with(
      const compute::executable_operator<Element>& computed) const {
    kernel_implementations out = *this;
    out.rows_[place<Element>] = &computed;
    return out;
  }
  /// True if there is any.
  constexpr explicit operator bool() const {
    for (const void* row : rows_)
      if (row != nullptr) return true;
    return false;
  }

 private:
  static constexpr dtype executed[] = {dtype::boolean, dtype::i32, dtype::i64, dtype::f32,
                                       dtype::f64,     dtype::c64, dtype::c128};
  static constexpr std::size_t place_of(dtype d) {
    std::size_t i = 0;
    while (executed[i] != d) ++i;
    return i;
  }
  template <class Element>
  static constexpr std::size_t place = place_of(dtype_of<Element>);

  const void* rows_[sizeof executed / sizeof *executed] = {};
};

/// The most metrics for which a kernel may state a formula; others take the metric's default.
inline constexpr std::size_t max_kernel_costs = 10;

/// What formulas of costs call the bytes of the second-level cache of the machine that they hold
/// for: see `registry::caches`.
inline constexpr text_view second_cache_symbol = "second_cache";

/// What the name of a kernel's cost says: "flops", and the elements that it is the price for, if
/// not for all.
struct priced_metric {
  text_view metric;    ///< such as "flops"
  text_view elements;  ///< a dtype or a class of dtypes; empty: all

  /// Of "flops" or "flops(complex)".
  static constexpr priced_metric of(text_view name) {
    const std::size_t open = name.find('(');
    if (open >= name.size() || name[name.size() - 1] != ')') return {name, {}};
    return {name.part(0, open), name.part(open + 1, name.size() - open - 2)};
  }
};

/// One metric's price of a kernel: `{"flops", "2*Y"}`; of `{"flops(complex)", "8*Y"}` it is that of
/// nodes of which an operand or a result has such elements, which goes before that of all. Plain
/// pointers, since compilers convert hundreds of literals to views in noticeable time; `costs_of`
/// gives views.
struct kernel_cost {
  /// The name of the metric; null: no price.
  const char* metric = nullptr;
  /// The price, as text of the formula language.
  const char* formula = nullptr;
  std::uint32_t metric_size = 0;   ///< characters of `metric`; 0: it is null-terminated
  std::uint32_t formula_size = 0;  ///< characters of `formula`; 0: it is null-terminated

  /// The same as views, which live as long as what the pointers point to.
  constexpr cost_formula text() const {
    return {view_of(metric, metric_size), view_of(formula, formula_size)};
  }
  /// The price whose texts need not be null-terminated, nor be literals; they must not be empty.
  static constexpr kernel_cost of(const cost_formula& c) {
    return {c.metric.data(), c.formula.data(), static_cast<std::uint32_t>(c.metric.size()),
            static_cast<std::uint32_t>(c.formula.size())};
  }
  /// The characters; none for null.
  static constexpr text_view view_of(const char* data, std::uint32_t size) {
    if (data == nullptr) return {};
    return size == 0 ? text_view(data) : text_view(data, size);
  }
};

/// What the attributes are called that state the extents of a result, by dimension.
inline constexpr text_view stated_extent_names[max_rank] = {"d0", "d1", "d2", "d3",
                                                            "d4", "d5", "d6", "d7"};

/// What the attributes are called that state which dimension of the operand each dimension of a
/// result is.
inline constexpr text_view permuted_dimension_names[max_rank] = {"p0", "p1", "p2", "p3",
                                                                 "p4", "p5", "p6", "p7"};

/// What a rule sees of a node: operand types and attributes.
struct rule_input {
  /// The operands' types, in order.
  view<value_type> operands;
  /// The node's attributes.
  view<attribute_value> attributes;
  /// The graph whose derived extents the operands use, or null if there is none (yet).
  const graph_view* graph = nullptr;
  /// Where rules put the polynomials of derived extents, or null if there is no place for them.
  table<text>* derived = nullptr;
  /// The signature that declares the attributes' defaults, or null.
  const signature* declared = nullptr;

  /// The integer attribute of that name, else the default that the signature declares, else
  /// `otherwise`.
  constexpr std::int64_t integer(text_view name, std::int64_t otherwise) const {
    for (const attribute_value& a : attributes)
      if (a.name == name && a.kind == attribute_kind::integer) return a.number;
    std::int64_t number = 0;
    const attribute_declaration* a = declared == nullptr ? nullptr : declared->find_attribute(name);
    return a != nullptr && detail::integer_in(a->default_value, number) ? number : otherwise;
  }
  /// The attribute of that name, or null.
  constexpr const attribute_value* find(text_view name) const {
    for (const attribute_value& a : attributes)
      if (a.name == name) return &a;
    return nullptr;
  }
};

/// Computes the shape of every result where a pattern cannot say it; operands may have extents
/// that are unknown, but ranks are known.
using shape_rule = result<shape> (*)(const rule_input&);
/// Computes the element type of every result where the signature cannot say it.
using dtype_rule = result<dtype> (*)(const rule_input&);
/// Computes the properties of the (first) result from the operands.
using property_rule = properties (*)(const rule_input&);

/// The operands of a node of each of which all elements are one number.
struct constant_operands {
  const double* numbers = nullptr;  ///< by operand; finite, an element of its type
  const rule_input& node;           ///< types and attributes
  dtype result = dtype::unknown;    ///< the element type of the (first) result

  /// The number of an operand.
  constexpr double operator[](std::size_t operand) const { return numbers[operand]; }
  /// The element type of an operand.
  constexpr dtype type_of(std::size_t operand) const { return node.operands[operand].type; }
};
/// Computes the number that all elements of all results are; it is settled to the element type of
/// each result afterwards (`settle_element`). False if there is none, if it is not finite, or if it
/// depends on who computes it. Real elements only.
using constant_rule = bool (*)(const constant_operands&, double& number);

/// What a node is to the one kernel that may compute it together with its neighbours.
enum class fusion_role : std::uint8_t {
  none,         ///< it is a kernel of its own
  elementwise,  ///< each element of its results depends on one place of its operands
  reduction,    ///< it ends a kernel: of its operand's elements fewer ones
  contraction,  ///< it begins a kernel: a product of tensors or a convolution
};

/// The name of a role, for reports; of a group "single" for `none`.
constexpr text_view name_of(fusion_role r) {
  return r == fusion_role::none          ? "single"
         : r == fusion_role::elementwise ? "elementwise"
         : r == fusion_role::reduction   ? "reduction"
                                         : "contraction";
}

/// Everything wf knows of an operator, in one value: adding an operator is adding one of these.
struct kernel_spec {
  /// The operator's name, unique in a registry: "matmul".
  text_view name;
  /// The family it belongs to: "linalg".
  text_view domain = {};
  /// What it computes, to rules that look at several nodes.
  wf::meaning meaning = wf::meaning::other;
  /// Operands and results: see `signature`.
  text_view signature = {};
  /// Formulas for metrics; empty entries end the list.
  kernel_cost costs[max_kernel_costs] = {};
  /// Result shape, if the signature's pattern cannot say it. The rule then also checks the
  /// dimensions that `...` stands for, which need not broadcast.
  shape_rule result_shape = nullptr;
  /// Result element type, if the signature cannot say it.
  dtype_rule result_dtype = nullptr;
  /// Result properties, if any can be inferred.
  property_rule result_properties = nullptr;
  /// True if its results are only views of its first operand: they cost nothing.
  bool is_view = false;
  /// Of a view, how it reads that operand. Where the reading can be followed in the operand's
  /// storage the view lies there (`storage_rule`); else, and without a rule, it is a copy.
  view_rule reading = nullptr;
  /// True if each result may be written over an operand of its shape that is not read again: the
  /// k-th over the k-th `through` operand, if there are such, else over any. What is elementwise
  /// with one result may always.
  bool in_place = false;
  /// True if every element of its results is an element of an operand, moved or repeated, and any
  /// may be: what all of them are the results are, too.
  bool moves_elements = false;
  /// What it computes where all elements of each operand are one number: what constants are folded
  /// by; null: they are not.
  constant_rule constant = nullptr;
  /// Along which dimensions of its (first) result it may be cut into parts: see `cut_of`. A
  /// character a dimension: `c` may be cut, each part from the same part of whichever operands have
  /// that dimension, and all of the others; `w` may be cut, but a part reads some of its
  /// neighbours' operands, too (windows); `-` not, since elements along it depend on each other.
  /// `*` stands for any number that may be cut. Empty: all of what is elementwise, else none.
  text_view cuts = {};
  /// The equations it satisfies.
  law_set laws = {};
  /// Its part in a kernel that computes several nodes at once (`group_fusion`); what the laws call
  /// elementwise is so without it.
  fusion_role fusion = fusion_role::none;
  /// What it does besides computing its results; what is not pure is never merged or dropped.
  effect effects = effect::pure;
  /// True if it replaces an earlier kernel of the same name; without it a duplicate is an error.
  bool overrides = false;
  /// One sentence for the reference manual.
  text_view summary = {};
  /// How the run-time executor computes it (<wf/run/plan/executable_kernels.hpp> makes these);
  /// none: as the built-in kernel of this name, if there is one.
  kernel_implementations implementation = {};
};

/// How an operator may be cut along a dimension of its result.
enum class cut : std::uint8_t {
  none,     ///< not at all
  parts,    ///< into parts that are computed from parts of the operands
  windows,  ///< likewise, but the parts of the operands overlap
};

/// How a kernel may be cut along dimension `d` of its (first) result of `rank` dimensions, by
/// `kernel_spec::cuts`. O(rank).
constexpr cut cut_of(const kernel_spec& k, std::uint32_t rank, std::uint32_t d) {
  if (k.cuts.empty()) return k.laws.elementwise ? cut::parts : cut::none;
  const std::size_t star = k.cuts.find('*'), size = k.cuts.size();
  const std::size_t from_end = std::size_t{rank} - 1 - d;
  char c = 'c';
  if (d < star && d < size)
    c = k.cuts[d];
  else if (star < size && from_end < size - 1 - star)
    c = k.cuts[size - 1 - from_end];
  else if (star >= size)
    c = '-';
  return c == 'c' ? cut::parts : c == 'w' ? cut::windows : cut::none;
}

/// The cost formulas of a kernel, without the empty entries.
constexpr table<cost_formula> costs_of(const kernel_spec& k) {
  table<cost_formula> out;
  for (const kernel_cost& c : k.costs)
    if (c.metric != nullptr) out.push_back(c.text());
  return out;
}

}  // namespace wf
