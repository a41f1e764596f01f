// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>

#include <wf/cache/store/single_flight.hpp>

namespace wf {

/// What became of the questions to a store.
struct store_counters {
  std::int64_t hits = 0;               ///< found in the store
  std::int64_t misses = 0;             ///< computed
  std::int64_t waits = 0;              ///< shared with another thread that was computing it
  std::int64_t nanoseconds_saved = 0;  ///< what computing the hits took when they were computed
  store_usage store;                   ///< what the store says of itself

  /// The time saved, in seconds.
  constexpr double seconds_saved() const { return static_cast<double>(nanoseconds_saved) * 1e-9; }
};

/// A store with what all stores need: concurrent misses of one key are computed once
/// (`single_flight`), and everything is counted. A handle: copies are the same store, which lives
/// as long as one of them. What goes wrong in the store never hinders computing; it is counted.
template <stage_store Store>
class shared_store {
 public:
  /// What keeps the stages: the `Store` it was made of.
  using store_type = Store;
  /// The stage it holds.
  using value_type = typename Store::value_type;
  /// True if it outlives the process.
  static constexpr bool persistent = Store::persistent;

  /// Makes the store inside of these arguments.
  template <class... Argument>
    requires std::constructible_from<Store, Argument...> &&
             (!(std::same_as<std::remove_cvref_t<Argument>, shared_store> || ...))
  explicit shared_store(Argument&&... arguments)
      : state_(std::make_shared<state>(static_cast<Argument&&>(arguments)...)) {}

  /// The stage of that key, from the store or else from `compute()`, which returns a
  /// `result<std::shared_ptr<const value_type>>`; failures and exceptions are handed on and not
  /// kept. Errors: those of `compute`; `cache_failed` if it needs its own result.
  template <class Compute>
  result<std::shared_ptr<const value_type>> find_or_compute(const digest128& key,
                                                            Compute&& compute) const {
    state& s = *state_;
    const std::int64_t before = s.kept.load();
    if (auto found = s.find(key)) return found;
    bool waited = false;
    auto out = s.flights.run(
        key,
        [&]() -> result<std::shared_ptr<const value_type>> {
          // Another thread may have computed it since we looked.
          if (s.kept.load() != before)
            if (auto found = s.find(key)) return found;
          return s.compute(key, compute);
        },
        waited);
    if (waited) ++s.waits;
    return out;
  }

  /// What happened until now.
  store_counters counters() const {
    store_counters out;
    out.hits = state_->hits;
    out.misses = state_->misses;
    out.waits = state_->waits;
    out.nanoseconds_saved = state_->nanoseconds_saved;
    out.store = state_->store.usage();
    out.store.failures += state_->failures;
    return out;
  }
  /// The store inside.
  Store& store() const { return state_->store; }

 private:
  struct state {
    template <class... Argument>
    explicit state(Argument&&... arguments) : store(static_cast<Argument&&>(arguments)...) {}

    std::shared_ptr<const value_type> find(const digest128& key) {
      stored_stage<value_type> found;
      try {
        found = store.get(key);
      } catch (...) {
        ++failures;
      }
      if (!found) return nullptr;
      ++hits;
      nanoseconds_saved += found.nanoseconds;
      return found.value;
    }
    template <class Compute>
    result<std::shared_ptr<const value_type>> compute(const digest128& key, Compute& compute) {
      using clock = std::chrono::steady_clock;
      ++misses;
      const auto begin = clock::now();
      result<std::shared_ptr<const value_type>> made = compute();
      const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - begin);
      if (!made) return made;
      try {
        store.put(key, {*made, static_cast<std::int64_t>(took.count())});
      } catch (...) {
        ++failures;
      }
      ++kept;
      return made;
    }

    Store store;
    single_flight<value_type> flights;
    std::atomic<std::int64_t> hits = 0, misses = 0, waits = 0, failures = 0;
    std::atomic<std::int64_t> nanoseconds_saved = 0;
    std::atomic<std::int64_t> kept = 0;  // how often something was put into the store
  };

  std::shared_ptr<state> state_;
};

/// A new store in memory without a limit.
template <class T>
shared_store<memory_store<T>> in_memory() {
  return shared_store<memory_store<T>>();
}
/// A new store in memory for at most `budget` bytes; see `lru_store`.
template <class T, class Size = stage_size>
shared_store<lru_store<T, Size>> in_memory(std::size_t budget, Size size = {}) {
  return shared_store<lru_store<T, Size>>(budget, static_cast<Size&&>(size));
}

}  // namespace wf
