// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/hash.hpp>
#include <wf/core/container/hash_index.hpp>
#include <wf/core/text/text.hpp>
#include <wf/logic/relation/relation.hpp>

namespace wf::logic {

/// Symbols that stand for positions: the k-th symbol for position k.
class symbol_domain {
 public:
  text name;            ///< what its symbols denote: `Node`
  table<text> symbols;  ///< by position; `add` adds to them

  constexpr symbol_domain() = default;
  /// A domain without symbols.
  constexpr explicit symbol_domain(text_view named) : name(named) {}
  /// The position of a symbol; -1 if it is unknown. Expected O(size).
  constexpr position find(text_view symbol) const {
    const std::uint32_t found = by_symbol_.find(
        hash_text(symbol), [&](std::uint32_t n) { return symbols[n].view() == symbol; });
    return found == hash_index::none ? -1 : static_cast<position>(found);
  }
  /// The position of a symbol, which is added if it is new. Expected O(size).
  constexpr position add(text_view symbol) {
    if (const position known = find(symbol); known >= 0) return known;
    symbols.push_back(text(symbol));
    by_symbol_.insert(hash_text(symbol), static_cast<std::uint32_t>(symbols.size() - 1));
    return static_cast<position>(symbols.size() - 1);
  }

 private:
  hash_index by_symbol_;
};

/// A tensor or relation with its name.
struct named_relation {
  text name;                     ///< as the program has it
  relation entries;              ///< those that are present
  table<std::uint32_t> domains;  ///< by column: number of the symbols' domain, or UINT32_MAX for
                                 ///< numbers; empty: numbers only
  table<std::int64_t> extents;   ///< by column: number of positions of a dense tensor; else empty
};

/// Tensors and the symbols of their positions: the inputs of a program, and its results.
struct database {
  table<named_relation> relations;  ///< with names that differ
  table<symbol_domain> domains;     ///< by number: as columns refer to them

  /// The relation of that name, or null. O(relations).
  constexpr const named_relation* find(text_view name) const {
    for (const named_relation& r : relations)
      if (r.name.view() == name) return &r;
    return nullptr;
  }
  /// Adds a relation or sparse tensor.
  constexpr named_relation& add(text_view name, relation r, table<std::uint32_t> domains_of = {}) {
    relations.push_back({text(name),
                         static_cast<relation&&>(r),
                         static_cast<table<std::uint32_t>&&>(domains_of),
                         {}});
    return relations.back();
  }
  /// Adds a dense tensor of at most 2^31 positions; its values follow each other in row-major
  /// order.
  constexpr named_relation& add_dense(text_view name, view<std::int64_t> extents,
                                      view<double> values) {
    relation r(static_cast<std::uint32_t>(extents.size()), true);
    for (table<position>& column : r.columns) column.reserve(values.size());
    table<position> at(extents.size());
    for (const double value : values) {
      r.append(at.data(), value);
      next_position(extents, at.data());
    }
    named_relation& made = add(name, static_cast<relation&&>(r));
    made.extents = table<std::int64_t>(extents);
    return made;
  }
};

}  // namespace wf::logic
