// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/components.hpp>
#include <wf/logic/evaluate/rounds.hpp>

namespace wf::logic::detail {

/// True if a scalar expression reads the value of a join.
constexpr bool reads_join(const tensor_program& p, std::uint32_t scalar, std::uint32_t join) {
  return p.any_scalar(scalar, [&](const scalar_node& n) {
    return n.kind == scalar_kind::joined && n.index == join;
  });
}
/// True for a multiple of the value of a join.
constexpr bool is_linear(const tensor_program& p, std::uint32_t scalar, std::uint32_t join) {
  if (scalar == none) return false;
  const scalar_node& n = p.scalars[scalar];
  switch (n.kind) {
    case scalar_kind::joined:
      return n.index == join;
    case scalar_kind::sum:
    case scalar_kind::difference:
      return is_linear(p, n.left, join) && is_linear(p, n.right, join);
    case scalar_kind::product:
      return reads_join(p, n.left, join)
                 ? is_linear(p, n.left, join) && !reads_join(p, n.right, join)
                 : is_linear(p, n.right, join);
    case scalar_kind::quotient:
      return is_linear(p, n.left, join) && !reads_join(p, n.right, join);
    case scalar_kind::negation:
      return is_linear(p, n.left, join);
    default:
      return false;
  }
}

/// Looks for the one join by which a rule depends on some tensors of numbers, for which
/// `varies(tensor)` is true: `join` becomes its number, or `none` if the rule reads none of them.
/// False if the rule is not linear in them, or does not sum.
template <class Varies>
constexpr bool find_linear_join(const tensor_program& p, const rule& r, const Varies& varies,
                                std::uint32_t& join) {
  join = none;
  if (r.projection == projection::mean || !adds_terms(r.projection)) return false;
  for (const range part : {r.negations, r.lookups})
    for (std::uint32_t k = 0; k < part.count; ++k)
      if (varies(p.atoms[part.first + k].tensor)) return false;
  for (std::uint32_t k = 0; k < r.joins.count; ++k) {
    const std::uint32_t t = p.atoms[r.joins.first + k].tensor;
    if (!varies(t)) continue;
    if (join != none || p.tensors[t].boolean) return false;
    join = k;
  }
  if (join == none) return true;
  for (std::uint32_t k = 0; k < r.comparisons.count; ++k) {
    const comparison& c = p.comparisons[r.comparisons.first + k];
    if (reads_join(p, c.left, join) || reads_join(p, c.right, join)) return false;
  }
  return is_linear(p, r.value, join);
}

/// The row of a store at some positions, which is added with the value 1 if it is new.
constexpr std::uint32_t row_of(tensor_store& store, const position* at) {
  std::uint32_t row = store.find(at);
  if (row == hash_index::none) (void)store.add(at, 1, projection::sum, row);
  return row;
}

/// Coefficients of a sparse matrix as they are found.
struct coefficient_rows {
  table<std::uint32_t> heads, sources;  ///< rows and columns
  table<double> factors;                ///< values

  constexpr void add(std::uint32_t head, std::uint32_t source, double factor) {
    heads.push_back(head);
    sources.push_back(source);
    factors.push_back(factor);
  }
  constexpr std::size_t size() const { return heads.size(); }
};

/// A sparse matrix by rows (CSR).
class coefficient_matrix {
 public:
  /// Puts the coefficients of each row together, in the order in which they were found.
  constexpr void assemble(const coefficient_rows& found, std::size_t rows) {
    starts_ = table<std::uint32_t>(rows + 1, 0);
    for (const std::uint32_t head : found.heads) ++starts_[head + 1];
    for (std::size_t n = 0; n < rows; ++n) starts_[n + 1] += starts_[n];
    table<std::uint32_t> next = starts_;
    sources_ = table<std::uint32_t>(found.size());
    factors_ = table<double>(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::uint32_t at = next[found.heads[i]]++;
      sources_[at] = found.sources[i];
      factors_[at] = found.factors[i];
    }
  }
  /// The columns with coefficients of a row.
  constexpr view<std::uint32_t> sources(std::uint32_t row) const {
    return view<std::uint32_t>(sources_).part(starts_[row], starts_[row + 1] - starts_[row]);
  }
  /// A number plus the product of a row and a vector.
  constexpr double row(std::uint32_t n, double sum, const table<double>& values) const {
    const std::uint32_t* const sources = sources_.data();
    const double *const factors = factors_.data(), *const from = values.data();
    for (std::uint32_t i = starts_[n]; i < starts_[n + 1]; ++i)
      sum += factors[i] * from[sources[i]];
    return sum;
  }

 private:
  table<std::uint32_t> starts_, sources_;
  table<double> factors_;
};

/// Solves a recursion of numbers whose rules are linear in what they read of it. The coefficients
/// are found once, by rounds of which each applies the rules to the entries that the last one
/// found; then the entries are solved, after those that they depend on: where they depend on each
/// other, by the method of Gauss and Seidel.
class linear_recursion {
 public:
  constexpr linear_recursion(rule_engine& engine, const stratified_program& p, const stratum& s)
      : engine_(engine), strata_(p), program_(p.program), stratum_(s) {
    place_ = table<std::uint32_t>(program_.tensors.size(), none);
    for (std::uint32_t i = 0; i < s.tensors.count; ++i) place_[tensor(i)] = i;
  }

  /// True if every rule is linear, and its coefficients do not change from round to round.
  constexpr bool fits() {
    if (!engine_.options().temperatures.empty()) return false;
    const auto is_own = [&](std::uint32_t t) { return place_[t] != none; };
    for (std::uint32_t i = 0; i < stratum_.rules.count; ++i) {
      const std::uint32_t number = strata_.rules[stratum_.rules.first + i];
      std::uint32_t join = none;
      if (!find_linear_join(program_, program_.rules[number], is_own, join)) return false;
      if (join == none)
        bases_.push_back(number);
      else
        versions_.push_back({number, join, {}, 0});
    }
    return true;
  }
  /// Solves the recursion, after `fits`. `too_many` becomes true if there are so many coefficients
  /// that rounds take less memory: then the tensors are empty. False after an error, which the
  /// engine keeps. O(bindings of the rules + sweeps · coefficients).
  constexpr bool run(bool& too_many) {
    too_many = false;
    for (std::uint32_t i = 0; i < stratum_.tensors.count; ++i)
      engine_.replace(tensor(i), engine_.started_store(tensor(i)));
    for (const std::uint32_t number : bases_)
      if (!engine_.add_all(number, engine_.store(program_.rules[number].head.tensor), nullptr))
        return false;
    if (!collect(too_many)) return false;
    if (!too_many) return solve();
    for (std::uint32_t i = 0; i < stratum_.tensors.count; ++i)
      engine_.replace(tensor(i), engine_.empty_store(tensor(i)));
    return true;
  }
  /// The largest number of sweeps over entries that depend on each other.
  constexpr std::uint32_t rounds() const { return rounds_; }

 private:
  // The entry `head` has `factor` times the entry `source` as an addend.
  struct link {
    std::uint64_t head = 0, source = 0;  // tensor and row
    double factor = 0;
  };
  static constexpr std::size_t most_coefficients = std::size_t{1} << 26;

  constexpr std::uint32_t tensor(std::uint32_t i) const {
    return strata_.tensors[stratum_.tensors.first + i];
  }
  static constexpr std::uint64_t entry(std::uint32_t place, std::uint32_t row) {
    return std::uint64_t{place} << 32 | row;
  }
  // Finds the entries, of which all have the value 1 meanwhile, and the coefficients.
  constexpr bool collect(bool& too_many) {
    table<changed_rows> last(stratum_.tensors.count);
    for (std::uint32_t i = 0; i < last.size(); ++i) {
      tensor_store& store = engine_.store(tensor(i));
      store.index();
      constants_.push_back(store.entries().values);
      for (std::uint32_t row = 0; row < store.rows(); ++row) store.set_value(row, 1);
      last[i].last = static_cast<std::uint32_t>(store.rows());
    }
    for (bool grew = true; grew && !too_many;) {
      for (planned_rule& v : versions_)
        if (!apply(v, last, too_many)) return too_many;
      grew = false;
      for (std::uint32_t i = 0; i < last.size(); ++i) {
        const auto rows = static_cast<std::uint32_t>(engine_.store(tensor(i)).rows());
        last[i] = {last[i].last, rows, nullptr};
        grew = grew || last[i].first != rows;
      }
    }
    return true;
  }
  constexpr bool apply(planned_rule& v, const table<changed_rows>& last, bool& too_many) {
    const rule& r = program_.rules[v.rule];
    const std::uint32_t from = place_[program_.atoms[r.joins.first + v.changed_join].tensor];
    const std::uint32_t to = place_[r.head.tensor];
    if (last[from].first == last[from].last) return true;
    tensor_store& store = engine_.store(r.head.tensor);
    const auto visit = [&](const position* at, double factor, std::uint32_t source) {
      found_.push_back({entry(to, row_of(store, at)), entry(from, source), factor});
      too_many = found_.size() > most_coefficients;
      return !too_many;
    };
    return engine_.apply_from(v, last[from], visit);
  }

  constexpr std::uint32_t number_of(std::uint64_t e) const {
    return firsts_[static_cast<std::size_t>(e >> 32)] + static_cast<std::uint32_t>(e);
  }
  constexpr bool solve() {
    for (std::uint32_t i = 0; i < stratum_.tensors.count; ++i) {
      firsts_.push_back(static_cast<std::uint32_t>(values_.size()));
      const std::size_t rows = engine_.store(tensor(i)).rows();
      for (std::size_t row = 0; row < rows; ++row)
        values_.push_back(row < constants_[i].size() ? constants_[i][row] : 0.0);
    }
    assemble();
    const auto entries = static_cast<std::uint32_t>(values_.size());
    bool fine = true;
    auto finder = wf::detail::find_components<std::uint32_t>(
        entries,
        [&](std::uint32_t n, std::uint32_t& next) {
          const view<std::uint32_t> all = matrix_.sources(n);
          return next < all.size() ? all[next++] : UINT32_MAX;
        },
        [&](const table<std::uint32_t>& members) { fine = fine && solve(members); });
    for (std::uint32_t n = 0; n < entries; ++n) finder.enter(n);
    for (std::uint32_t i = 0; i < stratum_.tensors.count; ++i) {
      tensor_store& store = engine_.store(tensor(i));
      for (std::uint32_t row = 0; row < store.rows(); ++row)
        store.set_value(row, values_[firsts_[i] + row]);
    }
    return fine;
  }
  constexpr void assemble() {
    coefficient_rows rows;
    for (const link& l : found_) rows.add(number_of(l.head), number_of(l.source), l.factor);
    found_ = {};
    matrix_.assemble(rows, values_.size());
    starting_ = values_;
  }
  // Solves entries that depend on each other, or one that does not; a value begins with 0.
  constexpr bool solve(const table<std::uint32_t>& members) {
    bool recurs = members.size() > 1;
    for (const std::uint32_t source : matrix_.sources(members[0]))
      recurs = recurs || source == members[0];
    if (recurs)
      for (const std::uint32_t n : members) values_[n] = 0;
    for (std::uint32_t round = 1;; ++round) {
      double most = 0;
      std::uint32_t last = members[0];
      for (const std::uint32_t n : members) {
        const double value = matrix_.row(n, starting_[n], values_);
        const double size = value < 0 ? -value : value, gap = value - values_[n];
        const double change = (gap < 0 ? -gap : gap) / (size > 1 ? size : 1);
        // What is no number stays the largest change.
        if (most == most && !(change <= most) && !(value == values_[n])) most = change, last = n;
        values_[n] = value;
      }
      rounds_ = rounds_ < round ? round : rounds_;
      if (!recurs || most <= engine_.options().tolerance) return true;
      std::uint32_t i = 0;
      while (i + 1 < firsts_.size() && firsts_[i + 1] <= last) ++i;
      if (!engine_.report(tensor(i), round)) return false;
      if (round >= engine_.options().max_rounds || most - most != 0)
        return fail_to_converge(engine_, tensor(i), round, &most);
    }
  }

  rule_engine& engine_;
  const stratified_program& strata_;
  const tensor_program& program_;
  const stratum& stratum_;
  table<std::uint32_t> place_;      // by tensor: its number within the stratum, or `none`
  table<std::uint32_t> bases_;      // rules that do not read the stratum
  table<planned_rule> versions_;    // the others
  table<table<double>> constants_;  // by tensor: what its other rules give its first rows
  table<link> found_;
  table<std::uint32_t> firsts_;      // by tensor: number of its first entry
  table<double> starting_, values_;  // by entry
  coefficient_matrix matrix_;
  std::uint32_t rounds_ = 1;
};

}  // namespace wf::logic::detail
