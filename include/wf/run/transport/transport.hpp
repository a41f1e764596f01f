// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>

namespace wf {

/// What comes out of a transport: `came(rank, bytes)` for a batch, whole and in the order in which
/// that process sent it, and `lost(rank)`, once in each run, for a process that has died.
template <class I>
concept transport_inbox = requires(I& inbox, std::uint32_t rank, view<std::uint8_t> bytes) {
  inbox.came(rank, bytes);
  inbox.lost(rank);
};

namespace detail {
struct any_inbox {
  void came(std::uint32_t, view<std::uint8_t>) {}
  void lost(std::uint32_t) {}
};
}  // namespace detail

/// What carries bytes between processes, which are numbered from 0. It carries them whole and in
/// order, or reports that the other process is lost; it knows nothing of messages, which
/// `process_world` packs into batches (`batch_writer`), each with its edge, its sequence number and
/// its payload. Losses, copies and delays of a fault script happen above it, so that they are the
/// same on each.
///
/// - `rank()` and `ranks()`: the number of this process, and how many there are.
/// - `begin()`: a run begins. All processes have the same runs in the same order; what a process
///   sends in a later one waits until this process is in it.
/// - `send(rank, bytes)`: takes the bytes, and returns without waiting for the other process. To a
///   process that is lost it does nothing.
/// - `poll(inbox)`: hands out what has come; true if something has. It does not wait.
/// - `wait(nanoseconds)`: returns when something may have come, or after a time that is no longer.
/// - `finish()`: waits until all that was sent is on its way; nothing is sent afterwards.
///
/// The functions that return results fail with `transport_failed`. One thread calls them.
template <class T>
concept transport = requires(T& t, const T& c, std::uint32_t rank, table<std::uint8_t> bytes,
                             detail::any_inbox& inbox, std::int64_t time) {
  { c.rank() } -> std::same_as<std::uint32_t>;
  { c.ranks() } -> std::same_as<std::uint32_t>;
  { t.send(rank, static_cast<table<std::uint8_t>&&>(bytes)) } -> std::same_as<result<nothing>>;
  { t.poll(inbox) } -> std::same_as<result<bool>>;
  { t.finish() } -> std::same_as<result<nothing>>;
  t.begin();
  t.wait(time);
};

}  // namespace wf
