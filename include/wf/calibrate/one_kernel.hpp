// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include <wf/formula/language/evaluate.hpp>
#include <wf/formula/language/parse.hpp>
#include <wf/ir/graph/builder.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/domain/literal.hpp>
#include <wf/registry/registry.hpp>
#include <wf/registry/times/sample_operands.hpp>

namespace wf::calibration {

/// The random numbers in the formulas for extents of operands.
struct extents {
  /// Each at least 1, in elements.
  std::int64_t m = 1, n = 1, k = 1;
  /// True if the operands lack their optional dimension: a vector in place of a matrix.
  bool lacks_optional = false;
};

/// A workflow of one kernel, with its inputs.
struct one_kernel {
  /// The workflow; its first node applies the kernel.
  graph workflow;
  /// The values of its inputs, in order.
  std::vector<Eigen::MatrixXd> inputs;
};

namespace detail {

inline result<std::int64_t> extent_of(text_view formula, const extents& e) {
  const auto parsed = parse_formula(formula);
  if (!parsed) return parsed.error();
  const binding known[] = {{"m", rational(e.m)}, {"n", rational(e.n)}, {"k", rational(e.k)}};
  const auto value = evaluate(*parsed, known);
  if (!value) return value.error();
  return to_int64(*value);
}

inline Eigen::Index rows_of(const shape& s) { return s.rank == 1 || s.rank == 2 ? s[0].size() : 1; }
inline Eigen::Index columns_of(const shape& s) {
  return s.rank == 1 ? 1 : s.rank == 2 ? s[1].size() : s.elements();
}

// The words of a text, which are separated by single spaces.
inline std::vector<std::string> words_of(text_view text) {
  std::vector<std::string> out(1);
  for (const char c : text)
    if (c == ' ')
      out.emplace_back();
    else
      out.back() += c;
  if (out.back().empty()) out.pop_back();
  return out;
}

inline Eigen::MatrixXd filled(char content, const shape& s, const std::vector<value_type>& types,
                              const std::vector<Eigen::MatrixXd>& before, std::mt19937_64& random) {
  if (content == '^') return before.back().transpose();
  std::uniform_real_distribution<double> uniform(0.1, 1);
  Eigen::MatrixXd out(rows_of(s), columns_of(s));
  for (double& x : out.reshaped()) x = uniform(random);
  if (content == 'b') out = (out.array() > 0.5).cast<double>();
  const std::int64_t places = content == 'p'   ? std::max<std::int64_t>(out.size(), 1)
                              : content == 'c' ? types[0].shape[types[0].shape.rank - 1].size()
                              : content == 'j' ? types[0].shape[0].size()
                                               : out.rows();
  const auto place = [&](Eigen::Index i) {  // a large odd stride separates neighbours
    return content == 'p' ? i : (7919 * i + 1) % places;
  };
  if (content == 'p' || content == 'c' || content == 'j')
    for (Eigen::Index i = 0; i < out.size(); ++i) out(i) = static_cast<double>(place(i));
  if (content == 's') {
    // Coprime to the number of rows, so that no index occurs twice.
    const Eigen::Index stride = out.rows() % 7919 == 0 ? 7907 : 7919;
    out.setZero();
    for (Eigen::Index i = 0; i < out.rows(); ++i) out(i, (stride * i + 1) % out.rows()) = 1;
  }
  if (content == 'i') out.array() -= 0.55;  // of both signs
  if (content == 'd' || content == 'i') out = (out + out.transpose()).eval();
  if (content == 'd' || content == 'l')
    out.diagonal().array() += static_cast<double>(2 * out.rows());
  if (content == 'l') out.triangularView<Eigen::StrictlyUpper>().setZero();
  if (content == 'g') out = Eigen::MatrixXd(out.diagonal().asDiagonal());
  return out;
}

inline properties known_of(char content) {
  switch (content) {
    case 'd':
      return spd;
    case 'i':
      return symmetric;
    case 'l':
      return lower_triangular;
    case 'g':
      return diagonal;
    case 's':
      return permutation;
    default:
      return {};
  }
}

}  // namespace detail

/// The operands of a kernel in the notation of `sample_operands`: its entry in `samples`, else
/// derived from its signature. Symbols then stand for m, n and k in order of occurrence, `...` for
/// as many dimensions as make the largest operand a matrix, a pack for one to four operands; square
/// matrices of numbers are definite, and integers are 0, 1, 2, ... Errors: those of
/// `parse_signature`; `bad_signature` for more than three symbols.
inline result<std::string> operands_of(const kernel_spec& kernel, view<sample_operands> samples) {
  for (const sample_operands& s : samples)
    if (s.op == kernel.name) return std::string(s.operands);
  const auto parsed = parse_signature(kernel.signature);
  if (!parsed) return parsed.error();
  std::size_t largest = 0;
  for (std::uint32_t i = 0; i < parsed->inputs; ++i)
    largest = std::max(largest, parsed->dimensions_of(parsed->parameters[i]).size());
  std::vector<text_view> symbols;
  std::string out;
  for (std::uint32_t i = 0; i < parsed->inputs; ++i) {
    const parameter& p = parsed->parameters[i];
    const view<text_view> own = parsed->dimensions_of(p);
    std::vector<text_view> all;
    constexpr text_view leading[] = {"...", "...."};
    if (p.leading)
      for (std::size_t d = largest; d < 2; ++d) all.push_back(leading[d - largest]);
    all.insert(all.end(), own.begin(), own.end());
    const bool square = own.size() == 2 && own[0] == own[1];
    out += i == 0 ? "" : " ";
    out += p.bound == "bool"                          ? "b"
           : p.bound == "i64" || p.bound == "integer" ? "p"
           : square                                   ? "d"
                                                      : "";
    out += '[';
    for (std::size_t d = 0; d < all.size(); ++d) {
      std::size_t s = 0;
      while (s < symbols.size() && !(symbols[s] == all[d])) ++s;
      if (s == symbols.size()) symbols.push_back(all[d]);
      if (s == 3)
        return make_error(errc::bad_signature, kernel.name,
                          "has more than three symbols: no sample of its operands is stated");
      out += d == 0 ? "" : ",";
      out += "mnk"[s];
      out += d == p.optional ? "?" : "";  // such a pattern has no leading dimensions
    }
    out += i == parsed->operand_pack ? "]*(1+k%4)" : "]";
  }
  return out;
}

namespace detail {

// Builds a workflow of one node from the notation of `operands_of`.
class kernel_builder {
 public:
  // Without `random` the operands have types, but no elements.
  kernel_builder(const extents& e, std::mt19937_64* random) : extents_(e), random_(random) {}

  // Reads words: operands, then attributes.
  error read(text_view words) {
    for (const std::string& word : words_of(words)) {
      const error e =
          word.find_first_of("=:#") == std::string::npos ? operand(word) : attribute(word);
      if (e.code != errc::none) return e;
    }
    return {};
  }
  // Adds an operand with these elements.
  void add_operand(const value_type& type, Eigen::MatrixXd elements) {
    inputs_.push_back(std::move(elements));
    const std::string name = "x" + std::to_string(types_.size());
    ids_.push_back(builder_.graph().add_input(name.c_str(), type));
    types_.push_back(type);
  }
  // Adds a node that reads all operands so far; its first result becomes the only operand.
  error apply(const kernel_spec& kernel) {
    const table<value_type> types(view<value_type>(types_.data(), types_.size()));
    const graph_view g = builder_.graph().view();
    const auto inferred = infer(kernel, {types, attributes_, &g});
    if (!inferred) return inferred.error();
    node_description what;
    what.op = kernel.name;
    what.domain = kernel.domain;
    what.attributes = attributes_;
    table<value_type> made(inferred->types());
    for (value_type& t : made)
      if (t.type == dtype::unknown) t.type = dtype::f64;  // not determined by any operand
    const node_id id = builder_.add_node(what, {ids_.data(), ids_.size()}, made);
    results_.clear();
    for (std::uint32_t i = 0; i < inferred->count; ++i)
      results_.push_back(graph_view::output_of(builder_.graph()[id], i));
    ids_ = {results_[0]};
    types_ = {made[0]};
    attributes_ = {};
    return {};
  }
  one_kernel finish() {
    for (std::size_t i = 0; i < results_.size(); ++i)
      builder_.graph().add_output(("y" + std::to_string(i)).c_str(), results_[i]);
    return {builder_.graph(), std::move(inputs_)};
  }

 private:
  error operand(const std::string& word) {
    const std::size_t end = word.find(']') + 1;
    if (end == word.size()) return one_operand(word);
    const auto count = extent_of(text_view(word.data() + end + 1, word.size() - end - 1), extents_);
    if (!count) return count.error();
    for (std::int64_t i = 0; i < *count; ++i)
      if (error e = one_operand(word.substr(0, end)); e.code != errc::none) return e;
    return {};
  }
  error one_operand(const std::string& word) {
    const std::size_t bracket = word.find('[');
    const char content = bracket == 0 ? ' ' : word[0];
    value_type type;
    type.type = content == 'b'                                       ? dtype::boolean
                : content == 'p' || content == 'c' || content == 'j' ? dtype::i64
                                                                     : dtype::f64;
    type.shape = shape::of();
    for (std::size_t at = bracket + 1; at + 1 < word.size();) {
      const std::size_t end = std::min(word.find(',', at), word.size() - 1);
      const bool is_optional = word[end - 1] == '?';
      const auto size =
          extent_of(text_view(word.data() + at, end - at - (is_optional ? 1 : 0)), extents_);
      if (!size) return size.error();
      if (!is_optional || !extents_.lacks_optional) type.shape.push_back(*size);
      at = end + 1;
    }
    type.known = known_of(content);
    add_operand(type, random_ == nullptr ? Eigen::MatrixXd()
                                         : filled(content, type.shape, types_, inputs_, *random_));
    return {};
  }
  error attribute(const std::string& word) {
    const std::size_t sign = word.find_first_of("=:#");
    texts_.push_back(text(text_view(word.data(), sign)));
    const text_view name = texts_.back().view();
    if (word[sign + 1] == '"') {
      texts_.push_back(text(text_view(word.data() + sign + 2, word.size() - sign - 3)));
      attributes_.push_back(attribute_value::string(name, texts_.back().view()));
      return {};
    }
    const auto value =
        extent_of(text_view(word.data() + sign + 1, word.size() - sign - 1), extents_);
    if (!value) return value.error();
    if (word[sign] == '#') {
      const value_type numbers{dtype::f64, {}, shape::of(*value)};
      texts_.push_back(elements_text(
          numbers, [](std::int64_t i) { return 0.5 + 0.25 * static_cast<double>(i % 3); }));
      attributes_.push_back(attribute_value::string(name, texts_.back().view()));
      return {};
    }
    attributes_.push_back(word[sign] == '=' ? attribute_value::integer(name, *value)
                                            : attribute_value::dimension(name, extent(*value)));
    return {};
  }

  extents extents_;
  std::mt19937_64* random_;
  graph_builder builder_{"one"};
  std::vector<value_id> ids_, results_;
  std::vector<value_type> types_;
  std::vector<Eigen::MatrixXd> inputs_;
  std::deque<text> texts_;
  table<attribute_value> attributes_;
};

inline const sample_operands* find_sample(text_view op, view<sample_operands> samples) {
  for (const sample_operands& s : samples)
    if (s.op == op) return &s;
  return nullptr;
}

}  // namespace detail

/// The workflow of a kernel on operands of these extents, for a view with its reader; without
/// `random` the operands have no elements. Errors: those of `operands_of`, of formulas and of
/// `infer`.
inline result<one_kernel> make_one(const kernel_spec& kernel, const extents& e,
                                   std::mt19937_64* random,
                                   view<sample_operands> samples = kernels::samples) {
  const auto operands = operands_of(kernel, samples);
  if (!operands) return operands.error();
  detail::kernel_builder builder(e, random);
  if (error fault = builder.read(*operands); fault.code != errc::none) return fault;
  if (error fault = builder.apply(kernel); fault.code != errc::none) return fault;
  const sample_operands* sample = detail::find_sample(kernel.name, samples);
  if (sample == nullptr || sample->reader.empty()) return builder.finish();
  if (error fault = builder.read(sample->reader_operand); fault.code != errc::none) return fault;
  if (error fault = builder.apply(*builtin_registry().find(sample->reader));
      fault.code != errc::none)
    return fault;
  return builder.finish();
}

/// True if the operands of a kernel may lack a dimension. Errors: those of `operands_of`.
inline result<bool> has_optional_dimension(const kernel_spec& kernel,
                                           view<sample_operands> samples = kernels::samples) {
  const auto operands = operands_of(kernel, samples);
  if (!operands) return operands.error();
  return operands->find('?') != std::string::npos;
}

/// True if a kernel's time is measured as the excess time of its reader.
inline bool has_reader(text_view op, view<sample_operands> samples = kernels::samples) {
  const sample_operands* sample = detail::find_sample(op, samples);
  return sample != nullptr && !sample->reader.empty();
}

/// The reader of a kernel alone, on an operand of the type of the kernel's first result; `of` is
/// the result of `make_one` for the kernel, which must have a reader. Errors: those of `infer`.
inline result<one_kernel> make_reader(const one_kernel& of, const extents& e,
                                      std::mt19937_64& random,
                                      view<sample_operands> samples = kernels::samples) {
  const graph_view g = of.workflow.view();
  const sample_operands* sample = detail::find_sample(g.op_name(g.nodes[0]), samples);
  value_type type = g[graph_view::output_of(g.nodes[0])].type;
  type.known = {};
  detail::kernel_builder builder(e, &random);
  builder.add_operand(type, detail::filled(' ', type.shape, {}, {}, random));
  if (error fault = builder.read(sample->reader_operand); fault.code != errc::none) return fault;
  if (error fault = builder.apply(*builtin_registry().find(sample->reader));
      fault.code != errc::none)
    return fault;
  return builder.finish();
}

}  // namespace wf::calibration
