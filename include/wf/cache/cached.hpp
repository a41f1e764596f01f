// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <stdexcept>

#include <wf/cache/step_identity.hpp>
#include <wf/cache/store/shared.hpp>
#include <wf/toolchain/checks.hpp>

namespace wf {

/// The version of the keys of cached stages. It is folded into every key and changes with their
/// definition.
inline constexpr std::uint32_t cache_key_version = 1;

/// Keys a stage by its fingerprint: the default of `cached`.
struct fingerprint_key {
  /// The fingerprint of a stage. Compile errors: WF814.
  template <class T>
  constexpr digest128 operator()(const T& x) const {
    return fingerprint_of(x);
  }
};

namespace detail {

// An address per type, which identifies the type within a process.
template <class T>
inline constexpr char type_marker = 0;

template <class Step, class Store, class Key>
constexpr error unversioned_failure() {
  text sentence;
  if (Store::persistent)
    sentence << "a store that outlives the process needs the version of the code: pass "
                "cached(step, store, version)";
  else
    sentence << "the state of '"
             << (has_visible_state<Step> ? "the key" : hidden_state<Step>(Step::name()))
             << "' cannot be seen, such as captures and private members: pass a version that "
                "changes with it, cached(step, store, version)";
  return make_error(errc::unversioned_step, Step::name(), sentence.view());
}
// The type that is fingerprinted: the stage itself, or the result of the key.
template <class Key, class In>
struct keyed_type {
  using type = std::remove_cvref_t<std::invoke_result_t<const Key&, const In&>>;
};
template <class In>
struct keyed_type<fingerprint_key, In> {
  using type = In;
};
template <class Step, class Store>
constexpr error stored_stage_failure() {
  return make_error(
      errc::step_mismatch, Step::name(),
      (text() << "the step returns " << stage_name<typename Step::out> << " but the store holds "
              << stage_name<typename Store::value_type>)
          .view());
}

}  // namespace detail

/// A step with stored results; see `cached`.
template <step_type Step, class Store, class Key, bool Versioned>
class cached_step {
  static constexpr bool ok_version =
      Versioned || (!Store::persistent && has_visible_state<Step> && has_visible_state<Key>);
  static constexpr bool ok_stage = std::same_as<typename Store::value_type, typename Step::out>;
  using keyed = typename detail::keyed_type<Key, typename Step::in>::type;
  static_assert(
      sizeof(detail::step_check<ok_version, &detail::unversioned_failure<Step, Store, Key>>));
  static_assert(sizeof(detail::fingerprint_check<fingerprintable<keyed>, keyed>));
  static_assert(sizeof(detail::step_check<ok_stage, &detail::stored_stage_failure<Step, Store>>));

 public:
  /// The stage it takes.
  using in = typename Step::in;
  /// The stage it returns.
  using out = typename Step::out;
  /// The name of the inner step.
  static constexpr text_view name() { return Step::name(); }
  /// True if the inner step may fail.
  static constexpr bool fallible = Step::fallible;

  /// Wraps a step; `version` is the fingerprint of its version.
  cached_step(Step step, shared_store<Store> store, digest128 version, Key key)
      : inner(static_cast<Step&&>(step)),
        store_(static_cast<shared_store<Store>&&>(store)),
        version_(version),
        key_(static_cast<Key&&>(key)),
        identity_(make_identity()) {}

  /// The step whose results are stored.
  Step inner;

  /// The stored result, or a new one, as a copy. Errors: those of the step; `cache_failed` if the
  /// computation needs its own result, which a step that cannot fail reports as `std::logic_error`.
  step_outcome<out, fallible> operator()(const in& x) const
    requires std::invocable<const Step&, const in&>
  {
    auto context = detail::untraced();
    return run(x, context);
  }
  /// The same for a stage that the step may consume.
  step_outcome<out, fallible> operator()(in&& x) const
    requires std::invocable<const Step&, in>
  {
    auto context = detail::untraced();
    return run(static_cast<in&&>(x), context);
  }
  /// The same within another step: a computation is traced, a hit is not.
  template <class X, class Context>
    requires std::invocable<const Step&, X>
  step_outcome<out, fallible> run(X&& x, Context& context) const {
    const auto found = look_up(static_cast<X&&>(x), context);
    if constexpr (fallible) {
      if (!found) return found.error();
    } else if (!found) {
      throw std::logic_error(static_cast<std::string>(to_text(found.error())));
    }
    return **found;
  }
  /// The stored object itself: a store in memory returns the same object for the same key. Errors:
  /// those of the step; `cache_failed` if the computation needs its own result.
  result<std::shared_ptr<const out>> shared(const in& x) const
    requires std::invocable<const Step&, const in&>
  {
    auto context = detail::untraced();
    return look_up(x, context);
  }
  /// The stored object for a stage that the step may consume. Errors as above.
  result<std::shared_ptr<const out>> shared(in&& x) const
    requires std::invocable<const Step&, in>
  {
    auto context = detail::untraced();
    return look_up(static_cast<in&&>(x), context);
  }

  /// The key of an input stage: identity of the step and fingerprint of the input.
  digest128 key_of(const in& x) const {
    return hasher128('K')
        .word(cache_key_version)
        .fold(identity_)
        .fold(fingerprint_of(key_(x)))
        .value();
  }
  /// The store of the results, shared with other steps.
  const shared_store<Store>& store() const { return store_; }
  /// Another step in the same store, with the same kind of key. The version belongs to the inner
  /// step, so a step of another type has none. Compile errors: WF807 if it needs one.
  template <step_type Other>
  auto with_inner(Other other) const {
    return cached_step < Other, Store, Key, Versioned && std::same_as < Other,
           Step >> (static_cast<Other&&>(other), store_, version_, key_);
  }

  /// Its fingerprint within another cached step: the version covers the inner step.
  friend void fingerprint(fingerprinter& f, const cached_step& s)
    requires Versioned
  {
    f(s.identity_);
  }
  /// Its parts within another cached step, without a version: the inner step and the key.
  template <class F>
    requires(!Versioned)
  friend decltype(auto) with_step_parts(const cached_step& s, F&& f) {
    return f(s.inner, s.key_);
  }

 private:
  digest128 make_identity() const {
    fingerprinter f;
    f(Versioned, version_);
    detail::fold_identity<!Versioned>(f, inner);
    detail::fold_identity<!Versioned>(f, key_);
    // Without a version the types stand for the code, which holds in this process only.
    if constexpr (!Versioned)
      f.word(reinterpret_cast<std::uintptr_t>(&detail::type_marker<Step>))
          .word(reinterpret_cast<std::uintptr_t>(&detail::type_marker<Key>));
    return f.value();
  }
  template <class X, class Context>
  result<std::shared_ptr<const out>> look_up(X&& x, Context& context) const {
    auto found = store_.find_or_compute(key_of(x), [&]() -> result<std::shared_ptr<const out>> {
      auto made = detail::call_step(inner, static_cast<X&&>(x), context);
      if constexpr (fallible) {
        if (!made) return made.error();
        return std::make_shared<const out>(*static_cast<decltype(made)&&>(made));
      } else {
        return std::make_shared<const out>(static_cast<decltype(made)&&>(made));
      }
    });
    if (found || found.error().code != errc::cache_failed || !found.error().subject.empty())
      return found;
    error e = found.error();
    e.subject = text(name());
    return e;
  }

  shared_store<Store> store_;
  digest128 version_;
  Key key_;
  digest128 identity_;  // the part of the keys that is independent of the input
};

/// True for versions of a step's code, for `cached`: texts and integers.
template <class T>
concept cache_version = std::integral<T> || std::convertible_to<const T&, text_view>;

/// A step whose results are kept in a store and computed once per key. The key consists of the
/// step's identity and its input:
///
/// - the identity is the step's name, `version`, and all visible state of the step
///   (`step_identity`): two configurations have different keys. Code is not visible: change
///   `version`, a text or a number, when the code changes, and whenever invisible state changes.
/// - the input counts by its fingerprint, or by that of `key(input)`: inputs with equal keys share
///   one result. `semantic_key` (cache/fingerprint/graph.hpp) is such a key for graphs.
///
/// Without a version a step is kept in memory only, and only if all its state is visible
/// (`has_visible_state`); its code then counts by its type and the addresses of functions. Compile
/// errors: WF807 if a version is missing, WF814 if the input has no fingerprint, WF801 if the store
/// holds another stage than the step returns.
///
/// Failures and exceptions are not kept; concurrent runs with one key share one computation. Steps
/// may share a store.
template <step_type Step, class Store>
auto cached(Step step, shared_store<Store> store) {
  return cached(static_cast<Step&&>(step), static_cast<shared_store<Store>&&>(store),
                fingerprint_key{});
}
/// The same without a version, by a key function.
template <step_type Step, class Store, class Key>
  requires std::invocable<const Key&, const typename Step::in&>
cached_step<Step, Store, Key, false> cached(Step step, shared_store<Store> store, Key key) {
  return {static_cast<Step&&>(step), static_cast<shared_store<Store>&&>(store), digest128{},
          static_cast<Key&&>(key)};
}
/// The same with a version, by a key function if one is given.
template <step_type Step, class Store, cache_version Version, class Key = fingerprint_key>
  requires std::invocable<const Key&, const typename Step::in&>
cached_step<Step, Store, Key, true> cached(Step step, shared_store<Store> store, Version version,
                                           Key key = {}) {
  digest128 of_version;
  if constexpr (std::integral<Version>)
    of_version = fingerprint_of(version);
  else
    of_version = fingerprint_of(text_view(version));
  return {static_cast<Step&&>(step), static_cast<shared_store<Store>&&>(store), of_version,
          static_cast<Key&&>(key)};
}

}  // namespace wf
