// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/engine/fifo.hpp>
#include <wf/simulate/sharing/mesh_calendar.hpp>
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
    // No delay is longer than their sum.
    calendar_ = mesh_calendar(flit_delay_ + credit_delay_ + m.buffer_depth);
    sinks_ = m.tiles() << shift_;
    channels_.resize(sinks_ + m.tiles() * width_);
    routers_.resize(m.tiles());
    tiles_.resize(m.tiles());
    grants_.resize(m.tiles() * ports);
    while (std::uint32_t{1} << stride_ < m.tiles()) ++stride_;
    pending_.resize((m.tiles() + 63) / 64);
    words_ = ((ports << stride_) + 63) / 64;
    free_.resize(words_);
    asked_.resize((ready << stride_) / 64 + words_);
    make_masks();
    for (std::uint32_t r = 0; r < m.tiles(); ++r) connect(r);
  }

  /// The mesh that they are the routers of.
  constexpr const mesh_parameters& parameters() const { return parameters_; }
  /// A message waits at its source, behind those that came before. It has at least one flit.
  constexpr void push(std::uint32_t source, const mesh_message& message) {
    tiles_[source].waiting.push(message);
    insert(pending_, source);
  }
  /// Flits and credits arrive that are due in this cycle; `delivered(id)` is called for each packet
  /// whose tail flit has reached its destination.
  template <class Delivered>
  constexpr void arrive(std::int64_t cycle, Delivered&& delivered) {
    mesh_arrivals& now = calendar_.at(cycle);
    for (const std::uint32_t c : now.credits) return_credit(channels_[c]);
    for (const std::uint32_t c : now.releases) release(channels_[c].upstream);
    for (const std::uint32_t t : now.tiles) insert(pending_, t);
    for (const std::uint32_t c : now.flits) receive(c);
    mesh_arrivals& back = calendar_.at(cycle + credit_delay_);
    back.credits.reserve(now.ejected.size());
    back.releases.reserve(now.ejected.size());
    for (const std::uint32_t c : now.ejected)
      if (eject(c, back)) delivered(channels_[c].packet);
    now.clear();
  }
  /// Each tile sends flits into its router, if it has some, has a virtual channel and a credit, and
  /// does not send yet; `started(id)` is called for the first flit of a message.
  template <class Started>
  constexpr void inject(std::int64_t cycle, Started&& started) {
    for (std::size_t word = 0; word < pending_.size(); ++word)
      for (std::uint64_t left = pending_[word]; left != 0; left &= left - 1)
        inject(static_cast<std::uint32_t>(word) * 64 + first(left), cycle, started);
  }
  /// Allocates virtual channels and switches in this cycle.
  constexpr void allocate(std::int64_t cycle) {
    grant_switches();
    send_granted(cycle);
    for (std::uint32_t word = 0; word < words_; ++word)
      for (std::uint64_t left = asked_[word] & free_[word]; left != 0; left &= left - 1)
        allocate_channels(word * 64 + first(left));
  }
  /// The first cycle after this one in which something can happen; `INT64_MAX` if there is none.
  constexpr std::int64_t next(std::int64_t cycle) const {
    std::uint64_t any = 0;
    for (const std::uint64_t word : pending_) any |= word;
    for (std::uint32_t word = 0; word < words_; ++word)
      any |= requested(word) | (asked_[word] & free_[word]);
    if (any != 0) return cycle + 1;
    return calendar_.next(cycle);
  }

 private:
  static constexpr std::uint32_t ports = 5, tile_port = 4, none = UINT32_MAX;
  // The output by which a tile feeds its router.
  static constexpr std::uint32_t from_tile = 5;
  // First of the sets of flits that ask for the switch; a power of 2, so that the sets of routers
  // of each kind begin at a word.
  static constexpr std::uint32_t ready = 8;

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
    std::uint8_t asks = 0;            // for the port that its packet leaves by: set of its router
    bool counted = false;             // its packet is longer than a buffer
    bool is_from_tile = false;        // a tile feeds it; constant
    // Round-robin pointers of the arbiters at this place.
    std::uint8_t channel_grant = 0;   // of a channel of an output, to the places of inputs
    std::uint8_t channel_accept = 0;  // of a channel of an input, to the places of outputs
    std::uint8_t switch_accept = 0;   // of a crossbar input, to the output ports
    std::uint8_t switch_lane = 0;     // of a crossbar input, to the places of its channels
  };
  struct router {
    // Sets of places of inputs: `ready + p`: flits that may pass the switch to port p; `p`: head
    // flits that wait for a virtual channel of port p.
    std::uint64_t asking[ready + ports]{};
    std::uint64_t granted = 0;           // crossbar inputs, in one cycle
    std::uint8_t grants[ports]{};        // of the ports of `accepted`: their crossbar inputs
    std::uint8_t accepted = 0;           // ports whose grants are accepted, in one cycle
    std::uint32_t link[ports]{};         // first channel behind each port
    std::uint16_t free[ports]{};         // virtual channels that may be given to a packet
    std::uint8_t switch_grant[ports]{};  // round-robin pointers to the places of inputs
    std::uint16_t row = 0, column = 0;
  };
  // An output that is granted to a crossbar input.
  struct grant {
    std::uint32_t router = 0;
    std::uint8_t output = 0, input = 0;
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
  static constexpr std::uint32_t first(std::uint64_t set) {
    return static_cast<std::uint32_t>(__builtin_ctzll(set));
  }
  // The first member from a place on, or the first of all.
  static constexpr std::uint32_t round_robin(std::uint64_t set, std::uint32_t from) {
    const std::uint64_t later = set & (~std::uint64_t{0} << from);
    return first(later != 0 ? later : set);
  }
  static constexpr std::uint64_t bit(std::uint32_t place) { return std::uint64_t{1} << place; }
  static constexpr void insert(table<std::uint64_t>& set, std::uint32_t member) {
    set[member / 64] |= bit(member % 64);
  }
  static constexpr void erase(table<std::uint64_t>& set, std::uint32_t member,
                              bool is_erased = true) {
    set[member / 64] &= ~(std::uint64_t{is_erased} << member % 64);
  }
  // The number of a port of a router in `free_`, and of a set of its places in `asked_`.
  constexpr std::uint32_t number_of(std::uint32_t port, std::uint32_t router) const {
    return port << stride_ | router;
  }
  // The ports of routers with a flit that may pass the switch.
  constexpr std::uint64_t requested(std::uint32_t word) const {
    return asked_[(ready << stride_) / 64 + word];
  }
  constexpr std::uint32_t place_of(std::uint32_t channel) const {
    return channel & ((std::uint32_t{1} << shift_) - 1);
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
      insert(free_, number_of(p, r));
      x.link[p] = is_tile ? sinks_ + r * width_ : (neighbour[p] << shift_) + (p ^ 1) * width_;
      const std::uint32_t port = is_tile ? from_tile : p ^ 1;
      for (std::uint32_t v = 0; v < width_; ++v) {
        channel& c = channels_[(r << shift_) + p * width_ + v];
        c.upstream = neighbour[p] << 8 | port << 4 | v;
        c.is_from_tile = is_tile;
      }
    }
    tiles_[r].free = all;
    for (std::uint32_t v = 0; v < width_; ++v)
      channels_[sinks_ + r * width_ + v].upstream = r << 8 | tile_port << 4 | v;
  }
  // Dimension order: along the row, then along the column.
  constexpr std::uint8_t route(std::uint32_t r, std::uint32_t destination) const {
    const router& x = routers_[r];
    const std::uint32_t row = destination >> 16, column = destination & 0xffff;
    const std::uint32_t along_row = x.column < column ? 0 : 1;
    const std::uint32_t along_column = x.row < row ? 2 : 3;
    const std::uint32_t in_column = x.row != row ? along_column : tile_port;
    return static_cast<std::uint8_t>(x.column != column ? along_row : in_column);
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
    if (c < sinks_) to.asks = route(c >> shift_, destination);
  }
  // A flit comes to a router. Its channel asks already if it has another flit that may move.
  constexpr void receive(std::uint32_t c) {
    channel& to = channels_[c];
    ++to.buffered;
    if (to.counted && to.asks >= ready && channels_[to.downstream].space == 0) return;
    ask(c);
  }
  constexpr void ask(std::uint32_t c) {
    const std::uint32_t r = c >> shift_, asks = channels_[c].asks;
    routers_[r].asking[asks] |= bit(place_of(c));
    insert(asked_, number_of(asks, r));
  }
  // A flit comes to its tile; true if it is the last one of its packet. If credits are not counted,
  // only that one comes here.
  constexpr bool eject(std::uint32_t c, mesh_arrivals& back) {
    channel& from = channels_[c];
    if (from.counted) {
      back.credits.push(c);
      if (--from.unsent != 0) return false;
    }
    back.releases.push(c);
    return true;
  }
  constexpr void return_credit(channel& to) {
    if (to.space++ != 0) return;
    if (to.is_from_tile) return insert(pending_, to.upstream >> 8);
    if (to.holder != none && channels_[to.holder].buffered != 0) ask(to.holder);
  }
  constexpr void release(std::uint32_t upstream) {
    const std::uint32_t r = upstream >> 8, port = upstream >> 4 & 15;
    const auto freed = static_cast<std::uint16_t>(1u << (upstream & 15));
    if (port == from_tile) {
      tiles_[r].free |= freed;
      return insert(pending_, r);
    }
    routers_[r].free[port] |= freed;
    insert(free_, number_of(port, r));
  }

  // A tile that sends nothing more in this cycle is no longer pending: what lets it send again
  // makes it so.
  template <class Started>
  constexpr void inject(std::uint32_t number, std::int64_t cycle, Started& started) {
    tile& t = tiles_[number];
    erase(pending_, number);
    if (cycle < t.next) return;
    if (t.unsent == 0 && !begin_packet(number, started)) return;
    channel& to = channels_[t.channel];
    std::uint32_t sent = t.unsent;
    if (to.counted) {
      if (to.space == 0) return;
      --to.space;
      sent = 1;
    } else {
      // The rest of the packet arrives before the router can ask for it: one flit a cycle.
      to.buffered = static_cast<std::uint8_t>(sent - 1);
    }
    roomy_list& flits = calendar_.at(cycle + tile_delay_).flits;
    flits.reserve(1);
    flits.push(t.channel);
    roomy_list& tiles = calendar_.at(cycle + sent).tiles;
    tiles.reserve(1);
    tiles.push(number);
    t.next = cycle + sent;
    t.unsent -= sent;
  }
  template <class Started>
  constexpr bool begin_packet(std::uint32_t number, Started& started) {
    tile& t = tiles_[number];
    if (t.free == 0) return false;
    if (t.message.flits == 0) {
      if (t.waiting.empty()) return false;
      t.message = t.waiting.pop();
    }
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
    return true;
  }

  constexpr void allocate_channels(std::uint32_t number) {
    const std::uint32_t output = number >> stride_, r = number - (output << stride_);
    router& x = routers_[r];
    channel* const here = channels_.data() + (std::size_t{r} << shift_);
    const std::uint64_t waiting = x.asking[output];
    const std::uint32_t outputs = output * width_, free = x.free[output];
    if ((waiting & (waiting - 1)) == 0) {
      accept_channel(r, first(waiting), output, free);
    } else {
      std::uint8_t grant[mesh_parameters::max_virtual_channels]{};
      std::uint64_t granted = 0;
      for (std::uint32_t left = free; left != 0; left &= left - 1) {
        const std::uint32_t v = first(left);
        grant[v] = static_cast<std::uint8_t>(round_robin(waiting, here[outputs + v].channel_grant));
        granted |= bit(grant[v]);
      }
      for (; granted != 0; granted &= granted - 1) {
        const std::uint32_t input = first(granted);
        std::uint32_t offered = 0;
        for (std::uint32_t left = free; left != 0; left &= left - 1)
          if (grant[first(left)] == input) offered |= left & (0 - left);
        accept_channel(r, input, output, offered);
      }
    }
    erase(asked_, number, x.asking[output] == 0);
    erase(free_, number, x.free[output] == 0);
  }
  // An input takes one of the channels that an output offers it.
  constexpr void accept_channel(std::uint32_t r, std::uint32_t input, std::uint32_t output,
                                std::uint32_t offered) {
    router& x = routers_[r];
    channel* const here = channels_.data() + (std::size_t{r} << shift_);
    const std::uint32_t outputs = output * width_;
    channel& from = here[input];
    const std::uint32_t place = round_robin(std::uint64_t{offered} << outputs, from.channel_accept);
    from.channel_accept = static_cast<std::uint8_t>(place + 1);
    here[place].channel_grant = static_cast<std::uint8_t>(input + 1);
    from.downstream = x.link[output] + (place - outputs);
    x.free[output] &= static_cast<std::uint16_t>(~bit(place - outputs));
    x.asking[output] &= ~bit(input);
    from.asks = static_cast<std::uint8_t>(ready + output);
    ask((r << shift_) + input);
    open(from.downstream, (r << shift_) + input, from.packet, from.destination, from.unsent);
  }

  // Each output that is asked for grants a crossbar input; a crossbar input accepts one output.
  constexpr void grant_switches() {
    // Bytes are stored below, which might change any member as far as a compiler knows: so what is
    // used in each turn is in local variables.
    router* const routers = routers_.data();
    grant* grants = grants_.data();
    const std::uint32_t words = words_, stride = stride_;
    conflicts_.clear();
    for (std::uint32_t word = 0; word < words; ++word)
      for (std::uint64_t left = requested(word); left != 0; left &= left - 1) {
        const std::uint32_t number = word * 64 + first(left);
        const std::uint32_t output = number >> stride, r = number - (output << stride);
        router& x = routers[r];
        const std::uint32_t input =
            round_robin(crossbar_inputs(x.asking[ready + output]), x.switch_grant[output]);
        if ((x.granted & bit(input)) != 0) conflicts_.push_back(r);
        x.granted |= bit(input);
        x.grants[output] = static_cast<std::uint8_t>(input);
        x.accepted |= static_cast<std::uint8_t>(1u << output);
        *grants++ = {r, static_cast<std::uint8_t>(output), static_cast<std::uint8_t>(input)};
      }
    granted_ = static_cast<std::size_t>(grants - grants_.data());
    for (const std::uint32_t r : conflicts_) accept(r);
  }
  // The crossbar inputs of a set of places of inputs.
  constexpr std::uint64_t crossbar_inputs(std::uint64_t places) const {
    const auto lanes = static_cast<std::uint32_t>(parameters_.input_speedup);
    std::uint64_t out = places & groups_[0];
    for (std::size_t g = 1; g < groups_.size(); ++g) out |= (places >>= lanes) & groups_[g];
    return out;
  }
  // Each crossbar input of a router accepts one of the outputs that are granted to it.
  constexpr void accept(std::uint32_t r) {
    router& x = routers_[r];
    std::uint32_t accepted = 0;
    for (std::uint64_t inputs = x.granted; inputs != 0; inputs &= inputs - 1) {
      const std::uint32_t input = first(inputs);
      std::uint32_t offered = 0;
      for (std::uint32_t left = x.accepted; left != 0; left &= left - 1)
        if (x.grants[first(left)] == input) offered |= left & (0 - left);
      accepted |= 1u << round_robin(offered, channels_[(r << shift_) + input].switch_accept);
    }
    x.accepted = static_cast<std::uint8_t>(accepted);
  }
  constexpr void send_granted(std::int64_t cycle) {
    mesh_arrivals& after = calendar_.at(cycle + flit_delay_);
    after.flits.reserve(granted_);
    after.ejected.reserve(granted_);
    for (const std::int64_t delay : {tile_delay_, credit_delay_}) {
      calendar_.at(cycle + delay).releases.reserve(granted_);
      calendar_.at(cycle + delay).credits.reserve(granted_);
    }
    mesh_arrivals* const back[] = {&calendar_.at(cycle + credit_delay_),
                                   &calendar_.at(cycle + tile_delay_)};
    router* const routers = routers_.data();
    channel* const channels = channels_.data();
    const grant* const end = grants_.data() + granted_;
    const std::uint32_t shift = shift_;
    for (const grant* p = grants_.data(); p != end; ++p) {
      const grant g = *p;
      router& x = routers[g.router];
      x.granted = 0;
      if ((x.accepted >> g.output & 1) == 0) continue;
      x.accepted &= static_cast<std::uint8_t>(~(1u << g.output));
      channel& crossbar = channels[(g.router << shift) + g.input];
      std::uint64_t asking = x.asking[ready + g.output];
      x.switch_grant[g.output] = static_cast<std::uint8_t>(g.input + 1);
      crossbar.switch_accept = static_cast<std::uint8_t>(g.output + 1);
      const std::uint32_t place = round_robin(asking & lane_[g.input], crossbar.switch_lane);
      crossbar.switch_lane = static_cast<std::uint8_t>(place + 1);
      const std::uint32_t c = (g.router << shift) + place;
      channel& from = channels[c];
      const bool is_tile = g.output == tile_port, is_last = from.unsent == 1;
      after.ejected.push(from.downstream, is_tile && (is_last || from.counted));
      after.flits.push(from.downstream, !is_tile);
      const bool goes_on = send(from, c, *back[from.is_from_tile]);
      asking &= ~(std::uint64_t{!goes_on} << place);
      x.asking[ready + g.output] = asking;
      erase(asked_, number_of(ready + g.output, g.router), asking == 0);
    }
  }
  // A flit leaves a channel; true if the channel has another one that may leave.
  constexpr bool send(channel& from, std::uint32_t c, mesh_arrivals& back) {
    const std::uint32_t unsent = --from.unsent;
    bool goes_on = --from.buffered != 0;
    back.releases.push(c, unsent == 0);
    if (from.counted) {
      back.credits.push(c);
      channel& to = channels_[from.downstream];
      goes_on &= --to.space != 0;
      if (unsent == 0) to.holder = none;
    }
    return goes_on;
  }

  mesh_parameters parameters_;
  std::uint32_t width_ = 0;        // virtual channels of a port
  std::uint32_t shift_ = 0;        // of a router's number in that of its channels
  std::uint32_t sinks_ = 0;        // first channel at a tile
  std::uint32_t stride_ = 3;       // bits of the number of a router in sets of ports of routers
  std::uint32_t words_ = 0;        // of such a set
  std::int64_t flit_delay_ = 0;    // from the switch to the next router or tile
  std::int64_t tile_delay_ = 0;    // from a tile to its router, or back for a credit
  std::int64_t credit_delay_ = 0;  // of a credit, from the switch to the router before
  table<channel> channels_;
  table<router> routers_;
  table<tile> tiles_;
  mesh_calendar calendar_;
  table<std::uint32_t> conflicts_;  // routers with two grants to one crossbar input
  table<grant> grants_;             // of one cycle
  std::size_t granted_ = 0;         // their number
  // Sets of ports of routers.
  table<std::uint64_t> free_;     // with a virtual channel that may be given to a packet
  table<std::uint64_t> asked_;    // whose set `asking` of the same number is not empty
  table<std::uint64_t> pending_;  // set of the tiles that may have a flit to send
  table<std::uint64_t> groups_;   // places whose channels share an index of their crossbar input
  table<std::uint64_t> lane_;     // places of the channels of each crossbar input
};

}  // namespace wf::sim
