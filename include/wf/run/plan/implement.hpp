// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include <wf/core/text/text.hpp>
#include <wf/ir/graph/view.hpp>
#include <wf/registry/dimension.hpp>
#include <wf/registry/kernel.hpp>
#include <wf/registry/signature.hpp>

// Implementations of the user's own operators: a kernel with a function that both executors call.
// Nothing of wf is edited for it.
namespace wf {

/// Optional last argument of an operator's function: the attributes of the node, with the defaults
/// that its kernel declares, and scratch storage.
class node_context {
 public:
  /// Refers to the attributes and to the storage, of `bytes` bytes; both must outlive it.
  constexpr node_context(view<attribute_value> attributes, std::byte* scratch, std::size_t bytes)
      : attributes_(attributes), scratch_(scratch), bytes_(bytes) {}

  /// True if the node has this attribute or its kernel declares a default. O(attributes).
  constexpr bool has(text_view name) const { return find(name) != nullptr; }
  /// Value of an integer or extent attribute; 0 if absent. O(attributes).
  constexpr std::int64_t integer(text_view name) const {
    const attribute_value* a = find(name);
    return a == nullptr ? 0 : a->number;
  }
  /// Value of a numeric attribute of any kind; 0 if absent. O(attributes).
  constexpr double real(text_view name) const {
    const attribute_value* a = find(name);
    return a == nullptr ? 0 : number_of(*a);
  }
  /// Value of a text attribute; empty if absent. O(attributes).
  constexpr text_view characters(text_view name) const {
    const attribute_value* a = find(name);
    return a == nullptr ? text_view() : a->characters;
  }
  /// The scratch storage as elements of T, not initialised: as many bytes as the kernel's cost
  /// "scratch" states, aligned for elements of eight bytes (to a cache line unless memory is
  /// short).
  template <class T>
  std::span<T> scratch() const {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= sizeof(double));
    return {reinterpret_cast<T*>(scratch_), bytes_ / sizeof(T)};
  }

  /// Value of a numeric attribute as a double; ratios are divided.
  static constexpr double number_of(const attribute_value& a) {
    return a.kind == attribute_kind::real
               ? a.real
               : static_cast<double>(a.number) / static_cast<double>(a.denominator);
  }

 private:
  constexpr const attribute_value* find(text_view name) const {
    for (const attribute_value& a : attributes_)
      if (a.name == name) return &a;
    return nullptr;
  }

  view<attribute_value> attributes_;
  std::byte* scratch_;
  std::size_t bytes_;
};

/// A tensor of rank three or more as an argument of an operator's function, in row-major order.
template <class T>
struct tensor_span {
  wf::shape shape;        ///< static: all extents are known
  T* elements = nullptr;  ///< first element; all are consecutive

  /// The element at one index per dimension; unchecked. O(dimensions).
  template <std::integral... Index>
  T& operator()(Index... at) const {
    std::size_t place = 0;
    std::uint32_t d = 0;
    ((place = place * static_cast<std::size_t>(shape[d++].size()) + static_cast<std::size_t>(at)),
     ...);
    return elements[place];
  }
};

namespace detail {

// The attributes that a kernel declares, as constants.
template <const kernel_spec& Kernel>
struct declared_attributes {
  static constexpr std::size_t most = 16;
  struct list {
    attribute_value of[most];
    bool has_default[most] = {};
    std::size_t count = 0;
  };
  static constexpr list make() {
    list out;
    const auto s = parse_signature(Kernel.signature);
    if (!s || s->attributes.size() > most) return out;
    for (const attribute_declaration& a : s->attributes) {
      attribute_value& v = out.of[out.count];
      rational number;
      bool& known = out.has_default[out.count++];
      if (a.kind == "string") {
        known = !a.default_value.empty();
        v = attribute_value::string(a.name, a.default_value);
      } else {
        known = default_of(&*s, a.name, number);
        v = attribute_value::ratio(a.name, static_cast<std::int64_t>(number.numerator),
                                   static_cast<std::int64_t>(number.denominator));
      }
    }
    return out;
  }
  static constexpr list value = make();
};

// The attributes of a node: first the declared ones, in order of declaration and with their
// defaults, then all others.
struct node_attributes {
  static constexpr std::size_t most = 32;
  attribute_value of[most];
  std::size_t count = 0;

  template <class Declared>
  constexpr node_attributes(const graph_view& g, const node& n, Declared) {
    const auto& declared = Declared::value;
    for (std::size_t i = 0; i < declared.count; ++i) {
      const attribute* stated = g.find_attribute(n, declared.of[i].name);
      if (stated != nullptr)
        of[count++] = value_of(g, *stated);
      else if (declared.has_default[i])
        of[count++] = declared.of[i];
    }
    for (std::uint32_t i = 0; i < n.attributes.count && count < most; ++i) {
      const attribute& a = g.attributes[n.attributes.first + i];
      bool known = false;
      for (std::size_t k = 0; k < declared.count; ++k)
        known = known || declared.of[k].name == g.text_of(a.name);
      if (!known) of[count++] = value_of(g, a);
    }
  }
  constexpr operator view<attribute_value>() const { return {of, count}; }

 private:
  static constexpr attribute_value value_of(const graph_view& g, const attribute& a) {
    return {g.text_of(a.name), a.kind, a.number, a.denominator, a.real, g.text_of(a.characters)};
  }
};

// True if a kernel states scratch storage, for any element type.
constexpr bool states_scratch(const kernel_spec& k) {
  for (const kernel_cost& c : k.costs)
    if (c.metric != nullptr && priced_metric::of(c.text().metric).metric == "scratch") return true;
  return false;
}

// Calls a function with results, operands and, if it takes one, a context. Without one first: a
// function of any number of arguments would take the context for an operand.
template <class F, class... Arguments>
decltype(auto) call_function(const node_context& context, Arguments&&... arguments) {
  if constexpr (std::is_invocable_v<const F&, Arguments...>)
    return F{}(static_cast<Arguments&&>(arguments)...);
  else if constexpr (std::is_invocable_v<const F&, const node_context&, Arguments...>)
    return F{}(context, static_cast<Arguments&&>(arguments)...);
  else
    return F{}(static_cast<Arguments&&>(arguments)..., context);
}

// The reason of a failure, from the return value of a function; empty if it succeeded.
inline text failure_of(bool done) {
  return done ? text() : text("its function cannot compute this");
}
inline text failure_of(text_view why) { return text(why); }

// f(x..., parameters...).
template <class F, std::size_t... I, class Parameter, class... X>
constexpr auto call_elementwise(std::index_sequence<I...>, const Parameter* parameters, X... x) {
  return F{}(x..., parameters[I]...);
}

}  // namespace detail

/// The implementation of an operator, made by `implement` or `implement_elementwise`. `F` is the
/// type of a function without state.
template <const kernel_spec& Kernel, class F, bool Elementwise>
struct implementation {
  /// The kernel of the operator.
  static constexpr const kernel_spec& kernel = Kernel;
  /// Type of the function, default-constructed for each call.
  using function = F;
  /// True if the function maps one element of each operand to one of the result.
  static constexpr bool is_elementwise = Elementwise;
  /// Attributes that the kernel declares.
  using attributes = detail::declared_attributes<Kernel>;
};

/// Implements an operator by a function without state that both executors call:
///
///     wf::implement<tail>([](auto& y, const auto& x, const wf::node_context& c) {
///       y = x.tail(c.integer("count"));
///     })
///
/// Its parameters are the results, then the operands, in the order of the kernel's signature, then
/// optionally a `node_context`; a function for a signature with packs takes any number of them, and
/// the `node_context`, if it wants one, as its first parameter. A dimension that is optional is
/// there: a vector comes as a matrix of one column. A scalar is a number, a vector a column, a
/// matrix an Eigen matrix or map: of fixed size in a static plan, where it may be a transpose
/// expression; column-major in the run-time executor. Tensors of higher rank are `tensor_span`s.
/// Results are not initialised and have the shape that the kernel infers; if the kernel is
/// `in_place`, a result may share the storage of an operand of the same layout.
///
/// It may return nothing; a bool, false for failure; or a text, the reason of the failure, empty
/// for success. Failures and exceptions become errors that name the node. The run-time executor
/// computes operands and results of any type in double precision, or in its own element type, and
/// rounds the results. Compile error: WF707 for a function with state.
template <const kernel_spec& Kernel, class F>
constexpr implementation<Kernel, F, false> implement(F) {
  static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F>,
                "WF707: the function of an operator has no state: use attributes");
  return {};
}

/// Implements an elementwise operator by a function of one element per operand, then the kernel's
/// declared attributes as doubles in order, that returns an element:
///
///     wf::implement_elementwise<clip>([](auto x, double lo, double hi) {
///       return x < lo ? lo : hi < x ? hi : x;
///     })
///
/// Operands broadcast and may have any shape and layout; the executor fuses such operators. For
/// integers and booleans the returned value, of any type, must be an element that fits, else the
/// node fails. At most three operands and four attributes. Compile error: WF707 for more, a
/// function with state, or a kernel that is not elementwise.
template <const kernel_spec& Kernel, class F>
constexpr implementation<Kernel, F, true> implement_elementwise(F) {
  static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F>,
                "WF707: the function of an operator has no state: use attributes");
  static_assert(Kernel.laws.elementwise, "WF707: the kernel's laws do not say `elementwise`");
  return {};
}

/// A list of implementations, for `wf::run<plan, code>(...)` and, by `executable_kernels<code>`,
/// for run-time preparation.
template <class... Implementation>
struct implementation_list {
  /// Number of implementations.
  static constexpr std::size_t size = sizeof...(Implementation);
  /// Implementation number I.
  template <std::size_t I>
  using at = std::tuple_element_t<I, std::tuple<Implementation...>>;

  /// Index of the implementation of that operator, or `size`. O(operators).
  static constexpr std::size_t find(text_view name) {
    const text_view names[] = {Implementation::kernel.name..., text_view()};
    std::size_t i = 0;
    while (i < size && !(names[i] == name)) ++i;
    return i;
  }
};

/// Makes a list from the results of `implement` and `implement_elementwise`:
/// `inline constexpr auto code = wf::implementations(wf::implement<tail>(...), ...);`
template <class... Implementation>
constexpr implementation_list<Implementation...> implementations(Implementation...) {
  return {};
}

/// The empty list: only built-in implementations are used.
inline constexpr implementation_list<> built_in_only;

}  // namespace wf
