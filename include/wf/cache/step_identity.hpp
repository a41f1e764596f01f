// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cache/fingerprint/fingerprint.hpp>
#include <wf/toolchain/toolchain.hpp>
#include <wf/toolchain/wrapper.hpp>

namespace wf {

namespace detail {

// f(part, ...) of the parts of a step that is made of others and of callables.
template <fixed_string Name, class... Steps, class F>
constexpr decltype(auto) with_step_parts(const toolchain<Name, Steps...>& s, F&& f) {
  return f(s.template get<fixed_name<Steps>>()...);
}
template <class Step, class Predicate, class F>
constexpr decltype(auto) with_step_parts(const skipped_step<Step, Predicate>& s, F&& f) {
  return f(s.skips, s.inner);
}
template <class Step, class Invariant, class F>
constexpr decltype(auto) with_step_parts(const checked_step<Step, Invariant>& s, F&& f) {
  return f(s.holds, s.inner);
}
template <class First, class Second, class F>
constexpr decltype(auto) with_step_parts(const fallback_step<First, Second>& s, F&& f) {
  return f(s.first, s.second);
}
template <class S, class F>
  requires(member_count<S> != no_members)
constexpr decltype(auto) with_step_parts(const S& s, F&& f) {
  return with_members(s, static_cast<F&&>(f));
}

template <class S>
concept has_step_parts = requires(const S& s) { with_step_parts(s, member_lister{}); };
template <class S>
using step_parts = decltype(with_step_parts(std::declval<const S&>(), member_lister{}));

// How the identity of a part of a step is found; the first that fits.
enum class identity_kind {
  custom,   // it has a fingerprint function
  parts,    // it is a step, or an aggregate, with parts of which each has an identity
  content,  // it has a fingerprint
  code,     // a function behind a pointer: known within a process, by its address
  hidden,   // it has state that cannot be seen
};

template <class S>
constexpr identity_kind identity_kind_of() {
  if constexpr (has_fingerprint_function<S>)
    return identity_kind::custom;
  else if constexpr (step_type<S> && has_step_parts<S>)
    return identity_kind::parts;
  else if constexpr (fingerprintable<S>)
    return identity_kind::content;
  else if constexpr (member_count<S> != no_members)
    return identity_kind::parts;
  else if constexpr (std::is_function_v<std::remove_pointer_t<S>>)
    return identity_kind::code;
  else
    return identity_kind::hidden;
}

template <class S>
constexpr text_view hidden_state(text_view holder);
template <class... Part>
constexpr text_view first_hidden_state(text_view holder, type_list<Part...>) {
  text_view found;
  ((found.empty() ? void(found = hidden_state<Part>(holder)) : void()), ...);
  return found;
}
// The name of the first step that has state which cannot be seen, or nothing. `holder` is what has
// an S in it.
template <class S>
constexpr text_view hidden_state(text_view holder) {
  if constexpr (step_type<S>) holder = S::name().empty() ? holder : S::name();
  if constexpr (identity_kind_of<S>() == identity_kind::parts)
    return first_hidden_state(holder, step_parts<S>{});
  else if constexpr (identity_kind_of<S>() == identity_kind::hidden)
    return holder;
  else
    return {};
}

// Folds in the names of steps and the state of all that can be seen; of functions behind pointers
// their addresses, if it is to hold in this process only.
template <bool InProcess, class S>
constexpr void fold_identity(fingerprinter& f, const S& s) {
  constexpr identity_kind kind = identity_kind_of<S>();
  if constexpr (step_type<S>) f(S::name());
  if constexpr (kind == identity_kind::parts) {
    with_step_parts(s, [&f]<class... Part>(const Part&... part) {
      f.word(sizeof...(Part));
      (fold_identity<InProcess>(f, part), ...);
    });
  } else if constexpr (kind == identity_kind::code) {
    if constexpr (InProcess) f.word(reinterpret_cast<std::uintptr_t>(s));
  } else if constexpr (kind != identity_kind::hidden) {
    f(s);
  }
}

}  // namespace detail

/// True if all of a step's state can be seen, so that within a process two steps of one type that
/// work differently can be told apart: lambdas without captures, functions behind pointers,
/// aggregates of what has a fingerprint, and the steps, toolchains and wrappers made of them. It
/// sees no captures and no private members, unless there is a function
/// `fingerprint(wf::fingerprinter&, const S&)`.
template <class S>
inline constexpr bool has_visible_state = detail::hidden_state<S>("a step").empty();

/// The fingerprint of a step's configuration: of its name, of the names of the steps inside, and of
/// the state of their callables as far as it can be seen. It is the same in every process, and says
/// nothing about code. O(state).
template <class S>
constexpr digest128 step_identity(const S& step) {
  fingerprinter f;
  detail::fold_identity<false>(f, step);
  return f.value();
}

}  // namespace wf
