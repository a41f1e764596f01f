// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/evaluate/rounds.hpp>
#include <wf/logic/evaluate/row_closure.hpp>
#include <wf/logic/evaluate/row_links.hpp>
#include <wf/logic/evaluate/valued_rows.hpp>
#include <wf/logic/program/names.hpp>

namespace wf::logic::detail {

/// Evaluates a recursion by rows (`row_recursion`): closures within rows where rows do not meet,
/// else a queue of rows.
class row_evaluation {
 public:
  constexpr row_evaluation(rule_engine& engine, const stratified_program& p, const stratum& s,
                           const row_recursion& recursion)
      : engine_(engine), strata_(p), program_(p.program), stratum_(s), recursion_(recursion) {}

  /// False if the tensors do not fit the tables of positions: then nothing has been evaluated. The
  /// engine may have an error afterwards.
  constexpr bool fits() {
    if (is_valued() && !find_semiring()) {
      refusal_ = "no evaluation by rows is known over its operators";
      return false;
    }
    if (!bases() || !moves()) return true;
    if (are_within_bounds()) return true;
    refusal_ = "tables of its positions would be larger than the options allow";
    return false;
  }
  /// Why it does not fit.
  constexpr text_view refusal() const { return refusal_; }
  /// True if rows never meet: then each has its own closure.
  constexpr bool is_closure() const {
    return recursion_.tensors.size() == 1 && links_.size() == 1 && !links_[0].moves_rows &&
           !links_[0].identity;
  }
  /// After `fits`: number of words in the tables of a queue of rows.
  constexpr std::uint64_t words() const {
    const std::uint64_t in_row = is_valued() ? columns_.size : columns_.size / 64 + 1;
    return 2 * recursion_.tensors.size() * rows_.size * in_row;
  }
  /// After `fits`: number of entries and moves that are known, each of which rounds visit, too.
  constexpr std::uint64_t known() const {
    std::uint64_t out = 0;
    for (const table<contributions>* each : {&bases_, &pairs_})
      for (const contributions& c : *each) out += c.first.size();
    return out;
  }
  /// Evaluates, after `fits`. False after an error, which the engine keeps.
  constexpr bool run() {
    for (std::size_t l = 0; l < links_.size(); ++l) {
      const column_bounds& bounds = links_[l].moves_rows ? rows_ : columns_;
      if (!links_[l].identity)
        links_[l].pairs = compressed(pairs_[l], bounds, bounds,
                                     engine_.has_own_positions(recursion_.links[l].pairs));
    }
    if (columns_.size == 0 || rows_.size == 0) return finish_empty();
    if (is_closure()) return is_valued() ? close_valued() : close();
    return is_valued() ? run_valued() : run_boolean();
  }

 private:
  // Entries or pairs as they are contributed, with repetition.
  struct contributions {
    table<position> first, second;
    table<double> values;
  };

  constexpr bool are_within_bounds() const {
    const bool small = rows_.size < (1U << 31) && columns_.size < (1U << 31);
    if (is_closure()) return small && rows_.size <= most_places() && columns_.size <= most_places();
    const std::uint64_t cells = rows_.size * columns_.size;
    const std::uint64_t most = engine_.most_cells() / (is_valued() ? 32 : 1);
    return small && (columns_.size == 0 || rows_.size <= most / columns_.size) && cells <= most;
  }
  constexpr bool is_valued() const { return !program_.tensors[recursion_.tensors[0]].boolean; }
  constexpr bool has_rows() const { return program_.tensors[recursion_.tensors[0]].rank == 2; }
  // Finds the semiring of the sign and the multiplication. False if none is known.
  constexpr bool find_semiring() {
    const text_view addition = addition_name(program_.tensors[recursion_.tensors[0]]);
    for (const view<row_semiring> known :
         {view<row_semiring>(engine_.options().semirings), view<row_semiring>(built_in_semirings)})
      for (const row_semiring& s : known)
        if (s.addition == addition && (recursion_.multiplication.empty() ||
                                       s.multiplication == recursion_.multiplication.view()))
          return semiring_ = &s, true;
    return false;
  }

  // What the rules without recursion contribute, and inputs.
  constexpr bool bases() {
    bases_.resize(recursion_.tensors.size());
    if (!has_rows()) rows_.include(0);
    const auto into = [&](contributions& to) {
      return [&to, this](const position* at, double value) {
        const position row = has_rows() ? at[0] : 0, column = has_rows() ? at[1] : at[0];
        to.first.push_back(row);
        to.second.push_back(column);
        if (is_valued()) to.values.push_back(value);
        rows_.include(row);
        columns_.include(column);
        return true;
      };
    };
    for (std::uint32_t i = 0; i < recursion_.tensors.size(); ++i)
      if (recursion_.tensors[i] != none)
        engine_.for_each_given(recursion_.tensors[i], into(bases_[i]));
    for (std::uint32_t i = 0; i < stratum_.rules.count; ++i) {
      const std::uint32_t number = strata_.rules[stratum_.rules.first + i];
      if (recurs(number)) continue;
      planned_rule v{number, none, {}, 0};
      if (!engine_.apply(v, {}, into(bases_[place_of(program_.rules[number].head.tensor)])))
        return false;
    }
    return true;
  }
  constexpr std::uint32_t place_of(std::uint32_t tensor) const {
    std::uint32_t i = 0;
    while (i < recursion_.tensors.size() && recursion_.tensors[i] != tensor) ++i;
    return i;
  }
  constexpr bool recurs(std::uint32_t number) const {
    const rule& r = program_.rules[number];
    for (std::uint32_t k = 0; k < r.joins.count; ++k)
      if (place_of(program_.atoms[r.joins.first + k].tensor) < recursion_.tensors.size())
        return true;
    return false;
  }

  // The pairs of all links.
  constexpr bool moves() {
    pairs_.resize(recursion_.links.size());
    for (std::size_t l = 0; l < recursion_.links.size(); ++l) {
      const row_link& link = recursion_.links[l];
      row_moves m;
      m.from = link.from;
      m.to = link.to;
      m.moves_rows = link.moves_rows;
      m.identity = link.pairs == none;
      links_.push_back(static_cast<row_moves&&>(m));
      if (link.pairs == none) continue;
      planned_rule v{link.pairs, none, {}, 0};
      contributions& to = pairs_[l];
      column_bounds& bounds = link.moves_rows ? rows_ : columns_;
      const bool weighted = program_.rules[link.pairs].value != none;
      const bool done = engine_.apply(v, {}, [&](const position* at, double value) {
        to.first.push_back(at[0]);
        to.second.push_back(at[1]);
        if (is_valued()) to.values.push_back(weighted ? value : semiring_->one);
        bounds.include(at[1]);
        return true;
      });
      if (!done) return false;
    }
    return true;
  }

  // Turns pairs into an adjacency between places; the values of equal pairs are added, if there may
  // be some. Places out of bounds are left out.
  constexpr adjacency compressed(contributions& from, const column_bounds& first,
                                 const column_bounds& second, bool distinct) const {
    const auto places = static_cast<std::size_t>(first.size);
    adjacency to;
    to.starts = table<std::uint32_t>(places + 1, 0);
    bool in_order = true;
    std::size_t last = 0;
    for (const position at : from.first) {
      const auto p = static_cast<std::size_t>(first.offset(at));
      in_order = in_order && p >= last && p < places;
      last = p;
      if (p < places) ++to.starts[p + 1];
    }
    for (std::size_t p = 0; p < places; ++p) to.starts[p + 1] += to.starts[p];
    to.targets = table<std::uint32_t>(to.starts[places]);
    if (in_order) {
      for (std::size_t i = 0; i < from.second.size(); ++i)
        to.targets[i] = static_cast<std::uint32_t>(second.offset(from.second[i]));
      to.weights.swap(from.values);
    } else {
      scatter(from, first, second, to);
    }
    if (!distinct) unite_equal(to, static_cast<std::size_t>(second.size));
    return to;
  }
  constexpr void scatter(const contributions& from, const column_bounds& first,
                         const column_bounds& second, adjacency& to) const {
    table<std::uint32_t> next = to.starts;
    if (is_valued()) to.weights = table<double>(to.targets.size());
    for (std::size_t i = 0; i < from.first.size(); ++i) {
      const auto p = static_cast<std::size_t>(first.offset(from.first[i]));
      if (p >= to.places()) continue;
      const std::uint32_t at = next[p]++;
      to.targets[at] = static_cast<std::uint32_t>(second.offset(from.second[i]));
      if (is_valued()) to.weights[at] = from.values[i];
    }
  }
  // Leaves each target of a place once.
  constexpr void unite_equal(adjacency& of, std::size_t columns) const {
    table<std::uint32_t> stands(columns, none);  // by target: where it stands
    std::uint32_t kept = 0, next = 0;
    for (std::size_t p = 0; p < of.places(); ++p) {
      const std::uint32_t start = kept;
      for (const std::uint32_t end = of.starts[p + 1]; next < end; ++next) {
        std::uint32_t& known = stands[of.targets[next]];
        const bool seen = known != none && known >= start;
        if (!seen) {
          known = kept;
          of.targets[kept] = of.targets[next];
        }
        if (is_valued())
          of.weights[known] =
              seen ? semiring_->add(of.weights[known], of.weights[next]) : of.weights[next];
        kept += seen ? 0 : 1;
      }
      of.starts[p + 1] = kept;
    }
    of.targets.resize(kept);
    if (is_valued()) of.weights.resize(kept);
  }

  // A closure needs a few numbers for each row and column, whether something stands there or not.
  constexpr std::uint64_t most_places() const {
    const std::uint64_t most = 8 * known() + 4096;
    return most < engine_.most_cells() ? most : engine_.most_cells();
  }
  constexpr std::size_t row_at(const contributions& c, std::size_t i) const {
    return static_cast<std::size_t>(rows_.offset(c.first[i]));
  }
  constexpr std::size_t column_at(const contributions& c, std::size_t i) const {
    return static_cast<std::size_t>(columns_.offset(c.second[i]));
  }

  constexpr bool run_boolean() {
    table<boolean_rows> tensors(recursion_.tensors.size());
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      tensors[t].entries =
          bit_rows(static_cast<std::size_t>(rows_.size), static_cast<std::size_t>(columns_.size));
      for (std::size_t i = 0; i < bases_[t].first.size(); ++i)
        tensors[t].entries.set(row_at(bases_[t], i), column_at(bases_[t], i));
    }
    boolean_row_run(tensors, links_).run();
    for (std::size_t t = 0; t < tensors.size(); ++t)
      if (recursion_.tensors[t] != none)
        keep(recursion_.tensors[t], static_cast<bit_rows&&>(tensors[t].entries));
    return true;
  }
  constexpr void keep(std::uint32_t number, bit_rows&& bits) {
    const column_bounds bounds[2] = {rows_, columns_};
    const view<column_bounds> own(has_rows() ? bounds : bounds + 1, has_rows() ? 2 : 1);
    engine_.replace(
        number, tensor_store(program_.tensors[number].rank, own, static_cast<bit_rows&&>(bits)));
  }
  constexpr bool close() {
    const adjacency starts = compressed(bases_[0], rows_, columns_, false);
    row_closure closure(starts, links_[0].pairs, static_cast<std::size_t>(columns_.size),
                        engine_.most_cells());
    if (!closure.run()) return too_many();
    if (closure.has_bits()) return keep(recursion_.tensors[0], closure.take_bits()), true;
    keep(closure.take_lists());
    return true;
  }
  constexpr bool close_valued() {
    const adjacency starts = compressed(bases_[0], rows_, columns_, true);
    adjacency reached;
    const closing end =
        semiring_->close(starts, links_[0].pairs, static_cast<std::size_t>(columns_.size),
                         engine_.options().max_rounds, reached);
    if (end == closing::endless) return fail_to_converge();
    if (end == closing::too_many) return too_many();
    keep(static_cast<adjacency&&>(reached));
    return true;
  }
  constexpr bool fail_to_converge() {
    const double last = 0 - semiring_->zero;
    return detail::fail_to_converge(engine_, recursion_.tensors[0], engine_.options().max_rounds,
                                    &last);
  }
  constexpr bool too_many() {
    return engine_.fail(errc::overflow, program_.tensors[recursion_.tensors[0]].name.view(),
                        "there are more than 4,294,967,295 entries");
  }
  // Keeps what rows reach.
  constexpr void keep(adjacency&& lists) {
    relation r(has_rows() ? 2 : 1, is_valued());
    r.rows = lists.targets.size();
    for (table<position>& column : r.columns) column = table<position>(r.rows);
    position* const columns = r.columns[has_rows() ? 1 : 0].data();
    for (std::size_t i = 0; i < r.rows; ++i) columns[i] = columns_.at(lists.targets[i]);
    for (std::size_t p = 0; p < lists.places() && has_rows(); ++p)
      for (std::size_t i = lists.starts[p]; i < lists.starts[p + 1]; ++i)
        r.columns[0][i] = rows_.at(p);
    r.values.swap(lists.weights);
    engine_.replace(recursion_.tensors[0], tensor_store(static_cast<relation&&>(r)));
  }

  constexpr bool run_valued() {
    table<valued_rows> tensors;
    for (std::size_t t = 0; t < recursion_.tensors.size(); ++t) {
      tensors.push_back(valued_rows(static_cast<std::size_t>(rows_.size),
                                    static_cast<std::size_t>(columns_.size), semiring_->zero));
      for (std::size_t i = 0; i < bases_[t].first.size(); ++i) {
        double& value = tensors[t].row(row_at(bases_[t], i))[column_at(bases_[t], i)];
        value = semiring_->add(value, bases_[t].values[i]);
      }
    }
    if (!semiring_->run(tensors, links_, engine_.options().max_rounds)) return fail_to_converge();
    for (std::size_t t = 0; t < tensors.size(); ++t)
      if (recursion_.tensors[t] != none) write(recursion_.tensors[t], tensors[t]);
    return true;
  }
  constexpr void write(std::uint32_t number, valued_rows& from) {
    relation r(has_rows() ? 2 : 1, true);
    for (const double value : from.values) r.rows += value != semiring_->zero ? 1 : 0;
    for (table<position>& column : r.columns) column = table<position>(r.rows);
    r.values = table<double>(r.rows);
    position* const in_rows = has_rows() ? r.columns[0].data() : nullptr;
    position* const in_columns = r.columns[has_rows() ? 1 : 0].data();
    double* const values = r.values.data();
    std::size_t at = 0;
    for (std::size_t row = 0; row < from.rows; ++row) {
      const double* const entries = from.row(row);
      for (std::size_t c = 0; c < from.columns; ++c) {
        if (entries[c] == semiring_->zero) continue;
        if (in_rows != nullptr) in_rows[at] = rows_.at(row);
        in_columns[at] = columns_.at(c);
        values[at++] = entries[c];
      }
    }
    engine_.replace(number, tensor_store(static_cast<relation&&>(r)));
  }
  constexpr bool finish_empty() {
    for (const std::uint32_t t : recursion_.tensors)
      if (t != none)
        engine_.replace(t, tensor_store(program_.tensors[t].rank, !program_.tensors[t].boolean));
    return true;
  }

  rule_engine& engine_;
  const stratified_program& strata_;
  const tensor_program& program_;
  const stratum& stratum_;
  const row_recursion& recursion_;
  column_bounds rows_, columns_;
  table<contributions> bases_, pairs_;
  table<row_moves> links_;
  const row_semiring* semiring_ = nullptr;  // of values
  text_view refusal_;
};

}  // namespace wf::logic::detail
