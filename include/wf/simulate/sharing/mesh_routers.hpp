// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/fifo.hpp>
#include <wf/core/container/table.hpp>
#include <wf/simulate/sharing/mesh_parameters.hpp>

namespace wf::sim {

/// A message at its source: cut into packets as they enter the mesh.
struct mesh_message {
  std::uint32_t id = 0;           ///< the caller's index
  std::uint32_t destination = 0;  ///< tile
  std::int64_t flits = 0;         ///< flits that have not entered a packet
  bool is_new = true;             ///< none of its packets has entered the mesh
};

/// The routers of a mesh, cycle by cycle and flit by flit.
///
/// A router has four links, port 0 to the right (next column), 1 to the left, 2 down (next row), 3
/// up, and its tile at port 4. A packet goes along its row, then along its column. In the cycle in
/// which its head flit arrives it asks for a virtual channel of its output port; from the next
/// cycle on its flits ask for the switch, one at a time. Both allocators are iSLIP with one
/// iteration (McKeown, IEEE/ACM Transactions on Networking 7(2), 1999): each output grants a
/// requester round-robin, each input accepts a grant round-robin, and the pointers move past what
/// was accepted. A virtual channel is given to the next packet when the credit of the tail flit of
/// the previous one is back, so that a buffer holds flits of one packet.
///
/// All packets that fit a buffer never lack credits, so only longer ones have them counted. A
/// router without a request that could be granted costs nothing; the requests of a router are sets
/// of bits, one for each virtual channel of its inputs. O(1) a flit and router.
class mesh_routers {
 public:
  /// One tile.
  constexpr mesh_routers() : mesh_routers(mesh_parameters{}) {}
  /// Takes the parameters. Precondition: they are valid.
  constexpr explicit mesh_routers(const mesh_parameters& m) : parameters_(m) {
    width_ = static_cast<std::uint32_t>(m.virtual_channels);
    shift_ = ports * width_ <= 32 ? 5 : 6;
    flit_delay_ = m.router_latency - 1 + m.link_latency;
    tile_delay_ = 1 + m.link_latency;
    credit_delay_ = 1 + m.link_latency + m.credit_delay;
    std::size_t slots = 2;
    while (slots <= static_cast<std::size_t>(flit_delay_ + tile_delay_ + credit_delay_)) slots *= 2;
    slots_.resize(slots);
    sinks_ = m.tiles() << shift_;
    channels_.resize(sinks_ + m.tiles() * width_);
    routers_.resize(m.tiles());
    tiles_.resize(m.tiles());
    active_.resize((m.tiles() + 63) / 64);
    pending_.resize(active_.size());
    make_masks();
    for (std::uint32_t r = 0; r < m.tiles(); ++r) connect(r);
  }

  /// The parameters.
  constexpr const mesh_parameters& parameters() const { return parameters_; }
  /// A message waits at its source, behind those that came before. It has at least one flit.
  constexpr void push(std::uint32_t source, const mesh_message& message) {
    tiles_[source].waiting.push(message);
    set(pending_, source);
  }
  /// Flits and credits arrive that are due in this cycle; `delivered(id)` is called for each packet
  /// whose tail flit has reached its destination.
  template <class Delivered>
  constexpr void arrive(std::int64_t cycle, Delivered&& delivered) {
    slot& now = at(cycle);
    for (const std::uint32_t c : now.credits) return_credit(channels_[c]);
    for (const std::uint32_t c : now.releases) release(channels_[c]);
    now.credits.clear();
    now.releases.clear();
    for (const std::uint32_t c : now.flits) {
      if (c < sinks_)
        receive(c);
      else if (eject(channels_[c], c, cycle))
        delivered(channels_[c].packet);
    }
    now.flits.clear();
  }
  /// Each tile sends a flit into its router, if it has one, has a virtual channel and a credit, and
  /// has not yet sent one in this cycle; `started(id)` is called for the first flit of a message.
  template <class Started>
  constexpr void inject(std::int64_t cycle, Started&& started) {
    for (std::size_t word = 0; word < pending_.size(); ++word)
      for (std::uint64_t left = pending_[word]; left != 0; left &= left - 1) {
        const std::uint32_t t = static_cast<std::uint32_t>(word) * 64 + first(left);
        if (tiles_[t].next <= cycle) inject(t, cycle, started);
      }
  }
  /// Allocates virtual channels and switches in this cycle.
  constexpr void allocate(std::int64_t cycle) {
    for (std::size_t word = 0; word < active_.size(); ++word)
      for (std::uint64_t left = active_[word]; left != 0; left &= left - 1) {
        const std::uint32_t r = static_cast<std::uint32_t>(word) * 64 + first(left);
        router& x = routers_[r];
        if (x.requested != 0) allocate_switch(r, cycle);
        if (x.grantable != 0) allocate_channels(r);
        if ((x.requested | x.grantable) == 0) active_[word] &= ~(left & (0 - left));
      }
  }
  /// The first cycle after this one in which something can happen; `INT64_MAX` if there is none.
  constexpr std::int64_t next(std::int64_t cycle) const {
    for (const std::uint64_t a : active_)
      if (a != 0) return cycle + 1;
    for (const std::uint64_t p : pending_)
      if (p != 0) return cycle + 1;
    for (std::size_t k = 1; k < slots_.size(); ++k) {
      const slot& s = slots_[static_cast<std::size_t>(cycle + static_cast<std::int64_t>(k)) &
                             (slots_.size() - 1)];
      if (!s.flits.empty() || !s.releases.empty() || !s.credits.empty())
        return cycle + static_cast<std::int64_t>(k);
    }
    return INT64_MAX;
  }


 private:
  static constexpr std::uint32_t ports = 5, tile_port = 4, none = UINT32_MAX;
  // The output by which a tile feeds its router.
  static constexpr std::uint32_t from_tile = 5;

  // A virtual channel: the buffer at an input port of a router, or at a tile. Its number is that of
  // its router, shifted, plus its place: port * virtual channels + virtual channel.
  struct channel {
    std::uint32_t packet = 0;         // the message whose flits it holds
    std::uint32_t destination = 0;    // of that packet: row << 16 | column
    std::uint32_t upstream = 0;       // what feeds it: router << 8 | port << 4 | virtual channel
    std::uint32_t downstream = none;  // the channel that its packet goes to, once allocated
    std::uint32_t holder = none;      // the channel whose packet comes to it
    std::uint32_t unsent = 0;         // flits of its packet that have not left
    std::uint8_t buffered = 0;        // flits in the buffer
    std::uint8_t space = 0;           // credits for it, if they are counted
    std::uint8_t output = 0;          // port that its packet leaves by
    bool counted = false;             // its packet is longer than a buffer
    // Round-robin pointers of the arbiters at this place.
    std::uint8_t channel_grant = 0;   // of a channel of an output, to the places of inputs
    std::uint8_t channel_accept = 0;  // of a channel of an input, to the places of outputs
    std::uint8_t switch_accept = 0;   // of a crossbar input, to the output ports
    std::uint8_t switch_lane = 0;     // of a crossbar input, to the places of its channels
  };
  struct router {
    // Sets of places of inputs, by the output port that they ask for.
    std::uint64_t waiting[ports]{};      // head flits without a virtual channel
    std::uint64_t ready[ports]{};        // flits that may pass the switch
    std::uint32_t link[ports]{};         // first channel behind each port
    std::uint16_t free[ports]{};         // virtual channels that may be given to a packet
    std::uint8_t switch_grant[ports]{};  // round-robin pointers to the places of inputs
    std::uint8_t requested = 0;          // ports with a ready flit
    std::uint8_t grantable = 0;          // ports with a waiting head flit and a free channel
    std::uint16_t row = 0, column = 0;
  };
  struct tile {
    fifo<mesh_message> waiting;
    mesh_message message;          // the one that is cut into packets; no flits: there is none
    std::int64_t next = 0;         // first cycle in which it may send a flit
    std::uint32_t channel = none;  // of the packet that it sends
    std::uint32_t unsent = 0;      // flits of that packet
    std::uint16_t free = 0;        // virtual channels that may be given to a packet
    std::uint8_t last = 0;         // round-robin pointer to them
  };
  // What is due in one cycle.
  struct slot {
    table<std::uint32_t> flits;     // channels that they come to
    table<std::uint32_t> credits;   // channels that have room for one more flit
    table<std::uint32_t> releases;  // channels that may be given to the next packet
  };

  static constexpr std::uint32_t first(std::uint64_t set) {
    return static_cast<std::uint32_t>(__builtin_ctzll(set));
  }
  // The first member from a place on, or the first of all.
  static constexpr std::uint32_t round_robin(std::uint64_t set, std::uint32_t from) {
    const std::uint64_t later = set & (~std::uint64_t{0} << from);
    return first(later != 0 ? later : set);
  }
  static constexpr std::uint64_t bit(std::uint32_t place) { return std::uint64_t{1} << place; }
  static constexpr void set(table<std::uint64_t>& members, std::uint32_t member) {
    members[member / 64] |= bit(member % 64);
  }
  static constexpr void erase(table<std::uint64_t>& members, std::uint32_t member) {
    members[member / 64] &= ~bit(member % 64);
  }
  constexpr std::uint32_t place_of(std::uint32_t channel) const {
    return channel & ((std::uint32_t{1} << shift_) - 1);
  }
  constexpr slot& at(std::int64_t cycle) {
    return slots_[static_cast<std::size_t>(cycle) & (slots_.size() - 1)];
  }

  constexpr void make_masks() {
    const auto lanes = static_cast<std::uint32_t>(parameters_.input_speedup);
    groups_.resize((width_ + lanes - 1) / lanes);
    lane_.resize(ports * width_);
    for (std::uint32_t p = 0; p < ports; ++p)
      for (std::uint32_t v = 0; v < width_; ++v) {
        groups_[v / lanes] |= bit(p * width_ + v % lanes);
        lane_[p * width_ + v % lanes] |= bit(p * width_ + v);
      }
  }
  constexpr void connect(std::uint32_t r) {
    const auto columns = static_cast<std::uint32_t>(parameters_.columns);
    const auto rows = static_cast<std::uint32_t>(parameters_.rows);
    router& x = routers_[r];
    x.row = static_cast<std::uint16_t>(r / columns);
    x.column = static_cast<std::uint16_t>(r % columns);
    const bool has[] = {x.column + 1u < columns, x.column > 0, x.row + 1u < rows, x.row > 0, true};
    const std::uint32_t neighbour[] = {r + 1, r - 1, r + columns, r - columns, r};
    const auto all = static_cast<std::uint16_t>((1u << width_) - 1);
    for (std::uint32_t p = 0; p < ports; ++p) {
      if (!has[p]) continue;
      const bool is_tile = p == tile_port;
      x.free[p] = all;
      x.link[p] =
          is_tile ? sinks_ + r * width_ : (neighbour[p] << shift_) + (p ^ 1) * width_;
      const std::uint32_t port = is_tile ? from_tile : p ^ 1;
      for (std::uint32_t v = 0; v < width_; ++v)
        channels_[(r << shift_) + p * width_ + v].upstream = neighbour[p] << 8 | port << 4 | v;
    }
    tiles_[r].free = all;
    for (std::uint32_t v = 0; v < width_; ++v)
      channels_[sinks_ + r * width_ + v].upstream = r << 8 | tile_port << 4 | v;
  }
  // Dimension order: along the row, then along the column.
  constexpr std::uint8_t route(std::uint32_t r, std::uint32_t destination) const {
    const router& x = routers_[r];
    const std::uint32_t row = destination >> 16, column = destination & 0xffff;
    if (x.column != column) return x.column < column ? 0 : 1;
    if (x.row != row) return x.row < row ? 2 : 3;
    return tile_port;
  }

  // A packet will come to a channel. `from` is the channel that it comes from.
  constexpr void open(std::uint32_t c, std::uint32_t from, std::uint32_t packet,
                      std::uint32_t destination, std::uint32_t flits) {
    channel& to = channels_[c];
    const auto depth = static_cast<std::uint32_t>(parameters_.buffer_depth);
    to.packet = packet;
    to.destination = destination;
    to.downstream = none;
    to.holder = from;
    to.unsent = flits;
    to.space = static_cast<std::uint8_t>(depth);
    to.counted = flits > depth;
    if (c < sinks_) to.output = route(c >> shift_, destination);
  }
  constexpr void make_ready(std::uint32_t c) {
    const std::uint32_t r = c >> shift_, output = channels_[c].output;
    routers_[r].ready[output] |= bit(place_of(c));
    routers_[r].requested |= static_cast<std::uint8_t>(1u << output);
    set(active_, r);
  }
  // A flit comes to a router.
  constexpr void receive(std::uint32_t c) {
    channel& to = channels_[c];
    if (to.buffered++ != 0) return;
    if (to.downstream != none) {
      if (!to.counted || channels_[to.downstream].space != 0) make_ready(c);
      return;
    }
    const std::uint32_t r = c >> shift_;
    router& x = routers_[r];
    x.waiting[to.output] |= bit(place_of(c));
    if (x.free[to.output] == 0) return;
    x.grantable |= static_cast<std::uint8_t>(1u << to.output);
    set(active_, r);
  }
  // A flit comes to its tile; true if it is the last one of its packet.
  constexpr bool eject(channel& from, std::uint32_t c, std::int64_t cycle) {
    if (from.counted) at(cycle + credit_delay_).credits.push_back(c);
    if (--from.unsent != 0) return false;
    at(cycle + credit_delay_).releases.push_back(c);
    return true;
  }
  constexpr void return_credit(channel& to) {
    if (to.space++ != 0) return;
    if ((to.upstream >> 4 & 15) == from_tile) return set(pending_, to.upstream >> 8);
    if (to.holder != none && channels_[to.holder].buffered != 0) make_ready(to.holder);
  }
  constexpr void release(const channel& to) {
    const std::uint32_t r = to.upstream >> 8, port = to.upstream >> 4 & 15;
    const auto freed = static_cast<std::uint16_t>(1u << (to.upstream & 15));
    if (port == from_tile) {
      tile& t = tiles_[r];
      t.free |= freed;
      if (t.message.flits != 0 || !t.waiting.empty()) set(pending_, r);
      return;
    }
    router& x = routers_[r];
    x.free[port] |= freed;
    if (x.waiting[port] == 0) return;
    x.grantable |= static_cast<std::uint8_t>(1u << port);
    set(active_, r);
  }

  template <class Started>
  constexpr void inject(std::uint32_t number, std::int64_t cycle, Started& started) {
    tile& t = tiles_[number];
    if (t.unsent == 0) {
      if (t.free == 0 || (t.message.flits == 0 && t.waiting.empty()))
        return erase(pending_, number);
      if (t.message.flits == 0) t.message = t.waiting.pop();
      const std::uint32_t v = round_robin(t.free, t.last);
      t.free &= static_cast<std::uint16_t>(~bit(v));
      t.last = static_cast<std::uint8_t>(v + 1);
      t.channel = (number << shift_) + tile_port * width_ + v;
      const std::int64_t most = parameters_.packet_flits;
      t.unsent = static_cast<std::uint32_t>(t.message.flits < most ? t.message.flits : most);
      t.message.flits -= t.unsent;
      open(t.channel, none, t.message.id, t.message.destination, t.unsent);
      if (t.message.is_new) started(t.message.id);
      t.message.is_new = false;
    }
    channel& to = channels_[t.channel];
    if (to.counted && to.space-- == 0) {
      to.space = 0;
      return erase(pending_, number);
    }
    at(cycle + tile_delay_).flits.push_back(t.channel);
    t.next = cycle + 1;
    if (--t.unsent == 0 && t.message.flits == 0 && t.waiting.empty()) erase(pending_, number);
  }

  constexpr void allocate_channels(std::uint32_t r) {
    router& x = routers_[r];
    channel* const here = channels_.data() + (std::size_t{r} << shift_);
    for (std::uint32_t left = x.grantable; left != 0; left &= left - 1) {
      const std::uint32_t output = first(left);
      const std::uint64_t waiting = x.waiting[output];
      const std::uint32_t outputs = output * width_;
      if ((waiting & (waiting - 1)) == 0) {
        accept_channel(r, first(waiting), output, x.free[output]);
      } else {
        std::uint8_t grant[mesh_parameters::max_virtual_channels]{};
        std::uint64_t granted = 0;
        for (std::uint32_t free = x.free[output]; free != 0; free &= free - 1) {
          const std::uint32_t v = first(free);
          grant[v] = static_cast<std::uint8_t>(
              round_robin(waiting, here[outputs + v].channel_grant));
          granted |= bit(grant[v]);
        }
        const std::uint32_t free = x.free[output];
        for (; granted != 0; granted &= granted - 1) {
          const std::uint32_t input = first(granted);
          std::uint32_t offered = 0;
          for (std::uint32_t f = free; f != 0; f &= f - 1)
            if (grant[first(f)] == input) offered |= f & (0 - f);
          accept_channel(r, input, output, offered);
        }
      }
      if (x.waiting[output] == 0 || x.free[output] == 0)
        x.grantable &= static_cast<std::uint8_t>(~(1u << output));
    }
  }
  // An input takes one of the channels that an output offers it.
  constexpr void accept_channel(std::uint32_t r, std::uint32_t input, std::uint32_t output,
                                std::uint32_t offered) {
    router& x = routers_[r];
    channel* const here = channels_.data() + (std::size_t{r} << shift_);
    const std::uint32_t outputs = output * width_;
    channel& from = here[input];
    const std::uint32_t place =
        round_robin(std::uint64_t{offered} << outputs, from.channel_accept);
    from.channel_accept = static_cast<std::uint8_t>(place + 1);
    here[place].channel_grant = static_cast<std::uint8_t>(input + 1);
    from.downstream = x.link[output] + (place - outputs);
    x.free[output] &= static_cast<std::uint16_t>(~bit(place - outputs));
    x.waiting[output] &= ~bit(input);
    x.ready[output] |= bit(input);
    x.requested |= static_cast<std::uint8_t>(1u << output);
    open(from.downstream, (r << shift_) + input, from.packet, from.destination, from.unsent);
  }

  constexpr void allocate_switch(std::uint32_t r, std::int64_t cycle) {
    router& x = routers_[r];
    channel* const here = channels_.data() + (std::size_t{r} << shift_);
    std::uint8_t grant[ports]{};
    std::uint64_t granted = 0;
    std::uint32_t outputs = x.requested;
    bool is_conflict = false;
    for (std::uint32_t left = outputs; left != 0; left &= left - 1) {
      const std::uint32_t output = first(left);
      const std::uint32_t input = round_robin(crossbar_inputs(x.ready[output]),
                                              x.switch_grant[output]);
      grant[output] = static_cast<std::uint8_t>(input);
      is_conflict |= (granted & bit(input)) != 0;
      granted |= bit(input);
    }
    if (is_conflict) outputs = accept_switch(r, grant, granted, outputs);
    for (; outputs != 0; outputs &= outputs - 1) {
      const std::uint32_t output = first(outputs), input = grant[output];
      x.switch_grant[output] = static_cast<std::uint8_t>(input + 1);
      here[input].switch_accept = static_cast<std::uint8_t>(output + 1);
      const std::uint32_t place =
          round_robin(x.ready[output] & lane_[input], here[input].switch_lane);
      here[input].switch_lane = static_cast<std::uint8_t>(place + 1);
      send(r, place, output, cycle);
    }
  }
  // The crossbar inputs of a set of places of inputs.
  constexpr std::uint64_t crossbar_inputs(std::uint64_t places) const {
    std::uint64_t out = places & groups_[0];
    for (std::size_t g = 1; g < groups_.size(); ++g)
      out |= places >> (g * static_cast<std::size_t>(parameters_.input_speedup)) & groups_[g];
    return out;
  }
  // The outputs whose grants are accepted: one of each crossbar input.
  constexpr std::uint32_t accept_switch(std::uint32_t r, const std::uint8_t* grant,
                                        std::uint64_t granted, std::uint32_t outputs) const {
    std::uint32_t accepted = 0;
    for (; granted != 0; granted &= granted - 1) {
      const std::uint32_t input = first(granted);
      std::uint32_t offered = 0;
      for (std::uint32_t left = outputs; left != 0; left &= left - 1)
        if (grant[first(left)] == input) offered |= left & (0 - left);
      accepted |= 1u << round_robin(offered, channels_[(r << shift_) + input].switch_accept);
    }
    return accepted;
  }
  // A flit passes the switch.
  constexpr void send(std::uint32_t r, std::uint32_t place, std::uint32_t output,
                      std::int64_t cycle) {
    router& x = routers_[r];
    const std::uint32_t c = (r << shift_) + place;
    channel& from = channels_[c];
    at(cycle + flit_delay_).flits.push_back(from.downstream);
    bool is_last_ready = --from.buffered == 0;
    if (from.counted) {
      at(cycle + credit_delay(from)).credits.push_back(c);
      is_last_ready |= --channels_[from.downstream].space == 0;
    }
    if (--from.unsent == 0) {
      at(cycle + credit_delay(from)).releases.push_back(c);
      channels_[from.downstream].holder = none;
    }
    if (!is_last_ready) return;
    x.ready[output] &= ~bit(place);
    if (x.ready[output] == 0) x.requested &= static_cast<std::uint8_t>(~(1u << output));
  }
  // Cycles from the departure of a flit until what feeds the channel may use the credit.
  constexpr std::int64_t credit_delay(const channel& c) const {
    return (c.upstream >> 4 & 15) == from_tile ? tile_delay_ : credit_delay_;
  }

  mesh_parameters parameters_;
  std::uint32_t width_ = 0;  // virtual channels of a port
  std::uint32_t shift_ = 0;  // of a router's number in that of its channels
  std::uint32_t sinks_ = 0;  // first channel at a tile
  std::int64_t flit_delay_ = 0;    // from the switch to the next router or tile
  std::int64_t tile_delay_ = 0;    // from a tile to its router, or back for a credit
  std::int64_t credit_delay_ = 0;  // of a credit, from the switch to the router before
  table<channel> channels_;
  table<router> routers_;
  table<tile> tiles_;
  table<slot> slots_;             // ring, by cycle
  table<std::uint64_t> active_;   // set of the routers with a request that may be granted
  table<std::uint64_t> pending_;  // set of the tiles that may have a flit to send
  table<std::uint64_t> groups_;   // places whose channels share an index of their crossbar input
  table<std::uint64_t> lane_;     // places of the channels of each crossbar input
};

}  // namespace wf::sim
