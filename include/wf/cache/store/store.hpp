// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include <wf/cache/store/stage_size.hpp>
#include <wf/core/digest.hpp>

namespace wf {

/// A stage in a store with its computing time.
template <class T>
struct stored_stage {
  /// The stage; null if the store has none.
  std::shared_ptr<const T> value;
  /// Computing time of the stage, in nanoseconds.
  std::int64_t nanoseconds = 0;

  /// True if there is a stage.
  explicit operator bool() const { return value != nullptr; }
};

/// The contents of a store and its statistics.
struct store_usage {
  std::size_t entries = 0;     ///< number of stages held
  std::size_t bytes = 0;       ///< size of these stages, by the store's own measure
  std::int64_t evictions = 0;  ///< stages removed, or not kept, for lack of space
  std::int64_t corrupt = 0;    ///< entries found but unusable
  std::int64_t failures = 0;   ///< stages not kept for another reason
  friend constexpr bool operator==(const store_usage&, const store_usage&) = default;
};

/// A store of stages of one type, by key: `get` returns the stage or a null one, `put` keeps a
/// stage if it can, replacing one with the same key. Several threads may call both concurrently;
/// both fail silently. `persistent`: the store outlives the process, so that keys must not depend
/// on it.
template <class S>
concept stage_store =
    requires(S& store, const digest128& key, const stored_stage<typename S::value_type>& stage) {
      { S::persistent } -> std::convertible_to<bool>;
      { store.get(key) } -> std::same_as<stored_stage<typename S::value_type>>;
      store.put(key, stage);
      { store.usage() } -> std::same_as<store_usage>;
    };

/// Hashes keys for standard containers: a key is a hash already.
struct digest_hash {
  /// The low half of the key.
  constexpr std::size_t operator()(const digest128& key) const noexcept {
    return static_cast<std::size_t>(key.low);
  }
};

/// A store in memory without a limit. It returns the object that was put in. `Size` counts bytes
/// for `usage` only.
template <class T, class Size = stage_size>
class memory_store {
 public:
  /// The type of the stored stages.
  using value_type = T;
  /// False: the store ends with the process.
  static constexpr bool persistent = false;

  memory_store() = default;
  /// An empty store that counts bytes by `size`.
  explicit memory_store(Size size) : size_(static_cast<Size&&>(size)) {}

  /// The stage with a key; null if there is none. O(1) expected.
  stored_stage<T> get(const digest128& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = stages_.find(key);
    return found == stages_.end() ? stored_stage<T>{} : found->second.stage;
  }
  /// Keeps a stage, replacing one with the same key. O(1) expected, plus the cost of its size.
  void put(const digest128& key, const stored_stage<T>& stage) {
    entry added{stage, bytes_of(*stage.value)};  // keeps the replaced stage alive until the lock is
                                                 // released
    const std::lock_guard lock(mutex_);
    bytes_ += added.bytes;
    std::swap(stages_[key], added);
    bytes_ -= added.bytes;
  }
  /// Number and bytes of the stages held. O(1).
  store_usage usage() const {
    const std::lock_guard lock(mutex_);
    return {stages_.size(), bytes_};
  }

 private:
  struct entry {
    stored_stage<T> stage;
    std::size_t bytes = 0;
  };
  std::size_t bytes_of(const T& x) const {
    if constexpr (std::invocable<const Size&, const T&>)
      return size_(x);
    else
      return sizeof(T);
  }

  mutable std::mutex mutex_;
  std::unordered_map<digest128, entry, digest_hash> stages_;
  std::size_t bytes_ = 0;
  [[no_unique_address]] Size size_;
};

/// A store in memory with a budget in bytes: when it is full, the least recently used stages are
/// removed. It never holds more than the budget; a larger stage is not kept at all. It returns the
/// object that was put in.
template <class T, class Size = stage_size>
  requires std::is_invocable_r_v<std::size_t, const Size&, const T&>
class lru_store {
 public:
  /// The type of the stored stages.
  using value_type = T;
  /// False: the store ends with the process.
  static constexpr bool persistent = false;

  /// An empty store for at most `budget` bytes, as `size` counts them.
  explicit lru_store(std::size_t budget, Size size = {})
      : budget_(budget), size_(static_cast<Size&&>(size)) {}

  /// The stage with a key, which becomes the most recently used; null if there is none. O(1)
  /// expected.
  stored_stage<T> get(const digest128& key) {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(key);
    if (found == places_.end()) return {};
    stages_.splice(stages_.begin(), stages_, found->second);
    return found->second->stage;
  }
  /// Keeps a stage as the most recently used, and removes others until it fits. O(1) expected per
  /// stage, plus the cost of its size.
  void put(const digest128& key, const stored_stage<T>& stage) {
    const std::size_t bytes = size_(*stage.value);
    std::list<entry> removed;  // destroyed after the lock is released
    const std::lock_guard lock(mutex_);
    if (const auto found = places_.find(key); found != places_.end())
      remove(found->second, removed);
    if (bytes > budget_) {
      ++evictions_;
      return;
    }
    for (; bytes_ > budget_ - bytes; ++evictions_) remove(std::prev(stages_.end()), removed);
    stages_.push_front({key, stage, bytes});
    places_[key] = stages_.begin();
    bytes_ += bytes;
  }
  /// Number, bytes and evictions of stages. O(1).
  store_usage usage() const {
    const std::lock_guard lock(mutex_);
    return {stages_.size(), bytes_, evictions_};
  }
  /// The budget in bytes.
  std::size_t budget() const { return budget_; }

 private:
  struct entry {
    digest128 key;
    stored_stage<T> stage;
    std::size_t bytes = 0;
  };
  using place = typename std::list<entry>::iterator;

  void remove(place at, std::list<entry>& removed) {
    bytes_ -= at->bytes;
    places_.erase(at->key);
    removed.splice(removed.end(), stages_, at);
  }

  mutable std::mutex mutex_;
  std::list<entry> stages_;  // most recently used first
  std::unordered_map<digest128, place, digest_hash> places_;
  std::size_t bytes_ = 0;
  std::int64_t evictions_ = 0;
  std::size_t budget_;
  [[no_unique_address]] Size size_;
};

}  // namespace wf
