// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>

#include <wf/cache/store/single_flight.hpp>

namespace wf {

/// Statistics of the requests to a store.
struct store_counters {
  std::int64_t hits = 0;               ///< found in the store
  std::int64_t misses = 0;             ///< computed after a failed lookup
  std::int64_t waits = 0;              ///< waited for another thread that was computing the key
  std::int64_t nanoseconds_saved = 0;  ///< recorded computing times of the hits, in nanoseconds
  store_usage store;                   ///< the store's own statistics

  /// The time saved, in seconds.
  constexpr double seconds_saved() const { return static_cast<double>(nanoseconds_saved) * 1e-9; }
};

/// A store with the services common to all stores: concurrent misses of one key are computed once
/// (`single_flight`), and requests are counted. A handle: copies refer to the same store, which
/// lives as long as one of them. Failures of the store never prevent a computation; they are
/// counted.
template <stage_store Store>
class shared_store {
 public:
  /// The type of the underlying store.
  using store_type = Store;
  /// The type of the stored stages.
  using value_type = typename Store::value_type;
  /// True if the store outlives the process.
  static constexpr bool persistent = Store::persistent;

  /// Constructs the underlying store from these arguments.
  template <class... Argument>
    requires std::constructible_from<Store, Argument...> &&
             (!(std::same_as<std::remove_cvref_t<Argument>, shared_store> || ...))
  explicit shared_store(Argument&&... arguments)
      : state_(std::make_shared<state>(static_cast<Argument&&>(arguments)...)) {}

  /// The stage with a key, from the store or else from `compute()`, which returns a
  /// `result<std::shared_ptr<const value_type>>`; failures and exceptions are passed on and not
  /// kept. Errors: those of `compute`; `cache_failed` if the computation needs its own result.
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
          // Another thread may have computed it since the lookup.
          if (s.kept.load() != before)
            if (auto found = s.find(key)) return found;
          return s.compute(key, compute);
        },
        waited);
    if (waited) ++s.waits;
    return out;
  }

  /// The statistics so far.
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
  /// The underlying store, shared by all copies.
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
    std::atomic<std::int64_t> kept = 0;  // number of stages put into the store
  };

  std::shared_ptr<state> state_;
};

/// Makes a store in memory without a limit.
template <class T>
shared_store<memory_store<T>> in_memory() {
  return shared_store<memory_store<T>>();
}
/// Makes a store in memory for at most `budget` bytes; see `lru_store`.
template <class T, class Size = stage_size>
shared_store<lru_store<T, Size>> in_memory(std::size_t budget, Size size = {}) {
  return shared_store<lru_store<T, Size>>(budget, static_cast<Size&&>(size));
}

}  // namespace wf
