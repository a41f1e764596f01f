// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <charconv>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <wf/run/caf/receiver.hpp>
#include <wf/run/transport/transport.hpp>

namespace wf {

/// Parameters of a transport over CAF.
struct caf_options {
  /// The number of this process.
  std::uint32_t rank = 0;
  /// Where each process listens, "host:port" by number. Of this one the port counts alone; 0: one
  /// that is free, for a process without others.
  std::vector<std::string> addresses;
  /// The address of the network on which this process listens; empty: all of them. CAF does not
  /// ask who calls, and does not encrypt: it must be a network that you trust.
  std::string network;
  /// The longest wait for the others in `gather`; nanoseconds.
  std::int64_t gather_ns = 60'000'000'000;
  /// A process that breaks its connection, as one does that is killed, is lost at once. One of
  /// which nothing comes for so long is lost, too; nanoseconds. CAF gives signs while a process
  /// computes, but none while a batch is on the wire, so that this must exceed its time there.
  /// `INT64_MAX`: it is left to TCP, which may never tell.
  std::int64_t lost_after_ns = 60'000'000'000;

  /// With the number and the addresses of the environment: `WF_RANK`, and `WF_PEERS` with a comma
  /// between two addresses. Errors: `transport_failed` if one of them is missing, or no number.
  static result<caf_options> of_environment() {
    const char* const rank = std::getenv("WF_RANK");
    const char* const peers = std::getenv("WF_PEERS");
    if (rank == nullptr || peers == nullptr)
      return make_error(errc::transport_failed, rank == nullptr ? "WF_RANK" : "WF_PEERS",
                        "the environment has no such variable");
    caf_options out;
    const char* const end = rank + std::char_traits<char>::length(rank);
    const auto read = std::from_chars(rank, end, out.rank);
    if (read.ec != std::errc() || read.ptr != end)
      return make_error(errc::transport_failed, "WF_RANK", "it is no number");
    std::string address;
    for (const char* c = peers;; ++c) {
      if (*c != ',' && *c != '\0') {
        address += *c;
        continue;
      }
      out.addresses.push_back(std::exchange(address, {}));
      if (*c == '\0') return out;
    }
  }
};

/// The transport between processes that are started one by one and may come and go, over TCP:
/// sockets, the form of messages and the watch over connections are those of the C++ Actor
/// Framework. Each process has an actor, which receives; the thread that calls the transport sends,
/// and sleeps until something has come.
///
/// Processes take part in runs when they have gathered (`gather`), at the beginning and again when
/// some were lost and have been started anew. Before that all others are lost.
///
/// A process has one at a time. Its errors are `transport_failed`, with what failed and what CAF
/// says of it, or with the process that does not fit; after one of them all functions fail.
class caf_transport {
 public:
  /// Listens. What fails is what the next function returns.
  explicit caf_transport(const caf_options& options)
      : options_(options),
        shared_(std::make_shared<detail::caf_shared>(options.rank)),
        told_(options.addresses.size()) {
    if (!shared_->read(options.addresses)) return;
    system_ = std::make_unique<system>(options);
    receiver_ = system_->actors.spawn(detail::caf_receiver, shared_);
    const char* const network = options.network.empty() ? nullptr : options.network.c_str();
    const auto port = system_->actors.middleman().publish(
        receiver_, shared_->peers[options.rank].port, network, true);
    if (!port) shared_->fail(options.addresses[options.rank], system_->actors.render(port.error()));
  }
  caf_transport(const caf_transport&) = delete;
  caf_transport& operator=(const caf_transport&) = delete;
  /// Leaves. What `finish` has not waited for may be lost. A call to a process that TCP has not
  /// given up yet may keep it for a minute or two.
  ~caf_transport() {
    if (system_ == nullptr) return;
    caf::anon_send_exit(receiver_, caf::exit_reason::user_shutdown);
    system_->actors.await_all_actors_done();
    receiver_ = {};
    shared_->peers.clear();
  }

  /// The number of this process.
  std::uint32_t rank() const { return options_.rank; }
  /// Number of processes, whether they are there or not.
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(options_.addresses.size()); }
  /// Waits until all processes are there and do the same: between two runs, or before the first.
  /// Afterwards none is lost, and all begin the same run. Errors: `transport_failed`, also if one
  /// does not come in the time of the options.
  result<nothing> gather() {
    std::unique_lock lock(shared_->guard);
    if (shared_->failed()) return shared_->failure;
    shared_->members.gather(detail::caf_sender{*shared_, receiver_});
    caf::send_as(receiver_, receiver_, detail::caf_call::value);
    shared_->changed.wait_for(lock, std::chrono::nanoseconds(options_.gather_ns),
                              [&] { return shared_->failed() || shared_->members.is_settled(); });
    if (!shared_->failed() && !shared_->members.is_settled()) shared_->fail_to_gather();
    return shared_->outcome();
  }
  /// True if the current run lacks a process.
  bool is_lost(std::uint32_t rank) const {
    const std::lock_guard lock(shared_->guard);
    return shared_->members.is_lost(rank);
  }
  /// Begins a run.
  void begin() {
    const std::lock_guard lock(shared_->guard);
    shared_->members.begin();
    told_ = table<char>(ranks());
  }
  /// Gives bytes to CAF. Errors: `transport_failed`, also for more than 2^31 - 1 bytes.
  result<nothing> send(std::uint32_t rank, table<std::uint8_t> bytes) {
    std::unique_lock lock(shared_->guard);
    if (bytes.size() > INT_MAX) shared_->fail("a batch", "it has more than 2^31 - 1 bytes");
    if (shared_->failed()) return shared_->failure;
    const char* const first = reinterpret_cast<const char*>(bytes.data());
    std::vector<char> copy(first, first + bytes.size());
    const std::uint64_t run = shared_->members.run();
    if (rank == options_.rank) {
      shared_->letters.push_back({rank, shared_->members.life(rank), run, std::move(copy)});
    } else if (shared_->members.is_here(rank)) {
      const caf::actor to = shared_->peers[rank].receiver;
      lock.unlock();
      caf::send_as(receiver_, to, detail::caf_batch::value, options_.rank, run, std::move(copy));
    }
    return nothing{};
  }
  /// Hands out what has come in this run. Errors: `transport_failed`.
  template <transport_inbox Inbox>
  result<bool> poll(Inbox& inbox) {
    std::vector<detail::caf_letter> all;
    std::vector<std::uint32_t> losses;
    {
      const std::lock_guard lock(shared_->guard);
      if (shared_->failed()) return shared_->failure;
      all = shared_->take_letters();
      for (std::uint32_t r = 0; r < ranks(); ++r)
        if (is_news(r)) losses.push_back(r);
    }
    for (const detail::caf_letter& x : all)
      if (told_[x.from] == 0)
        inbox.came(x.from, {reinterpret_cast<const std::uint8_t*>(x.bytes.data()), x.bytes.size()});
    for (const std::uint32_t r : losses) {
      told_[r] = 1;
      inbox.lost(r);
    }
    return !all.empty() || !losses.empty();
  }
  /// Sleeps until something has come, at most for a number of nanoseconds.
  void wait(std::int64_t time) {
    std::unique_lock lock(shared_->guard);
    shared_->changed.wait_for(lock, std::chrono::nanoseconds(time), [&] {
      if (shared_->failed() || shared_->has_letters()) return true;
      for (std::uint32_t r = 0; r < ranks(); ++r)
        if (is_news(r)) return true;
      return false;
    });
  }
  /// Waits until the others have all that was sent to them. They know then that this process has
  /// finished the run, so that it may leave without being lost. Errors: `transport_failed`.
  result<nothing> finish() {
    std::unique_lock lock(shared_->guard);
    if (shared_->failed()) return shared_->failure;
    const std::uint64_t run = shared_->members.run();
    for (std::uint32_t r = 0; r < ranks(); ++r)
      if (r != options_.rank && shared_->members.is_here(r))
        caf::send_as(receiver_, shared_->peers[r].receiver, detail::caf_finished::value,
                     options_.rank, run);
    shared_->changed.wait(lock, [&] {
      if (shared_->failed()) return true;
      for (std::uint32_t r = 0; r < ranks(); ++r)
        if (r != options_.rank && shared_->members.is_here(r) && shared_->peers[r].seen < run)
          return false;
      return true;
    });
    return shared_->outcome();
  }

 private:
  struct system {
    struct configuration : caf::actor_system_config {
      explicit configuration(const caf_options& options) {
        load<caf::io::middleman>();
        add_message_type<std::vector<std::uint64_t>>("wf_lives");
        // One thread suffices, and sleeps until it has something to do.
        set("scheduler.policy", caf::atom("sharing"));
        set("scheduler.max-threads", std::size_t{1});
        set("middleman.workers", std::size_t{0});
        set("middleman.app-identifiers", std::vector<std::string>{"wf transport 1"});
        if (options.lost_after_ns == INT64_MAX) return;
        set("middleman.heartbeat-interval", caf::timespan(options.lost_after_ns / 4));
        set("middleman.connection-timeout", caf::timespan(options.lost_after_ns));
      }
    };
    explicit system(const caf_options& options) : config(options), actors(config) {}

    configuration config;
    caf::actor_system actors;
  };

  // The run lacks a process, which was not reported yet; to be called under the mutex.
  bool is_news(std::uint32_t rank) const {
    return told_[rank] == 0 && shared_->members.is_lost(rank);
  }

  caf_options options_;
  std::shared_ptr<detail::caf_shared> shared_;
  std::unique_ptr<system> system_;
  caf::actor receiver_;
  table<char> told_;  // by process: lost in this run, as was reported
};

}  // namespace wf
