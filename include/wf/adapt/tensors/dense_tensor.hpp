// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>

#include <wf/adapt/tensors/element_type.hpp>
#include <wf/core/integer.hpp>
#include <wf/ir/type/shape.hpp>
#include <wf/logic/relation/database.hpp>

namespace wf::tensors {

/// Most elements of a tensor: a relation numbers the positions of an axis with 31 bits.
inline constexpr std::int64_t max_elements = std::int64_t{1} << 31;

/// A tensor with a value at each of its positions, as files have it.
struct dense_tensor {
  text name;                    ///< in an archive; else empty
  table<std::int64_t> extents;  ///< number of positions along each axis
  table<double> values;         ///< in row-major order
  bool boolean = false;         ///< its values are truth values, 0 or 1

  friend constexpr bool operator==(const dense_tensor&, const dense_tensor&) = default;
};

/// The number of elements of a tensor with these extents. Errors: `bad_tensor_file` for more than
/// 8 axes, a negative extent or more than 2^31 positions, along an axis or in all. O(rank).
constexpr result<std::size_t> element_count(view<std::int64_t> extents) {
  if (extents.size() > max_rank)
    return make_error(errc::bad_tensor_file, "", "a tensor has at most 8 axes");
  int128 count = 1;
  bool empty = false;
  for (const std::int64_t e : extents) {
    if (e < 0 || e > max_elements || (!empty && count * e > max_elements))
      return make_error(errc::bad_tensor_file, "",
                        e < 0 ? "an extent is negative" : "a tensor has at most 2^31 positions");
    empty = empty || e == 0;
    count = empty ? 0 : count * e;
  }
  return static_cast<std::size_t>(count);
}

/// Adds a tensor to a database: truth values as a relation of the positions that are true, numbers
/// as a dense tensor. O(rank · elements).
constexpr logic::named_relation& add_to(logic::database& to, text_view name,
                                        const dense_tensor& t) {
  if (!t.boolean) return to.add_dense(name, t.extents, t.values);
  const auto rank = static_cast<std::uint32_t>(t.extents.size());
  logic::relation facts(rank, false);
  logic::position at[max_rank] = {};
  for (const double value : t.values) {
    if (value != 0) facts.append(at);
    logic::next_position(t.extents, at);
  }
  logic::named_relation& made = to.add(name, static_cast<logic::relation&&>(facts));
  made.extents = t.extents;
  return made;
}

/// A tensor or relation as a dense one: a relation has 1 at its facts and 0 elsewhere. The extents
/// are those that it states, or reach to its last positions. A position without an entry gets the
/// value `absent`, since that depends on the equations: 0 in a sum, infinity in a minimum. Errors:
/// `bad_tensor_file` for positions that are negative or not within the extents, for more than 2^31
/// of them, and for one without an entry if `absent` says nothing. O(rank · entries + elements).
constexpr result<dense_tensor> to_dense(const logic::named_relation& from,
                                        std::optional<double> absent = {}) {
  const logic::relation& r = from.entries;
  const auto refuse = [&](text_view why) {
    return make_error(errc::bad_tensor_file, from.name.view(), why);
  };
  dense_tensor out;
  out.name = from.name;
  out.boolean = !r.valued;
  out.extents = from.extents.empty() ? table<std::int64_t>(r.rank) : from.extents;
  if (out.extents.size() != r.rank) return refuse("it has not one extent for each index");
  for (std::uint32_t c = 0; c < r.rank; ++c)
    for (const logic::position p : r.columns[c]) {
      if (p < 0) return refuse("a dense tensor has no negative positions");
      if (from.extents.empty() && out.extents[c] <= p) out.extents[c] = std::int64_t{p} + 1;
      if (out.extents[c] <= p) return refuse("a position lies outside of the extents");
    }
  const auto count = element_count(out.extents);
  if (!count) return refuse(count.error().message.view());
  if (r.valued && r.rows < *count && !absent)
    return refuse((text() << "it has " << r.rows << " entries at " << *count
                          << " positions: say what the others are worth")
                      .view());
  out.values = table<double>(*count, r.valued && absent ? *absent : 0.0);
  for (std::size_t row = 0; row < r.rows; ++row) {
    std::int64_t at = 0;
    for (std::uint32_t c = 0; c < r.rank; ++c) at = at * out.extents[c] + r.columns[c][row];
    out.values[static_cast<std::size_t>(at)] = r.valued ? r.values[row] : 1;
  }
  return out;
}

}  // namespace wf::tensors
