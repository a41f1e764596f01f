// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <exception>
#include <tuple>
#include <utility>

#include <wf/cost/price.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/registry.hpp>
#include <wf/run/kernels/fixed_size/broadcast.hpp>
#include <wf/run/kernels/fixed_size/storage.hpp>
#include <wf/run/plan/implement.hpp>

// Adapters that let static plans call the functions of the user's own operators: with fixed-size
// Eigen matrices and constant attributes.
namespace wf::compute {

namespace detail {

// Bytes of scratch storage that a kernel states at a node; 0 if none is stated or known.
template <const auto& Source, node_id Id, const kernel_spec& Kernel>
constexpr std::size_t static_scratch() {
  if (!wf::detail::states_scratch(Kernel)) return 0;
  registry kernels = builtin_registry();
  kernel_spec k = Kernel;
  k.overrides = kernels.find(k.name) != nullptr;
  if (!kernels.add(k)) return 0;
  pricer<rational> prices(Source.graph(), metric_spec{"scratch", "B"}, kernels);
  const auto bytes = prices.price(Id);
  const auto whole = bytes ? to_int64(*bytes) : result<std::int64_t>(std::int64_t{0});
  return whole ? static_cast<std::size_t>(*whole) : 0;
}

// A scalar is passed as a number, any other value as its matrix.
template <unsigned Rank, class M>
decltype(auto) as_argument(M& m) {
  if constexpr (Rank == 0)
    return m(0, 0);
  else
    return (m);
}

}  // namespace detail

/// A node of a static graph that a function of the user computes.
template <const auto& Source, node_id Id, class Implementation>
class own_node {
 public:
  /// Computes the results from the operands, each a tuple of references; false if the function
  /// fails or throws.
  template <class... Result, class... Operand>
  static bool run(std::tuple<Result...> results, std::tuple<Operand...> operands) {
#if defined(__cpp_exceptions)
    try {
#endif
      if constexpr (Implementation::is_elementwise)
        return run_elements(std::get<0>(results), operands, std::index_sequence_for<Operand...>());
      else
        return run_function(results, operands, std::index_sequence_for<Result...>(),
                            std::index_sequence_for<Operand...>());
#if defined(__cpp_exceptions)
    } catch (...) {
      return false;
    }
#endif
  }

 private:
  using function = typename Implementation::function;
  using declared = typename Implementation::attributes;
  static constexpr node n = Source.graph()[Id];
  static constexpr wf::detail::node_attributes attributes{Source.graph(), n, declared{}};

  static constexpr unsigned rank_of(value_id id) { return Source.graph()[id].type.shape.rank; }
  static constexpr value_id operand(std::size_t k) { return Source.graph().inputs_of(n)[k]; }

  struct numbers {
    double of[declared::value.count + 1] = {};
  };
  static constexpr numbers parameters = [] {
    numbers out;
    for (std::size_t i = 0; i < declared::value.count && i < attributes.count; ++i)
      out.of[i] = node_context::number_of(attributes.of[i]);
    return out;
  }();

  template <class... X>
  static constexpr auto element(X... x) {
    return wf::detail::call_elementwise<function>(std::make_index_sequence<declared::value.count>(),
                                                  parameters.of, x...);
  }

  template <class Out, class Operands, std::size_t... K>
  static bool run_elements(Out& out, const Operands& operands, std::index_sequence<K...>) {
    using scalar = typename std::remove_cvref_t<Out>::Scalar;
    constexpr bool alike =
        (detail::same_size<std::remove_cvref_t<Out>,
                           std::remove_cvref_t<std::tuple_element_t<K, Operands>>> &&
         ...);
    constexpr unsigned rank = rank_of(graph_view::output_of(n));
    if constexpr (alike && sizeof...(K) == 1) {
      out = std::get<0>(operands).unaryExpr([](auto x) { return static_cast<scalar>(element(x)); });
    } else if constexpr (alike && sizeof...(K) == 2) {
      out = std::get<0>(operands).binaryExpr(
          std::get<1>(operands), [](auto x, auto y) { return static_cast<scalar>(element(x, y)); });
    } else {
      for (Eigen::Index j = 0; j < out.cols(); ++j)
        for (Eigen::Index i = 0; i < out.rows(); ++i)
          out(i, j) = static_cast<scalar>(element(detail::broadcast_at(
              std::get<K>(operands), i, j, rank_of(operand(K)) == 1 && rank > 1)...));
    }
    return true;
  }

  template <class Results, class Operands, std::size_t... R, std::size_t... K>
  static bool run_function(Results& results, Operands& operands, std::index_sequence<R...>,
                           std::index_sequence<K...>) {
    constexpr std::size_t bytes = detail::static_scratch<Source, Id, Implementation::kernel>();
    if constexpr (bytes > max_stack_matrix) {
      alignas(64) static thread_local std::byte scratch[bytes];
      return call(
          node_context(attributes, scratch, bytes),
          detail::as_argument<rank_of(graph_view::output_of(n, R))>(std::get<R>(results))...,
          detail::as_argument<rank_of(operand(K))>(std::get<K>(operands))...);
    } else {
      alignas(64) std::byte scratch[bytes == 0 ? 1 : bytes];
      return call(
          node_context(attributes, scratch, bytes),
          detail::as_argument<rank_of(graph_view::output_of(n, R))>(std::get<R>(results))...,
          detail::as_argument<rank_of(operand(K))>(std::get<K>(operands))...);
    }
  }

  template <class... Arguments>
  static bool call(const node_context& context, Arguments&&... arguments) {
    using outcome = decltype(wf::detail::call_function<function>(
        context, static_cast<Arguments&&>(arguments)...));
    if constexpr (std::is_void_v<outcome>) {
      wf::detail::call_function<function>(context, static_cast<Arguments&&>(arguments)...);
      return true;
    } else if constexpr (std::is_same_v<std::remove_cvref_t<outcome>, bool>) {
      return wf::detail::call_function<function>(context, static_cast<Arguments&&>(arguments)...);
    } else {
      return text_view(wf::detail::call_function<function>(context,
                                                           static_cast<Arguments&&>(arguments)...))
          .empty();
    }
  }
};

}  // namespace wf::compute
