// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/hash_index.hpp>
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

constexpr std::size_t catalogue_capacity(std::size_t count) {
  std::size_t capacity = 256;
  while (capacity < 2 * count) capacity *= 2;
  return capacity;
}

// An index by name of at most `Count` kernels. Of several of one name it finds the one noted last.
template <std::size_t Count>
struct static_index {
  std::uint16_t slots[catalogue_capacity(Count)] = {};  // number of the kernel + 1; 0 is free

  // Number of the kernel of this name, or `Count`. `kernel(i)` is the i-th kernel.
  template <class Kernel>
  constexpr std::size_t find(text_view name, const Kernel& kernel) const {
    const std::size_t at = slot_of(name, kernel);
    return slots[at] != 0 ? slots[at] - 1u : Count;
  }
  template <class Kernel>
  constexpr void note(std::size_t i, const Kernel& kernel) {
    slots[slot_of(kernel(i).name, kernel)] = static_cast<std::uint16_t>(i + 1);
  }

  // The slot of the kernel of this name, or a free one.
  template <class Kernel>
  constexpr std::size_t slot_of(text_view name, const Kernel& kernel) const {
    return probe(view<std::uint16_t>(slots), catalogue_key(name),
                 [&](std::uint16_t slot) { return slot == 0 || kernel(slot - 1u).name == name; });
  }
};

// The entries in their order, overriding ones refined as by `registry::add`. If several have one
// name, the last is the kernel of that name.
template <const auto&... Entries>
struct static_entries {
  static constexpr std::size_t count = (entries_in(Entries) + ... + std::size_t{0});
  static_assert(count < 0xffff);
  struct indexed_kernels {
    frozen_table<kernel_spec, count> kernels;
    static_index<count> index;
    constexpr const kernel_spec& operator()(std::size_t i) const { return kernels[i]; }
    constexpr std::size_t find(text_view name) const { return index.find(name, *this); }
  };

  static constexpr indexed_kernels make() {
    const registry known = builtin_registry();
    indexed_kernels out;
    std::size_t at = 0;
    [[maybe_unused]] const auto note = [&](const auto& entry) {
      for (std::size_t i = 0; i < entries_in(entry); ++i, ++at) {
        const kernel_spec& k = entry_of(entry, i);
        const std::size_t own = out.find(k.name);
        const kernel_spec* base = own != count ? &out.kernels[own] : known.find(k.name);
        out.kernels[at] = k.overrides && base != nullptr ? refined(k, *base) : k;
        out.index.note(at, out);
      }
    };
    (note(Entries), ...);
    return out;
  }
  static constexpr indexed_kernels all = make();
};

// The whole registry as a constant: the kernels of a registry extended at run time, in the same
// order. Names, signatures and formulas are not checked: see `registry_of`.
template <const auto&... Entries>
struct static_catalogue {
  using entries = static_entries<Entries...>;

  // The built-in kernels, each replaced by the entry of its name, and the other entries.
  template <class Use>
  static constexpr void for_each_kernel(const Use& use) {
    for (const kernel_list& domain : builtin_domains)
      for (const kernel_spec* k : domain) {
        const std::size_t own = entries::all.find(k->name);
        use(own != entries::count ? &entries::all.kernels[own] : k);
      }
    const registry known = builtin_registry();
    for (std::size_t i = 0; i < entries::count; ++i) {
      const kernel_spec& k = entries::all.kernels[i];
      if (known.find(k.name) == nullptr && is_first(i))
        use(&entries::all.kernels[entries::all.find(k.name)]);
    }
  }
  static constexpr bool is_first(std::size_t i) {
    for (std::size_t j = 0; j < i; ++j)
      if (entries::all.kernels[j].name == entries::all.kernels[i].name) return false;
    return true;
  }
  static constexpr std::size_t counted() {
    std::size_t n = 0;
    for_each_kernel([&n](const kernel_spec*) { ++n; });
    return n;
  }
  static constexpr std::size_t count = counted();
  static constexpr frozen_table<const kernel_spec*, count> list() {
    frozen_table<const kernel_spec*, count> out;
    std::size_t at = 0;
    for_each_kernel([&](const kernel_spec* k) { out[at++] = k; });
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
