// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include <wf/core/container/table.hpp>

namespace wf::detail {

/// Merge sort; equal records keep their order. O(n log n).
template <class T, class Before>
constexpr void stable_sort(table<T>& list, Before before) {
  table<T> merged(list.size());
  for (std::size_t width = 1; width < list.size(); width *= 2) {
    for (std::size_t first = 0; first < list.size(); first += 2 * width) {
      const std::size_t middle = first + width < list.size() ? first + width : list.size();
      const std::size_t end = middle + width < list.size() ? middle + width : list.size();
      std::size_t a = first, b = middle;
      for (std::size_t at = first; at < end; ++at) {
        const bool second = a == middle || (b < end && before(list[b], list[a]));
        merged[at] = list[second ? b++ : a++];
      }
    }
    list.swap(merged);
  }
}

/// Inserts a record, no reference into the list, into the part from `first` on, which is sorted:
/// behind its equals. O(records behind it).
template <class T, class Before>
constexpr void insert_sorted(table<T>& list, const T& added, Before before, std::size_t first = 0) {
  list.push_back(added);
  std::size_t at = list.size() - 1;
  for (; at > first && before(added, list[at - 1]); --at) list[at] = list[at - 1];
  list[at] = added;
}

}  // namespace wf::detail
