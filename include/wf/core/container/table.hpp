// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/version.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace wf {

/// A non-owning view of constant contiguous elements (the part of `std::span` that wf needs,
/// without the 0.1 s that `<span>` costs).
template <class T>
class view {
 public:
  constexpr view() = default;
  /// Views `size` elements from `data` on.
  constexpr view(const T* data, std::size_t size) : data_(data), size_(size) {}
  /// Views a built-in array.
  template <std::size_t N>
  constexpr view(const T (&array)[N]) : data_(array), size_(N) {}
  /// Views a container with `data()` and `size()`.
  template <class C>
    requires requires(const C& c, const T*& p, std::size_t& n) { p = c.data(), n = c.size(); }
  constexpr view(const C& container) : data_(container.data()), size_(container.size()) {}

  /// Pointer to the first element.
  constexpr const T* data() const { return data_; }
  /// Number of elements.
  constexpr std::size_t size() const { return size_; }
  /// True if the view has no elements.
  constexpr bool empty() const { return size_ == 0; }
  /// The element at `index`, which must be less than `size()`.
  constexpr const T& operator[](std::size_t index) const { return data_[index]; }
  /// Pointer to the first element, for iteration.
  constexpr const T* begin() const { return data_; }
  /// One past the last element.
  constexpr const T* end() const { return data_ + size_; }
  /// The `count` elements from `first` on; both must lie inside the view.
  constexpr view part(std::size_t first, std::size_t count) const { return {data_ + first, count}; }

 private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A growing array, the container of all tables of the graph, at compile time and at run time.
///
/// wf has its own because capture appends thousands of records in constant evaluation, where one
/// `std::vector::push_back` takes about five times the evaluation steps of this one, and clang
/// stops after about a million. `T` is a regular, default constructible record. Functions that
/// allocate are not inlined: allocation costs more than a call, and inlining it everywhere takes a
/// quarter of clang's time to compile a planner.
template <class T>
class table {
 public:
  constexpr table() = default;
  /// `size` default records.
  [[gnu::noinline]] constexpr explicit table(std::size_t size) { resize(size); }
  /// `size` copies of `value`.
  [[gnu::noinline]] constexpr table(std::size_t size, const T& value) {
    reserve(size);
    for (std::size_t i = 0; i < size; ++i) data_[i] = value;
    size_ = size;
  }
  /// A copy of the listed records.
  [[gnu::noinline]] constexpr table(std::initializer_list<T> values) {
    append(values.begin(), values.size());
  }
  /// A copy of the viewed records.
  [[gnu::noinline]] constexpr explicit table(view<T> values) { append(values); }
  [[gnu::noinline]] constexpr table(const table& other) { append(other.data_, other.size_); }
  constexpr table(table&& other) noexcept
      : data_(other.data_), size_(other.size_), capacity_(other.capacity_) {
    other.data_ = nullptr;
    other.size_ = other.capacity_ = 0;
  }
  [[gnu::noinline]] constexpr table& operator=(const table& other) {
    if (this != &other) {
      clear();
      append(other.data_, other.size_);
    }
    return *this;
  }
  constexpr table& operator=(table&& other) noexcept {
    swap(other);
    return *this;
  }
  constexpr ~table() { delete[] data_; }

  /// Exchanges the contents in O(1).
  constexpr void swap(table& other) noexcept {
    T* const data = data_;
    const std::size_t size = size_, capacity = capacity_;
    data_ = other.data_, size_ = other.size_, capacity_ = other.capacity_;
    other.data_ = data, other.size_ = size, other.capacity_ = capacity;
  }

  /// Number of records.
  constexpr std::size_t size() const { return size_; }
  /// True if the table has no records.
  constexpr bool empty() const { return size_ == 0; }
  /// Pointer to the first record.
  constexpr const T* data() const { return data_; }
  /// Pointer to the first record.
  constexpr T* data() { return data_; }
  /// The record at `index`, which must be less than `size()`.
  constexpr const T& operator[](std::size_t index) const { return data_[index]; }
  /// The record at `index`, which must be less than `size()`.
  constexpr T& operator[](std::size_t index) { return data_[index]; }
  /// Pointer to the first record, for iteration.
  constexpr const T* begin() const { return data_; }
  /// One past the last record.
  constexpr const T* end() const { return data_ + size_; }
  /// Pointer to the first record, for iteration.
  constexpr T* begin() { return data_; }
  /// One past the last record.
  constexpr T* end() { return data_ + size_; }
  /// The last record; the table must not be empty.
  constexpr const T& back() const { return data_[size_ - 1]; }
  /// The last record; the table must not be empty.
  constexpr T& back() { return data_[size_ - 1]; }

  /// Appends a record; amortised O(1).
  constexpr void push_back(const T& value) {
    if (size_ == capacity_) {
      const T copy = value;  // `value` may live in this table
      grow(size_ + 1);
      data_[size_++] = copy;
    } else {
      data_[size_++] = value;
    }
  }
  /// Appends a record by move; amortised O(1).
  constexpr void push_back(T&& value) {
    if (size_ == capacity_) {
      T copy = static_cast<T&&>(value);
      grow(size_ + 1);
      data_[size_++] = static_cast<T&&>(copy);
    } else {
      data_[size_++] = static_cast<T&&>(value);
    }
  }
  /// Appends records that do not live in this table.
  constexpr void append(view<T> values) { append(values.data(), values.size()); }
  /// Removes the last record; the table must not be empty.
  constexpr void pop_back() { --size_; }
  /// Removes all records and keeps the storage.
  constexpr void clear() { size_ = 0; }
  /// Makes the table `size` records long; new ones are default records.
  [[gnu::noinline]] constexpr void resize(std::size_t size) {
    reserve(size);
    T* const data = data_;  // characters may alias members
    for (std::size_t i = size_; i < size; ++i) data[i] = T{};
    size_ = size;
  }
  /// Reserves storage for `capacity` records in total.
  constexpr void reserve(std::size_t capacity) {
    if (capacity > capacity_) grow(capacity);
  }

  /// Element-wise equality.
  friend constexpr bool operator==(const table& a, const table& b) {
    if (a.size_ != b.size_) return false;
    if constexpr (!__is_class(T) && requires(T x) { x % x; })
      if (!__builtin_is_constant_evaluated())
        return a.size_ == 0 || __builtin_memcmp(a.data_, b.data_, a.size_ * sizeof(T)) == 0;
    for (std::size_t i = 0; i < a.size_; ++i)
      if (!(a.data_[i] == b.data_[i])) return false;
    return true;
  }

 private:
  [[gnu::noinline]] constexpr void append(const T* values, std::size_t count) {
    reserve(size_ + count);
    T* const end = data_ + size_;
    if (__is_trivially_copyable(T) && !__builtin_is_constant_evaluated()) {
      if (count != 0) __builtin_memcpy(static_cast<void*>(end), values, count * sizeof(T));
    } else {
      for (std::size_t i = 0; i < count; ++i) end[i] = values[i];
    }
    size_ += count;
  }
  [[gnu::noinline]] constexpr void grow(std::size_t least) {
    std::size_t capacity = capacity_ < 8 ? 8 : 2 * capacity_;
    if (capacity < least) capacity = least;
    T* const data = new T[capacity];
    for (std::size_t i = 0; i < size_; ++i) data[i] = static_cast<T&&>(data_[i]);
    delete[] data_;
    data_ = data;
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// Exactly `N` records as a literal value (`N` may be zero): a table in a `constexpr` variable.
template <class T, std::size_t N>
struct frozen_table {
  /// The records; public so that the value may be a template argument.
  T records[N == 0 ? 1 : N]{};

  /// Number of records.
  static constexpr std::size_t size() { return N; }
  /// Pointer to the first record.
  constexpr const T* data() const { return records; }
  /// The record at `index`, which must be less than `N`.
  constexpr const T& operator[](std::size_t index) const { return records[index]; }
  /// The record at `index`, which must be less than `N`.
  constexpr T& operator[](std::size_t index) { return records[index]; }
  /// Pointer to the first record, for iteration.
  constexpr const T* begin() const { return records; }
  /// One past the last record.
  constexpr const T* end() const { return records + N; }
};

/// A range of records of a table: `count` of them, from index `first`.
struct range {
  /// Index of the first record.
  std::uint32_t first = 0;
  /// Length of the range, in records.
  std::uint32_t count = 0;
  friend constexpr bool operator==(const range&, const range&) = default;
};

}  // namespace wf
