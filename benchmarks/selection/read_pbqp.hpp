// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <wf/core/diagnosis/result.hpp>

#include <selection/instance.hpp>
#include <selection/lines.hpp>

namespace selection_benchmark {

/// Reads a graph with pairwise costs: `pbqp N E M`; M lines `rows cols entries...`; N lines `k
/// costs...`; E lines `u v matrix`. Costs are integers, `x` is infinite: such an alternative
/// becomes no candidate, such a pair is excluded.
class pbqp_reader {
 public:
  explicit pbqp_reader(wf::text_view source) : lines_(source) {}

  wf::result<instance> read() {
    if (!head()) return lines_.error();
    for (std::int64_t i = 0; i < matrices_; ++i)
      if (!matrix_line()) return lines_.error();
    for (std::int64_t i = 0; i < nodes_; ++i)
      if (!node_line()) return lines_.error();
    for (std::int64_t i = 0; i < edges_; ++i)
      if (!edge_line()) return lines_.error();
    if (!lines_.at_end("the last edge")) return lines_.error();
    return std::move(out_);
  }

 private:
  static constexpr std::int64_t infinite = INT64_MAX;
  static constexpr std::size_t most_pairs = 50'000'000;

  struct matrix {
    std::size_t rows = 0, columns = 0;
    std::vector<std::int64_t> entries;
  };

  bool head() {
    if (!lines_.next("the first line") || !lines_.expect_size(4, "the first line")) return false;
    if (lines_.word(0) != "pbqp") return lines_.fail("the first word is not 'pbqp'");
    if (!lines_.integer(1, "the number of nodes", 1, 10'000'000, nodes_) ||
        !lines_.integer(2, "the number of edges", 0, 10'000'000, edges_) ||
        !lines_.integer(3, "the number of matrices", 0, 10'000'000, matrices_))
      return false;
    out_.objective = out_.problem.add_metric("cost");
    out_.problem.objective = wf::minimise_metric(out_.objective);
    out_.scale = 1;
    return true;
  }

  bool cost(std::size_t i, std::int64_t& out) {
    if (lines_.word(i) != "x")
      return lines_.integer(i, "a cost", -largest_number, largest_number, out);
    out = infinite;
    return true;
  }

  bool matrix_line() {
    std::int64_t rows = 0, columns = 0;
    if (!lines_.next("the last matrix")) return false;
    if (lines_.size() < 2) return lines_.fail("a matrix has no size");
    if (!lines_.integer(0, "the number of rows", 1, 100'000, rows) ||
        !lines_.integer(1, "the number of columns", 1, 100'000, columns))
      return false;
    matrix added{static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), {}};
    if (!lines_.expect_size(2 + added.rows * added.columns, "a matrix with its size")) return false;
    added.entries.resize(added.rows * added.columns);
    for (std::size_t i = 0; i < added.entries.size(); ++i)
      if (!cost(i + 2, added.entries[i])) return false;
    tables_.push_back(std::move(added));
    return true;
  }

  bool node_line() {
    std::int64_t alternatives = 0;
    if (!lines_.next("the last node") ||
        !lines_.integer(0, "the number of alternatives", 1, 100'000, alternatives) ||
        !lines_.expect_size(1 + static_cast<std::size_t>(alternatives), "a node with its number"))
      return false;
    const std::uint32_t owner = out_.problem.add_class();
    out_.problem.add_root(owner);
    first_.push_back(numbers_.size());
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      std::int64_t price = 0;
      if (!cost(i, price)) return false;
      numbers_.push_back(price == infinite
                             ? wf::no_candidate
                             : out_.problem.add_candidate(owner, {}, wf::view(&price, 1)));
    }
    return true;
  }

  /// The number of alternatives of a node, infinite ones included.
  std::size_t alternatives(std::size_t node) const {
    return (node + 1 < first_.size() ? first_[node + 1] : numbers_.size()) - first_[node];
  }

  bool edge_line() {
    std::int64_t ends[2] = {}, number = 0;
    if (!lines_.next("the last edge") || !lines_.expect_size(3, "an edge") ||
        !lines_.integer(0, "a node", 0, nodes_ - 1, ends[0]) ||
        !lines_.integer(1, "a node", 0, nodes_ - 1, ends[1]) ||
        !lines_.integer(2, "a matrix", 0, matrices_ - 1, number))
      return false;
    if (ends[0] == ends[1]) return lines_.fail("an edge joins a node with itself", 1);
    const std::size_t u = static_cast<std::size_t>(ends[0]), v = static_cast<std::size_t>(ends[1]);
    const matrix& m = tables_[static_cast<std::size_t>(number)];
    if (m.rows != alternatives(u) || m.columns != alternatives(v))
      return lines_.fail("the matrix has not one row and column for each alternative", 2);
    for (std::size_t i = 0; i < m.entries.size(); ++i) {
      const std::uint32_t a = numbers_[first_[u] + i / m.columns];
      const std::uint32_t b = numbers_[first_[v] + i % m.columns];
      if (a == wf::no_candidate || b == wf::no_candidate || m.entries[i] == 0) continue;
      if (out_.problem.pairs.size() == most_pairs) return lines_.fail("there are too many pairs");
      if (m.entries[i] == infinite)
        out_.problem.exclude_pair(a, b);
      else
        out_.problem.add_pair(a, b, wf::view(&m.entries[i], 1));
    }
    return true;
  }

  line_reader lines_;
  std::int64_t nodes_ = 0, edges_ = 0, matrices_ = 0;
  std::vector<matrix> tables_;
  std::vector<std::uint32_t> numbers_;  ///< by alternative: its candidate
  std::vector<std::size_t> first_;      ///< by node: its first alternative
  instance out_;
};

/// Reads a graph with pairwise costs; errors: `graph_syntax` with its line. O(size + pairs).
inline wf::result<instance> read_pbqp(wf::text_view source) { return pbqp_reader(source).read(); }

}  // namespace selection_benchmark
