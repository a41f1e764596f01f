// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace wf::compute {

/// The threads that may compute parts of one operator: a handle to a pool that is not owned. A
/// kernel that can split its work asks for `team::current()`; the executor sets it around the
/// operators that it runs (`team_scope`), so that no signature between them mentions threads.
///
/// Parts must give the same bits however many there are: a kernel splits only where its serial loop
/// has a boundary, too.
class team {
 public:
  /// What a pool calls for each part.
  using part_function = void (*)(void* what, std::size_t part);
  /// Calls `f(what, 0)` to `f(what, count - 1)` on the threads of a pool and returns when all are
  /// done.
  using split_function = void (*)(void* pool, std::size_t count, part_function f, void* what);

  /// The calling thread alone.
  constexpr team() = default;
  /// `size` threads of a pool, the caller's included; the pool must outlive the team.
  constexpr team(void* pool, std::size_t size, split_function split)
      : pool_(pool), size_(size == 0 ? 1 : size), split_(split) {}

  /// Number of threads, at least 1.
  constexpr std::size_t size() const { return size_; }

  /// Calls `f(0)` to `f(parts - 1)`, concurrently if there are several threads, and returns when
  /// all are done. Within a part the thread is alone: parts are not split again. `f` must not
  /// throw.
  template <class F>
  void each_part(std::size_t parts, F&& f) const;

  /// The team of the operator that this thread computes; one thread outside an executor.
  static const team& current();

 private:
  void* pool_ = nullptr;
  std::size_t size_ = 1;
  split_function split_ = nullptr;
};

namespace detail {

inline constinit thread_local team current_team{};

}  // namespace detail

inline const team& team::current() { return detail::current_team; }

/// Makes a team the current one of this thread during its lifetime.
class team_scope {
 public:
  /// The previous team is current again when the scope ends.
  explicit team_scope(const team& t) : before_(detail::current_team) { detail::current_team = t; }
  team_scope(const team_scope&) = delete;
  team_scope& operator=(const team_scope&) = delete;
  ~team_scope() { detail::current_team = before_; }

 private:
  team before_;
};

template <class F>
void team::each_part(std::size_t parts, F&& f) const {
  if (size_ == 1 || parts <= 1) {
    for (std::size_t i = 0; i < parts; ++i) f(i);
    return;
  }
  using bare = std::remove_reference_t<F>;
  split_(
      pool_, parts,
      [](void* what, std::size_t part) {
        const team_scope alone{team()};
        (*static_cast<bare*>(what))(part);
      },
      const_cast<std::remove_const_t<bare>*>(&f));
}

namespace detail {

// How the work of rows or columns depends on their number: it is the same, or it falls or rises
// linearly, as in triangles.
enum class work_shape : std::uint8_t { even, falling, rising };

// Where part `i` of `parts` parts of equal work begins: at a multiple of `tile`, or at the end.
inline std::ptrdiff_t part_begin(std::size_t i, std::size_t parts, std::ptrdiff_t all,
                                 std::ptrdiff_t tile, work_shape work = work_shape::even) {
  if (i >= parts) return all;
  const double x = static_cast<double>(i) / static_cast<double>(parts);
  const double share = work == work_shape::falling  ? 1 - std::sqrt(1 - x)
                       : work == work_shape::rising ? std::sqrt(x)
                                                    : x;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(all));
  return std::min(all, (at + tile / 2) / tile * tile);
}

}  // namespace detail

}  // namespace wf::compute
