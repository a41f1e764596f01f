// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <wf/core/diagnosis/result.hpp>
#include <wf/ir/graph/view.hpp>

#include <linalg/formula.hpp>

namespace linalg_benchmark {

/// Converts a captured workflow of matrices and scalars to a formula.
class formula_reader {
 public:
  formula_reader(const wf::graph_view& g, inverses kept, repetitions repeated)
      : graph_(g),
        kept_(kept),
        repeated_(repeated),
        uses_(g.values.size()),
        is_named_(g.values.size()),
        done_(g.values.size()) {
    for (const wf::value_id id : g.operands) ++uses_[index_of(id)];
    for (const wf::output& o : g.outputs) {
      ++uses_[index_of(o.source)];
      is_named_[index_of(o.source)] = 1;
    }
    out_.scalars.push_back({"", true});
  }

  wf::result<formula> read() {
    for (std::uint32_t i = 0; i < graph_.values.size() && !failed_; ++i)
      if (graph_.values[i].producer == wf::node_id::none || repeated_ == repetitions::computed_once)
        (void)value(static_cast<wf::value_id>(i));
    for (const wf::output& o : graph_.outputs) {
      if (failed_) break;
      const lowered l = value(o.source);
      if (failed_) break;
      if (l.is_scalar) return refuse("a scalar is no result of a problem");
      const std::uint32_t matrix = is_plain(l.terms) && out_.matrices[only(l).matrix].input.empty()
                                       ? only(l).matrix
                                       : add_step(l.terms);
      const wf::text_view name = graph_.text_of(o.name);
      out_.outputs.push_back({{name.data(), name.size()}, matrix});
    }
    if (failed_) return error_;
    note_uses();
    return std::move(out_);
  }

 private:
  /// A value whose computation is left to its users: a scalar or a sum of terms.
  struct lowered {
    bool is_scalar = false;
    std::uint32_t scalar = 0;
    std::vector<term> terms;
  };

  // --- values -----------------------------------------------------------------------------------

  /// The number of steps that read the computation of a value: all uses if it is computed once or
  /// has a name, else 1, since each occurrence is then computed anew.
  std::uint32_t uses_of(wf::value_id id) const {
    const bool once = repeated_ == repetitions::computed_once || is_named_[index_of(id)] != 0;
    return once ? uses_[index_of(id)] : 1;
  }

  lowered value(wf::value_id id) {
    std::optional<lowered>& done = done_[index_of(id)];
    if (done) return *done;
    const wf::value& v = graph_[id];
    const wf::shape& s = v.type.shape;
    const bool is_input = v.producer == wf::node_id::none, is_scalar = s.rank == 0;
    if (!is_scalar && s.rank != 2)
      return fail("only scalars and matrices can be compared"), lowered();
    lowered out = is_input    ? read_input(v)
                  : is_scalar ? read_scalar(graph_[v.producer])
                              : read_matrix(graph_[v.producer]);
    if (failed_) return out;
    if (!out.is_scalar && uses_of(id) >= 2 && !is_lazy(out.terms))
      out = single(add_step(out.terms));  // used more than once: a step of its own
    if (is_input || is_scalar || is_named_[index_of(id)] != 0 ||
        repeated_ == repetitions::computed_once)
      done = out;
    return out;
  }

  lowered read_input(const wf::value& v) {
    const wf::text_view name = graph_.text_of(v.name);
    std::string text(name.data(), name.size());
    if (v.type.shape.rank == 0) {
      out_.scalars.push_back({std::move(text), v.type.known.has(wf::positive)});
      return scalar(static_cast<std::uint32_t>(out_.scalars.size() - 1));
    }
    matrix_value m{v.type.shape[0].size(), v.type.shape[1].size(), std::move(text), v.type.known};
    out_.matrices.push_back(std::move(m));
    return single(static_cast<std::uint32_t>(out_.matrices.size() - 1));
  }

  lowered read_scalar(const wf::node& n) {
    const wf::text_view op = graph_.op_name(n);
    if (op == "constant") {
      const wf::attribute* value = graph_.find_attribute(n, "value");
      if (value == nullptr) return fail("a constant without value"), lowered();
      return scalar(constant(value->kind == wf::attribute_kind::real
                                 ? value->real
                                 : static_cast<double>(value->number) /
                                       static_cast<double>(value->denominator)));
    }
    std::uint32_t of[2] = {};
    for (std::uint32_t k = 0; k < n.inputs.count && k < 2; ++k) {
      const lowered l = value(graph_.inputs_of(n)[k]);
      if (!l.is_scalar) return unknown(op);
      of[k] = l.scalar;
    }
    if (op == "reciprocal") return scalar(compute(scalar_operation::divide, 0, of[0]));
    if (op == "negate") return scalar(compute(scalar_operation::multiply, minus_one(), of[0]));
    if (op == "add") return scalar(compute(scalar_operation::add, of[0], of[1]));
    if (op == "subtract") return scalar(compute(scalar_operation::subtract, of[0], of[1]));
    if (op == "multiply") return scalar(compute(scalar_operation::multiply, of[0], of[1]));
    if (op == "divide") return scalar(compute(scalar_operation::divide, of[0], of[1]));
    return unknown(op);
  }

  lowered read_matrix(const wf::node& n) {
    const wf::text_view op = graph_.op_name(n);
    const lowered a = value(graph_.inputs_of(n)[0]);
    const lowered b = n.inputs.count == 1 ? a : value(graph_.inputs_of(n)[1]);
    if (failed_) return a;
    const bool matrices = !a.is_scalar && !b.is_scalar;
    if (op == "negate") return scaled(a, minus_one());
    if (op == "transpose") return transposed(a);
    if (op == "inverse") return inverse(a, uses_of(wf::graph_view::output_of(n)));
    if (op == "matmul" && matrices) return product(a, b);
    if (op == "add" && matrices) return sum(a, b);
    if (op == "subtract" && matrices) return sum(a, scaled(b, minus_one()));
    if (op == "multiply" && a.is_scalar && !b.is_scalar) return scaled(b, a.scalar);
    if (op == "multiply" && b.is_scalar && !a.is_scalar) return scaled(a, b.scalar);
    if (op == "divide" && b.is_scalar && !a.is_scalar)
      return scaled(a, compute(scalar_operation::divide, 0, b.scalar));
    return unknown(op);
  }

  static lowered scalar(std::uint32_t of) { return {true, of, {}}; }
  static lowered single(std::uint32_t matrix) {
    return {false, 0, {term{0, {factor{matrix, false, false}}}}};
  }
  lowered scaled(lowered l, std::uint32_t by) {
    for (term& t : l.terms) t.scalar = compute(scalar_operation::multiply, t.scalar, by);
    return l;
  }
  lowered transposed(const lowered& l) {
    lowered out = as_one_factor(l);
    factor& f = out.terms[0].factors[0];
    if (!out_.matrices[f.matrix].known.has(wf::symmetric)) f.transposed = !f.transposed;
    return out;
  }
  lowered inverse(const lowered& l, std::uint32_t uses) {
    lowered out = as_one_factor(l);
    if (only(out).inverted) out = single(add_step(out.terms));
    term& t = out.terms[0];
    if (t.scalar != 0) t.scalar = compute(scalar_operation::divide, 0, t.scalar);
    t.factors[0].inverted = true;
    if (kept_ == inverses::computed || (kept_ == inverses::single && uses > 1))
      return single(add_step(out.terms));
    return out;
  }
  /// a*b: parentheses on the right are computed first.
  lowered product(const lowered& a, const lowered& b) {
    lowered out = a.terms.size() == 1 ? a : single(add_step(a.terms));
    const lowered right = as_one_factor(b);
    term& t = out.terms[0];
    t.scalar = compute(scalar_operation::multiply, t.scalar, right.terms[0].scalar);
    t.factors.push_back(right.terms[0].factors[0]);
    return out;
  }
  static lowered sum(const lowered& a, const lowered& b) {
    lowered out = a;
    out.terms.insert(out.terms.end(), b.terms.begin(), b.terms.end());
    return out;
  }
  lowered as_one_factor(const lowered& l) {
    return is_lazy(l.terms) ? l : single(add_step(l.terms));
  }

  /// True if the sum is a single factor, which needs no step of its own.
  static bool is_lazy(const std::vector<term>& terms) {
    return terms.size() == 1 && terms[0].factors.size() == 1;
  }
  static bool is_plain(const std::vector<term>& terms) {
    return is_lazy(terms) && terms[0].scalar == 0 && !terms[0].factors[0].transposed &&
           !terms[0].factors[0].inverted;
  }
  static const factor& only(const lowered& l) { return l.terms[0].factors[0]; }

  // --- scalars ----------------------------------------------------------------------------------

  std::uint32_t compute(scalar_operation op, std::uint32_t left, std::uint32_t right) {
    if (right == 0 && (op == scalar_operation::multiply || op == scalar_operation::divide))
      return left;
    if (left == 0 && op == scalar_operation::multiply) return right;
    const bool positive = op != scalar_operation::subtract && out_.scalars[left].positive &&
                          out_.scalars[right].positive;
    // (-1)·(-1) is 1.
    const bool twice = op == scalar_operation::multiply && left == minus_ && right == minus_;
    if (twice) return 0;
    return add_scalar({op, 0, left, right, 0}, positive);
  }
  std::uint32_t constant(double value) {
    if (value == 1) return 0;
    return add_scalar({scalar_operation::constant, 0, 0, 0, value}, value > 0);
  }
  std::uint32_t minus_one() {
    if (minus_ == 0) minus_ = constant(-1);
    return minus_;
  }
  std::uint32_t add_scalar(scalar_step step, bool positive) {
    step.result = static_cast<std::uint32_t>(out_.scalars.size());
    out_.scalars.push_back({"", positive});
    out_.scalar_steps.push_back(step);
    return step.result;
  }

  // --- steps ------------------------------------------------------------------------------------

  std::uint32_t add_step(const std::vector<term>& terms) {
    const std::vector<factor>& first = terms[0].factors;
    matrix_value made;
    made.rows = rows_of(first.front());
    made.columns = columns_of(first.back());
    const bool definite =
        std::all_of(terms.begin(), terms.end(), [&](const term& t) { return is_semidefinite(t); });
    if (definite) made.known = wf::psd;
    const auto number = static_cast<std::uint32_t>(out_.matrices.size());
    out_.matrices.push_back(std::move(made));
    out_.steps.push_back({number, terms, {}});
    return number;
  }
  std::int64_t rows_of(const factor& f) const {
    const matrix_value& m = out_.matrices[f.matrix];
    return f.transposed ? m.columns : m.rows;
  }
  std::int64_t columns_of(const factor& f) const {
    const matrix_value& m = out_.matrices[f.matrix];
    return f.transposed ? m.rows : m.columns;
  }
  /// True for a product that is its own transpose by symmetry about a semidefinite factor or about
  /// nothing, times a positive scalar.
  bool is_semidefinite(const term& t) const {
    if (!out_.scalars[t.scalar].positive) return false;
    const std::size_t count = t.factors.size();
    for (std::size_t i = 0; i < count / 2; ++i) {
      factor mirrored = t.factors[count - 1 - i];
      if (!out_.matrices[mirrored.matrix].known.has(wf::symmetric))
        mirrored.transposed = !mirrored.transposed;
      if (t.factors[i] != mirrored) return false;
    }
    return count % 2 == 0 || out_.matrices[t.factors[count / 2].matrix].known.has(wf::psd);
  }

  void note_uses() {
    std::vector<char> needed(out_.matrices.size());
    for (matrix_value& m : out_.matrices) m.inverted_only = m.input.empty();
    for (const formula_output& o : out_.outputs) {
      needed[o.matrix] = 1;
      ++out_.matrices[o.matrix].uses;
      out_.matrices[o.matrix].inverted_only = false;
    }
    for (auto step = out_.steps.rbegin(); step != out_.steps.rend(); ++step)
      for (const term& t : step->terms)
        for (const factor& f : t.factors) {
          ++out_.matrices[f.matrix].uses;
          if (!f.inverted) out_.matrices[f.matrix].inverted_only = false;
          if (needed[f.matrix] != 0) continue;
          needed[f.matrix] = 1;
          if (out_.matrices[f.matrix].input.empty()) step->last_uses.push_back(f.matrix);
        }
  }

  // --- errors -----------------------------------------------------------------------------------

  wf::error refuse(const std::string& why) const {
    return wf::make_error(wf::errc::not_executable, graph_.text_of(graph_.name), why.c_str());
  }
  void fail(const std::string& why) {
    if (!failed_) error_ = refuse(why);
    failed_ = true;
  }
  lowered unknown(wf::text_view op) {
    fail("nothing to compare '" + std::string(op.data(), op.size()) + "' of these operands with");
    return single(0);
  }

  wf::graph_view graph_;
  inverses kept_;
  repetitions repeated_;
  std::vector<std::uint32_t> uses_;           // by value
  std::vector<char> is_named_;                // by value: 1 if it is the left side of an equation
  std::vector<std::optional<lowered>> done_;  // by value
  formula out_;
  std::uint32_t minus_ = 0;  // the scalar -1; 0 if it does not exist yet
  bool failed_ = false;
  wf::error error_;
};

/// Converts a captured workflow to a formula. Errors: `not_executable` for anything but sums,
/// products, transposes and inverses of matrices, and scalars.
inline wf::result<formula> read_formula(const wf::graph_view& g, inverses kept,
                                        repetitions repeated = repetitions::computed_once) {
  return formula_reader(g, kept, repeated).read();
}

}  // namespace linalg_benchmark
