// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <wf/core/container/hash_index.hpp>
#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/digest.hpp>

namespace wf::detail {

// Sorts in ascending order. O(n log n).
constexpr void sort_digests(table<digest128>& digests) {
  stable_sort(digests, [](const digest128& a, const digest128& b) { return a < b; });
}

class digest_walk;

// An object whose digest is computed later. The visitor pushes the object's parts and returns the
// hash state, to which their digests are then added.
class walk_item {
 public:
  using visitor = hasher128 (*)(digest_walk&, const walk_item&);

  constexpr walk_item() = default;
  template <class T>
  constexpr walk_item(const T& x, visitor v) : visit(v) {
    if (std::is_constant_evaluated())
      box_ = new box_of<T>(x);
    else
      object_ = &x;
  }
  // Returns the object; must be called exactly once.
  template <class T>
  constexpr const T& object() const {
    if (!std::is_constant_evaluated()) return *static_cast<const T*>(object_);
    const auto* own = static_cast<const box_of<T>*>(box_);
    const T* out = own->object;
    delete own;
    return *out;
  }
  // The address of the object; at run time only.
  const void* address() const { return object_; }

  visitor visit = nullptr;
  bool shared = false;     // the object may be reached again
  bool unordered = false;  // its parts may come in any order

 private:
  // In constant evaluation a pointer to void does not recover its type; a pointer to a base does.
  struct box {};
  template <class T>
  struct box_of : box {
    const T* object;
    constexpr explicit box_of(const T& x) : object(&x) {}
  };

  const void* object_ = nullptr;
  const box* box_ = nullptr;
};

// The digests of objects that may be reached again, by address and type. At run time only: there
// are no shared pointers in constant evaluation, and addresses cannot be hashed.
class shared_digests {
 public:
  struct entry {
    const void* object = nullptr;
    walk_item::visitor visit = nullptr;
    bool done = false;
    digest128 digest;  // valid if done
  };

  // The index of an object's entry, from 0; `added` is true if it is new.
  std::uint32_t find(const walk_item& item, bool& added) {
    const auto hash = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(item.address()));
    const std::uint32_t known = index_.find(hash, [&](std::uint32_t i) {
      return entries_[i].object == item.address() && entries_[i].visit == item.visit;
    });
    added = known == hash_index::none;
    if (!added) return known;
    const auto number = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({item.address(), item.visit, false, {}});
    index_.insert(hash, number);
    return number;
  }
  entry& operator[](std::uint32_t number) { return entries_[number]; }

 private:
  table<entry> entries_;
  hash_index index_;
};

// Digests objects bottom up, with an explicit stack.
class digest_walk {
 public:
  // Adds a part of the object being visited; parts are folded into its digest in order. The object
  // must live until the walk ends.
  constexpr void push(const walk_item& item) { items_.push_back(item); }

  // The digest of an object with all its parts. No item may be pending.
  constexpr digest128 digest_of(const walk_item& root) {
    enter(root);
    while (!frames_.empty()) {
      frame& f = frames_.back();
      if (f.next == f.last)
        leave();
      else
        enter(items_[f.next++]);
    }
    return digests_.back();
  }

 private:
  // An object whose parts are being visited; its items and digests start at the stored indices.
  struct frame {
    hasher128 state{'F'};
    std::size_t first = 0, next = 0, last = 0;
    std::size_t first_digest = 0;
    std::uint32_t shared = 0;  // entry index in seen_ + 1; 0: not shared
    bool unordered = false;
  };

  constexpr void enter(walk_item item) {
    frame f;
    if (item.shared && !std::is_constant_evaluated()) {
      bool added = false;
      const std::uint32_t number = seen_.find(item, added);
      if (!added) {
        digests_.push_back(seen_[number].done ? seen_[number].digest
                                              : hasher128('^').word(number).value());
        return;
      }
      f.shared = number + 1;
    }
    f.first = f.next = items_.size();
    f.state = item.visit(*this, item);
    f.last = items_.size();
    f.first_digest = digests_.size();
    f.unordered = item.unordered;
    frames_.push_back(f);
  }
  constexpr void leave() {
    frame f = frames_.back();
    frames_.pop_back();
    auto parts = view<digest128>(digests_).part(f.first_digest, digests_.size() - f.first_digest);
    table<digest128> sorted;
    if (f.unordered) {
      sorted.append(parts);
      sort_digests(sorted);
      parts = sorted;
    }
    for (const digest128& d : parts) f.state.fold(d);
    digests_.resize(f.first_digest);
    digests_.push_back(f.state.value());
    items_.resize(f.first);
    if (f.shared != 0) {
      seen_[f.shared - 1].done = true;
      seen_[f.shared - 1].digest = digests_.back();
    }
  }

  table<walk_item> items_;
  table<frame> frames_;
  table<digest128> digests_;  // digests of finished parts, not yet folded into their owner
  shared_digests seen_;
};

}  // namespace wf::detail
