// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/call.hpp>

namespace wf {

/// A declared cost of an opaque call, made by `declare`.
template <std::size_t N, std::size_t M>
struct constant_cost {
  fixed_string<N> metric;   ///< the metric's name
  fixed_string<M> formula;  ///< the formula, or "unknown"
};

/// `declare("flops", "5*N*log2(N)")`: the cost of an opaque call in one metric, over the symbols of
/// its signature and its attributes; or "unknown", which is also the cost in every metric that is
/// not declared.
template <std::size_t N, std::size_t M>
consteval constant_cost<N, M> declare(const char (&metric)[N], const char (&formula)[M]) {
  return {fixed_string<N>(metric), fixed_string<M>(formula)};
}

namespace detail {

template <std::size_t N>
constexpr auto opaque_name(const fixed_string<N>& name) {
  fixed_string<N + 10> out;
  for (std::size_t i = 0; i < 10; ++i) out.characters[i] = opaque_prefix[i];
  for (std::size_t i = 0; i < N; ++i) out.characters[10 + i] = name.characters[i];
  return out;
}
template <fixed_string Name>
inline constexpr auto opaque_name_of = opaque_name(Name);

// Classifies the template arguments of an opaque call.
template <class T>
struct opaque_argument {
  static constexpr bool is_cost = false, is_effect = std::same_as<T, effect>;
};
template <std::size_t N, std::size_t M>
struct opaque_argument<constant_cost<N, M>> {
  static constexpr bool is_cost = true, is_effect = false;
};

template <auto Argument>
struct opaque_part {
  using kind = opaque_argument<std::remove_cv_t<decltype(Argument)>>;
  static constexpr std::size_t costs = kind::is_cost;
  static constexpr std::size_t attributes = !kind::is_cost && !kind::is_effect;
  static constexpr void into(kernel_spec& k, std::size_t& cost) {
    if constexpr (kind::is_cost)
      k.costs[cost++] = kernel_cost::of({Argument.metric.view(), Argument.formula.view()});
    else if constexpr (kind::is_effect)
      k.effects = Argument;
  }
  static constexpr void into(attribute_value* out, std::size_t& n) {
    if constexpr (attributes != 0) out[n++] = static_attribute<Argument>();
  }
};

template <fixed_string Name, fixed_string Signature, auto... Argument>
constexpr kernel_spec opaque_spec() {
  kernel_spec k{.name = opaque_name_of<Name>.view(),
                .domain = "opaque",
                .signature = Signature.view(),
                .effects = effect::external};
  [[maybe_unused]] std::size_t cost = 0;
  (opaque_part<Argument>::into(k, cost), ...);
  return k;
}
template <fixed_string Name, fixed_string Signature, auto... Argument>
inline constexpr kernel_spec opaque_kernel = opaque_spec<Name, Signature, Argument...>();

template <fixed_string Name, fixed_string Signature, auto... Argument>
struct opaque_ {
  static_assert((opaque_part<Argument>::attributes + ... + std::size_t{1}) <= max_attributes,
                "WF107: at most 8 attributes");
  static_assert((opaque_part<Argument>::costs + ... + std::size_t{0}) <= max_kernel_costs,
                "WF107: at most 10 declared costs");
  static constexpr bool fixed = true;
  static constexpr captured_kernel kernel(view<value_type>) {
    constexpr const kernel_spec& spec = opaque_kernel<Name, Signature, Argument...>;
    return {&spec, hash_of_name, true};
  }
  static constexpr std::uint64_t hash_of_name = hash_text(opaque_name_of<Name>.view());
  static constexpr std::size_t attributes(attribute_value* out) {
    out[0] = attribute_value::string("signature", Signature.view());
    std::size_t n = 1;
    (opaque_part<Argument>::into(out, n), ...);
    return n;
  }
};

}  // namespace detail

/// Calls an opaque function, the node `::opaque::Name`:
/// `wf::opaque<"fftw.forward", "x: complex [N] -> y: complex [N]",
/// wf::declare("flops", "5*N*log2(N)")>(x)`. The signature checks operands and gives the results'
/// types, as a kernel's does. Further template arguments, in any order: costs
/// (`declare`), attributes (`with`), and the side effects (`wf::effect::pure` lets equal calls
/// merge; the default is `external`). A metric that is not declared is unknown, which makes sums
/// unknown instead of counting as zero; bytes follow from operands and results, peak memory needs a
/// declared "scratch" (bytes used inside).
/// Compile errors: WF101, WF102 (operands), WF303 (signature), WF105 (name).
template <fixed_string Name, fixed_string Signature, auto... Argument, operand... Operand>
constexpr auto opaque(const Operand&... operands) {
  if constexpr (!is_valid_name(Name.view()))
    (void)sizeof(
        report<ill_formed<Name, "WF105: a name is a letter, then", "letters, digits, _ . '">>);
  return apply(detail::opaque_<Name, Signature, Argument...>{}, operands...);
}

}  // namespace wf
