// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <wf/core/diagnosis/ill_formed.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/run/operators/operation.hpp>
#include <wf/run/static/static_body.hpp>
#include <wf/run/static/static_value.hpp>
#include <wf/run/values/argument.hpp>

// Checks of a static run while compiling: of its plan and of its arguments.
namespace wf {

/// Size limit in bytes of matrices that a static plan inverts or solves with: Eigen's fixed-size
/// triangular solvers take a multiple of it from the stack. `run_dynamic` has no limit.
inline constexpr std::int64_t max_factorised_bytes = 512 * 1024;

namespace detail {

template <class T>
concept eigen_matrix = requires(const T& t) {
  T::RowsAtCompileTime;
  T::ColsAtCompileTime;
  t.derived();
};

struct expected_argument {
  text_view name;
  value_type type;
  bool is_output = false;
};

constexpr bool find_expected(const graph_view& g, text_view name, expected_argument& out) {
  for (const value& v : g.values)
    if (v.producer == node_id::none && g.text_of(v.name) == name)
      return out = {name, v.type, false}, true;
  for (const output& o : g.outputs)
    if (g.text_of(o.name) == name) return out = {name, g[o.source].type, true}, true;
  return false;
}

template <const auto& Source, class... Arguments>
constexpr error missing_argument() {
  const graph_view g = Source.graph();
  for (const value& v : g.values)
    if (v.producer == node_id::none &&
        position_of<Arguments...>(g.text_of(v.name)) == sizeof...(Arguments))
      return make_error(errc::missing_argument, g.text_of(v.name),
                        "the run needs this input as a named argument");
  for (const output& o : g.outputs) {
    const value_type& t = g[o.source].type;
    if (position_of<Arguments...>(g.text_of(o.name)) == sizeof...(Arguments) &&
        t.shape.elements() * size_of(t.type) > static_cast<std::int64_t>(max_stack_bytes))
      return make_error(errc::missing_argument, g.text_of(o.name),
                        "this output is too large to be returned: pass a matrix to write it to");
  }
  return {};
}

template <class... Arguments>
constexpr error repeated_argument() {
  const text_view names[] = {Arguments::name()..., text_view()};
  for (std::size_t i = 0; i < sizeof...(Arguments); ++i)
    if (position_of<Arguments...>(names[i]) != i)
      return make_error(errc::unknown_argument, names[i],
                        "an argument of this name is given twice");
  return {};
}

template <const auto& Source>
constexpr text known_names() {
  const graph_view g = Source.graph();
  text names;
  for (const value& v : g.values)
    if (v.producer == node_id::none) names << (names.empty() ? "" : ", ") << g.text_of(v.name);
  for (const output& o : g.outputs) names << (names.empty() ? "" : ", ") << g.text_of(o.name);
  return names;
}

template <const auto& Source, class Argument>
constexpr error argument_error() {
  expected_argument expected;
  if (!find_expected(Source.graph(), Argument::name(), expected))
    return make_error(
        errc::unknown_argument, Argument::name(),
        (text() << "the workflow knows no such name, only " << known_names<Source>().view())
            .view());
  using matrix = std::remove_const_t<typename Argument::type>;
  if constexpr (!eigen_matrix<matrix>) {
    return make_error(errc::argument_shape, Argument::name(), "an argument is an Eigen matrix");
  } else {
    const auto rows = static_cast<int>(rows_of(expected.type.shape));
    const auto columns = static_cast<int>(columns_of(expected.type.shape));
    if (matrix::RowsAtCompileTime != rows || matrix::ColsAtCompileTime != columns)
      return make_error(errc::argument_shape, Argument::name(),
                        (text() << "it is " << rows << 'x' << columns << ", not "
                                << static_cast<int>(matrix::RowsAtCompileTime) << 'x'
                                << static_cast<int>(matrix::ColsAtCompileTime))
                            .view());
    if (dtype_of<typename matrix::Scalar> != expected.type.type)
      return make_error(errc::argument_shape, Argument::name(),
                        (text() << "its elements are " << name_of(expected.type.type) << ", not "
                                << name_of(dtype_of<typename matrix::Scalar>))
                            .view());
    if (expected.is_output && std::is_const_v<typename Argument::type>)
      return make_error(errc::argument_shape, Argument::name(),
                        "it is an output: pass a matrix that can be written");
    return {};
  }
}

constexpr bool factorises(opcode op) { return op >= opcode::inverse && op <= opcode::solve_ldl; }
constexpr bool reads_triangle(opcode op) {
  return op == opcode::solve_triangular || op == opcode::inverse_triangular ||
         op == opcode::matmul_triangular;
}

template <class Code>
constexpr text_view static_node_fault(const graph_view& g, const node& n, const Code& code) {
  if (is_rolled_loop(g, n)) return "loops must be unrolled first";
  if (code.find(g.op_name(n)) < code.size) return {};
  const opcode op = opcode_of(g.op_name(n));
  if (op == opcode::unknown)
    return "nobody implemented this operator: wf::run<plan, code> with "
           "code = wf::implementations(wf::implement<kernel>(function))";
  if (const text_view fault = node_fault(g, n); !fault.empty()) return fault;
  if (reads_triangle(op)) {
    const properties known = g[g.inputs_of(n)[0]].type.known;
    if (!known.has(lower_triangular) && !known.has(upper_triangular))
      return "its first operand is not known to be triangular";
  }
  if (!factorises(op)) return {};
  const bool right = op == opcode::solve_right || op == opcode::solve_right_cholesky;
  const value_type& t = g[g.inputs_of(n)[right ? 1 : 0]].type;
  if (t.shape.elements() * size_of(t.type) > max_factorised_bytes)
    return "the matrix is too large for fixed-size code: use run_dynamic";
  return {};
}

// True for a value that is only computed by a body's node and handed out.
constexpr bool is_verdict(const graph_view& g, value_id id) {
  const node_id producer = g[id].producer;
  if (producer == node_id::none || !has_body(g, g[producer])) return false;
  for (const node& n : g.nodes)
    for (value_id operand : g.inputs_of(n))
      if (operand == id) return false;
  return true;
}
// True for element types that `scalar_of` maps.
constexpr bool has_scalar(dtype d) {
  return d == dtype::f32 || d == dtype::f64 || is_complex(d) || d == dtype::i32 || d == dtype::i64;
}

template <class Code>
constexpr error executor_fault(const graph_view& g, const Code& code) {
  if (auto valid = validated(g); !valid) return valid.error();
  for (std::uint32_t i = 0; i < g.values.size(); ++i)
    if (const value& v = g.values[i];
        v.type.shape.rank > 2 || v.type.shape.elements() <= 0 ||
        !(has_scalar(v.type.type) || is_verdict(g, static_cast<value_id>(i))))
      return make_error(
          errc::not_executable, g.text_of(g.name),
          (text() << "the static executor knows f32, f64, c64, c128, i32 and i64 of at most 2 "
                     "dimensions, none empty; not "
                  << to_text(v.type).view())
              .view());
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    const node& n = g.nodes[i];
    const auto id = static_cast<node_id>(i);
    if (!has_body(g, n)) {
      if (const text_view fault = static_node_fault(g, n, code); !fault.empty())
        return make_error(errc::not_executable, g.label(id).view(), fault);
      continue;
    }
    const auto body = body_of(g, id, "next.");
    if (!body) return body.error();
    if (error e = executor_fault(body->view(), code); e.code != errc::none) return e;
  }
  return {};
}

template <const auto& Source, const auto& Code>
constexpr error executor_error() {
  const graph_view g = Source.graph();
  if (error e = executor_fault(g, Code); e.code != errc::none) return e;
  for (const value& v : g.values)
    for (const output& o : g.outputs)
      if (v.producer == node_id::none && g.text_of(v.name) == g.text_of(o.name))
        return make_error(errc::not_executable, g.text_of(o.name),
                          "an input and an output share this name: use run_dynamic");
  return {};
}

template <bool Ok, auto Failure>
struct run_check {};
template <auto Failure>
struct run_check<false, Failure> : report<diagnose<Failure>> {};

template <const auto& Source, const auto& Code, class... Arguments>
struct run_checks
    : run_check<executor_error<Source, Code>().code == errc::none, &executor_error<Source, Code>>,
      run_check<missing_argument<Source, Arguments...>().code == errc::none,
                &missing_argument<Source, Arguments...>>,
      run_check<repeated_argument<Arguments...>().code == errc::none,
                &repeated_argument<Arguments...>> {
  static constexpr bool ok = executor_error<Source, Code>().code == errc::none &&
                             missing_argument<Source, Arguments...>().code == errc::none &&
                             repeated_argument<Arguments...>().code == errc::none &&
                             ((argument_error<Source, Arguments>().code == errc::none) && ...);
};

template <const auto& Source, class Argument>
struct argument_check : run_check<argument_error<Source, Argument>().code == errc::none,
                                  &argument_error<Source, Argument>> {};

}  // namespace detail

}  // namespace wf
