// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <complex>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include <wf/core/diagnosis/ill_formed.hpp>
#include <wf/ir/graph/topology.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/run/operators/operation.hpp>
#include <wf/run/plan/implement.hpp>
#include <wf/run/static/own_static.hpp>
#include <wf/run/values/argument.hpp>
#include <wf/run/values/argument_tuple.hpp>

namespace wf {

/// The outcome of a run of a static plan. Contextually true if all outputs were computed.
struct run_status {
  /// `errc::none`, or `numerical_failure`.
  errc code = errc::none;
  /// The node that failed, or `none`.
  node_id at = node_id::none;
  /// True if all outputs were computed.
  constexpr explicit operator bool() const { return code == errc::none; }
};

/// Limit in bytes for intermediate values on the stack; plans that need more keep them in static
/// storage of the thread.
inline constexpr std::size_t max_stack_bytes = 128 * 1024;

/// Size limit in bytes of matrices that a static plan inverts or solves with: Eigen's fixed-size
/// triangular solvers take a multiple of it from the stack. `run_dynamic` has no limit.
inline constexpr std::int64_t max_factorised_bytes = 512 * 1024;

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

template <const auto& Source, const auto& Code, class... Arguments>
class static_run {
 public:
  static_run(std::byte* workspace, const std::tuple<Arguments...>& arguments)
      : workspace_(workspace), arguments_(arguments) {}

  run_status run() {
    run_range<0, nodes>();
    if (status_) copy_outputs(std::make_index_sequence<outputs>{});
    return status_;
  }

 private:
  static constexpr std::size_t nodes = Source.graph().nodes.size();
  static constexpr auto order = execution_order<Source>();
  static constexpr std::size_t outputs = Source.graph().outputs.size();

  // By halves: compilers limit the terms of a fold and the depth of a recursion.
  template <std::size_t First, std::size_t Last>
  void run_range() {
    if constexpr (Last - First == 1) {
      if (status_ && !run_node<index_of(order.records[First])>())
        status_ = {errc::numerical_failure, order.records[First]};
    } else if constexpr (Last > First) {
      run_range<First, (First + Last) / 2>();
      run_range<(First + Last) / 2, Last>();
    }
  }

  template <std::size_t Index>
  bool run_node() {
    constexpr node n = Source.graph().nodes[Index];
    constexpr std::size_t own = Code.find(Source.graph().op_name(n));
    if constexpr (own < Code.size)
      return run_own<Index, typename std::remove_cvref_t<decltype(Code)>::template at<own>>(
          std::make_index_sequence<n.outputs.count>(), std::make_index_sequence<n.inputs.count>());
    else
      return run_built_in<Index>();
  }
  template <std::size_t Index, class Implementation, std::size_t... Result, std::size_t... Operand>
  bool run_own(std::index_sequence<Result...>, std::index_sequence<Operand...>) {
    constexpr node n = Source.graph().nodes[Index];
    return compute::own_node<Source, static_cast<node_id>(Index), Implementation>::run(
        std::forward_as_tuple(target<graph_view::output_of(n, Result)>()...),
        std::forward_as_tuple(read<operand_of(n, Operand)>()...));
  }
  template <std::size_t Index>
  bool run_built_in() {
    constexpr node n = Source.graph().nodes[Index];
    constexpr opcode op = opcode_of(Source.graph().op_name(n));
    constexpr node_facts facts = facts_of(Source.graph(), n);
    constexpr value_id result = graph_view::output_of(n);
    if constexpr (op == opcode::transpose || op == opcode::literal) {
      return true;
    } else if constexpr (op == opcode::constant) {
      return execute<op>(target<result>(), facts);
    } else if constexpr (op == opcode::lu_factor) {
      return compute::lu_factor(target<result>(), target<graph_view::output_of(n, 1)>(),
                                read<operand_of(n, 0)>());
    } else if constexpr (op == opcode::ldl_factor) {
      return compute::ldl_factor(target<result>(), target<graph_view::output_of(n, 1)>(),
                                 read<operand_of(n, 0)>());
    } else if constexpr (is_unary(op)) {
      return execute<op>(target<result>(), facts, read<operand_of(n, 0)>());
    } else if constexpr (op == opcode::concat4) {
      return compute::concat(target<result>(), facts.axis == 1, read<operand_of(n, 0)>(),
                             read<operand_of(n, 1)>(), read<operand_of(n, 2)>(),
                             read<operand_of(n, 3)>());
    } else if constexpr (arity_of(op) == 3) {
      return execute<op>(target<result>(), facts, read<operand_of(n, 0)>(),
                         read<operand_of(n, 1)>(), read<operand_of(n, 2)>());
    } else {
      return execute<op>(target<result>(), facts, read<operand_of(n, 0)>(),
                         read<operand_of(n, 1)>());
    }
  }

  static constexpr value_id operand_of(const node& n, std::uint32_t k) {
    return Source.graph().inputs_of(n)[k];
  }

  // A value is computed in the caller's output if it is one, else in the workspace.
  template <value_id Id>
  static constexpr std::size_t output_position() {
    constexpr text_view name = output_name(Source.graph(), Id);
    return name.empty() ? sizeof...(Arguments) : position_of<Arguments...>(name);
  }
  template <value_id Id>
  decltype(auto) target() {
    if constexpr (output_position<Id>() < sizeof...(Arguments)) {
      return (std::get<output_position<Id>()>(arguments_).value);
    } else {
      using traits = value_traits<Source, Id>;
      return Eigen::Map<typename traits::matrix, Eigen::Aligned64>(
          reinterpret_cast<typename traits::scalar*>(
              workspace_ + workspace_plan<Source>::value.at[index_of(Id)]));
    }
  }

  template <value_id Id>
  decltype(auto) read() {
    constexpr node_id producer = Source.graph()[Id].producer;
    if constexpr (producer == node_id::none) {
      constexpr std::size_t at =
          position_of<Arguments...>(Source.graph().text_of(Source.graph()[Id].name));
      return (std::as_const(std::get<at>(arguments_).value));
    } else if constexpr (is_transpose(producer)) {
      return read<operand_of(Source.graph()[producer], 0)>().transpose();
    } else if constexpr (is_literal(producer)) {
      return Eigen::Map<const typename value_traits<Source, Id>::matrix, Eigen::Aligned64>(
          literal_elements<Source, Id>::value.at);
    } else {
      return target<Id>();
    }
  }
  static constexpr bool is_transpose(node_id id) {
    return opcode_of(Source.graph().op_name(Source.graph()[id])) == opcode::transpose;
  }

  static constexpr bool is_literal(node_id id) {
    return opcode_of(Source.graph().op_name(Source.graph()[id])) == opcode::literal;
  }

  // Copies outputs that are inputs, literals, transposes, or values with a second output name.
  template <std::size_t... Output>
  void copy_outputs(std::index_sequence<Output...>) {
    (copy_output<Output>(), ...);
  }
  template <std::size_t Output>
  void copy_output() {
    constexpr output o = Source.graph().outputs[Output];
    constexpr std::size_t at = position_of<Arguments...>(Source.graph().text_of(o.name));
    constexpr node_id producer = Source.graph()[o.source].producer;
    if constexpr (producer == node_id::none) {
      std::get<at>(arguments_).value = read<o.source>();
    } else if constexpr (is_transpose(producer) || is_literal(producer) ||
                         output_position<o.source>() != at) {
      std::get<at>(arguments_).value = read<o.source>();
    }
  }

  std::byte* workspace_;
  const std::tuple<Arguments...>& arguments_;
  run_status status_;
};

// --- What is checked while compiling ------------------------------------------------------------

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

constexpr bool factorises(opcode op) {
  return op >= opcode::inverse && op <= opcode::solve_vector_ldl;
}
constexpr bool reads_triangle(opcode op) {
  return op == opcode::solve_triangular || op == opcode::solve_vector_triangular ||
         op == opcode::inverse_triangular || op == opcode::matmul_triangular;
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

// True for element types that `scalar_of` maps.
constexpr bool has_scalar(dtype d) {
  return d == dtype::f32 || d == dtype::f64 || is_complex(d) || d == dtype::i32 || d == dtype::i64;
}

template <const auto& Source, const auto& Code>
constexpr error executor_error() {
  const graph_view g = Source.graph();
  if (auto valid = validated(g); !valid) return valid.error();
  for (const value& v : g.values)
    if (v.type.shape.rank > 2 || v.type.shape.elements() <= 0 || !has_scalar(v.type.type))
      return make_error(
          errc::not_executable, g.text_of(g.name),
          (text() << "the static executor knows f32, f64, c64, c128, i32 and i64 of at most 2 "
                     "dimensions, none empty; not "
                  << to_text(v.type).view())
              .view());
  for (const value& v : g.values)
    for (const output& o : g.outputs)
      if (v.producer == node_id::none && g.text_of(v.name) == g.text_of(o.name))
        return make_error(errc::not_executable, g.text_of(o.name),
                          "an input and an output share this name: use run_dynamic");
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i)
    if (const text_view fault = static_node_fault(g, g.nodes[i], Code); !fault.empty())
      return make_error(errc::not_executable, g.label(static_cast<node_id>(i)).view(), fault);
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

template <const auto& Source, const auto& Code, class... Arguments>
run_status run_checked(Arguments... arguments) {
  constexpr std::size_t bytes = workspace_plan<Source>::value.bytes;
  const std::tuple<Arguments...> list(arguments...);
  if constexpr (bytes <= max_stack_bytes) {
    alignas(64) std::byte workspace[bytes];
    return static_run<Source, Code, Arguments...>(workspace, list).run();
  } else {
    alignas(64) static thread_local std::byte workspace[bytes];
    return static_run<Source, Code, Arguments...>(workspace, list).run();
  }
}

// An output that the caller did not pass: an argument that refers into the result.
template <const auto& Source, std::size_t Output>
struct returned_output {
  static constexpr text_view name() {
    return Source.graph().text_of(Source.graph().outputs[Output].name);
  }
  using type = typename value_traits<Source, Source.graph().outputs[Output].source>::matrix;
  type& value;
};

}  // namespace detail

/// The status of a run and the outputs that were not passed as arguments:
/// `const auto results = wf::run<plan>("P"_arg = P, ...); if (results) use(results["K"_arg]);`
template <const auto& Source, const auto& Code, std::size_t... Output>
class run_results : public run_status {
 public:
  /// Runs with checked arguments; called by `run`.
  template <class... Arguments>
  explicit run_results(std::in_place_t, Arguments... arguments) {
    run_into(std::index_sequence_for<typename detail::returned_output<Source, Output>::type...>{},
             arguments...);
  }
  /// A returned output by its name, as a fixed-size matrix; unspecified if the run failed. Compile
  /// error: WF702 if the run returned no such output.
  template <fixed_string Name>
  const auto& operator[](argument_name<Name>) const {
    constexpr std::size_t at =
        detail::position_of<detail::returned_output<Source, Output>...>(Name.view());
    static_assert(at < sizeof...(Output), "WF702: the run returned no output of this name");
    return std::get<at>(values_);
  }

 private:
  template <std::size_t... Index, class... Arguments>
  void run_into(std::index_sequence<Index...>, Arguments... arguments) {
    static_cast<run_status&>(*this) = detail::run_checked<Source, Code>(
        arguments..., detail::returned_output<Source, Output>{std::get<Index>(values_)}...);
  }

  std::tuple<typename detail::returned_output<Source, Output>::type...> values_;
};

namespace detail {

// The outputs that a run returns: those that are not among its arguments.
template <const auto& Source, const auto& Code, class... Arguments>
struct returned {
  static constexpr std::size_t find(std::size_t wanted) {
    const graph_view g = Source.graph();
    std::size_t seen = 0;
    for (std::size_t i = 0; i < g.outputs.size(); ++i)
      if (position_of<Arguments...>(g.text_of(g.outputs[i].name)) == sizeof...(Arguments) &&
          seen++ == wanted)
        return i;
    return seen;  // the number of returned outputs, for a `wanted` beyond the last
  }
  static constexpr std::size_t count = find(static_cast<std::size_t>(-1));
  template <std::size_t... Index>
  static run_results<Source, Code, find(Index)...> list(std::index_sequence<Index...>);
  using type = decltype(list(std::make_index_sequence<count>{}));
};

// Runs with arguments that are not tuples.
template <const auto& Source, const auto& Code, class... Arguments>
auto run_plain(Arguments... arguments) {
  using checks = run_checks<Source, Code, Arguments...>;
  (void)sizeof(checks);
  (void)(sizeof(argument_check<Source, Arguments>) + ... + std::size_t{0});
  if constexpr (!checks::ok) {
    return run_status{errc::argument_shape, node_id::none};
  } else if constexpr (returned<Source, Code, Arguments...>::count == 0) {
    return run_checked<Source, Code>(arguments...);
  } else {
    return typename returned<Source, Code, Arguments...>::type(std::in_place, arguments...);
  }
}

}  // namespace detail

/// Runs a static workflow or plan on fixed-size Eigen matrices:
/// `wf::run<plan>("P"_arg = P, "H"_arg = H, "R"_arg = R, "K"_arg = K)`. Inputs are read, outputs
/// written; an output must not share storage with an input or another output. A vector is a column,
/// a scalar 1x1, and a tuple stands for its components: `"p"_arg = std::tie(a, b)` is "p.0" and
/// "p.1". `Source` has a constant `graph()` of static shapes. `Code` implements operators of the
/// user's own, or replaces built-in implementations: see `implementations`. The code is
/// straight-line, instantiated from the graph; nothing is allocated on the heap.
///
/// Returns a `run_status`, or a `run_results` with the outputs that were not passed, if any. After
/// a `numerical_failure` (a singular matrix, or one that is not positive definite) outputs are
/// unspecified. Compile errors: WF701 for a missing argument, WF702 for an unknown or repeated one,
/// WF703 for one of another shape or element type, WF704 for an operator without implementation,
/// WF707 for a function of the user's own that cannot implement its operator.
template <const auto& Source, const auto& Code, class... Arguments>
auto run(Arguments... arguments) {
  if constexpr ((detail::is_spread<Arguments> || ...)) {
    return std::apply([](auto... each) { return run<Source, Code>(each...); },
                      std::tuple_cat(detail::spread(arguments)...));
  } else {
    return detail::run_plain<Source, Code>(arguments...);
  }
}
/// The same for a workflow of built-in operators only.
template <const auto& Source, class... Arguments>
auto run(Arguments... arguments) {
  return run<Source, built_in_only>(arguments...);
}

}  // namespace wf
