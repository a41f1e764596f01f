// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/version.hpp>

#include <cstddef>
#include <utility>

namespace wf {

namespace detail {

template <std::size_t Index, class T>
struct pack_leaf {
  [[no_unique_address]] T value{};
};

template <class Indices, class... T>
struct pack_leaves;
template <std::size_t... Index, class... T>
struct pack_leaves<std::index_sequence<Index...>, T...> : pack_leaf<Index, T>... {};

template <std::size_t Index, class T>
T pack_type(const pack_leaf<Index, T>*);

}  // namespace detail

/// Objects or references side by side, empty objects without storage: a tuple that compiles faster.
/// An aggregate with each element in its own braces: `pack<int, char>{{1}, {'a'}}`.
template <class... T>
using pack = detail::pack_leaves<std::make_index_sequence<sizeof...(T)>, T...>;

/// Element number `Index` of a pack.
template <std::size_t Index, class T>
constexpr auto& pack_at(detail::pack_leaf<Index, T>& leaf) {
  return leaf.value;
}
/// Element number `Index` of a constant pack; an element that is a reference is not constant.
template <std::size_t Index, class T>
constexpr auto& pack_at(const detail::pack_leaf<Index, T>& leaf) {
  return leaf.value;
}

/// The type of element number `Index` of a pack.
template <std::size_t Index, class Pack>
using pack_element = decltype(detail::pack_type<Index>(static_cast<const Pack*>(nullptr)));

}  // namespace wf
