// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstdint>

#include <wf/simulate/engine/engine.hpp>
#include <wf/simulate/sharing/mesh_network.hpp>

#include <cpu_time.hpp>

namespace simulation_benchmark {

/// A traffic pattern of a square mesh (Dally and Towles, Principles and Practices of
/// Interconnection Networks, 2004, table 3.1).
enum class noc_pattern : std::uint8_t {
  uniform,         ///< any tile, the source included, with equal probability
  transpose,       ///< row and column exchanged
  neighbor,        ///< the next row and the next column, cyclically
  bit_complement,  ///< the tile opposite to the centre of the mesh
};

/// Pseudo-random numbers (splitmix64: Steele, Lea and Flood, OOPSLA 2014).
class random_numbers {
 public:
  /// A sequence for each seed.
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}
  /// 64 random bits.
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  /// An integer from 0 to below `count`, which is at most 2^32; the bias is less than 2^-32.
  std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>((next() >> 32) * count >> 32);
  }
  /// A real number larger than 0 and at most 1.
  double unit() { return static_cast<double>((next() >> 11) + 1) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// The destination of a packet. The mesh is square, with `side` tiles in a row.
inline std::uint32_t destination_of(noc_pattern pattern, std::uint32_t source, std::uint32_t side,
                                    random_numbers& random) {
  const std::uint32_t row = source / side, column = source % side;
  switch (pattern) {
    case noc_pattern::uniform:
      return random.below(side * side);
    case noc_pattern::transpose:
      return column * side + row;
    case noc_pattern::neighbor:
      return (row + 1) % side * side + (column + 1) % side;
    case noc_pattern::bit_complement:
      return side * side - 1 - source;
  }
  return source;
}

/// A Bernoulli process at each tile: in each cycle it creates a packet with the given probability.
/// The request to the only resource starts it; its work is the number of cycles. Each creation is
/// the end of an activity: `creation + tile`.
class bernoulli_source {
 public:
  /// Activities from this number on are creations.
  static constexpr std::uint32_t creation = std::uint32_t{1} << 31;

  /// `probability` is positive and at most 1.
  bernoulli_source(std::uint32_t tiles, double probability, std::uint64_t seed)
      : random_(seed), tiles_(tiles), log_of_failure_(std::log1p(-probability)) {}

  /// One: all tiles.
  std::size_t resources() const { return 1; }
  /// One: the next creation.
  std::size_t timers() const { return 1; }
  /// Starts the process.
  template <class Port>
  void add(std::uint32_t, const wf::sim::request& r, Port& port) {
    cycle_ = port.now();
    end_ = cycle_ + r.work;
    tile_ = 0;
    skip();
    wait(port);
  }
  /// Creates the packets of a cycle.
  template <class Port>
  void complete(std::uint32_t, Port& port) {
    while (cycle_ == port.now()) {
      port.finished(creation + tile_);
      ++tile_;
      skip();
    }
    wait(port);
  }
  /// Nothing is shared.
  template <class Port>
  void settle(Port&) {}

 private:
  // Moves on to the next success: the number of failures before it is geometric.
  void skip() {
    const double failures = std::floor(std::log(random_.unit()) / log_of_failure_);
    std::int64_t trial = tile_ + static_cast<std::int64_t>(failures);
    if (trial >= tiles_) {
      cycle_ += trial / tiles_;
      trial %= tiles_;
    }
    tile_ = static_cast<std::uint32_t>(trial);
  }
  template <class Port>
  void wait(Port& port) {
    if (cycle_ < end_)
      port.set(0, {cycle_, 0});
    else
      port.clear(0);
  }

  random_numbers random_;
  std::uint32_t tiles_;
  double log_of_failure_;
  std::int64_t cycle_ = 0, end_ = 0;
  std::uint32_t tile_ = 0;
};

/// What a mesh is loaded with, and for how long.
struct noc_load {
  std::uint32_t side = 8;                      ///< tiles in a row and in a column
  noc_pattern pattern = noc_pattern::uniform;  ///< who sends to whom
  std::int64_t flits = 1;                      ///< of each packet
  double offered = 0.01;                       ///< packets per tile and cycle
  std::int64_t warm_up = 10'000;               ///< cycles before the sample
  std::int64_t sample = 100'000;               ///< cycles of the sample
  bool is_drained = true;                      ///< run until all packets of the sample arrive
  std::uint64_t seed = 1;                      ///< of the traffic
};

/// Statistics of a run.
struct noc_statistics {
  double latency = 0;                     ///< mean of the packets created in the sample, cycles
  double accepted = 0;                    ///< packets that arrive in the sample, per tile and cycle
  double hops = 0;                        ///< mean number of routers that those pass
  double cycles_per_second = 0;           ///< simulated cycles per second of processor time
  std::int64_t created = 0, arrived = 0;  ///< packets of the whole run
};

/// The run of a mesh under load.
class noc_run {
 public:
  /// The parameters of the mesh are those of the measurements with BookSim2, but for its size.
  explicit noc_run(const noc_load& load)
      : load_(load),
        random_(~load.seed),
        engine_(bernoulli_source(load.side * load.side, load.offered, load.seed),
                wf::sim::mesh_network(mesh(load))) {}

  /// Runs it.
  noc_statistics run() {
    const double start = wf_benchmark::thread_seconds();
    const std::int64_t end = load_.warm_up + load_.sample;
    engine_.add(0, {0, 0, load_.is_drained ? INT64_MAX / 2 : end}, *this);
    while (engine_.now() < end || (load_.is_drained && sampled_ != measured_)) engine_.step(*this);
    const double taken = wf_benchmark::thread_seconds() - start;
    const auto tiles = static_cast<double>(load_.side) * load_.side;
    const auto arrived = static_cast<double>(arrived_);
    out_.latency = static_cast<double>(latency_) / static_cast<double>(measured_);
    out_.accepted = arrived / (tiles * static_cast<double>(load_.sample));
    out_.hops = static_cast<double>(hops_) / arrived;
    out_.cycles_per_second = static_cast<double>(engine_.now()) / taken;
    return out_;
  }
  /// A packet enters the mesh.
  void started(std::uint32_t, std::int64_t) {}
  /// A packet is created, or arrives.
  void finished(std::uint32_t activity) {
    const std::int64_t now = engine_.now();
    if (activity >= bernoulli_source::creation)
      return create(activity - bernoulli_source::creation, now);
    const packet& p = packets_[activity];
    ++out_.arrived;
    if (is_sampled(now)) ++arrived_, hops_ += p.hops;
    if (is_sampled(p.created)) ++measured_, latency_ += now - p.created;
    free_.push_back(activity);
  }

 private:
  struct packet {
    std::int64_t created = 0;
    std::int64_t hops = 0;
  };

  static wf::sim::mesh_parameters mesh(const noc_load& load) {
    wf::sim::mesh_parameters m;
    m.rows = m.columns = static_cast<std::int32_t>(load.side);
    m.flit_bytes = 1;
    m.packet_flits = load.flits;
    return m;
  }
  bool is_sampled(std::int64_t cycle) const {
    return load_.warm_up <= cycle && cycle < load_.warm_up + load_.sample;
  }
  void create(std::uint32_t tile, std::int64_t now) {
    const std::uint32_t to = destination_of(load_.pattern, tile, load_.side, random_);
    std::uint32_t id = static_cast<std::uint32_t>(packets_.size());
    if (free_.empty()) {
      packets_.push_back({});
    } else {
      id = free_.back();
      free_.pop_back();
    }
    packets_[id] = {now, mesh_.hops(tile, to)};
    ++out_.created;
    if (is_sampled(now)) ++sampled_;
    engine_.add(1 + mesh_.pair(tile, to), {id, 0, load_.flits}, *this);
  }

  noc_load load_;
  random_numbers random_;
  wf::sim::mesh_parameters mesh_ = mesh(load_);
  wf::sim::engine<bernoulli_source, wf::sim::mesh_network> engine_;
  wf::table<packet> packets_;
  wf::table<std::uint32_t> free_;  // packets that have arrived
  std::int64_t sampled_ = 0, measured_ = 0, latency_ = 0, arrived_ = 0, hops_ = 0;
  noc_statistics out_;
};

}  // namespace simulation_benchmark
