// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/cost/body_price.hpp>
#include <wf/ir/form/body.hpp>
#include <wf/ir/graph/frozen.hpp>
#include <wf/registry/domain/builtin.hpp>

// The bodies of the nodes of a static plan, as plans.
namespace wf::detail {

// True for a node of a built-in operator that runs a body.
constexpr bool has_body(const graph_view& g, const node& n) {
  return g.find_attribute(n, "body") != nullptr && builtin_registry().repeats(g.op_name(n));
}

// The body of a node of a valid static graph. Its outputs have names of their own.
template <const auto& Source, node_id Id>
struct static_body {
  static constexpr result<wf::graph> make() { return body_of(Source.graph(), Id, "next."); }
  static constexpr graph_sizes sizes = sizes_of((*make()).view());
  static constexpr frozen_graph<sizes> frozen = freeze<sizes>((*make()).view());
  static constexpr graph_view graph() { return frozen; }
  static constexpr std::int64_t most_runs = *runs_of_body(
      Source.graph(), Id, *builtin_registry().find(Source.graph().op_name(Source.graph()[Id])));
  static constexpr double tolerance =
      Source.graph().real_attribute(Source.graph()[Id], "tolerance", 0);

  // A constant whose `graph()` is the body.
  static const static_body value;
};
template <const auto& Source, node_id Id>
inline constexpr static_body<Source, Id> static_body<Source, Id>::value{};

// Number `Position` of the inputs and then the outputs of a body, bound to a matrix.
template <class Body, std::size_t Position, class T>
struct body_argument {
  static constexpr text_view name() {
    const graph_view g = Body::graph();
    std::size_t at = 0;
    for (const wf::value& v : g.values)
      if (v.producer == node_id::none && at++ == Position) return g.text_of(v.name);
    return g.text_of(g.outputs[Position - at].name);
  }
  T& value;
};

}  // namespace wf::detail
