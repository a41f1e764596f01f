// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <wf/run/plan/executable.hpp>
#include <wf/simulate/process/process.hpp>

namespace wf {

/// A tensor that travels in a network: its type and its elements, which copies share.
struct tensor_value {
  /// The type, whose shape is fixed.
  value_type of;
  /// The elements, in the layout of `basic_dynamic_matrix`; none in a signal of order.
  std::shared_ptr<const dynamic_matrix> elements;

  /// Size in bytes, of its element type.
  std::int64_t bytes() const {
    return elements == nullptr ? 0 : static_cast<std::int64_t>(elements->size()) * size_of(of.type);
  }
  /// Element type and shape.
  const value_type& type() const { return of; }
};

/// The process of an operator: it takes its operands, computes their results by the operator's
/// implementation in the executor, and emits them; a result may leave at several outputs, and a
/// signal of order at one.
class tensor_process {
 public:
  /// The type of its data.
  using datum = tensor_value;

  tensor_process() = default;
  /// Takes a prepared workflow of the operator alone, the inputs that it expects (operands in the
  /// order of the workflow's inputs, `operand[k]` being the one of input k, UINT32_MAX for a
  /// signal), its time in ticks, and the outputs: the result that each of them emits, UINT32_MAX
  /// for a signal.
  tensor_process(executable_graph code, table<expected_input> inputs,
                 std::vector<std::uint32_t> operand, std::vector<std::uint32_t> result_of_output,
                 std::int64_t work)
      : code_(static_cast<executable_graph&&>(code)),
        inputs_(static_cast<table<expected_input>&&>(inputs)),
        operand_(static_cast<std::vector<std::uint32_t>&&>(operand)),
        result_of_output_(static_cast<std::vector<std::uint32_t>&&>(result_of_output)),
        work_(work) {
    std::size_t operands = 0;
    for (const std::uint32_t k : operand_) operands += k != UINT32_MAX ? 1 : 0;
    operands_.resize(operands);
  }

  /// What it expects, in order.
  view<expected_input> inputs() const { return inputs_; }
  /// Number of its outputs.
  std::uint32_t outputs() const { return static_cast<std::uint32_t>(result_of_output_.size()); }
  /// Takes a datum; true if it can run. Errors: none.
  result<bool> update(std::uint32_t input, tensor_value d, std::int64_t) {
    if (operand_[input] != UINT32_MAX) operands_[operand_[input]] = static_cast<tensor_value&&>(d);
    return ++received_ == inputs_.size();
  }
  /// What a run asks of its resource, in ticks or work.
  std::int64_t work(std::int64_t) const { return work_; }
  /// Errors: those of `executable_graph::run`, among them `numerical_failure`.
  template <class Emit>
  result<nothing> generate_output(std::int64_t, Emit&& emit) {
    received_ = 0;
    const graph_view g = code_.workflow();
    std::vector<input_matrix> in;
    for (const tensor_value& operand : operands_) in.emplace_back(*operand.elements);
    std::vector<std::shared_ptr<dynamic_matrix>> made;
    std::vector<output_matrix> out;
    for (const output& o : g.outputs) {
      const shape& s = g[o.source].type.shape;
      made.push_back(
          std::make_shared<dynamic_matrix>(detail::given_rows(s), detail::given_columns(s)));
      out.emplace_back(*made.back());
    }
    if (const auto done = code_.run({in.data(), in.size()}, {out.data(), out.size()}); !done)
      return done.error();
    for (tensor_value& operand : operands_) operand.elements.reset();
    for (std::uint32_t k = 0; k < result_of_output_.size(); ++k) {
      const std::uint32_t r = result_of_output_[k];
      if (r == UINT32_MAX)
        emit(k, tensor_value{});
      else
        emit(k, tensor_value{g[g.outputs[r].source].type, made[r]});
    }
    return nothing{};
  }

 private:
  executable_graph code_;
  table<expected_input> inputs_;
  std::vector<std::uint32_t> operand_;
  std::vector<std::uint32_t> result_of_output_;
  std::int64_t work_ = 0;
  std::vector<tensor_value> operands_;
  std::size_t received_ = 0;
};

}  // namespace wf
