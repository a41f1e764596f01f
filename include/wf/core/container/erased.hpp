// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <utility>

#include <wf/core/version.hpp>

namespace wf::detail {

/// How to copy and destroy an object whose type is not known: the base of the functions with which
/// a type-erased class calls its object.
struct erased_functions {
  void* (*copy)(const void*);  ///< a copy made by `new`
  void (*destroy)(void*);      ///< deletes the object
};
/// These functions for objects of type `T`.
template <class T>
inline constexpr erased_functions erased_functions_of{
    [](const void* object) -> void* { return new T(*static_cast<const T*>(object)); },
    [](void* object) { delete static_cast<T*>(object); }};

/// Owns an object of any type, or none, and copies it with itself. `Functions`, derived from
/// `erased_functions`, is what can be called on it.
template <class Functions>
class erased {
 public:
  /// Holds nothing.
  erased() = default;
  /// Takes an object, and the functions of its type, which must outlive it.
  template <class T>
  erased(T object, const Functions& of)
      : object_(new T(static_cast<T&&>(object))), functions_(&of) {}
  erased(const erased& other)
      : object_(other ? other.functions_->copy(other.object_) : nullptr),
        functions_(other.functions_) {}
  erased(erased&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)), functions_(other.functions_) {}
  /// Takes over another object.
  erased& operator=(erased other) noexcept {
    std::swap(object_, other.object_);
    std::swap(functions_, other.functions_);
    return *this;
  }
  ~erased() {
    if (*this) functions_->destroy(object_);
  }

  /// True if there is an object.
  explicit operator bool() const { return object_ != nullptr; }
  /// The object, for its functions; null if there is none.
  void* object() const { return object_; }
  /// The functions of its type; there must be an object.
  const Functions* operator->() const { return functions_; }

 private:
  void* object_ = nullptr;
  const Functions* functions_ = nullptr;
};

}  // namespace wf::detail
