// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/box.hpp>
#include <wf/simulate/fault/network_peer.hpp>
#include <wf/simulate/fault/sends.hpp>

namespace wf::fault {

/// The program of peers that run a network of processes together, for `peer_network`.
///
/// A *start* of the network is known by the incarnations of all peers, as far as one knows them.
/// Each message carries them. Who learns of a later incarnation throws its part away, and begins
/// anew with the processes in their initial state; who learns that a sender knows less tells it.
/// Messages of another start have no effect.
template <process P>
class network_program {
 public:
  /// The type of the data.
  using datum = typename P::datum;

  /// Of a valid network without errors of its inputs, whose nodes are on the peers `peer_of`;
  /// `names` are those of the peers. All must outlive it.
  constexpr network_program(const network<P>& n, view<network_input<datum>> inputs,
                            view<std::uint32_t> peer_of, view<text> names, const send_options& how)
      : n_(n),
        inputs_(inputs),
        peer_of_(peer_of),
        names_(names),
        how_(how),
        sites_(names.size()),
        edges_(static_cast<std::uint32_t>(n.edges.size())) {
    for (const std::uint32_t p : peer_of) sites_[p].in_use = true;
    for (site& s : sites_) s.incarnations.resize(sites_.size());
  }

  /// Begins the parts of all peers.
  template <class Net>
  constexpr void start(Net& net) {
    for (std::uint32_t p = 0; p < sites_.size(); ++p)
      if (sites_[p].in_use) begin(net, p);
  }
  /// A peer has lost all but its incarnation.
  template <class Net>
  constexpr void restarted(Net& net, std::uint32_t p) {
    site& s = sites_[p];
    if (is_over() || !s.in_use) return;
    ++restarts_;
    s.incarnations.clear();
    s.incarnations.resize(sites_.size());
    s.incarnations[p] = net.incarnation(p);
    begin(net, p);
    for (std::uint32_t q = 0; q < sites_.size(); ++q) tell(p, q);
    carry_out(net, p);
  }
  /// A timer of a part calls.
  template <class Net>
  constexpr void woke(Net& net, std::uint32_t p, std::uint64_t id) {
    site& s = sites_[p];
    if (is_over() || id >> 32 != s.starts) return;
    s.part->life.due(static_cast<std::uint32_t>(id), net.local(p));
    carry_out(net, p);
  }
  /// A message comes.
  template <class Net>
  constexpr void fired(Net& net, const delivery& d) {
    // A script may send as well, with payloads that are none of ours.
    if (is_over() || !is_ours(d.payload, d.source, d.peer, d.edge)) return;
    site& s = sites_[d.peer];
    const auto at = static_cast<std::uint32_t>(d.payload);
    bool is_later = false, is_earlier = false;
    for (std::uint32_t q = 0; q < sites_.size(); ++q) {
      const std::uint32_t theirs = parcels_[at].incarnations[q];
      is_later = is_later || theirs > s.incarnations[q];
      is_earlier = is_earlier || theirs < s.incarnations[q];
      if (theirs > s.incarnations[q]) s.incarnations[q] = theirs;
    }
    if (is_later) begin(net, d.peer);
    if (is_earlier) tell(d.peer, d.source);
    if (!is_earlier) take(net, d.peer, at);
    carry_out(net, d.peer);
  }
  /// A message was answered, or has failed.
  template <class Net>
  constexpr void ended(Net& net, const send_end& e) {
    if (is_over() || !is_ours(e.payload, e.peer, e.destination, e.edge)) return;
    parcel& x = parcels_[e.payload];
    const bool is_current = x.start == sites_[e.peer].starts;
    x.value = datum{};
    if (e.why != reason::none && is_current) return give_up(x, e.why);
    carry_out(net, e.peer);
  }

  /// Ends: the error of the run, if it has one; otherwise every output was emitted and no node
  /// waits for another one in a cycle. `is_there(peer)` is false for a peer that crashed.
  template <class IsThere>
  constexpr result<nothing> finish(IsThere&& is_there) {
    if (is_over()) return failure_;
    for (std::uint32_t p = 0; p < sites_.size(); ++p)
      if (sites_[p].in_use && !is_there(p))
        return make_error(errc::simulation_failed, names_[p].view(),
                          "the peer crashed and did not restart: its part of the network is lost");
    for (std::uint32_t p = 0; p < sites_.size(); ++p)
      for (std::uint32_t q = 0; q < sites_.size(); ++q)
        if (sites_[p].in_use && sites_[q].in_use &&
            sites_[p].incarnations[q] != sites_[q].incarnations[q])
          return make_error(errc::simulation_failed, names_[p].view(),
                            text() << "the peer did not learn that " << names_[q] << " restarted");
    table<wait_edge> waits;
    for (std::uint32_t i = 0; i < peer_of_.size(); ++i) part_of(i).waits(i, waits);
    return sim::detail::find_deadlock(n_, waits);
  }
  /// The outputs, by node, then by output, then in the order in which they were emitted; times are
  /// local. After `finish`.
  constexpr table<network_output<datum>> outputs() const {
    table<network_output<datum>> out;
    for (std::uint32_t i = 0; i < peer_of_.size(); ++i)
      for (std::uint32_t o = 0; o < n_.nodes[i].process.outputs(); ++o)
        for (const network_output<datum>& x : part_of(i).outputs)
          if (x.node == i && x.output == o) out.push_back(x);
    return out;
  }
  /// The nodes that keep data because others are missing. After `finish`.
  constexpr table<std::uint32_t> starved() const {
    table<std::uint32_t> out;
    for (std::uint32_t i = 0; i < peer_of_.size(); ++i)
      if (part_of(i).keeps_data(i)) out.push_back(i);
    return out;
  }
  /// How often a peer with nodes has restarted, all together.
  constexpr std::uint32_t restarts() const { return restarts_; }

 private:
  // A part of the network, with processes of its own.
  struct part_data {
    network<P> copy;
    detail::network_peer<P> life;
    constexpr part_data(const network<P>& n, view<network_input<datum>> inputs,
                        view<std::uint32_t> peer_of, std::uint32_t peer)
        : copy(n), life(copy, inputs, peer_of, peer) {}
  };
  // A datum that came before others that were sent before it.
  struct early_datum {
    std::uint64_t number = 0;
    datum value{};
  };
  struct in_edge {
    std::uint64_t next = 0;  // number of the datum to come
    table<early_datum> early;
  };
  struct site {
    bool in_use = false;
    bool is_sending = false;
    std::uint64_t starts = 0;           // of its part; timers of an earlier one have no effect
    table<std::uint32_t> incarnations;  // of all peers, as far as it knows
    table<char> told;                   // the peers that it has told of them
    box<part_data> part;
    table<std::uint64_t> sent;    // data on each edge
    table<in_edge> received;      // of each edge
    fifo<std::uint32_t> backlog;  // parcels for which there was no room
  };
  enum class content : std::uint8_t { value, room, incarnations };
  // A message, kept by its sender: payloads of the layer below are their indices.
  struct parcel {
    content what = content::value;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t edge = 0;    // of the network
    std::uint64_t start = 0;   // of the sender's part
    std::uint64_t number = 0;  // of the datum on its edge, or of data taken
    table<std::uint32_t> incarnations;
    datum value{};  // until it is answered
  };

  constexpr bool is_over() const { return failure_.code != errc::none; }
  constexpr const detail::network_peer<P>& part_of(std::uint32_t node) const {
    return sites_[peer_of_[node]].part->life;
  }
  // The stream on which a parcel goes.
  constexpr std::uint32_t stream_of(const parcel& x) const {
    return x.what == content::value  ? x.edge
           : x.what == content::room ? edges_ + x.edge
                                     : 2 * edges_;
  }
  constexpr bool is_ours(std::uint64_t at, std::uint32_t from, std::uint32_t to,
                         std::uint32_t edge) const {
    return at < parcels_.size() && parcels_[at].from == from && parcels_[at].to == to &&
           stream_of(parcels_[at]) == edge;
  }
  constexpr void give_up(const parcel& x, reason why) {
    text sentence;
    sentence << names_[x.from] << " cannot reach the peer: ";
    if (x.what != content::incarnations)
      sentence << (x.what == content::value ? "a datum from " : "the room on the edge from ")
               << n_.nodes[n_.edges[x.edge].from].name << " to "
               << n_.nodes[n_.edges[x.edge].to].name << " is lost, ";
    sentence << name_of(why);
    failure_ = make_error(errc::simulation_failed, names_[x.to].view(), sentence.view());
  }

  // Begins the part of a peer, with the processes in their initial state.
  template <class Net>
  constexpr void begin(Net& net, std::uint32_t p) {
    site& s = sites_[p];
    ++s.starts;
    s.told.clear();
    s.told.resize(sites_.size());
    s.sent.clear();
    s.sent.resize(edges_);
    s.received.clear();
    s.received.resize(edges_);
    s.backlog = {};
    s.part = make_box<part_data>(n_, inputs_, peer_of_, p);
    s.part->life.start(net.local(p));
    carry_out(net, p);
  }
  // Tells a peer which incarnations of all peers are known.
  constexpr void tell(std::uint32_t p, std::uint32_t q) {
    site& s = sites_[p];
    if (q == p || !sites_[q].in_use || s.told[q] != 0) return;
    s.told[q] = 1;
    post(p, {content::incarnations, p, q, 0, 0, 0, {}, {}});
  }
  constexpr void post(std::uint32_t p, parcel x) {
    x.start = sites_[p].starts;
    x.incarnations = sites_[p].incarnations;
    sites_[p].backlog.push(static_cast<std::uint32_t>(parcels_.size()));
    parcels_.push_back(static_cast<parcel&&>(x));
  }
  // A message of the same start.
  template <class Net>
  constexpr void take(Net& net, std::uint32_t p, std::uint32_t at) {
    site& s = sites_[p];
    const parcel& x = parcels_[at];
    if (x.what == content::room) return s.part->life.hear_of_room(x.edge, x.number, net.local(p));
    if (x.what != content::value) return;
    in_edge& in = s.received[x.edge];
    if (x.number != in.next) {
      in.early.push_back({x.number, x.value});
      return;
    }
    ++in.next;
    s.part->life.receive(x.edge, x.value, net.local(p));
    for (std::size_t i = 0; i < in.early.size();) {
      if (in.early[i].number != in.next) {
        ++i;
        continue;
      }
      datum value = static_cast<datum&&>(in.early[i].value);
      in.early[i] = static_cast<early_datum&&>(in.early.back());
      in.early.pop_back();
      ++in.next;
      s.part->life.receive(x.edge, static_cast<datum&&>(value), net.local(p));
      i = 0;
    }
  }
  // Sets the timers and sends the messages that a part has asked for. A send may end at once, which
  // asks for more.
  template <class Net>
  constexpr void carry_out(Net& net, std::uint32_t p) {
    site& s = sites_[p];
    auto& part = s.part->life;
    while (!part.timers.empty()) {
      const auto t = part.timers.pop();
      const std::int64_t wait =
          t.is_work ? static_cast<std::int64_t>(int128{t.wait} * net.slowness(p) / 100) : t.wait;
      net.wake_after(p, wait, s.starts << 32 | t.activity);
    }
    while (!part.messages.empty()) {
      auto m = part.messages.pop();
      const auto& e = n_.edges[m.edge];
      if (m.is_room)
        post(p, {content::room, p, peer_of_[e.from], m.edge, 0, m.taken, {}, {}});
      else
        post(p, {content::value,
                 p,
                 peer_of_[e.to],
                 m.edge,
                 0,
                 s.sent[m.edge]++,
                 {},
                 static_cast<datum&&>(m.value)});
    }
    if (part.failure().code != errc::none && !is_over()) failure_ = part.failure();
    if (s.is_sending) return;
    s.is_sending = true;
    while (!s.backlog.empty() && !is_over()) {
      const std::uint32_t at = s.backlog.front();
      const parcel& x = parcels_[at];
      const send_receipt sent = net.send(p, x.to, stream_of(x), at, how_);
      // Another send of the stream ends first; a crash ends the start.
      if (sent.why == reason::outbound_full || sent.why == reason::crash) break;
      s.backlog.pop();
    }
    s.is_sending = false;
  }

  const network<P>& n_;
  view<network_input<datum>> inputs_;
  view<std::uint32_t> peer_of_;
  view<text> names_;
  send_options how_;
  table<site> sites_;
  std::uint32_t edges_ = 0;
  table<parcel> parcels_;
  error failure_;
  std::uint32_t restarts_ = 0;
};

}  // namespace wf::fault
