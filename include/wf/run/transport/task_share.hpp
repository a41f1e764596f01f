// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/sort.hpp>
#include <wf/run/transport/task_list.hpp>

namespace wf {

namespace detail {

// Lists by index, one behind the other: counted first, then filled.
class index_lists {
 public:
  constexpr index_lists() = default;
  constexpr explicit index_lists(std::size_t lists) : first_(lists + 1) {}

  constexpr void count(std::uint32_t list) { ++first_[list + 1]; }
  constexpr void lay_out() {
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    all_.resize(first_.back());
    next_ = first_;
  }
  constexpr void put(std::uint32_t list, std::uint32_t item) { all_[next_[list]++] = item; }
  // Takes all lists, one behind the other, after they were counted.
  constexpr void fill(table<std::uint32_t> all) {
    lay_out();
    all_ = static_cast<table<std::uint32_t>&&>(all);
  }
  constexpr view<std::uint32_t> operator[](std::uint32_t list) const {
    return {all_.data() + first_[list], first_[list + 1] - first_[list]};
  }

 private:
  table<std::uint32_t> first_, next_, all_;
};

}  // namespace detail

/// What one process has to do of a list of tasks, computed by each process for itself: its own
/// tasks, and the values that it needs. A value has a place: those of its own tasks come first, in
/// their order, then those of other processes.
class task_share {
 public:
  /// A process that needs a value, and whether it reads it.
  struct reader {
    std::uint32_t rank = 0;  ///< the process
    bool reads = false;      ///< false: it only waits for the task
  };
  /// That a task is at no place here.
  static constexpr std::uint32_t nowhere = UINT32_MAX;

  constexpr task_share() = default;
  /// Of a process, from a list without fault. O(t + e log e) for t tasks and e operands.
  constexpr task_share(const task_list& all, std::uint32_t rank) : places_(all.size(), nowhere) {
    for (std::uint32_t t = 0; t < all.size(); ++t)
      if (all.owner(t) == rank) place(t);
    own_ = tasks_.size();
    place_foreign(all, rank);
    waits_.resize(own_);
    uses_.resize(tasks_.size());
    add_after(all);
    add_operands(all);
    add_readers(all, rank);
  }

  /// Number of its own tasks.
  constexpr std::size_t own() const { return own_; }
  /// Number of values that it makes or needs.
  constexpr std::size_t places() const { return tasks_.size(); }
  /// The place of a task's value, or `nowhere`.
  constexpr std::uint32_t place_of(std::uint32_t task) const { return places_[task]; }
  /// The task whose value has a place.
  constexpr std::uint32_t task(std::uint32_t place) const { return tasks_[place]; }
  /// Places of what an own task reads, in its order.
  constexpr view<std::uint32_t> operands(std::uint32_t place) const { return operands_[place]; }
  /// Its own tasks that wait for what has a place, each once.
  constexpr view<std::uint32_t> after(std::uint32_t place) const { return after_[place]; }
  /// Number of tasks that an own task waits for.
  constexpr std::uint32_t waits(std::uint32_t place) const { return waits_[place]; }
  /// How often its own tasks read a value, and once more if the value is an output.
  constexpr std::uint32_t uses(std::uint32_t place) const { return uses_[place]; }
  /// Number of other processes that need the value of an own task.
  constexpr std::size_t readers(std::uint32_t place) const { return readers_[place].size(); }
  /// The i-th of these processes.
  constexpr reader reader_of(std::uint32_t place, std::size_t i) const {
    const std::uint32_t r = readers_[place][i];
    return {r / 2, r % 2 != 0};
  }

 private:
  constexpr void place(std::uint32_t task) {
    places_[task] = static_cast<std::uint32_t>(tasks_.size());
    tasks_.push_back(task);
  }
  constexpr void place_foreign(const task_list& all, std::uint32_t rank) {
    table<char> is_needed(all.size());
    for (std::uint32_t i = 0; i < own_; ++i)
      for (const std::uint32_t t : all.before(tasks_[i])) is_needed[t] = 1;
    for (std::uint32_t t = 0; t < all.size(); ++t)
      if (is_needed[t] != 0 && all.owner(t) != rank) place(t);
  }
  // Calls `f(place, own task)` for each own task and what it waits for, once.
  template <class F>
  constexpr void each_wait(const task_list& all, F&& f) const {
    table<std::uint32_t> seen(tasks_.size());  // by place: one more than the last own task
    for (std::uint32_t i = 0; i < own_; ++i) {
      for (const std::uint32_t t : all.before(tasks_[i])) {
        const std::uint32_t from = places_[t];
        if (seen[from] != i + 1) f(from, i);
        seen[from] = i + 1;
      }
    }
  }
  constexpr void add_after(const task_list& all) {
    after_ = detail::index_lists(tasks_.size());
    each_wait(all, [this](std::uint32_t from, std::uint32_t to) {
      after_.count(from);
      ++waits_[to];
    });
    after_.lay_out();
    each_wait(all, [this](std::uint32_t from, std::uint32_t to) { after_.put(from, to); });
  }
  constexpr void add_operands(const task_list& all) {
    operands_ = detail::index_lists(own_);
    for (std::uint32_t i = 0; i < own_; ++i) {
      for (std::size_t k = all.operands(tasks_[i]).size(); k > 0; --k) operands_.count(i);
      if (all.is_kept(tasks_[i])) ++uses_[i];
    }
    operands_.lay_out();
    for (std::uint32_t i = 0; i < own_; ++i)
      for (const std::uint32_t t : all.operands(tasks_[i])) {
        operands_.put(i, places_[t]);
        ++uses_[places_[t]];
      }
  }
  // A process twice and one more if it reads, by own value: in order, each once.
  constexpr void add_readers(const task_list& all, std::uint32_t rank) {
    const auto each = [&](auto&& f) {
      for (std::uint32_t t = 0; t < all.size(); ++t) {
        if (all.owner(t) == rank) continue;
        const view<std::uint32_t> before = all.before(t);
        for (std::size_t k = 0; k < before.size(); ++k)
          if (all.owner(before[k]) == rank)
            f(places_[before[k]], 2 * all.owner(t) + (k < all.operands(t).size() ? 1 : 0));
      }
    };
    detail::index_lists some(own_);
    each([&](std::uint32_t from, std::uint32_t) { some.count(from); });
    some.lay_out();
    each([&](std::uint32_t from, std::uint32_t to) { some.put(from, to); });
    table<std::uint32_t> kept;
    readers_ = detail::index_lists(own_);
    table<std::uint32_t> of;
    for (std::uint32_t i = 0; i < own_; ++i) {
      of.clear();
      of.append(some[i]);
      const auto is_greater = [](std::uint32_t x, std::uint32_t y) { return x > y; };
      if (of.size() > 1) detail::stable_sort(of, is_greater);
      for (std::size_t k = 0; k < of.size(); ++k) {
        if (k > 0 && of[k] / 2 == of[k - 1] / 2) continue;
        readers_.count(i);
        kept.push_back(of[k]);
      }
    }
    readers_.fill(static_cast<table<std::uint32_t>&&>(kept));
  }

  std::size_t own_ = 0;
  table<std::uint32_t> places_;  // by task
  table<std::uint32_t> tasks_;   // by place
  table<std::uint32_t> waits_, uses_;
  detail::index_lists after_, readers_, operands_;
};

}  // namespace wf
