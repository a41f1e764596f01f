// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <vector>

#include <wf/core/container/hash.hpp>
#include <wf/core/container/hash_index.hpp>
#include <wf/partition/machine/message_form.hpp>
#include <wf/run/transport/batch.hpp>
#include <wf/run/transport/listening.hpp>
#include <wf/run/transport/transport.hpp>

namespace wf {

/// Tuples of a relation: their numbers, one after the other.
template <class Number, std::size_t Count>
struct datum_form<std::array<Number, Count>> {
  /// O(numbers).
  static constexpr void write(byte_writer& out, const std::array<Number, Count>& x) {
    for (const Number& n : x) datum_form<Number>::write(out, n);
  }
  /// O(numbers). False if there are fewer.
  static constexpr bool read(byte_reader& in, std::array<Number, Count>& x) {
    for (Number& n : x)
      if (!datum_form<Number>::read(in, n)) return false;
    return true;
  }
};

/// How a fixpoint is found on several processes.
struct fixpoint_options {
  std::size_t most_batch = std::size_t{1} << 16;  ///< a batch is sent when it has so many bytes
  /// While a process derives, what it has to send waits no longer, and what has come is not looked
  /// at earlier; nanoseconds.
  std::int64_t most_delay_ns = 20'000;
  /// A process that waits for others gives up when nothing has come for so long; nanoseconds.
  std::int64_t most_silence_ns = 600'000'000'000;
  /// Asks this process to stop: the run fails.
  std::stop_token stop = {};
};

/// What one process reports of a fixpoint.
template <class Fact>
struct fixpoint_report {
  std::vector<Fact> facts;     ///< those of this process, ascending, each once
  std::uint64_t derived = 0;   ///< how often rules here have derived a fact, a known one, too
  std::uint64_t messages = 0;  ///< facts that it sent to other processes
  std::uint64_t bytes = 0;     ///< that it sent
};

namespace detail {

template <class Fact, class Transport, class Key, class Rules>
class fixpoint_run {
 public:
  fixpoint_run(Transport& carrier, std::uint64_t run, Key& key, Rules& rules,
               const fixpoint_options& options)
      : carrier_(carrier),
        key_(key),
        rules_(rules),
        options_(options),
        run_(run),
        listening_(options.most_silence_ns),
        end_(carrier.rank(), carrier.ranks()),
        batches_(carrier.ranks(), batch_writer(run)),
        facts_for_(carrier.ranks()) {}

  result<fixpoint_report<Fact>> run(view<Fact> given) {
    carrier_.begin();
    listening_.begin();
    for (const Fact& f : given) add(f);
    while (!end_.is_over() && !broken()) {
      if (options_.stop.stop_requested()) {
        listening_.fail(make_error(errc::execution_stopped, "facts", "the run was asked to stop"));
        break;
      }
      if (next_ == known_.size()) {
        rest();
        continue;
      }
      const Fact f = known_[next_++];  // rules add to the table
      rules_(f, [this](const Fact& x) {
        ++out_.derived;
        add(x);
      });
      if (listening_.is_due(options_.most_delay_ns)) look();
    }
    if (!broken()) listening_.keep(carrier_.finish());
    if (broken()) return listening_.fault();
    std::sort(known_.begin(), known_.end());
    out_.facts = std::move(known_);
    return std::move(out_);
  }

  // What comes out of the transport.
  void came(std::uint32_t rank, view<std::uint8_t> bytes) {
    from_ = rank;
    if (!broken()) listening_.keep(read_batch(bytes, run_, *this));
  }
  void lost(std::uint32_t rank) {
    listening_.fail(make_error(errc::transport_failed, (text() << "process " << rank).view(),
                               "it is lost, and its facts with it"));
  }
  // What comes out of a batch.
  bool message(const fault::envelope&, bool whole, view<std::uint8_t> carried) {
    end_.received(from_);
    byte_reader in(carried);
    while (in.good() && in.left() != 0) {
      Fact f{};
      if (!datum_form<Fact>::read(in, f) || owner(f) != carrier_.rank()) return false;
      learn(f);
    }
    return whole && in.good();
  }
  bool termination(const termination_message& m) {
    end_.take(m, sender{*this});
    return true;
  }
  bool event(std::uint32_t) { return false; }

 private:
  // Sends messages about the end.
  struct sender {
    fixpoint_run& here;
    void operator()(std::uint32_t rank, const termination_message& m) {
      here.batches_[rank].add(m);
    }
  };

  bool broken() const { return listening_.is_broken(); }
  std::uint32_t owner(const Fact& f) const {
    const std::uint64_t hash = hasher().word(static_cast<std::uint64_t>(key_(f))).value();
    return static_cast<std::uint32_t>(hash % carrier_.ranks());
  }
  void add(const Fact& f) {
    const std::uint32_t to = owner(f);
    if (to == carrier_.rank()) return learn(f);
    datum_form<Fact>::write(facts_for_[to], f);
    ++out_.messages;
    if (facts_for_[to].bytes().size() >= options_.most_batch) send(to);
  }
  void learn(const Fact& f) {
    byte_writer form;
    datum_form<Fact>::write(form, f);
    hasher h;
    for (const std::uint8_t b : form.bytes()) h.byte(b);
    const std::uint64_t hash = h.value();
    const auto is_same = [&](std::uint32_t at) { return known_[at] == f; };
    if (index_.find(hash, is_same) != hash_index::none) return;
    index_.insert(hash, static_cast<std::uint32_t>(known_.size()));
    known_.push_back(f);
  }
  void send(std::uint32_t to) {
    if (!facts_for_[to].bytes().empty()) {
      end_.sent(to);
      batches_[to].add(fault::envelope{}, true, facts_for_[to].take());
    }
    out_.bytes += batches_[to].size();
    listening_.keep(carrier_.send(to, batches_[to].take()));
  }
  void flush() {
    for (std::uint32_t r = 0; r < carrier_.ranks() && !broken(); ++r)
      if (!facts_for_[r].bytes().empty() || !batches_[r].empty()) send(r);
  }
  bool look() {
    flush();
    return listening_.look(carrier_, *this);
  }
  void rest() {
    if (look() || broken() || end_.is_over() || next_ != known_.size()) return;
    end_.rest(sender{*this});
    flush();
    if (!broken() && !end_.is_over()) listening_.rest(carrier_, "facts");
  }

  Transport& carrier_;
  Key& key_;
  Rules& rules_;
  fixpoint_options options_;
  std::uint64_t run_;
  listening listening_;
  termination_detector end_;
  std::vector<Fact> known_;  // those before `next_` were given to the rules
  std::size_t next_ = 0;
  hash_index index_;
  std::vector<batch_writer> batches_;   // by process
  std::vector<byte_writer> facts_for_;  // by process: not yet in a batch
  std::uint32_t from_ = 0;
  fixpoint_report<Fact> out_;
};

}  // namespace detail

/// Finds all facts that follow from given ones by rules, together with the other processes of a
/// transport, each of which calls this with some of the given facts and equal rules. A fact belongs
/// to the process to which its key leads, `key(fact)` being an integer; there the rules see it
/// once:
///
///     rules(fact, derive)     which calls derive(other fact) for each one that follows
///
/// A rule that joins facts has what it needs in its own process if these have one key. It may keep
/// the facts that it has seen. There are no rounds: a process derives whatever it has, and all find
/// the end together (`termination_detector`). So each fact is derived from each combination once,
/// as in semi-naive evaluation. The closure of a relation (a, b) whose edges (b, c) every process
/// has for the keys that lead to it:
///
///     key(path) = path[1]
///     rules(path, derive): for each edge (path[1], c): derive({path[0], c})
///
/// The facts are the same for any number of processes. `run` is a number that the processes have in
/// common. Errors: `transport_failed`, also for a process that is lost or a run that hears nothing,
/// `malformed_message`, `execution_stopped`. Expected O(facts + derivations), and 2 · (processes -
/// 1) messages for each time that all may be at the end.
template <class Fact, transport Transport, class Key, class Rules>
  requires std::totally_ordered<Fact>
result<fixpoint_report<Fact>> run_fixpoint(Transport& carrier, view<Fact> given, Key&& key,
                                           Rules&& rules, std::uint64_t run = 0,
                                           const fixpoint_options& options = {}) {
  return detail::fixpoint_run<Fact, Transport, std::remove_reference_t<Key>,
                              std::remove_reference_t<Rules>>(carrier, run, key, rules, options)
      .run(given);
}

}  // namespace wf
