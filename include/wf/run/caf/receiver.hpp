// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <caf/all.hpp>
#include <caf/io/all.hpp>

#include <charconv>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <wf/core/diagnosis/result.hpp>
#include <wf/run/transport/membership.hpp>

namespace wf::detail {

// Messages between the actors of a transport, and what they carry.
using caf_hello = caf::atom_constant<caf::atom("wfhello")>;     // rank, ranks, life
using caf_refusal = caf::atom_constant<caf::atom("wfrefuse")>;  // why
// rank, kind, run, lives, decided, members
using caf_gathering = caf::atom_constant<caf::atom("wfgather")>;
using caf_batch = caf::atom_constant<caf::atom("wfbatch")>;        // rank, run, bytes
using caf_finished = caf::atom_constant<caf::atom("wffinished")>;  // rank, run
using caf_seen = caf::atom_constant<caf::atom("wfseen")>;          // rank, run: of a caf_finished
using caf_call = caf::atom_constant<caf::atom("wfcall")>;          // to itself: connect

// What one process knows of another.
struct caf_peer {
  std::string host;
  std::uint16_t port = 0;
  caf::actor receiver;     // of the connected life
  caf::actor called;       // of a connection that has not said who it is
  bool is_called = false;  // somebody tries to connect
  std::uint64_t seen = 0;  // the last finished run of this process that it knows of
};
// A batch that has come.
struct caf_letter {
  std::uint32_t from = 0;
  std::uint64_t life = 0;
  std::uint64_t run = 0;
  std::vector<char> bytes;
};

// A number that is not 0.
inline std::uint64_t caf_new_life() {
  std::random_device random;
  return (std::uint64_t{random()} << 32 | random()) | 1;
}

// What the actor of a transport shares with the thread that calls the transport. The mutex protects
// all of it.
struct caf_shared {
  explicit caf_shared(std::uint32_t own) : rank(own) {}

  // Reads the addresses of all processes; false if there is something wrong.
  bool read(const std::vector<std::string>& addresses) {
    const auto size = static_cast<std::uint32_t>(addresses.size());
    members = membership(rank < size ? rank : 0, size < 1 ? 1 : size, caf_new_life());
    if (rank >= size) {
      fail("addresses", "there is none of this process");
      return false;
    }
    for (const std::string& a : addresses) {
      const std::size_t colon = a.rfind(':');
      caf_peer p;
      p.host = a.substr(0, colon);
      if (p.host.size() > 2 && p.host.front() == '[') p.host = p.host.substr(1, p.host.size() - 2);
      const char* const end = a.data() + a.size();
      const char* const first = colon == std::string::npos ? end : a.data() + colon + 1;
      const auto read = std::from_chars(first, end, p.port);
      if (read.ec != std::errc() || read.ptr != end || p.host.empty() ||
          (p.port == 0 && peers.size() != rank)) {
        fail(a, "it is not an address as \"host:port\"");
        return false;
      }
      peers.push_back(p);
    }
    return true;
  }
  bool failed() const { return failure.code != errc::none; }
  void fail(const std::string& subject, const std::string& sentence) {
    if (!failed())
      failure = make_error(errc::transport_failed, text_view(subject.data(), subject.size()),
                           text_view(sentence.data(), sentence.size()));
  }
  void fail_to_gather() {
    std::string absent;
    for (std::uint32_t r = 0; r < peers.size(); ++r)
      if (members.life(r) == 0)
        absent += (absent.empty() ? "" : ", ") + std::to_string(r) + " at " + address_of(r);
    if (absent.empty())
      fail("gather", "not all processes gather in the time of the options");
    else
      fail("gather", "there is no connection to process " + absent);
  }
  result<nothing> outcome() const {
    if (failed()) return failure;
    return nothing{};
  }
  std::string address_of(std::uint32_t r) const {
    return peers[r].host + ":" + std::to_string(peers[r].port);
  }
  // True if a connected process has sent this.
  bool is_from(std::uint32_t r, const caf::strong_actor_ptr& sender) const {
    return r < peers.size() && sender != nullptr && peers[r].receiver == sender &&
           members.life(r) != 0;
  }
  bool is_due(const caf_letter& x) const {
    return x.run == members.run() && (x.from == rank || x.life == members.member(x.from));
  }
  bool has_letters() const {
    for (const caf_letter& x : letters)
      if (is_due(x)) return true;
    return false;
  }
  // The letters of this run; those of former ones are forgotten.
  std::vector<caf_letter> take_letters() {
    std::vector<caf_letter> out, later;
    for (caf_letter& x : letters) {
      if (is_due(x))
        out.push_back(std::move(x));
      else if (x.run > members.run())
        later.push_back(std::move(x));
    }
    letters.swap(later);
    return out;
  }

  std::mutex guard;
  std::condition_variable changed;
  std::uint32_t rank = 0;
  membership members;
  std::vector<caf_peer> peers;  // by process
  std::vector<caf_letter> letters;
  error failure;
};

// Sends messages about members; to be called under the mutex.
struct caf_sender {
  caf_shared& shared;
  const caf::actor& from;

  void operator()(std::uint32_t to, const gather_message& m) const {
    const auto copy = [](const table<std::uint64_t>& t) {
      return std::vector<std::uint64_t>(t.begin(), t.end());
    };
    caf::send_as(from, shared.peers[to].receiver, caf_gathering::value, shared.rank,
                 static_cast<std::uint8_t>(m.what), m.run, copy(m.lives), m.decided,
                 copy(m.members));
  }
};

// The actor of a transport. Processes call those of smaller numbers, so that two never call each
// other; the one who calls says who it is, and the other answers.
class caf_reception {
 public:
  caf_reception(caf::event_based_actor* self, std::shared_ptr<caf_shared> shared)
      : self_(self), shared_(std::move(shared)) {}

  // Calls all smaller processes that are missed.
  void call_all() {
    const std::lock_guard lock(shared_->guard);
    for (std::uint32_t r = 0; r < shared_->rank; ++r)
      if (shared_->members.life(r) == 0 && !shared_->peers[r].is_called) call(r);
  }
  // Calls again.
  void call_again(std::uint32_t r) {
    const std::lock_guard lock(shared_->guard);
    shared_->peers[r].is_called = false;
    if (shared_->members.life(r) == 0 && shared_->members.is_gathering()) call(r);
  }
  void hello(const caf::strong_actor_ptr& from, std::uint32_t rank, std::uint32_t ranks,
             std::uint64_t life) {
    if (from == nullptr) return;
    const std::lock_guard lock(shared_->guard);
    const auto sender = caf::actor_cast<caf::actor>(from);
    for (std::uint32_t r = 0; r < shared_->rank; ++r)
      if (shared_->peers[r].called == sender && r != rank)
        return fail("process " + std::to_string(r),
                    "at " + shared_->address_of(r) + " is process " + std::to_string(rank));
    const bool calls = rank > shared_->rank;
    if (ranks != shared_->members.ranks() || rank >= ranks || life == 0 ||
        (!calls && shared_->peers[rank].called != sender))
      return self_->send(sender, caf_refusal::value, refusal(ranks));
    caf_peer& peer = shared_->peers[rank];
    if (calls) {
      if (peer.receiver != nullptr)
        self_->send(peer.receiver, caf_refusal::value,
                    std::string("another process has come in its place"));
      self_->monitor(sender);
      greet(sender);
    }
    peer.receiver = sender;
    peer.called = {};
    peer.is_called = false;
    shared_->members.connect(rank, life, caf_sender{*shared_, me()});
    shared_->changed.notify_all();
  }
  void refused(const caf::strong_actor_ptr& from, const std::string& why) {
    const std::lock_guard lock(shared_->guard);
    for (const caf_peer& p : shared_->peers)
      if (from != nullptr && (p.called == from || p.receiver == from))
        fail("process " + std::to_string(shared_->rank), why);
  }
  void gathering(const caf::strong_actor_ptr& from, std::uint32_t rank, const gather_message& m) {
    const std::lock_guard lock(shared_->guard);
    if (!shared_->is_from(rank, from)) return;
    shared_->members.take(rank, m, caf_sender{*shared_, me()});
    shared_->changed.notify_all();
  }
  void batch(const caf::strong_actor_ptr& from, std::uint32_t rank, std::uint64_t run,
             std::vector<char>& bytes) {
    const std::lock_guard lock(shared_->guard);
    if (!shared_->is_from(rank, from)) return;
    shared_->letters.push_back({rank, shared_->members.life(rank), run, std::move(bytes)});
    shared_->changed.notify_all();
  }
  void finished(const caf::strong_actor_ptr& from, std::uint32_t rank, std::uint64_t run) {
    const std::lock_guard lock(shared_->guard);
    if (!shared_->is_from(rank, from)) return;
    shared_->members.finish(rank, run);
    self_->send(shared_->peers[rank].receiver, caf_seen::value, shared_->rank, run);
  }
  void seen(const caf::strong_actor_ptr& from, std::uint32_t rank, std::uint64_t run) {
    const std::lock_guard lock(shared_->guard);
    if (!shared_->is_from(rank, from)) return;
    shared_->peers[rank].seen = run;
    shared_->changed.notify_all();
  }
  // A connection is broken.
  void down(const caf::actor_addr& who) {
    const std::lock_guard lock(shared_->guard);
    for (std::uint32_t r = 0; r < shared_->peers.size(); ++r) {
      caf_peer& peer = shared_->peers[r];
      if (peer.called != nullptr && peer.called == who) {
        peer.called = {};
        later(r);
      }
      if (peer.receiver == nullptr || peer.receiver != who) continue;
      peer.receiver = {};
      shared_->members.disconnect(r);
      if (r < shared_->rank && shared_->members.is_gathering()) call(r);
      shared_->changed.notify_all();
    }
  }

 private:
  caf::actor me() const { return caf::actor_cast<caf::actor>(self_->ctrl()); }
  void greet(const caf::actor& to) {
    self_->send(to, caf_hello::value, shared_->rank, shared_->members.ranks(),
                shared_->members.life(shared_->rank));
  }
  void fail(const std::string& subject, const std::string& sentence) {
    shared_->fail(subject, sentence);
    shared_->changed.notify_all();
  }
  std::string refusal(std::uint32_t ranks) const {
    if (ranks == shared_->members.ranks())
      return "it has the number of process " + std::to_string(shared_->rank);
    return "it is one of " + std::to_string(ranks) + " processes, and process " +
           std::to_string(shared_->rank) + " one of " + std::to_string(shared_->members.ranks());
  }
  void later(std::uint32_t r) {
    self_->delayed_send(self_, std::chrono::milliseconds(50), caf_call::value, r);
  }
  void call(std::uint32_t r) {
    caf_peer& peer = shared_->peers[r];
    peer.is_called = true;
    const auto operators = self_->system().middleman().actor_handle();
    self_->request(operators, caf::infinite, caf::connect_atom::value, peer.host, peer.port)
        .then(
            [this, r](const caf::node_id&, const caf::strong_actor_ptr& who,
                      const std::set<std::string>&) {
              if (who == nullptr) return later(r);
              const std::lock_guard lock(shared_->guard);
              shared_->peers[r].called = caf::actor_cast<caf::actor>(who);
              self_->monitor(shared_->peers[r].called);
              greet(shared_->peers[r].called);
            },
            [this, r](const caf::error&) { later(r); });
  }

  caf::event_based_actor* self_;
  std::shared_ptr<caf_shared> shared_;
};

// Its behaviour.
inline caf::behavior caf_receiver(caf::event_based_actor* self,
                                  const std::shared_ptr<caf_shared>& shared) {
  const auto here = std::make_shared<caf_reception>(self, shared);
  self->set_down_handler([here](caf::down_msg& m) { here->down(m.source); });
  // A process calls with a message that is none of these: it is none of ours.
  self->set_default_handler(caf::drop);
  return {
      [=](caf_call) {
        if (self->current_sender() == self->ctrl()) here->call_all();
      },
      [=](caf_call, std::uint32_t rank) {
        if (self->current_sender() == self->ctrl()) here->call_again(rank);
      },
      [=](caf_hello, std::uint32_t rank, std::uint32_t ranks, std::uint64_t life) {
        here->hello(self->current_sender(), rank, ranks, life);
      },
      [=](caf_refusal, const std::string& why) { here->refused(self->current_sender(), why); },
      [=](caf_gathering, std::uint32_t rank, std::uint8_t what, std::uint64_t run,
          const std::vector<std::uint64_t>& lives, std::uint64_t decided,
          const std::vector<std::uint64_t>& members) {
        here->gathering(self->current_sender(), rank,
                        {static_cast<gather_message::kind>(what), run, table<std::uint64_t>(lives),
                         decided, table<std::uint64_t>(members)});
      },
      [=](caf_batch, std::uint32_t rank, std::uint64_t run, std::vector<char>& bytes) {
        here->batch(self->current_sender(), rank, run, bytes);
      },
      [=](caf_finished, std::uint32_t rank, std::uint64_t run) {
        here->finished(self->current_sender(), rank, run);
      },
      [=](caf_seen, std::uint32_t rank, std::uint64_t run) {
        here->seen(self->current_sender(), rank, run);
      },
  };
}

}  // namespace wf::detail
