// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>

#include <wf/simulate/engine/timer_queue.hpp>

namespace wf::sim {

/// One activity that a resource is asked to carry out.
struct request {
  std::uint32_t activity = 0;  ///< the caller's index
  std::int32_t priority = 0;   ///< larger values are served first, where a model has priorities
  std::int64_t work = 0;       ///< in the model's unit, not negative
};

/// A rule by which activities share resources. A model numbers its resources and its timers from 0
/// on; a timer has at most one pending completion. `Port` has `now()`, `number()` (of the request
/// that is being added), `set(timer, completion)`, `clear(timer)`, `touch()` (asks for a call of
/// `settle`), `started(activity, begin)` and `finished(activity)`.
///
/// - `resources()`, `timers()`: how many there are.
/// - `add(resource, request, port)`: a request arrives.
/// - `complete(timer, port)`: the timer's time has come: finishes one activity, or moves it on to
///   its next phase, and sets or clears the timer.
/// - `settle(port)`: all completions of a tick are done: grants, or shares anew.
template <class M, class Port>
concept sharing_model = requires(M& m, const M& c, const request& r, Port& port) {
  { c.resources() } -> std::convertible_to<std::size_t>;
  { c.timers() } -> std::convertible_to<std::size_t>;
  m.add(std::uint32_t{0}, r, port);
  m.complete(std::uint32_t{0}, port);
  m.settle(port);
};

namespace detail {

// The models of an engine: a list, because its members must be reached by a number.
template <std::uint32_t I, class... Models>
struct model_list {
  template <class F>
  constexpr void visit(std::uint32_t, F&&) {}
  template <class F>
  constexpr void each(F&&) {}
};
template <std::uint32_t I, class First, class... Rest>
struct model_list<I, First, Rest...> {
  First model;
  model_list<I + 1, Rest...> rest;

  constexpr model_list() = default;
  constexpr explicit model_list(First first, Rest... others)
      : model(static_cast<First&&>(first)), rest(static_cast<Rest&&>(others)...) {}

  template <class F>
  constexpr void visit(std::uint32_t i, F&& f) {
    if (i == I)
      f(model, I);
    else
      rest.visit(i, static_cast<F&&>(f));
  }
  template <class F>
  constexpr void each(F&& f) {
    f(model, I);
    rest.each(static_cast<F&&>(f));
  }
};

}  // namespace detail

/// The event loop of every simulation: a clock in integer ticks, and one heap of the next
/// completion of each timer of its sharing models. Deterministic: completions of a tick are handled
/// in the order of `completion`; requests that they cause follow in the order made; then every
/// model that has changed settles, in the order of the list, before the clock moves.
///
/// The driver decides what runs: `started(activity, begin)` and `finished(activity)` are called on
/// it, and it may add requests from both.
template <class... Models>
class engine {
 public:
  /// Takes the models; the clock is at 0.
  constexpr explicit engine(Models... models) : models_(static_cast<Models&&>(models)...) {
    std::uint32_t resources = 0, timers = 0;
    models_.each([&](auto& model, std::uint32_t i) {
      first_resource_[i] = resources;
      first_timer_[i] = timers;
      resources += static_cast<std::uint32_t>(model.resources());
      timers += static_cast<std::uint32_t>(model.timers());
    });
    first_resource_[sizeof...(Models)] = resources;
    first_timer_[sizeof...(Models)] = timers;
    timers_ = timer_queue(timers);
  }

  /// The clock, in ticks.
  constexpr std::int64_t now() const { return now_; }
  /// Number of completions handled so far.
  constexpr std::uint64_t processed() const { return processed_; }
  /// Number of resources of all models; those of a model follow those of the models before it.
  constexpr std::uint32_t resources() const { return first_resource_[sizeof...(Models)]; }
  /// True if no completion is pending.
  constexpr bool idle() const { return timers_.empty() && touched_ == 0; }
  /// Asks a resource, by its number among those of all models, to carry out an activity. O(models)
  /// and what the model takes.
  template <class Driver>
  constexpr void add(std::uint32_t resource, const request& r, Driver& driver) {
    std::uint32_t i = 0;
    while (resource >= first_resource_[i + 1]) ++i;
    models_.visit(i, [&](auto& model, std::uint32_t k) {
      port<Driver> p{*this, driver, k};
      model.add(resource - first_resource_[k], r, p);
    });
    ++number_;
  }
  /// Settles, and tells the time of the next completion; `never` if there is none.
  template <class Driver>
  constexpr std::int64_t next(Driver& driver) {
    settle(driver);
    return timers_.empty() ? never : timers_.time();
  }
  /// Settles, then handles the completions of the next tick that has one. False if there is none.
  template <class Driver>
  constexpr bool step(Driver& driver) {
    static_assert((sharing_model<Models, port<Driver>> && ...), "a model lacks a function");
    settle(driver);
    if (timers_.empty()) return false;
    now_ = timers_.time();
    do {
      const std::uint32_t timer = timers_.top();
      std::uint32_t i = 0;
      while (timer >= first_timer_[i + 1]) ++i;
      models_.visit(i, [&](auto& model, std::uint32_t k) {
        port<Driver> p{*this, driver, k};
        model.complete(timer - first_timer_[k], p);
      });
      ++processed_;
    } while (!timers_.empty() && timers_.time() == now_);
    return true;
  }
  /// Runs until no completion is pending.
  template <class Driver>
  constexpr void run(Driver& driver) {
    while (step(driver)) {
    }
  }

 private:
  // What a model sees of the engine.
  template <class Driver>
  struct port {
    engine& owner;
    Driver& driver;
    std::uint32_t model;

    constexpr std::int64_t now() const { return owner.now_; }
    constexpr std::uint64_t number() const { return owner.number_; }
    constexpr void set(std::uint32_t timer, const completion& c) {
      owner.timers_.set(owner.first_timer_[model] + timer, c);
    }
    constexpr void clear(std::uint32_t timer) {
      owner.timers_.clear(owner.first_timer_[model] + timer);
    }
    constexpr void touch() { owner.touched_ |= std::uint32_t{1} << model; }
    constexpr void started(std::uint32_t activity, std::int64_t begin) {
      driver.started(activity, begin);
    }
    constexpr void finished(std::uint32_t activity) { driver.finished(activity); }
  };

  template <class Driver>
  constexpr void settle(Driver& driver) {
    while (touched_ != 0) {
      const auto i = static_cast<std::uint32_t>(__builtin_ctz(touched_));
      touched_ &= touched_ - 1;
      models_.visit(i, [&](auto& model, std::uint32_t k) {
        port<Driver> p{*this, driver, k};
        model.settle(p);
      });
    }
  }

  detail::model_list<0, Models...> models_;
  std::uint32_t first_resource_[sizeof...(Models) + 1]{};
  std::uint32_t first_timer_[sizeof...(Models) + 1]{};
  timer_queue timers_;
  std::int64_t now_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t processed_ = 0;
  std::uint32_t touched_ = 0;  // bit i: model i has to settle
};

}  // namespace wf::sim
