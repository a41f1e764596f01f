// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/ill_formed.hpp>
#include <wf/registry/builtin.hpp>

namespace wf {

namespace detail {

// A domain is a list of kernels, an array of kernels, or one kernel.
constexpr result<nothing> add_domain(registry& r, kernel_list domain) { return r.add(domain); }
constexpr result<nothing> add_domain(registry& r, view<kernel_spec> domain) {
  return r.add(domain);
}
constexpr result<nothing> add_domain(registry& r, const kernel_spec& k) { return r.add(k); }

template <const auto&... Domain>
constexpr error kernel_set_failure() {
  registry r = builtin_registry();
  error first;
  (void)((first = add_domain(r, Domain).error(), first.code == errc::none) && ...);
  return first;
}

template <bool Ok, const auto&... Domain>
struct kernel_set_check {};
template <const auto&... Domain>
struct kernel_set_check<false, Domain...> : report<diagnose<&kernel_set_failure<Domain...>>> {};

}  // namespace detail

/// The built-in kernels and domains of the user's as a type, so that questions while compiling can
/// be asked with them; see `with_kernels`.
template <const auto&... Domain>
struct kernel_set {
  /// The registry. Compile errors: WF302 if a kernel's name is taken and it does not override.
  static constexpr wf::registry registry() {
    if constexpr (sizeof...(Domain) == 0) {
      return builtin_registry();
    } else {
      using check =
          detail::kernel_set_check<detail::kernel_set_failure<Domain...>().code == errc::none,
                                   Domain...>;
      static_assert(sizeof(check) != 0);
      wf::registry r = builtin_registry();
      (void)(detail::add_domain(r, Domain).has_value() && ...);
      return r;
    }
  }
};

/// Adds domains of the user's to the built-in kernels: `wf::cost(w, wf::with_kernels<my_domain>)`,
/// where `my_domain` is a constant at namespace scope: a list of kernels, as the built-in domains
/// are, an array of `kernel_spec`, or one `kernel_spec`. `optimise` and `within` take it too.
template <const auto&... Domain>
inline constexpr kernel_set<Domain...> with_kernels;

}  // namespace wf
