// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/ir/graph/graph.hpp>
#include <wf/run/operators/application.hpp>

// Common parts of the tests of operator families: tensors, and the application of a single operator
// without an executor.
namespace apply {

struct tensor {
  wf::shape dims;
  std::vector<double> elements;
  wf::dtype type = wf::dtype::f64;

  explicit tensor(const wf::shape& s, wf::dtype d = wf::dtype::f64)
      : dims(s), elements(static_cast<std::size_t>(s.elements()), -7.0), type(d) {}
  tensor(const wf::shape& s, std::vector<double> list, wf::dtype d = wf::dtype::f64)
      : dims(s), elements(std::move(list)), type(d) {
    REQUIRE(static_cast<std::size_t>(s.elements()) == elements.size());
  }
  wf::compute::tensor_view<double> view() const { return {dims, elements.data()}; }
  wf::compute::tensor_ref<double> ref() { return {dims, elements.data()}; }

  // The element at an index with broadcasting: dimensions are aligned on the right.
  double at(const std::vector<std::int64_t>& index) const {
    std::int64_t offset = 0;
    for (std::uint32_t d = 0; d < dims.rank; ++d) {
      const std::int64_t i = index[index.size() - dims.rank + d];
      offset = offset * dims[d].size() + (dims[d].size() == 1 ? 0 : i);
    }
    return elements[static_cast<std::size_t>(offset)];
  }
};

inline tensor random_tensor(const wf::shape& s, std::mt19937_64& random, double low = -1,
                            double high = 1) {
  std::uniform_real_distribution<double> uniform(low, high);
  tensor t(s);
  for (double& x : t.elements) x = uniform(random);
  return t;
}

// Calls f with every index of a shape.
template <class F>
void for_each_index(const wf::shape& s, F f) {
  std::vector<std::int64_t> index(s.rank, 0);
  for (std::int64_t i = 0; i < s.elements(); ++i) {
    std::int64_t rest = i;
    for (std::uint32_t d = s.rank; d-- > 0; rest /= s[d].size()) index[d] = rest % s[d].size();
    f(index);
  }
}

using attributes = std::vector<wf::attribute_value>;

struct outcome {
  std::string why;  // the reason of a failure, or ""
  std::vector<tensor> results;

  const tensor& operator*() const {
    REQUIRE(why == "");
    return results[0];
  }
};

// The layout of the matrices of an operator: a bit for each operand, then for each result, 1 for by
// columns; and the number of elements between rows or columns. Operators accept and produce
// matrices in any layout, except those that write by columns only.
struct layout {
  unsigned by_columns = 0;
  Eigen::Index apart = 0;
};

// A tensor in a memory layout.
class stored {
 public:
  stored(const tensor& t, bool by_columns, Eigen::Index apart) : tensor_(t) {
    lies_ = {t.dims, nullptr};
    if (t.dims.rank == 2) {
      lies_.by_columns = by_columns;
      lies_.stride = t.dims[by_columns ? 0 : 1].size() + apart;
      const auto runs = static_cast<Eigen::Index>(t.dims[by_columns ? 1 : 0].size());
      memory_.assign(static_cast<std::size_t>(lies_.stride * runs), -11.0);
      lies_.elements = memory_.data();
      wf::compute::tensor_copy(lies_, t.view());
    }
  }
  wf::compute::tensor_ref<double> ref() {
    if (memory_.empty())
      lies_.elements = tensor_.elements.data();
    else
      lies_.elements = memory_.data();
    return lies_;
  }
  // The tensor in row-major order; checks that nothing was written between rows or columns.
  tensor& plain() {
    if (!memory_.empty()) wf::compute::tensor_copy(tensor_.ref(), ref().view());
    const wf::compute::matrix_ref<double> m = matrix(ref());
    for (Eigen::Index r = 0; r + 1 < m.runs(); ++r)
      for (double* gap = m.run(r) + m.run_length(); gap < m.run(r + 1); ++gap)
        if (!memory_.empty()) CHECK(*gap == -11.0);
    return tensor_;
  }

 private:
  tensor tensor_;
  wf::compute::tensor_ref<double> lies_;
  std::vector<double> memory_;
};

inline const wf::compute::operator_implementation<double>& find(
    wf::view<wf::compute::operator_implementation<double>> family, wf::text_view op) {
  const wf::compute::operator_implementation<double>* found = nullptr;
  for (const auto& o : family)
    if (o.name == op) found = &o;
  REQUIRE_MESSAGE(found != nullptr, std::string(op));
  return *found;
}

// Applies operator `op` of a family to operands, with results of these types.
inline outcome run(wf::view<wf::compute::operator_implementation<double>> family, wf::text_view op,
                   const std::vector<tensor>& operands, const std::vector<wf::value_type>& results,
                   const attributes& with = {}, const std::vector<wf::properties>& known = {},
                   const layout& lies = {}) {
  using wf::compute::storage_order;
  const wf::compute::operator_implementation<double>& found = find(family, op);
  wf::graph g("one");
  std::vector<wf::value_id> ids;
  std::vector<stored> storage;
  const auto store = [&](const tensor& t, bool in_columns) {
    const bool asked = (lies.by_columns >> storage.size() & 1) != 0;
    storage.emplace_back(t, asked || in_columns, lies.apart);
  };
  for (const tensor& t : operands) {
    wf::value_type type{t.type, {}, t.dims};
    if (ids.size() < known.size()) type.known = known[ids.size()];
    ids.push_back(g.add_input((wf::text() << 'x' << ids.size()).view(), type));
    store(t, false);
  }
  const wf::node_id n = g.add_node({.op = op, .attributes = {with.data(), with.size()}},
                                   {ids.data(), ids.size()}, {results.data(), results.size()});
  for (const wf::value_type& t : results)
    store(tensor(t.shape, t.type), found.results == storage_order::columns);
  std::vector<wf::compute::tensor_ref<double>> values;
  for (stored& t : storage) values.push_back(t.ref());
  const wf::graph_view view = g.view();
  if (found.fault != nullptr)
    if (const wf::text_view fault = found.fault(view, view[n]); !fault.empty())
      return {std::string(fault), {}};
  const std::int64_t wanted = found.scratch == nullptr ? 0 : found.scratch(view, view[n]);
  std::vector<double> scratch(static_cast<std::size_t>(wanted), -9.0);
  outcome out{std::string(found.run({view, view[n], values.data(), scratch.data(), wanted}).view()),
              {}};
  for (std::size_t r = operands.size(); r < storage.size(); ++r) {
    const auto type = results[r - operands.size()].type;
    if (out.why.empty() && !wf::compute::settle(type, values[r])) out.why = "does not fit";
    out.results.push_back(storage[r].plain());
  }
  return out;
}

template <class... Extents>
wf::value_type f64(Extents... extents) {
  return {wf::dtype::f64, {}, wf::shape::of(extents...)};
}
template <class... Extents>
wf::value_type of(wf::dtype d, Extents... extents) {
  return {d, {}, wf::shape::of(extents...)};
}
inline wf::attribute_value integer(wf::text_view name, std::int64_t n) {
  return wf::attribute_value::integer(name, n);
}

}  // namespace apply
