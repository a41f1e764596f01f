// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/version.hpp>

#include <utility>

namespace wf {

/// Owns one object on the heap, or none, at compile time and at run time (`std::unique_ptr` is not
/// constexpr before C++23). A moved-from box is empty.
template <class T>
class box {
 public:
  constexpr box() = default;
  /// Takes ownership of an object made by `new`.
  constexpr explicit box(T* object) : object_(object) {}
  constexpr box(box&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  constexpr box& operator=(box&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  constexpr ~box() { delete object_; }

  /// True if there is an object.
  constexpr explicit operator bool() const { return object_ != nullptr; }
  /// The object; there must be one.
  constexpr T& operator*() const { return *object_; }
  /// A member of the object; there must be one.
  constexpr T* operator->() const { return object_; }

 private:
  T* object_ = nullptr;
};

/// Constructs an object on the heap and returns the box that owns it.
template <class T, class... Args>
constexpr box<T> make_box(Args&&... args) {
  return box<T>(new T(std::forward<Args>(args)...));
}

}  // namespace wf
