// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>

// Common parts of the tests of domains: a graph of one node, its results and its costs.
namespace one_node {

using attributes = std::vector<wf::attribute_value>;
using operands = std::vector<wf::value_type>;

template <class... Extents>
wf::value_type of(wf::dtype d, Extents... extents) {
  return {d, {}, wf::shape::of(extents...)};
}
template <class... Extents>
wf::value_type f64(Extents... extents) {
  return of(wf::dtype::f64, extents...);
}
template <class... Extents>
wf::value_type qubits(Extents... extents) {
  return of(wf::dtype::qubit, extents...);
}

inline wf::attribute_value integer(wf::text_view name, std::int64_t n) {
  return wf::attribute_value::integer(name, n);
}

inline wf::result<wf::inference> inferred(const wf::kernel_spec& k, const operands& in,
                                          const attributes& with = {}) {
  return wf::infer(k, {{in.data(), in.size()}, {with.data(), with.size()}});
}

// The types of the results as text: "f64[3x4], i64[3]".
inline std::string results(const wf::kernel_spec& k, const operands& in,
                           const attributes& with = {}) {
  const auto made = inferred(k, in, with);
  if (!made) return std::string(wf::to_text(made.error()).view());
  std::string out;
  for (const wf::value_type& t : made->types())
    out += (out.empty() ? "" : ", ") + std::string(wf::to_text(t).view());
  return out;
}

inline wf::errc failure(const wf::kernel_spec& k, const operands& in, const attributes& with = {}) {
  const auto made = inferred(k, in, with);
  return made ? wf::errc::none : made.error().code;
}

// A graph of one node, with its operands as inputs and its results as outputs.
inline wf::graph graph_of(const wf::kernel_spec& k, const operands& in, const attributes& with) {
  wf::graph g("one");
  std::vector<wf::value_id> ids;
  for (std::size_t i = 0; i < in.size(); ++i)
    ids.push_back(g.add_input((wf::text() << "x" << i).view(), in[i]));
  auto made = inferred(k, in, with);
  REQUIRE_MESSAGE(made, std::string(k.name));
  for (std::uint32_t r = 0; r < made->count; ++r)
    for (wf::extent& e : made->results[r].shape.extents)
      if (e.is_derived()) e = g.add_derived(made->derived[e.index()].view());
  wf::node_description d;
  d.op = k.name;
  d.domain = k.domain;
  d.attributes = {with.data(), with.size()};
  d.effects = k.effects;
  const wf::node_id n = g.add_node(d, {ids.data(), ids.size()}, made->types());
  for (std::uint32_t r = 0; r < made->count; ++r)
    g.add_output((wf::text() << "y" << r).view(), wf::graph_view::output_of(g[n], r));
  return g;
}

// The metric of a name: a built-in one, or a sum that is 0 where no formula is stated.
inline wf::metric_spec metric_named(wf::text_view name) {
  for (const wf::metric_spec& m :
       {wf::flops_::spec, wf::macs_::spec, wf::operations_::spec, wf::bytes_read_::spec,
        wf::bytes_written_::spec, wf::bytes_::spec, wf::memory_::spec, wf::peak_memory_::spec,
        wf::qubits_::spec, wf::gates_::spec})
    if (m.name == name) return m;
  return {name, "1"};
}

inline std::int64_t priced(const wf::kernel_spec& k, wf::text_view metric, const operands& in,
                           const attributes& with = {}) {
  const auto total = wf::price(graph_of(k, in, with).view(), metric_named(metric));
  REQUIRE_MESSAGE(total, std::string(wf::to_text(total.error()).view()));
  return *total;
}

// The price on operands of the given shapes, with type f64.
inline std::int64_t priced(const wf::kernel_spec& k, const wf::metric_spec& m,
                           const std::vector<wf::shape>& shapes, const attributes& with = {},
                           const std::vector<wf::dtype>& types = {}) {
  operands in;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    in.push_back({i < types.size() ? types[i] : wf::dtype::f64, {}, shapes[i]});
  return priced(k, m.name, in, with);
}

// The properties of the result on square matrices with the given properties.
inline wf::properties known_result(const wf::kernel_spec& k,
                                   const std::vector<wf::properties>& known) {
  operands in;
  for (const wf::properties p : known) in.push_back({wf::dtype::f64, p, wf::shape::of(3, 3)});
  const auto made = inferred(k, in);
  REQUIRE_MESSAGE(made, std::string(k.name));
  return made->types()[0].known;
}

}  // namespace one_node
