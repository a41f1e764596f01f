// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/spelling.hpp>
#include <wf/logic/evaluate/evaluate.hpp>

namespace wf::logic::detail {

/// True if two stores have the same entries with the same values.
constexpr bool are_equal(tensor_store& a, tensor_store& b) {
  if (a.rows() != b.rows()) return false;
  a.list();
  b.list();
  const relation& r = a.entries();
  if (r.columns == b.entries().columns) return !r.valued || r.values == b.entries().values;
  b.index();
  position at[max_rank] = {};
  for (std::uint32_t row = 0; row < r.rows; ++row) {
    r.positions(row, at);
    if (!b.contains(at)) return false;
    if (r.valued && b.value(b.find(at)) != r.values[row]) return false;
  }
  return true;
}

/// What an update changes in one tensor: facts in the numbers of the session's symbols.
struct tensor_change {
  std::uint32_t tensor = 0;  ///< number in the program
  relation added, removed;
  bool lost = false;     ///< facts went, or have other values
  std::size_t rows = 0;  ///< without what is added
  relation before;       ///< the facts before, if some were lost
};

/// Reads the facts of an update, and changes the inputs by them.
class input_change {
 public:
  /// `binding` is that of the inputs.
  constexpr input_change(const tensor_program& p, const input_binding& binding, database& inputs)
      : program_(p), binding_(binding), inputs_(inputs) {}

  /// Reads the facts. The inputs may get symbols, and relations without facts. Errors:
  /// `unknown_argument`, `argument_shape`.
  constexpr error read(const database& added, const database& removed) {
    for (const database* each : {&removed, &added})
      for (const named_relation& r : each->relations)
        if (error e = read(*each, r, each == &added); e.code != errc::none) return e;
    return {};
  }
  /// What changes, by tensor.
  constexpr view<tensor_change> changes() const { return changes_; }
  /// True if the inputs must be bound anew: there are new symbols, or positions that rules run
  /// through, or facts of a tensor that had none.
  constexpr bool rebinds() const { return rebinds_; }

  /// Takes facts out of the inputs and puts others in, and so in the store of an input, if there is
  /// an engine. Counts those that were there, or were not. O(changes), or O(rows) of a tensor that
  /// loses facts, has rules, or without an engine.
  constexpr void apply(rule_engine* engine, std::uint64_t& added, std::uint64_t& removed) {
    for (tensor_change& c : changes_) {
      relation& to = inputs_.relations[place_of(c.tensor)].entries;
      const bool direct = engine != nullptr && !program_.tensors[c.tensor].defined;
      tensor_store own;
      if (!direct) own = tensor_store(to);
      tensor_store& known = direct ? engine->store(c.tensor) : own;
      known.index();
      if (const std::uint64_t gone = remove(c, known, to); gone != 0) {
        removed += gone;
        if (direct)
          engine->replace(c.tensor, tensor_store(to));
        else
          own = tensor_store(to);
        known.index();
      }
      c.rows = to.rows;
      added += add(c, known, to);
    }
  }
  /// Makes the facts those of before `apply`.
  constexpr void undo() {
    for (tensor_change& c : changes_) {
      relation& to = inputs_.relations[place_of(c.tensor)].entries;
      if (c.lost) {
        to = static_cast<relation&&>(c.before);
        continue;
      }
      for (table<position>& column : to.columns) column.resize(c.rows);
      if (to.valued) to.values.resize(c.rows);
      to.rows = c.rows;
    }
  }

 private:
  // Takes facts out of a relation; returns how many.
  static constexpr std::uint64_t remove(tensor_change& c, const tensor_store& known, relation& to) {
    table<bool> gone(c.removed.rows == 0 ? 0 : to.rows);
    std::uint64_t count = 0;
    position at[max_rank] = {};
    for (std::size_t i = 0; i < c.removed.rows; ++i) {
      c.removed.positions(i, at);
      const std::uint32_t row = known.find(at);
      if (row == hash_index::none) continue;
      count += !gone[row];
      gone[row] = true;
    }
    if (count == 0) return 0;
    c.lost = true;
    relation kept(to.rank, to.valued);
    for (std::size_t row = 0; row < to.rows; ++row) {
      if (gone[row]) continue;
      to.positions(row, at);
      kept.append(at, to.valued ? to.values[row] : 1);
    }
    c.before = static_cast<relation&&>(to);
    to = static_cast<relation&&>(kept);
    return count;
  }
  // Puts facts into a relation and its store; returns how many were new.
  static constexpr std::uint64_t add(tensor_change& c, tensor_store& known, relation& to) {
    std::uint64_t count = 0;
    position at[max_rank] = {};
    for (std::size_t i = 0; i < c.added.rows; ++i) {
      c.added.positions(i, at);
      const double value = c.added.valued ? c.added.values[i] : 1;
      std::uint32_t row = known.find(at);
      if (row == hash_index::none) {
        (void)known.add(at, value, projection::sum, row);
        to.append(at, value);
        ++count;
        continue;
      }
      if (!to.valued) continue;
      if (to.values[row] == value) continue;
      if (!c.lost) {
        c.before = to;
        for (table<position>& column : c.before.columns) column.resize(c.rows);
        c.before.values.resize(c.rows);
        c.before.rows = c.rows;
      }
      c.lost = true;
      to.values[row] = value;
      known.set_value(row, value);
      ++count;
    }
    return count;
  }

  constexpr std::size_t place_of(std::uint32_t tensor) const {
    const text_view name = program_.tensors[tensor].name.view();
    std::size_t i = 0;
    while (i < inputs_.relations.size() && !(inputs_.relations[i].name.view() == name)) ++i;
    return i;
  }
  // The tensor that facts are for; `none` for an input that no rule reads.
  constexpr error find(const named_relation& r, std::uint32_t& out) const {
    table<text_view> known;
    out = none;
    for (std::uint32_t t = 0; t < program_.tensors.size(); ++t) {
      const tensor_info& info = program_.tensors[t];
      if (info.temporary || !info.ranked) continue;
      known.push_back(info.name.view());
      if (info.name.view() == r.name.view()) out = t;
    }
    if (out == none && inputs_.find(r.name.view()) != nullptr) return {};
    if (out == none)
      return make_error(errc::unknown_argument, r.name.view(),
                        unknown_name_message("tensor", r.name.view(), known).view());
    const tensor_info& info = program_.tensors[out];
    if (info.sealed || info.rank != r.entries.rank || info.boolean == r.entries.valued)
      return make_error(errc::argument_shape, r.name.view(),
                        info.sealed ? text_view("is computed, and takes no facts of its own")
                                    : "the facts have another rank or kind than the tensor");
    return {};
  }
  // The relation of the inputs with facts of a tensor, which is made if there is none, with the
  // domains of the same names.
  constexpr named_relation& input_of(std::uint32_t tensor, const database& from,
                                     const named_relation& like) {
    const std::size_t place = place_of(tensor);
    if (place != inputs_.relations.size()) return inputs_.relations[place];
    rebinds_ = true;
    table<std::uint32_t> domains;
    for (const std::uint32_t own : like.domains) {
      std::uint32_t d = none;
      for (std::uint32_t i = 0; own != none && i < inputs_.domains.size(); ++i)
        if (inputs_.domains[i].name.view() == from.domains[own].name.view()) d = i;
      if (own != none && d == none) {
        d = static_cast<std::uint32_t>(inputs_.domains.size());
        inputs_.domains.push_back(symbol_domain(from.domains[own].name.view()));
      }
      domains.push_back(d);
    }
    return inputs_.add(like.name.view(), relation(like.entries.rank, like.entries.valued),
                       static_cast<table<std::uint32_t>&&>(domains));
  }
  constexpr tensor_change& change_of(std::uint32_t tensor) {
    for (tensor_change& c : changes_)
      if (c.tensor == tensor) return c;
    const tensor_info& info = program_.tensors[tensor];
    const relation none_yet(info.rank, !info.boolean);
    changes_.push_back({tensor, none_yet, none_yet, false, 0, {}});
    return changes_.back();
  }
  constexpr error read(const database& from, const named_relation& r, bool adds) {
    std::uint32_t t = none;
    if (error e = find(r, t); e.code != errc::none) return e;
    if (r.entries.rows == 0 || t == none) return {};
    const table<std::uint32_t> domains = input_of(t, from, r).domains;
    for (std::uint32_t c = 0; c < r.entries.rank; ++c)
      if ((r.domains.empty() || r.domains[c] == none) != (domains.empty() || domains[c] == none))
        return make_error(
            errc::argument_shape, r.name.view(),
            (text() << "index " << c + 1 << " has symbols here or in the inputs, and not in both")
                .view());
    for (const axis_info& a : program_.axes) rebinds_ = rebinds_ || a.members == t;
    tensor_change& to = change_of(t);
    relation& rows = adds ? to.added : to.removed;
    position at[max_rank] = {};
    for (std::size_t row = 0; row < r.entries.rows; ++row) {
      r.entries.positions(row, at);
      bool known = true;
      for (std::uint32_t c = 0; c < r.entries.rank; ++c) {
        if (!domains.empty() && domains[c] != none)
          at[c] = number_of(from.domains[r.domains[c]].symbols[static_cast<std::size_t>(at[c])],
                            domains[c], adds);
        known = known && (domains.empty() || domains[c] == none || at[c] >= 0);
        check_axis(program_.axes_of[program_.tensors[t].axes.first + c], at[c], adds);
      }
      if (known) rows.append(at, r.entries.valued ? r.entries.values[row] : 1);
    }
    return {};
  }
  // The number of a symbol in the inputs, where it is added, unless it is to be removed: then -1.
  constexpr position number_of(const text& symbol, std::uint32_t domain, bool adds) {
    position n = inputs_.domains[domain].find(symbol.view());
    if (n < 0 && !adds) return -1;
    if (n < 0) n = inputs_.domains[domain].add(symbol.view());
    const auto place = static_cast<std::size_t>(n);
    const bool bound = domain < binding_.domains.size() &&
                       place < binding_.domains[domain].symbols.size() &&
                       binding_.domains[domain].symbols[place] == symbol;
    rebinds_ = rebinds_ || !bound;
    return n;
  }
  // Rules may run through the positions that occur along an axis.
  constexpr void check_axis(std::uint32_t axis, position p, bool adds) {
    const axis_binding& a = binding_.axes[axis];
    if (a.positions.empty()) return;
    bool found = false;
    for (const position each : a.positions) found = found || each == p;
    rebinds_ = rebinds_ || (adds ? !found : a.extent < 0);
  }

  const tensor_program& program_;
  const input_binding& binding_;
  database& inputs_;
  table<tensor_change> changes_;
  bool rebinds_ = false;
};

}  // namespace wf::logic::detail
