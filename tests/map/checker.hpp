// SPDX-License-Identifier: BSL-1.0
#pragma once

// An independent implementation of the mapping problem: a checker of mappings and a brute force for
// tiny ones, written from the problem's statement. It shares only value types with the engine, no
// algorithm.

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <wf/map/array/constraints.hpp>
#include <wf/map/array/mapping.hpp>

namespace wf_test {

using std::int64_t;

inline int64_t up(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// The problem without views, with the batch applied.
struct plain_problem {
  struct input {
    int from;  // -1: DRAM
    int64_t bytes;
    wf::operand_split split;
    bool may_overwrite = false;
  };
  struct op {
    int source = 0;
    int64_t macs = 0, elementwise = 0, weights = 0, output = 0, scratch = 0, first = 1, second = 1;
    bool stored = false;
    std::vector<input> inputs;
    // Producers whose results it may overwrite, and how often it reads each.
    std::map<int, int> overwritable;
    // In a part of a problem: how often it reads an overwritable result whose producer is left out.
    int times_of_left_out = 0;
  };
  std::vector<op> ops;
  std::vector<int> of_source;  // index into ops, or -1
  wf::pe_array array;

  plain_problem(const wf::workload& w, const wf::pe_array& a) : array(a) {
    // The data that readers of operator i actually read: pairs of producer (or -1) and bytes.
    std::vector<std::vector<std::pair<int, int64_t>>> behind(w.operators.size());
    of_source.assign(w.operators.size(), -1);
    for (std::size_t i = 0; i < w.operators.size(); ++i) {
      const wf::workload_operator& o = w.operators[i];
      op made;
      for (const wf::workload_edge& e : w.edges)
        if (e.to == i)
          for (auto [producer, bytes] : behind[e.from])
            made.inputs.push_back(
                {producer, std::min(bytes, e.bytes * w.batch), e.split, e.may_overwrite});
      if (o.input_bytes > 0) made.inputs.push_back({-1, o.input_bytes * w.batch, o.input_split});
      if (o.is_view) {
        for (const input& in : made.inputs) {
          behind[i].push_back({in.from, in.bytes});
          if (o.is_output && in.from >= 0) ops[static_cast<std::size_t>(in.from)].stored = true;
        }
        continue;
      }
      made.source = static_cast<int>(i);
      made.macs = o.macs * w.batch;
      made.elementwise = o.elementwise * w.batch;
      made.weights = o.weight_bytes;
      made.output = o.output_bytes * w.batch;
      made.scratch = o.scratch_bytes * w.batch;
      made.first = o.first_axis;
      made.second = o.second_axis * w.batch;
      made.stored = o.is_output;
      of_source[i] = static_cast<int>(ops.size());
      behind[i].push_back({of_source[i], INT64_MAX});
      ops.push_back(made);
    }
    for (op& o : ops) o.overwritable = find_overwritable(o);
  }

  bool usable(const wf::rectangle& r) const {
    if (r.rows < 1 || r.columns < 1 || r.row < 0 || r.column < 0 || r.row + r.rows > array.rows ||
        r.column + r.columns > array.columns)
      return false;
    for (int y = r.row; y < r.row + r.rows; ++y)
      for (int x = r.column; x < r.column + r.columns; ++x)
        for (auto d : array.dead)
          if (static_cast<int>(d) == y * array.columns + x) return false;
    return true;
  }
  int64_t cycles(const op& o, const wf::rectangle& r, int64_t p, int64_t q) const {
    const int64_t items = up(o.first, p) * up(o.second, q), all = o.first * o.second;
    const int64_t compute = up(o.macs * items, all * array.macs_per_cycle) +
                            up(o.elementwise * items, all * array.vector_ops_per_cycle);
    int64_t moved = o.weights + (o.stored ? o.output : 0), port = up(o.weights, p);
    // Operands of the same kind are distributed together.
    int64_t made[3] = {}, fetched[3] = {};
    for (const input& in : o.inputs) {
      (in.from < 0 ? fetched : made)[static_cast<int>(in.split)] += in.bytes;
      if (in.from < 0) moved += in.bytes;
    }
    port += up(fetched[0], q) + up(fetched[1], p) + up(fetched[2], p * q);
    port += up(made[0] * (p - 1), p * q) + up(made[1] * (q - 1), p * q);
    const int64_t dram =
        up(moved * array.rows * array.columns, array.dram_bytes_per_cycle * r.rows * r.columns);
    return std::max({int64_t{1}, compute, dram, up(port, array.link_bytes_per_cycle)});
  }
  int64_t working(const op& o, int64_t p, int64_t q) const {
    int64_t sum[3] = {};
    for (const input& in : o.inputs) sum[static_cast<int>(in.split)] += in.bytes;
    const int64_t largest = up(o.first, p) * up(o.second, q), all = o.first * o.second;
    return up(o.weights, p) + up(sum[0], q) + up(sum[1], p) + up(sum[2], p * q) +
           up(o.scratch * largest, all);
  }
  int64_t held(const op& o, const wf::rectangle& r) const {
    return up(o.output, int64_t{r.rows} * r.columns);
  }
  /// The results that an operator may overwrite: all its reads of them allow it, follow both axes,
  /// and have as many bytes as both results; results to be stored are excluded. Of several, those
  /// that it reads most often.
  std::map<int, int> find_overwritable(const op& o) const {
    std::map<int, int> times;
    for (const input& in : o.inputs)
      if (in.from >= 0) ++times[in.from];
    for (const input& in : o.inputs) {
      if (in.from < 0) continue;
      const op& from = ops[static_cast<std::size_t>(in.from)];
      if (!in.may_overwrite || in.split != wf::operand_split::by_both || in.bytes != o.output ||
          from.output != o.output || from.stored || o.output == 0)
        times.erase(in.from);
    }
    int most = 0;
    for (auto [from, n] : times) most = std::max(most, n);
    std::erase_if(times, [&](const auto& each) { return each.second < most; });
    return times;
  }
  /// The working bytes of an operator that overwrites a result which it reads `times` times.
  int64_t working_in_place(const op& o, const wf::rectangle& r, int64_t p, int64_t q,
                           int times) const {
    int64_t all = 0;
    for (const input& in : o.inputs)
      if (in.split == wf::operand_split::by_both) all += in.bytes;
    const int64_t copies = up(all, p * q) - up(all - times * o.output, p * q);
    return working(o, p, q) - std::min(copies, times * held(o, r));
  }
  int64_t transfer(const wf::rectangle& a, const wf::rectangle& b, int64_t bytes) const {
    if (a.row == b.row && a.column == b.column && a.rows == b.rows && a.columns == b.columns)
      return 0;
    const int64_t down =
        std::max(std::abs(a.row - b.row), std::abs(a.row + a.rows - b.row - b.rows));
    const int64_t across = std::max(std::abs(a.column - b.column),
                                    std::abs(a.column + a.columns - b.column - b.columns));
    int64_t links = std::min({a.rows, b.rows, a.columns, b.columns});
    if (down == 0) links = std::min(a.rows, b.rows);
    if (across == 0) links = std::min(a.columns, b.columns);
    return (down + across) * array.hop_latency + up(bytes, links * array.link_bytes_per_cycle);
  }
};

/// Place and times of an operator of a plain problem.
struct plain_spot {
  bool placed = false;
  wf::rectangle where;
  int64_t working = 0, start = 0, finish = 0;
  int over = -1;  // the operator whose bytes it takes over from its start on
};

inline bool meet(const wf::rectangle& a, const wf::rectangle& b) {
  for (int y = a.row; y < a.row + a.rows; ++y)
    for (int x = a.column; x < a.column + a.columns; ++x)
      if (y >= b.row && y < b.row + b.rows && x >= b.column && x < b.column + b.columns)
        return true;
  return false;
}

/// The peak bytes of each PE over time, for the placed operators.
inline std::vector<int64_t> memory_marks(const plain_problem& p, const std::vector<plain_spot>& s) {
  std::vector<int64_t> until(s.size());
  std::set<int64_t> moments;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (!s[i].placed) continue;
    moments.insert(s[i].start);
    until[i] = std::max(until[i], s[i].finish);
    for (const auto& in : p.ops[i].inputs)
      if (in.from >= 0) {
        auto& u = until[static_cast<std::size_t>(in.from)];
        u = std::max(u, in.from == s[i].over ? s[i].start : s[i].finish);
      }
  }
  std::vector<int64_t> most(static_cast<std::size_t>(p.array.elements()));
  for (int64_t t : moments)
    for (int e = 0; e < p.array.elements(); ++e) {
      int64_t bytes = 0;
      const int y = e / p.array.columns, x = e % p.array.columns;
      for (std::size_t i = 0; i < s.size(); ++i) {
        if (!s[i].placed || !meet(s[i].where, {y, x, 1, 1})) continue;
        if (s[i].start <= t && t < s[i].finish) bytes += s[i].working;
        if (s[i].start <= t && t < until[i]) bytes += p.held(p.ops[i], s[i].where);
      }
      auto& m = most[static_cast<std::size_t>(e)];
      m = std::max(m, bytes);
    }
  return most;
}

/// True if the constraints allow an operator (by its index in the workload) to run there.
inline bool is_allowed(const wf::map_constraints& wishes, int source, const wf::rectangle& r) {
  for (const auto& c : wishes.rules) {
    if (c.rule == wf::map_rule::order) continue;
    if (c.op != wf::every_operator && static_cast<int>(c.op) != source) continue;
    if (c.rule == wf::map_rule::pin && !(r == c.where)) return false;
    for (int y = r.row; y < r.row + r.rows; ++y)
      for (int x = r.column; x < r.column + r.columns; ++x) {
        const bool in = y >= c.where.row && y < c.where.row + c.where.rows && x >= c.where.column &&
                        x < c.where.column + c.where.columns;
        if (in == (c.rule == wf::map_rule::forbid)) return false;
      }
  }
  return true;
}

/// The first constraint that a mapping violates, as text; empty if none.
inline std::string broken_wish(const wf::map_constraints& wishes, const wf::workload& w,
                               const wf::mapping& m) {
  for (const auto& c : wishes.rules)
    if (c.rule == wf::map_rule::order && m.operators[c.later].start < m.operators[c.op].finish)
      return "operator " + std::to_string(c.later) + " starts before " + std::to_string(c.op);
  for (std::size_t i = 0; i < m.operators.size(); ++i)
    if (!w.operators[i].is_view && !is_allowed(wishes, static_cast<int>(i), m.operators[i].where))
      return "place of operator " + std::to_string(i);
  return "";
}

/// True if operator `i` may overwrite the result of `from`: on the same PEs, after all its other
/// readers have finished.
inline bool overwrites_rightly(const plain_problem& p, const std::vector<plain_spot>& s,
                               std::size_t i, int from) {
  const auto u = static_cast<std::size_t>(from);
  if (p.ops[i].overwritable.count(from) == 0 || !(s[i].where == s[u].where)) return false;
  for (std::size_t j = 0; j < s.size(); ++j)
    for (const auto& in : p.ops[j].inputs)
      if (j != i && in.from == from && (!s[j].placed || s[j].finish > s[i].start)) return false;
  return true;
}

/// Verifies a mapping; returns the first fault, or "".
inline std::string check(const wf::workload& w, const wf::pe_array& a, const wf::mapping& m) {
  const plain_problem p(w, a);
  if (m.operators.size() != w.operators.size()) return "wrong number of operators";
  std::vector<plain_spot> spots(p.ops.size());
  int64_t makespan = 0;
  std::vector<int64_t> busy(static_cast<std::size_t>(a.elements()));
  for (std::size_t i = 0; i < p.ops.size(); ++i) {
    const auto& o = p.ops[i];
    const wf::placement& at = m.operators[static_cast<std::size_t>(o.source)];
    const std::string name = " of operator " + std::to_string(o.source);
    if (!p.usable(at.where)) return "rectangle" + name;
    const int64_t n = at.where.rows * at.where.columns, parts = at.how.first_parts;
    if (parts < 1 || at.how.second_parts < 1 || parts * at.how.second_parts > n ||
        parts > o.first || at.how.second_parts > o.second)
      return "tiling" + name;
    if (at.how.cycles != p.cycles(o, at.where, parts, at.how.second_parts)) return "cycles" + name;
    if (at.finish - at.start != at.how.cycles || at.start < 0) return "interval" + name;
    int64_t working = p.working(o, parts, at.how.second_parts);
    int over = -1;
    if (at.overwrites != wf::overwrites_nothing) {
      const auto& may = o.overwritable;
      over = at.overwrites < p.of_source.size() ? p.of_source[at.overwrites] : -1;
      if (may.count(over) == 0) return "overwritten operand" + name;
      working = p.working_in_place(o, at.where, parts, at.how.second_parts, may.at(over));
    }
    if (at.how.working_bytes != working) return "working bytes" + name;
    if (at.result_bytes != p.held(o, at.where)) return "result bytes" + name;
    spots[i] = {true, at.where, at.how.working_bytes, at.start, at.finish, over};
    makespan = std::max(makespan, at.finish);
    for (int y = at.where.row; y < at.where.row + at.where.rows; ++y)
      for (int x = at.where.column; x < at.where.column + at.where.columns; ++x)
        busy[static_cast<std::size_t>(y * a.columns + x)] += at.how.cycles;
  }
  for (std::size_t i = 0; i < spots.size(); ++i) {
    if (spots[i].over >= 0 && !overwrites_rightly(p, spots, i, spots[i].over))
      return "operator " + std::to_string(p.ops[i].source) + " overwrites what is still read";
    for (const auto& in : p.ops[i].inputs) {
      if (in.from < 0) continue;
      const plain_spot& from = spots[static_cast<std::size_t>(in.from)];
      if (spots[i].start < from.finish + p.transfer(from.where, spots[i].where, in.bytes))
        return "operator " + std::to_string(p.ops[i].source) + " starts before its operands come";
    }
    for (std::size_t j = 0; j < i; ++j)
      if (meet(spots[i].where, spots[j].where) && spots[i].start < spots[j].finish &&
          spots[j].start < spots[i].finish)
        return "operators " + std::to_string(p.ops[j].source) + " and " +
               std::to_string(p.ops[i].source) + " overlap";
  }
  const std::vector<int64_t> most = memory_marks(p, spots);
  for (std::size_t e = 0; e < most.size(); ++e) {
    if (most[e] > a.memory_bytes) return "memory of PE " + std::to_string(e);
    if (most[e] != m.high_water[e]) return "high-water mark of PE " + std::to_string(e);
    if (busy[e] != m.busy[e]) return "busy cycles of PE " + std::to_string(e);
  }
  if (m.makespan != makespan) return "makespan";
  if (m.bound > m.makespan) return "bound above the makespan";
  if (m.proven() != (m.bound == m.makespan)) return "status";
  if (m.sequence.size() != p.ops.size()) return "sequence";
  for (std::size_t k = 1; k < m.sequence.size(); ++k)
    if (m.operators[m.sequence[k]].start < m.operators[m.sequence[k - 1]].start)
      return "sequence is not by start";
  return "";
}

/// True if the operators of a group (by index in the workload) run on the same PEs, consecutively
/// and without another operator there, after everything that any of them reads has started.
inline bool keeps_groups(const plain_problem& p, const std::vector<plain_spot>& s,
                         const std::vector<std::uint32_t>& groups) {
  const auto group = [&](std::size_t i) {
    return groups[static_cast<std::size_t>(p.ops[i].source)];
  };
  for (std::size_t i = 0; i < s.size(); ++i)
    for (std::size_t j = i + 1; j < s.size(); ++j) {
      if (group(i) != group(j)) continue;
      if (!(s[i].where == s[j].where) || s[i].finish > s[j].start) return false;
      for (std::size_t k = 0; k < s.size(); ++k)
        if (group(k) != group(i) && meet(s[k].where, s[i].where) && s[k].start > s[i].start &&
            s[k].start < s[j].start)
          return false;
      for (const auto& in : p.ops[j].inputs)
        if (in.from >= 0 && group(static_cast<std::size_t>(in.from)) != group(i) &&
            s[static_cast<std::size_t>(in.from)].start > s[i].start)
          return false;
    }
  return true;
}

/// Like `keeps_groups` of a plain problem, for a mapping.
inline bool keeps_groups(const wf::workload& w, const wf::pe_array& a, const wf::mapping& m,
                         const std::vector<std::uint32_t>& groups) {
  const plain_problem p(w, a);
  std::vector<plain_spot> spots(p.ops.size());
  for (std::size_t i = 0; i < spots.size(); ++i) {
    const wf::placement& at = m.operators[static_cast<std::size_t>(p.ops[i].source)];
    spots[i] = {true, at.where, at.how.working_bytes, at.start, at.finish};
  }
  return keeps_groups(p, spots, groups);
}

/// Enumerates all orders, rectangles, tilings and relevant starts for a mapping shorter than a
/// value.
class brute_force {
 public:
  brute_force(const wf::workload& w, const wf::pe_array& a, wf::map_constraints wishes = {},
              std::vector<std::uint32_t> groups = {})
      : brute_force(plain_problem(w, a), std::move(wishes)) {
    groups_ = std::move(groups);
  }
  brute_force(plain_problem problem, wf::map_constraints wishes)
      : p_(std::move(problem)), wishes_(std::move(wishes)), spots_(p_.ops.size()) {
    const wf::pe_array& a = p_.array;
    for (int r = 1; r <= a.rows; ++r)
      for (int c = 1; c <= a.columns; ++c)
        for (int y = 0; y + r <= a.rows; ++y)
          for (int x = 0; x + c <= a.columns; ++x)
            if (p_.usable({y, x, r, c})) rectangles_.push_back({y, x, r, c});
    for (const auto& o : p_.ops) {
      int64_t fastest = INT64_MAX;
      for (const auto& r : rectangles_)
        for (int64_t q = 1; q <= std::min<int64_t>(r.rows * r.columns, o.second); ++q)
          for (int64_t k = 1; k <= std::min<int64_t>(r.rows * r.columns / q, o.first); ++k)
            fastest = std::min(fastest, p_.cycles(o, r, k, q));
      fastest_.push_back(fastest);
    }
  }
  /// True if a mapping has a makespan below `limit`.
  bool beats(int64_t limit) {
    limit_ = limit;
    return place(0);
  }

 private:
  bool place(std::size_t placed) {
    if (placed == spots_.size()) return groups_.empty() || keeps_groups(p_, spots_, groups_);
    for (std::size_t i = 0; i < spots_.size(); ++i) {
      if (spots_[i].placed) continue;
      bool ready = true;
      for (const auto& in : p_.ops[i].inputs)
        if (in.from >= 0 && !spots_[static_cast<std::size_t>(in.from)].placed) ready = false;
      for (const auto& c : wishes_.rules)
        if (c.rule == wf::map_rule::order && is(i, c.later) && !spots_[index(c.op)].placed)
          ready = false;
      if (!ready) continue;
      for (const auto& r : rectangles_)
        if (is_allowed(wishes_, p_.ops[i].source, r) && try_rectangle(placed, i, r)) return true;
    }
    return false;
  }
  std::size_t index(std::uint32_t source) const {
    return static_cast<std::size_t>(p_.of_source[source]);
  }
  bool is(std::size_t i, std::uint32_t source) const {
    return p_.ops[i].source == static_cast<int>(source);
  }
  bool try_rectangle(std::size_t placed, std::size_t i, const wf::rectangle& r) {
    const auto& o = p_.ops[i];
    int64_t ready = 0;
    for (const auto& in : o.inputs) {
      if (in.from < 0) continue;
      const auto& from = spots_[static_cast<std::size_t>(in.from)];
      ready = std::max(ready, from.finish + p_.transfer(from.where, r, in.bytes));
    }
    for (const auto& c : wishes_.rules)
      if (c.rule == wf::map_rule::order && is(i, c.later))
        ready = std::max(ready, spots_[index(c.op)].finish);
    if (ready + fastest_[i] >= limit_) return false;
    std::set<int64_t> starts{ready};
    for (const auto& s : spots_)
      if (s.placed)
        for (int64_t t : {s.start, s.finish})
          if (t > ready) starts.insert(t);
    const int64_t n = r.rows * r.columns;
    for (int64_t q = 1; q <= std::min(n, o.second); ++q)
      for (int64_t k = 1; k <= std::min(n / q, o.first); ++k) {
        const int64_t cycles = p_.cycles(o, r, k, q);
        for (int64_t t : starts) {
          if (t + cycles >= limit_) break;
          bool free = true;
          for (const auto& s : spots_)
            if (s.placed && t < s.finish && s.start < t + cycles && meet(s.where, r)) free = false;
          if (!free) continue;
          spots_[i] = {true, r, p_.working(o, k, q), t, t + cycles};
          if (goes_on(placed) || in_place(placed, i, k, q)) return true;
          spots_[i] = {};
        }
      }
    return false;
  }
  bool goes_on(std::size_t placed) {
    bool fits = true;
    for (int64_t bytes : memory_marks(p_, spots_)) fits &= bytes <= p_.array.memory_bytes;
    return fits && place(placed + 1);
  }
  // Tries to overwrite each possible operand in turn; one whose producer is left out always works.
  bool in_place(std::size_t placed, std::size_t i, int64_t k, int64_t q) {
    for (auto [from, times] : p_.ops[i].overwritable) {
      if (!overwrites_rightly(p_, spots_, i, from)) continue;
      spots_[i].over = from;
      spots_[i].working = p_.working_in_place(p_.ops[i], spots_[i].where, k, q, times);
      if (goes_on(placed)) return true;
    }
    spots_[i].over = -1;
    const int lost = p_.ops[i].times_of_left_out;
    if (lost == 0) return false;
    spots_[i].working = p_.working_in_place(p_.ops[i], spots_[i].where, k, q, lost);
    return goes_on(placed);
  }

  plain_problem p_;
  wf::map_constraints wishes_;
  std::vector<std::uint32_t> groups_;
  std::vector<plain_spot> spots_;
  std::vector<wf::rectangle> rectangles_;
  std::vector<int64_t> fastest_;
  int64_t limit_ = 0;
};

}  // namespace wf_test
