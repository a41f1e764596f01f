// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/diagnosis/ill_formed.hpp>
#include <wf/registry/registry.hpp>
#include <wf/registry/static_catalogue.hpp>

namespace wf {

namespace detail {

template <class Entry>
constexpr error add_entries(registry& r, const Entry& entry) {
  for (std::size_t i = 0; i < entries_in(entry); ++i)
    if (auto added = r.add(entry_of(entry, i)); !added) return added.error();
  return {};
}

// Adds the entries to a registry with the functions that extend it at run time.
template <const auto&... Entries>
constexpr error extend_builtin(registry& r) {
  error e;
  [[maybe_unused]] const auto add = [&](const auto& entry) {
    if (e.code == errc::none) e = add_entries(r, entry);
  };
  (add(Entries), ...);
  return e;
}
template <const auto&... Entries>
constexpr error entries_error() {
  registry r = builtin_registry();
  return extend_builtin<Entries...>(r);
}

template <bool Ok, const auto&... Entries>
struct entries_check {};
template <const auto&... Entries>
struct entries_check<false, Entries...> : report<diagnose<&entries_error<Entries...>>> {};

template <const auto&... Entries>
struct constant_registry {
  static constexpr registry make() {
    constexpr bool ok = entries_error<Entries...>().code == errc::none;
    (void)sizeof(entries_check<ok, Entries...>);
    if constexpr (ok)
      return registry(static_catalogue<Entries...>::value);
    else
      return registry();
  }
};

}  // namespace detail

/// The built-in registry extended by kernels, as a constant: `constexpr auto mine =
/// wf::registry_of<clip, imaging_domain>()`. An entry has static storage and is a `kernel_spec`, an
/// array of them, an array of pointers to them, or a `kernel_list`. The checks are those of
/// `registry::add`, but an error is a compile error that names kernel, metric and symbol: WF201 and
/// following (formulas), WF302 (a duplicate), WF303 (a signature).
template <const auto&... Entries>
constexpr registry registry_of() {
  return detail::constant_registry<Entries...>::make();
}

}  // namespace wf
