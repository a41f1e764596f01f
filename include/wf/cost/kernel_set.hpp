// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/domain/builtin.hpp>

namespace wf {

/// The built-in kernels and the user's domains as a type, for evaluation at compile time; see
/// `with_kernels`.
template <const auto&... Domain>
struct kernel_set {
  /// The registry as a constant; with the user's kernels it needs
  /// <wf/registry/static_registry.hpp>. Compile errors: those of `registry_of`, such as WF302 for a
  /// kernel whose name is taken and that does not state `overrides`.
  static constexpr wf::registry registry() {
    if constexpr (sizeof...(Domain) == 0) {
      return builtin_registry();
    } else {
      static_assert(
          requires { sizeof(detail::constant_registry<Domain...>); },
          "kernels of your own: include <wf/registry/static_registry.hpp>, which checks them");
      return detail::constant_registry<Domain...>::make();
    }
  }
};

/// Adds the user's domains to the built-in kernels: `wf::cost(w, wf::with_kernels<my_domain>)`,
/// where `my_domain` is a constant at namespace scope: a list of kernels like the built-in domains,
/// an array of `kernel_spec`, or one `kernel_spec`. `optimise` and `within` take it too.
template <const auto&... Domain>
inline constexpr kernel_set<Domain...> with_kernels;

}  // namespace wf
