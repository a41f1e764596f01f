// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <boost/mp11/algorithm.hpp>
#include <range/v3/algorithm/any_of.hpp>
#include <range/v3/view/filter.hpp>

#include <wf/ir/validate.hpp>
#include <wf/pass/bind.hpp>
#include <wf/registry/builtin.hpp>
#include <wf/registry/infer.hpp>
#include <wf/run/operation.hpp>
#include <wf/run/tensor.hpp>

namespace wf {

/// A matrix of any size, as run-time executors take and give it. A vector is a column, a scalar
/// 1x1; a tensor of more dimensions is a row of its elements in row-major order.
using dynamic_matrix = Eigen::MatrixXd;

/// Matrices by name.
using named_matrices = std::map<std::string, dynamic_matrix, std::less<>>;

namespace detail {

// What the registry infers for a node must be what the graph says, or executing it would go astray.
inline error shape_fault(const graph_view& g, node_id id, const registry& r) {
  const node& n = g[id];
  const kernel_spec* k = r.find(g.op_name(n));
  if (k == nullptr) return {};  // refused later, as an operator without implementation
  table<value_type> operands;
  for (value_id operand : g.inputs_of(n)) operands.push_back(g[operand].type);
  table<attribute_value> attributes;
  for (const attribute& a : g.attributes_of(n))
    attributes.push_back(
        {g.text_of(a.name), a.kind, a.number, a.denominator, a.real, g.text_of(a.characters)});
  const auto inferred =
      infer(*k, {{operands.data(), operands.size()}, {attributes.data(), attributes.size()}, &g});
  const text label = g.label(id);
  if (!inferred)
    return make_error(inferred.error().code, label.view(), inferred.error().message.view());
  bool same = inferred->count == n.outputs.count;
  for (std::uint32_t i = 0; same && i < n.outputs.count; ++i)
    same = inferred->results[i].shape == g.values[n.outputs.first + i].type.shape;
  if (!same)
    return make_error(errc::shape_mismatch, label.view(),
                      "its result has another shape than its operands give");
  return {};
}

class dynamic_run {
 public:
  explicit dynamic_run(const graph_view& g) : graph_(g) {}

  result<named_matrices> run(const named_matrices& arguments) {
    const auto order = topological_order(graph_);
    if (!order) return order.error();
    const registry kernels = builtin_registry();
    for (node_id id : *order)
      if (error e = node_error(id, kernels); e.code != errc::none) return e;
    values_.resize(graph_.values.size());
    allocate();
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i)
      if (graph_.values[i].producer == node_id::none) load(i, arguments);
    for (node_id id : *order)
      if (!run_node(id)) return failure(id);
    named_matrices out;
    for (const output& o : graph_.outputs)
      out[std::string(graph_.text_of(o.name))] = values_[index_of(o.source)];
    return out;
  }

 private:
  error node_error(node_id id, const registry& kernels) const {
    const node& n = graph_[id];
    const text label = graph_.label(id);
    const opcode op = opcode_of(graph_.op_name(n));
    if (is_rolled_loop(graph_, n))
      return make_error(errc::not_executable, label.view(), "a loop: unroll it first (wf::unroll)");
    for (std::uint32_t k = 0; k < n.inputs.count + n.outputs.count; ++k) {
      const value_id id_of = k < n.inputs.count
                                 ? graph_.inputs_of(n)[k]
                                 : static_cast<value_id>(n.outputs.first + k - n.inputs.count);
      const dtype d = graph_[id_of].type.type;
      if (!is_floating(d) && !is_integer(d))
        return make_error(errc::not_executable, label.view(),
                          (text() << "the executor has no elements of type " << name_of(d)).view());
    }
    if (error e = shape_fault(graph_, id, kernels); e.code != errc::none) return e;
    if (is_tensor_operator(graph_.op_name(n))) return {};
    if (op == opcode::unknown || (rank_of(n) > 2 && !works_on_tensors(op)))
      return make_error(errc::not_executable, label.view(),
                        (text() << "the executor has no implementation of " << graph_.op_name(n)
                                << " for these shapes")
                            .view());
    if (const text_view fault = node_fault(graph_, n); !fault.empty())
      return make_error(errc::not_executable, label.view(), fault);
    return {};
  }

  error failure(node_id id) const {
    const node& n = graph_[id];
    const opcode op = opcode_of(graph_.op_name(n));
    text why;
    why << graph_.op_name(n) << " failed: ";
    if (op == opcode::row_deconstruct)
      why << "the matrix is singular, no pivot at step " << graph_.integer_attribute(n, "step", 0);
    else if (has_step(op) || op == opcode::permute_columns)
      why << "the permutation names a row or column that does not exist";
    else if (op == opcode::max || op == opcode::mean)
      why << "there are no elements";
    else if (op == opcode::divide)
      why << "an integer quotient does not exist";
    else
      why << (is_cholesky(op) ? "the matrix is not positive definite" : "the matrix is singular");
    return make_error(errc::numerical_failure, graph_.label(id).view(), why.view());
  }
  static constexpr bool is_cholesky(opcode op) {
    return op == opcode::inverse_cholesky || op == opcode::solve_cholesky ||
           op == opcode::solve_vector_cholesky || op == opcode::solve_right_cholesky;
  }

  // All results get their storage before anything is computed.
  void allocate() {
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i) {
      const shape& s = graph_.values[i].type.shape;
      if (graph_.values[i].producer == node_id::none) continue;
      if (s.rank > 2)
        values_[i].resize(1, static_cast<Eigen::Index>(s.elements()));
      else
        values_[i].resize(s.rank == 0 ? 1 : static_cast<Eigen::Index>(s[0].size()),
                          s.rank < 2 ? 1 : static_cast<Eigen::Index>(s[1].size()));
    }
  }
  // Tensors come as a row or a column, and lie as a row.
  void load(std::uint32_t i, const named_matrices& arguments) {
    const dynamic_matrix& given =
        arguments.find(std::string(graph_.text_of(graph_.values[i].name)))->second;
    if (graph_.values[i].type.shape.rank > 2)
      values_[i] = Eigen::Map<const Eigen::RowVectorXd>(given.data(), given.size());
    else
      values_[i] = given;
  }

  bool run_node(node_id id) {
    const node& n = graph_[id];
    const opcode op = opcode_of(graph_.op_name(n));
    if (rank_of(n) > 2 || is_tensor_operator(graph_.op_name(n))) return run_tensors(n, op);
    if (op == opcode::divide && is_integer(graph_.values[n.outputs.first].type.type))
      return divide_integers(n);
    return dispatch(op, n);
  }

  std::uint32_t rank_of(const node& n) const {
    std::uint32_t rank = 0;
    for (value_id operand : graph_.inputs_of(n))
      rank = std::max(rank, graph_[operand].type.shape.rank);
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      rank = std::max(rank, graph_.values[n.outputs.first + k].type.shape.rank);
    return rank;
  }

  const dynamic_matrix& in(const node& n, std::uint32_t k) const {
    return values_[index_of(graph_.inputs_of(n)[k])];
  }
  dynamic_matrix& out(const node& n) { return values_[n.outputs.first]; }

  bool dispatch(opcode op, const node& n) {
    node_facts facts = facts_of(graph_, n);
    if (op == opcode::row_deconstruct)
      facts.magnitude = compute::column_magnitude(values_[index_of(facts.origin)],
                                                  static_cast<Eigen::Index>(facts.step));
    if (op == opcode::unknown) return false;
    constexpr auto implemented = static_cast<std::size_t>(opcode::unknown);
    return boost::mp11::mp_with_index<implemented>(static_cast<std::size_t>(op), [&](auto known) {
      return one<static_cast<opcode>(known())>(n, facts);
    });
  }
  template <opcode Op>
  bool one(const node& n, const node_facts& f) {
    if constexpr (Op == opcode::constant)
      return execute<Op>(out(n), f);
    else if constexpr (is_unary(Op))
      return execute<Op>(out(n), f, in(n, 0));
    else
      return execute<Op>(out(n), f, in(n, 0), in(n, 1));
  }

  // Integers lie in doubles; their quotient is cut off as in C++.
  bool divide_integers(const node& n) {
    if ((in(n, 1).array() == 0.0).any()) return false;
    const bool done = dispatch(opcode::divide, n);
    out(n) = out(n).array().unaryExpr([](double x) { return std::trunc(x); }).matrix().eval();
    return done;
  }

  static constexpr bool is_tensor_operator(text_view op) {
    return op == "conv2d" || op == "max_pool2d" || op == "global_average_pool" || op == "einsum" ||
           op == "rearrange";
  }
  static constexpr bool works_on_tensors(opcode op) {
    return op <= opcode::matmul || op == opcode::softmax || op == opcode::reshape ||
           op == opcode::sum || op == opcode::max || op == opcode::mean || op == opcode::transpose;
  }

  // The elements of a value in row-major order: those of a matrix are copied to `copy`.
  compute::tensor_view tensor(value_id id, Eigen::RowVectorXd& copy) const {
    const shape& s = graph_[id].type.shape;
    const dynamic_matrix& m = values_[index_of(id)];
    if (s.rank != 2) return {s, m.data()};
    copy.resize(m.size());
    compute::reshape(copy, m);
    return {s, copy.data()};
  }

  bool run_tensors(const node& n, opcode op) {
    Eigen::RowVectorXd copies[2], made;
    const value_id result = graph_view::output_of(n);
    const compute::tensor_view a = tensor(graph_.inputs_of(n)[0], copies[0]);
    const compute::tensor_view b =
        n.inputs.count > 1 ? tensor(graph_.inputs_of(n)[1], copies[1]) : compute::tensor_view{};
    const shape& s = graph_[result].type.shape;
    if (s.rank == 2) made.resize(out(n).size());
    const compute::tensor_ref to{s, s.rank == 2 ? made.data() : out(n).data()};
    if (!compute_tensors(n, op, to, a, b)) return false;
    if (s.rank == 2) compute::reshape(out(n), made);
    return true;
  }

  bool compute_tensors(const node& n, opcode op, const compute::tensor_ref& to,
                       const compute::tensor_view& a, const compute::tensor_view& b) {
    using namespace compute;
    const Eigen::Index stride = graph_.integer_attribute(n, "stride", 1);
    const Eigen::Index padding = graph_.integer_attribute(n, "padding", 0);
    const bool integers = is_integer(graph_.values[n.outputs.first].type.type);
    switch (op) {
      case opcode::add:
        tensor_elementwise(to, a, b, std::plus<>());
        return true;
      case opcode::subtract:
        tensor_elementwise(to, a, b, std::minus<>());
        return true;
      case opcode::multiply:
        tensor_elementwise(to, a, b, std::multiplies<>());
        return true;
      case opcode::divide:
        return divide_tensors(to, a, b, integers);
      case opcode::negate:
        tensor_map(to, a, std::negate<>());
        return true;
      case opcode::relu:
        tensor_map(to, a, [](double x) { return x > 0 ? x : 0.0; });
        return true;
      case opcode::matmul:
        tensor_matmul(to, a, b);
        return true;
      case opcode::transpose:
        tensor_transpose(to, a);
        return true;
      case opcode::softmax:
        tensor_softmax(to, a);
        return true;
      case opcode::reshape:
        tensor_map(to, a, [](double x) { return x; });
        return true;
      case opcode::sum:
      case opcode::max:
      case opcode::mean:
        return reduce_tensor(n, op, to, a);
      default:
        break;
    }
    if (const attribute* equation = graph_.find_attribute(n, "equation")) {
      tensor_einsum(to, a, b, graph_.text_of(equation->characters));
    } else if (graph_.op_name(n) == "conv2d") {
      tensor_conv2d(to, a, b, stride, padding);
    } else if (graph_.op_name(n) == "max_pool2d") {
      tensor_max_pool2d(to, a, graph_.integer_attribute(n, "window", 1), stride, padding);
    } else {
      const auto pixels = static_cast<double>(a.extents(2, 4));
      tensor_reduce({shape::of(a.shape[0], a.shape[1]), to.elements},
                    {shape::of(a.shape[0], a.shape[1], a.extents(2, 4)), a.elements}, 2, 0.0,
                    [&](double sum, double x) { return sum + x / pixels; });
    }
    return true;
  }

  static bool divide_tensors(const compute::tensor_ref& to, const compute::tensor_view& a,
                             const compute::tensor_view& b, bool integers) {
    bool exists = true;
    compute::tensor_elementwise(to, a, b, [&](double x, double y) {
      exists = exists && !(integers && y == 0);
      return integers ? std::trunc(x / y) : x / y;
    });
    return exists;
  }

  bool reduce_tensor(const node& n, opcode op, const compute::tensor_ref& to,
                     const compute::tensor_view& a) {
    const std::int64_t axis = graph_.integer_attribute(n, "axis", -1);
    const Eigen::Index all = a.extents(0, a.shape.rank);
    if (op == opcode::sum) {
      compute::tensor_reduce(to, a, axis, 0.0, std::plus<>());
      return true;
    }
    if (all == 0) return false;
    if (op == opcode::max) {
      compute::tensor_reduce(to, a, axis, -std::numeric_limits<double>::infinity(),
                             [](double x, double y) { return y > x ? y : x; });
      return true;
    }
    const auto count =
        static_cast<double>(axis < 0 ? all : a.extent(static_cast<std::uint32_t>(axis)));
    compute::tensor_reduce(to, a, axis, 0.0, std::plus<>());
    for (Eigen::Index i = 0; i < to.view().extents(0, to.shape.rank); ++i) to.elements[i] /= count;
    return true;
  }

  graph_view graph_;
  std::vector<dynamic_matrix> values_;
};

inline auto inputs_of(const graph_view& g) {
  return g.values |
         ranges::views::filter([](const value& v) { return v.producer == node_id::none; });
}

inline text input_names(const graph_view& g) {
  text names;
  for (const value& v : inputs_of(g)) names << (names.empty() ? "" : ", ") << g.text_of(v.name);
  return names;
}

// Finds the size of a symbol that is the only unknown of a tensor, whose argument is flat, and
// checks the number of elements where all is known.
inline error tensor_sizes(const graph_view& g, const named_matrices& arguments,
                          table<symbol_size>& sizes) {
  for (const value& v : inputs_of(g)) {
    const shape& s = v.type.shape;
    if (s.rank <= 2) continue;
    const text_view name = g.text_of(v.name);
    const dynamic_matrix& m = arguments.find(std::string(name))->second;
    std::int64_t known = 1, unknowns = 0;
    symbol wanted;
    for (std::uint32_t d = 0; d < s.rank; ++d) {
      std::int64_t size = s[d].is_fixed() ? s[d].size() : -1;
      if (s[d].is_symbol())
        for (const symbol_size& bound : sizes)
          if (bound.name == s[d].name()) size = bound.size;
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

// Finds the sizes of symbols in the arguments' shapes, or what does not fit.
inline result<table<symbol_size>> sizes_from(const graph_view& g, const named_matrices& arguments) {
  table<symbol_size> sizes;
  std::size_t inputs = 0;
  for (const value& v : inputs_of(g)) {
    ++inputs;
    const text_view name = g.text_of(v.name);
    const auto found = arguments.find(std::string(name));
    if (found == arguments.end())
      return make_error(errc::missing_argument, name, "the run needs this input");
    const shape& s = v.type.shape;
    const dynamic_matrix& m = found->second;
    if (s.rank > 2) continue;  // see tensor_sizes
    const std::int64_t actual[] = {m.rows(), m.cols()};
    for (std::uint32_t d = 0; d < 2; ++d) {
      const extent wanted = d < s.rank ? s[d] : extent(1);
      bool fits = !wanted.is_fixed() || wanted.size() == actual[d];
      if (wanted.is_symbol()) {
        bool bound = false;
        for (const symbol_size& known : sizes) {
          if (known.name != wanted.name()) continue;
          bound = true;
          fits = known.size == actual[d];
        }
        if (!bound) sizes.push_back({wanted.name(), actual[d]});
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
    if (!ranges::any_of(inputs_of(g), [&](const value& v) { return g.text_of(v.name) == given; }))
      return make_error(
          errc::unknown_argument, name,
          (text() << "the workflow has no input of this name, only " << input_names(g).view())
              .view());
  }
  return sizes;
}

}  // namespace detail

/// Runs any workflow, symbolic or static, in double precision: binds the symbols to the arguments'
/// sizes, allocates every result, computes, and returns the outputs by name. Integers are doubles
/// too, exact up to 2^53. Nothing is returned in part. Errors: `missing_argument`,
/// `unknown_argument`, `argument_shape` (also when one symbol would have two sizes),
/// `not_executable` for an operator without implementation or a loop that was not unrolled,
/// `numerical_failure` naming the node, `shape_mismatch` and others of `infer` for a graph whose
/// operators do not fit their operands, those of `bind_symbols` and `validate`.
inline result<named_matrices> run_dynamic(const graph_view& g, const named_matrices& arguments) {
  if (auto valid = validate(g); !valid) return valid.error();
  const auto sizes = detail::sizes_from(g, arguments);
  if (!sizes) return sizes.error();
  const auto bound = bind_symbols(g, *sizes);
  if (!bound) return bound.error();
  if (!bound->view().is_static())
    return make_error(errc::workflow_not_static, g.text_of(g.name),
                      "a symbol occurs in no argument, so its size is unknown");
  table<symbol_size> none;
  if (error e = detail::tensor_sizes(bound->view(), arguments, none); e.code != errc::none)
    return e;
  return detail::dynamic_run(bound->view()).run(arguments);
}

}  // namespace wf
