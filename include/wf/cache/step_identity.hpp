// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cache/fingerprint/fingerprint.hpp>
#include <wf/toolchain/nesting.hpp>
#include <wf/toolchain/step_path.hpp>
#include <wf/toolchain/wrapper.hpp>

namespace wf {

namespace detail {

// Calls f(part, ...) with the parts of a composite step.
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

// The ways to identify a part of a step; the first that applies is used.
enum class identity_kind {
  custom,   // by its fingerprint function
  parts,    // a step or an aggregate: by the identities of its parts
  content,  // by its fingerprint
  code,     // a function pointer: by its address, within a process
  hidden,   // it has invisible state
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
// The name of the first step with invisible state, or nothing. `holder` names the owner of the S.
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

// Folds in the names of steps and all visible state; with `InProcess` also the addresses of
// functions.
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

/// True if all of a step's state is visible, so that within a process differently configured steps
/// of one type have different identities: lambdas without captures, functions behind pointers,
/// aggregates of types with fingerprints, and the steps, toolchains and wrappers made of them.
/// Captures and private members are invisible, unless there is a function
/// `fingerprint(wf::fingerprinter&, const S&)`.
template <class S>
inline constexpr bool has_visible_state = detail::hidden_state<S>("a step").empty();

/// The fingerprint of a step's configuration: its name, the names of the inner steps, and the
/// visible state of their callables. It is the same in every process and does not cover code.
/// O(state).
template <class S>
constexpr digest128 step_identity(const S& step) {
  fingerprinter f;
  detail::fold_identity<false>(f, step);
  return f.value();
}

}  // namespace wf
