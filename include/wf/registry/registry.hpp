// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/hash.hpp>
#include <wf/registry/kernel.hpp>

namespace wf {

/// A set of kernels found by name: built-in domains and users' own, in both tiers. A regular value;
/// the texts of the kernels must outlive it (they are literals, or owned by whoever loaded them).
class registry {
 public:
  /// Adds kernels. Errors: see `add(const kernel_spec&)`; those before the first faulty one stay.
  constexpr result<nothing> add(view<kernel_spec> kernels) {
    for (const kernel_spec& k : kernels)
      if (auto added = add(k); !added) return added;
    return nothing{};
  }

  /// Adds one kernel. Errors: `duplicate_kernel` if the name is taken and the kernel does not say
  /// `overrides`. O(1) expected.
  constexpr result<nothing> add(const kernel_spec& k) {
    if ((kernels_.size() + 1) * 2 > slots_.size()) rehash(slots_.empty() ? 64 : 2 * slots_.size());
    const std::uint64_t hash = hash_text(k.name);
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      if (hashes_[slots_[at] - 1] != hash) continue;
      if (!k.overrides)
        return make_error(errc::duplicate_kernel, k.name,
                          "a kernel of this name exists; declare `overrides` to replace it");
      kernels_[slots_[at] - 1] = k;
      return nothing{};
    }
    kernels_.push_back(k);
    hashes_.push_back(hash);
    slots_[at] = static_cast<std::uint32_t>(kernels_.size());
    return nothing{};
  }

  /// The kernel of that name, or null. O(1) expected.
  constexpr const kernel_spec* find(text_view name) const { return find(hash_text(name)); }
  /// The kernel whose name has that hash (`operation::hash`), or null. O(1) expected.
  constexpr const kernel_spec* find(std::uint64_t hash) const {
    if (slots_.empty()) return nullptr;
    for (std::size_t at = hash & (slots_.size() - 1); slots_[at] != 0;
         at = (at + 1) & (slots_.size() - 1))
      if (hashes_[slots_[at] - 1] == hash) return &kernels_[slots_[at] - 1];
    return nullptr;
  }
  /// All kernels, in the order they were added.
  constexpr view<kernel_spec> kernels() const { return {kernels_.data(), kernels_.size()}; }

 private:
  constexpr void rehash(std::size_t capacity) {
    slots_ = table<std::uint32_t>(capacity);
    for (std::uint32_t i = 0; i < kernels_.size(); ++i) {
      std::size_t at = hashes_[i] & (capacity - 1);
      while (slots_[at] != 0) at = (at + 1) & (capacity - 1);
      slots_[at] = i + 1;
    }
  }

  table<kernel_spec> kernels_;
  table<std::uint64_t> hashes_;
  table<std::uint32_t> slots_;
};

}  // namespace wf
