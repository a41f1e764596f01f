// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/real.hpp>
#include <wf/core/text/spelling.hpp>
#include <wf/ir/graph/copy.hpp>
#include <wf/ir/graph/translation.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/domain/literal.hpp>

namespace wf {

/// The known type of one argument before a workflow runs.
struct argument_type {
  /// The input's name.
  text name;
  /// Element type, shape and properties of the argument.
  value_type type;
  friend constexpr bool operator==(const argument_type&, const argument_type&) = default;
};

/// A value known at compilation; made by `static_arg`.
struct static_argument {
  /// The name of a symbol, or of an input.
  text name;
  /// True for a real value of a scalar input, false for an integer value of an input or symbol.
  bool is_real = false;
  /// The value if it is an integer.
  std::int64_t number = 0;
  /// The value if it is real.
  double real = 0;
  /// For an array its element type and static shape; else a scalar of unknown type.
  value_type type;
  /// The elements of an array, in row-major order: see <wf/ir/type/element_text.hpp>.
  text elements;

  /// True for the value of a non-scalar input.
  constexpr bool is_array() const { return type.type != dtype::unknown; }
  friend constexpr bool operator==(const static_argument&, const static_argument&) = default;
};

/// A compiled-in size of a symbol, or integer value of a scalar input: `static_arg("M", 64)`.
template <std::integral Number>
constexpr static_argument static_arg(text_view name, Number value) {
  return {text(name), false, static_cast<std::int64_t>(value), 0, {}, {}};
}
/// A compiled-in value of a scalar input: `static_arg("alpha", 0.5)`.
constexpr static_argument static_arg(text_view name, double value) {
  return {text(name), true, 0, value, {}, {}};
}

/// A compiled-in array: `element(i)` is element i in row-major order, a number convertible to the
/// element type. The shape is static. O(elements).
template <class Element>
constexpr static_argument static_array(text_view name, const value_type& type, Element element) {
  return {text(name), false, 0, 0, type, elements_text(type, element)};
}
/// A compiled-in array input: an array, an Eigen matrix or any type with a `translation`.
/// `static_arg("W", std::array{0.5, 0.25})`. O(elements).
template <translatable T>
  requires(value_type_of<T>.shape.rank > 0)
constexpr static_argument static_arg(text_view name, const T& array) {
  return static_array(name, type_of_object(array), [&](std::int64_t i) {
    return translation<std::remove_cv_t<T>>::element_of(array, i);
  });
}

/// A value for messages: "M=64"; an array as its type and a hash, "W is f64[2x2] #123456789".
constexpr text to_text(const static_argument& a) {
  text out;
  if (a.is_array())
    return out << a.name.view() << " is " << to_text(a.type).view() << " #"
               << hash_text(a.elements.view()) % 1'000'000'007;
  out << a.name.view() << '=';
  if (a.is_real) return out << real_text(a.real).view();
  return out << a.number;
}

/// Everything that a compilation knows of a workflow's arguments: types, and compiled-in values.
struct type_args {
  /// The types of the inputs, each input at most once.
  table<argument_type> types;
  /// The compiled-in values, each name at most once.
  table<static_argument> fixed;
  friend constexpr bool operator==(const type_args&, const type_args&) = default;
};

namespace detail {

// The value id of the input with a name; none if there is no such input.
constexpr value_id find_input(const graph_view& g, text_view name) {
  for (std::uint32_t i = 0; i < g.values.size(); ++i)
    if (g.values[i].producer == node_id::none && g.text_of(g.values[i].name) == name)
      return static_cast<value_id>(i);
  return value_id::none;
}

constexpr bool has_symbol(const graph_view& g, symbol wanted) {
  for (const value& v : g.values)
    for (std::uint32_t d = 0; v.type.shape.has_rank() && d < v.type.shape.rank; ++d)
      if (v.type.shape[d] == extent(wanted)) return true;
  return false;
}

constexpr error unknown_argument_error(const graph_view& g, text_view name) {
  table<text_view> known;
  for (const value& v : g.values)
    if (v.producer == node_id::none) known.push_back(g.text_of(v.name));
  return make_error(errc::unknown_argument, name,
                    unknown_name_message("argument", name, known).view());
}

// Binds the known arguments into a copy of the workflow.
class argument_binder {
 public:
  constexpr argument_binder(const graph_view& g, const type_args& args)
      : graph_(g),
        args_(args),
        out_(g.text_of(g.name)),
        copier_(graph_, out_, symbols_),
        constant_of_(g.values.size(), nullptr) {}

  constexpr result<graph> run() {
    if (error e = look(); e.code != errc::none) return e;
    const auto order = topological_order(graph_);
    if (!order) return order.error();
    if (error e = inputs(); e.code != errc::none) return e;
    for (node_id id : *order)
      if (error e = copier_.copy(id); e.code != errc::none) return e;
    copier_.copy_edges();
    copier_.copy_outputs();
    return with_validity(out_.take());
  }
  // The known arguments as compiled-in values only, in the order of their names.
  constexpr result<type_args> resolve() {
    if (error e = look(); e.code != errc::none) return e;
    type_args out;
    for (const value& v : graph_.values)
      for (std::uint32_t d = 0; v.type.shape.has_rank() && d < v.type.shape.rank; ++d) {
        const extent e = v.type.shape[d];
        if (e.is_symbol() && symbols_[e.name()].is_fixed())
          insert(out.fixed, static_arg(to_text(e.name()).view(), symbols_[e.name()].size()));
      }
    for (const static_argument* a : constant_of_)
      if (a != nullptr) insert(out.fixed, *a);
    return out;
  }

 private:
  static constexpr void insert(table<static_argument>& sorted, const static_argument& added) {
    std::size_t at = sorted.size();
    while (at > 0 && added.name.view() < sorted[at - 1].name.view()) --at;
    if (at > 0 && sorted[at - 1].name == added.name) return;
    sorted.push_back(added);
    for (std::size_t i = sorted.size() - 1; i > at; --i) sorted[i] = sorted[i - 1];
    sorted[at] = added;
  }

  constexpr error look() {
    for (const static_argument& a : args_.fixed)
      if (error e = fix(a); e.code != errc::none) return e;
    for (const argument_type& a : args_.types)
      if (error e = match(a); e.code != errc::none) return e;
    return {};
  }
  constexpr error fix(const static_argument& a) {
    const value_id input = find_input(graph_, a.name.view());
    if (input != value_id::none) {
      const value_type& t = graph_[input].type;
      constant_of_[index_of(input)] = &a;
      if (a.is_array()) return fit(a.name.view(), t, a.type);
      if (t.shape.rank != 0)
        return make_error(
            errc::argument_shape, a.name.view(),
            (text() << "the input is " << to_text(t).view() << ", the value a number").view());
      if (a.is_real && is_integer(t.type))
        return make_error(
            errc::argument_shape, a.name.view(),
            (text() << "the input is " << name_of(t.type) << ", the value no whole number").view());
      return {};
    }
    const symbol s = make_symbol(a.name.view());
    if (!s || !has_symbol(graph_, s)) return unknown_argument_error(graph_, a.name.view());
    if (a.is_array() || a.is_real || a.number < 0)
      return make_error(errc::bad_attribute, a.name.view(), "a size is a whole number from 0 on");
    return bind(s, extent(a.number), a.name.view());
  }

  constexpr error match(const argument_type& a) {
    const value_id input = find_input(graph_, a.name.view());
    if (input == value_id::none) return unknown_argument_error(graph_, a.name.view());
    const value_type& declared = graph_[input].type;
    if (constant_of_[index_of(input)] != nullptr)
      return make_error(errc::unknown_argument, a.name.view(), "its value is compiled in already");
    return fit(a.name.view(), declared, a.type);
  }
  // Checks an argument type against an input and binds the input's symbols to its extents.
  constexpr error fit(text_view name, const value_type& declared, const value_type& given) {
    if (given.type != declared.type)
      return make_error(errc::argument_shape, name,
                        (text() << "the input is " << name_of(declared.type) << ", the argument "
                                << name_of(given.type))
                            .view());
    bool fits = given.shape.rank == declared.shape.rank;
    for (std::uint32_t d = 0; fits && d < declared.shape.rank; ++d) {
      const extent wanted = declared.shape[d], size = given.shape[d];
      if (wanted.is_symbol()) {
        if (error e = bind(wanted.name(), size, name); e.code != errc::none) return e;
      } else {
        fits = wanted.is_derived() || wanted == size;
      }
    }
    if (fits) return {};
    return make_error(errc::argument_shape, name,
                      (text() << "the input is " << to_text(declared.shape).view()
                              << ", the argument " << to_text(given.shape).view())
                          .view());
  }

  constexpr error bind(symbol s, extent size, text_view argument) {
    const extent before = symbols_[s];
    if (symbols_.bind(s, size)) return {};
    return make_error(errc::argument_shape, argument,
                      (text() << to_text(s).view() << " is " << to_text(size).view() << " here but "
                              << to_text(before).view() << " elsewhere")
                          .view());
  }

  // Inputs with compiled-in values become constants.
  constexpr error inputs() {
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i) {
      const value& v = graph_.values[i];
      if (v.producer != node_id::none) continue;
      const auto type = symbols_.translate(v.type, graph_, out_.graph());
      if (!type) return type.error();
      const static_argument* fixed = constant_of_[i];
      if (fixed == nullptr) {
        copier_.place(static_cast<value_id>(i)) =
            out_.graph().add_input(graph_.text_of(v.name), *type);
        continue;
      }
      const node_id made = add_constant(*fixed, v, *type);
      copier_.place(static_cast<value_id>(i)) = graph_view::output_of(out_.graph()[made]);
    }
    return {};
  }

  constexpr node_id add_constant(const static_argument& a, const value& input,
                                 const value_type& type) {
    if (a.is_array())
      return add_node(kernels::literal, literal_attributes(a.type, a.elements.view()).all(), input,
                      type);
    const attribute_value number =
        attribute_value::floating("value", a.is_real ? a.real : static_cast<double>(a.number));
    return add_node(kernels::constant, {&number, 1}, input, type);
  }
  // Adds the node that replaces an input, under its name.
  constexpr node_id add_node(const kernel_spec& kernel, view<attribute_value> attributes,
                             const value& input, const value_type& type) {
    return out_.add_node({.op = kernel.name,
                          .domain = kernel.domain,
                          .attributes = attributes,
                          .name = graph_.text_of(input.name)},
                         {}, {&type, 1});
  }

  graph_view graph_;
  const type_args& args_;
  graph_builder out_;
  symbol_map symbols_;
  graph_copier copier_;
  table<const static_argument*> constant_of_;  // by value id; null without a compiled-in value
};

}  // namespace detail

/// Normalises the arguments of a workflow: the sizes of its symbols and the compiled-in values, in
/// the order of their names. Arguments with equal normal forms share one compilation. Errors: those
/// of `bind_arguments`.
constexpr result<type_args> resolve_arguments(const graph_view& g, const type_args& args) {
  if (auto fine = validate_references(g); !fine) return fine.error();
  return detail::argument_binder(g, args).resolve();
}

/// The arguments for messages: "M=64, alpha=0.5"; "nothing" if there are none.
constexpr text to_text(const type_args& args) {
  text out;
  const auto separate = [&out] {
    if (!out.empty()) out << ", ";
  };
  for (const argument_type& a : args.types) {
    separate();
    out << a.name.view() << " is " << to_text(a.type).view();
  }
  for (const static_argument& a : args.fixed) {
    separate();
    out << to_text(a).view();
  }
  return out.empty() ? text("nothing") : out;
}

/// Specialises a workflow for argument types and values: symbols get their sizes, and inputs with
/// compiled-in values become constants, which callers no longer pass. Inputs without a known type
/// or value stay as they are; types may be unknown. Errors: those of `validate_references`,
/// `cyclic_graph`; naming the argument `unknown_argument`, `argument_shape` (also if a symbol would
/// have two sizes), `bad_attribute` for an invalid size, those of extents. O(size of the graph +
/// arguments · values).
constexpr result<graph> bind_arguments(const graph_view& g, const type_args& args) {
  if (auto fine = validate_references(g); !fine) return fine.error();
  return detail::argument_binder(g, args).run();
}

}  // namespace wf
