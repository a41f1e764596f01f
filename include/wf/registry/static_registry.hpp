// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/ill_formed.hpp>
#include <wf/registry/builtin.hpp>
#include <wf/registry/registry.hpp>

namespace wf {

namespace detail {

constexpr std::size_t entries_in(const kernel_spec&) { return 1; }
template <std::size_t N>
constexpr std::size_t entries_in(const kernel_spec* const (&)[N]) {
  return N;
}

template <std::size_t N>
constexpr std::size_t entries_in(const kernel_spec (&)[N]) {
  return N;
}
constexpr std::size_t entries_in(const kernel_list& domain) { return domain.size(); }

constexpr const kernel_spec& entry_of(const kernel_spec& k, std::size_t) { return k; }
template <std::size_t N>
constexpr const kernel_spec& entry_of(const kernel_spec* const (&domain)[N], std::size_t i) {
  return *domain[i];
}
template <std::size_t N>
constexpr const kernel_spec& entry_of(const kernel_spec (&domain)[N], std::size_t i) {
  return domain[i];
}
constexpr const kernel_spec& entry_of(const kernel_list& domain, std::size_t i) {
  return *domain[i];
}

template <class Entry>
constexpr error add_entries(registry& r, const Entry& entry) {
  for (std::size_t i = 0; i < entries_in(entry); ++i)
    if (auto added = r.add(entry_of(entry, i)); !added) return added.error();
  return {};
}

// The built-in registry with the entries, by the functions that extend it at run time.
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

// What the entries became, overriding ones refined: constants, so that a catalogue can hold them.
template <const auto&... Entries>
struct static_entries {
  static constexpr std::size_t count = (entries_in(Entries) + ... + std::size_t{0});
  static constexpr frozen_table<kernel_spec, count> make() {
    registry r = builtin_registry();
    frozen_table<kernel_spec, count> out;
    if (extend_builtin<Entries...>(r).code != errc::none) return out;
    [[maybe_unused]] std::size_t at = 0;
    [[maybe_unused]] const auto note = [&](const auto& entry) {
      for (std::size_t i = 0; i < entries_in(entry); ++i)
        out[at++] = *r.find(entry_of(entry, i).name);
    };
    (note(Entries), ...);
    return out;
  }
  static constexpr frozen_table<kernel_spec, count> kernels = make();
};

constexpr std::size_t catalogue_capacity(std::size_t count) {
  std::size_t capacity = 256;
  while (capacity < 2 * count) capacity *= 2;
  return capacity;
}

// The whole registry as a constant: what a registry grown at run time lists, in the same order.
template <const auto&... Entries>
struct static_catalogue {
  using entries = static_entries<Entries...>;
  static constexpr registry grown() {
    registry r = builtin_registry();
    (void)extend_builtin<Entries...>(r);
    return r;
  }
  static constexpr std::size_t count = grown().kernels().size();
  static constexpr const kernel_spec* constant_of(text_view name) {
    for (const kernel_spec& k : entries::kernels)
      if (k.name == name) return &k;
    return builtin_registry().find(name);
  }
  static constexpr frozen_table<const kernel_spec*, count> list() {
    frozen_table<const kernel_spec*, count> out;
    const registry r = grown();
    const table<const kernel_spec*> all = r.kernels();
    for (std::size_t i = 0; i < count; ++i) out[i] = constant_of(all[i]->name);
    return out;
  }
  static constexpr frozen_table<const kernel_spec*, count> all = list();

  // A catalogue has domains of at most 255 kernels.
  static constexpr std::size_t parts = (count + 254) / 255;
  static constexpr frozen_table<kernel_list, parts> split() {
    frozen_table<kernel_list, parts> out;
    for (std::size_t i = 0; i < parts; ++i)
      out[i] = {all.data() + 255 * i, count - 255 * i < 255 ? count - 255 * i : 255};
    return out;
  }
  static constexpr frozen_table<kernel_list, parts> domains = split();
  static constexpr kernel_catalogue<catalogue_capacity(count)> value{
      view<kernel_list>(domains.data(), parts)};
};

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

/// The built-in registry with more kernels, as a constant: `constexpr auto mine =
/// wf::registry_of<clip, imaging_domain>()`. Each entry has static storage and is a `kernel_spec`,
/// an array of such, an array of pointers to such, or a `kernel_list`. What `registry::add` refuses
/// at run time, by the same functions, is a compile error here that names kernel, metric and
/// symbol: WF201 and following (formulas), WF302 (a duplicate), WF303 (a signature).
template <const auto&... Entries>
constexpr registry registry_of() {
  return detail::constant_registry<Entries...>::make();
}

}  // namespace wf
