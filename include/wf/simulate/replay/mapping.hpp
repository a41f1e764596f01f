// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/compiled.hpp>
#include <wf/map/array/constraints.hpp>
#include <wf/map/array/mapping.hpp>
#include <wf/map/array/prepare.hpp>
#include <wf/simulate/engine/engine.hpp>
#include <wf/simulate/process/broker.hpp>
#include <wf/simulate/replay/mesh_links.hpp>
#include <wf/simulate/sharing/slots.hpp>
#include <wf/simulate/trace.hpp>

namespace wf {

/// Options of the replay of a mapping.
struct simulate_options {
  /// False: transfers do not contend for links, as the mapper assumes. True: each transfer occupies
  /// the mesh links on its path, first come first served.
  bool link_contention = false;
  /// False: every operator has its PEs' share of the DRAM bandwidth to itself, as the mapper
  /// assumes. True: one DRAM serves the operators' bytes first come first served at its full
  /// bandwidth; an operator finishes no earlier than its DRAM traffic.
  bool dram_contention = false;
  /// The constraints of the mapping; their orders become signals between processes.
  map_constraints constraints = {};
};

namespace detail {

/// A replay of a mapping: one process per operator, a broker for PEs and their memory, and links.
/// It reads places and the order of starts from the mapping and computes all times itself.
template <class Predictor>
class replay {
 public:
  constexpr replay(const workload& w, const pe_array& array, const mapping& m,
                   const simulate_options& options, const Predictor& predictor)
      : w_(w),
        array_(array),
        m_(m),
        options_(options),
        predictor_(predictor),
        links_(array),
        dram_{array.dram_bytes_per_cycle, 0, 0} {
    loads_ = contraction(w, work_).run();
  }

  constexpr result<execution_trace> run() {
    set_up();
    if (error_.code == errc::none) dispatch();
    while (error_.code == errc::none && engine_.step(*this)) {
    }
    if (error_.code != errc::none) return error_;
    out_.accounts.resize(w_.operators.size());
    for (std::uint32_t v = 0; v < progress_.size(); ++v) {
      if (!progress_[v].done) return deadlock();
      out_.accounts[source(v)] = progress_[v].account;
    }
    out_.processed = engine_.processed();
    return static_cast<execution_trace&&>(out_);
  }

  // Called by the engine: activity `v` is the end of operator `v`; those after the operators are
  // the arrivals of operands.
  constexpr void started(std::uint32_t, std::int64_t) {}
  constexpr void finished(std::uint32_t activity) {
    if (error_.code != errc::none) return;
    const auto operators = static_cast<std::uint32_t>(progress_.size());
    if (activity < operators)
      finish(activity);
    else
      arrive(activity - operators);
    dispatch();
  }

 private:
  /// What an operator still waits for, and what it has used.
  struct operator_progress {
    std::uint32_t missing = 0;  // operands and signals
    bool done = false;
    std::int64_t ready_since = 0;
    resource_account account;
  };

  constexpr std::uint32_t source(std::uint32_t v) const { return work_.operators[v].source; }
  constexpr const placement& place(std::uint32_t v) const { return m_.operators[source(v)]; }
  constexpr const text& label(std::uint32_t v) const { return w_.operators[source(v)].label; }

  constexpr void set_up() {
    const std::size_t n = work_.operators.size();
    table<std::uint32_t> index(w_.operators.size(), UINT32_MAX);
    for (std::uint32_t v = 0; v < n; ++v) index[source(v)] = v;
    for (std::uint32_t i : m_.sequence) {
      if (i >= index.size() || index[i] == UINT32_MAX)
        return fail("", "the mapping's sequence does not fit the workload");
      turns_.push_back(index[i]);
      index[i] = UINT32_MAX;
    }
    rules_ = prepared_constraints(options_.constraints, work_);
    if (turns_.size() != n) return fail("", "the mapping does not place every operator");
    // PE e is resource 2e, its memory is resource 2e + 1.
    for (std::uint32_t e = 0; e < array_.elements(); ++e) {
      broker_.add(1);
      broker_.add(array_.memory_bytes);
    }
    for (std::uint32_t v = 0; v < n; ++v) {
      if (!array_.usable(place(v).where))
        return fail(label(v).view(), "it is placed outside the usable PEs");
      progress_.push_back(
          {work_.operators[v].operands.count + static_cast<std::uint32_t>(rules_.before(v).size()),
           false,
           0,
           {}});
      unread_.push_back(work_.operators[v].readers.count);
      find_overwritten(v);
    }
    begins_.resize(n);
    sent_.resize(work_.operands.size());
    reader_.resize(work_.operands.size());
  }

  /// Checks that the workload allows the overwriting which the mapping states for an operator. Sets
  /// `over_` to the overwritten operator and `owner_` to the operator that allocated the buffer.
  constexpr void find_overwritten(std::uint32_t v) {
    over_.push_back(overwrites_nothing);
    owner_.push_back(v);
    if (place(v).overwrites == overwrites_nothing) return;
    for (std::uint32_t u : work_.overwritable_by(v)) {
      if (source(u) != place(v).overwrites || !(place(u).where == place(v).where) ||
          place(u).result_bytes != place(v).result_bytes)
        continue;
      over_[v] = u;
      owner_[v] = owner_[u];
    }
    if (over_[v] == overwrites_nothing)
      fail(label(v).view(), "it overwrites what it must not, or what lies elsewhere");
  }
  /// True if other operators have yet to read the result that an operator overwrites.
  constexpr bool is_read_by_others(std::uint32_t v) const {
    if (over_[v] == overwrites_nothing) return false;
    std::uint32_t own = 0;
    for (const prepared_operand& o : work_.operands_of(v)) own += o.producer == over_[v] ? 1u : 0u;
    return unread_[over_[v]] > own;
  }

  constexpr void fail(text_view subject, text_view sentence) {
    if (error_.code == errc::none) error_ = make_error(errc::simulation_failed, subject, sentence);
  }

  /// The resources of an operator on each of its PEs: `pes` units of the PE (0: none) and `bytes`
  /// of its memory.
  constexpr table<demand> demands(std::uint32_t v, std::int64_t pes, std::int64_t bytes) const {
    table<demand> out;
    const rectangle& r = place(v).where;
    for (std::int32_t y = r.row; y < r.row + r.rows; ++y)
      for (std::int32_t x = r.column; x < r.column + r.columns; ++x) {
        if (pes != 0) out.push_back({2 * array_.index(y, x), pes});
        if (bytes != 0) out.push_back({2 * array_.index(y, x) + 1, bytes});
      }
    return out;
  }

  /// Operators request resources in the order of the sequence, each once its operands have arrived
  /// and its predecessor has started.
  constexpr void dispatch() {
    while (turn_ < turns_.size() && !asking_ && error_.code == errc::none) {
      const std::uint32_t v = turns_[turn_];
      if (progress_[v].missing != 0 || is_read_by_others(v)) return;
      // An operator in place needs no result buffer: it takes over the overwritten one.
      const std::int64_t own = over_[v] == overwrites_nothing ? place(v).result_bytes : 0;
      const auto granted = broker_.request(v, demands(v, 1, place(v).how.working_bytes + own));
      if (!granted) return fail(label(v).view(), "a PE of its rectangle has not enough memory");
      asking_ = true;
      if (*granted) start(v);
    }
  }
  constexpr void start(std::uint32_t v) {
    asking_ = false;
    ++turn_;
    const std::int64_t now = engine_.now();
    begins_[v] = now;
    resource_account& account = progress_[v].account;
    account.queued = now - progress_[v].ready_since;
    account.ran = place(v).how.cycles;
    account.runs = 1;
    std::int64_t end = now + account.ran;
    if (options_.dram_contention) {
      const operator_load& l = loads_[v];
      const std::int64_t bytes = l.weight_bytes + l.fetched_bytes[0] + l.fetched_bytes[1] +
                                 l.fetched_bytes[2] + l.stored_bytes;
      const std::int64_t moved = bytes == 0 ? end : dram_.send(now, bytes).end;
      if (moved > end) out_.dram_waiting += moved - end;
      end = larger(end, moved);
    }
    call(v, end);
  }

  // Calls `finished(activity)` at a time.
  constexpr void call(std::uint32_t activity, std::int64_t time) {
    engine_.add(0, {activity, 0, time - engine_.now()}, *this);
  }
  constexpr void receive(std::uint32_t v, std::int64_t bytes) {
    operator_progress& p = progress_[v];
    p.account.bytes_in += bytes;
    if (--p.missing == 0) p.ready_since = engine_.now();
  }
  constexpr void arrive(std::uint32_t operand) {
    const prepared_operand& o = work_.operands[operand];
    const std::uint32_t v = reader_[operand];
    out_.events.push_back({trace_kind::transfer, source(o.producer), source(v), sent_[operand],
                           engine_.now(), place(o.producer).where, place(v).where, o.bytes});
    receive(v, o.bytes);
  }

  constexpr void finish(std::uint32_t v) {
    const std::int64_t now = engine_.now();
    out_.makespan = larger(out_.makespan, now);
    progress_[v].done = true;
    resource_account& account = progress_[v].account;
    account.bytes_out = loads_[v].output_bytes;
    account.peak_bytes = saturating_add(account.bytes_in, account.bytes_out);
    out_.events.push_back({trace_kind::execute, source(v), source(v), begins_[v], now,
                           place(v).where, place(v).where, account.bytes_out});
    // `readers_of` lists a reader once per operand, in operator order; `send` handles all its
    // operands.
    std::uint32_t last = UINT32_MAX;
    for (std::uint32_t reader : work_.readers_of(v)) {
      if (reader != last) send(v, reader);
      last = reader;
    }
    for (std::uint32_t later : rules_.after(v)) receive(later, 0);
    give_back(v, demands(v, 1, place(v).how.working_bytes));
    if (unread_[v] == 0) give_back(owner_[v], demands(v, 0, place(v).result_bytes));
    for (const prepared_operand& o : work_.operands_of(v))
      if (--unread_[o.producer] == 0 && over_[v] != o.producer)
        give_back(owner_[o.producer], demands(o.producer, 0, place(o.producer).result_bytes));
  }
  constexpr void send(std::uint32_t v, std::uint32_t reader) {
    const std::int64_t now = engine_.now();
    const range operands = work_.operators[reader].operands;
    for (std::uint32_t k = operands.first; k < operands.first + operands.count; ++k) {
      if (work_.operands[k].producer != v) continue;
      const rectangle &from = place(v).where, &to = place(reader).where;
      const std::int64_t time = predictor_.transfer(array_, from, to, work_.operands[k].bytes);
      const transit t = options_.link_contention ? links_.send(now, from, to, time)
                                                 : transit{now, saturating_add(now, time)};
      out_.link_waiting += t.begin - now;
      sent_[k] = t.begin;
      reader_[k] = reader;
      call(static_cast<std::uint32_t>(progress_.size()) + k, t.end);
    }
  }
  constexpr void give_back(std::uint32_t v, const table<demand>& what) {
    const auto released = broker_.release(v, what, [&](std::uint32_t granted) { start(granted); });
    if (!released) fail(label(v).view(), released.error().message.view());
  }

  constexpr error deadlock() const {
    table<wait_edge> more;
    for (std::uint32_t v = 0; v < progress_.size(); ++v) {
      for (const prepared_operand& o : work_.operands_of(v)) {
        if (progress_[v].done) continue;
        // A reader waits for its producer; a finished producer's memory waits for the reader.
        if (progress_[o.producer].done)
          more.push_back({o.producer, v});
        else
          more.push_back({v, o.producer});
      }
    }
    for (std::uint32_t v = 0; v < progress_.size(); ++v)
      for (std::uint32_t earlier : rules_.before(v))
        if (!progress_[earlier].done) more.push_back({v, earlier});
    for (std::uint32_t v = 0; v < progress_.size(); ++v) {
      if (over_[v] == overwrites_nothing || progress_[v].done) continue;
      for (std::uint32_t other : work_.readers_of(over_[v]))
        if (other != v && !progress_[other].done) more.push_back({v, other});
    }
    for (std::size_t i = turn_ + 1; i < turns_.size(); ++i)
      more.push_back({turns_[i], turns_[i - 1]});
    const table<std::uint32_t> cycle = broker_.wait_cycle(more);
    const auto name = [&](std::uint32_t v) { return label(v).view(); };
    return make_error(errc::simulation_failed, cycle.empty() ? text_view() : name(cycle[0]),
                      text() << "deadlock: " << wait_cycle_text(cycle, name).view());
  }

  const workload& w_;
  const pe_array& array_;
  const mapping& m_;
  simulate_options options_;
  const Predictor& predictor_;
  prepared_workload work_;
  table<operator_load> loads_;
  prepared_constraints rules_;
  mesh_links links_;
  fifo_link dram_;
  broker broker_;
  sim::engine<sim::slots> engine_{sim::slots(table<std::int64_t>(1, sim::slots::unlimited))};
  table<std::uint32_t> turns_;
  std::size_t turn_ = 0;
  bool asking_ = false;
  table<operator_progress> progress_;
  table<std::uint32_t> unread_;
  table<std::uint32_t> over_;   // the overwritten operator, or `overwrites_nothing`
  table<std::uint32_t> owner_;  // the broker's holder of its result buffer
  table<std::int64_t> begins_;
  table<std::int64_t> sent_;     // when each operand began to move
  table<std::uint32_t> reader_;  // the operator that reads it
  error error_;
  execution_trace out_;
};

template <class Predictor>
constexpr result<execution_trace> replay_mapping(const workload& w, const pe_array& array,
                                                 const mapping& m, const simulate_options& options,
                                                 const Predictor& predictor) {
  if (const auto valid = validate(array); !valid) return valid.error();
  if (const auto valid = validate(w); !valid) return valid.error();
  if (const auto valid = validate(options.constraints, w, array); !valid) return valid.error();
  if (m.operators.size() != w.operators.size() || m.rows != array.rows ||
      m.columns != array.columns)
    return make_error(errc::simulation_failed, w.name.view(),
                      "the mapping is of another workload or array");
  return replay<Predictor>(w, array, m, options, predictor).run();
}
#ifdef WF_COMPILED
extern template struct compiled<&replay_mapping<cycle_model>>;
#endif

}  // namespace detail

/// Replays a mapping as discrete events: every operator is a process that waits for its operands,
/// requests its PEs and their memory from the broker in the order of the mapping's sequence, runs,
/// and sends its result to its readers. An operator in place also waits for the other readers of
/// the result it overwrites, and takes over that buffer. Start times are computed, not read from
/// the mapping. Without contention the makespan equals that of the mapping to the cycle; with
/// contention for links or DRAM it is at least that (the order of starts is kept), and the
/// difference is the part that the mapper's model leaves out: `measure_contention` reports it.
/// Errors: those of `validate`; `simulation_failed` if the mapping does not fit workload or array,
/// or operators deadlock: the message names the cycle. Also in constant evaluation for small
/// mappings.
template <cost_predictor Predictor = cycle_model>
constexpr result<execution_trace> simulate(const workload& w, const pe_array& array,
                                           const mapping& m, const simulate_options& options = {},
                                           const Predictor& predictor = {}) {
  return detail::call_compiled<&detail::replay_mapping<Predictor>>(w, array, m, options, predictor);
}

}  // namespace wf
