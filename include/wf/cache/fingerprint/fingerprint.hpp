// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>

#include <wf/cache/fingerprint/content.hpp>
#include <wf/cache/fingerprint/digest_walk.hpp>
#include <wf/core/diagnosis/ill_formed.hpp>
#include <wf/core/digest.hpp>

namespace wf {

/// The version of the fingerprints that this header computes. It is folded into every fingerprint
/// and changes with their definition, so that a stored fingerprint never matches one of another
/// version.
inline constexpr std::uint32_t fingerprint_version = 1;

namespace detail {

struct content_writer;

template <class T>
constexpr error no_fingerprint() {
  const unknown_type unknown = unknown_content<T>();
  text sentence;
  if (unknown.name != type_name<T>()) sentence << "its part ";
  sentence << "'" << unknown.name << "' has no fingerprint: ";
  if (unknown.is_pointer)
    sentence << "a pointer is no content; write a function fingerprint(wf::fingerprinter&, const "
                "T&) for the class that holds it";
  else if (unknown.is_graph)
    sentence << "include <wf/cache/fingerprint/graph.hpp>, or write a function "
                "fingerprint(wf::fingerprinter&, const T&)";
  else
    sentence << "write a function fingerprint(wf::fingerprinter&, const T&) for it, or wrap it in "
                "wf::not_fingerprinted";
  return make_error(errc::not_fingerprintable, type_name<T>(), sentence.view());
}
template <bool Ok, class T>
struct fingerprint_check {};
template <class T>
struct fingerprint_check<false, T> : report<diagnose<&no_fingerprint<T>>> {};

}  // namespace detail

/// A fingerprint under construction: values are folded in, in their order.
///
/// It is the argument of the customisation point: a function `fingerprint(wf::fingerprinter&, const
/// T&)` in the namespace of `T` defines the content of a `T`, and is used wherever a `T` occurs:
///
///     constexpr void fingerprint(wf::fingerprinter& f, const interval& x) {
///       f(x.low(), x.high());
///     }
///
/// A linked structure of any depth is processed without recursion if its function passes its links
/// to `nested` or `follow`:
///
///     constexpr void fingerprint(wf::fingerprinter& f, const tree& t) {
///       f(t.value()).follow(t.left()).follow(t.right());
///     }
///
/// A class that derives from `T` and adds members needs a function of its own.
class fingerprinter {
 public:
  constexpr fingerprinter() { state_.word(fingerprint_version); }

  /// Folds values in. Compile errors: WF814 for types without a fingerprint.
  template <class... T>
  constexpr fingerprinter& operator()(const T&... values) {
    (void)sizeof...(T);
    (add(values), ...);
    return *this;
  }
  /// Folds a value in after the current function has returned, which avoids recursion. The value
  /// must be part of the fingerprinted object, since it must live as long.
  template <class T>
  constexpr fingerprinter& nested(const T& value);
  template <class T>
  fingerprinter& nested(const T&&) = delete;
  /// Folds in the object of a pointer, plain or smart, or null, likewise later. Sharing does not
  /// count: two pointers to one object equal two pointers to equal objects, and a shared object is
  /// visited once. If an object is reached again from inside itself, its number in the order of
  /// visits is folded in; so cycles have fingerprints too, but not at compile time, and not
  /// reliably the same if they contain unordered containers.
  template <class Pointer>
  constexpr fingerprinter& follow(const Pointer& pointer);

  /// Folds one integer in, without its type.
  constexpr fingerprinter& word(std::uint64_t w) {
    state_.word(w);
    return *this;
  }
  /// The fingerprint of all values folded in so far.
  constexpr digest128 value() const { return state_.value(); }

 private:
  friend struct detail::content_writer;

  constexpr explicit fingerprinter(detail::digest_walk* walk) : walk_(walk) {}
  template <class T>
  constexpr void add(const T& value);

  hasher128 state_{'F'};
  detail::digest_walk* walk_ = nullptr;  // collects objects for later; null: nothing is deferred
};

namespace detail {

template <class T>
constexpr hasher128 visit_content(digest_walk& walk, const walk_item& item);

// Folds content in. The encoding of each kind begins with a letter and is self-delimiting, so that
// different contents of one type never write the same words.
struct content_writer {
  // Encodes the kind, size and sign of a number's type.
  template <class T>
  static constexpr std::uint64_t number_tag() {
    char letter = 'i';
    if constexpr (std::is_same_v<T, bool>)
      letter = 'b';
    else if constexpr (std::is_same_v<T, char> || std::is_same_v<T, wchar_t> ||
                       std::is_same_v<T, char8_t> || std::is_same_v<T, char16_t> ||
                       std::is_same_v<T, char32_t>)
      return static_cast<std::uint64_t>('c') | sizeof(T) << 8;
    else if constexpr (std::is_floating_point_v<T>)
      letter = 'f';
    else if constexpr (std::is_null_pointer_v<T>)
      return 'n';
    else if constexpr (std::is_enum_v<T>)
      return number_tag<std::underlying_type_t<T>>() << 8 | 'e';
    constexpr bool is_signed = std::is_signed_v<T> || std::is_same_v<T, int128>;
    return static_cast<std::uint64_t>(letter) | sizeof(T) << 8 | std::uint64_t{is_signed} << 16;
  }
  // Folds a number in, without its type.
  template <class T>
  static constexpr void put_number(hasher128& h, T x) {
    if constexpr (std::is_null_pointer_v<T>) {
    } else if constexpr (std::is_enum_v<T>) {
      put_number(h, static_cast<std::underlying_type_t<T>>(x));
    } else if constexpr (std::is_same_v<T, float>) {
      h.word(x != x ? 0x7fc00000U : std::bit_cast<std::uint32_t>(x));
    } else if constexpr (std::is_same_v<T, double>) {
      h.word(x != x ? 0x7ff8000000000000U : std::bit_cast<std::uint64_t>(x));
    } else if constexpr (sizeof(T) > 8) {
      h.word(static_cast<std::uint64_t>(static_cast<uint128>(x) >> 64));
      h.word(static_cast<std::uint64_t>(x));
    } else if constexpr (std::is_same_v<T, char>) {
      h.word(static_cast<unsigned char>(x));
    } else {
      h.word(static_cast<std::uint64_t>(x));
    }
  }

  // Folds in any value that is flat or outlives the walk.
  template <class T>
  static constexpr void put(fingerprinter& f, const T& x) {
    using enum content_kind;
    constexpr content_kind kind = kind_of<T>();
    if constexpr (kind == custom) {
      fingerprinter inside(f.walk_);
      fingerprint(inside, x);
      f.state_.word('c').fold(inside.value());
    } else if constexpr (kind == number) {
      put_number(f.state_.word(number_tag<T>()), x);
    } else if constexpr (kind == characters) {
      put_characters(f, x);
    } else if constexpr (kind == unordered) {
      put_unordered(f, x);
    } else if constexpr (kind == sequence) {
      put_sequence(f, x);
    } else if constexpr (kind == expected || kind == optional) {
      const bool has_value = static_cast<bool>(x.has_value());
      f.state_.word('?').word(has_value ? 1 : 0);
      if (has_value) part(f, *x);
      if constexpr (kind == expected)
        if (!has_value) part(f, x.error());
    } else if constexpr (kind == pointer) {
      put_pointer(f, x);
    } else if constexpr (kind == variant) {
      f.state_.word('|').word(x.index());
      put_alternative<0>(f, x, typename content_parts<T>::types{});
    } else if constexpr (kind == complex) {
      f.state_.word('(').word(2);
      part(f, x.real()), part(f, x.imag());
    } else if constexpr (kind == product) {
      put_product(f, x);
    }
  }

 private:
  // Folds in a part of a value: later if its type is recursive, which avoids deep recursion.
  // Temporaries must be folded in immediately.
  template <class T>
  static constexpr void part(fingerprinter& f, T&& x) {
    using plain = std::remove_cvref_t<T>;
    if constexpr (!std::is_lvalue_reference_v<T>) {
      f.add(x);
    } else if constexpr (is_recursive<plain>()) {
      later(f, x, false);
    } else {
      put(f, static_cast<const plain&>(x));
    }
  }
  template <class T>
  static constexpr walk_item item_of(const T& x, bool shared) {
    walk_item item(x, &visit_content<T>);
    item.shared = shared;
    item.unordered = kind_of<T>() == content_kind::unordered;
    return item;
  }
  template <class T>
  static constexpr void later(fingerprinter& f, const T& x, bool shared) {
    f.walk_->push(item_of(x, shared));
    f.state_.word('>');
  }

  template <class T>
  static constexpr void put_characters(fingerprinter& f, const T& x) {
    if constexpr (is_char_array<T>) {
      f.state_.word('s').characters(text_view(x, sizeof x));
    } else if constexpr (std::is_pointer_v<T>) {
      if (x == nullptr)
        f.state_.word('n');
      else
        f.state_.word('s').characters(text_view(x));
    } else {
      f.state_.word('s').characters(text_view(x.data(), x.size()));
    }
  }
  template <class T>
  static constexpr std::size_t size_of(const T& x) {
    if constexpr (requires { x.size(); }) {
      return static_cast<std::size_t>(x.size());
    } else {
      std::size_t size = 0;
      for ([[maybe_unused]] auto&& element : x) ++size;
      return size;
    }
  }
  template <class T>
  static constexpr void put_sequence(fingerprinter& f, const T& x) {
    using element = element_of<T>;
    f.state_.word('[');
    if constexpr (kind_of<element>() == content_kind::number) {
      f.state_.word(number_tag<element>()).word(size_of(x));
      for (const element e : x) put_number(f.state_, e);
    } else {
      f.state_.word(size_of(x));
      for (auto&& e : x) {
        if constexpr (std::is_lvalue_reference_v<element_reference<T>>)
          part(f, e);
        else
          f.add(e);
      }
    }
  }
  // True for a container whose elements get their digests from the walk.
  template <class T>
  static constexpr bool waits =
      std::is_lvalue_reference_v<element_reference<T>> && !is_flat<element_of<T>>;
  template <class T>
  static constexpr void put_unordered(fingerprinter& f, const T& x) {
    if constexpr (waits<T>) {
      later(f, x, false);
    } else {
      table<digest128> digests;
      for (auto&& e : x) {
        fingerprinter inside(nullptr);
        inside.add(e);
        digests.push_back(inside.value());
      }
      sort_digests(digests);
      f.state_.word('{').word(digests.size());
      for (const digest128& d : digests) f.state_.fold(d);
    }
  }
  template <class T>
  static constexpr void put_pointer(fingerprinter& f, const T& x) {
    using pointee = std::remove_cv_t<typename T::element_type>;
    f.state_.word('?').word(x ? 1 : 0);
    if (!x) return;
    if constexpr (is_flat<pointee>)
      put<pointee>(f, *x);
    else
      later(f, static_cast<const pointee&>(*x), requires { x.use_count(); });
  }
  template <std::size_t I, class T, class First, class... Rest>
  static constexpr void put_alternative(fingerprinter& f, const T& x, type_list<First, Rest...>) {
    if (x.index() == I)
      part(f, get<I>(x));
    else if constexpr (sizeof...(Rest) != 0)
      put_alternative<I + 1>(f, x, type_list<Rest...>{});
  }
  template <class T>
  static constexpr void put_product(fingerprinter& f, const T& x) {
    f.state_.word('(');
    if constexpr (tuple_content<T>) {
      put_elements(f, x, std::make_index_sequence<std::tuple_size<T>::value>{});
    } else if constexpr (std::is_empty_v<T>) {
      f.state_.word(0);
    } else {
      with_members(x, [&f]<class... Member>(const Member&... member) {
        f.state_.word((std::uint64_t{!is_excluded<Member>} + ...));
        (part(f, member), ...);
      });
    }
  }
  template <class T, std::size_t... I>
  static constexpr void put_elements(fingerprinter& f, const T& x, std::index_sequence<I...>) {
    f.state_.word((std::uint64_t{!is_excluded<std::tuple_element_t<I, T>>} + ... + 0));
    (part(f, get<I>(x)), ...);
  }

  // Visits an object: writes its own content and defers its parts.
  template <class T>
  static constexpr hasher128 visit(digest_walk& walk, const T& x) {
    fingerprinter f(&walk);
    if constexpr (kind_of<T>() == content_kind::unordered) {
      if constexpr (waits<T>) {
        f.state_.word('{').word(size_of(x));
        for (const auto& e : x) walk.push(item_of(e, false));
        return f.state_;
      }
    }
    put(f, x);
    return f.state_;
  }

  friend class wf::fingerprinter;
  template <class T>
  friend constexpr hasher128 visit_content(digest_walk& walk, const walk_item& item);
};

template <class T>
constexpr hasher128 visit_content(digest_walk& walk, const walk_item& item) {
  return content_writer::visit(walk, item.object<T>());
}

}  // namespace detail

template <class T>
constexpr void fingerprinter::add(const T& value) {
  using plain = std::remove_cv_t<T>;
  constexpr bool ok = fingerprintable<plain>;
  (void)sizeof(detail::fingerprint_check<ok, plain>);
  if constexpr (!ok) {
  } else if constexpr (detail::is_flat<plain>) {
    detail::content_writer::put<plain>(*this, value);
  } else {
    detail::digest_walk walk;
    state_.word('>').fold(walk.digest_of(detail::content_writer::item_of<plain>(value, false)));
  }
}

template <class T>
constexpr fingerprinter& fingerprinter::nested(const T& value) {
  using plain = std::remove_cv_t<T>;
  if constexpr (fingerprintable<plain> && !detail::is_flat<plain>) {
    if (walk_ != nullptr) {
      detail::content_writer::later<plain>(*this, value, false);
      return *this;
    }
  }
  add(value);
  return *this;
}

template <class Pointer>
constexpr fingerprinter& fingerprinter::follow(const Pointer& pointer) {
  using plain = std::remove_cvref_t<decltype(*pointer)>;
  state_.word('?').word(pointer == nullptr ? 0 : 1);
  if (pointer == nullptr) return *this;
  if constexpr (fingerprintable<plain> && !detail::is_flat<plain>) {
    if (walk_ != nullptr) {
      constexpr bool shared = std::is_pointer_v<Pointer> || requires { pointer.use_count(); };
      detail::content_writer::later<plain>(*this, *pointer, shared);
      return *this;
    }
  }
  add(*pointer);
  return *this;
}

/// The fingerprint of a value: a fixed function of its type's form and its content, the same on
/// every compiler, platform and run, usable in constant evaluation. The content is
///
/// - for types with a function `fingerprint(wf::fingerprinter&, const T&)`, found by
///   argument-dependent lookup: the values it folds in;
/// - for numbers: kind, size, sign and value, so that `true`, `1`, `1.0` and `1L` differ if their
///   types do; enumerations are a kind of their own. Floating-point numbers count by their bits, so
///   that -0.0 is not 0.0, but all NaNs are one: their bits differ between compilers;
/// - for text of any type: the characters; for an array of `char` all of them;
/// - for ranges: length and elements in order. Ranges with a `key_type`, sets and maps, count by
///   the sorted fingerprints of their elements: order and comparison do not matter;
/// - for optional values and results: whether there is a value, and the value or the error;
/// - for variants: the index and the alternative; for smart pointers: the object, see `follow`;
/// - for tuples and aggregates of at most `max_members` members: number and members. Their names
/// and
///   the type's do not count. `not_fingerprinted` excludes a member;
/// - for empty classes: nothing.
///
/// Plain pointers, `long double`, and classes with hidden members have none: compile error WF814.
/// Different contents have different fingerprints, except by chance, as with any 128 bits. Not for
/// adversarial input.
///
/// O(size), with an explicit stack for recursive types: a list may be a million deep.
template <class T>
constexpr digest128 fingerprint_of(const T& value) {
  fingerprinter f;
  f(value);
  return f.value();
}

}  // namespace wf
