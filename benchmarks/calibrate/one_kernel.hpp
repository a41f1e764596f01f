// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <wf/cost/cost.hpp>
#include <wf/ir/builder.hpp>
#include <wf/registry/builtin.hpp>
#include <wf/registry/registry.hpp>
#include <wf/run/executable.hpp>

#include <calibrate/rows.hpp>

namespace calibration {

/// The extents that a kernel is measured at.
struct extents {
  std::int64_t m = 1, n = 1, k = 1;
};

/// A workflow of one node, and what it reads.
struct one_kernel {
  wf::graph graph;
  std::vector<Eigen::MatrixXd> inputs;
};

/// The extent that a letter stands for, perhaps doubled, or the sum of two letters.
inline std::int64_t extent_of(const std::string& text, const extents& e) {
  if (const std::size_t plus = text.find('+'); plus != std::string::npos)
    return extent_of(text.substr(0, plus), e) + extent_of(text.substr(plus + 1), e);
  const char letter = text.back();
  const std::int64_t is = letter == 'm' ? e.m : letter == 'n' ? e.n : e.k;
  return text[0] == '2' ? 2 * is : is;
}

inline Eigen::MatrixXd filled(char content, std::int64_t rows, std::int64_t columns,
                              const std::vector<Eigen::MatrixXd>& before, std::mt19937_64& random) {
  if (content == '^') return before.back().transpose();
  std::uniform_real_distribution<double> uniform(0.1, 1);
  Eigen::MatrixXd out(rows, columns);
  for (double& x : out.reshaped()) x = uniform(random);
  if (content == 'p')
    for (Eigen::Index i = 0; i < rows; ++i) out(i) = static_cast<double>(i);
  if (content == 's')
    for (Eigen::Index i = 0; i < rows; ++i)  // as far apart as an odd stride takes neighbours
      for (Eigen::Index j = 0; j < columns; ++j) out(i, j) = j == (7919 * i + 1) % rows ? 1 : 0;
  if (content == 'i') out.array() -= 0.55;  // of either sign alike
  if (content == 'd' || content == 'i') out = (out + out.transpose()).eval();
  if (content == 'd' || content == 'l') out.diagonal().array() += static_cast<double>(2 * rows);
  if (content == 'l') out.triangularView<Eigen::StrictlyUpper>().setZero();
  if (content == 'g') out = Eigen::MatrixXd(out.diagonal().asDiagonal());
  return out;
}

/// The number of products of an equation such as "ab,cb->ca" on operands of these types.
inline std::int64_t points_of(const std::string& equation, const wf::table<wf::value_type>& types) {
  std::int64_t points = 1;
  std::string known;
  std::size_t at = 0;
  for (const wf::value_type& t : types) {
    for (std::uint32_t d = 0; d < t.shape.rank; ++d, ++at) {
      if (known.find(equation[at]) != std::string::npos) continue;
      known += equation[at];
      points *= t.shape[d].size();
    }
    ++at;
  }
  return points;
}

/// A kernel on operands of these extents. Errors: those of `infer`.
inline wf::result<one_kernel> make_one(const row& r, const extents& e, std::mt19937_64& random) {
  one_kernel out;
  wf::graph_builder builder("one");
  std::vector<wf::value_id> ids;
  wf::table<wf::value_type> types;
  std::size_t at = 0;
  while (at < r.operands.size()) {
    const std::size_t end = r.operands.find(' ', at);
    const std::string word = r.operands.substr(at, end - at);
    at = end == std::string::npos ? r.operands.size() : end + 1;
    const std::size_t bracket = word.find('['), comma = word.find(',');
    const char content = bracket == 0 ? ' ' : word[0];
    wf::value_type type;
    type.type = content == 'p' ? wf::dtype::i64 : wf::dtype::f64;
    type.shape = wf::shape::of();
    if (word.size() > bracket + 2) {
      const std::size_t stop = comma == std::string::npos ? word.size() - 1 : comma;
      type.shape.push_back(extent_of(word.substr(bracket + 1, stop - bracket - 1), e));
      if (comma != std::string::npos)
        type.shape.push_back(extent_of(word.substr(comma + 1, word.size() - comma - 2), e));
    }
    if (content == 'd') type.known = wf::spd;
    if (content == 'i') type.known = wf::symmetric;
    if (content == 'l') type.known = wf::lower_triangular;
    if (content == 'g') type.known = wf::diagonal;
    if (content == 's') type.known = wf::permutation;
    const auto rank = type.shape.rank;
    out.inputs.push_back(filled(content, rank > 0 ? type.shape[0].size() : 1,
                                rank > 1 ? type.shape[1].size() : 1, out.inputs, random));
    const std::string name = "x" + std::to_string(ids.size());
    ids.push_back(builder.graph().add_input(name.c_str(), type));
    types.push_back(type);
  }
  const wf::registry kernels = wf::builtin_registry();
  const wf::kernel_spec* kernel = kernels.find(r.op.c_str());
  if (kernel == nullptr)
    return wf::make_error(wf::errc::unknown_operator, r.op.c_str(), "no such kernel");
  wf::table<wf::attribute_value> attributes;
  if (r.is_step) {
    attributes.push_back(wf::attribute_value::dimension("steps", 1));
    attributes.push_back(wf::attribute_value::integer("step", e.m / 2));
  }
  if (!r.equation.empty()) {
    attributes.push_back(wf::attribute_value::string("equation", r.equation.c_str()));
    attributes.push_back(wf::attribute_value::dimension("points", points_of(r.equation, types)));
  }
  if (r.axis >= 0) attributes.push_back(wf::attribute_value::integer("axis", r.axis));
  for (const auto& [name, extent] : r.attributes)
    attributes.push_back(name[0] == 'd'
                             ? wf::attribute_value::dimension(name.c_str(), extent_of(extent, e))
                             : wf::attribute_value::integer(name.c_str(), extent_of(extent, e)));
  const wf::graph_view g = builder.graph().view();
  const auto inferred = wf::infer(*kernel, {types, attributes, &g});
  if (!inferred) return inferred.error();
  wf::node_description what;
  what.op = kernel->name;
  what.domain = kernel->domain;
  what.attributes = attributes;
  const wf::node_id id = builder.add_node(what, {ids.data(), ids.size()}, inferred->types());
  for (std::uint32_t i = 0; i < inferred->count; ++i)
    builder.graph().add_output(("y" + std::to_string(i)).c_str(),
                               wf::graph_view::output_of(builder.graph()[id], i));
  out.graph = builder.graph();
  return out;
}

/// What a term of a kernel's formula is for a workflow of one node. Errors: those of formulas.
inline wf::result<double> value_of(const row& r, const std::string& term, const wf::graph& g) {
  constexpr wf::metric_spec metric{"term", "1"};
  wf::kernel_spec priced{.name = r.op.c_str(), .costs = {{"term", term.c_str()}}};
  priced.overrides = true;
  wf::registry kernels = wf::builtin_registry();
  if (auto added = kernels.add(priced); !added) return added.error();
  const auto price = wf::price(g.view(), metric, kernels);
  if (!price) return price.error();
  return static_cast<double>(*price);
}

}  // namespace calibration
