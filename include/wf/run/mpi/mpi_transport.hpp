// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <thread>
#include <utility>
#include <vector>

#include <wf/run/transport/transport.hpp>

namespace wf {

namespace detail {

// What a call of MPI says. Errors: `transport_failed`, with the call as its subject.
inline error mpi_error(int code, text_view call) {
  if (code == MPI_SUCCESS) return {};
  char sentence[MPI_MAX_ERROR_STRING + 1] = {};
  int size = 0;
  if (MPI_Error_string(code, sentence, &size) != MPI_SUCCESS || size <= 0)
    return make_error(errc::transport_failed, call, "MPI does not say why");
  return make_error(errc::transport_failed, call,
                    text_view(sentence, static_cast<std::size_t>(size)));
}

// How many runs of transports a communicator has seen: the same in each of its processes, so that
// runs of one transport do not hear those of another.
inline int& runs_of(MPI_Comm group) {
  static int key = MPI_KEYVAL_INVALID, of_none = 0;
  if (group == MPI_COMM_NULL) return of_none;
  if (key == MPI_KEYVAL_INVALID)
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  void* found = nullptr;
  int is_there = 0;
  MPI_Comm_get_attr(group, key, static_cast<void*>(&found), &is_there);
  if (is_there == 0) {
    static std::deque<int> all;
    found = &all.emplace_back(0);
    MPI_Comm_set_attr(group, key, found);
  }
  return *static_cast<int*>(found);
}

// Whether MPI reports that a process has failed, if it has ULFM (User-Level Failure Mitigation).
#ifdef OMPI_HAVE_MPI_EXT_FTMPI
inline constexpr bool mpi_reports_losses = true;
inline bool is_loss(int code) {
  int what = MPI_SUCCESS;
  return code != MPI_SUCCESS && MPI_Error_class(code, &what) == MPI_SUCCESS &&
         (what == MPIX_ERR_PROC_FAILED || what == MPIX_ERR_PROC_FAILED_PENDING ||
          what == MPI_ERR_IN_STATUS);
}
// The processes of a communicator that have failed, of which MPI then reports no more.
inline std::vector<int> failed_processes(MPI_Comm group) {
  MPI_Group failed = MPI_GROUP_NULL, all = MPI_GROUP_NULL;
  std::vector<int> out;
  int count = 0, acknowledged = 0;
  if (MPIX_Comm_get_failed(group, &failed) != MPI_SUCCESS) return out;
  if (MPI_Group_size(failed, &count) == MPI_SUCCESS && count > 0 &&
      MPI_Comm_group(group, &all) == MPI_SUCCESS) {
    std::vector<int> places(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) places[static_cast<std::size_t>(i)] = i;
    out.resize(places.size());
    MPI_Group_translate_ranks(failed, count, places.data(), all, out.data());
    MPIX_Comm_ack_failed(group, count, &acknowledged);
    MPI_Group_free(&all);
  }
  MPI_Group_free(&failed);
  return out;
}
#else
inline constexpr bool mpi_reports_losses = false;
inline bool is_loss(int) { return false; }
inline std::vector<int> failed_processes(MPI_Comm) { return {}; }
#endif

}  // namespace detail

/// MPI in this process, from its start to its end. A program has one, and makes it before anything
/// that uses MPI.
class mpi_session {
 public:
  /// Starts MPI, unless it runs already; errors of its calls are returned from then on. Where the
  /// GNU C library is used, freed blocks of up to 64 MiB then stay in the process for the next
  /// ones, up to 512 MiB: to get new pages from the system for each value that comes would take
  /// longer than to copy it.
  mpi_session(int& argc, char**& argv) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
    int runs = 0;
    failure_ = detail::mpi_error(MPI_Initialized(&runs), "MPI_Initialized");
    if (failed() || runs != 0) return;
    int given = 0;
    failure_ =
        detail::mpi_error(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given), "MPI_Init");
    if (failed()) return;
    is_ours_ = true;
    failure_ = detail::mpi_error(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN),
                                 "MPI_Comm_set_errhandler");
  }
  mpi_session(const mpi_session&) = delete;
  mpi_session& operator=(const mpi_session&) = delete;
  /// Ends MPI, if it was started here: waits for all other processes.
  ~mpi_session() {
    if (is_ours_) MPI_Finalize();
  }
  /// Why MPI did not start. Errors: `transport_failed`.
  const error& failure() const { return failure_; }
  /// Ends the process without MPI's end, which would wait for processes that are lost. Standard
  /// streams are flushed.
  [[noreturn]] static void leave(int code) {
    std::fflush(nullptr);
    std::_Exit(code);
  }

 private:
  bool failed() const { return failure_.code != errc::none; }

  error failure_;
  bool is_ours_ = false;
};

/// Parameters of a transport over MPI.
struct mpi_options {
  /// The tags of its messages are 1,024 from this one on: a run's differ from those of the next,
  /// also of another transport of the same communicator.
  int first_tag = 1024;
  /// A process from which nothing has come for so long is lost; nanoseconds. A process that waits
  /// gives a sign four times as often, one that computes gives none, so that this must exceed the
  /// time of any operator. `INT64_MAX`: nobody is taken for lost by its silence. Most libraries
  /// tell nobody that a process was killed; those with ULFM do, also without this.
  std::int64_t lost_after_ns = INT64_MAX;
};

/// The transport between the processes of an MPI communicator: batches are messages of bytes, sent
/// without waiting from buffers that the transport owns, and received when polled. MPI is called by
/// the thread that calls the transport, and by no other. Needs a running MPI (`mpi_session`), and a
/// communicator in which nobody else uses its tags.
///
/// Its errors are `transport_failed`, with the call of MPI that failed and what MPI says.
class mpi_transport {
 public:
  /// Of a communicator.
  explicit mpi_transport(MPI_Comm group = MPI_COMM_WORLD, const mpi_options& options = {})
      : group_(group), options_(options) {
    int rank = 0, ranks = 1;
    check(MPI_Comm_rank(group, &rank), "MPI_Comm_rank");
    check(MPI_Comm_size(group, &ranks), "MPI_Comm_size");
    rank_ = static_cast<std::uint32_t>(rank);
    others_.resize(static_cast<std::size_t>(ranks));
  }
  mpi_transport(const mpi_transport&) = delete;
  mpi_transport& operator=(const mpi_transport&) = delete;
  /// After `finish` nothing is under way, but for what was sent to lost processes: MPI may read
  /// its buffers for ever, so that they stay.
  ~mpi_transport() {
    complete();
    if (!buffers_.empty()) new std::vector<table<std::uint8_t>>(std::move(buffers_));
  }

  /// The number of this process in the communicator.
  std::uint32_t rank() const { return rank_; }
  /// Number of processes in the communicator.
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(others_.size()); }
  /// Begins a run: other processes that are in a later one already wait.
  void begin() {
    tag_ = options_.first_tag + detail::runs_of(group_)++ % 1024;
    for (other& o : others_) {
      o.heard = clock::now();
      o.is_told = false;
    }
    signed_ = clock::now();
  }
  /// Sends bytes, which are at least one, by `MPI_Isend`. Errors: `transport_failed`, also for more
  /// than 2^31 - 1 bytes.
  result<nothing> send(std::uint32_t rank, table<std::uint8_t> bytes) {
    if (bytes.size() > INT_MAX)
      fail(make_error(errc::transport_failed, "MPI_Isend", "a batch has more than 2^31 - 1 bytes"));
    if (!failed() && !others_[rank].is_lost) start(rank, std::move(bytes));
    return outcome();
  }
  /// Receives all that has come. Errors: `transport_failed`.
  template <transport_inbox Inbox>
  result<bool> poll(Inbox& inbox) {
    complete();
    bool any = false;
    while (!failed()) {
      int is_there = 0;
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Status status;
      check(MPI_Improbe(MPI_ANY_SOURCE, tag_, group_, &is_there, &message, &status), "MPI_Improbe");
      if (failed() || is_there == 0) break;
      const view<std::uint8_t> bytes = receive(message, status);
      other& from = others_[static_cast<std::size_t>(status.MPI_SOURCE)];
      from.heard = clock::now();
      if (failed() || bytes.empty() || from.is_lost) continue;
      any = true;
      inbox.came(static_cast<std::uint32_t>(status.MPI_SOURCE), bytes);
    }
    if (has_losses_) ask_for_losses();
    if (watches() || is_any_lost_) any = look_around(inbox) || any;
    if (failed()) return failure_;
    return any;
  }
  /// Asks MPI again and again, at first without rest, then with short ones: MPI cannot sleep.
  void wait(std::int64_t time) {
    const auto begin = clock::now();
    while (!failed()) {
      int is_there = 0;
      check(MPI_Iprobe(MPI_ANY_SOURCE, tag_, group_, &is_there, MPI_STATUS_IGNORE), "MPI_Iprobe");
      const std::int64_t passed = since(begin);
      if (is_there != 0 || has_losses_ || passed >= time) return;
      if (passed < busy_ns)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::chrono::nanoseconds(rest_ns));
    }
  }
  /// Waits until all that was sent is on its way; for a process that may be lost, no longer than
  /// the options say. Errors: `transport_failed`.
  result<nothing> finish() {
    const auto begin = clock::now();
    while (!failed() && !is_settled() && (!watches() || since(begin) < options_.lost_after_ns)) {
      complete();
      std::this_thread::yield();
    }
    return outcome();
  }

 private:
  using clock = std::chrono::steady_clock;
  // Longer than a rest with what the system adds to it: else two processes that send to and fro
  // would never stop resting.
  static constexpr std::int64_t busy_ns = 300'000, rest_ns = 20'000;

  struct other {
    clock::time_point heard;
    bool is_lost = false;
    bool is_told = false;  // in this run
  };

  static std::int64_t since(clock::time_point t) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - t).count();
  }
  bool watches() const { return options_.lost_after_ns != INT64_MAX; }
  bool failed() const { return failure_.code != errc::none; }
  void fail(const error& e) {
    if (!failed()) failure_ = e;
  }
  // A call that fails because a process has failed is none of this one's errors.
  void check(int code, text_view call) {
    if (detail::is_loss(code))
      has_losses_ = true;
    else
      fail(detail::mpi_error(code, call));
  }
  result<nothing> outcome() const {
    if (failed()) return failure_;
    return nothing{};
  }
  void start(std::uint32_t rank, table<std::uint8_t> bytes) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, static_cast<int>(rank),
                    tag_, group_, &request),
          "MPI_Isend");
    requests_.push_back(request);
    receivers_.push_back(rank);
    buffers_.push_back(std::move(bytes));
  }
  // The bytes stay until the next are received.
  view<std::uint8_t> receive(MPI_Message& message, MPI_Status& status) {
    int size = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &size), "MPI_Get_count");
    const auto count = static_cast<std::size_t>(failed() ? 0 : size);
    if (incoming_.size() < count) incoming_.resize(count);
    const int code = MPI_Mrecv(incoming_.data(), size, MPI_BYTE, &message, &status);
    check(code, "MPI_Mrecv");
    return {incoming_.data(), code == MPI_SUCCESS ? count : 0};
  }
  // Gives up the buffers of what has gone.
  void complete() {
    if (requests_.empty() || failed()) return;
    int count = 0;
    done_.resize(requests_.size());
    check(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, done_.data(),
                       MPI_STATUSES_IGNORE),
          "MPI_Testsome");
    if (count <= 0 || failed()) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (requests_[i] == MPI_REQUEST_NULL) continue;
      if (kept != i) {
        requests_[kept] = requests_[i];
        receivers_[kept] = receivers_[i];
        buffers_[kept] = std::move(buffers_[i]);
      }
      ++kept;
    }
    requests_.resize(kept);
    receivers_.resize(kept);
    buffers_.resize(kept);
  }
  // True if nothing is under way to a process that lives.
  bool is_settled() const {
    for (const std::uint32_t r : receivers_)
      if (!others_[r].is_lost) return false;
    return true;
  }
  // Notes whom MPI reports as failed.
  void ask_for_losses() {
    has_losses_ = false;
    for (const int place : detail::failed_processes(group_))
      if (place >= 0) others_[static_cast<std::size_t>(place)].is_lost = is_any_lost_ = true;
  }
  // Gives a sign of life, and tells who is lost or gave none; true if somebody did not.
  template <class Inbox>
  bool look_around(Inbox& inbox) {
    const bool is_due = watches() && since(signed_) > options_.lost_after_ns / 4;
    bool any = false;
    for (std::uint32_t r = 0; r < ranks(); ++r) {
      other& o = others_[r];
      if (r == rank_ || o.is_told) continue;
      if (o.is_lost || since(o.heard) > options_.lost_after_ns) {
        o.is_lost = o.is_told = is_any_lost_ = any = true;
        inbox.lost(r);
      } else if (is_due) {
        start(r, {});
      }
    }
    if (is_due) signed_ = clock::now();
    return any;
  }

  MPI_Comm group_;
  mpi_options options_;
  std::uint32_t rank_ = 0;
  int tag_ = 0;
  std::vector<other> others_;  // by process
  clock::time_point signed_;   // the last sign of life
  // What is under way.
  std::vector<MPI_Request> requests_;
  std::vector<std::uint32_t> receivers_;
  std::vector<table<std::uint8_t>> buffers_;
  std::vector<int> done_;
  bool has_losses_ = false;  // MPI has reported a failed process, which was not asked for yet
  bool is_any_lost_ = false;
  table<std::uint8_t> incoming_;  // what was received last, and maybe more
  error failure_;
};

}  // namespace wf
