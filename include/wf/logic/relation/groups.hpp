// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/relation/store.hpp>

namespace wf::logic::detail {

/// The rows of a store by the positions in some of its columns, the key. Rows of one key form a
/// chain, the youngest first; the index grows with the store. A key of few possible positions is
/// found in a table, another by its hash. Chains can be packed, so that what is read often is read
/// in order.
class row_groups {
 public:
  constexpr row_groups() = default;
  /// An index of no rows by the listed columns, of which there is at least one.
  constexpr explicit row_groups(view<std::uint32_t> key) : key_(key) {}
  /// An index of all rows of a store.
  constexpr row_groups(const tensor_store& s, view<std::uint32_t> key) : key_(key) { extend(s); }

  constexpr view<std::uint32_t> key() const { return key_; }

  /// Adds the rows that the store has got since. O(new rows), or of all rows once they leave the
  /// bounds of the table.
  constexpr void extend(const tensor_store& s) {
    if (rows() == s.rows()) return;
    if (!is_within(s)) rebuild(s);
    next_.reserve(s.rows() - packed_.size());
    for (auto row = static_cast<std::uint32_t>(rows()); row < s.rows(); ++row) {
      const std::size_t g = group(s, row);
      next_.push_back(heads_[g]);
      heads_[g] = row;
      if (counted_) add_count(g);
    }
  }
  /// Keeps the number of rows of each group from now on. O(rows) for a store with rows.
  constexpr void count(const tensor_store& s) {
    if (counted_) return;
    counted_ = true;
    for (std::uint32_t row = 0; row < rows(); ++row) add_count(group(s, row));
  }
  /// After `count`: the number of rows with a key.
  constexpr std::uint32_t count_of(const position* key) const {
    const std::size_t g = group_of(key);
    return g >= counts_.size() ? 0 : counts_[g];
  }
  /// After `count`: the greatest number of rows with one key.
  constexpr std::uint32_t longest() const { return longest_; }

  /// Calls `visit(row)` for the rows with a key that are older than row `before`, the youngest
  /// first, until it returns false. False if it did.
  template <class Visit>
  constexpr bool each(const position* key, std::uint32_t before, const Visit& visit) const {
    const std::size_t g = group_of(key);
    if (g == heads_.size()) return true;
    for (std::uint32_t r = heads_[g]; r != hash_index::none; r = next_[r - packed_.size()])
      if (r < before && !visit(r)) return false;
    if (g + 1 >= starts_.size()) return true;
    const std::uint32_t* const first = packed_.data() + starts_[g];
    for (const std::uint32_t* r = packed_.data() + starts_[g + 1]; r != first;)
      if (--r; *r < before && !visit(*r)) return false;
    return true;
  }
  /// Packs the chains if more rows than `least` and a fourth of the packed ones are not packed.
  /// O(rows), amortised O(1) for each new row.
  constexpr void pack(std::size_t least = 1024) {
    if (next_.size() <= packed_.size() / 4 + least) return;
    table<std::uint32_t> starts, packed;
    starts.reserve(heads_.size() + 1);
    packed.reserve(rows());
    for (std::size_t g = 0; g < heads_.size(); ++g) {
      starts.push_back(static_cast<std::uint32_t>(packed.size()));
      if (g + 1 < starts_.size())
        for (std::uint32_t i = starts_[g]; i < starts_[g + 1]; ++i) packed.push_back(packed_[i]);
      const std::size_t first = packed.size();
      for (std::uint32_t r = heads_[g]; r != hash_index::none; r = next_[r - packed_.size()])
        packed.push_back(r);
      for (std::size_t i = first, k = packed.size(); i + 1 < k; ++i) {
        const std::uint32_t youngest = packed[i];
        packed[i] = packed[--k];
        packed[k] = youngest;
      }
    }
    starts.push_back(static_cast<std::uint32_t>(packed.size()));
    starts_.swap(starts);
    packed_.swap(packed);
    next_ = {};
    for (std::uint32_t& head : heads_) head = hash_index::none;
  }

 private:
  // The number of rows that it has.
  constexpr std::size_t rows() const { return packed_.size() + next_.size(); }
  // The number of the group of a key; that of all groups if there is none.
  constexpr std::size_t group_of(const position* key) const {
    if (direct_) {
      std::uint64_t cell = 0;
      for (std::size_t c = 0; c < key_.size(); ++c) {
        const std::uint64_t place = bounds_[c].offset(key[c]);
        if (place >= bounds_[c].size) return heads_.size();
        cell = cell * bounds_[c].size + place;
      }
      return static_cast<std::size_t>(cell);
    }
    const std::uint32_t found = find(hash(key), key);
    return found == hash_index::none ? heads_.size() : found;
  }
  constexpr std::uint64_t hash(const position* key) const {
    hasher h;
    for (std::size_t c = 0; c < key_.size(); ++c) h.word(static_cast<std::uint32_t>(key[c]));
    return h.value();
  }
  // The number of the group of a key among those that are hashed.
  constexpr std::uint32_t find(std::uint64_t hash_of_key, const position* key) const {
    return hashed_.find(hash_of_key, [&](std::uint32_t g) {
      for (std::size_t c = 0; c < key_.size(); ++c)
        if (keys_[g * key_.size() + c] != key[c]) return false;
      return true;
    });
  }

  constexpr bool is_within(const tensor_store& s) const {
    if (bounds_.empty()) return false;
    if (!direct_) return true;
    for (std::size_t c = 0; c < key_.size(); ++c) {
      const table<position>& column = s.entries().columns[key_[c]];
      for (std::size_t row = rows(); row < s.rows(); ++row)
        if (bounds_[c].offset(column[row]) >= bounds_[c].size) return false;
    }
    return true;
  }
  // Starts again with the bounds of all rows; those of a table do not hold for long if rows left
  // them before.
  constexpr void rebuild(const tensor_store& s) {
    const bool left = rows() != 0;
    bounds_ = {};
    next_ = starts_ = packed_ = {};
    keys_ = {};
    hashed_ = {};
    counts_ = {};
    longest_ = 0;
    const std::uint64_t most = 4 * s.rows() + 1024;
    std::uint64_t cells = 1;
    for (const std::uint32_t c : key_) {
      bounds_.push_back(bounds_of(s.entries().columns[c]));
      cells = cells > most ? cells : cells * bounds_.back().size;
    }
    direct_ = cells <= most && !left;
    heads_ = table<std::uint32_t>(direct_ ? static_cast<std::size_t>(cells) : 0, hash_index::none);
  }
  constexpr void add_count(std::size_t group) {
    if (counts_.size() < heads_.size()) counts_.resize(heads_.size());
    const std::uint32_t now = ++counts_[group];
    longest_ = now > longest_ ? now : longest_;
  }
  // The number of the group of a row, which is made if it is new.
  constexpr std::size_t group(const tensor_store& s, std::uint32_t row) {
    position key[max_rank] = {};
    for (std::size_t c = 0; c < key_.size(); ++c) key[c] = s.at(row, key_[c]);
    if (direct_) {
      std::uint64_t cell = 0;
      for (std::size_t c = 0; c < key_.size(); ++c)
        cell = cell * bounds_[c].size + bounds_[c].offset(key[c]);
      return static_cast<std::size_t>(cell);
    }
    const std::uint64_t h = hash(key);
    const std::uint32_t found = find(h, key);
    if (found != hash_index::none) return found;
    const auto made = static_cast<std::uint32_t>(heads_.size());
    hashed_.insert(h, made);
    heads_.push_back(hash_index::none);
    for (std::size_t c = 0; c < key_.size(); ++c) keys_.push_back(key[c]);
    return made;
  }

  table<std::uint32_t> key_;
  bool direct_ = false;
  table<column_bounds> bounds_;
  table<std::uint32_t> heads_, next_;     // by group; by row that is not packed
  table<std::uint32_t> starts_, packed_;  // by group: where its packed rows begin
  table<position> keys_;
  hash_index hashed_;
  bool counted_ = false;
  table<std::uint32_t> counts_;  // by group
  std::uint32_t longest_ = 0;
};

}  // namespace wf::logic::detail
