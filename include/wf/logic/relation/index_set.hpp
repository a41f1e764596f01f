// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/relation/groups.hpp>

namespace wf::logic::detail {

/// Indices of the rows of tables, made on demand. A table is a tensor, or the different positions
/// in some columns of one: its projection.
class index_set {
 public:
  /// The number of the index of a table by some columns, `counted`: it knows how
  /// many rows each key has. O(indices).
  constexpr std::uint32_t find(std::uint32_t of, view<std::uint32_t> key, bool counted = false) {
    std::uint32_t i = 0;
    while (i < list_.size() && !(list_[i].of == of && list_[i].key == table<std::uint32_t>(key)))
      ++i;
    if (i == list_.size()) list_.push_back({of, table<std::uint32_t>(key), {}, false, false});
    list_[i].counted = list_[i].counted || counted;
    return i;
  }
  /// The number of the table of some columns of a tensor. O(projections).
  constexpr std::uint32_t project(std::uint32_t tensor, view<std::uint32_t> columns) {
    std::uint32_t i = 0;
    while (i < projections_.size() && !(projections_[i].tensor == tensor &&
                                        projections_[i].columns == table<std::uint32_t>(columns)))
      ++i;
    if (i == projections_.size())
      projections_.push_back({tensor, table<std::uint32_t>(columns), {}, 0});
    return first_projection + i;
  }
  static constexpr bool is_projection(std::uint32_t of) { return of >= first_projection; }
  /// The tensor of a table.
  constexpr std::uint32_t tensor_of(std::uint32_t of) const {
    return is_projection(of) ? projections_[of - first_projection].tensor : of;
  }
  /// The rows of a table, those of a projection as of the last call of `extended`.
  constexpr const tensor_store& store(std::uint32_t of, view<tensor_store> stores) const {
    return is_projection(of) ? projections_[of - first_projection].store : stores[of];
  }
  /// Adds to a projection what its tensor's store has got since. O(new rows).
  constexpr void extend(std::uint32_t of, view<tensor_store> stores) {
    if (is_projection(of)) projections_[of - first_projection].extend(stores);
  }
  /// The index of that number, with all rows of the table.
  constexpr const row_groups& extended(std::uint32_t number, view<tensor_store> stores) {
    entry& e = list_[number];
    extend(e.of, stores);
    const tensor_store& rows = store(e.of, stores);
    if (!e.made) e.groups = row_groups(e.key);
    e.made = true;
    if (e.counted) e.groups.count(rows);
    e.groups.extend(rows);
    return e.groups;
  }
  constexpr const row_groups& operator[](std::uint32_t number) const {
    return list_[number].groups;
  }
  /// Packs the indices of tables that have grown (`row_groups::pack`).
  constexpr void pack() {
    for (entry& e : list_) e.groups.pack();
  }
  /// Drops what is known of a tensor's rows: its store was replaced.
  constexpr void forget(std::uint32_t tensor) {
    for (entry& e : list_)
      if (tensor_of(e.of) == tensor) e.made = false;
    for (projection_of& p : projections_)
      if (p.tensor == tensor) p.store = {}, p.seen = 0;
  }

 private:
  static constexpr std::uint32_t first_projection = std::uint32_t{1} << 31;

  struct entry {
    std::uint32_t of = 0;
    table<std::uint32_t> key;
    row_groups groups;
    bool made = false, counted = false;
  };
  struct projection_of {
    std::uint32_t tensor = 0;
    table<std::uint32_t> columns;
    tensor_store store;
    std::uint32_t seen = 0;  // rows of the tensor that are in it

    constexpr void extend(view<tensor_store> stores) {
      const tensor_store& from = stores[tensor];
      if (seen == 0) start(from);
      for (; seen < from.rows(); ++seen) {
        position at[max_rank] = {};
        for (std::size_t c = 0; c < columns.size(); ++c) at[c] = from.at(seen, columns[c]);
        std::uint32_t row = 0;
        store.add(at, 1, projection::plain, row);
      }
    }
    constexpr void start(const tensor_store& from) {
      store = tensor_store(static_cast<std::uint32_t>(columns.size()), false);
      table<column_bounds> bounds;
      for (const std::uint32_t c : columns) bounds.push_back(bounds_of(from.entries().columns[c]));
      store.bound(bounds, std::uint64_t{64} * from.rows() + 1024);
    }
  };
  table<entry> list_;
  table<projection_of> projections_;
};

}  // namespace wf::logic::detail
