// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/text.hpp>
#include <wf/logic/relation/database.hpp>
#include <wf/logic/relation/store.hpp>

namespace wf::logic {

/// What evaluates a stratum.
enum class evaluation_method : std::uint8_t {
  once,         ///< without recursion: each rule once
  step,         ///< without recursion: the product of a matrix that all steps of a program share
  rounds,       ///< semi-naive rounds
  row_closure,  ///< a closure of each row by itself
  row_queue,    ///< visits of rows with new entries
  linear,       ///< a system of linear equations, by its components
  iteration,    ///< all rules again until no value changes
};

/// "row queue" for `evaluation_method::row_queue`.
constexpr text_view to_text(evaluation_method m) {
  switch (m) {
    case evaluation_method::once:
      return "once";
    case evaluation_method::step:
      return "step";
    case evaluation_method::rounds:
      return "rounds";
    case evaluation_method::row_closure:
      return "row closure";
    case evaluation_method::row_queue:
      return "row queue";
    case evaluation_method::linear:
      return "linear";
    case evaluation_method::iteration:
      return "iteration";
  }
  return "";
}

/// How a stratum was evaluated, in all steps together.
struct stratum_report {
  text tensors;              ///< their names, separated by ", "
  std::uint32_t rounds = 0;  ///< of a recursion by rounds; else 1 for each step
  /// What evaluated it, in the last step.
  evaluation_method method = evaluation_method::once;
  text reason;                     ///< why that method; "" without recursion
  std::uint32_t by_variables = 0;  ///< number of its rules whose joins were evaluated variable by
                                   ///< variable
  std::uint64_t entries = 0;       ///< of its tensors, at the end

  /// True for a recursion row by row.
  constexpr bool by_rows() const {
    return method == evaluation_method::row_closure || method == evaluation_method::row_queue;
  }
};

/// A tensor of a solution.
class solved_tensor {
 public:
  text name;                     ///< as in the program
  table<std::uint32_t> domains;  ///< by column: number of its symbols' domain, or `none`
  table<std::int64_t> extents;   ///< by column: number of positions of its axis; empty unless all
                                 ///< are known

  constexpr solved_tensor() = default;
  /// A tensor with the entries of a store, and the domains of its columns.
  constexpr solved_tensor(text_view named, detail::tensor_store store, table<std::uint32_t> of)
      : name(named),
        domains(static_cast<table<std::uint32_t>&&>(of)),
        store_(static_cast<detail::tensor_store&&>(store)) {}

  /// Number of entries.
  constexpr std::size_t size() const { return store_.rows(); }
  /// The entries as they are stored; `store().list()` lists them.
  constexpr detail::tensor_store& store() { return store_; }
  /// True if there is an entry at these positions, of which there are as many as indices.
  constexpr bool contains(const position* at) {
    store_.index();
    return store_.contains(at);
  }
  /// The entries in lexicographic order, valid as long as the tensor. O(rank · entries) at first.
  constexpr const relation& entries() {
    if (!sorted_) store_.sort();
    sorted_ = true;
    return store_.entries();
  }

 private:
  detail::tensor_store store_;
  bool sorted_ = false;
};

/// The tensors that a program exports, and how they came about.
struct solution {
  table<solved_tensor> tensors;  ///< in the order in which the program names them
  table<symbol_domain> domains;  ///< those of the inputs, with new symbols of the program
  table<stratum_report> strata;  ///< in the order of evaluation

  /// The tensor of that name, or null. O(tensors).
  constexpr solved_tensor* find(text_view name) {
    for (solved_tensor& t : tensors)
      if (t.name.view() == name) return &t;
    return nullptr;
  }
};

}  // namespace wf::logic
