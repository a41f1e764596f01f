// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cache/fingerprint/members.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/text/view.hpp>
#include <wf/ir/graph/graph.hpp>

namespace wf {

namespace detail {

template <class T>
concept has_stage_bytes = requires(const T& x) {
  { stage_bytes(x) } -> std::convertible_to<std::size_t>;
};
template <class T>
concept stage_elements = requires(const T& x) { *x.begin(), x.begin() != x.end(); };

template <class T, class... Path>
constexpr bool knows_stage_size();
template <class... Path, class... Part>
constexpr bool knows_stage_sizes(type_list<Part...>) {
  return (true && ... && knows_stage_size<Part, Path...>());
}
// Path: the types that enclose T; the sizes of recursive types are not known.
template <class T, class... Path>
constexpr bool knows_stage_size() {
  if constexpr ((std::is_same_v<T, Path> || ...))
    return false;
  else if constexpr (has_stage_bytes<T> || std::is_trivially_destructible_v<T> ||
                     character_range<T> || std::is_same_v<T, graph>)
    return true;
  else if constexpr (stage_elements<T>)
    return knows_stage_size<std::remove_cvref_t<decltype(*std::declval<const T&>().begin())>,
                            Path..., T>();
  else if constexpr (member_count<T> != no_members)
    return knows_stage_sizes<Path..., T>(member_types<T>{});
  else
    return false;
}

// The bytes of a graph's tables.
constexpr std::size_t table_bytes(const graph_view& g) {
  const auto bytes = []<class T>(const view<T>& t) { return t.size() * sizeof(T); };
  return bytes(g.characters) + bytes(g.operations) + bytes(g.nodes) + bytes(g.values) +
         bytes(g.operands) + bytes(g.attributes) + bytes(g.costs) + bytes(g.edges) +
         bytes(g.outputs) + bytes(g.derived);
}

}  // namespace detail

/// The size of a stage in bytes, including its tables on the heap: the unit of a store's budget. It
/// supports
///
/// - types with a function `stage_bytes(const T&)`, found by argument-dependent lookup: its result;
/// - trivially destructible types: the size of the object;
/// - character ranges: the number of characters, and the size of the object;
/// - graphs: the records of the tables, and the size of the object;
/// - ranges: the sizes of the elements, and the size of the object;
/// - aggregates: the size of the object, and the heap memory of its members.
///
/// Unused capacity and the allocator's records do not count. Give a store a function of your own
/// for other types. O(size).
struct stage_size {
  /// The size of `x` in bytes.
  template <class T>
    requires(detail::knows_stage_size<T>())
  constexpr std::size_t operator()(const T& x) const {
    if constexpr (detail::has_stage_bytes<T>)
      return static_cast<std::size_t>(stage_bytes(x));
    else
      return sizeof(T) + outside(x);
  }

 private:
  // The bytes outside the object itself.
  template <class T>
  static constexpr std::size_t outside(const T& x) {
    if constexpr (std::is_trivially_destructible_v<T>) {
      return 0;
    } else if constexpr (detail::has_stage_bytes<T>) {
      const auto bytes = static_cast<std::size_t>(stage_bytes(x));
      return bytes < sizeof(T) ? 0 : bytes - sizeof(T);
    } else if constexpr (character_range<T>) {
      return static_cast<std::size_t>(x.size());
    } else if constexpr (std::is_same_v<T, graph>) {
      return detail::table_bytes(x);
    } else if constexpr (detail::stage_elements<T>) {
      std::size_t bytes = 0;
      for (const auto& element : x) bytes += stage_size{}(element);
      return bytes;
    } else {
      return detail::with_members(
          x, [](const auto&... member) { return (std::size_t{0} + ... + outside(member)); });
    }
  }
};

}  // namespace wf
