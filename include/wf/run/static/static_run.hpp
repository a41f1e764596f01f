// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <Eigen/Core>

#include <wf/core/diagnosis/result.hpp>
#include <wf/run/operators/convergence.hpp>
#include <wf/run/operators/operation.hpp>
#include <wf/run/static/own_static.hpp>
#include <wf/run/static/static_body.hpp>
#include <wf/run/static/static_value.hpp>
#include <wf/run/values/argument.hpp>

// Straight-line code of a static plan, instantiated from its graph.
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

namespace detail {

template <class Body, const auto& Code>
struct body_rounds;

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
    if constexpr (has_body(Source.graph(), n))
      return run_body<Index>(std::make_index_sequence<n.inputs.count>());
    else if constexpr (own < Code.size)
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
  template <std::size_t Index, std::size_t... Operand>
  bool run_body(std::index_sequence<Operand...>) {
    constexpr node n = Source.graph().nodes[Index];
    using body = static_body<Source, static_cast<node_id>(Index)>;
    return [&]<std::size_t... Result>(std::index_sequence<Result...>) {
      return body_rounds<body, Code>::run(
          std::forward_as_tuple(read<operand_of(n, Operand)>()...),
          std::forward_as_tuple(target<graph_view::output_of(n, Result)>()...));
    }(std::make_index_sequence<n.outputs.count>());
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
    } else if constexpr (op == opcode::concat) {
      return run_concat<Index>(std::make_index_sequence<n.inputs.count>());
    } else if constexpr (arity_of(op) == 3) {
      return execute<op>(target<result>(), facts, read<operand_of(n, 0)>(),
                         read<operand_of(n, 1)>(), read<operand_of(n, 2)>());
    } else {
      return execute<op>(target<result>(), facts, read<operand_of(n, 0)>(),
                         read<operand_of(n, 1)>());
    }
  }

  template <std::size_t Index, std::size_t... Operand>
  bool run_concat(std::index_sequence<Operand...>) {
    constexpr node n = Source.graph().nodes[Index];
    return compute::concat(target<graph_view::output_of(n)>(),
                           facts_of(Source.graph(), n).axis == 1,
                           read<operand_of(n, Operand)>()...);
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

// Runs the body of a node on its own results.
template <class Body, const auto& Code>
struct body_rounds {
  static constexpr std::size_t carried = Body::graph().outputs.size();

  // False if the body fails. `operands` and `results` are tuples of matrices.
  template <class Operands, class Results>
  static bool run(const Operands& operands, const Results& results) {
    constexpr std::size_t bytes = workspace_plan<Body::value>::value.bytes;
    if constexpr (bytes > max_stack_bytes) {
      alignas(64) static thread_local std::byte space[bytes];
      return run(space, operands, results, std::make_index_sequence<carried>());
    } else {
      alignas(64) std::byte space[bytes];
      return run(space, operands, results, std::make_index_sequence<carried>());
    }
  }

 private:
  template <std::size_t Output>
  using matrix = typename value_traits<Body::value, Body::graph().outputs[Output].source>::matrix;
  template <class Operands>
  static constexpr std::size_t reads_of = std::tuple_size_v<Operands> - carried;

  template <class Operands, class Results, std::size_t... K>
  static bool run(std::byte* space, const Operands& operands, const Results& results,
                  std::index_sequence<K...> each) {
    using last = std::tuple<matrix<K>...>;
    last places[2] = {last(matrix<K>(std::get<reads_of<Operands> + K>(operands))...), last()};
    std::int64_t round = 0;
    bool converged = false;
    for (; round < Body::most_runs && !converged; ++round) {
      last &old = places[round % 2], &now = places[1 - round % 2];
      if (!step(space, operands, old, now, std::make_index_sequence<reads_of<Operands>>(), each))
        return false;
      converged = (are_close(std::get<K>(old), std::get<K>(now)) && ...);
    }
    ((std::get<K>(results) = std::get<K>(places[round % 2])), ...);
    std::get<carried>(results)(0, 0) = round;
    std::get<carried + 1>(results)(0, 0) = converged;
    return true;
  }
  template <class Operands, class Last, std::size_t... Read, std::size_t... K>
  static bool step(std::byte* space, const Operands& operands, const Last& old, Last& now,
                   std::index_sequence<Read...>, std::index_sequence<K...>) {
    constexpr std::size_t reads = sizeof...(Read), outputs = reads + sizeof...(K);
    const auto arguments = std::make_tuple(bound<Read>(std::get<Read>(operands))...,
                                           bound<reads + K>(std::get<K>(old))...,
                                           bound<outputs + K>(std::get<K>(now))...);
    return run_with(space, arguments);
  }
  template <std::size_t Position, class M>
  static body_argument<Body, Position, M> bound(M& value) {
    return {value};
  }
  template <class... Arguments>
  static bool run_with(std::byte* space, const std::tuple<Arguments...>& arguments) {
    return static_cast<bool>(static_run<Body::value, Code, Arguments...>(space, arguments).run());
  }
  template <class M>
  static bool are_close(const M& old, const M& now) {
    for (Eigen::Index i = 0; i < now.size(); ++i)
      if (!compute::is_close(old.data()[i], now.data()[i], Body::tolerance)) return false;
    return true;
  }
};

}  // namespace detail

}  // namespace wf
