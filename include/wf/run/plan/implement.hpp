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

// How an operator of the user's own is computed: its kernel and a function, which both executors
// call. Nothing of wf is edited for it.
namespace wf {

/// What the function of an operator may ask for besides operands and results: the attributes of the
/// node, with the defaults that its kernel declares, and scratch storage.
class node_context {
 public:
  /// Of these attributes and this storage, which must outlive it.
  constexpr node_context(view<attribute_value> attributes, std::byte* scratch, std::size_t bytes)
      : attributes_(attributes), scratch_(scratch), bytes_(bytes) {}

  /// True if the node has an attribute of that name, or its kernel declares a default.
  /// O(attributes).
  constexpr bool has(text_view name) const { return find(name) != nullptr; }
  /// An attribute that is an integer or an extent; 0 without it. O(attributes).
  constexpr std::int64_t integer(text_view name) const {
    const attribute_value* a = find(name);
    return a == nullptr ? 0 : a->number;
  }
  /// An attribute that is a number of any kind; 0 without it. O(attributes).
  constexpr double real(text_view name) const {
    const attribute_value* a = find(name);
    return a == nullptr ? 0 : number_of(*a);
  }
  /// An attribute that is a text; empty without it. O(attributes).
  constexpr text_view characters(text_view name) const {
    const attribute_value* a = find(name);
    return a == nullptr ? text_view() : a->characters;
  }
  /// The scratch storage: as many bytes as the kernel's cost "scratch" says, where elements of
  /// eight bytes may lie (at a cache line unless memory is short), not initialised, as elements of
  /// a type.
  template <class T>
  std::span<T> scratch() const {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= sizeof(double));
    return {reinterpret_cast<T*>(scratch_), bytes_ / sizeof(T)};
  }

  /// The number that an attribute is.
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

/// A tensor of more than two dimensions as the function of an operator sees it, in row-major order.
template <class T>
struct tensor_span {
  wf::shape shape;        ///< static
  T* elements = nullptr;  ///< as many as the shape says, one after the other

  /// The element at an index of each dimension. O(dimensions).
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

// What a kernel declares of attributes, as constants.
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

// The attributes of a node: those that its kernel declares, in their order, with its defaults, then
// all others.
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

// True if a kernel states scratch storage, for whichever elements.
constexpr bool states_scratch(const kernel_spec& k) {
  for (const kernel_cost& c : k.costs)
    if (c.metric != nullptr && priced_metric::of(c.text().metric).metric == "scratch") return true;
  return false;
}

// Calls a function with operands, results and, if it takes one, a context.
template <class F, class... Arguments>
decltype(auto) call_function(const node_context& context, Arguments&&... arguments) {
  if constexpr (std::is_invocable_v<const F&, Arguments..., const node_context&>)
    return F{}(static_cast<Arguments&&>(arguments)..., context);
  else
    return F{}(static_cast<Arguments&&>(arguments)...);
}

// Why a function failed, from what it returned.
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

/// An operator's function: what `implement` and `implement_elementwise` make. `F` is a type of
/// functions without state.
template <const kernel_spec& Kernel, class F, bool Elementwise>
struct implementation {
  /// The operator.
  static constexpr const kernel_spec& kernel = Kernel;
  /// The function's type.
  using function = F;
  /// True if it computes one element from one of each operand.
  static constexpr bool is_elementwise = Elementwise;
  /// The attributes that the kernel declares.
  using attributes = detail::declared_attributes<Kernel>;
};

/// Says how an operator is computed, by a function without state that both executors call:
///
///     wf::implement<tail>([](auto& y, const auto& x, const wf::node_context& c) {
///       y = x.tail(c.integer("count"));
///     })
///
/// It takes the results, then the operands, in the order of the kernel's signature, then a
/// `node_context` if it wants one. A scalar is a number, a vector a column, a matrix an Eigen
/// matrix or map: of fixed size in a static plan, where it may be an expression that reads
/// transposed; by columns in the run-time executor. Tensors of more dimensions are `tensor_span`s.
/// Results are not initialised and have the shape that the kernel infers; where it is `in_place`, a
/// result may lie in the storage of an operand that lies as it does.
///
/// It may return nothing; a bool, false if it failed; or a text, why it failed, or nothing.
/// Failures and exceptions become errors that name the node. For a plan at run time its operands
/// and results are computed in double precision whatever their type, and what it gives is rounded;
/// in an executor of another type of elements in that.
template <const kernel_spec& Kernel, class F>
constexpr implementation<Kernel, F, false> implement(F) {
  static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F>,
                "WF707: the function of an operator has no state: use attributes");
  return {};
}

/// The same for an operator whose kernel is elementwise: a function of one element of each operand,
/// then of the kernel's declared attributes, as doubles in their order, which gives an element:
///
///     wf::implement_elementwise<clip>([](auto x, double lo, double hi) {
///       return x < lo ? lo : hi < x ? hi : x;
///     })
///
/// Operands broadcast, may have any shape and lie in any order; the executor computes several such
/// operators at once. Of integers and booleans what it gives, in whatever type, must be one that
/// fits, else the node fails. At most three operands and four attributes.
template <const kernel_spec& Kernel, class F>
constexpr implementation<Kernel, F, true> implement_elementwise(F) {
  static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F>,
                "WF707: the function of an operator has no state: use attributes");
  static_assert(Kernel.laws.elementwise, "WF707: the kernel's laws do not say `elementwise`");
  return {};
}

/// Operators and how each is computed, for `wf::run<plan, code>(...)` and, by
/// `executable_kernels<code>`, for what is prepared at run time.
template <class... Implementation>
struct implementation_list {
  /// How many there are.
  static constexpr std::size_t size = sizeof...(Implementation);
  /// One of them.
  template <std::size_t I>
  using at = std::tuple_element_t<I, std::tuple<Implementation...>>;

  /// The number of the operator of that name, or `size`. O(operators).
  static constexpr std::size_t find(text_view name) {
    const text_view names[] = {Implementation::kernel.name..., text_view()};
    std::size_t i = 0;
    while (i < size && !(names[i] == name)) ++i;
    return i;
  }
};

/// A list of what `implement` and `implement_elementwise` make:
/// `inline constexpr auto code = wf::implementations(wf::implement<tail>(...), ...);`
template <class... Implementation>
constexpr implementation_list<Implementation...> implementations(Implementation...) {
  return {};
}

/// No operators of the user's own.
inline constexpr implementation_list<> built_in_only;

}  // namespace wf
