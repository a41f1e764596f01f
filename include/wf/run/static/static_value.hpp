// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

#include <Eigen/Core>

#include <wf/ir/graph/topology.hpp>
#include <wf/registry/domain/literal.hpp>

// The values of a static plan: their types, their elements if they are literals, and where they lie
// in its workspace.
namespace wf {

/// Limit in bytes for intermediate values on the stack; plans that need more keep them in static
/// storage of the thread.
inline constexpr std::size_t max_stack_bytes = 128 * 1024;

namespace detail {

template <dtype Type>
struct scalar_of;
template <>
struct scalar_of<dtype::f32> {
  using type = float;
};
template <>
struct scalar_of<dtype::f64> {
  using type = double;
};
template <>
struct scalar_of<dtype::c64> {
  using type = std::complex<float>;
};
template <>
struct scalar_of<dtype::c128> {
  using type = std::complex<double>;
};
template <>
struct scalar_of<dtype::i32> {
  using type = std::int32_t;
};
template <>
struct scalar_of<dtype::i64> {
  using type = std::int64_t;
};
template <>
struct scalar_of<dtype::boolean> {
  using type = bool;
};

constexpr Eigen::Index rows_of(const shape& s) {
  return s.rank == 0 ? 1 : static_cast<Eigen::Index>(s[0].size());
}
constexpr Eigen::Index columns_of(const shape& s) {
  return s.rank < 2 ? 1 : static_cast<Eigen::Index>(s[1].size());
}

template <const auto& Source, value_id Id>
struct value_traits {
  static constexpr value_type type = Source.graph()[Id].type;
  using scalar = typename scalar_of<type.type>::type;
  static constexpr int rows = static_cast<int>(rows_of(type.shape));
  static constexpr int columns = static_cast<int>(columns_of(type.shape));
  using matrix =
      Eigen::Matrix<scalar, rows, columns, rows == 1 && columns != 1 ? Eigen::RowMajor : 0>;
};

// Elements of a literal, in the storage order of its matrix.
template <const auto& Source, value_id Id>
struct literal_elements {
  using traits = value_traits<Source, Id>;
  using scalar = typename traits::scalar;
  struct all {
    alignas(64) scalar at[static_cast<std::size_t>(traits::type.shape.elements())];
  };
  static constexpr all make() {
    all out{};
    const graph_view g = Source.graph();
    const text_view digits = literal_digits(g, g[g[Id].producer]);
    constexpr std::size_t each = characters_of_element(traits::type.type);
    constexpr bool by_rows = traits::rows == 1 || traits::columns == 1;
    for (std::size_t i = 0; i < digits.size() / each; ++i) {
      const std::size_t row = i / traits::columns, column = i % traits::columns;
      out.at[by_rows ? i : column * traits::rows + row] =
          element_as<scalar>(traits::type.type, digits.data() + i * each);
    }
    return out;
  }
  static constexpr all value = make();
};

// Offset of each node result in the workspace, in bytes. Space is also reserved for results that
// are not stored there: transposes, which are read through, literals, and outputs of the caller.
template <const auto& Source>
struct workspace_plan {
  static constexpr std::size_t count = Source.graph().values.size();
  struct offsets {
    std::size_t at[count == 0 ? 1 : count]{};
    std::size_t bytes = 64;
  };
  static constexpr offsets make() {
    offsets out;
    std::size_t next = 0;
    const graph_view g = Source.graph();
    for (std::size_t i = 0; i < count; ++i) {
      out.at[i] = next;
      if (g.values[i].producer == node_id::none) continue;
      const auto bytes = static_cast<std::size_t>(g.values[i].type.shape.elements() *
                                                  size_of(g.values[i].type.type));
      next += (bytes + 63) / 64 * 64;
    }
    out.bytes = next == 0 ? 64 : next;
    return out;
  }
  static constexpr offsets value = make();
};

template <const auto& Source>
constexpr auto execution_order() {
  frozen_table<node_id, Source.graph().nodes.size()> out;
  const auto order = topological_order(Source.graph());
  for (std::size_t i = 0; i < (*order).size(); ++i) out.records[i] = (*order)[i];
  return out;
}

// Name of the first output of a value, or empty.
constexpr text_view output_name(const graph_view& g, value_id id) {
  for (const output& o : g.outputs)
    if (o.source == id) return g.text_of(o.name);
  return {};
}

}  // namespace detail

}  // namespace wf
