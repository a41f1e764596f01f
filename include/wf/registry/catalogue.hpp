// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/hash.hpp>
#include <wf/core/container/hash_index.hpp>
#include <wf/registry/kernel.hpp>

namespace wf {

/// The kernels of a domain, by pointer: the constants themselves, each listed once.
using kernel_list = view<const kernel_spec*>;

/// Caches of the machine for which execution times hold.
struct host_caches {
  /// Size of a core's second-level cache in bytes: `second_cache` in cost formulas.
  std::int64_t second = std::int64_t{2} << 20;
  friend constexpr bool operator==(const host_caches&, const host_caches&) = default;
};

namespace detail {

// A hash of a non-empty name in few steps: every program that includes wf builds the index.
constexpr std::size_t catalogue_key(text_view name) {
  const std::size_t size = name.size();
  const char* const c = name.data();
  return size + 7u * static_cast<unsigned char>(c[0]) +
         31u * static_cast<unsigned char>(c[size / 2]) +
         101u * static_cast<unsigned char>(c[size - 1]);
}

}  // namespace detail

/// Domains known at compile time, with an index of their kernels by name. The built-in registry
/// starts from it, so its construction is O(1). At most 255 domains of at most 255 kernels.
/// `Capacity` is a power of two, greater than the number of kernels.
template <std::size_t Capacity>
struct kernel_catalogue {
  /// The domains, in the order in which `registry::kernels` lists their kernels.
  view<kernel_list> domains;
  /// Hash table with open addressing by `catalogue_key`: number of the domain + 1 in the high byte,
  /// number of the kernel in the low byte; 0 is free.
  std::uint16_t slots[Capacity] = {};

  /// Indexes domains, which must outlive the catalogue. Names of kernels must be distinct.
  /// O(kernels) expected.
  constexpr explicit kernel_catalogue(view<kernel_list> all) : domains(all) {
    for (std::size_t d = 0; d < all.size(); ++d)
      for (std::size_t i = 0; i < all[d].size(); ++i) {
        const std::size_t at =
            detail::probe(view<std::uint16_t>(slots), detail::catalogue_key(all[d][i]->name),
                          [](std::uint16_t slot) { return slot == 0; });
        slots[at] = static_cast<std::uint16_t>((d + 1) << 8 | i);
      }
  }
};

/// A set of kernels found by name: built-in domains and user-defined kernels, at compile time and
/// at run time. A regular value; the texts of the kernels must outlive it (literals, or owned by
/// the loader).
class registry {
 public:
  constexpr registry() = default;
  /// The kernels of a catalogue, which must outlive the registry. O(1).
  template <std::size_t Capacity>
  constexpr explicit registry(const kernel_catalogue<Capacity>& base)
      : base_(base.domains), base_slots_(base.slots) {}

  // <wf/registry/registry.hpp> defines the adding functions: lookups need none of their checks.

  /// Adds kernels, all or none. Errors: see `add(const kernel_spec&)`. O(kernels of both).
  constexpr result<nothing> add(view<kernel_spec> kernels);
  /// Adds the kernels of a domain, all or none. Errors: as above.
  constexpr result<nothing> add(kernel_list kernels);
  /// Adds one kernel. A kernel with `overrides` refines or replaces the kernel of its name, see
  /// `refined`. On an error the registry is unchanged. Errors: those of `find_fault` and
  /// `find_override_fault`; `duplicate_kernel` if the name is taken and `overrides` is false;
  /// `unknown_operator` if `overrides` is true and no kernel has the name. O(size of its texts)
  /// expected.
  constexpr result<nothing> add(const kernel_spec& k);

  /// Caches of the machine for which the kernels' execution times hold.
  constexpr const host_caches& caches() const { return caches_; }
  /// Sets the caches of that machine.
  constexpr void set_caches(const host_caches& c) { caches_ = c; }

  /// The kernel of this name, or null; valid until the next `add`. O(1) expected.
  constexpr const kernel_spec* find(text_view name) const {
    const std::size_t own = own_index(name);
    return own != own_.size() ? &own_[own] : base_find(name);
  }
  /// What the operator of this name means; `other` if there is none. O(1) expected.
  constexpr wf::meaning meaning_of(text_view name) const {
    const kernel_spec* const k = find(name);
    return k == nullptr ? wf::meaning::other : k->meaning;
  }
  /// True if the operator of this name runs a body again and again (`kernel_spec::repeats`). O(1)
  /// expected.
  constexpr bool repeats(text_view name) const {
    const kernel_spec* const k = find(name);
    return k != nullptr && !k->repeats.empty();
  }
  /// All kernels in insertion order; a kernel that overrides a built-in one takes its position.
  /// Valid until the next `add`. O(kernels).
  constexpr table<const kernel_spec*> kernels() const {
    table<const kernel_spec*> all;
    for (const kernel_list& domain : base_)
      for (const kernel_spec* k : domain) {
        const std::size_t own = own_index(k->name);
        all.push_back(own != own_.size() ? &own_[own] : k);
      }
    for (std::size_t i = 0; i < own_.size(); ++i)
      if (base_find(own_[i].name) == nullptr) all.push_back(&own_[i]);
    return all;
  }

 private:
  // Index of a kernel in `own_`, or `own_.size()`.
  constexpr std::size_t own_index(text_view name) const {
    if (own_.empty()) return 0;
    const std::uint32_t known =
        own_by_name_.find(hash_text(name), [&](std::uint32_t i) { return own_[i].name == name; });
    return known == hash_index::none ? own_.size() : known;
  }
  constexpr const kernel_spec* base_find(text_view name) const {
    if (base_.empty() || name.empty()) return nullptr;
    const kernel_spec* found = nullptr;
    detail::probe(base_slots_, detail::catalogue_key(name), [&](std::size_t slot) {
      if (slot == 0) return true;
      const kernel_spec* k = base_[(slot >> 8) - 1][slot & 255];
      if (k->name != name) return false;
      found = k;
      return true;
    });
    return found;
  }

  view<kernel_list> base_;
  view<std::uint16_t> base_slots_;
  table<kernel_spec> own_;
  hash_index own_by_name_;
  host_caches caches_;
};

namespace detail {
// The built-in registry extended by kernels, as a constant; see <wf/registry/static_registry.hpp>.
template <const auto&... Entries>
struct constant_registry;
}  // namespace detail

}  // namespace wf
