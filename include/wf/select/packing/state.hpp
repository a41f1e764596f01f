// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/select/packing/model.hpp>

namespace wf::detail {

/// The residual packing model: the live values, and their number in each class and each part.
class packing_state {
 public:
  table<std::uint8_t> alive;
  table<std::uint32_t> class_count;
  table<std::uint32_t> part_count;

  constexpr explicit packing_state(const packing_model& model)
      : alive(model.values, 1),
        class_count(model.classes),
        part_count(model.parts.size()),
        first_(model.first),
        member_(model.values),
        place_(model.values) {
    for (std::uint32_t k = 0; k < model.classes; ++k)
      class_count[k] = model.first[k + 1] - model.first[k];
    for (std::size_t i = 0; i < part_count.size(); ++i)
      part_count[i] = model.parts[i].end - model.parts[i].begin;
    for (std::uint32_t v = 0; v < model.values; ++v) member_[v] = place_[v] = v;
  }

  /// The live values of a class, in no particular order.
  constexpr view<std::uint32_t> left(std::uint32_t k) const {
    return {member_.data() + first_[k], class_count[k]};
  }
  /// Removes a live value from its class `k` by swapping it with the last live one. O(1).
  constexpr void leave(std::uint32_t v, std::uint32_t k) {
    alive[v] = 0;
    const std::uint32_t at = place_[v], last = first_[k] + --class_count[k];
    const std::uint32_t other = member_[last];
    member_[at] = other;
    place_[other] = at;
    member_[last] = v;
    place_[v] = last;
  }
  /// Restores the value that left its class `k` last. O(1).
  constexpr void come_back(std::uint32_t v, std::uint32_t k) {
    alive[v] = 1;
    ++class_count[k];
  }

 private:
  table<std::uint32_t> first_, member_, place_;
};

/// True if every remaining choice contains the class: its `off` is dropped or does not exist.
constexpr bool is_needed(const packing_model& m, const packing_state& s, std::uint32_t k) {
  return m.off[k] == packing_model::none || !s.alive[m.off[k]];
}

}  // namespace wf::detail
