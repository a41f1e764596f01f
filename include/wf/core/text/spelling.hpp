// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/text/text.hpp>
#include <wf/core/text/view.hpp>

namespace wf {

/// The number of single-character edits (insert, delete, replace, exchange of two neighbours) that
/// turn `a` into `b`. O(|a| |b|) time, O(|b|) space. Source: the "optimal string alignment"
/// distance, Damerau 1964 restricted to one edit per place.
constexpr std::size_t edit_distance(text_view a, text_view b) {
  table<std::size_t> before(b.size() + 1), previous(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(previous);
    previous.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      std::size_t best = previous[j - 1] + (same ? 0 : 1);
      if (previous[j] + 1 < best) best = previous[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          before[j - 2] + 1 < best)
        best = before[j - 2] + 1;
      row[j] = best;
    }
  }
  return row[b.size()];
}

/// True if two names differ only in case.
constexpr bool same_but_for_case(text_view a, text_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool letter = (a[i] >= 'a' && a[i] <= 'z') || (a[i] >= 'A' && a[i] <= 'Z');
    if (a[i] != b[i] && !(letter && (a[i] ^ b[i]) == 'a' - 'A')) return false;
  }
  return true;
}

/// The known name at the smallest edit distance from `wanted`, the first of equals; a name that
/// differs only in case comes before all others. Empty if the smallest distance is more than half
/// the length of `wanted` (at least one edit), or if the name shares no character with it.
constexpr text_view nearest_name(text_view wanted, view<text_view> known) {
  text_view nearest;
  std::size_t limit = wanted.size() / 2 < 1 ? 1 : wanted.size() / 2;
  for (const text_view name : known)
    if (same_but_for_case(name, wanted)) return name;
  for (const text_view name : known) {
    const std::size_t longer = name.size() < wanted.size() ? wanted.size() : name.size();
    const std::size_t gap = 2 * longer - name.size() - wanted.size();
    if (gap > limit || name.empty()) continue;
    const std::size_t distance = edit_distance(wanted, name);
    if (distance > limit || distance >= longer || (distance == limit && !nearest.empty())) continue;
    nearest = name;
    limit = distance;
  }
  return nearest;
}

/// The message for an unknown name, such as "unknown symbol 'Mm': did you mean 'M'?"; if no known
/// name is near, it lists the first eight.
constexpr text unknown_name_message(text_view kind, text_view wanted, view<text_view> known) {
  text out;
  out << "unknown " << kind << " '" << wanted << "'";
  const text_view nearest = nearest_name(wanted, known);
  if (!nearest.empty()) {
    out << ": did you mean '" << nearest << "'?";
  } else if (!known.empty()) {
    out << "; known here: ";
    for (std::size_t i = 0; i < known.size() && i < 8; ++i) out << (i == 0 ? "" : ", ") << known[i];
    if (known.size() > 8) out << ", ...";
  }
  return out;
}

}  // namespace wf
