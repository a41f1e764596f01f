// SPDX-License-Identifier: BSL-1.0
#pragma once

// A checker of batch mappings, written from the statement of the problem in
// docs/explanation/mapping.md. It shares no algorithm with the engine, only its value types.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <wf/map/batch/mapping.hpp>

namespace mapping_benchmark {

/// Verifies a batch mapping against the model of `cycle_model`.
class batch_checker {
 public:
  batch_checker(const wf::workload& w, const wf::pe_array& a, const wf::batch_mapping& m)
      : w_(w), a_(a), m_(m) {}

  /// Returns the first fault, or "".
  std::string run() {
    contract();
    if (!structure()) return fault_;
    for (std::size_t g = 0; g < m_.segments.size(); ++g)
      if (!segment(g)) return fault_;
    if (clock_ != m_.makespan) return "the makespan is not the end of the last segment";
    if (m_.bound > m_.makespan) return "the bound lies above the makespan";
    if (m_.proven() != (m_.bound == m_.makespan)) return "the status does not fit the bound";
    return "";
  }

 private:
  using int64 = std::int64_t;
  using wide = wf::int128;

  /// An operand that an operator reads for one sample; `from` is its producer, or -1 for DRAM.
  struct read {
    int from;
    int64 bytes;
    int split;
    bool may_overwrite;
  };
  struct node {
    bool runs = false;
    bool handed_out = false;
    std::vector<read> reads;
    std::vector<int> readers;
  };
  /// The position of an operator in the mapping; -1: not mapped.
  struct place {
    int segment = -1, stage = -1, position = -1;
  };

  static int64 up(wide a, wide b) { return static_cast<int64>((a + b - 1) / b); }

  bool fail(const std::string& what) {
    if (fault_.empty()) fault_ = what;
    return false;
  }
  std::string name(std::size_t op) const {
    const wf::text_view t = w_.operators[op].label.view();
    return " of '" + std::string(t.data(), t.size()) + "'";
  }

  /// Replaces reads of views by reads of the operators that compute their data.
  void contract() {
    nodes_.resize(w_.operators.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const wf::workload_operator& o = w_.operators[i];
      node& n = nodes_[i];
      n.runs = !o.is_view;
      n.handed_out = o.is_output;
      for (const wf::workload_edge& e : w_.edges) {
        if (e.to != i) continue;
        const node& from = nodes_[e.from];
        if (from.runs)
          n.reads.push_back(
              {static_cast<int>(e.from), e.bytes, static_cast<int>(e.split), e.may_overwrite});
        else
          for (const read& r : from.reads)
            n.reads.push_back(
                {r.from, std::min(r.bytes, e.bytes), static_cast<int>(e.split), e.may_overwrite});
      }
      if (o.input_bytes > 0)
        n.reads.push_back({-1, o.input_bytes, static_cast<int>(o.input_split), false});
      for (const read& r : n.reads) {
        if (r.from < 0) continue;
        if (n.runs) nodes_[static_cast<std::size_t>(r.from)].readers.push_back(static_cast<int>(i));
        if (!n.runs && n.handed_out) nodes_[static_cast<std::size_t>(r.from)].handed_out = true;
      }
    }
  }

  bool usable(const wf::rectangle& r) const {
    if (r.rows < 1 || r.columns < 1 || r.row < 0 || r.column < 0 || r.row + r.rows > a_.rows ||
        r.column + r.columns > a_.columns)
      return false;
    return std::none_of(a_.dead.begin(), a_.dead.end(), [&](std::uint32_t d) {
      const int y = static_cast<int>(d) / a_.columns, x = static_cast<int>(d) % a_.columns;
      return y >= r.row && y < r.row + r.rows && x >= r.column && x < r.column + r.columns;
    });
  }

  /// Checks that every operator runs once, stages are disjoint, and data flow forward.
  bool structure() {
    places_.resize(nodes_.size());
    for (std::size_t g = 0; g < m_.segments.size(); ++g) {
      const wf::pipeline_segment& s = m_.segments[g];
      if (s.sub_batch < 1 || s.rounds < 1 || s.sub_batch * s.rounds != w_.batch)
        return fail("the rounds of a segment are not the batch");
      std::vector<bool> taken(static_cast<std::size_t>(a_.elements()));
      for (std::uint32_t k = s.stages.first; k < s.stages.first + s.stages.count; ++k) {
        const wf::pipeline_stage& stage = m_.stages[k];
        if (!usable(stage.where)) return fail("a stage lies outside the usable PEs");
        for (int y = 0; y < stage.where.rows; ++y)
          for (int x = 0; x < stage.where.columns; ++x) {
            auto pe = taken.begin() + ((stage.where.row + y) * a_.columns + stage.where.column + x);
            if (*pe) return fail("two stages of a segment share a PE");
            *pe = true;
          }
        for (std::uint32_t i = 0; i < stage.operators.count; ++i) {
          const std::uint32_t op = m_.operators[stage.operators.first + i].op;
          if (op >= nodes_.size() || !nodes_[op].runs) return fail("an unknown operator");
          if (places_[op].segment >= 0) return fail("an operator runs twice");
          places_[op] = {static_cast<int>(g), static_cast<int>(k), static_cast<int>(i)};
        }
      }
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!nodes_[i].runs) continue;
      const place& p = places_[i];
      if (p.segment < 0) return fail("an operator does not run");
      for (const read& r : nodes_[i].reads) {
        if (r.from < 0) continue;
        const place& q = places_[static_cast<std::size_t>(r.from)];
        const bool before =
            q.segment < p.segment ||
            (q.segment == p.segment && q.stage != p.stage &&
             stage_at(q.stage).depth < stage_at(p.stage).depth) ||
            (q.segment == p.segment && q.stage == p.stage && q.position < p.position);
        if (!before) return fail("an operator reads what is not made yet" + name(i));
      }
    }
    return true;
  }
  const wf::pipeline_stage& stage_at(int k) const { return m_.stages[static_cast<std::size_t>(k)]; }

  /// Cycles and working bytes of a sub-batch on p x q elements, as `cycle_model` defines them,
  /// without DRAM.
  struct cost {
    int64 cycles = 0, working = 0;
  };
  cost cut(std::size_t op, int64 b, int64 p, int64 q, bool with_weights, int stage,
           int64 copies = 0) const {
    const wf::workload_operator& o = w_.operators[op];
    const int64 weights = with_weights ? o.weight_bytes : 0, second = o.second_axis * b;
    std::array<int64, 3> near{}, far{};
    for (const read& r : nodes_[op].reads) {
      const bool here = r.from >= 0 && places_[static_cast<std::size_t>(r.from)].stage == stage;
      (here ? near : far)[static_cast<std::size_t>(r.split)] += r.bytes * b;
    }
    const wide items = static_cast<wide>(up(o.first_axis, p)) * up(second, q);
    const wide all = static_cast<wide>(o.first_axis) * second;
    const int64 computing = up(o.macs * b * items, all * a_.macs_per_cycle) +
                            up(o.elementwise * b * items, all * a_.vector_ops_per_cycle);
    const int64 port = up(weights, p) + up(far[0], q) + up(far[1], p) + up(far[2], p * q) +
                       up(static_cast<wide>(near[0]) * (p - 1), p * q) +
                       up(static_cast<wide>(near[1]) * (q - 1), p * q);
    cost out;
    out.cycles = std::max({int64{1}, computing, up(port, a_.link_bytes_per_cycle)});
    out.working = up(weights, p) + up(near[0] + far[0], q) + up(near[1] + far[1], p) +
                  up(near[2] + far[2], p * q) +
                  up(static_cast<wide>(o.scratch_bytes) * b * items, all);
    if (copies > 0) {
      const int64 made = o.output_bytes * b, shared = near[2] + far[2];
      const int64 saved = up(shared, p * q) - up(shared - copies * made, p * q);
      out.working -= std::min(saved, copies * up(made, stage_at(stage).where.area()));
    }
    return out;
  }

  /// How often the operator reads the result of `from`; 0 if the workload does not let it overwrite
  /// it.
  int64 may_overwrite(std::uint32_t op, int from) const {
    const int64 bytes = w_.operators[op].output_bytes;
    const auto u = static_cast<std::size_t>(from);
    if (bytes == 0 || w_.operators[u].output_bytes != bytes || nodes_[u].handed_out) return 0;
    int64 times = 0;
    for (const read& r : nodes_[op].reads) {
      if (r.from != from) continue;
      if (!r.may_overwrite || r.bytes != bytes ||
          r.split != static_cast<int>(wf::operand_split::by_both))
        return 0;
      ++times;
    }
    return times;
  }
  /// The operator whose result this one overwrites in place, and how often it is read; {-1, 0} if
  /// the operator is not in place. It is the first of the most frequently read results that it may
  /// overwrite, provided that no other operator reads the result later or in another stage, and
  /// that both results stay in the stage.
  std::pair<int, int64> overwritten(std::uint32_t op) const {
    if (!stays(op)) return {-1, 0};
    int64 most = 1;
    for (const read& r : nodes_[op].reads)
      if (r.from >= 0) most = std::max(most, may_overwrite(op, r.from));
    for (const read& r : nodes_[op].reads) {
      if (r.from < 0 || may_overwrite(op, r.from) != most) continue;
      const place& from = places_[static_cast<std::size_t>(r.from)];
      bool last = from.stage == places_[op].stage && stays(static_cast<std::uint32_t>(r.from));
      for (int reader : nodes_[static_cast<std::size_t>(r.from)].readers)
        last = last && places_[static_cast<std::size_t>(reader)].position <= places_[op].position;
      if (last) return {r.from, most};
    }
    return {-1, 0};
  }
  /// True if all readers of a result are in its stage, and it is not stored.
  bool stays(std::uint32_t op) const {
    return !nodes_[op].handed_out &&
           std::all_of(nodes_[op].readers.begin(), nodes_[op].readers.end(), [&](int r) {
             return places_[static_cast<std::size_t>(r)].stage == places_[op].stage;
           });
  }
  int64 transfer(const wf::rectangle& a, const wf::rectangle& b, int64 bytes) const {
    const int64 down = std::max(std::abs(a.row - b.row), std::abs(a.row + a.rows - b.row - b.rows));
    const int64 across = std::max(std::abs(a.column - b.column),
                                  std::abs(a.column + a.columns - b.column - b.columns));
    int64 links = std::min({a.rows, b.rows, a.columns, b.columns});
    if (down == 0) links = std::min(a.rows, b.rows);
    if (across == 0) links = std::min(a.columns, b.columns);
    return (down + across) * a_.hop_latency + up(bytes, links * a_.link_bytes_per_cycle);
  }

  bool segment(std::size_t g) {
    const wf::pipeline_segment& s = m_.segments[g];
    for (std::uint32_t k = s.stages.first; k < s.stages.first + s.stages.count; ++k)
      if (!stage(g, static_cast<int>(k))) return false;
    if (s.link_cycles != lines(g)) return fail("the cycles of the links are wrong");
    if (s.start != clock_) return fail("a segment does not begin where the last one ended");
    clock_ += time(g);
    if (s.finish != clock_) return fail("the end of a segment is wrong");
    return true;
  }

  bool stage(std::size_t g, int k) {
    const wf::pipeline_segment& s = m_.segments[g];
    const wf::pipeline_stage& here = stage_at(k);
    const int64 n = here.where.area(), b = s.sub_batch;
    int64 always = 0;
    // Results of earlier segments: bytes per sample, and the operator that fetches them.
    std::map<int, std::pair<int64, std::uint32_t>> fetched;
    for (std::uint32_t i = 0; i < here.operators.count; ++i)
      for (const read& r : nodes_[at(here, i).op].reads) {
        if (r.from < 0 || r.bytes == 0 ||
            places_[static_cast<std::size_t>(r.from)].segment == static_cast<int>(g))
          continue;
        auto [entry, is_new] = fetched.try_emplace(r.from, r.bytes, i);
        if (!is_new) entry->second.first = std::max(entry->second.first, r.bytes);
      }
    std::vector<int64> lives(here.operators.count);
    for (std::uint32_t i = 0; i < here.operators.count; ++i) {
      const wf::stage_operator& o = at(here, i);
      const wf::workload_operator& source = w_.operators[o.op];
      if (!figures(k, b, o)) return false;
      always += up(source.weight_bytes, o.holds_weights ? o.first_parts : n);
      int64 brought = 0, outside = 0;
      for (const read& r : nodes_[o.op].reads)
        if (r.from < 0) outside += r.bytes * b;
      const int64 buffers = std::min<int64>(2, s.rounds);
      if (outside > 0) always += buffers * up(outside, n);
      brought += outside;
      for (const auto& [from, what] : fetched)
        if (what.second == i) {
          brought += what.first * b;
          always += buffers * up(what.first * b, n);
        }
      if (brought != o.fetched_bytes) return fail("fetched bytes" + name(o.op));
      // The operator's own result.
      const int64 bytes = source.output_bytes * b;
      bool stored = nodes_[o.op].handed_out;
      int64 copies = 0;
      std::uint32_t last = i;
      for (int reader : nodes_[o.op].readers) {
        const place& r = places_[static_cast<std::size_t>(reader)];
        if (r.segment != static_cast<int>(g))
          stored = true;
        else if (r.stage == k)
          last = std::max(last, static_cast<std::uint32_t>(r.position));
        else
          copies = std::max<int64>(copies, stage_at(r.stage).depth - here.depth + 1);
      }
      if (stored) copies = std::max<int64>(copies, 2);
      if (o.stored_bytes != (stored ? bytes : 0)) return fail("stored bytes" + name(o.op));
      copies = std::min(copies, s.rounds);
      always += copies * up(bytes, n);
      if (copies != 0) continue;
      // An operator in place owns the buffer from its start on.
      if (last > i && overwritten(at(here, last).op).first == static_cast<int>(o.op)) --last;
      for (std::uint32_t j = i; j <= last; ++j) lives[j] += up(bytes, n);
    }
    int64 most = 0;
    for (std::uint32_t i = 0; i < here.operators.count; ++i)
      most = std::max(most, always + lives[i] + at(here, i).working_bytes);
    if (most != here.bytes) return fail("the bytes of a stage are wrong");
    if (most > a_.memory_bytes) return fail("a stage needs more memory than there is");
    return true;
  }
  const wf::stage_operator& at(const wf::pipeline_stage& s, std::uint32_t i) const {
    return m_.operators[s.operators.first + i];
  }

  bool figures(int k, int64 b, const wf::stage_operator& o) {
    const wf::workload_operator& source = w_.operators[o.op];
    const wf::rectangle& r = stage_at(k).where;
    const int64 p = o.first_parts, q = o.second_parts;
    if (p < 1 || q < 1 || p > source.first_axis || q > source.second_axis * b || p * q > r.area())
      return fail("the tiling" + name(o.op));
    int64 arriving = 0;
    for (const read& x : nodes_[o.op].reads) {
      if (x.from < 0) continue;
      const place& from = places_[static_cast<std::size_t>(x.from)];
      if (from.segment == places_[o.op].segment && from.stage != k)
        arriving = std::max(arriving, transfer(stage_at(from.stage).where, r, x.bytes * b));
    }
    const int64 spread = (r.rows + r.columns - 2) * a_.hop_latency;
    const cost every = cut(o.op, b, p, q, !o.holds_weights, k, overwritten(o.op).second);
    const cost first = cut(o.op, b, p, q, true, k);
    if (o.cycles != std::max(every.cycles, arriving) + spread) return fail("cycles" + name(o.op));
    if (o.first_cycles != std::max(first.cycles, arriving) + spread)
      return fail("cycles of the first round" + name(o.op));
    if (o.working_bytes != every.working) return fail("working bytes" + name(o.op));
    if (o.weight_bytes != source.weight_bytes) return fail("weight bytes" + name(o.op));
    return true;
  }

  /// Cycles of the busiest line of links between two rows or columns in one round of all stages.
  int64 lines(std::size_t g) const {
    int64 most = 0;
    for (const bool by_row : {true, false})
      for (int line = 1; line < (by_row ? a_.rows : a_.columns); ++line) {
        int64 forth = 0, back = 0;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
          if (!nodes_[i].runs || places_[i].segment != static_cast<int>(g)) continue;
          for (const read& r : nodes_[i].reads) {
            if (r.from < 0) continue;
            const place& from = places_[static_cast<std::size_t>(r.from)];
            if (from.segment != static_cast<int>(g) || from.stage == places_[i].stage) continue;
            const wide bytes = static_cast<wide>(r.bytes) * m_.segments[g].sub_batch;
            const wf::rectangle &s = stage_at(from.stage).where,
                                &t = stage_at(places_[i].stage).where;
            const int first = by_row ? s.row : s.column, count = by_row ? s.rows : s.columns;
            const int begin = by_row ? t.row : t.column, size = by_row ? t.rows : t.columns;
            int above = 0;
            for (int y = first; y < first + count; ++y) above += y < line;
            if (begin + size > line) forth += up(bytes * above, count);
            if (begin < line) back += up(bytes * (count - above), count);
          }
        }
        most = std::max(
            most, up(std::max(forth, back),
                     static_cast<wide>(by_row ? a_.columns : a_.rows) * a_.link_bytes_per_cycle));
      }
    // A segment of a single stage passes no data between stages.
    return m_.segments[g].stages.count < 2 ? 0 : most;
  }

  /// The time of a segment, from a simulation of every job and transfer in every beat.
  int64 time(std::size_t g) const {
    const wf::pipeline_segment& s = m_.segments[g];
    int64 deepest = 0;
    for (std::uint32_t k = 0; k < s.stages.count; ++k)
      deepest = std::max<int64>(deepest, m_.stages[s.stages.first + k].depth);
    const int64 beats = s.rounds + deepest;
    // By operator and beat: the end of its loads, of its work, and of storing its result.
    std::map<std::pair<std::uint32_t, int64>, int64> in, end, out;
    std::vector<int64> begins(static_cast<std::size_t>(beats) + 1);
    int64 channel = 0;
    const auto each = [&](int64 beat, auto&& f) {
      for (std::uint32_t k = s.stages.first; k < s.stages.first + s.stages.count; ++k) {
        const wf::pipeline_stage& stage = m_.stages[k];
        if (beat < stage.depth || beat >= stage.depth + s.rounds) continue;
        const int64 rate =
            std::min<int64>(a_.dram_bytes_per_cycle, stage.where.area() * a_.link_bytes_per_cycle);
        for (std::uint32_t i = stage.operators.first;
             i < stage.operators.first + stage.operators.count; ++i)
          f(i, stage, rate);
      }
    };
    const auto load = [&](int64 beat) {
      if (beat >= beats) return;
      const int64 free_from = beat >= 1 ? begins[static_cast<std::size_t>(beat - 1)] : 0;
      each(beat, [&](std::uint32_t i, const wf::pipeline_stage& stage, int64 rate) {
        const wf::stage_operator& o = m_.operators[i];
        const int64 weights = beat == stage.depth ? o.weight_bytes : 0;
        if (weights + o.fetched_bytes == 0) return;
        channel = std::max(channel, free_from) + up(weights, rate) + up(o.fetched_bytes, rate);
        in[{i, beat}] = channel;
      });
    };
    const auto when = [](const auto& times, std::uint32_t i, int64 beat) {
      const auto found = times.find({i, beat});
      return found == times.end() ? int64{0} : found->second;
    };
    load(0);
    for (int64 beat = 0; beat < beats; ++beat) {
      const int64 begin = begins[static_cast<std::size_t>(beat)];
      load(beat + 1);
      int64 over = begin + s.link_cycles, before = begin;
      each(beat, [&](std::uint32_t i, const wf::pipeline_stage& stage, int64) {
        const wf::stage_operator& o = m_.operators[i];
        if (i == stage.operators.first) before = begin;
        before = std::max({before, when(in, i, beat), when(out, i, beat - 2)}) +
                 (beat == stage.depth ? o.first_cycles : o.cycles);
        end[{i, beat}] = before;
        over = std::max(over, before);
      });
      begins[static_cast<std::size_t>(beat) + 1] = over;
      each(beat, [&](std::uint32_t i, const wf::pipeline_stage&, int64 rate) {
        const wf::stage_operator& o = m_.operators[i];
        if (o.stored_bytes == 0) return;
        channel = std::max(channel, end[{i, beat}]) + up(o.stored_bytes, rate);
        out[{i, beat}] = channel;
      });
    }
    return std::max(begins.back(), channel);
  }

  const wf::workload& w_;
  const wf::pe_array& a_;
  const wf::batch_mapping& m_;
  std::string fault_;
  std::vector<node> nodes_;
  std::vector<place> places_;
  std::int64_t clock_ = 0;
};

/// Verifies a batch mapping; returns the first fault, or "".
inline std::string fault_of(const wf::workload& w, const wf::pe_array& a,
                            const wf::batch_mapping& m) {
  return batch_checker(w, a, m).run();
}

}  // namespace mapping_benchmark
