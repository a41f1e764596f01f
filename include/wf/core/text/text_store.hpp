// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/text/text.hpp>

namespace wf {

/// Owns texts that others view: a view from `keep` is valid while this store or a copy of it lives,
/// wherever they move. Copies share the texts, so a record with views and a store is copied and
/// moved member by member. Copies may be made and destroyed on any thread; `keep` is for one thread
/// at a time.
class text_store {
 public:
  constexpr text_store() = default;
  constexpr text_store(const text_store& other) : shared_(other.shared_) {
    if (shared_ != nullptr) add(1);
  }
  constexpr text_store(text_store&& other) noexcept : shared_(other.shared_) {
    other.shared_ = nullptr;
  }
  /// Shares the texts of another store, and gives up its own.
  constexpr text_store& operator=(text_store other) noexcept {
    shared* const own = shared_;
    shared_ = other.shared_;
    other.shared_ = own;
    return *this;
  }
  constexpr ~text_store() {
    if (shared_ != nullptr && add(-1) == 0) delete shared_;
  }

  /// Takes a text; the view is valid as long as a copy of the store. Amortised O(1).
  constexpr text_view keep(text characters) {
    if (shared_ == nullptr) shared_ = new shared;
    // A text that moves keeps its characters where they are.
    shared_->texts.push_back(static_cast<text&&>(characters));
    return shared_->texts.back().view();
  }

 private:
  struct shared {
    table<text> texts;
    std::int32_t owners = 1;
  };

  // Changes the number of owners and returns it.
  constexpr std::int32_t add(std::int32_t by) {
    if (__builtin_is_constant_evaluated()) return shared_->owners += by;
    return __atomic_add_fetch(&shared_->owners, by, __ATOMIC_ACQ_REL);
  }

  shared* shared_ = nullptr;
};

}  // namespace wf
