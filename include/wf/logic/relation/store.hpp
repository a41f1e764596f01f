// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/tree.hpp>
#include <wf/core/container/hash.hpp>
#include <wf/core/container/hash_index.hpp>
#include <wf/logic/relation/bit_rows.hpp>
#include <wf/logic/relation/relation.hpp>
#include <wf/registry/element_value.hpp>

namespace wf::logic::detail {

/// Where a store finds an entry by its positions.
enum class lookup_kind : std::uint8_t {
  hashed,  ///< a hash of the positions
  bits,    ///< one bit for every position within bounds; Boolean tensors only
  places,  ///< the number of a row for every position within bounds
  dense,   ///< an entry at every position within bounds, in lexicographic order
};

/// The outcome of adding an entry to a store.
enum class added : std::uint8_t { nothing, value, row };

/// How values at one position are combined: by a projection, or by its operator.
struct value_sum {
  projection how = projection::plain;
  const kernel_spec* by = nullptr;  // of `projection::combined`

  constexpr value_sum(projection p) : how(p) {}
  constexpr value_sum(projection p, const kernel_spec* k) : how(p), by(k) {}

  /// Adds to a value; true if it may have changed.
  constexpr bool add(double& present, double v) const {
    if (is_extreme(how)) {
      if (how == projection::minimum ? !(v < present) : !(present < v)) return false;
      present = v;
    } else if (how == projection::combined) {
      double sum = present;
      if (!element_value(*by, present, v, sum)) sum = std::numeric_limits<double>::quiet_NaN();
      if (sum == present) return false;
      present = sum;
    } else {
      present += v;
    }
    return true;
  }
};

/// The entries of a tensor while they are computed: rows that only grow in number, found by their
/// positions. Values of present rows may change.
class tensor_store {
 public:
  constexpr tensor_store() = default;
  constexpr tensor_store(std::uint32_t rank, bool valued) : entries_(rank, valued) {}
  /// Takes the entries of a relation, of which no two stand at the same positions. They cannot be
  /// found before `index`.
  constexpr explicit tensor_store(relation r)
      : entries_(static_cast<relation&&>(r)), indexed_(false) {}
  /// Reads entries, of which no two stand at the same positions, where they are, until it is
  /// changed; they must stay there. They cannot be found before `index`.
  constexpr explicit tensor_store(const relation* r) : given_(r), indexed_(false) {}
  /// Likewise of a dense tensor, in row-major order.
  constexpr tensor_store(const relation* r, view<std::int64_t> extents)
      : given_(r), kind_(lookup_kind::dense) {
    for (const std::int64_t extent : extents)
      bounds_.push_back({0, static_cast<std::uint64_t>(extent)});
  }
  /// Takes the values of a tensor that has one at every position within bounds, in lexicographic
  /// order. The positions are listed on demand.
  constexpr tensor_store(view<column_bounds> columns, table<double> values)
      : entries_(static_cast<std::uint32_t>(columns.size()), true),
        kind_(lookup_kind::dense),
        bounds_(columns),
        listed_(false) {
    entries_.rows = values.size();
    entries_.values = static_cast<table<double>&&>(values);
  }
  /// Takes the entries of a Boolean tensor from bits: the last column runs along a row, whose
  /// number is made of the other columns'. They are listed on demand.
  constexpr tensor_store(std::uint32_t rank, view<column_bounds> columns, bit_rows bits)
      : entries_(rank, false), kind_(lookup_kind::bits), bounds_(columns), listed_(false) {
    bits_ = static_cast<bit_rows&&>(bits);
    entries_.rows = bits_.count();
  }

  /// The entries, which must be listed.
  constexpr const relation& entries() const { return given_ != nullptr ? *given_ : entries_; }
  constexpr std::size_t rows() const { return entries().rows; }
  /// The values of the entries, which need not be listed.
  constexpr view<double> values() const { return entries().values; }
  /// Takes the values of a dense tensor away, which then is empty.
  constexpr table<double> release() {
    own();
    table<double> out(static_cast<table<double>&&>(entries_.values));
    *this = tensor_store(entries_.rank, true);
    return out;
  }
  /// Copies entries that are elsewhere.
  constexpr void own() {
    if (given_ == nullptr) return;
    entries_ = *given_;
    given_ = nullptr;
  }
  constexpr bool listed() const { return listed_; }
  /// The bits of a store of that kind.
  constexpr const bit_rows& bits() const { return bits_; }
  constexpr lookup_kind kind() const { return kind_; }
  constexpr view<column_bounds> bounds() const { return bounds_; }
  /// The bounds of the positions in a column of a dense store, or of one that is listed.
  constexpr column_bounds bounds_in(std::uint32_t column) const {
    return kind_ == lookup_kind::dense ? bounds_[column] : bounds_of(entries().columns[column]);
  }
  /// Lists the entries that are known as bits only, in lexicographic order. O(cells / 64 + rows).
  constexpr void list() {
    if (listed_) return;
    listed_ = true;
    for (table<position>& column : entries_.columns) column = table<position>(entries_.rows);
    if (kind_ == lookup_kind::dense) return list_all();
    const std::uint32_t last = entries_.rank - 1;
    std::size_t at = 0;
    for (std::size_t r = 0; r < bits_.rows(); ++r) {
      const std::size_t before = at;
      position* const out = entries_.columns[last].data();
      const column_bounds along = bounds_[last];
      wf::detail::each_bit(bits_.row(r), bits_.width(),
                           [&](std::uint32_t bit) { out[at++] = along.at(bit); });
      position first[max_rank] = {};
      positions_of_row(r, first);
      for (std::uint32_t c = 0; c < last; ++c) {
        position* const column = entries_.columns[c].data();
        for (std::size_t i = before; i < at; ++i) column[i] = first[c];
      }
    }
  }
  /// Sets a bit of a store of bits; true if it was not set. The entry is listed if the others are.
  constexpr bool set_bit(std::size_t row, std::size_t bit) {
    if (!bits_.set(row, bit)) return false;
    if (!listed_) return ++entries_.rows, true;
    position at[max_rank] = {};
    positions_of_row(row, at);
    at[entries_.rank - 1] = bounds_[entries_.rank - 1].at(bit);
    entries_.append(at);
    return true;
  }
  /// Lists the entries in lexicographic order; `index` them before they are looked for.
  constexpr void sort() {
    if (!listed_) return list();
    if (kind_ == lookup_kind::dense || is_sorted(entries())) return;
    entries_ = sorted(entries());
    given_ = nullptr;
    kind_ = lookup_kind::hashed;
    hashed_ = {};
    indexed_ = false;
  }
  /// Appends an entry at a new position to a store without bits. It cannot be found before `index`.
  constexpr void append(const position* at, double v) {
    give_up_order();
    own();
    entries_.append(at, v);
    indexed_ = false;
  }
  /// Makes entries that were taken as a whole findable. O(rows).
  constexpr void index() {
    if (indexed_) return;
    indexed_ = true;
    if (kind_ == lookup_kind::hashed) hashed_.reserve(rows());
    for (std::uint32_t i = 0; i < rows(); ++i) index(i);
  }
  constexpr std::uint32_t rank() const { return entries().rank; }
  constexpr bool valued() const { return entries().valued; }
  constexpr position at(std::uint32_t row, std::uint32_t column) const {
    return entries().columns[column][row];
  }
  constexpr double value(std::uint32_t row) const { return entries().values[row]; }
  constexpr void set_value(std::uint32_t row, double v) {
    own();
    entries_.values[row] = v;
  }

  /// Finds entries by a table of all positions within bounds, if it has at most `most` cells. The
  /// store must be empty. A row out of bounds makes it hash.
  constexpr void bound(view<column_bounds> columns, std::uint64_t most) {
    std::uint64_t cells = 1;
    for (const column_bounds& b : columns) {
      if (b.size != 0 && cells > most / b.size) return;
      cells *= b.size;
    }
    if (cells > most || entries_.rank == 0) return;
    bounds_ = table<column_bounds>(columns);
    kind_ = entries_.valued ? lookup_kind::places : lookup_kind::bits;
    if (entries_.valued) {
      places_ = table<std::uint32_t>(static_cast<std::size_t>(cells), hash_index::none);
    } else {
      const std::uint64_t width = columns[entries_.rank - 1].size;
      bits_ = bit_rows(static_cast<std::size_t>(width == 0 ? 0 : cells / width),
                       static_cast<std::size_t>(width));
    }
  }

  /// The number of the row at some positions, or `hash_index::none`. Not for stores with bits.
  constexpr std::uint32_t find(const position* at) const {
    if (rank() == 0) return rows() == 0 ? hash_index::none : 0;
    if (kind_ == lookup_kind::hashed)
      return hashed_.find(hash(at), [&](std::uint32_t row) { return same(row, at); });
    std::uint64_t cell = 0;
    if (!within(at, cell)) return hash_index::none;
    return kind_ == lookup_kind::dense ? static_cast<std::uint32_t>(cell)
                                       : places_[static_cast<std::size_t>(cell)];
  }
  /// True if there is a row at some positions.
  constexpr bool contains(const position* at) const {
    if (kind_ != lookup_kind::bits) return find(at) != hash_index::none;
    std::uint64_t row = 0, bit = 0;
    return within(at, row, bit) &&
           bits_.test(static_cast<std::size_t>(row), static_cast<std::size_t>(bit));
  }

  /// Adds an entry; a value that is there already is combined with the new one. `row` becomes the
  /// number of its row.
  constexpr added add(const position* at, double v, const value_sum& how, std::uint32_t& row) {
    if (kind_ == lookup_kind::bits) return add_bit(at, row);
    row = find(at);
    own();
    if (row == hash_index::none) {
      if (kind_ == lookup_kind::dense) give_up_order(), index();
      row = static_cast<std::uint32_t>(entries_.rows);
      entries_.append(at, v);
      index(row);
      return added::row;
    }
    if (!entries_.valued) return added::nothing;
    return how.add(entries_.values[row], v) ? added::value : added::nothing;
  }

 private:
  // Lists the positions of a dense tensor.
  constexpr void list_all() {
    std::uint64_t repeats = 1;
    for (std::uint32_t c = entries_.rank; c-- > 0;) {
      position* out = entries_.columns[c].data();
      position* const end = out + entries_.rows;
      for (std::uint64_t place = 0; out != end;
           place = place + 1 == bounds_[c].size ? 0 : place + 1)
        for (std::uint64_t i = 0; i < repeats; ++i) *out++ = bounds_[c].at(place);
      repeats *= bounds_[c].size;
    }
  }
  // The entries of a dense tensor, which is to have others, are those of any one; not findable.
  constexpr void give_up_order() {
    if (kind_ != lookup_kind::dense) return;
    own();
    list();
    kind_ = lookup_kind::hashed;
    hashed_ = {};
    indexed_ = false;
  }
  // The positions of a row of bits, but for the last one.
  constexpr void positions_of_row(std::size_t row, position* at) const {
    std::uint64_t rest = row;
    for (std::uint32_t c = entries_.rank - 1; c-- > 0; rest /= bounds_[c].size)
      at[c] = bounds_[c].at(rest % bounds_[c].size);
  }
  constexpr bool within(const position* at, std::uint64_t& cell) const {
    std::uint64_t row = 0, last = 0;
    if (!within(at, row, last)) return false;
    cell = row * bounds_[rank() - 1].size + last;
    return true;
  }
  // The number of a row, made of all positions but the last one, and the place in it.
  constexpr bool within(const position* at, std::uint64_t& row, std::uint64_t& last) const {
    row = 0;
    const std::uint32_t columns = rank();
    for (std::uint32_t c = 0; c < columns; ++c) {
      const column_bounds& b = bounds_[c];
      last = b.offset(at[c]);
      if (last >= b.size) return false;
      if (c + 1 < columns) row = row * b.size + last;
    }
    return true;
  }
  constexpr added add_bit(const position* at, std::uint32_t& row) {
    std::uint64_t in = 0, bit = 0;
    if (!within(at, in, bit)) {
      rehash();
      return add(at, 1, projection::plain, row);
    }
    list();
    if (!bits_.set(static_cast<std::size_t>(in), static_cast<std::size_t>(bit)))
      return added::nothing;
    row = static_cast<std::uint32_t>(entries_.rows);
    entries_.append(at);
    return added::row;
  }
  constexpr void index(std::uint32_t row) {
    if (rank() == 0) return;
    position at[max_rank] = {};
    entries().positions(row, at);
    std::uint64_t cell = 0;
    if (kind_ == lookup_kind::hashed)
      hashed_.insert(hash(at), row);
    else if (within(at, cell))
      places_[static_cast<std::size_t>(cell)] = row;
    else
      rehash();
  }
  // Gives up the table of cells.
  constexpr void rehash() {
    kind_ = lookup_kind::hashed;
    bits_ = {};
    places_ = {};
    hashed_.reserve(rows());
    for (std::uint32_t i = 0; i < rows(); ++i) index(i);
  }
  constexpr std::uint64_t hash(const position* at) const {
    hasher h;
    const std::uint32_t columns = rank();
    for (std::uint32_t c = 0; c < columns; ++c) h.word(static_cast<std::uint32_t>(at[c]));
    return h.value();
  }
  constexpr bool same(std::uint32_t row, const position* at) const {
    const table<table<position>>& columns = entries().columns;
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (columns[c][row] != at[c]) return false;
    return true;
  }

  relation entries_;
  const relation* given_ = nullptr;  // the entries, if they are elsewhere
  lookup_kind kind_ = lookup_kind::hashed;
  table<column_bounds> bounds_;
  bit_rows bits_;
  table<std::uint32_t> places_;
  hash_index hashed_;
  bool indexed_ = true, listed_ = true;
};

}  // namespace wf::logic::detail
