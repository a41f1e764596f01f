// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <string>

#include <wf/compile/arguments.hpp>
#include <wf/rewrite/bind.hpp>
#include <wf/run/values/element.hpp>
#include <wf/run/values/named_matrices.hpp>

namespace wf {

namespace detail {

inline table<value> inputs_of(const graph_view& g) {
  table<value> inputs;
  for (const value& v : g.values)
    if (v.producer == node_id::none) inputs.push_back(v);
  return inputs;
}

inline text input_names(const graph_view& g) {
  text names;
  for (const value& v : inputs_of(g)) names << (names.empty() ? "" : ", ") << g.text_of(v.name);
  return names;
}

// Size of a symbol; -1 if unknown.
inline std::int64_t size_of_symbol(const table<symbol_size>& sizes, symbol name) {
  for (const symbol_size& known : sizes)
    if (known.name == name) return known.size;
  return -1;
}

// For tensors, whose arguments are flat: derives the size of a symbol if it is the only unknown,
// and checks the number of elements if all sizes are known.
template <class Matrices>
error tensor_sizes(const graph_view& g, const Matrices& arguments, table<symbol_size>& sizes) {
  for (const value& v : inputs_of(g)) {
    const shape& s = v.type.shape;
    if (s.rank <= 2) continue;
    const text_view name = g.text_of(v.name);
    const auto& m = arguments.find(std::string(name))->second;
    std::int64_t known = 1, unknowns = 0;
    symbol wanted;
    for (std::uint32_t d = 0; d < s.rank; ++d) {
      std::int64_t size = s[d].is_fixed() ? s[d].size() : -1;
      if (s[d].is_symbol()) size = size_of_symbol(sizes, s[d].name());
      if (size < 0 && s[d].is_symbol()) wanted = s[d].name();
      if (size < 0)
        ++unknowns;
      else if (!checked_multiply(known, size, known))
        return make_error(errc::overflow, name, "its number of elements overflows");
    }
    const bool flat = m.rows() == 1 || m.cols() == 1 || m.size() == 0;
    const bool fits =
        unknowns > 1 || (unknowns == 1 ? known > 0 && m.size() % known == 0 : known == m.size());
    if (!flat || !fits)
      return make_error(errc::argument_shape, name,
                        (text() << "it needs the elements of " << to_text(s).view()
                                << " in one row, not " << m.rows() << 'x' << m.cols())
                            .view());
    if (unknowns == 1 && wanted) sizes.push_back({wanted, m.size() / known});
  }
  return {};
}

// The sizes of the symbols in the shapes of the arguments, or the first mismatch.
template <class Matrices>
result<table<symbol_size>> sizes_from(const graph_view& g, const Matrices& arguments) {
  table<symbol_size> sizes;
  std::size_t inputs = 0;
  for (const value& v : inputs_of(g)) {
    ++inputs;
    const text_view name = g.text_of(v.name);
    const auto found = arguments.find(std::string(name));
    if (found == arguments.end())
      return make_error(errc::missing_argument, name, "the run needs this input");
    const shape& s = v.type.shape;
    const auto& m = found->second;
    if (s.rank > 2) continue;  // see tensor_sizes
    const std::int64_t actual[] = {m.rows(), m.cols()};
    for (std::uint32_t d = 0; d < 2; ++d) {
      const extent wanted = d < s.rank ? s[d] : extent(1);
      bool fits = !wanted.is_fixed() || wanted.size() == actual[d];
      if (wanted.is_symbol()) {
        const std::int64_t bound = size_of_symbol(sizes, wanted.name());
        if (bound < 0)
          sizes.push_back({wanted.name(), actual[d]});
        else
          fits = bound == actual[d];
      }
      if (!fits)
        return make_error(
            errc::argument_shape, name,
            (text() << "it is " << to_text(s).view() << ", not " << actual[0] << 'x' << actual[1])
                .view());
    }
  }
  if (error e = tensor_sizes(g, arguments, sizes); e.code != errc::none) return e;
  if (inputs == arguments.size()) return sizes;
  for (const auto& [name, m] : arguments) {
    const text_view given(name.data(), name.size());
    if (find_input(g, given) == value_id::none)
      return make_error(
          errc::unknown_argument, name,
          (text() << "the workflow has no input of this name, only " << input_names(g).view())
              .view());
  }
  return sizes;
}

// The first mismatch with a static workflow, or no error.
template <class Matrices>
error check_arguments(const graph_view& g, const Matrices& arguments) {
  return sizes_from(g, arguments).error();
}

// The type with known sizes in place of symbols.
inline value_type sized(value_type t, const table<symbol_size>& sizes) {
  for (std::uint32_t d = 0; d < t.shape.rank; ++d) {
    const std::int64_t size =
        t.shape[d].is_symbol() ? size_of_symbol(sizes, t.shape[d].name()) : -1;
    if (size >= 0) t.shape.extents[d] = size;
  }
  return t;
}
// The elements of an input that is compiled in. A vector is a column; a tensor of higher rank has
// its elements in one row.
inline result<static_argument> static_array_of(text_view name, const value_type& t,
                                               const dynamic_matrix& given) {
  if (t.shape.elements() != given.size())
    return make_error(errc::argument_shape, name, "its shape is not known before it is compiled");
  dynamic_matrix settled = given;
  if (!is_complex(t.type) && !compute::settle(t.type, settled.data(), settled.size()))
    return make_error(
        errc::argument_shape, name,
        (text() << "the input is " << name_of(t.type) << ", an element is none").view());
  return static_array(name, t, [&](std::int64_t i) {
    const Eigen::Index columns = given.cols();
    return settled(i / columns, i % columns);
  });
}

// The sizes that the arguments give to symbols, and the values of the static inputs.
inline result<type_args> argument_types(const graph_view& g, const named_matrices& arguments,
                                        view<text> static_inputs) {
  const auto sizes = sizes_from(g, arguments);
  if (!sizes) return sizes.error();
  type_args out;
  for (const symbol_size& s : *sizes)
    out.fixed.push_back(static_arg(to_text(s.name).view(), s.size));
  for (const text& name : static_inputs) {
    const value_id input = find_input(g, name.view());
    if (input == value_id::none) return unknown_argument_error(g, name.view());
    const value_type& t = g[input].type;
    const dynamic_matrix& given = arguments.find(static_cast<std::string>(name.view()))->second;
    if (t.shape.rank != 0) {
      auto array = static_array_of(name.view(), sized(t, *sizes), given);
      if (!array) return array.error();
      out.fixed.push_back(*static_cast<decltype(array)&&>(array));
      continue;
    }
    const double value = given(0, 0);
    constexpr double exact = 9007199254740992;  // 2^53
    const bool whole = -exact <= value && value <= exact && std::trunc(value) == value;
    if (is_integer(t.type) && whole)
      out.fixed.push_back(static_arg(name.view(), static_cast<std::int64_t>(value)));
    else
      out.fixed.push_back(static_arg(name.view(), value));
  }
  return out;
}

}  // namespace detail

}  // namespace wf
