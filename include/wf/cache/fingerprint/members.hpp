// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace wf {

/// Maximum number of members of an aggregate that can be decomposed.
inline constexpr std::size_t max_members = 24;

namespace detail {

// An initialiser for any member of Owner, but neither for its bases nor for a copy of it. It never
// runs; it has a body because compilers warn about functions used but not defined.
template <class Owner, std::size_t>
struct any_initialiser {
  template <class Member>
    requires(!std::is_base_of_v<Member, Owner>)
  operator Member() const noexcept {
    __builtin_unreachable();
  }
};
// An initialiser for a base.
template <class Owner>
struct base_initialiser {
  template <class Base>
    requires(std::is_base_of_v<Base, Owner> && !std::is_same_v<Base, Owner>)
  operator Base() const noexcept {
    __builtin_unreachable();
  }
};

template <class T, std::size_t... I>
constexpr bool takes_initialisers(std::index_sequence<I...>) {
  return requires { T{any_initialiser<T, I>{}...}; };
}
// The same with {} after the first initialisers.
template <class T, std::size_t... Before, std::size_t... After>
constexpr bool takes_default_between(std::index_sequence<Before...>,
                                     std::index_sequence<After...>) {
  return requires { T{any_initialiser<T, Before>{}..., {}, any_initialiser<T, After>{}...}; };
}
template <class T, std::size_t... I>
constexpr bool takes_base(std::index_sequence<I...>) {
  return requires { T{base_initialiser<T>{}, any_initialiser<T, I>{}...}; };
}

// Upper limit of counted initialisers: arrays have one per element.
inline constexpr std::size_t max_initialisers = 64;

// The maximum number of initialisers of an aggregate; arrays take one per element. 0 if it takes
// none, or too many. Members without a default make the first counts invalid.
template <class T, std::size_t N = 0, bool Found = false>
constexpr std::size_t initialisers_of() {
  constexpr bool ok = takes_initialisers<T>(std::make_index_sequence<N>{});
  if constexpr (Found && !ok)
    return N - 1;
  else if constexpr (N == max_initialisers)
    return 0;
  else
    return initialisers_of<T, N + 1, ok>();
}

// The number of initialisers, out of Count, that go to the member which takes number First: {} in
// its place initialises the whole member, so that correspondingly fewer may follow.
template <class T, std::size_t Count, std::size_t First, std::size_t Length = 1>
constexpr std::size_t initialisers_of_member() {
  if constexpr (First + Length > Count)
    return 1;
  else if constexpr (takes_default_between<T>(std::make_index_sequence<First>{},
                                              std::make_index_sequence<Count - First - Length>{}))
    return Length;
  else
    return initialisers_of_member<T, Count, First, Length + 1>();
}

template <class T, std::size_t Count, std::size_t First = 0>
constexpr std::size_t members_from() {
  if constexpr (First >= Count)
    return 0;
  else
    return 1 + members_from<T, Count, First + initialisers_of_member<T, Count, First>()>();
}

template <class T, std::size_t Count, std::size_t... Fewer>
constexpr bool has_base(std::index_sequence<Fewer...>) {
  return (takes_base<T>(std::make_index_sequence<Fewer>{}) || ...);
}

// The value of `member_count` for types that cannot be decomposed.
inline constexpr std::size_t no_members = static_cast<std::size_t>(-1);

// The number of members of an aggregate class; `no_members` for a type that is no aggregate, has a
// base, more than `max_members` members, more than 64 array elements, or a member that is a
// reference to something not constant.
template <class T>
constexpr std::size_t count_members() {
  if constexpr (!std::is_class_v<T> || !std::is_aggregate_v<T>) {
    return no_members;
  } else {
    constexpr std::size_t initialisers = initialisers_of<T>();
    if constexpr (has_base<T, initialisers>(std::make_index_sequence<initialisers + 1>{})) {
      return no_members;
    } else {
      constexpr std::size_t members = members_from<T, initialisers>();
      return (members == 0 && !std::is_empty_v<T>) || members > max_members ? no_members : members;
    }
  }
}
template <class T>
inline constexpr std::size_t member_count = count_members<T>();

// Calls f(first member, second member, ...) with the members of an aggregate as lvalues.
template <class T, class F>
constexpr decltype(auto) with_members(const T& x, F&& f) {
  constexpr std::size_t count = member_count<T>;
  if constexpr (count == 0) {
    return f();
  } else if constexpr (count == 1) {
    const auto& [a] = x;
    return f(a);
  } else if constexpr (count == 2) {
    const auto& [a, b] = x;
    return f(a, b);
  } else if constexpr (count == 3) {
    const auto& [a, b, c] = x;
    return f(a, b, c);
  } else if constexpr (count == 4) {
    const auto& [a, b, c, d] = x;
    return f(a, b, c, d);
  } else if constexpr (count == 5) {
    const auto& [a, b, c, d, e] = x;
    return f(a, b, c, d, e);
  } else if constexpr (count == 6) {
    const auto& [a, b, c, d, e, g] = x;
    return f(a, b, c, d, e, g);
  } else if constexpr (count == 7) {
    const auto& [a, b, c, d, e, g, h] = x;
    return f(a, b, c, d, e, g, h);
  } else if constexpr (count == 8) {
    const auto& [a, b, c, d, e, g, h, i] = x;
    return f(a, b, c, d, e, g, h, i);
  } else if constexpr (count == 9) {
    const auto& [a, b, c, d, e, g, h, i, j] = x;
    return f(a, b, c, d, e, g, h, i, j);
  } else if constexpr (count == 10) {
    const auto& [a, b, c, d, e, g, h, i, j, k] = x;
    return f(a, b, c, d, e, g, h, i, j, k);
  } else if constexpr (count == 11) {
    const auto& [a, b, c, d, e, g, h, i, j, k, l] = x;
    return f(a, b, c, d, e, g, h, i, j, k, l);
  } else if constexpr (count == 12) {
    const auto& [a, b, c, d, e, g, h, i, j, k, l, m] = x;
    return f(a, b, c, d, e, g, h, i, j, k, l, m);
  } else if constexpr (count == 13) {
    const auto& [a, b, c, d, e, g, h, i, j, k, l, m, n] = x;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n);
  } else if constexpr (count == 14) {
    const auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o] = x;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o);
  } else if constexpr (count == 15) {
    const auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p] = x;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p);
  } else if constexpr (count == 16) {
    const auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q] = x;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q);
  } else if constexpr (count == 17) {
    const auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r] = x;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r);
  } else if constexpr (count == 18) {
    const auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s] = x;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s);
  } else if constexpr (count == 19) {
    const auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = x;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
  } else if constexpr (count == 20) {
    const auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = x;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
  } else if constexpr (count == 21) {
    const auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v] = x;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v);
  } else if constexpr (count == 22) {
    const auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w] = x;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w);
  } else if constexpr (count == 23) {
    const auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, y] = x;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, y);
  } else if constexpr (count == 24) {
    const auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, y, z] = x;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, y, z);
  }
}

template <class... T>
struct type_list {};

struct member_lister {
  template <class... Member>
  constexpr type_list<std::remove_cv_t<Member>...> operator()(const Member&...) const {
    return {};
  }
};

// The types of an aggregate's members, without const and references.
template <class T>
using member_types = decltype(with_members(std::declval<const T&>(), member_lister{}));

}  // namespace detail

}  // namespace wf
