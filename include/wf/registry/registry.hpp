// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/catalogue.hpp>
#include <wf/registry/check.hpp>

// The members of `registry` that add kernels, with their checks.

namespace wf {

/// The message for an unknown kernel: "unknown kernel 'matmull': did you mean 'matmul'?" O(kernels
/// · length).
constexpr text unknown_kernel_message(const registry& r, text_view name) {
  table<text_view> known;
  for (const kernel_spec* k : r.kernels()) known.push_back(k->name);
  return unknown_name_message("kernel", name, known);
}

/// The fault for which `registry::add` would refuse `k`, with the text at fault; none if it would
/// accept `k`.
constexpr registry_fault find_fault(const kernel_spec& k, const registry& r) {
  const kernel_spec* base = r.find(k.name);
  if (!k.overrides) {
    if (base == nullptr) return find_fault(k);
    return {make_error(errc::duplicate_kernel, k.name,
                       "a kernel of this name exists; declare `overrides` to replace it"),
            {}};
  }
  if (base == nullptr)
    return {
        make_error(
            errc::unknown_operator, k.name,
            (text() << "overrides nothing: " << unknown_kernel_message(r, k.name).view()).view()),
        {}};
  std::size_t omitted = 0;
  const kernel_spec whole = refined(k, *base, &omitted);
  if (omitted != 0)
    return {make_error(errc::bad_signature, k.name,
                       (text() << "states more than " << max_kernel_costs
                               << " costs, with those of the kernel that it overrides")
                           .view()),
            {}};
  if (registry_fault fault = find_fault(whole)) return fault;
  return find_override_fault(whole, *base);
}

constexpr result<nothing> registry::add(const kernel_spec& k) {
  registry_fault fault = find_fault(k, *this);
  if (fault) return static_cast<error&&>(fault.failure);
  const kernel_spec whole = k.overrides ? refined(k, *find(k.name)) : k;
  if (const std::size_t own = own_index(k.name); own != own_.size()) {
    own_[own] = whole;
    return nothing{};
  }
  own_.push_back(whole);
  own_by_name_.insert(hash_text(k.name), static_cast<std::uint32_t>(own_.size() - 1));
  return nothing{};
}

constexpr result<nothing> registry::add(view<kernel_spec> kernels) {
  registry more = *this;
  for (const kernel_spec& k : kernels)
    if (auto added = more.add(k); !added) return added;
  *this = static_cast<registry&&>(more);
  return nothing{};
}

constexpr result<nothing> registry::add(kernel_list kernels) {
  registry more = *this;
  for (const kernel_spec* k : kernels)
    if (auto added = more.add(*k); !added) return added;
  *this = static_cast<registry&&>(more);
  return nothing{};
}

}  // namespace wf
