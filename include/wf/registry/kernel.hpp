// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/graph.hpp>
#include <wf/registry/law.hpp>
#include <wf/registry/meaning.hpp>
#include <wf/registry/signature.hpp>
#include <wf/registry/view_reading.hpp>

namespace wf {

namespace compute {
// The run-time executor's implementation of an operator; see <wf/run/operators/application.hpp>.
template <class Real>
struct operator_implementation;
}  // namespace compute

/// Implementations of an operator in the run-time executor, one per element type: bool, i32, i64,
/// f32, f64, c64 and c128. Converts to false if there is none.
class kernel_implementations {
 public:
  /// The implementation for elements of type `Element`; null if there is none.
  template <class Element>
  constexpr const compute::operator_implementation<Element>* of() const {
    return static_cast<const compute::operator_implementation<Element>*>(rows_[place<Element>]);
  }
  /// A copy in which `computed` implements the operator for `Element`.
  template <class Element>
  constexpr kernel_implementations with(
      const compute::operator_implementation<Element>& computed) const {
    kernel_implementations out = *this;
    out.rows_[place<Element>] = &computed;
    return out;
  }
  /// True if there is an implementation for elements of type `d`.
  constexpr bool cover(dtype d) const {
    for (std::size_t i = 0; i < count; ++i)
      if (executed[i] == d) return rows_[i] != nullptr;
    return false;
  }
  /// True if there is an implementation for at least one element type.
  constexpr explicit operator bool() const {
    for (const void* row : rows_)
      if (row != nullptr) return true;
    return false;
  }

 private:
  static constexpr dtype executed[] = {dtype::boolean, dtype::i32, dtype::i64, dtype::f32,
                                       dtype::f64,     dtype::c64, dtype::c128};
  static constexpr std::size_t count = sizeof executed / sizeof *executed;
  static constexpr std::size_t place_of(dtype d) {
    std::size_t i = 0;
    while (executed[i] != d) ++i;
    return i;
  }
  template <class Element>
  static constexpr std::size_t place = place_of(dtype_of<Element>);

  const void* rows_[count] = {};
};

/// Maximum number of results of a kernel.
inline constexpr std::size_t max_results = 6;
/// Maximum number of operands of a kernel.
inline constexpr std::size_t max_operands = 8;

/// Maximum number of cost formulas of a kernel; other metrics take their default.
inline constexpr std::size_t max_kernel_costs = 10;

/// The symbol in cost formulas for the second-level cache, in bytes, of the machine for which times
/// hold: see `registry::caches`.
inline constexpr text_view second_cache_symbol = "second_cache";

/// The parsed name of a kernel's cost: the metric, and the element types that the price covers.
struct priced_metric {
  text_view metric;    ///< name of the metric, such as "flops"
  text_view elements;  ///< dtype or class of dtypes; empty: all element types

  /// Parses a name such as "flops" or "flops(complex)".
  static constexpr priced_metric of(text_view name) {
    const std::size_t open = name.find('(');
    if (open >= name.size() || name[name.size() - 1] != ')') return {name, {}};
    return {name.part(0, open), name.part(open + 1, name.size() - open - 2)};
  }
};

/// The price of a kernel in one metric: `{"flops", "2*Y"}`. A price with element types,
/// `{"flops(complex)", "8*Y"}`, holds for nodes with an operand or result of such a type, and takes
/// precedence over the general price. Plain pointers, since compilers take noticeable time to
/// convert hundreds of literals to views; `costs_of` gives views.
struct kernel_cost {
  /// Name of the metric; null: an empty entry.
  const char* metric = nullptr;
  /// The price as text of the formula language.
  const char* formula = nullptr;
  std::uint32_t metric_size = 0;   ///< characters in `metric`; 0: null-terminated
  std::uint32_t formula_size = 0;  ///< characters in `formula`; 0: null-terminated

  /// The same as views; valid as long as the pointed-to characters.
  constexpr cost_formula text() const {
    return {view_of(metric, metric_size), view_of(formula, formula_size)};
  }
  /// A price whose texts need not be null-terminated or literals; they must not be empty.
  static constexpr kernel_cost of(const cost_formula& c) {
    return {c.metric.data(), c.formula.data(), static_cast<std::uint32_t>(c.metric.size()),
            static_cast<std::uint32_t>(c.formula.size())};
  }
  /// The characters as a view; empty for null.
  static constexpr text_view view_of(const char* data, std::uint32_t size) {
    if (data == nullptr) return {};
    return size == 0 ? text_view(data) : text_view(data, size);
  }
};

/// Names of the attributes that state the extents of a result, by dimension.
inline constexpr text_view stated_extent_names[max_rank] = {"d0", "d1", "d2", "d3",
                                                            "d4", "d5", "d6", "d7"};

/// Names of the attributes of a permutation: by dimension of the result, the dimension of the
/// operand.
inline constexpr text_view permuted_dimension_names[max_rank] = {"p0", "p1", "p2", "p3",
                                                                 "p4", "p5", "p6", "p7"};

/// Input of a kernel's rules: operand types and attributes of a node.
struct rule_input {
  /// The operands' types, in order.
  view<value_type> operands;
  /// The node's attributes.
  view<attribute_value> attributes;
  /// The graph whose derived extents the operands use, or null if there is none (yet).
  const graph_view* graph = nullptr;
  /// Table to which rules append polynomials of derived extents; null: rules cannot derive extents.
  table<text>* derived = nullptr;
  /// The signature that declares default values of attributes, or null.
  const signature* declared = nullptr;
  /// The number of the result whose shape or element type is wanted.
  std::uint32_t result = 0;

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
  /// The number in the attribute of that name, ratios divided; `otherwise` if absent.
  constexpr double real(text_view name, double otherwise) const {
    const attribute_value* const a = find(name);
    if (a == nullptr) return otherwise;
    if (a->kind == attribute_kind::real) return a->real;
    return static_cast<double>(a->number) / static_cast<double>(a->denominator);
  }
};

/// Computes the shape of a result that a pattern cannot express. Operands may have unknown extents,
/// but their ranks are known.
using shape_rule = result<shape> (*)(const rule_input&);
/// Computes the element type of a result that the signature cannot express.
using dtype_rule = result<dtype> (*)(const rule_input&);
/// Computes the properties of the (first) result from the operands.
using property_rule = properties (*)(const rule_input&);

/// Operands that are constant each: all elements of an operand are one number.
struct constant_operands {
  const double* numbers = nullptr;  ///< by operand; representable in its type
  const rule_input& node;           ///< types and attributes
  dtype result = dtype::unknown;    ///< the element type of the (first) result

  /// The number of an operand.
  constexpr double operator[](std::size_t operand) const { return numbers[operand]; }
  /// The element type of an operand.
  constexpr dtype type_of(std::size_t operand) const { return node.operands[operand].type; }
};
/// Computes the number that all elements of all results equal; the caller then converts it to the
/// element type of each result (`settle_element`). False if there is no such number, if it is not
/// finite, or if it depends on the executor. Real elements only, which are finite.
using constant_rule = bool (*)(const constant_operands&, double& number);
/// Computes an element of the result of an elementwise operator from the elements of its operands,
/// at run time and as the C library does: an executor's vectors may differ in the last digits. The
/// number is one of any size, which the caller rounds to the element type; infinities and NaN are
/// operands and results like others. Real elements only.
using element_rule = double (*)(const constant_operands&);
/// Computes so many elements of type f64 likewise, of an operator of at most three operands: those
/// of the k-th operand follow each other at `operands[k]`.
using elements_rule = void (*)(const rule_input& node, const double* const* operands, double* out,
                               std::size_t count);

namespace detail {
// The rule of many elements that an inlined rule of one gives.
template <element_rule One>
void elements_of(const rule_input& node, const double* const* operands, double* out,
                 std::size_t count) {
  const std::size_t arity = node.operands.size() < 3 ? node.operands.size() : 3;
  for (std::size_t i = 0; i < count; ++i) {
    const double numbers[3] = {operands[0][i], operands[arity > 1 ? 1 : 0][i],
                               operands[arity > 2 ? 2 : 0][i]};
    out[i] = One(constant_operands{numbers, node, dtype::f64});
  }
}
}  // namespace detail

/// Writes the equations of an adjoint or a definition for a node of these types and attributes, see
/// `kernel_spec::adjoint` and `kernel_spec::definition`; empty if the node has none.
using equation_rule = text (*)(const rule_input&);

/// Role of a node in a fused kernel, which computes several nodes at once.
enum class fusion_role : std::uint8_t {
  none,         ///< not fused: a kernel of its own
  elementwise,  ///< each element of a result depends on one position of the operands
  reduction,    ///< ends a fused kernel: maps elements of its operand to fewer
  contraction,  ///< starts a fused kernel: a tensor product or a convolution
};

/// The name of a role, for reports; "single" for a group of role `none`.
constexpr text_view name_of(fusion_role r) {
  return r == fusion_role::none          ? "single"
         : r == fusion_role::elementwise ? "elementwise"
         : r == fusion_role::reduction   ? "reduction"
                                         : "contraction";
}

/// The full description of an operator: adding an operator to wf means adding one such value.
struct kernel_spec {
  /// The operator's name, unique in a registry: "matmul".
  text_view name;
  /// The family it belongs to: "linalg".
  text_view domain = {};
  /// Mathematical meaning, for rules that match several nodes.
  wf::meaning meaning = wf::meaning::other;
  /// Operands and results: see `signature`.
  text_view signature = {};
  /// Formulas for metrics; unused entries are empty.
  kernel_cost costs[max_kernel_costs] = {};
  /// Computes the shape of the results with leading dimensions `...` if the signature's pattern
  /// cannot express it. The rule also checks the leading dimensions, which then need not broadcast.
  shape_rule result_shape = nullptr;
  /// Computes the element type of the results without a stated type if the signature cannot express
  /// it.
  dtype_rule result_dtype = nullptr;
  /// Computes result properties; null: none are inferred.
  property_rule result_properties = nullptr;
  /// True if all results are views of the first operand, at no cost.
  bool is_view = false;
  /// For a view, the access pattern on that operand. If strides in the operand's storage can
  /// express the pattern, the view lies there (`storage_rule`); otherwise, and without a rule, it
  /// is a copy.
  view_rule reading = nullptr;
  /// True if a result may overwrite an operand of its shape that is not read again: the k-th result
  /// the k-th `through` operand if there are such, else any operand. An elementwise operator with
  /// one result always may.
  bool in_place = false;
  /// True if every element of a result is some element of an operand, moved or repeated: what holds
  /// for all elements of the operands then holds for those of the results.
  bool moves_elements = false;
  /// Constant folding rule for operands of which all elements are equal; null: no folding.
  constant_rule constant = nullptr;
  /// Computes one element of the result of an elementwise operator at run time; null: only
  /// executors do. `executable_kernels` sets it to the function of `implement_elementwise`.
  element_rule element = nullptr;
  /// Computes many of them, the same to the last bit; null: one by one.
  elements_rule elements = nullptr;
  /// The adjoint, as equations that `parse_equations` reads: `"dA = dC trans(B); dB = trans(A)
  /// dC"`. They define the derivative of each operand that may have one, named `d` and the operand,
  /// in the operands, the results and their derivatives by name (those of a pack numbered: `A0`,
  /// `A1`), and the node's attributes as numbers. An attribute of a call takes its value from an
  /// attribute of the node, a dimension of the signature, or dimension k of an operand or result
  /// `A` as `A_k`. A derivative is summed over, or repeated along, dimensions that broadcast. `dA =
  /// 0` if small changes of A change nothing. Empty: `gradient` does not pass the operator. Real
  /// elements.
  text_view adjoint = {};
  /// Writes those equations where they depend on ranks or attributes; null: they are `adjoint`.
  equation_rule write_adjoint = nullptr;
  /// What the operator computes, as equations with indices: `"S[...] = X[...,n]; Y[...,n] =
  /// X[...,n] / S[...]"`. They define the (first) result by its name, and may define names of their
  /// own before, in the operands by name and the node's attributes as numbers; `...` stands for the
  /// leading dimensions. `axis i = L` says how far an index runs. A program of rules (`wf/logic`)
  /// that calls the operator has them in its place. Empty: rules have no place for the operator,
  /// unless it is elementwise. Real elements.
  text_view definition = {};
  /// Writes those equations where they depend on ranks or attributes; null: they are `definition`.
  equation_rule write_definition = nullptr;
  /// How often at most a node runs a workflow of its own, a formula over the signature's symbols
  /// and attributes; empty: it has none. The text of the workflow, its body, is the attribute
  /// `body`; it has the node's operands as inputs, and takes the last `carried` of them, an
  /// attribute, from its outputs when it runs again. The results are its last outputs, then the
  /// number of runs, and whether the last one changed no number by more than the attribute
  /// `tolerance` (relative to 1 or the number, whichever is larger), after which it runs no more. A
  /// node costs what it states and what so many runs cost.
  text_view repeats = {};
  /// Dimensions of the (first) result along which the kernel may be partitioned, see `cut_of`; one
  /// character per dimension. `c`: may be cut; a part needs the same part of each operand with that
  /// dimension, and all of the other operands. `w`: may be cut, but a part also reads some of its
  /// neighbours' operands (windows). `-`: must not be cut, since elements along it depend on each
  /// other. `*`: any number of dimensions that may be cut. Empty: all dimensions of an elementwise
  /// kernel, else none.
  text_view cuts = {};
  /// The equations it satisfies.
  law_set laws = {};
  /// Role in fused kernels (`group_fusion`); kernels with the law `elementwise` need not state it.
  fusion_role fusion = fusion_role::none;
  /// Effects besides computing results; a kernel that is not pure is never merged or dropped.
  effect effects = effect::pure;
  /// True if it replaces an earlier kernel of the same name; without it a duplicate is an error.
  bool overrides = false;
  /// One sentence for the reference manual.
  text_view summary = {};
  /// Implementation in the run-time executor (<wf/run/plan/executable_kernels.hpp> makes these);
  /// none: that of the built-in kernel of this name, if there is one.
  kernel_implementations implementation = {};
  /// A library's implementation beside that one (<wf/run/blas/blas_kernels.hpp> has those of BLAS
  /// and LAPACK); executors call it at nodes where the cost `library_time` is less than
  /// `execution_time` (`implementation_times`). None: there is no choice.
  kernel_implementations library = {};

  /// True if `result_shape` computes the shape of a result.
  constexpr bool rules_shape_of(const parameter& result) const {
    return result_shape != nullptr && result.leading;
  }
  /// True if `result_dtype` computes the element type of a result.
  constexpr bool rules_dtype_of(const parameter& result) const {
    return result_dtype != nullptr && dtype_named(result.bound) == dtype::unknown;
  }
};

/// Ways to partition an operator along a dimension of its result.
enum class cut : std::uint8_t {
  none,     ///< must not be partitioned
  parts,    ///< into parts computed from the corresponding parts of the operands
  windows,  ///< likewise, with overlapping parts of the operands
};

/// The way to partition a kernel along dimension `d` of its (first) result of `rank` dimensions,
/// from `kernel_spec::cuts`. O(rank).
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
