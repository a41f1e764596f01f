// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/table.hpp>
#include <wf/registry/check.hpp>
#include <wf/registry/domain/builtin.hpp>

// The built-in kernels extended by constant kernels, for callers that have checked these.
namespace wf::detail {

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

// The entries in their order, overriding ones refined as by `registry::add`. If several have one
// name, the last is the kernel of that name.
template <const auto&... Entries>
struct static_entries {
  static constexpr std::size_t count = (entries_in(Entries) + ... + std::size_t{0});
  using kernel_table = frozen_table<kernel_spec, count>;

  // Index of the last of the first `size` kernels with this name, or `size`.
  static constexpr std::size_t last_of(const kernel_table& kernels, std::size_t size,
                                       text_view name) {
    for (std::size_t i = size; i-- > 0;)
      if (kernels[i].name == name) return i;
    return size;
  }
  static constexpr kernel_table make() {
    const registry known = builtin_registry();
    kernel_table out;
    std::size_t at = 0;
    [[maybe_unused]] const auto note = [&](const auto& entry) {
      for (std::size_t i = 0; i < entries_in(entry); ++i, ++at) {
        const kernel_spec& k = entry_of(entry, i);
        const std::size_t own = last_of(out, at, k.name);
        const kernel_spec* base = own != at ? &out[own] : known.find(k.name);
        out[at] = k.overrides && base != nullptr ? refined(k, *base) : k;
      }
    };
    (note(Entries), ...);
    return out;
  }
  static constexpr kernel_table kernels = make();
};

constexpr std::size_t catalogue_capacity(std::size_t count) {
  std::size_t capacity = 256;
  while (capacity < 2 * count) capacity *= 2;
  return capacity;
}

// The whole registry as a constant: the kernels of a registry extended at run time, in the same
// order. Names, signatures and formulas are not checked: see `registry_of`.
template <const auto&... Entries>
struct static_catalogue {
  using entries = static_entries<Entries...>;

  static constexpr table<const kernel_spec*> listed() {
    table<const kernel_spec*> all = builtin_registry().kernels();
    for (std::size_t i = 0; i < entries::count; ++i) {
      const kernel_spec& k = entries::kernels[i];
      std::size_t at = 0;
      while (at < all.size() && !(all[at]->name == k.name)) ++at;
      if (at == all.size()) all.push_back(&k);
      all[at] = &k;
    }
    return all;
  }
  static constexpr std::size_t count = listed().size();
  static constexpr frozen_table<const kernel_spec*, count> list() {
    frozen_table<const kernel_spec*, count> out;
    const table<const kernel_spec*> all = listed();
    for (std::size_t i = 0; i < count; ++i) out[i] = all[i];
    return out;
  }
  static constexpr frozen_table<const kernel_spec*, count> all = list();

  // A domain of a catalogue has at most 255 kernels.
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

}  // namespace wf::detail
