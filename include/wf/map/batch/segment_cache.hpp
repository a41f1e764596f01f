// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/hash_index.hpp>
#include <wf/map/batch/work.hpp>

namespace wf {

/// Signatures of runs of operators in an order: equal for runs that are mapped alike, because their
/// operators correspond one by one and
///
/// - have equal loads,
/// - read the same operands from each other, read the same number of operators before the run in
///   the same pattern, and may overwrite the same of them,
/// - and produce results that are read after the run, or are outputs, at the same positions.
///
/// `start` fixes the start of a run; `extend` adds an operator in O(its operands).
class run_signatures {
 public:
  /// The work must outlive the signatures. O(operators · distinct loads + operands).
  constexpr run_signatures(const batch_work& w, view<std::uint32_t> order)
      : w_(&w),
        order_(order),
        position_(w.size(), UINT32_MAX),
        last_reader_(w.size()),
        kind_(w.size()),
        outside_(w.size()),
        stamp_(w.size()) {
    for (std::uint32_t k = 0; k < order.size(); ++k) position_[order[k]] = k;
    table<std::uint32_t> kinds;
    for (std::uint32_t v = 0; v < w.size(); ++v) {
      while (kind_[v] < kinds.size() && !(w.samples[kinds[kind_[v]]] == w.samples[v])) ++kind_[v];
      if (kind_[v] == kinds.size()) kinds.push_back(v);
      for (std::uint32_t r : w.graph.readers_of(v))
        if (last_reader_[v] < position_[r]) last_reader_[v] = position_[r];
    }
  }

  /// Starts an empty run at a position of the order.
  constexpr void start(std::uint32_t first) {
    first_ = last_ = first;
    chain_ = 0x51ED270B;
    open_ = 0;
    others_ = 0;
    ++now_;
  }
  /// Adds the next operator of the order and returns the signature of the run.
  constexpr std::uint64_t extend() {
    const std::uint32_t v = order_[last_];
    add(kind_[v]);
    for (const prepared_operand& o : w_->graph.operands_of(v)) {
      const std::uint32_t at = position_[o.producer];
      if (at >= first_ && at < last_) {
        add(at - first_);
        // The last reader of a result without readers after the run.
        if (last_reader_[o.producer] == last_) close(o.producer);
      } else {
        if (stamp_[o.producer] != now_) {
          stamp_[o.producer] = now_;
          outside_[o.producer] = others_++;
        }
        add(std::uint64_t{1} << 40 | outside_[o.producer]);
      }
      std::uint64_t how =
          static_cast<std::uint64_t>(o.bytes) * 4 + static_cast<std::uint64_t>(o.split);
      for (std::uint32_t u : w_->graph.overwritable_by(v))
        if (u == o.producer) how |= std::uint64_t{1} << 63;
      add(how);
    }
    closed_.clear();
    if (last_reader_[v] > last_) open_ ^= mix(last_ - first_ + 1);
    ++last_;
    return mix(chain_ ^ open_ * 3);
  }

 private:
  static constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
  }
  constexpr void add(std::uint64_t x) { chain_ = mix(chain_ + 0x9E3779B97F4A7C15u) ^ mix(x); }
  /// Records that a result has no reader after the run any more.
  constexpr void close(std::uint32_t v) {
    for (std::uint32_t done : closed_)
      if (done == v) return;
    closed_.push_back(v);
    open_ ^= mix(position_[v] - first_ + 1);
  }

  const batch_work* w_;
  view<std::uint32_t> order_;
  table<std::uint32_t> position_;
  table<std::uint32_t> last_reader_;
  table<std::uint32_t> kind_;
  table<std::uint32_t> outside_;
  table<std::uint32_t> stamp_;
  table<std::uint32_t> closed_;
  std::uint32_t first_ = 0;
  std::uint32_t last_ = 0;
  std::uint32_t others_ = 0;
  std::uint32_t now_ = 0;
  std::uint64_t chain_ = 0;
  std::uint64_t open_ = 0;
};

/// A cache of segment cycles by signature, so that copies of a planned segment need not be planned.
/// Keys are compared by their 64 bits alone, so a user must finally plan the segment it selects.
///
/// The table is divided into parts that grow independently, so no call takes long.
class segment_cache {
 public:
  /// The cycles of a key; null if it is unknown. O(1) expected.
  constexpr const std::int64_t* find(std::uint64_t key) const {
    if (parts_.empty()) return nullptr;
    const part& p = parts_[key % count];
    if (p.slots.empty()) return nullptr;
    const auto ends = [&](const slot& s) { return s.cycles == 0 || s.key == key; };
    const slot& s = p.slots[detail::probe(view<slot>(p.slots), key / count, ends)];
    return s.cycles != 0 ? &s.cycles : nullptr;
  }
  /// Adds a new key; `cycles` must be at least 1. O(1), amortised.
  constexpr void add(std::uint64_t key, std::int64_t cycles) {
    if (parts_.empty()) parts_.resize(count);
    part& p = parts_[key % count];
    if (2 * (p.size + 1) > p.slots.size()) {
      table<slot> old(p.slots.empty() ? 4 : 2 * p.slots.size());
      old.swap(p.slots);
      for (const slot& s : old)
        if (s.cycles != 0) insert(s, p);
    }
    insert({key, cycles}, p);
    ++p.size;
    ++size_;
  }
  /// Number of entries.
  constexpr std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t count = 64;
  struct slot {
    std::uint64_t key = 0;
    std::int64_t cycles = 0;  // 0: free
  };
  struct part {
    table<slot> slots;
    std::size_t size = 0;
  };
  static constexpr void insert(const slot& s, part& p) {
    const auto is_free = [](const slot& other) { return other.cycles == 0; };
    p.slots[detail::probe(view<slot>(p.slots), s.key / count, is_free)] = s;
  }

  table<part> parts_;
  std::size_t size_ = 0;
};

}  // namespace wf
