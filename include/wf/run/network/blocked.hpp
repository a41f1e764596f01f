// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <vector>

#include <wf/capture/call.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/compile/arguments.hpp>
#include <wf/run/network/task_program.hpp>

namespace wf {

/// How matrices lie on processes in blocks: block (i, j) is in process (i mod rows) · columns +
/// (j mod columns), which spreads every part of a matrix over all of them.
struct block_grid {
  std::int64_t block = 256;   ///< rows and columns of a block; the last ones may be smaller
  std::uint32_t rows = 1;     ///< rows of processes
  std::uint32_t columns = 1;  ///< columns of processes
  /// A process may be so many steps ahead of the others, at least one: more hide delays, and need
  /// memory for the blocks of each.
  std::uint32_t ahead = 2;

  /// Number of processes.
  constexpr std::uint32_t ranks() const { return rows * columns; }
  /// The process that has a block.
  constexpr std::uint32_t owner(std::uint32_t i, std::uint32_t j) const {
    return (i % rows) * columns + j % columns;
  }
  /// Number of blocks along an extent.
  constexpr std::uint32_t count(std::int64_t extent) const {
    return static_cast<std::uint32_t>((extent + block - 1) / block);
  }
  /// Extent of the i-th block.
  constexpr std::int64_t size(std::int64_t extent, std::uint32_t i) const {
    const std::int64_t left = extent - block * i;
    return left < block ? left : block;
  }
};

namespace detail {

// The codes of blocks, for all sizes.
inline constexpr auto block_product = wf::workflow<"block_product">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "K">();
  auto b = s.input<"B", double, "K", "N">();
  s.output<"C">(a * b);
});
inline constexpr auto block_update = wf::workflow<"block_update">([](wf::scope& s) {
  auto c = s.input<"C", double, "M", "N">();
  auto a = s.input<"A", double, "M", "K">();
  auto b = s.input<"B", double, "K", "N">();
  s.output<"D">(c + a * b);
});
inline constexpr auto block_downdate = wf::workflow<"block_downdate">([](wf::scope& s) {
  auto c = s.input<"C", double, "M", "N">();
  auto a = s.input<"A", double, "M", "K">();
  auto b = s.input<"B", double, "N", "K">();
  s.output<"D">(c - a * wf::trans(b));
});
inline constexpr auto block_factor = wf::workflow<"block_factor">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "M">(wf::spd);
  s.output<"L">(wf::call<kernels::cholesky>(a));
});
inline constexpr auto block_solve = wf::workflow<"block_solve">([](wf::scope& s) {
  auto a = s.input<"A", double, "N", "M">();
  auto l = s.input<"L", double, "M", "M">(wf::lower_triangular | wf::nonsingular);
  s.output<"X">(wf::trans(wf::call<kernels::solve_triangular>(l, wf::trans(a))));
});

class block_program {
 public:
  explicit block_program(const block_grid& grid) : grid_(grid), out_(grid.ranks()) {
    if (grid.block <= 0 || grid.rows == 0 || grid.columns == 0 || grid.ahead == 0)
      fault_ = make_error(errc::invalid_problem, "blocks",
                          "blocks, processes and steps ahead must be positive");
  }

  const block_grid& grid() const { return grid_; }
  task_program& program() { return out_; }
  // An argument, after some tasks, named as "A[0,1]".
  std::uint32_t argument(char name, std::uint32_t i, std::uint32_t j, std::int64_t rows,
                         std::int64_t columns, view<std::uint32_t> after = {}) {
    const value_type type{dtype::f64, {}, shape::of(rows, columns)};
    return out_.add_argument(block_name(name, i, j).view(), grid_.owner(i, j), type, after);
  }
  static text block_name(char name, std::uint32_t i, std::uint32_t j) {
    return text() << name << '[' << i << ',' << j << ']';
  }
  // A task of a code whose symbols have these sizes, for a block.
  std::uint32_t add(const graph_view& code, view<std::int64_t> sizes, std::uint32_t i,
                    std::uint32_t j, view<task_value> operands, view<std::uint32_t> after = {}) {
    return out_.add(code_for(code, sizes), grid_.owner(i, j), operands, after,
                    (text() << code.text_of(code.name) << ' ' << i << ',' << j).view());
  }
  // What a process has to wait for before it goes on to a step: the end of the last step that is
  // more than `ahead` before, in all.
  table<std::uint32_t> waits_of(std::uint32_t step) const {
    table<std::uint32_t> out;
    if (step > grid_.ahead) out.append(view<std::uint32_t>(ends_[step - grid_.ahead - 1]));
    return out;
  }
  // A step ends in each process when its tasks of the step have run.
  void end_step(view<std::uint32_t> tasks) {
    table<std::uint32_t> ends;
    for (std::uint32_t r = 0; r < grid_.ranks(); ++r) {
      table<std::uint32_t> own;
      for (const std::uint32_t t : tasks)
        if (out_.tasks().owner(t) == r) own.push_back(t);
      if (!own.empty()) ends.push_back(out_.add_signal(r, own));
    }
    ends_.push_back(static_cast<table<std::uint32_t>&&>(ends));
  }
  result<task_program> take() {
    if (fault_.code != errc::none) return fault_;
    if (out_.fault().code != errc::none) return out_.fault();
    return static_cast<task_program&&>(out_);
  }
  bool failed() const { return fault_.code != errc::none; }

 private:
  struct bound_code {
    const node* of;
    table<std::int64_t> sizes;
    std::uint32_t number;
  };

  std::uint32_t code_for(const graph_view& code, view<std::int64_t> sizes) {
    for (const bound_code& b : bound_)
      if (b.of == code.nodes.data() && b.sizes == table<std::int64_t>(sizes)) return b.number;
    // Symbols in the order in which they first occur.
    type_args known;
    for (const value& v : code.values)
      for (std::uint32_t d = 0; v.producer == node_id::none && d < v.type.shape.rank; ++d) {
        const text name = to_text(v.type.shape[d]);
        bool is_known = false;
        for (const static_argument& a : known.fixed) is_known = is_known || a.name == name;
        if (!is_known) known.fixed.push_back(static_arg(name.view(), sizes[known.fixed.size()]));
      }
    auto bound = bind_arguments(code, known);
    if (!bound) {
      if (fault_.code == errc::none) fault_ = bound.error();
      return 0;
    }
    bound_.push_back({code.nodes.data(), table<std::int64_t>(sizes),
                      out_.add_code(*static_cast<result<graph>&&>(bound))});
    return bound_.back().number;
  }

  block_grid grid_;
  task_program out_;
  std::vector<bound_code> bound_;
  std::vector<table<std::uint32_t>> ends_;  // by step: the signals of its end
  error fault_;
};

}  // namespace detail

/// The product of two matrices in blocks: arguments "A[i,k]" and "B[k,j]", each of the process of
/// its block, and outputs "C[i,j]" there; the sum over k is in its order. A block of A goes once to
/// each other process of its row, one of B of its column. Per step k a process holds a column of A
/// and a row of B: with I, J and K blocks, at most ⌈I/rows⌉·⌈J/columns⌉ + 1 of C and
/// (ahead + 1)·(⌈I/rows⌉ + ⌈J/columns⌉) of A and B together. Source: R. van de Geijn and J. Watts,
/// SUMMA: scalable universal matrix multiplication algorithm, 1997. Errors: `invalid_problem` for a
/// grid without blocks or extents that are not positive. O(I·J·K).
inline result<task_program> blocked_product(std::int64_t rows, std::int64_t inner,
                                            std::int64_t columns, const block_grid& grid) {
  detail::block_program p(grid);
  if (rows <= 0 || inner <= 0 || columns <= 0)
    return make_error(errc::invalid_problem, "blocks", "a matrix has no elements");
  if (p.failed()) return p.take();
  const std::uint32_t in_rows = grid.count(rows), in_columns = grid.count(columns);
  std::vector<std::uint32_t> sums(std::size_t{in_rows} * in_columns);
  for (std::uint32_t k = 0; k < grid.count(inner); ++k) {
    const table<std::uint32_t> waits = p.waits_of(k);
    const std::int64_t deep = grid.size(inner, k);
    std::vector<std::uint32_t> a, b;
    for (std::uint32_t i = 0; i < in_rows; ++i)
      a.push_back(p.argument('A', i, k, grid.size(rows, i), deep, waits));
    for (std::uint32_t j = 0; j < in_columns; ++j)
      b.push_back(p.argument('B', k, j, deep, grid.size(columns, j), waits));
    for (std::uint32_t i = 0; i < in_rows; ++i)
      for (std::uint32_t j = 0; j < in_columns; ++j) {
        std::uint32_t& sum = sums[std::size_t{i} * in_columns + j];
        const std::int64_t m = grid.size(rows, i), n = grid.size(columns, j);
        if (k == 0)
          sum = p.add(detail::block_product.graph(), {{m, deep, n}}, i, j, {{{a[i]}, {b[j]}}});
        else
          sum =
              p.add(detail::block_update.graph(), {{m, n, deep}}, i, j, {{{sum}, {a[i]}, {b[j]}}});
      }
    p.end_step({sums.data(), sums.size()});
  }
  for (std::uint32_t i = 0; i < in_rows; ++i)
    for (std::uint32_t j = 0; j < in_columns; ++j)
      p.program().add_output(detail::block_program::block_name('C', i, j).view(),
                             {sums[std::size_t{i} * in_columns + j]});
  return p.take();
}

/// The Cholesky factor L of a symmetric positive definite matrix in blocks, L·Lᵀ = A: arguments
/// "A[i,j]" with i ≥ j, each of the process of its block, and outputs "L[i,j]" there. The next
/// column is factored before the other updates of a step. A process holds its own blocks, and those
/// that it reads of at most `ahead` + 1 columns. Source: J. Choi et al., The design and
/// implementation of the ScaLAPACK LU, QR, and Cholesky factorization routines, 1996. Errors:
/// `invalid_problem` for a grid without blocks or an extent that is not positive. O(N³) for N
/// blocks along the matrix.
inline result<task_program> blocked_cholesky(std::int64_t rows, const block_grid& grid) {
  detail::block_program p(grid);
  if (rows <= 0) return make_error(errc::invalid_problem, "blocks", "a matrix has no elements");
  if (p.failed()) return p.take();
  const std::uint32_t count = grid.count(rows);
  std::vector<std::uint32_t> block(std::size_t{count} * count);  // what stands there now
  const auto at = [&](std::uint32_t i, std::uint32_t j) -> std::uint32_t& {
    return block[std::size_t{i} * count + j];
  };
  for (std::uint32_t j = 0; j < count; ++j)
    for (std::uint32_t i = j; i < count; ++i)
      at(i, j) = p.argument('A', i, j, grid.size(rows, i), grid.size(rows, j));
  const auto factor = [&](std::uint32_t k) {
    const std::int64_t n = grid.size(rows, k);
    at(k, k) = p.add(detail::block_factor.graph(), {{n}}, k, k, {{{at(k, k)}}}, p.waits_of(k));
    for (std::uint32_t i = k + 1; i < count; ++i)
      at(i, k) = p.add(detail::block_solve.graph(), {{grid.size(rows, i), n}}, i, k,
                       {{{at(i, k)}, {at(k, k)}}});
  };
  factor(0);
  for (std::uint32_t k = 0; k + 1 < count; ++k) {
    std::vector<std::uint32_t> updates;
    for (std::uint32_t j = k + 1; j < count; ++j) {
      for (std::uint32_t i = j; i < count; ++i) {
        at(i, j) = p.add(detail::block_downdate.graph(),
                         {{grid.size(rows, i), grid.size(rows, j), grid.size(rows, k)}}, i, j,
                         {{{at(i, j)}, {at(i, k)}, {at(j, k)}}});
        updates.push_back(at(i, j));
      }
      if (j == k + 1) factor(j);
    }
    p.end_step({updates.data(), updates.size()});
  }
  for (std::uint32_t j = 0; j < count; ++j)
    for (std::uint32_t i = j; i < count; ++i)
      p.program().add_output(detail::block_program::block_name('L', i, j).view(), {at(i, j)});
  return p.take();
}

}  // namespace wf
