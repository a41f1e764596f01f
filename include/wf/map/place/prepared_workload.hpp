// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/array/cost_model.hpp>

namespace wf {

/// An operand of a prepared operator: who made it, and its bytes for the whole batch.
struct prepared_operand {
  std::uint32_t producer = 0;                      ///< index into the prepared operators
  std::int64_t bytes = 0;                          ///< as many of its result as are read
  operand_split split = operand_split::by_second;  ///< how the reader shares it out
  bool may_overwrite = false;                      ///< see `workload_edge`
};

/// What an operator may overwrite. An operator is *in place* if its result is written over that of
/// another one, so that both lie in one buffer and what it reads there needs no copy. That takes
///
/// - a result that it reads as a whole, by edges all of which say `may_overwrite` and follow both
///   axes, that is not handed out, and that has as many bytes as its own;
/// - the same PEs;
/// - no reader but it that is not finished when it starts: then the bytes are its own.
///
/// The first condition is one of the workload and is decided by `prepare`, the others by those who
/// place operators.
struct overwriting {
  /// How often it reads it: so many copies are saved.
  std::uint32_t times = 0;
  /// Of operators of this shape class: index into `prepared_workload::kinds`.
  std::uint32_t kind = 0;

  friend constexpr bool operator==(const overwriting&, const overwriting&) = default;
};

/// An operator that occupies PEs, with what every search over mappings asks of it.
struct prepared_operator {
  /// Its index in the workload.
  std::uint32_t source = 0;
  /// Its shape class: operators of equal load share one table of tilings.
  std::uint32_t kind = 0;
  /// Its operands made by other operators: run of `prepared_workload::operands`.
  range operands;
  /// The operators that read its result: run of `prepared_workload::readers`.
  range readers;
  /// The operators whose results it may overwrite: run of `prepared_workload::overwritable`. Of
  /// several those that it reads most often.
  range overwritable;
  /// If there are any, its tilings in place: index into `prepared_workload::in_place`.
  std::uint32_t in_place = UINT32_MAX;
  /// The fewest cycles on any rectangle.
  std::int64_t fastest = 0;
  /// The least cycles · PEs on any rectangle.
  std::int64_t least_area = 0;
  /// A lower bound on the cycles from its start to the end of all that depends on it.
  std::int64_t tail = 0;
  /// True if every other operator must come before it or after it.
  bool divides = false;
};

/// A workload made ready for one array: views are contracted, the batch is applied, every operator
/// has its tilings for every shape of rectangle, and its static bounds.
struct prepared_workload {
  /// The operators that occupy PEs, in topological order.
  table<prepared_operator> operators;
  table<prepared_operand> operands;  ///< the operands of all operators
  table<std::uint32_t> readers;      ///< the readers of all results, ascending
  /// For each view of the workload (by index) the operators whose data it renames: run of
  /// `renamed`.
  table<range> views;
  table<std::uint32_t> renamed;  ///< the producers behind all views
  /// What operators may overwrite, by `prepared_operator::overwritable`.
  table<std::uint32_t> overwritable;
  /// The load of each shape class.
  table<operator_load> kinds;
  /// For each shape class and shape (rows - 1) · columns of the array + (columns - 1): a run of
  /// `tilings` that fit into an empty PE, fastest first.
  table<range> runs;
  /// Bytes of the result in each PE, for each shape class and shape.
  table<std::int64_t> results;
  table<tiling> tilings;  ///< the tilings of all classes and shapes
  /// The classes of operators in place.
  table<overwriting> in_place;
  /// For each of these and each shape, like `runs`: the same tilings with the fewer working bytes
  /// that they need in place, and perhaps some that fit only so.
  table<range> runs_in_place;
  /// The first of `tilings` that is one in place; all behind it are.
  std::uint32_t first_in_place = UINT32_MAX;
  /// Every usable rectangle, by shape, then by position.
  table<rectangle> rectangles;
  /// The number of PEs that are not dead.
  std::int64_t elements = 0;
  /// True unless every result and any working set fit into every PE together.
  bool memory_matters = true;
  /// No mapping is shorter.
  std::int64_t bound = 0;

  /// The position of a shape in `runs`, for `width` columns of the array.
  constexpr std::size_t shape(std::uint32_t kind, std::int32_t rows, std::int32_t columns,
                              const pe_array& a) const {
    return static_cast<std::size_t>(kind) * static_cast<std::size_t>(a.elements()) +
           static_cast<std::size_t>(rows - 1) * static_cast<std::size_t>(a.columns) +
           static_cast<std::size_t>(columns - 1);
  }
  /// True if a tiling (index into `tilings`) is one in place.
  constexpr bool is_in_place(std::uint32_t how) const { return how >= first_in_place; }
  /// The tilings in place of an operator on a shape; none if it can overwrite nothing.
  constexpr range tilings_in_place(std::uint32_t op, std::int32_t rows, std::int32_t columns,
                                   const pe_array& a) const {
    const std::uint32_t k = operators[op].in_place;
    return k == UINT32_MAX ? range() : runs_in_place[shape(k, rows, columns, a)];
  }
  /// The operators whose results an operator may overwrite.
  constexpr view<std::uint32_t> overwritable_by(std::uint32_t op) const {
    return {overwritable.data() + operators[op].overwritable.first,
            operators[op].overwritable.count};
  }
  /// The operands of an operator.
  constexpr view<prepared_operand> operands_of(std::uint32_t op) const {
    return {operands.data() + operators[op].operands.first, operators[op].operands.count};
  }
  /// The readers of an operator's result.
  constexpr view<std::uint32_t> readers_of(std::uint32_t op) const {
    return {readers.data() + operators[op].readers.first, operators[op].readers.count};
  }
};

namespace detail {

/// Contracts views and applies the batch: the operators with their operands and loads.
class contraction {
 public:
  constexpr contraction(const workload& w, prepared_workload& out) : w_(w), out_(out) {}

  /// The loads by prepared index.
  constexpr table<operator_load> run() {
    const std::size_t n = w_.operators.size();
    collect_edges();
    out_.views.resize(n);
    prepared_.resize(n);
    sources_.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      sources_[i].first = static_cast<std::uint32_t>(list_.size());
      if (w_.operators[i].is_view)
        rename(i);
      else
        add(i);
      sources_[i].count = static_cast<std::uint32_t>(list_.size()) - sources_[i].first;
    }
    collect_readers();
    for (std::uint32_t v = 0; v < out_.operators.size(); ++v) collect_overwritable(v);
    return static_cast<table<operator_load>&&>(loads_);
  }

 private:
  /// Data of an operator that reaches a reader; `producer` is no_state for data from DRAM.
  struct origin {
    std::uint32_t producer = 0;  ///< index into the prepared operators
    std::int64_t bytes = 0;      ///< as many of its result as are read
  };

  constexpr void collect_edges() {
    incoming_.resize(w_.operators.size());
    for (const workload_edge& e : w_.edges) ++incoming_[e.to].count;
    std::uint32_t first = 0;
    for (range& r : incoming_) {
      r.first = first;
      first += r.count;
      r.count = 0;
    }
    edges_.resize(w_.edges.size());
    for (const workload_edge& e : w_.edges) {
      range& r = incoming_[e.to];
      edges_[r.first + r.count++] = e;
    }
  }

  constexpr void rename(std::uint32_t i) {
    const workload_operator& o = w_.operators[i];
    const auto first = static_cast<std::uint32_t>(out_.renamed.size());
    for (std::uint32_t k = 0; k < incoming_[i].count; ++k) {
      const workload_edge& e = edges_[incoming_[i].first + k];
      const range from = sources_[e.from];
      for (std::uint32_t j = 0; j < from.count; ++j) {
        const origin x = list_[from.first + j];
        list_.push_back({x.producer, lesser(x.bytes, e.bytes * w_.batch)});
        if (x.producer == dram) continue;
        out_.renamed.push_back(x.producer);
        if (o.is_output) loads_[x.producer].stored_bytes = loads_[x.producer].output_bytes;
      }
    }
    if (o.input_bytes > 0) list_.push_back({dram, o.input_bytes * w_.batch});
    out_.views[i] = {first, static_cast<std::uint32_t>(out_.renamed.size()) - first};
  }

  constexpr void add(std::uint32_t i) {
    const workload_operator& o = w_.operators[i];
    operator_load load;
    load.macs = o.macs * w_.batch;
    load.elementwise = o.elementwise * w_.batch;
    load.weight_bytes = o.weight_bytes;
    load.kernel = o.kernel;
    load.result = o.result;
    load.output_bytes = o.output_bytes * w_.batch;
    load.scratch_bytes = o.scratch_bytes * w_.batch;
    load.first_axis = o.first_axis;
    load.second_axis = o.second_axis * w_.batch;
    load.fetched_bytes[static_cast<int>(o.input_split)] += o.input_bytes * w_.batch;
    load.stored_bytes = o.is_output ? load.output_bytes : 0;
    prepared_operator p;
    p.source = i;
    p.operands.first = static_cast<std::uint32_t>(out_.operands.size());
    for (std::uint32_t k = 0; k < incoming_[i].count; ++k) {
      const workload_edge& e = edges_[incoming_[i].first + k];
      const range from = sources_[e.from];
      for (std::uint32_t j = 0; j < from.count; ++j) {
        const origin x = list_[from.first + j];
        const std::int64_t bytes = lesser(x.bytes, e.bytes * w_.batch);
        (x.producer == dram ? load.fetched_bytes : load.made_bytes)[static_cast<int>(e.split)] +=
            bytes;
        if (x.producer != dram)
          out_.operands.push_back({x.producer, bytes, e.split, e.may_overwrite});
      }
    }
    p.operands.count = static_cast<std::uint32_t>(out_.operands.size()) - p.operands.first;
    prepared_[i] = static_cast<std::uint32_t>(out_.operators.size());
    list_.push_back({prepared_[i], INT64_MAX});
    out_.operators.push_back(p);
    loads_.push_back(load);
  }

  constexpr void collect_readers() {
    for (const prepared_operand& o : out_.operands) ++out_.operators[o.producer].readers.count;
    std::uint32_t first = 0;
    for (prepared_operator& p : out_.operators) {
      p.readers.first = first;
      first += p.readers.count;
      p.readers.count = 0;
    }
    out_.readers.resize(out_.operands.size());
    for (std::uint32_t v = 0; v < out_.operators.size(); ++v)
      for (const prepared_operand& o : out_.operands_of(v)) {
        range& r = out_.operators[o.producer].readers;
        out_.readers[r.first + r.count++] = v;
      }
  }

  /// How often an operator reads a result that it may overwrite by what the workload says; else 0.
  constexpr std::uint32_t times_to_overwrite(std::uint32_t v, std::uint32_t producer) const {
    const std::int64_t bytes = loads_[v].output_bytes;
    if (bytes == 0 || loads_[producer].output_bytes != bytes || loads_[producer].stored_bytes != 0)
      return 0;
    std::uint32_t times = 0;
    for (const prepared_operand& o : out_.operands_of(v)) {
      if (o.producer != producer) continue;
      if (!o.may_overwrite || o.split != operand_split::by_both || o.bytes != bytes) return 0;
      ++times;
    }
    return times;
  }
  constexpr void collect_overwritable(std::uint32_t v) {
    range& run = out_.operators[v].overwritable;
    run.first = static_cast<std::uint32_t>(out_.overwritable.size());
    std::uint32_t most = 1;
    const auto each = [&](auto&& take) {
      const view<prepared_operand> operands = out_.operands_of(v);
      for (std::size_t i = 0; i < operands.size(); ++i) {
        bool is_first = operands[i].may_overwrite;
        for (std::size_t j = 0; j < i && is_first; ++j)
          is_first = operands[j].producer != operands[i].producer;
        if (is_first) take(operands[i].producer, times_to_overwrite(v, operands[i].producer));
      }
    };
    each([&](std::uint32_t, std::uint32_t times) { most = most < times ? times : most; });
    each([&](std::uint32_t producer, std::uint32_t times) {
      if (times == most) out_.overwritable.push_back(producer);
    });
    run.count = static_cast<std::uint32_t>(out_.overwritable.size()) - run.first;
  }

  static constexpr std::uint32_t dram = UINT32_MAX;
  const workload& w_;
  prepared_workload& out_;
  table<range> incoming_;
  table<workload_edge> edges_;
  table<std::uint32_t> prepared_;
  table<range> sources_;
  table<origin> list_;
  table<operator_load> loads_;
};

}  // namespace detail

}  // namespace wf
