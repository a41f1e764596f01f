// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/array/cost_model.hpp>

namespace wf {

/// An operand of a prepared operator, for the whole batch.
struct prepared_operand {
  std::uint32_t producer = 0;                      ///< index of the producing prepared operator
  std::int64_t bytes = 0;                          ///< bytes of the result that are read
  operand_split split = operand_split::by_second;  ///< split of the operand at the reader
  bool may_overwrite = false;                      ///< see `workload_edge::may_overwrite`
};

/// A class of operators in place. An operator is *in place* if its result overwrites that of
/// another operator, so that both share one buffer and the operand read there needs no copy. The
/// conditions are
///
/// - the operand is the whole result, read by edges all of which have `may_overwrite` and follow
///   both axes; it is not an output, and has as many bytes as the operator's own result;
/// - both run on the same PEs;
/// - every other reader finishes before the operator starts, which then owns the buffer.
///
/// The first condition depends on the workload alone and is decided by `prepare`, the others by
/// those who place operators.
struct overwriting {
  /// Number of operands that are the overwritten result, and thus of copies saved.
  std::uint32_t times = 0;
  /// Shape class of the operators: index into `prepared_workload::kinds`.
  std::uint32_t kind = 0;

  friend constexpr bool operator==(const overwriting&, const overwriting&) = default;
};

/// An operator that occupies PEs, with the data that every search over mappings needs.
struct prepared_operator {
  /// Its operator index in the workload.
  std::uint32_t source = 0;
  /// Its shape class: operators of equal load share one table of tilings.
  std::uint32_t kind = 0;
  /// Its operands produced by other operators: run of `prepared_workload::operands`.
  range operands;
  /// The operators that read its result: run of `prepared_workload::readers`.
  range readers;
  /// The operators whose results it may overwrite: run of `prepared_workload::overwritable`. Only
  /// those that it reads most often.
  range overwritable;
  /// Its class of operators in place: index into `prepared_workload::in_place`; UINT32_MAX if it
  /// can overwrite nothing.
  std::uint32_t in_place = UINT32_MAX;
  /// Minimum cycles over all rectangles and tilings.
  std::int64_t fastest = 0;
  /// Minimum of cycles · PEs over all rectangles and tilings.
  std::int64_t least_area = 0;
  /// Lower bound on the cycles from its start to the end of all operators that depend on it.
  std::int64_t tail = 0;
  /// True if every other operator is its ancestor or descendant.
  bool divides = false;
};

/// A workload prepared for one array: views are contracted, the batch is applied, and each operator
/// has its tilings for every shape of rectangle and its static bounds.
struct prepared_workload {
  /// The operators that occupy PEs, in topological order.
  table<prepared_operator> operators;
  table<prepared_operand> operands;  ///< operands of all operators, by operator
  table<std::uint32_t> readers;      ///< readers of all results; ascending for each result
  /// For each operator of the workload, if it is a view, the operators whose data it renames: run
  /// of `renamed`; otherwise empty.
  table<range> views;
  table<std::uint32_t> renamed;  ///< producers behind all views
  /// Overwritable producers of all operators, by `prepared_operator::overwritable`.
  table<std::uint32_t> overwritable;
  /// Load of each shape class.
  table<operator_load> kinds;
  /// For each shape class and shape, at `shape(...)`: the run of `tilings` that fit into empty PEs,
  /// fastest first.
  table<range> runs;
  /// Bytes of the result in each PE, for each shape class and shape.
  table<std::int64_t> results;
  table<tiling> tilings;  ///< tilings of all classes and shapes
  /// Classes of operators in place.
  table<overwriting> in_place;
  /// For each class in place and shape, like `runs`: the same tilings with the reduced working
  /// bytes in place, and perhaps some that fit only in place.
  table<range> runs_in_place;
  /// Index of the first tiling in place; all later ones are in place, too.
  std::uint32_t first_in_place = UINT32_MAX;
  /// All usable rectangles, by shape, then by position.
  table<rectangle> rectangles;
  /// Number of PEs that are not dead.
  std::int64_t elements = 0;
  /// False if all results and any one working set fit into every PE together, so that memory never
  /// constrains a mapping.
  bool memory_matters = true;
  /// Lower bound on the makespan of every mapping, in cycles.
  std::int64_t bound = 0;

  /// Index into `runs` and `results` (or `runs_in_place`) of a class and a shape on array `a`.
  constexpr std::size_t shape(std::uint32_t kind, std::int32_t rows, std::int32_t columns,
                              const pe_array& a) const {
    return static_cast<std::size_t>(kind) * static_cast<std::size_t>(a.elements()) +
           static_cast<std::size_t>(rows - 1) * static_cast<std::size_t>(a.columns) +
           static_cast<std::size_t>(columns - 1);
  }
  /// True if a tiling (index into `tilings`) is in place.
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

/// Contracts views and applies the batch: fills the operators, operands and views of a prepared
/// workload.
class contraction {
 public:
  constexpr contraction(const workload& w, prepared_workload& out) : w_(w), out_(out) {}

  /// Returns the loads by prepared operator.
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
  /// Data that reaches a reader, perhaps through views; `producer` is `dram` for data from DRAM.
  struct origin {
    std::uint32_t producer = 0;  ///< index into the prepared operators, or `dram`
    std::int64_t bytes = 0;      ///< bytes of the result that are passed on
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

  /// Number of operands of an operator that are a result which the workload lets it overwrite; 0 if
  /// it may not.
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
